"""Model files, shared with the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ._classifier import PFCVMClassifier
from ._input import labels
from ._panel import PFCVMPanelClassifier
from ._pfcvm import read_model


def load_model(path: str | Path, *, checked: bool = True) -> PFCVMClassifier | PFCVMPanelClassifier:
    """Read a model file, written by ``save_model`` or by the program ``pfcvm``.

    Reading runs no code from the file, and everything in it is checked. Classes come back with the
    type they had in Python. Those of the program's files are whole numbers if all are, numbers if
    all are, truth values if they are True and False, else text.

    Parameters
    ----------
    path : str or Path
        The file.
    checked : bool, default=True
        Whether the checksum of the file must fit. False is for a file that was changed on purpose;
        everything else in it is checked all the same.

    Returns
    -------
    PFCVMClassifier or PFCVMPanelClassifier
        The classifier, fitted, with the settings of its fit as parameters. The trace is not stored.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier, load_model
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = PFCVMClassifier("linear").fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
    >>> clf.save_model(path)
    >>> bool((load_model(path).predict_proba(X) == clf.predict_proba(X)).all())
    True
    """
    engine, are_text, features = read_model(Path(path), bool(checked))
    about = json.loads(engine.describe())
    classes = labels(about["classes"], are_text)
    classifier = _estimator(about, classes)
    classifier.set_params(**_of_columns(about["columns"] or [], about["feature_names"], features))
    classifier.n_features_in_ = about["n_columns"]
    if features is not None:
        classifier.feature_names_in_ = np.asarray(features, dtype=object)
    classifier._take(engine, classes)
    return classifier


def _of_columns(
    columns: list[dict[str, Any]], names: list[str], named: list[str] | None
) -> dict[str, Any]:
    """Parameters that say what the columns were."""
    words = [at for at, one in enumerate(columns) if one["kind"] == "words"]
    found: dict[str, Any] = {}
    if words:
        found["categorical_features"] = words if named is None else [named[at] for at in words]
    if len(names) < len(columns):
        found["feature_groups"] = [names[one["feature"]] for one in columns]
    return found


def _estimator(
    about: dict[str, Any], classes: np.ndarray
) -> PFCVMClassifier | PFCVMPanelClassifier:
    settings = about["settings"]
    weights = settings["class_weights"]
    if weights not in ("equal", "balanced"):
        weights = dict(zip(classes.tolist(), map(float, weights.split(","))))
    common = {
        "false_positive_rate": settings["false_positive_rate"],
        "max_false": settings["max_false"],
        "certainty": settings["certainty"],
        "standardise": settings["standardise"],
        "class_weight": None if weights == "equal" else weights,
        # Two classes are told apart in the same way by every scheme, and a file says which machine it has.
        "scheme": about["scheme"] if len(classes) > 2 else "joint",
        "random_state": settings["seed"],
    }
    if about["kind"] == "panel":
        keys = ("size", "members", "ranks", "goal")
        return PFCVMPanelClassifier(**{key: settings[key] for key in keys}, **common)
    kernel, _, degree = settings["kernel"].partition(":")
    samples = settings["samples"]
    if about.get("choice"):
        kernel, samples = "auto", _as_auto(about, samples)
    truncation, _, steepness = settings["truncation"].partition(":")
    return PFCVMClassifier(
        kernel,
        degree=int(degree or 2),
        algorithm=settings["algorithm"],
        size=settings.get("size"),
        goal=settings["goal"],
        samples=samples,
        truncation=float(steepness) if steepness else truncation,
        max_basis=settings["max_basis"],
        max_iter=settings.get("max_iterations"),
        tol=settings.get("tolerance"),
        start={key: value for key, value in settings["start"].items() if value is not None} or None,
        stages=settings["stages"],
        **common,
    )


def _as_auto(about: dict[str, Any], samples: str) -> str:
    """What asks for these samples where the kernel was found out: "auto" if it would take them."""
    if about["goal"] == "accuracy":
        taken = ["dense"]
    elif about["settings"]["kernel"] == "linear":
        taken = ["few"]
    else:
        # Few by sums, and in models of before.
        taken = ["frozen", "few"] if about["n_samples_in"] > 2000 else ["frozen"]
    return "auto" if samples in taken else samples

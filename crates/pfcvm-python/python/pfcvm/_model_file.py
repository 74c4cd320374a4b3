"""Model files, shared with the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from ._engine import EngineClassifier, PFCVMClassifier, PFCVMPanelClassifier
from ._pfcvm import read_model


def load_model(path: str | Path) -> EngineClassifier:
    """Read a model file, written by ``save_model`` or by the program ``pfcvm``.

    Reading runs no code from the file, and everything in it is checked. Classes are whole numbers
    if all are, numbers if all are, else text.

    Parameters
    ----------
    path : str or Path
        The file.

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
    engine, names, features, named = read_model(Path(path))
    about = json.loads(engine.describe())
    labels = _labels(names)
    classifier = _estimator(about, labels)
    classifier.n_features_in_ = about["inputs"]
    if named:
        classifier.feature_names_in_ = np.asarray(features, dtype=object)
    classifier._take(engine, labels)
    return classifier


def _estimator(about: dict[str, Any], labels: np.ndarray) -> EngineClassifier:
    settings = about["settings"]
    weights = settings["class_weights"]
    if weights not in ("equal", "balanced"):
        weights = dict(zip(labels.tolist(), map(float, weights.split(","))))
    common = {
        "false_positive_rate": settings["false_positive_rate"],
        "standardise": settings["standardise"],
        "class_weight": None if weights == "equal" else weights,
        "multi_class": about.get("scheme", "ovo"),
        "random_state": settings["seed"],
    }
    if about["kind"] == "panel":
        keys = ("length", "members", "ranks")
        return PFCVMPanelClassifier(**{key: settings[key] for key in keys}, **common)
    kernel, _, degree = settings["kernel"].partition(":")
    truncation, _, steepness = settings["truncation"].partition(":")
    return PFCVMClassifier(
        kernel,
        degree=int(degree or 2),
        samples=settings["samples"],
        truncation=float(steepness) if steepness else truncation,
        algorithm=settings.get("algorithm", "mended"),
        max_basis=settings["max_basis"],
        start={key: value for key, value in settings["start"].items() if value is not None} or None,
        stages=settings["stages"],
        **common,
    )


def _labels(classes: list[str]) -> np.ndarray:
    if all(re.fullmatch(r"[+-]?\d{1,18}", label) for label in classes):
        return np.array([int(label) for label in classes])
    if all(
        re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?", label, re.I) for label in classes
    ):
        return np.array([float(label) for label in classes])
    return np.array(classes)

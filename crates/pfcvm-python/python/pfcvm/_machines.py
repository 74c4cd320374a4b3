"""The machines that tell two classes apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class TwoClassMachine:
    """What is known of one machine of a classifier; there is one for two classes, several for more.

    What a method does not have is None.

    Parameters
    ----------
    classes : tuple
        Two classes; decision values of the machine are for the second. With more than two classes and a
        machine for each of them (``scheme="joint"`` or ``"one-vs-rest"``) the first is None, for all others.
    selected_features : ndarray of int
        The features that decide.
    feature_weights : ndarray of float
        Their weights.
    feature_precisions : ndarray of float
        The precisions of their priors.
    feature_deviations : ndarray of float
        The posterior standard deviations of these.
    feature_worth : ndarray of float
        By how much the mean log loss of the training samples rises without each.
    median_share : ndarray of float
        The median share of each listed feature in the weights of a panel's members.
    selection_frequencies : ndarray of float
        The share of a panel's members that would have listed each feature on their own.
    short_list_suffices : bool
        Whether a panel's short lists predict as well as all features together.
    nothing_found : bool
        Whether no feature does better than chance on rows that did not train.
    certain_features : ndarray of int
        The features that are certain, in the order of ``selected_features``.
    false_alarm : ndarray of float
        How likely each selected feature is selected for nothing.
    importance : ndarray of float
        By how much the mean log loss of rows that did not train rises without each, everything else
        settled again.
    importance_interval : ndarray of shape (n_selected, 2)
        Where that lies, with 95 % confidence.
    p_value : ndarray of float
        How likely a feature that says nothing does as well on rows that did not train.
    kept_share : ndarray of float
        The share of the fits on parts of the rows that keep each.
    held_out : dict
        What rows that did not train say of the machine.
    selected_samples : ndarray of int
        The samples that are remembered, as rows of the training data.
    sample_weights : ndarray of float
        Their weights, signed by class.
    sample_deviations : ndarray of float
        The posterior standard deviations of these.
    bias : float
        The bias.
    log_evidence : float
        Log evidence of the fit.
    n_iter : int
        Number of iterations.
    termination : str
        How the fit ended.
    trace : dict of ndarray
        One entry per iteration; empty for a classifier that was read from a file.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import PFCVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = PFCVMClassifier().fit(X, y)
    >>> [machine.classes for machine in clf.machines_]
    [(None, 0), (None, 1), (None, 2)]
    """

    classes: tuple[Any, Any]
    selected_features: np.ndarray | None = None
    feature_weights: np.ndarray | None = None
    feature_precisions: np.ndarray | None = None
    feature_deviations: np.ndarray | None = None
    feature_worth: np.ndarray | None = None
    median_share: np.ndarray | None = None
    selection_frequencies: np.ndarray | None = None
    short_list_suffices: bool | None = None
    nothing_found: bool | None = None
    certain_features: np.ndarray | None = None
    false_alarm: np.ndarray | None = None
    importance: np.ndarray | None = None
    importance_interval: np.ndarray | None = None
    p_value: np.ndarray | None = None
    kept_share: np.ndarray | None = None
    held_out: dict[str, Any] | None = None
    selected_samples: np.ndarray | None = None
    sample_weights: np.ndarray | None = None
    sample_deviations: np.ndarray | None = None
    bias: float | None = None
    log_evidence: float | None = None
    n_iter: int | None = None
    termination: str | None = None
    trace: dict[str, np.ndarray] = field(default_factory=dict)


def machine(about: dict[str, Any], names: list[str], classes: np.ndarray) -> TwoClassMachine:
    """A machine as the compiled half describes it; ``names`` are those of the classes there."""

    def label(name: str | None) -> Any:
        return None if name is None else classes.tolist()[names.index(name)]

    features, samples, positive = (
        about["selected_features"],
        about["selected_samples"],
        about["positive"],
    )
    panel = about.get("panel")
    if features and panel is None:
        features = sorted(features, key=lambda one: one["index"])
    if samples:
        samples = sorted(samples, key=lambda one: one["index"])
    held_out = about.get("held_out")
    sure = None if held_out is None else features
    intervals = column(sure, "importance_interval")
    weights = column(samples, "weight")
    if weights is not None:
        weights *= [1.0 if one["label"] == positive else -1.0 for one in samples]
    return TwoClassMachine(
        classes=(label(about["negative"]), label(positive)),
        selected_features=column(features, "index", np.intp),
        feature_weights=column(features, "weight"),
        feature_precisions=column(features, "precision"),
        feature_deviations=column(features, "deviation"),
        feature_worth=column(features, "worth"),
        median_share=None if panel is None else column(features, "median_share"),
        selection_frequencies=column(features, "frequency"),
        short_list_suffices=None if panel is None else panel["short_list_suffices"],
        nothing_found=about.get("nothing_found"),
        certain_features=certain(sure),
        false_alarm=column(sure, "false_alarm"),
        importance=column(sure, "importance"),
        importance_interval=shaped(intervals, 2),
        p_value=column(sure, "p_value"),
        kept_share=column(sure, "kept_share"),
        held_out=held_out,
        selected_samples=column(samples if panel is None else None, "index", np.intp),
        sample_weights=weights,
        sample_deviations=column(samples, "deviation"),
        bias=about.get("bias"),
        log_evidence=about.get("log_evidence"),
        n_iter=about["iterations"],
        termination=about["termination"],
        trace=columns(about.get("trace") or []),
    )


def column(rows: list[dict[str, Any]] | None, key: str, kind: Any = float) -> np.ndarray | None:
    """One entry of every row; None where rows have none, or there are no rows to have it."""
    if rows is None or (rows and rows[0].get(key) is None):
        return None
    return np.asarray([row[key] for row in rows], dtype=kind)


def shaped(values: np.ndarray | None, *of_one: int) -> np.ndarray | None:
    """Values of which each row has this shape, also where there are no rows."""
    return None if values is None else values.reshape(len(values), *of_one)


def certain(rows: list[dict[str, Any]] | None) -> np.ndarray | None:
    """Those of the features that are certain."""
    listed = None if rows is None else [row for row in rows if row["certain"]]
    return column(listed, "index", np.intp)


def columns(rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Rows of a trace as columns."""
    return {key: np.array([row[key] for row in rows]) for key in (rows[0] if rows else ())}

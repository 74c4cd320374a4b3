"""The machines behind more than two classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class TwoClassMachine:
    """What is known of one machine of a classifier of more than two classes.

    What a method does not have is None.

    Parameters
    ----------
    classes : tuple
        Two classes; decision values of the machine are for the second. With ``multi_class="ovr"``
        the first is None, for all others.
    features : ndarray of int
        The features that decide.
    feature_weights : ndarray of float
        Their weights.
    feature_deviations : ndarray of float
        The posterior standard deviations of these.
    feature_worth : ndarray of float
        By how much the mean log loss of the training samples rises without each.
    importance : ndarray of float
        What the list of a panel is ordered by.
    selection_frequencies : ndarray of float
        The share of a panel's members that would have listed each feature on their own.
    short_list_suffices : bool
        Whether a panel's short lists predict as well as all features together.
    relevance : ndarray of int
        The samples that are remembered, as rows of the training data.
    relevance_weights : ndarray of float
        Their weights, signed by class.
    intercept : float
        The bias.
    log_evidence : float
        Log evidence of the last iteration.
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
    [(0, 1), (0, 2), (1, 2)]
    """

    classes: tuple[Any, Any]
    features: np.ndarray | None = None
    feature_weights: np.ndarray | None = None
    feature_deviations: np.ndarray | None = None
    feature_worth: np.ndarray | None = None
    importance: np.ndarray | None = None
    selection_frequencies: np.ndarray | None = None
    short_list_suffices: bool | None = None
    relevance: np.ndarray | None = None
    relevance_weights: np.ndarray | None = None
    intercept: float | None = None
    log_evidence: float | None = None
    n_iter: int | None = None
    termination: str | None = None
    trace: dict[str, np.ndarray] = field(default_factory=dict)


def machine(about: dict[str, Any], classes: np.ndarray) -> TwoClassMachine:
    """A machine as the compiled half describes it."""

    def array(key: str, kind: Any = float) -> np.ndarray | None:
        values = about.get(key)
        return None if values is None else np.asarray(values, dtype=kind)

    labels, negative = classes.tolist(), about["negative"]
    return TwoClassMachine(
        classes=(None if negative is None else labels[negative], labels[about["positive"]]),
        features=array("features", np.intp),
        feature_weights=array("feature_weights"),
        feature_deviations=array("feature_deviations"),
        feature_worth=array("feature_losses"),
        importance=array("importance"),
        selection_frequencies=array("selection_frequencies"),
        short_list_suffices=about.get("short_list_suffices"),
        relevance=array("samples", np.intp),
        relevance_weights=array("sample_weights"),
        intercept=about.get("bias"),
        log_evidence=about.get("log_evidence"),
        n_iter=about["iterations"],
        termination=about["termination"],
        trace=columns(about.get("trace") or []),
    )


def columns(rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Rows of a trace as columns."""
    return {key: np.array([row[key] for row in rows]) for key in (rows[0] if rows else ())}

"""Stability of a selection, and comparisons of methods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from ._pfcvm import ranking, stability


@dataclass(frozen=True)
class SelectionStability:
    """How stable a selection of features is.

    Parameters
    ----------
    subsets : list of ndarray
        The features selected on each split.
    frequencies : ndarray of shape (n_features,)
        The share of splits that selected each feature.
    stability : float
        The measure of Nogueira, Sechidis and Brown (2018): 1 for the same features every time,
        about 0 for features drawn at random.
    interval : tuple of float
        Its confidence interval.
    jaccard : float
        Mean Jaccard index over all pairs of splits.
    feature_names : list of str
        Names of the features.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import FisherSelector, SelectionStability, selection_stability
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = selection_stability(FisherSelector(5), X, y, cv=3)
    >>> isinstance(found, SelectionStability)
    True
    """

    subsets: list[np.ndarray]
    frequencies: np.ndarray
    stability: float
    interval: tuple[float, float]
    jaccard: float
    feature_names: list[str]


def _selected(estimator: Any, X: Any, y: Any, rows: np.ndarray) -> np.ndarray:
    fitted = clone(estimator).fit(_safe_indexing(X, rows), _safe_indexing(y, rows))
    return np.flatnonzero(fitted.get_support())


def selection_stability(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    confidence: float = 0.95,
) -> SelectionStability:
    """Select features on many splits and see how alike the selections are.

    Splits run on joblib's backend, so that a `joblib.parallel_config` moves them to a cluster. The
    result does not depend on where they run.

    Parameters
    ----------
    estimator : object
        What selects: anything with ``fit`` and ``get_support``.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Classes.
    cv : int, cross-validation generator or iterable, default=None
        Splits, whose training parts are used. None: 20 stratified halves.
    groups : array-like of shape (n_samples,), default=None
        Groups of samples, for splits that keep them together.
    n_jobs : int, default=None
        How many splits run at a time.
    confidence : float, default=0.95
        Of the interval.

    Returns
    -------
    SelectionStability
        Frequencies and measures.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import FisherSelector, selection_stability
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = selection_stability(FisherSelector(5), X, y)
    >>> bool(found.stability > 0.5), found.frequencies.shape
    (True, (30,))
    """
    splits: Any = StratifiedShuffleSplit(20, train_size=0.5, random_state=0)
    if cv is not None:
        splits = check_cv(cv, y, classifier=True)
    parts = [train for train, _ in splits.split(np.zeros(_num_samples(X)), y, groups)]
    work = (delayed(_selected)(estimator, X, y, rows) for rows in parts)
    subsets = list(Parallel(n_jobs=n_jobs)(work))
    features = X.shape[1] if hasattr(X, "shape") else len(X[0])
    found = json.loads(stability([subset.tolist() for subset in subsets], features, confidence))
    named = getattr(X, "column_names", getattr(X, "columns", None))
    names = [f"x{k}" for k in range(features)] if named is None else [str(name) for name in named]
    return SelectionStability(
        subsets=subsets,
        frequencies=np.asarray(found["frequencies"]),
        stability=found["stability"],
        interval=tuple(found["interval"]),
        jaccard=found["jaccard"],
        feature_names=names,
    )


@dataclass(frozen=True)
class Ranking:
    """Methods ranked over data sets.

    Parameters
    ----------
    methods : list of str
        Names.
    average_ranks : ndarray of shape (n_methods,)
        Mean rank of each; 1 is best.
    p_value : float
        Of Friedman's test that all are alike.
    iman_davenport_p_value : float
        Of its less conservative form.
    critical_difference : float
        How far average ranks must lie apart to differ.
    groups : list of list of int
        Methods that do not differ, the best first.

    Examples
    --------
    >>> from pfcvm import Ranking, rank_methods
    >>> isinstance(rank_methods([[0.9, 0.8], [0.7, 0.6]]), Ranking)
    True
    """

    methods: list[str]
    average_ranks: np.ndarray
    p_value: float
    iman_davenport_p_value: float
    critical_difference: float
    groups: list[list[int]]


def rank_methods(
    scores: Any,
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    post_hoc: str = "nemenyi",
    methods: Sequence[str] | None = None,
) -> Ranking:
    """Friedman's test and critical differences, from a table of scores.

    Parameters
    ----------
    scores : array-like or dataframe of shape (n_data_sets, n_methods)
        A row for each data set, a column for each method.
    higher_is_better : bool, default=True
        Whether high scores are good (accuracy) or bad (error).
    alpha : float, default=0.05
        Level of the comparisons.
    post_hoc : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        Each method with each other, or one chosen beforehand with the others.
    methods : sequence of str, default=None
        Names; None: those of the columns.

    Returns
    -------
    Ranking
        Average ranks, p values, critical difference.

    Examples
    --------
    >>> from pfcvm import rank_methods
    >>> found = rank_methods([[0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.8, 0.9, 0.4]])
    >>> found.average_ranks.round(2).tolist()
    [1.33, 1.67, 3.0]
    """
    if post_hoc not in ("nemenyi", "bonferroni-dunn"):
        raise ValueError(f"post_hoc={post_hoc!r}: it must be 'nemenyi' or 'bonferroni-dunn'.")
    if methods is None:
        methods = getattr(scores, "columns", None)
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"scores have {table.ndim} dimensions; a table of two is needed.")
    text = ranking(table.tolist(), bool(higher_is_better), float(alpha), post_hoc != "nemenyi")
    found = json.loads(text)
    names = [f"method {k}" for k in range(table.shape[1])] if methods is None else list(methods)
    return Ranking(
        methods=[str(name) for name in names],
        average_ranks=np.asarray(found["average_ranks"]),
        p_value=found["p_value"],
        iman_davenport_p_value=found["iman_davenport_p_value"],
        critical_difference=found["critical_difference"],
        groups=found["groups"],
    )

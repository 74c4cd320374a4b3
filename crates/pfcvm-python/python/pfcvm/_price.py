"""What a short list costs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, column_or_1d

from ._base import NothingFoundWarning
from ._pfcvm import price, price_lengths


@dataclass(frozen=True)
class ListPrice:
    """Log loss and errors against the length of the list.

    Parameters
    ----------
    sizes : list of int or None
        The lengths: 0 for the shares of the classes alone, None for all that a fit keeps.
    features : ndarray of shape (n_sizes,)
        Features that were used, on average over the splits.
    log_loss, log_loss_error : ndarray of shape (n_sizes,)
        Mean log loss of the tested rows, and its standard error for a fit on other rows.
    error_rate, error_rate_error : ndarray of shape (n_sizes,)
        Share of the tested rows that were called what they are not, and its standard error.
    difference, difference_error : ndarray of shape (n_sizes,)
        Log loss above that of the best length, row by row, and its standard error.
    best : int
        The place of the length with the least log loss.
    suggested : int
        The place of the shortest whose difference is within one standard error.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import ListPrice, PFCVMClassifier, list_price
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = list_price(PFCVMClassifier("linear"), X[:200], y[:200], sizes=[1, 2], cv=3)
    >>> isinstance(found, ListPrice), found.sizes
    (True, [0, 1, 2, None])
    """

    sizes: list[int | None]
    features: np.ndarray
    log_loss: np.ndarray
    log_loss_error: np.ndarray
    error_rate: np.ndarray
    error_rate_error: np.ndarray
    difference: np.ndarray
    difference_error: np.ndarray
    best: int
    suggested: int

    @property
    def suggested_size(self) -> int | None:
        """The length that is suggested; None: all that a fit keeps."""
        return self.sizes[self.suggested]


def _at_size(estimator: Any, size: int | None) -> Any:
    """The estimator, asked for at most so many features."""
    made = clone(estimator)
    if size is None:
        return made
    name = f"{made.steps[-1][0]}__size" if isinstance(made, Pipeline) else "size"
    if name not in made.get_params():
        raise ValueError(
            f"{type(estimator).__name__} has no parameter `size`; the price of a short list is that of "
            "PFCVMClassifier or PFCVMPanelClassifier."
        )
    return made.set_params(**{name: int(size)})


def _support(fitted: Any) -> int:
    last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    return len(last.selected_features_)


def _tested(
    estimator: Any, size: int | None, X: Any, y: np.ndarray, train: np.ndarray, test: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """For each test row the probability of its own class, whether it was called wrong; features used."""
    classes, truth = np.unique(y, return_inverse=True)
    if size == 0:
        shares = np.bincount(truth[train], minlength=len(classes)) / len(train)
        return shares[truth[test]], truth[test] != np.argmax(shares), 0
    with warnings.catch_warnings():
        # On short lists and small parts that is no news.
        warnings.simplefilter("ignore", NothingFoundWarning)
        fitted = _at_size(estimator, size).fit(_safe_indexing(X, train), y[train])
    said = fitted.predict_proba(_safe_indexing(X, test))
    places = np.searchsorted(fitted.classes_, y[test])
    return (
        said[np.arange(len(test)), places],
        fitted.predict(_safe_indexing(X, test)) != y[test],
        _support(fitted),
    )


def list_price(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int] | None = None,
    cv: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
) -> ListPrice:
    """What lists of at most so many features cost, from rows that had no part in choosing them.

    Every length is fitted anew in the training part of every split. Splits run on joblib's backend. The
    suggested length is the shortest whose log loss is above the best one's by at most one standard error
    of the difference, row by row.

    Parameters
    ----------
    estimator : object
        A `PFCVMClassifier` or `PFCVMPanelClassifier`, or a pipeline that ends in one.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Classes.
    sizes : list of int, default=None
        The lengths. None: 1, 2, 3, 5, 8, 12, 20, 30 and so on, below what a fit on all rows keeps. 0 and
        all that is kept are always there.
    cv : int, cross-validation generator or iterable, default=None
        Splits. None: five stratified folds, shuffled.
    groups : array-like of shape (n_samples,), default=None
        Groups of samples, for splits that keep them together; errors are then over groups.
    n_jobs : int, default=None
        How many fits run at a time.

    Returns
    -------
    ListPrice
        The curve, and the suggested length.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier, list_price
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = list_price(PFCVMClassifier("linear"), X[:200], y[:200], sizes=[1, 3], cv=3)
    >>> bool(found.log_loss[0] > found.log_loss[1])
    True
    """
    y = column_or_1d(y, warn=True)
    _at_size(estimator, 1)
    if sizes is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NothingFoundWarning)
            kept = _support(clone(estimator).fit(X, y))
        sizes = price_lengths(max(kept, 4))
    elif any(int(size) < 0 for size in sizes):
        raise ValueError("sizes must not be negative.")
    lengths: list[int | None] = [0, *sorted({int(size) for size in sizes} - {0}), None]
    folds: Any = StratifiedKFold(5, shuffle=True, random_state=0)
    if cv is not None:
        folds = check_cv(cv, y, classifier=True)
    rows = _num_samples(X)
    parts = list(folds.split(np.zeros(rows), y, groups))
    work = (
        delayed(_tested)(estimator, size, X, y, train, test)
        for size in lengths
        for train, test in parts
    )
    done = list(Parallel(n_jobs=n_jobs)(work))
    times = np.zeros(rows)
    for _, test in parts:
        np.add.at(times, test, 1)
    used = np.flatnonzero(times)
    losses, wrongs, features = [], [], []
    for at in range(len(lengths)):
        loss, wrong, counts = np.zeros(rows), np.zeros(rows), []
        for (_, test), (own, called_wrong, count) in zip(
            parts, done[at * len(parts) : (at + 1) * len(parts)]
        ):
            np.add.at(loss, test, -np.log(np.clip(own, 1e-15, 1 - 1e-15)))
            np.add.at(wrong, test, called_wrong)
            counts.append(count)
        losses.append((loss[used] / times[used]).tolist())
        wrongs.append((wrong[used] / times[used]).tolist())
        features.append(np.mean(counts))
    of_rows = None
    if groups is not None:
        of_rows = np.unique(np.asarray(groups), return_inverse=True)[1][used].tolist()
    trained = float(np.mean([len(train) for train, _ in parts]))
    found = json.loads(price(losses, wrongs, of_rows, trained))

    def column(key: str, part: str) -> np.ndarray:
        return np.array([point[key][part] for point in found["points"]])

    return ListPrice(
        sizes=lengths,
        features=np.array(features),
        log_loss=column("log_loss", "mean"),
        log_loss_error=column("log_loss", "error"),
        error_rate=column("error_rate", "mean"),
        error_rate_error=column("error_rate", "error"),
        difference=column("difference", "mean"),
        difference_error=column("difference", "error"),
        best=found["best"],
        suggested=found["suggested"],
    )

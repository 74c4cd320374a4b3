"""What a short list costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._price import ListPrice, list_price
from ._common import COLOURS, axes


class PriceDisplay:
    """Log loss against the number of features, with standard errors and the suggested length.

    Parameters
    ----------
    price : ListPrice
        What `list_price` found.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where it was drawn.
    figure_ : matplotlib figure
        The whole figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier
    >>> from pfcvm.plot import PriceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = PFCVMClassifier("linear")
    >>> PriceDisplay.from_estimator(clf, X[:200], y[:200], sizes=[1, 2], cv=3).ax_.get_xlabel()
    'features'
    """

    def __init__(self, price: ListPrice) -> None:
        self.price = price

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sizes: Sequence[int] | None = None,
        cv: Any = None,
        groups: Any = None,
        n_jobs: int | None = None,
        ax: Any = None,
    ) -> PriceDisplay:
        """Compute by `list_price`, and draw.

        Parameters
        ----------
        estimator : object
            What is fitted at every length; it need not be fitted.
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Classes.
        sizes : list of int, default=None
            The lengths, as for `list_price`.
        cv : int, cross-validation generator or iterable, default=None
            Splits, as for `list_price`.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples, as for `list_price`.
        n_jobs : int, default=None
            How many fits run at a time.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        PriceDisplay
            The display.
        """
        found = list_price(estimator, X, y, sizes=sizes, cv=cv, groups=groups, n_jobs=n_jobs)
        return cls.from_price(found, ax=ax)

    @classmethod
    def from_price(cls, price: ListPrice, *, ax: Any = None) -> PriceDisplay:
        """Draw what `list_price` found.

        Parameters
        ----------
        price : ListPrice
            The result.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        PriceDisplay
            The display.
        """
        return cls(price).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> PriceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        PriceDisplay
            The display.
        """
        ax = axes(ax, 6.0, 3.8)
        price = self.price
        x = np.array(
            [kept if size is None else size for size, kept in zip(price.sizes, price.features)],
            dtype=float,
        )
        ax.errorbar(
            x, price.log_loss, yerr=price.log_loss_error, color=COLOURS["main"], marker="o",
            markersize=4, capsize=3, linewidth=1.5,
        )  # fmt: skip
        at = price.suggested
        words = "all that are kept" if price.suggested_size is None else str(price.suggested_size)
        ax.plot(
            x[at], price.log_loss[at], marker="o", markersize=11, markerfacecolor="none",
            markeredgecolor=COLOURS["second"], markeredgewidth=1.8, linestyle="none",
            label=f"suggested: {words}",
        )  # fmt: skip
        ax.axhline(price.log_loss[price.best], color=COLOURS["pale"], linestyle="--", linewidth=1)
        ax.set_xlabel("features")
        ax.set_ylabel("log loss of rows that did not train")
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

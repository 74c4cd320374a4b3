"""How far probabilities can be believed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._common import WIDTH, axes, unwrapped


class CalibrationDisplay:
    """Predicted probabilities beside observed shares, with Wilson's intervals.

    Parameters
    ----------
    predicted, observed : ndarray of float
        Mean probability in each bin, and the share of samples that are of the class.
    lower, upper : ndarray of float
        Ends of the intervals of the shares.
    counts : ndarray of int
        Samples in each bin.
    name : str, default="classifier"
        For the legend.

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
    >>> import numpy as np
    >>> from pfcvm.plot import CalibrationDisplay
    >>> p = np.linspace(0, 1, 200)
    >>> display = CalibrationDisplay.from_predictions(p > 0.5, p)
    >>> int(display.counts.sum())
    200
    """

    def __init__(
        self,
        predicted: Any,
        observed: Any,
        lower: Any,
        upper: Any,
        counts: Any,
        name: str = "classifier",
    ) -> None:
        self.predicted = predicted
        self.observed = observed
        self.lower = lower
        self.upper = upper
        self.counts = counts
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        n_bins: int = 10,
        ax: Any = None,
    ) -> CalibrationDisplay:
        """Draw the calibration of a fitted classifier on test data.

        With more than two classes it is that of the most probable class: its probability beside the
        share of samples that are of it. `pos_label` asks for one class against the rest; several
        displays can share their axes.

        Parameters
        ----------
        estimator : classifier or Pipeline
            Fitted, with probabilities.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Test samples.
        y : array-like of shape (n_samples,)
            Their classes.
        pos_label : int, float, bool or str, default=None
            The class whose probability is drawn. None: the second of two classes, the most probable
            of more.
        n_bins : int, default=10
            Bins with about as many samples each.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        CalibrationDisplay
            The display.
        """
        classes, y = np.asarray(estimator.classes_), np.asarray(y)
        p, name = estimator.predict_proba(X), type(unwrapped(estimator)).__name__
        if pos_label is None and len(classes) > 2:
            truth, p = y == classes[p.argmax(axis=1)], p.max(axis=1)
            name += ", most probable class"
        else:
            wanted = classes[1] if pos_label is None else pos_label
            if not (classes == wanted).any():
                raise ValueError(f"pos_label={pos_label!r} is none of the classes {list(classes)}.")
            truth, p = y == wanted, p[:, np.flatnonzero(classes == wanted)[0]]
            name += f", {wanted}" if len(classes) > 2 else ""
        return cls.from_predictions(truth, p, n_bins=n_bins, name=name, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 10,
        name: str = "classifier",
        ax: Any = None,
    ) -> CalibrationDisplay:
        """Draw the calibration of probabilities.

        Parameters
        ----------
        y_true : array-like of bool
            Whether each sample is of the class.
        y_prob : array-like of float
            The probability of that.
        n_bins : int, default=10
            Bins with about as many samples each.
        name : str, default="classifier"
            For the legend.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        CalibrationDisplay
            The display.
        """
        truth, p = np.asarray(y_true, dtype=bool), np.asarray(y_prob, dtype=float)
        if len(truth) != len(p) or not len(p):
            raise ValueError(
                f"{len(truth)} classes and {len(p)} probabilities; as many are needed."
            )
        order = np.argsort(p, kind="stable")
        bins = [part for part in np.array_split(order, min(n_bins, len(p))) if len(part)]
        counts = np.array([len(part) for part in bins])
        observed = np.array([truth[part].mean() for part in bins])
        predicted = np.array([p[part].mean() for part in bins])
        z2 = WIDTH**2
        centre = (observed + z2 / (2 * counts)) / (1 + z2 / counts)
        half = np.sqrt(observed * (1 - observed) / counts + z2 / (4 * counts**2)) / (
            1 + z2 / counts
        )
        half = WIDTH * half
        return cls(predicted, observed, centre - half, centre + half, counts, name).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> CalibrationDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        CalibrationDisplay
            The display.
        """
        ax = axes(ax, 5.0, 5.0)
        around = np.vstack([self.observed - self.lower, self.upper - self.observed])
        ax.plot([0, 1], [0, 1], color="0.7", lw=1, ls="--", label="as predicted")
        line = ax.errorbar(
            self.predicted, self.observed, yerr=np.maximum(around, 0), fmt="o-", ms=5, capsize=2.5,
            label=f"{self.name}, with 95 % intervals",
        )  # fmt: skip
        line[0].set_markeredgecolor("white")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
        ax.set_xlabel("predicted probability")
        ax.set_ylabel("observed share")
        ax.legend(frameon=False, loc="upper left")
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

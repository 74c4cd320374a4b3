"""Displays in the manner of scikit-learn: data first, pictures on demand.

Each display has ``from_…`` class methods that compute and draw, and ``plot`` that draws again,
on other axes or with other options. matplotlib is needed only here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._study import Ranking, SelectionStability, rank_methods

__all__ = [
    "CalibrationDisplay",
    "ConvergenceDisplay",
    "CriticalDifferenceDisplay",
    "FeatureWeightsDisplay",
    "SelectionFrequencyDisplay",
]

# Half the width of a normal interval of 95 %.
WIDTH = 1.959963984540054
COLOURS = {"main": "#1f6f8b", "second": "#d1495b", "third": "#6a994e", "pale": "#b8c4cc"}


def _axes(ax: Any, width: float, height: float) -> Any:
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax


def _names(estimator: Any, feature_names: Any, indices: np.ndarray) -> list[str]:
    names = getattr(estimator, "feature_names_in_", None) if feature_names is None else feature_names
    return [f"x{k}" if names is None else str(names[k]) for k in indices]


class FeatureWeightsDisplay:
    """Weights of the selected features with their intervals.

    Parameters
    ----------
    names : list of str
        Names of the features, the heaviest first.
    weights : ndarray of float
        Their weights.
    lower, upper : ndarray of float
        Ends of the intervals.
    axis_label : str, default="weight in the kernel"
        What the weights are.

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
    >>> from pfcvm.plot import FeatureWeightsDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> display = FeatureWeightsDisplay.from_estimator(PFCVMClassifier().fit(X, y))
    >>> display.ax_.get_xlabel()
    'weight in the kernel, with 95 % interval'
    """

    def __init__(
        self,
        names: list[str],
        weights: Any,
        lower: Any,
        upper: Any,
        axis_label: str = "weight in the kernel",
    ) -> None:
        self.names = names
        self.weights = weights
        self.lower = lower
        self.upper = upper
        self.axis_label = axis_label

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, feature_names: Any = None, top: int = 30, ax: Any = None
    ) -> FeatureWeightsDisplay:
        """Draw the weights of a fitted classifier.

        Parameters
        ----------
        estimator : PFCVMClassifier or PFCVMPanelClassifier
            Fitted.
        feature_names : sequence of str, default=None
            Names of all features; None: those of the training data.
        top : int, default=30
            At most so many are shown.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        FeatureWeightsDisplay
            The display.
        """
        check_is_fitted(estimator)
        kept = estimator.selected_features_
        weights, spread = estimator.feature_weights_[kept], estimator.feature_deviations_[kept]
        order = np.argsort(-np.abs(weights), kind="stable")[:top]
        weights, spread = weights[order], spread[order]
        lower, upper = weights - WIDTH * spread, weights + WIDTH * spread
        label = "linear weight"
        if not hasattr(estimator, "importance_"):
            lower = np.maximum(lower, 0.0)  # weights in a kernel are not negative
            label = "weight in the kernel"
        names = _names(estimator, feature_names, kept[order])
        return cls(names, weights, lower, upper, label).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> FeatureWeightsDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        FeatureWeightsDisplay
            The display.
        """
        ax = _axes(ax, 6.0, 1.2 + 0.26 * max(3, len(self.names)))
        places = np.arange(len(self.names))[::-1]
        around = np.vstack([self.weights - self.lower, self.upper - self.weights])
        ax.errorbar(
            self.weights, places, xerr=around, fmt="o", ms=5, capsize=2.5,
            color=COLOURS["main"], ecolor=COLOURS["pale"], elinewidth=2,
        )  # fmt: skip
        ax.axvline(0.0, color="0.6", lw=0.8, zorder=0)
        ax.set_yticks(places, self.names)
        ax.set_ylim(-0.7, max(len(self.names), 1) - 0.3)
        ax.set_xlabel(f"{self.axis_label}, with 95 % interval")
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


class ConvergenceDisplay:
    """How a fit went: log evidence, samples and features by iteration.

    Parameters
    ----------
    trace : dict of ndarray
        ``trace_`` of a fitted classifier.

    Attributes
    ----------
    ax_ : matplotlib axes
        Of the log evidence.
    count_ax_ : matplotlib axes
        Of the counts.
    figure_ : matplotlib figure
        The whole figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier
    >>> from pfcvm.plot import ConvergenceDisplay
    >>> clf = PFCVMClassifier().fit(*load_breast_cancer(return_X_y=True))
    >>> ConvergenceDisplay.from_estimator(clf).ax_.get_ylabel()
    'log evidence'
    """

    def __init__(self, trace: dict[str, np.ndarray]) -> None:
        self.trace = trace

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> ConvergenceDisplay:
        """Draw the trace of a fitted classifier.

        Parameters
        ----------
        estimator : PFCVMClassifier or PFCVMPanelClassifier
            Fitted here; a model file holds no trace.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        ConvergenceDisplay
            The display.
        """
        check_is_fitted(estimator)
        if not estimator.trace_:
            raise ValueError("there is no trace: the classifier was read from a model file.")
        return cls(estimator.trace_).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ConvergenceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        ConvergenceDisplay
            The display.
        """
        ax = _axes(ax, 7.0, 4.0)
        number = self.trace["number"]
        counts = ax.twinx()
        lines = ax.plot(number, self.trace["log_evidence"], color=COLOURS["main"], label="log evidence")
        for key, colour in (("samples", "second"), ("features", "third")):
            if key in self.trace:
                values = self.trace[key]
                lines += counts.step(number, values, where="post", color=COLOURS[colour], label=key)
        if "stage" in self.trace:
            for at in np.flatnonzero(np.diff(self.trace["stage"])):
                ax.axvline(number[at] + 0.5, color="0.8", lw=1, ls="--", zorder=0)
        counts.set_yscale("symlog", linthresh=1)
        counts.set_ylim(bottom=0)
        counts.set_ylabel("number kept")
        ax.set_xlabel("iteration")
        ax.set_ylabel("log evidence")
        # Above: lines may run anywhere below.
        ax.legend(lines, [line.get_label() for line in lines], frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        for side in (ax, counts):
            side.spines["top"].set_visible(False)
        self.ax_, self.count_ax_, self.figure_ = ax, counts, ax.figure
        return self


class CalibrationDisplay:
    """Predicted probabilities beside observed shares, with Wilson's intervals.

    Parameters
    ----------
    predicted, observed : ndarray of float
        Mean probability and share of the second class in each bin.
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
        cls, estimator: Any, X: Any, y: Any, *, n_bins: int = 10, ax: Any = None
    ) -> CalibrationDisplay:
        """Draw the calibration of a fitted classifier on test data.

        Parameters
        ----------
        estimator : classifier
            Fitted, with probabilities.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Test samples.
        y : array-like of shape (n_samples,)
            Their classes.
        n_bins : int, default=10
            Bins with about as many samples each.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        CalibrationDisplay
            The display.
        """
        p = estimator.predict_proba(X)[:, 1]
        truth = np.asarray(y) == estimator.classes_[1]
        name = type(estimator).__name__
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
            Whether each sample is of the second class.
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
            raise ValueError(f"{len(truth)} classes and {len(p)} probabilities; as many are needed.")
        order = np.argsort(p, kind="stable")
        bins = [part for part in np.array_split(order, min(n_bins, len(p))) if len(part)]
        counts = np.array([len(part) for part in bins])
        observed = np.array([truth[part].mean() for part in bins])
        predicted = np.array([p[part].mean() for part in bins])
        z2 = WIDTH**2
        centre = (observed + z2 / (2 * counts)) / (1 + z2 / counts)
        half = np.sqrt(observed * (1 - observed) / counts + z2 / (4 * counts**2)) / (1 + z2 / counts)
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
        ax = _axes(ax, 5.0, 5.0)
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


class CriticalDifferenceDisplay:
    """Average ranks on a line, with bars over methods that do not differ.

    Parameters
    ----------
    ranking : Ranking
        What `rank_methods` found.

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
    >>> from pfcvm.plot import CriticalDifferenceDisplay
    >>> scores = [[0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.8, 0.9, 0.4]]
    >>> display = CriticalDifferenceDisplay.from_scores(scores, methods=["a", "b", "c"])
    >>> display.ranking.methods
    ['a', 'b', 'c']
    """

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking

    @classmethod
    def from_scores(cls, scores: Any, *, ax: Any = None, **options: Any) -> CriticalDifferenceDisplay:
        """Rank methods by a table of scores, and draw.

        Parameters
        ----------
        scores : array-like or dataframe of shape (n_data_sets, n_methods)
            A row for each data set, a column for each method.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.
        **options : dict
            For `rank_methods`.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.
        """
        return cls(rank_methods(scores, **options)).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> CriticalDifferenceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.
        """
        ranks, names = self.ranking.average_ranks, self.ranking.methods
        count = len(ranks)
        bars = self.ranking.groups
        # Names stand in two columns, the better half at the left, below the bars.
        first = 0.6 + 0.28 * len(bars)
        rows = (count + 1) // 2
        ax = _axes(ax, 7.5, 0.9 + 0.33 * (first + rows))
        order = np.argsort(ranks, kind="stable")
        ax.hlines(0, 1, count, color="black", lw=1.2)
        for tick in range(1, count + 1):
            ax.vlines(tick, -0.12, 0, color="black", lw=1)
            ax.text(tick, -0.22, str(tick), ha="center", va="bottom")
        for at, method in enumerate(order):
            left = at < rows
            depth = first + 0.5 * (at if left else count - 1 - at)
            edge = 1 - 0.05 * count if left else count + 0.05 * count
            ax.plot([ranks[method], ranks[method], edge], [0, depth, depth], color="0.35", lw=0.9)
            text = f"{names[method]}  {ranks[method]:.2f}" if left else f"{ranks[method]:.2f}  {names[method]}"
            ax.text(edge, depth, f"{text} " if left else f" {text}", ha="right" if left else "left", va="center")
        for at, group in enumerate(bars):
            ends = ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03
            ax.hlines(0.3 + 0.28 * at, *ends, color=COLOURS["main"], lw=4)
        difference = self.ranking.critical_difference
        ax.plot([1, 1 + difference], [-1.0, -1.0], color=COLOURS["second"], lw=2, marker="|", ms=9)
        ax.text(1 + difference / 2, -1.15, f"critical difference {difference:.2f}", ha="center", va="bottom", color=COLOURS["second"])
        ax.set_ylim(first + 0.5 * rows, -1.9)
        pad = 0.42 * count
        ax.set_xlim(1 - pad, max(count, 1 + difference) + pad)
        ax.axis("off")
        self.ax_, self.figure_ = ax, ax.figure
        return self


class SelectionFrequencyDisplay:
    """How often features were selected on many splits.

    Parameters
    ----------
    stability : SelectionStability
        What `selection_stability` found.

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
    >>> from pfcvm import FisherSelector, selection_stability
    >>> from pfcvm.plot import SelectionFrequencyDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> found = selection_stability(FisherSelector(5), X, y)
    >>> SelectionFrequencyDisplay.from_stability(found).ax_.get_xlabel()
    'share of 20 splits'
    """

    def __init__(self, stability: SelectionStability) -> None:
        self.stability = stability

    @classmethod
    def from_stability(
        cls, stability: SelectionStability, *, top: int = 30, ax: Any = None
    ) -> SelectionFrequencyDisplay:
        """Draw what `selection_stability` found.

        Parameters
        ----------
        stability : SelectionStability
            The result.
        top : int, default=30
            At most so many features are shown, those selected most often.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        SelectionFrequencyDisplay
            The display.
        """
        return cls(stability).plot(top=top, ax=ax)

    def plot(self, *, top: int = 30, ax: Any = None) -> SelectionFrequencyDisplay:
        """Draw.

        Parameters
        ----------
        top : int, default=30
            At most so many features are shown.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        SelectionFrequencyDisplay
            The display.
        """
        frequencies = self.stability.frequencies
        order = np.argsort(-frequencies, kind="stable")[:top]
        order = order[frequencies[order] > 0]
        ax = _axes(ax, 6.0, 1.4 + 0.24 * max(3, len(order)))
        places = np.arange(len(order))[::-1]
        ax.barh(places, frequencies[order], height=0.7, color=COLOURS["main"])
        ax.set_yticks(places, [self.stability.feature_names[k] for k in order])
        ax.set_ylim(-0.6, max(len(order), 1) - 0.4)
        ax.set_xlim(0, 1)
        ax.set_xlabel(f"share of {len(self.stability.subsets)} splits")
        low, high = self.stability.interval
        ax.set_title(
            f"stability {self.stability.stability:.2f}  (95 % interval {low:.2f} to {high:.2f})",
            fontsize="medium", loc="left",
        )  # fmt: skip
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

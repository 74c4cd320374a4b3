"""What features are worth, and their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._common import COLOURS, WIDTH, axes, names_of, unwrapped

# What is drawn of features.
SHOWN = ("importance", "weights")
IMPORTANCE = "importance on held-out rows"


class FeatureWeightsDisplay:
    """What the selected features are worth, or their weights, with intervals.

    Where rows that did not train were asked, it is the importance of each feature: by how much their mean
    log loss rises without it. Features that are certain have a filled mark, others an empty one.

    Parameters
    ----------
    names : list of str
        Names of the features, the first at the top.
    weights : ndarray of float
        Their importance or their weights.
    lower, upper : ndarray of float
        Ends of the intervals.
    axis_label : str, default="weight in the kernel"
        What the numbers are.
    certain : ndarray of bool, default=None
        Which features are certain; None: that is not known.

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
    >>> clf = PFCVMClassifier().fit(X, y)
    >>> FeatureWeightsDisplay.from_estimator(clf).ax_.get_xlabel()
    'importance on held-out rows, with 95 % interval'
    >>> FeatureWeightsDisplay.from_estimator(clf, show="weights").ax_.get_xlabel()
    'weight in the kernel, with 95 % interval'
    """

    def __init__(
        self,
        names: list[str],
        weights: Any,
        lower: Any,
        upper: Any,
        axis_label: str = "weight in the kernel",
        certain: Any = None,
    ) -> None:
        self.names = names
        self.weights = weights
        self.lower = lower
        self.upper = upper
        self.axis_label = axis_label
        self.certain = certain

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        show: str | None = None,
        feature_names: Any = None,
        top: int = 30,
        ax: Any = None,
    ) -> FeatureWeightsDisplay:
        """Draw the features of a fitted classifier.

        Parameters
        ----------
        estimator : PFCVMClassifier, PFCVMPanelClassifier or Pipeline
            Fitted, or a pipeline that ends with one.
        show : {"importance", "weights"}, default=None
            What to draw; where each of several machines has a list of its own, its mean over these. None:
            the importance where it is known, else the weights.
        feature_names : sequence of str, default=None
            Names of all features; None: those of the training data, or those that
            the other steps of a pipeline hand on.
        top : int, default=30
            At most so many are shown.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        FeatureWeightsDisplay
            The display.
        """
        clf = unwrapped(estimator)
        known = all(one.importance is not None for one in clf.machines_)
        show = show or SHOWN[not known]
        if show not in SHOWN:
            raise ValueError(f"show={show!r}: it must be 'importance' or 'weights'.")
        if show == "importance" and not known:
            raise ValueError(
                "importance is not known, because rows that did not train were not asked; "
                "show='weights' draws the weights."
            )
        of = of_importance if show == "importance" else of_weights
        selected, (values, lower, upper, label) = clf.selected_features_, of(clf)
        # Weights of a panel have a sign, and are large on either side.
        size = values if show == "importance" else np.abs(values)
        order = np.argsort(-size, kind="stable")[:top]
        names = names_of(estimator, feature_names, selected[order])
        certain = clf.certain_features_
        certain = None if certain is None else np.isin(selected[order], certain)
        return cls(names, values[order], lower[order], upper[order], label, certain).plot(ax=ax)

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
        ax = axes(ax, 6.0, 1.2 + 0.26 * max(3, len(self.names)))
        places = np.arange(len(self.names))[::-1]
        around = np.vstack([self.weights - self.lower, self.upper - self.weights])
        known = np.ones(len(places)) if self.certain is None else self.certain
        filled = np.asarray(known, dtype=bool)
        for of, label, fill in (
            (filled, "certain", COLOURS["main"]),
            (~filled, "not certain", "white"),
        ):
            if of.any():
                ax.errorbar(
                    self.weights[of], places[of], xerr=around[:, of], fmt="o", ms=5, capsize=2.5,
                    color=COLOURS["main"], mfc=fill, ecolor=COLOURS["pale"], elinewidth=2, label=label,
                )  # fmt: skip
        if not self.names:
            ax.text(
                0.5, 0.5, "no feature is selected", transform=ax.transAxes, ha="center", va="center"
            )
        elif self.certain is not None:
            # Above: marks may be anywhere below.
            ax.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0))
        ax.axvline(0.0, color="0.6", lw=0.8, zorder=0)
        ax.set_yticks(places, self.names)
        ax.set_ylim(-0.7, max(len(self.names), 1) - 0.3)
        interval = ", with 95 % interval" if around.any() else ""
        ax.set_xlabel(f"{self.axis_label}{interval}")
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def of_importance(clf: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Importance of the selected features, its interval, and what it is called."""
    if getattr(clf, "importance_", None) is None:
        mean = clf._of_selected(clf.feature_importances_)
        return mean, mean, mean, f"mean {IMPORTANCE}"
    return clf.importance_, *clf.importance_interval_.T, IMPORTANCE


def of_weights(clf: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Weights of the selected features, their intervals, and what they are called."""
    if not hasattr(clf, "feature_weights_"):
        shares = clf._of_selected(clf.feature_shares_)
        return shares, shares, shares, "mean share of a machine's weights"
    weights = clf._of_selected(clf.feature_weights_)
    around = WIDTH * clf._of_selected(clf.feature_deviations_)
    lower, upper = weights - around, weights + around
    if hasattr(clf, "median_share_"):
        return weights, lower, upper, "linear weight"
    # Weights in a kernel are not negative.
    return weights, np.maximum(lower, 0.0), upper, "weight in the kernel"

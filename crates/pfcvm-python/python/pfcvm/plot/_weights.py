"""Weights of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._common import COLOURS, WIDTH, axes, names_of, unwrapped


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
        estimator : PFCVMClassifier, PFCVMPanelClassifier or Pipeline
            Fitted, or a pipeline that ends with one.
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
        selected = clf.selected_features_
        if len(clf.classes_) > 2:
            shares = clf.feature_importances_[selected]
            order = np.argsort(-shares, kind="stable")[:top]
            names, shares = names_of(estimator, feature_names, selected[order]), shares[order]
            label = "mean share of a machine's weights"
            return cls(names, shares, shares, shares, label).plot(ax=ax)
        weights, deviations = clf.feature_weights_[selected], clf.feature_deviations_[selected]
        order = np.argsort(-np.abs(weights), kind="stable")[:top]
        weights, around = weights[order], WIDTH * deviations[order]
        lower, upper = weights - around, weights + around
        label = "linear weight"
        if not hasattr(clf, "importance_"):
            lower = np.maximum(lower, 0.0)  # weights in a kernel are not negative
            label = "weight in the kernel"
        names = names_of(estimator, feature_names, selected[order])
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
        ax = axes(ax, 6.0, 1.2 + 0.26 * max(3, len(self.names)))
        places = np.arange(len(self.names))[::-1]
        around = np.vstack([self.weights - self.lower, self.upper - self.weights])
        ax.errorbar(
            self.weights, places, xerr=around, fmt="o", ms=5, capsize=2.5,
            color=COLOURS["main"], ecolor=COLOURS["pale"], elinewidth=2,
        )  # fmt: skip
        ax.axvline(0.0, color="0.6", lw=0.8, zorder=0)
        ax.set_yticks(places, self.names)
        ax.set_ylim(-0.7, max(len(self.names), 1) - 0.3)
        interval = ", with 95 % interval" if around.any() else ""
        ax.set_xlabel(f"{self.axis_label}{interval}")
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

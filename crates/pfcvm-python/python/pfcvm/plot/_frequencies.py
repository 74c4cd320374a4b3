"""How often features are selected."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._study import SelectionStability
from ._common import COLOURS, axes


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
        ax = axes(ax, 6.0, 1.4 + 0.24 * max(3, len(order)))
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

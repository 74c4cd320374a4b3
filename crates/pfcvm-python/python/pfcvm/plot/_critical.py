"""Methods by their average ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._study import Ranking, rank_methods
from ._common import COLOURS, axes


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
    def from_scores(
        cls, scores: Any, *, ax: Any = None, **options: Any
    ) -> CriticalDifferenceDisplay:
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
        ax = axes(ax, 7.5, 0.9 + 0.33 * (first + rows))
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
            text = (
                f"{names[method]}  {ranks[method]:.2f}"
                if left
                else f"{ranks[method]:.2f}  {names[method]}"
            )
            ax.text(
                edge,
                depth,
                f"{text} " if left else f" {text}",
                ha="right" if left else "left",
                va="center",
            )
        for at, group in enumerate(bars):
            ends = ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03
            ax.hlines(0.3 + 0.28 * at, *ends, color=COLOURS["main"], lw=4)
        difference = self.ranking.critical_difference
        ax.plot([1, 1 + difference], [-1.0, -1.0], color=COLOURS["second"], lw=2, marker="|", ms=9)
        ax.text(
            1 + difference / 2,
            -1.15,
            f"critical difference {difference:.2f}",
            ha="center",
            va="bottom",
            color=COLOURS["second"],
        )
        ax.set_ylim(first + 0.5 * rows, -1.9)
        pad = 0.42 * count
        ax.set_xlim(1 - pad, max(count, 1 + difference) + pad)
        ax.axis("off")
        self.ax_, self.figure_ = ax, ax.figure
        return self

"""What features do."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._common import COLOURS, WIDTH, names_of, unwrapped


class EffectsDisplay:
    """How the values of the selected features change the log odds of the positive class.

    Of more than two classes that were learned at once (the scheme "joint") it is the decision value of one of them.

    Lines with a band of 95 % for numbers, bars for words, on a common axis. An effect is beside the mean of
    its feature, in rows that are otherwise typical; the model needs no data for it.

    Parameters
    ----------
    effects : list of dict
        What is drawn of each column: ``name``, ``values`` (numbers) or ``words`` (lists of those taken together, None
        for a gap), ``effect`` and ``deviation``.
    label : str, default="log odds"
        What the effects are.

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes
        Where it was drawn, one for each column.
    figure_ : matplotlib figure
        The whole figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier
    >>> from pfcvm.plot import EffectsDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = PFCVMClassifier().fit(X, y)
    >>> display = EffectsDisplay.from_estimator(clf, top=3)
    >>> len(display.axes_), display.effects[0]["shape"]
    (3, 'falls')
    """

    def __init__(self, effects: list[dict[str, Any]], label: str = "log odds") -> None:
        self.effects = effects
        self.label = label

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        machine: int = 0,
        feature_names: Any = None,
        top: int = 12,
        columns: int = 3,
    ) -> EffectsDisplay:
        """Draw the effects of a fitted classifier.

        Parameters
        ----------
        estimator : PFCVMClassifier, PFCVMPanelClassifier or Pipeline
            Fitted, or a pipeline that ends with one.
        machine : int, default=0
            Which of several machines, in the order of ``machines_``; with the scheme "joint", which class.
        feature_names : sequence of str, default=None
            Names of all features; None: those of the training data, or those that the other steps of
            a pipeline hand on.
        top : int, default=12
            At most so many are shown, the most important first.
        columns : int, default=3
            Pictures beside each other.

        Returns
        -------
        EffectsDisplay
            The display.
        """
        clf = unwrapped(estimator)
        if not hasattr(clf._fitted, "effects"):
            raise ValueError(f"{type(clf).__name__} has no effects; PFCVMClassifier has.")
        found = json.loads(clf._fitted.effects())[machine]["columns"][:top]
        names = names_of(
            estimator, feature_names, np.array([one["index"] for one in found], dtype=int)
        )
        for one, name in zip(found, names):
            one["name"] = f"{name}: {one['column']}" if "column" in one else name
        # Of several classes at once, decision values become probabilities together.
        unit = "decision value" if clf._joint else "log odds"
        label = f"{unit} of {clf.machines_[machine].classes[1]}"
        return cls(found, label).plot(columns=columns)

    def plot(self, *, columns: int = 3) -> EffectsDisplay:
        """Draw.

        Parameters
        ----------
        columns : int, default=3
            Pictures beside each other.

        Returns
        -------
        EffectsDisplay
            The display.
        """
        import matplotlib.pyplot as plt

        count = max(1, len(self.effects))
        columns = min(columns, count)
        rows = -(-count // columns)
        figure, grid = plt.subplots(
            rows,
            columns,
            figsize=(2.9 * columns, 2.3 * rows),
            layout="constrained",
            sharey=True,
            squeeze=False,
        )
        places = grid.ravel()
        for one, ax in zip(self.effects, places):
            effect, around = np.array(one["effect"]), WIDTH * np.array(one["deviation"])
            if "values" in one:
                ax.fill_between(
                    one["values"],
                    effect - around,
                    effect + around,
                    color=COLOURS["pale"],
                    alpha=0.6,
                    lw=0,
                )
                ax.plot(one["values"], effect, color=COLOURS["main"])
            else:
                at = np.arange(len(effect))
                ax.bar(at, effect, yerr=around, color=COLOURS["main"], ecolor="0.4", capsize=2)
                ax.set_xticks(
                    at, [word(several) for several in one["words"]], rotation=45, ha="right"
                )
            ax.axhline(0.0, color="0.6", lw=0.8, zorder=0)
            ax.set_xlabel(one["name"])
            ax.spines[["top", "right"]].set_visible(False)
        for ax in places[len(self.effects) :]:
            ax.set_visible(False)
        if not self.effects:
            places[0].set_visible(True)
            places[0].text(
                0.5,
                0.5,
                "no feature is selected",
                transform=places[0].transAxes,
                ha="center",
                va="center",
            )
        for ax in grid[:, 0]:
            ax.set_ylabel(self.label)
        self.axes_, self.figure_ = places[: max(1, len(self.effects))], figure
        return self


def word(several: list[str | None]) -> str:
    """Words that are taken together, as one name of bounded length."""
    text = ", ".join("gap" if one is None else one for one in several)
    return text if len(text) <= 20 else text[:19] + "…"

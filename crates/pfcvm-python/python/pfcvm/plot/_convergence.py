"""How a fit went."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._common import COLOURS, axes, unwrapped


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
        estimator : PFCVMClassifier, PFCVMPanelClassifier or Pipeline
            Fitted here, or a pipeline that ends with one; a model file holds no trace.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        ConvergenceDisplay
            The display.
        """
        estimator = unwrapped(estimator)
        if not hasattr(estimator, "trace_"):
            raise ValueError(
                "every machine has a trace of its own: "
                "ConvergenceDisplay(clf.machines_[0].trace).plot() draws the first."
            )
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
        ax = axes(ax, 7.0, 4.0)
        number = self.trace["number"]
        counts = ax.twinx()
        lines = ax.plot(
            number, self.trace["log_evidence"], color=COLOURS["main"], label="log evidence"
        )
        for key, colour in (("samples", "second"), ("features", "third")):
            if key in self.trace:
                values = self.trace[key]
                lines += counts.step(number, values, where="post", color=COLOURS[colour], label=key)
        if "stage" in self.trace:
            stage = self.trace["stage"]
            for at in np.flatnonzero(stage[1:] != stage[:-1]):
                ax.axvline(number[at] + 0.5, color="0.8", lw=1, ls="--", zorder=0)
        counts.set_yscale("symlog", linthresh=1)
        counts.set_ylim(bottom=0)
        counts.set_ylabel("number kept")
        ax.set_xlabel("iteration")
        ax.set_ylabel("log evidence")
        # Above: lines may run anywhere below.
        ax.legend(
            lines,
            [line.get_label() for line in lines],
            frameon=False,
            ncols=3,
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
        )
        for side in (ax, counts):
            side.spines["top"].set_visible(False)
        self.ax_, self.count_ax_, self.figure_ = ax, counts, ax.figure
        return self

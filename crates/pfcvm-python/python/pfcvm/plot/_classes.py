"""Which feature for which class."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._common import axes, names_of, unwrapped


class ClassImportanceDisplay:
    """What the selected features are worth for telling each class from all others.

    For models of more than two classes at once (the scheme "joint"). The stronger the colour, the more the mean
    log loss of "this class or not" rises without the feature, on rows that did not train; a ring marks
    the class for which a feature is worth most.

    Parameters
    ----------
    names : list of str
        Names of the features, the first at the top.
    classes : list of str
        Names of the classes, or of what the columns are.
    importance : ndarray of shape (n_features, n_classes)
        What each feature is worth for each class.
    label : str, default="importance on held-out rows"
        What the numbers are.

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
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import PFCVMClassifier
    >>> from pfcvm.plot import ClassImportanceDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = PFCVMClassifier().fit(X, y)
    >>> display = ClassImportanceDisplay.from_estimator(clf)
    >>> display.classes
    ['0', '1', '2']
    >>> display.importance.shape == (len(clf.selected_features_), 3)
    True
    """

    def __init__(
        self,
        names: list[str],
        classes: list[str],
        importance: Any,
        label: str = "importance on held-out rows",
    ) -> None:
        self.names = names
        self.classes = classes
        self.importance = importance
        self.label = label

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, feature_names: Any = None, top: int = 30, ax: Any = None
    ) -> ClassImportanceDisplay:
        """Draw the features and classes of a fitted classifier.

        Parameters
        ----------
        estimator : PFCVMClassifier or Pipeline
            Fitted with the scheme "joint" on more than two classes, or a pipeline that ends with one.
        feature_names : sequence of str, default=None
            Names of all features; None: those of the training data, or those that
            the other steps of a pipeline hand on.
        top : int, default=30
            At most so many features are shown, the most important first.
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        ClassImportanceDisplay
            The display.
        """
        clf = unwrapped(estimator)
        importance = getattr(clf, "class_importance_", None)
        if importance is None:
            raise ValueError(
                "what features are worth for each class is known of more than two classes that were "
                "learned at once (scheme='joint'), where rows that did not train were asked."
            )
        order = np.argsort(-clf.importance_, kind="stable")[:top]
        names = names_of(estimator, feature_names, clf.selected_features_[order])
        classes = [str(name) for name in clf.classes_.tolist()]
        return cls(names, classes, importance[order]).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ClassImportanceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw; None: on a new figure.

        Returns
        -------
        ClassImportanceDisplay
            The display.
        """
        count, columns = len(self.names), len(self.classes)
        ax = axes(ax, 3.2 + 0.42 * max(3, columns), 1.5 + 0.27 * max(3, count))
        if not count:
            ax.text(
                0.5, 0.5, "no feature is selected", transform=ax.transAxes, ha="center", va="center"
            )
        else:
            values = np.asarray(self.importance, dtype=float)
            largest = np.abs(values).max() or 1.0
            image = ax.imshow(values, aspect="auto", cmap="RdBu", vmin=-largest, vmax=largest)
            best = values.argmax(1)
            rows = np.flatnonzero(values.max(1) > 0)
            ax.plot(best[rows], rows, "o", ms=5, mfc="white", mec="0.3", ls="none")
            ax.figure.colorbar(image, ax=ax, label=self.label)
            turned = any(len(name) > 4 for name in self.classes)
            ax.set_xticks(
                np.arange(columns),
                self.classes,
                rotation=45 if turned else 0,
                ha="right" if turned else "center",
            )
            ax.set_yticks(np.arange(count), self.names)
        ax.set_xlabel("class, against all others")
        self.ax_, self.figure_ = ax, ax.figure
        return self

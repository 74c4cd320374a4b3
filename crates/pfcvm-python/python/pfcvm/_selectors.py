"""Filters: features in an order, as selectors for pipelines."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags

from ._base import Selecting
from ._input import dense, second, training_data
from ._method import method_text
from ._pfcvm import select


class Filter(Selecting, BaseEstimator):
    """A selector that the catalogue knows by name."""

    # Name in the catalogue.
    _method: ClassVar[str]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        # The way tags have to say that two classes are meant.
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def fit(self, X: Any, y: Any) -> Any:
        """Choose features.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples. A sparse matrix is made dense, once.
        y : array-like of shape (n_samples,)
            Two classes, of any type.

        Returns
        -------
        self : object
            The fitted selector.
        """
        X, _, codes, _ = training_data(self, X, y, None, two_classes=True)
        values = self.get_params(deep=False)
        values["features"] = values.pop("n_features_to_select")
        text = method_text(self._method, values)
        self.selected_features_ = np.asarray(
            select(text, dense(X), second(codes), None), dtype=np.intp
        )
        return self


class FisherSelector(Filter):
    """Features by the distance of class means over the spread within.

    Each feature is judged alone.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features are taken, at most.

    Attributes
    ----------
    selected_features_ : ndarray of int
        The features taken, the best first.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import FisherSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> FisherSelector(n_features_to_select=3).fit_transform(X, y).shape
    (569, 3)
    """

    _method = "fisher"

    def __init__(self, n_features_to_select: int = 20) -> None:
        self.n_features_to_select = n_features_to_select


class LaplacianSelector(Filter):
    """Features by how smooth they are over a graph of neighbours (He 2005).

    The smoothest come first.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features are taken, at most.
    neighbours : int, default=5
        Neighbours of each sample.
    width : "auto" or float, default="auto"
        t in the weight exp(-d²/t) of two neighbours; "auto" is the mean of d².
    supervised : bool, default=False
        Whether only samples of one class are neighbours.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.

    Attributes
    ----------
    selected_features_ : ndarray of int
        The features taken, the best first.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import LaplacianSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> LaplacianSelector(n_features_to_select=3).fit_transform(X, y).shape
    (569, 3)
    """

    _method = "laplacian"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        neighbours: int = 5,
        width: Any = "auto",
        supervised: bool = False,
        standardise: bool = True,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.neighbours = neighbours
        self.width = width
        self.supervised = supervised
        self.standardise = standardise


class MRMRSelector(Filter):
    """Features that tell about the class and little about each other (Peng 2005).

    Greedy, on three levels of each feature.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features are taken, at most.
    scheme : {"mid", "miq"}, default="mid"
        Relevance minus redundancy, or over it.

    Attributes
    ----------
    selected_features_ : ndarray of int
        The features taken, the best first.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import MRMRSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> MRMRSelector(n_features_to_select=3).fit_transform(X, y).shape
    (569, 3)
    """

    _method = "mrmr"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        scheme: str = "mid",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.scheme = scheme


class TraceRatioSelector(Filter):
    """The subset with the largest ratio of scatter between over within classes (Nie 2008).

    The best subset of its size, not a sum of single judgements.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features are taken, at most.
    standardise : bool, default=False
        Whether features are scaled first; the subset is then Fisher's.

    Attributes
    ----------
    selected_features_ : ndarray of int
        The features taken, the best first.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import TraceRatioSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> TraceRatioSelector(n_features_to_select=3).fit_transform(X, y).shape
    (569, 3)
    """

    _method = "trc"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        standardise: bool = False,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.standardise = standardise


class FSNMSelector(Filter):
    """Features by their rows in a robust sparse regression on the classes (Nie 2010).

    Also known as RFS.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features are taken, at most.
    gamma : float, default=1.0
        How much a feature costs, above 0.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.

    Attributes
    ----------
    selected_features_ : ndarray of int
        The features taken, the best first.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import FSNMSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> FSNMSelector(n_features_to_select=3).fit_transform(X, y).shape
    (569, 3)
    """

    _method = "fsnm"

    def __init__(
        self,
        n_features_to_select: int = 20,
        *,
        gamma: float = 1.0,
        standardise: bool = True,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.gamma = gamma
        self.standardise = standardise

"""Margin and minimax machines."""

from __future__ import annotations

from typing import Any

from ._base import Selecting
from ._method import MaybeProbabilities, MethodClassifier


class L1SVMClassifier(Selecting, MaybeProbabilities, MethodClassifier):
    """Linear support vector machine with the sum of weights as its norm.

    Bradley and Mangasarian 1998. A linear program, which leaves few features.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin not kept, above 0.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets the two of each machine count as much in sum.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, "platt" or "isotonic", default=False
        Whether probabilities are learned as well, by five more fits (True: Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way. More than two classes are called by them, without them by the logistic function of
        decision values.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    selected_features_ : ndarray of int
        The features that decide, ascending.
    feature_weights_ : ndarray of shape (n_features,)
        Their weights, for scaled values; 0 for those not selected.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import L1SVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = L1SVMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "l1svm"
    _own_class_weights = True

    def __init__(
        self,
        C: float = 1.0,
        *,
        class_weight: Any = None,
        standardise: bool = True,
        probability: bool | str = False,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.C = C
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
        self.multi_class = multi_class
        self.random_state = random_state


class WSVMClassifier(Selecting, MaybeProbabilities, MethodClassifier):
    """Support vector machine with a weight of each feature in its kernel.

    A reconstruction of Nguyen 2010. Alternates the machine with steps in the weights, which are
    held to a sum.

    Parameters
    ----------
    kernel : {"rbf", "linear"}, default="rbf"
        What samples are compared by.
    C : float, default=1.0
        Price of a margin not kept, above 0.
    gamma : "scale" or float, default="scale"
        Of exp(-gamma d²); "scale" is 1 / (n_features * variance), "scale:3" three times that.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets the two of each machine count as much in sum.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, "platt" or "isotonic", default=False
        Whether probabilities are learned as well, by five more fits (True: Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way. More than two classes are called by them, without them by the logistic function of
        decision values.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    selected_features_ : ndarray of int
        The features that decide, ascending.
    feature_weights_ : ndarray of shape (n_features,)
        Their weights, for scaled values; 0 for those not selected.
    relevance_ : ndarray of int
        The samples that are remembered, as rows of the training data, ascending.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import WSVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = WSVMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "wsvm"
    _own_class_weights = True

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        C: float = 1.0,
        gamma: Any = "scale",
        class_weight: Any = None,
        standardise: bool = True,
        probability: bool | str = False,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
        self.multi_class = multi_class
        self.random_state = random_state


class MPMClassifier(MaybeProbabilities, MethodClassifier):
    """Minimax probability machine (Lanckriet 2002).

    The plane with the best worst case, given means and covariances of the classes.

    Parameters
    ----------
    kernel : {"linear", "rbf"}, default="linear"
        What samples are compared by.
    gamma : "scale" or float, default="scale"
        Of exp(-gamma d²); "scale" is 1 / (n_features * variance), "scale:3" three times that.
    ridge : float, default=0.01
        Added to every variance, in parts of the mean variance, 0 or above.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, "platt" or "isotonic", default=False
        Whether probabilities are learned as well, by five more fits (True: Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way. More than two classes are called by them, without them by the logistic function of
        decision values.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import MPMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MPMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "mpm"

    def __init__(
        self,
        kernel: str = "linear",
        *,
        gamma: Any = "scale",
        ridge: float = 0.01,
        standardise: bool = True,
        probability: bool | str = False,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
        self.multi_class = multi_class
        self.random_state = random_state


class SMPMClassifier(MaybeProbabilities, MethodClassifier):
    """Structural minimax probability machine (a reconstruction of Gu 2017).

    As `MPMClassifier`, with several clusters in each class.

    Parameters
    ----------
    kernel : {"linear", "rbf"}, default="linear"
        What samples are compared by.
    gamma : "scale" or float, default="scale"
        Of exp(-gamma d²); "scale" is 1 / (n_features * variance), "scale:3" three times that.
    clusters : "auto" or int, default="auto"
        Clusters of each class; "auto" chooses one to four by cross-validation.
    ridge : float, default=0.01
        Added to every variance, in parts of the mean variance, 0 or above.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, "platt" or "isotonic", default=False
        Whether probabilities are learned as well, by five more fits (True: Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way. More than two classes are called by them, without them by the logistic function of
        decision values.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the clusters and of the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import SMPMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = SMPMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "smpm"

    def __init__(
        self,
        kernel: str = "linear",
        *,
        gamma: Any = "scale",
        clusters: Any = "auto",
        ridge: float = 0.01,
        standardise: bool = True,
        probability: bool | str = False,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.clusters = clusters
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
        self.multi_class = multi_class
        self.random_state = random_state

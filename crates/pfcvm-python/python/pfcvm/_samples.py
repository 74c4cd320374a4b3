"""Relatives that keep few samples and all features."""

from __future__ import annotations

from typing import Any

from ._base import Probabilities
from ._method import MethodClassifier


class RVMClassifier(Probabilities, MethodClassifier):
    """Relevance vector machine (Tipping 2001; Tipping and Faul 2003).

    Few samples, all features; logistic likelihood, probabilities averaged over the posterior.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Weight of every feature in the kernel; "auto" is 1 / n_features.
    algorithm : {"fast", "batch"}, default="fast"
        How precisions are found: one at a time, or all at once.
    bias : bool, default=True
        Whether a constant is among the basis functions.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets the two of each machine count as much in sum.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    relevance_ : ndarray of int
        The samples that are remembered, as rows of the training data, ascending.
    n_iter_ : int
        Number of iterations.
    termination_ : str
        How the fit ended; there is a `ConvergenceWarning` unless it is "converged".
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import RVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = RVMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "rvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        algorithm: str = "fast",
        bias: bool = True,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.algorithm = algorithm
        self.bias = bias
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state


class PCVMClassifier(Probabilities, MethodClassifier):
    """Probabilistic classification vector machine (Chen 2009).

    Few samples, each of which speaks for its own class; all features, one width, which is learned.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Weight of every feature in the kernel; "auto" is 1 / n_features.
    learn_width : bool, default=True
        Whether ``gamma`` is only the start and the width of "rbf" is learned.
    restarts : int, default=3
        Random starts, of which one is kept.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes, of which only the ratio counts. "balanced" lets both count as much
        in sum.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the random start.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    relevance_ : ndarray of int
        The samples that are remembered, as rows of the training data, ascending.
    n_iter_ : int
        Number of iterations.
    termination_ : str
        How the fit ended; there is a `ConvergenceWarning` unless it is "converged".
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import PCVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = PCVMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "pcvm"
    # EM breaks down where samples weigh hundreds.
    _relative_class_weight = True

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        learn_width: bool = True,
        restarts: int = 3,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.learn_width = learn_width
        self.restarts = restarts
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state


class EPCVMClassifier(Probabilities, MethodClassifier):
    """Efficient probabilistic classification vector machine (Chen 2014).

    Few samples, each of which speaks for its own class, by Laplace's approximation.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Weight of every feature in the kernel; "auto" is 1 / n_features.
    algorithm : {"batch", "incremental"}, default="batch"
        All samples at once, or one at a time (a reconstruction).
    truncation : str, default="exact"
        How "batch" keeps weights from below 0: "exact", or smoothed by "sigmoid:5".
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets the two of each machine count as much in sum.
    multi_class : {"ovo", "ovr"}, default="ovo"
        With more than two classes: a machine for each pair, or for each class against the rest.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        With more than two classes only: what is known of each machine. What follows then is of all
        machines together.
    relevance_ : ndarray of int
        The samples that are remembered, as rows of the training data, ascending.
    n_iter_ : int
        Number of iterations.
    termination_ : str
        How the fit ended; there is a `ConvergenceWarning` unless it is "converged".
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pfcvm import EPCVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = EPCVMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "epcvm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        algorithm: str = "batch",
        truncation: str = "exact",
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.algorithm = algorithm
        self.truncation = truncation
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state

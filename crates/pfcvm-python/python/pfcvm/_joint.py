"""Relatives that select features and samples together."""

from __future__ import annotations

from typing import Any

from ._base import Probabilities, Selecting
from ._method import MethodClassifier


class PFCVMEMClassifier(Selecting, Probabilities, MethodClassifier):
    """Features and samples selected together by EM (Li and Chen 2014, reconstructed).

    Probit likelihood and a point estimate; compare `PFCVMClassifier`.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Weight of every feature in the kernel; "auto" is 1 / n_features.
    shape : float, default=0.0
        Shape of the hyperprior on feature precisions, at least 0: larger keeps fewer.
    rate : float, default=0.0
        Rate of that hyperprior, in squares of gamma, at least 0.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets the two of each machine count as much in sum.
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
    selected_features_ : ndarray of int
        The features that decide, ascending.
    feature_weights_ : ndarray of shape (n_features,)
        Their weights, for scaled values; 0 for those not selected.
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
    >>> from pfcvm import PFCVMEMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = PFCVMEMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "pfcvm-em"
    # EM breaks down where samples weigh thousands or next to nothing.
    _relative_in_machines = True

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        shape: float = 0.0,
        rate: float = 0.0,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.shape = shape
        self.rate = rate
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state


class JCFOClassifier(Selecting, Probabilities, MethodClassifier):
    """Joint classifier and feature optimisation (Krishnapuram 2004).

    Laplacian priors on samples and features, whose rates are to be chosen by cross-validation.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Weight of every feature in the kernel; "auto" is 1 / n_features.
    sample_rate : float, default=0.5
        Rate of the prior on sample weights, above 0: larger keeps fewer.
    feature_rate : float, default=1.0
        Rate of the prior on feature weights, above 0: larger keeps fewer. At 1 it is worth one
        unit of log likelihood for every sample.
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
    selected_features_ : ndarray of int
        The features that decide, ascending.
    feature_weights_ : ndarray of shape (n_features,)
        Their weights, for scaled values; 0 for those not selected.
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
    >>> from pfcvm import JCFOClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = JCFOClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "jcfo"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        sample_rate: float = 0.5,
        feature_rate: float = 1.0,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.sample_rate = sample_rate
        self.feature_rate = feature_rate
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state


class RSFMClassifier(Selecting, Probabilities, MethodClassifier):
    """Relevance sample-feature machine (Mohsenzadeh 2013, reconstructed).

    A sum over few samples and few features, whose kernels are of single features.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly"}, default="rbf"
        What samples are compared by.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    gamma : "auto" or float, default="auto"
        Width of the kernel of each single feature; "auto" is 1.
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
    selected_features_ : ndarray of int
        The features that decide, ascending.
    feature_weights_ : ndarray of shape (n_features,)
        Their weights, for scaled values; 0 for those not selected.
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
    >>> from pfcvm import RSFMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = RSFMClassifier().fit(X[50:], y[50:])
    >>> bool(clf.score(X[50:], y[50:]) > 0.9)
    True
    """

    _method = "rsfm"

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        degree: int = 2,
        gamma: Any = "auto",
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
        multi_class: str = "ovo",
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.random_state = random_state

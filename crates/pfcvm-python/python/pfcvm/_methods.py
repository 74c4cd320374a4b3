"""Relatives and rivals: every other classifier of the catalogue."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if

from ._base import Classifier, Probabilities, Selecting
from ._input import blocks, class_weights_text, dense, seed, weights_by_class
from ._pfcvm import Machine


def setting(value: Any) -> str:
    """A value as the catalogue writes it."""
    if value is None:
        return "auto"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def method_text(name: str, values: dict[str, Any]) -> str:
    """A method of the catalogue with its settings."""
    for key, value in values.items():
        if any(mark in setting(value) for mark in "/+="):
            raise ValueError(f"{key}={value!r} is no value of a setting.")
    return "/".join([name, *(f"{key}={setting(value)}" for key, value in values.items())])


class MethodClassifier(Classifier):
    """A classifier that the catalogue knows by name."""

    # Name in the catalogue.
    _method: ClassVar[str]
    # Whether the method itself knows weights of classes; else they go into those of the samples.
    _own_class_weights: ClassVar[bool] = False
    # Whether only the ratio of class weights counts.
    _relative_class_weight: ClassVar[bool] = False
    # Parameters under their names in the catalogue, where these differ.
    _renamed: ClassVar[dict[str, str]] = {"C": "c", "random_state": "seed"}

    def _learn(
        self, X: Any, classes: np.ndarray, positive: np.ndarray, weights: np.ndarray | None
    ) -> Machine:
        values = self.get_params(deep=False)
        class_weight = values.pop("class_weight", None)
        if self._own_class_weights:
            values["class_weights"] = class_weights_text(class_weight, classes)
        else:
            relative = self._relative_class_weight
            weights = weights_by_class(class_weight, classes, positive, weights, relative)
        values["random_state"] = seed(values["random_state"])
        if values.get("kernel") == "poly":
            values["kernel"] = f"poly:{values['degree']}"
        values.pop("degree", None)
        values = {self._renamed.get(key, key): value for key, value in values.items()}
        text = method_text(self._method, values)
        return Machine.fit(text, dense(X), positive, weights)

    def _latent(self, X: Any) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
        parts = [self._fitted.predict(block) for block in blocks(X)]
        decision, variance, p = zip(*parts)

        def whole(part: Any) -> np.ndarray | None:
            return None if part[0] is None else np.concatenate(part)

        return np.concatenate(decision), whole(variance), whole(p)


def _probability(estimator: Any) -> bool:
    if not estimator.probability:
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class MaybeProbabilities(Probabilities):
    """For classifiers that learn probabilities only if they are asked to."""

    @available_if(_probability)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        p : ndarray of shape (n_samples, 2)
            Probabilities, in the order of ``classes_``.
        """
        return super().predict_proba(X)

    @available_if(_probability)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of the probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        log_p : ndarray of shape (n_samples, 2)
            Logarithms of probabilities, in the order of ``classes_``.
        """
        return super().predict_log_proba(X)


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
        Factors of the classes. "balanced" lets both count as much in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
    restarts : int, default=1
        Random starts, of which one is kept.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes, of which only the ratio counts. "balanced" lets both count as much
        in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the random start.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        restarts: int = 1,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
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
        Factors of the classes. "balanced" lets both count as much in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        self.random_state = random_state


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
        Factors of the classes. "balanced" lets both count as much in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the random start.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
    feature_rate : float, default=5.0
        Rate of the prior on feature weights, in units of 1 / gamma, above 0.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    max_basis : int, default=2000
        Up to this many samples all are candidates to be remembered; of more, a draw.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets both count as much in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        feature_rate: float = 5.0,
        standardise: bool = True,
        max_basis: int = 2000,
        class_weight: Any = None,
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
        Factors of the classes. "balanced" lets both count as much in sum.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.standardise = standardise
        self.max_basis = max_basis
        self.class_weight = class_weight
        self.random_state = random_state


class L1SVMClassifier(Selecting, MaybeProbabilities, MethodClassifier):
    """Linear support vector machine with the sum of weights as its norm.

    Bradley and Mangasarian 1998. A linear program, which leaves few features.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin not kept, above 0.
    class_weight : dict or "balanced", default=None
        Factors of the classes. "balanced" lets both count as much in sum.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, default=False
        Whether probabilities are learned as well, by five more fits (Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        probability: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.C = C
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
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
        Factors of the classes. "balanced" lets both count as much in sum.
    standardise : bool, default=True
        Whether features are shifted and scaled first, on the training samples.
    probability : bool, default=False
        Whether probabilities are learned as well, by five more fits (Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        probability: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.standardise = standardise
        self.probability = probability
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
    probability : bool, default=False
        Whether probabilities are learned as well, by five more fits (Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds that probabilities come from.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        probability: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
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
    probability : bool, default=False
        Whether probabilities are learned as well, by five more fits (Platt). They need not agree
        with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is another
        way.
    random_state : int, RandomState instance or None, default=0
        Seed of the clusters and of the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; probabilities and decision values are for the second.
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
        probability: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.clusters = clusters
        self.ridge = ridge
        self.standardise = standardise
        self.probability = probability
        self.random_state = random_state

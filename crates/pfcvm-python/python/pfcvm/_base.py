"""What all classifiers have in common."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._input import blocks, dense, names, new_data, training_data
from ._machines import TwoClassMachine, machine

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._pfcvm import Engine, Machine

# How more than two classes are told apart.
SCHEMES = ("one-vs-one", "one-vs-rest")
# What happened to a fit that did not settle, and what can be done about it.
REMEDIES = {
    "max_iterations": (
        "used up its iterations",
        "max_iter lets it go on for longer, tol lets it settle for less",
    ),
    "numerical_breakdown": (
        "broke down on numbers",
        "features of very different sizes are the usual reason: standardise=True",
    ),
}


class NothingFoundWarning(UserWarning):
    """No feature does better than chance on rows that did not train.

    A classifier warns of it when it is fitted. It then lists no feature, and predicts the shares of
    the classes; ``certainty="insist"`` lists and uses what the fit has all the same.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from pfcvm import NothingFoundWarning, PFCVMClassifier
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> y = np.arange(60) % 3 == 0
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     clf = PFCVMClassifier().fit(X, y)
    >>> caught[0].category is NothingFoundWarning
    True
    >>> clf.predict_proba(X[:1]).round(2)
    array([[0.67, 0.33]])
    """


class Said(NamedTuple):
    """What the machines say about rows."""

    # Place of the class among all.
    code: np.ndarray
    # A column for each class.
    probability: np.ndarray
    # The decision value f and its variance, a column for each machine.
    decision: np.ndarray
    variance: np.ndarray


class Classifier(ClassifierMixin, BaseEstimator):
    """Classes, told apart by machines that the compiled half has fitted."""

    # Fewer features than this are refused.
    _least_features: ClassVar[int] = 1
    # Whether features that several machines select are listed by importance, not ascending.
    _in_order_of_importance: ClassVar[bool] = False
    # Parameters of every classifier.
    scheme: str
    class_weight: Any
    # What has learned.
    _fitted: Engine | Machine

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples. A sparse matrix is made dense, once.
        y : array-like of shape (n_samples,)
            Two classes or more, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            How many samples each counts for. A weight of 2 is the same as a sample that comes twice, 0
            the same as one that is missing, to the last bit; so their sum matters, not only their
            ratios.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme={self.scheme!r}: it must be 'one-vs-one' or 'one-vs-rest'.")
        X, classes, codes, weights = training_data(self, X, y, sample_weight, self._least_features)
        features = getattr(self, "feature_names_in_", None)
        features = None if features is None else features.tolist()
        fitted = self._learn((dense(X), codes, names(classes), weights, features), classes)
        self._take(fitted, classes)
        self._warn()
        return self

    def _warn(self, level: int = 3) -> None:
        """Tell of machines that did not settle, and what can be done about it.

        ``level`` is how many calls above the user's is.
        """
        ends = [one.termination for one in self.machines_ if one.termination is not None]
        open_ = [ending for ending in ends if ending != "converged"]
        if open_:
            what, remedy = REMEDIES.get(open_[0], (f"ended as {open_[0]}", ""))
            where = f"in {len(open_)} of {len(ends)} machines " if len(ends) > 1 else ""
            has_remedy = "max_iter" not in remedy or hasattr(self, "max_iter")
            warnings.warn(
                f"{type(self).__name__}: {where}the fit {what} before it settled; its last weights are "
                f"used{f' ({remedy})' if remedy and has_remedy else ''}.",
                ConvergenceWarning,
                stacklevel=level,
            )

    def _learn(self, samples: Any, classes: np.ndarray) -> Engine | Machine:
        raise NotImplementedError

    def _take(self, fitted: Engine | Machine, classes: np.ndarray) -> None:
        """Set the fitted attributes, and none of an earlier fit."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            if name not in ("n_features_in_", "feature_names_in_"):
                delattr(self, name)
        self.classes_ = classes
        self._fitted = fitted
        about = json.loads(fitted.describe())
        self.machines_ = [machine(one, about["classes"], classes) for one in about["machines"]]
        self._describe(about)

    def _describe(self, about: dict[str, Any]) -> None:
        """Set the fitted attributes that every method may have."""
        machines: list[Any] = self.machines_  # what a method does not have is None
        ends = [one for one in machines if one.termination is not None]
        if ends:
            open_ = [one for one in ends if one.termination != "converged"]
            self.termination_ = open_[0].termination if open_ else "converged"
            self.n_iter_ = max(one.n_iter for one in ends)
        if about["shares"] is not None:
            shares = {index: share for index, share in about["shares"]}
            listed = list(shares) if self._in_order_of_importance else sorted(shares)
            if len(machines) == 1:
                listed = machines[0].selected_features.tolist()
            self.selected_features_ = np.asarray(listed, dtype=np.intp)
            self.feature_importances_ = self._for_all([shares[k] for k in listed])
        if machines[0].selected_samples is not None:
            remembered = [one.selected_samples for one in machines]
            self.selected_samples_: np.ndarray = np.unique(np.concatenate(remembered))
        if len(machines) == 1:
            self._describe_one(machines[0])
        linear = [one.get("linear") for one in about["machines"]]
        if all(linear):
            self.coef_ = np.zeros((len(machines), self.n_features_in_))
            for row, one, (coefficients, _) in zip(self.coef_, machines, linear):
                row[one.selected_features] = coefficients
            self.intercept_ = np.array([intercept for _, intercept in linear])

    def _describe_one(self, machine: TwoClassMachine) -> None:
        """Set what is known of the only machine of two classes."""
        if machine.feature_weights is not None:
            self.feature_weights_ = self._for_all(machine.feature_weights)

    def _for_all(self, values: Any, others: float = 0.0) -> np.ndarray:
        """Values of the selected features among all."""
        out = np.full(self.n_features_in_, others)
        out[self.selected_features_] = values
        return out

    def _needed(self) -> np.ndarray | None:
        """The features that prediction looks at, ascending; None: all."""
        selected = getattr(self, "selected_features_", None)
        return None if selected is None else np.sort(selected)

    def _say(self, X: Any) -> Said:
        check_is_fitted(self)
        parts = [self._fitted.predict(block) for block in blocks(new_data(self, X, self._needed()))]
        return Said(*parts[0]) if len(parts) == 1 else Said(*map(np.concatenate, zip(*parts)))

    def latent_mean_and_variance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Decision values f at the mode and their posterior variance.

        These are what the program ``pfcvm predict`` and ONNX graphs call ``decision`` and
        ``variance``; the name here is that of scikit-learn's Gaussian processes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        mean : ndarray of shape (n_samples,) or (n_samples, n_machines)
            The decision value f; with more than two classes that of each of ``machines_``.
        variance : ndarray of shape (n_samples,) or (n_samples, n_machines)
            Its posterior variance; 0 for methods that estimate a point.
        """
        said = self._say(X)
        if len(self.machines_) == 1:
            return said.decision[:, 0], said.variance[:, 0]
        return said.decision, said.variance

    def decision_function(
        self, X: Any, return_std: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """How far each sample is on the side of the second class, or of each class.

        With two classes it is the log odds: where the method knows how uncertain its decision value f
        is, the logistic function of it is ``predict_proba``. With the variance v of f it is
        f / sqrt(1 + pi v / 8). `latent_mean_and_variance` gives f and v themselves.

        With more than two classes it is the logarithm of each class's probability; one of 0 counts
        as the smallest normal number, so that every value is finite.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.
        return_std : bool, default=False
            Whether to return standard deviations as well; for two classes.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Above 0 for the second of two classes; of more, largest for the one that is called.
        std : ndarray of shape (n_samples,)
            Posterior standard deviation on the same scale; only with ``return_std``.
        """
        said = self._say(X)
        if len(self.classes_) > 2:
            if return_std:
                raise ValueError(
                    "return_std is for two classes; with more, latent_mean_and_variance gives the "
                    "variances of all machines."
                )
            return np.log(np.maximum(said.probability, np.finfo(float).tiny))
        shrink = self._shrink(said.variance[:, 0])
        log_odds = said.decision[:, 0] * shrink
        return (log_odds, np.sqrt(said.variance[:, 0]) * shrink) if return_std else log_odds

    def _shrink(self, variance: np.ndarray) -> Any:
        """From f to the log odds of a probability that is averaged over it."""
        return 1.0 / np.sqrt(1.0 + np.pi / 8.0 * variance)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples. Of a data frame only the columns that the model needs are looked at, and it may have
            just those (``X[clf.get_feature_names_out()]``).

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Classes.
        """
        codes = self._say(X).code
        called: np.ndarray = self.classes_[codes]
        return called


class Probabilities:
    """For classifiers that always know probabilities."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        p: np.ndarray = self._say(X).probability  # type: ignore[attr-defined]
        return p

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of the probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        log_p : ndarray of shape (n_samples, n_classes)
            Logarithms of probabilities, in the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):  # of 0 it is minus infinity
            return np.log(self.predict_proba(X))


class Selecting(SelectorMixin):
    """For classifiers that select features: ``transform`` keeps those."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.selected_features_] = True
        return mask

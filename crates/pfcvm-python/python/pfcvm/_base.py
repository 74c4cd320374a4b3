"""What all classifiers have in common."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._input import blocks, new_data, training_data
from ._machines import machine

# Scikit-learn's names for the two ways to more than two classes.
SCHEMES = ("ovo", "ovr")


class Classifier(ClassifierMixin, BaseEstimator):
    """Classes, told apart by something that the compiled half has learned."""

    # Fewer features than this are refused.
    _least_features: ClassVar[int] = 1
    # Whether selected features are listed by importance, not ascending.
    _in_order_of_importance: ClassVar[bool] = False
    # How more than two classes are told apart: a parameter of every classifier.
    multi_class: str

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples. A sparse matrix is made dense, once.
        y : array-like of shape (n_samples,)
            Two classes or more, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts. A weight of 2 is the same as a sample that comes twice, 0 the
            same as one that is missing, to the last bit.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if self.multi_class not in SCHEMES:
            raise ValueError(f"multi_class={self.multi_class!r}: it must be 'ovo' or 'ovr'.")
        X, classes, codes, weights = training_data(self, X, y, sample_weight, self._least_features)
        fitted = self._learn(X, classes, codes, weights)
        self._take(fitted, classes)
        if getattr(self, "termination_", "converged") != "converged":
            warnings.warn(
                f"{type(self).__name__}: {self._ending} before it settled; its last weights are used.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _learn(
        self, X: Any, classes: np.ndarray, codes: np.ndarray, weights: np.ndarray | None
    ) -> Any:
        raise NotImplementedError

    def _take(self, fitted: Any, classes: np.ndarray) -> None:
        """Set the fitted attributes, and none of an earlier fit."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            if name not in ("n_features_in_", "feature_names_in_"):
                delattr(self, name)
        self.classes_ = classes
        self._fitted = fitted
        about = json.loads(fitted.describe())
        if len(classes) == 2:
            self._describe(about)
        else:
            self._describe_machines(about)

    def _describe_machines(self, about: dict[str, Any]) -> None:
        """Set what is known of several machines together."""
        self.machines_ = [machine(one, self.classes_) for one in about["machines"]]
        if about["machines"][0]["termination"] is not None:
            open_ = [one for one in about["machines"] if one["termination"] != "converged"]
            self.termination_ = open_[0]["termination"] if open_ else "converged"
            if open_:
                count = f"{len(open_)} of {len(self.machines_)} machines"
                self._ending = f"in {count} the fit {open_[0]['ending']}"
            self.n_iter_ = max(one["iterations"] for one in about["machines"])
        if about["features"] is not None:
            self.selected_features_ = np.asarray(about["features"], dtype=np.intp)
            self.feature_weights_ = self._for_all(about["feature_weights"])
            if not self._in_order_of_importance:
                self.selected_features_.sort()
        if about["samples"] is not None:
            self.relevance_ = np.asarray(about["samples"], dtype=np.intp)

    def _describe(self, about: dict[str, Any]) -> None:
        """Set the fitted attributes that every method may have."""
        if about["termination"] is not None:
            self.termination_ = about["termination"]
            self._ending = f"the fit {about['ending']}"
            self.n_iter_ = about["iterations"]
        if about["features"] is not None:
            self.selected_features_ = np.asarray(about["features"], dtype=np.intp)
            if about["feature_weights"] is not None:
                self.feature_weights_ = self._for_all(about["feature_weights"])
        if about.get("samples") is not None:
            self.relevance_ = np.asarray(about["samples"], dtype=np.intp)

    def _for_all(self, values: Any, others: float = 0.0) -> np.ndarray:
        """Values of the selected features among all."""
        out = np.full(self.n_features_in_, others)
        out[self.selected_features_] = values
        return out

    def _latent(self, X: Any) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
        """Decision, its variance and the probability of the second class, of checked rows."""
        raise NotImplementedError

    def _predicted(self, X: Any) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
        check_is_fitted(self)
        return self._latent(new_data(self, X))

    def _blocks(self, X: Any) -> Iterator[tuple[Any, dict[str, bool]]]:
        """Checked rows, dense, with what to say about them to the compiled half."""
        for block in blocks(X):
            yield block, {}

    def _of_machines(self, X: Any, what: str) -> tuple[np.ndarray, np.ndarray]:
        """What several machines say: ``predict`` or ``latent``."""
        X = new_data(self, X)
        parts = [getattr(self._fitted, what)(block, **how) for block, how in self._blocks(X)]
        first, second = (np.concatenate(part) for part in zip(*parts))
        return first, second

    def _many(self) -> bool:
        """Whether there are more than two classes."""
        check_is_fitted(self)
        return len(self.classes_) > 2

    def latent_mean_and_variance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Decision values at the mode and their posterior variance.

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
        if self._many():
            return self._of_machines(X, "latent")
        decision, variance, _ = self._predicted(X)
        return decision, np.zeros_like(decision) if variance is None else variance

    def decision_function(
        self, X: Any, return_std: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """How far each sample is on the side of the second class, or of each class.

        Where the method knows how uncertain its decision value f is, this is the value that the
        probability belongs to: the logistic function of it is ``predict_proba``. With the variance v
        of f it is f / sqrt(1 + pi v / 8). `latent_mean_and_variance` gives f and v themselves.

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
        if self._many():
            if return_std:
                raise ValueError(
                    "return_std is for two classes; with more, latent_mean_and_variance gives the "
                    "variances of all machines."
                )
            _, p = self._of_machines(X, "predict")
            return np.log(np.maximum(p, np.finfo(float).tiny))
        decision, variance, _ = self._predicted(X)
        shrink = self._shrink(variance)
        if not return_std:
            return decision * shrink
        std = np.zeros_like(decision) if variance is None else np.sqrt(variance)
        return decision * shrink, std * shrink

    def _shrink(self, variance: np.ndarray | None) -> Any:
        return 1.0 if variance is None else 1.0 / np.sqrt(1.0 + np.pi / 8.0 * variance)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Classes.
        """
        if self._many():
            return self.classes_[self._of_machines(X, "predict")[0]]
        decision, _, _ = self._predicted(X)
        return self.classes_[(decision >= 0).astype(np.intp)]


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
        if self._many():  # type: ignore[attr-defined]
            return self._of_machines(X, "predict")[1]  # type: ignore[attr-defined]
        _, _, p = self._predicted(X)  # type: ignore[attr-defined]
        return np.column_stack([1.0 - p, p])

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

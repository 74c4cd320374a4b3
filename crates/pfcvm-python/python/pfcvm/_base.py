"""What all classifiers have in common."""

from __future__ import annotations

import json
import warnings
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._input import new_data, training_data


class Classifier(ClassifierMixin, BaseEstimator):
    """Two classes, told apart by something that the compiled half has learned."""

    # Fewer features than this are refused.
    _least_features: ClassVar[int] = 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples. A sparse matrix is made dense, once.
        y : array-like of shape (n_samples,)
            Two classes, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts. A weight of 2 is the same as a sample that comes twice, 0 the
            same as one that is missing, to the last bit.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        X, classes, positive, weights = training_data(
            self, X, y, sample_weight, self._least_features
        )
        fitted = self._learn(X, classes, positive, weights)
        self.classes_ = classes
        self._fitted = fitted
        self._describe(json.loads(fitted.describe()))
        if getattr(self, "termination_", "converged") != "converged":
            warnings.warn(
                f"{type(self).__name__}: the fit {self._ending} before it settled; its last weights are used.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _learn(
        self, X: Any, classes: np.ndarray, positive: np.ndarray, weights: np.ndarray | None
    ) -> Any:
        raise NotImplementedError

    def _describe(self, about: dict[str, Any]) -> None:
        """Set the fitted attributes that every method may have."""
        if about["termination"] is not None:
            self.termination_ = about["termination"]
            self._ending = about["ending"]
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

    def latent_mean_and_variance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Decision values at the mode and their posterior variance.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        mean : ndarray of shape (n_samples,)
            The decision value f.
        variance : ndarray of shape (n_samples,)
            Its posterior variance; 0 for methods that estimate a point.
        """
        decision, variance, _ = self._predicted(X)
        return decision, np.zeros_like(decision) if variance is None else variance

    def decision_function(
        self, X: Any, return_std: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """How far each sample is on the side of the second class.

        Where the method knows how uncertain its decision value f is, this is the value that the
        probability belongs to: the logistic function of it is ``predict_proba``. With the variance v
        of f it is f / sqrt(1 + pi v / 8). `latent_mean_and_variance` gives f and v themselves.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.
        return_std : bool, default=False
            Whether to return standard deviations as well.

        Returns
        -------
        decision : ndarray of shape (n_samples,)
            Above 0 for the second class.
        std : ndarray of shape (n_samples,)
            Posterior standard deviation on the same scale; only with ``return_std``.
        """
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
        p : ndarray of shape (n_samples, 2)
            Probabilities, in the order of ``classes_``.
        """
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
        log_p : ndarray of shape (n_samples, 2)
            Logarithms of probabilities, in the order of ``classes_``.
        """
        return np.log(self.predict_proba(X))


class Selecting(SelectorMixin):
    """For classifiers that select features: ``transform`` keeps those."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.selected_features_] = True
        return mask

"""What the classifiers of the catalogue have in common."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if

from ._base import Classifier, Probabilities
from ._input import (
    blocks,
    class_factors,
    class_weights_text,
    dense,
    names,
    second,
    seed,
    weights_by_class,
)
from ._pfcvm import Machine, MulticlassMachine


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
    # The same, where there are several machines.
    _relative_in_machines: ClassVar[bool] = False
    # Parameters under their names in the catalogue, where these differ.
    _renamed: ClassVar[dict[str, str]] = {"C": "c", "random_state": "seed"}

    def _learn(
        self, X: Any, classes: np.ndarray, codes: np.ndarray, weights: np.ndarray | None
    ) -> Machine | MulticlassMachine:
        values = self.get_params(deep=False)
        scheme, class_weight = values.pop("multi_class"), values.pop("class_weight", None)
        factors = class_factors(class_weight, classes) if len(classes) > 2 else None
        if self._own_class_weights and factors is None:
            values["class_weights"] = class_weights_text(class_weight, classes)
        values["random_state"] = seed(values["random_state"])
        if values.get("kernel") == "poly":
            values["kernel"] = f"poly:{values['degree']}"
        values.pop("degree", None)
        values = {self._renamed.get(key, key): value for key, value in values.items()}
        text = method_text(self._method, values)
        if len(classes) > 2:
            own = self._own_class_weights
            samples = (dense(X), codes, names(classes), weights, None if own else factors)
            balanced = not own and class_weight is not None and factors is None
            relative = self._relative_class_weight or self._relative_in_machines
            of_sides = factors if own else None
            return MulticlassMachine.fit(text, samples, scheme, of_sides, balanced, relative)
        positive = second(codes)
        if not self._own_class_weights:
            relative = self._relative_class_weight
            weights = weights_by_class(class_weight, classes, positive, weights, relative)
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
        p : ndarray of shape (n_samples, n_classes)
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
        log_p : ndarray of shape (n_samples, n_classes)
            Logarithms of probabilities, in the order of ``classes_``.
        """
        return super().predict_log_proba(X)

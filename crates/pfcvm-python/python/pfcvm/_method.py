"""What the classifiers and selectors of the catalogue have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags
from sklearn.utils.metaestimators import available_if

from ._base import Classifier, Probabilities, Selecting
from ._documentation import IN_CATALOGUE, documented
from ._input import class_weights, dense, names, seed, training_data
from ._pfcvm import Machine, select

if TYPE_CHECKING:
    from typing_extensions import Self

# Parameters that say what columns are, and are none of the catalogue.
OF_COLUMNS = ("categorical_features", "feature_groups")


def setting(value: Any) -> str:
    """A value as the catalogue writes it."""
    if value is None:
        return "auto"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, list):
        return ",".join(map(setting, value))
    return str(value)


def method_text(name: str, values: dict[str, Any]) -> str:
    """A method of the catalogue with its settings."""
    for key, value in values.items():
        if any(mark in setting(value) for mark in "/+="):
            raise ValueError(f"{key}={value!r} is no value of a setting.")
    texts = (f"{IN_CATALOGUE.get(key, key)}={setting(value)}" for key, value in values.items())
    return "/".join([name, *texts])


class MethodClassifier(Classifier):
    """A classifier that the catalogue knows by name."""

    # Name in the catalogue.
    _method: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        documented(cls)

    def _learn(self, samples: Any, classes: np.ndarray) -> Machine:
        values = self.get_params(deep=False)
        scheme = values.pop("scheme")
        for name in OF_COLUMNS:
            del values[name]
        if "class_weight" in values:
            values["class_weight"] = class_weights(values["class_weight"], classes)
        values["random_state"] = seed(values["random_state"])
        if values.get("kernel") == "poly":
            values["kernel"] = f"poly:{values['degree']}"
        values.pop("degree", None)
        return Machine.fit(method_text(self._method, values), samples, scheme)


def _probability(estimator: Any) -> bool:
    if not estimator.probability:
        raise AttributeError("predict_proba is not available when probability=False")
    return True


class MaybeProbabilities(Probabilities):
    """For classifiers that learn probabilities only if they are asked to."""

    predict_proba = available_if(_probability)(Probabilities.predict_proba)
    predict_log_proba = available_if(_probability)(Probabilities.predict_log_proba)


class Filter(Selecting, BaseEstimator):
    """A selector that the catalogue knows by name."""

    # Name in the catalogue.
    _method: ClassVar[str]
    # Parameters of every selector, and the names of groups, where there are some.
    categorical_features: Any
    feature_groups: Any
    feature_groups_: np.ndarray

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        documented(cls)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        # The way tags have to say that two classes are meant.
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Choose features.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. NaN and None are gaps. Columns of a data frame may hold numbers, words, truth values and
            dates. A sparse matrix is made dense, once.
        y : array-like of shape (n_samples,)
            Two classes, of any type.

        Returns
        -------
        self : object
            The fitted selector.
        """
        X, classes, codes, _, described = training_data(self, X, y, None, two_classes=True)
        values = self.get_params(deep=False)
        for name in OF_COLUMNS:
            del values[name]
        text = method_text(self._method, values)
        found = select(text, (dense(X), codes, names(classes), None, None, described))
        grouped = None if described is None else described[2]
        self._feature_of = None
        if hasattr(self, "feature_groups_"):
            del self.feature_groups_
        if grouped is not None:
            order = list(dict.fromkeys(grouped))
            self._feature_of = np.array([order.index(group) for group in grouped])
            self.feature_groups_ = np.asarray(order, dtype=object)
        self.selected_features_ = np.asarray(found, dtype=np.intp)
        return self

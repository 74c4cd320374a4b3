"""What all classifiers have in common."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from ._input import blocks, handed, names, new_data, training_data
from ._machines import TwoClassMachine, machine
from ._parts import Parts, parts_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._pfcvm import Engine, Machine

# How more than two classes are told apart.
SCHEMES = ("joint", "one-vs-one", "one-vs-rest")
# What happened to a fit that did not settle, and what can be done about it.
REMEDIES = {
    "max_iterations": (
        "used up its iterations",
        "max_iter lets it go on for longer",
    ),
    "numerical_breakdown": (
        "broke down on numbers",
        "features of very different sizes are the usual reason: standardise=True",
    ),
}


class NothingFoundWarning(UserWarning):
    """No feature does better than chance on rows that did not train.

    A classifier warns of it when it is fitted. It then lists no feature, and predicts the shares of
    the classes; ``certainty="insist"`` lists and uses what the fit has all the same. Where all features
    together do better than chance, ``goal="accuracy"`` predicts with these, and its warning says so.

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


class UnseenLevelsWarning(UserWarning):
    """Words that the training data did not have.

    A classifier warns of it when it predicts: it takes such cells as gaps.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from pfcvm import PFCVMClassifier, UnseenLevelsWarning
    >>> X = np.array([["red"], ["blue"], ["green"], ["red"]] * 15, dtype=object)
    >>> y = X[:, 0] == "red"
    >>> clf = PFCVMClassifier().fit(X, y)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     called = clf.predict([["blue"], ["mauve"]])
    >>> caught[0].category is UnseenLevelsWarning
    True
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
    categorical_features: Any
    feature_groups: Any
    # What has learned, and whether it is a model of more than two classes at once.
    _fitted: Engine | Machine
    _joint: bool

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from samples.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. NaN and None are gaps. Columns of a data frame may hold numbers, words, truth values and
            dates. A sparse matrix of which few cells are written stays sparse for the linear
            kernel; for others it is made dense, once. Dask arrays, Dask frames and Spark frames of more than 20,000
            rows stay where they are: `PFCVMClassifier` learns from them part by part; all others fetch them.
        y : array-like of shape (n_samples,)
            Two classes or more, of any type. Of a Dask or Spark frame, the name of a column.
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
            raise ValueError(
                f"scheme={self.scheme!r}: it must be 'joint', 'one-vs-one' or 'one-vs-rest'."
            )
        parts = parts_of(X, y, sample_weight)
        if parts is not None:
            learned = self._learn_parts(parts)
            if learned is not None:
                self._take(*learned)
                self._warn()
                return self
            X, y, sample_weight = parts.gathered()
        X, classes, codes, weights, described = training_data(
            self, X, y, sample_weight, self._least_features
        )
        known = getattr(self, "feature_names_in_", None)
        known = None if known is None else known.tolist()
        samples = (handed(X), codes, names(classes), weights, known, described)
        fitted = self._learn(samples, classes)
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
            several = len(ends) > 1 and not self._joint
            where = f"in {len(open_)} of {len(ends)} machines " if several else ""
            has_remedy = "max_iter" not in remedy or hasattr(self, "max_iter")
            if "max_iter" in remedy and hasattr(self, "tol"):
                remedy += ", tol lets it settle for less"
            warnings.warn(
                f"{type(self).__name__}: {where}the fit {what} before it settled; its last weights are "
                f"used{f' ({remedy})' if remedy and has_remedy else ''}.",
                ConvergenceWarning,
                stacklevel=level,
            )

    def _learn(self, samples: Any, classes: np.ndarray) -> Engine | Machine:
        raise NotImplementedError

    def _learn_parts(self, parts: Parts) -> tuple[Engine | Machine, np.ndarray] | None:
        """Learn from rows where they lie, and the classes; None: they are to be fetched."""
        warnings.warn(
            f"{type(self).__name__} needs all rows at once: {parts.about} is fetched whole.",
            UserWarning,
            stacklevel=3,
        )
        return None

    def _take(self, fitted: Engine | Machine, classes: np.ndarray) -> None:
        """Set the fitted attributes, and none of an earlier fit."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            if name not in ("n_features_in_", "feature_names_in_"):
                delattr(self, name)
        self.classes_ = classes
        self._fitted = fitted
        about = json.loads(fitted.describe())
        self._know_columns(about)
        self.machines_ = [machine(one, about["classes"], classes) for one in about["machines"]]
        self._describe(about)

    def _know_columns(self, about: dict[str, Any]) -> None:
        """Remember which columns hold words, which make up one feature, and which are needed."""
        columns = about["columns"] or []
        self._word_columns = {at for at, one in enumerate(columns) if one["kind"] == "words"}
        needed = about["needed_columns"]
        self._needed_columns = None if needed is None else np.asarray(needed, dtype=np.intp)
        feature_of = np.array([one["feature"] for one in columns], dtype=np.intp)
        alone = np.array_equal(feature_of, np.arange(len(feature_of)))
        self._feature_of = None if alone else feature_of
        if not alone:
            self.feature_groups_ = np.asarray(about["feature_names"], dtype=object)

    def _describe(self, about: dict[str, Any]) -> None:
        """Set the fitted attributes that every method may have."""
        machines: list[Any] = self.machines_  # what a method does not have is None
        # Whether machines of several classes share their features and the weights of these.
        self._joint = about.get("scheme") == "joint" and len(machines) > 1
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
        if len(machines) == 1 or self._joint:
            self._describe_list(machines[0])
        if len(machines) == 1:
            self._describe_one(machines[0])
        linear = [one.get("linear") for one in about["machines"]]
        if all(linear):
            rows = [self._among_all(features, slopes) for features, slopes, _ in linear]
            self.coef_ = np.array(rows)
            self.intercept_ = np.array([intercept for _, _, intercept in linear])

    def _describe_one(self, machine: TwoClassMachine) -> None:
        """Set what is known of the only machine of two classes."""

    def _describe_list(self, machine: TwoClassMachine) -> None:
        """Set what is known where there is one list of features, from any machine that has it."""
        if machine.feature_weights is not None:
            self.feature_weights_ = self._for_all(machine.feature_weights)

    def _for_all(self, values: Any, others: float = 0.0) -> np.ndarray:
        """Values of the selected features among all columns."""
        return self._among_all(self.selected_features_, values, others)

    def _among_all(self, features: Any, values: Any, others: float = 0.0) -> np.ndarray:
        """Values of features among all columns; those of one feature have the same."""
        out = np.full(self.n_features_in_, others)
        out[features] = values
        return out if self._feature_of is None else out[self._feature_of]

    def _of_selected(self, values: np.ndarray) -> np.ndarray:
        """Values of all columns for each of the selected features."""
        if self._feature_of is None:
            return values[self.selected_features_]
        first = np.unique(self._feature_of, return_index=True)[1]
        return values[first[self.selected_features_]]

    def _support(self) -> np.ndarray | None:
        """The columns of the selected features, ascending; None: the method selects none."""
        selected = getattr(self, "selected_features_", None)
        return None if selected is None else columns_of_features(selected, self._feature_of)

    def _say(self, X: Any) -> Said:
        check_is_fitted(self)
        rows, words = new_data(self, X, self._support(), self._needed_columns, self._word_columns)
        parts, unseen = zip(*(self._fitted.predict(block, words) for block in blocks(rows)))
        self._tell_unseen(dict(zip((at for at, _ in words), unseen[0])))
        return Said(*parts[0]) if len(parts) == 1 else Said(*map(np.concatenate, zip(*parts)))

    def _tell_unseen(self, cells: dict[int, int]) -> None:
        """Warn of words that were not there in training: how many cells, by place among the needed
        columns."""
        if not any(cells.values()):
            return
        known, needed = getattr(self, "feature_names_in_", None), self._needed_columns
        places = {
            at if needed is None else needed[at]: count for at, count in cells.items() if count
        }
        named = [
            f"{f'column {at}' if known is None else repr(str(known[at]))}: {count}"
            for at, count in places.items()
        ]
        more = f" and {len(named) - 5} more columns" if len(named) > 5 else ""
        warnings.warn(
            f"{sum(cells.values())} cells hold words that the training data did not have, and are "
            f"taken as gaps ({', '.join(named[:5])}{more}).",
            UnseenLevelsWarning,
            stacklevel=4,
        )

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
        feature_of = getattr(self, "_feature_of", None)
        mask[columns_of_features(self.selected_features_, feature_of)] = True
        return mask

    def transform(self, X: Any) -> Any:
        """Keep the columns of the selected features, as they are.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        X_r : {ndarray, sparse matrix, dataframe} of shape (n_samples, n_selected_features)
            Those columns; as a data frame where `set_output` asks for one.
        """
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if wanted != "default" and hasattr(X, "get_columns"):
            # A frame of polars, whose columns an array would lose the types of.
            validate_data(self, X, reset=False, skip_check_array=True)
            return X[:, np.flatnonzero(self.get_support()).tolist()]
        return super().transform(X)


def columns_of_features(features: np.ndarray, feature_of: np.ndarray | None) -> np.ndarray:
    """The columns that features are made of, ascending."""
    if feature_of is None:
        return np.sort(features)
    return np.flatnonzero(np.isin(feature_of, features))

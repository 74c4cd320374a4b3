"""The method itself, and panels."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from ._base import Classifier, NothingFoundWarning, Probabilities, Selecting
from ._input import (
    blocks,
    class_weights,
    dense,
    labels,
    names,
    new_data,
    number,
    seed,
    training_data,
)
from ._machines import TwoClassMachine, certain, column, shaped
from ._pfcvm import Engine


class EngineClassifier(Selecting, Probabilities, Classifier):
    """What `PFCVMClassifier` and `PFCVMPanelClassifier` have in common."""

    # What has learned, and parameters of both.
    _fitted: Engine
    parallel: bool
    verbose: bool

    def _way(self, memory_limit: int | None = None) -> tuple[int | None, bool, bool, int | None]:
        """How to do a fit, beside its settings."""
        kept = getattr(self, "_kept", None) or getattr(self, "keep_rows", None)
        kept = None if kept is None else int(kept)
        if kept is not None and kept < 10:
            raise ValueError(f"keep_rows={kept}: it must be at least 10.")
        return memory_limit, bool(self.parallel), bool(self.verbose), kept

    def novelty(self, X: Any) -> np.ndarray | None:
        """How far samples are from those that the model remembers.

        The distance to the nearest remembered sample, in the metric of the kernel and the selected
        features alone, divided by the distance within which 99 of 100 training samples have one. Above 1 a
        sample looks like none that was learned from; take what is predicted for it with care.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or None
            None where this cannot be told: by panels, by models that found nothing, and by model files of
            older versions.
        """
        check_is_fitted(self)
        rows, words = new_data(self, X, self._support(), self._needed_columns, self._word_columns)
        parts = [self._fitted.novelty(block, words) for block in blocks(rows)]
        return None if any(part is None for part in parts) else np.concatenate(parts)

    def suggest(
        self, X: Any, count: int = 10, *, return_gain: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Which samples without a label to label next.

        Those whose labels are expected to take most from what is not known of all others, one after
        the other, each as if the labels of those before it were known.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples without labels.
        count : int, default=10
            How many to suggest.
        return_gain : bool, default=False
            Whether to return what each is worth as well.

        Returns
        -------
        rows : ndarray of int
            Rows of ``X``, the first being worth most. None of them where the model found nothing.
        gain : ndarray of float
            The share of what is not known of all samples that each label is expected to take; only with
            ``return_gain``.
        """
        check_is_fitted(self)
        if count < 1:
            raise ValueError(f"count={count}: it must be at least 1.")
        rows, words = new_data(self, X, self._support(), self._needed_columns, self._word_columns)
        found = self._fitted.suggest(dense(rows), words, int(count))
        picked = np.array([row for row, _ in found], dtype=np.intp)
        return (picked, np.array([gain for _, gain in found])) if return_gain else picked

    def _describe(self, about: dict[str, Any]) -> None:
        super()._describe(about)
        self.settings_ = about["settings"]
        self.nothing_found_: bool | None = about["nothing_found"]
        features = about["selected_features"]
        by_index = {one["index"]: one for one in features}
        listed = [by_index[index] for index in self.selected_features_.tolist()]
        asked = None if self.nothing_found_ is None else listed
        self.certain_features_ = certain(asked)
        self.false_alarm_ = column(asked, "false_alarm")
        self.feature_shares_ = self.feature_importances_
        if self._joint:
            self._describe_classes(asked, about["held_out"])
        self._weigh_by_importance()
        self.n_features_needed_: int = about["n_features_needed"]
        if len(self.machines_) == 1 or self._joint:
            self.goals_: dict[str, Any] | None = (self.held_out_ or {}).get("goals")

    def _describe_classes(
        self, listed: list[dict[str, Any]] | None, held_out: dict[str, Any] | None
    ) -> None:
        """Set what rows that did not train say of a model of all classes at once."""
        classes = len(self.classes_)
        self.importance_ = column(listed, "importance")
        self.importance_interval_ = shaped(column(listed, "importance_interval"), 2)
        self.class_importance_ = shaped(column(listed, "class_importance"), classes)
        # Pairs of more than 20 classes are not looked at.
        paired = listed if classes <= 20 else None
        self.pair_importance_ = shaped(column(paired, "pair_importance"), classes, classes)
        self.held_out_ = held_out

    def _weigh_by_importance(self) -> None:
        """What others rank features by, from rows that did not train, where these were asked."""
        if self._joint and self.importance_ is not None:
            self.feature_importances_ = self._for_all(np.maximum(self.importance_, 0.0))
            return
        mean = np.zeros(self.n_features_in_)
        for one in self.machines_:
            if one.importance is None:
                return
            share = np.maximum(one.importance, 0.0) / len(self.machines_)
            mean += self._among_all(one.selected_features, share)
        self.feature_importances_ = mean

    def _describe_list(self, machine: TwoClassMachine) -> None:
        super()._describe_list(machine)
        self.feature_deviations_ = self._for_all(machine.feature_deviations)
        self.p_value_ = machine.p_value
        self.kept_share_ = machine.kept_share
        self.log_evidence_ = machine.log_evidence
        self.trace_ = machine.trace

    def _describe_one(self, machine: TwoClassMachine) -> None:
        super()._describe_one(machine)
        self.importance_ = machine.importance
        self.importance_interval_ = machine.importance_interval
        self.held_out_ = machine.held_out
        self.bias_ = machine.bias

    def _warn(self, level: int = 3) -> None:
        super()._warn(level + 1)
        if self.nothing_found_ and self.settings_["certainty"] == "on":
            warnings.warn(
                f"{type(self).__name__}: {self._nothing_found()}.",
                NothingFoundWarning,
                stacklevel=level,
            )

    def _nothing_found(self) -> str:
        """What that means and what to do about it, in words."""
        held_out = [about for one in self.machines_ if (about := one.held_out)]
        goals = [about.get("goals") for about in held_out] + [getattr(self, "goals_", None)]
        beats_chance = any(one and one["beats_chance"] for one in goals)
        if beats_chance and self.n_features_needed_:
            return (
                "no short list does better than chance on rows that did not train, and all features "
                "together do, so that none is listed and all of them predict"
            )
        shares = (
            "no feature does better than chance on rows that did not train, so that none is listed and "
            "the shares of the classes are predicted; more samples may tell more, and "
            'certainty="insist" lists what the fit has all the same'
        )
        if not beats_chance:
            return shares
        return (
            f"{shares}. All features together do better than chance: "
            'goal="accuracy" predicts with them'
        )

    def certain_feature_names_out(self) -> np.ndarray:
        """The names of the features that are certain.

        ``get_feature_names_out`` has all features that the model predicts with.

        Returns
        -------
        ndarray of str
            The names, in the order of ``certain_features_``; where the training data had none, x0, x1, …
            Of groups, theirs.
        """
        check_is_fitted(self)
        if self.certain_features_ is None:
            raise ValueError(
                "it is not known which features are certain: certainty was off, a class has fewer than "
                "three samples, or the model file is of an older version."
            )
        groups = getattr(self, "feature_groups_", None)
        known = _check_feature_names_in(self) if groups is None else groups
        names: np.ndarray = known[self.certain_features_]
        return names

    def summary(self) -> str:
        """What was learned, in words: what the program ``pfcvm inspect`` prints.

        Returns
        -------
        str
            The classes, how the fit ended, and the features with what is known of each.
        """
        check_is_fitted(self)
        return self._fitted.summary()

    def save_model(self, path: str | Path, *, label: str | None = None) -> None:
        """Write a model file, which `load_model` and the program ``pfcvm`` read.

        The file is JSON, holds no code, and gives the same predictions to the bit wherever it is
        read. Classes are written as text, and come back with their type.

        Parameters
        ----------
        path : str or Path
            Where to. An existing file is replaced, once the new one is complete.
        label : str, default=None
            Name of the label column, for the program.
        """
        check_is_fitted(self)
        texts = [name for name in self.classes_.tolist() if isinstance(name, str)]
        mistaken = bool(texts) and labels(texts).dtype.kind != "U"
        self._fitted.write(Path(path), label, mistaken)

    def to_onnx(self, path: str | Path | None = None, *, float32: bool = False) -> bytes:
        """The model as an ONNX graph, for any runtime.

        The graph takes ``X`` with the columns of the training data and gives ``label``,
        ``probabilities``, ``decision`` (f at the mode, as `latent_mean_and_variance` has it) and
        ``variance``, with more than two classes these two in a column for each machine. It computes
        in double precision.

        Parameters
        ----------
        path : str or Path, default=None
            Where to write it; None: nowhere.
        float32 : bool, default=False
            Whether ``X`` is of single precision.

        Returns
        -------
        bytes
            The file.
        """
        check_is_fitted(self)
        onnx = self._fitted.onnx(bool(float32))
        if path is not None:
            Path(path).write_bytes(onnx)
        return onnx


class PFCVMClassifier(EngineClassifier):
    """Probabilistic feature selection and classification vector machine.

    A kernel machine with one non-negative weight for each sample and one for each feature. Sparse
    priors on both, whose precisions the evidence decides, leave few samples and few features,
    with their uncertainty; probabilities are averaged over it.

    The fit is done again without each of five parts of the rows. The rows that were left out say whether
    anything was found at all, make the probabilities honest, and tell the features that are certain
    among those that the model predicts with.

    Parameters
    ----------
    kernel : {"auto", "rbf", "linear", "poly"}, default="auto"
        "rbf" for curved boundaries, "linear" for straight ones. "auto": "linear" where there are more features
        than samples, or where it is clearly better on rows that did not train, else "rbf"; ``choice_``
        says why.
    degree : int, default=2
        Degree of the kernel "poly", 1 to 10.
    false_positive_rate : float, default=0.05
        How likely a feature of pure noise is to be called certain, above 0 and below 0.5: 0.01 for a
        short, stable list, 0.15 when only accuracy counts.
    max_false : float, default=None
        Call so many features certain that at most this many of them are expected to be false, and none
        that is more likely false than not; None: as the false-positive rate has it.
    certainty : {"on", "insist", "off"}, default=None
        Whether rows that did not train are asked how sure all is: "on", "insist" (features are listed
        even where none does better than chance), or "off", which takes about a quarter of the time. None:
        "on", and "off" with the paper's algorithm.
    size : int, default=None
        At most this many features, chosen on a way from all that the fit keeps; None: all of these. With
        the schemes that have a list for each machine, of each machine. `list_price` says what it costs.
    goal : {"list", "accuracy"}, default="list"
        What the model is for. "list": prediction needs the selected features alone. "accuracy": a machine
        of all features stands beside these, and prediction needs them all. ``goals_`` says of either
        what it brings.
    samples : {"auto", "few", "frozen", "dense"}, default="auto"
        "few" remembers as few samples as the evidence allows, "frozen" few that say what all say once the
        features are settled, "dense" keeps them all as candidates. "auto": "frozen" up to 2000 samples, "few"
        beyond and with the linear kernel, and "dense" with ``goal="accuracy"``.
    standardise : bool, default=True
        Whether features are shifted and scaled, as part of the model.
    class_weight : dict or "balanced", default=None
        Factors of the classes in the likelihood. "balanced" lets the two of each machine count as much in sum.
    truncation : "exact" or float, default=None
        How weights are kept from below 0: as a constraint, or by the paper's smooth function with
        this steepness (the paper: 5). None: as the algorithm has it.
    algorithm : {"mended", "paper"}, default="mended"
        "paper" is the published Algorithm 1 to the letter, for comparison.
    max_basis : int, default=2000
        Samples that are candidates to be remembered, at most. Of more than 500, two for each feature
        or a quarter of this, whichever is most, a draw.
    start : dict, default=None
        Where the fit starts: ``feature_weight``, ``feature_precision``, ``sample_precision``,
        ``divergence_from``.
    stages : list of dict, default=None
        The stages of the fit, for study; what a stage does not state is as in a new one.
    memory_limit : int, default=None
        Refuse a fit that needs more than this many MiB; None: more than the system can give.
    max_iter : int, default=None
        At most this many iterations in each stage of the fit; None: as the stages have it (100).
    tol : float, default=None
        A stage has settled when the log evidence moves by less than this, relatively, twice; None: as
        the stages have it (1e-4).
    verbose : bool, default=False
        Whether every iteration prints a line; those of fits that leave out a part of the rows say so.
    parallel : bool, default=True
        Whether large products use several threads. The result does not depend on it.
    categorical_features : {"from_dtype"}, list of str, int or bool, or None, default="from_dtype"
        Which columns hold words. "from_dtype": those of strings, categories, truth values and objects that
        are no numbers. A list has names, positions, or a truth value for each column; all others must then
        be numbers or dates. None: no column.
    feature_groups : dict or list, default=None
        Columns that are selected together and share one weight: a dictionary from names or positions of
        columns to names of groups, or a list with the group of each column (None: it is by itself).
    scheme : {"joint", "one-vs-one", "one-vs-rest"}, default="joint"
        With more than two classes: one model for all of them, whose machines, one for each class, share a
        row of probabilities, their features and the weights of these; or a machine of its own for each
        pair, or for each class against the rest.
    keep_rows : int, default=None
        Training samples that are kept at most, in all columns, so that ``partial_fit`` can go on from
        them; at least 10. None: 2000 once ``partial_fit`` is called, none in ``fit``. A model file has them
        too: do not give it to those who may not see these samples.
    half_life : float, default=None
        For ``partial_fit``: what was seen counts half after so many samples have been seen since. None:
        nothing is forgotten.
    random_state : int, RandomState instance or None, default=0
        Seed of the draw of candidates among more than ``max_basis`` samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        What is known of each machine: of one for two classes, of several for more.
    nothing_found_ : bool or None
        Whether no feature does better than chance: then there is a `NothingFoundWarning`, none is
        selected, and the shares of the classes are predicted, or with ``goal="accuracy"`` all features
        predict if together they do better than chance. None where this was not asked, as in
        all that follows from rows that did not train: with ``certainty="off"``, with fewer
        than three samples of a class, in older model files.
    selected_features_ : ndarray of int
        The features that decide, ascending.
    certain_features_ : ndarray of int or None
        Those of them that are certain.
    false_alarm_ : ndarray of float or None
        How likely each of ``selected_features_`` is selected for nothing.
    importance_ : ndarray of float or None
        By how much the mean log loss of rows that did not train rises without each of
        ``selected_features_``, everything else settled again. This and all that follows of one list are
        those of two classes or of the scheme "joint"; with the other schemes ``machines_`` has them.
    importance_interval_ : ndarray of shape (n_selected, 2) or None
        Where that lies, with 95 % confidence.
    class_importance_ : ndarray of shape (n_selected, n_classes) or None
        With more than two classes and the scheme "joint": the same for telling each class from all
        others.
    pair_importance_ : ndarray of shape (n_selected, n_classes, n_classes) or None
        With it: the same for telling each class from each other one; None above 20 classes.
    p_value_ : ndarray of float or None
        How likely a feature that says nothing does as well as each of ``selected_features_``.
    kept_share_ : ndarray of float or None
        The share of the fits on parts of the rows that keep each of ``selected_features_``.
    held_out_ : dict or None
        What rows that did not train say of the model: ``p_value`` of the verdict, ``accuracy``,
        ``log_loss`` beside ``baseline_log_loss`` (that of the shares of the classes),
        ``expected_false`` and ``expected_false_certain`` (expected numbers of false features), the
        ``slope`` and ``offset`` that made the probabilities honest (with more than two classes
        ``machines_`` have these), and more.
    goals_ : dict or None
        What rows that did not train say of both goals: ``"list"``, ``"accuracy"`` and ``"all_features"``
        (the machine of all features alone), each with ``accuracy``, ``log_loss`` and ``log_loss_error``;
        ``gain``, by how much the log loss falls from the list to both, with ``gain_error``; and whether
        both beat the shares of the classes, ``beats_chance``.
    choice_ : dict or None
        With ``kernel="auto"``: the ``kernel`` that was taken, the ``reason``
        ("more-features-than-samples", "no-clear-difference" or "clearly-better"), and for each kernel in
        ``tried`` the ``log_loss`` of rows that did not train, and by how much it is ``above_first``, with
        ``above_first_error``.
    n_features_needed_ : int
        How many features prediction needs: the selected ones, or with ``goal="accuracy"`` all that vary.
    coef_ : ndarray of shape (n_machines, n_features)
        With the kernel "linear" and features that are numbers: the decision value as a linear function
        of the features as they are given, f = X @ coef_.T + intercept_; with ``goal="accuracy"`` the
        sum of both machines.
    intercept_ : ndarray of shape (n_machines,)
        With it: what is added.
    feature_importances_ : ndarray of shape (n_features,)
        ``importance_`` among all features, 0 where it is negative; with the schemes that have a list for
        each machine, on the mean over these; where it is not known, ``feature_shares_``.
    feature_shares_ : ndarray of shape (n_features,)
        The share of each feature in the weights, on the mean over all machines.
    feature_weights_ : ndarray of shape (n_features,)
        Weights of the features in the kernel, for scaled values; exactly 0 for those not selected.
    feature_deviations_ : ndarray of shape (n_features,)
        Their posterior standard deviations.
    feature_worth_ : ndarray of shape (n_features,)
        By how much the mean log loss of the training samples rises without each feature.
    selected_samples_ : ndarray of int
        The samples that are remembered, as rows of the training data, ascending.
    sample_weights_ : ndarray of float
        Their weights, signed by class.
    bias_ : float
        The bias.
    log_evidence_ : float
        Log evidence of the last iteration.
    n_iter_ : int
        Number of iterations.
    termination_ : {"converged", "max_iterations", "numerical_breakdown"}
        How the fit ended; there is a `ConvergenceWarning` unless it converged.
    trace_ : dict of ndarray
        One entry per iteration: ``samples``, ``features``, ``log_evidence`` and more.
    settings_ : dict
        All settings of the fit, as they are stored in a model file.
    feature_groups_ : ndarray of str
        With ``feature_groups``: the names of the features, which are groups, and columns that are in none.
        ``selected_features_`` and all that goes with it are places in it; of attributes of shape
        (n_features,) every column has its group's.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the training data had any.

    See Also
    --------
    PFCVMPanelClassifier : For far more features than samples.
    load_model : Read what ``save_model`` wrote.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = PFCVMClassifier(false_positive_rate=0.01).fit(X, y)
    >>> bool(clf.score(X, y) > 0.96)
    True
    >>> len(clf.selected_features_) < X.shape[1]
    True
    >>> clf.transform(X).shape[1] == len(clf.selected_features_)
    True
    >>> set(clf.certain_features_) <= set(clf.selected_features_)
    True
    """

    def __init__(
        self,
        kernel: str = "auto",
        *,
        degree: int = 2,
        false_positive_rate: float = 0.05,
        max_false: float | None = None,
        certainty: str | None = None,
        size: int | None = None,
        goal: str = "list",
        samples: str = "auto",
        standardise: bool = True,
        class_weight: Any = None,
        truncation: Any = None,
        algorithm: str = "mended",
        max_basis: int = 2000,
        start: dict[str, float] | None = None,
        stages: list[dict[str, Any]] | None = None,
        memory_limit: int | None = None,
        max_iter: int | None = None,
        tol: float | None = None,
        verbose: bool = False,
        parallel: bool = True,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "joint",
        keep_rows: int | None = None,
        half_life: float | None = None,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.false_positive_rate = false_positive_rate
        self.max_false = max_false
        self.certainty = certainty
        self.size = size
        self.goal = goal
        self.samples = samples
        self.standardise = standardise
        self.class_weight = class_weight
        self.truncation = truncation
        self.algorithm = algorithm
        self.max_basis = max_basis
        self.start = start
        self.stages = stages
        self.memory_limit = memory_limit
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.parallel = parallel
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.keep_rows = keep_rows
        self.half_life = half_life
        self.random_state = random_state

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> PFCVMClassifier:
        """Learn on from new samples.

        The first call is ``fit`` that keeps ``keep_rows`` samples. Later ones learn from the samples that
        are kept and the new ones, and keep some of both: as long as all are kept the model is the one
        that ``fit`` would make of everything. The kernel stays. A warning says where the new samples are not
        what the model expects.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            New samples, with the columns of the first ones.
        y : array-like of shape (n_samples,)
            Their classes. The first call needs two or more; new ones come last in ``classes_``.
        classes : array-like, default=None
            All classes that may come; others are refused. None: any may.
        sample_weight : array-like of shape (n_samples,), default=None
            How many samples each counts for.

        Returns
        -------
        self : object
            The estimator.
        """
        if classes is not None:
            strangers = np.setdiff1d(np.asarray(y), np.asarray(classes))
            if len(strangers):
                raise ValueError(f"y holds {strangers[0]!r}, which is not among `classes`.")
        if not hasattr(self, "_fitted"):
            self._kept = 2000 if self.keep_rows is None else self.keep_rows
            try:
                return self.fit(X, y, sample_weight)
            finally:
                del self._kept
        X, found, codes, weights, described = training_data(
            self, X, y, sample_weight, self._least_features, reset=False
        )
        known = getattr(self, "feature_names_in_", None)
        known = None if known is None else known.tolist()
        samples = (dense(X), codes, names(found), weights, known, described)
        half_life = None if self.half_life is None else number("half_life", self.half_life)
        if half_life is not None and half_life <= 0:
            raise ValueError(f"half_life={half_life}: it must be above 0.")
        fitted, notes = self._fitted.update(samples, half_life, self._way(self.memory_limit))
        old = set(names(self.classes_))
        new = [label for label in found.tolist() if str(label) not in old]
        all_classes = np.array(self.classes_.tolist() + new) if new else self.classes_
        self._take(fitted, all_classes)
        for note in notes:
            warnings.warn(f"{type(self).__name__}: {note}.", UserWarning, stacklevel=2)
        self._warn()
        return self

    def _learn(self, samples: Any, classes: np.ndarray) -> Engine:
        settings: dict[str, Any] = {
            "algorithm": self.algorithm,
            "kernel": f"poly:{self.degree}" if self.kernel == "poly" else self.kernel,
            "false_positive_rate": number("false_positive_rate", self.false_positive_rate),
            "max_false": None if self.max_false is None else number("max_false", self.max_false),
            "size": None if self.size is None else int(self.size),
            "goal": self.goal,
            "samples": self.samples,
            "standardise": bool(self.standardise),
            "class_weights": class_weights(self.class_weight, classes),
            "max_basis": int(self.max_basis),
            "seed": seed(self.random_state),
        }
        if self.certainty is not None:
            settings["certainty"] = self.certainty
        if self.truncation is not None:
            exact = isinstance(self.truncation, str)
            settings["truncation"] = self.truncation if exact else f"sigmoid:{self.truncation!r}"
        if self.max_iter is not None:
            settings["max_iterations"] = int(self.max_iter)
        if self.tol is not None:
            settings["tolerance"] = number("tol", self.tol)
        if self.start is not None:
            settings["start"] = dict(self.start)
        if self.stages is not None:
            settings["stages"] = [dict(stage) for stage in self.stages]
        text = json.dumps(settings, allow_nan=False)
        return Engine.fit(samples, self.scheme, text, self._way(self.memory_limit))

    def _describe(self, about: dict[str, Any]) -> None:
        super()._describe(about)
        self.choice_: dict[str, Any] | None = about.get("choice")

    def _describe_list(self, machine: TwoClassMachine) -> None:
        super()._describe_list(machine)
        self.feature_precisions_ = self._for_all(machine.feature_precisions, np.inf)
        worth = machine.feature_worth
        self.feature_worth_ = self._for_all(np.nan if worth is None else worth)

    def _describe_one(self, machine: TwoClassMachine) -> None:
        super()._describe_one(machine)
        self.sample_weights_ = machine.sample_weights
        self.sample_deviations_ = machine.sample_deviations

    def generalization_bound(
        self,
        X: Any,
        y: Any,
        *,
        delta: float = 0.05,
        margin: float = 1.0,
        ratio: float = 1.1,
        floor: float = 1.0,
    ) -> dict[str, float]:
        """The paper's bound on errors, in its three parts.

        It speaks of the share of new samples that votes of the weights get wrong. For fewer than
        thousands of samples it is mostly above 1 and then says nothing, and its proof does not
        cover basis functions that are training samples: take it as a figure, not as a guarantee.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The training samples.
        y : array-like of shape (n_samples,)
            Their classes.
        delta : float, default=0.05
            How often the bound may fail, above 0 and below 1.
        margin : float, default=1.0
            The margin c below which a vote counts as an error in part, above 0.
        ratio : float, default=1.1
            The ratio r of complexities that are told apart, above 1.
        floor : float, default=1.0
            The least complexity g, above 0.

        Returns
        -------
        dict
            ``margin_loss``, ``complexity`` and ``confidence``, whose sum is ``total``, and
            ``divergence``, how far the posterior is from the prior, in nats.
        """
        check_is_fitted(self)
        if len(self.classes_) > 2:
            raise ValueError("The bound is for two classes.")
        y = column_or_1d(y, warn=True)
        every = np.arange(self.n_features_in_)
        X, words = new_data(self, X, every, every, self._word_columns)
        check_consistent_length(X, y)
        positive = np.asarray(y == self.classes_[1])
        if not (positive | (y == self.classes_[0])).all():
            raise ValueError(f"y must hold the classes of the fit, {self.classes_!r}.")
        parameters = (float(delta), float(margin), float(ratio), float(floor))
        bound: dict[str, float] = json.loads(
            self._fitted.bound(dense(X), words, positive, parameters)
        )
        del bound["delta"]
        bound["total"] = bound["margin_loss"] + bound["complexity"] + bound["confidence"]
        return bound


class PFCVMPanelClassifier(EngineClassifier):
    """A short list of features that holds across halves of the samples.

    For far more features than samples, as in gene expression: machines on halves of the data share
    one precision per feature, on ranks instead of values. What comes out is a list of stated size
    with selection frequencies, averaged probabilities, and a verdict on whether a short list is the
    right tool.

    Parameters
    ----------
    size : int, default=20
        At most this many features are listed.
    members : int, default=40
        Number of machines on halves of the samples; even.
    false_positive_rate : float, default=0.05
        How likely a feature of pure noise is to be called certain, and to be kept by a round, above 0
        and below 0.5.
    max_false : float, default=None
        Call so many features certain that at most this many of them are expected to be false, and none
        that is more likely false than not; None: as the false-positive rate has it.
    certainty : {"on", "insist", "off"}, default="on"
        Whether rows that did not train are asked how sure all is: "on", "insist" (features are listed
        even where none does better than chance), or "off", which takes less time.
    goal : {"list", "accuracy"}, default="list"
        What the panel is for. "list": prediction needs the listed features alone. "accuracy": a linear
        machine of all features stands beside these, and prediction needs them all. ``goals_`` says of
        either what it brings.
    standardise : bool, default=True
        Whether features are scaled, as part of the panel.
    ranks : bool, default=True
        Whether scaled values become ranks within their feature.
    class_weight : dict or "balanced", default=None
        Factors of the classes in the likelihood.
    verbose : bool, default=False
        Whether every round prints a line.
    parallel : bool, default=True
        Whether members run on several threads. The result does not depend on it.
    categorical_features : {"from_dtype"}, list of str, int or bool, or None, default="from_dtype"
        Which columns hold words. "from_dtype": those of strings, categories, truth values and objects that
        are no numbers. A list has names, positions, or a truth value for each column; all others must then
        be numbers or dates. None: no column.
    feature_groups : dict or list, default=None
        Columns that are selected together and share one weight: a dictionary from names or positions of
        columns to names of groups, or a list with the group of each column (None: it is by itself).
    scheme : {"joint", "one-vs-one", "one-vs-rest"}, default="joint"
        With more than two classes: all at once, with one list for all of them; or a panel for each pair, or
        for each class against the rest, with a list each.
    random_state : int, RandomState instance or None, default=0
        Seed of the halves.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; decision values are for the second of two.
    machines_ : list of TwoClassMachine
        What is known of each machine: of one for two classes, of several for more.
    selected_features_ : ndarray of int
        The list, the most important first.
    feature_weights_ : ndarray of shape (n_features,)
        Linear weights for scaled values; the sign says which class high values speak for.
    feature_deviations_ : ndarray of shape (n_features,)
        How uncertain they are.
    nothing_found_ : bool or None
        Whether no feature does better than chance: then there is a `NothingFoundWarning`, nothing is
        listed, and the shares of the classes are predicted. None where this was not asked, as in all
        that follows from rows that did not train.
    certain_features_ : ndarray of int or None
        The certain features of the list.
    false_alarm_ : ndarray of float or None
        How likely each feature of the list is on it for nothing.
    importance_ : ndarray of float or None
        By how much the mean log loss of rows that did not train rises without each feature of the
        list: what it is ordered by. This and the next four are those of two classes; ``machines_``
        has them for more.
    importance_interval_ : ndarray of shape (n_selected, 2) or None
        Where that lies, with 95 % confidence.
    p_value_ : ndarray of float or None
        How likely a feature that says nothing does as well as each of the list.
    kept_share_ : ndarray of float or None
        The share of the panels on parts of the rows that list each.
    held_out_ : dict or None
        What rows that did not train say of the panel, as `PFCVMClassifier` has it.
    goals_ : dict or None
        What they say of both goals, as `PFCVMClassifier` has it.
    n_features_needed_ : int
        How many features prediction needs: the listed ones, or with ``goal="accuracy"`` all that vary.
    feature_importances_ : ndarray of shape (n_features,)
        ``importance_`` among all features, 0 where it is negative, on the mean over all machines;
        where it is not known, ``feature_shares_``.
    feature_shares_ : ndarray of shape (n_features,)
        The share of each feature in the weights, on the mean over all machines.
    median_share_ : ndarray of float
        The median share of each feature of the list in the weights of the members.
    selection_frequencies_ : ndarray of float
        The share of members that would have listed each feature of the list on their own.
    short_list_suffices_ : bool
        Whether short lists predict the other half at least as well as all features together.
    bias_ : float
        The bias.
    log_evidence_ : float
        Sum of the members' log evidences in the last round.
    n_iter_ : int
        Number of rounds.
    termination_ : str
        How the fit ended.
    trace_ : dict of ndarray
        One entry per round.
    settings_ : dict
        All settings of the fit, as they are stored in a model file.
    feature_groups_ : ndarray of str
        With ``feature_groups``: the names of the features, which are groups, and columns that are in none.
        ``selected_features_`` and all that goes with it are places in it; of attributes of shape
        (n_features,) every column has its group's.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from pfcvm import PFCVMPanelClassifier
    >>> X, y = make_classification(
    ...     60, 500, n_informative=4, n_redundant=0, class_sep=2, shuffle=False, random_state=0
    ... )
    >>> clf = PFCVMPanelClassifier(size=5, members=10).fit(X, y)
    >>> len(clf.selected_features_)
    5
    >>> clf.predict_proba(X).shape
    (60, 2)
    """

    # There is nothing to choose among fewer.
    _least_features = 2
    _in_order_of_importance = True

    def __init__(
        self,
        size: int = 20,
        *,
        members: int = 40,
        false_positive_rate: float = 0.05,
        max_false: float | None = None,
        certainty: str = "on",
        goal: str = "list",
        standardise: bool = True,
        ranks: bool = True,
        class_weight: Any = None,
        verbose: bool = False,
        parallel: bool = True,
        categorical_features: Any = "from_dtype",
        feature_groups: Any = None,
        scheme: str = "joint",
        random_state: Any = 0,
    ) -> None:
        self.size = size
        self.members = members
        self.false_positive_rate = false_positive_rate
        self.max_false = max_false
        self.certainty = certainty
        self.goal = goal
        self.standardise = standardise
        self.ranks = ranks
        self.class_weight = class_weight
        self.verbose = verbose
        self.parallel = parallel
        self.categorical_features = categorical_features
        self.feature_groups = feature_groups
        self.scheme = scheme
        self.random_state = random_state

    def _learn(self, samples: Any, classes: np.ndarray) -> Engine:
        settings = {
            "size": int(self.size),
            "members": int(self.members),
            "false_positive_rate": number("false_positive_rate", self.false_positive_rate),
            "max_false": None if self.max_false is None else number("max_false", self.max_false),
            "certainty": self.certainty,
            "goal": self.goal,
            "standardise": bool(self.standardise),
            "ranks": bool(self.ranks),
            "class_weights": class_weights(self.class_weight, classes),
            "seed": seed(self.random_state),
        }
        text = json.dumps(settings, allow_nan=False)
        return Engine.fit_panel(samples, self.scheme, text, self._way())

    def _describe_one(self, machine: TwoClassMachine) -> None:
        super()._describe_one(machine)
        self.median_share_ = machine.median_share
        self.selection_frequencies_ = machine.selection_frequencies
        self.short_list_suffices_ = machine.short_list_suffices

    def _shrink(self, variance: np.ndarray) -> float:
        # A panel's decision value is the log odds of its probability already.
        return 1.0

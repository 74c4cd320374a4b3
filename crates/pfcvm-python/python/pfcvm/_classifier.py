"""The method itself."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ._engine import EngineClassifier
from ._input import (
    class_weights,
    dense,
    names,
    new_data,
    number,
    seed,
    training_data,
    with_gaps_filled,
)
from ._machines import TwoClassMachine
from ._parts import Parts, learned
from ._pfcvm import Engine


def _keeps_rows(estimator: Any) -> bool:
    """Whether there will be samples to learn on from."""
    if estimator.keep_rows is None:
        raise AttributeError(
            "partial_fit needs keep_rows, the number of samples that are kept to learn on from."
        )
    return True


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
        "rbf" for curved boundaries, "linear" for straight ones. "auto": "linear" where it is clearly better
        on rows that did not train, else "rbf"; ``choice_`` says why.
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
        even where none does better than chance), or "off", which takes about a tenth of the time. None:
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
        features are settled, "dense" keeps them all as candidates. "auto": "frozen", but "few"
        with the linear kernel and where sums do the learning, and "dense" with ``goal="accuracy"``.
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
        Samples that may be candidates to be remembered, at most. A curved fit takes a third of them in if it
        needs them, a linear one as many as there are features, 120 to 300; of more samples a draw.
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
        them; at least 10 (5000 is a good number). None: none, and no ``partial_fit``. A model file has them
        too: do not give it to those who may not see these samples.
    half_life : float, default=None
        For ``partial_fit``: what was seen counts half after so many samples have been seen since. None:
        nothing is forgotten.
    unlabelled : object, default=None
        The value of ``y`` that stands for no label: -1 as for scikit-learn's own semi-supervised estimators,
        any other value, or ``np.nan`` for gaps (NaN, None, ``pd.NA``). Samples without a label are used where
        labelled samples that were held out say that they help; ``unlabelled_`` tells. Their weights are not
        looked at, but for 0. None: every value is a class, -1 too.
    warm_start : bool, default=False
        Whether another call of ``fit`` keeps the kernel that ``kernel="auto"`` found at the first, which
        spares the comparison. All else is learned anew: a fit that began at old weights would stay near them.
        To learn on from new samples, use ``partial_fit``.
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
    unlabelled_ : dict or None
        With ``unlabelled``, where samples are without a label: how many (``rows``), whether they were
        ``used``, and the log loss of held-out labelled samples ``with`` and ``without`` them, with the
        standard ``error`` of the difference (None where a class has fewer than three labelled samples, and
        they are not used). A model that used them has no other figures from held-out samples.
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
        unlabelled: Any = None,
        warm_start: bool = False,
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
        self.unlabelled = unlabelled
        self.warm_start = warm_start
        self.random_state = random_state

    @available_if(_keeps_rows)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> PFCVMClassifier:
        """Learn on from new samples.

        There where ``keep_rows`` is given. The first call is ``fit``. Later ones learn from the samples that
        are kept and the new ones, and keep some of both: as long as all are kept the model is the one
        that ``fit`` would make of everything. A warning says where the new samples are not what the model
        expects.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            New samples, with the columns of the first ones.
        y : array-like of shape (n_samples,)
            Their classes. The first call needs two or more; new ones come last in ``classes_``. Samples
            without a label (``unlabelled``) are passed over after the first call.
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
            known_ones = with_gaps_filled(y, self.unlabelled)[0]
            strangers = np.setdiff1d(np.asarray(known_ones), np.asarray(classes))
            if len(strangers):
                raise ValueError(f"y holds {strangers[0]!r}, which is not among `classes`.")
        if not hasattr(self, "_fitted"):
            return self.fit(X, y, sample_weight)
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
        way = self._way(self.memory_limit)
        return Engine.fit(samples, self.scheme, self._settings(classes), way)

    def _learn_parts(self, parts: Parts) -> tuple[Engine, np.ndarray] | None:
        return learned(self, parts)

    def _settings(self, classes: np.ndarray) -> str:
        """All settings of a fit, as JSON."""
        kernel = f"poly:{self.degree}" if self.kernel == "poly" else self.kernel
        if self.warm_start and kernel == "auto" and hasattr(self, "settings_"):
            kernel = self.settings_["kernel"]
        settings: dict[str, Any] = {
            "algorithm": self.algorithm,
            "kernel": kernel,
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
        return json.dumps(settings, allow_nan=False)

    def _describe(self, about: dict[str, Any]) -> None:
        super()._describe(about)
        self.choice_: dict[str, Any] | None = about.get("choice")
        self.unlabelled_: dict[str, Any] | None = about.get("unlabelled")

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

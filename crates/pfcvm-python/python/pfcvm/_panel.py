"""Panels."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._engine import EngineClassifier
from ._input import class_weights, number, seed
from ._machines import TwoClassMachine
from ._pfcvm import Engine


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

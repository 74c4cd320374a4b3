"""Classes of the catalogue: their parameters and docstrings, from the list of methods.

``crates/pfcvm-python/catalogue.py`` writes `_catalogue` from what is here; the docstrings are made
when it is imported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from textwrap import fill, indent
from typing import Any

from ._pfcvm import methods


@dataclass(frozen=True)
class Parameter:
    """A parameter of an estimator."""

    # As scikit-learn has it, and as the catalogue has it (None: it is Python's alone).
    name: str
    key: str | None
    default: Any
    # The type as the signature states it, and as the docstring does.
    annotation: str
    kind: str
    about: str


# What scikit-learn calls by another name, or takes in another form.
OWN = {
    "seed": ("random_state", 0, "Any", "int, RandomState instance or None"),
    "class_weights": ("class_weight", None, "Any", 'dict or "balanced"'),
    "probability": ("probability", False, "bool | str", 'bool, "platt" or "isotonic"'),
    "features": ("n_features_to_select", 20, "int", "int"),
    "c": ("C", 1.0, "float", "float"),
}
# What it takes in the same form under another name.
RENAMED = {"max_iterations": "max_iter"}
# Parameters under their names in the catalogue.
IN_CATALOGUE = {name: key for key, (name, *_) in OWN.items()} | {
    name: key for key, name in RENAMED.items()
}
ABOUT = {
    "kernel": "What samples are compared by.",
    "class_weights": (
        'Factors of the classes. "balanced" lets the two of each machine count as much in sum.'
    ),
    "probability": (
        "Whether probabilities are learned as well, by five more fits (True: Platt). They need not "
        "agree with ``predict``, and know nothing of class weights; `CalibratedClassifierCV` is "
        "another way. More than two classes are called by them, without them by the logistic "
        "function of decision values."
    ),
}
# Means and covariances of a class, which a factor for all of it does not change: scikit-learn would
# have `class_weight` move the calls.
OF_MOMENTS = {"mpm", "smpm"}
DEGREE = Parameter(
    "degree", None, 2, "int", "int", 'Degree of the kernel "poly", a whole number from 1 to 10.'
)
SCHEME = Parameter(
    "scheme",
    None,
    "one-vs-one",
    "str",
    '{"joint", "one-vs-one", "one-vs-rest"}',
    "With more than two classes: a machine for each pair, or for each class against the rest. This method "
    'tells two classes apart, so "joint" is done pair by pair.',
)
# What every method is told of columns.
OF_COLUMNS = [
    Parameter(
        "categorical_features",
        None,
        "from_dtype",
        "Any",
        '{"from_dtype"}, list of str, int or bool, or None',
        'Which columns hold words. "from_dtype": those of strings, categories, truth values and objects '
        "that are no numbers.",
    ),
    Parameter(
        "feature_groups",
        None,
        None,
        "Any",
        "dict or list",
        "Columns that are selected together: a dictionary from columns to names of groups, or a list with "
        "the group of each column.",
    ),
]
LEARNED = {
    "classes_": ("ndarray of shape (n_classes,)", "The classes; decision values are for the second of two."),
    "machines_": ("list of TwoClassMachine", "What is known of each machine: of one for two classes, of several for more."),
    "n_iter_": ("int", "Number of iterations, the most of any machine, where the method iterates."),
    "termination_": ("str", 'How the fit ended, where the method iterates; there is a `ConvergenceWarning` unless it is "converged".'),
}  # fmt: skip
SELECTED = {
    "selected_features_": ("ndarray of int", "The features that decide, ascending."),
    "feature_importances_": ("ndarray of shape (n_features,)", "Share of each feature in the weights, on the mean over all machines; 0 for those not selected."),
    "feature_weights_": ("ndarray of shape (n_features,)", "With two classes: weights for scaled values; 0 for those not selected."),
}  # fmt: skip
REMEMBERED = {
    "selected_samples_": ("ndarray of int", "The samples that are remembered, as rows of the training data, ascending."),
}  # fmt: skip
TAKEN = {"selected_features_": ("ndarray of int", "The features taken, the best first.")}
SEEN = {
    "feature_groups_": ("ndarray of str", "With ``feature_groups``: the names of the features, which are groups, and columns that are in none."),
    "n_features_in_": ("int", "Number of columns."),
    "feature_names_in_": ("ndarray of str", "Their names, where the training data had any."),
}  # fmt: skip
CLASSIFIES = """\
>>> from sklearn.datasets import load_iris
>>> from pfcvm import {name}
>>> X, y = load_iris(return_X_y=True)
>>> clf = {name}().fit(X[50:], y[50:])
>>> bool(clf.score(X[50:], y[50:]) > 0.9)
True"""
SELECTS = """\
>>> from sklearn.datasets import load_breast_cancer
>>> from pfcvm import {name}
>>> X, y = load_breast_cancer(return_X_y=True)
>>> {name}(n_features_to_select=3).fit_transform(X, y).shape
(569, 3)"""


@cache
def catalogue() -> dict[str, dict[str, Any]]:
    """Every method by its name."""
    return {entry["name"]: entry for entry in json.loads(methods())}


def parameters(entry: dict[str, Any]) -> list[Parameter]:
    """The parameters of a method's class, in the order of its signature."""
    made = []
    for setting in entry["settings"]:
        if setting["key"] == "class_weights" and entry["name"] in OF_MOMENTS:
            continue
        made.append(_parameter(setting))
        if setting["key"] == "kernel" and "poly:P" in setting["forms"]:
            made.append(DEGREE)
    last = len(made) - 1 if made[-1].key == "seed" else len(made)
    made[last:last] = OF_COLUMNS + ([SCHEME] if entry["role"] == "classifier" else [])
    return made


def _parameter(setting: dict[str, Any]) -> Parameter:
    key, words, forms = setting["key"], setting["words"], setting["forms"]
    about = ABOUT.get(key, setting["about"]).removesuffix(": yes or no")
    about = _sentence(f"Seed {about}" if key == "seed" else about)
    if key in OWN:
        name, default, annotation, kind = OWN[key]
        return Parameter(name, key, default, annotation, kind, about)
    if words == ["yes", "no"]:
        return Parameter(key, key, setting["default"] == "yes", "bool", "bool", about)
    if key == "kernel":
        words, forms = words + [form.partition(":")[0] for form in forms], []
    quoted = [f'"{word}"' for word in words + forms]
    numbers = {"whole": int, "number": float}.get(setting["numbers"])
    if numbers is None:
        choice = "{" + ", ".join(quoted) + "}"
        return Parameter(key, key, setting["default"], "str", choice, about)
    kind = " or ".join([*quoted, numbers.__name__])
    annotation = f"str | {numbers.__name__}" if quoted else numbers.__name__
    default = setting["default"]
    default = default if default in words else numbers(default)
    return Parameter(RENAMED.get(key, key), key, default, annotation, kind, about)


def documented(cls: type) -> None:
    """Give the class of a method its docstring."""
    entry = catalogue().get(cls._method)  # type: ignore[attr-defined]
    if entry is None:
        return  # it is no more, and `catalogue.py` has not been run since
    if entry["role"] == "classifier":
        known = LEARNED | (SELECTED if entry["selects_features"] else {})
        known = known | (REMEMBERED if entry["selects_samples"] else {}) | SEEN
        example = CLASSIFIES
    else:
        known, example = TAKEN | SEEN, SELECTS
    stated = [
        (f"{one.name} : {one.kind}, default={_shown(one.default)}", one.about)
        for one in parameters(entry)
    ]
    learned = [(f"{name} : {kind}", about) for name, (kind, about) in known.items()]
    parts = [
        _sentence(entry["about"]),
        _section("Parameters", stated),
        _section("Attributes", learned),
        f"Examples\n--------\n{example.format(name=cls.__name__)}",
    ]
    cls.__doc__ = "\n\n".join(parts) + "\n"


def _section(title: str, lines: list[tuple[str, str]]) -> str:
    listed = (f"{head}\n{indent(fill(about, 96), '    ')}" for head, about in lines)
    return "\n".join([title, "-" * len(title), *listed])


def _sentence(text: str) -> str:
    whole = text if text[1] == " " else text[0].upper() + text[1:]  # t is no T
    return whole if whole.endswith(".") else whole + "."


def _shown(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)

"""One name for each thing: here, in the crate's settings, and in the program's options."""

import inspect
import re

import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier

# What scikit-learn calls by another name, and what Python has in another form.
SCIKIT_LEARN = {
    "class_weight": "class_weights",
    "max_iter": "max_iterations",
    "random_state": "seed",
    "tol": "tolerance",
    "degree": "kernel",  # poly:P elsewhere
}
# How a fit is done, or how its machines are put together: no settings of a machine.
# What columns are belongs to the data.
NO_SETTINGS = {
    "categorical_features",
    "feature_groups",
    "half_life",
    "keep_rows",
    "memory_limit",
    "parallel",
    "scheme",
    "unlabelled",
    "verbose",
    "warm_start",
}
# The program's words for what differs: a flag that takes no value, threads by number, a size
# that asks for a panel, and what is said of columns.
OPTIONS = {
    "standardise": "no_standardise",
    "parallel": "threads",
    "size": "panel",
    "categorical_features": "kind",
    "feature_groups": "groups",
}
# For study, in programs that are written for it, or that fit again; what the program learns on with is told
# to `update`.
NO_OPTIONS = {"start", "stages", "members", "ranks", "verbose", "half_life", "warm_start"}


def parameters(made):
    return set(inspect.signature(made.__init__).parameters) - {"self"}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("made", [PFCVMClassifier, PFCVMPanelClassifier])
def test_parameters_are_settings(made, data):
    settings = set(
        made(**({} if made is PFCVMPanelClassifier else {"max_iter": 9, "tol": 1e-3}))
        .fit(*data)
        .settings_
    )
    own = {SCIKIT_LEARN.get(name, name) for name in parameters(made) - NO_SETTINGS}
    assert own == settings


@pytest.mark.parametrize("made", [PFCVMClassifier, PFCVMPanelClassifier])
def test_parameters_are_options(made, program):
    options = set(re.findall(r"--([a-z][a-z-]+)", program("fit", "--help")))
    for name in parameters(made) - NO_OPTIONS:
        name = OPTIONS.get(name, SCIKIT_LEARN.get(name, name))
        assert name.replace("_", "-") in options, name

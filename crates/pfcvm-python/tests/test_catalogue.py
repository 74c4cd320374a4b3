"""The estimators beside the catalogue they come from."""

import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path

import pfcvm
import pytest
from pfcvm import _catalogue
from pfcvm._documentation import OF_MOMENTS, catalogue, parameters
from pfcvm._method import IN_CATALOGUE, OF_COLUMNS, setting
from sklearn.exceptions import ConvergenceWarning

MADE = [getattr(_catalogue, name) for name in _catalogue.__all__]


def test_the_module_is_what_the_generator_writes():
    path = Path(__file__).parent.parent / "catalogue.py"
    spec = importlib.util.spec_from_file_location("catalogue", path)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.MODULE.read_text() == generator.module()


def test_every_method_has_a_class():
    assert {made._method for made in MADE} == set(catalogue()) - {"pfcvm-lp", "pfcvm-panel"}
    assert set(_catalogue.__all__) <= set(pfcvm.__all__)


def test_names_are_there_before_they_are_imported():
    """All of what is public, none of it at once."""
    asked = (
        "import sys, pfcvm\n"
        "assert set(pfcvm.__all__) <= set(dir(pfcvm)) and 'sklearn' not in sys.modules\n"
        "from pfcvm import *\n"
        "assert all(globals()[name] is getattr(pfcvm, name) for name in pfcvm.__all__)\n"
        "assert pfcvm.RVMClassifier.__module__ == 'pfcvm._catalogue'\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.raises(AttributeError, match="'pfcvm' has no attribute 'other'"):
        pfcvm.other  # noqa: B018


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_parameters_and_defaults_are_those_of_the_catalogue(made):
    settings = {one["key"]: one["default"] for one in catalogue()[made._method]["settings"]}
    given = {
        IN_CATALOGUE.get(key, key): value
        for key, value in made().get_params().items()
        if key in settings or key not in ("degree", "scheme", *OF_COLUMNS)  # Python's own
    }
    if made._method in OF_MOMENTS:
        del settings["class_weights"]
    assert set(given) == set(settings)
    for key, value in given.items():
        # None is equal weights, and probabilities are learned when they are asked for.
        text = {"class_weights": "equal", "probability": "platt"}.get(key) or setting(value)
        try:
            assert float(text) == float(settings[key])
        except ValueError:
            assert text == settings[key], key


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_docstrings_state_what_the_signature_does(made):
    stated = parameters(catalogue()[made._method])
    signature = list(inspect.signature(made).parameters.values())
    assert [one.name for one in stated] == [one.name for one in signature]
    assert [one.default for one in stated] == [one.default for one in signature]
    assert all(one.about in " ".join(made.__doc__.split()) for one in stated)


def test_refusals_teach(data):
    X, y = data
    for clf, message in [
        (pfcvm.RVMClassifier(kernel="round"), "`round` is no kernel"),
        (pfcvm.RVMClassifier(algorithm="slow"), "neither fast nor batch"),
        (pfcvm.RVMClassifier(kernel="rbf/bias=no"), "is no value"),
        (pfcvm.L1SVMClassifier(C=-1), "above 0"),
        (pfcvm.JCFOClassifier(sample_rate=float("nan")), "sample_rate"),
        (pfcvm.SMPMClassifier(clusters=0), "at least 1"),
        (pfcvm.FisherSelector(0), "at least 1"),
        (pfcvm.MRMRSelector(scheme="other"), "neither mid nor miq"),
    ]:
        with pytest.raises(ValueError, match=message) as caught:
            clf.fit(X, y)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "made",
    [made for made in MADE if "max_iter" in made().get_params()],
    ids=lambda made: made.__name__,
)
def test_a_fit_that_is_cut_short_names_the_remedy(made, data):
    with pytest.warns(ConvergenceWarning, match="used up its iterations.*max_iter") as caught:
        short = made(max_iter=1).fit(*data)
    assert " tol " not in str(caught[0].message), "it has none"
    assert short.termination_ == "max_iterations"
    assert short.n_iter_ <= 2, (
        "where samples come one by one, the first is there before the first step"
    )


def test_poly_has_a_degree(data):
    X, y = data
    a, b = (
        pfcvm.RVMClassifier("poly", degree=degree).fit(X, y).decision_function(X)
        for degree in (1, 3)
    )
    assert (a != b).any()


def test_platt_is_there_when_asked_for(data):
    X, y = data
    for made in (
        pfcvm.L1SVMClassifier,
        pfcvm.WSVMClassifier,
        pfcvm.MPMClassifier,
        pfcvm.SMPMClassifier,
    ):
        assert not hasattr(made(), "predict_proba")
        for how in (True, "isotonic"):
            p = made(probability=how).fit(X, y).predict_proba(X)
            assert p.shape == (120, 2) and ((p >= 0) & (p <= 1)).all()

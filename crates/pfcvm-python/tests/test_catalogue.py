"""The estimators beside the catalogue they come from."""

import inspect
import json

import pfcvm
import pytest
from pfcvm._method import MethodClassifier, setting
from pfcvm._pfcvm import methods
from pfcvm._selectors import Filter

CATALOGUE = {entry["name"]: entry for entry in json.loads(methods())}
MADE = [
    made
    for name in pfcvm.__all__
    if inspect.isclass(made := getattr(pfcvm, name))
    and issubclass(made, (MethodClassifier, Filter))
]


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_parameters_and_defaults_are_those_of_the_catalogue(made):
    settings = {key: default for key, default, _ in CATALOGUE[made._method]["settings"]}
    own = {
        {
            "C": "c",
            "random_state": "seed",
            "n_features_to_select": "features",
            "class_weight": "class_weights",
        }.get(key, key): value
        for key, value in made().get_params().items()
        if key not in ("degree", "multi_class")
    }
    # Weights of classes go through weights of samples where the method has none.
    if "class_weights" not in settings:
        own.pop("class_weights", None)
    assert set(own) == set(settings)
    for key, value in own.items():
        text = {"class_weights": "equal", "probability": "platt"}.get(key) or setting(value)
        try:
            assert float(text) == float(settings[key])
        except ValueError:
            assert text == settings[key], key


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

"""What `PFCVMClassifier` says of itself, and the settings of its fit."""

import warnings

import numpy as np
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss


def test_attributes_fit_together(data):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    kept = clf.selected_features_
    assert set(kept) <= set(range(3)) and len(kept) >= 2
    for values in (clf.feature_weights_, clf.feature_deviations_, clf.feature_worth_):
        assert values.shape == (8,)
        assert set(np.flatnonzero(values)) == set(kept)
    assert np.isinf(clf.feature_precisions_[[k for k in range(8) if k not in kept]]).all()
    assert len(clf.relevance_) == len(clf.relevance_weights_) == len(clf.relevance_deviations_)
    assert ((clf.relevance_weights_ > 0) == (y[clf.relevance_] == clf.classes_[1])).all()
    assert clf.n_iter_ == len(clf.trace_["log_evidence"])
    assert clf.log_evidence_ == clf.trace_["log_evidence"][-1]
    assert clf.trace_["features"][-1] == len(kept)
    assert clf.termination_ == "converged"
    assert clf.get_support().sum() == len(kept)
    assert list(clf.get_feature_names_out()) == [f"x{k}" for k in kept]


def test_decision_is_the_sum_over_relevant_samples(data):
    """The decision value, written out in NumPy from the attributes alone."""
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)
    squares = ((Z[:, None] - Z[clf.relevance_]) ** 2) @ clf.feature_weights_
    f = clf.intercept_ + np.exp(-squares) @ clf.relevance_weights_
    mean, variance = clf.latent_mean_and_variance(X)
    np.testing.assert_allclose(mean, f, rtol=1e-9, atol=1e-9)
    decision, std = clf.decision_function(X, return_std=True)
    shrink = 1 / np.sqrt(1 + np.pi * variance / 8)
    np.testing.assert_allclose(decision, f * shrink, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(std, np.sqrt(variance) * shrink)
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p[:, 1], expit(decision), rtol=1e-12)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[(mean >= 0).astype(int)])


def test_worth_is_the_rise_of_the_loss(data):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)

    def loss(weights):
        squares = ((Z[:, None] - Z[clf.relevance_]) ** 2) @ weights
        return log_loss(y, expit(clf.intercept_ + np.exp(-squares) @ clf.relevance_weights_))

    for k in clf.selected_features_:
        without = clf.feature_weights_.copy()
        without[k] = 0
        rise = loss(without) - loss(clf.feature_weights_)
        assert clf.feature_worth_[k] == pytest.approx(rise, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(
    "settings",
    [
        {"kernel": "linear"},
        {"kernel": "poly", "degree": 3},
        {"samples": "frozen"},
        {"samples": "dense"},
        {"standardise": False},
        {"class_weight": "balanced"},
        {"class_weight": {0: 2.0, 1: 0.5}},
        {"truncation": "exact"},
        {"max_basis": 50},
        {"start": {"feature_weight": 0.2}},
        {"false_positive_rate": 0.001},
        {"parallel": False},
        {"memory_limit": 1000},
        {"random_state": np.random.RandomState(3)},
        {"random_state": None},
    ],
    ids=str,
)
def test_settings_are_taken(data, settings):
    X, y = data
    clf = PFCVMClassifier(**settings).fit(X, y)
    assert clf.score(X, y) > 0.8


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_papers_algorithm_and_its_truncation(data):
    X, y = data
    paper = PFCVMClassifier(algorithm="paper").fit(X, y)
    assert paper.settings_["truncation"] == "sigmoid:5"
    other = PFCVMClassifier(algorithm="paper", truncation=2.0).fit(X, y)
    assert other.settings_["truncation"] == "sigmoid:2"


def test_stages_can_be_stated(data):
    X, y = data
    stages = [
        {"name": "first", "max_iterations": 3, "sample_rule": "shared"},
        {
            "name": "second",
            "max_iterations": 4,
            "restart": True,
            "pruning": {"precision": {"samples": 1e4, "features": 1e4}},
        },
    ]
    with pytest.warns(ConvergenceWarning, match="used up its iterations"):
        clf = PFCVMClassifier(stages=stages).fit(X, y)
    assert clf.n_iter_ == 7
    assert clf.trace_["stage"].tolist() == ["first"] * 3 + ["second"] * 4
    assert clf.settings_["stages"][1]["pruning"] == stages[1]["pruning"]


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"kernel": "round"}, "`round` is no kernel"),
        ({"degree": 99, "kernel": "poly"}, "degree"),
        ({"false_positive_rate": 0.7}, "above 0 and below 0.5"),
        ({"false_positive_rate": float("nan")}, "false_positive_rate"),
        ({"samples": "many"}, "few, frozen or dense"),
        ({"truncation": -1.0}, "steepness"),
        ({"algorithm": "other"}, '"mended" or "paper"'),
        ({"max_basis": 1}, "at least 2"),
        ({"class_weight": "odd"}, "'balanced'"),
        ({"class_weight": {7: 1.0}}, "7 is no class"),
        ({"class_weight": {0: -1.0}}, "class weights"),
        ({"start": {"weight": 1.0}}, "there is no `weight`"),
        ({"stages": [{"max_iteration": 1}]}, "there is no `max_iteration`"),
        ({"stages": []}, "at least one"),
        ({"random_state": -1}, "negative"),
    ],
    ids=str,
)
def test_refusals_are_one_sentence(data, settings, message):
    X, y = data
    with pytest.raises(ValueError, match=message) as caught:
        PFCVMClassifier(**settings).fit(X, y)
    assert "\n" not in str(caught.value)


def test_a_fit_too_large_for_the_memory_is_refused(data):
    X, y = np.tile(data[0], (10, 5)), np.tile(data[1], 10)
    X += 1e-3 * np.arange(len(X))[:, None]  # equal rows would be one
    with pytest.raises(MemoryError, match="MiB"):
        PFCVMClassifier(memory_limit=2).fit(X, y)


def test_a_fit_that_settles_does_not_warn(data):
    X, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PFCVMClassifier().fit(X, y)


def test_panel_lists_in_order(data):
    X, y = data
    clf = PFCVMPanelClassifier(length=3, members=10).fit(X, y)
    assert set(clf.selected_features_) == {0, 1, 2}
    assert (np.diff(clf.importance_) <= 0).all()
    assert ((clf.selection_frequencies_ >= 0) & (clf.selection_frequencies_ <= 1)).all()
    assert clf.transform(X).shape == (120, 3)
    p = clf.predict_proba(X)[:, 1]
    np.testing.assert_allclose(expit(clf.decision_function(X)), p, rtol=1e-9)
    assert len(clf.trace_["log_evidence"]) == clf.n_iter_

"""What `PFCVMClassifier` says of itself, and the settings of its fit."""

import warnings

import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss


def test_attributes_fit_together(data):
    X, y = data
    clf = PFCVMClassifier("rbf").fit(X, y)
    kept = clf.selected_features_
    assert set(kept) <= set(range(3)) and len(kept) >= 2
    for values in (clf.feature_weights_, clf.feature_deviations_, clf.feature_worth_):
        assert values.shape == (8,)
        assert set(np.flatnonzero(values)) == set(kept)
    assert np.isinf(clf.feature_precisions_[[k for k in range(8) if k not in kept]]).all()
    assert len(clf.selected_samples_) == len(clf.sample_weights_) == len(clf.sample_deviations_)
    assert ((clf.sample_weights_ > 0) == (y[clf.selected_samples_] == clf.classes_[1])).all()
    assert clf.n_iter_ == len(clf.trace_["log_evidence"])
    # Trials that were not accepted may follow the iteration that led to the model.
    last = list(clf.trace_["log_evidence"]).index(clf.log_evidence_)
    assert clf.trace_["features"][last] == len(kept)
    assert clf.termination_ == "converged"
    assert clf.get_support().sum() == len(kept)
    assert list(clf.get_feature_names_out()) == [f"x{k}" for k in kept]


def test_decision_is_the_sum_over_relevant_samples(data):
    """The decision value, written out in NumPy from the attributes alone."""
    X, y = data
    clf = PFCVMClassifier("rbf").fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)
    squares = ((Z[:, None] - Z[clf.selected_samples_]) ** 2) @ clf.feature_weights_
    f = clf.bias_ + np.exp(-squares) @ clf.sample_weights_
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
    clf = PFCVMClassifier(certainty="off").fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)

    def loss(weights):
        squares = ((Z[:, None] - Z[clf.selected_samples_]) ** 2) @ weights
        return log_loss(y, expit(clf.bias_ + np.exp(-squares) @ clf.sample_weights_))

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
        ({"algorithm": "other"}, "mended or paper"),
        ({"max_basis": 1}, "at least 2"),
        ({"class_weight": "odd"}, "'balanced'"),
        ({"class_weight": {7: 1.0}}, "7 is no class"),
        ({"class_weight": {0: -1.0}}, "class weights"),
        ({"start": {"weight": 1.0}}, "there is no `weight`"),
        ({"stages": [{"max_iteration": 1}]}, "there is no `max_iteration`"),
        ({"stages": []}, "at least one"),
        ({"random_state": -1}, "negative"),
        ({"max_iter": 0}, "max_iterations"),
        ({"tol": -1.0}, "tolerance"),
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


def test_a_fit_that_did_not_settle_names_the_remedy(data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="used up its iterations.*max_iter.*tol") as caught:
        short = PFCVMClassifier(max_iter=2).fit(X, y)
    assert caught[0].filename == __file__
    assert short.termination_ == "max_iterations"
    longer = PFCVMClassifier(max_iter=500).fit(X, y)
    assert longer.termination_ == "converged" and longer.n_iter_ > short.n_iter_
    assert longer.settings_["max_iterations"] == 500
    loose = PFCVMClassifier(tol=0.1).fit(X, y)
    assert loose.n_iter_ < longer.n_iter_


@pytest.mark.parametrize("made", [PFCVMClassifier, PFCVMPanelClassifier])
def test_verbose_prints_every_iteration(made, data, capsys):
    X, y = data
    # A kernel that is chosen has several fits.
    options = {"verbose": True} | ({"kernel": "rbf"} if made is PFCVMClassifier else {})
    clf = made(**options).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    whole = [line for line in lines if "held out" not in line]
    assert len(whole) == clf.n_iter_ and whole[0].startswith("iteration 1: ")
    assert f"log evidence {clf.trace_['log_evidence'][0]:.4f}" in whole[0]
    # The fits that leave out a part of the rows may go on beside the fit on all of them.
    assert len(lines) > clf.n_iter_
    parts = {line.split("iteration")[0] for line in lines if line not in whole}
    assert parts == {f"part {k} held out, " for k in range(1, clf.held_out_["folds"] + 1)}
    several = y + (X[:, 0] > 1)
    many = made(**options, scheme="one-vs-one").fit(X, several)
    lines = capsys.readouterr().out.splitlines()
    whole = [line for line in lines if "held out" not in line]
    assert len(whole) == sum(machine.n_iter for machine in many.machines_)
    assert any(line.startswith("`2` against `0`, iteration 1: ") for line in lines)
    assert sum("held out, iteration 1: " in line for line in lines) > len(many.machines_)
    alone = made(**options, certainty="off").fit(X, y)
    assert len(capsys.readouterr().out.splitlines()) == alone.n_iter_
    # Machines that learn together have the same iterations.
    together = made(**options, certainty="off", scheme="joint").fit(X, several)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == together.machines_[0].n_iter
    assert not any(line.startswith("`") for line in lines)


def test_a_summary_in_words(data):
    X, y = data
    clf = PFCVMClassifier().fit(pd.DataFrame(X, columns=list("abcdefgh")), y)
    text = clf.summary()
    assert all(name in text for name in clf.get_feature_names_out())
    panel = PFCVMPanelClassifier(3, members=10).fit(X, y)
    assert "x1" in panel.summary()
    assert len(PFCVMClassifier().fit(X, y + (X[:, 0] > 1)).summary()) > len(text) / 2


@pytest.mark.parametrize("standardise", [True, False])
def test_a_linear_model_has_coefficients(data, standardise):
    X, y = data
    clf = PFCVMClassifier("linear", standardise=standardise).fit(100 + 7 * X, y)
    f = (100 + 7 * X) @ clf.coef_.T + clf.intercept_
    mean, _ = clf.latent_mean_and_variance(100 + 7 * X)
    np.testing.assert_allclose(f[:, 0], mean, rtol=1e-8, atol=1e-8)
    assert set(np.flatnonzero(clf.coef_)) == set(clf.selected_features_)
    three = PFCVMClassifier("linear").fit(X, y + (X[:, 0] > 1))
    mean, _ = three.latent_mean_and_variance(X)
    np.testing.assert_allclose(X @ three.coef_.T + three.intercept_, mean, rtol=1e-8, atol=1e-8)
    for other in (PFCVMClassifier("rbf"), PFCVMPanelClassifier(members=10)):
        assert not hasattr(other.fit(X, y), "coef_")


def test_panel_lists_in_order(data):
    X, y = data
    clf = PFCVMPanelClassifier(size=3, members=10).fit(X, y)
    assert set(clf.selected_features_) == {0, 1, 2}
    assert (np.diff(clf.importance_) <= 0).all()
    assert ((clf.median_share_ >= 0) & (clf.median_share_ <= 1)).all()
    assert ((clf.selection_frequencies_ >= 0) & (clf.selection_frequencies_ <= 1)).all()
    assert clf.transform(X).shape == (120, 3)
    p = clf.predict_proba(X)[:, 1]
    np.testing.assert_allclose(expit(clf.decision_function(X)), p, rtol=1e-9)
    assert len(clf.trace_["log_evidence"]) == clf.n_iter_

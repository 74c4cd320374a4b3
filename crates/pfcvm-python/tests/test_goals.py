"""A list, or accuracy with all features beside it."""

import warnings

import numpy as np
import pandas as pd
import pytest
from pfcvm import NothingFoundWarning, PFCVMClassifier, PFCVMPanelClassifier, load_model
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

SCORES = {"accuracy", "log_loss", "log_loss_error"}


@pytest.fixture(scope="module")
def weak():
    """Ninety samples of which each of 100 features tells a little."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    return rng.normal(size=(90, 100)) + 0.2 * (2 * y - 1)[:, None], y


def only_together():
    """Samples whose features tell the class all together, and in any few of them next to nothing."""
    rng = np.random.default_rng(3)
    first, second = np.arange(120) % 2, np.arange(120) // 2 % 2
    sides = np.repeat(np.c_[first, second], 20, axis=1)
    return 4 * rng.uniform(-1, 1, size=(120, 40)) + 2 * sides - 1, first == second


def test_samples_follow_the_goal(data):
    X, y = data
    for parameters, samples in [
        ({}, "frozen"),
        ({"goal": "accuracy"}, "dense"),
        ({"goal": "accuracy", "samples": "few"}, "few"),
    ]:
        clf = PFCVMClassifier("rbf", certainty="off", **parameters)
        assert clone(clf).get_params() == clf.get_params()
        clf.fit(X, y)
        assert clf.settings_["samples"] == samples
        assert clf.goal == clf.settings_["goal"]
        assert clf.samples == parameters.get("samples", "auto"), "what was given is left as it is"
    with pytest.raises(ValueError, match="`best` is no goal: list or accuracy"):
        PFCVMClassifier(goal="best").fit(X, y)


def test_either_goal_says_what_the_other_brings(weak):
    X, y = weak
    listing = PFCVMClassifier("rbf").fit(X, y)
    goals = listing.goals_
    assert set(goals) == {"list", "accuracy", "all_features", "gain", "gain_error", "beats_chance"}
    assert set(goals["list"]) == set(goals["accuracy"]) == set(goals["all_features"]) == SCORES
    assert goals["gain"] > 2 * goals["gain_error"] > 0
    assert listing.held_out_["log_loss"] == pytest.approx(goals["list"]["log_loss"])
    assert listing.n_features_needed_ == len(listing.selected_features_) < 100
    assert "No short list here" in " ".join(listing.summary().split())
    both = PFCVMClassifier("rbf", goal="accuracy").fit(X, y)
    assert both.n_features_needed_ == 100 > len(both.selected_features_)
    assert both.held_out_["log_loss"] == both.goals_["accuracy"]["log_loss"]
    assert both.transform(X).shape[1] == len(both.selected_features_)
    # It holds on new samples.
    rng = np.random.default_rng(1)
    new = np.arange(400) % 2
    rows = rng.normal(size=(400, 100)) + 0.2 * (2 * new - 1)[:, None]
    assert both.score(rows, new) > listing.score(rows, new)
    assert PFCVMClassifier(certainty="off").fit(X, y).goals_ is None


@pytest.mark.parametrize("classes", [2, 3])
def test_panels_have_both_goals(weak, classes, tmp_path):
    X, y = weak
    if classes == 3:
        y = np.arange(90) % 3
        X = X + (y == 2)[:, None] * 0.3
    listing = PFCVMPanelClassifier(5, members=10, certainty="insist").fit(X, y)
    both = PFCVMPanelClassifier(5, members=10, certainty="insist", goal="accuracy").fit(X, y)
    assert (listing.n_features_needed_, both.n_features_needed_) == (5, 100)
    assert listing.goals_ == both.goals_ and both.goals_["gain"] > 0
    assert both.held_out_["log_loss"] == both.goals_["accuracy"]["log_loss"]
    np.testing.assert_array_equal(listing.selected_features_, both.selected_features_)
    # What is not on the list has its say in one of them.
    moved = X.copy()
    moved[:, np.setdiff1d(np.arange(100), both.selected_features_)] += 1.0
    np.testing.assert_array_equal(listing.predict_proba(moved), listing.predict_proba(X))
    assert np.abs(both.predict_proba(moved) - both.predict_proba(X)).max() > 0.01
    both.save_model(tmp_path / "m.json")
    back = load_model(tmp_path / "m.json")
    assert (back.goal, back.size, back.n_features_needed_) == ("accuracy", 5, 100)
    np.testing.assert_array_equal(back.predict_proba(X), both.predict_proba(X))


def test_a_frame_must_have_what_is_needed(weak):
    X, y = weak
    X = pd.DataFrame(X).rename(columns=str).assign(same=1.0)
    clf = PFCVMClassifier(goal="accuracy", certainty="off").fit(X, y)
    assert clf.n_features_needed_ == 100, "a column that never varies is not needed"
    expected = clf.predict_proba(X)
    np.testing.assert_array_equal(clf.predict_proba(X.drop(columns="same")), expected)
    np.testing.assert_array_equal(clf.predict_proba(X.assign(same="?")), expected)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(X[clf.get_feature_names_out()])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_model_has_coefficients_of_all_features(weak, classes):
    X, y = weak
    y = y + (np.arange(90) % 3 == 0) if classes == 3 else y
    clf = PFCVMClassifier("linear", goal="accuracy", certainty="off").fit(3 + 2 * X, y)
    assert np.count_nonzero(clf.coef_[0]) == 100
    mean, _ = clf.latent_mean_and_variance(3 + 2 * X)
    found = (3 + 2 * X) @ clf.coef_.T + clf.intercept_
    np.testing.assert_allclose(found.squeeze(), mean, rtol=1e-9, atol=1e-9)
    curved = PFCVMClassifier("rbf", goal="accuracy", certainty="off").fit(X, y)
    assert not hasattr(curved, "coef_")


def test_no_list_but_all_features():
    X, y = only_together()
    with pytest.warns(NothingFoundWarning, match='goal="accuracy" predicts with them'):
        listing = PFCVMClassifier().fit(X, y)
    assert len(np.unique(listing.predict_proba(X))) == 1
    assert listing.goals_["beats_chance"] and listing.n_features_needed_ == 0
    with pytest.warns(NothingFoundWarning, match="all of them predict"):
        clf = PFCVMClassifier(goal="accuracy").fit(X, y)
    assert clf.nothing_found_ and len(clf.selected_features_) == 0
    assert clf.n_features_needed_ == 40
    assert clf.score(X, y) > 0.8
    rng = np.random.default_rng(2)
    with pytest.warns(NothingFoundWarning, match="the shares of the classes are predicted"):
        PFCVMClassifier(goal="accuracy").fit(rng.normal(size=(60, 5)), np.arange(60) % 2)


@pytest.mark.parametrize("scheme", ["joint", "one-vs-one"])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_several_classes(waveform, scheme, kernel):
    _, X, y = waveform
    X = X.iloc[:, 5:17]
    clf = PFCVMClassifier(kernel, goal="accuracy", scheme=scheme).fit(X, y)
    assert clf.n_features_needed_ == 12
    if scheme == "joint":
        assert clf.goals_ == clf.held_out_["goals"]
        assert all("goals" not in one.held_out for one in clf.machines_)
    else:
        assert not hasattr(clf, "goals_")
        assert all(one.held_out["goals"]["gain_error"] >= 0 for one in clf.machines_)
    p = clf.predict_proba(X)
    assert np.isfinite(p).all() and np.allclose(p.sum(axis=1), 1)


# Whether a list is found in these few columns is no matter here.
@pytest.mark.filterwarnings("ignore::pfcvm.NothingFoundWarning")
@pytest.mark.parametrize("options", [(), ("--kernel", "linear"), ("--certainty", "off")])
def test_the_program_writes_the_same_model(options, weak, tmp_path, program):
    X, y = weak
    X = pd.DataFrame(X[:, :12]).rename(columns=lambda k: f"c{k}")
    X.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    program(
        "fit", tmp_path / "data.csv", "--goal", "accuracy", "--model", tmp_path / "p.json", *options
    )
    given = {key.strip("-"): value for key, value in zip(options[::2], options[1::2])}
    clf = PFCVMClassifier(goal="accuracy", **given).fit(X, y)
    clf.save_model(tmp_path / "m.json", label="y")
    assert (tmp_path / "m.json").read_bytes() == (tmp_path / "p.json").read_bytes()
    back = load_model(tmp_path / "p.json")
    asked = "dense" if back.choice_ is None else "auto"
    assert back.goal == "accuracy" and back.samples == asked
    np.testing.assert_array_equal(back.predict_proba(X), clf.predict_proba(X))
    assert back.goals_ == clf.goals_


def test_samples_that_weigh_twice_come_twice(data):
    X, y = data
    weights = 1 + np.arange(len(y)) % 2
    by_weight = PFCVMClassifier(goal="accuracy").fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(len(y)), weights)
    by_rows = PFCVMClassifier(goal="accuracy").fit(X[rows], y[rows])
    np.testing.assert_array_equal(by_weight.predict_proba(X), by_rows.predict_proba(X))


def test_a_bound_is_for_a_list(data):
    X, y = data
    clf = PFCVMClassifier(goal="accuracy", certainty="off")
    with pytest.raises(NotFittedError):
        clf.generalization_bound(X, y)
    with pytest.raises(ValueError, match="a model for accuracy has no bound"):
        clf.fit(X, y).generalization_bound(X, y)


def test_words_and_gaps(rng):
    colour = rng.choice(["red", "green", "blue"], size=120)
    size = np.where(rng.random(120) < 0.2, np.nan, rng.normal(size=120))
    y = np.where((colour == "red") ^ (rng.random(120) < 0.1), "yes", "no")
    X = pd.DataFrame({"colour": colour, "size": size, "noise": rng.normal(size=120)})
    clf = PFCVMClassifier(goal="accuracy").fit(X, y)
    assert clf.n_features_needed_ == 3 and clf.score(X, y) > 0.8
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(clf.predict_proba(X)).all()

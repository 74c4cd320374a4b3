"""How sure a fit is of what it found, and fits that found nothing."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from pfcvm import (
    NothingFoundWarning,
    PFCVMClassifier,
    PFCVMPanelClassifier,
    load_model,
    score_batches,
    selection_stability,
)
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

MADE = [PFCVMClassifier(), PFCVMClassifier("linear"), PFCVMPanelClassifier(4, members=10)]
quiet = pytest.mark.filterwarnings("ignore::pfcvm.NothingFoundWarning")


@pytest.fixture(scope="session")
def permuted(data):
    """Features that say nothing of the classes, of which one has more rows."""
    X, _ = data
    y = np.repeat(["no", "yes"], [80, 40])
    return X, np.random.default_rng(3).permutation(y)


@pytest.fixture(scope="session")
def three(data):
    """Three classes that the first two features tell apart, and the same classes permuted."""
    X, _ = data
    y = np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.6, 0.5])
    return X, y, np.random.default_rng(1).permutation(y)


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_a_clear_signal_is_certain(clf, data):
    X, y = data
    clf = clone(clf).fit(X, y)
    assert clf.nothing_found_ is False
    selected = clf.selected_features_
    assert {0, 1} <= set(clf.certain_features_) <= set(selected)
    # In the order of the selected ones.
    certain = np.isin(selected, clf.certain_features_)
    np.testing.assert_array_equal(selected[certain], clf.certain_features_)
    for values in (clf.false_alarm_, clf.importance_, clf.p_value_, clf.kept_share_):
        assert values.shape == selected.shape
    for shares in (clf.false_alarm_, clf.p_value_, clf.kept_share_):
        assert ((shares >= 0) & (shares <= 1)).all()
    strong = np.isin(selected, [0, 1])
    assert (clf.false_alarm_[strong] < 0.05).all() and (clf.kept_share_[strong] == 1).all()
    low, high = clf.importance_interval_.T
    assert ((low <= clf.importance_) & (clf.importance_ <= high)).all() and (low[strong] > 0).all()
    expected = np.zeros(8)
    expected[selected] = np.maximum(clf.importance_, 0)
    np.testing.assert_array_equal(clf.feature_importances_, expected)
    assert clf.feature_shares_.sum() == pytest.approx(1.0)
    assert list(clf.certain_feature_names_out()) == [f"x{k}" for k in clf.certain_features_]
    figures = clf.held_out_
    assert figures["p_value"] < 0.05 and figures["log_loss"] < figures["baseline_log_loss"]
    assert figures["expected_false"] == pytest.approx(clf.false_alarm_.sum())
    assert figures["expected_false_certain"] == pytest.approx(clf.false_alarm_[certain].sum())
    only = clf.machines_[0]
    np.testing.assert_array_equal(only.false_alarm, clf.false_alarm_)
    np.testing.assert_array_equal(only.certain_features, clf.certain_features_)


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_permuted_labels_give_the_shares_of_the_classes(clf, permuted, tmp_path):
    X, y = permuted
    with pytest.warns(NothingFoundWarning, match="better than chance.*insist") as caught:
        clf = clone(clf).fit(X, y)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert "\n" not in str(caught[0].message)
    assert clf.nothing_found_ is True and clf.held_out_["p_value"] > 0.05
    for none in (clf.selected_features_, clf.certain_features_, clf.false_alarm_, clf.importance_):
        assert len(none) == 0
    assert clf.importance_interval_.shape == (0, 2)
    assert not clf.feature_importances_.any() and not clf.feature_weights_.any()
    shares = np.tile([2 / 3, 1 / 3], (120, 1))
    clf.save_model(tmp_path / "m.json")
    for one in (
        clf,
        copy.deepcopy(clf),
        pickle.loads(pickle.dumps(clf)),
        load_model(tmp_path / "m.json"),
    ):
        assert one.nothing_found_ is True
        for rows in (X, X.astype(np.float32), sparse.csr_matrix(X)):
            np.testing.assert_allclose(one.predict_proba(rows), shares, rtol=1e-12)
        np.testing.assert_allclose(one.predict_log_proba(X), np.log(shares), rtol=1e-12)
        assert (one.predict(X) == "no").all() and one.score(X, y) == pytest.approx(2 / 3)
        decision, std = one.decision_function(X, return_std=True)
        np.testing.assert_allclose(decision, -np.log(2), rtol=1e-12)
        assert not std.any()
        assert one.certain_feature_names_out().shape == one.get_feature_names_out().shape == (0,)
        assert "chance" in one.summary()


@quiet
def test_frames_without_what_was_not_needed(permuted):
    X, y = permuted
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    clf = PFCVMClassifier().fit(frame, y)
    p = clf.predict_proba(frame)
    np.testing.assert_array_equal(clf.predict_proba(frame[[]]), p)
    np.testing.assert_array_equal(clf.predict_proba(frame.assign(a=np.nan)), p)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame.rename(columns={"a": "z"}))
    pa = pytest.importorskip("pyarrow")
    scored = pa.Table.from_batches(score_batches(pa.Table.from_pandas(frame).to_batches(), clf))
    np.testing.assert_array_equal(scored["probability"], p[:, 1])


@quiet
def test_scikit_learn_on_nothing(permuted):
    """Its own words for an empty selection, and no others."""
    X, y = permuted
    clf = PFCVMClassifier().fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert clf.transform(X).shape == (120, 0)
    chosen = SelectFromModel(PFCVMClassifier(), threshold=1e-12).fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert chosen.transform(X).shape == (120, 0)
    pipe = make_pipeline(PFCVMClassifier(), LogisticRegression())
    with (
        pytest.warns(UserWarning, match="No features were selected"),
        pytest.raises(ValueError, match="0 feature"),
    ):
        pipe.fit(X, y)
    linear = PFCVMClassifier("linear").fit(X, y)
    assert not linear.coef_.any() and linear.intercept_ == pytest.approx([-np.log(2)])
    found = selection_stability(PFCVMClassifier(), X, y, cv=3)
    assert [len(subset) for subset in found.subsets] == [0, 0, 0]


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_who_insists_gets_a_list(clf, permuted):
    X, y = permuted
    clf = clone(clf).set_params(certainty="insist").fit(X, y)
    assert clf.nothing_found_ is True and len(clf.selected_features_) > 0
    assert len(clf.certain_features_) == 0
    assert len(clf.importance_) == len(clf.false_alarm_) == len(clf.selected_features_)
    assert (clf.false_alarm_ > 0.05).all()


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_off_is_not_asked(clf, data, permuted):
    for X, y in (data, permuted):
        clf = clone(clf).set_params(certainty="off").fit(X, y)
        assert len(clf.selected_features_) > 0
        for unknown in (
            clf.nothing_found_,
            clf.certain_features_,
            clf.false_alarm_,
            clf.importance_,
            clf.importance_interval_,
            clf.p_value_,
            clf.kept_share_,
            clf.held_out_,
        ):
            assert unknown is None
        np.testing.assert_array_equal(clf.feature_importances_, clf.feature_shares_)
        with pytest.raises(ValueError, match="not known which features are certain"):
            clf.certain_feature_names_out()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_papers_algorithm_is_not_asked_unless_it_is(data):
    X, y = data
    assert PFCVMClassifier(algorithm="paper").fit(X, y).nothing_found_ is None
    asked = PFCVMClassifier(algorithm="paper", certainty="insist").fit(X, y)
    assert asked.settings_["certainty"] == "insist"


def test_too_few_rows_of_a_class_cannot_be_asked(data):
    X, y = data
    rows = np.r_[np.flatnonzero(y == 0)[:30], np.flatnonzero(y == 1)[:2]]
    clf = PFCVMClassifier().fit(X[rows], y[rows])
    assert clf.nothing_found_ is None and clf.held_out_ is None


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_the_dials_speak_of_what_is_certain(clf, data):
    X, y = data
    wide = clone(clf).set_params(max_false=100.0).fit(X, y)
    # None that is more likely false than not, however many may be.
    likely = wide.selected_features_[wide.false_alarm_ <= 0.5]
    np.testing.assert_array_equal(wide.certain_features_, likely)
    narrow = clone(clf).set_params(max_false=1e-9).fit(X, y)
    assert narrow.held_out_["expected_false_certain"] <= 1e-9
    assert narrow.held_out_["max_false"] == 1e-9
    assert len(narrow.certain_features_) < len(wide.certain_features_)
    # What the model predicts with is another list.
    np.testing.assert_array_equal(narrow.selected_features_, wide.selected_features_)
    np.testing.assert_array_equal(narrow.predict_proba(X), wide.predict_proba(X))
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="max_false") as caught:
            clone(clf).set_params(max_false=wrong).fit(X, y)
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="on, insist or off"):
        clone(clf).set_params(certainty="perhaps").fit(X, y)


@pytest.mark.parametrize("scheme", ["joint", "one-vs-one", "one-vs-rest"])
@pytest.mark.parametrize("clf", [MADE[0], MADE[2]], ids=str)
def test_more_classes(clf, scheme, three, tmp_path):
    X, y, shuffled = three
    clf = clone(clf).set_params(scheme=scheme).fit(X, y)
    assert clf.nothing_found_ is False and 0 in clf.certain_features_
    assert set(clf.certain_features_) <= set(clf.selected_features_)
    assert clf.false_alarm_.shape == clf.selected_features_.shape
    assert clf.false_alarm_[clf.selected_features_ == 0] < 0.05
    mean = np.zeros(8)
    for machine in clf.machines_:
        mean[machine.selected_features] += np.maximum(machine.importance, 0) / 3
        assert set(machine.certain_features) <= set(machine.selected_features)
        assert machine.held_out["folds"] > 1
    if hasattr(clf, "importance_"):  # learned at once
        mean = np.zeros(8)
        mean[clf.selected_features_] = np.maximum(clf.importance_, 0)
        figures = clf.held_out_
        assert figures["p_value"] < 0.05 and figures["log_loss"] < figures["baseline_log_loss"]
        assert figures["expected_false"] == pytest.approx(clf.false_alarm_.sum())
    np.testing.assert_allclose(clf.feature_importances_, mean)
    assert clf.feature_shares_.sum() == pytest.approx(1.0)

    with pytest.warns(NothingFoundWarning):
        clf.fit(X, shuffled)
    assert clf.nothing_found_ is True
    shares = np.tile(np.bincount(shuffled) / 120, (120, 1))
    clf.save_model(tmp_path / "m.json")
    for one in (clf, pickle.loads(pickle.dumps(clf)), load_model(tmp_path / "m.json")):
        assert not len(one.selected_features_) and not len(one.certain_features_)
        if hasattr(one, "importance_"):
            assert one.importance_interval_.shape == (0, 2)
            assert one.class_importance_.shape == (0, 3)
            assert one.pair_importance_.shape == (0, 3, 3)
        np.testing.assert_allclose(one.predict_proba(X), shares, rtol=1e-9)
        assert (one.predict(X) == np.bincount(shuffled).argmax()).all()
        assert np.isfinite(one.decision_function(X)).all()
        assert "chance" in one.summary()


@pytest.mark.parametrize("clf", MADE, ids=str)
def test_what_is_known_is_in_the_file(clf, data, tmp_path):
    X, y = data
    clf = clone(clf).set_params(max_false=0.5, certainty="insist").fit(X, y)
    clf.save_model(tmp_path / "m.json")
    for one in (load_model(tmp_path / "m.json"), pickle.loads(pickle.dumps(clf))):
        assert (one.max_false, one.certainty) == (0.5, "insist")
        assert one.held_out_ == clf.held_out_ and one.nothing_found_ is False
        np.testing.assert_array_equal(one.certain_features_, clf.certain_features_)
        np.testing.assert_array_equal(one.importance_, clf.importance_)
        np.testing.assert_array_equal(one.importance_interval_, clf.importance_interval_)
        np.testing.assert_array_equal(one.feature_importances_, clf.feature_importances_)


@quiet
@pytest.mark.parametrize("panel", [False, True], ids=["single", "panel"])
@pytest.mark.parametrize("labels", ["found", "nothing"])
@pytest.mark.parametrize(
    "settings", [{}, {"certainty": "insist"}, {"certainty": "off"}, {"max_false": 0.5}], ids=str
)
def test_the_program_writes_the_same_file(
    panel, labels, settings, data, permuted, program, tmp_path
):
    X, y = permuted
    y = y if labels == "nothing" else np.array(["no", "yes"])[data[1]]
    frame = pd.DataFrame(X.round(4), columns=list("abcdefgh"))
    clf = PFCVMPanelClassifier(4) if panel else PFCVMClassifier()
    clf.set_params(**settings).fit(frame, y).save_model(tmp_path / "python.json", label="label")
    frame.assign(label=y).to_csv(tmp_path / "data.csv", index=False)
    options = ["--panel", 4] if panel else []
    for name, value in settings.items():
        options += [f"--{name.replace('_', '-')}", value]
    model = tmp_path / "program.json"
    said = program(
        "fit", tmp_path / "data.csv", "--model", model, "--label", "label", "--json", *options
    )
    assert (tmp_path / "python.json").read_bytes() == model.read_bytes()
    assert json.loads(said)["nothing_found"] == clf.nothing_found_

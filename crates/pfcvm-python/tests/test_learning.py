"""Rows that look like none, rows to label next, learning on."""

import warnings

import numpy as np
import pytest
from pfcvm import PFCVMClassifier, load_model

# What learning on tells of new rows.
pytestmark = pytest.mark.filterwarnings("ignore:PFCVMClassifier:UserWarning")


def rings(rows, seed, classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    radius = 1 + 1.3 * y + 0.6 * rng.random(rows)
    angle = 2 * np.pi * rng.random(rows)
    return np.c_[radius * np.cos(angle), radius * np.sin(angle), rng.random(rows)], y


def test_novelty_is_large_far_from_what_was_seen(tmp_path):
    X, y = rings(200, 0)
    clf = PFCVMClassifier(kernel="rbf").fit(X, y)
    near, _ = rings(300, 1)
    assert (clf.novelty(near) > 1).mean() < 0.05
    far = clf.novelty([[40.0, -30.0, 0.5]])
    assert far.shape == (1,) and far[0] > 5
    clf.save_model(tmp_path / "m.json")
    np.testing.assert_array_equal(load_model(tmp_path / "m.json").novelty(near), clf.novelty(near))


def test_suggested_rows_are_worth_less_and_less():
    X, y = rings(60, 2)
    clf = PFCVMClassifier(kernel="rbf", certainty="insist").fit(X, y)
    pool, _ = rings(500, 3)
    rows, gain = clf.suggest(pool, 12, return_gain=True)
    assert len(set(rows.tolist())) == 12 and (np.diff(gain) <= 0).all() and gain[-1] > 0
    np.testing.assert_array_equal(clf.suggest(pool, 5), rows[:5])
    with pytest.raises(ValueError, match="at least 1"):
        clf.suggest(pool, 0)


def test_learning_on_is_learning_from_everything_as_long_as_all_is_kept():
    X, y = rings(240, 4)
    clf = PFCVMClassifier(kernel="rbf", samples="few", certainty="off", keep_rows=2000)
    for start in range(0, 240, 80):
        clf.partial_fit(X[start : start + 80], y[start : start + 80], classes=[0, 1])
    whole = PFCVMClassifier(kernel="rbf", samples="few", certainty="off").fit(X, y)
    new, _ = rings(50, 5)
    np.testing.assert_array_equal(clf.predict_proba(new), whole.predict_proba(new))


def test_a_new_class_comes_last_and_others_are_refused():
    X, y = rings(240, 6, classes=3)
    known = y < 2
    clf = PFCVMClassifier(kernel="rbf", certainty="off", keep_rows=500).partial_fit(
        X[known], np.array(["b", "c"])[y[known]]
    )
    with pytest.raises(ValueError, match="not among"):
        clf.partial_fit(X[~known], np.full((~known).sum(), "a"), classes=["b", "c"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf.partial_fit(X[~known], np.full((~known).sum(), "a"))
    assert any("is a new class" in str(one.message) for one in caught)
    assert clf.classes_.tolist() == ["b", "c", "a"]
    called = clf.predict(X)
    assert (called == np.array(["b", "c", "a"])[y]).mean() > 0.8


def test_a_fit_without_rows_cannot_go_on():
    X, y = rings(100, 7)
    clf = PFCVMClassifier(kernel="rbf", certainty="off").fit(X, y)
    assert not hasattr(clf, "partial_fit")
    with pytest.raises(ValueError, match="keep_rows"):
        clf.set_params(keep_rows=50).partial_fit(X, y)
    clf = PFCVMClassifier(kernel="rbf", certainty="off", keep_rows=50).fit(X, y)
    clf.partial_fit(X, y)
    with pytest.raises(ValueError, match="half_life"):
        clf.set_params(half_life=-1.0).partial_fit(X, y)

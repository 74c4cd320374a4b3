"""Rows that look like none, rows to label next, learning on, samples without a label."""

import warnings

import numpy as np
import pandas as pd
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


def test_suggested_rows_are_different_and_worth_something():
    X, y = rings(60, 2)
    clf = PFCVMClassifier(kernel="rbf", certainty="insist").fit(X, y)
    pool, _ = rings(500, 3)
    rows, gain = clf.suggest(pool, 12, return_gain=True)
    assert len(set(rows.tolist())) == 12 and (gain > 0).all() and gain.sum() < 1
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


def partly_labelled(seed=8, rows=300, labelled=24):
    X, y = rings(rows, seed)
    return X, y, np.arange(rows) >= labelled


def test_samples_without_a_label_are_used_where_they_help(tmp_path):
    X, y, is_open = partly_labelled()
    clf = PFCVMClassifier(kernel="rbf", unlabelled=-1).fit(X, np.where(is_open, -1, y))
    found = clf.unlabelled_
    assert found["rows"] == is_open.sum()
    assert found["used"] == (found["with"] < found["without"])
    assert clf.classes_.tolist() == [0, 1]
    assert (clf.held_out_ is None) == found["used"]
    # Rows are those of X, wherever the labelled ones stand.
    order = np.random.default_rng(0).permutation(len(y))
    moved = PFCVMClassifier(kernel="rbf", unlabelled=-1).fit(
        X[order], np.where(is_open, -1, y)[order]
    )
    remembered = X[clf.selected_samples_]
    assert len(moved.selected_samples_) and moved.selected_samples_.max() < len(y)
    assert remembered.shape[1] == 3
    alone = PFCVMClassifier(kernel="rbf").fit(X[~is_open], y[~is_open])
    if found["used"]:
        new, truth = rings(400, 9)
        assert clf.score(new, truth) > alone.score(new, truth) - 0.02
    clf.save_model(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").unlabelled_ == found
    assert "rows without a label" in clf.summary()


def test_what_stands_for_no_label_is_the_users_choice():
    X, y, is_open = partly_labelled(10, 120, 40)

    def fitted(labels, gap):
        return PFCVMClassifier(kernel="rbf", samples="few", unlabelled=gap).fit(X, labels)

    first = fitted(np.where(is_open, -1, y), -1)
    gaps = np.where(is_open, np.nan, y)
    texts = [None if gap else str(label) for gap, label in zip(is_open, y)]
    new, _ = rings(50, 11)
    for other in (
        fitted(gaps, np.nan),
        fitted(pd.Series(y).astype("Int64").mask(is_open), np.nan),
        fitted(texts, np.nan),
        fitted([text or "?" for text in texts], "?"),
    ):
        assert other.unlabelled_ == first.unlabelled_
        np.testing.assert_array_equal(other.predict_proba(new), first.predict_proba(new))
    assert fitted(gaps, np.nan).classes_.dtype.kind == "i"


def test_minus_one_is_a_class_unless_something_else_is_said():
    X, y = rings(80, 12)
    clf = PFCVMClassifier(kernel="rbf", certainty="off").fit(X, 2 * y - 1)
    assert clf.classes_.tolist() == [-1, 1] and clf.unlabelled_ is None
    told = PFCVMClassifier(kernel="rbf", certainty="off", unlabelled=-9).fit(X, 2 * y - 1)
    assert told.unlabelled_ is None
    np.testing.assert_array_equal(told.predict_proba(X), clf.predict_proba(X))
    with pytest.raises(ValueError, match="every sample is without a label"):
        told.fit(X, np.full(80, -9))
    with pytest.raises(ValueError, match="only one class"):
        told.fit(X, np.where(y == 0, -9, y))


def test_words_and_weights_of_samples_without_a_label():
    X, y, is_open = partly_labelled(13, 120, 40)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
        word=np.where(is_open, "new", np.where(y == 1, "one", "two"))
    )
    labels = np.where(is_open, -1, y)
    clf = PFCVMClassifier(kernel="rbf", unlabelled=-1).fit(frame, labels)
    assert clf.unlabelled_["rows"] == 80
    weights = np.where(np.arange(120) % 4 == 3, 0.0, 1.0)
    lighter = PFCVMClassifier(kernel="rbf", unlabelled=-1).fit(frame, labels, weights)
    kept = weights > 0
    fewer = PFCVMClassifier(kernel="rbf", unlabelled=-1).fit(frame[kept], labels[kept])
    assert lighter.unlabelled_["rows"] == fewer.unlabelled_["rows"] == 60
    known = frame[~is_open]
    np.testing.assert_array_equal(lighter.predict_proba(known), fewer.predict_proba(known))


def test_learning_on_passes_over_samples_without_a_label():
    X, y, is_open = partly_labelled(14, 200, 60)
    options = {"kernel": "rbf", "certainty": "off", "keep_rows": 500}
    clf = PFCVMClassifier(unlabelled=-1, **options).fit(X[:50], y[:50])
    clf.partial_fit(X[50:], np.where(is_open, -1, y)[50:], classes=[0, 1])
    plain = PFCVMClassifier(**options).fit(X[:50], y[:50]).partial_fit(X[50:60], y[50:60])
    np.testing.assert_array_equal(clf.predict_proba(X), plain.predict_proba(X))


def test_a_warm_start_keeps_the_kernel():
    X, y = rings(150, 15)
    line = (X[:, 0] + X[:, 1] > 0).astype(int)
    clf = PFCVMClassifier(warm_start=True).fit(X, y)
    assert clf.settings_["kernel"] == "rbf" and clf.choice_["tried"]
    again = PFCVMClassifier(kernel="rbf").fit(X, line)
    clf.fit(X, line)
    assert clf.choice_ is None
    np.testing.assert_array_equal(clf.predict_proba(X), again.predict_proba(X))

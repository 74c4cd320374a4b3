"""What goes in: types, orders, frames, sparse matrices, weights, labels."""

import numpy as np
import pandas as pd
import pfcvm
import polars as pl
import pytest
from pfcvm import (
    FisherSelector,
    PFCVMClassifier,
    PFCVMPanelClassifier,
    RVMClassifier,
    WSVMClassifier,
)
from scipy import sparse
from sklearn.base import clone

# How a fit ends is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CLASSIFIERS = [
    PFCVMClassifier(),
    PFCVMPanelClassifier(members=10),
    RVMClassifier(),
    WSVMClassifier("linear"),
]


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
@pytest.mark.parametrize("goal", ["list", "accuracy"])
def test_few_written_cells_are_as_dense(kind, goal):
    rng = np.random.default_rng(5)
    X = np.where(rng.random((150, 40)) < 0.1, 1 + rng.random((150, 40)), 0)
    X[:, :3] = np.where(rng.random((150, 3)) < 0.4, 1 + rng.random((150, 3)), 0)
    y = 2 * (X[:, 0] + X[:, 1] - X[:, 2]) - 1 + rng.normal(size=150) > 0
    clf = PFCVMClassifier(kernel="linear", goal=goal)
    one, other = clone(clf).fit(kind(X), y), clone(clf).fit(X, y)
    assert one.selected_features_.tolist() == other.selected_features_.tolist()
    # The two routes add in different orders.
    np.testing.assert_allclose(one.predict_proba(kind(X)), other.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
class TestForms:
    def test_orders_and_strides_give_the_same_bits(self, clf, data):
        X, y = data
        expected = clone(clf).fit(X, y).decision_function(X)
        wide = np.repeat(X, 2, axis=1)[::, ::2]
        backwards = X[::-1][::-1]
        for other in (np.asfortranarray(X), wide, backwards, X.tolist()):
            np.testing.assert_array_equal(
                clone(clf).fit(other, y).decision_function(other), expected
            )

    def test_float32_is_as_its_values_in_float64(self, clf, data):
        X, y = data
        single = X.astype(np.float32)
        a = clone(clf).fit(single, y).decision_function(single)
        b = (
            clone(clf)
            .fit(single.astype(np.float64), y)
            .decision_function(single.astype(np.float64))
        )
        np.testing.assert_array_equal(a, b)

    def test_whole_numbers(self, clf, data):
        X, y = data
        whole = (100 * X).astype(int)
        assert clone(clf).fit(whole, y).score(whole, y) > 0.8

    @pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
    def test_sparse_is_as_dense(self, clf, data, kind, monkeypatch):
        X, y = data
        X = np.where(np.abs(X) < 0.5, 0, X)
        expected = clone(clf).fit(X, y).decision_function(X)
        # Blocks of a few rows, so that there are several.
        monkeypatch.setattr(pfcvm._input, "BLOCK_VALUES", 100)
        np.testing.assert_array_equal(
            clone(clf).fit(kind(X), y).decision_function(kind(X)), expected
        )

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
    def test_frames_keep_names(self, clf, data, frame):
        X, y = data
        names = [f"gene {k}" for k in range(8)]
        table = frame(dict(zip(names, X.T)))
        fitted = clone(clf).fit(table, y)
        assert fitted.feature_names_in_.tolist() == names
        np.testing.assert_array_equal(
            fitted.decision_function(table), clone(clf).fit(X, y).decision_function(X)
        )
        if isinstance(fitted, PFCVMClassifier):
            chosen = fitted.set_output(transform="pandas").transform(table)
            assert chosen.columns.tolist() == [names[k] for k in fitted.selected_features_]
            chosen = fitted.set_output(transform="polars").transform(table)
            assert chosen.columns == [names[k] for k in fitted.selected_features_]

    @pytest.mark.parametrize(
        "labels", [["no", "yes"], [False, True], [3, 11], [-1.0, 1.0], np.array(["a", "b"], object)]
    )
    def test_labels_of_any_type(self, clf, data, labels):
        X, y = data
        fitted = clone(clf).fit(X, np.asarray(labels)[y])
        assert fitted.classes_.tolist() == list(labels)
        expected = clone(clf).fit(X, y).predict(X)
        np.testing.assert_array_equal(fitted.predict(X), np.asarray(labels)[expected])

    def test_weights_are_repetitions(self, clf, data, rng):
        X, y = data
        weights = rng.integers(0, 4, len(y))
        order = rng.permutation(len(y))
        a = clone(clf).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        b = clone(clf).fit(X[order], y[order], sample_weight=weights[order])
        np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))

    def test_rows_of_weight_0_cannot_matter(self, clf, data):
        X, y = data
        wild = np.vstack([X, np.full((3, 8), 1e6)])
        weights = np.r_[np.full(len(y), 2.0), np.zeros(3)]
        a = clone(clf).fit(wild, np.r_[y, 0, 1, 1], sample_weight=weights)
        b = clone(clf).fit(X, y, sample_weight=np.full(len(y), 2.0))
        np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
        if hasattr(a, "selected_samples_"):
            np.testing.assert_array_equal(
                np.sort(a.selected_samples_), np.sort(b.selected_samples_)
            )

    def test_nasty_columns(self, clf, data):
        X, y = data
        nasty = np.column_stack([X, X[:, 0], np.full(120, 7.0), 1e150 * X[:, 1], 1e-150 * X[:, 2]])
        fitted = clone(clf).fit(nasty, y)
        assert np.isfinite(fitted.decision_function(nasty)).all()
        far = nasty.copy()
        far[0] = 1e300
        assert np.isfinite(fitted.decision_function(far)).all()

    def test_refusals(self, clf, data):
        X, y = data
        with pytest.raises(ValueError, match="class"):
            clone(clf).fit(X, np.zeros(120))
        with pytest.raises(ValueError, match="weight.*zero|zero.*weight"):
            clone(clf).fit(X, y, sample_weight=np.zeros(120))
        with pytest.raises(ValueError, match="egative"):
            clone(clf).fit(X, y, sample_weight=np.full(120, -1.0))
        with pytest.raises(ValueError, match="1d array"):
            clone(clf).fit(X, np.column_stack([y, 1 - y]))
        with pytest.raises(ValueError, match="varies|vary|features that|different"):
            clone(clf).fit(np.ones((120, 4)), y)


def test_selected_samples_are_rows_as_given(data):
    X, y = data
    doubled = np.vstack([X[::-1], X])
    clf = PFCVMClassifier().fit(doubled, np.r_[y[::-1], y])
    signs = np.where(np.r_[y[::-1], y][clf.selected_samples_] == 1, 1, -1)
    assert (np.sign(clf.sample_weights_) == signs).all()


def test_class_weight_moves_the_boundary(data):
    X, y = data
    for make in (PFCVMClassifier, RVMClassifier, WSVMClassifier, pfcvm.L1SVMClassifier):
        share = [
            make(class_weight={0: 1.0, 1: factor}).fit(X, y).predict(X).mean()
            for factor in (0.05, 1.0, 20.0)
        ]
        assert share[0] < share[2], make


def test_balanced_is_what_it_says(data):
    X, y = data
    rows = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:15]]
    counts = np.bincount(y[rows])
    stated = {k: len(rows) / (2 * counts[k]) for k in (0, 1)}
    # Without a part of the rows, what balances the others is a little different.
    for clf in (PFCVMClassifier(certainty="off"), RVMClassifier(), pfcvm.PCVMClassifier()):
        a = clone(clf).set_params(class_weight="balanced").fit(X[rows], y[rows])
        b = clone(clf).set_params(class_weight=stated).fit(X[rows], y[rows])
        np.testing.assert_allclose(
            a.decision_function(X), b.decision_function(X), rtol=1e-6, atol=1e-8
        )


def test_selectors_find_what_matters(data):
    X, y = data
    for name in ("FisherSelector", "MRMRSelector", "FSNMSelector"):
        selector = getattr(pfcvm, name)(n_features_to_select=3).fit(X, y)
        assert len(set(selector.selected_features_) & {0, 1, 2}) >= 2, name
    best = FisherSelector(n_features_to_select=8).fit(X, y).selected_features_
    spread = np.array(
        [
            np.diff([X[y == k, j].mean() for k in (0, 1)])[0] ** 2
            / sum(X[y == k, j].var() * (y == k).mean() for k in (0, 1))
            for j in range(8)
        ]
    )
    np.testing.assert_array_equal(best, np.argsort(-spread))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    "clf",
    [PFCVMClassifier(), PFCVMPanelClassifier(3, members=10), WSVMClassifier("linear")],
    ids=lambda clf: type(clf).__name__,
)
def test_only_needed_columns_are_looked_at(clf, data, frame):
    X, y = data
    names = [f"gene {k}" for k in range(8)]
    whole = frame(dict(zip(names, X.T)))
    fitted = clone(clf).fit(whole, y)
    expected = fitted.decision_function(whole)
    needed = [names[k] for k in np.sort(fitted.selected_features_)]
    assert 0 < len(needed) < 8
    others = [name for name in names if name not in needed]
    # Gaps, infinities and words in other columns say nothing.
    for value in (None, float("inf"), "a word"):
        columns = {name: [value] * 120 for name in others}
        other = frame({name: columns.get(name, whole[name]) for name in names})
        np.testing.assert_array_equal(fitted.decision_function(other), expected)
    # Nor need they be there.
    np.testing.assert_array_equal(fitted.decision_function(whole[needed]), expected)
    np.testing.assert_array_equal(fitted.decision_function(whole[needed[::-1]]), expected)
    for wrong, message in [
        (whole[needed[1:]], f"yet now missing:(.|\n)*{needed[0]}"),
        (whole[names[::-1]], "same order"),
        (whole[[*needed, others[0]]], "yet now missing" if len(others) > 1 else "same order"),
    ]:
        with pytest.raises(ValueError, match=message):
            fitted.predict(wrong)
    # In a needed column a gap is one, infinities are refused, and words where numbers were too.
    for value, message in ((float("inf"), "infinity"), ("a word", "could not convert")):
        wrong = frame({name: [value] * 120 if name == needed[0] else whole[name] for name in names})
        with pytest.raises(ValueError, match=message):
            fitted.predict(wrong)
    gap = frame({name: [None] * 120 if name == needed[0] else whole[name] for name in names})
    filled = fitted.decision_function(gap)
    assert np.isfinite(filled).all() and (filled != expected).any()


def test_weights_that_count_for_next_to_nothing_are_told(data):
    X, y = data
    with pytest.warns(UserWarning, match="120 samples that sum to 1 are learned from as 1 samples"):
        PFCVMClassifier().fit(X, y, sample_weight=np.full(120, 1 / 120))
    # Few that count are as few samples, which is what 0 says.
    few = np.where(np.arange(120) < 40, 1.0, 0.0)
    PFCVMClassifier().fit(X, y, sample_weight=few)


def malformed(X, kind, how):
    """A sparse matrix whose lists somebody changed."""
    bad = kind(X)
    if kind is sparse.coo_array:
        bad.coords[0][3] = {"beyond": 10**6, "below": -1, "starts": 10**6}[how]
    elif how == "starts":
        bad.indptr[2] = bad.indptr[-1] + 5
    else:
        bad.indices[3] = {"beyond": 10**6, "below": -1}[how]
    return bad


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
@pytest.mark.parametrize("how", ["beyond", "below", "starts"])
def test_malformed_sparse_matrices_are_refused(data, kind, how):
    X, y = data
    fitted = PFCVMClassifier(certainty="off").fit(X, y)
    for call in (lambda bad: clone(fitted).fit(bad, y), fitted.predict):
        with pytest.raises(ValueError, match="the sparse matrix is malformed: .*; build it anew"):
            call(malformed(X, kind, how))


def test_written_cells_that_do_not_go_together(data):
    """What the compiled half is handed is checked there too."""
    fitted = PFCVMClassifier(certainty="off").fit(*data)._fitted
    starts, rows, values = np.array([0, 2]), np.array([0, -1]), np.array([1.0, 2.0])
    with pytest.raises(ValueError, match="malformed: a cell lies beyond its last row"):
        fitted.predict((3, starts, rows, values), [])
    with pytest.raises(ValueError, match="malformed: where its columns begin"):
        fitted.predict((3, starts[::-1], rows, values), [])

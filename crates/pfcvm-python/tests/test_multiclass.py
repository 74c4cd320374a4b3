"""More than two classes."""

import copy
import csv
import json
import pickle

import numpy as np
import pfcvm
import pytest
from pfcvm import PFCVMClassifier, PFCVMPanelClassifier, RVMClassifier, load_model
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# The factor of variances of machines that share a row of probabilities.
SHARED = np.pi / 80
CLASSIFIERS = [getattr(pfcvm, name) for name in pfcvm.__all__ if name.endswith("Classifier")]
SCHEMES = ["joint", "one-vs-one", "one-vs-rest"]


@pytest.fixture(scope="session")
def iris():
    return load_iris(return_X_y=True)


def coupled(r):
    """Pairwise coupling as Wu, Lin and Weng state it, solved by NumPy with its constraint."""
    k = len(r)
    Q = -r.T * r
    np.fill_diagonal(Q, (r**2).sum(0) - np.diag(r) ** 2)
    system = np.block([[Q, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    return np.linalg.solve(system, np.r_[np.zeros(k), 1.0])[:k]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("made", CLASSIFIERS, ids=lambda made: made.__name__)
def test_iris(made, scheme, iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])
    clf = made(scheme=scheme).fit(X[::2], names[y[::2]])
    assert clf.classes_.tolist() == names.tolist()
    called = clf.predict(X)
    # Lines do not tell the class in the middle from both others.
    lines = scheme == "one-vs-rest" and made is pfcvm.MPMClassifier
    assert (called == names[y]).mean() > (0.75 if lines else 0.85)
    decision = clf.decision_function(X)
    assert decision.shape == (150, 3) and np.isfinite(decision).all()
    np.testing.assert_array_equal(called, names[decision.argmax(1)])
    mean, variance = clf.latent_mean_and_variance(X)
    assert mean.shape == variance.shape == (150, 3) and (variance >= 0).all()
    if hasattr(clf, "predict_proba"):
        p = clf.predict_proba(X)
        np.testing.assert_allclose(p.sum(1), 1.0, rtol=1e-12)
        np.testing.assert_array_equal(called, names[p.argmax(1)])
        np.testing.assert_array_equal(decision, np.log(np.maximum(p, np.finfo(float).tiny)))
        np.testing.assert_array_equal(clf.predict_log_proba(X).argmax(1), p.argmax(1))
    for other in (pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)):
        np.testing.assert_array_equal(other.decision_function(X), decision)
    rows = sparse.csr_matrix(X)
    np.testing.assert_array_equal(clf.predict(rows), called)
    again = made(scheme=scheme).fit(sparse.csr_matrix(X[::2]), names[y[::2]])
    np.testing.assert_array_equal(again.decision_function(X), decision)


@pytest.mark.parametrize("made", [PFCVMClassifier, RVMClassifier])
def test_machines_are_those_of_the_pairs_coupled(made, iris):
    """Each pair on its own, coupled here: the definition itself."""
    X, y = iris
    clf = made(scheme="one-vs-one").fit(X, y)
    r = np.zeros((150, 3, 3))
    for at, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        rows = np.isin(y, (i, j))
        pair = made().fit(X[rows], y[rows])
        assert clf.machines_[at].classes == (i, j)
        np.testing.assert_array_equal(
            clf.latent_mean_and_variance(X)[0][:, at], pair.latent_mean_and_variance(X)[0]
        )
        r[:, i, j], r[:, j, i] = pair.predict_proba(X).T
        np.testing.assert_array_equal(
            clf.machines_[at].selected_samples, np.flatnonzero(rows)[pair.selected_samples_]
        )
    expected = np.array([coupled(of_row) for of_row in r])
    np.testing.assert_allclose(clf.predict_proba(X), expected, atol=1e-9)
    # A companion: the other scheme says something else.
    assert abs(made(scheme="one-vs-rest").fit(X, y).predict_proba(X) - expected).max() > 0.01


def test_one_against_the_rest_is_divided_by_the_sum(iris):
    X, y = iris
    # A kernel that is found out is the same for all machines, and need not be that of each alone.
    clf = PFCVMClassifier("rbf", scheme="one-vs-rest").fit(X, y)
    alone = [PFCVMClassifier("rbf").fit(X, y == k).predict_proba(X)[:, 1] for k in range(3)]
    alone = np.column_stack(alone)
    np.testing.assert_allclose(
        clf.predict_proba(X), alone / alone.sum(1, keepdims=True), rtol=1e-12
    )
    assert [machine.classes for machine in clf.machines_] == [(None, 0), (None, 1), (None, 2)]


@pytest.mark.parametrize(
    "clf",
    [
        PFCVMClassifier(),
        PFCVMClassifier(scheme="one-vs-one"),
        PFCVMPanelClassifier(3, members=10),
    ],
    ids=str,
)
def test_attributes_fit_together(clf, iris):
    X, y = iris
    clf.fit(X, y)
    kept = clf.selected_features_
    union = np.unique(np.concatenate([machine.selected_features for machine in clf.machines_]))
    assert sorted(kept) == union.tolist()
    shares = np.zeros(4)
    for machine in clf.machines_:
        weights = np.abs(machine.feature_weights)
        shares[machine.selected_features] += weights / weights.sum() / 3
        assert machine.n_iter == len(machine.trace["log_evidence"])
        # Trials that were not accepted may follow the iteration that led to it.
        assert machine.log_evidence in machine.trace["log_evidence"]
        assert machine.termination in ("converged", "max_iterations")
    np.testing.assert_allclose(clf.feature_shares_, shares, rtol=1e-12)
    assert clf.feature_shares_.sum() == pytest.approx(1.0)
    assert clf.n_iter_ == max(machine.n_iter for machine in clf.machines_)
    assert clf.get_support().sum() == clf.transform(X).shape[1] == len(kept)
    if isinstance(clf, PFCVMPanelClassifier):
        assert (np.diff(clf.feature_shares_[kept]) <= 0).all()
    else:
        assert (np.diff(kept) > 0).all()
        every = np.unique(np.concatenate([machine.selected_samples for machine in clf.machines_]))
        np.testing.assert_array_equal(clf.selected_samples_, every)


def test_probabilities_of_all_classes_are_one_row(iris):
    """The row of the classes that are learned at once, written out in NumPy."""
    X, y = iris
    clf = PFCVMClassifier("linear").fit(X, y)
    f, v = clf.latent_mean_and_variance(X)
    spread = np.sqrt(1 + SHARED * (v[:, :, None] + v[:, None, :]))
    odds = (f[:, None, :] - f[:, :, None]) / spread
    p = 1 / np.exp(odds).sum(2)
    np.testing.assert_allclose(clf.predict_proba(X), p / p.sum(1, keepdims=True), rtol=1e-9)
    assert [machine.classes for machine in clf.machines_] == [(None, 0), (None, 1), (None, 2)]


def test_classes_that_are_learned_at_once_have_one_list(iris, tmp_path):
    X, y = iris
    clf = PFCVMClassifier().fit(X, y)
    kept = clf.selected_features_
    for machine in clf.machines_:
        np.testing.assert_array_equal(machine.selected_features, kept)
        np.testing.assert_array_equal(machine.feature_weights, clf.feature_weights_[kept])
        assert machine.log_evidence == clf.log_evidence_
    assert clf.importance_.shape == kept.shape and clf.importance_interval_.shape == (len(kept), 2)
    low, high = clf.importance_interval_.T
    assert ((low <= clf.importance_) & (clf.importance_ <= high)).all()
    np.testing.assert_array_equal(clf.feature_importances_[kept], np.maximum(clf.importance_, 0.0))
    # For each class what its machine says of the features.
    assert clf.class_importance_.shape == (len(kept), 3)
    for k, machine in enumerate(clf.machines_):
        np.testing.assert_array_equal(clf.class_importance_[:, k], machine.importance)
    pairs = clf.pair_importance_
    assert pairs.shape == (len(kept), 3, 3)
    np.testing.assert_array_equal(pairs, pairs.transpose(0, 2, 1))
    np.testing.assert_array_equal(pairs[:, range(3), range(3)], 0.0)
    # The first species is apart from the others in every feature; these two are hard to tell.
    assert clf.held_out_["log_loss"] < clf.held_out_["baseline_log_loss"]
    assert clf.held_out_["accuracy"] > 0.9
    clf.save_model(tmp_path / "m.json")
    for one in (load_model(tmp_path / "m.json"), pickle.loads(pickle.dumps(clf))):
        assert one.scheme == "joint"
        for name in ("importance_", "class_importance_", "pair_importance_", "feature_weights_"):
            np.testing.assert_array_equal(getattr(one, name), getattr(clf, name))
        assert one.held_out_ == clf.held_out_
    # The other schemes have lists of their own, and nothing is left of this one.
    clf.set_params(scheme="one-vs-rest").fit(X, y)
    for name in ("class_importance_", "pair_importance_", "importance_", "feature_weights_"):
        assert not hasattr(clf, name)
    text = PFCVMClassifier().fit(X, np.array(["a", "b", "c"])[y]).summary()
    assert "What each feature is worth for each class" in text and "against all others" not in text


def test_two_classes_are_one_machine(data, iris):
    X, y = data
    a = PFCVMClassifier().fit(X, y)
    b = PFCVMClassifier(scheme="one-vs-rest").fit(*iris).fit(X, y)  # nothing is left of the first
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))
    assert set(vars(a)) == set(vars(b)) and len(b.machines_) == 1
    np.testing.assert_array_equal(b.machines_[0].sample_weights, b.sample_weights_)
    assert b.decision_function(X).shape == (120,)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("made", [PFCVMClassifier, PFCVMPanelClassifier, RVMClassifier])
def test_a_weight_of_two_is_a_row_that_comes_twice(made, scheme, iris):
    X, y = iris
    weights = np.random.default_rng(2).integers(0, 3, 150)
    a = made(scheme=scheme).fit(X, y, sample_weight=weights)
    b = made(scheme=scheme).fit(np.repeat(X, weights, 0), np.repeat(y, weights))
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))
    assert abs(a.predict_proba(X) - made(scheme=scheme).fit(X, y).predict_proba(X)).max() > 1e-6


@pytest.mark.parametrize("made", CLASSIFIERS, ids=lambda made: made.__name__)
def test_class_weights_move_the_calls(made, iris):
    if "class_weight" not in made().get_params():
        return
    X, y = iris
    plain, heavy = (
        np.exp(made(class_weight=w).fit(X, y).decision_function(X)[:, 2]).mean()
        for w in (None, {2: 50.0})
    )
    assert heavy > plain
    uneven = np.r_[0:50, 50:100, 100:120]
    balanced = made(class_weight="balanced").fit(X[uneven], y[uneven])
    assert balanced.score(X, y) > 0.85


def test_refusals_are_one_sentence(iris):
    X, y = iris
    for clf, rows, message in [
        (PFCVMClassifier(scheme="both"), slice(None), "'joint', 'one-vs-one' or 'one-vs-rest'"),
        (RVMClassifier(scheme=None), slice(None), "'joint', 'one-vs-one' or 'one-vs-rest'"),
        (PFCVMClassifier(scheme="one-vs-one"), slice(0, 101), "`2` against `0`"),
        (PFCVMClassifier(class_weight={7: 1.0}), slice(None), "7 is no class"),
        (PFCVMClassifier(class_weight={0: -1.0}), slice(None), "from 1e-6 to 1e6"),
    ]:
        with pytest.raises(ValueError, match=message) as caught:
            clf.fit(X[rows], y[rows])
        assert "\n" not in str(caught.value)
    with pytest.raises(MemoryError, match="MiB"):
        PFCVMClassifier(memory_limit=1).fit(
            np.tile(X, (8, 40)) + np.arange(1200)[:, None], np.tile(y, 8)
        )
    with pytest.raises(ValueError, match="return_std is for two classes"):
        PFCVMClassifier().fit(X, y).decision_function(X, return_std=True)
    with pytest.raises(ValueError, match="binary"):
        pfcvm.FisherSelector().fit(X, y)


def test_what_did_not_settle_is_told(iris):
    with pytest.warns(
        ConvergenceWarning, match="in 3 of 3 machines the fit used up its iterations"
    ):
        clf = PFCVMClassifier(stages=[{"max_iterations": 2}], scheme="one-vs-one").fit(*iris)
    assert clf.termination_ == "max_iterations"
    # Machines that learn together end together.
    with pytest.warns(ConvergenceWarning, match="PFCVMClassifier: the fit used up its iterations"):
        clf = PFCVMClassifier(stages=[{"max_iterations": 2}]).fit(*iris)
    assert clf.termination_ == "max_iterations"


def test_nothing_depends_on_threads(iris):
    X, y = iris
    a, b = (PFCVMClassifier(parallel=parallel).fit(X, y) for parallel in (True, False))
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))


def test_inside_scikit_learn(iris):
    X, y = iris
    assert cross_val_score(PFCVMClassifier(), X, y, scoring="neg_log_loss").mean() > -0.3
    assert cross_val_score(PFCVMClassifier(), X, y, scoring="roc_auc_ovr").mean() > 0.95
    search = GridSearchCV(RVMClassifier(), {"scheme": SCHEMES}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.9


def test_batches(iris):
    pa = pytest.importorskip("pyarrow")
    X, y = load_iris(return_X_y=True, as_frame=True)
    for clf in (PFCVMClassifier(), PFCVMPanelClassifier(3, members=10)):
        clf.fit(X, y)
        batches = pa.Table.from_pandas(X).to_batches(max_chunksize=40)
        scored = pa.Table.from_batches(pfcvm.score_batches(batches, clf))
        assert scored.column_names == ["label", "probability_0", "probability_1", "probability_2"]
        p = scored.select(scored.column_names[1:]).to_pandas().to_numpy()
        np.testing.assert_array_equal(p, clf.predict_proba(X))
        assert [int(label) for label in scored["label"].to_pylist()] == clf.predict(X).tolist()


def test_displays(iris):
    plot = pytest.importorskip("pfcvm.plot")
    X, y = iris
    clf = PFCVMClassifier(scheme="one-vs-one").fit(X, y)
    shown = plot.FeatureWeightsDisplay.from_estimator(clf, show="weights")
    assert shown.weights.sum() == pytest.approx(1.0)
    assert "share" in shown.ax_.get_xlabel() and "interval" not in shown.ax_.get_xlabel()
    plot.ConvergenceDisplay(clf.machines_[0].trace).plot()
    with pytest.raises(ValueError, match="trace of its own"):
        plot.ConvergenceDisplay.from_estimator(clf)
    top = plot.CalibrationDisplay.from_estimator(clf, X, y, n_bins=3)
    p, called = clf.predict_proba(X), clf.predict(X)
    assert top.counts @ top.predicted == pytest.approx(p.max(axis=1).sum())
    assert top.counts @ top.observed == pytest.approx((called == y).sum())
    one = plot.CalibrationDisplay.from_estimator(clf, X, y, pos_label=clf.classes_[1], ax=top.ax_)
    assert one.counts @ one.predicted == pytest.approx(p[:, 1].sum())
    assert one.counts @ one.observed == pytest.approx((y == clf.classes_[1]).sum())
    assert str(clf.classes_[1]) in one.name and one.ax_ is top.ax_
    with pytest.raises(ValueError, match="none of the classes"):
        plot.CalibrationDisplay.from_estimator(clf, X, y, pos_label="no such")


FILES = [
    PFCVMClassifier(),
    PFCVMClassifier("linear"),
    PFCVMClassifier(scheme="one-vs-one"),
    PFCVMClassifier("linear", scheme="one-vs-rest", class_weight="balanced"),
    PFCVMPanelClassifier(5, members=10, random_state=3),
    PFCVMPanelClassifier(5, members=10, scheme="one-vs-rest"),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clf", FILES, ids=str)
def test_there_and_back(clf, weighted, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    weights = 1.0 + y % 2 if weighted else None
    clf.fit(X, y, sample_weight=weights).save_model(tmp_path / "m.json")
    read = load_model(tmp_path / "m.json")
    assert type(read) is type(clf) and read.classes_.tolist() == [0, 1, 2]
    assert read.scheme == clf.scheme
    np.testing.assert_array_equal(read.predict_proba(X), clf.predict_proba(X))
    np.testing.assert_array_equal(read.selected_features_, clf.selected_features_)
    np.testing.assert_array_equal(read.feature_importances_, clf.feature_importances_)
    np.testing.assert_array_equal(read.feature_names_in_, clf.feature_names_in_)
    assert read.n_iter_ == clf.n_iter_
    for one, other in zip(read.machines_, clf.machines_):
        assert one.classes == other.classes and one.log_evidence == other.log_evidence
        assert one.trace == {}
        if other.selected_samples is not None:
            np.testing.assert_array_equal(one.selected_samples, other.selected_samples)
    read.save_model(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    again = read.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("clf", FILES, ids=str)
def test_the_program_predicts_the_same_bits(clf, waveform, tmp_path, program):
    file, X, y = waveform
    clf.fit(X, y).save_model(tmp_path / "m.json", label="label")
    rows = list(csv.DictReader(program("predict", tmp_path / "m.json", file).splitlines()))
    p = [[float(row[f"probability_{k}"]) for k in range(3)] for row in rows]
    np.testing.assert_array_equal(p, clf.predict_proba(X))
    assert [int(row["label"]) for row in rows] == clf.predict(X).tolist()
    assert log_loss(y, p) < 0.6


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--scheme", "one-vs-one"),
        ("--kernel", "linear", "--scheme", "one-vs-rest"),
        ("--panel", "3"),
    ],
    ids=str,
)
def test_a_model_of_the_program_is_read(options, waveform, tmp_path, program):
    file, X, y = waveform
    program("fit", file, "--model", tmp_path / "m.json", *options)
    clf = load_model(tmp_path / "m.json")
    rows = program("predict", tmp_path / "m.json", file, "--json").splitlines()
    rows = [json.loads(row) for row in rows]
    p = [[row["probabilities"][str(k)] for k in range(3)] for row in rows]
    np.testing.assert_array_equal(p, clf.predict_proba(X))
    # The same data give the same model here and there, to the bit.
    clf.fit(X, y).save_model(tmp_path / "own.json", label="label")
    assert (tmp_path / "own.json").read_bytes() == (tmp_path / "m.json").read_bytes()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_real_data(real, scheme):
    X, y = real("tox_171")
    train = np.arange(len(y)) % 3 > 0
    clf = PFCVMClassifier("linear", scheme=scheme).fit(X[train], y[train])
    assert len(clf.classes_) == 4 and len(clf.selected_features_) < 1000
    assert clf.score(X[~train], y[~train]) > 0.6

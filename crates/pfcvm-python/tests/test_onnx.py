"""ONNX graphs, held to onnxruntime."""

import numpy as np
import pytest
from pfcvm import NothingFoundWarning, PFCVMClassifier, PFCVMPanelClassifier
from sklearn.datasets import load_breast_cancer, load_iris

onnxruntime = pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SCHEMES = ["joint", "one-vs-one", "one-vs-rest"]
SETTINGS = [
    {"kernel": "rbf"},
    {"kernel": "rbf", "samples": "dense"},
    {"kernel": "rbf", "standardise": False},
    {"kernel": "linear"},
    {"kernel": "linear", "samples": "dense"},
    {"kernel": "poly", "degree": 1},
    {"kernel": "poly", "degree": 2},
    {"kernel": "poly", "degree": 3, "samples": "frozen"},
    {"kernel": "rbf", "algorithm": "paper"},
    {"kernel": "rbf", "goal": "accuracy"},
    {"kernel": "linear", "goal": "accuracy"},
]


def run(graph, X):
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)
    session = onnxruntime.InferenceSession(graph)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": X})))


def close(found, expected):
    # Relative to the size of a number, absolute below 1.
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_graph_predicts_the_same(settings):
    X, y = load_breast_cancer(return_X_y=True)
    clf = PFCVMClassifier(**settings).fit(X[::2], y[::2])
    got = run(clf.to_onnx(), X)
    mean, variance = clf.latent_mean_and_variance(X)
    close(got["decision"], mean)
    close(got["variance"], variance)
    close(got["probabilities"], clf.predict_proba(X))
    np.testing.assert_array_equal(got["label"], clf.predict(X))


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("name", ["colon", "eeg_alcoholism_de", "sonar"])
def test_real_data(real, name, kernel):
    X, y = real(name)
    clf = PFCVMClassifier(kernel, certainty="insist").fit(X[::2], y[::2])
    got = run(clf.to_onnx(), X)
    mean, variance = clf.latent_mean_and_variance(X)
    close(got["decision"], mean)
    close(got["variance"], variance)
    close(got["probabilities"], clf.predict_proba(X))
    np.testing.assert_array_equal(got["label"], clf.predict(X))


def test_single_precision_and_text_labels(data, tmp_path):
    X, y = data
    single = X.astype(np.float32)
    clf = PFCVMClassifier().fit(single, np.array(["no", "yes"])[y])
    graph = clf.to_onnx(tmp_path / "m.onnx", float32=True)
    assert (tmp_path / "m.onnx").read_bytes() == graph
    got = run(graph, single)
    close(got["probabilities"], clf.predict_proba(single))
    assert got["label"].tolist() == clf.predict(single).tolist()


def same_classes(clf, X):
    got = run(clf.to_onnx(), X)
    mean, variance = clf.latent_mean_and_variance(X)
    close(got["decision"], mean)
    close(got["variance"], variance)
    close(got["probabilities"], clf.predict_proba(X))
    if clf.scheme == "joint":  # no system is solved
        assert abs(got["probabilities"] - clf.predict_proba(X)).max() < 1e-9
    np.testing.assert_array_equal(got["label"], clf.predict(X))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_three_classes(settings, scheme):
    X, y = load_iris(return_X_y=True)
    same_classes(PFCVMClassifier(**settings, scheme=scheme).fit(X[::2], y[::2]), X)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_many_classes(scheme, rng):
    centres = rng.normal(size=(9, 6), scale=1.5)
    y = np.arange(270) % 9
    X = centres[y] + rng.normal(size=(270, 6))
    same_classes(PFCVMClassifier(scheme=scheme).fit(X, y), X)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_waveform(waveform, scheme):
    _, X, y = waveform
    clf = PFCVMClassifier(scheme=scheme).fit(X.to_numpy()[::2], y[::2])
    same_classes(clf, X.to_numpy())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_real_classes(real, scheme):
    X, y = real("tox_171")
    same_classes(PFCVMClassifier("linear", scheme=scheme).fit(X[::2], y[::2]), X)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_labels_of_several_classes_and_the_program(waveform, scheme, program, tmp_path):
    _, X, y = waveform
    clf = PFCVMClassifier(scheme=scheme).fit(X, np.array(["a", "b", "c"])[y])
    single = X.to_numpy(dtype=np.float32)
    got = run(clf.to_onnx(float32=True), single)
    assert got["label"].tolist() == clf.predict(X.astype(np.float32).astype(float)).tolist()
    clf.save_model(tmp_path / "m.json")
    program("export", tmp_path / "m.json", "--onnx", tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == clf.to_onnx()


def test_far_rows_are_finite(data):
    X, y = data
    clf = PFCVMClassifier("linear").fit(X, y)
    far = np.where(np.arange(120)[:, None] % 2, 1e300, -1e300) * np.sign(X)
    got = run(clf.to_onnx(), far)
    close(got["probabilities"], clf.predict_proba(far))


def test_nothing_kept(rng):
    """Noise, of which no feature may be left."""
    X = rng.normal(size=(60, 3))
    y = rng.integers(0, 2, 60)
    for kernel in ("rbf", "linear", "poly"):
        for certainty in ("insist", "off"):
            clf = PFCVMClassifier(kernel, false_positive_rate=1e-6, certainty=certainty).fit(X, y)
            close(run(clf.to_onnx(), X)["probabilities"], clf.predict_proba(X))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("classes", [2, 3])
def test_nothing_found(classes, scheme):
    """The shares of the classes for every row, whatever is in it."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 4))
    y = rng.permutation(np.arange(90) % (classes + 1) % classes)
    far = np.vstack([X, np.full((1, 4), np.nan), np.full((1, 4), np.inf)])
    made = [PFCVMClassifier(kernel, scheme=scheme) for kernel in ("rbf", "linear", "poly")]
    for clf in [*made, PFCVMPanelClassifier(members=10, scheme=scheme)]:
        with pytest.warns(NothingFoundWarning):
            clf.fit(X, y)
        for got in (
            run(clf.to_onnx(), far),
            run(clf.to_onnx(float32=True), far.astype(np.float32)),
        ):
            shares = np.tile(np.bincount(y) / 90, (92, 1))
            np.testing.assert_allclose(got["probabilities"], shares, rtol=0, atol=1e-12)
            p = clf.predict_proba(X)
            np.testing.assert_allclose(got["probabilities"][:90], p, rtol=0, atol=1e-12)
            assert (got["label"] == clf.predict(X)[0]).all() and not got["variance"].any()


def test_a_panel_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="panel cannot be written as ONNX"):
        PFCVMPanelClassifier(3, members=10).fit(X, y).to_onnx()
    with pytest.raises(ValueError, match="panel cannot be written as ONNX"):
        PFCVMPanelClassifier(3, members=10).fit(X, y + (X[:, 0] > 1)).to_onnx()


def test_the_program_writes_the_same_graph(data, tmp_path, program):
    X, y = data
    clf = PFCVMClassifier().fit(X, y)
    clf.save_model(tmp_path / "m.json")
    program("export", tmp_path / "m.json", "--onnx", tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == clf.to_onnx()


@pytest.mark.parametrize("count", [2, 3])
def test_words_and_gaps_are_inputs_of_their_own(count):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame(
        {
            "colour": rng.choice(["blue", "green", "red"], 160),
            "size": np.where(rng.random(160) < 0.3, np.nan, rng.normal(size=160)),
            "noise": rng.normal(size=160),
        }
    )
    gap = (frame["size"].isna() & (rng.random(160) < 0.9)).to_numpy()
    word = (frame["colour"] == "red") if count == 2 else frame["colour"].factorize(sort=True)[0]
    y = (np.asarray(word, dtype=int) + gap) % count
    clf = PFCVMClassifier(false_positive_rate=0.3).fit(frame, y)
    graph = clf.to_onnx()
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)
    session = onnxruntime.InferenceSession(graph)
    new = frame.copy()
    new.loc[:3, "colour"] = None
    feed = {}
    for one in session.get_inputs():
        column = new[one.name]
        if one.type == "tensor(string)":
            feed[one.name] = column.fillna("").to_numpy(dtype=object)[:, None]
        else:
            feed[one.name] = column.to_numpy(dtype=float)[:, None]
    assert {"colour", "size"} <= set(feed)
    found = session.run(["probabilities"], feed)[0]
    np.testing.assert_allclose(found, clf.predict_proba(new), atol=1e-9, rtol=0)

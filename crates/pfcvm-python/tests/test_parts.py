"""Fits of rows that lie in parts: equal to fits of the same rows in memory, whatever the parts."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, RVMClassifier, load_model
from pfcvm._parts import learned
from pfcvm._parts_spark import _Work
from pfcvm._pieces import Piece, put_together, said_together, sketch

pytestmark = pytest.mark.filterwarnings("ignore")  # other engines' own

ROWS = 21_000  # Up to 20,000 are fetched.


def drawn(rows, classes=2):
    """A curve in two columns of five, with some noise."""
    rng = np.random.default_rng(5)
    X = rng.uniform(-1, 1, size=(rows, 5))
    r = X[:, 0] ** 2 + 0.7 * X[:, 2] ** 2 + 0.1 * rng.uniform(-1, 1, rows)
    return X, (r > 0.5).astype(int) + (r > 1.0) * (classes == 3)


@pytest.fixture(scope="module")
def rows():
    return drawn(ROWS)


@pytest.fixture(scope="module")
def local(rows):
    return PFCVMClassifier("rbf").fit(*rows)


def same(found, expected, X):
    """Features, samples, weights, what held-out rows say, and predictions."""
    assert found.selected_features_.tolist() == expected.selected_features_.tolist()
    assert found.selected_samples_.tolist() == expected.selected_samples_.tolist()
    close = lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
    close(found.feature_weights_, expected.feature_weights_)
    for one, other in zip(found.machines_, expected.machines_):
        close(one.sample_weights, other.sample_weights)
        close(one.held_out["log_loss"], other.held_out["log_loss"])
        close(one.trace["log_evidence"], other.trace["log_evidence"])
    close(found.predict_proba(X), expected.predict_proba(X))
    assert found.settings_ == expected.settings_
    assert found.classes_.tolist() == expected.classes_.tolist()


class Here:
    """Parts in this process, in any sizes, heard in any order."""

    about = "the list"

    def __init__(self, X, y, weights=None, cuts=(), backwards=False):
        self.frame = isinstance(X, pd.DataFrame)
        self.X, self.y, self.weights, self.backwards = X, np.asarray(y), weights, backwards
        self.n_columns = X.shape[1]
        self.head = X.iloc[:0] if self.frame else X[:1]
        self.bounds = list(zip([0, *cuts], [*cuts, len(X)]))

    def pieces(self, start, end, columns):
        for first in range(start, end, 5000):
            cut = slice(first, min(first + 5000, end))
            X = self.X.iloc[cut] if self.frame else self.X[cut]
            picked = range(self.n_columns) if columns is None else columns
            x = [X.iloc[:, at] for at in picked] if self.frame else X[:, picked]
            yield Piece(x, self.y[cut], None if self.weights is None else self.weights[cut])

    def ask(self, work, add, columns):
        parts = list(enumerate(self.bounds))
        said = {part: work(part, self.pieces(*cut, columns)) for part, cut in parts[::-1]}
        order = parts[::-1] if self.backwards else parts
        return add([said[part] for part, _ in order])


def by_parts(classifier, parts):
    classifier._take(*learned(classifier, parts))
    return classifier


def test_parts_do_not_matter(rows, local):
    X, y = rows
    for cuts, backwards in [((), False), ((1, 7_000, 7_000, 20_000), True)]:
        found = by_parts(PFCVMClassifier("rbf"), Here(X, y, cuts=cuts, backwards=backwards))
        same(found, local, X[:500])
    assert set(local.selected_features_) >= {0, 2}


def test_words_gaps_weights_and_classes(tmp_path):
    """What columns hold is found out from all parts, as in memory."""
    X, y = drawn(ROWS, 3)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.loc[rng.random(ROWS) < 0.1, "a"] = np.nan
    words = np.where(frame["c"] > 0.3, "high", np.where(frame["c"] < -0.3, "low", "middle"))
    # Words that only the last rows have, and gaps alone in the first.
    frame["f"] = words.astype(object)
    frame.loc[20_500:, "f"] = "new"
    frame.loc[:100, "f"] = None
    frame["g"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 999, ROWS), "D")
    frame["h"] = pd.Categorical(rng.choice(["x", "y"], ROWS))
    labels = np.array(["in", "ring", "out"])[y]
    weights = rng.integers(0, 3, ROWS).astype(float)
    settings = dict(kernel="linear", class_weight={"in": 2.0, "ring": 1.0, "out": 0.5})
    settings["feature_groups"] = {"d": "pair", "e": "pair"}
    expected = PFCVMClassifier(**settings).fit(frame, labels, weights)
    found = by_parts(
        PFCVMClassifier(**settings), Here(frame, labels, weights, cuts=(101, 9_000, 20_600))
    )
    same(found, expected, frame.iloc[:500])
    assert found.feature_names_in_.tolist() == frame.columns.tolist()
    assert found.feature_groups_.tolist() == expected.feature_groups_.tolist()
    found.save_model(tmp_path / "m.json")
    read = load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(read.predict_proba(frame), found.predict_proba(frame))


def test_what_is_refused(rows):
    X, y = rows
    parts = lambda X=X, y=y, **more: Here(X, y, cuts=(9_000,), **more)

    def refused(match, parts, **settings):
        with pytest.raises(ValueError, match=match):
            learned(PFCVMClassifier(**{"kernel": "rbf", **settings}), parts)

    refused("goal", parts(), goal="accuracy")
    refused("keep_rows", parts(), keep_rows=100)
    refused("'joint'", parts(y=drawn(ROWS, 3)[1]), scheme="one-vs-one")
    refused("only one class", parts(y=np.zeros(ROWS)))
    refused("Unknown label type: continuous", parts(y=X[:, 0]))
    refused("contains NaN", parts(y=np.where(np.arange(ROWS) == 12_000, np.nan, y)))
    odd = X.copy()
    odd[15_000, 3] = np.inf
    refused("row 15000, column `x4`", parts(X=odd))
    mixed = pd.DataFrame({"a": X[:, 0].astype(object), "b": X[:, 1]})
    mixed.loc[12_000:, "a"] = "word"
    refused("'a' holds words in some parts and numbers in others", parts(X=mixed))
    assert learned(PFCVMClassifier(), Here(X[:20_000], y[:20_000])) is None

    class Restless(Here):
        passes = 0

        def ask(self, work, add, columns):
            self.passes += 1
            if self.passes == 4:
                self.X, self.y = self.X[::-1], self.y[::-1]
            return super().ask(work, add, columns)

    refused("in another order", Restless(X, y, cuts=(9_000,)))


def test_what_is_put_together_bit_by_bit_is_the_same(rows):
    """Some at a time or all at once: what goes on from a sum has its bits."""
    X, y = rows
    asked = []

    class Kept(Here):
        def ask(self, work, add, columns):
            said = [work(part, self.pieces(*cut, columns)) for part, cut in enumerate(self.bounds)]
            asked.append((add, said))
            return add(said)

    by_parts(PFCVMClassifier("rbf"), Kept(X, y, cuts=(3_000, 9_000, 14_000)))
    assert {add for add, _ in asked} == {put_together, said_together}
    for add, said in asked[1:]:
        assert add([add(said[:2]), *said[2:]]) == add(iter(said))


def test_workers_do_without_scikit_learn(rows, tmp_path):
    """What is sent to them imports NumPy and the compiled half alone."""
    X, y = rows
    sent = []

    class Kept(Here):
        def ask(self, work, add, columns):
            # A process of its own for each pass would take long.
            if len(sent) < 4:
                picked = X if columns is None else X[:, columns]
                sent.append((work, add, Piece(picked[:9_000], y[:9_000], None)))
            return super().ask(work, add, columns)

    by_parts(PFCVMClassifier("rbf"), Kept(X, y))
    of_spark = _Work(sketch, ["a"], "label", None)
    (tmp_path / "sent").write_bytes(pickle.dumps((sent, of_spark)))
    worker = (
        "import pickle, sys\n"
        "sent, of_spark = pickle.load(open(sys.argv[1], 'rb'))\n"
        "for work, add, piece in sent:\n"
        "    assert add([work(0, [piece])])\n"
        "print(sorted({'sklearn', 'scipy', 'pandas', 'pyarrow'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", worker, str(tmp_path / "sent")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.heavy
def test_dask_with_a_worker_killed_half_way(rows, local, cluster, monkeypatch):
    da = pytest.importorskip("dask.array")
    from pfcvm._parts_dask import DaskParts

    X, y = rows
    workers = cluster.run(os.getpid)
    assert len(set(workers.values())) == 2 and os.getpid() not in workers.values()
    passes, killed_in, ask = [], [], DaskParts.ask

    def counted(*args):
        passes.append(args)
        return ask(*args)

    monkeypatch.setattr(DaskParts, "ask", counted)

    def slow(block):
        # So that there is something to kill in the middle of.
        time.sleep(0.02)
        return block

    chunks = da.from_array(X, chunks=(1500, 2)).map_blocks(slow, dtype=float)
    address, pid = next(iter(workers.items()))

    def kill():
        # While it works for the fifth pass.
        begin = time.monotonic()
        while not killed_in and time.monotonic() - begin < 60:
            if len(passes) >= 5 and cluster.processing().get(address):
                killed_in.append(len(passes))
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)

    watch = threading.Thread(target=kill)
    watch.start()
    found = PFCVMClassifier("rbf").fit(chunks, y)
    watch.join()
    assert killed_in, "the work was over before a worker could be killed"
    assert killed_in[0] < len(passes) and pid not in cluster.run(os.getpid).values()
    same(found, local, X[:500])


@pytest.mark.heavy
def test_dask_frames_and_few_rows(rows, local):
    dd = pytest.importorskip("dask.dataframe")
    X, y = rows
    names = [f"gene {k}" for k in range(5)]
    frame = pd.DataFrame(X, columns=names)
    whole = dd.from_pandas(frame.assign(label=y), npartitions=7)
    same(PFCVMClassifier("rbf").fit(whole, "label"), local, X[:500])
    found = PFCVMClassifier("rbf").fit(whole[names], whole["label"])
    same(found, local, X[:500])
    assert found.feature_names_in_.tolist() == names
    few = dd.from_pandas(frame.assign(label=y)[:300], npartitions=3)
    one, other = PFCVMClassifier().fit(few, "label"), PFCVMClassifier().fit(frame[:300], y[:300])
    np.testing.assert_array_equal(one.predict_proba(frame), other.predict_proba(frame))
    with pytest.raises(ValueError, match="no column 'labels'"):
        PFCVMClassifier().fit(whole, "labels")
    with pytest.warns(UserWarning, match="RVMClassifier needs all rows at once"):
        RVMClassifier().fit(few, "label")


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, and there is none")
def test_spark(rows, local, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    X, y = rows
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
    spark = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    names = [f"gene {k}" for k in range(5)]
    try:
        frame = pd.DataFrame(X, columns=names).assign(label=y)
        parted = spark.createDataFrame(frame)
        found = PFCVMClassifier("rbf").fit(parted, "label")
        same(found, local, X[:500])
        # Parted otherwise, rows come in another order: the same as in memory in that order.
        monkeypatch.setattr("pfcvm._parts_spark.FETCHED", 1)
        order = parted.repartition(3).persist()
        fetched = order.toPandas()
        other = PFCVMClassifier("rbf").fit(fetched[names], fetched["label"])
        same(PFCVMClassifier("rbf").fit(order, "label"), other, X[:500])
        vectors = order.selectExpr("array(label) as v", "label")
        with pytest.raises(ValueError, match="'v' holds array"):
            PFCVMClassifier().fit(vectors, "label")
        infinite = parted.selectExpr("`gene 0` as a", "label", "double('inf') as b")
        with pytest.raises(ValueError, match="column `b`: inf is not a finite number"):
            PFCVMClassifier("rbf").fit(infinite, "label")
    finally:
        spark.stop()

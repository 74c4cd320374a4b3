"""Work spread by joblib over real clusters, and batches scored by real engines."""

import functools
import os
import shutil
import signal
import sys
import threading
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from pfcvm import PFCVMClassifier, score_batches, selection_stability
from sklearn.model_selection import GridSearchCV, cross_val_predict

pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore")  # other engines' own


@pytest.fixture(scope="module")
def frame(data):
    X, y = data
    return pd.DataFrame(X, columns=[f"gene {k}" for k in range(8)]), np.array(["no", "yes"])[y]


@pytest.fixture(scope="module")
def model(frame, tmp_path_factory):
    X, y = frame
    path = tmp_path_factory.mktemp("model") / "m.json"
    clf = PFCVMClassifier().fit(X, y)
    clf.save_model(path)
    return str(path), clf


def close(found, expected):
    # A product of matrices rounds by their size, so that the last bit depends on the batch.
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_batches(frame, model):
    X, _ = frame
    path, clf = model
    table = pa.Table.from_pandas(X.assign(id=np.arange(120), other="text"))
    for fitted in (path, clf):
        found = pa.Table.from_batches(
            score_batches(table.to_batches(max_chunksize=17), fitted, keep=["id"])
        )
        assert found.column_names == ["id", "label", "probability", "decision"]
        close(found["probability"].to_numpy(), clf.predict_proba(X)[:, 1])
        assert found["label"].to_pylist() == clf.predict(X).tolist()
    with pytest.raises(ValueError, match="no column 'gene"):
        list(score_batches(pa.Table.from_pandas(X[["gene 7"]]).to_batches(), clf))
    odd = X.copy()
    odd.iloc[3] = np.nan
    found = pa.Table.from_batches(score_batches(pa.Table.from_pandas(odd).to_batches(), clf))
    close(found["probability"].to_numpy(), clf.predict_proba(odd)[:, 1])
    odd.iloc[3] = np.inf
    with pytest.raises(ValueError, match="row 3 of a batch"):
        list(score_batches(pa.Table.from_pandas(odd).to_batches(), clf))
    with pytest.raises(ValueError, match="names"):
        list(score_batches([], PFCVMClassifier().fit(X.to_numpy(), frame[1])))


def all_of(X, y):
    """One of each kind of work."""
    search = GridSearchCV(PFCVMClassifier(), {"false_positive_rate": [0.01, 0.05, 0.15]}, cv=4).fit(
        X, y
    )
    stability = selection_stability(PFCVMClassifier("linear"), X, y)
    p = cross_val_predict(PFCVMClassifier(), X, y, cv=4, method="predict_proba")
    return search.cv_results_["mean_test_score"], stability.frequencies, p


def same(found, expected):
    for a, b in zip(found, expected):
        np.testing.assert_array_equal(a, b)


@pytest.mark.heavy
def test_dask_with_a_worker_killed_half_way(frame):
    distributed = pytest.importorskip("distributed")
    X, y = frame
    expected = all_of(X, y)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        workers = client.run(os.getpid)
        assert len(set(workers.values())) == 2 and os.getpid() not in workers.values()
        killed = []

        def kill():
            # Once work has been done, while more is to do.
            begin = time.monotonic()
            while not killed and time.monotonic() - begin < 60:
                if sum(len(keys) for keys in client.has_what().values()) > 3:
                    killed.append(next(iter(workers.values())))
                    os.kill(killed[0], signal.SIGKILL)
                time.sleep(0.01)

        with joblib.parallel_config("dask"):
            watch = threading.Thread(target=kill)
            watch.start()
            found = all_of(X, y)
            watch.join()
        assert killed, "the work was over before a worker could be killed"
    same(found, expected)


@pytest.mark.heavy
def test_dask_scores_batches(frame, model):
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    X, _ = frame
    path, clf = model

    def score(part):
        return pa.Table.from_batches(
            score_batches(pa.Table.from_pandas(part).to_batches(), path)
        ).to_pandas()

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster):
            meta = {"label": str, "probability": float, "decision": float}
            found = dd.from_pandas(X, npartitions=3).map_partitions(score, meta=meta).compute()
    close(found["probability"], clf.predict_proba(X)[:, 1])


@pytest.mark.heavy
def test_ray(frame):
    ray = pytest.importorskip("ray")
    from ray.util.joblib import register_ray

    X, y = frame
    expected = all_of(X, y)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        register_ray()
        with joblib.parallel_config("ray"):
            same(all_of(X, y), expected)
    finally:
        ray.shutdown()


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, and there is none")
def test_spark_scores_batches(frame, model, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    X, _ = frame
    path, clf = model
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
    spark = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    try:
        rows = spark.createDataFrame(X.assign(id=np.arange(120))).repartition(3)
        schema = "id long, label string, probability double, decision double"
        score = functools.partial(score_batches, model=path, keep=["id"])
        found = rows.mapInArrow(score, schema).toPandas().sort_values("id")
    finally:
        spark.stop()
    close(found["probability"], clf.predict_proba(X)[:, 1])
    assert found["label"].tolist() == clf.predict(X).tolist()

"""Fits on Dask and on Spark beside the same rows in memory: whether they agree, and what each process holds.

python reference/bench_clusters.py FOLDER [--rows N] [--parts N] [--only NAME,NAME] [--json FILE]

Needs the package with Dask, pyarrow and pyspark in the Python that runs it, and Java for Spark. Data are the waveforms of `bench_scale.py`, in as many Parquet files as
there are parts, written to FOLDER if they are not there. Every way is a process of its own; memory is the largest that the
kernel saw of a worker (`VmHWM`), and what it had before any row was read. `killed` has two workers, of which one is killed in the
middle: once several passes have been answered, while it works on another and has answered for some of its parts.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

from bench_scale import waveforms

WAYS = ["memory", "dask-2", "killed", "spark", "dask-4"]
SEED = 23
# The pass in which a worker is killed.
KILLED_IN = 15


def write(folder, rows, parts):
    import pandas as pd

    folder.mkdir(parents=True, exist_ok=True)
    for part in range(parts):
        path = folder / f"part-{part:04}.parquet"
        if not path.exists():
            x, y = waveforms(rows * (part + 1) // parts - rows * part // parts, [SEED, part])
            frame = pd.DataFrame(x, columns=[f"x{k + 1}" for k in range(x.shape[1])])
            frame.assign(label=y).to_parquet(path)


def peak(pid="self"):
    """Largest memory of a process so far, in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def ready():
    """What a worker has before any row is read: Dask's frames and what answers for rows."""
    import dask.dataframe, pandas, pyarrow.dataset, pyarrow.parquet  # noqa: E401, F401
    import pfcvm._parts_dask  # noqa: F401

    return peak()


def in_memory(folder, names):
    import pandas as pd
    from pfcvm import PFCVMClassifier

    frame = pd.concat([pd.read_parquet(folder / name) for name in names], ignore_index=True)
    return PFCVMClassifier("rbf").fit(frame.drop(columns="label"), frame["label"]), {}


def on_dask(folder, workers, kill):
    import dask.dataframe as dd
    import distributed
    from pfcvm import PFCVMClassifier
    from pfcvm._parts_dask import DaskParts

    cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        before = client.run(ready)
        pids = client.run(os.getpid)
        frame = dd.read_parquet(folder, split_row_groups=False)
        passes, killed, ask = [], {}, DaskParts.ask

        def counted(*args):
            passes.append(args)
            return ask(*args)

        def strike():
            while len(passes) < KILLED_IN:
                time.sleep(0.01)
            address, pid = next(iter(pids.items()))
            # Some parts answered for, and another under way.
            held = lambda: client.has_what()[address]
            while not any(str(key).startswith("_one") for key in held()) or not client.processing()[address]:
                time.sleep(0.01)
            killed.update(killed_in_pass=len(passes), killed_with_answers=len(held()), killed_worker=peak(pid))
            os.kill(pid, signal.SIGKILL)

        DaskParts.ask = counted
        if kill:
            threading.Thread(target=strike, daemon=True).start()
        found = PFCVMClassifier("rbf").fit(frame, "label")
        after = client.run(peak)
        said = {"before": max(before.values()), "worker": max(after.values()), "passes": len(passes), **killed}
        assert bool(killed) == kill and (not kill or set(client.run(os.getpid)) != set(pids)), "no worker was killed"
    return found, said


def on_spark(folder):
    from pfcvm import PFCVMClassifier
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # One file is one partition, in the order of their names.
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.driver.memory", "2g").config("spark.log.level", "ERROR")
             .config("spark.sql.files.openCostInBytes", "1g").getOrCreate())
    most, done = {"python": 0.0, "java": 0.0}, threading.Event()

    def watch():
        while not done.wait(0.05):
            for path in Path("/proc").glob("[0-9]*"):
                try:
                    command = (path / "cmdline").read_bytes()
                    kind = "python" if b"pyspark.daemon" in command else "java" if b"SparkSubmit" in command else None
                    if kind:
                        most[kind] = max(most[kind], peak(path.name))
                except (OSError, StopIteration):
                    pass

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        frame = spark.read.parquet(str(folder))
        # Which file comes where is Spark's own choice, and decides which rows are drawn.
        places = frame.selectExpr("spark_partition_id() as part", "input_file_name() as file").distinct().collect()
        order = [Path(row["file"]).name for row in sorted(places, key=lambda row: row["part"])]
        found = PFCVMClassifier("rbf").fit(frame, "label")
    finally:
        done.set()
        watcher.join()
        spark.stop()
    return found, {"worker": most["python"], "java": most["java"], "order": order}


def one(way, folder, names):
    """What one way learned and what it took."""
    begin = time.monotonic()
    if way == "memory":
        found, said = in_memory(folder, names)
    elif way == "spark":
        found, said = on_spark(folder)
    else:
        found, said = on_dask(folder, 4 if way == "dask-4" else 2, way == "killed")
    said |= {"seconds": time.monotonic() - begin, "driver": peak()}
    x, _ = waveforms(20_000, SEED)
    (machine,) = found.machines_
    # Arrays have no names.
    found.__dict__.pop("feature_names_in_", None)
    learned = {"feature weights": found.feature_weights_, "sample weights": machine.sample_weights,
               "held-out log loss": [machine.held_out["log_loss"]], "probabilities": found.predict_proba(x)[:, 1]}
    return said | {"features": found.selected_features_.tolist(), "samples": found.selected_samples_.tolist(),
                   "learned": {key: np.asarray(value).tolist() for key, value in learned.items()}}


def ran(way, folder, order=()):
    """The same in a process of its own; nothing if it fails, which is told."""
    command = [sys.executable, __file__, folder, "--way", way, "--order", ",".join(order)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{way}: failed\n{done.stderr[-2000:]}", flush=True)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def apart(found, beside):
    """How far two models are from each other."""
    if any(found[key] != beside[key] for key in ("features", "samples")):
        return "other features or samples"
    most = lambda key: np.abs(np.subtract(found["learned"][key], beside["learned"][key])).max()
    return json.dumps({key: float(f"{most(key):.0e}") for key in found["learned"]})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--parts", type=int, default=40)
    parser.add_argument("--only", default=",".join(WAYS))
    parser.add_argument("--way")
    parser.add_argument("--order", default="")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.way:
        names = args.order.split(",") if args.order else sorted(path.name for path in args.folder.glob("*.parquet"))
        print(json.dumps(one(args.way, args.folder, names)))
        return
    write(args.folder, args.rows, args.parts)
    whole = {}
    for way in args.only.split(","):
        whole[way] = found = ran(way, args.folder)
        if found is None:
            continue
        shown = {key: round(value, 1) for key, value in found.items() if isinstance(value, (int, float))}
        shown |= {key: len(found[key]) for key in ("features", "samples")}
        print(f"{way}: {json.dumps(shown)}", flush=True)
        # Rows that come in another order are compared with rows in memory in that order.
        beside = ran("memory", args.folder, found["order"]) if "order" in found else whole.get("memory")
        if beside and way != "memory":
            print(f"{way}, largest differences: {apart(found, beside)}", flush=True)
        if way in ("killed", "dask-4") and whole.get("dask-2"):
            print(f"{way}, to the bit as dask-2: {found['learned'] == whole['dask-2']['learned']}", flush=True)
        if args.json:
            args.json.write_text(json.dumps(whole))


if __name__ == "__main__":
    main()

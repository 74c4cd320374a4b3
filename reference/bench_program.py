"""The program beside what people use: reading, predicting, memory.

    python reference/bench_program.py PFCVM FOLDER [--gigabytes 1.0]

PFCVM is the built program, FOLDER a place for about 3 GB of files, which are made once and kept.
Every comparison is made in this one run, the programs in turn; of each timing the best of three
counts. `cargo xtask bench program` calls this.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

REPEATS = 3


def run(*words):
    """Wall seconds and peak memory (MB) of a process whose output is thrown away."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words} ended with {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def best(*words):
    """The fastest of a few runs, and the largest memory of any."""
    runs = [run(*words) for _ in range(REPEATS)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def python(code, *words):
    return best(sys.executable, "-c", code, *words)


def big_csv(path, model_data, gigabytes):
    """Rows of the waveform file again and again until the file is as large as asked."""
    if path.exists() and path.stat().st_size >= gigabytes * 1e9:
        return
    header, rows = model_data.read_bytes().split(b"\n", 1)
    with open(path, "wb") as out:
        out.write(header + b"\n")
        while out.tell() < gigabytes * 1e9:
            out.write(rows)


def reading(program, folder, gigabytes):
    big, model = folder / "big.csv", folder / "model.json"
    big_csv(big, folder / "rows.csv", gigabytes)
    size = big.stat().st_size / 1e6
    print(f"\nreading {size:.0f} MB of CSV, 40 features and a label")
    seconds, memory = best(program, "predict", model, big)
    print(f"  pfcvm predict (reads, predicts, writes)  {size / seconds:6.0f} MB/s  {memory:6.0f} MB")
    seconds, memory = python("import sys, polars; polars.read_csv(sys.argv[1])", big)
    print(f"  polars.read_csv (reads only)             {size / seconds:6.0f} MB/s  {memory:6.0f} MB")
    seconds, memory = run(sys.executable, "-c", "import sys, pandas; pandas.read_csv(sys.argv[1])", big)
    print(f"  pandas.read_csv (reads only, one run)    {size / seconds:6.0f} MB/s  {memory:6.0f} MB")
    half = folder / "half.csv"
    big_csv(half, folder / "rows.csv", gigabytes / 2)
    _, small = run(program, "predict", model, half)
    _, large = run(program, "predict", model, big)
    print(f"  memory of pfcvm predict on half and on all of it: {small:.0f} and {large:.0f} MB")


SVC = """
import sys, time, json, numpy, pandas
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
train = pandas.read_csv(sys.argv[1]).to_numpy()
model = make_pipeline(StandardScaler(), SVC()).fit(train[:, :-1], train[:, -1])
x = numpy.load(sys.argv[2])
start = time.perf_counter()
model.predict(x)
seconds = time.perf_counter() - start
print(json.dumps({"rows": len(x), "seconds": seconds, "vectors": len(model[-1].support_)}))
"""


def predicting(program, folder):
    import numpy
    rows = numpy.loadtxt(folder / "rows.csv", delimiter=",", skiprows=1)[:, :-1]
    million = folder / "million.npy"
    if not million.exists():
        numpy.save(million, numpy.tile(rows, (1_000_000 // len(rows) + 1, 1))[:1_000_000])
    print("\npredicting one million waveforms of 40 features")
    out = subprocess.run([sys.executable, "-c", SVC, str(folder / "train.csv"), str(million)],
                         check=True, capture_output=True, text=True).stdout
    svc = json.loads(out)
    rate = svc["rows"] / svc["seconds"]
    print(f"  SVC.predict in memory ({svc['vectors']} vectors)            {rate:12.0f} rows/s")
    out = subprocess.run([str(program), "bench-predict", str(folder / "model.json"), str(million)],
                         capture_output=True, text=True)
    if out.returncode == 0:
        ours = json.loads(out.stdout)
        print(f"  pfcvm in memory ({ours['samples']} samples)                {ours['rate']:12.0f} rows/s,"
              f" {ours['rate'] / rate:.0f} times")
    seconds, memory = best(program, "predict", folder / "model.json", million)
    print(f"  pfcvm predict, .npy file to CSV           {1e6 / seconds:12.0f} rows/s,"
          f" {1e6 / seconds / rate:.0f} times, {memory:.0f} MB")
    seconds, memory = best(program, "predict", folder / "model.json", million, "--out",
                           folder / "predicted.csv")
    print(f"  the same into a file                      {1e6 / seconds:12.0f} rows/s,"
          f" {1e6 / seconds / rate:.0f} times, {memory:.0f} MB")


def fitting(program, folder):
    print("\nmemory of pfcvm fit beside the matrix")
    for rows, options in [(200_000, []), (50_000, []), (2_000, [])]:
        data = folder / f"fit-{rows}.csv"
        if not data.exists():
            run(program, "generate", "eeg-like", "--n", rows, "--out", data)
        matrix = rows * 310 * 8 / 1e6
        seconds, memory = run(program, "fit", data, *options)
        print(f"  {rows} x 310 ({matrix:.0f} MB, {data.stat().st_size / 1e6:.0f} MB of CSV):"
              f" peak {memory:.0f} MB = {memory / matrix:.1f} times, {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--only", choices=["reading", "predicting", "fitting"])
    options = parser.parse_args()
    program, folder = options.program.resolve(), options.folder
    folder.mkdir(parents=True, exist_ok=True)
    run(program, "generate", "waveform", "--n", 400, "--seed", 1, "--out", folder / "train.csv")
    run(program, "generate", "waveform", "--n", 20_000, "--seed", 2, "--out", folder / "rows.csv")
    run(program, "fit", folder / "train.csv", "--model", folder / "model.json")
    if options.only in (None, "reading"):
        reading(program, folder, options.gigabytes)
    if options.only in (None, "predicting"):
        predicting(program, folder)
    if options.only in (None, "fitting"):
        fitting(program, folder)


if __name__ == "__main__":
    main()

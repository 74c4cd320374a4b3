"""The program beside what people use: reading, predicting, memory.

    python reference/bench_program.py PROGRAM FOLDER [--gigabytes 1.0]

PROGRAM is the built `pfcvm`, FOLDER a place for about 2 GB of files, which are made once and kept.
Every comparison is made in this one run, the programs in turn; of each timing the best of three
counts. `cargo xtask bench program` calls this.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

REPEATS = 3


def run(*words, expected=0):
    """Wall seconds and peak memory (MB) of a process whose output is thrown away."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != expected:
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


TABLE = """
import sys, numpy, polars
rows, seed = int(sys.argv[2]), int(sys.argv[3])
random = numpy.random.default_rng(seed)
words = numpy.array([f"{a}{b}" for a in ("red", "green", "blue", "dark ", "pale ") for b in range(8)])
columns = {f"n{at}": random.normal(size=rows) for at in range(6)}
columns |= {f"w{at}": random.choice(words[: 4 + 12 * at], rows) for at in range(4)}
columns["at"] = numpy.datetime64("2020-01-01") + random.integers(0, 2000, rows).astype("timedelta64[D]")
score = columns["n0"] + numpy.char.startswith(columns["w1"], "red") + random.normal(size=rows) / 2
frame = polars.DataFrame(columns).with_columns(
    polars.when(polars.int_range(polars.len()) % 17 != 3).then(polars.col("n1")).alias("n1"),
    polars.Series("class", numpy.where(score > 0.2, "yes", "no")))
frame.write_parquet(sys.argv[1]) if sys.argv[1].endswith("parquet") else frame.write_csv(sys.argv[1])
"""


def words(program, folder, gigabytes):
    """Tables of numbers, words, dates and gaps, as text and as Parquet; polars is given the same columns."""
    small, model = folder / "words-train.csv", folder / "words.json"
    run(sys.executable, "-c", TABLE, small, 400, 1)
    run(program, "fit", small, "--model", model)
    needed = [column["name"] for column in json.loads(model.read_text())["columns"]]
    print(f"\nreading tables of words, {len(needed)} columns needed of 12")
    for form, reader, bytes_per_row in [("csv", "read_csv", 155), ("parquet", "read_parquet", 49)]:
        big = folder / f"words.{form}"
        if not big.exists() or big.stat().st_size < 0.8 * gigabytes * 1e9:
            run(sys.executable, "-c", TABLE, big, int(gigabytes * 1e9 / bytes_per_row), 2)
        size = big.stat().st_size / 1e6
        seconds, memory = best(program, "predict", model, big)
        print(f"  pfcvm predict, {size:.0f} MB of {form} {size / seconds:6.0f} MB/s  {memory:6.0f} MB")
        code = f"import sys, polars; polars.{reader}(sys.argv[1], columns={needed})"
        peer, memory = python(code, big)
        print(f"  polars.{reader} (reads only)   {size / peer:6.0f} MB/s  {memory:6.0f} MB,"
              f" ours {peer / seconds:.2f} times")


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


MILLION = """
import sys, numpy
rows = numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)[:, :-1]
numpy.save(sys.argv[2], numpy.tile(rows, (1_000_000 // len(rows) + 1, 1))[:1_000_000])
"""


def predicting(program, folder):
    million = folder / "million.npy"
    if not million.exists():
        # In a process of its own: a child's peak memory counts from that of its parent.
        run(sys.executable, "-c", MILLION, folder / "rows.csv", million)
    print("\npredicting one million waveforms of 40 features")
    out = subprocess.run([sys.executable, "-c", SVC, str(folder / "train.csv"), str(million)],
                         check=True, capture_output=True, text=True).stdout
    svc = json.loads(out)
    rate = svc["rows"] / svc["seconds"]
    print(f"  SVC.predict in memory ({svc['vectors']} vectors)            {rate:12.0f} rows/s")
    measure = ["cargo", "bench", "--quiet", "--package", "pfcvm-study", "--bench", "measure", "--"]
    out = subprocess.run([*measure, "rate", (folder / "model.json").resolve(), million.resolve()],
                         cwd=Path(__file__).parent.parent, check=True, capture_output=True, text=True).stdout
    ours = json.loads(out)
    print(f"  Model.predict in memory ({ours['samples']} samples)           {ours['rate']:12.0f} rows/s,"
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
    for what, rows, cols in [("eeg-like", 1400, 310), ("waveform", 20_000, 40)]:
        data = folder / f"{what}-{rows}.csv"
        run(program, "generate", what, "--n", rows, "--out", data)
        matrix = rows * cols * 8 / 1e6
        seconds, memory = run(program, "fit", data)
        print(f"  fit, {rows} x {cols} ({matrix:.1f} MB):"
              f" {memory:.0f} MB = {memory / matrix:.1f} times, {seconds:.1f} s")
    # A file with one class is refused when all of it has been read: what reading alone takes.
    one_class = folder / "one-class.csv"
    if not one_class.exists():
        header, rows = (folder / "rows.csv").read_text().split("\n", 1)
        rows = "\n".join(row.rsplit(",", 1)[0] + ",0" for row in rows.splitlines()) + "\n"
        with open(one_class, "w") as out:
            out.write(header + "\n")
            for _ in range(30):
                out.write(rows)
    matrix = 30 * 20_000 * 40 * 8 / 1e6
    seconds, memory = run(program, "fit", one_class, expected=3)
    print(f"  reading alone, 600000 x 40 ({matrix:.0f} MB): {memory:.0f} MB ="
          f" {memory / matrix:.1f} times, {one_class.stat().st_size / 1e6 / seconds:.0f} MB/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--only", choices=["reading", "words", "predicting", "fitting"])
    options = parser.parse_args()
    program = options.program.resolve()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    run(program, "generate", "waveform", "--n", 400, "--seed", 1, "--out", folder / "train.csv")
    run(program, "generate", "waveform", "--n", 20_000, "--seed", 2, "--out", folder / "rows.csv")
    run(program, "fit", folder / "train.csv", "--model", folder / "model.json")
    if options.only in (None, "reading"):
        reading(program, folder, options.gigabytes)
    if options.only in (None, "words"):
        words(program, folder, options.gigabytes)
    if options.only in (None, "predicting"):
        predicting(program, folder)
    if options.only in (None, "fitting"):
        fitting(program, folder)


if __name__ == "__main__":
    main()

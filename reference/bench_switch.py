"""Where sums over rows begin to pay: fits of all rows at once beside fits by sums of the same rows.

python reference/bench_switch.py PROGRAM FOLDER [--rows N,N] [--kinds NAME,NAME] [--seeds A..B] [--records FILE] [--report]

`pfcvm fit` works on so few rows at once unless it is told to `--stream`, which goes by sums: PROGRAM must be one whose
`MANY_ROWS` is not below the rows that are asked for. Every line is one fit, on one thread: CPU-seconds, log loss and
errors on 20,000 fresh rows, features kept and those of them that are called certain. Where the kernel is to be found out and how sure all is to be told is left
as it is by default.
"""
import argparse
import json
import subprocess
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from bench_scale import log_loss, watched, waveforms

TEST_ROWS = 20_000


def madelon_like(rows, seed):
    """Five features that matter only together, 15 that are sums of them, 30 of noise; eight clumps a class."""
    return make_classification(n_samples=rows, n_features=50, n_informative=5, n_redundant=15, n_clusters_per_class=8,
                               class_sep=1.5, flip_y=0.01, random_state=seed)


def spam_like(rows, seed):
    """Shares of 57 words, mostly none; 15 of them go along with a class, more or less."""
    rng = np.random.default_rng([seed, 57])
    there = rng.uniform(0.05, 0.3, 57)
    tilt = np.where(np.arange(57) < 15, rng.normal(0, 1.2, 57), 0.0)
    y = (rng.random(rows) < 0.4).astype(int)
    odds = np.log(there / (1 - there)) + np.outer(y - 0.4, tilt)
    return np.where(rng.random((rows, 57)) < 1 / (1 + np.exp(-odds)), rng.lognormal(0, 1, (rows, 57)), 0.0), y


def ringnorm(rows, seed):
    """A wide normal around a narrow one, in 20 dimensions."""
    rng = np.random.default_rng([seed, 20])
    y = rng.integers(0, 2, rows)
    x = rng.normal(size=(rows, 20))
    return np.where(y[:, None] == 0, 2 * x, x + 2 / np.sqrt(20)), y


def chess_like(rows, seed):
    """36 truth values; the class is a sum of four of them, of three pairs and of one triple."""
    rng = np.random.default_rng([seed, 36])
    x = (rng.random((rows, 36)) < rng.uniform(0.2, 0.8, 36)).astype(float)
    z = 2 * x - 1
    f = 1.5 * z[:, :4].sum(1) + 2.0 * (z[:, 4] * z[:, 5] + z[:, 6] * z[:, 7] + z[:, 0] * z[:, 8]) + 2.0 * z[:, 9] * z[:, 10] * z[:, 11]
    return x, (rng.random(rows) < 1 / (1 + np.exp(-f))).astype(int)


def rare(rows, seed):
    """One row in sixteen is ill: three of 25 numbers are beyond a bound, or nearly."""
    rng = np.random.default_rng([seed, 25])
    x = rng.normal(size=(rows, 25))
    f = -5.0 + 2.5 * np.maximum(x[:, 0], 0) + 2.0 * np.abs(x[:, 1]) - 1.5 * x[:, 2]
    return x, (rng.random(rows) < 1 / (1 + np.exp(-f))).astype(int)


def linear(rows, seed):
    """300 features, of which twenty have a say, in a line."""
    rng = np.random.default_rng([seed, 300])
    slopes = np.where(np.arange(300) < 20, rng.normal(0, 0.5, 300), 0.0)
    x = rng.normal(size=(rows, 300))
    return x, (rng.random(rows) < 1 / (1 + np.exp(-x @ slopes))).astype(int)


def curved(rows, seed):
    """Ten columns, of which four say something, along curves."""
    rng = np.random.default_rng([seed, 10])
    x = rng.uniform(-1, 1, (rows, 10))
    f = 4 * np.sin(3 * x[:, 0]) * x[:, 1] + 5 * x[:, 2] ** 2 - 2 + 3 * np.cos(4 * x[:, 3]) * x[:, 0]
    return x, (rng.random(rows) < 1 / (1 + np.exp(-2 * f))).astype(int)


KINDS = {"waveform": waveforms, "madelon-like": madelon_like, "spam-like": spam_like, "ringnorm": ringnorm,
         "chess-like": chess_like, "rare": rare, "linear": linear, "curved": curved}


def write(path, x, y):
    header = ",".join(f"x{k + 1}" for k in range(x.shape[1])) + ",class"
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header=header, comments="", fmt="%.9g")


def measured(program, folder, kind, rows, seed, way):
    """One fit: what it cost and how good it is."""
    stem = folder / f"{kind}-{rows}-{seed}"
    train, test, model = (Path(f"{stem}{end}") for end in (".csv", "-test.csv", f"-{way}.json"))
    # One draw for both, so that what is drawn about the kind itself is the same.
    x, y = KINDS[kind](rows + TEST_ROWS, seed)
    if not train.exists():
        write(train, x[:rows], y[:rows])
        write(test, x[rows:], y[rows:])
    options = {"at once": [], "sums": ["--stream"]}[way]
    command = [program, "fit", train, "--label", "class", "--model", model, "--json", "--threads", "1", *options]
    out, code, _, cpu, mib = watched(command)
    if code != 0:
        return {"failed": code}
    said = subprocess.run([program, "predict", model, test], check=True, capture_output=True, text=True).stdout
    p = np.array([float(line.split(",")[1]) for line in said.splitlines()[1:]])
    about = json.loads(out)
    model.unlink()
    return {"cpu": cpu, "mib": mib, "log_loss": log_loss(y[rows:], p),
            "errors": float(np.mean((p > 0.5) != y[rows:])), "features": len(about["selected_features"]),
            "certain": sum(one["certain"] for one in about["selected_features"]), "samples": len(about["selected_samples"])}


def report(records):
    """Means over seeds, and the mean difference with its standard error."""
    cases = sorted({(r["kind"], r["rows"]) for r in records})
    print("kind, rows | seeds | CPU-s at once, sums | log loss at once, sums | difference | errors at once, sums | features, certain ones")
    for kind, rows in cases:
        of = {way: {r["seed"]: r for r in records if (r["kind"], r["rows"], r["way"]) == (kind, rows, way) and "failed" not in r}
              for way in ("at once", "sums")}
        seeds = sorted(set(of["at once"]) & set(of["sums"]))
        if not seeds:
            continue
        mean = lambda way, key: np.mean([of[way][seed][key] for seed in seeds])
        apart = [of["sums"][seed]["log_loss"] - of["at once"][seed]["log_loss"] for seed in seeds]
        error = np.std(apart, ddof=1) / np.sqrt(len(seeds)) if len(seeds) > 1 else float("nan")
        pair = lambda key, form: ", ".join(format(mean(way, key), form) for way in ("at once", "sums"))
        print(f"{kind}, {rows} | {len(seeds)} | {pair('cpu', '.1f')} | {pair('log_loss', '.4f')} | {np.mean(apart):+.4f} ± {error:.4f} | "
              f"{pair('errors', '.4f')} | {pair('features', '.1f')}; {pair('certain', '.1f')}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", default="5000,10000,20000")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seeds", default="1..2")
    parser.add_argument("--records", type=Path, default=Path("switch.jsonl"))
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    first, last = (int(part) for part in args.seeds.split(".."))
    records = [json.loads(line) for line in args.records.read_text().splitlines()] if args.records.exists() else []
    known = {(r["kind"], r["rows"], r["seed"], r["way"]) for r in records}
    with args.records.open("a") as out:
        for rows in [] if args.report else [int(part) for part in args.rows.split(",")]:
            for seed in range(first, last + 1):
                for kind in args.kinds.split(","):
                    for way in ("sums", "at once"):
                        if (kind, rows, seed, way) in known:
                            continue
                        found = {"kind": kind, "rows": rows, "seed": seed, "way": way}
                        found |= measured(args.program.resolve(), args.folder, kind, rows, seed, way)
                        records.append(found)
                        print(json.dumps(found), file=out, flush=True)
                        print(json.dumps(found), flush=True)
                    for old in args.folder.glob(f"{kind}-{rows}-{seed}*.csv"):
                        old.unlink()
    report([r for r in records if first <= r["seed"] <= last])


if __name__ == "__main__":
    main()

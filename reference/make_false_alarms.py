"""Makes the lines of crates/pfcvm/src/judgement/alarm.rs: how likely a listed feature is a false alarm.

    python reference/make_false_alarms.py PROGRAM [--sets 600] [--first-seed 70000] [--workers 2] [--records FILE]

Draws sets whose truth is known, fits each with `PROGRAM fit --certainty insist --json`, and fits a logistic regression to
which of the listed features say nothing, from what the fit says of them. Prints the constants in Rust, and how far the
probabilities are from the truth in ten bins (sets left out five at a time). Only sets in which something was found count:
in the others nothing is listed.
"""
import argparse
import json
import math
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

KINDS = ("curved", "linear", "panel")
NAMES = ("z_above", "z_below", "share", "all", "features", "samples", "listed", "weight", "weight_share")


def correlated(rng, rows, features, how):
    """Columns of mean 0 and variance 1: independent, each .7 of the one before, or five at a time at .9."""
    noise = rng.standard_normal((rows, features))
    if how == "chain":
        for k in range(1, features):
            noise[:, k] = 0.7 * noise[:, k - 1] + math.sqrt(1 - 0.49) * noise[:, k]
    if how == "blocks":
        shared = rng.standard_normal((rows, -(-features // 5)))
        noise = math.sqrt(0.9) * shared[:, np.arange(features) // 5] + math.sqrt(0.1) * noise
    return noise


def draw(kind, seed):
    """A set of a kind of machine: x, classes, which features matter, and options of the program."""
    rng = np.random.default_rng(seed)
    pick = lambda values, shares=None: rng.choice(np.array(values, dtype=object), p=shares)
    if kind == "panel":
        rows, features = pick([60, 100, 200]), pick([50, 100, 300, 1000, 2000], [0.1, 0.15, 0.25, 0.3, 0.2])
        effect, matter = "linear", pick([3, 5, 10, 20])
    else:
        rows = pick([100, 200, 300, 400, 1000], [0.2, 0.3, 0.1, 0.35, 0.05])
        features = pick([20, 50, 100, 300, 1000], [0.15, 0.3, 0.25, 0.15, 0.15])
        effect = pick(["linear", "squares", "pairs"], [0.5, 0.3, 0.2]) if kind == "curved" else "linear"
        matter = pick([3, 5, 10])
        if effect != "linear":
            features = min(features, 300)
        if rows == 1000:
            features = min(features, 100)
        if effect == "pairs":
            rows, features, matter = 400, min(features, 100), 4
    strength = pick([0.35, 0.5, 0.7, 1.0, 1.5])
    x = correlated(rng, rows, features, pick(["independent", "chain", "blocks"]))
    columns = np.round(np.linspace(1, features - 2, matter)).astype(int)
    values = x[:, columns]
    if effect == "linear" and pick([True, False], [0.25, 0.75]):
        x = x / np.sqrt(rng.chisquare(3, x.shape) / 3)  # heavy tails
        values = x[:, columns]
    if effect == "linear":
        logit = strength * values.sum(axis=1)
    elif effect == "squares":
        logit = strength * (values**2 - 1).sum(axis=1)
    else:
        logit = 2 * strength * (values[:, 0] * values[:, 1] + values[:, 2] * values[:, 3])
    positive = rng.random(rows) < 1 / (1 + np.exp(-logit))
    options = {"curved": ["--kernel", "rbf"], "linear": ["--kernel", "linear"], "panel": ["--panel", "20"]}[kind]
    if kind == "curved" and pick([True, False], [0.2, 0.8]):
        options += ["--samples", "dense"]
    return x, positive, set(columns.tolist()), options


def measured(program, kind, seed):
    """What the program says of every listed feature of a set, and whether it is a false alarm."""
    x, positive, matter, options = draw(kind, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.npy"
        np.save(path, np.column_stack([x, positive.astype(float)]))
        command = [program, "fit", path, "--json", "--certainty", "insist", "--threads", "1", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"kind": kind, "seed": seed, "error": done.stderr.strip()}
    said = json.loads(done.stdout)
    listed = said["selected_features"]
    if said["nothing_found"] is not False:
        return {"kind": kind, "seed": seed, "features": []}
    features = [
        {
            "z": float(norm.isf(one["p_value"])),
            "share": one["kept_share"],
            "strength": abs(one["weight"]) / one["deviation"] if one["deviation"] > 0 else 0.0,
            "false": one["index"] not in matter,
        }
        for one in listed
    ]
    return {"kind": kind, "seed": seed, "rows": len(x), "candidates": x.shape[1], "features": features}


def inputs(record):
    """The columns that the line in alarm.rs multiplies, in the order of NAMES."""
    sizes = [math.log(record["candidates"]), math.log(record["rows"]), math.log(len(record["features"]))]
    for one in record["features"]:
        z, share, t = min(max(one["z"], -2.0), 6.0), one["share"], min(one["strength"], 8.0)
        yield [max(z - 2, 0), min(z, 2), share, float(share == 1), *sizes, t, t * share]


def fitted(x, y):
    """A constant and a factor for each column, with a little ridge on standardised columns."""
    centre, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-9] = np.inf
    model = LogisticRegression(C=1.0, max_iter=5000).fit((x - centre) / scale, y)
    factors = model.coef_[0] / scale
    return model.intercept_[0] - factors @ centre, factors


def told(kind, records):
    """Prints the line of a kind, and its calibration on sets that did not make it."""
    sets = [record for record in records if record["kind"] == kind and record.get("features")]
    x = np.array([row for record in sets for row in inputs(record)])
    y = np.array([one["false"] for record in sets for one in record["features"]])
    of_set = np.repeat(np.arange(len(sets)), [len(record["features"]) for record in sets])
    said = np.zeros(len(y))
    for part in range(5):
        out = of_set % 5 == part
        constant, factors = fitted(x[~out], y[~out])
        said[out] = 1 / (1 + np.exp(-(constant + x[out] @ factors)))
    print(f"// {len(sets)} sets, {len(y)} listed features, {y.mean():.3f} of them false alarms")
    bins = np.minimum((10 * said).astype(int), 9)
    for b in range(10):
        inside = bins == b
        if inside.any():
            print(f"//   said {said[inside].mean():.3f}, true {y[inside].mean():.3f} of {inside.sum()}")
    constant, factors = fitted(x, y)
    print(f"const {kind.upper()}: Line = Line {{\n    constant: {constant:.3f},")
    for name, factor in zip(NAMES, factors):
        print(f"    {name}: {factor:.3f},")
    print("};")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sets", type=int, default=600)
    parser.add_argument("--first-seed", type=int, default=70_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--records", type=Path)
    options = parser.parse_args()
    tasks = [(kind, options.first_seed + i) for kind in KINDS for i in range(options.sets if kind != "panel" else options.sets // 2)]
    records = []
    if options.records and options.records.exists():
        records = [json.loads(line) for line in options.records.read_text().splitlines()]
    done = {(record["kind"], record["seed"]) for record in records}
    with ThreadPoolExecutor(options.workers) as pool:
        for record in pool.map(lambda task: measured(options.program, *task), [t for t in tasks if t not in done]):
            records.append(record)
            if options.records:
                with options.records.open("a") as file:
                    file.write(json.dumps(record) + "\n")
    errors = [record for record in records if "error" in record]
    print(f"// {len(errors)} sets could not be fitted" + (f": {errors[0]['error']}" if errors else ""))
    for kind in KINDS:
        told(kind, records)


if __name__ == "__main__":
    main()

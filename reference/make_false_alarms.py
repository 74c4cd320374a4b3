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
from scipy.stats import chi2, norm
from sklearn.linear_model import LogisticRegression

KINDS = ("curved", "linear", "panel", "curved_classes", "linear_classes", "panel_classes")
NAMES = ("z_above", "z_below", "share", "all", "features", "samples", "listed", "weight", "weight_share", "association")


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


OPTIONS = {
    "curved": ["--kernel", "rbf"],
    "linear": ["--kernel", "linear"],
    "panel": ["--panel", "20"],
}


def draw(kind, seed):
    """A set for a kind of machine: x, the class of each row, and which features matter."""
    rng = np.random.default_rng(seed)
    pick = lambda values, shares=None: rng.choice(np.array(values, dtype=object), p=shares)
    if "panel" in kind:
        rows, features = pick([60, 100, 200]), pick([50, 100, 300, 1000, 2000], [0.1, 0.15, 0.25, 0.3, 0.2])
        effect, matter = "linear", pick([3, 5, 10, 20])
    else:
        rows = pick([100, 200, 300, 400, 1000], [0.2, 0.3, 0.1, 0.35, 0.05])
        features = pick([20, 50, 100, 300, 1000], [0.15, 0.3, 0.25, 0.15, 0.15])
        effect = "linear" if "linear" in kind else pick(["linear", "squares", "pairs"], [0.5, 0.3, 0.2])
        matter = pick([3, 5, 10])
        if effect != "linear":
            features = min(features, 300)
        if rows == 1000 or kind == "curved_classes":
            features = min(features, 100)
        if effect == "pairs":
            rows, features, matter = 400, min(features, 100), 4
    classes = 2
    if "classes" in kind:  # fits take long
        classes, rows, features = pick([3, 4, 6]), min(rows, 400), min(features, 300)
        if kind == "linear_classes":  # with more features than rows every class has a list of its own
            features = min(features, rows)
    strength = pick([0.35, 0.5, 0.7, 1.0, 1.5])
    x = correlated(rng, rows, features, pick(["independent", "chain", "blocks"]))
    columns = np.round(np.linspace(1, features - 2, matter)).astype(int)
    if pick([True, False]):  # side by side, where correlated ones may work against each other
        columns = rng.integers(features - matter + 1) + np.arange(matter)
    seen = pick([True, False], [0.2, 0.8])  # what decides is not measured itself, but several features show it
    if seen:
        hidden = rng.standard_normal((rows, pick([1, 2, 3])))
        x[:, columns] = 0.7 * hidden[:, np.arange(matter) % hidden.shape[1]] + 0.7 * x[:, columns]
    elif effect == "linear" and pick([True, False], [0.25, 0.75]):
        x = x / np.sqrt(rng.chisquare(3, x.shape) / 3)  # heavy tails
    values = 1.5 * hidden if seen else x[:, columns]
    if effect == "squares":
        values = values**2 - 1
    elif effect == "pairs":
        values = 2 * values * np.roll(values, 1, axis=1) if seen else 2 * values[:, :2] * values[:, 2:]
    if classes == 2:
        signs = rng.choice([-1.0, 1.0], values.shape[1]) * rng.uniform(0.6, 1.4, values.shape[1])
        logits = np.column_stack([np.zeros(rows), strength * values @ signs])
    else:
        logits = strength * values @ rng.choice([-1.0, 0.0, 1.0], (values.shape[1], classes)) * 1.5
    chances = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
    y = (rng.random(rows)[:, None] * chances[:, -1:] > chances).sum(axis=1)
    return x, y, set(columns.tolist())


def association(column, y):
    """How a column and its square go along with the classes one by one: the root of the chi-square of two degrees of
    freedom that is as unlikely by chance, for the class that it tells best."""
    first = column - column.mean()
    square = column**2 - (column**2).mean()
    square -= (square @ first) / (first @ first) * first
    directions = [first] + ([square] if square @ square > 1e-9 * (column**4).sum() else [])
    classes = np.unique(y)
    asked = classes[1:] if len(classes) == 2 else classes
    chi_squares = []
    for one in asked:
        is_it = y == one
        t = is_it - is_it.mean()
        found = sum((d @ t) ** 2 / (d @ d) for d in directions) / (is_it.mean() * (1 - is_it.mean()))
        chi_squares.append(-2 * chi2.logsf(found, len(directions)))
    return float(math.sqrt(max(max(chi_squares) - 2 * math.log(len(asked)), 0.0)))


def measured(program, kind, seed):
    """What the program says of every listed feature of a set, and whether it is a false alarm."""
    x, y, matter = draw(kind, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.npy"
        np.save(path, np.column_stack([x, y.astype(float)]))
        command = [program, "fit", path, "--json", "--certainty", "insist", "--threads", "1", *OPTIONS[kind.removesuffix("_classes")]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"kind": kind, "seed": seed, "error": done.stderr.strip()}
    said = json.loads(done.stdout)
    if said["nothing_found"] is not False:
        return {"kind": kind, "seed": seed, "features": []}
    machines = said.get("machines") or [said]
    listed = {one["index"]: [] for one in machines[0]["selected_features"]}
    for machine in machines:
        for one in machine["selected_features"]:
            listed[one["index"]].append(one)
    features = [
        {
            "z": float(norm.isf(ones[0]["p_value"])),
            "share": ones[0]["kept_share"],
            "strength": strength(ones if "panel" in kind else ones[:1]),
            "association": association(x[:, index], y),
            "false": index not in matter,
        }
        for index, ones in listed.items()
    ]
    sizes = {"rows": len(x), "classes": int(y.max()) + 1, "candidates": x.shape[1]}
    return {"kind": kind, "seed": seed, **sizes, "features": features}


def strength(ones):
    """The weight of a feature in deviations; of several machines, the deviate of one that is as unlikely."""
    values = [abs(one["weight"]) / one["deviation"] if one["deviation"] > 0 else 0.0 for one in ones]
    if len(values) == 1:
        return values[0]
    return max(float(norm.isf(chi2.sf(np.square(values).sum(), len(values) - 1))), 0.0)


def inputs(record):
    """The columns that the line in alarm.rs multiplies, in the order of NAMES."""
    sizes = [math.log(record["candidates"]), math.log(record["rows"]), math.log(len(record["features"]))]
    for one in record["features"]:
        z, share, t = min(max(one["z"], -2.0), 6.0), one["share"], min(one["strength"], 8.0)
        yield [max(z - 2, 0), min(z, 2), share, float(share == 1), *sizes, t, t * share, min(one["association"], 6.0)]


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
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--records", type=Path)
    options = parser.parse_args()
    tasks = [(kind, options.first_seed + i) for kind in options.kinds for i in range(options.sets)]
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
    for kind in options.kinds:
        told(kind, records)


if __name__ == "__main__":
    main()

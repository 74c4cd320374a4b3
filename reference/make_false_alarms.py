"""Makes the lines of crates/pfcvm/src/judgement/alarm.rs: how likely a listed feature is a false alarm.

    python reference/make_false_alarms.py PROGRAM [--sets 40] [--first-seed 500000] [--kinds linear curved panel] [--workers 1]
        [--records FILE]

Draws sets of every family of `alarm_families.py`, fits each with `PROGRAM fit --certainty insist --json`, and fits a logistic
regression to which of the listed features say nothing, from what the fit says of them and from what can be seen of them
without a machine. It is drawn to the lines that stood before (FORMER, whose sets were of fewer kinds): what few sets cannot
tell stays as it was. Prints the constants in Rust, and how far the probabilities are from the truth in ten bins, each family
being judged by lines that were made without it. Only sets in which something was found count: in the others nothing is listed.
"""
import argparse
import json
import math
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from scipy.special import expit
from scipy.stats import chi2, norm

from alarm_families import draw, families_of

NAMES = ("z_above", "z_below", "share", "all", "features", "samples", "listed", "weight", "weight_share", "association",
         "likeness", "likeness_association")
# A constant, then a factor for each name.
FORMER = {
    "curved": (-2.010, -1.069, -0.352, -1.666, 0.121, 0.316, 0.543, 0.386, -0.015, 0.123, -0.470, 0.0, 0.0),
    "linear": (-3.097, -0.398, -0.202, 1.191, -0.143, 0.708, 1.011, -0.128, 0.190, -0.968, -1.167, 0.0, 0.0),
    "panel": (1.005, -0.613, 0.111, -0.130, -0.085, 0.487, 0.397, 0.0, -0.009, -0.325, -1.261, 0.0, 0.0),
    "curved_classes": (-6.119, -1.125, -0.219, -0.934, -0.332, 0.312, 1.066, 1.132, -0.211, 0.129, -0.352, 0.0, 0.0),
    "linear_classes": (-3.092, -0.555, -0.118, 0.102, -0.447, 0.737, 1.386, -0.303, -0.382, -0.428, -1.069, 0.0, 0.0),
    "panel_classes": (-0.928, -0.061, -0.247, -0.906, -0.027, 0.515, 0.630, 0.0, -1.051, 0.069, -0.863, 0.0, 0.0),
}
# Sets of the designs that are asked for, for each one of another family: they are of many forms.
ASKED = 5
# How strongly lines are drawn to the former ones: as many squares of factors of standardised columns.
DRAWN = 30.0
OPTIONS = {
    "curved": ["--kernel", "rbf"],
    "linear": ["--kernel", "linear"],
    "panel": ["--panel", "20"],
}


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


def in_pairs(x, at, y):
    """The same for the product of a column with another one that tells most, as one of so many."""
    z = (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    products = np.delete(z * z[:, [at]], at, axis=1)
    products -= products.mean(axis=0)
    t = y - y.mean()
    length = (products**2).sum(axis=0)
    found = ((products.T @ t) ** 2 / np.where(length > 1e-9, length, np.inf)).max() / t.var()
    return math.sqrt(max(-2 * chi2.logsf(found, 1) - 2 * math.log(products.shape[1]), 0.0))


def likeness(x, at):
    """The largest correlation of a column with another one."""
    z = (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    return float(np.abs(np.delete(z, at, axis=1).T @ z[:, at]).max() / len(x))


def measured(program, kind, family, seed):
    """What the program says of every listed feature of a set, and whether it is a false alarm."""
    x, y, matter = draw(kind, family, seed)
    about = {"kind": kind, "family": family, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.npy"
        np.save(path, np.column_stack([x, y.astype(float)]))
        command = [program, "fit", path, "--json", "--certainty", "insist", "--threads", "1", *OPTIONS[kind.removesuffix("_classes")]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return about | {"error": done.stderr.strip()}
    said = json.loads(done.stdout)
    if said["nothing_found"] is not False:
        return about | {"features": []}
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
            "association": max(association(x[:, index], y), in_pairs(x, index, y) if kind == "curved" else 0.0),
            "likeness": likeness(x, index),
            "false": index not in matter,
        }
        for index, ones in listed.items()
    ]
    sizes = {"rows": len(x), "classes": int(y.max()) + 1, "candidates": x.shape[1]}
    return about | sizes | {"features": features}


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
        alone = min(one["association"], 6.0)
        yield [max(z - 2, 0), min(z, 2), share, float(share == 1), *sizes, t, t * share, alone,
               one["likeness"], one["likeness"] * alone]


def fitted(x, y, former):
    """A constant and a factor for each column, drawn to the former ones; Newton's steps."""
    centre, scale = x.mean(axis=0), x.std(axis=0)
    varies = scale > 1e-9
    columns = np.column_stack([np.ones(len(y)), np.where(varies, (x - centre) / np.where(varies, scale, 1.0), 0.0)])
    before = former[0] + x @ np.array(former[1:])
    ridge = np.array([1e-3] + [DRAWN] * x.shape[1])
    change = np.zeros(len(ridge))
    for _ in range(50):
        p = expit(before + columns @ change)
        step = np.linalg.solve(
            (columns.T * (p * (1 - p))) @ columns + np.diag(ridge), columns.T @ (y - p) - ridge * change)
        change += step
        if np.abs(step).max() < 1e-8:
            break
    factors = np.where(varies, change[1:] / np.where(varies, scale, 1.0), 0.0)
    return former[0] + change[0] - factors @ centre, np.array(former[1:]) + factors


def told(kind, records):
    """Prints the line of a kind, and its calibration on families that did not make it."""
    sets = [record for record in records if record["kind"] == kind and record.get("features")]
    if not sets:
        return
    x = np.array([row for record in sets for row in inputs(record)])
    y = np.array([one["false"] for record in sets for one in record["features"]])
    family = np.repeat([record["family"] for record in sets], [len(record["features"]) for record in sets])
    said = np.zeros(len(y))
    for one in np.unique(family):
        out = family == one
        constant, factors = fitted(x[~out], y[~out], FORMER[kind])
        said[out] = expit(constant + x[out] @ factors)
    loss = -np.mean(np.log(np.where(y, said, 1 - said)))
    print(f"// {len(sets)} sets, {len(y)} listed features, {y.mean():.3f} of them false alarms; log loss {loss:.3f}")
    bins = np.minimum((10 * said).astype(int), 9)
    for b in range(10):
        inside = bins == b
        if inside.any():
            print(f"//   said {said[inside].mean():.3f}, true {y[inside].mean():.3f} of {inside.sum()}")
    for one in np.unique(family):
        inside = family == one
        print(f"//   {one}: said {said[inside].mean():.3f}, true {y[inside].mean():.3f} of {inside.sum()}")
    constant, factors = fitted(x, y, FORMER[kind])
    print(f"const {kind.upper()}: Line = Line {{\n    constant: {constant:.3f},")
    for name, factor in zip(NAMES, factors):
        print(f"    {name}: {factor:.3f},")
    print("};")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sets", type=int, default=40, help="of each family, and five times as many of those that are asked for")
    parser.add_argument("--first-seed", type=int, default=500_000)
    parser.add_argument("--kinds", nargs="+", default=list(FORMER))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--records", type=Path)
    options = parser.parse_args()
    tasks = [
        (kind, family, options.first_seed + i)
        for i in range(ASKED * options.sets) for kind in options.kinds for family in families_of(kind)
        if i < options.sets or family == "asked"
    ]
    records = []
    if options.records and options.records.exists():
        records = [json.loads(line) for line in options.records.read_text().splitlines()]
    done = {(record["kind"], record["family"], record["seed"]) for record in records}
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

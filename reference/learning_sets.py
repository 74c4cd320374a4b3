"""What the programs that measure few labels and new labels share: sets, draws, ours as a program, sums.

Every draw of a set shuffles all its rows anew with a seed of its own, so that what was chosen on some draws can be
reported on others.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import csv
import io
import json
import subprocess
import zlib
from pathlib import Path

import numpy as np

from datasets import data_file, load

FOLDERS = {
    "waveform": "raetsch/waveform", "twonorm": "raetsch/twonorm", "banana": "raetsch/banana", "image": "raetsch/image",
    "wdbc": "wdbc", "eeg": "eeg_alcoholism_de", "german": "raetsch/german", "madelon": "madelon",
    "ringnorm": "raetsch/ringnorm", "splice": "raetsch/splice",
}
LEAST = 1e-12


def shuffled(name, draw):
    """Rows of a set in the order of a draw, and their classes as 0 and 1."""
    x, y = load(data_file(FOLDERS[name]))
    order = np.random.default_rng([draw, zlib.crc32(name.encode())]).permutation(len(y))
    return x[order], (y[order] == y.max()).astype(int)


def of_each(y, count):
    """The first so many rows of either class, in turns."""
    return np.stack([np.flatnonzero(y == label)[:count] for label in (0, 1)], axis=1).ravel()


def write(path, x, y=None):
    """A table; rows of class -1 have no label, and without classes there is no such column."""
    head = ",".join(f"x{k}" for k in range(x.shape[1])) + ("" if y is None else ",label")
    labels = [""] * len(x) if y is None else ["," + (str(label) if label >= 0 else "") for label in y]
    lines = [",".join(map(repr, row)) + label for row, label in zip(x.tolist(), labels)]
    Path(path).write_text("\n".join([head, *lines]) + "\n")


class Program:
    """`pfcvm`, on one thread, in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = Path(program).resolve(), Path(folder)

    def run(self, *arguments):
        call = [str(self.program), *map(str, arguments), "--threads", "1"]
        ran = subprocess.run(call, cwd=self.folder, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(f"{' '.join(call)}: {ran.stderr}")
        return ran.stdout

    def fit(self, x, y, *arguments):
        """Fits to `train.csv`, model `m.json`; what the program tells as JSON."""
        write(self.folder / "train.csv", x, y)
        return json.loads(self.run("fit", "train.csv", "--model", "m.json", "--json", *arguments))

    def probability(self, x):
        """Of the second class, by `m.json`."""
        write(self.folder / "new.csv", x)
        said = csv.DictReader(io.StringIO(self.run("predict", "m.json", "new.csv")))
        return np.array([float(row["probability"]) for row in said])


def marks(y, p):
    """Mean log loss and share of errors of probabilities of class 1."""
    p = np.clip(p, LEAST, 1 - LEAST)
    return float(-np.mean(np.where(y == 1, np.log(p), np.log(1 - p)))), float(np.mean((p >= 0.5) != (y == 1)))


class Records:
    """Lines of JSON; what is there is not measured again."""

    def __init__(self, path):
        self.path, self.all = Path(path), []
        if self.path.exists():
            self.all = [json.loads(line) for line in self.path.read_text().splitlines()]

    def has(self, **keys):
        return any(all(one.get(key) == value for key, value in keys.items()) for one in self.all)

    def add(self, **record):
        self.all.append(record)
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def draws(text):
    """`100..119` as the draws that it names."""
    first, last = text.split("..")
    return range(int(first), int(last) + 1)


def short(value):
    """A figure as the tables have it: .123."""
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"

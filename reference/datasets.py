"""Reading the data folder, whose place is given by the environment variable PFCVM_DATA."""
import csv
import os
from pathlib import Path

import numpy as np


def data_root():
    try:
        return Path(os.environ["PFCVM_DATA"])
    except KeyError:
        raise SystemExit("set PFCVM_DATA to the data folder") from None


def data_file(folder):
    """Path of a data set's file, relative to the data folder (plain or gzipped)."""
    for name in ("data.csv.gz", "data.csv"):
        if (data_root() / folder / name).exists():
            return f"{folder}/{name}"
    raise SystemExit(f"no data file in {folder}")


def load(relative_path):
    """Features and integer labels of a data file; the label is its last column."""
    table = np.loadtxt(data_root() / relative_path, delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1].astype(int)


def raetsch_train_rows(folder):
    """Training rows of every realisation, one line each."""
    with open(data_root() / folder / "train_splits.csv") as file:
        return [[int(row) for row in line] for line in csv.reader(file) if line]


def eeg_given_split(folder):
    """Rows marked `train` and `test` in samples.csv."""
    rows = {"train": [], "test": []}
    with open(data_root() / folder / "samples.csv") as file:
        for line in csv.DictReader(file):
            rows[line["split"]].append(int(line["row"]))
    return rows

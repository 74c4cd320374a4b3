"""Write the train/test rows of every experiment, one JSON file each.

    PFCVM_DATA=folder python splits.py OUT_DIR [K]

With K only the first K splits of each are written; `pfcvm evaluate DATA --cv splits:FILE` reads them. The files are the only source of splits: every program that reports a figure reads them,
so figures of different programs can be compared split by split.
"""
import json
import sys
from pathlib import Path

import numpy as np

from datasets import data_file, eeg_given_split, load, raetsch_train_rows

REPORT_SEED = 1
CHOOSE_SEED = 77  # settings are chosen on these splits, and on no others


def split(train, test):
    return {"train": sorted(int(r) for r in train), "test": sorted(int(r) for r in test)}


def rest(rows, train):
    return np.setdiff1d(rows, train)


def random_per_class(labels, classes, per_class, count, seed):
    """`per_class` training rows of each class; every other row of these classes is a test row."""
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(np.isin(labels, classes))
    for _ in range(count):
        train = [rng.permutation(np.flatnonzero(labels == c))[:per_class] for c in classes]
        train = np.concatenate(train)
        yield split(train, rest(rows, train))


def stratified_folds(labels, folds, repeats, seed):
    """Shuffle each class, then deal the rows to the folds in turn.

    The deal of a class goes on where the one before stopped: fold sizes differ by one at most.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(labels))
    for _ in range(repeats):
        order = np.concatenate([rng.permutation(np.flatnonzero(labels == c)) for c in np.unique(labels)])
        fold_of = np.empty(len(labels), int)
        fold_of[order] = rows % folds
        for k in range(folds):
            yield split(rows[fold_of != k], rows[fold_of == k])


def leave_one_out(labels):
    rows = np.arange(len(labels))
    return (split(rest(rows, [r]), [r]) for r in rows)


def realisations(train_rows, row_count):
    rows = np.arange(row_count)
    return (split(train, rest(rows, train)) for train in train_rows)


class Writer:
    def __init__(self, out_dir, limit):
        self.out_dir, self.limit = Path(out_dir), limit
        self.out_dir.mkdir(parents=True, exist_ok=True)

    def write(self, name, data, protocol, seed, labels, splits):
        experiment = dict(name=name, data=data, protocol=protocol, seed=seed,
                          labels=labels, splits=list(splits)[:self.limit])
        (self.out_dir / f"{name}.json").write_text(json.dumps(experiment) + "\n")
        print(f"{name}: {len(experiment['splits'])} splits")


def waveform(out):
    data = data_file("waveform_noise")
    labels = load(data)[1]
    protocol = "Classes 0 and 1: 200 random training rows of each, every other row of the two classes is tested."
    for name, count, seed in (("waveform-paper", 100, REPORT_SEED), ("waveform-choose", 40, CHOOSE_SEED)):
        out.write(name, data, protocol, seed, [0, 1], random_per_class(labels, [0, 1], 200, count, seed))


def given(out):
    rows = eeg_given_split("eeg_alcoholism_de")
    out.write("eeg-given", data_file("eeg_alcoholism_de"), "The train/test division of the source.",
              None, [-1, 1], [split(**rows)])
    out.write("madelon", data_file("madelon"), "First 2000 rows train, last 600 rows test.",
              None, [-1, 1], [split(range(2000), range(2000, 2600))])


def ten_fold(out, name):
    data = data_file(name)
    labels = load(data)[1]
    for suffix, seed in (("", REPORT_SEED), ("-choose", CHOOSE_SEED)):
        out.write(name + suffix, data, "Stratified 10-fold cross-validation.", seed, [-1, 1],
                  stratified_folds(labels, 10, 1, seed))


def raetsch(out, name):
    data = data_file(f"raetsch/{name}")
    row_count = len(load(data)[1])
    train_rows = raetsch_train_rows(f"raetsch/{name}")
    out.write(name, data, "Realisations 6 to 10 of the benchmark.", None, [-1, 1],
              realisations(train_rows[5:10], row_count))
    out.write(f"{name}-choose", data, "Realisations 1 to 5 of the benchmark.", None, [-1, 1],
              realisations(train_rows[:5], row_count))


def wide(out, name, folder, with_leave_one_out=True):
    data = data_file(folder)
    labels = load(data)[1]
    if with_leave_one_out:
        out.write(f"{name}-loo", data, "Leave one out.", None, [-1, 1], leave_one_out(labels))
    for suffix, repeats, seed in (("cv", 4, REPORT_SEED), ("cv-choose", 2, CHOOSE_SEED)):
        out.write(f"{name}-{suffix}", data, f"Stratified 5-fold cross-validation, {repeats} times.",
                  seed, [-1, 1], stratified_folds(labels, 5, repeats, seed))


def main(out_dir, limit=None):
    out = Writer(out_dir, limit and int(limit))
    waveform(out)
    given(out)
    for name in ("ionosphere", "sonar", "wdbc"):
        ten_fold(out, name)
    for name in ("heart", "german", "banana", "image"):
        raetsch(out, name)
    for name in ("colon", "duke", "leukemia"):
        wide(out, name, name)
    wide(out, "prostate", "prostate_ge")
    wide(out, "arcene", "arcene", with_leave_one_out=False)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])

"""Accuracy, log loss and time of standard classifiers on the splits of splits.py.

    PFCVM_DATA=folder python baselines.py SPLITS_DIR OUT.csv [--only name,name] [--jobs J]
    python baselines.py --summary OUT.csv

Rows already in OUT.csv are kept and not run again. The features chosen by l1-logistic go to
OUT-selected.csv, from which the summary takes the stability (mean pairwise Jaccard).

Each feature is standardised on the training rows; constant ones are dropped. A method is given up
for an experiment when one of its fits takes more than five minutes. Seconds are for the fit and the
prediction of the test rows.
"""
import argparse
import csv
import itertools
import json
import multiprocessing
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from fastrvm import RVC
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from datasets import load

FIT_LIMIT_SECONDS = 300
CLIP = 1e-15  # a probability of exactly 0 would make the log loss infinite
COLUMNS = ["experiment", "method", "split", "accuracy", "log_loss", "features", "samples", "seconds"]

RBF_METHODS = ["svc", "svc-cal", "rvm", "svc-grid"]
SMALL = ["sonar", "ionosphere", "wdbc", "heart", "german", "banana", "image", "waveform-paper",
         "madelon", "eeg-given"]
WIDE_CV = ["colon-cv", "duke-cv", "leukemia-cv", "prostate-cv", "arcene-cv"]
WIDE_LOO = ["colon-loo", "duke-loo", "leukemia-loo", "prostate-loo"]
WIDE = ("colon", "duke", "leukemia", "prostate", "arcene")
# Slow on 100 splits, and the mean settles long before.
FIRST_SPLITS = {("waveform-paper", "rvm"): 20, ("waveform-paper", "svc-grid"): 20}


def methods_for(experiment):
    if not experiment.startswith(WIDE):
        return RBF_METHODS
    linear = ["linear-svc", "linear-svc-cal"]
    return linear if experiment.endswith("-loo") else linear + ["l1-logistic"]


# --- methods: each takes (X, t, X_test) and returns (scores > 0 mean class 1, probabilities or None,
# --- number of features or their list, number of samples or None)

def inner_folds(count):
    return StratifiedKFold(count, shuffle=True, random_state=0)


def svc(x, t, x_test):
    model = SVC().fit(x, t)
    return model.decision_function(x_test), None, x.shape[1], len(model.support_)


def svc_grid(x, t, x_test):
    scale = 1 / (x.shape[1] * x.var())
    grid = {"C": [0.1, 1, 10, 100], "gamma": [0.25 * scale, scale, 4 * scale]}
    model = GridSearchCV(SVC(), grid, cv=inner_folds(3)).fit(x, t).best_estimator_
    return model.decision_function(x_test), None, x.shape[1], len(model.support_)


def calibrated(estimator, x, t, x_test):
    model = CalibratedClassifierCV(estimator, method="sigmoid", cv=inner_folds(5), ensemble=False).fit(x, t)
    p = model.predict_proba(x_test)[:, 1]
    inner = model.calibrated_classifiers_[0].estimator
    return p - 0.5, p, x.shape[1], len(inner.support_)


def svc_cal(x, t, x_test):
    return calibrated(SVC(), x, t, x_test)


def unit_rows(x, x_test):
    """Divide by sqrt(features): the linear kernel's diagonal is then about 1, so C = 1 means the same for all sets."""
    scale = np.sqrt(x.shape[1])
    return x / scale, x_test / scale


def linear_svc(x, t, x_test):
    x, x_test = unit_rows(x, x_test)
    model = SVC(kernel="linear").fit(x, t)
    return model.decision_function(x_test), None, x.shape[1], len(model.support_)


def linear_svc_cal(x, t, x_test):
    x, x_test = unit_rows(x, x_test)
    return calibrated(SVC(kernel="linear"), x, t, x_test)


def l1_logistic(x, t, x_test):
    model = LogisticRegressionCV(Cs=10, l1_ratios=(1,), solver="liblinear", cv=inner_folds(5),
                                 scoring="neg_log_loss", random_state=0, use_legacy_attributes=False)
    model.fit(x, t)
    p = model.predict_proba(x_test)[:, 1]
    return p - 0.5, p, np.flatnonzero(model.coef_.ravel()), None


def rvm(x, t, x_test):
    model = RVC(kernel="rbf", gamma="scale", fit_intercept=True).fit(x, t)
    p = model.predict_proba(x_test)[:, 1]
    return p - 0.5, p, x.shape[1], len(model.relevance_)


METHODS = {"svc": svc, "svc-grid": svc_grid, "svc-cal": svc_cal, "linear-svc": linear_svc,
           "linear-svc-cal": linear_svc_cal, "l1-logistic": l1_logistic, "rvm": rvm}


# --- one split

def standardise(train, test):
    """Scale both by the training rows; `kept` are the features that vary there."""
    mean, deviation = train.mean(0), train.std(0)
    kept = np.flatnonzero(deviation > 1e-12 * np.maximum(1, np.abs(mean)))
    scale = lambda x: (x[:, kept] - mean[kept]) / deviation[kept]
    return scale(train), scale(test), kept


def log_loss(t, p):
    p = np.clip(p, CLIP, 1 - CLIP)
    return -np.mean(t * np.log(p) + (1 - t) * np.log(1 - p))


def score_split(method, x, t, split):
    """One output row, and the chosen features (or None)."""
    train, test = split["train"], split["test"]
    x_train, x_test, kept = standardise(x[train], x[test])
    start = time.perf_counter()
    score, p, features, samples = METHODS[method](x_train, t[train], x_test)
    seconds = time.perf_counter() - start
    selected = None
    if not np.isscalar(features):
        selected = kept[features]
        features = len(selected)
    row = {"accuracy": round(float(np.mean((score > 0) == (t[test] == 1))), 6),
           "log_loss": "" if p is None else round(float(log_loss(t[test], p)), 6),
           "features": features, "samples": "" if samples is None else samples, "seconds": round(seconds, 4)}
    return row, selected


def worker(path, method, wanted, pipe):
    """Score the wanted splits; a process of its own, so that a fit that hangs in C code can be ended."""
    warnings.simplefilter("ignore")  # convergence warnings of the smallest penalties
    experiment = json.loads(Path(path).read_text())
    x, labels = load(experiment["data"])
    t = (labels == experiment["labels"][1]).astype(int)
    for index in wanted:
        row, selected = score_split(method, x, t, experiment["splits"][index])
        pipe.send((index, row, selected))
    pipe.send(None)


# --- all splits

class Output:
    """Appends to the two files, and knows what they already hold."""

    def __init__(self, path):
        self.path = Path(path)
        self.selected_path = self.path.with_name(self.path.stem + "-selected.csv")
        self.lock = threading.Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for file, columns in ((self.path, COLUMNS), (self.selected_path, [*COLUMNS[:3], "selected"])):
            if not file.exists():
                self.append(file, columns)
        self.done = {(r["experiment"], r["method"], int(r["split"])) for r in read(self.path)}

    def append(self, file, row):
        with open(file, "a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(row)

    def add(self, experiment, method, split, row, selected):
        key = [experiment, method, split]
        with self.lock:
            self.append(self.path, key + [row[c] for c in COLUMNS[3:]])
            if selected is not None:
                self.append(self.selected_path, key + [" ".join(map(str, selected))])


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def run_task(path, method, out):
    """Every split of one experiment with one method."""
    experiment = json.loads(path.read_text())
    name = experiment["name"]
    count = FIRST_SPLITS.get((name, method), len(experiment["splits"]))
    wanted = [s for s in range(count) if (name, method, s) not in out.done]
    if not wanted:
        return
    start = time.time()
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=worker, args=(str(path), method, wanted, sender))
    child.start()
    sender.close()
    try:
        while True:
            if not receiver.poll(FIT_LIMIT_SECONDS):
                print(f"{name} {method}: given up, a fit took more than {FIT_LIMIT_SECONDS} s", flush=True)
                break
            message = receiver.recv()
            if message is None:
                print(f"{name} {method}: {len(wanted)} splits in {time.time() - start:.0f} s", flush=True)
                break
            out.add(name, method, *message)
    except EOFError:
        print(f"{name} {method}: the process ended early", flush=True)
    finally:
        child.terminate()
        child.join()


def experiment_paths(folder, only):
    """The files to run; the order brings the quick ones first."""
    folder = Path(folder)
    names = only.split(",") if only else SMALL + WIDE_CV + WIDE_LOO
    missing = [n for n in names if not (folder / f"{n}.json").exists()]
    if missing:
        raise SystemExit(f"no splits for {', '.join(missing)}")
    return [folder / f"{n}.json" for n in names]


def run(splits_dir, out_path, only, jobs):
    out = Output(out_path)
    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(run_task, path, method, out)
                 for path in experiment_paths(splits_dir, only) for method in methods_for(path.stem)]
        for task in tasks:
            task.result()


# --- summary

def mean_of(rows, column, digits):
    values = [float(r[column]) for r in rows if r[column] != ""]
    return f"{np.mean(values):.{digits}f}" if values else "-"


def jaccard(subsets):
    """Mean over pairs; two empty subsets agree fully."""
    scores = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in itertools.combinations(subsets, 2)]
    return f"{np.mean(scores):.3f}" if scores else "-"


def by_task(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["experiment"], row["method"]), []).append(row)
    return groups


def summary(path):
    path = Path(path)
    selected = by_task(read(path.with_name(path.stem + "-selected.csv")))
    print("| experiment | method | splits | accuracy | log loss | features | samples | seconds | Jaccard |")
    print("|---|---|---|---|---|---|---|---|---|")
    for key, rows in by_task(read(path)).items():
        subsets = [set(r["selected"].split()) for r in selected.get(key, [])]
        cells = [*key, len(rows), mean_of(rows, "accuracy", 4), mean_of(rows, "log_loss", 3),
                 mean_of(rows, "features", 1), mean_of(rows, "samples", 1), mean_of(rows, "seconds", 3),
                 jaccard(subsets)]
        print("| " + " | ".join(map(str, cells)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splits_dir", nargs="?")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--only", help="experiments to run, separated by commas")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--summary", metavar="OUT.csv", help="print means per experiment and method")
    arguments = parser.parse_args()
    if arguments.summary:
        summary(arguments.summary)
    elif arguments.out:
        run(arguments.splits_dir, arguments.out, arguments.only, arguments.jobs)
    else:
        parser.error("give SPLITS_DIR and OUT.csv, or --summary")


if __name__ == "__main__":
    main()

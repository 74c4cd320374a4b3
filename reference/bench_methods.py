"""What others offer, timed on the data that `cargo bench -p pfcvm-study -- methods FOLDER` wrote.

    python reference/bench_methods.py FOLDER [--only NAME] [--limit 120]

Each peer runs in a process of its own, on one thread, and is given up after the limit. Times are of the fit with
the standardisation before it, the best of a few repeats, as with ours. One tab-separated line for each: case, our
method, the peer, its seconds, and how the two results agree. `cargo xtask bench methods` calls this.

- fastrvm: the same fast algorithm as ours, with the same kernel and no intercept.
- sklearn-rvm 0.1.1: the batch algorithm, so that its solution is another one. It installs and runs with
  scikit-learn 1.9; where it is missing its lines say so.
- PCVM: the published equations in numpy (`make_golden_pcvm.py`), from another random start than ours.
- SVC: scikit-learn's.
- Filters: plain numpy without loops over features. Those of `make_golden_filters.py` are made to be another route,
  not a fast one (all subsets, one pair of features at a time), and do not end at this size.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from fastrvm import RVC
from sklearn.svm import SVC

from make_golden_filters import standardised
from make_golden_pcvm import iterate

REPEATS = 3
LEAST_SECONDS, MOST_SECONDS = 0.3, 10.0
TAKEN = 20


class Data:
    """The training and test rows of a case, and what a method of ours made of them."""

    def __init__(self, folder, case, method):
        load = lambda name: np.load(folder / f"{case}-{name}.npy")
        self.x, self.y = np.ascontiguousarray(load("train-x")), load("train-y").ravel()
        self.test, self.truth = np.ascontiguousarray(load("test-x")), load("test-y").ravel()
        self.ours = load(method.replace("/", "_").replace("=", "_")).ravel()

    def scaled(self):
        """Varying features of both parts on the scale of the training rows."""
        centre, scale = self.x.mean(axis=0), self.x.std(axis=0)
        varying = scale > 0
        scale = scale[varying]
        return (self.x[:, varying] - centre[varying]) / scale, (self.test[:, varying] - centre[varying]) / scale


# Learners: `fit(data)` is timed; it gives a machine, and `decide(machine, data)` its decision values.

def fit_fastrvm(data):
    z, _ = data.scaled()
    return RVC(kernel="rbf", gamma=1.0 / z.shape[1]).fit(z, (data.y > 0).astype(int))


def fit_sklearn_rvm(data):
    from sklearn_rvm import EMRVC
    z, _ = data.scaled()
    return EMRVC(kernel="rbf", gamma=1.0 / z.shape[1], bias_used=False).fit(z, (data.y > 0).astype(int))


def decide_by_probability(machine, data):
    p = np.clip(machine.predict_proba(data.scaled()[1])[:, 1], 1e-15, 1 - 1e-15)
    return np.log(p / (1 - p))


def svc(kernel):
    def fit(data):
        z, _ = data.scaled()
        return SVC(kernel=kernel, C=1.0, gamma="scale").fit(z, data.y)
    return fit


def decide(machine, data):
    return machine.decision_function(data.scaled()[1])


def rbf(a, b, gamma):
    squared = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.exp(-gamma * np.maximum(squared, 0))


def fit_pcvm(data):
    z, _ = data.scaled()
    rng = np.random.default_rng(0)
    rows, gamma = len(z), 1.0 / z.shape[1]
    w, b = rng.uniform(size=rows) + 0.2, rng.normal()
    h = 10 * rng.uniform(size=rows) * data.y + rng.uniform(size=rows)
    before = w
    for w, b, _ in iterate(rbf(z, z, gamma), data.y, w, b, h, 500):
        if np.abs(w - before).max() < 1e-3 or not w.any():
            break
        before = w
    return z, w * data.y, b, gamma


def decide_pcvm(machine, data):
    z, v, b, gamma = machine
    return rbf(data.scaled()[1], z, gamma) @ v + b


# Filters: features, best first.

def scatters(x, y):
    negative, positive = x[y < 0], x[y > 0]
    means = negative.mean(axis=0), positive.mean(axis=0)
    within = ((negative - means[0]) ** 2).sum(axis=0) + ((positive - means[1]) ** 2).sum(axis=0)
    return (means[1] - means[0]) ** 2 * len(negative) * len(positive) / len(x), within


def fisher(data):
    between, within = scatters(data.x, data.y)
    return np.argsort(-between / within, kind="stable")


def laplacian(data, neighbours=5):
    z = standardised(data.x)
    norms = (z**2).sum(axis=1)
    squared = np.maximum(norms[:, None] + norms - 2 * z @ z.T, 0)
    np.fill_diagonal(squared, np.inf)
    near = np.zeros(squared.shape, dtype=bool)
    np.put_along_axis(near, np.argpartition(squared, neighbours, axis=1)[:, :neighbours], True, axis=1)
    near |= near.T
    s = np.where(near, np.exp(-squared / squared[near].mean()), 0.0)
    d = s.sum(axis=1)
    z -= d @ z / d.sum()
    spread = d @ z**2
    return np.argsort((spread - (z * (s @ z)).sum(axis=0)) / spread, kind="stable")


def mrmr(data):
    """Relevance minus redundancy; the counts of all features with one are a product of indicators."""
    levels = np.digitize(standardised(data.x), [-1, 1])
    sets = np.stack([(levels == level).astype(float) for level in range(3)])
    logarithm = lambda n: n * np.log(np.where(n > 0, n, 1))
    alone, rows = logarithm(sets.sum(axis=1)).sum(axis=0), len(data.x)

    def information(others):
        joint = np.einsum("lij,ik->lkj", sets, others, optimize=True)
        other = logarithm(others.sum(axis=0)).sum()
        return (logarithm(joint).sum(axis=(0, 1)) + logarithm(rows) - alone - other) / rows

    relevance = information(np.column_stack([data.y < 0, data.y > 0]).astype(float))
    redundancy, chosen = np.zeros(len(relevance)), []
    while len(chosen) < TAKEN:
        score = relevance - redundancy / max(len(chosen), 1)
        score[chosen] = -np.inf
        # The first of those that are alike but for rounding.
        chosen.append(int(np.argmax(score > score.max() - 1e-12)))
        redundancy += information(sets[:, :, chosen[-1]].T)
    return np.array(chosen)


def trace_ratio(data):
    between, within = scatters(data.x, data.y)
    chosen, ratio = np.argsort(-between / within, kind="stable")[:TAKEN], -np.inf
    while (raised := between[chosen].sum() / within[chosen].sum()) > ratio:
        ratio = raised
        chosen = np.argsort(ratio * within - between, kind="stable")[:TAKEN]
    return chosen


def fsnm(data, gamma=1.0, tolerance=1e-3):
    """The rounds of the paper, ended by the same gap as ours."""
    x, y = standardised(data.x), np.column_stack([data.y < 0, data.y > 0]).astype(float)
    features, residuals = np.full(x.shape[1], 0.5), np.full(len(x), 0.5)
    for _ in range(100):
        system = (x * (2 * features)) @ x.T + gamma**2 * np.diag(2 * residuals)
        solution = np.linalg.solve(system, y)
        slopes = x.T @ solution
        w = 2 * features[:, None] * slopes
        features, residuals = np.linalg.norm(w, axis=1), np.linalg.norm(y - x @ w, axis=1) / gamma
        primal = features.sum() + residuals.sum()
        most = max(np.linalg.norm(slopes, axis=1).max(), gamma * np.linalg.norm(solution, axis=1).max())
        if primal - (y * solution).sum() / most <= tolerance * primal:
            break
    return np.argsort(-features, kind="stable")


# How a result is compared with ours.

def log_loss(decision, truth):
    return np.logaddexp(0, -truth * decision).mean()


def by_loss(data, theirs):
    alike = np.mean((data.ours >= 0) == (theirs >= 0))
    ours, theirs = log_loss(data.ours, data.truth), log_loss(theirs, data.truth)
    return f"same class {alike:.2%}, log loss {ours:.4f} and {theirs:.4f}"


def by_decision(data, theirs):
    alike, apart = np.mean((data.ours >= 0) == (theirs >= 0)), np.abs(data.ours - theirs).max()
    return f"same class {alike:.2%}, decisions within {apart:.1e}"


def by_accuracy(data, theirs):
    right = [np.mean((decision >= 0) == (data.truth > 0)) for decision in (data.ours, theirs)]
    alike = np.mean((data.ours >= 0) == (theirs >= 0))
    return f"same class {alike:.2%}, accuracy {right[0]:.2%} and {right[1]:.2%}"


def by_features(data, theirs):
    ours, theirs = data.ours.astype(int), theirs[:TAKEN]
    same_place = int(np.sum(ours == theirs))
    return f"{len(np.intersect1d(ours, theirs))} of {len(ours)} the same, {same_place} in the same place"


RVM, SVM, LINEAR_SVM = "rvm/kernel=rbf/bias=no", "svm/kernel=rbf/probability=no", "svm/kernel=linear/probability=no"

# Case, our method, peer, what is timed, decision values of its result, comparison.
PEERS = [(case, RVM, peer, fit, decision, by_loss) for case in ("waveform", "eeg-part", "eeg")
         for peer, fit, decision in (("fastrvm", fit_fastrvm, decide),
                                     ("sklearn-rvm", fit_sklearn_rvm, decide_by_probability))]
PEERS += [("waveform", "pcvm/learn_width=no/restarts=1", "numpy", fit_pcvm, decide_pcvm, by_accuracy)]
PEERS += [(case, method, "SVC", svc(kernel), decide, by_decision) for case in ("waveform", "wide")
          for method, kernel in ((SVM, "rbf"), (LINEAR_SVM, "linear"))]
PEERS += [("wide", name, "numpy", filter, lambda features, _: features, by_features)
          for name, filter in (("fisher", fisher), ("laplacian", laplacian), ("mrmr", mrmr), ("trc", trace_ratio),
                               ("fsnm", fsnm))]


def best(run):
    """Least wall time, and the last result."""
    begin, least, runs = time.perf_counter(), np.inf, 0
    while True:
        start = time.perf_counter()
        result = run()
        least, runs = min(least, time.perf_counter() - start), runs + 1
        spent = time.perf_counter() - begin
        if (runs >= REPEATS and spent > LEAST_SECONDS) or spent > MOST_SECONDS:
            return least, result


def one(folder, number):
    case, method, _, fit, decision, compare = PEERS[number]
    data = Data(folder, case, method)
    warnings.simplefilter("ignore")
    seconds, machine = best(lambda: fit(data))
    print(f"{seconds:.6f}\t{compare(data, decision(machine, data))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", metavar="NAME", help="peers, cases or methods with this in their name")
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a peer is given up")
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.number is not None:
        return one(options.folder, options.number)
    for number, (case, method, peer, *_) in enumerate(PEERS):
        if options.only and options.only not in f"{case} {method} {peer}":
            continue
        command = [sys.executable, __file__, str(options.folder), "--number", str(number)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
            said = run.stderr.strip().splitlines()
            outcome = run.stdout.strip() if run.returncode == 0 else f"\t{said[-1] if said else 'failed'}"
        except subprocess.TimeoutExpired:
            outcome = f"> {options.limit:.0f}\tgiven up"
        print(f"{case}\t{method}\t{peer}\t{outcome}", flush=True)


if __name__ == "__main__":
    main()

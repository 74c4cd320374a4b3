"""What `bench_trust.py` compares: our program, and four peers that name features.

Every method is a function of a set and a seed that gives one or more `Answer`s. A peer's `scores` put the features in
an order (the larger the surer), so that its power can be read at any share of false ones.
"""
import csv
import hashlib
import json
import math
import subprocess
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold

RATES = (0.01, 0.05, 0.15)
DEFAULT_RATE = 0.05
PAIRS, WANTED_FALSE = 50, 1.0
STEP, STEPS = 1.15, 34
LARGEST_MVR, LARGEST_KNOCKOFFS = 200, 2500


@dataclass
class Answer:
    """What a method says of one set."""
    certain: list
    seconds: float = math.nan
    nothing_found: bool = False
    scores: np.ndarray | None = None
    probability: np.ndarray | None = None
    # Of ours only: false-alarm probabilities by feature, certain features by rate, those of `--max-false 1`.
    said: dict = field(default_factory=dict)
    by_rate: dict = field(default_factory=dict)
    max_false: dict | None = None


# Ours

class Program:
    """The program `pfcvm`, one thread, by its files and its JSON."""

    def __init__(self, path, limit, headline=False):
        self.path, self.limit = str(path), limit
        self.rates = (DEFAULT_RATE,) if headline else RATES
        self.has_max_false = not headline and "--max-false" in self.run("fit", "--help")
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
        self.build = f"{self.run('--version').strip()}, build {digest}"

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, timeout=self.limit)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "the program failed")
        return done.stdout

    def method(self, *options):
        def ours(data, seed):
            with tempfile.TemporaryDirectory() as folder:
                return {"": self.answer(data, Path(folder), options)}
        return ours

    def answer(self, data, folder, options):
        train, fresh, model = folder / "train.npz", folder / "fresh.npz", folder / "model"
        np.savez(train, X=data.x, y=data.y)
        np.savez(fresh, X=data.fresh_x, y=data.fresh_y)
        fit = lambda *more: json.loads(self.run("fit", train, *options, "--threads", 1, "--json", *more))

        start = time.perf_counter()
        fitted = fit("--false-positive-rate", DEFAULT_RATE, "--model", model)
        seconds = time.perf_counter() - start
        features = fitted["selected_features"]
        answer = Answer(
            certain(features), seconds, fitted.get("nothing_found", not features),
            said={entry["index"]: entry["false_alarm"] for entry in features if entry.get("false_alarm") is not None},
        )
        rows = csv.DictReader(self.run("predict", model, fresh, "--threads", 1).splitlines())
        answer.probability = np.array([float(row["probability"]) for row in rows])
        for rate in self.rates:
            at_rate = features if rate == DEFAULT_RATE else fit("--false-positive-rate", rate)["selected_features"]
            answer.by_rate[str(rate)] = certain(at_rate)
        if self.has_max_false:
            entries = [entry for entry in fit("--max-false", 1)["selected_features"] if entry.get("certain", True)]
            said = [entry.get("false_alarm", math.nan) for entry in entries]
            answer.max_false = {"list": [entry["index"] for entry in entries], "expected": sum(said)}
        return answer


def certain(features):
    """A program that does not tell the two apart takes all that it lists for certain."""
    return [entry["index"] for entry in features if entry.get("certain", True)]


# L1 logistic regression

def standardised(x, of):
    centre, scale = of.mean(axis=0), of.std(axis=0)
    return (x - centre) / np.where(scale > 0, scale, 1.0)


def l1(strength):
    # liblinear penalises the intercept too; on this scale next to nothing.
    return LogisticRegression(l1_ratio=1, C=strength, solver="liblinear", intercept_scaling=10, tol=1e-3, max_iter=200)


def first_strength(z, y):
    """The largest C at which all weights are zero."""
    return 1 / np.abs(z.T @ (y - y.mean())).max()


def entries(z, y, most):
    """How early features enter the path of L1 logistic regression, as scores; -inf for those that never do.

    The path stops as soon as `most` have entered. Within a step the larger weight is earlier.
    """
    scores = np.full(z.shape[1], -np.inf)
    start = first_strength(z, y)
    for step in range(1, STEPS + 1):
        weights = np.abs(l1(start * STEP**step).fit(z, y).coef_[0])
        new = (weights > 0) & np.isinf(scores)
        scores[new] = -step + weights[new] / (1 + weights[new])
        if np.isfinite(scores).sum() >= most:
            break
    return scores


def l1_cross_validated(data, seed):
    """The penalty with the best log loss on five folds; the features with a weight."""
    start = time.perf_counter()
    z = standardised(data.x, data.x)
    strengths = first_strength(z, data.y) * np.geomspace(1, STEP**STEPS, 20)
    plain = l1(1.0)
    machine = LogisticRegressionCV(
        Cs=strengths, cv=StratifiedKFold(5, shuffle=True, random_state=seed), scoring="neg_log_loss", l1_ratios=(1,),
        solver=plain.solver, intercept_scaling=plain.intercept_scaling, tol=plain.tol, max_iter=plain.max_iter,
        use_legacy_attributes=False,
    ).fit(z, data.y)
    chosen = np.flatnonzero(machine.coef_[0])
    seconds = time.perf_counter() - start
    probability = machine.predict_proba(standardised(data.fresh_x, data.x))[:, 1]
    return {"": Answer(chosen.tolist(), seconds, len(chosen) == 0, entries(z, data.y, min(z.shape)), probability)}


# Stability selection

def stability(data, seed):
    """Complementary pairs of halves; a half keeps the first q features of its L1 path; certain is what at least a share
    tau of the halves keeps, tau such that at most one false feature is expected."""
    start = time.perf_counter()
    rng = np.random.default_rng(seed)
    columns = data.x.shape[1]
    q = int(np.sqrt(2 * columns))
    kept = np.zeros(columns)
    for _ in range(PAIRS):
        for half in halves(data.y, rng):
            scores = entries(standardised(data.x[half], data.x[half]), data.y[half], q)
            first = np.argsort(-scores, kind="stable")[:q]
            kept[first[np.isfinite(scores[first])]] += 1
    share = kept / (2 * PAIRS)
    listed = np.flatnonzero(share >= stability_threshold(q, columns, PAIRS, WANTED_FALSE) - 1e-9)
    return {"": Answer(listed.tolist(), time.perf_counter() - start, len(listed) == 0, share)}


def halves(y, rng):
    """Two disjoint halves with the classes in proportion."""
    first = np.zeros(len(y), dtype=bool)
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(y == label))
        first[rows[: len(rows) // 2]] = True
    return first, ~first


def stability_threshold(q, columns, pairs, wanted):
    """The smallest share with Shah and Samworth's bound (2013, equation 8, unimodal) of at most `wanted` false ones.

    E[false] <= C(tau, B) q^2 / p, with C = 1 / (2 (2 tau - 1 - 1 / (2 B))) up to tau = 3/4 and
    C = 4 (1 - tau + 1 / (2 B)) / (1 + 1 / B) above. It holds above a least tau that depends on q / p.
    """
    theta, half = q / columns, 1 / (2 * pairs)
    least = min(0.5 + theta**2, 0.5 + half + 0.75 * theta**2)
    for count in range(pairs + 1, 2 * pairs + 1):
        tau = count / (2 * pairs)
        low, high = 1 / (2 * (2 * tau - 1 - half)), 4 * (1 - tau + half) / (1 + 2 * half)
        if tau > least and (low if tau <= 0.75 else high) * q**2 / columns <= wanted:
            return tau
    return 1.0


# Knockoffs

def knockoffs(data, seed):
    """knockpy: Gaussian second-order knockoffs, covariance by Ledoit and Wolf, differences of lasso weights.

    Its best copies (`mvr`) take 12 seconds at 1000 features and 60 at 2000, those by semidefinite programs do not end
    in minutes: above LARGEST_MVR the copies are equicorrelated. At a rate of .1 fewer than ten features are never
    listed: (1 + below) / above <= .1 needs ten above.
    """
    import knockpy

    np.random.seed(seed)
    start = time.perf_counter()
    z = standardised(data.x, data.x)
    method = "mvr" if z.shape[1] <= LARGEST_MVR else "equicorrelated"
    covariance, _ = knockpy.utilities.estimate_covariance(z, shrinkage="ledoitwolf")
    copies = knockpy.knockoffs.GaussianSampler(X=z, Sigma=covariance, method=method).sample_knockoffs()
    statistic = knockpy.knockoff_stats.LassoStatistic()
    statistic.fit(z, copies, data.y.astype(float))
    seconds = time.perf_counter() - start
    answers = {}
    for rate in (0.1, 0.2):
        listed = np.flatnonzero(statistic.W >= knockoff_threshold(statistic.W, rate))
        answers[f" {rate}"] = Answer(listed.tolist(), seconds, len(listed) == 0, statistic.W)
    return answers


def knockoff_threshold(w, rate):
    """The smallest t > 0 with (1 + number of w <= -t) / (number of w >= t) at most the rate."""
    for t in np.sort(np.unique(np.abs(w[w != 0]))):
        if (1 + (w <= -t).sum()) <= rate * max(1, (w >= t).sum()):
            return t
    return np.inf


# Boruta

def boruta(data, seed):
    """The package's own example: forests of depth 5, 100 rounds; its rank, ties by mean importance."""
    from boruta import BorutaPy

    start = time.perf_counter()
    forest = RandomForestClassifier(max_depth=5, class_weight="balanced", n_jobs=1)
    found = BorutaPy(forest, n_estimators="auto", max_iter=100, random_state=seed).fit(data.x, data.y)
    seconds = time.perf_counter() - start
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importance = np.nan_to_num(np.nanmean(found.importance_history_, axis=0))
    scores = -found.ranking_ + importance / (1 + importance.max())
    listed = np.flatnonzero(found.support_)
    return {"": Answer(listed.tolist(), seconds, len(listed) == 0, scores)}


PEERS = {"L1 logistic": l1_cross_validated, "stability": stability, "knockoffs": knockoffs, "Boruta": boruta}


def catalogue(program):
    """Every method by name."""
    ours = {
        "ours rbf": program.method("--kernel", "rbf"),
        "ours linear": program.method("--kernel", "linear"),
        "ours panel": program.method("--panel", "20"),
    }
    return ours | PEERS


def applies(method, rows, columns):
    """The panel is made for more features than samples; knockoffs need a covariance of all features."""
    if method == "ours panel":
        return columns > rows
    return method != "knockoffs" or columns <= LARGEST_KNOCKOFFS

"""Golden values of multi-class probabilities and measures.

    python make_golden_multiclass.py

Coupling: the convex program of Wu, Lin and Weng (2004, second method), its optimality system solved
in rational arithmetic and held to SciPy's SLSQP on the program itself; and LIBSVM's own coupling,
through scikit-learn's SVC. Measures: scikit-learn.
"""

import json
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.svm import SVC

ROOT = Path(__file__).resolve().parents[1] / "crates"


def pairwise(classes, second):
    """r[i][j]: probability of i if it is i or j."""
    r = np.zeros((classes, classes))
    pairs = [(a, b) for a in range(classes) for b in range(a + 1, classes)]
    for (a, b), p in zip(pairs, second):
        r[a, b], r[b, a] = 1 - p, p
    return r


def program(classes, second):
    """The program itself, by SLSQP with bounds: nothing is derived from it by hand."""
    r = pairwise(classes, second)

    def objective(p):
        return 0.5 * sum(
            (r[j, i] * p[i] - r[i, j] * p[j]) ** 2
            for i in range(classes)
            for j in range(classes)
            if i != j
        )

    found = minimize(
        objective,
        np.full(classes, 1 / classes),
        method="SLSQP",
        bounds=[(0, 1)] * classes,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return found.x


def exact(classes, second):
    """The optimality system in rational arithmetic: exact for the given doubles."""
    second = [Fraction(p) for p in second]
    r = [[Fraction(0)] * classes for _ in range(classes)]
    pairs = [(a, b) for a in range(classes) for b in range(a + 1, classes)]
    for (a, b), p in zip(pairs, second):
        r[a][b], r[b][a] = 1 - p, p
    size = classes + 1
    system = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for i in range(classes):
        for j in range(classes):
            if i == j:
                system[i][i] = sum(r[s][i] ** 2 for s in range(classes) if s != i)
            else:
                system[i][j] = -r[j][i] * r[i][j]
        system[i][classes] = system[classes][i] = Fraction(1)
    system[classes][size] = Fraction(1)
    for col in range(size):
        pivot = next(row for row in range(col, size) if system[row][col] != 0)
        system[col], system[pivot] = system[pivot], system[col]
        system[col] = [value / system[col][col] for value in system[col]]
        for row in range(size):
            if row != col and system[row][col] != 0:
                factor = system[row][col]
                system[row] = [a - factor * b for a, b in zip(system[row], system[col])]
    return [float(system[i][size]) for i in range(classes)]


def coupling():
    rng = np.random.default_rng(20)
    cases = []
    for classes in (3, 4, 5, 8):
        pairs = classes * (classes - 1) // 2
        for _ in range(5):
            cases.append((classes, rng.uniform(0.02, 0.98, pairs).tolist()))
        cases.append((classes, rng.choice([1e-9, 0.5, 1 - 1e-9], pairs).tolist()))
    programs = []
    for classes, second in cases:
        solution = exact(classes, second)
        off = np.abs(program(classes, second) - solution).max()
        # SLSQP takes differences; it is here to show that the program is the one that is meant.
        assert off < 2e-4 and min(solution) >= 0, (classes, second, off)
        programs.append({"classes": classes, "second": second, "probability": solution})
    return {"programs": programs, "libsvm": libsvm()}


def libsvm():
    """LIBSVM's pairwise probabilities, from its sigmoids, and what it couples them to."""
    cases = []
    for classes, seed in ((3, 1), (4, 2), (6, 3)):
        x, y = make_classification(
            n_samples=60 * classes, n_features=8, n_informative=6, n_redundant=0,
            n_classes=classes, n_clusters_per_class=1, random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = SVC(probability=True, decision_function_shape="ovo", random_state=0).fit(x, y)
        rows = x[:8]
        decision = model.decision_function(rows)
        # Positive for the first class of a pair; the sigmoid is of LIBSVM's own sign.
        first = 1 / (1 + np.exp(decision * model.probA_ + model.probB_))
        first = np.clip(first, 1e-7, 1 - 1e-7)
        for of_pair, coupled in zip(first, model.predict_proba(rows)):
            cases.append({
                "classes": classes,
                "second": (1 - of_pair).tolist(),
                "probability": coupled.tolist(),
            })
    return cases


def measures():
    rng = np.random.default_rng(5)
    cases = []
    for classes, rows in ((3, 40), (4, 25), (5, 60)):
        truth = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
        p = rng.dirichlet(np.ones(classes), rows)
        p[np.arange(rows), truth] += 0.3
        p /= p.sum(axis=1, keepdims=True)
        called = p.argmax(axis=1)
        one_hot = np.eye(classes)[truth]
        names = list(range(classes))
        precision, recall, f1, _ = metrics.precision_recall_fscore_support(
            truth, called, labels=names, average="macro", zero_division=0
        )
        cases.append({
            "classes": classes,
            "truth": truth.tolist(),
            "called": called.tolist(),
            "probability": p.tolist(),
            "confusion": metrics.confusion_matrix(truth, called, labels=names).tolist(),
            "accuracy": metrics.accuracy_score(truth, called),
            "balanced_accuracy": metrics.balanced_accuracy_score(truth, called),
            "macro_precision": precision,
            "macro_recall": recall,
            "macro_f1": f1,
            "kappa": metrics.cohen_kappa_score(truth, called),
            "log_loss": metrics.log_loss(truth, p, labels=names),
            "brier": float(((p - one_hot) ** 2).sum(axis=1).mean()),
            "macro_auc": metrics.roc_auc_score(truth, p, multi_class="ovr", labels=names),
        })
    return cases


def write(path, content):
    path.write_text(json.dumps(content) + "\n")
    print(path, file=sys.stderr)


if __name__ == "__main__":
    write(ROOT / "pfcvm/tests/golden/coupling.json", coupling())
    write(ROOT / "pfcvm-eval/tests/golden/multiclass.json", measures())

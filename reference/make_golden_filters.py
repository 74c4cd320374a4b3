"""Write the golden file that the filters of `pfcvm-methods` are tested against.

    python make_golden_filters.py OUT_DIR         (the repository's crates/pfcvm-methods/tests/golden)

Each number comes along another route than in the Rust crate: Fisher's score from scikit-learn's analysis of
variance, the Laplacian score from dense matrices as the paper writes it, mutual information from scikit-learn,
the trace ratio from all subsets, the least of the joint norms from L-BFGS on smoothed norms. Floats are written so
that they read back to the same bits.
"""
import itertools
import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.feature_selection import f_classif
from sklearn.metrics import mutual_info_score
from sklearn.neighbors import NearestNeighbors


def standardised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def fisher(x, y):
    return f_classif(x, y)[0] / (len(y) - 2)


def laplacian(x, y, neighbours, width, supervised):
    z = standardised(x)
    near = np.zeros((len(z), len(z)), dtype=bool)
    for group in ([y == 0, y == 1] if supervised else [np.ones(len(y), dtype=bool)]):
        rows = np.flatnonzero(group)
        finder = NearestNeighbors(n_neighbors=min(neighbours, len(rows) - 1)).fit(z[rows])
        near[np.ix_(rows, rows)] |= finder.kneighbors_graph().toarray() > 0
    near |= near.T
    squared = ((z[:, None, :] - z[None, :, :]) ** 2).sum(axis=2)
    t = squared[near].mean() if width is None else width
    s = np.where(near, np.exp(-squared / t), 0.0)
    d = np.diag(s.sum(axis=1))
    ones = np.ones(len(z))
    scores = []
    for f in z.T:
        centred = f - (f @ d @ ones) / (ones @ d @ ones) * ones
        scores.append((centred @ (d - s) @ centred) / (centred @ d @ centred))
    return scores


def mrmr(x, y, count, quotient):
    levels = np.digitize(standardised(x), [-1, 1])
    relevance = np.array([mutual_info_score(y, f) for f in levels.T])
    chosen, scores = [], []
    while len(chosen) < count:
        score = np.full(x.shape[1], -np.inf)
        for j in set(range(x.shape[1])) - set(chosen):
            redundancy = np.mean([mutual_info_score(levels[:, j], levels[:, i]) for i in chosen]) if chosen else 0
            score[j] = (relevance[j] / redundancy if quotient else relevance[j] - redundancy) if chosen else relevance[j]
        chosen.append(int(np.argmax(score)))
        scores.append(score.max())
    return {"features": chosen, "scores": scores}


def trace_ratio(x, y, count):
    between = sum((y == c).sum() * (x[y == c].mean(axis=0) - x.mean(axis=0)) ** 2 for c in (0, 1))
    within = sum(((x[y == c] - x[y == c].mean(axis=0)) ** 2).sum(axis=0) for c in (0, 1))
    ratio = {subset: between[list(subset)].sum() / within[list(subset)].sum()
             for subset in itertools.combinations(range(x.shape[1]), count)}
    best = max(ratio, key=ratio.get)
    return {"count": count, "features": best, "ratio": ratio[best]}


def fsnm(x, y, gamma):
    """The least objective, from above: smoothing by 1e-7 lifts it by at most that times the number of rows."""
    z, target = standardised(x), np.column_stack([y == 0, y == 1]).astype(float)
    shape = (z.shape[1], 2)

    def smoothed(flat, smooth):
        w = flat.reshape(shape)
        r = z @ w - target
        rows, columns = np.sqrt((r**2).sum(axis=1) + smooth**2), np.sqrt((w**2).sum(axis=1) + smooth**2)
        return rows.sum() + gamma * columns.sum(), (z.T @ (r / rows[:, None]) + gamma * w / columns[:, None]).ravel()

    flat = np.zeros(shape[0] * 2)
    for smooth in 10.0 ** np.arange(-1, -8, -1):
        options = {"maxiter": 20000, "maxfun": 40000, "ftol": 1e-16, "gtol": 1e-11, "maxcor": 50}
        flat = minimize(smoothed, flat, args=(smooth,), jac=True, method="L-BFGS-B", options=options).x
    w = flat.reshape(shape)
    return {"gamma": gamma, "objective": smoothed(flat, 0.0)[0], "norms": np.sqrt((w**2).sum(axis=1)).tolist()}


def case(seed, rows, cols, informative):
    rng = np.random.default_rng(seed)
    y = (np.arange(rows) % 3 > 0).astype(int)
    x = rng.normal(size=(rows, cols))
    x[:, :informative] += np.linspace(0.6, 1.6, informative) * y[:, None]
    # Features that go along with others, and different units.
    x[:, -2:] = 0.8 * x[:, :2] + 0.3 * rng.normal(size=(rows, 2))
    x *= rng.uniform(0.2, 3, size=cols)
    return {"x": x.tolist(), "positive": (y == 1).tolist(), "fisher": fisher(x, y).tolist(),
            "laplacian": laplacian(x, y, 4, None, False), "laplacian_width": laplacian(x, y, 3, 7.5, False),
            "laplacian_supervised": laplacian(x, y, 3, None, True),
            "mid": mrmr(x, y, 5, False), "miq": mrmr(x, y, 5, True),
            "trace_ratio": [trace_ratio(x, y, count) for count in (1, 2, 3, 5)],
            "fsnm": [fsnm(x, y, gamma) for gamma in (0.5, 2.0, 6.0)]}


def main(out_dir):
    cases = [case(*shape) for shape in ((1, 30, 8, 3), (2, 45, 11, 4), (3, 24, 10, 2), (4, 60, 7, 2), (5, 18, 12, 5))]
    text = json.dumps({"about": "Filters, each along another route.", "cases": cases}, separators=(",", ":"))
    (Path(out_dir) / "filters.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

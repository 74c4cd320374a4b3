"""Write the golden file that the linear and cone programs of `pfcvm-methods` are tested against.

    python make_golden_programs.py OUT_DIR        (the repository's crates/pfcvm-methods/tests/golden)

The ℓ₁ support vector machine comes from scipy's linear programming (HiGHS) on the primal, the minimax machine from
BFGS along the plane that its constraint leaves. Floats are written so that they read back to the same bits.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog, minimize


def standardised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def l1svm(x, y, c, factors):
    """Variables w⁺, w⁻, b⁺, b⁻, ξ."""
    z, sign = standardised(x), np.where(y == 1, 1.0, -1.0)
    rows, cols = z.shape
    price = c * np.where(y == 1, factors[1], factors[0])
    signed = sign[:, None] * z
    margins = np.hstack([signed, -signed, sign[:, None], -sign[:, None], np.eye(rows)])
    cost = np.concatenate([np.ones(2 * cols), [0, 0], price])
    end = linprog(cost, A_ub=-margins, b_ub=-np.ones(rows), bounds=(0, None), method="highs")
    w = end.x[:cols] - end.x[cols:2 * cols]
    return {"c": c, "factors": factors, "objective": end.fun, "weights": w.tolist(),
            "offset": end.x[2 * cols] - end.x[2 * cols + 1]}


def mpm(x, y, ridge):
    """The ridge is in parts of the variance of all features over the number of dimensions that the samples span."""
    z = standardised(x)
    added = ridge * z.var(axis=0).sum() / np.linalg.matrix_rank(z)
    mean = {c: z[y == c].mean(axis=0) for c in (0, 1)}
    spread = {c: np.cov(z[y == c].T, bias=True) + added * np.eye(z.shape[1]) for c in (0, 1)}
    apart = mean[1] - mean[0]
    start, along = apart / (apart @ apart), null_space(apart[None, :])

    def sum_of_deviations(u):
        a = start + along @ u
        value, slope = 0.0, 0.0
        for c in (0, 1):
            deviation = np.sqrt(a @ spread[c] @ a)
            value, slope = value + deviation, slope + spread[c] @ a / deviation
        return value, along.T @ slope

    end = minimize(sum_of_deviations, np.zeros(along.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-10})
    a = start + along @ end.x
    kappa = 1 / end.fun
    offset = a @ mean[1] - kappa * np.sqrt(a @ spread[1] @ a)
    return {"ridge": ridge, "kappa": kappa, "decisions": (z @ a - offset).tolist()}


def case(seed, rows, cols, informative):
    rng = np.random.default_rng(seed)
    y = (np.arange(rows) % 5 > 1).astype(int)
    x = rng.normal(size=(rows, cols)) * rng.uniform(0.5, 2, size=cols)
    x[y == 1, :informative] += 1.0
    x[y == 1] *= 1.3
    return {"x": x.tolist(), "positive": (y == 1).tolist(),
            "l1svm": [l1svm(x, y, c, factors) for c, factors in ((0.05, (1, 1)), (0.3, (1, 1)), (2.0, (2.5, 1)))],
            "mpm": [mpm(x, y, ridge) for ridge in (0.0, 0.1) if ridge > 0 or cols < 15]}


def main(out_dir):
    cases = [case(*shape) for shape in ((1, 50, 6, 2), (2, 80, 10, 3), (3, 35, 14, 5), (4, 30, 60, 6), (5, 100, 4, 1))]
    text = json.dumps({"about": "Linear and cone programs by other solvers.", "cases": cases}, separators=(",", ":"))
    (Path(out_dir) / "programs.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

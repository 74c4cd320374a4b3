"""Write the golden rounds of the panel.

    python make_golden_panel.py OUT_DIR        (the repository's crates/pfcvm/tests/golden)

Members on halves of the rows, each f = b + sum_i w_i y_i sum_k theta_k x_ik x_k with w, theta >= 0 and one
precision alpha for its sample weights, share one precision beta_k per feature:

    beta_k <- sqrt(beta_k (mean gamma_k + 2c) / mean theta_k^2),   gamma_k = 1 - beta_k S_kk, 1 where theta_k = 0

A round: a Newton step in w (three in the first round) and one in theta for each member, the Laplace
evidence, alpha = sum gamma / sum w^2 over w > 0, then what the members share. Dense matrices throughout.
"""
import sys
from pathlib import Path

import numpy as np

from make_golden import write
from slow_default import BIAS_PRECISION, Problem, laplace, loglik, newton

SHAPE, DROP = 0.135, 1e4


def example():
    """16 rows, 30 features, and four halves."""
    i, k = np.arange(16)[:, None], np.arange(30)[None]
    x = np.sin(1.7 * i + 0.9 * k + 0.1 * i * k)
    y = np.where(x[:, 0] + 0.5 * x[:, 7] + 0.3 * x[:, 3] > 0, 1.0, -1.0)
    rows = np.arange(16)
    first, second = rows % 2 == 0, rows % 4 < 2
    return x, y, [rows[first], rows[~first], rows[second], rows[~second]]


def phi(x, y, theta):
    return np.column_stack([np.ones(len(y)), (x * theta) @ x.T * y])


def advance(member, x, y, beta):
    p = Problem(x, y, "linear", 0.0, None)
    j, n = phi(x, y, member["theta"]), len(y)
    first = member["alpha"] is None
    alpha = max(np.mean(np.sum(j[:, 1:] ** 2, axis=1)), 1e-6) if first else member["alpha"]
    alphas = np.concatenate([[BIAS_PRECISION], np.full(n, alpha)])
    w = member["w"]
    for _ in range(3 if first else 1):
        w, _ = newton(p, w, 0.0, alphas, j, j @ w, np.arange(n + 1) > 0, lambda w: j @ w)
    d = x * ((w[1:] * y) @ x)
    theta = member["theta"]
    f_at = lambda theta: w[0] + d @ theta
    theta, _ = newton(p, theta, 0.0, beta, d, f_at(theta), np.ones(len(theta), bool), f_at)
    f = f_at(theta)
    free = np.concatenate([[True], w[1:] > 0])
    variance_w, part_w = laplace(phi(x, y, theta), f, w, 0.0, alphas, free)
    variance_theta, part_theta = laplace(d, f, theta, 0.0, beta, theta > 0)
    inside = free[1:]
    determined = np.sum(1 - alpha * variance_w[1:][inside])
    alpha = np.clip(max(determined, 1e-3) / max(np.sum(w[1:] ** 2), 1e-12), 1e-8, 1e12)
    gamma = np.clip(1 - beta * variance_theta, 0, 1)
    return {"w": w, "theta": theta, "alpha": alpha}, gamma, loglik(p, f) + part_w + part_theta


def moved_factor(member, factor):
    w = np.concatenate([member["w"][:1], member["w"][1:] * factor])
    return {"w": w, "theta": member["theta"] / factor, "alpha": member["alpha"] / factor**2}


def settle(members, gammas, beta, kept):
    sums = np.array([np.sum(beta * m["theta"] ** 2) for m in members])
    members = [moved_factor(m, np.sqrt(s / sums.mean())) for m, s in zip(members, sums)]
    squares = np.mean([m["theta"] ** 2 for m in members], axis=0)
    beta = np.sqrt(beta * (np.mean(gammas, axis=0) + 2 * SHAPE) / np.maximum(squares, 1e-300))
    beta = np.clip(beta, 1e-8, 1e14)
    stays = (squares > 0) & (beta * squares.max() < DROP)
    stays[np.argmax(squares)] = True
    members = [{**m, "theta": m["theta"][stays]} for m in members]
    scale = np.sqrt(np.mean([m["theta"] ** 2 for m in members], axis=0).max())
    return [moved_factor(m, scale) for m in members], beta[stays] * scale**2, kept[stays]


def main(out_dir):
    x, y, halves = example()
    m = x.shape[1]
    members = [{"w": np.zeros(len(rows) + 1), "theta": np.full(m, 1 / m), "alpha": None} for rows in halves]
    beta, kept, evidences = np.full(m, float(m)), np.arange(m), []
    for _ in range(3):
        moved = [advance(member, x[np.ix_(rows, kept)], y[rows], beta) for member, rows in zip(members, halves)]
        evidences.append(sum(evidence for _, _, evidence in moved))
        members, beta, kept = settle([a for a, _, _ in moved], [g for _, g, _ in moved], beta, kept)
    weights = [member["theta"] * ((member["w"][1:] * y[rows]) @ x[np.ix_(rows, kept)])
               for member, rows in zip(members, halves)]
    write(Path(out_dir), "panel_rounds.json", {
        "about": "Three rounds of a panel on four halves. Weights are the effective linear ones over kept features.",
        "x": x, "y": y, "halves": halves, "shape": SHAPE, "log_evidence": evidences, "kept": kept, "beta": beta,
        "bias": [member["w"][0] for member in members], "alpha": [member["alpha"] for member in members],
        "weights": weights})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

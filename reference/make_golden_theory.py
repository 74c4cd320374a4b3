"""Write the golden file that KL divergences and draws from truncated Gaussians are tested against.

    python make_golden_theory.py OUT_DIR        (the repository's crates/pfcvm/tests/golden)

Divergences: ∫ q (ln q − ln p) by mpmath's quadrature with 40 digits. Means and covariances of Gaussians truncated to
positive coordinates: sums over a fine grid of the density, which converge fast because the integrand is smooth
inside and the grid is Simpson's.
"""
import json
import sys
from itertools import product
from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 40


def divergence(mean, precision, prior):
    mean, precision, prior = mp.mpf(mean), mp.mpf(precision), mp.mpf(prior)
    root = mp.sqrt(precision)
    mass = mp.erfc(-mean * root / mp.sqrt(2)) / 2

    def integrand(u):
        log_q = mp.log(precision / (2 * mp.pi)) / 2 - precision * (u - mean) ** 2 / 2 - mp.log(mass)
        log_p = mp.log(2) + mp.log(prior / (2 * mp.pi)) / 2 - prior * u**2 / 2
        return mp.exp(log_q) * (log_q - log_p)

    # Where q lives: around its mean, or next to the wall.
    s = mean * root
    scale = 1 / root if s > -1 else 1 / (root * -s)
    centre = max(mean, mp.mpf(0))
    points = sorted({mp.mpf(0), *(max(centre + k * scale, mp.mpf(0)) for k in (-16, -8, -4, -2, 0, 2, 4, 8, 16, 40, 100))})
    return float(mp.quad(integrand, points))


def simpson(length, step):
    nodes = np.arange(0, length + step / 2, step)
    weights = np.full(len(nodes), 2.0)
    weights[1::2], weights[0], weights[-1] = 4.0, 1.0, 1.0
    return nodes, weights * step / 3


def moments(mean, covariance, walled):
    mean, covariance = np.array(mean), np.array(covariance)
    inverse = np.linalg.inv(covariance)
    axes = []
    for m, variance, wall in zip(mean, np.diag(covariance), walled):
        reach = 9 * np.sqrt(variance)
        low = 0.0 if wall else m - reach
        nodes, weights = simpson(m + reach - low, (m + reach - low) / 200)
        axes.append((nodes + low, weights))
    grid = np.stack([g.ravel() for g in np.meshgrid(*(n for n, _ in axes), indexing="ij")])
    weight = np.ones(1)
    for _, w in axes:
        weight = np.multiply.outer(weight, w)
    offset = grid - mean[:, None]
    density = weight.ravel() * np.exp(-0.5 * (offset * (inverse @ offset)).sum(axis=0))
    density /= density.sum()
    centre = grid @ density
    spread = (grid * density) @ grid.T - np.outer(centre, centre)
    return {"mean": mean.tolist(), "covariance": covariance.tolist(), "walled": list(walled),
            "centre": centre.tolist(), "spread": spread.tolist()}


def main(out_dir):
    rows = []
    for s, precision, ratio in product([-40, -12, -3, -0.5, 0, 0.3, 2, 9, 40], [0.01, 1, 250], [0.002, 0.5, 1, 30]):
        mean, prior = s / precision**0.5, precision * ratio
        rows.append([mean, precision, prior, divergence(mean, precision, prior)])
    cases = [
        moments([0.3], [[1.0]], [True]),
        moments([0.0, 0.1], [[1.0, 0.9], [0.9, 1.0]], [True, True]),
        moments([0.2, 0.1], [[1.0, -0.95], [-0.95, 1.0]], [True, True]),
        moments([-1.0, 0.4, 0.2], [[2.0, 0.8, -0.5], [0.8, 1.0, 0.3], [-0.5, 0.3, 0.6]], [False, True, True]),
    ]
    text = json.dumps({"about": "KL divergences by quadrature; moments of truncated Gaussians by sums on a grid.",
                       "divergences": rows, "moments": cases}, allow_nan=False, separators=(",", ":"))
    (Path(out_dir) / "theory.json").write_text(text.replace('],[', '],\n[') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

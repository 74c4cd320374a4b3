"""Write the golden file that the EM of the probabilistic classification vector machine is tested against.

    python make_golden_pcvm.py OUT_DIR        (the repository's crates/pfcvm-methods/tests/golden)

The update equations are written down as they are published, with dense inverses, from a given start and with a
given kernel width. Floats read back to the same bits.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import norm

LEAST_WEIGHT = 1e-3


def iterate(kernel, y, w, b, h, iterations):
    """Yields w, b and h after each iteration; weights that went are 0."""
    signed, rows = kernel * y, len(y)
    w = w.copy()
    for _ in range(iterations):
        kept = w > 0
        k = signed[:, kept]
        z = h + y * norm.pdf(h) / norm.cdf(y * h)
        m = np.sqrt(2) * np.diag(w[kept])
        inner = np.linalg.inv(np.eye(kept.sum()) + m @ k.T @ k @ m)
        w[kept] = m @ inner @ m @ (k.T @ z - b * k.T @ np.ones(rows))
        w[w <= LEAST_WEIGHT] = 0
        b = 2 * b**2 / (1 + 2 * b**2 * rows) * (z - signed @ w).sum()
        h = signed @ w + b
        yield w.copy(), b, h


def main(out_dir):
    rng = np.random.default_rng(5)
    x = np.round(rng.normal(size=(40, 3)), 3)
    y = np.where((x[:, :2] ** 2).sum(axis=1) + 0.3 * rng.normal(size=40) < 1.3, 1.0, -1.0)
    gamma = 0.4
    kernel = np.exp(-gamma * ((x[:, None] - x[None]) ** 2).sum(axis=2))
    w, b = rng.uniform(size=40) + 0.2, rng.normal()
    h = 10 * rng.uniform(size=40) * y + rng.uniform(size=40)
    steps = [{"weights": w.tolist(), "bias": b, "decision": h.tolist()}
             for w, b, h in iterate(kernel, y, w, b, h, 12)]
    content = {"about": "EM of a PCVM, step by step.", "x": x.tolist(), "y": y.tolist(), "gamma": gamma,
               "weights": w.tolist(), "bias": b, "hidden": h.tolist(), "steps": steps}
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    (Path(out_dir) / "pcvm.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

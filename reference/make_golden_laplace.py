"""Write the golden file that Laplace's approximation of the relevance vector machine is tested against.

    python make_golden_laplace.py OUT_DIR        (the repository's crates/pfcvm-methods/tests/golden)

For given precisions a relevance vector machine is a Gaussian process with the kernel Φ A⁻¹ Φᵀ. Mode, evidence,
and mean and variance of the decision value come from scikit-learn's GaussianProcessClassifier with a fixed dot
product kernel on Φ A^-½.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.linalg import solve
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import DotProduct


def case(rows, columns, spread, seed):
    rng = np.random.default_rng(seed)
    phi, probe = (np.round(rng.normal(size=(n, columns)), 3) for n in (rows, 5))
    positive = phi @ rng.normal(size=columns) + rng.normal(size=rows) > 0
    alpha = np.round(np.exp(spread * rng.normal(size=columns)), 4)
    kernel = DotProduct(sigma_0=0.0, sigma_0_bounds="fixed")
    process = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=1000)
    process.fit(phi / np.sqrt(alpha), positive.astype(int))
    inner = process.base_estimator_
    inside = inner.kernel_(inner.X_train_)
    across = inner.kernel_(probe / np.sqrt(alpha), inner.X_train_)
    roots = inner.W_sr_
    middle = np.eye(rows) + roots[:, None] * inside * roots
    held = solve(middle, roots[:, None] * across.T, assume_a="pos")
    variance = ((probe**2) / alpha).sum(axis=1) - (roots[:, None] * across.T * held).sum(axis=0)
    return {"phi": phi.tolist(), "positive": positive.tolist(), "alpha": alpha.tolist(), "probe": probe.tolist(),
            "log_evidence": process.log_marginal_likelihood_value_,
            "mean": (across @ (inner.y_train_ - inner.pi_)).tolist(), "variance": variance.tolist()}


def main(out_dir):
    cases = [case(30, 4, 1.0, 1), case(12, 20, 0.5, 2), case(25, 25, 2.0, 3)]
    text = json.dumps({"about": "Laplace's approximation for given precisions, from scikit-learn.", "cases": cases},
                      allow_nan=False, separators=(",", ":"))
    (Path(out_dir) / "laplace.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

"""Write the golden file that the relevance vector machine is tested against.

    python make_golden_rvm.py OUT_DIR        (the repository's crates/pfcvm-methods/tests/golden)

Relevance vectors and decision values come from fastrvm, on features that are standardised here. Values are
rounded before they are used, so that the file is short. Floats read back to the same bits.
"""
import json
import sys
from pathlib import Path

import numpy as np
from fastrvm import RVC
from sklearn.metrics import log_loss


def circle(rng, rows, cols):
    x = rng.normal(size=(rows, cols))
    return x, (x[:, :2] ** 2).sum(axis=1) + 0.4 * rng.normal(size=rows) < 1.4


def bands(rng, rows, cols):
    x = rng.uniform(-3, 3, size=(rows, cols))
    return x, np.sin(1.5 * x[:, 0]) + 0.5 * x[:, 1] + 0.3 * rng.normal(size=rows) > 0


def slope(rng, rows, cols):
    x = rng.normal(size=(rows, cols)) * np.arange(1, cols + 1) + 5
    return x, x @ np.linspace(1, -1, cols) + 2 * rng.normal(size=rows) > np.linspace(1, -1, cols).sum() * 5


CASES = [
    ("circle in 2 features", circle, 100, 2, "rbf", None, 11),
    ("circle in 5 features", circle, 120, 5, "rbf", None, 12),
    ("bands, narrow kernel", bands, 110, 2, "rbf", 2.0, 13),
    ("bands, quadratic", bands, 90, 3, "poly:2", None, 14),
    ("slope, linear", slope, 80, 4, "linear", None, 15),
]


def case(name, make, rows, cols, kernel, gamma, seed):
    rng = np.random.default_rng(seed)
    x, truth = make(rng, 2 * rows, cols)
    x = np.round(x, 3)
    train, test = x[:rows], x[rows:]
    centre, scale = train.mean(axis=0), train.std(axis=0)
    settings = {"kernel": kernel.split(":")[0], "gamma": 1.0 / cols if gamma is None else gamma}
    if kernel.startswith("poly"):
        settings.update(degree=int(kernel.split(":")[1]), coef0=1.0)
    machine = RVC(**settings).fit((train - centre) / scale, truth[:rows].astype(int))
    decision = machine.decision_function((test - centre) / scale)
    return {"name": name, "kernel": kernel, "gamma": gamma, "train": train.tolist(),
            "positive": truth[:rows].tolist(), "test": test.tolist(), "test_positive": truth[rows:].tolist(),
            "relevance": sorted(int(i) for i in machine.relevance_), "decision": decision.tolist(),
            "log_evidence": float(machine.scores_[-1]),
            "log_loss": log_loss(truth[rows:], 1 / (1 + np.exp(-decision)))}


def main(out_dir):
    text = json.dumps({"about": "Relevance vector machines without a bias, from fastrvm.",
                       "cases": [case(*arguments) for arguments in CASES]}, allow_nan=False, separators=(",", ":"))
    (Path(out_dir) / "rvm.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

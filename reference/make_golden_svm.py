"""Write the golden file that the support vector machine of `pfcvm-methods` is tested against.

    python make_golden_svm.py OUT_DIR             (the repository's crates/pfcvm-methods/tests/golden)

Support vectors, coefficients and decisions are those of scikit-learn's SVC on standardised features, with its own
tolerance and a tighter one, Platt's A and B those of its calibration. Floats are written so that they read back to the same bits.
"""
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.calibration import _sigmoid_calibration
from sklearn.datasets import make_circles, make_classification, make_moons
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def samples(name):
    if name == "moons":
        return make_moons(120, noise=0.3, random_state=1)
    if name == "circles":
        return make_circles(90, noise=0.2, factor=0.5, random_state=2)
    if name == "overlap":
        return make_classification(160, 8, n_informative=4, flip_y=0.15, random_state=3)
    if name == "wide":
        return make_classification(40, 120, n_informative=10, random_state=4)
    return make_classification(140, 5, n_informative=3, n_redundant=1, weights=[0.85], flip_y=0.05, random_state=5)


def fit(x, y, test, kernel, c, gamma, class_weight, tolerance):
    scaler = StandardScaler().fit(x)
    z = scaler.transform(x)
    model = SVC(kernel=kernel, C=c, gamma=gamma, class_weight=class_weight, tol=tolerance).fit(z, y)
    decisions = model.decision_function(z)
    slope, offset = _sigmoid_calibration(decisions, y)
    return {"tolerance": tolerance, "kernel": kernel, "c": c, "gamma": gamma, "balanced": class_weight == "balanced",
            "support": np.sort(model.support_).tolist(),
            "offset": model.intercept_[0], "decisions": model.decision_function(scaler.transform(test)).tolist(),
            "training_decisions": decisions.tolist(), "platt": [slope, offset]}


def case(name):
    x, y = samples(name)
    rng = np.random.default_rng(7)
    test = rng.normal(size=(25, x.shape[1])) * x.std(axis=0) + x.mean(axis=0)
    fits = [fit(x, y, test, *setting, tolerance) for tolerance in (1e-3, 1e-6) for setting in (
        ("rbf", 1.0, "scale", None), ("rbf", 10.0, 0.2, None), ("linear", 0.3, "scale", None),
        ("rbf", 2.0, "scale", "balanced"), ("linear", 1.0, "scale", "balanced"))]
    return {"name": name, "x": x.tolist(), "positive": (y == 1).tolist(), "test": test.tolist(), "fits": fits}


def main(out_dir):
    cases = [case(name) for name in ("moons", "circles", "overlap", "wide", "rare")]
    text = json.dumps({"about": "scikit-learn's SVC on standardised features.", "cases": cases}, separators=(",", ":"))
    (Path(out_dir) / "svm.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

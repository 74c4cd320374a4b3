"""Write the golden file that the isotonic probabilities of `pfcvm-methods` are tested against.

    python make_golden_isotonic.py OUT_DIR        (the repository's crates/pfcvm-methods/tests/golden)

Probabilities are those of scikit-learn's IsotonicRegression, clipped beyond the first and the last decision, as its
calibration of classifiers uses it. Floats are written so that they read back to the same bits.
"""
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.isotonic import IsotonicRegression


def samples(name):
    rng = np.random.default_rng(11)
    rows = {"two": 2, "one class": 12}.get(name, 80)
    positive = rng.uniform(size=rows) < 0.4
    decisions = rng.normal(size=rows) + np.where(positive, 0.8, 0.0)
    weights = np.ones(rows)
    if name == "two":
        positive = np.array([True, False])
    if name == "one class":
        positive[:] = True
    if name == "against":
        decisions = -decisions
    if "ties" in name:
        decisions = np.round(2 * decisions) / 2
    if "weights" in name:
        weights = rng.choice([0.25, 1.0, 2.5, 7.0], size=rows)
    if name == "apart":
        decisions = np.where(positive, 1.0, -1.0) * (0.5 + rng.uniform(size=rows))
    return decisions, positive, weights


def case(name):
    decisions, positive, weights = samples(name)
    model = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    model.fit(decisions, positive.astype(float), sample_weight=weights)
    low, high = decisions.min(), decisions.max()
    asked = np.concatenate([np.linspace(low - 1, high + 1, 61), decisions[:20]])
    return {"name": name, "decisions": decisions.tolist(), "positive": positive.tolist(), "weights": weights.tolist(),
            "asked": asked.tolist(), "probabilities": model.predict(asked).tolist()}


def main(out_dir):
    names = ("plain", "ties", "weights", "weights and ties", "against", "apart", "two", "one class")
    about = "scikit-learn's IsotonicRegression."
    text = json.dumps({"about": about, "cases": [case(name) for name in names]}, separators=(",", ":"))
    (Path(out_dir) / "isotonic.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

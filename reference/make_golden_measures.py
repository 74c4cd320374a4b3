"""Write the golden file that the measures of predictions are tested against.

    python make_golden_measures.py OUT_DIR        (the repository's crates/pfcvm-eval/tests/golden)

Numbers come from scikit-learn, intervals from scipy. Floats are written so that they read back to the
same bits; the infinite threshold at the start of a ROC curve is written as null.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score, brier_score_loss, confusion_matrix, log_loss, roc_auc_score, roc_curve


def bins_of(truth, probability, bins):
    """scikit-learn gives shares and means; counts and intervals are added from its own bin rule."""
    observed, predicted = calibration_curve(truth, probability, n_bins=bins, strategy="uniform")
    bin_of = np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], probability)
    found = []
    for number, (o, p) in zip(np.unique(bin_of), zip(observed, predicted)):
        inside = truth[bin_of == number]
        interval = binomtest(int(inside.sum()), len(inside)).proportion_ci(0.95, method="wilson")
        found.append({"predicted": p, "observed": o, "count": len(inside), "low": interval.low, "high": interval.high})
    return found


def case(truth, probability, bins):
    false_positive_rate, true_positive_rate, threshold = roc_curve(truth, probability, drop_intermediate=False)
    (tn, fp), (fn, tp) = confusion_matrix(truth, probability >= 0.5)
    curve = bins_of(truth, probability, bins)
    error = sum(b["count"] * abs(b["observed"] - b["predicted"]) for b in curve) / len(truth)
    return {"truth": truth.tolist(), "probability": probability.tolist(), "bins": bins,
            "accuracy": accuracy_score(truth, probability >= 0.5), "log_loss": log_loss(truth, probability),
            "brier": brier_score_loss(truth, probability), "auc": roc_auc_score(truth, probability),
            "confusion": {"tp": int(tp), "fp": int(fp), "tn": int(tn), "fn": int(fn)},
            "roc": [[f, t, h if np.isfinite(h) else None]
                    for f, t, h in zip(false_positive_rate, true_positive_rate, threshold)],
            "calibration": curve, "calibration_error": error}


def cases():
    for seed, rows, decimals, bins in ((1, 12, 1, 5), (2, 60, 2, 10), (3, 90, 1, 10), (4, 40, 15, 7)):
        rng = np.random.default_rng(seed)
        score = rng.normal(size=rows)
        truth = rng.uniform(size=rows) < 1 / (1 + np.exp(-2 * score))
        # Few decimals make ties, also on the edges of bins.
        probability = np.round(1 / (1 + np.exp(-3 * score)), decimals)
        yield case(truth, np.clip(probability, 0.0, 1.0), bins)


def main(out_dir):
    text = json.dumps({"about": "Measures of predictions against the truth, from scikit-learn.",
                       "cases": list(cases())}, allow_nan=False, separators=(",", ":"))
    (Path(out_dir) / "measures.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

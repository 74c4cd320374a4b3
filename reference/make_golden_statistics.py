"""Write the golden file that the statistics and tests of `pfcvm-eval` are tested against.

    python make_golden_statistics.py OUT_DIR      (the repository's crates/pfcvm-eval/tests/golden)

Numbers come from scipy and scikit-learn where they have the statistic; where they do not, it is computed here
along another route than in the Rust crate, and the function says which. Floats are written so that they read
back to the same bits. Infinite numbers are left out.
"""
import json
import sys
from pathlib import Path

import numpy as np
from scipy import special, stats
from sklearn.metrics import average_precision_score, cohen_kappa_score, precision_recall_curve

# Error rate and AUC in %, subjects 1 to 14, as printed in the paper's second table ("The error rate and AUC of
# PFCVM_LP compared to other algorithms on the emotional EEG datasets"): the six methods of its Friedman test.
METHODS = ["PCVM", "TRC", "FSNM", "PFCVM_EM", "JCFO", "PFCVM_LP"]


def table(text):
    return np.array([[float(value) for value in line.split()] for line in text.strip().splitlines()])


ERROR_RATE = table("""
    8.72 4.52 4.74 6.85 12.18 4.63
    13.42 22.43 19.66 17.72 19.11 11.85
    9.12 6.35 3.14 4.96 4.60 0.00
    19.77 17.68 16.65 17.43 19.31 16.12
    17.98 15.61 20.81 19.32 20.81 14.81
    9.22 10.44 10.83 8.01 11.77 6.16
    7.91 9.70 14.26 7.48 15.97 8.04
    7.35 4.47 4.52 5.85 0.00 2.15
    12.61 14.70 10.07 16.30 11.27 11.52
    11.59 10.89 9.23 6.55 5.27 3.06
    8.45 13.13 13.57 1.93 2.04 1.98
    12.69 10.69 11.71 12.15 5.58 7.99
    7.17 2.74 2.12 8.53 4.08 2.48
    18.78 15.43 19.69 12.73 13.62 13.27""")
AUC = table("""
    97.54 99.70 99.18 96.29 94.88 99.54
    99.07 92.46 92.47 94.01 92.97 99.32
    99.84 99.90 99.95 99.76 99.67 100.00
    82.18 93.55 95.20 91.85 94.88 95.05
    93.62 87.02 84.60 88.57 84.76 93.74
    98.98 95.11 95.65 97.39 95.71 99.72
    99.23 99.17 95.72 99.57 91.96 99.17
    95.94 98.70 98.40 97.33 100.00 98.27
    94.90 95.30 95.20 94.34 96.68 96.54
    94.75 94.07 97.91 94.05 97.73 98.08
    88.08 91.91 92.61 99.28 98.74 98.88
    94.33 93.60 92.38 95.36 99.87 99.12
    97.84 99.65 100.00 96.31 99.33 99.91
    93.44 95.62 93.69 95.45 95.19 96.15""")


def tails():
    """[arguments…, tail] for each distribution, down to tails of 1e-250 or so."""
    degrees = [1, 2, 3, 7, 13, 50, 265, 1e4, 1e6]
    # At t = 1e-8 with one degree of freedom scipy is off in the ninth digit; the closed form says so.
    points = [0.001, 0.01, 0.3, 1, 1.96, 3.7, 11, 40]
    ratios = [1e-6, 0.2, 0.9, 1, 1.1, 1.7, 4, 30]
    found = {
        "normal": [[z, stats.norm.sf(z)] for z in np.linspace(-8, 33, 83)],
        "t_two_sided": [[t, df, 2 * stats.t.sf(t, df)] for df in degrees for t in points],
        "chi_square": [[r * df, df, stats.chi2.sf(r * df, df)] for df in degrees for r in ratios],
        "f": [[x, a, b, stats.f.sf(x, a, b)] for a in degrees[:7] for b in degrees[:7] for x in ratios],
    }
    found = {name: [case for case in cases if case[-1] > 1e-250] for name, cases in found.items()}
    found["normal_quantile"] = [[p, -special.ndtri(p)] for p in [1e-300, 1e-100, 1e-30, 1e-12, 1e-5, 0.001, 0.005,
                                                                 0.025, 0.05, 0.1, 0.3, 0.5, 0.7, 0.99]]
    found["t_quantile"] = [[p, df, stats.t.isf(p / 2, df)] for df in degrees
                           for p in [1e-10, 0.001, 0.01, 0.05, 0.1, 0.5, 0.9]]
    return found


def studentized_range():
    """Quantiles [k, alpha, q] and tails [k, q, tail] with infinite degrees of freedom."""
    levels = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99]
    return {"quantiles": [[k, a, stats.studentized_range.isf(a, k, np.inf)] for k in range(2, 21) for a in levels],
            "tails": [[k, q, stats.studentized_range.sf(q, k, np.inf)] for k in (2, 3, 6, 13, 20, 100)
                      for q in (0.1, 0.7, 2.0, 3.3, 5.0)]}


def precision_recall():
    found = []
    for seed, rows, decimals in ((11, 15, 1), (12, 80, 2), (13, 200, 1), (14, 60, 15)):
        rng = np.random.default_rng(seed)
        score = np.round(rng.normal(size=rows), decimals)
        truth = rng.uniform(size=rows) < 1 / (1 + np.exp(1.5 - 2 * score))
        precision, recall, threshold = precision_recall_curve(truth, score, drop_intermediate=False)
        # From high thresholds to low ones; the first point, (1, 0), has none.
        points = [[p, r, t] for p, r, t in zip(precision[-2::-1], recall[-2::-1], threshold[::-1])]
        found.append({"truth": truth.tolist(), "score": score.tolist(), "points": points,
                      "average_precision": average_precision_score(truth, score)})
    return found


def kappa_of_shares(p):
    expected = p.sum(axis=1) @ p.sum(axis=0)
    return (np.trace(p) - expected) / (1 - expected)


def kappa(table, confidence):
    """kappa from scikit-learn; its standard error by the delta method from the multinomial distribution, with
    derivatives by complex steps. (Fleiss, Cohen and Everitt did the same by hand.)"""
    table = np.array(table)
    truth, called = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
    value = cohen_kappa_score(truth, called)
    p = table / table.sum()
    gradient = np.zeros_like(p)
    for cell in np.ndindex(p.shape):
        moved = p.astype(complex)
        moved[cell] += 1e-30j
        gradient[cell] = kappa_of_shares(moved).imag / 1e-30
    variance = (np.sum(p * gradient**2) - np.sum(p * gradient) ** 2) / table.sum()
    half = stats.norm.isf((1 - confidence) / 2) * np.sqrt(variance)
    return {"table": table.tolist(), "confidence": confidence, "kappa": value, "standard_error": np.sqrt(variance),
            "low": value - half, "high": value + half}


def kappas():
    rng = np.random.default_rng(21)
    tables = [[[45, 15], [25, 15]], [[440, 21], [23, 430]], [[8, 1], [0, 3]], [[0, 7], [2, 5]],
              [[53, 5, 2], [11, 14, 5], [1, 6, 3]], [[5, 0, 0], [3, 0, 1], [0, 0, 9]], rng.integers(0, 30, (6, 6)).tolist()]
    return [kappa(table, confidence) for table in tables for confidence in (0.95, 0.5)]


def stability(indicators, confidence):
    """The authors' formulas, on the matrix of indicators; the stability itself from what all pairs of subsets have
    in common, without the variance of any feature."""
    m, d = indicators.shape
    share = indicators.mean(axis=0)
    size, mean_size = indicators.sum(axis=1), share.sum()
    chance = mean_size / d * (1 - mean_size / d)
    pairs = [indicators[i] @ indicators[j] / d for i in range(m) for j in range(m) if i != j]
    value = 1 - (mean_size / d - np.mean(pairs)) / chance
    influence = np.array([(np.mean(row * share) - k * mean_size / d**2
                           + value / 2 * (2 * k * mean_size / d**2 - k / d - mean_size / d + 1)) / chance
                          for row, k in zip(indicators, size)])
    error = np.sqrt(4 / m**2 * np.sum((influence - influence.mean()) ** 2))
    half = stats.norm.isf((1 - confidence) / 2) * error
    return {"subsets": [np.flatnonzero(row).tolist() for row in indicators], "features": d, "confidence": confidence,
            "stability": value, "standard_error": error, "low": value - half, "high": value + half}


def stabilities():
    rng = np.random.default_rng(31)
    wanted = [(5, 8, 0.5), (20, 40, 0.2), (50, 12, 0.8)]
    found = []
    for m, d, share in wanted:
        chance = np.where(np.arange(d) < d * share, 0.8, 0.1)
        found.append(stability((rng.uniform(size=(m, d)) < chance).astype(int), 0.95))
    found.append(stability(np.array([rng.permutation(10) < 4 for _ in range(6)]).astype(int), 0.9))
    return found


def friedman(scores, lower_is_better):
    """Iman and Davenport's F is scipy's analysis of variance of the ranks, as Conover shows."""
    scores = np.asarray(scores, float)
    n, k = scores.shape
    ranks = stats.rankdata(scores if lower_is_better else -scores, axis=1)
    chi_square, p = stats.friedmanchisquare(*scores.T)
    residual = ranks - ranks.mean(axis=0)
    between = n * np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)
    f = (between / (k - 1)) / (np.sum(residual**2) / ((k - 1) * (n - 1)))
    return {"scores": scores.tolist(), "lower_is_better": lower_is_better, "ranks": ranks.tolist(),
            "average_ranks": ranks.mean(axis=0).tolist(), "chi_square": chi_square, "p": p,
            "f": f, "f_p": stats.f.sf(f, k - 1, (k - 1) * (n - 1))}


def friedmans():
    rng = np.random.default_rng(41)
    cases = [rng.normal(size=(6, 3)), rng.normal(size=(14, 6)) + np.arange(6) * 0.4, rng.integers(0, 4, (9, 5)),
             rng.integers(0, 2, (30, 4)), rng.normal(size=(2, 9))]
    return [friedman(case, lower) for case in cases for lower in (True, False)]


def critical_differences():
    """[k, N, alpha, Nemenyi, Bonferroni–Dunn]."""
    found = []
    for k, n, a in [(2, 5, 0.05), (3, 10, 0.1), (6, 14, 0.05), (6, 14, 0.1), (12, 14, 0.05), (20, 30, 0.01)]:
        scale = np.sqrt(k * (k + 1) / (6 * n))
        found.append([k, n, a, stats.studentized_range.isf(a, k, np.inf) / np.sqrt(2) * scale,
                      stats.norm.isf(a / (2 * (k - 1))) * scale])
    return found


def wilcoxons():
    rng = np.random.default_rng(51)
    cases = [(rng.normal(size=n), rng.normal(size=n) - 0.4) for n in (1, 2, 5, 9, 14, 37, 50, 51, 200)]
    cases += [(rng.integers(0, 5, n), rng.integers(0, 4, n)) for n in (6, 14, 40, 120)]
    found = []
    for first, second in cases:
        d = np.asarray(first - second, float)
        kept = np.abs(d[d != 0])
        exact = len(d) <= 50 and len(kept) == len(d) and len(np.unique(kept)) == len(kept)
        result = stats.wilcoxon(d, zero_method="wilcox", correction=True, method="exact" if exact else "asymptotic")
        found.append({"first": np.asarray(first, float).tolist(), "second": np.asarray(second, float).tolist(),
                      "exact": exact, "statistic": result.statistic, "p": result.pvalue,
                      "z": None if exact else abs(result.zstatistic)})
    return found


def mcnemars():
    """[b, c, exact p, statistic, p]."""
    found = []
    for b, c in [(0, 1), (8, 2), (3, 3), (3, 4), (0, 30), (59, 86), (150, 86), (1000, 1100), (40000, 40500)]:
        x = max(abs(b - c) - 1, 0) ** 2 / (b + c)
        found.append([b, c, stats.binomtest(b, b + c).pvalue, x, stats.chi2.sf(x, 1)])
    return found


def resampled_ts():
    """With a ratio of 0 this is scipy's one-sample test; the correction only scales its standard error."""
    rng = np.random.default_rng(61)
    found = []
    for j, ratio, shift, confidence in [(2, 0.5, 0.1, 0.95), (10, 1 / 9, 0.02, 0.95), (100, 1 / 9, 0.3, 0.99), (30, 0.0, 0.0, 0.9)]:
        d = rng.normal(size=j) * 0.1 + shift
        plain = stats.ttest_1samp(d, 0.0)
        error = np.mean(d) / plain.statistic * np.sqrt(1 + j * ratio)
        t = np.mean(d) / error
        low, high = stats.t.interval(confidence, j - 1, loc=np.mean(d), scale=error)
        found.append({"differences": d.tolist(), "ratio": ratio, "confidence": confidence, "mean": np.mean(d), "t": t,
                      "p": plain.pvalue if ratio == 0 else 2 * stats.t.sf(abs(t), j - 1), "low": low, "high": high})
    return found


def main(out_dir):
    paper = {"methods": METHODS, "error_rate": friedman(ERROR_RATE, True), "auc": friedman(AUC, False)}
    golden = {"about": "Statistics from scipy and scikit-learn; see reference/make_golden_statistics.py. "
                       "`paper` starts from the error rates and AUCs printed in the paper's second table.",
              "tails": tails(), "studentized_range": studentized_range(), "precision_recall": precision_recall(),
              "kappa": kappas(), "stability": stabilities(), "friedman": friedmans(),
              "critical_differences": critical_differences(), "wilcoxon": wilcoxons(), "mcnemar": mcnemars(),
              "resampled_t": resampled_ts(), "paper": paper}
    text = json.dumps(golden, allow_nan=False, separators=(",", ":"), default=lambda value: value.item())
    (Path(out_dir) / "statistics.json").write_text(text.replace(',"', ',\n"') + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

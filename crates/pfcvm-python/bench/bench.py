"""PFCVMClassifier beside others, in one run.

    python crates/pfcvm-python/bench/bench.py [--limit 120] [--only NAME,NAME] [--threads N]

Each classifier runs in a process of its own and is given up after the limit. Data are drawn: waveforms with noise
(400 x 40, tested on 3000 more), band powers of 62 channels, 1376 x 310, tested on 1500 more, and curves (3000 x 35
and 1500 x 60, tested on 3000 more). Seconds are the best of up to seven fits and those of the clock; all have the
threads of the machine unless told. `cargo xtask bench package` calls this.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from pfcvm import PFCVMClassifier, RVMClassifier
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def waveforms(rows, rng):
    """Breiman's waves 1 and 2, with 19 features of noise."""
    at = np.arange(21)
    a, b, c = (np.maximum(6 - np.abs(at - peak), 0) for peak in (6, 14, 10))
    y = rng.integers(0, 2, rows)
    share = rng.random((rows, 1))
    signal = share * a + (1 - share) * np.where(y[:, None] == 1, c, b)
    return np.hstack([signal + rng.normal(size=(rows, 21)), rng.normal(size=(rows, 19))]), y


def band_powers(rows, rng):
    """310 log powers that share sources; 12 of them differ between two states."""
    mixing = np.random.default_rng(5).normal(size=(25, 310))
    y = rng.integers(0, 2, rows)
    X = rng.normal(size=(rows, 25)) @ mixing / 5 + rng.normal(size=(rows, 310))
    X[:, :12] += 0.45 * np.where(y[:, None] == 1, 1, -1)
    return X, y


def curves(columns):
    """Eight normal features of `columns` matter: straight, in a product, squared."""

    def draw(rows, rng):
        X = rng.normal(size=(rows, columns))
        f = 1.2 * X[:, 0] + X[:, 1] * X[:, 2] + 0.9 * (X[:, 3] ** 2 - 1) + 0.5 * X[:, 4:8].sum(1)
        return X, (rng.random(rows) < 1 / (1 + np.exp(-f))).astype(int)

    return draw


CASES = {
    "400 x 40": (waveforms, 400, 3000),
    "1500 x 60": (curves(60), 1500, 3000),
    "1376 x 310": (band_powers, 1376, 1500),
    "3000 x 35": (curves(35), 3000, 3000),
}


def rivals(features):
    scaled = lambda clf: make_pipeline(StandardScaler(), clf)
    ard = ConstantKernel() * RBF(np.full(features, np.sqrt(features)))
    listed = {
        "PFCVMClassifier": PFCVMClassifier(),
        "PFCVMClassifier(linear)": PFCVMClassifier("linear"),
        "one fit, rbf": PFCVMClassifier("rbf", certainty="off"),
        "RVMClassifier": RVMClassifier(),
        "SVC, calibrated": scaled(CalibratedClassifierCV(SVC(), ensemble=False)),
        "SVC, calibrated x 5": scaled(CalibratedClassifierCV(SVC())),
        "GaussianProcess, ARD": scaled(GaussianProcessClassifier(ard)),
    }
    try:
        from fastrvm import RVC

        listed["fastrvm"] = scaled(RVC(kernel="rbf", gamma=1.0 / features))
    except ImportError:
        pass
    try:
        from sklearn_rvm import EMRVC

        listed["sklearn-rvm"] = scaled(EMRVC(kernel="rbf", gamma=1.0 / features))
    except ImportError:
        pass
    return listed


def kept(clf):
    """Samples and features that the decision leans on."""
    last = clf[-1] if hasattr(clf, "steps") else clf
    features = (
        len(last.selected_features_) if hasattr(last, "selected_features_") else clf.n_features_in_
    )
    if isinstance(last, CalibratedClassifierCV):
        return len(last.calibrated_classifiers_[0].estimator.support_), features
    for name in ("selected_samples_", "relevance_vectors_"):
        if hasattr(last, name):
            return len(getattr(last, name)), features
    return "", features


def one(case, name):
    """Fits one classifier and prints what was measured as JSON."""
    make, rows, tests = CASES[case]
    rng = np.random.default_rng(1)
    X, y = make(rows, rng)
    test, truth = make(tests, rng)
    clf = rivals(X.shape[1])[name]
    seconds, predict = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while len(seconds) < 7 and sum(seconds) < 10:
            begin = time.perf_counter()
            fitted = clone(clf).fit(X, y)
            seconds.append(time.perf_counter() - begin)
        for _ in range(5):
            begin = time.perf_counter()
            p = fitted.predict_proba(test)
            predict.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        for row in range(200):
            fitted.predict_proba(test[row : row + 1])
        single = (time.perf_counter() - begin) / 200
    samples, features = kept(fitted)
    found = {
        "fit": min(seconds), "predict": min(predict), "single": single, "samples": samples, "features": features,
        "accuracy": float(((p[:, 1] >= 0.5) == truth).mean()), "loss": float(log_loss(truth, p[:, 1])),
        "pickle": len(pickle.dumps(fitted)),
    }  # fmt: skip
    if hasattr(fitted, "save_model"):
        path = Path(tempfile.mkdtemp()) / "m.json"
        fitted.save_model(path)
        found["file"], found["onnx"] = path.stat().st_size, len(fitted.to_onnx())
    print(json.dumps(found))


def main():
    options = argparse.ArgumentParser()
    options.add_argument(
        "--limit", type=float, default=120, help="seconds after which a classifier is given up"
    )
    options.add_argument("--only", help="classifiers, by how their names begin")
    options.add_argument("--threads", help="that ours and the libraries of others may use")
    options.add_argument("--one", nargs=2)
    options = options.parse_args()
    if options.threads:
        os.environ |= dict.fromkeys(
            ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], options.threads
        )
    if options.one:
        return one(*options.one)
    head = (
        "fit s",
        "predict s",
        "1 row ms",
        "accuracy",
        "log loss",
        "samples",
        "features",
        "pickle kB",
        "file kB",
        "onnx kB",
    )
    print(f"{'data':<11} {'classifier':<24}" + "".join(f"{word:>11}" for word in head))
    for case, (make, _, _) in CASES.items():
        features = make(2, np.random.default_rng(0))[0].shape[1]
        for name in rivals(features):
            if options.only and not name.startswith(tuple(options.only.split(","))):
                continue
            words = [sys.executable, __file__, "--one", case, name]
            try:
                done = subprocess.run(words, capture_output=True, text=True, timeout=options.limit)
            except subprocess.TimeoutExpired:
                print(f"{case:<11} {name:<24}{f'> {options.limit:.0f}':>11}")
                continue
            if done.returncode:
                print(f"{case:<11} {name:<24} failed: {done.stderr.strip().splitlines()[-1]}")
                continue
            f = json.loads(done.stdout)
            cells = (
                f"{f['fit']:.3f}", f"{f['predict']:.4f}", f"{1000 * f['single']:.3f}", f"{f['accuracy']:.4f}", f"{f['loss']:.4f}",
                f["samples"], f["features"], *(f"{f[key] / 1000:.1f}" if key in f else "" for key in ("pickle", "file", "onnx")),
            )  # fmt: skip
            print(f"{case:<11} {name:<24}" + "".join(f"{cell:>11}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()

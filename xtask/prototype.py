"""Time a numpy prototype on the data that `cargo bench -p pfcvm-study -- fits FOLDER` has written.

    python prototype.py PROTOTYPE_DIR DATA_DIR

One tab-separated line per case and program: case, program, size, seconds, iterations, samples,
features, accuracy.
"""
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, sys.argv[1])
import engine  # noqa: E402  (lies in the prototype's folder)
import rbf  # noqa: E402

DATA = Path(sys.argv[2])


def load(case, part):
    return np.load(DATA / f"{case}-{part}-x.npy"), np.load(DATA / f"{case}-{part}-y.npy").ravel()


def standardised(train, test):
    centre, scale = train.mean(0), train.std(0)
    varies = scale > 0
    shift = lambda x: np.ascontiguousarray(((x - centre) / np.where(varies, scale, 1))[:, varies])
    return shift(train), shift(test)


def with_engine(kind):
    def fit(x, y, x_test):
        start = time.perf_counter()
        model = engine.fit_default(x, y, kind=kind)
        seconds = time.perf_counter() - start
        return seconds, len(model["hist"]), len(model["sa"]), len(model["fa"]), engine.dec(model, x_test)
    return fit


def with_simpler(x, y, x_test):
    start = time.perf_counter()
    model = rbf.fit_rbf(x, y, p=0.05)
    seconds = time.perf_counter() - start
    kept = int((model.w[1:] > 0).sum())
    return seconds, len(model.hist), kept, len(model.fa), rbf.predict(model, x_test)[0]


PROGRAMS = {
    "eeg": [("engine", with_engine("rbf")), ("simpler", with_simpler)],
    "wide": [("engine", with_engine("linear"))],
    "waveform": [("engine", with_engine("rbf")), ("simpler", with_simpler)],
}

for case, programs in PROGRAMS.items():
    (x, y), (x_test, y_test) = load(case, "train"), load(case, "test")
    x, x_test = standardised(x, x_test)
    for name, fit in programs:
        seconds, iterations, samples, features, f = fit(x, y, x_test)
        accuracy = np.mean((f >= 0) == (y_test > 0))
        size = f"{x.shape[0]} x {x.shape[1]}"
        print(case, name, size, f"{seconds:.4f}", iterations, samples, features, f"{accuracy:.4f}",
              sep="\t", flush=True)

"""Learning on: ours in 50 batches beside a fit to everything, stochastic gradients and gradient boosting refitted.

    PFCVM_DATA=DIR python reference/bench_stream.py PROGRAM [--streams NAME,NAME] [--draws 200..201] [--keep 5000]
        [--batch ROWS] [--records FILE] [--report]

`pfcvm fit --keep-rows` learns the first batch and `pfcvm update` the others, with `--certainty off`; the fit to everything
has the same settings. SGDClassifier (log loss) gets standardised rows by `partial_fit`; its scaler learns along.
HistGradientBoosting is fitted to everything, in the end. `waveform-turned` and `spam-turned` have classes that change sides after half of the batches, and are told with a
half-life of two batches beside none: all are tested on rows of the rule that holds. Seconds are those of the CPU.
"""
import argparse
import resource
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

from learning_sets import Program, Records, draws, marks, short, shuffled, write

BATCHES = 50
TEST = 1000
LOOKED_AT = (5, 10, 20, 30, 40, 50)
FIT = ("--certainty", "off")


def madelon_like(draw, rows):
    """Five features that matter only together, 15 that are sums of them, 30 of noise; eight clumps a class."""
    return make_classification(
        n_samples=rows, n_features=50, n_informative=5, n_redundant=15, n_clusters_per_class=8,
        class_sep=1.5, flip_y=0.01, random_state=draw)


def spam_like(draw, rows):
    """Shares of 57 words, mostly none; 15 of them go along with a class, more or less."""
    rng = np.random.default_rng([draw, 57])
    y = (rng.random(rows) < 0.4).astype(int)
    there = rng.uniform(0.05, 0.3, 57)
    tilt = np.where(np.arange(57) < 15, rng.normal(0, 1.2, 57), 0.0)
    odds = np.log(there / (1 - there)) + np.outer(y - 0.4, tilt)
    return np.where(rng.random((rows, 57)) < 1 / (1 + np.exp(-odds)), rng.lognormal(0, 1, (rows, 57)), 0.0), y


STREAMS = {
    "waveform": (lambda draw, rows: shuffled("waveform", draw), 40), "madelon-like": (madelon_like, 40),
    "german": (lambda draw, rows: shuffled("german", draw), 14), "spam-like": (spam_like, 40),
    "waveform-turned": (lambda draw, rows: shuffled("waveform", draw), 40), "spam-turned": (spam_like, 40),
}


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def gradients(x, y):
    """SGDClassifier on batches, ready to be asked after each."""
    scaler, model = StandardScaler(), SGDClassifier(loss="log_loss", random_state=0)
    for rows, classes in zip(x, y):
        scaler.partial_fit(rows)
        model.partial_fit(scaler.transform(rows), classes, classes=[0, 1])
        yield lambda test: model.predict_proba(scaler.transform(test))[:, 1]


def measure(name, draw, options, records):
    make, size = STREAMS[name]
    size = options.batch or size
    x, y = make(draw, BATCHES * size + TEST)
    turned = name.endswith("-turned")
    train, test = slice(0, BATCHES * size), slice(BATCHES * size, BATCHES * size + TEST)
    bx, by = np.split(x[train], BATCHES), np.split(y[train], BATCHES)
    if turned:
        by = [1 - classes if at >= BATCHES // 2 else classes for at, classes in enumerate(by)]
    looked_at = range(BATCHES // 2 - 2, BATCHES // 2 + 9) if turned else LOOKED_AT
    truth = lambda done: 1 - y[test] if turned and done > BATCHES // 2 else y[test]
    keys = {"stream": name, "draw": draw, "keep": options.keep, "batch": size}

    def tell(method, done, p, seconds=None):
        loss, errors = marks(truth(done), p)
        records.add(**keys, method=method, batches=done, log_loss=loss, errors=errors, seconds=seconds)

    half_lives = {"ours": ()} | ({"ours, half-life": ("--half-life", 2 * size)} if turned else {})
    for method, more in half_lives.items():
        if records.has(**keys, method=method):
            continue
        with tempfile.TemporaryDirectory() as folder:
            program = Program(options.program, folder)
            program.fit(bx[0], by[0], "--keep-rows", options.keep, *FIT)
            last = looked_at[-1] if turned else BATCHES
            for done in range(2, last + 1):
                write(program.folder / "batch.csv", bx[done - 1], by[done - 1])
                start = cpu()
                program.run("update", "m.json", "batch.csv", "--model", "m.json", *more)
                seconds = cpu() - start
                if done in looked_at:
                    tell(method, done, program.probability(x[test]), seconds)
    if not records.has(**keys, method="refit"):
        for done in looked_at if turned else (BATCHES,):
            first = BATCHES // 2 if turned and done > BATCHES // 2 else 0
            if turned and done == BATCHES // 2 - 1:
                continue
            seen_x, seen_y = np.vstack(bx[first:done]), np.concatenate(by[first:done])
            with tempfile.TemporaryDirectory() as folder:
                program = Program(options.program, folder)
                start = cpu()
                program.fit(seen_x, seen_y, *FIT)
                tell("refit", done, program.probability(x[test]), cpu() - start)
            boosted = HistGradientBoostingClassifier(random_state=0).fit(seen_x, seen_y)
            tell("boosting", done, boosted.predict_proba(x[test])[:, 1])
        for done, said in enumerate(gradients(bx, by), start=1):
            if done in looked_at:
                with np.errstate(over="ignore"):
                    tell("gradients", done, said(x[test]))


def report(options, records):
    rows = [one for one in records.all if one["draw"] in draws(options.draws) and one["keep"] == options.keep]
    for name in options.streams.split(","):
        own = [one for one in rows if one["stream"] == name]
        counted = sorted({one["batches"] for one in own})
        print(f"\n{name}, {len({one['draw'] for one in own})} draws: log loss / errors (CPU-s of a batch)")
        print("| | " + " | ".join(map(str, counted)) + " |\n|---" + "|---" * len(counted) + "|")
        for method in dict.fromkeys(one["method"] for one in own):
            cells = []
            for done in counted:
                cell = [one for one in own if one["method"] == method and one["batches"] == done]
                mean = lambda key: float(np.mean([one[key] for one in cell]))
                took = f" ({mean('seconds'):.2f})" if cell and cell[0]["seconds"] is not None else ""
                cells.append(f"{short(mean('log_loss'))} / {short(mean('errors'))}{took}" if cell else "")
            print(f"| {method} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--streams", default=",".join(STREAMS))
    parser.add_argument("--draws", default="200..201")
    parser.add_argument("--keep", type=int, default=5000)
    parser.add_argument("--batch", type=int, help="rows of a batch; unless given 40, of german 14")
    parser.add_argument("--records", type=Path, default=Path("streams.jsonl"))
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    records = Records(options.records)
    if not options.report:
        warnings.simplefilter("ignore")
        for draw in draws(options.draws):
            for name in options.streams.split(","):
                measure(name, draw, options, records)
    report(options, records)


if __name__ == "__main__":
    main()

"""Rows without labels: ours with and without them, beside scikit-learn's self-training and label spreading.

    PFCVM_DATA=DIR python reference/bench_unlabelled.py PROGRAM [--sets NAME,NAME] [--labels 10,20,50] [--draws 100..119]
        [--unlabelled 300] [--test 1000] [--methods NAME,NAME] [--records FILE] [--report]

Of a draw the first so many rows of each class have labels, the next are without, the rest (at most so many) are tested
on. All methods get the same rows; peers get them standardised by all of these. SelfTrainingClassifier has SVC with
probabilities, at its own threshold; LabelSpreading is tried with its RBF kernel and with ten neighbours, and predicts new
rows by itself. Nothing is tuned. Draws below 100 are for choosing.
"""
import argparse
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from learning_sets import Program, Records, draws, marks, of_each, short, shuffled, write

SETS = "waveform,twonorm,banana,image,wdbc,eeg"


def ignoring(program, x, y, others, test):
    program.fit(x, y)
    return program.probability(test), {}


def ours(program, x, y, others, test):
    write(program.folder / "others.csv", others)
    about = program.fit(x, y, "--unlabelled", "others.csv")
    return program.probability(test), {"used": about["unlabelled"]["used"]}


def peer(make):
    def run(program, x, y, others, test):
        scaler = StandardScaler().fit(np.vstack([x, others]))
        rows = scaler.transform(np.vstack([x, others]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make().fit(rows, np.concatenate([y, np.full(len(others), -1)]))
            return np.nan_to_num(model.predict_proba(scaler.transform(test))[:, 1], nan=0.5), {}
    return run


METHODS = {
    "ignoring": ignoring,
    "ours": ours,
    "self-training": peer(lambda: SelfTrainingClassifier(SVC(probability=True, random_state=0))),
    "spreading-knn": peer(lambda: LabelSpreading(kernel="knn", n_neighbors=10)),
    "spreading-rbf": peer(lambda: LabelSpreading()),
}


def measure(options, records):
    for draw in draws(options.draws):
        for name in options.sets.split(","):
            x, y = shuffled(name, draw)
            for labels in map(int, options.labels.split(",")):
                known = of_each(y, labels)
                rest = np.setdiff1d(np.arange(len(y)), known)
                others, test = rest[: options.unlabelled], rest[options.unlabelled:][: options.test]
                for method in options.methods.split(","):
                    keys = {"set": name, "draw": draw, "labels": labels, "method": method}
                    if records.has(**keys):
                        continue
                    with tempfile.TemporaryDirectory() as folder:
                        program = Program(options.program, folder)
                        p, more = METHODS[method](program, x[known], y[known], x[others], x[test])
                    loss, errors = marks(y[test], p)
                    records.add(**keys, log_loss=loss, errors=errors, **more)


def report(options, records):
    chosen = [one for one in records.all if one["draw"] in draws(options.draws)]
    methods = [method for method in METHODS if any(one["method"] == method for one in chosen)]
    print("| | labelled | draws | " + " | ".join(methods) + " | used |\n|---" * 1 + "|---" * (len(methods) + 4) + "|")
    means = {method: [] for method in methods}
    for name in options.sets.split(","):
        for labels in map(int, options.labels.split(",")):
            cell = [one for one in chosen if one["set"] == name and one["labels"] == labels]
            done = [{one["draw"] for one in cell if one["method"] == method} for method in methods]
            common = set.intersection(*done) if done else set()
            if not common:
                continue
            figures = []
            for method in methods:
                rows = [one for one in cell if one["method"] == method and one["draw"] in common]
                loss, errors = (np.mean([one[key] for one in rows]) for key in ("log_loss", "errors"))
                means[method].append((loss, errors))
                figures.append(f"{short(loss)} / {short(errors)}")
            used = [one["used"] for one in cell if one["method"] == "ours" and one["draw"] in common]
            print(f"| {name} | {labels} | {len(common)} | " + " | ".join(figures) + f" | {sum(used)} |")
    line = " | ".join(f"{short(np.mean(m, axis=0)[0])} / {short(np.mean(m, axis=0)[1])}" for m in means.values())
    print(f"| mean | | | {line} | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--labels", default="10,20,50")
    parser.add_argument("--draws", default="100..119")
    parser.add_argument("--unlabelled", type=int, default=300)
    parser.add_argument("--test", type=int, default=1000)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--records", type=Path, default=Path("unlabelled.jsonl"))
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    records = Records(options.records)
    if not options.report:
        measure(options, records)
    report(options, records)


if __name__ == "__main__":
    main()

"""Tables as people have them: ours beside five peers, and designs of words and gaps whose truth is known.

    python reference/bench_tables.py PROGRAM [--folder DIR] [--only NAME,NAME] [--methods NAME,NAME] [--repeats 3]
        [--first-seed 0] [--designs] [--sets 40] [--records FILE] [--report]

Every ARFF file of the folder (default `$PFCVM_DATA/tables`) in five stratified folds, repeated. Ours is given the files
themselves, cut into training and test rows. CatBoost and HistGradientBoosting are given words and gaps as they are;
random forest, logistic regression and SVC get them unfolded and filled by medians. Nothing is tuned. What was measured is
appended to the records and not measured again; seconds are those of the CPU. `--designs` measures the drawn sets instead: whether noise of many words
is kept more often than noise of few, and what gaps cost. `cargo xtask bench tables` calls this.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import csv
import io
import json
import resource
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

FOLDS = 5
LEAST_IN_CLASS = 2


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--folder", type=Path, default=Path(os.environ.get("PFCVM_DATA", ".")) / "tables")
    parser.add_argument("--only", default="")
    parser.add_argument("--methods", default="")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--designs", action="store_true")
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--records", type=Path, default=Path("tables.jsonl"))
    parser.add_argument("--report", action="store_true")
    return parser.parse_args()


class Table:
    """An ARFF file: its declarations as they are, its rows as text, and a frame for those who want one."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8", errors="replace").splitlines()
        start = next(at for at, line in enumerate(text) if line.strip().lower() == "@data")
        self.name, self.head = path.stem, text[: start + 1]
        lines = [line for line in text[start + 1:] if line.strip() and not line.startswith("%")]
        declared = [line for line in self.head if line.lower().startswith("@attribute")]
        numeric = [line.strip().lower().rstrip().endswith(("real", "numeric", "integer")) for line in declared]
        cells = [[cell.strip().strip("'\"") for cell in row] for row in csv.reader(lines, quotechar="'", skipinitialspace=True)]
        frame = pd.DataFrame(cells, columns=[f"c{k}" for k in range(len(declared))])
        frame = frame.replace("?", None)
        for name, number in zip(frame.columns, numeric):
            frame[name] = pd.to_numeric(frame[name]) if number else frame[name].astype("category")
        label = frame.iloc[:, -1].astype(str)
        counts = label.value_counts()
        keep = label.map(counts) >= LEAST_IN_CLASS
        self.lines = [line for line, kept in zip(lines, keep) if kept]
        self.x, self.y = frame.loc[keep].iloc[:, :-1].reset_index(drop=True), label[keep].to_numpy()
        self.classes = np.unique(self.y)

    def rows(self, rows):
        return "\n".join(self.head + [self.lines[at] for at in rows]) + "\n"


def cpu_of_children():
    """CPU seconds of the programs that were called: whatever else runs has no part in them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(program, arguments):
    def run(table, train, test):
        with tempfile.TemporaryDirectory() as folder:
            place = {name: str(Path(folder) / name) for name in ("train.arff", "test.arff", "m.json")}
            Path(place["train.arff"]).write_text(table.rows(train))
            Path(place["test.arff"]).write_text(table.rows(test))
            start = cpu_of_children()
            call = [str(program), "fit", place["train.arff"], "--model", place["m.json"], "--json", *arguments]
            about = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
            seconds = cpu_of_children() - start
            call = [str(program), "predict", place["m.json"], place["test.arff"]]
            said = pd.read_csv(io.StringIO(subprocess.run(call, capture_output=True, text=True, check=True).stdout))
        classes = [str(name) for name in about["classes"]]
        if "probability" in said and len(classes) == 2:
            p = said["probability"].to_numpy()
            positive = str(about["machines"][0]["positive"])
            p = {positive: p, next(name for name in classes if name != positive): 1 - p}
        else:
            p = {name: said[f"probability_{name}"].to_numpy() for name in classes}
        features = len({one["index"] for one in about["selected_features"]})
        return pd.DataFrame(p), seconds, features / table.x.shape[1]
    return run


def peer(make):
    def run(table, train, test):
        start = time.process_time()
        model = make(table.x)
        model.fit(table.x.iloc[train], table.y[train])
        seconds = time.process_time() - start
        p = model.predict_proba(table.x.iloc[test])
        return pd.DataFrame(p, columns=[str(name) for name in model.classes_]), seconds, 1.0
    return run


def unfolded(x, model, scaled):
    words = [name for name in x if x[name].dtype == "category"]
    numbers = [name for name in x if name not in words]
    steps = [SimpleImputer(strategy="median", keep_empty_features=True)] + ([StandardScaler()] if scaled else [])
    return make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), words), (make_pipeline(*steps), numbers)), model)


class CatBoost:
    """CatBoost as it comes, 500 trees, words named to it."""

    def __init__(self, x):
        from catboost import CatBoostClassifier
        self.words = [name for name in x if x[name].dtype == "category"]
        self.model = CatBoostClassifier(500, verbose=False, allow_writing_files=False, thread_count=1, random_seed=0)

    def texts(self, x):
        return x.assign(**{name: x[name].astype(object).where(x[name].notna(), "gap").astype(str) for name in self.words})

    def fit(self, x, y):
        self.model.fit(self.texts(x), y, cat_features=self.words)
        self.classes_ = self.model.classes_

    def predict_proba(self, x):
        return self.model.predict_proba(self.texts(x))


class HistGB:
    """Histogram gradient boosting as it comes; words beyond the 255 it takes are gaps, and columns wholly missing are left out."""

    def __init__(self, x):
        self.model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
        words = [name for name in x if x[name].dtype == "category"]
        self.words = {name: list(x[name].value_counts().index[:250]) for name in words}
        self.there = [name for name in x if x[name].notna().any()]

    def known(self, x):
        return x[self.there].assign(**{name: pd.Categorical(x[name], categories=words) for name, words in self.words.items() if name in self.there})

    def fit(self, x, y):
        self.model.fit(self.known(x), y)
        self.classes_ = self.model.classes_

    def predict_proba(self, x):
        return self.model.predict_proba(self.known(x))


def methods(program):
    forest = lambda x: unfolded(x, RandomForestClassifier(500, random_state=0), False)
    return {
        "ours": ours(program, []),
        "ours accuracy": ours(program, ["--goal", "accuracy"]),
        "catboost": peer(CatBoost),
        "histgb": peer(HistGB),
        "forest": peer(forest),
        "logistic": peer(lambda x: unfolded(x, LogisticRegression(max_iter=5000), True)),
        "svc": peer(lambda x: unfolded(x, SVC(probability=True, random_state=0), True)),
    }


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def measure(options):
    only = {name for name in options.only.split(",") if name}
    wanted = {name for name in options.methods.split(",") if name}
    done = {(one["table"], one["method"], one["seed"], one["fold"]) for one in records(options.records)}
    paths = [path for path in sorted(options.folder.glob("*.arff")) if not only or path.stem in only]
    # One repeat of everything before the next: what there is so far can be told at any time.
    for seed in range(options.first_seed, options.first_seed + options.repeats):
        for path in paths:
            table = Table(path)
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(table.x, table.y)
            for fold, (train, test) in enumerate(folds):
                for name, run in methods(options.program).items():
                    if (wanted and name not in wanted) or (table.name, name, seed, fold) in done:
                        continue
                    one = {"table": table.name, "method": name, "seed": seed, "fold": fold, "classes": len(table.classes)}
                    try:
                        p, seconds, features = run(table, train, test)
                    except subprocess.CalledProcessError as error:
                        one["error"] = error.stderr.strip().splitlines()[-1]
                    else:
                        p = p.reindex(columns=[str(c) for c in table.classes]).fillna(0.0).to_numpy()
                        p = np.clip(p, 1e-15, None) / np.clip(p, 1e-15, None).sum(axis=1, keepdims=True)
                        truth = np.searchsorted(table.classes, table.y[test])
                        one |= {"log_loss": log_loss(truth, p, labels=range(len(table.classes))), "features": features,
                                "accuracy": float((p.argmax(axis=1) == truth).mean()), "seconds": seconds}
                    with options.records.open("a") as file:
                        file.write(json.dumps(one) + "\n")


def report(found):
    frame = pd.DataFrame(found)
    if "error" in frame:
        print(frame[frame["error"].notna()][["table", "method", "error"]].drop_duplicates().to_string())
    frame = frame[frame["log_loss"].notna()]
    for what in ("log_loss", "accuracy", "features", "seconds"):
        print(f"\n{what}")
        print(frame.pivot_table(index=["classes", "table"], columns="method", values=what).round(4).to_string())
    loss = frame.pivot_table(index=["classes", "table"], columns="method", values="log_loss").dropna()
    two = loss.index.get_level_values("classes") == 2
    for name, part in (("two classes", loss[two]), ("more classes", loss[~two])):
        if len(part):
            print(f"\n{name}: mean log loss and mean rank of {len(part)} tables")
            print(pd.DataFrame({"log_loss": part.mean(), "rank": part.rank(axis=1).mean()}).round(3).to_string())


# Designs


def drawn(rng, rows, signal):
    """Two numbers, words of 2, 10 and 50 levels twice; the first number and the first word of 10 decide, or nothing."""
    x = pd.DataFrame({"n1": rng.normal(size=rows), "n2": rng.normal(size=rows)})
    for levels in (2, 10, 50):
        for copy in "ab":
            x[f"w{levels}{copy}"] = [f"v{code}" for code in rng.integers(levels, size=rows)]
    logit = np.zeros(rows)
    if signal:
        effect = dict(zip([f"v{code}" for code in range(10)], np.where(np.arange(10) < 5, 1.5, -1.5)))
        logit = 1.5 * x["n1"] + x["w10a"].map(effect)
    return x, np.where(rng.random(rows) < 1 / (1 + np.exp(-logit)), "yes", "no")


def fit_frame(program, x, y, arguments, test=None):
    with tempfile.TemporaryDirectory() as folder:
        train, model = Path(folder) / "train.csv", Path(folder) / "m.json"
        x.assign(label=y).to_csv(train, index=False)
        call = [str(program), "fit", str(train), "--model", str(model), "--json", *arguments]
        about = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
        if test is None:
            return about, None
        rows = Path(folder) / "test.csv"
        test.to_csv(rows, index=False)
        call = [str(program), "predict", str(model), str(rows)]
        said = pd.read_csv(io.StringIO(subprocess.run(call, capture_output=True, text=True, check=True).stdout))
        positive = str(about["machines"][0]["positive"])
        p = said["probability"].to_numpy()
        return about, p if positive == "yes" else 1 - p


def words(options):
    print("\nshare of sets in which a noise variable is kept / certain, by its number of words")
    for kernel in ("rbf", "linear"):
        for signal in (False, True):
            for insist in (["--certainty", "insist"], []):
                kept, certain, nothing = {}, {}, 0
                for at in range(options.sets):
                    x, y = drawn(np.random.default_rng([options.first_seed, at, 1]), 300, signal)
                    about, _ = fit_frame(options.program, x, y, ["--kernel", kernel, *insist])
                    nothing += bool(about["nothing_found"])
                    for one in about["selected_features"]:
                        kept[one["name"]] = kept.get(one["name"], 0) + 1
                        certain[one["name"]] = certain.get(one["name"], 0) + bool(one["certain"])
                noise = {levels: [f"w{levels}{copy}" for copy in "ab" if not (signal and levels == 10 and copy == "a")]
                         for levels in (2, 10, 50)}
                mean = lambda found, names: sum(found.get(name, 0) for name in names) / len(names) / options.sets
                row = "  ".join(f"{k}: {mean(kept, v):.2f}/{mean(certain, v):.2f}" for k, v in noise.items())
                power = f"  n1 {kept.get('n1', 0) / options.sets:.2f} w10a {kept.get('w10a', 0) / options.sets:.2f}" if signal else ""
                print(f"{kernel} signal={signal} {'insist' if insist else 'default'}: {row}  nothing found {nothing / options.sets:.2f}{power}", flush=True)


def best_possible(share):
    """Log loss of who knows the design of `drawn`, where this share of the cells is missing at random."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    p = 1 / (1 + np.exp(-(1.5 * nodes[:, None] + np.array([1.5, -1.5]))))
    entropy = lambda p: -(p * np.log(p) + (1 - p) * np.log(1 - p))
    known = weights @ entropy(p).mean(axis=1)
    number_alone = weights @ entropy(p.mean(axis=1))
    word_alone = entropy(weights @ p).mean()
    there = 1 - share
    return there**2 * known + there * share * (number_alone + word_alone) + share**2 * np.log(2)


def gaps(options):
    print("\nlog loss on fresh rows: complete, and with gaps at random in training and fresh rows alike")
    print("best possible: " + "  ".join(f"{share:.0%} {best_possible(share):.3f}" for share in (0.0, 0.1, 0.3, 0.5)))
    sets = max(3, options.sets // 4)
    for kernel in ("rbf", "linear"):
        losses = {share: [] for share in (0.0, 0.1, 0.3, 0.5)}
        for at in range(sets):
            for share in losses:
                rng = np.random.default_rng([options.first_seed, at, 2])
                x, y = drawn(rng, 400, True)
                fresh, truth = drawn(rng, 2000, True)
                holes = np.random.default_rng([options.first_seed, at, 3])
                x = x.mask(holes.random(x.shape) < share)
                fresh = fresh.mask(holes.random(fresh.shape) < share)
                _, p = fit_frame(options.program, x, y, ["--kernel", kernel], fresh)
                losses[share].append(log_loss(truth == "yes", p))
        print(f"{kernel}: " + "  ".join(f"{share:.0%} {np.mean(all_):.3f}" for share, all_ in losses.items()), flush=True)
    print("\ngaps that tell: share of sets in which the feature whose gaps depend on the class is kept")
    for kernel in ("rbf", "linear"):
        for share in (0.1, 0.3, 0.5):
            found = 0
            for at in range(sets):
                rng = np.random.default_rng([options.first_seed, at, 4])
                x, y = drawn(rng, 400, False)
                likely = np.where(y == "yes", 1.5 * share, 0.5 * share)
                x["n2"] = x["n2"].mask(rng.random(400) < likely)
                about, _ = fit_frame(options.program, x, y, ["--kernel", kernel])
                found += any(one["name"] == "n2" for one in about["selected_features"])
            print(f"{kernel} {share:.0%}: {found} of {sets}", flush=True)


def main():
    warnings.filterwarnings("ignore")
    chosen = options()
    chosen.program = chosen.program.resolve()
    if chosen.designs:
        words(chosen)
        gaps(chosen)
        return
    if not chosen.report:
        measure(chosen)
    report(records(chosen.records))


if __name__ == "__main__":
    main()

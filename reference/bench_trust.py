"""Can lists of features and probabilities be trusted? Ours and four peers on sets whose truth is known.

    python reference/bench_trust.py PROGRAM [--quick | --every] [--only PATTERN] [--methods NAME,NAME]
        [--sets 50] [--peer-sets 10] [--first-seed 1000000] [--workers 1] [--limit 600]
        [--headline] [--records FILE] [--report] [--json FILE] [--picture FILE.svg]

Prints one row per design and method (`trust_designs.py`, `trust_methods.py`), then, of ours, the rates of the dial, the
lists of `--max-false 1`, the calibration of the false-alarm probabilities, and the marks missed (`trust_marks.py`). Set
number i of a design has the seed `first-seed` + i; choose on other seeds (`--first-seed 0`) than are reported. `--only`
takes a name or a pattern such as `noise-*`, also of a design outside the selection, and may be given several times.

What was measured is appended to the records, one line of JSON for each set and method, and not measured again: a run
that was stopped goes on, and peers need not run anew when ours has changed. Records of ours count for the build of the
program that they were made with; `--report` runs nothing and sums up those of the last build.
`cargo xtask bench trust` calls this.
"""
import os

for library in ("OMP", "OPENBLAS", "MKL", "BLIS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import json
import math
import multiprocessing
import signal
import sys
import time
import warnings
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

import trust_designs
from trust_marks import missed
from trust_methods import Program, applies, catalogue
from trust_picture import picture
from trust_report import is_ours, summarised, tables

STORED_SCORES = 100
PROGRESS_SECONDS = 60


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="a design of each kind, ten sets each, three for peers")
    which.add_argument("--every", action="store_true", help="all that can be combined")
    parser.add_argument("--only", action="append", metavar="PATTERN")
    parser.add_argument("--methods", help="names, or their beginnings: `ours,L1`")
    parser.add_argument("--sets", type=int)
    parser.add_argument("--peer-sets", type=int)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a method is given up on a set")
    parser.add_argument("--headline", action="store_true", help="ours at its default rate alone: one fit, not four")
    parser.add_argument("--records", type=Path)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    sets, peer_sets = (10, 3) if options.quick else (50, 10)
    options.sets = sets if options.sets is None else options.sets
    options.peer_sets = min(options.sets, peer_sets if options.peer_sets is None else options.peer_sets)
    return options


def selected(options):
    selection = "quick" if options.quick else "every" if options.every else "full"
    designs = getattr(trust_designs, selection)()
    if not options.quick and "PFCVM_DATA" in os.environ:
        designs += trust_designs.real()
    if not options.only:
        return designs
    known = {design.name: design for design in designs + trust_designs.every() + trust_designs.real()}
    chosen = {}
    for pattern in options.only:
        patterned = any(sign in pattern for sign in "*?[")
        names = [design.name for design in designs if fnmatchcase(design.name, pattern)] if patterned else [pattern]
        names = names or [name for name in known if fnmatchcase(name, pattern)]
        if not names:
            raise SystemExit(f"no design is like `{pattern}`")
        chosen |= {name: known.get(name) or trust_designs.named(name) for name in names}
    return list(chosen.values())


def begins(name, beginnings):
    return any(name.startswith(beginning) for beginning in beginnings.split(","))


# One set

def measured(task):
    """The records of one method on one set; a failure is one too."""
    program, limit, design, method, seed = task
    data = design.draw(seed)
    rows, columns = data.x.shape
    about = {
        "design": design.name, "run": method, "build": program.build, "seed": seed, "columns": columns,
        "true": data.true.tolist(), "near": np.flatnonzero(data.near).tolist(),
        "class_shares_log_loss": log_loss(np.full(len(data.fresh_y), data.y.mean()), data.fresh_y),
    }
    if not applies(method, rows, columns):
        return []
    try:
        with warnings.catch_warnings(), alarm(limit):
            warnings.simplefilter("ignore")
            answers = catalogue(program)[method](data, seed)
    except Exception as failure:
        message = str(failure).splitlines()[0][:100] if str(failure) else type(failure).__name__
        return [about | {"method": method, "failed": f"{type(failure).__name__}: {message}"}]
    return [about | {"method": method + suffix} | record(answer, data) for suffix, answer in answers.items()]


def record(answer, data):
    true = set(data.true.tolist())
    kept = {"certain": answer.certain, "nothing_found": bool(answer.nothing_found), "seconds": answer.seconds}
    if answer.probability is not None:
        kept["log_loss"] = log_loss(answer.probability, data.fresh_y)
    if answer.scores is not None:
        first = np.argsort(-answer.scores, kind="stable")[:STORED_SCORES]
        kept["scores"] = [(float(answer.scores[j]), int(j) in true) for j in first if np.isfinite(answer.scores[j])]
    if answer.by_rate:
        kept |= {"by_rate": answer.by_rate, "max_false": answer.max_false}
        kept["said"] = [(p, index in true) for index, p in answer.said.items()]
    return kept


def log_loss(probability, y):
    p = np.clip(probability, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(y == 1, np.log(p), np.log1p(-p))))


class alarm:
    """Gives up after some seconds, where the system has such a clock."""

    def __init__(self, seconds):
        self.seconds = math.ceil(seconds) if hasattr(signal, "SIGALRM") else 0

    def __enter__(self):
        def ring(*_):
            raise TimeoutError(f"given up after {self.seconds} seconds")
        if self.seconds:
            signal.signal(signal.SIGALRM, ring)
            signal.alarm(self.seconds)

    def __exit__(self, *_):
        if self.seconds:
            signal.alarm(0)


# All sets

def stored(options):
    if not options.records or not options.records.exists():
        return []
    records = []
    for line in options.records.read_text().splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:  # where a run was stopped in the middle of a line
            continue
    return records


def measure(options, tasks):
    """The records of all tasks, each kept as soon as it is there."""
    start = last = time.perf_counter()
    keep = options.records.open("a") if options.records else None
    if keep:
        print(file=keep)
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for done, records in enumerate(pool.imap_unordered(measured, tasks), 1):
            for record in records:
                if keep:
                    print(json.dumps(record), file=keep, flush=True)
                yield record
            if time.perf_counter() - last > PROGRESS_SECONDS:
                last = time.perf_counter()
                print(f"{done} of {len(tasks)} after {last - start:.0f} s", file=sys.stderr, flush=True)


def main():
    chosen = options()
    program = Program(chosen.program.resolve(), chosen.limit, chosen.headline)
    designs = selected(chosen)
    methods = [name for name in catalogue(program) if not chosen.methods or begins(name, chosen.methods)]
    records = stored(chosen)
    build = program.build
    if chosen.report:
        build = next((record["build"] for record in reversed(records) if is_ours(record["run"])), build)
    records = [record for record in records if not is_ours(record["run"]) or record["build"] == build]
    if not chosen.report:
        done = {(record["design"], record["run"], record["seed"]) for record in records}
        tasks = [
            (program, chosen.limit, design, method, chosen.first_seed + number)
            for design in designs for method in methods
            if design.real or applies(method, design.rows, design.columns)
            for number in range(chosen.sets if is_ours(method) else chosen.peer_sets)
            if (design.name, method, chosen.first_seed + number) not in done
        ]
        records += measure(chosen, tasks)
    order = {design.name: at for at, design in enumerate(designs)}
    place = {name: at for at, name in enumerate(methods)}
    wanted = lambda one: one["design"] in order and one["run"] in place and one["seed"] >= chosen.first_seed
    records = [one for one in records if wanted(one)]
    records.sort(key=lambda one: (order[one["design"]], place[one["run"]], one["method"], one["seed"]))
    whole = {"build": build, "first_seed": chosen.first_seed} | summarised(records)
    print(f"{build}, seeds from {chosen.first_seed}")
    for line in [*tables(whole), *missed(whole)]:
        print(line)
    if chosen.json:
        chosen.json.write_text(json.dumps(whole, indent=1) + "\n")
    if chosen.picture:
        chosen.picture.write_text(picture(whole))


if __name__ == "__main__":
    main()

"""What `bench_trust.py` measured: one summary of all records, its tables, and its picture.

A record is what one method said of one set. Shares are means over sets; a list without features has no false ones.
"""
import math
from collections import defaultdict

import numpy as np

from trust_designs import named

BINS = 10
PEER_NAMES = ["L1 logistic", "stability", "knockoffs 0.2", "Boruta"]


def is_ours(method):
    return method.startswith("ours")


def mean(values):
    values = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.mean(values)) if values else None


def error(values):
    """The standard error of that mean."""
    values = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None


# Of one record

def counts(record, chosen=None):
    """Shares of noise, of noise far from all that matters and of what matters in a list, and the list's false share."""
    chosen = set(record["certain"] if chosen is None else chosen)
    true, near = set(record["true"]), set(record["near"])
    false = chosen - true
    noise = record["columns"] - len(true)
    far = noise - len(near)
    return {
        "noise": len(false) / noise,
        "far": len(false - near) / far if far else None,
        "power": len(chosen & true) / len(true) if true else None,
        "false_share": len(false) / max(1, len(chosen)),
    }


# Of one method on one design

def summary(records):
    """All that the tables show of the records of one method on one design."""
    good = [record for record in records if "failed" not in record]
    row = {"sets": len(good), "failed": sorted({record["failed"] for record in records if "failed" in record})}
    each = [counts(record) for record in good]
    for name in ("noise", "far", "power", "false_share"):
        row[name] = mean([one[name] for one in each])
        row[f"{name}_error"] = error([one[name] for one in each])
    row["listed"] = mean([len(record["certain"]) for record in good])
    row["nothing_found"] = mean([float(record["nothing_found"]) for record in good])
    for name in ("log_loss", "class_shares_log_loss", "seconds"):
        row[name] = mean([record.get(name) for record in good])
    rates = sorted({rate for record in good for rate in record.get("by_rate", {})}, key=float)
    row["by_rate"] = {}
    for rate in rates:
        each = [counts(record, record["by_rate"][rate]) for record in good if rate in record["by_rate"]]
        row["by_rate"][rate] = {name: mean([one[name] for one in each]) for name in ("noise", "far", "power")}
    lists = [(record["max_false"], record) for record in good if record.get("max_false")]
    if lists:
        false = [len(set(one["list"]) - set(record["true"])) for one, record in lists]
        length = [len(one["list"]) for one, _ in lists]
        row["max_false"] = {
            "expected": mean([one["expected"] for one, _ in lists]), "false": mean(false), "false_error": error(false),
            "length": mean(length), "false_share": mean([f / max(1, n) for f, n in zip(false, length)]),
        }
    return row


def power_at_share(records, share):
    """The most power that one threshold on the scores has while the mean false share is at most `share`.

    The threshold is chosen with the truth at hand, to the peer's advantage.
    """
    sets = []
    for record in records:
        scores = np.array([score for score, _ in record["scores"]])
        true = np.array([matters for _, matters in record["scores"]], dtype=float)
        order = np.argsort(-scores, kind="stable")
        sets.append((-scores[order], np.concatenate([[0.0], np.cumsum(true[order])]), len(record["true"])))
    best = 0.0
    for threshold in np.unique(np.concatenate([negative for negative, _, _ in sets])):
        at = [(np.searchsorted(negative, threshold, side="right"), hits, total) for negative, hits, total in sets]
        false = np.mean([(n - hits[n]) / max(1, n) for n, hits, _ in at])
        if false <= share + 1e-12:
            best = max(best, float(np.mean([hits[n] / total for n, hits, total in at])))
    return best


def at_our_share(ours, theirs):
    """A peer's power at the false share that ours has on the sets that both have.

    There is none where ours is no better than a list of all features, which any order of them reaches.
    """
    good = lambda records: {record["seed"]: record for record in records if "failed" not in record}
    ours, theirs = good(ours), good(theirs)
    seeds = sorted(set(ours) & set(theirs))
    if not seeds or not ours[seeds[0]]["true"]:
        return None
    each = [counts(ours[seed]) for seed in seeds]
    share = float(np.mean([one["false_share"] for one in each]))
    columns, matter = ours[seeds[0]]["columns"], len(ours[seeds[0]]["true"])
    if share >= 1 - matter / columns:
        return None
    return {"sets": len(seeds), "false_share": share, "ours": float(np.mean([one["power"] for one in each])),
            "peer": power_at_share([theirs[seed] for seed in seeds], share)}


# Of everything

def calibration(records):
    """False-alarm probabilities in ten bins: what was said, what was true, how many."""
    said = np.array([p for record in records for p, _ in record.get("said", [])], dtype=float)
    false = np.array([not matters for record in records for _, matters in record.get("said", [])], dtype=float)
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    return [
        {"from": b / BINS, "to": (b + 1) / BINS, "count": int((bins == b).sum()),
         "said": float(said[bins == b].mean()), "true": float(false[bins == b].mean())}
        for b in range(BINS) if (bins == b).any()
    ]


def summarised(records):
    groups = defaultdict(list)
    for record in records:
        groups[record["design"], record["method"]].append(record)
    designs = defaultdict(dict)
    for (design, method), group in groups.items():
        designs[design][method] = row = summary(group)
        if is_ours(method) and not named(design).is_noise:
            row["at_our_false_share"] = {
                peer: at_our_share(group, groups[design, peer]) for peer in PEER_NAMES if (design, peer) in groups
            }
    ours = [record for record in records if is_ours(record["method"])]
    kinds = sorted({record["method"] for record in ours})
    return {
        "designs": dict(designs),
        "calibration": {"all": calibration(ours)}
        | {kind: calibration([record for record in ours if record["method"] == kind]) for kind in kinds},
    }


# Tables

def cell(value, digits, width, factor=1.0):
    return f"{'-' if value is None else format(value * factor, f'.{digits}f'):>{width}}"


def tables(whole):
    """The text of all tables, line by line."""
    designs = whole["designs"]
    width = max((len(name) for name in designs), default=10) + 1
    yield (f"{'design':<{width}} {'method':<14} {'sets':>4} {'noise %':>8} {'far %':>6} {'power':>6} {'false':>6} "
           f"{'listed':>6} {'nothing %':>9} {'log loss':>8} {'shares':>6} {'seconds':>8}   at the same false share")
    for design, rows in designs.items():
        for method, row in rows.items():
            at = row.get("at_our_false_share", {})
            others = "  ".join(f"{peer} {one['peer']:.2f}" for peer, one in at.items() if one)
            failed = f"  ({'; '.join(row['failed'])})" if row["failed"] else ""
            yield (f"{design:<{width}} {method:<14} {row['sets']:>4} {cell(row['noise'], 2, 8, 100)} "
                   f"{cell(row['far'], 2, 6, 100)} {cell(row['power'], 2, 6)} {cell(row['false_share'], 2, 6)} "
                   f"{cell(row['listed'], 1, 6)} {cell(row['nothing_found'], 0, 9, 100)} "
                   f"{cell(row['log_loss'], 3, 8)} {cell(row['class_shares_log_loss'], 3, 6)} "
                   f"{cell(row['seconds'], 2, 8)}   {others}{failed}")
    yield from notes()
    yield from rate_table(designs, width)
    yield from calibration_table(whole["calibration"])


def notes():
    yield ""
    yield "noise %: of the features that do not matter, the share called certain; far %: of those that hardly correlate"
    yield "with one that matters. false: the mean share of false ones in a list. nothing %: sets with nothing found."
    yield "log loss: on fresh rows; shares: that of the class shares. At the same false share: the power of peers whose"
    yield "threshold is chosen, knowing the truth, so that their false share is at most ours on the same sets."


def rate_table(designs, width):
    rows = [(design, method, row) for design, of in designs.items() for method, row in of.items() if row["by_rate"]]
    if not rows:
        return
    rates = sorted({rate for _, _, row in rows for rate in row["by_rate"]}, key=float)
    unknown = dict(noise=None, far=None, power=None)
    yield ""
    yield "Ours at other rates: noise called certain, far noise called certain (%), power; lists of --max-false 1"
    head = "".join(f"  {'p = ' + rate:>20}" for rate in rates)
    yield f"{'design':<{width}} {'method':<14}{head}   {'length':>6} {'said':>6} {'false':>6} {'share':>6}"
    for design, method, row in rows:
        cells = "".join(
            f"  {cell(at['noise'], 2, 7, 100)} {cell(at['far'], 2, 6, 100)} {cell(at['power'], 2, 5)}"
            for at in (row["by_rate"].get(rate, unknown) for rate in rates)
        )
        lists = row.get("max_false", {})
        yield (f"{design:<{width}} {method:<14}{cells}   {cell(lists.get('length'), 1, 6)} "
               f"{cell(lists.get('expected'), 2, 6)} {cell(lists.get('false'), 2, 6)} "
               f"{cell(lists.get('false_share'), 2, 6)}")


def calibration_table(calibrations):
    yield ""
    if not calibrations["all"]:
        yield "The program states no false-alarm probabilities: there is nothing to calibrate."
        return
    yield "False-alarm probabilities: said, true (%), number of features; more than 5 points apart: *"
    for kind, bins in calibrations.items():
        for one in bins:
            mark = " *" if abs(one["said"] - one["true"]) > 0.05 else ""
            yield (f"{kind:<14} {100 * one['from']:>3.0f} to {100 * one['to']:>3.0f} {100 * one['said']:>7.1f} "
                   f"{100 * one['true']:>7.1f} {one['count']:>8}{mark}")

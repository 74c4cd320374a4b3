"""What lists and probabilities must do to be trusted, and where ours does not; for `bench_trust.py`.

Each mark is a function of a design and a row of the summary that yields what is missed. Chance is in every figure:
the standard errors are in the JSON.
"""
from trust_designs import named
from trust_report import is_ours

LEAST_NOTHING_FOUND = 0.95
LOSS_ABOVE_SHARES = 0.01
RATE_FACTOR = 1.2
PEERS_TO_MATCH = ("L1 logistic", "stability")


def noise_is_seen_through(design, row):
    if design.is_noise and row["nothing_found"] < LEAST_NOTHING_FOUND:
        yield f"nothing found in {100 * row['nothing_found']:.0f} % of the sets"


def probabilities_are_no_worse_than_shares(_, row):
    if row["log_loss"] > row["class_shares_log_loss"] + LOSS_ABOVE_SHARES:
        yield f"log loss {row['log_loss']:.3f}, of the class shares {row['class_shares_log_loss']:.3f}"


def the_dial_holds(_, row):
    for rate, at in row["by_rate"].items():
        if at["noise"] > RATE_FACTOR * float(rate):
            yield f"{100 * at['noise']:.1f} % of noise certain at p = {rate}"


def lists_are_no_falser_than_asked(_, row):
    lists = row.get("max_false")
    if lists and lists["false"] - 2 * (lists["false_error"] or 0.0) > 1:
        yield f"{lists['false']:.2f} false ones in lists of --max-false 1"


def power_is_that_of_peers(design, row):
    if design.form == "linear":
        for peer in PEERS_TO_MATCH:
            at = row.get("at_our_false_share", {}).get(peer)
            if at and at["peer"] > at["ours"]:
                yield f"power {at['ours']:.2f}, {peer} {at['peer']:.2f} at the same false share"


MARKS = (noise_is_seen_through, probabilities_are_no_worse_than_shares, the_dial_holds, lists_are_no_falser_than_asked,
         power_is_that_of_peers)


def missed(whole):
    """Lines for every mark that a row of ours misses."""
    lines = []
    rows = 0
    for name, methods in whole["designs"].items():
        for method, row in methods.items():
            if is_ours(method) and row["sets"]:
                rows += 1
                said = [words for mark in MARKS for words in mark(named(name), row)]
                lines += [f"  {name}, {method}: {'; '.join(said)}"] if said else []
    return ["", f"Marks missed by {len(lines)} of {rows} rows of ours:", *lines] if rows else []

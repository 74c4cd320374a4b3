"""Another start, where the first may have led astray: pairs are looked at one by one."""

import numpy as np
from scipy.stats import norm

RACE, RACE_OF_PAIRS, GAIN, LEVEL, MOST_IN_PAIRS = 5, 10, 5.0, 0.01, 20


def pair_score(a, b, residual, c):
    """|z| of a product of two columns against a residual without its mean."""
    product = a * b
    spread = np.sum(c * product**2) - np.sum(c * product) ** 2 / np.sum(c)
    if spread <= 1e-9 * np.sum(c * product**2):
        return 0.0
    return abs(np.sum((residual - c * residual.sum() / c.sum()) * product)) / np.sqrt(spread)


def in_pairs(x, seen):
    """Features of pairs that go along with what is unexplained, the clearest pairs first; `seen` holds the residual and
    the curvature of each machine."""
    m = x.shape[1]
    least = norm.isf(LEVEL / (m * (m - 1) * len(seen)))
    found = []
    for residual, c in seen:
        for a in range(m):
            for b in range(a):
                z = pair_score(x[:, a], x[:, b], residual, c)
                if z > least:
                    found.append((-z, a, b))
    features = []
    for _, a, b in sorted(found):
        features += [k for k in (a, b) if k not in features]
    return features[:MOST_IN_PAIRS]


def starts(x, kept, prominent, now, nothing):
    """Features to begin anew with, and how long a race is theirs."""
    unexplained = in_pairs(x, now)
    if set(unexplained) - set(kept):
        pairs = set(unexplained) | set(in_pairs(x, nothing))
        return [(np.array(sorted(pairs | others)), RACE_OF_PAIRS) for others in (set(np.flatnonzero(prominent)), set(kept))]
    return [(np.array(kept), RACE)] if 2 * len(kept) <= x.shape[1] else []


def another(p, reached, stage, kept_of, candidates, run_stage, fresh_start):
    """The state, its evidence and whether it settled, of the fit or of a start that got clearly further, and whether one did."""
    taken = False
    for features, race in candidates:
        number, kept = len(p.trials), kept_of(reached[0])
        p.trials.append({"features": sorted(set(features) - set(kept))})
        following = run_stage(p, fresh_start(p, features), {**stage, "iterations": race, "patience": None}, number)
        if following[1] - reached[1] >= GAIN:
            following = run_stage(p, following[0], stage, number)
        gain = following[1] - reached[1]
        accepted = gain >= GAIN
        p.trials[number].update(gain=gain, price=GAIN, accepted=accepted)
        if accepted:
            reached, taken = following, True
    return reached, taken

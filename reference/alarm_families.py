"""Families of sets with a known truth, from which `make_false_alarms.py` learns.

What holds on designs that nobody has drawn yet cannot be seen on more sets of the same design. So sets come in families,
and what is said of one is judged by what was learned from the others. All have features of mean 0; what matters stands
far apart or side by side, with one sign and size or several, weak or strong.

    plain     independent Gaussian features, effects of straight lines
    chain     each feature .7 of the one before
    blocks    five neighbours at a time with a correlation of .9
    twins     two at a time, .98
    shown     what decides is not measured itself, but several features show it
    wave      bumps that are mixed differently in the classes, each seen by several features
    tails     Student's t with 3 degrees of freedom
    binary    two values
    rare      one row in five of a class
    many      half of up to 50 features matter, or 20 of more
    squares   effects of squares
    pairs     effects of products alone
    mixed     lines, squares and a product
    asked     a design of `trust_designs.py`, any of those in which something matters
"""
import math

import numpy as np

import trust_designs

STRAIGHT = ("plain", "chain", "blocks", "twins", "shown", "wave", "tails", "binary", "rare", "many")
FAMILIES = (*STRAIGHT, "squares", "pairs", "mixed", "asked")


def families_of(kind):
    """Those that a kind of machine can learn."""
    if "classes" in kind:
        return FAMILIES[:-1] if "curved" in kind else STRAIGHT
    return FAMILIES if "curved" in kind else (*STRAIGHT, "asked")


def draw(kind, family, seed):
    """A set for a kind of machine: x, the class of each row, and which features matter."""
    rng = np.random.default_rng([seed, FAMILIES.index(family), 77])
    pick = lambda values, shares=None: values[rng.choice(len(values), p=shares)]
    if family == "asked":
        design = pick(asked(kind))
        return *design.part(rng, design.rows), set(design.true_columns().tolist())
    rows, features, matter = sizes(kind, family, pick)
    strength = pick([0.35, 0.5, 0.7, 1.0, 1.5])
    how = family
    if family in ("tails", "rare", "squares", "pairs", "mixed", "many", "binary"):
        how = pick(["plain", "chain", "blocks"], [0.5, 0.25, 0.25])
    classes = 2
    if "classes" in kind:  # fits take long, and with more features than rows every class has a list of its own
        classes, rows = pick([3, 4, 6]), min(rows, 400)
        features = min(features, 100 if "curved" in kind else 300, rows)
    matter = min(matter, features // 2)
    x = correlated(rng, rows, features, how)
    far_apart = pick([False, True, True])
    columns = (np.arange(matter) + 0.5) * features / matter if far_apart else rng.integers(features - matter + 1) + np.arange(matter)
    columns = columns.astype(int)
    if family == "wave":
        return waves(rng, pick, rows, features, classes)
    if family == "tails":
        x = x / np.sqrt(rng.chisquare(3, x.shape) / 3) / math.sqrt(3)
    if family == "binary":
        x = (x > 0) * 2.0 - 1
    values = x[:, columns]
    if family == "shown":
        hidden = rng.standard_normal((rows, pick([1, 2, 3])))
        share = pick([0.5, 0.7, 0.85])
        x[:, columns] = share * hidden[:, np.arange(matter) % hidden.shape[1]] + math.sqrt(1 - share**2) * values
        values = 1.5 * hidden
    terms = effects(values, family)
    logits = log_odds(rng, pick, terms, strength, family) if classes == 2 else (
        strength * terms @ rng.choice([-1.0, 0.0, 1.0], (terms.shape[1], classes)) * 1.5)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
    y = (rng.random(rows)[:, None] * chances[:, -1:] > chances).sum(axis=1)
    return x, y, set(columns.tolist())


def asked(kind):
    """The designs that a kind of machine is for; many features are left to straight lines and panels."""
    designs = [design for design in trust_designs.every() if not design.is_noise]
    if kind == "curved":
        return [design for design in designs if design.columns < 1000]
    straight = [design for design in designs if design.form == "linear"]
    return [design for design in straight if kind == "linear" or design.columns == 1000]


def sizes(kind, family, pick):
    if "panel" in kind:
        rows = pick([60, 100, 200, 400], [0.32, 0.32, 0.31, 0.05])
        features = pick([100, 300, 1000, 2000], [0.2, 0.3, 0.4, 0.1])
        if rows == 400:
            features = 1000
        matter = pick([3, 5, 10, 20])
    else:
        rows = pick([100, 200, 400, 800], [0.2, 0.35, 0.35, 0.1])
        features = pick([20, 50, 100, 300, 1000], [0.15, 0.3, 0.3, 0.1, 0.15])
        matter = pick([3, 5, 10])
    if family in ("squares", "pairs", "mixed"):
        rows, features = pick([200, 400, 800], [0.3, 0.6, 0.1]), pick([20, 50, 100, 300], [0.2, 0.4, 0.35, 0.05])
        matter = pick([4, 5, 10])
    if rows == 800:
        features = min(features, 100)
    if family == "many":
        matter = features // 2 if features <= 50 else 20
    return rows, features, matter


def correlated(rng, rows, features, how):
    """Gaussian columns of mean 0 and variance 1."""
    x = rng.standard_normal((rows, features))
    if how == "chain":
        for k in range(1, features):
            x[:, k] = 0.7 * x[:, k - 1] + math.sqrt(0.51) * x[:, k]
    if how in ("blocks", "twins"):
        correlation, size = (0.9, 5) if how == "blocks" else (0.98, 2)
        shared = rng.standard_normal((rows, -(-features // size)))
        x = math.sqrt(correlation) * shared[:, np.arange(features) // size] + math.sqrt(1 - correlation) * x
    return x


def effects(values, family):
    """The terms whose weighted sum the log odds are."""
    matter = values.shape[1]
    if family == "squares":
        return values**2 - 1
    if family == "pairs":
        first = np.arange(0, matter, 2)
        second = np.where(first + 1 < matter, first + 1, 0)
        return 1.4 * values[:, first] * values[:, second]
    if family == "mixed":
        half = matter // 2
        squares = (values[:, half:-1] ** 2 - 1) * 0.7 if matter > 3 else values[:, :0]
        return np.column_stack([values[:, :half], squares, values[:, -1] * values[:, 0]])
    return values


def log_odds(rng, pick, terms, strength, family):
    count = terms.shape[1]
    signs = np.ones(count) if pick([False, True]) else rng.choice([-1.0, 1.0], count) * rng.uniform(0.6, 1.4, count)
    scale = 1 / math.sqrt(count / 5) if family == "many" else 1.0
    f = strength * scale * terms @ signs
    if family == "rare":
        f = f - 1.39 * math.sqrt(1 + f.var() / 3)
    return np.column_stack([np.zeros(len(f)), f])


def waves(rng, pick, rows, features, classes):
    """Three bumps over neighbouring features; a class is a pair of them, mixed at random. Wherever one stands matters."""
    matter = min(pick([8, 14, 20]), features // 2)
    columns = rng.integers(features - matter + 1) + np.arange(matter)
    bumps = [np.maximum(0, 1 - np.abs(np.arange(matter) - centre * matter) / (matter / 3)) for centre in (0.2, 0.5, 0.8)]
    pairs = [(0, 1), (0, 2), (1, 2), (0, 1), (1, 2), (0, 2)][:classes]
    y, mix, height = rng.integers(classes, size=rows), rng.random(rows), pick([1.5, 3.0, 5.0])
    x = rng.standard_normal((rows, features))
    for one, (a, b) in enumerate(pairs):
        of_it = y == one
        x[np.ix_(of_it, columns)] += height * (mix[of_it][:, None] * bumps[a] + (1 - mix[of_it])[:, None] * bumps[b])
    seen = np.max([bumps[at] for pair in pairs for at in pair], axis=0) > 0.02
    return x, y, set(columns[seen].tolist())

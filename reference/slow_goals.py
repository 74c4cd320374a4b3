"""How the machine of the list and that of all features go together on held-out rows, written plainly.

A row has decision values f of the list, calibrated to o + s f with variances s^2 v, and g of all features. Together
they say b (o + s f) + c g with variances b^2 s^2 v. Of two classes p = sigma(f / sqrt(1 + pi v / 8)), of more
p_k ~ 1 / sum_j exp(-(f_k - f_j) / sqrt(1 + pi/80 (v_k + v_j))).

b and c are those of 0, 1/8, ..., 3/2 with the least sum of weighted -log p and 8 ((b - 1/2)^2 + (c - 1/2)^2). What they
are worth is told by each part under the b and c of the other parts. Where nothing was found the list says the shares.
The two beat chance where their mean loss is below that of the shares by 2 standard errors.
"""
import itertools

import numpy as np

from slow import sigma
from slow_joint import moderated

GRID = [(b / 8, c / 8) for b, c in itertools.product(range(13), range(13))]
BEATEN = 2.0


def probabilities(f, v):
    """A column for each class; f and v have one for each machine."""
    if f.shape[1] == 1:
        p = sigma(f[:, 0] / np.sqrt(1 + np.pi * v[:, 0] / 8))
        return np.column_stack([1 - p, p])
    return moderated(f, v)


def shares(codes, weights, classes):
    """What is said where nothing else is known: log odds of two classes, logarithms of more."""
    of = np.array([weights[codes == k].sum() for k in range(classes)]) / weights.sum()
    return np.array([np.log(of[1] / of[0])]) if classes == 2 else np.log(of)


def mean(values, weights):
    """Weighted mean and its standard error."""
    middle = np.sum(values * weights) / weights.sum()
    return middle, np.sqrt(np.sum((weights * (values - middle)) ** 2)) / weights.sum()


def score(p, codes, weights):
    """Accuracy, log loss and its error. Of classes as likely as each other the last is said."""
    said = p.shape[1] - 1 - np.argmax(p[:, ::-1], axis=1)
    loss = -np.log(p[np.arange(len(p)), codes])
    return {"accuracy": mean((said == codes).astype(float), weights)[0], "log_loss": mean(loss, weights)[0],
            "log_loss_error": mean(loss, weights)[1]}


def pair(codes, weights, parts, listed, variance, broad, calibrations, nothing):
    """Factors, scores and losses. `weights` are those of rows and classes together; `parts` the part of each row."""
    n, classes = len(codes), max(codes) + 1
    offset, slope = np.array(calibrations).T
    f, v = offset + slope * listed, slope**2 * variance
    if nothing:
        f, v = np.tile(shares(codes, weights, classes), (n, 1)), np.zeros_like(v)
    said = lambda b, c: probabilities(b * f + c * broad, b**2 * v)
    loss_of = lambda p: -np.log(p[np.arange(n), codes])
    table = np.array([weights * loss_of(said(b, c)) for b, c in GRID])
    pull = np.array([8 * ((b - 0.5) ** 2 + (c - 0.5) ** 2) for b, c in GRID])

    def best(rows):
        cost = table[:, rows].sum(axis=1) + pull
        # Rounding must not decide.
        first, second = np.sort(cost)[:2]
        assert second - first > 1e-7, (first, second)
        return GRID[np.argmin(cost)]

    together = np.empty((n, classes))
    for part in set(parts):
        own = parts == part
        together[own] = said(*best(~own))[own]
    alone = said(1.0, 0.0)
    chance = probabilities(np.tile(shares(codes, weights, classes), (n, 1)), np.zeros_like(v))
    gain = mean(loss_of(alone) - loss_of(together), weights)
    over_chance = mean(loss_of(chance) - loss_of(together), weights)
    return {"factors": best(np.ones(n, bool)), "list": score(alone, codes, weights),
            "accuracy": score(together, codes, weights), "all_features": score(said(0.0, 1.0), codes, weights),
            "gain": gain[0], "gain_error": gain[1], "over_chance": over_chance[0] / over_chance[1],
            "beats_chance": bool(over_chance[0] > BEATEN * over_chance[1]), "list_losses": loss_of(alone),
            "losses": loss_of(together)}

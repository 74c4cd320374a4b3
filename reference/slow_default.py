"""The default algorithm, written plainly from its formulas: stages, the common weight, re-admission, samples that join.

It shares the definitions of slow.py (which it is checked against in make_golden_default.py) but nothing
with the fast program: dense matrices, broadcasting, and numpy's own inverse.

    f = w_0 + sum_j w_j y_j k(x, x_j; theta)
    theta_k ~ N_t(centre_k, 1/beta_k),  w_j ~ N_t(0, 1/alpha_j),  w_0 ~ N(0, 100)

A stage repeats: one Newton step in w (three at a fresh start), one in theta, Laplace evidence, new
precisions, pruning. Features are judged first; then samples are thinned out from a fresh start, or, where they are
frozen and the kernel is curved, what all of them say is said with few (slow_projection.py).

Variances of theta, and its part of the evidence, are made from the slopes df/dtheta at the place where the step in
theta began, with the new w, if no weight moved by more than a fifth of the largest one there is after the step; else
from those at the end. The curvature of the likelihood is that at the end in either case.

With a curved kernel 3 sqrt(N) of N samples, at least 50 and at most 80, take part at first (all where N is less than
twice that), and fits begun anew begin with them. Once features are judged, twice as many may (all where N is less than
twice that): those that are absent join with weight 0 under the upper median precision, and all else goes on as it is.
That stands where the log evidence gains at least 3, after 2 iterations and at the end; then features are judged again
and twice as many may once more. Where no sample is dropped, and fewer than 200 of them take part, or than there are,
there are 2 more iterations with so many, whatever they gain.

All rows can be samples here. The fast program draws those that can where there are more than 666 rows, and with a
linear kernel more than a third as many as there are features, at least 60 and at most 300.

With a curved kernel and more than 200 rows a step in w has the curvature of the likelihood from the end of the
iteration before, and moves no sample at 0 that would not have moved there; not where samples or features join.

Which come first: rows are sorted by their values, then those of the negative class before the others; of that list
the places 0, 1, 2, ... with their bits reversed, those that it has.
"""
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.stats import norm

from slow import CURVATURE_FLOOR, log_sigma, sigma
from slow_another import another, starts
from slow_projection import project
from slow_step import bounded_step

BIAS_PRECISION = 0.01
TRIES, SLACK = 25, 1e-12
STAGE = {"rule": "mackay", "alpha_step": 1.0, "beta_step": 0.5, "common": False, "restart": False, "readmission": None,
         "patience": None, "iterations": 100, "tolerance": 1e-4, "features_move": True}
LASTING_FROM = 200
FIRST_AT_LEAST, FIRST_AT_MOST, ENOUGH, GROWTH_GAIN, GROWTH_RACE, LAST = 50, 80, 200, 3.0, 2, 2
SHORT_STEP = 0.2
READMISSION = {"rounds": 10, "at_once": 5}


def shape(rate, directions=1):
    """c of the Gamma hyperprior under which noise survives with probability `rate`, in so many directions at once."""
    z = norm.isf(rate)
    c = (z**2 - 1) ** 2 / (8 * z**2) if z > 1 else 0.0
    if directions < 2:
        return c
    # chi^2 as unlikely as z, by Wilson and Hilferty: its cube root is about normal.
    spread = 2 / (9 * directions)
    bar = directions * (1 - spread + max(z, 1.0) * np.sqrt(spread)) ** 3
    return max(c, (bar - 1) ** 2 / (8 * bar))


def stages(kernel, samples, least_z):
    if kernel == "linear":
        joint = {**STAGE, "iterations": 300}
        shared = {**STAGE, "rule": "shared", "restart": True, "features_move": False}
        thin = {**STAGE, "restart": True, "features_move": False, "iterations": 300}
        return {"few": [joint], "frozen": [joint, thin], "dense": [joint, shared]}[samples]
    judge = {**STAGE, "common": True, "readmission": {**READMISSION, "least_z": least_z}, "patience": 10, "tolerance": 5e-4,
             "iterations": 60, "alpha_step": 0.3}
    thin = {**STAGE, "common": True, "restart": True, "iterations": 300}
    shared = {**judge, "rule": "shared"}
    return {"few": [judge, thin], "frozen": [shared], "dense": [shared]}[samples]


def projects(kernel, samples):
    return samples == "frozen" and kernel != "linear"


# --- the screen

def screen_scores(x, y):
    """Score test of x and x^2 alone, 2 degrees of freedom."""
    n, t = len(y), (y + 1) / 2
    score = []
    for column in x.T:
        u = np.column_stack([column, column**2])
        u = u - u.mean(axis=0)
        g, s = u.T @ (t - t.mean()) / n, u.T @ u / n
        score.append(n * g @ np.linalg.solve(s, g) / (t.mean() * (1 - t.mean())))
    return np.array(score)


def stands_out(x, y, level):
    """None does where fewer than 10 rows were left for each."""
    found = screen_scores(x, y) > -2 * np.log(level)
    return found if 10 * found.sum() <= len(y) else np.zeros(len(found), bool)


# --- the state, and what follows from it

@dataclass
class Problem:
    x: np.ndarray
    y: np.ndarray
    kernel: str
    rate: float
    prominent: np.ndarray
    directions: int = 1  # in which noise can raise a feature's weight
    joined: int | None = None  # samples that can take part, the first ones of their order; None: all
    trials: list = field(default_factory=list)
    trace: list = field(default_factory=list)
    fallen: list = field(default_factory=list)  # that came in and went again when few samples were chosen


@dataclass
class State:
    features: np.ndarray
    theta: np.ndarray
    beta: np.ndarray
    centre: np.ndarray
    common: float | None
    samples: np.ndarray
    w: np.ndarray
    alpha: np.ndarray
    lasting: tuple | None = None  # phi' C phi that the next step in w has, and what it may move


def kernel_matrix(p, s, theta=None):
    theta = s.theta if theta is None else theta
    x, z = p.x[:, s.features], p.x[np.ix_(s.samples, s.features)]
    if p.kernel == "linear":
        return (x * theta) @ z.T
    return np.exp(-(((x[:, None, :] - z[None]) ** 2) @ theta))


def phi(p, s, theta=None):
    return np.column_stack([np.ones(len(p.y)), kernel_matrix(p, s, theta) * p.y[s.samples]])


def slopes(p, s, features):
    """df/dtheta for any features, kept or not: those that are not have weight 0."""
    x, z = p.x[:, features], p.x[np.ix_(s.samples, features)]
    v = s.w[1:] * p.y[s.samples]
    if p.kernel == "linear":
        return x * (v @ z)
    k = kernel_matrix(p, s)
    return -np.einsum("ij,ijk->ik", k * v, (x[:, None, :] - z[None]) ** 2)


def curvature(f):
    return np.maximum(sigma(f) * sigma(-f), CURVATURE_FLOOR)


def loglik(p, f):
    return log_sigma(p.y * f).sum()


def log_prior(u, mean, precision):
    return -0.5 * np.sum(precision * (u - mean) ** 2)


def newton(p, u, mean, precision, j, f, bounded, f_at, lasting=None):
    """One step; returns u and whether the objective hardly moved."""
    g = j.T @ (p.y * sigma(-p.y * f)) - precision * (u - mean)
    gram, may_move = lasting or ((j.T * curvature(f)) @ j, np.ones(len(u), bool))
    h, g = gram + np.diag(precision), np.where(may_move, g, np.minimum(g, 0))
    step = bounded_step(h, g, u, bounded, len(f))
    before = loglik(p, f) + log_prior(u, mean, precision)
    for halving in range(TRIES):
        moved = u + step / 2**halving
        moved[bounded] = np.maximum(moved[bounded], 0)
        after = loglik(p, f_at(moved)) + log_prior(moved, mean, precision)
        if np.isfinite(after) and after >= before - SLACK:
            return moved, abs(after - before) < 1e-6 * abs(before)
    return u, True


def laplace(j, f, u, mean, precision, free):
    """Variances (0 where held) and the part of the evidence."""
    h = (j.T * curvature(f)) @ j + np.diag(precision)
    block = h[np.ix_(free, free)]
    variances = np.zeros(len(u))
    variances[free] = np.diag(np.linalg.inv(block))
    part = 0.5 * np.log(precision[free]).sum() - 0.5 * np.linalg.slogdet(block)[1]
    return variances, log_prior(u, mean, precision) + part


# --- one iteration

def gamma(precision, variance):
    return np.maximum(1 - precision * variance, 1e-12)


def mackay(old, u, variance, c, step):
    return old ** (1 - step) * ((gamma(old, variance) + 2 * c) / np.maximum(u**2, 1e-300)) ** step


def hyperprior(p, stage):
    """The bar for features that do not stand out is higher where others do."""
    return shape(p.rate / 10 if stage["common"] and p.prominent.any() else p.rate, p.directions)


def new_alpha(p, s, stage, variance):
    alpha, free = s.alpha.copy(), s.w[1:] > 0
    if stage["rule"] == "shared":
        a, u, v = s.alpha[1:][free], s.w[1:][free], variance[1:][free]
        alpha[1:] = max(np.sum(1 - a * v), 1e-3) / max(np.sum(u**2), 1e-12)
    else:
        new = mackay(s.alpha[1:], s.w[1:], variance[1:], 0.0, stage["alpha_step"])
        alpha[1:] = np.where(free, new, s.alpha[1:])
    alpha[1:] = np.clip(alpha[1:], 1e-8 if p.kernel == "linear" else 1e-2, 1e12)
    return alpha


def new_features(p, s, stage, variance):
    """beta, centre and the precision of the common weight."""
    beta = np.where(s.theta > 0, mackay(s.beta, s.theta, variance, hyperprior(p, stage), stage["beta_step"]), s.beta)
    beta = np.clip(beta, 1e-8, 1e14)
    group = p.prominent[s.features] & (s.theta > 0)
    if not stage["common"] or group.sum() < 2:
        return beta, s.centre, s.common
    n, mu = group.sum(), s.theta[group].mean()
    determined = n if s.common is None else np.sum(1 - np.minimum(s.common * variance[group], 1))
    target = (determined + n + 1) / (np.sum((s.theta[group] - mu) ** 2) + 1e-3 * mu**2)
    b = np.sqrt((1 / mu**2 if s.common is None else s.common) * target)
    return np.where(group, b, beta), np.where(group, mu, s.centre), b


def short_step(old, new):
    """Whether the slopes at the place where a step in theta began serve at its end."""
    return np.max(np.abs(new - old)) <= SHORT_STEP * np.max(new)


def at_least_one(keep, u):
    if not keep.any():
        keep = keep.copy()
        keep[np.argmax(u)] = True
    return keep


def keep_samples(s, keep):
    keep = at_least_one(keep, s.w[1:])
    both = np.concatenate([[True], keep])
    lasting = s.lasting and (s.lasting[0][np.ix_(both, both)], s.lasting[1][both])
    return replace(s, samples=s.samples[keep], w=s.w[both], alpha=s.alpha[both], lasting=lasting)


def keep_features(s, keep):
    keep = at_least_one(keep, s.theta)
    return replace(s, features=s.features[keep], theta=s.theta[keep], beta=s.beta[keep], centre=s.centre[keep])


def worth_keeping(s):
    """What is drawn to a common weight is not drawn to 0: its precision says nothing."""
    return (s.theta > 0) & ((s.centre > 0) | (s.beta * s.theta.max() ** 2 <= 1e4))


def rescaled(s):
    """max theta = 1: the scale that the linear kernel leaves open."""
    top, tail = s.theta.max(), np.arange(len(s.w)) > 0
    return replace(s, theta=s.theta / top, beta=s.beta * top**2, w=np.where(tail, s.w * top, s.w),
                   alpha=np.where(tail, s.alpha / top**2, s.alpha))


def iterate(p, s, stage, fresh):
    """The state after it, the evidence, and how many features and samples went."""
    before = len(s.features), len(s.samples)
    prunes = stage["rule"] == "mackay"
    bounded = np.arange(len(s.w)) > 0
    for _ in range(3 if fresh else 1):
        j = phi(p, s)
        w, settled = newton(p, s.w, 0.0, s.alpha, j, j @ s.w, bounded, lambda w: j @ w, s.lasting)
        s = replace(s, w=w, lasting=None)
        if settled:
            break
    if prunes:
        s = keep_samples(s, s.w[1:] > 0)
    j_theta = None
    if stage["features_move"]:
        j, f = slopes(p, s, s.features), phi(p, s) @ s.w
        f_at = lambda theta: phi(p, s, theta) @ s.w
        theta, _ = newton(p, s.theta, s.centre, s.beta, j, f, np.ones(len(s.theta), bool), f_at)
        before_step = s
        s = keep_features(replace(s, theta=theta), theta > 0)
        if short_step(before_step.theta, theta):
            j_theta = slopes(p, before_step, s.features)

    j_w = phi(p, s)
    j_theta = slopes(p, s, s.features) if j_theta is None else j_theta
    f = j_w @ s.w
    var_w, part_w = laplace(j_w, f, s.w, 0.0, s.alpha, np.concatenate([[True], s.w[1:] > 0]))
    var_theta, part_theta = laplace(j_theta, f, s.theta, s.centre, s.beta, s.theta > 0)
    evidence = loglik(p, f) + part_w + part_theta

    if p.kernel != "linear" and len(p.y) > LASTING_FROM:
        rises = j_w.T @ (p.y * sigma(-p.y * f)) - s.alpha * s.w > 0
        s = replace(s, lasting=((j_w.T * curvature(f)) @ j_w, ~bounded[:len(s.w)] | (s.w > 0) | rises))
    determined = gamma(s.alpha, var_w)[1:]
    alpha = new_alpha(p, s, stage, var_w)
    if stage["features_move"]:
        beta, centre, common = new_features(p, s, stage, var_theta)
        s = replace(s, alpha=alpha, beta=beta, centre=centre, common=common)
        s = keep_features(s, worth_keeping(s))
    else:
        s = replace(s, alpha=alpha)
    if prunes:
        s = keep_samples(s, (s.w[1:] > 0) & (determined >= 1e-3))
    if p.kernel == "linear":
        s = rescaled(s)
    return s, evidence, before[0] - len(s.features), before[1] - len(s.samples)


def run_stage(p, s, stage, trial=None):
    """The state, its evidence and whether it settled; iterations go to the trace."""
    previous, calm, quiet, evidence = None, 0, 0, -np.inf
    for iteration in range(stage["iterations"]):
        fresh = iteration == 0 and not s.w.any()
        s, evidence, features, samples = iterate(p, s, stage, fresh)
        p.trace.append({"samples": len(s.samples), "features": len(s.features), "log_evidence": evidence,
                        "trial": trial})
        near = previous is not None and abs(evidence - previous) < stage["tolerance"] * max(1, abs(previous))
        calm = calm + 1 if near and not features and not samples else 0
        quiet = 0 if features else quiet + 1
        if calm >= 2 or (stage["patience"] and quiet >= stage["patience"]):
            return s, evidence, True
        previous = evidence
    return s, evidence, False


# --- re-admission

def scores(p, s, absent):
    """z of each absent feature: its slope over the deviation that the free weights leave it."""
    f = phi(p, s) @ s.w
    root = np.sqrt(curvature(f))[:, None]
    d = slopes(p, s, absent)
    free_w, free_theta = np.concatenate([[True], s.w[1:] > 0]), s.theta > 0
    j = root * np.column_stack([phi(p, s)[:, free_w], slopes(p, s, s.features)[:, free_theta]])
    h = j.T @ j + np.diag(np.concatenate([s.alpha[free_w], s.beta[free_theta]]))
    v = root * d
    total = np.sum(v**2, axis=0)
    explained = np.array([c @ j @ np.linalg.solve(h, j.T @ c) for c in v.T])
    return (d.T @ (p.y * sigma(-p.y * f))) / np.sqrt(np.maximum(total - explained, 1e-3 * total))


def price(c):
    z2 = 1 + 4 * c + 2 * np.sqrt(2 * c * (1 + 2 * c))
    return 0.5 * (z2 - 1 - np.log(z2))


def joined(s, chosen):
    """The chosen features at the median weight, under the median precision of those drawn to 0."""
    own = s.beta[s.centre == 0]
    extra = len(chosen)
    beta = np.median(own) if len(own) else float(len(s.features))
    features = np.concatenate([s.features, chosen])
    order = np.argsort(features)
    put = lambda old, new: np.concatenate([old, np.full(extra, new)])[order]
    return replace(s, features=features[order], theta=put(s.theta, np.median(s.theta)), beta=put(s.beta, beta),
                   centre=put(s.centre, 0.0), lasting=None)


def readmit(p, s, evidence, stage):
    rule = stage["readmission"]
    in_place = stage["rule"] == "shared"
    at_once, times = rule["at_once"], np.zeros(p.x.shape[1], int)
    for _ in range(rule["rounds"]):
        allowed = [k for k in range(p.x.shape[1]) if k not in s.features and not (in_place and times[k] >= 2)]
        if not allowed:
            break
        z = scores(p, s, np.array(allowed))
        best = [k for z_k, k in sorted(zip(-z, allowed)) if -z_k > rule["least_z"]][:at_once]
        if not best:
            break
        times[best] += 1
        number = len(p.trials)
        p.trials.append({"features": sorted(best)})
        with_them = joined(s, np.array(best))
        start = with_them if in_place else fresh_start(p, with_them.features, with_them.theta)
        other, reached, _ = run_stage(p, start, stage, number)
        gain, cost = reached - evidence, 0.0
        if not in_place:
            extra = len(other.features) - len(s.features)
            cost = max(price(hyperprior(p, stage)) * extra, 1e-2)
        accepted = in_place or (list(other.features) != list(s.features) and gain >= cost)
        p.trials[number].update(gain=gain, price=cost, accepted=accepted)
        if accepted:
            s, evidence, at_once = other, reached, rule["at_once"]
        elif at_once > 1:
            at_once = 1
        else:
            break
    return s, evidence


# --- which samples take part

def reversed_bits(number, bits):
    return sum(1 << (bits - 1 - b) for b in range(bits) if number >> b & 1)


def taking_part(p):
    """The rows that can be samples now, ascending: the order of samples is of no account."""
    n = len(p.y)
    if p.joined is None or p.joined >= n:
        return np.arange(n)
    canonical = np.lexsort([p.y, *p.x.T[::-1]])
    by_class = np.concatenate([canonical[p.y[canonical] < 0], canonical[p.y[canonical] > 0]])
    bits = (n - 1).bit_length()
    places = [place for place in (reversed_bits(k, bits) for k in range(2**bits)) if place < n]
    return np.sort(by_class[places[:p.joined]])


def first_samples(n):
    return up_to(int(np.clip(3 * np.sqrt(n), FIRST_AT_LEAST, FIRST_AT_MOST)), n)


def up_to(count, n):
    return n if n < 2 * count else count


def with_more_samples(p, s):
    """Those that can take part and do not: at 0, under the upper median precision."""
    absent = np.setdiff1d(taking_part(p), s.samples)
    own = np.sort(s.alpha[1:])
    samples = np.concatenate([s.samples, absent])
    order = np.argsort(samples)
    put = lambda old, new: np.concatenate([old[:1], np.concatenate([old[1:], np.full(len(absent), new)])[order]])
    return replace(s, samples=samples[order], w=put(s.w, 0.0), alpha=put(s.alpha, own[len(own) // 2]),
                   lasting=None)


def grow(p, reached, stage):
    """The state, its evidence and whether it settled, with as many samples as got clearly further."""
    while p.joined < len(p.y):
        before, number = p.joined, len(p.trials)
        p.joined = up_to(2 * before, len(p.y))
        p.trials.append({"features": [], "joined": p.joined - before})
        start = with_more_samples(p, reached[0])
        following = run_stage(p, start, {**stage, "iterations": GROWTH_RACE, "patience": None}, number)
        if following[1] - reached[1] >= GROWTH_GAIN:
            following = run_stage(p, following[0], stage, number)
        if following[1] - reached[1] >= GROWTH_GAIN:
            following = judge(p, following, stage)
        gain = following[1] - reached[1]
        accepted = gain >= GROWTH_GAIN
        p.trials[number].update(gain=gain, price=GROWTH_GAIN, accepted=accepted)
        if not accepted:
            p.joined = before
            break
        reached = following
    return reached


def last_samples(p, s, evidence, stage):
    """Where none is dropped, a few iterations with many, whatever they gain."""
    if stage["rule"] != "shared" or p.joined >= min(ENOUGH, len(p.y)):
        return s, evidence
    p.joined = min(ENOUGH, len(p.y))
    return run_stage(p, with_more_samples(p, s), {**stage, "iterations": LAST, "patience": None})[:2]


# --- the whole

def fresh_start(p, features, theta=None):
    m, samples = len(features), taking_part(p)
    n = len(samples)
    theta = np.full(m, 1 / m) if theta is None else theta
    s = State(features, theta, np.full(m, float(m)), np.zeros(m), None, samples, np.zeros(n + 1), np.zeros(n + 1))
    alpha = np.mean(np.sum(kernel_matrix(p, s) ** 2, axis=1))
    return replace(s, alpha=np.concatenate([[BIAS_PRECISION], np.full(n, alpha)]))


def judge(p, reached, stage):
    """What follows the judging of features: some come back, all begins anew, some come back again."""
    s, evidence, settled = reached
    s, evidence = readmit(p, s, evidence, stage)
    seen = lambda f: [(p.y * sigma(-p.y * f), curvature(f))]
    candidates = starts(p.x, s.features, p.prominent, seen(phi(p, s) @ s.w), seen(np.zeros(len(p.y))))
    (s, evidence, settled), taken = another(p, (s, evidence, settled), stage, lambda s: s.features, candidates,
                                            run_stage, fresh_start)
    if taken:
        s, evidence = readmit(p, s, evidence, stage)
    return s, evidence, settled


def fit_default(x, y, kernel, samples="few", rate=0.05, least_z=3.0):
    """Trace, trials and the final state."""
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    plan = stages(kernel, samples, least_z)
    wanted = any(stage["common"] for stage in plan)
    prominent = stands_out(x, y, rate**2) if wanted else np.zeros(x.shape[1], bool)
    joined = len(y) if kernel == "linear" else first_samples(len(y))
    p = Problem(x, y, kernel, rate, prominent, joined=joined)
    s, evidence, settled = fresh_start(p, np.arange(x.shape[1])), None, False
    for stage in plan:
        if stage["restart"] and p.trace:
            s = fresh_start(p, s.features, s.theta)
        s, evidence, settled = run_stage(p, s, stage)
        if stage["readmission"]:
            s, evidence, settled = grow(p, judge(p, (s, evidence, settled), stage), stage)
            s, evidence = last_samples(p, s, evidence, stage)
    if projects(kernel, samples):
        j = phi(p, s)
        s = project(s, j, curvature(j @ s.w), np.ones(len(y)), p.fallen)
    return p, s, evidence, settled


# --- prediction

def predict(p, s, rows):
    """Decision and both variances for scaled rows; the common weight's mean is free."""
    at = replace(p, x=np.vstack([p.x, rows]), y=np.concatenate([p.y, np.ones(len(rows))]))
    new = slice(len(p.y), None)
    f = phi(p, s) @ s.w
    free_w, free_theta = np.concatenate([[True], s.w[1:] > 0]), s.theta > 0
    j_w, j_theta = phi(p, s)[:, free_w], slopes(p, s, s.features)[:, free_theta]
    h_w = (j_w.T * curvature(f)) @ j_w + np.diag(s.alpha[free_w])
    h_theta = (j_theta.T * curvature(f)) @ j_theta + np.diag(s.beta[free_theta])
    if s.common is not None:
        e = (s.centre[free_theta] > 0).astype(float)
        if e.any():
            h_theta = h_theta - s.common / e.sum() * np.outer(e, e)
    a, d = phi(at, s)[new][:, free_w], slopes(at, s, s.features)[new][:, free_theta]
    along = lambda rows, h: np.einsum("ij,ji->i", rows, np.linalg.solve(h, rows.T))
    return a @ s.w[free_w], along(a, h_w), along(d, h_theta)

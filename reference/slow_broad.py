"""The machine of all features, written plainly: Gaussian process classification by Laplace's approximation.

    f_k ~ GP(0, s^2 q + 100),   k(x, z) = exp(-theta |x - z|^2)  or  theta x.z
    q(x, z) = k(x, S) (k(S, S) + e I)^-1 k(S, z),   e = 1e-6 of the mean of k(S, S)'s diagonal

S are the samples, all rows where these are not too many; 100 is the variance of the bias. The linear machine with no
more columns than samples has q = k itself. Everything is done with matrices of rows by rows, as in Rasmussen and
Williams, Gaussian Processes for Machine Learning, algorithm 3.1: f = C a, where C is the covariance of the rows, and a
Newton step gives a = b - W^1/2 B^-1 W^1/2 C b with b = W f + d log p / d f and B = I + W^1/2 C W^1/2.

    log evidence = log p(y | f) - 1/2 a.f - 1/2 log |B|

Of K > 2 classes the machines take turns, a step each, class k against the rest with the offset
-log sum_{j != k} exp f_j; the evidence is the joint likelihood and a block -1/2 a_k.f_k - 1/2 log |B_k| for each.

Width and scale are looked for on at most 300 rows, of K > 2 classes on 300 / sqrt(K), at least 150; all of them are
samples here.

The fast program stops when a round has changed the objective by less than 1e-5 of it. So does this one, to be
compared with it number by number; `rounds` asks for more.
"""
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax, logsumexp

from slow import CURVATURE_FLOOR, log_sigma, sigma

BIAS_VARIANCE, JITTER = 100.0, 1e-6
ROUNDS, SETTLED, HALVINGS, SLACK = 25, 1e-5, 25, 1e-12
WIDTHS, SCALES, START = range(11), range(-4, 6), (3, 2)


@dataclass
class Rows:
    """Scaled rows, the class of each and what it counts; two classes are one machine, that of class 1."""
    x: np.ndarray
    codes: np.ndarray
    rho: np.ndarray
    classes: int
    kind: str

    def machines(self):
        return [1] if self.classes == 2 else list(range(self.classes))

    def signs(self, k):
        return np.where(self.codes == k, 1.0, -1.0)


def kernel(x, z, theta, kind):
    if kind == "linear":
        return theta * (x @ z.T)
    return np.exp(-theta * np.sum((x[:, None, :] - z[None]) ** 2, axis=2))


def covariance(a, b, samples, shape, kind):
    """That of f at rows a with f at rows b; `samples` are the values of S."""
    theta, variance = shape
    if kind == "linear" and a.shape[1] <= len(samples):
        q = kernel(a, b, theta, kind)
    else:
        own = kernel(samples, samples, theta, kind)
        own = own + JITTER * np.mean(np.diag(own)) * np.eye(len(own))
        q = kernel(a, samples, theta, kind) @ np.linalg.solve(own, kernel(samples, b, theta, kind))
    return variance * q + BIAS_VARIANCE


# --- the mode

def log_likelihood(rows, f):
    if rows.classes == 2:
        return np.sum(rows.rho * log_sigma(rows.signs(1) * f[:, 0]))
    return np.sum(rows.rho * log_softmax(f, axis=1)[np.arange(len(f)), rows.codes])


def offset(rows, f, k):
    return 0.0 if rows.classes == 2 else -logsumexp(np.delete(f, k, axis=1), axis=1)


def curvature(rows, f, k):
    at = 0 if rows.classes == 2 else k
    seen = f[:, at] + offset(rows, f, k)
    return rows.rho * np.maximum(sigma(seen) * sigma(-seen), CURVATURE_FLOOR)


def inner(c, w):
    """B, and W^1/2."""
    root = np.sqrt(w)
    return np.eye(len(c)) + root[:, None] * c * root, root


def step(rows, c, a, others, sign):
    """One Newton step of one machine, halved until its objective does not fall."""
    f = c @ a
    seen = f + others
    w = rows.rho * np.maximum(sigma(seen) * sigma(-seen), CURVATURE_FLOOR)
    b = w * f + rows.rho * sign * sigma(-sign * seen)
    big, root = inner(c, w)
    target = b - root * np.linalg.solve(big, root * (c @ b))
    value = lambda a: np.sum(rows.rho * log_sigma(sign * (c @ a + others))) - 0.5 * a @ c @ a
    before = value(a)
    for halving in range(HALVINGS):
        moved = a + (target - a) / 2**halving
        if value(moved) >= before - SLACK * max(1, abs(before)):
            return moved
    return a


def mode(rows, c, rounds=None):
    """a and f, a column for each machine."""
    machines = rows.machines()
    a = np.zeros((len(c), len(machines)))
    value = log_likelihood(rows, c @ a)
    for _ in range(ROUNDS if rounds is None else rounds):
        for at, k in enumerate(machines):
            a[:, at] = step(rows, c, a[:, at], offset(rows, c @ a, k), rows.signs(k))
        before, value = value, log_likelihood(rows, c @ a) - 0.5 * np.sum(a * (c @ a))
        if rounds is None and abs(value - before) < SETTLED * max(1, abs(value)):
            break
    return a, c @ a


def log_evidence(rows, c, rounds=None):
    a, f = mode(rows, c, rounds)
    blocks = [np.linalg.slogdet(inner(c, curvature(rows, f, k))[0])[1] for k in rows.machines()]
    return log_likelihood(rows, f) - 0.5 * np.sum(a * f) - 0.5 * np.sum(blocks)


# --- width and scale

def spread_out(codes, classes, most):
    """About so many rows, every class in proportion, evenly over the order of the rows."""
    n = len(codes)
    if n <= most:
        return np.arange(n)
    order = np.argsort(codes if classes > 2 else codes == 1, kind="stable")
    return np.sort([order[(2 * j + 1) * n // (2 * most)] for j in range(most)])


def shape_rows(rows):
    """Those on which width and scale are looked for."""
    most = max(int(300 / np.sqrt(len(rows.machines()))), 150)
    at = spread_out(rows.codes, rows.classes, most)
    return Rows(rows.x[at], rows.codes[at], rows.rho[at], rows.classes, rows.kind)


def shape_at(rows, place):
    """theta = 4 / 2^i / sum of variances, s^2 = 4^j."""
    return 4.0 / 2.0 ** place[0] / np.sum(np.var(rows.x, axis=0)), 4.0 ** place[1]


def evidence_at(rows, place, rounds=None):
    return log_evidence(rows, covariance(rows.x, rows.x, rows.x, shape_at(rows, place), rows.kind), rounds)


def climb(rows):
    """The place without a better neighbour, from START on, always to the best one; and the evidence of all it saw."""
    known = {}

    def evidence(place):
        if place not in known:
            known[place] = evidence_at(rows, place)
        return known[place]

    widths = WIDTHS if rows.kind != "linear" else [START[0]]
    best = START
    while True:
        around = [(best[0] + i, best[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        around = [place for place in around if place[0] in widths and place[1] in SCALES]
        top = max(around, key=evidence)
        if evidence(top) <= evidence(best):
            return best, known
        best = top


def learn(rows, shape, samples, new, rounds=None):
    """Decision values of the rows and of new ones."""
    z = rows.x[samples]
    a, f = mode(rows, covariance(rows.x, rows.x, z, shape, rows.kind), rounds)
    return f, covariance(new, rows.x, z, shape, rows.kind) @ a

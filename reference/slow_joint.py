"""The machine of K > 2 classes, written plainly from its formulas.

    f_k(x) = b_k + sum_n s_nk w_nk k(x, x_n; theta),   s_nk = 1 where y_n = k, else -1
    p = softmax(f),   log likelihood = sum_n rho_n log p_n,y_n
    w_nk ~ N_t(0, 1/alpha_nk),  b_k ~ N(0, 100),  theta_m ~ N_t(centre_m, 1/beta_m), the same for all classes

Rules that are those of two classes come from slow_default.py: kernels and slopes of one class, precisions,
pruning, the common weight, the schedule. All that has to do with the likelihood of several classes is here.

An iteration: for each class in turn one step in w_k with the others held fast (three turns for fresh weights);
samples at 0 go; one step in theta; Laplace approximations (slopes of a short step are those where it began, centred
with the probabilities there), evidence, new precisions, pruning.

What the formulas leave open, and what the program does:
- Newton's step in w_k climbs the likelihood of class k against the rest, with the offset
  -log sum_{j != k} exp f_j. Each step is halved, and called settled, by that objective, not by the joint one
  (they differ by a constant).
- A turn of all classes is the last of the three when every class has settled in it.
- Absent features are scored with all classes: z = sum_k q_k / sqrt(sum_k s_k), where s_k is what the free w_k and
  theta leave of class k's own curvature rho p_k (1 - p_k), at least 1e-3 of it.
- A stage has not settled while any class loses a sample. A trace counts samples that any class leans on.
- The level of the screen is divided by K; its limit of 10 rows for each feature holds for the union.
- chi^2 with K - 1 degrees of freedom, by which the linear kernel's bar rises, is Wilson and Hilferty's.
- All samples take part from the start; the fast program begins with fewer where there are 100 rows or more.
- The floor of probabilities in the curvature of theta (1e-10) is left out here.
"""
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import log_softmax, logsumexp

import slow_default as two
from slow import CURVATURE_FLOOR, log_sigma, sigma
from slow_another import another, starts
from slow_projection import project
from slow_step import bounded_step


@dataclass
class Joint:
    """What is learned from. `order` is that in which classes take turns."""
    x: np.ndarray
    codes: np.ndarray
    rho: np.ndarray
    kernel: str
    rate: float
    prominent: np.ndarray
    classes: int
    order: list
    trials: list = field(default_factory=list)
    trace: list = field(default_factory=list)
    fallen: list = field(default_factory=list)

    def against_rest(self, k):
        """Class k as the two-class machine sees it."""
        directions = self.classes - 1 if self.kernel == "linear" else 1
        return two.Problem(self.x, np.where(self.codes == k, 1.0, -1.0), self.kernel, self.rate, self.prominent,
                           directions)


def turns(x, codes):
    """Classes in the order in which they are first seen among the rows sorted by their values."""
    seen = codes[np.lexsort(x.T[::-1])]
    return sorted(set(codes), key=lambda k: np.argmax(seen == k))


# --- the likelihood of a table f of rows and classes

def log_likelihood(p, f):
    return np.sum(p.rho * log_softmax(f, axis=1)[np.arange(len(f)), p.codes])


def probabilities(f):
    return np.exp(log_softmax(f, axis=1))


def residual(p, f):
    """d log likelihood / d f."""
    return p.rho[:, None] * (np.eye(p.classes)[p.codes] - probabilities(f))


def curvature_of(p, f, k):
    """That of one class with the others held fast."""
    q = probabilities(f)[:, k]
    others = np.sum(np.delete(probabilities(f), k, axis=1), axis=1)
    return p.rho * np.maximum(q * others, CURVATURE_FLOOR)


def offset(f, k):
    return -logsumexp(np.delete(f, k, axis=1), axis=1)


def theta_gradient(p, f, slopes):
    r = residual(p, f)
    return sum(d.T @ r[:, k] for k, d in enumerate(slopes))


def mean_slopes(f, slopes):
    q = probabilities(f)
    return sum(q[:, [k]] * d for k, d in enumerate(slopes))


def theta_curvature(p, f, slopes, centre=None):
    """sum_k (D_k - M)' rho p_k (D_k - M). M is sum_k p_k D_k, and what is left is

        sum_k D_k' rho p_k D_k - M' rho M,

    unless the slopes are centred elsewhere.
    """
    q = probabilities(f)
    mean = mean_slopes(f, slopes)
    centre = mean if centre is None else centre
    own = sum((d.T * (p.rho * q[:, k])) @ d for k, d in enumerate(slopes))
    both = (mean.T * p.rho) @ centre
    return own - both - both.T + (centre.T * p.rho) @ centre


# --- states: one of two classes for each class, all with the same features

def decision(p, s):
    return np.column_stack([two.phi(p.against_rest(k), one) @ one.w for k, one in enumerate(s)])


def all_slopes(p, s, features):
    return [two.slopes(p.against_rest(k), one, features) for k, one in enumerate(s)]


def with_theta(s, theta):
    return [replace(one, theta=theta) for one in s]


def free_of(one):
    return np.concatenate([[True], one.w[1:] > 0])


def step(u, gradient, hessian, bounded, value, rows):
    """One Newton step, halved until `value` does not fall; and whether that hardly moved."""
    direction = bounded_step(hessian, gradient, u, bounded, rows)
    before = value(u)
    for halving in range(two.TRIES):
        moved = u + direction / 2**halving
        moved[bounded] = np.maximum(moved[bounded], 0)
        after = value(moved)
        if np.isfinite(after) and after >= before - two.SLACK * max(1, abs(before)):
            return moved, abs(after - before) < 1e-6 * abs(before)
    return u, True


def step_w(p, s, k):
    """w of class k after one step, and whether it settled."""
    one, f = s[k], decision(p, s)
    phi, others = two.phi(p.against_rest(k), one), offset(f, k)
    sign = np.where(p.codes == k, 1.0, -1.0)
    seen = phi @ one.w + others
    gradient = phi.T @ (p.rho * sign * sigma(-sign * seen)) - one.alpha * one.w
    hessian = (phi.T * curvature_of(p, f, k)) @ phi + np.diag(one.alpha)
    value = lambda w: (np.sum(p.rho * log_sigma(sign * (phi @ w + others)))
                       + two.log_prior(w, 0.0, one.alpha))
    return step(one.w, gradient, hessian, np.arange(len(one.w)) > 0, value, len(f))


def step_theta(p, s):
    theta, beta, centre = s[0].theta, s[0].beta, s[0].centre
    f, slopes = decision(p, s), all_slopes(p, s, s[0].features)
    gradient = theta_gradient(p, f, slopes) - beta * (theta - centre)
    hessian = theta_curvature(p, f, slopes) + np.diag(beta)
    value = lambda t: log_likelihood(p, decision(p, with_theta(s, t))) + two.log_prior(t, centre, beta)
    return step(theta, gradient, hessian, np.ones(len(theta), bool), value, f.size)[0]


# --- Laplace

def around(hessian, u, mean, precision, free):
    """Variances (0 where held), and the part of the evidence."""
    block = hessian[np.ix_(free, free)]
    variances = np.zeros(len(u))
    variances[free] = np.diag(np.linalg.inv(block))
    part = 0.5 * np.log(precision[free]).sum() - 0.5 * np.linalg.slogdet(block)[1]
    return variances, two.log_prior(u, mean, precision) + part


def hessian_w(p, s, k):
    phi = two.phi(p.against_rest(k), s[k])
    return (phi.T * curvature_of(p, decision(p, s), k)) @ phi + np.diag(s[k].alpha)


def hessian_theta(p, s):
    return theta_curvature(p, decision(p, s), all_slopes(p, s, s[0].features)) + np.diag(s[0].beta)


def hessian_theta_from(p, s, began):
    slopes = all_slopes(p, began, s[0].features)
    centre = mean_slopes(decision(p, began), slopes)
    return theta_curvature(p, decision(p, s), slopes, centre) + np.diag(s[0].beta)


def laplace(p, s, began=None):
    """Variances of each w_k and of theta, and the log evidence. `began` is the state before a short step in theta:
    slopes, and what they are centred at, are as they were there."""
    of_w = [around(hessian_w(p, s, k), one.w, 0.0, one.alpha, free_of(one)) for k, one in enumerate(s)]
    one = s[0]
    hessian = hessian_theta(p, s) if began is None else hessian_theta_from(p, s, began)
    of_theta = around(hessian, one.theta, one.centre, one.beta, one.theta > 0)
    evidence = log_likelihood(p, decision(p, s)) + sum(part for _, part in of_w) + of_theta[1]
    return [variances for variances, _ in of_w], of_theta[0], evidence


# --- one iteration

def size(s):
    return sum(len(one.samples) for one in s)


def iterate(p, s, stage, fresh):
    """The state after it, the evidence, and how many features, and weights of samples, went."""
    features, samples = len(s[0].features), size(s)
    prunes = stage["rule"] == "mackay"
    for _ in range(3 if fresh else 1):
        settled = []
        for k in p.order:
            w, calm = step_w(p, s, k)
            s = [replace(one, w=w) if j == k else one for j, one in enumerate(s)]
            settled.append(calm)
        if all(settled):
            break
    if prunes:
        s = [two.keep_samples(one, one.w[1:] > 0) for one in s]
    began = None
    if stage["features_move"]:
        theta = step_theta(p, s)
        began = s if two.short_step(s[0].theta, theta) else None
        s = [two.keep_features(one, one.theta > 0) for one in with_theta(s, theta)]

    var_w, var_theta, evidence = laplace(p, s, began)
    determined = [two.gamma(one.alpha, v)[1:] for one, v in zip(s, var_w)]
    alpha = [two.new_alpha(p.against_rest(k), one, stage, v) for k, (one, v) in enumerate(zip(s, var_w))]
    s = [replace(one, alpha=a) for one, a in zip(s, alpha)]
    if stage["features_move"]:
        beta, centre, common = two.new_features(p.against_rest(0), s[0], stage, var_theta)
        s = [replace(one, beta=beta, centre=centre, common=common) for one in s]
        s = [two.keep_features(one, two.worth_keeping(one)) for one in s]
    if prunes:
        s = [two.keep_samples(one, (one.w[1:] > 0) & (d >= 1e-3)) for one, d in zip(s, determined)]
    if p.kernel == "linear":
        s = [two.rescaled(one) for one in s]
    return s, evidence, features - len(s[0].features), samples - size(s)


def leaned_on(s):
    return sorted(set(np.concatenate([one.samples for one in s])))


def run_stage(p, s, stage, trial=None):
    """The state, its evidence and whether it settled; iterations go to the trace."""
    previous, calm, quiet, evidence = None, 0, 0, -np.inf
    for iteration in range(stage["iterations"]):
        fresh = iteration == 0 and not any(one.w.any() for one in s)
        s, evidence, features, samples = iterate(p, s, stage, fresh)
        p.trace.append({"samples": len(leaned_on(s)), "weights": size(s), "features": len(s[0].features),
                        "log_evidence": evidence, "trial": trial})
        near = previous is not None and abs(evidence - previous) < stage["tolerance"] * max(1, abs(previous))
        calm = calm + 1 if near and not features and not samples else 0
        quiet = 0 if features else quiet + 1
        if calm >= 2 or (stage["patience"] and quiet >= stage["patience"]):
            return s, evidence, True
        previous = evidence
    return s, evidence, False


# --- re-admission, in place

def scores(p, s, absent):
    f = decision(p, s)
    r, q, own = residual(p, f), 0.0, 0.0
    for k, one in enumerate(s):
        of_class = p.against_rest(k)
        root = np.sqrt(curvature_of(p, f, k))[:, None]
        d, free_theta = two.slopes(of_class, one, absent), one.theta > 0
        j = root * np.column_stack([two.phi(of_class, one)[:, free_of(one)],
                                    two.slopes(of_class, one, one.features)[:, free_theta]])
        h = j.T @ j + np.diag(np.concatenate([one.alpha[free_of(one)], one.beta[free_theta]]))
        v = root * d
        total, cross = np.sum(v**2, axis=0), j.T @ v
        explained = np.sum(cross * np.linalg.solve(h, cross), axis=0)
        q = q + d.T @ r[:, k]
        own = own + np.maximum(total - explained, 1e-3 * total)
    return q / np.sqrt(own)


def readmit(p, s, evidence, settled, stage):
    """Chosen features join as they are, each twice at most; a stage that keeps all samples does no more."""
    rule, times = stage["readmission"], np.zeros(p.x.shape[1], int)
    for _ in range(rule["rounds"]):
        allowed = [m for m in range(p.x.shape[1]) if m not in s[0].features and times[m] < 2]
        if not allowed:
            break
        z = scores(p, s, np.array(allowed))
        best = [m for z_m, m in sorted(zip(-z, allowed)) if -z_m > rule["least_z"]][:rule["at_once"]]
        if not best:
            break
        times[best] += 1
        number, before = len(p.trials), evidence
        p.trials.append({"features": sorted(best)})
        s, evidence, settled = run_stage(p, [two.joined(one, np.array(best)) for one in s], stage, number)
        p.trials[number].update(gain=evidence - before, price=0.0, accepted=True)
    return s, evidence, settled


# --- the whole

def stands_out(x, codes, level):
    """For any class against the rest, each at its share of the level."""
    classes = len(set(codes))
    least = -2 * np.log(level / classes)
    found = np.any([two.screen_scores(x, np.where(codes == k, 1.0, -1.0)) > least for k in range(classes)], axis=0)
    return found if 10 * found.sum() <= len(codes) else np.zeros(len(found), bool)


def fresh_start(p, features, theta=None):
    return [two.fresh_start(p.against_rest(k), features, theta) for k in range(p.classes)]


def fit_joint(x, codes, kernel, samples="few", rate=0.05, least_z=3.0):
    """The problem with its trace and trials, the final state, its evidence, and whether it settled."""
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    # Judged again while samples go, features would fall that other classes need: few are had by projection.
    policy = "frozen" if samples == "few" and kernel != "linear" else samples
    plan = two.stages(kernel, policy, least_z)
    wanted = any(stage["common"] for stage in plan)
    prominent = stands_out(scaled, codes, rate**2) if wanted else np.zeros(x.shape[1], bool)
    p = Joint(scaled, codes, np.ones(len(codes)), kernel, rate, prominent, len(set(codes)), turns(x, codes))
    s, evidence, settled = fresh_start(p, np.arange(x.shape[1])), None, False
    for stage in plan:
        if stage["restart"] and p.trace:
            s = fresh_start(p, s[0].features, s[0].theta)
        s, evidence, settled = run_stage(p, s, stage)
        if stage["readmission"]:
            s, evidence, settled = readmit(p, s, evidence, settled, stage)
            seen = lambda f: [(residual(p, f)[:, k], curvature_of(p, f, k)) for k in range(p.classes)]
            f = decision(p, s)
            candidates = starts(scaled, s[0].features, prominent, seen(f), seen(np.zeros_like(f)))
            (s, evidence, settled), taken = another(p, (s, evidence, settled), stage, lambda s: s[0].features, candidates,
                                                    run_stage, fresh_start)
            if taken:
                s, evidence, settled = readmit(p, s, evidence, settled, stage)
    if two.projects(kernel, policy):
        f = decision(p, s)
        s = [project(one, two.phi(p.against_rest(k), one), curvature_of(p, f, k), p.rho, p.fallen)
             for k, one in enumerate(s)]
    return p, s, evidence, settled


# --- prediction

def free_mean(one, hessian):
    """The common weight's mean is itself learned: H loses b/n along the direction of its members."""
    e = (one.centre > 0).astype(float)
    return hessian if one.common is None or not e.any() else hessian - one.common / e.sum() * np.outer(e, e)


def predict(p, s, rows):
    """Decisions, both variances and probabilities for scaled rows, a column for each class."""
    free = s[0].theta > 0
    cov_theta = np.linalg.inv(free_mean(s[0], hessian_theta(p, s))[np.ix_(free, free)])
    f, from_w, from_theta = [], [], []
    along = lambda a, covariance: np.sum((a @ covariance) * a, axis=1)
    for k, one in enumerate(s):
        of_class = p.against_rest(k)
        at = replace(of_class, x=np.vstack([p.x, rows]), y=np.concatenate([of_class.y, np.ones(len(rows))]))
        a = two.phi(at, one)[len(p.x):][:, free_of(one)]
        d = two.slopes(at, one, one.features)[len(p.x):][:, free]
        f.append(a @ one.w[free_of(one)])
        from_w.append(along(a, np.linalg.inv(hessian_w(p, s, k)[np.ix_(free_of(one), free_of(one))])))
        from_theta.append(along(d, cov_theta))
    f, from_w, from_theta = (np.column_stack(columns) for columns in (f, from_w, from_theta))
    return f, from_w, from_theta, moderated(f, from_w + from_theta)


def moderated(f, v):
    """p_k ~ 1 / sum_j exp(-(f_k - f_j) / sqrt(1 + pi/80 (v_k + v_j)))."""
    spread = np.sqrt(1 + np.pi / 80 * (v[:, :, None] + v[:, None, :]))
    odds = np.exp((f[:, None, :] - f[:, :, None]) / spread)
    q = 1 / odds.sum(axis=2)
    return q / q.sum(axis=1, keepdims=True)

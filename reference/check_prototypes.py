"""Compare the slow transcription with the numpy prototypes, and with finite differences.

    python check_prototypes.py PROTOTYPE_DIR

Prints the largest difference of each comparison and fails above 1e-6.
"""
import sys

import numpy as np

import slow
from slow import Point
from slow_fit import EXACT_DEFAULTS, LINEAR_DEFAULTS, SIGMOID_DEFAULTS, fit_exact, fit_sigmoid

LIMIT = 1e-6
RBF, LINEAR = {"kind": "rbf"}, {"kind": "linear"}
worst = {"finite differences": 0.0, "prototypes": 0.0}


def report(name, difference, against="prototypes"):
    worst[against] = max(worst[against], difference)
    print(f"{name:50s} {difference:.2e}{'' if difference < LIMIT else '   TOO LARGE'}")


def largest(a, b):
    """Largest difference, relative above 1; infinite when the sizes differ."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return np.inf
    return float(np.max(np.abs(a - b) / np.maximum(1, np.abs(b)), initial=0.0))


def data(seed, n, m, curved):
    """Two features decide, the others are noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, m))
    score = x[:, 0] ** 2 + x[:, 1] - 1 if curved else x[:, 0] - 0.7 * x[:, 1]
    y = np.where(score + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    return x, y


def some_point(kernel, seed=3):
    rng = np.random.default_rng(seed)
    x, y = data(seed, 14, 5, True)
    basis = np.array([0, 3, 4, 8, 11])
    # Powers make decisions large; the floor on the curvature would then show in the differences.
    w_scale = 0.1 if kernel["kind"] == "polynomial" else 1.0
    return Point(x=x, y=y, likelihood_weights=rng.uniform(0.2, 2, 14), kernel=kernel, basis=basis,
                 theta=rng.uniform(0.05, 0.5, 5), w=np.concatenate([[-0.3], w_scale * rng.uniform(0.1, 1.5, 5)]),
                 alpha=rng.uniform(0.1, 2, 6), beta=rng.uniform(0.5, 5, 5))


def central_difference(function, u, h=1e-5):
    columns = []
    for k in range(len(u)):
        step = np.zeros(len(u))
        step[k] = h
        columns.append((np.asarray(function(u + step)) - np.asarray(function(u - step))) / (2 * h))
    return np.array(columns).T


def check_derivatives():
    against = "finite differences"
    for kernel in (RBF, LINEAR, {"kind": "polynomial", "order": 2}, {"kind": "polynomial", "order": 3}):
        point = some_point(kernel)
        at_w = lambda w: slow.with_values(point, w=w)
        at_theta = lambda t: slow.with_values(point, theta=t)
        name = kernel["kind"] + str(kernel.get("order", ""))
        differences = central_difference(lambda t: slow.decision(at_theta(t)), point.theta)
        report(f"{name}: D", largest(slow.theta_jacobian(point), differences), against)
        for lam in (None, 5.0):
            report(f"{name}: gradients, lambda {lam}", max(
                largest(slow.gradient_w(point, lam),
                        central_difference(lambda w: slow.log_posterior(at_w(w), lam), point.w)),
                largest(slow.gradient_theta(point, lam),
                        central_difference(lambda t: slow.log_posterior(at_theta(t), lam), point.theta))), against)
            report(f"{name}: H_w, lambda {lam}", largest(
                slow.hessian_w(point, lam), -central_difference(lambda w: slow.gradient_w(at_w(w), lam), point.w)),
                   against)


def check_pieces(engine, rbf):
    for kernel in (RBF, LINEAR):
        point = some_point(kernel)
        kind = "rbf" if kernel is RBF else "lin"
        z = point.x[point.basis]
        report(f"{kind}: kernel matrix", largest(slow.kernel_matrix(kernel, point.x, z, point.theta),
                                                 engine.kern(point.x, z, point.theta, kind)))
        _, variance, log_det = engine.bsolve(slow.theta_jacobian(point), slow.curvature(point), point.beta)
        hessian = slow.hessian_theta(point)
        report(f"{kind}: H_theta inverse diagonal, determinant", max(
            largest(np.diag(slow.covariance_theta(point)), variance),
            abs(np.linalg.slogdet(hessian)[1] - log_det)))
    point = slow.with_values(some_point(RBF), likelihood_weights=np.ones(14))
    state = rbf.St()
    state.X, state.y, state.fa, state.sa = point.x, point.y, np.arange(5), point.basis
    state.w, state.al, state.th, state.be = point.w, point.alpha, point.theta, point.beta
    rows = np.random.default_rng(0).normal(size=(4, 5))
    f, from_w, from_theta, _ = rbf.predict(state, rows)
    ours = slow.predict(point, rows)
    report("rbf: decision and its two variances", max(
        largest(ours["decision"], f), largest(ours["variance_samples"], from_w),
        largest(ours["variance_features"], from_theta)))


def compare_fit(name, ours, theirs):
    trace_difference = largest([r[2] for r in ours["trace"]], [r[2] for r in theirs["hist"]])
    counts_equal = [r[:2] for r in ours["trace"]] == [tuple(map(int, r[:2])) for r in theirs["hist"]]
    same_sets = list(ours["features"]) == list(theirs["fa"]) and list(ours["samples"]) == list(theirs["sa"])
    difference = max(trace_difference, largest(ours["point"].w, theirs["w"]),
                     largest(ours["point"].theta, theirs["th"]))
    sizes = f"{len(ours['trace'])} it, {len(ours['samples'])} s, {len(ours['features'])} f"
    report(f"{name} ({sizes})", difference if counts_equal and same_sets else np.inf)


def check_fits(engine, literal):
    common = dict(b0="M", bmax=1e4, ct="p0.05", etat=0.5)
    for seed in range(4):
        x, y = data(seed, 40, 6, True)
        for rule, limit in (("em", 60), ("mackay", 100)):
            ours = fit_exact(x, y, RBF, {**EXACT_DEFAULTS, "sample_rule": rule, "max_iterations": limit})
            theirs = engine.fit(x, y, kind="rbf", rw=rule, amin=1e-2, maxit=limit, **common)
            compare_fit(f"fit rbf {rule}, data {seed}", ours, theirs)
        x, y = data(seed, 30, 12, False)
        compare_fit(f"fit linear, data {seed}", fit_exact(x, y, LINEAR, LINEAR_DEFAULTS),
                    engine.fit(x, y, kind="lin", rw="mackay", maxit=300, **common))
        x, y = data(seed, 30, 6, True)
        settings = {**SIGMOID_DEFAULTS, "covariances": "one step old", "max_iterations": 40}
        # The prototype clamps distances, which matters while a theta is negative.
        compare_fit(f"fit sigmoid, data {seed}", fit_sigmoid(x, y, {**RBF, "clamped": True}, settings),
                    literal.fit(x, y, kind="rbf", maxit=40))


def main(prototype_dir):
    sys.path.insert(0, prototype_dir)
    import engine
    import literal
    import rbf
    check_derivatives()
    check_pieces(engine, rbf)
    check_fits(engine, literal)
    for against, difference in worst.items():
        print(f"largest difference from the {against}: {difference:.2e}")
    return 0 if max(worst.values()) < LIMIT else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1]))

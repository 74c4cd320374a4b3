"""Write the golden files that the fast program is tested against.

    python make_golden.py OUT_DIR        (the repository's crates/pfcvm/tests/golden)

Every number comes from slow.py and slow_fit.py. Floats are written so that they read back to the same
bits. null stands for "not defined": a coordinate held at zero has no variance, and 0/0 no value.
"""
import json
import sys
from pathlib import Path

import numpy as np

import slow
from slow import Point
from slow_fit import EXACT_DEFAULTS, LINEAR_DEFAULTS, SIGMOID_DEFAULTS, fit_exact, fit_sigmoid

RBF, LINEAR = {"kind": "rbf"}, {"kind": "linear"}
TRACE_LENGTH = 15
HYPERPRIORS = [(0.0, 0.0), (0.135, 0.01)]


def plain(value):
    """numpy to JSON; what is not finite becomes null."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value


def write(out_dir, name, content):
    text = json.dumps(plain(content), allow_nan=False, separators=(",", ":"))
    # A line per entry keeps the files readable without a line per number.
    text = text.replace(',"', ',\n"') + "\n"
    assert json.loads(text) == plain(content)
    (out_dir / name).write_text(text)


def on_free(values, free):
    return np.where(free, values, np.nan)


# --- pieces

def pieces_point(kernel, seed):
    """Values not at a mode, with one sample weight and one feature weight exactly zero."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(14, 5))
    y = np.where(x[:, 0] + x[:, 1] ** 2 - 0.8 + 0.4 * rng.normal(size=14) > 0, 1.0, -1.0)
    basis = np.array([1, 2, 5, 6, 9, 12])
    assert {-1.0, 1.0} == set(y[basis])
    w = np.concatenate([[-0.4], rng.uniform(0.1, 1.2, 6)])
    theta = rng.uniform(0.05, 0.4, 5)
    w[3], theta[2] = 0.0, 0.0
    return Point(x=x, y=y, likelihood_weights=rng.uniform(0.3, 2.0, 14), kernel=kernel, basis=basis, theta=theta, w=w,
                 alpha=rng.uniform(0.2, 3.0, 7), beta=rng.uniform(0.5, 6.0, 5))


def updates(point, variance_w, variance_theta, free_w, free_theta):
    for c, d in HYPERPRIORS:
        yield {"c": c, "d": d,
               "mackay_alpha": on_free(slow.mackay(point.alpha, point.w, variance_w, c, d), free_w),
               "mackay_beta": on_free(slow.mackay(point.beta, point.theta, variance_theta, c, d), free_theta),
               "em_alpha": on_free(slow.em(point.w, variance_w, c, d), free_w),
               "em_beta": on_free(slow.em(point.theta, variance_theta, c, d), free_theta)}


def laplace(point, lam, new_rows):
    """Everything that depends on how the prior is truncated."""
    free_w, free_theta = slow.free_w(point, lam), slow.free_theta(point, lam)
    variance_w, variance_theta = np.diag(slow.covariance_w(point, lam)), np.diag(slow.covariance_theta(point, lam))
    return {"gradient_w": slow.gradient_w(point, lam), "hessian_w": slow.hessian_w(point, lam),
            "gradient_theta": slow.gradient_theta(point, lam), "hessian_theta": slow.hessian_theta(point, lam),
            "free_w": free_w, "free_theta": free_theta,
            "variance_w": on_free(variance_w, free_w), "variance_theta": on_free(variance_theta, free_theta),
            "gamma_w": on_free(slow.determination(point.alpha, variance_w), free_w),
            "gamma_theta": on_free(slow.determination(point.beta, variance_theta), free_theta),
            "log_evidence": slow.log_evidence(point, lam),
            "updates": list(updates(point, variance_w, variance_theta, free_w, free_theta)),
            "prediction": slow.predict(point, new_rows, lam)}


def point_inputs(point):
    return {"kernel": point.kernel, "x": point.x, "y": point.y, "sample_weights": point.likelihood_weights,
            "basis": point.basis, "theta": point.theta, "w": point.w, "alpha": point.alpha, "beta": point.beta}


def pieces(kernel, seed):
    point = pieces_point(kernel, seed)
    new_rows = np.random.default_rng(seed + 1000).normal(size=(3, 5))
    kernel_matrix = slow.kernel_matrix(kernel, point.x, point.x[point.basis], point.theta)
    with np.errstate(divide="ignore", invalid="ignore"):  # held coordinates, written as null
        return {"about": "One point, not a mode. w and alpha start with the bias; kernel_matrix has no labels.",
                **point_inputs(point), "new_rows": new_rows,
                "kernel_matrix": kernel_matrix, "phi_w": slow.decision(point),
                "theta_jacobian": slow.theta_jacobian(point),
                "log_likelihood": slow.log_likelihood(point),
                "exact": laplace(point, None, new_rows), "sigmoid_5": laplace(point, 5.0, new_rows)}


# --- modes

def mode_problem(kernel, seed, weighted, alpha):
    rng = np.random.default_rng(seed)
    n, m = 20, 4
    x = rng.normal(size=(n, m))
    y = np.where(x[:, 0] ** 2 + x[:, 1] - 0.7 + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    basis = np.sort(rng.permutation(n)[:12])
    return Point(x=x, y=y, likelihood_weights=rng.uniform(0.0, 2.5, n) if weighted else np.ones(n), kernel=kernel,
                 basis=basis, theta=rng.uniform(0.0, 0.5, m), w=np.zeros(13),
                 alpha=np.concatenate([[0.01], rng.uniform(0.5, 1.5, 12) * alpha]), beta=rng.uniform(1, 4, m))


def mode_w_problems():
    poly = {"kind": "polynomial", "order": 2}
    cases = [(RBF, 1, False, 1.0), (RBF, 2, True, 0.05), (LINEAR, 3, False, 0.3), (LINEAR, 4, True, 0.01),
             (poly, 5, True, 0.5)]
    for kernel, seed, weighted, alpha in cases:
        point = mode_problem(kernel, seed, weighted, alpha)
        at_mode = slow.with_values(point, w=slow.mode_w(point))
        yield {**point_inputs(point), "mode_w": at_mode.w, "log_likelihood": slow.log_likelihood(at_mode),
               "objective": slow.objective_w(at_mode), "gradient_w": slow.gradient_w(at_mode),
               "log_evidence": slow.log_evidence(at_mode)}


def mode_theta_problems():
    for seed, weighted in ((11, False), (12, True)):
        point = mode_problem(LINEAR, seed, weighted, 1.0)
        point = slow.with_values(point, w=np.concatenate([[0.1], np.random.default_rng(seed).uniform(0, 1, 12)]))
        at_mode = slow.with_values(point, theta=slow.mode_theta(point))
        yield {**point_inputs(point), "mode_theta": at_mode.theta, "log_likelihood": slow.log_likelihood(at_mode),
               "objective": slow.objective_theta(at_mode), "gradient_theta": slow.gradient_theta(at_mode),
               "log_evidence": slow.log_evidence(at_mode)}


# --- fits

def fit_data(seed, curved):
    """Features 0 and 1 decide, six are noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(40, 8))
    score = x[:, 0] ** 2 + x[:, 1] - 1 if curved else x[:, 0] - 0.7 * x[:, 1]
    return x, np.where(score + 0.8 * rng.normal(size=40) > 0, 1.0, -1.0)


def assert_robust(fit, x, y, kernel, settings, found):
    """Rounding must not decide a golden trace: data moved by 1e-11 has to give the same one."""
    noise = 1 + 1e-11 * np.random.default_rng(0).normal(size=x.shape)
    # While a smoothed theta is negative, programs that clamp distances differ from those that do not.
    other_kernel = {**kernel, "clamped": True} if kernel == RBF else kernel
    other = fit(x * noise, y, other_kernel, settings)
    assert [r[:2] for r in other["trace"]] == [r[:2] for r in found["trace"]]
    assert np.allclose([r[2] for r in other["trace"]], [r[2] for r in found["trace"]], rtol=0, atol=1e-7)
    assert np.allclose(other["point"].w, found["point"].w, rtol=1e-7, atol=1e-7)


def fit_case(fit, seed, curved, kernel, settings):
    x, y = fit_data(seed, curved)
    found = fit(x, y, kernel, settings)
    assert_robust(fit, x, y, kernel, settings, found)
    point = found["point"]
    trace = [{"samples": s, "features": f, "log_evidence": e} for s, f, e in found["trace"]]
    return {"about": "Trace of one fit: counts after the iteration's pruning, evidence before the update of the "
                     "precisions. Final weights are those after the last iteration, bias first.",
            "kernel": kernel, "settings": settings, "x": x, "y": y, "trace": trace[:TRACE_LENGTH],
            "iterations": len(trace), "converged": found["converged"], "final_log_evidence": trace[-1]["log_evidence"],
            "samples": found["samples"], "features": found["features"], "w": point.w, "theta": point.theta,
            "alpha": point.alpha, "beta": point.beta, "decision_on_training_rows": slow.decision(point)}


def main(out_dir):
    out_dir = Path(out_dir)
    out_dir.mkdir(parents=True, exist_ok=True)
    poly = lambda order: {"kind": "polynomial", "order": order}
    for name, kernel, seed in (("rbf", RBF, 21), ("linear", LINEAR, 22),
                               ("poly2", poly(2), 23), ("poly3", poly(3), 24)):
        write(out_dir, f"pieces_{name}.json", pieces(kernel, seed))
    write(out_dir, "mode_w.json", {
        "about": "Modes of w >= 0 (bias free) given theta. gradient_w is taken at the mode.",
        "problems": list(mode_w_problems())})
    write(out_dir, "mode_theta.json", {
        "about": "Modes of theta >= 0 given w, linear kernel, where the problem is concave.",
        "problems": list(mode_theta_problems())})
    mackay = {**EXACT_DEFAULTS, "sample_rule": "mackay", "max_iterations": 100}
    one_step_old = {**SIGMOID_DEFAULTS, "covariances": "one step old"}
    for name, *case in (("fit_rbf_em", fit_exact, 13, True, RBF, EXACT_DEFAULTS),
                        ("fit_rbf_mackay", fit_exact, 11, True, RBF, mackay),
                        ("fit_linear", fit_exact, 12, False, LINEAR, LINEAR_DEFAULTS),
                        ("fit_sigmoid", fit_sigmoid, 11, True, RBF, SIGMOID_DEFAULTS),
                        ("fit_sigmoid_one_step_old", fit_sigmoid, 11, True, RBF, one_step_old)):
        write(out_dir, f"{name}.json", fit_case(*case))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

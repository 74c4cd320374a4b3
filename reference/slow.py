"""The model's pieces, written plainly and slowly from the definitions.

Loops for kernels and derivatives, dense inverses for everything else: nothing here is shared with
the fast program, so that agreement means something.

    f(x) = w_0 + sum_j w_j y_j k(x, z_j; theta),   w_j >= 0, theta_k >= 0, w_0 free
    log posterior = sum_i v_i log sigma(y_i f_i) - w'Aw/2 - theta'B theta/2 (+ smoothed truncation)

`lam` chooses the truncation everywhere: None keeps the constraints exactly, a number smooths each
indicator u >= 0 into sigma(lam u). The bias is never truncated.
"""
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

# Curvature sigma(1 - sigma) of a sample the model is certain about would vanish in double precision.
CURVATURE_FLOOR = 1e-10


@dataclass
class Point:
    """Data, and values of every parameter. `w` and `alpha` start with the bias."""
    x: np.ndarray
    y: np.ndarray
    likelihood_weights: np.ndarray
    kernel: dict  # {"kind": "rbf"} (with "clamped": distances below 0 become 0), {"kind": "linear"} or
                  # {"kind": "polynomial", "order": P}
    basis: np.ndarray
    theta: np.ndarray
    w: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray


def sigma(z):
    return 1 / (1 + np.exp(-np.clip(z, -500, 500)))


def log_sigma(z):
    return -np.logaddexp(0, -z)


# --- kernels

def weighted_dot(x, z, theta):
    return sum(theta[k] * x[k] * z[k] for k in range(len(theta)))


def kernel_value(kernel, x, z, theta):
    if kernel["kind"] == "rbf":
        distance = sum(theta[k] * (x[k] - z[k]) ** 2 for k in range(len(theta)))
        # Only a smoothed truncation lets theta, and so the distance, fall below zero.
        return np.exp(-max(distance, 0) if kernel.get("clamped") else -distance)
    if kernel["kind"] == "linear":
        return weighted_dot(x, z, theta)
    return (1 + weighted_dot(x, z, theta)) ** kernel["order"]


def kernel_slope(kernel, x, z, theta, k):
    """d kernel / d theta_k."""
    if kernel["kind"] == "rbf":
        return -((x[k] - z[k]) ** 2) * kernel_value(kernel, x, z, theta)
    if kernel["kind"] == "linear":
        return x[k] * z[k]
    order = kernel["order"]
    return order * (1 + weighted_dot(x, z, theta)) ** (order - 1) * x[k] * z[k]


def kernel_matrix(kernel, rows, centres, theta):
    return np.array([[kernel_value(kernel, x, z, theta) for z in centres] for x in rows])


# --- decision and its derivatives

def design(point, rows=None):
    """Phi: a column of ones, then y_j k(x, z_j)."""
    rows = point.x if rows is None else rows
    k = kernel_matrix(point.kernel, rows, point.x[point.basis], point.theta)
    return np.hstack([np.ones((len(rows), 1)), k * point.y[point.basis]])


def theta_jacobian(point, rows=None):
    """D[i, k] = d f(x_i) / d theta_k."""
    rows = point.x if rows is None else rows
    d = np.zeros((len(rows), len(point.theta)))
    for i, x in enumerate(rows):
        for j, row in enumerate(point.basis):
            scale = point.w[j + 1] * point.y[row]
            if scale == 0:
                continue  # a centre without weight adds nothing
            for k in range(len(point.theta)):
                d[i, k] += scale * kernel_slope(point.kernel, x, point.x[row], point.theta, k)
    return d


def decision(point, rows=None):
    return design(point, rows) @ point.w


def log_likelihood(point):
    return np.sum(point.likelihood_weights * log_sigma(point.y * decision(point)))


def residual(point):
    """d log likelihood / d f."""
    return point.likelihood_weights * ((point.y + 1) / 2 - sigma(decision(point)))


def curvature(point):
    """-d2 log likelihood / d f2."""
    s = sigma(decision(point))
    return point.likelihood_weights * np.maximum(s * (1 - s), CURVATURE_FLOOR)


# --- smoothed truncation

def truncation_log(u, lam):
    return 0.0 if lam is None else np.sum(log_sigma(lam * u))


def truncation_slope(u, lam):
    """k of the paper: the gradient of the sum of log sigma(lam u)."""
    return np.zeros(len(u)) if lam is None else lam * (1 - sigma(lam * u))


def truncation_curvature(u, lam):
    """O of the paper: minus the second derivative."""
    return np.zeros(len(u)) if lam is None else lam**2 * sigma(lam * u) * (1 - sigma(lam * u))


def exempt_bias(values):
    return np.concatenate([[0.0], values])


# --- gradients and Gauss-Newton Hessians of minus the log posterior

def gradient_w(point, lam=None):
    return (design(point).T @ residual(point) - point.alpha * point.w
            + exempt_bias(truncation_slope(point.w[1:], lam)))


def hessian_w(point, lam=None):
    phi = design(point)
    diagonal = point.alpha + exempt_bias(truncation_curvature(point.w[1:], lam))
    return phi.T @ np.diag(curvature(point)) @ phi + np.diag(diagonal)


def gradient_theta(point, lam=None):
    return theta_jacobian(point).T @ residual(point) - point.beta * point.theta + truncation_slope(point.theta, lam)


def hessian_theta(point, lam=None, slopes=None):
    """The term with second derivatives of the kernel is left out. `slopes` may come from another point."""
    d = theta_jacobian(point) if slopes is None else slopes
    diagonal = point.beta + truncation_curvature(point.theta, lam)
    return d.T @ np.diag(curvature(point)) @ d + np.diag(diagonal)


# --- Laplace

def free_w(point, lam=None):
    """Coordinates the Laplace approximation is taken over."""
    return np.concatenate([[True], point.w[1:] > 0]) if lam is None else np.ones(len(point.w), bool)


def free_theta(point, lam=None):
    return point.theta > 0 if lam is None else np.ones(len(point.theta), bool)


def inverse_on(hessian, free):
    """Inverse of the free block, zero elsewhere."""
    covariance = np.zeros_like(hessian)
    block = np.ix_(free, free)
    if free.any():
        covariance[block] = np.linalg.inv(hessian[block])
    return covariance


def log_determinant_on(hessian, free):
    return np.linalg.slogdet(hessian[np.ix_(free, free)])[1] if free.any() else 0.0


def covariance_w(point, lam=None):
    return inverse_on(hessian_w(point, lam), free_w(point, lam))


def covariance_theta(point, lam=None, slopes=None):
    return inverse_on(hessian_theta(point, lam, slopes), free_theta(point, lam))


def half_log_precision(precision, hessian, free):
    return 0.5 * np.sum(np.log(precision[free])) - 0.5 * log_determinant_on(hessian, free)


def log_prior_w(point, lam=None):
    return -0.5 * np.sum(point.alpha * point.w**2) + truncation_log(point.w[1:], lam)


def log_prior_theta(point, lam=None):
    return -0.5 * np.sum(point.beta * point.theta**2) + truncation_log(point.theta, lam)


def objective_w(point, lam=None):
    """The log posterior as far as w changes it."""
    return log_likelihood(point) + log_prior_w(point, lam)


def objective_theta(point, lam=None):
    return log_likelihood(point) + log_prior_theta(point, lam)


def log_posterior(point, lam=None):
    return log_likelihood(point) + log_prior_w(point, lam) + log_prior_theta(point, lam)


def log_evidence(point, lam=None, slopes=None):
    """Constants are left out: powers of 2 pi cancel, the factor 2 of each truncated prior is dropped."""
    return (log_posterior(point, lam)
            + half_log_precision(point.alpha, hessian_w(point, lam), free_w(point, lam))
            + half_log_precision(point.beta, hessian_theta(point, lam, slopes), free_theta(point, lam)))


def determination(precision, variance):
    """gamma: the share of a parameter that the data decide."""
    return 1 - precision * variance


def mackay(precision, u, variance, c=0.0, d=0.0):
    return (determination(precision, variance) + 2 * c) / (u**2 + 2 * d)


def em(u, variance, c=0.0, d=0.0):
    return (1 + 2 * c) / (u**2 + variance + 2 * d)


# --- prediction

def moderated(f, variance):
    return sigma(f / np.sqrt(1 + np.pi / 8 * variance))


def predict(point, rows, lam=None):
    """Decision, its variance from w and from theta, and the probability of the positive class."""
    phi, d = design(point, rows), theta_jacobian(point, rows)
    sw, st = covariance_w(point, lam), covariance_theta(point, lam)
    from_w = np.array([p @ sw @ p for p in phi])
    from_theta = np.array([r @ st @ r for r in d])
    f = phi @ point.w
    return {"decision": f, "variance_samples": from_w, "variance_features": from_theta,
            "probability": moderated(f, from_w + from_theta), "probability_samples_only": moderated(f, from_w)}


# --- constrained modes (exact truncation), by a general solver

def constrained_maximum(value, gradient, hessian, start, bounded):
    """L-BFGS-B, then Newton on the coordinates it left free: the solver alone stops near 1e-8."""
    bounds = [(0, None) if b else (None, None) for b in bounded]
    found = minimize(lambda u: -value(u), start, jac=lambda u: -gradient(u), bounds=bounds, method="L-BFGS-B",
                     options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 20000, "maxfun": 40000, "maxls": 50})
    u = found.x
    free = ~bounded | (u > 0)
    for _ in range(5):
        step = np.zeros(len(u))
        step[free] = np.linalg.solve(hessian(u)[np.ix_(free, free)], gradient(u)[free])
        u = u + step
    assert np.all(u[bounded] >= 0), "the active set of the solver was wrong"
    assert np.max(np.abs(gradient(u)[free])) < 1e-9, "not stationary"
    assert np.all(gradient(u)[~free] <= 1e-9), "a held coordinate wants to grow"
    return u


def with_values(point, **values):
    return Point(**{**point.__dict__, **values})


def mode_w(point):
    at = lambda w: with_values(point, w=w)
    bounded = np.arange(len(point.w)) > 0
    return constrained_maximum(lambda w: objective_w(at(w)), lambda w: gradient_w(at(w)),
                               lambda w: hessian_w(at(w)), point.w, bounded)


def mode_theta(point):
    """A local mode: only for the linear kernel is the problem concave."""
    at = lambda theta: with_values(point, theta=theta)
    return constrained_maximum(lambda t: objective_theta(at(t)), lambda t: gradient_theta(at(t)),
                               lambda t: hessian_theta(at(t)), point.theta, np.ones(len(point.theta), bool))

"""The two training loops on the slow pieces: exact truncation, and the paper's sigmoid to the letter.

Both return a dict with the trace, one (samples, features, log evidence) per iteration: the counts are
those left after the iteration's pruning, the evidence is that of the precisions before their update.
"""
import numpy as np
from scipy.stats import norm

from slow import (Point, covariance_theta, covariance_w, determination, em, free_theta, free_w, gradient_theta,
                  gradient_w, half_log_precision, hessian_theta, hessian_w, kernel_matrix, log_evidence,
                  log_posterior, objective_theta, objective_w, theta_jacobian, with_values)
from slow_step import bounded_step


def hyperprior_c(p):
    """c for which a feature of pure noise stays with probability p, if its z-score is normal."""
    z = norm.ppf(1 - p)
    return float((z**2 - 1) ** 2 / (8 * z**2))



EXACT_DEFAULTS = {
    "truncation": "exact",
    "sample_rule": "em",  # or "mackay"
    "hyperprior_c_features": hyperprior_c(0.05), "hyperprior_c_samples": 0.0,  # d = 0 for both
    "initial_theta": "1 / features", "initial_beta": "features", "initial_alpha": "mean over rows of sum_j K_ij^2",
    "initial_w": 0.0, "bias_precision": 0.01,
    "w_steps_first_iteration": 3, "w_steps": 1, "theta_steps": 1,
    "w_steps_stop": 1e-6,  # relative change of the objective that ends the first iteration's w steps
    "line_search_tries": 25, "line_search_slack": 1e-12,
    "short_step": 0.2,  # of theta, as a share of its maximum: the slopes at its start serve at its end
    "beta_step": 0.5,  # exponent of the new value in the geometric mean with the old one
    "alpha_floor": 0.01, "alpha_ceiling": 1e12, "beta_floor": 1e-8, "beta_ceiling": 1e14, "gamma_floor": 1e-12,
    "drop_feature_above": 1e4,  # beta * max(theta)^2, with the new beta
    "drop_sample_below": 1e-3,  # gamma, with the old alpha
    "rescale": False,  # divide theta by its maximum after pruning
    "tolerance": 1e-4, "calm_iterations": 2, "max_iterations": 60,
}
LINEAR_DEFAULTS = {**EXACT_DEFAULTS, "sample_rule": "mackay", "alpha_floor": 1e-8, "rescale": True,
                   "max_iterations": 300}
SIGMOID_DEFAULTS = {
    "truncation": "sigmoid", "lambda": 5.0, "sample_rule": "mackay",
    "initial_theta": "1 / features", "initial_beta": 1.0, "initial_alpha": 1.0, "initial_w": 0.0,
    "w_steps": 1, "theta_steps": 1, "line_search_tries": 20, "line_search_slack": 1e-9, "gamma_floor": 1e-12,
    "drop_sample_alpha_from": 1e4, "drop_feature_beta_from": 1e4,
    "drop_sample_w_to": 0.0, "drop_feature_theta_to": 1e-6, "bias_precision_ceiling": 1e6,
    "covariances": "after both steps",  # or "one step old", see sigmoid_steps
    "tolerance": 1e-4, "calm_iterations": 1, "max_iterations": 200,
}


def line_search(objective, start, step, project, settings):
    """Halve the step until the objective does not fall; stay when nothing helps."""
    before = objective(start)
    scale = 1.0
    for _ in range(settings["line_search_tries"]):
        candidate = project(start + scale * step)
        value = objective(candidate)
        if np.isfinite(value) and value >= before - settings["line_search_slack"]:
            return candidate, value, before
        scale /= 2
    return start, before, before


def clip_below_zero(u):
    return np.maximum(u, 0)


def clip_all_but_bias(w):
    return np.concatenate([w[:1], np.maximum(w[1:], 0)])


def step_w(point, settings, lam=None):
    """One Newton step; with exact truncation within the constraint."""
    bounded = (np.arange(len(point.w)) > 0) & (lam is None)
    step = bounded_step(hessian_w(point, lam), gradient_w(point, lam), point.w, bounded, len(point.y))
    project = clip_all_but_bias if lam is None else (lambda w: w)
    objective = lambda w: objective_w(with_values(point, w=w), lam)
    w, after, before = line_search(objective, point.w, step, project, settings)
    return with_values(point, w=w), after, before


def step_theta(point, settings, lam=None):
    bounded = np.full(len(point.theta), lam is None)
    step = bounded_step(hessian_theta(point, lam), gradient_theta(point, lam), point.theta, bounded, len(point.y))
    project = clip_below_zero if lam is None else (lambda theta: theta)
    objective = lambda theta: objective_theta(with_values(point, theta=theta), lam)
    theta, _, _ = line_search(objective, point.theta, step, project, settings)
    return with_values(point, theta=theta)


def first_w_steps(point, settings):
    for _ in range(settings["w_steps_first_iteration"]):
        point, after, before = step_w(point, settings)
        if abs(after - before) < settings["w_steps_stop"] * abs(before):
            break
    return point


def keep_one(kept, u):
    """Never drop everything: the largest stays."""
    if not kept.any() or u[kept].max() <= 0:
        kept[np.argmax(u)] = True
    return kept


def restrict(point, features, kept_samples, kept_features):
    w_kept = np.concatenate([[True], kept_samples])
    smaller = Point(x=point.x[:, kept_features], y=point.y, likelihood_weights=point.likelihood_weights,
                    kernel=point.kernel, basis=point.basis[kept_samples], theta=point.theta[kept_features],
                    w=point.w[w_kept], alpha=point.alpha[w_kept], beta=point.beta[kept_features])
    return smaller, features[kept_features]


def rescaled(point):
    """A linear kernel does not change f under theta / s, w s: fix the scale, and carry the precisions along."""
    s = point.theta.max()
    w, alpha = point.w.copy(), point.alpha.copy()
    w[1:] *= s
    alpha[1:] /= s**2
    return with_values(point, theta=point.theta / s, beta=point.beta * s**2, w=w, alpha=alpha)


def updated_alpha(point, variance, settings):
    gamma = np.maximum(determination(point.alpha, variance), settings["gamma_floor"])
    c = settings["hyperprior_c_samples"]
    alpha = point.alpha.copy()
    for j in np.flatnonzero(free_w(point)):
        if settings["sample_rule"] == "em":
            alpha[j] = em(point.w[j], variance[j], c)
        else:
            alpha[j] = (gamma[j] + 2 * c) / max(point.w[j] ** 2, 1e-300)
    alpha = np.clip(alpha, settings["alpha_floor"], settings["alpha_ceiling"])
    alpha[0] = settings["bias_precision"]
    return alpha


def updated_beta(point, variance, settings):
    gamma = np.maximum(determination(point.beta, variance), settings["gamma_floor"])
    beta = point.beta.copy()
    for k in np.flatnonzero(free_theta(point)):
        target = (gamma[k] + 2 * settings["hyperprior_c_features"]) / max(point.theta[k] ** 2, 1e-300)
        beta[k] = beta[k] ** (1 - settings["beta_step"]) * target ** settings["beta_step"]
    return np.clip(beta, settings["beta_floor"], settings["beta_ceiling"])


def start_exact(x, y, kernel, settings):
    n, m = x.shape
    theta = np.full(m, 1 / m)
    k = kernel_matrix(kernel, x, x, theta)
    alpha = np.full(n + 1, np.mean(np.sum(k**2, axis=1)))
    alpha[0] = settings["bias_precision"]
    return Point(x=x, y=y, likelihood_weights=np.ones(n), kernel=kernel, basis=np.arange(n), theta=theta,
                 w=np.full(n + 1, settings["initial_w"]), alpha=alpha, beta=np.full(m, float(m)))


def calm(evidence, previous, settings):
    return previous is not None and abs(evidence - previous) < settings["tolerance"] * max(1, abs(previous))


def result(point, features, trace, converged):
    """Final parameters without those at zero."""
    point, features = restrict(point, features, point.w[1:] > 0, point.theta > 0)
    return {"point": point, "features": features, "samples": point.basis, "trace": trace, "converged": converged}


def fit_exact(x, y, kernel, settings):
    """Points 2 and 3 of the recommended engine: one pass, nothing comes back once dropped."""
    point = start_exact(x, y, kernel, settings)
    features = np.arange(x.shape[1])
    trace, previous, calm_count = [], None, 0
    for iteration in range(settings["max_iterations"]):
        point = first_w_steps(point, settings) if iteration == 0 else step_w(point, settings)[0]
        began, point = point, step_theta(point, settings)
        short = np.max(np.abs(point.theta - began.theta)) <= settings["short_step"] * np.max(point.theta)
        slopes = theta_jacobian(began if short else point)
        variance_w, variance_theta = np.diag(covariance_w(point)), np.diag(covariance_theta(point, slopes=slopes))
        evidence = log_evidence(point, slopes=slopes)
        gamma_w = determination(point.alpha, variance_w)[1:]
        point = with_values(point, alpha=updated_alpha(point, variance_w, settings),
                            beta=updated_beta(point, variance_theta, settings))
        kept_samples = (point.w[1:] > 0) & (gamma_w >= settings["drop_sample_below"])
        kept_features = ((point.theta > 0)
                         & (point.beta * point.theta.max() ** 2 <= settings["drop_feature_above"]))
        kept_samples = keep_one(kept_samples, point.w[1:])
        kept_features = keep_one(kept_features, point.theta)
        point, features = restrict(point, features, kept_samples, kept_features)
        if point.theta.max() <= 0:
            break
        if settings["rescale"]:
            point = rescaled(point)
        trace.append((len(point.basis), len(features), evidence))
        unchanged = kept_samples.all() and kept_features.all()
        calm_count = calm_count + 1 if unchanged and calm(evidence, previous, settings) else 0
        if calm_count >= settings["calm_iterations"]:
            return result(point, features, trace, True)
        previous = evidence
    return result(point, features, trace, False)


def start_sigmoid(x, y, kernel, settings):
    n, m = x.shape
    return Point(x=x, y=y, likelihood_weights=np.ones(n), kernel=kernel, basis=np.arange(n), theta=np.full(m, 1 / m),
                 w=np.zeros(n + 1), alpha=np.full(n + 1, settings["initial_alpha"]),
                 beta=np.full(m, settings["initial_beta"]))


def sigmoid_steps(point, settings, lam):
    """Both steps, the two variances and the evidence.

    With "one step old", H_w is taken between the two steps and H_theta before the step in
    theta: the matrices are those already at hand.
    """
    stepped = step_w(point, settings, lam)[0]
    final = step_theta(stepped, settings, lam)
    at = final if settings["covariances"] == "after both steps" else stepped
    evidence = (log_posterior(final, lam)
                + half_log_precision(final.alpha, hessian_w(at, lam), free_w(at, lam))
                + half_log_precision(final.beta, hessian_theta(at, lam), free_theta(at, lam)))
    return final, np.diag(covariance_w(at, lam)), np.diag(covariance_theta(at, lam)), evidence


def fit_sigmoid(x, y, kernel, settings):
    """The paper's algorithm with its smoothed indicator; the bias precision is learned too."""
    lam = settings["lambda"]
    point = start_sigmoid(x, y, kernel, settings)
    features = np.arange(x.shape[1])
    trace, previous, converged = [], None, False
    for _ in range(settings["max_iterations"]):
        point, variance_w, variance_theta, evidence = sigmoid_steps(point, settings, lam)
        gamma_w = np.maximum(determination(point.alpha, variance_w), settings["gamma_floor"])
        gamma_theta = np.maximum(determination(point.beta, variance_theta), settings["gamma_floor"])
        alpha, beta = gamma_w / (point.w**2 + 1e-300), gamma_theta / (point.theta**2 + 1e-300)
        kept_samples = (alpha[1:] < settings["drop_sample_alpha_from"]) & (point.w[1:] > settings["drop_sample_w_to"])
        kept_features = (beta < settings["drop_feature_beta_from"]) & (point.theta > settings["drop_feature_theta_to"])
        if not kept_samples.any():
            kept_samples[np.argmax(point.w[1:])] = True
        if not kept_features.any():
            kept_features[np.argmax(point.theta)] = True
        alpha[0] = min(alpha[0], settings["bias_precision_ceiling"])
        point = with_values(point, alpha=alpha, beta=beta)
        point, features = restrict(point, features, kept_samples, kept_features)
        trace.append((len(point.basis), len(features), evidence))
        if calm(evidence, previous, settings) and kept_samples.all() and kept_features.all():
            converged = True
            break
        previous = evidence
    return {"point": point, "features": features, "samples": point.basis, "trace": trace, "converged": converged}

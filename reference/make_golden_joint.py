"""Write the golden pieces and fits of the machine of more than two classes.

    python make_golden_joint.py OUT_DIR        (the repository's crates/pfcvm/tests/golden)

Every number comes from slow_joint.py, whose derivatives are first held to differences.
"""
import sys
from pathlib import Path

import numpy as np
from scipy.stats import chi2

import slow_joint as joint
from make_golden import write
from slow_default import State, phi, shape

# Scores of the classes of a row; a row is of the class with the largest. The other features are noise.
SCORES = {
    "three corners": lambda x: np.column_stack([2 * x[:, 0], 2 * x[:, 1], -1.5 * (x[:, 0] + x[:, 1])]),
    "rings": lambda x: np.column_stack([0 * x[:, 0] + 1.4, x[:, 0] ** 2 + x[:, 1] ** 2, 3 * x[:, 2]]),
    "four quarters": lambda x: 2 * np.column_stack([x[:, 0] + x[:, 1], x[:, 1] - x[:, 0], -x[:, 0] - x[:, 1],
                                                    x[:, 0] - x[:, 1]]),
}
# Name, scores, rows, features, seed, kernel, samples, least z of a trial (3 is the default).
CASES = [
    ("rbf_few", "three corners", 60, 6, 1, "rbf", "few", 3.0),
    ("rbf_dense", "three corners", 60, 6, 1, "rbf", "dense", 3.0),
    ("rbf_rings", "rings", 60, 7, 3, "rbf", "few", 3.0),
    ("rbf_trials", "rings", 50, 8, 5, "rbf", "dense", 1.0),
    ("rbf_four", "four quarters", 60, 5, 2, "rbf", "few", 3.0),
    ("rbf_four_dense", "four quarters", 48, 5, 4, "rbf", "dense", 3.0),
    ("linear", "three corners", 40, 6, 2, "linear", "few", 3.0),
    ("linear_four_dense", "four quarters", 48, 6, 3, "linear", "dense", 3.0),
    ("linear_four", "four quarters", 48, 6, 6, "linear", "few", 3.0),
]


def data(scores, n, m, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, m))
    values = SCORES[scores](x)
    return x, np.argmax(values + 0.7 * rng.gumbel(size=values.shape), axis=1)


# --- one point

def point(kernel, classes, seed):
    """Values at no mode, a sample weight and a feature weight at 0, a feature drawn to a common weight."""
    rng = np.random.default_rng(seed)
    n, m = 14, 4
    x = rng.normal(size=(n, m))
    codes = rng.permutation(np.arange(n) % classes)
    theta, beta = rng.uniform(0.05, 0.4, m), rng.uniform(0.5, 6.0, m)
    theta[1] = 0.0
    centre = np.array([0.0, 0.0, 0.2, 0.0])
    states = []
    for k in range(classes):
        basis = np.sort(rng.choice(n, 5 + k, replace=False))
        w = np.concatenate([[rng.normal()], rng.uniform(0.1, 1.2, len(basis))])
        w[1 + k] = 0.0
        states.append(State(np.arange(m), theta, beta, centre, None, basis, w, rng.uniform(0.2, 3.0, len(w))))
    p = joint.Joint(x, codes, rng.uniform(0.3, 2.0, n), kernel, 0.05, np.zeros(m, bool), classes, list(range(classes)))
    return p, states


def differences(value, u, h=1e-5):
    """Central differences, a row for each coordinate of u."""
    unit = np.eye(len(u))
    return np.array([(value(u + h * e) - value(u - h * e)) / (2 * h) for e in unit])


def check_point(p, s):
    """Gradients and curvatures are derivatives of the joint likelihood."""
    f, features = joint.decision(p, s), s[0].features
    slopes = joint.all_slopes(p, s, features)
    at_theta = lambda t: joint.log_likelihood(p, joint.decision(p, joint.with_theta(s, t)))
    assert np.allclose(differences(at_theta, s[0].theta), joint.theta_gradient(p, f, slopes), atol=1e-8)
    # Along f as it is linearised, which leaves second derivatives of the kernel out.
    linearised = lambda t: f + np.column_stack([d @ (t - s[0].theta) for d in slopes])
    bend = differences(lambda t: -joint.theta_gradient(p, linearised(t), slopes), s[0].theta)
    assert np.allclose(bend, joint.theta_curvature(p, f, slopes), atol=1e-8)
    for k, one in enumerate(s):
        basis = phi(p.against_rest(k), one)
        moved = lambda w: np.column_stack([basis @ w if j == k else f[:, j] for j in range(p.classes)])
        gradient = lambda w: basis.T @ joint.residual(p, moved(w))[:, k]
        assert np.allclose(differences(lambda w: joint.log_likelihood(p, moved(w)), one.w), gradient(one.w), atol=1e-8)
        bend = -differences(gradient, one.w) + np.diag(one.alpha)
        assert np.allclose(bend, joint.hessian_w(p, s, k), atol=1e-8)


def check_blocks(p, s):
    """The evidence leaves out what couples the w of different classes; with it, it would be no less (Fischer)."""
    q = joint.probabilities(joint.decision(p, s))
    bases = [phi(p.against_rest(k), one)[:, joint.free_of(one)] for k, one in enumerate(s)]
    alpha = np.concatenate([one.alpha[joint.free_of(one)] for one in s])
    block = lambda j, k: (bases[j].T * (p.rho * q[:, j] * ((j == k) - q[:, k]))) @ bases[k]
    whole = np.block([[block(j, k) for k in range(p.classes)] for j in range(p.classes)]) + np.diag(alpha)
    free = [np.ix_(joint.free_of(one), joint.free_of(one)) for one in s]
    own = sum(np.linalg.slogdet(joint.hessian_w(p, s, k)[at])[1] for k, at in enumerate(free))
    assert np.linalg.slogdet(whole)[1] < own


def pieces(kernel, classes, seed):
    p, s = point(kernel, classes, seed)
    check_point(p, s)
    check_blocks(p, s)
    f, one = joint.decision(p, s), s[0]
    slopes = joint.all_slopes(p, s, one.features)
    variances, of_theta, evidence = joint.laplace(p, s)
    r = joint.residual(p, f)
    rows = np.random.default_rng(seed + 1000).normal(size=(3, p.x.shape[1]))
    decision, from_w, from_theta, probability = joint.predict(p, s, rows)
    own = [{"basis": one.samples, "w": one.w, "alpha": one.alpha, "decision": f[:, k], "residual": r[:, k],
            "curvature": joint.curvature_of(p, f, k), "offset": joint.offset(f, k), "slopes": slopes[k],
            "gradient": phi(p.against_rest(k), one).T @ r[:, k] - one.alpha * one.w,
            "hessian": joint.hessian_w(p, s, k), "variances": variances[k]} for k, one in enumerate(s)]
    gradient = joint.theta_gradient(p, f, slopes) - one.beta * (one.theta - one.centre)
    return {"about": "The machine of several classes at one point. Gradients and Hessians have the priors in them.",
            "kernel": {"kind": kernel}, "x": p.x, "codes": p.codes, "row_weights": p.rho, "theta": one.theta,
            "beta": one.beta, "centre": one.centre, "log_likelihood": joint.log_likelihood(p, f), "classes": own,
            "gradient_theta": gradient, "hessian_theta": joint.hessian_theta(p, s), "variances_theta": of_theta,
            "log_evidence": evidence, "new_rows": rows, "decision": decision, "variance_samples": from_w,
            "variance_features": from_theta, "probability": probability}


# --- whole fits

def case(scores, n, m, seed, kernel, samples, least_z):
    x, codes = data(scores, n, m, seed)
    p, s, evidence, settled = joint.fit_joint(x, codes, kernel, samples, least_z=least_z)
    # Rounding must not decide: data moved by 1e-11 have to give the same course.
    noise = 1 + 1e-11 * np.random.default_rng(0).normal(size=x.shape)
    other = joint.fit_joint(x * noise, codes, kernel, samples, least_z=least_z)
    counts = lambda trace: [(i["samples"], i["weights"], i["features"], i["trial"]) for i in trace]
    assert counts(other[0].trace) == counts(p.trace)
    assert np.allclose([i["log_evidence"] for i in other[0].trace], [i["log_evidence"] for i in p.trace], atol=1e-7)
    for one, moved in zip(s, other[1]):
        assert list(one.samples) == list(moved.samples)
        assert np.allclose(one.w, moved.w, rtol=1e-7, atol=1e-7)

    new = np.random.default_rng(seed + 1000).normal(size=(5, m))
    decision, from_w, from_theta, probability = joint.predict(p, s, (new - x.mean(axis=0)) / x.std(axis=0))
    kept = [one.w[1:] > 0 for one in s]
    own = [{"samples": one.samples[k], "bias": one.w[0], "w": one.w[1:][k], "alpha": one.alpha[1:][k]}
           for one, k in zip(s, kept)]
    return {"about": "A whole fit of several classes. Counts of an iteration are those after its pruning.",
            "kernel": kernel, "samples_policy": samples, "least_z": least_z, "x": x, "codes": codes,
            "order": p.order, "prominent": p.prominent, "trace": p.trace, "trials": p.trials, "settled": settled,
            "log_evidence": evidence, "features": s[0].features, "theta": s[0].theta, "beta": s[0].beta,
            "classes": own, "new_rows": new, "decision": decision, "variance_samples": from_w,
            "variance_features": from_theta, "probability": probability}


def check_bar():
    """Wilson and Hilferty's chi^2 is the real one to a percent."""
    for rate in (0.005, 0.05):
        for directions in (2, 3, 9):
            c = shape(rate, directions)
            square = 1 + 4 * c + 2 * np.sqrt(2 * c * (1 + 2 * c))
            assert abs(square / chi2.isf(rate, directions) - 1) < 1e-2, (rate, directions, square)


def main(out_dir):
    check_bar()
    for kernel in ("rbf", "linear"):
        for classes in (3, 4):
            write(Path(out_dir), f"pieces_joint_{kernel}_{classes}.json", pieces(kernel, classes, 20 + classes))
    for name, *rest in CASES:
        content = case(*rest)
        print(name, "order", list(map(int, content["order"])), "prominent", int(content["prominent"].sum()),
              "iterations", len(content["trace"]), "features", list(map(int, content["features"])),
              "samples", [len(one["samples"]) for one in content["classes"]], "settled", content["settled"],
              "trials", [t["features"] for t in content["trials"]])
        write(Path(out_dir), f"fit_joint_{name}.json", content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

"""Write the golden fits of the default algorithm.

    python make_golden_default.py OUT_DIR        (the repository's crates/pfcvm/tests/golden)

Every number comes from slow_default.py, whose pieces are first held to those of slow.py.
"""
import sys
from pathlib import Path

import numpy as np

import slow
from make_golden import write
from slow_default import (Problem, fit_default, fresh_start, iterate, laplace, loglik, phi, predict, slopes, stages)

# Score of a row, and what rows are labelled by; the other features are noise.
SCORES = {
    "three together": lambda x: 0.9 * (x[:, 0] + x[:, 1] + x[:, 2]),
    "two and a product": lambda x: 0.8 * (x[:, 0] + x[:, 1]) + x[:, 2] * x[:, 3],
    "two products": lambda x: 2 * (x[:, 0] * x[:, 1] + x[:, 2] * x[:, 3]),
    "a line": lambda x: x[:, 0] - 0.7 * x[:, 1],
    "a wave": lambda x: 3 * np.sin(4 * x[:, 0]),
    "a wave and a product": lambda x: 3 * np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2],
    "two waves": lambda x: 3 * np.sin(3 * x[:, 0]) * np.cos(2 * x[:, 1]),
    "checks": lambda x: 3 * np.sin(3 * x[:, 0]) * np.sin(3 * x[:, 1]),
}
# Name, score, rows, features, seed, kernel, samples, least z of a trial (3 is the default). With another one the fast
# program is given its stages, and all samples take part: fewer than 100 rows. It draws its candidates where there are
# more than 666 rows, with a linear kernel more than 60.
CASES = [
    ("default_rbf", "three together", 100, 8, 7, "rbf", "few", 3.0),
    ("default_rbf_alone", "two and a product", 60, 8, 4, "rbf", "few", 3.0),
    ("default_rbf_dense", "three together", 100, 8, 7, "rbf", "dense", 3.0),
    ("default_rbf_frozen", "three together", 100, 8, 7, "rbf", "frozen", 3.0),
    ("default_rbf_frozen_hard", "two and a product", 160, 8, 4, "rbf", "frozen", 3.0),
    ("default_linear", "a line", 40, 8, 2, "linear", "few", 3.0),
    ("default_linear_dense", "a line", 40, 8, 1, "linear", "dense", 3.0),
    ("trials_accepted", "two and a product", 80, 12, 7, "rbf", "few", 1.5),
    ("trials_refused", "two and a product", 60, 10, 37, "rbf", "few", 1.5),
    ("another_start", "two products", 150, 20, 5, "rbf", "frozen", 3.0),
    ("another_start_few", "two products", 150, 20, 5, "rbf", "few", 3.0),
    ("trials_in_place", "two and a product", 60, 10, 7, "rbf", "dense", 1.5),
    ("growth_refused_at_once", "two waves", 200, 3, 1, "rbf", "dense", 3.0),
    ("growth_refused_at_the_end", "two waves", 200, 3, 5, "rbf", "frozen", 3.0),
    ("growth_refused_few", "two products", 200, 6, 3, "rbf", "few", 3.0),
    ("growth_accepted", "two waves", 660, 3, 1, "rbf", "frozen", 3.0),
    ("growth_enough", "two waves", 560, 3, 1, "rbf", "frozen", 3.0),
    ("growth_accepted_twice", "checks", 390, 2, 1, "rbf", "frozen", 3.0),
    ("growth_accepted_few", "a wave", 650, 3, 1, "rbf", "few", 3.0),
    ("growth_prominent", "two and a product", 200, 6, 1, "rbf", "few", 3.0),
    ("growth_then_trials", "a wave and a product", 300, 5, 1, "rbf", "few", 3.0),
]


def data(score, n, m, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, m))
    values = SCORES[score](x) + (0.5 if score == "two and a product" else 0.8) * rng.normal(size=n)
    return x, np.where(values > np.median(values), 1.0, -1.0)


def check_pieces():
    """At a state on the way, both programs have the same decision, slopes and evidence."""
    x, y = data("three together", 25, 4, 0)
    for kernel in ("rbf", "linear"):
        p = Problem(x, y, kernel, 0.05, np.zeros(4, bool))
        s = fresh_start(p, np.arange(4))
        for iteration in range(3):
            s = iterate(p, s, stages(kernel, "few", 3.0)[0], iteration == 0)[0]
        point = slow.Point(x=x[:, s.features], y=y, likelihood_weights=np.ones(len(y)), kernel={"kind": kernel},
                           basis=s.samples, theta=s.theta, w=s.w, alpha=s.alpha, beta=s.beta)
        f = phi(p, s) @ s.w
        free = np.concatenate([[True], s.w[1:] > 0])
        evidence = (loglik(p, f) + laplace(phi(p, s), f, s.w, 0.0, s.alpha, free)[1]
                    + laplace(slopes(p, s, s.features), f, s.theta, s.centre, s.beta, s.theta > 0)[1])
        assert np.allclose(f, slow.decision(point), atol=1e-12)
        assert np.allclose(slopes(p, s, s.features), slow.theta_jacobian(point), atol=1e-12)
        assert abs(evidence - slow.log_evidence(point)) < 1e-9
        rows = np.random.default_rng(1).normal(size=(3, 4))
        ours, theirs = predict(p, s, rows), slow.predict(point, rows[:, s.features])
        for found, key in zip(ours, ("decision", "variance_samples", "variance_features")):
            assert np.allclose(found, theirs[key], atol=1e-10)


def case(score, n, m, seed, kernel, samples, least_z):
    x, y = data(score, n, m, seed)
    p, s, evidence, settled = fit_default(x, y, kernel, samples, least_z=least_z)
    # Rounding must not decide: data moved by 1e-11 have to give the same course.
    noise = 1 + 1e-11 * np.random.default_rng(0).normal(size=x.shape)
    other = fit_default(x * noise, y, kernel, samples, least_z=least_z)
    counts = lambda trace: [(i["samples"], i["features"], i["trial"]) for i in trace]
    assert counts(other[0].trace) == counts(p.trace)
    assert np.allclose([i["log_evidence"] for i in other[0].trace], [i["log_evidence"] for i in p.trace], atol=1e-7)
    assert list(other[1].samples) == list(s.samples)
    assert np.allclose(other[1].w, s.w, rtol=1e-7, atol=1e-7)

    new = np.random.default_rng(seed + 1000).normal(size=(4, m))
    decision, from_w, from_theta = predict(p, s, (new - x.mean(axis=0)) / x.std(axis=0))
    kept = s.w[1:] > 0
    return {"about": "A whole fit by the default algorithm. Counts of an iteration are those after its pruning.",
            "kernel": kernel, "samples_policy": samples, "least_z": least_z, "x": x, "y": y,
            "prominent": p.prominent, "trace": p.trace, "trials": p.trials, "settled": settled, "fallen": len(p.fallen),
            "log_evidence": evidence, "samples": s.samples[kept], "features": s.features,
            "bias": s.w[0], "w": s.w[1:][kept], "alpha": s.alpha[1:][kept], "theta": s.theta, "beta": s.beta,
            "new_rows": new, "decision": decision, "variance_samples": from_w, "variance_features": from_theta}


def main(out_dir):
    check_pieces()
    for name, *rest in CASES:
        content = case(*rest)
        print(name, "prominent", int(content["prominent"].sum()), "iterations", len(content["trace"]),
              "features", list(map(int, content["features"])), "samples", len(content["samples"]),
              "settled", content["settled"], "fallen", content.pop("fallen"), "trials",
              [(round(float(t["gain"]), 2), bool(t["accepted"]), t.get("joined", 0)) for t in content["trials"]])
        write(Path(out_dir), f"fit_{name}.json", content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

"""The slow references against what must hold of them whatever the data are."""
import unittest

import numpy as np

import slow_broad as broad
import slow_goals as goals
from slow_default import State
from slow_projection import DIVERGENCE, LITTLE, most_samples, project


class Projection(unittest.TestCase):
    def test_few_samples_say_what_many_say(self):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(120, 2))
        sign = np.where(x[:, 0] > 0, 1.0, -1.0)
        phi = np.column_stack([np.ones(120), np.exp(-0.5 * np.sum((x[:, None] - x[None]) ** 2, axis=2)) * sign])
        w = np.concatenate([[0.2], rng.uniform(0, 0.3, 120)])
        alpha = np.concatenate([[0.01], np.full(120, 2.0)])
        s = State(np.arange(2), None, None, None, None, np.arange(120), w, alpha)
        c = np.full(120, 0.2)
        few = project(s, phi, c, np.ones(120))
        kept = np.concatenate([[0], few.samples + 1])
        left = phi @ w - phi[:, kept] @ few.w
        self.assertLessEqual(len(few.samples), most_samples(120))
        self.assertTrue((few.w[1:] > 0).all())
        self.assertLess(0.5 * np.mean((c + LITTLE) * left**2), DIVERGENCE)
        # No weight that is there would rather be another, and the pull of the prior is what it was.
        self.assertLess(np.abs(phi[:, kept].T @ ((c + LITTLE) * left)).max(), 1e-9)
        self.assertTrue(np.allclose(few.alpha[1:] * few.w[1:], 2.0 * w[1:][few.samples]))


class Broad(unittest.TestCase):
    def test_the_mode_is_where_the_slope_is_the_priors(self):
        rng = np.random.default_rng(5)
        # Machines in turns go slowly where all decision values move together.
        for classes, close in ((2, 1e-9), (3, 1e-4)):
            x = rng.normal(size=(40, 3))
            codes = rng.permutation(np.arange(40) % classes)
            rows = broad.Rows(x, codes, rng.uniform(0.5, 1.5, 40), classes, "rbf")
            c = broad.covariance(x, x, x, (0.1, 4.0), "rbf")
            a, f = broad.mode(rows, c, 300)
            for at, k in enumerate(rows.machines()):
                seen = f[:, at] + broad.offset(rows, f, k)
                slope = rows.rho * ((codes == k) - 1 / (1 + np.exp(-seen)))
                self.assertLess(np.abs(a[:, at] - slope).max(), close)


class Goals(unittest.TestCase):
    def test_of_equals_the_last_is_said(self):
        p = np.full((4, 2), 0.5)
        self.assertEqual(goals.score(p, np.array([0, 1, 1, 1]), np.ones(4))["accuracy"], 0.75)


if __name__ == "__main__":
    unittest.main()

"""A Newton step that keeps to u >= 0, by scipy's solver for bounded least squares.

    largest g.d - 1/2 d.H d  with  u + d >= 0  where a coordinate is bounded

With H = L L^T that is the least |L^T d - L^-1 g|. Coordinates that do not move are left out; where those that do are more
than there are rows the fast program never forms H and cuts the plain step off instead, and so does this one.
"""
import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import lsq_linear


def bounded_step(hessian, gradient, u, bounded, rows):
    moving = ~bounded | (u > 0) | (gradient > 0)
    h, g = hessian[np.ix_(moving, moving)], gradient[moving]
    step = np.zeros(len(u))
    step[moving] = np.linalg.solve(h, g)
    room = np.where(bounded, u, np.inf)[moving]
    if moving.sum() > rows or np.all(step[moving] >= -room):
        return step
    root = cholesky(h, lower=True)
    found = lsq_linear(root.T, solve_triangular(root, g, lower=True), (-room, np.inf), method="bvls", tol=1e-15,
                       max_iter=10000)
    # Again over the coordinates that it left inside: its own digits end earlier.
    inside = found.active_mask == 0
    best = np.where(inside, 0.0, -np.where(np.isfinite(room), room, 0.0))
    best[inside] = np.linalg.solve(h[np.ix_(inside, inside)], g[inside] - h[np.ix_(inside, ~inside)] @ best[~inside])
    slope = g - h @ best
    assert np.all(best >= -room - 1e-9) and np.all(slope[~inside] <= 1e-7 * (1 + np.abs(g[~inside]))), "not the best step"
    step[moving] = best
    return step

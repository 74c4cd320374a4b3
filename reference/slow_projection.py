"""What many samples say, said with few: written plainly from its formula.

    minimise  1/2 sum_i v_i (f_i - u_0 - sum_j u_j phi_j(x_i))^2   over few samples j and u_j >= 0

f are the decision values of all samples, v is the curvature of the likelihood and a hundredth of the row's weight.
Samples come in one by one, always the one whose column goes along best with what is left; after each, all weights
are found again by least squares, and the first that is not above 0 goes for good until none is left. It ends when
the mean of the above over the rows' weights is 1e-3, when a tenth of the rows (at least 10, at most 200) are in, or
when no column goes along. Only samples with a weight above 0 are asked; with no more of them than may stay nothing
is done. The precision of a sample becomes alpha w / u: what the prior pulled at the mode, it pulls again.
"""
from dataclasses import replace

import numpy as np

DIVERGENCE, LITTLE = 1e-3, 0.01


def most_samples(rows):
    return min(max(rows // 10, 10), 200)


def squares(columns, f, v, chosen):
    """The weights of bias and chosen columns, and what is left of f."""
    some = np.column_stack([np.ones(len(f))] + [columns[:, j] for j in chosen])
    root = np.sqrt(v)
    u = np.linalg.lstsq(root[:, None] * some, root * f, rcond=None)[0]
    return u, f - some @ u


def greedy(columns, f, v, total, log=None):
    """Chosen columns in the order they came in, and weights, the bias first. `log` is told what went again."""
    chosen, asked = [], set()
    u, left = squares(columns, f, v, chosen)
    while len(chosen) < most_samples(len(f)) and 0.5 * np.sum(v * left**2) > DIVERGENCE * total:
        along = {j: np.sum(v * left * column) / np.sqrt(np.sum(v * column**2))
                 for j, column in enumerate(columns.T) if j not in asked}
        if not along or max(along.values()) <= 0:
            break
        best = max(along, key=lambda j: (along[j], -j))
        asked.add(best)
        chosen.append(best)
        u, left = squares(columns, f, v, chosen)
        while (u[1:] <= 0).any():
            below = int(np.argmax(u[1:] <= 0))
            if log is not None:
                log.append(chosen[below])
            del chosen[below]
            u, left = squares(columns, f, v, chosen)
    return chosen, u


def project(s, phi, curvature, rho, log=None):
    """The state s of one machine with few samples; phi are the columns of its bias and samples."""
    above = np.flatnonzero(s.w[1:] > 0)
    if len(above) <= most_samples(len(phi)):
        return s
    columns, f = phi[:, 1:][:, above], phi @ s.w
    chosen, u = greedy(columns, f, curvature + LITTLE * rho, rho.sum(), log)
    order = np.argsort(above[chosen])
    at, weights = above[chosen][order], u[1:][order]
    alpha = s.alpha[1:][at] * s.w[1:][at] / weights
    return replace(s, samples=s.samples[at], w=np.concatenate([u[:1], weights]),
                   alpha=np.concatenate([s.alpha[:1], alpha]))

"""Sets with a known truth, for `bench_trust.py`: noise alone, and designs in which some features matter.

A name says everything of a design, and with a seed everything of a set:

    noise-NxM[-1to4][-t3|-binary][-ar|-blocks]       N rows, M features, labels that have nothing to do with them
    FORM-KofM-N[-weak][-ar|-blocks]                  K of M features matter, N rows; FORM: linear, quadratic, xor
    permuted-NAME                                    a real set (folder PFCVM_DATA) with its labels shuffled

- Rows are Gaussian with unit variance: independent, `ar` (correlation .7^distance), or `blocks` of five neighbours
  with correlation .9. `t3` and `binary` turn each Gaussian value z into the value of Student's t with 3 degrees at
  the same quantile, with unit variance, or into z > 0.
- Noise has labels in exact shares, half and half or `1to4`, in random order.
- Where features matter, P(y = 1) = 1 / (1 + exp(-logit)) with logit = strength * sum of terms, strength 1 or (`weak`)
  1/2. Terms: x_j; x_j^2 - 1; or the products of pairs (1st and 2nd, 3rd and 4th, ..., an odd last one with the 1st).
- The K features that matter stand at columns floor((j + 1/2) M / K), j = 0 .. K - 1: far apart, never in one block.
- The random numbers of set `seed` are those of numpy's default generator seeded with [seed, CRC-32 of the name]:
  first the training rows, then the fresh ones, each as features (one matrix of normals, for blocks one more matrix
  before it) and then labels.
"""
import re
import zlib
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtrit

AR, BLOCK, WITHIN_BLOCK = 0.7, 5, 0.9
FRESH_ROWS = 1000
NEAR = 0.2

NOISE_SIZES = [(60, 2000), (100, 20), (100, 500), (400, 20), (400, 100), (2000, 50)]
FORMS = ("linear", "quadratic", "xor")
MARGINALS = ("gaussian", "t3", "binary")
CORRELATIONS = ("independent", "ar", "blocks")
REAL = {
    "colon": "colon", "duke": "duke", "prostate_ge": "prostate_ge", "heart": "raetsch/heart",
    "german": "raetsch/german", "sonar": "sonar", "wdbc": "wdbc", "eeg_alcoholism_de": "eeg_alcoholism_de",
}


@dataclass(frozen=True)
class Design:
    form: str
    rows: int = 0
    columns: int = 0
    matter: int = 0
    weak: bool = False
    rare: bool = False
    marginal: str = "gaussian"
    correlation: str = "independent"
    real: str = ""

    @property
    def name(self):
        if self.real:
            return f"permuted-{self.real}"
        if self.form == "noise":
            words = [f"noise-{self.rows}x{self.columns}"]
        else:
            words = [f"{self.form}-{self.matter}of{self.columns}-{self.rows}"]
        words += ["1to4"] * self.rare + ["weak"] * self.weak
        words += [word for word in (self.marginal, self.correlation) if word not in ("gaussian", "independent")]
        return "-".join(words)

    @property
    def is_noise(self):
        return self.matter == 0

    def true_columns(self):
        return np.array([int((j + 0.5) * self.columns / self.matter) for j in range(self.matter)], dtype=int)

    def near_columns(self):
        """Which features correlate with one that matters by at least NEAR, without mattering themselves."""
        true, at = self.true_columns(), np.arange(self.columns)
        near = np.zeros(self.columns, dtype=bool)
        for column in true:
            if self.correlation == "ar":
                near |= AR ** np.abs(at - column) >= NEAR
            elif self.correlation == "blocks":
                near |= at // BLOCK == column // BLOCK
        near[true] = False
        return near

    def draw(self, seed):
        rng = np.random.default_rng([seed, zlib.crc32(self.name.encode())])
        if self.real:
            return permuted(self.real, rng)
        train, fresh = (self.part(rng, rows) for rows in (self.rows, FRESH_ROWS))
        return Set(*train, *fresh, self.true_columns(), self.near_columns())

    def part(self, rng, rows):
        x = with_marginal(normals(rng, rows, self.columns, self.correlation), self.marginal)
        if self.is_noise:
            share = 5 if self.rare else 2
            return x, rng.permutation((np.arange(rows) % share == 0).astype(int))
        logit = (0.5 if self.weak else 1.0) * terms(x[:, self.true_columns()], self.form).sum(axis=1)
        return x, (rng.random(rows) < 1 / (1 + np.exp(-logit))).astype(int)


@dataclass
class Set:
    x: np.ndarray
    y: np.ndarray
    fresh_x: np.ndarray
    fresh_y: np.ndarray
    true: np.ndarray
    near: np.ndarray


def normals(rng, rows, columns, correlation):
    if correlation == "blocks":
        common = rng.standard_normal((rows, -(-columns // BLOCK)))
        own = rng.standard_normal((rows, columns))
        return np.sqrt(WITHIN_BLOCK) * np.repeat(common, BLOCK, axis=1)[:, :columns] + np.sqrt(1 - WITHIN_BLOCK) * own
    z = rng.standard_normal((rows, columns))
    if correlation == "ar":
        for j in range(1, columns):
            z[:, j] = AR * z[:, j - 1] + np.sqrt(1 - AR**2) * z[:, j]
    return z


def with_marginal(z, marginal):
    if marginal == "t3":
        return stdtrit(3, ndtr(z)) / np.sqrt(3)
    return (z > 0).astype(float) if marginal == "binary" else z


def terms(x, form):
    if form == "linear":
        return x
    if form == "quadratic":
        return x**2 - 1
    first = np.arange(0, x.shape[1], 2)
    second = np.where(first + 1 < x.shape[1], first + 1, 0)
    return x[:, first] * x[:, second]


def permuted(name, rng):
    """A third of the rows of each class is kept apart as fresh, after the labels were shuffled."""
    from datasets import data_file, load

    x, y = load(data_file(REAL[name]))
    y = rng.permutation((y == y.max()).astype(int))
    fresh = np.zeros(len(y), dtype=bool)
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(y == label))
        fresh[rows[: len(rows) // 3]] = True
    nothing = np.array([], dtype=int)
    return Set(x[~fresh], y[~fresh], x[fresh], y[fresh], nothing, np.zeros(x.shape[1], dtype=bool))


def named(name):
    """The design of a name."""
    if name.startswith("permuted-") and name[9:] in REAL:
        return Design("noise", real=name[9:])
    noise = re.fullmatch(r"noise-(\d+)x(\d+)((?:-\w+)*)", name)
    signal = re.fullmatch(r"(linear|quadratic|xor)-(\d+)of(\d+)-(\d+)((?:-\w+)*)", name)
    if noise:
        rows, columns, words = noise.groups()
        form, matter = "noise", 0
    elif signal:
        form, matter, columns, rows, words = signal.groups()
    else:
        raise SystemExit(f"there is no design `{name}`")
    words = words.split("-")[1:]
    pick = lambda choices: next((word for word in words if word in choices), choices[0])
    design = Design(form, int(rows), int(columns), int(matter), "weak" in words, "1to4" in words,
                    pick(MARGINALS), pick(CORRELATIONS))
    if design.name != name:
        raise SystemExit(f"there is no design `{name}`; the nearest is `{design.name}`")
    return design


def quick():
    """A design of each kind."""
    return [named(name) for name in (
        "noise-60x2000", "noise-100x20", "noise-100x500-ar", "noise-400x20-1to4", "noise-400x100-t3-blocks",
        "linear-5of50-200", "linear-5of50-200-weak-ar", "linear-5of100-400-blocks", "linear-10of1000-400",
        "quadratic-5of50-400", "xor-5of50-400",
    )]


def full():
    """Each departure from the plainest design by itself, and all of them together for noise."""
    noise = [dict(), dict(rare=True), dict(marginal="t3"), dict(marginal="binary"), dict(correlation="ar"),
             dict(correlation="blocks"), dict(rare=True, marginal="t3", correlation="blocks")]
    signal = [dict(), dict(weak=True), dict(correlation="ar"), dict(correlation="blocks")]
    sizes = [(5, 50, 200), (5, 100, 400), (10, 100, 400), (5, 1000, 200), (10, 1000, 400)]
    return [Design("noise", rows, columns, **change) for rows, columns in NOISE_SIZES for change in noise] + [
        Design(form, rows, columns, matter, **change)
        for form in FORMS for matter, columns, rows in sizes for change in signal
    ]


def every():
    """All that can be combined."""
    return [
        Design("noise", rows, columns, rare=rare, marginal=marginal, correlation=correlation)
        for rows, columns in NOISE_SIZES for rare in (False, True) for marginal in MARGINALS
        for correlation in CORRELATIONS
    ] + [
        Design(form, rows, columns, matter, weak, correlation=correlation)
        for form in FORMS for matter in (5, 10) for columns in (50, 100, 1000) for rows in (200, 400)
        for weak in (False, True) for correlation in CORRELATIONS
    ]


def real():
    return [Design("noise", real=name) for name in REAL]

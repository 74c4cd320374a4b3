"""Coefficients of the Chebyshev series that crates/pfcvm/src/normal.rs sums.

    python make_erfcx.py

(1 + 2x) erfcx(x) for x >= 0 is smooth in t = (x - 3.75) / (x + 3.75), which runs from -1 to 1 (Shepherd and
Laframboise 1981). The series is fitted here to 40 digits with mpmath, cut where it no longer matters to a double, and
printed last coefficient first, as Clenshaw's sum wants it.
"""

import mpmath as mp

mp.mp.dps = 40
SHIFT = mp.mpf("3.75")
NODES = 80


def value(t):
    if t == 1:
        return 2 / mp.sqrt(mp.pi)
    x = SHIFT * (1 + t) / (1 - t)
    # The continued fraction far out, where exp(x²) erfc(x) would be 0 times infinity.
    if x > 40:
        tail = mp.nsum(lambda k: (-1) ** int(k) * mp.fac2(2 * int(k) - 1) / (2 * x * x) ** int(k), [0, 12])
        return (1 + 2 * x) * tail / (x * mp.sqrt(mp.pi))
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def main():
    angles = [mp.pi * (k + mp.mpf(1) / 2) / NODES for k in range(NODES)]
    values = [value(mp.cos(a)) for a in angles]
    series = [2 * mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles)) / NODES for j in range(NODES)]
    series[0] /= 2
    last = max(j for j, c in enumerate(series) if abs(c) > mp.mpf("2e-17"))
    for c in reversed(series[: last + 1]):
        print(f"    {float(c)!r},")


if __name__ == "__main__":
    main()

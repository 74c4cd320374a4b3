//! Regularised incomplete beta and gamma functions: a density times a continued fraction or a
//! series. The density is Loader's saddle-point form ("Fast and accurate computation of binomial
//! probabilities", 2000), which keeps its digits when the parameters are large.

use std::f64::consts::TAU;

/// A continued fraction needs about √max(a, b) terms; this is enough for parameters of 1e12.
const MOST_TERMS: usize = 3_000_000;
/// Stands for a zero denominator in Lentz's method.
const TINY: f64 = 1e-300;

/// I_x(a, b) with y = 1 − x given too, since one of the two may be known better than the other.
pub(super) fn beta_lower(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if y <= 0.0 {
        1.0
    } else if x * (a + b + 2.0) <= a + 1.0 {
        beta_fraction(a, b, x, y).clamp(0.0, 1.0)
    } else {
        (1.0 - beta_fraction(b, a, y, x)).clamp(0.0, 1.0)
    }
}

/// P(X ≤ count) for a binomial variable of `total` trials with probability ½.
pub(crate) fn binomial_half_lower_tail(count: f64, total: f64) -> f64 {
    if count >= total { 1.0 } else { beta_lower(total - count, count + 1.0, 0.5, 0.5) }
}

/// Q(a, x) = Γ(a, x)/Γ(a).
pub(super) fn gamma_upper(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else if x < a + 1.0 {
        (1.0 - gamma_series(a, x)).clamp(0.0, 1.0)
    } else {
        gamma_fraction(a, x).clamp(0.0, 1.0)
    }
}

/// I_x(a, b) where its continued fraction converges fast: x ≤ (a+1)/(a+b+2).
fn beta_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    // x^a y^b / B(a, b), by way of a binomial density.
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    let front = (a * b / (TAU * n)).sqrt() * exponent.exp();

    // The even part of the usual fraction: its terms do not cancel near the mean a/(a+b).
    let slack = a * y - b * x + 1.0;
    let denominator = |m: f64| {
        let even = if m > 0.0 { m * (b - m) * x / (a + 2.0 * m - 1.0) } else { 0.0 };
        m + even + (a + m) * (slack + m * (2.0 - x)) / (a + 2.0 * m + 1.0)
    };
    let mut value = away_from_zero(denominator(0.0));
    let (mut c, mut d) = (value, 0.0);
    for term in 1..MOST_TERMS {
        let m = term as f64;
        let root = x / (a + 2.0 * m - 1.0);
        let numerator = (a + m - 1.0) * root * ((n + m - 1.0) * root) * (m * (b - m));
        let next = denominator(m);
        d = 1.0 / away_from_zero(next + numerator * d);
        c = away_from_zero(next + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    front / value
}

/// x^a e^-x / Γ(a+1), by way of a Poisson density.
fn gamma_front(a: f64, x: f64) -> f64 {
    (-stirling_error(a) - deviance(a, x)).exp() / (TAU * a).sqrt()
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..MOST_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    gamma_front(a, x) * sum
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / away_from_zero(b);
    let mut value = d;
    for term in 1..MOST_TERMS {
        let n = term as f64;
        let numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    gamma_front(a, x) * a * value
}

fn away_from_zero(value: f64) -> f64 {
    if value.abs() < TINY { TINY } else { value }
}

/// ln Γ(z+1) − ln(√(2πz) (z/e)^z), the error of Stirling's formula.
fn stirling_error(z: f64) -> f64 {
    if z < 16.0 {
        return pxfm::f_lgamma(z + 1.0) - (z + 0.5) * z.ln() + z - 0.5 * TAU.ln();
    }
    // 1/(12z) − 1/(360z³) + …; the first term left out is 1e-16 at 16.
    let square = 1.0 / (z * z);
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0];
    terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / z
}

/// x ln(x/mean) + mean − x, which vanishes with its derivative at x = mean.
fn deviance(x: f64, mean: f64) -> f64 {
    if mean < 0.5 * x || mean > 2.0 * x {
        return x * (x.ln() - mean.ln()) + mean - x;
    }
    -x * pxfm::f_log1pmx((mean - x) / x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stirling_error_is_smooth_where_the_formula_changes() {
        // The derivative is about −1/(12z²).
        let (below, above) = (stirling_error(16.0 - 1e-11), stirling_error(16.0));
        assert!((below - above).abs() < 1e-13, "{below} {above}");
        // ln 1! and ln 2!
        assert!((stirling_error(1.0) - (1.0 - 0.5 * TAU.ln())).abs() < 1e-15);
        assert!((stirling_error(2.0) - (2.0 - 1.5 * 2f64.ln() - 0.5 * TAU.ln())).abs() < 1e-15);
    }

    #[test]
    fn binomial_tails_are_sums() {
        // Exact in integers: Σ C(10, i) for i ≤ 3 is 176.
        let found = binomial_half_lower_tail(3.0, 10.0);
        assert!((found - 176.0 / 1024.0).abs() < 1e-15, "{found}");
        assert_eq!(binomial_half_lower_tail(10.0, 10.0), 1.0);
        let none = binomial_half_lower_tail(0.0, 1000.0);
        assert!((none / 0.5f64.powi(1000) - 1.0).abs() < 1e-13, "{none:e}");
    }
}

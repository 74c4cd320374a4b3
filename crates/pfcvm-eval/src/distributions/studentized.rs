//! The range of k independent standard normal variables, which is the studentized range with
//! infinite degrees of freedom:
//!
//! P(Q ≤ q) = k ∫ φ(z) [Φ(z) − Φ(z−q)]^(k−1) dz, and since k ∫ φ Φ^(k−1) = 1,
//! P(Q > q) = k ∫ φ(z) Φ(z)^(k−1) {1 − [1 − Φ(z−q)/Φ(z)]^(k−1)} dz.
//!
//! Both integrands are smooth and vanish at both ends, where the trapezoid rule converges faster
//! than any power of its step. φ(39) is the last one that is not zero.

use std::f64::consts::SQRT_2;

use super::{
    SMALLEST_TAIL, normal_density, normal_upper_quantile, normal_upper_tail, where_tail_is,
};

const REACH: f64 = 39.0;
/// Steps to begin with, each 1/8 wide.
const STEPS: usize = 624;
/// The step is halved at most this often.
const HALVINGS: usize = 8;

/// P(Q > q) for the range Q of `count` standard normal variables (the studentized range with
/// infinite degrees of freedom): 1 for q ≤ 0, 0 for fewer than two variables and q > 0.
pub fn studentized_range_upper_tail(q: f64, count: usize) -> f64 {
    if q.is_nan() {
        return f64::NAN;
    }
    if q <= 0.0 {
        return 1.0;
    }
    if count < 2 || q.is_infinite() {
        return 0.0;
    }
    upper(q, count as f64)
}

/// The q with P(Q > q) = `tail` for the range of `count` standard normal variables. NaN unless
/// `tail` lies in [1e-250, 1) and `count` is at least 2.
pub fn studentized_range_upper_quantile(tail: f64, count: usize) -> f64 {
    if !(SMALLEST_TAIL..1.0).contains(&tail) || count < 2 {
        return f64::NAN;
    }
    // Q is at least the distance of the first two variables, and some pair is that far apart: the
    // distance of one pair is √2 |Z|.
    let k = count as f64;
    let low = SQRT_2 * normal_upper_quantile(0.5 * tail);
    if count == 2 {
        return low;
    }
    let high = SQRT_2 * normal_upper_quantile(tail / (k * (k - 1.0)));
    if tail <= 0.5 {
        where_tail_is(tail, low, high, |q| upper(q, k))
    } else {
        // 1 − tail is exact here, and the lower probability keeps digits that the upper one loses.
        where_tail_is(1.0 - tail, low, high, |q| lower(q, k))
    }
}

/// P(Z ≤ z).
fn normal_lower_tail(z: f64) -> f64 {
    normal_upper_tail(-z)
}

fn upper(q: f64, k: f64) -> f64 {
    integral(|z| {
        let below = normal_lower_tail(z);
        let ln_below = if z < 0.0 { below.ln() } else { (-normal_upper_tail(z)).ln_1p() };
        let ratio = (normal_lower_tail(z - q) / below).min(1.0);
        let missed = -((k - 1.0) * (-ratio).ln_1p()).exp_m1();
        k * normal_density(z) * ((k - 1.0) * ln_below).exp() * missed
    })
    .min(1.0)
}

fn lower(q: f64, k: f64) -> f64 {
    let power = |z: f64| ((k - 1.0) * ln_between(z - 0.5 * q, 0.5 * q)).exp();
    integral(|z| k * normal_density(z) * power(z)).min(1.0)
}

/// ln P(middle − half < Z < middle + half).
fn ln_between(middle: f64, half: f64) -> f64 {
    let near = -middle.abs();
    if half > 0.01 {
        let outside = normal_lower_tail(near - half) + normal_upper_tail(near + half);
        if outside < 0.5 {
            return (-outside).ln_1p();
        }
        return (normal_lower_tail(near + half) - normal_lower_tail(near - half)).ln();
    }
    // Taylor: the Hermite polynomials 1, m²−1, m⁴−6m²+3, m⁶−15m⁴+45m²−15 over 1!, 3!, 5!, 7!.
    let (m, h) = (middle * middle, half * half);
    let third = m * (m * (m - 15.0) + 45.0) - 15.0;
    let series = 1.0 + h / 6.0 * (m - 1.0 + h / 20.0 * (m * (m - 6.0) + 3.0 + h / 42.0 * third));
    (2.0 * half * normal_density(middle) * series).ln()
}

/// ∫ f over [−39, 39] by the trapezoid rule, halving the step until the sum stands still.
fn integral(f: impl Fn(f64) -> f64) -> f64 {
    let mut step = 2.0 * REACH / STEPS as f64;
    let mut count = STEPS;
    // Where Φ underflows, the integrand is 0 and not 0/0.
    let f = |z: f64| if z < -37.0 { 0.0 } else { f(z) };
    let mut sum: f64 = (1..count).map(|at| f(-REACH + step * at as f64)).sum();
    for _ in 0..HALVINGS {
        let middles: f64 = (0..count).map(|at| f(-REACH + step * (at as f64 + 0.5))).sum();
        // The error is squared by each halving, so this one is the last that matters.
        let settled = (middles - sum).abs() <= 1e-9 * sum;
        sum += middles;
        step *= 0.5;
        count *= 2;
        if settled {
            break;
        }
    }
    sum * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_variables_have_a_closed_form() {
        for q in [1e-6, 0.1, 1.0, 2.77, 7.0, 30.0, 50.0] {
            let expected = pxfm::f_erfc(0.5 * q);
            let found = studentized_range_upper_tail(q, 2);
            assert!((found / expected - 1.0).abs() < 1e-12, "{q}: {found:e} for {expected:e}");
            let expected = pxfm::f_erf(0.5 * q);
            let found = lower(q, 2.0);
            assert!((found / expected - 1.0).abs() < 1e-12, "{q}: {found:e} for {expected:e}");
        }
        assert!((lower(studentized_range_upper_quantile(0.05, 2), 2.0) - 0.95).abs() < 1e-14);
    }

    /// P(Q ≤ q) of three variables: a second form, from the density of the range,
    /// 6/√π · e^(−q²/4)·(Φ(q/√6) − ½), integrated by the midpoint rule.
    #[test]
    fn three_variables_from_the_density_of_the_range() {
        let f = |r: f64| {
            let half = normal_lower_tail(r / 6f64.sqrt()) - 0.5;
            6.0 / std::f64::consts::PI.sqrt() * (-0.25 * r * r).exp() * half
        };
        for q in [0.2, 1.0, 3.314, 6.0] {
            let pieces = 20_000;
            let step = q / f64::from(pieces);
            let sum: f64 = (0..pieces).map(|at| f(step * (f64::from(at) + 0.5))).sum();
            let found = lower(q, 3.0);
            // The midpoint rule errs by step²/24 times the change of the slope, below 2.
            assert!((found - sum * step).abs() < 1e-8, "{q}: {found} for {}", sum * step);
            assert!((found + studentized_range_upper_tail(q, 3) - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn quantiles_undo_tails() {
        for count in [2, 3, 6, 50, 10_000, 1_000_000_000] {
            for tail in [1e-250, 1e-20, 1e-3, 0.05, 0.4, 0.6, 0.99, 1.0 - 1e-9] {
                let q = studentized_range_upper_quantile(tail, count);
                let (found, expected) = if tail <= 0.5 {
                    (studentized_range_upper_tail(q, count), tail)
                } else {
                    (lower(q, count as f64), 1.0 - tail)
                };
                let bound = 1e-12 * (1.0 + q * q);
                assert!((found / expected - 1.0).abs() < bound, "{count}, {tail}: {q}, {found:e}");
            }
        }
    }

    #[test]
    fn no_digits_are_lost_for_short_ranges() {
        // Both forms of the probability between two points, where they meet.
        for middle in [0.0, 0.7, 3.0, 8.0] {
            let difference = ln_between(middle, 0.01) - ln_between(middle, 0.01 + 1e-13);
            assert!(difference.abs() < 1e-10, "{middle}: {difference}");
        }
    }
}

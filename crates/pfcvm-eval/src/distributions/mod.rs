//! Tails and quantiles behind the tests. A tail is P(X > x): it is computed as such, not as 1 minus
//! something, so that small ones keep their digits. Every tail lies in [0, 1]; it is NaN only if an
//! argument is NaN, or a number of degrees of freedom is not above 0. Twelve digits are right for up
//! to 1e6 degrees of freedom; beyond 1e12 there may be none.

mod incomplete;
mod studentized;

use std::f64::consts::{PI, SQRT_2, TAU};

pub(crate) use incomplete::binomial_half_lower_tail;
use incomplete::{beta_lower, gamma_upper};
pub use studentized::{studentized_range_upper_quantile, studentized_range_upper_tail};

/// Quantiles of ranges are found for tails from here on; a pair's share of one must not underflow,
/// however many pairs there are.
pub(crate) const SMALLEST_TAIL: f64 = 1e-250;

/// P(Z > z) for the standard normal distribution.
pub fn normal_upper_tail(z: f64) -> f64 {
    0.5 * pxfm::f_erfc(z / SQRT_2)
}

/// The z with P(Z > z) = `tail`: infinite at 0 and 1, NaN outside [0, 1].
pub fn normal_upper_quantile(tail: f64) -> f64 {
    let mut z = SQRT_2 * pxfm::f_erfcinv(2.0 * tail);
    // Far out the inverse is good to seven digits only; a Newton step doubles them.
    for _ in 0..2 {
        let step = (normal_upper_tail(z) - tail) / normal_density(z);
        if step.is_finite() {
            z += step;
        }
    }
    z
}

/// P(X > x) for the chi-square distribution; 1 for x ≤ 0.
pub fn chi_square_upper_tail(x: f64, degrees_of_freedom: f64) -> f64 {
    if x.is_nan() || !positive(degrees_of_freedom) {
        return f64::NAN;
    }
    gamma_upper(0.5 * degrees_of_freedom, 0.5 * x.max(0.0))
}

/// P(T > t) for Student's t distribution.
pub fn t_upper_tail(t: f64, degrees_of_freedom: f64) -> f64 {
    let outside = 0.5 * t_two_sided(t, degrees_of_freedom);
    if t > 0.0 { outside } else { 1.0 - outside }
}

/// P(|T| > |t|) for Student's t distribution.
pub fn t_two_sided(t: f64, degrees_of_freedom: f64) -> f64 {
    if t.is_nan() || !positive(degrees_of_freedom) {
        return f64::NAN;
    }
    // The two parts of 1 = ν/(ν+t²) + t²/(ν+t²), each computed without cancellation.
    let ratio = t / degrees_of_freedom.sqrt();
    let square = ratio * ratio;
    if square.is_infinite() {
        // Only the leading power is left: Γ(ν/2+½) / (√π Γ(ν/2+1)) · (t/√ν)^-ν.
        let half = 0.5 * degrees_of_freedom;
        let constant = pxfm::f_lgamma(half + 0.5) - pxfm::f_lgamma(half + 1.0) - 0.5 * PI.ln();
        return (constant - degrees_of_freedom * ratio.abs().ln()).exp();
    }
    beta_lower(0.5 * degrees_of_freedom, 0.5, 1.0 / (1.0 + square), square / (1.0 + square))
}

/// The t ≥ 0 with P(|T| > t) = `outside`, a number in (0, 1); NaN for anything else. Infinite if
/// no number is as large.
pub fn t_two_sided_quantile(outside: f64, degrees_of_freedom: f64) -> f64 {
    if !(0.0 < outside && outside < 1.0 && positive(degrees_of_freedom)) {
        return f64::NAN;
    }
    let too_small = |t: f64| t_two_sided(t, degrees_of_freedom) > outside;
    let mut high = 1.0;
    while too_small(high) && high < f64::MAX / 4.0 {
        high *= 2.0;
    }
    if too_small(high) {
        return f64::INFINITY;
    }
    let mut low = high;
    while low > f64::MIN_POSITIVE && !too_small(low) {
        low *= 0.5;
    }
    bisect(low, high, too_small)
}

/// P(X > x) for the F distribution with the degrees of freedom of numerator and denominator; 1
/// for x ≤ 0.
pub fn f_upper_tail(x: f64, numerator: f64, denominator: f64) -> f64 {
    if x.is_nan() || !positive(numerator) || !positive(denominator) {
        return f64::NAN;
    }
    let odds = numerator * x.max(0.0) / denominator;
    if odds.is_infinite() {
        return 0.0;
    }
    beta_lower(0.5 * denominator, 0.5 * numerator, 1.0 / (1.0 + odds), odds / (1.0 + odds))
}

fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

fn positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

/// The q in [low, high] where a smooth tail is `target`: the logarithm of the tail is nearly
/// straight, so secants that keep the bracket (the Illinois rule) need about eight steps.
fn where_tail_is(target: f64, low: f64, high: f64, tail: impl Fn(f64) -> f64) -> f64 {
    // Logarithms of tails are good to about this much.
    const SETTLED: f64 = 1e-14;
    let excess = |q: f64| (tail(q) / target).ln();
    let (mut low, mut high) = ((low, excess(low)), (high, excess(high)));
    let (rising, mut last) = (low.1 < high.1, None);
    for _ in 0..100 {
        let secant = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        let inside = low.0 < secant && secant < high.0;
        // Also where a tail has underflowed and its logarithm is infinite.
        let middle = if inside { secant } else { low.0 + 0.5 * (high.0 - low.0) };
        let value = excess(middle);
        if value.abs() <= SETTLED || middle <= low.0 || middle >= high.0 {
            return middle;
        }
        let to_the_right = (value < 0.0) == rising;
        if to_the_right {
            low = (middle, value);
            high.1 *= if last == Some(true) { 0.5 } else { 1.0 };
        } else {
            high = (middle, value);
            low.1 *= if last == Some(false) { 0.5 } else { 1.0 };
        }
        last = Some(to_the_right);
    }
    low.0 + 0.5 * (high.0 - low.0)
}

/// Halves [low, high] until no number lies between: the last place where `too_small` turns.
fn bisect(mut low: f64, mut high: f64, too_small: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return middle;
        }
        if too_small(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        // An exponent of size s costs s units in the last place.
        let rounding = 1e-14 + 1e-15 * expected.ln().abs();
        assert!((found / expected - 1.0).abs() < rounding, "{found:e} for {expected:e}");
    }

    #[test]
    fn tails_with_closed_forms() {
        for x in [1e-9, 0.3, 1.0, 4.0, 40.0, 900.0] {
            // Two degrees of freedom: exponential. One: the square of a normal variable.
            close(chi_square_upper_tail(x, 2.0), (-0.5 * x).exp());
            close(chi_square_upper_tail(x, 1.0), 2.0 * normal_upper_tail(x.sqrt()));
            // t with 1 degree of freedom is Cauchy; with 2 it has a closed form too.
            close(t_two_sided(x, 1.0), std::f64::consts::FRAC_2_PI * (1.0 / x).atan());
            close(t_two_sided(x, 2.0), 2.0 / ((2.0 + x * x).sqrt() * ((2.0 + x * x).sqrt() + x)));
            // F(1, ν) is the square of t(ν); F(2, ν) is a power.
            close(f_upper_tail(x * x, 1.0, 7.0), t_two_sided(x, 7.0));
            close(f_upper_tail(x, 2.0, 5.0), (1.0 + 0.4 * x).powf(-2.5));
        }
    }

    #[test]
    fn ends_are_certain() {
        for (tail, at_zero) in [
            (chi_square_upper_tail as fn(f64, f64) -> f64, 1.0),
            (t_upper_tail, 0.5),
            (|x, df| f_upper_tail(x, 3.0, df), 1.0),
        ] {
            assert_eq!(tail(0.0, 4.0), at_zero);
            assert_eq!(tail(f64::INFINITY, 4.0), 0.0);
            assert_eq!(tail(f64::NEG_INFINITY, 4.0), 1.0);
            assert!(tail(f64::NAN, 4.0).is_nan());
            assert!(tail(1.0, 0.0).is_nan());
        }
        assert_eq!(normal_upper_tail(0.0), 0.5);
        assert_eq!(normal_upper_quantile(0.5), 0.0);
    }

    #[test]
    fn quantiles_undo_tails() {
        for outside in [1e-300, 1e-12, 0.01, 0.05, 0.5, 0.999, 1.0 - 1e-12] {
            for df in [1.0, 2.0, 9.0, 99.0, 1e6] {
                let t = t_two_sided_quantile(outside, df);
                assert!(t.is_finite() && t > 0.0);
                let again = t_two_sided(t, df);
                // Rounding of t alone moves the tail by df·ε at most (its power law), or t²·ε.
                let rounding = 1e-15 * (100.0 + df.min(t * t));
                assert!(
                    (again / outside - 1.0).abs() < rounding,
                    "{again:e} for {outside:e}, {df}"
                );
            }
            let z = normal_upper_quantile(outside);
            let again = normal_upper_tail(z);
            assert!((again / outside - 1.0).abs() < 1e-15 * (10.0 + z * z), "{again:e}");
        }
    }
}

//! The probit link with its hidden variable: y = sign(z), z ~ N(h, 1).

use pfcvm::parts::Likelihood;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// The standard normal distribution function Φ.
pub(crate) fn cumulative(u: f64) -> f64 {
    0.5 * pxfm::f_erfc(-u * FRAC_1_SQRT_2)
}

/// log Φ(u), accurate in both tails.
pub(crate) fn log_cumulative(u: f64) -> f64 {
    if u < 0.0 {
        (0.5 * pxfm::f_erfcx(-u * FRAC_1_SQRT_2)).ln() - 0.5 * u * u
    } else {
        (-0.5 * pxfm::f_erfc(u * FRAC_1_SQRT_2)).ln_1p()
    }
}

/// N(u)/Φ(u), without dividing two small numbers.
fn ratio(u: f64) -> f64 {
    FRAC_2_SQRT_PI * FRAC_1_SQRT_2 / pxfm::f_erfcx(-u * FRAC_1_SQRT_2)
}

/// The E step: E[z | y, h] = h + y N(h)/Φ(yh).
pub(crate) fn expected(h: &[f64], signs: &[f64]) -> Vec<f64> {
    h.iter().zip(signs).map(|(h, y)| h + y * ratio(y * h)).collect()
}

/// Σ ρᵢ log Φ(yᵢhᵢ).
pub(crate) fn log_likelihood(h: &[f64], likelihood: &Likelihood) -> f64 {
    let rows = h.iter().zip(&likelihood.signs).zip(&likelihood.weights);
    rows.map(|((h, y), rho)| if *rho > 0.0 { rho * log_cumulative(y * h) } else { 0.0 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E[z | y, h] by Simpson's rule on the truncated density.
    fn by_quadrature(h: f64, y: f64) -> f64 {
        // z = y t with t > 0 has a density in proportion to exp(−½(t − yh)²).
        let centre = (y * h).max(0.0);
        let (from, to, steps) = ((centre - 12.0).max(0.0), centre + 12.0, 200_000);
        let width = (to - from) / steps as f64;
        let shift = 0.5 * (from - y * h).powi(2).min((centre - y * h).powi(2));
        let (mut mass, mut moment) = (0.0, 0.0);
        for k in 0..=steps {
            let t = from + width * k as f64;
            let weight = if k == 0 || k == steps { 1.0 } else { [2.0, 4.0][k % 2] };
            let density = weight * (shift - 0.5 * (t - y * h).powi(2)).exp();
            mass += density;
            moment += density * t;
        }
        y * moment / mass
    }

    #[test]
    fn the_hidden_mean_is_that_of_the_integral() {
        for h in [-30.0, -8.0, -1.5, -0.1, 0.0, 0.3, 2.0, 9.0, 25.0] {
            for y in [-1.0, 1.0] {
                let (found, integral) = (expected(&[h], &[y])[0], by_quadrature(h, y));
                assert!(
                    (found - integral).abs() < 1e-9 * integral.abs().max(1.0),
                    "{h} {y}: {found} {integral}"
                );
            }
        }
    }

    /// The derivative of log Φ is N/Φ, here by central differences; and both stay finite.
    #[test]
    fn the_ratio_is_the_slope_of_the_log() {
        for u in [-40.0, -6.0, -1.0, 0.0, 0.7, 5.0] {
            let slope = (log_cumulative(u + 1e-5) - log_cumulative(u - 1e-5)) / 2e-5;
            assert!((slope - ratio(u)).abs() < 1e-7 * ratio(u).max(1.0), "{u}: {slope}");
            let off = 1.01 * ratio(u);
            assert!((slope - off).abs() > 1e-9, "an error of 1 % would not be seen at {u}");
            assert!(
                (log_cumulative(u) - cumulative(u).ln()).abs() < 1e-9 * u.abs().max(1.0)
                    || u < -37.0
            );
        }
        for h in [-1e150, -1e8, 1e8, 1e150] {
            assert!(expected(&[h, h], &[1.0, -1.0]).iter().all(|z| z.is_finite()), "{h}");
        }
    }
}

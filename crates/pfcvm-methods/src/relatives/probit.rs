//! The probit link with its hidden variable: y = sign(z), z ~ N(h, 1).

use pfcvm::algebra::normal_tails;
use pfcvm::posterior::Likelihood;
use std::f64::consts::FRAC_1_SQRT_2;

/// The standard normal distribution function Φ.
pub(crate) fn cumulative(u: f64) -> f64 {
    0.5 * pxfm::f_erfc(-u * FRAC_1_SQRT_2)
}

/// What decision values say of the hidden variables and of the labels.
pub(crate) struct Hidden {
    /// The E step: E[z | y, h] = h + y N(h)/Φ(yh).
    pub expected: Vec<f64>,
    /// Σ ρᵢ log Φ(yᵢhᵢ).
    pub log_likelihood: f64,
}

impl Hidden {
    /// For decision values `h`.
    pub fn at(h: &[f64], likelihood: &Likelihood) -> Self {
        let toward: Vec<f64> = h.iter().zip(&likelihood.signs).map(|(h, y)| y * h).collect();
        let (ratio, log) = normal_tails(&toward);
        let moved = h.iter().zip(&likelihood.signs).zip(&ratio).map(|((h, y), r)| h + y * r);
        let rows = log.iter().zip(&likelihood.weights);
        let counted = rows.map(|(log, rho)| if *rho > 0.0 { rho * log } else { 0.0 });
        Self { expected: moved.collect(), log_likelihood: counted.sum() }
    }
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
                let likelihood = Likelihood { signs: vec![y], weights: vec![1.0] };
                let found = Hidden::at(&[h], &likelihood).expected[0];
                let integral = by_quadrature(h, y);
                assert!(
                    (found - integral).abs() < 1e-9 * integral.abs().max(1.0),
                    "{h} {y}: {found} {integral}"
                );
            }
        }
    }

    /// E[z] − h is the slope of the log likelihood in h, here by central differences; and both stay
    /// finite.
    #[test]
    fn the_step_to_the_hidden_mean_is_the_slope_of_the_log() {
        let likelihood = Likelihood { signs: vec![-1.0], weights: vec![1.0] };
        let log = |h: f64| Hidden::at(&[h], &likelihood).log_likelihood;
        for h in [-5.0, -0.7, 0.0, 1.0, 6.0, 40.0] {
            let slope = (log(h + 1e-5) - log(h - 1e-5)) / 2e-5;
            let step = Hidden::at(&[h], &likelihood).expected[0] - h;
            assert!((slope - step).abs() < 1e-7 * step.abs().max(1.0), "{h}: {slope} {step}");
            assert!((slope - 1.01 * step).abs() > 1e-9, "an error of 1 % would not be seen at {h}");
        }
        let likelihood = Likelihood { signs: vec![1.0, -1.0], weights: vec![1.0; 2] };
        for h in [-1e150, -1e8, 1e8, 1e150] {
            let expected = Hidden::at(&[h, h], &likelihood).expected;
            assert!(expected.iter().all(|z| z.is_finite()), "{h}");
        }
    }
}

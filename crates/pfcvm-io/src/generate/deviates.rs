//! Uniform and normal deviates that are the same bits everywhere.
//!
//! * Uniform on [0, 1): the upper 53 bits of the next 64-bit word of ChaCha8, times 2⁻⁵³.
//! * Normal: Marsaglia's polar method. Draw a, b uniform on [−1, 1) until 0 < s = a² + b² < 1;
//!   with r = √(−2 ln s / s) the pair is (a·r, b·r); the second is kept for the next call.
//!   The logarithm is `libm`'s; products, quotients and roots are exact by IEEE 754.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) struct Deviates {
    stream: ChaCha8Rng,
    spare: Option<f64>,
}

impl Deviates {
    pub(super) fn new(seed: u64) -> Self {
        Self { stream: ChaCha8Rng::seed_from_u64(seed), spare: None }
    }

    pub(super) fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.stream.next_u64() >> 11) as f64 * STEP
    }

    pub(super) fn normal(&mut self) -> f64 {
        if let Some(deviate) = self.spare.take() {
            return deviate;
        }
        loop {
            let a = 2.0 * self.uniform() - 1.0;
            let b = 2.0 * self.uniform() - 1.0;
            let s = a * a + b * b;
            if 0.0 < s && s < 1.0 {
                let r = (-2.0 * libm::log(s) / s).sqrt();
                self.spare = Some(b * r);
                return a * r;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stream is part of every published figure: it may not change with a dependency.
    #[test]
    fn the_stream_is_pinned() {
        let mut deviates = Deviates::new(1);
        let uniform = deviates.uniform();
        let normals = [deviates.normal(), deviates.normal(), deviates.normal()];
        assert_eq!(uniform.to_bits(), PINNED_UNIFORM.to_bits(), "{uniform:?}");
        assert_eq!(normals.map(f64::to_bits), PINNED_NORMALS.map(f64::to_bits), "{normals:?}");
    }
    const PINNED_UNIFORM: f64 = 0.402_485_663_664_848_06;
    const PINNED_NORMALS: [f64; 3] =
        [-0.753_528_460_380_223_9, 0.173_398_521_511_886_03, -0.929_534_970_892_732_1];

    /// Moments of N(0, 1), each within five standard errors, and no memory between neighbours.
    #[test]
    fn normal_deviates_have_the_moments_of_a_normal() {
        let n = 200_000;
        let mut deviates = Deviates::new(2);
        let z: Vec<f64> = (0..n).map(|_| deviates.normal()).collect();
        let moment = |k: i32| z.iter().map(|v| v.powi(k)).sum::<f64>() / n as f64;
        let lag = z.windows(2).map(|p| p[0] * p[1]).sum::<f64>() / n as f64;
        // Var z = 1, Var z² = 2, Var z³ = 15, Var z⁴ = 96, Var z z' = 1.
        let expected = [
            (moment(1), 0.0, 1.0),
            (moment(2), 1.0, 2.0),
            (moment(3), 0.0, 15.0),
            (moment(4), 3.0, 96.0),
            (lag, 0.0, 1.0),
        ];
        for (found, truth, variance) in expected {
            let error = 5.0 * f64::sqrt(variance / n as f64);
            assert!((found - truth).abs() < error, "{found} for {truth}");
        }
    }
}

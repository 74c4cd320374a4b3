//! The normal distribution over whole slices, vectorised by the compiler: what the E step of a
//! probit model needs.

use super::exp::exp_branch_free;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// (1 + 2x) erfcx(x) for x ≥ 0 as a Chebyshev series in t = (x − 3.75)/(x + 3.75) (Shepherd and
/// Laframboise 1981), last coefficient first; from `reference/make_erfcx.py`.
const SERIES: [f64; 25] = [
    5.068_148_904_796_111e-17,
    7.418_235_256_624_044e-17,
    -1.250_795_053_068_864_8e-15,
    -1.864_562_880_419_313e-15,
    3.347_811_948_286_805_6e-14,
    3.252_548_148_148_74e-14,
    -9.654_696_748_433_44e-13,
    1.945_586_854_577_734_7e-13,
    2.868_795_010_930_67e-11,
    -6.318_088_340_886_684e-11,
    -7.754_400_208_831_351e-10,
    4.521_959_811_218_287e-9,
    1.076_499_946_567_091e-8,
    -2.188_640_104_923_439_7e-7,
    7.740_383_066_198_49e-7,
    4.139_027_986_073_01e-6,
    -6.916_973_302_501_207e-5,
    0.000_490_775_836_525_808_6,
    -0.002_413_163_540_417_608,
    0.009_074_997_670_705_265,
    -0.026_658_668_435_305_753,
    0.059_209_939_998_191_89,
    -0.084_249_133_366_517_92,
    -0.004_590_054_580_646_478,
    1.177_578_934_567_401_7,
];

/// erfcx(x) = e^x² erfc(x) for x ≥ 0, by Clenshaw's sum.
#[inline(always)]
fn erfcx(x: f64) -> f64 {
    // Beyond this t is 1 to the last digit; x itself could overflow.
    let near = x.min(1e17);
    let twice = 2.0 * (near - 3.75) / (near + 3.75);
    let (mut sum, mut before) = (0.0, 0.0);
    for c in &SERIES[..SERIES.len() - 1] {
        (sum, before) = (twice.mul_add(sum, c - before), sum);
    }
    (0.5 * twice).mul_add(sum, SERIES[SERIES.len() - 1] - before) / (1.0 + 2.0 * x)
}

/// A loop that is compiled for the processor it runs on.
struct Tails<'a> {
    u: &'a [f64],
    ratio: &'a mut [f64],
    log: &'a mut [f64],
}

impl pulp::NullaryFnOnce for Tails<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((u, ratio), log) in self.u.iter().zip(self.ratio).zip(&mut *self.log) {
            let x = u.abs() * FRAC_1_SQRT_2;
            let (scaled, bell) = (erfcx(x), exp_branch_free(-x * x));
            // Of what lies beyond |u|: the smaller side.
            let above = 1.0 - 0.5 * bell * scaled;
            let side = if *u < 0.0 { 0.5 * scaled } else { above };
            let height = if *u < 0.0 { 1.0 } else { bell };
            *ratio = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * height / side;
            *log = side;
        }
        for (u, log) in self.u.iter().zip(self.log) {
            *log = log.ln() + if *u < 0.0 { -0.5 * u * u } else { 0.0 };
        }
    }
}

/// N(u)/Φ(u) and log Φ(u) for each u: density over distribution function of the normal, without
/// dividing two small numbers.
pub fn normal_tails(u: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut ratio, mut log) = (vec![0.0; u.len()], vec![0.0; u.len()]);
    pulp::Arch::new().dispatch(Tails { u, ratio: &mut ratio, log: &mut log });
    (ratio, log)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        for k in 0..40_000 {
            let x = f64::from(k) * 1e-3;
            let (ours, library) = (erfcx(x), pxfm::f_erfcx(x));
            assert!((ours - library).abs() <= 1e-15 * library, "{x}: {ours:e} {library:e}");
        }
        for x in [1e3, 1e10, 1e100, 1e300] {
            assert!((erfcx(x) / pxfm::f_erfcx(x) - 1.0).abs() < 1e-15, "{x}");
        }
        let u = Vec::from_iter((-4000..4000).map(|k| f64::from(k) * 0.01));
        let (ratio, log) = normal_tails(&u);
        for ((u, ratio), log) in u.iter().zip(ratio).zip(log) {
            let twice = pxfm::f_erfc(-u * FRAC_1_SQRT_2);
            let mills = FRAC_2_SQRT_PI * FRAC_1_SQRT_2 / pxfm::f_erfcx(-u * FRAC_1_SQRT_2);
            // u² has a rounding error of its own.
            let allowed = 2e-15 + 2e-16 * u * u;
            assert!((ratio - mills).abs() <= allowed * mills || *u > 37.0, "{u}: {ratio} {mills}");
            assert!((0.0..=1e-290).contains(&ratio) || *u < 37.0, "{u}: {ratio}");
            let expected = if *u < -37.0 { log } else { (0.5 * twice).ln() };
            assert!((log - expected).abs() <= 1e-14 * expected.abs().max(1.0), "{u}: {log}");
        }
        let (ratio, log) = normal_tails(&[-1e150, -1e8, 1e8, 1e150]);
        assert!(ratio.iter().chain(&log).all(|v| v.is_finite() || *v == f64::NEG_INFINITY));
    }
}

//! The few special functions of the model.

use std::f64::consts::SQRT_2;

/// The logistic function 1 / (1 + e^-z).
pub fn sigmoid(z: f64) -> f64 {
    if z >= 0.0 {
        1.0 / (1.0 + (-z).exp())
    } else {
        let e = z.exp();
        e / (1.0 + e)
    }
}

/// log of the logistic function, without overflow.
pub fn log_sigmoid(z: f64) -> f64 {
    -((-z.abs()).exp().ln_1p() + (-z).max(0.0))
}

/// Upper quantile of the standard normal: z with P(Z > z) = p.
pub fn normal_upper_quantile(p: f64) -> f64 {
    SQRT_2 * pxfm::f_erfcinv(2.0 * p)
}

/// The upper tail of the standard normal: P(Z > z).
pub fn upper_tail(z: f64) -> f64 {
    0.5 * pxfm::f_erfc(z / SQRT_2)
}

/// The normal deviate that is as unlikely as χ² with some degrees of freedom, by Wilson and Hilferty: the
/// cube root of χ² is about normal.
pub fn chi_square_deviate(chi_square: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

/// The χ² that is as unlikely as a normal deviate: the inverse of [`chi_square_deviate`].
pub fn chi_square_at(deviate: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    freedom * (1.0 - variance + deviate * variance.sqrt()).powi(3)
}

/// log(p / (1 − p)), the inverse of [`sigmoid`]; finite for every probability.
pub fn log_odds(p: f64) -> f64 {
    let p = p.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
    p.ln() - (-p).ln_1p()
}

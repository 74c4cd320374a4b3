//! What the hyperprior promises, for one Gaussian parameter: it survives if and only if its
//! z-score exceeds the quantile that belongs to the false-positive rate.

use crate::algebra::normal_upper_quantile;
use crate::evidence::{Update, update_features};
use crate::posterior::Laplace;
use crate::settings::Hyperprior;
use crate::settings::PrecisionRule;

/// An estimate z with variance 1 under the prior N(0, 1/β): posterior variance 1/(1 + β), mode
/// z/(1 + β). Iterates β by the engine's own rule and says where it ends.
fn iterate(z: f64, hyperprior: Hyperprior, damping: f64) -> f64 {
    let update = Update { rule: PrecisionRule::MacKay, hyperprior, damping };
    let mut beta = [1.0];
    for _ in 0..200_000 {
        let variance = 1.0 / (1.0 + beta[0]);
        let posterior =
            Laplace { variances: vec![variance], interior: vec![true], log_evidence: 0.0 };
        update_features(&mut beta, &[z * variance], &posterior, &update, |_| 1);
    }
    beta[0]
}

#[test]
fn survives_just_above_the_bound_and_not_just_below() {
    for p in [0.01, 0.02, 0.05, 0.1, 0.15] {
        let hyperprior = Hyperprior::from_false_positive_rate(p);
        let z = normal_upper_quantile(p);
        // The stated bound and its inverse.
        let Hyperprior { c, d } = hyperprior;
        let bound = 1.0 + 4.0 * c + 2.0 * (2.0 * c * (1.0 + 2.0 * c)).sqrt();
        assert!((bound - z * z).abs() < 1e-12, "{p}: {bound} {}", z * z);
        assert_eq!(d, 0.0);
        for damping in [1.0, 0.5] {
            let above = iterate(1.01 * z, hyperprior, damping);
            let below = iterate(0.99 * z, hyperprior, damping);
            assert!(above < 1e3, "z just above the bound for {p} is lost: {above:e}");
            assert!(below > 1e10, "z just below the bound for {p} is kept: {below:e}");
        }
    }
}

/// Where it converges, β solves β θ² = γ + 2c.
#[test]
fn converges_to_the_fixed_point() {
    let hyperprior = Hyperprior::from_false_positive_rate(0.05);
    let z: f64 = 3.0;
    let beta = iterate(z, hyperprior, 1.0);
    let (theta, gamma) = (z / (1.0 + beta), 1.0 / (1.0 + beta));
    assert!((beta * theta * theta - gamma - 2.0 * hyperprior.c).abs() < 1e-12);
}

/// A flat hyperprior asks only |z| > 1, and rates above 0.159 cannot ask for less.
#[test]
fn flat_asks_for_one_standard_deviation() {
    for p in [0.16, 0.3, 0.49] {
        assert_eq!(Hyperprior::from_false_positive_rate(p), Hyperprior::default());
    }
    assert!(iterate(1.05, Hyperprior::default(), 1.0) < 1e3);
    assert!(iterate(0.95, Hyperprior::default(), 1.0) > 1e10);
}

/// Tabulated quantiles of the standard normal.
#[test]
fn quantiles() {
    for (p, z) in [
        (0.5, 0.0),
        (0.05, 1.644853626951472),
        (0.01, 2.326347874040841),
        (1e-6, 4.753424308822899),
    ] {
        assert!((normal_upper_quantile(p) - z).abs() < 1e-12, "{p}");
    }
    // The golden fits' value.
    let c = Hyperprior::from_false_positive_rate(0.05).c;
    assert!((c - 0.134394370445451).abs() < 1e-14, "{c}");
}

//! Divergences against quadrature, draws against moments on a grid, the bound against its formula.

use super::common::{golden, numbers, table};
use crate::algebra::Work;
use crate::theory::sampler::Sampler;
use crate::theory::*;
use crate::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

#[test]
fn divergences_are_those_of_quadrature() {
    let values = golden("theory.json");
    for row in values["divergences"].as_array().unwrap() {
        let [mean, precision, prior, expected] = numbers(row)[..] else { panic!("{row}") };
        let found = truncated_divergence(mean, precision, prior);
        let allowed = 1e-10 * expected.abs().max(1.0);
        assert!(
            (found - expected).abs() < allowed,
            "{mean} {precision} {prior}: {found} {expected}"
        );
        assert!(found > -1e-12, "{found}");
    }
    // Without a jump where the formula changes, and finite far out.
    for s in [-50.0, 0.0] {
        let sides = [s - 1e-9, s + 1e-9].map(|s: f64| truncated_divergence(s, 1.0, 0.3));
        assert!((sides[0] - sides[1]).abs() < 1e-7, "{sides:?}");
    }
    for mean in [-1e100, -1e9, 1e9, 1e100] {
        assert!(truncated_divergence(mean, 1.0, 0.5).is_finite(), "{mean}");
    }
}

#[test]
fn the_nearest_precision_is_where_the_divergence_is_least() {
    for (mean, prior) in [(0.0, 0.5), (0.02, 0.5), (1.0, 0.5), (-2.0, 3.0), (5.0, 10.0)] {
        let best = least_divergence(mean, prior);
        let least = truncated_divergence(mean, best, prior);
        for k in -400..=400 {
            let other = truncated_divergence(mean, prior * (f64::from(k) * 0.02).exp(), prior);
            assert!(least <= other + 1e-12, "{mean} {prior}: {best}");
        }
    }
    assert!((least_divergence(0.0, 0.5) - 0.5).abs() < 1e-4);
}

/// Mean and covariance of many draws, within five standard errors of independent ones and a
/// little for what successive draws share.
#[test]
fn draws_have_the_moments_of_the_truncated_gaussian() {
    let values = golden("theory.json");
    let draws = 40_000;
    for (number, case) in values["moments"].as_array().unwrap().iter().enumerate() {
        let rows = table(&case["covariance"]);
        let walled = case["walled"].as_array().unwrap().iter().map(|w| w.as_bool().unwrap());
        let walled = Vec::from_iter(walled);
        let rng = ChaCha8Rng::seed_from_u64(number as u64);
        let mut sampler = Sampler::new(
            numbers(&case["mean"]),
            Matrix::from_rows(&rows),
            walled.clone(),
            rng,
            &mut Work::new(false),
        )
        .unwrap();
        let found: Vec<Vec<f64>> = (0..draws).map(|_| sampler.draw()).collect();
        let inside = |x: &Vec<f64>| x.iter().zip(&walled).all(|(x, wall)| !wall || *x >= 0.0);
        assert!(found.iter().all(inside));
        let mean = |i: usize| found.iter().map(|x| x[i]).sum::<f64>() / draws as f64;
        let centre = numbers(&case["centre"]);
        let spread = table(&case["spread"]);
        for i in 0..centre.len() {
            let allowed = 8.0 * (spread[i][i] / draws as f64).sqrt();
            assert!((mean(i) - centre[i]).abs() < allowed, "{number}: {} {}", mean(i), centre[i]);
            for j in 0..centre.len() {
                let product = |x: &Vec<f64>| (x[i] - centre[i]) * (x[j] - centre[j]);
                let both = found.iter().map(product).sum::<f64>() / draws as f64;
                let size = (spread[i][i] * spread[j][j]).sqrt();
                let allowed = 20.0 * size / (draws as f64).sqrt();
                assert!((both - spread[i][j]).abs() < allowed, "{number}: {both} {}", spread[i][j]);
            }
        }
    }
}

/// Rows on two sides of a line that two of three features draw.
fn lines() -> Dataset {
    let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840, 0.414214][k]).fract();
    let x = Matrix::from_fn(120, 3, |i, k| 2.0 * spread(i, k) - 1.0);
    let flip = |i: usize| i.is_multiple_of(17);
    let side = |i: usize| (x.get(i, 0) + 0.6 * x.get(i, 1) > 0.1) != flip(i);
    let positive = (0..120).map(side).collect();
    Dataset::new(x, positive).unwrap()
}

#[test]
fn votes_are_between_minus_one_and_one_and_repeat() {
    let data = lines();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let model = fit(&data, &Settings::new(kernel)).unwrap().model;
        for independent in [false, true] {
            let settings = VoteSettings { draws: 400, independent, ..VoteSettings::default() };
            let votes = model.vote(data.x(), &settings).unwrap();
            assert!(votes.iter().all(|v| (-1.0..=1.0).contains(v)));
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert_eq!(votes, one.install(|| model.vote(data.x(), &settings)).unwrap());
            let decision = model.predict(data.x()).unwrap().decision;
            let agree = votes.iter().zip(&decision).filter(|(v, f)| (**v >= 0.0) == (**f >= 0.0));
            assert!(agree.count() >= 110, "{kernel:?} {independent}");
            let other = VoteSettings { seed: 1, ..settings };
            assert_ne!(votes, model.vote(data.x(), &other).unwrap());
        }
        let none = VoteSettings { draws: 0, ..VoteSettings::default() };
        assert!(model.vote(data.x(), &none).is_err());
        assert!(model.vote(&Matrix::zeros(2, 5), &VoteSettings::default()).is_err());
    }
}

/// The three parts, computed here from the theorem as it is printed.
#[test]
fn the_bound_is_that_of_the_theorem() {
    let data = lines();
    let model = fit(&data, &Settings::new(Kernel::Rbf)).unwrap().model;
    let settings = BoundSettings { delta: 0.1, margin: 0.5, ratio: 2.0, ..Default::default() };
    let bound = model.generalization_bound(&data, &settings).unwrap();
    let divergence = model.divergence(&settings.prior);
    assert_eq!(divergence.features.len(), model.feature_weights().len());
    assert_eq!(divergence.samples.len(), model.sample_weights().len());
    let entropy = 2.0 * divergence.total().max(1.0);
    let n = 120.0f64;
    let votes = model.vote(data.x(), &settings.votes).unwrap();
    let mut loss = 0.0;
    for (vote, positive) in votes.iter().zip(data.positive()) {
        let along = if *positive { *vote } else { -vote };
        loss += (1.0 - along / 0.5).clamp(0.0, 1.0) / n;
    }
    assert!((bound.margin_loss - loss).abs() < 1e-12);
    assert!((bound.complexity - 2.0 / 0.5 * (2.0 * entropy / n).sqrt()).abs() < 1e-12);
    let doubt = (2.0 * entropy / 1.0).log2().ln() + 0.5 * 10f64.ln();
    assert!((bound.confidence - (doubt / n).sqrt()).abs() < 1e-12);
    let sum = bound.margin_loss + bound.complexity + bound.confidence;
    assert_eq!((bound.total(), bound.is_vacuous()), (sum, sum >= 1.0));
}

#[test]
fn parameters_for_which_the_theorem_says_nothing_are_refused() {
    let good = BoundSettings::default();
    assert!(good.check().is_ok());
    for delta in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(BoundSettings { delta, ..good }.check().is_err(), "{delta}");
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(BoundSettings { margin: bad, ..good }.check().is_err());
        assert!(BoundSettings { floor: bad, ..good }.check().is_err());
        assert!(BoundSettings { ratio: bad, ..good }.check().is_err());
        let prior = PriorPrecisions { samples: bad, ..good.prior };
        assert!(BoundSettings { prior, ..good }.check().is_err());
    }
    let message = BoundSettings { ratio: 1.0, ..good }.check().unwrap_err().to_string();
    assert_eq!(message, "ratio = 1 is out of range: finite, above 1");
}

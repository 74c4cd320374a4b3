//! What the model should find in data whose truth is known. Seeds are fixed; the numbers measured
//! when a bound was set stand beside it.

mod common;

use common::two_gaussians;
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Dataset, Kernel, Matrix, SamplePolicy, Settings, fit};

fn dataset(seed: u64, n: usize, m: usize, informative: usize, shift: f64) -> Dataset {
    let (rows, positive) = two_gaussians(seed, n, m, informative, shift);
    Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
}

fn log_loss(probability: &[f64], positive: &[bool]) -> f64 {
    let terms = probability.iter().zip(positive).map(|(p, y)| if *y { *p } else { 1.0 - p });
    -terms.map(f64::ln).sum::<f64>() / positive.len() as f64
}

const KERNELS: [Kernel; 2] = [Kernel::Rbf, Kernel::Linear];
const SEEDS: std::ops::Range<u64> = 100..116;

/// 3 of 20 features inform, means ±0.7. The Bayes rule is the sign of their sum, with log odds
/// 1.4 times that sum.
#[test]
fn informative_features_are_kept_and_probabilities_near_the_best_possible() {
    // Measured over 16 fits: none missed by either; noise kept 0 of 272 (RBF) and 56 of 272
    // (linear, no screening); log loss above the best 0.030 and 0.019.
    for (kernel, most_noise) in [(Kernel::Rbf, 0.02), (Kernel::Linear, 0.25)] {
        let (mut missed, mut noise, mut excess) = (0, 0, 0.0);
        for seed in SEEDS {
            let (train, test) = (dataset(seed, 200, 20, 3, 0.7), dataset(!seed, 2000, 20, 3, 0.7));
            let model = fit(&train, &Settings::new(kernel)).unwrap().model;
            let kept = model.selected_features();
            missed += (0..3).filter(|k| !kept.contains(k)).count();
            noise += kept.iter().filter(|k| **k >= 3).count();
            let p = model.predict(test.x()).unwrap().probability;
            let odds = |i: usize| 1.4 * (0..3).map(|k| test.x().get(i, k)).sum::<f64>();
            let best: Vec<f64> = (0..test.len()).map(|i| 1.0 / (1.0 + (-odds(i)).exp())).collect();
            excess += log_loss(&p, test.positive()) - log_loss(&best, test.positive());
        }
        let fits = (SEEDS.end - SEEDS.start) as f64;
        assert_eq!(missed, 0, "{kernel:?}: of {} informative features", 3.0 * fits);
        assert!(
            noise as f64 <= 17.0 * fits * most_noise,
            "{kernel:?}: {noise} noise features kept"
        );
        assert!(excess / fits < 0.05, "{kernel:?}: log loss {} above the best", excess / fits);
    }
}

/// Nothing informs: the verdict says so, and the shares of the classes are predicted. At 5 % one of
/// 16 sets may be taken for more (P(more than 3) = 0.7 %); what it costs then is what a list costs that
/// its user insists on, and held-out rows keep that small. Measured before there was a verdict: RBF
/// 0.744 with 4.1 of 20 features kept, linear 0.716 with 6.5, where a coin has 0.693.
#[test]
fn noise_is_called_noise() {
    let coin = std::f64::consts::LN_2;
    for kernel in KERNELS {
        let (mut found, mut excess, mut insisted) = (0, 0.0, 0.0);
        for seed in SEEDS {
            let (train, test) = (dataset(seed, 200, 20, 0, 0.0), dataset(!seed, 1000, 20, 0, 0.0));
            let loss = |certainty| {
                let settings = Settings { certainty, ..Settings::new(kernel) };
                let model = fit(&train, &settings).unwrap().model;
                let p = model.predict(test.x()).unwrap().probability;
                (log_loss(&p, test.positive()) - coin, model)
            };
            let (on, model) = loss(CertaintyPolicy::On);
            let nothing = model.certainty().unwrap().nothing_found;
            assert_eq!(nothing, model.selected_features().is_empty());
            found += usize::from(!nothing);
            excess += on;
            insisted += loss(CertaintyPolicy::Insist).0;
        }
        let fits = (SEEDS.end - SEEDS.start) as f64;
        assert!(found <= 3, "{kernel}: something in {found} of {fits} sets");
        assert!(excess / fits < 0.01, "{kernel}: {} above a coin", excess / fits);
        assert!(insisted / fits < 0.03, "{kernel}: {} above a coin", insisted / fits);
    }
}

/// Features that inform are certain, nearly all that do not are not, and what is said of false
/// alarms adds up: over 16 fits with 3 of 20 features that inform.
#[test]
fn certainty_tells_features_that_inform_from_noise() {
    for kernel in KERNELS {
        let (mut missed, mut noise, mut said, mut truly) = (0, 0, 0.0, 0);
        for seed in SEEDS {
            let train = dataset(seed, 200, 20, 3, 0.7);
            let model = fit(&train, &Settings::new(kernel)).unwrap().model;
            let certainty = model.certainty().unwrap();
            assert!(!certainty.nothing_found);
            let certain = |k: usize| certainty.features.iter().any(|f| f.feature == k && f.certain);
            missed += (0..3).filter(|k| !certain(*k)).count();
            noise += (3..20).filter(|k| certain(*k)).count();
            said += certainty.expected_false();
            truly += model.selected_features().iter().filter(|k| **k >= 3).count();
        }
        let fits = (SEEDS.end - SEEDS.start) as f64;
        assert!(missed as f64 <= 0.1 * 3.0 * fits, "{kernel}: {missed} missed");
        assert!(noise as f64 <= 0.05 * 17.0 * fits, "{kernel}: {noise} noise features certain");
        let off = (said - truly as f64).abs() / fits;
        assert!(off < 1.0, "{kernel}: {said} false ones said, {truly} true");
    }
}

/// The first dial: a smaller rate gives a shorter list. Measured, of 16 fits with 3 features of little
/// information: RBF 44 and 54, linear 53 and 153.
#[test]
fn a_smaller_rate_keeps_less_noise() {
    for kernel in KERNELS {
        let kept = |rate: f64| -> usize {
            SEEDS
                .map(|seed| {
                    let settings = Settings { false_positive_rate: rate, ..Settings::new(kernel) };
                    let fit = fit(&dataset(seed, 200, 20, 3, 0.4), &settings).unwrap();
                    fit.model.selected_features().len()
                })
                .sum()
        };
        let (strict, loose) = (kept(0.005), kept(0.158));
        assert!(strict < loose, "{kernel:?}: {strict} {loose}");
    }
}

/// The second dial. Measured: 11, 10 and 177 of 200.
#[test]
fn policies_keep_as_many_samples_as_they_say() {
    let train = dataset(100, 200, 20, 3, 0.7);
    let count = |samples| {
        let settings = Settings { samples, ..Settings::default() };
        fit(&train, &settings).unwrap().model.selected_samples().len()
    };
    let [few, frozen, dense] =
        [SamplePolicy::Few, SamplePolicy::Frozen, SamplePolicy::Dense].map(count);
    assert!(few <= 20 && frozen <= 40 && dense >= 100, "{few} {frozen} {dense}");
}

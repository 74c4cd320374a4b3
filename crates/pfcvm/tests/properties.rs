//! What must hold for any data: order, scale and irrelevant columns do not matter.

mod common;

use common::{Random, assert_close, two_gaussians};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{ClassWeights, Dataset, Fit, Iteration, Kernel, Matrix, SamplePolicy, Settings, fit};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Few cases, always the same ones: a fit is a long computation, and no test may fail by luck.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Order changes the last bits, and a fit of a hundred iterations enlarges them.
const ROUNDING: f64 = 1e-5;

#[derive(Clone, Debug)]
struct Case {
    rows: Vec<Vec<f64>>,
    positive: Vec<bool>,
    new: Matrix,
    settings: Settings,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let kernel = prop_oneof![
        Just(Kernel::Rbf),
        Just(Kernel::Linear),
        Just(Kernel::Polynomial { degree: 2 }),
    ];
    let samples = prop_oneof![
        Just(SamplePolicy::Few),
        Just(SamplePolicy::Frozen),
        Just(SamplePolicy::Dense),
    ];
    let class_weights = prop_oneof![Just(ClassWeights::Equal), Just(ClassWeights::Balanced)];
    (kernel, samples, class_weights, 30usize..60, 3usize..9, any::<u64>()).prop_map(
        |(kernel, samples, class_weights, n, m, seed)| {
            let (rows, positive) = two_gaussians(seed, n, m, 2, 0.8);
            let new = Matrix::from_rows(&Random::new(!seed).rows(40, m));
            let certainty = CertaintyPolicy::Off; // folds are drawn, and a draw has no symmetries
            let settings = Settings { samples, class_weights, certainty, ..Settings::new(kernel) };
            Case { rows, positive, new, settings, seed }
        },
    )
}

impl Case {
    fn fit(&self) -> Fit {
        let data = Dataset::new(Matrix::from_rows(&self.rows), self.positive.clone()).unwrap();
        fit(&data, &self.settings).unwrap()
    }
}

/// Index list in the order of the original: `order[i]` is the original's index of i.
fn original(found: &[usize], order: &[usize]) -> Vec<usize> {
    sorted(found.iter().map(|&i| order[i]).collect())
}

fn sorted(mut indices: Vec<usize>) -> Vec<usize> {
    indices.sort_unstable();
    indices
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn the_order_of_features_does_not_matter(case in cases()) {
        let order = Random::new(case.seed).order(case.rows[0].len());
        let permute = |row: &Vec<f64>| order.iter().map(|&k| row[k]).collect::<Vec<f64>>();
        let mut permuted = case.clone();
        permuted.rows = case.rows.iter().map(permute).collect();
        let (a, b) = (case.fit(), permuted.fit());
        let rows = |fit: &Fit| sorted(fit.model.selected_samples().to_vec());
        prop_assert_eq!(rows(&a), rows(&b));
        prop_assert_eq!(a.model.selected_features(), original(b.model.selected_features(), &order));
        let p = a.model.predict(&case.new).unwrap();
        let q = b.model.predict(&case.new.select_columns(&order)).unwrap();
        assert_close("f", &q.decision, &p.decision, ROUNDING);
        assert_close("p", &q.probability, &p.probability, ROUNDING);
    }

    #[test]
    fn scale_and_shift_do_not_matter(case in cases(), column in 0usize..3) {
        let change = |v: &mut f64| *v = 1000.0 * *v - 37.0;
        let mut changed = case.clone();
        changed.rows.iter_mut().for_each(|row| change(&mut row[column]));
        changed.new.column_mut(column).iter_mut().for_each(change);
        let (a, b) = (case.fit(), changed.fit());
        prop_assert_eq!(a.model.selected_features(), b.model.selected_features());
        prop_assert_eq!(a.model.selected_samples(), b.model.selected_samples());
        let (p, q) = (a.model.predict(&case.new).unwrap(), b.model.predict(&changed.new).unwrap());
        assert_close("f", &q.decision, &p.decision, ROUNDING);
        assert_close("p", &q.probability, &p.probability, ROUNDING);
    }

    #[test]
    fn flipping_all_labels_flips_f(case in cases()) {
        let mut flipped = case.clone();
        flipped.positive.iter_mut().for_each(|p| *p = !*p);
        let (a, b) = (case.fit(), flipped.fit());
        prop_assert_eq!(a.model.selected_features(), b.model.selected_features());
        prop_assert_eq!(a.model.selected_samples(), b.model.selected_samples());
        let (p, q) = (a.model.predict(&case.new).unwrap(), b.model.predict(&case.new).unwrap());
        let negated: Vec<f64> = q.decision.iter().map(|f| -f).collect();
        assert_close("f", &negated, &p.decision, ROUNDING);
        let others: Vec<f64> = q.probability.iter().map(|p| 1.0 - p).collect();
        assert_close("p", &others, &p.probability, ROUNDING);
    }

    /// To the bit: what is dropped takes no part.
    #[test]
    fn constant_and_dropped_columns_do_not_matter(case in cases(), value in -5.0..5.0f64) {
        let a = case.fit();
        let kept = a.model.selected_features();
        let p = a.model.predict(&case.new).unwrap();
        let mut other = case.new.clone();
        for k in (0..other.cols()).filter(|k| !kept.contains(k)) {
            other.column_mut(k).fill(value);
        }
        prop_assert_eq!(&a.model.predict(&other).unwrap(), &p);
        for k in (0..other.cols()).filter(|k| !kept.contains(k)) {
            other.set(0, k, f64::NAN);
        }
        prop_assert_eq!(&a.model.predict(&other).unwrap(), &p);

        let mut wider = case.clone();
        wider.rows.iter_mut().for_each(|row| row.insert(1, value));
        let b = wider.fit();
        let shift = |k: usize| if k >= 1 { k + 1 } else { k };
        let shifted: Vec<usize> = kept.iter().map(|&k| shift(k)).collect();
        prop_assert_eq!(b.model.selected_features(), shifted);
        prop_assert_eq!(b.feature_dropped[1], Some(0));
        let new = Matrix::from_fn(case.new.rows(), case.new.cols() + 1, |i, k| match k {
            1 => 99.0,
            k => case.new.get(i, if k > 1 { k - 1 } else { k }),
        });
        prop_assert_eq!(&b.model.predict(&new).unwrap(), &p);
    }

    #[test]
    fn predictions_hang_together(case in cases()) {
        let fit = case.fit();
        let p = fit.model.predict(&case.new).unwrap();
        let plain = p.plain_probability();
        let positive = p.positive();
        for i in 0..p.decision.len() {
            prop_assert_eq!(p.probability[i] >= 0.5, p.decision[i] >= 0.0);
            prop_assert_eq!(positive[i], p.decision[i] >= 0.0);
            prop_assert!(p.variance_samples[i] >= 0.0 && p.variance_features[i] >= 0.0);
            prop_assert_eq!(p.variance[i], p.variance_samples[i] + p.variance_features[i]);
            // What is uncertain draws the probability towards one half, never across it.
            prop_assert!((p.probability[i] - 0.5).abs() <= (plain[i] - 0.5).abs() + 1e-15);
        }
        // One row at a time or all at once, at any place in the batch.
        for i in [0, 17, 39] {
            let one = fit.model.predict(&case.new.select_rows(&[i])).unwrap();
            assert_close("f", &one.decision, &p.decision[i..=i], 1e-12);
            assert_close("variance", &one.variance, &p.variance[i..=i], 1e-12);
        }
        // What was dropped, and when, agrees with what is kept.
        let kept = |dropped: &[Option<usize>]| {
            (0..dropped.len()).filter(|&i| dropped[i].is_none()).collect::<Vec<_>>()
        };
        prop_assert_eq!(kept(&fit.feature_dropped), fit.model.selected_features());
        prop_assert_eq!(
            kept(&fit.sample_dropped),
            sorted(fit.model.selected_samples().to_vec())
        );
        prop_assert!(fit.model.sample_weights().iter().all(|w| *w > 0.0));
        prop_assert!(fit.model.feature_weights().iter().all(|t| *t > 0.0));
        // The evidence is that of the last iteration that led to the model.
        let counts = |i: &&Iteration| i.trial.is_none_or(|trial| fit.trials[trial].accepted);
        prop_assert_eq!(fit.trace.iter().rfind(counts).unwrap().log_evidence, fit.log_evidence);
    }
}

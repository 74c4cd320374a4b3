//! Learning by sums over rows, wherever these lie.

use pfcvm::multiclass::large::{Answer, Block, Learner};
use pfcvm::multiclass::{Dataset, Machines, Scheme, fit_choosing};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Fit, Kernel, Matrix, Settings};
use std::ops::ControlFlow;

/// Between −1 and 1, as if drawn: a number for each row and column.
fn spread(i: usize, k: usize) -> f64 {
    let mut z = ((i * 8 + k) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Two features of five matter, along a curve, with some noise; or three classes in rings.
fn data(rows: usize, classes: usize) -> Dataset {
    let x = Matrix::from_fn(rows, 5, spread);
    let class = |i: usize| {
        let r = spread(i, 0).powi(2) + 0.7 * spread(i, 2).powi(2) + 0.1 * spread(i, 7);
        let bounds: &[f64] = if classes == 2 { &[0.5] } else { &[0.3, 0.8] };
        bounds.iter().filter(|bound| r > **bound).count()
    };
    let names = ["a", "b", "c"][..classes].iter().map(|name| name.to_string()).collect();
    Dataset::new(x, (0..rows).map(class).collect(), names).unwrap()
}

/// Fits by asking blocks of rows, cut at the given places, in any order of the blocks.
fn by_blocks(
    data: &Dataset,
    settings: &Settings,
    cuts: &[usize],
    backwards: bool,
) -> Machines<Fit> {
    let names = data.class_names().to_vec();
    let mut learner = Learner::new(data.columns(), names, settings, None).unwrap();
    while let Some(question) = learner.question() {
        // What goes to workers and back goes as text.
        let question = serde_json::to_string(&question).unwrap();
        let question: pfcvm::multiclass::large::Question = serde_json::from_str(&question).unwrap();
        let ends = cuts.iter().copied().chain([data.len()]);
        let mut start = 0;
        let mut answers: Vec<Answer> = ends
            .map(|end| {
                let numbers: Vec<u64> = (start as u64..end as u64).collect();
                let x = data.x().row_range(start, end).select_columns(question.columns());
                let class = &data.codes()[start..end];
                start = end;
                question.answer(&Block { numbers: &numbers, x: &x, class, weights: None }).unwrap()
            })
            .collect();
        if backwards {
            answers.reverse();
        }
        let mut answers = answers.into_iter();
        let mut said = answers.next().unwrap();
        answers.for_each(|answer| said.add(answer).unwrap());
        learner.take(said).unwrap();
        let stored = serde_json::to_string(&learner).unwrap();
        learner = serde_json::from_str(&stored).unwrap();
    }
    learner.finish().unwrap().0
}

fn in_memory(data: &Dataset, settings: &Settings) -> Machines<Fit> {
    let goes_on = |_, _: &_| ControlFlow::Continue(());
    fit_choosing(data, Scheme::Joint, settings, &goes_on).unwrap().0
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + a.abs()))
}

/// Rows in memory, in three parts and in seventeen backwards: the same features, samples and weights to 1e-6.
#[test]
fn parts_of_rows_do_not_matter() {
    for classes in [2, 3] {
        let data = data(21_000, classes);
        let settings = Settings::new(Kernel::Rbf);
        let whole = in_memory(&data, &settings);
        let many: Vec<usize> = (1..17).map(|k| k * 1200 + k * k).collect();
        for (cuts, backwards) in [(vec![5_000, 5_001], false), (many, true)] {
            let parts = by_blocks(&data, &settings, &cuts, backwards);
            for (one, other) in whole.machines().iter().zip(parts.machines()) {
                let (one, other) = (&one.model, &other.model);
                assert_eq!(one.selected_features(), other.selected_features());
                assert_eq!(one.selected_samples(), other.selected_samples());
                assert!(close(one.feature_weights(), other.feature_weights()));
                assert!(close(one.sample_weights(), other.sample_weights()));
                let loss = |model: &pfcvm::Model| model.certainty().unwrap().log_loss;
                assert!((loss(one) - loss(other)).abs() < 1e-6);
            }
        }
        let model = &whole.machines()[0].model;
        // One of noise passes one time in twenty.
        assert!([0, 2].iter().all(|k| model.selected_features().contains(k)));
    }
}

/// At the mode the log likelihood of all rows rises along the bias no more than the prior falls; settled is what promises
/// less than 2e-5 for each row, so that the mode is within √(2 · 2e-5 · N) posterior deviations.
#[test]
fn the_mode_is_that_of_all_rows() {
    let data = data(21_000, 2);
    let settings = Settings { certainty: CertaintyPolicy::Off, ..Settings::new(Kernel::Rbf) };
    let fits = in_memory(&data, &settings);
    let model = &fits.machines()[0].model;
    // The gradient of the log likelihood by the bias, less its prior's, is 0 at the mode.
    let said = model.predict(data.x()).unwrap().decision;
    let residual =
        said.iter().zip(data.codes()).map(|(f, class)| *class as f64 - 1.0 / (1.0 + (-f).exp()));
    let slope = residual.sum::<f64>() - 0.01 * model.bias();
    let deviation = model.sample_covariance().variances()[0].sqrt();
    assert!((slope * deviation).abs() < (4e-5 * 21_000f64).sqrt(), "{slope} {deviation}");
}

//! Learning by sums over rows, wherever these lie.

use pfcvm::multiclass::large::{Answer, Block, Learner};
use pfcvm::multiclass::{Dataset, Machines, Scheme, fit_choosing};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Fit, Kernel, Matrix, Model, Settings, fit};
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
                let loss = |model: &Model| model.certainty().unwrap().log_loss;
                assert!((loss(one) - loss(other)).abs() < 1e-6);
            }
        }
        let model = &whole.machines()[0].model;
        // One of noise passes one time in twenty.
        assert!([0, 2].iter().all(|k| model.selected_features().contains(k)));
    }
}

/// On rows that neither has seen, what is learned by sums is as good as what is learned from all rows at once. Losses of the
/// same 20,000 rows differ by some 0.001 by chance.
#[test]
fn sums_say_what_all_rows_at_once_say() {
    let (all, fresh) = (data(41_000, 2), Vec::from_iter(21_000..41_000));
    let (train, fresh) =
        (all.select(&Vec::from_iter(0..21_000)).unwrap(), all.select(&fresh).unwrap());
    let settings = Settings { certainty: CertaintyPolicy::Off, ..Settings::new(Kernel::Rbf) };
    let by_sums = in_memory(&train, &settings);
    let task = Scheme::Joint.tasks(2)[0];
    let at_once = fit(&train.task_data(task).unwrap(), &settings).unwrap();
    let loss = |model: &Model| {
        let said = model.predict(fresh.x()).unwrap().probability;
        let rows = said.iter().zip(fresh.codes());
        rows.map(|(p, class)| -(if *class == 1 { *p } else { 1.0 - p }).ln()).sum::<f64>()
            / 20_000.0
    };
    let (by_sums, at_once) = (loss(&by_sums.machines()[0].model), loss(&at_once.model));
    assert!(by_sums < at_once + 0.003, "{by_sums} {at_once}");
}

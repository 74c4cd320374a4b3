//! The same bits for any number of threads, for problems large enough that threads are used.

mod common;

use common::two_gaussians;
use pfcvm::settings::{CertaintyPolicy, Hyperprior, PrecisionRule, Readmission, Stage};
use pfcvm::{Dataset, Fit, Goal, Kernel, Matrix, Prediction, Settings, fit};

/// Everything that a fit gives but the time it took.
fn run(data: &Dataset, settings: &Settings, new: &Matrix, threads: usize) -> (Fit, Prediction) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut fit = fit(data, settings).unwrap();
        fit.trace.iter_mut().for_each(|i| i.seconds = 0.0);
        let prediction = fit.model.predict(new).unwrap();
        (fit, prediction)
    })
}

/// A model compares equal where its numbers do, so -0 and 0 would pass; the bits of what it
/// predicts are compared as well.
fn check(name: &str, data: &Dataset, settings: &Settings, new: &Matrix) {
    let (one, predicted) = run(data, settings, new, 1);
    let flops = one.trace.iter().map(|i| i.flops).fold(0.0, f64::max);
    assert!(flops > 1e9, "{name}: too small to use threads, {flops:e}");
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    for threads in [2, 3, 4] {
        let (other, others) = run(data, settings, new, threads);
        assert_eq!(one.trace, other.trace, "{name}: {threads} threads");
        assert!(one.model == other.model, "{name}: {threads} threads, another model");
        assert_eq!(one.feature_dropped, other.feature_dropped);
        assert_eq!(one.sample_dropped, other.sample_dropped);
        assert!(bits(&predicted.decision) == bits(&others.decision), "{name}: {threads} threads");
        assert!(bits(&predicted.variance) == bits(&others.variance), "{name}: {threads} threads");
        assert!(bits(&predicted.probability) == bits(&others.probability));
    }
    let sequential = Settings { parallel: false, ..settings.clone() };
    let (other, _) = run(data, &sequential, new, 2);
    assert!(one.model == other.model, "{name}: parallel = false, another model");
}

fn data(n: usize, m: usize) -> (Dataset, Matrix) {
    let (rows, positive) = two_gaussians(3, n, m, 4, 0.5);
    let new = Matrix::from_rows(&two_gaussians(4, 1500, m, 4, 0.5).0);
    (Dataset::new(Matrix::from_rows(&rows), positive).unwrap(), new)
}

/// A few iterations with all samples, a round of re-admission, and a few more from all samples.
fn stages() -> Option<Vec<Stage>> {
    let hyperprior = Hyperprior::from_false_positive_rate(0.01);
    let first = Stage {
        max_iterations: 3,
        readmission: Some(Readmission { rounds: 1, at_once: 2, least_z: 0.0 }),
        common_weight: true,
        ..Stage::new(PrecisionRule::Em, hyperprior)
    };
    let second =
        Stage { max_iterations: 3, restart: true, ..Stage::new(PrecisionRule::MacKay, hyperprior) };
    Some(vec![first, second])
}

/// The fit on all rows alone: what follows it is small, and tested below.
fn plain(kernel: Kernel) -> Settings {
    Settings { certainty: CertaintyPolicy::Off, ..Settings::new(kernel) }
}

/// Parts of the rows are fitted side by side.
#[test]
fn certainty() {
    let (data, new) = data(150, 12);
    let both = [Kernel::Rbf, Kernel::Linear].into_iter();
    for (kernel, goal) in both.flat_map(|k| [(k, Goal::List), (k, Goal::Accuracy)]) {
        let settings = Settings { goal, ..Settings::new(kernel) };
        let (one, predicted) = run(&data, &settings, &new, 1);
        assert!(one.model.certainty().is_some_and(|certainty| certainty.goals.is_some()));
        assert_eq!(one.model.broad().is_some(), goal == Goal::Accuracy);
        for threads in [2, 3, 7] {
            let (other, others) = run(&data, &settings, &new, threads);
            assert!(one.model == other.model && predicted == others, "{threads} threads");
        }
        let sequential = Settings { parallel: false, ..settings };
        assert!(one.model == run(&data, &sequential, &new, 2).0.model);
    }
}

#[test]
fn rbf() {
    let (data, new) = data(1201, 13);
    check("rbf", &data, &Settings { stages: stages(), ..plain(Kernel::Rbf) }, &new);
}

#[test]
fn polynomial() {
    let (data, new) = data(1103, 17);
    let kernel = Kernel::Polynomial { degree: 3 };
    check("polynomial", &data, &Settings { stages: stages(), ..plain(kernel) }, &new);
}

#[test]
fn linear() {
    let (data, new) = data(1103, 17);
    check("linear", &data, &Settings { stages: stages(), ..plain(Kernel::Linear) }, &new);
}

/// Many more features than samples: the other space.
#[test]
fn linear_with_many_features() {
    let (data, new) = data(301, 7001);
    let new = new.row_range(0, 50);
    let mut stages = stages().unwrap();
    stages.iter_mut().for_each(|stage| stage.readmission = None);
    let settings = Settings { stages: Some(stages), ..plain(Kernel::Linear) };
    check("wide", &data, &settings, &new);
}

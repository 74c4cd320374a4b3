//! The ℓ₁ machine against another solver (reference/make_golden_programs.py) and by its gap.

use crate::common::{all_close, close, dataset, golden, made, numbers};
use pfcvm::{ClassWeights, Dataset, Matrix};
use pfcvm_methods::margin::{L1Svm, L1SvmSettings};
use pfcvm_methods::probability::Probability;

fn quiet() -> L1SvmSettings {
    L1SvmSettings { probability: Probability::No, ..L1SvmSettings::default() }
}

#[test]
fn the_objective_is_that_of_another_solver() {
    for case in golden("programs.json")["cases"].as_array().unwrap() {
        let data = dataset(case);
        for program in case["l1svm"].as_array().unwrap() {
            let factors = numbers(&program["factors"]);
            let settings = L1SvmSettings {
                c: program["c"].as_f64().unwrap(),
                class_weights: ClassWeights::Given { negative: factors[0], positive: factors[1] },
                ..quiet()
            };
            let found = L1Svm::fit(&data, &settings).unwrap();
            close(found.objective(), program["objective"].as_f64().unwrap(), 1e-7, "objective");
            assert!(found.gap().abs() < 1e-6, "{}", found.gap());
            let mut weights = vec![0.0; data.x().cols()];
            let pairs = found.features().into_iter().zip(found.weights());
            pairs.for_each(|(feature, weight)| weights[feature] = *weight);
            let expected = numbers(&program["weights"]);
            all_close(&weights, &expected, 1e-5, "weights");
            let kept =
                |weights: &[f64]| Vec::from_iter((0..weights.len()).filter(|&j| weights[j] != 0.0));
            assert_eq!(kept(&weights), kept(&expected));
            close(found.offset(), program["offset"].as_f64().unwrap(), 1e-5, "offset");
        }
    }
}

#[test]
fn features_that_join_late_reach_the_solution_of_the_full_program() {
    // More features than the program starts with; the gap is over all of them.
    for (seed, rows, c) in [(31, 40, 1.0), (32, 60, 0.1), (33, 30, 10.0)] {
        let data = made(seed, rows, 1500, 4);
        let found = L1Svm::fit(&data, &L1SvmSettings { c, ..quiet() }).unwrap();
        assert!(found.gap() > -1e-9 && found.gap() < 1e-6, "{}", found.gap());
        let features = found.features();
        assert!(!features.is_empty() && features.len() <= rows, "{}", features.len());
    }
}

#[test]
fn a_price_low_enough_drops_everything() {
    let data = made(34, 40, 10, 2);
    let found = L1Svm::fit(&data, &L1SvmSettings { c: 1e-4, ..quiet() }).unwrap();
    assert!(found.features().is_empty());
    assert!(found.gap().abs() < 1e-6);
}

#[test]
fn weights_of_samples_are_copies() {
    let data = made(35, 40, 5, 2);
    let rows = Vec::from_iter((0..40).chain([3, 8, 8]));
    let copied = data.select(&rows).unwrap();
    let count = |row: usize| rows.iter().filter(|other| **other == row).count() as f64;
    let weighted = data.clone().with_sample_weights((0..40).map(count).collect()).unwrap();
    // Unscaled: the means do not take weights along.
    let settings = L1SvmSettings { standardise: false, ..quiet() };
    let [one, other] =
        [&weighted, &copied].map(|data| L1Svm::fit(data, &settings).unwrap().objective());
    close(one, other, 1e-7, "objective");
}

#[test]
fn the_order_of_samples_and_features_does_not_matter() {
    let data = made(36, 50, 8, 3);
    let columns = [3, 1, 5, 0, 2, 7, 6, 4];
    let rows = Vec::from_iter((0..50).map(|row| row * 7 % 50));
    let other = data.select(&rows).unwrap();
    let other = Dataset::new(other.x().select_columns(&columns), other.positive().to_vec());
    let one = L1Svm::fit(&data, &quiet()).unwrap();
    let other = L1Svm::fit(&other.unwrap(), &quiet()).unwrap();
    let mut back = Vec::from_iter(other.features().into_iter().map(|at| columns[at]));
    back.sort_unstable();
    assert_eq!(one.features(), back);
    let shuffled = other.decide(&data.x().select_columns(&columns)).unwrap();
    all_close(&one.decide(data.x()).unwrap(), &shuffled, 1e-5, "decision");
}

#[test]
fn dropped_features_cannot_matter() {
    let data = made(37, 40, 200, 3);
    let found = L1Svm::fit(&data, &quiet()).unwrap();
    let features = found.features();
    let x = data.x();
    let changed = Matrix::from_fn(x.rows(), x.cols(), |i, j| match features.contains(&j) {
        true => x.get(i, j),
        false => 1e6,
    });
    assert_eq!(found.decide(x).unwrap(), found.decide(&changed).unwrap());
}

//! The weighted machine: what it promises of its objective, its features and its parts.

use crate::common::{all_close, close, made};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::margin::{Gamma, MarginKernel, Svm, SvmSettings, Wsvm, WsvmSettings};
use pfcvm_methods::probability::Probability;

fn quiet() -> WsvmSettings {
    WsvmSettings { probability: Probability::No, ..WsvmSettings::default() }
}

/// Inside or outside a circle in the first two features, the others without a part in it.
fn circle(rows: usize, cols: usize) -> Dataset {
    let base = made(51, rows, cols, 0);
    let radius = |row: usize| base.x().get(row, 0).powi(2) + base.x().get(row, 1).powi(2);
    Dataset::new(base.x().clone(), (0..rows).map(|row| radius(row) < 1.4).collect()).unwrap()
}

#[test]
fn the_objective_never_rises_and_starts_at_the_plain_machine() {
    for (data, kernel) in [
        (circle(120, 6), MarginKernel::Rbf(Gamma::Scale(1.0))),
        (made(52, 60, 8, 2), MarginKernel::Rbf(Gamma::Given(0.3))),
        (made(53, 60, 8, 2), MarginKernel::Linear),
        (made(54, 30, 300, 5), MarginKernel::Rbf(Gamma::Scale(1.0))),
    ] {
        let found = Wsvm::fit(&data, &WsvmSettings { kernel, ..quiet() }).unwrap();
        assert!(found.objectives().len() > 2, "{:?}", found.objectives());
        assert!(found.objectives().is_sorted_by(|a, b| a > b), "{:?}", found.objectives());
        let plain = SvmSettings {
            kernel,
            probability: Probability::No,
            tolerance: 1e-5,
            ..Default::default()
        };
        let plain = Svm::fit(&data, &plain).unwrap();
        close(found.objectives()[0], plain.objective(), 1e-9, "start");
    }
}

#[test]
fn without_steps_it_is_the_plain_machine() {
    let data = made(55, 50, 5, 2);
    let none = Wsvm::fit(&data, &WsvmSettings { max_steps: 0, ..quiet() }).unwrap();
    let plain =
        SvmSettings { probability: Probability::No, tolerance: 1e-5, ..SvmSettings::default() };
    let plain = Svm::fit(&data, &plain).unwrap();
    assert_eq!(none.features(), [0, 1, 2, 3, 4]);
    assert_eq!(none.support(), plain.support());
    all_close(&none.decide(data.x()).unwrap(), &plain.decide(data.x()).unwrap(), 1e-4, "decision");
}

#[test]
fn the_features_of_a_circle_carry_the_weight() {
    let data = circle(200, 8);
    let found = Wsvm::fit(&data, &WsvmSettings { c: 10.0, ..quiet() }).unwrap();
    let of = |feature| {
        let at = found.features().iter().position(|other| *other == feature);
        at.map_or(0.0, |at| found.weights()[at])
    };
    let others = (2..8).map(of).fold(0.0, f64::max);
    assert!(of(0).min(of(1)) > 3.0 * others, "{:?} {:?}", found.features(), found.weights());
    let total: f64 = found.weights().iter().sum();
    assert!(total <= 1.0 + 1e-9, "{total}");
}

#[test]
fn the_linear_form_ends_at_the_same_place_from_any_order() {
    // Convex: permuted features end at the same objective.
    let data = made(56, 60, 6, 2);
    let columns = [5, 3, 1, 0, 4, 2];
    let turned = Dataset::new(data.x().select_columns(&columns), data.positive().to_vec()).unwrap();
    let settings = WsvmSettings { kernel: MarginKernel::Linear, ..quiet() };
    let [one, other] = [&data, &turned].map(|data| {
        let found = Wsvm::fit(data, &settings).unwrap();
        *found.objectives().last().unwrap()
    });
    close(one, other, 1e-3, "objective");
}

#[test]
fn dropped_features_cannot_matter() {
    let data = made(57, 40, 100, 3);
    let found = Wsvm::fit(&data, &WsvmSettings { c: 5.0, ..quiet() }).unwrap();
    let features = found.features();
    assert!(features.len() < 100);
    let x = data.x();
    let changed = Matrix::from_fn(x.rows(), x.cols(), |i, j| match features.contains(&j) {
        true => x.get(i, j),
        false => -3e5,
    });
    assert_eq!(found.decide(x).unwrap(), found.decide(&changed).unwrap());
}

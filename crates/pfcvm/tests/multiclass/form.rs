//! Which form is taken where nobody says: a panel or a single fit, curved or straight.

use super::common::Random;
use pfcvm::multiclass::{self, Found, Reason, Scheme, fit_choosing, fit_or_panel};
use pfcvm::settings::{Auto, CertaintyPolicy};
use pfcvm::{Kernel, Matrix, Settings};
use std::ops::ControlFlow;

/// Rows of noise, in which three squares decide, or twenty features by their sum.
fn drawn(rows: usize, features: usize, curved: bool) -> multiclass::Dataset {
    let mut random = Random::new(31);
    let x = random.rows(rows, features);
    let decides = |row: &Vec<f64>| match curved {
        true => row[..3].iter().map(|v| v * v - 1.0).sum::<f64>(),
        false => row[..20].iter().sum::<f64>(),
    };
    let codes = x.iter().map(|row| usize::from(decides(row) > 0.0)).collect();
    let x = Matrix::from_fn(rows, features, |i, k| x[i][k]);
    multiclass::Dataset::new(x, codes, vec!["no".into(), "yes".into()]).unwrap()
}

fn auto() -> Settings {
    Settings { auto: Auto { kernel: true, samples: true }, ..Settings::default() }
}

fn found(data: &multiclass::Dataset, settings: &Settings) -> (Found, multiclass::Choice) {
    let on = |_, _: &_| ControlFlow::Continue(());
    let of_panel = |_, _: &_| ControlFlow::Continue(());
    let (found, choice) = fit_or_panel(data, Scheme::Joint, settings, &on, &of_panel).unwrap();
    (found, choice.unwrap())
}

#[test]
fn more_features_than_samples_are_the_business_of_a_panel() {
    let (found, choice) = found(&drawn(90, 120, false), &auto());
    let Found::Panel(panels, settings) = found else { panic!("{choice:?}") };
    assert_eq!((choice.kernel, choice.panel), (Kernel::Linear, true));
    assert_eq!(choice.reason, Reason::MoreFeaturesThanSamples);
    // A curved boundary was tried on the same held-out rows.
    let tried: Vec<(Kernel, bool)> = choice.tried.iter().map(|t| (t.kernel, t.panel)).collect();
    assert_eq!(tried, [(Kernel::Linear, true), (Kernel::Rbf, false)]);
    let held_out = panels.machines()[0].certainty().unwrap().log_loss;
    assert!((choice.tried[0].log_loss - held_out).abs() < 1e-12);
    assert!(panels.machines()[0].selected_features().len() <= settings.size);
}

#[test]
fn a_single_curved_fit_is_taken_where_it_is_clearly_better() {
    let (found, choice) = found(&drawn(150, 160, true), &auto());
    let Found::Single(fits, settings) = found else { panic!("{choice:?}") };
    assert_eq!((choice.kernel, choice.panel), (Kernel::Rbf, false));
    assert_eq!(choice.reason, Reason::ClearlyBetter);
    let [panel, curved] = choice.tried[..] else { panic!("{choice:?}") };
    assert!(panel.panel && curved.above_first < -2.0 * curved.above_first_error);
    assert_eq!(settings.kernel, Kernel::Rbf);
    assert!(fits.machines()[0].model.selected_features().starts_with(&[0, 1, 2]));
}

#[test]
fn many_more_features_are_not_compared() {
    let (found, choice) = found(&drawn(40, 220, true), &auto());
    assert!(matches!(found, Found::Panel(..)) && choice.tried.is_empty());
}

#[test]
fn what_was_told_is_taken() {
    let data = drawn(60, 90, false);
    let told =
        Settings { auto: Auto { kernel: false, samples: true }, ..Settings::new(Kernel::Linear) };
    let on = |_, _: &_| ControlFlow::Continue(());
    let of_panel = |_, _: &_| ControlFlow::Continue(());
    let (found, choice) = fit_or_panel(&data, Scheme::Joint, &told, &on, &of_panel).unwrap();
    assert!(matches!(found, Found::Single(..)) && choice.is_none());
    // Who wants a single fit has the kernels compared.
    let kernel = |data: &multiclass::Dataset, certainty| {
        let settings = Settings { certainty, ..auto() };
        let (_, _, choice) = fit_choosing(data, Scheme::Joint, &settings, &on).unwrap();
        choice.unwrap()
    };
    assert_eq!(kernel(&data, CertaintyPolicy::On).tried.len(), 2);
    assert_eq!(kernel(&data, CertaintyPolicy::Off).kernel, Kernel::Rbf);
}

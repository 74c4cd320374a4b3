//! Odd, extreme and hopeless data: nothing may panic, hang or give a number that is not finite.

mod common;

use common::{Random, two_gaussians};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{
    ClassWeights, Dataset, Error, Fit, Goal, Kernel, Matrix, Model, SamplePolicy, Settings, Stop,
    Termination, fit, fit_with,
};
use std::ops::ControlFlow;

const KERNELS: [Kernel; 3] = [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 3 }];
const POLICIES: [SamplePolicy; 3] = [SamplePolicy::Few, SamplePolicy::Frozen, SamplePolicy::Dense];

fn dataset(rows: &[Vec<f64>], positive: &[bool]) -> Dataset {
    Dataset::new(Matrix::from_rows(rows), positive.to_vec()).unwrap()
}

/// Every number of a fit that did not break down.
fn check(what: &str, fit: &Fit, x: &Matrix) {
    assert_ne!(fit.termination, Termination::NumericalBreakdown, "{what}");
    finite(what, fit, x);
    // What is not finite is no number in a file, and refused when it is read.
    let stored = serde_json::to_string(&fit.model).unwrap();
    let back = serde_json::from_str::<Model>(&stored);
    assert!(back.as_ref().is_ok_and(|back| *back == fit.model), "{what}: {:?}", back.err());
}

/// Every number of a fit, and of what it predicts for `x`.
fn finite(what: &str, fit: &Fit, x: &Matrix) {
    let finite = |name: &str, values: &[f64]| {
        assert!(values.iter().all(|v| v.is_finite()), "{what}: {name} {values:?}");
    };
    let model = &fit.model;
    finite("bias", &[model.bias(), fit.log_evidence, fit.log_likelihood]);
    finite("sample weights", model.sample_weights());
    finite("sample precisions", model.sample_precisions());
    finite("sample deviations", &model.sample_deviations());
    finite("feature weights", model.feature_weights());
    finite("feature precisions", model.feature_precisions());
    finite("feature deviations", &model.feature_deviations());
    finite("evidence", &fit.trace.iter().map(|i| i.log_evidence).collect::<Vec<_>>());
    if let Some(broad) = model.broad() {
        finite("coefficients", broad.coefficients());
        finite("all features", &[broad.bias(), broad.feature_weight()]);
    }
    let p = model.predict(x).unwrap();
    finite("decision", &p.decision);
    finite("variance", &p.variance);
    assert!(p.probability.iter().all(|p| (0.0..=1.0).contains(p)), "{what}: probability");
}

/// Fits with every kernel and policy, and the paper's settings.
fn survives(what: &str, data: &Dataset) {
    for kernel in KERNELS {
        for samples in POLICIES {
            let settings = Settings { samples, ..Settings::new(kernel) };
            let what = format!("{what}, {kernel:?}, {samples:?}");
            check(&what, &fit(data, &settings).unwrap(), data.x());
        }
    }
    for kernel in KERNELS {
        for certainty in [CertaintyPolicy::On, CertaintyPolicy::Off] {
            let (goal, samples) = (Goal::Accuracy, SamplePolicy::Dense);
            let settings = Settings { goal, samples, certainty, ..Settings::new(kernel) };
            let what = format!("{what}, {kernel:?}, for accuracy, certainty {certainty}");
            let fit = fit(data, &settings).unwrap();
            check(&what, &fit, data.x());
            // All features have their say, unless held-out rows say that they know nothing.
            let asked = fit.model.certainty().is_some();
            assert!(asked || fit.model.broad().is_some(), "{what}");
        }
    }
    let paper = fit(data, &Settings::paper(Kernel::Rbf)).unwrap();
    check(&format!("{what}, paper"), &paper, data.x());
}

#[test]
fn few_samples_or_features() {
    let (rows, positive) = two_gaussians(1, 4, 3, 1, 1.0);
    survives("four samples", &dataset(&rows, &positive));
    let (rows, positive) = two_gaussians(2, 40, 1, 1, 0.7);
    survives("one feature", &dataset(&rows, &positive));
    let (rows, positive) = two_gaussians(3, 5, 1, 0, 0.0);
    survives("five samples of noise", &dataset(&rows, &positive));
}

#[test]
fn many_more_features_than_samples() {
    let (rows, positive) = two_gaussians(4, 10, 3000, 3, 1.0);
    let data = dataset(&rows, &positive);
    for kernel in KERNELS {
        for goal in [Goal::List, Goal::Accuracy] {
            let settings = Settings { goal, ..Settings::new(kernel) };
            check(&format!("{kernel:?} {goal}"), &fit(&data, &settings).unwrap(), data.x());
        }
    }
}

#[test]
fn copies() {
    let (mut rows, positive) = two_gaussians(5, 40, 3, 1, 0.8);
    rows.iter_mut().for_each(|row| row.extend(row.clone()));
    survives("duplicate columns", &dataset(&rows, &positive));

    let (rows, positive) = two_gaussians(6, 20, 3, 1, 0.8);
    let twice: Vec<Vec<f64>> = rows.iter().chain(&rows).cloned().collect();
    let same: Vec<bool> = positive.iter().chain(&positive).copied().collect();
    survives("duplicate rows", &dataset(&twice, &same));
    let opposite: Vec<bool> = positive.iter().copied().chain(positive.iter().map(|p| !p)).collect();
    let contradictory = dataset(&twice, &opposite);
    survives("duplicate rows of the other class", &contradictory);
    // Nothing can be known of such rows, and the model says so.
    let p = fit(&contradictory, &Settings::default()).unwrap();
    let p = p.model.predict(contradictory.x()).unwrap().probability;
    assert!(p.iter().all(|p| (p - 0.5).abs() < 0.1), "{p:?}");

    let two: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i % 2), 1.0]).collect();
    let classes: Vec<bool> = (0..20).map(|i| i % 2 == 0).collect();
    survives("two distinct rows", &dataset(&two, &classes));
}

#[test]
fn extreme_values() {
    let (rows, positive) = two_gaussians(7, 40, 4, 2, 0.8);
    for scales in [[1e150; 4], [1e-150; 4], [1e150, 1e-150, 1.0, 1e300], [5e-324; 4]] {
        let scaled: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| row.iter().zip(scales).map(|(v, s)| (v * s).clamp(-1e308, 1e308)).collect())
            .collect();
        survives(&format!("scale {scales:?}"), &dataset(&scaled, &positive));
    }
    let mut outlier = rows.clone();
    outlier[3][0] = 1e150;
    survives("one huge value", &dataset(&outlier, &positive));
    let mut far = rows.clone();
    far.iter_mut().for_each(|row| row[1] += 1e9);
    survives("far from 0", &dataset(&far, &positive));
}

/// Scale alone, up to 1e±150, changes nothing.
#[test]
fn extreme_scale_gives_the_same_model() {
    let (rows, positive) = two_gaussians(7, 40, 4, 2, 0.8);
    let data = dataset(&rows, &positive);
    let plain = fit(&data, &Settings::default()).unwrap();
    for scale in [f64::powi(2.0, 500), f64::powi(2.0, -500)] {
        let scaled: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|v| v * scale).collect()).collect();
        let other = fit(&dataset(&scaled, &positive), &Settings::default()).unwrap();
        assert_eq!(plain.model.selected_features(), other.model.selected_features());
        assert_eq!(plain.model.selected_samples(), other.model.selected_samples());
        assert!((plain.log_evidence - other.log_evidence).abs() < 1e-6);
    }
}

#[test]
fn separable_and_lopsided_classes() {
    let mut random = Random::new(9);
    let rows: Vec<Vec<f64>> = (0..60)
        .map(|i| vec![if i < 30 { 10.0 } else { -10.0 } + random.normal(), random.normal()])
        .collect();
    let positive: Vec<bool> = (0..60).map(|i| i < 30).collect();
    let separable = dataset(&rows, &positive);
    survives("separable", &separable);
    for kernel in KERNELS {
        let fit = fit(&separable, &Settings::new(kernel)).unwrap();
        assert_eq!(fit.model.selected_features(), [0], "{kernel:?}");
        assert_eq!(fit.model.predict(separable.x()).unwrap().positive(), positive, "{kernel:?}");
    }

    let (rows, _) = two_gaussians(10, 400, 3, 0, 0.0);
    let lopsided: Vec<bool> = (0..400).map(|i| i < 2).collect();
    let data = dataset(&rows, &lopsided);
    survives("2 of 400", &data);
    for class_weights in
        [ClassWeights::Balanced, ClassWeights::Given { negative: 1e-3, positive: 1e3 }]
    {
        let settings = Settings { class_weights, ..Settings::default() };
        check("2 of 400, weighted", &fit(&data, &settings).unwrap(), data.x());
    }
}

#[test]
fn extreme_sample_weights() {
    let (rows, positive) = two_gaussians(11, 40, 3, 1, 0.8);
    for weight in [1e-12, 1e-6, 1e6, 1e12] {
        let data = dataset(&rows, &positive).with_sample_weights(vec![weight; 40]).unwrap();
        survives(&format!("weights {weight:e}"), &data);
    }
    let mixed: Vec<f64> = (0..40).map(|i| 10f64.powi(i % 13 - 6)).collect();
    survives("mixed weights", &dataset(&rows, &positive).with_sample_weights(mixed).unwrap());
}

/// Without standardisation the precisions are far from every default. A fit may break down, but
/// it says so and still predicts, or is refused with advice: values above 1e7 always are, and a
/// kernel of high order where not even one iteration works.
#[test]
fn large_values_without_standardisation() {
    let (rows, positive) = two_gaussians(12, 60, 3, 2, 0.8);
    for power in [1, 2, 3, 5, 7, 9, 15, 30, 60] {
        let scale = 10f64.powi(power);
        let scaled: Vec<Vec<f64>> =
            rows.iter().map(|row| row.iter().map(|v| v * scale).collect()).collect();
        let data = dataset(&scaled, &positive);
        for kernel in KERNELS {
            let dense = Settings { samples: SamplePolicy::Dense, ..Settings::new(kernel) };
            for settings in [Settings::new(kernel), dense, Settings::paper(kernel)] {
                let settings = Settings { standardise: false, ..settings };
                let what = format!("1e{power}, {kernel:?}, {:?}", settings.truncation);
                match fit(&data, &settings) {
                    Ok(fit) => {
                        assert!(power < 7, "{what}: values above 1e7 are too large");
                        finite(&what, &fit, data.x());
                    }
                    Err(Error::TooLargeValue { .. }) => assert!(power >= 7, "{what}"),
                    Err(Error::NumericalBreakdown) => {
                        let cubic = matches!(kernel, Kernel::Polynomial { .. });
                        assert!(cubic && power >= 3, "{what}");
                    }
                    Err(other) => panic!("{what}: {other}"),
                }
            }
        }
    }
}

/// New rows far outside the training range.
#[test]
fn predictions_for_extreme_rows() {
    let (rows, positive) = two_gaussians(12, 60, 3, 2, 0.8);
    let data = dataset(&rows, &positive);
    let new = Matrix::from_rows(&[vec![1e150; 3], vec![-1e308, 1e308, 0.0], vec![1e-300; 3]]);
    for kernel in KERNELS.into_iter().chain([Kernel::Polynomial { degree: 10 }]) {
        for goal in [Goal::List, Goal::Accuracy] {
            let settings = Settings { goal, ..Settings::new(kernel) };
            check(&format!("{kernel:?} {goal}"), &fit(&data, &settings).unwrap(), &new);
        }
    }
}

#[test]
fn the_observer_stops_a_fit() {
    let (rows, positive) = two_gaussians(13, 60, 5, 2, 0.8);
    let data = dataset(&rows, &positive);
    for kernel in KERNELS {
        for samples in POLICIES {
            for last in [1, 3] {
                let settings = Settings { samples, ..Settings::new(kernel) };
                let mut seen = 0;
                let fit = fit_with(&data, &settings, &mut |iteration| {
                    // Fits without a part of the rows may go on beside it.
                    if iteration.fold.is_some() {
                        return ControlFlow::Continue(());
                    }
                    seen += 1;
                    assert_eq!(iteration.number, seen);
                    if seen == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .unwrap();
                assert_eq!((seen, fit.trace.len()), (last, last), "{kernel:?} {samples:?}");
                assert_eq!(fit.termination, Termination::Cancelled);
                check("cancelled", &fit, data.x());
                // The weights are those of the last iteration.
                let kept = fit.model.selected_samples().len();
                let shown = fit.trace[last - 1].samples;
                let what = format!("{kernel:?} {samples:?}: {shown} samples, then {kept}");
                assert!(kept > 0 && kept <= shown, "{what}");
                let signs = positive.iter().map(|p| if *p { 1.0 } else { -1.0 });
                let f = fit.model.predict(data.x()).unwrap().decision;
                let log: f64 = f.iter().zip(signs).map(|(f, y)| -(-y * f).exp().ln_1p()).sum();
                assert!((log - fit.log_likelihood).abs() < 0.5, "{what}: {log}");
            }
        }
    }
}

/// Whoever is shown when the observer has enough, nobody asks it again, and the fit does not come to its end.
#[test]
fn an_observer_that_stops_a_fit_without_some_rows_stops_all() {
    let (rows, positive) = two_gaussians(13, 60, 5, 2, 0.8);
    let data = dataset(&rows, &positive);
    let mut over = false;
    let fit = fit_with(&data, &Settings::new(Kernel::Rbf), &mut |iteration| {
        assert!(!over, "asked again");
        over = iteration.fold == Some(2);
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(over);
    assert_eq!(fit.unwrap().termination, Termination::Cancelled);
}

/// No clock has a part in it: whichever look finds the flag up is the last one, and there are many of
/// them in an iteration. Threads that are at work beside that one may look once more each.
#[test]
fn a_flag_ends_a_fit_in_the_middle_of_an_iteration() {
    let (rows, positive) = two_gaussians(15, 60, 5, 2, 0.8);
    let data = dataset(&rows, &positive);
    for kernel in KERNELS {
        let with = |stop: &Stop, parallel: bool| {
            let (stop, goal) = (Some(stop.clone()), Goal::Accuracy);
            fit(&data, &Settings { stop, parallel, goal, ..Settings::new(kernel) })
        };
        let whole = Stop::default();
        let fitted = with(&whole, false).unwrap();
        let all = whole.looks();
        assert!(all > 8 * fitted.trace.len(), "{kernel:?}: {all} looks");
        for look in [1, all / 7, all / 3, all / 2, all * 2 / 3, all] {
            let stop = Stop::at_look(look);
            assert_eq!(with(&stop, false).unwrap_err(), Error::Stopped, "{kernel:?} at {look}");
            assert_eq!(stop.looks(), look);
            let stop = Stop::at_look(look.min(all / 2));
            assert_eq!(with(&stop, true).unwrap_err(), Error::Stopped, "{kernel:?} at {look}");
        }
        // The same flag, never up, changes nothing.
        let settings = Settings { goal: Goal::Accuracy, ..Settings::new(kernel) };
        assert_eq!(fitted.model, fit(&data, &settings).unwrap().model);
    }
}

#[test]
fn predictions_ask_for_the_columns_of_the_training_data() {
    let (rows, positive) = two_gaussians(14, 40, 3, 2, 0.8);
    let model = fit(&dataset(&rows, &positive), &Settings::default()).unwrap().model;
    for cols in [2, 4] {
        let error = model.predict(&Matrix::zeros(5, cols)).unwrap_err();
        let what = "columns to predict from";
        assert_eq!(error, Error::Length { what, found: cols, expected: 3 });
        assert_eq!(error.to_string(), format!("{what}: {cols} given, 3 needed"));
    }
    let mut x = Matrix::zeros(5, 3);
    x.set(4, 1, f64::INFINITY);
    assert!(matches!(model.predict(&x), Err(Error::NotFinite { row: 4, col: 1, .. })));
    let none = model.predict(&Matrix::zeros(0, 3)).unwrap();
    assert!(none.decision.is_empty() && none.probability.is_empty() && none.variance.is_empty());
}

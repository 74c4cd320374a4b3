//! The support vector machine against scikit-learn's (reference/make_golden_svm.py).

use crate::common::{all_close, close, dataset, golden, indices, made, matrix, numbers};
use pfcvm::{ClassWeights, Dataset};
use pfcvm_methods::Error;
use pfcvm_methods::margin::{Gamma, MarginKernel, Svm, SvmSettings};
use pfcvm_methods::probability::{Calibration, Platt, Probability};
use serde_json::Value;

fn settings(fit: &Value) -> SvmSettings {
    let gamma = fit["gamma"].as_f64().map_or(Gamma::Scale(1.0), Gamma::Given);
    SvmSettings {
        kernel: match fit["kernel"].as_str().unwrap() {
            "linear" => MarginKernel::Linear,
            _ => MarginKernel::Rbf(gamma),
        },
        c: fit["c"].as_f64().unwrap(),
        class_weights: match fit["balanced"].as_bool().unwrap() {
            true => ClassWeights::Balanced,
            false => ClassWeights::Equal,
        },
        probability: Probability::No,
        tolerance: fit["tolerance"].as_f64().unwrap(),
        ..SvmSettings::default()
    }
}

#[test]
fn support_vectors_and_decisions_are_those_of_scikit_learn() {
    for case in golden("svm.json")["cases"].as_array().unwrap() {
        let data = dataset(case);
        for fit in case["fits"].as_array().unwrap() {
            let what =
                format!("{} {} C={} {}", case["name"], fit["kernel"], fit["c"], fit["tolerance"]);
            let svm = Svm::fit(&data, &settings(fit)).unwrap();
            assert_eq!(svm.support(), indices(&fit["support"]), "{what}");
            // Both stop within the tolerance; the path to there hangs on the last bit of kernel
            // values in single precision.
            let apart = 4.0 * fit["tolerance"].as_f64().unwrap();
            close(svm.offset(), fit["offset"].as_f64().unwrap(), apart, &what);
            let decisions = svm.decide(&matrix(&case["test"])).unwrap();
            all_close(&decisions, &numbers(&fit["decisions"]), apart, &what);
        }
    }
}

#[test]
fn platt_is_scikit_learns_calibration() {
    for case in golden("svm.json")["cases"].as_array().unwrap() {
        let data = dataset(case);
        for fit in case["fits"].as_array().unwrap() {
            let platt = Platt::fit(&numbers(&fit["training_decisions"]), data.positive());
            let expected = numbers(&fit["platt"]);
            // Both stop where the gradient is about 1e-5 or its gain as small.
            close(platt.slope(), expected[0], 2e-3, "slope");
            close(platt.offset(), expected[1], 2e-3, "offset");
        }
    }
}

#[test]
fn a_weight_is_a_number_of_copies() {
    let data = made(21, 40, 3, 1);
    let rows = Vec::from_iter((0..40).filter(|row| row % 7 != 0).chain([1, 2, 2, 5]));
    let copied = data.select(&rows).unwrap();
    let count = |row: &usize| rows.iter().filter(|other| *other == row).count() as f64;
    let weights = Vec::from_iter((0..40).map(|row| count(&row)));
    let weighted = data.clone().with_sample_weights(weights).unwrap();
    // Unscaled: the means do not take weights along.
    let base =
        SvmSettings { standardise: false, probability: Probability::No, ..SvmSettings::default() };
    let settings = SvmSettings { kernel: MarginKernel::Rbf(Gamma::Given(0.3)), ..base };
    let decide = |data: &Dataset| {
        let fitted = Svm::fit(data, &settings).unwrap();
        fitted.decide(copied.x()).unwrap()
    };
    // Two orders of the same dual, each within its tolerance of 1e-3.
    all_close(&decide(&weighted), &decide(&copied), 2e-3, "decision");
    let halves = data.clone().with_sample_weights(vec![0.5; 40]).unwrap();
    let cheap = SvmSettings { c: 0.5, ..settings.clone() };
    let cheap = Svm::fit(&data, &cheap).unwrap().decide(copied.x()).unwrap();
    assert_eq!(decide(&halves), cheap);
    // One weight for all samples of a class is a bound of its own.
    let classes = Vec::from_iter((0..40).map(|row| 1.0 + 0.5 * f64::from(row % 2)));
    let by_sample = data.clone().with_sample_weights(classes).unwrap();
    let class_weights = ClassWeights::Given { negative: 1.0, positive: 1.5 };
    let by_class = Svm::fit(&data, &SvmSettings { class_weights, ..settings.clone() }).unwrap();
    assert_eq!(decide(&by_sample), by_class.decide(copied.x()).unwrap());
    let mixed = Vec::from_iter((0..40).map(|row| 1.0 + 0.5 * f64::from(row % 3 == 0)));
    let mixed = data.with_sample_weights(mixed).unwrap();
    let refusal = Svm::fit(&mixed, &settings).unwrap_err();
    assert_eq!(refusal, Error::FractionalWeight { weight: 1.5 });
}

#[test]
fn the_order_of_samples_and_features_does_not_matter_beyond_the_tolerance() {
    let data = made(22, 60, 6, 2);
    let rows = Vec::from_iter((0..60).map(|row| row * 7 % 60));
    let columns = [3, 1, 5, 0, 2, 4];
    let shuffled = data.select(&rows).unwrap();
    let shuffled =
        Dataset::new(shuffled.x().select_columns(&columns), shuffled.positive().to_vec());
    let settings = SvmSettings { probability: Probability::No, ..SvmSettings::default() };
    let one = Svm::fit(&data, &settings).unwrap().decide(data.x()).unwrap();
    let other = Svm::fit(&shuffled.unwrap(), &settings).unwrap();
    let other = other.decide(&data.x().select_columns(&columns)).unwrap();
    all_close(&one, &other, 3e-3, "decision");
}

#[test]
fn probabilities_follow_held_out_decisions_not_those_seen() {
    // Pure noise: decisions on the rows seen are all right, those held out are worth nothing.
    let data = made(23, 60, 40, 0);
    let settings = SvmSettings { c: 100.0, ..SvmSettings::default() };
    let svm = Svm::fit(&data, &settings).unwrap();
    let decisions = svm.decide(data.x()).unwrap();
    assert!(decisions.iter().zip(data.positive()).all(|(f, p)| (*f >= 0.0) == *p));
    let probabilities = svm.calibration().unwrap().probabilities(&decisions);
    assert!(probabilities.iter().all(|p| (0.1..0.9).contains(p)), "{probabilities:?}");
    let seeds = [0, 1].map(|seed| {
        let settings = SvmSettings { seed, ..settings.clone() };
        Svm::fit(&data, &settings).unwrap().calibration().unwrap().clone()
    });
    assert_eq!(seeds[0], *svm.calibration().unwrap());
    let isotonic = SvmSettings { probability: Probability::Isotonic, ..settings };
    let isotonic = Svm::fit(&data, &isotonic).unwrap();
    assert_eq!(isotonic.decide(data.x()).unwrap(), decisions);
    let probabilities = isotonic.calibration().unwrap().probabilities(&decisions);
    // Were it learned on the decisions seen, all would be 0 or 1.
    let unsure = probabilities.iter().filter(|p| (0.1..0.9).contains(*p)).count();
    assert!(unsure > 50, "{probabilities:?}");
}

#[test]
fn weights_count_in_isotonic_probabilities() {
    // Positive samples at twice the weight, as copies: odds are those of the copies.
    let data = made(24, 300, 3, 1);
    let weights = data.positive().iter().map(|positive| if *positive { 2.0 } else { 1.0 });
    let data = data.clone().with_sample_weights(weights.collect()).unwrap();
    let settings = SvmSettings { probability: Probability::Isotonic, ..SvmSettings::default() };
    let svm = Svm::fit(&data, &settings).unwrap();
    let Some(Calibration::Isotonic(isotonic)) = svm.calibration() else { panic!("not asked for") };
    let probabilities = isotonic.probabilities(&svm.decide(data.x()).unwrap());
    let mean = probabilities.iter().zip(data.sample_weights()).map(|(p, w)| p * w).sum::<f64>();
    // On held-out rows the weighted mean is exactly 2/3; decisions on rows seen are a little surer.
    close(mean / data.sample_weights().iter().sum::<f64>(), 2.0 / 3.0, 0.05, "mean");
}

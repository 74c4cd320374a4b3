//! Measures against scikit-learn (`reference/make_golden_measures.py`), and properties.

use pfcvm_eval::{
    Scores, accuracy, auc, brier_score, calibration_curve, calibration_error, confusion, log_loss,
    roc_curve,
};
use proptest::prelude::*;
use serde_json::Value;

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    // Sums of fewer than 100 terms, in another order: a few units in the last place.
    assert!((found - expected).abs() < 1e-13, "{what}: {found} for {expected}");
}

#[test]
fn golden_values() {
    let golden: Value = serde_json::from_str(include_str!("../golden/measures.json")).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        let list = |name: &str| case[name].as_array().unwrap();
        let truth: Vec<bool> = list("truth").iter().map(|v| v.as_bool().unwrap()).collect();
        let p: Vec<f64> = list("probability").iter().map(|v| v.as_f64().unwrap()).collect();
        let bins = case["bins"].as_u64().unwrap() as usize;

        close(accuracy(&truth, &p), &case["accuracy"], "accuracy");
        // scikit-learn clips to the last place before 0 and 1, so leave those rows out.
        if p.iter().all(|&p| 0.0 < p && p < 1.0) {
            close(log_loss(&truth, &p), &case["log_loss"], "log loss");
        }
        close(brier_score(&truth, &p), &case["brier"], "Brier score");
        close(auc(&truth, &p).unwrap(), &case["auc"], "AUC");
        close(calibration_error(&truth, &p, bins), &case["calibration_error"], "ECE");

        let counts = confusion(&truth, &p);
        let expected = &case["confusion"];
        assert_eq!(counts.true_positives as u64, expected["tp"]);
        assert_eq!(counts.false_positives as u64, expected["fp"]);
        assert_eq!(counts.true_negatives as u64, expected["tn"]);
        assert_eq!(counts.false_negatives as u64, expected["fn"]);

        let points = roc_curve(&truth, &p).unwrap();
        assert_eq!(points.len(), list("roc").len());
        for (point, expected) in points.iter().zip(list("roc")) {
            close(point.false_positive_rate, &expected[0], "false positive rate");
            close(point.true_positive_rate, &expected[1], "true positive rate");
            match expected[2].as_f64() {
                Some(threshold) => assert_eq!(point.threshold, threshold),
                None => assert_eq!(point.threshold, f64::INFINITY),
            }
        }

        let curve = calibration_curve(&truth, &p, bins);
        assert_eq!(curve.len(), list("calibration").len());
        for (bin, expected) in curve.iter().zip(list("calibration")) {
            assert_eq!(bin.count as u64, expected["count"]);
            close(bin.predicted, &expected["predicted"], "predicted");
            close(bin.observed, &expected["observed"], "observed");
            close(bin.interval.0, &expected["low"], "lower end");
            close(bin.interval.1, &expected["high"], "upper end");
        }
    }
}

/// Rows with probabilities on a grid of tenths, so that there are many ties.
fn rows() -> impl Strategy<Value = (Vec<bool>, Vec<f64>)> {
    let row = (any::<bool>(), (0..=10u8).prop_map(|tenths| f64::from(tenths) / 10.0));
    prop::collection::vec(row, 1..60).prop_map(|rows| rows.into_iter().unzip())
}

proptest! {
    #[test]
    fn auc_is_the_area_under_the_roc_points((truth, p) in rows()) {
        let area = roc_curve(&truth, &p).map(|points| {
            let pieces = points.windows(2).map(|pair| {
                let width = pair[1].false_positive_rate - pair[0].false_positive_rate;
                width * 0.5 * (pair[0].true_positive_rate + pair[1].true_positive_rate)
            });
            pieces.sum::<f64>()
        });
        match (area, auc(&truth, &p)) {
            (Some(area), Some(auc)) => prop_assert!((area - auc).abs() < 1e-12),
            (area, auc) => prop_assert!(area.is_none() && auc.is_none()),
        }
    }

    #[test]
    fn bins_hold_every_row_once((truth, p) in rows(), bins in 1..15usize) {
        let curve = calibration_curve(&truth, &p, bins);
        prop_assert_eq!(curve.iter().map(|bin| bin.count).sum::<usize>(), truth.len());
        for bin in &curve {
            prop_assert!(bin.interval.0 <= bin.observed && bin.observed <= bin.interval.1);
        }
        prop_assert!(curve.windows(2).all(|pair| pair[0].predicted < pair[1].predicted));
        let error = calibration_error(&truth, &p, bins);
        prop_assert!((0.0..=1.0).contains(&error));
        // One bin sees only the means.
        prop_assert!(calibration_error(&truth, &p, 1) <= error + 1e-12);
    }

    #[test]
    fn confusion_agrees_with_accuracy((truth, p) in rows()) {
        let counts = confusion(&truth, &p);
        let right = counts.true_positives + counts.true_negatives;
        let wrong = counts.false_positives + counts.false_negatives;
        prop_assert_eq!(right + wrong, truth.len());
        prop_assert_eq!(right as f64 / truth.len() as f64, accuracy(&truth, &p));
    }
}

#[test]
fn golden_values_of_several_classes() {
    let golden: Value = serde_json::from_str(include_str!("../golden/multiclass.json")).unwrap();
    for case in golden.as_array().unwrap() {
        let whole = |name: &str| -> Vec<usize> {
            serde_json::from_value(case[name].clone()).expect("a list of whole numbers")
        };
        let p: Vec<Vec<f64>> = serde_json::from_value(case["probability"].clone()).unwrap();
        let classes = case["classes"].as_u64().unwrap() as usize;
        let names: Vec<String> = (0..classes).map(|class| class.to_string()).collect();
        let found = Scores::of(&names, &whole("truth"), &whole("called"), Some(&p));
        let table: Vec<Vec<usize>> = serde_json::from_value(case["confusion"].clone()).unwrap();
        assert_eq!(found.confusion, table);
        close(found.accuracy, &case["accuracy"], "accuracy");
        close(found.macro_recall, &case["balanced_accuracy"], "balanced accuracy");
        close(found.macro_precision, &case["macro_precision"], "precision");
        close(found.macro_recall, &case["macro_recall"], "recall");
        close(found.macro_f1, &case["macro_f1"], "F1");
        close(found.kappa.unwrap(), &case["kappa"], "kappa");
        close(found.log_loss.unwrap(), &case["log_loss"], "log loss");
        // scikit-learn sums over the classes; of two we take one.
        let half = if classes == 2 { 2.0 } else { 1.0 };
        close(half * found.brier.unwrap(), &case["brier"], "Brier score");
        close(found.auc.unwrap(), &case["macro_auc"], "AUC");
    }
}

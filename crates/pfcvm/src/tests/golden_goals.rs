//! How the list and all features go together on given held-out rows, against `reference/slow_goals.py`.

use super::common::{assert_close, golden, indices, numbers, table};
use crate::certainty::GoalScore;
use crate::judgement::{Calibration, Copies, Held, Pairing, Rows, pair};
use crate::{ClassWeights, Dataset, Matrix};
use serde_json::Value;

/// Sums of some dozens of logarithms.
const TOLERANCE: f64 = 1e-11;

fn truth(case: &Value, key: &str) -> bool {
    case[key].as_bool().unwrap()
}

/// What the two make of the rows of a case.
fn pairing(case: &Value) -> Pairing {
    let (codes, weights) = (indices(&case["codes"]), numbers(&case["row_weights"]));
    let classes = codes.iter().max().unwrap() + 1;
    let x = Matrix::from_fn(codes.len(), 1, |i, _| i as f64);
    let positive = codes.iter().map(|code| *code == 1).collect();
    let data = Dataset::new(x, positive).unwrap().with_sample_weights(weights).unwrap();
    let data = if classes == 2 { data } else { data.in_classes(codes, classes) };
    let copies = Copies::of(&data);
    let parts = indices(&case["parts"]);
    let values = |key: &str| Matrix::from_rows(&table(&case[key]));
    let (list, variance, broad) = (values("list"), values("variance"), values("broad"));
    let of_part = |part: usize| -> Vec<Held> {
        let own: Vec<usize> = (0..parts.len()).filter(|&i| parts[i] == part).collect();
        let pick = |values: &Matrix, k: usize| own.iter().map(|&i| values.get(i, k)).collect();
        let machine = |k: usize| Held {
            decision: pick(&list, k),
            variance: pick(&variance, k),
            broad: pick(&broad, k),
            ..Held::nothing(&own)
        };
        (0..list.cols()).map(machine).collect()
    };
    let held: Vec<Vec<Held>> = (0..5).map(of_part).collect();
    let calibrations = table(&case["calibrations"]);
    let calibrations: Vec<Calibration> =
        calibrations.iter().map(|c| Calibration { offset: c[0], slope: c[1] }).collect();
    let balanced = truth(case, "balanced");
    let class_weights = if balanced { ClassWeights::Balanced } else { ClassWeights::Equal };
    let rows = Rows { data: &data, copies: &copies, class_weights, seed: 0 };
    pair(&rows, &held, &calibrations, truth(case, "nothing")).unwrap()
}

#[test]
fn factors_scores_and_losses() {
    let file = golden("goals.json");
    for (number, case) in file["cases"].as_array().unwrap().iter().enumerate() {
        let (found, expected) = (pairing(case), &case["found"]);
        let what = |key: &str| format!("case {number}, {key}");
        let (b, c) = found.factors;
        assert_eq!([b, c], numbers(&expected["factors"])[..], "case {number}");
        let score = |key: &str, found: GoalScore| {
            let value = |name: &str| expected[key][name].as_f64().unwrap();
            let found = [found.accuracy, found.log_loss, found.log_loss_error];
            let expected = ["accuracy", "log_loss", "log_loss_error"].map(value);
            assert_close(&what(key), &found, &expected, TOLERANCE);
        };
        score("list", found.goals.list);
        score("accuracy", found.goals.accuracy);
        score("all_features", found.goals.all_features);
        let gain = ["gain", "gain_error"].map(|key| expected[key].as_f64().unwrap());
        let of_goals = [found.goals.gain, found.goals.gain_error];
        assert_close(&what("gain"), &of_goals, &gain, TOLERANCE);
        assert_eq!(found.goals.beats_chance, truth(expected, "beats_chance"), "case {number}");
        let losses = |rows: &[(f64, f64)]| rows.iter().map(|row| row.0).collect::<Vec<f64>>();
        let (list, both) = (losses(&found.list_losses), losses(&found.losses));
        assert_close(&what("losses of the list"), &list, &numbers(&case["list_losses"]), TOLERANCE);
        assert_close(&what("losses of both"), &both, &numbers(&case["losses"]), TOLERANCE);
    }
}

/// Where nothing was found and all classes are as frequent, the list still says one of them.
#[test]
fn a_list_with_nothing_on_it_is_right_as_often_as_a_class_is_there() {
    let file = golden("goals.json");
    let cases = file["cases"].as_array().unwrap().iter();
    let nothing: Vec<f64> = cases
        .filter(|case| truth(case, "nothing"))
        .map(|case| pairing(case).goals.list.accuracy)
        .collect();
    assert_close("accuracy", &nothing, &[0.5, 0.5, 0.5, 1.0 / 3.0], 1e-15);
}

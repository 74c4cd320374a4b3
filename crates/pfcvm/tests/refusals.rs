//! What is refused, and the words for it.

mod common;

use common::two_gaussians;
use pfcvm::settings::{Algorithm, Hyperprior, PrecisionRule, Stage, Start, Truncation};
use pfcvm::{ClassWeights, Dataset, Error, Kernel, Matrix, Settings, fit};

fn data() -> Dataset {
    let (rows, positive) = two_gaussians(1, 20, 3, 2, 0.8);
    Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
}

fn classes(positive: usize, negative: usize) -> Dataset {
    let n = positive + negative;
    let x = Matrix::from_fn(n, 2, |i, k| (i * (k + 2) % 7) as f64);
    Dataset::new(x, (0..n).map(|i| i < positive).collect()).unwrap()
}

#[test]
fn values_that_are_not_finite_are_named() {
    for (value, word) in [(f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        let x = Matrix::from_fn(5, 4, |i, k| if (i, k) == (3, 2) { value } else { 1.0 });
        let error = Dataset::new(x, vec![true; 5]).unwrap_err();
        assert!(matches!(error, Error::NotFinite { row: 3, col: 2, .. }), "{error:?}");
        assert_eq!(
            error.to_string(),
            format!(
                "row 3, column 2 holds {word}; replace it, or make it a gap (NaN) (rows and columns count from 0)"
            )
        );
    }
}

#[test]
fn data_of_the_wrong_shape() {
    let error = Dataset::new(Matrix::zeros(0, 3), vec![]).unwrap_err();
    assert_eq!(error.to_string(), "the data have 0 rows and 3 columns; both must be at least 1");
    let error = Dataset::new(Matrix::zeros(3, 0), vec![true; 3]).unwrap_err();
    assert_eq!(error, Error::Empty { rows: 3, cols: 0 });
    let error = Dataset::new(Matrix::zeros(3, 1), vec![true; 2]).unwrap_err();
    assert_eq!(error.to_string(), "labels: 2 given, 3 needed");
    let error = data().with_sample_weights(vec![1.0; 19]).unwrap_err();
    assert_eq!(error.to_string(), "sample weights: 19 given, 20 needed");
    for (weight, word) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let mut weights = vec![1.0; 20];
        weights[7] = weight;
        let error = data().with_sample_weights(weights).unwrap_err();
        let expected = format!("sample weight = {word} is out of range: finite and not negative");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn classes_that_are_too_small() {
    for (positive, negative) in [(6, 0), (0, 6), (1, 1), (5, 1), (1, 5)] {
        let error = fit(&classes(positive, negative), &Settings::default()).unwrap_err();
        assert_eq!(error, Error::TooFewInClass { positive, negative, needed: 2 });
    }
    let error = fit(&classes(6, 1), &Settings::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "6 positive and 1 negative samples with a weight above 0; each class needs at least 2"
    );
    let weights = (0..8).map(|i| if i < 4 { 1.0 } else { 0.0 }).collect();
    let weightless = classes(4, 4).with_sample_weights(weights).unwrap();
    let error = fit(&weightless, &Settings::default()).unwrap_err();
    assert_eq!(error, Error::TooFewInClass { positive: 4, negative: 0, needed: 2 });
}

#[test]
fn columns_that_do_not_vary() {
    let x = Matrix::from_fn(6, 2, |_, k| 3.0 + k as f64);
    let constant = Dataset::new(x, vec![true, false, true, false, true, false]).unwrap();
    for standardise in [true, false] {
        let settings = Settings { standardise, ..Settings::default() };
        let error = fit(&constant, &settings).unwrap_err();
        assert_eq!(
            error.to_string(),
            "none of the 2 columns varies by more than rounding; there is nothing to tell the classes apart"
        );
    }
}

#[test]
fn values_too_large_to_be_used_as_they_are() {
    let x = Matrix::from_fn(6, 2, |i, k| if (i, k) == (4, 1) { 1e150 } else { i as f64 });
    let data = Dataset::new(x, vec![true, false, true, false, true, false]).unwrap();
    let settings = Settings { standardise: false, ..Settings::default() };
    assert_eq!(
        fit(&data, &settings).unwrap_err().to_string(),
        "row 4, column 1 holds 1e150, too large to use as it is; switch standardisation on"
    );
    assert!(fit(&data, &Settings::default()).is_ok());
}

#[test]
fn memory() {
    let settings = Settings { memory_limit_mib: Some(0), ..Settings::default() };
    let n = 280;
    let x = Matrix::from_fn(n, 3, |i, k| (i * (7 + k)) as f64); // no row twice
    let large = Dataset::new(x, (0..n).map(|i| i % 2 == 0).collect()).unwrap();
    let error = fit(&large, &settings).unwrap_err();
    let Error::Memory { needed_mib, limit_mib: 0, basis: 280 } = error else {
        panic!("{error:?}");
    };
    // Five matrices of 280 × 280, and the data.
    assert!((3..5).contains(&needed_mib), "{needed_mib}");
    assert_eq!(
        error.to_string(),
        format!(
            "the fit needs about {needed_mib} MiB and 0 MiB are allowed; lower `max_basis` (now \
             280) or raise the limit"
        )
    );
    let enough = Settings { memory_limit_mib: Some(needed_mib), ..Settings::default() };
    assert!(fit(&large, &enough).is_ok());
}

#[test]
fn settings_out_of_range() {
    let given = |negative, positive| ClassWeights::Given { negative, positive };
    let stage =
        Stage { max_iterations: 0, ..Stage::new(PrecisionRule::MacKay, Hyperprior::default()) };
    let plain = Settings::default;
    let rate = |false_positive_rate| Settings { false_positive_rate, ..plain() };
    let sigmoid = |lambda| Settings { truncation: Truncation::Sigmoid { lambda }, ..plain() };
    let degree = |degree| Settings::new(Kernel::Polynomial { degree });
    let weights = |class_weights| Settings { class_weights, ..plain() };
    let start = |value| Start { sample_precision: Some(value), ..Start::default() };
    let cases = [
        (rate(0.0), "false_positive_rate = 0 is out of range: above 0 and below 0.5"),
        (rate(0.5), "false_positive_rate = 0.5 is out of range: above 0 and below 0.5"),
        (rate(f64::NAN), "false_positive_rate = NaN is out of range: above 0 and below 0.5"),
        (sigmoid(0.0), "lambda = 0 is out of range: above 0, at most 1000"),
        (sigmoid(1e4), "lambda = 10000 is out of range: above 0, at most 1000"),
        (degree(0), "degree = 0 is out of range: 1 to 10"),
        (degree(11), "degree = 11 is out of range: 1 to 10"),
        (weights(given(0.0, 1.0)), "class weights = 0, 1 is out of range: finite, above 0"),
        (
            weights(given(1.0, f64::INFINITY)),
            "class weights = 1, inf is out of range: finite, above 0",
        ),
        (Settings { max_basis: 1, ..plain() }, "max_basis = 1 is out of range: at least 2"),
        (Settings { start: start(-1.0), ..plain() }, "start = -1 is out of range: finite, above 0"),
        (
            Settings { stages: Some(vec![stage]), ..plain() },
            "max_iterations = 0 is out of range: at least 1",
        ),
    ];
    for (settings, message) in cases {
        assert_eq!(fit(&data(), &settings).unwrap_err().to_string(), message);
    }
}

/// Other stages than the paper's rely on weights of exactly 0.
#[test]
fn a_smoothed_truncation_belongs_to_the_papers_algorithm() {
    let (rows, positive) = two_gaussians(3, 30, 3, 2, 1.0);
    let data = Dataset::new(Matrix::from_rows(&rows), positive).unwrap();
    let truncation = Truncation::Sigmoid { lambda: 5.0 };
    let error = fit(&data, &Settings { truncation, ..Settings::default() }).unwrap_err();
    let expected = "truncation = sigmoid:5 is out of range: exact, unless the algorithm is the \
                    paper's (algorithm = paper)";
    assert_eq!(error.to_string(), expected);
    let paper = Settings::of(Algorithm::Paper, Kernel::Rbf);
    assert_eq!(paper, Settings::paper(Kernel::Rbf));
    assert_eq!(paper.truncation, truncation);
    for settings in [paper.clone(), Settings { truncation: Truncation::Exact, ..paper }] {
        let fit = fit(&data, &settings).unwrap();
        assert!(fit.trace.iter().all(|iteration| iteration.stage == "the paper's algorithm"));
    }
}

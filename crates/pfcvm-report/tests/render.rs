//! Whole reports, as text. What they look like is checked in a browser by `cargo xtask test`.

use pfcvm_report::{Error, Feature, Iteration, Report, Sample, Test, Tile, render};
use proptest::prelude::*;

fn test_data(truth: Vec<bool>, probability: Vec<f64>) -> Option<Test> {
    Some(Test { truth, probability, classes: ["healthy".into(), "ill".into()] })
}

fn with_test(truth: Vec<bool>, probability: Vec<f64>) -> Report {
    Report { test: test_data(truth, probability), ..Report::default() }
}

fn feature(name: &str, weight: f64) -> Feature {
    Feature { name: name.into(), weight, ..Feature::default() }
}

#[test]
fn an_empty_report_is_a_page() {
    let html = render(&Report::default()).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>"));
    assert!(!html.contains("<section"));
}

#[test]
fn nothing_points_outside() {
    let html = render(&with_test(vec![true, false], vec![0.8, 0.3])).unwrap();
    assert!(html.contains("default-src 'none'"));
    for outside in ["http:", "https:", "//", "<script", "<img", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn names_are_text_wherever_they_appear() {
    let nasty = "</title></style><script>alert(1)</script>\"'{{ 7777 * 7777 }}";
    let name = || nasty.to_owned();
    let report = Report {
        title: name(),
        lead: name(),
        tiles: vec![Tile { label: name(), value: name(), remark: name() }],
        notes: vec![name()],
        features_caption: name(),
        features: vec![Feature { mark: Some(name()), ..feature(nasty, 1.0) }],
        trace: (1..5)
            .map(|number| Iteration { number, stage: name(), ..Iteration::default() })
            .collect(),
        samples: vec![Sample { class: name(), weight: 1.0, ..Sample::default() }],
        test: Some(Test {
            truth: vec![true, false],
            probability: vec![0.6, 0.5],
            classes: [name(), name()],
        }),
        settings: vec![(name(), name())],
        ..Report::default()
    };
    let html = render(&report).unwrap();
    assert!(!html.contains("<script") && !html.contains("60481729"));
    assert_eq!(html.matches("</style>").count(), 1);
}

#[test]
fn one_class_has_no_roc_curve_but_a_reason() {
    let html = render(&with_test(vec![true; 3], vec![0.9, 0.4, 1.0])).unwrap();
    assert!(!html.contains("test-roc") && html.contains("There is no ROC curve"));
    let one_row = render(&with_test(vec![false], vec![0.2])).unwrap();
    assert!(one_row.contains("test-calibration") && one_row.contains("1 row of test data"));
    let both = render(&with_test(vec![true, false], vec![0.9, 0.4])).unwrap();
    assert!(both.contains("test-roc") && both.contains("ROC curve, area 1.000"));
}

#[test]
fn test_data_must_belong_together() {
    let lengths = render(&with_test(vec![true], vec![]));
    assert!(matches!(lengths, Err(Error::TestLengths { truth: 1, probability: 0 })));
    let error = render(&with_test(vec![true, true], vec![0.5, f64::NAN])).unwrap_err();
    assert!(matches!(error, Error::NotAProbability { row: 2, .. }));
    let empty = render(&with_test(vec![], vec![])).unwrap();
    assert!(empty.contains("no rows") && !empty.contains("<section"));
}

/// A million rows make no larger page than a thousand.
#[test]
fn many_rows_make_a_small_page() {
    let rows = 1_000_000;
    let chance = |row: usize| (row as f64 * 0.618_033_988_749).fract();
    let probability: Vec<f64> = (0..rows).map(chance).collect();
    let truth = (0..rows).map(|row| chance(row * 7 + 3) < probability[row]).collect();
    let html = render(&with_test(truth, probability)).unwrap();
    assert!(html.len() < 60_000, "{}", html.len());
    assert!(html.contains("1\u{202f}000\u{202f}000 rows"));
}

#[test]
fn long_lists_are_shown_in_part_and_counted() {
    let features = (0..3000).map(|at| feature(&format!("gene {at}"), at as f64)).collect();
    let sample = |index| Sample { index, class: "ill".into(), weight: 1.0, deviation: None };
    let samples = (0..512).map(sample).collect();
    let html = render(&Report { features, samples, ..Report::default() }).unwrap();
    assert!(html.contains("The 40 heaviest of 3000 features"));
    assert!(html.contains("gene 0<") && html.contains("… and 312 samples of smaller weight."));
}

#[test]
fn points_that_are_no_numbers_are_dropped() {
    let evidence = [f64::NAN, f64::NEG_INFINITY, -1e305, -20.0, -10.0];
    let iteration = |(at, &log_evidence): (usize, &f64)| Iteration {
        number: at + 1,
        features: 9 - at,
        log_evidence,
        seconds: if at == 2 { f64::NAN } else { 0.5 },
        ..Iteration::default()
    };
    let trace = evidence.iter().enumerate().map(iteration).collect();
    let html = render(&Report { trace, ..Report::default() }).unwrap();
    assert!(html.contains("iteration 4: −20") && !html.contains("iteration 3: –"));
    assert!(html.contains("; 5 iterations took 2 s."));
    assert!(!html.contains("NaN") && !html.contains("inf"), "a number is broken");
}

#[test]
fn ids_are_unique() {
    let report = Report {
        features: vec![feature("a", 1.0)],
        samples: vec![Sample::default()],
        trace: vec![Iteration::default(), Iteration { number: 1, ..Iteration::default() }],
        ..with_test(vec![true, false], vec![0.7, 0.2])
    };
    let html = render(&report).unwrap();
    let ids = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut ids: Vec<&str> = ids.collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    assert!(all > 10);
}

proptest! {
    /// Whatever the numbers, the pictures hold only finite ones.
    #[test]
    fn any_numbers_can_be_drawn(
        weights in prop::collection::vec((any::<f64>(), any::<Option<f64>>(), ".{0,40}"), 0..50),
        values in prop::collection::vec((any::<f64>(), any::<f64>(), 0..5000usize), 0..60),
    ) {
        let features = weights.iter().map(|(weight, deviation, name)| Feature {
            deviation: *deviation,
            frequency: *deviation,
            ..feature(name, *weight)
        });
        let samples = weights.iter().map(|(weight, deviation, name)| Sample {
            index: 1,
            class: name.clone(),
            weight: *weight,
            deviation: *deviation,
        });
        let trace = values.iter().enumerate().map(|(at, &(log_evidence, seconds, features))| {
            let samples = Some(features / 2);
            Iteration { number: at, samples, features, log_evidence, seconds, ..Iteration::default() }
        });
        let html = render(&Report {
            features: features.collect(),
            samples: samples.collect(),
            trace: trace.collect(),
            ..Report::default()
        }).unwrap();
        for attribute in [" d=", " x=", " y=", " cx=", " cy=", " width=", " height="] {
            for value in html.split(attribute).skip(1) {
                let value = value.trim_start_matches('"').split('"').next().unwrap_or_default();
                prop_assert!(!value.contains("NaN") && !value.contains("inf"), "{attribute}{value}");
            }
        }
    }
}

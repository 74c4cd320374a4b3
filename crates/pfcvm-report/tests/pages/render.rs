//! Whole pages of fits, as text. What they look like is checked in a browser by `cargo xtask test`.

use crate::made_up::{
    account, asked, course, features, iteration, machine, samples, summary, tested, with_effects,
    with_features, with_samples,
};
use pfcvm_io::{Course, SelectedFeature, SelectedSample, Sureness};
use pfcvm_report::FitAccount;
use proptest::prelude::*;

fn html(account: &FitAccount) -> String {
    account.page().html().unwrap()
}

fn with_test(truth: &[bool], probability: &[f64]) -> FitAccount {
    let test = Some(tested(truth, probability, ["healthy", "ill"]));
    FitAccount { test, ..account("A test") }
}

#[test]
fn a_fit_that_found_nothing_is_a_page() {
    let page = html(&account("Nothing"));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert_eq!(page.matches("<section").count(), 1, "the settings alone");
}

#[test]
fn nothing_points_outside() {
    let page = html(&with_test(&[true, false], &[0.8, 0.3]));
    assert!(page.contains("default-src 'none'"));
    for outside in ["http:", "https:", "//", "<script", "<img", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn names_are_text_wherever_they_appear() {
    let nasty = "</title></style><script>alert(1)</script>\"'{{ 7777 * 7777 }}";
    let mut nasty_account = account(nasty);
    nasty_account.notes = vec![nasty.into()];
    nasty_account.data = nasty.into();
    nasty_account.marks.insert(0, nasty.into());
    let feature = SelectedFeature { name: nasty.into(), weight: 1.0, ..Default::default() };
    let sample = SelectedSample { label: nasty.into(), weight: 1.0, ..Default::default() };
    let list = with_samples(with_features(nasty_account.summary, vec![feature]), vec![sample]);
    nasty_account.summary = list.with_courses(course(4, 9));
    nasty_account.summary.classes = vec![nasty.into(), nasty.into()];
    nasty_account.summary.settings = serde_json::json!({ nasty: nasty });
    nasty_account.test = Some(tested(&[true, false], &[0.6, 0.5], [nasty, nasty]));
    let mut several = nasty_account.clone();
    several.summary.machines = vec![machine(nasty, Some(nasty)), machine(nasty, None)];
    for account in [nasty_account, several] {
        let page = html(&account);
        assert!(!page.contains("<script") && !page.contains("60481729"));
        assert_eq!(page.matches("</style>").count(), 1);
    }
}

#[test]
fn words_in_backticks_are_quoted() {
    let mut account = account("Notes");
    account.notes = vec!["no array `y`".into()];
    let page = html(&account);
    assert!(page.contains("no array “y”") && !page.contains('`'));
}

#[test]
fn one_class_has_no_roc_curve_but_a_reason() {
    let page = html(&with_test(&[true; 3], &[0.9, 0.4, 1.0]));
    assert!(!page.contains("test-roc") && page.contains("There is no ROC curve"));
    let one_row = html(&with_test(&[false], &[0.2]));
    assert!(one_row.contains("test-calibration") && one_row.contains("1 row of test data"));
    let both = html(&with_test(&[true, false], &[0.9, 0.4]));
    assert!(both.contains("test-roc") && both.contains("ROC curve, area 1.000"));
}

/// A million rows make no larger page than a thousand.
#[test]
fn many_rows_make_a_small_page() {
    let rows = 1_000_000;
    let chance = |row: usize| (row as f64 * 0.618_033_988_749).fract();
    let probability: Vec<f64> = (0..rows).map(chance).collect();
    let truth: Vec<bool> = (0..rows).map(|row| chance(row * 7 + 3) < probability[row]).collect();
    let page = html(&with_test(&truth, &probability));
    assert!(page.len() < 60_000, "{}", page.len());
    assert!(page.contains("1\u{202f}000\u{202f}000 rows"));
}

#[test]
fn long_lists_are_shown_in_part_and_counted() {
    let feature = |at: usize| SelectedFeature {
        index: at,
        name: format!("gene {at}"),
        weight: at as f64,
        ..Default::default()
    };
    let mut account = account("Long");
    let list = (0..3000).map(feature).collect();
    account.summary = with_samples(with_features(account.summary, list), samples(512));
    let page = html(&account);
    assert!(page.contains("The 40 heaviest of 3000 features"));
    assert!(page.contains("gene 0<") && page.contains("… and 312 samples of smaller weight."));
    let text = account.text();
    assert!(text.contains("and 2970 more features; --json lists all"), "{text}");
    assert!(text.lines().count() < 60, "{text}");
}

#[test]
fn points_that_are_no_numbers_are_dropped() {
    let evidence = [f64::NAN, f64::NEG_INFINITY, -1e305, -20.0, -10.0];
    let step = |(at, e): (usize, &f64)| {
        iteration(at + 1, "judging features", 9, 9 - at, *e, if at == 2 { f64::NAN } else { 0.5 })
    };
    let mut account = account("Broken");
    let trace = evidence.iter().enumerate().map(step).collect();
    account.summary = account.summary.with_courses(vec![Course { trace, ..Course::default() }]);
    let page = html(&account);
    assert!(page.contains("iteration 4 (judging features): −20"));
    assert!(!page.contains("iteration 3 (judging features): –"));
    assert!(page.contains("; 5 iterations took 2 s."));
    assert!(!page.contains("NaN") && !page.contains("inf"), "a number is broken");
}

#[test]
fn ids_are_unique() {
    let mut account = with_test(&[true, false], &[0.7, 0.2]);
    account.summary = with_samples(with_features(account.summary, features(3)), samples(2))
        .with_courses(course(2, 40));
    let page = html(&account);
    let ids = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut ids: Vec<&str> = ids.collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    assert!(all > 10);
}

#[test]
fn several_machines_have_shares_and_a_table_of_calls() {
    let machines = vec![machine("b", Some("a")), machine("c", Some("a")), machine("c", Some("b"))];
    let mut account = account("Three");
    account.summary = with_features(summary(&["a", "b", "c"], machines), features(4));
    let names = ["a", "b", "c"].map(String::from);
    let p = vec![vec![0.5, 0.3, 0.2]; 6];
    let test = pfcvm_report::Test::of(
        "t.csv".into(),
        &names,
        &[0, 0, 1, 1, 2, 2],
        &[0, 0, 0, 1, 2, 2],
        &p,
    );
    account.test = Some(test);
    let page = html(&account);
    for part in ["called a", "truly b", "Machine by machine", "“c” against “b”", "Weighs most in"]
    {
        assert!(page.contains(part), "{part}");
    }
    // Each class against the rest; the largest probability beside right calls.
    for part in
        ["a: ROC", "test-roc-2", "c: calibration", "test-calibration-0", "test-calibration\""]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("ROC curve, area"));
    let json = serde_json::to_value(&account).unwrap();
    let curves = &json["test"]["curves"];
    assert_eq!(curves["classes"].as_array().map(Vec::len), Some(3));
    assert_eq!(curves["top"]["calibration"][0]["count"], 6);
    assert!(json["test"]["classes"][2]["calibration_error"].is_number());
    let text = account.text();
    for part in [
        "truly b",
        "calibration error",
        "Machine by machine",
        "3 machines; seed 1.",
        "“b” against “a”",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A picture for each column, bars for words, the pair as cells; a word and a range in text.
#[test]
fn effects_are_drawn_and_told() {
    let mut account = account("Effects");
    account.summary = with_effects(with_features(account.summary, features(20)));
    let page = html(&account);
    assert!(page.contains("What the features do") && page.contains("effect-0-17"));
    assert!(!page.contains("effect-0-18") && page.contains("2 columns more are in --json"));
    assert_eq!(page.matches("class=\"heat ").count(), 225);
    assert!(page.contains("teal, violet, pink, gap") && page.contains("A gap: +0.62 ± 0.160."));
    assert!(page.contains("Shown are 12 of 15"), "many words are shown in part");
    let text = pfcvm_report::model_text(&account.summary);
    for part in ["rises", "peaks", "falls", "differs", "58 to 182", "act together", "From"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let machines = vec![machine("b", Some("a")), machine("c", Some("a")), machine("c", Some("b"))];
    account.summary = with_effects(with_features(summary(&["a", "b", "c"], machines), features(9)));
    let page = html(&account);
    assert!(page.contains("effect-2-2") && !page.contains("effect-0-3"));
    assert!(page.contains("“c” against “b”. ") && !page.contains("effect-pair"));
}

proptest! {
    /// Whatever the numbers, the pictures hold only finite ones.
    #[test]
    fn any_numbers_can_be_drawn(
        weights in prop::collection::vec((any::<f64>(), any::<f64>(), ".{0,40}"), 0..50),
        values in prop::collection::vec((any::<f64>(), any::<f64>(), 0..5000usize), 0..60),
        held_out in any::<bool>(),
    ) {
        let features = weights.iter().map(|(weight, deviation, name)| SelectedFeature {
            name: name.clone(),
            weight: *weight,
            deviation: *deviation,
            worth: Some(*deviation),
            sureness: held_out.then_some(Sureness {
                false_alarm: 0.5,
                certain: *weight > 1.0,
                importance: *weight,
                importance_interval: [weight - deviation, *deviation],
                p_value: 0.2,
                kept_share: *deviation,
            }),
            ..Default::default()
        });
        let samples = weights.iter().map(|(weight, deviation, name)| SelectedSample {
            index: 1,
            label: name.clone(),
            weight: *weight,
            deviation: *deviation,
            precision: 1.0,
        });
        let trace = values.iter().enumerate().map(|(at, &(log_evidence, seconds, features))| {
            iteration(at, "", features / 2, features, log_evidence, seconds)
        });
        let mut account = account("Any");
        account.summary = with_samples(
            with_features(account.summary, features.collect()), samples.collect(),
        ).with_courses(vec![Course { trace: trace.collect(), ..Course::default() }]);
        if held_out {
            account.summary = asked(account.summary, 0.01);
            account.summary = with_effects(account.summary);
            let effects = account.summary.machines[0].found.effects.as_mut().unwrap();
            for (column, (a, b, _)) in effects.columns.iter_mut().zip(&weights) {
                (column.effect[1], column.deviation[0], column.range[1]) = (*a, *b, *a);
            }
            effects.pair.iter_mut().for_each(|pair| pair.effect[0][0] = weights[0].0);
        }
        let page = html(&account);
        for attribute in [" d=", " x=", " y=", " cx=", " cy=", " width=", " height="] {
            for value in page.split(attribute).skip(1) {
                let value = value.trim_start_matches('"').split('"').next().unwrap_or_default();
                prop_assert!(!value.contains("NaN") && !value.contains("inf"), "{attribute}{value}");
            }
        }
        account.text();
        pfcvm_report::model_text(&account.summary);
    }
}

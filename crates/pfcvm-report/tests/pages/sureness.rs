//! What pages and text say of false alarms, and of fits that find nothing.

use crate::made_up::{
    account, asked, course, features, genes, machine, samples, summary, sure, tested, unsure,
    with_features, with_samples,
};
use pfcvm_io::{SelectedFeature, Summary};
use pfcvm_report::{FitAccount, model_text};

/// The page, the text and what `inspect` says, with a space for each line break.
fn all_forms(account: &FitAccount) -> [String; 3] {
    let forms = [account.page().html().unwrap(), account.text(), model_text(&account.summary)];
    forms.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn all_say(account: &FitAccount, sentence: &str) {
    for (form, text) in ["page", "text", "model"].iter().zip(all_forms(account)) {
        assert!(text.contains(sentence), "the {form} does not say: {sentence}");
    }
}

/// Of five features the three of these places are certain, each feature with a false alarm of 10 %.
fn five(certain: [usize; 3]) -> Vec<SelectedFeature> {
    let mut list = sure(features(5));
    for (at, feature) in list.iter_mut().enumerate() {
        let sure = feature.sureness.as_mut().unwrap();
        (sure.certain, sure.false_alarm) = (certain.contains(&at), 0.1);
        feature.name = format!("feature {at}");
    }
    list
}

fn with(list: Vec<SelectedFeature>, p_value: f64) -> FitAccount {
    let mut account = account("A fit");
    account.summary = asked(with_features(account.summary, list), p_value);
    account
}

#[test]
fn the_two_lists_are_told_apart() {
    let account = with(five([0, 2, 4]), 0.001);
    all_say(
        &account,
        "Of the 5 features it predicts with, 3 are certain: at most 5 % of features that say \
         nothing are called so. About 0.5 of the 5 are expected to be false; of the certain ones, \
         about 0.3.",
    );
    all_say(&account, "3 certain");
    let [page, text, inspected] = all_forms(&account);
    // In the picture, the table below it and in text the certain ones come first.
    for form in [&page, &text, &inspected] {
        let place = |name: &str| form.find(name).unwrap_or_else(|| panic!("{name}: {form}"));
        let order = [0, 2, 4, 1, 3].map(|at| place(&format!("feature {at}")));
        assert!(order.is_sorted(), "{order:?}");
    }
    // Two forms of the picture, and the legend.
    assert_eq!(page.matches("class=\"bar faint accent\"").count(), 2 * 2);
    assert!(page.contains("<li class=\"faint\"><bdi>not certain</bdi>"));
    assert!(page.contains(">importance</text>") && page.contains("false alarm 10.0"));
    assert!(text.contains("░ may be nothing") && text.contains("Importance 95 % interval"));
    // Weights step back.
    assert!(!page.contains("Weights of the") && !text.contains("± deviation"));
    assert!(page.contains("± deviation") && inspected.contains("± deviation"));
}

#[test]
fn few_and_all_are_said_as_one_would() {
    let certain = |list: &[bool]| {
        let mut some = sure(features(list.len()));
        for (feature, is) in some.iter_mut().zip(list) {
            let sure = feature.sureness.as_mut().unwrap();
            (sure.certain, sure.false_alarm) = (*is, 0.004);
        }
        with(some, 0.001)
    };
    all_say(&certain(&[true, true]), "All 2 features it predicts with are certain: at most 5 %");
    all_say(&certain(&[true, true]), "Fewer than 0.1 of the 2 are expected to be false.");
    all_say(&certain(&[false, true, false]), "Of the 3 features it predicts with, one is certain");
    all_say(&certain(&[false, false]), "Of the 2 features it predicts with, none is certain:");
    all_say(&certain(&[true]), "The only feature it predicts with is certain:");
    all_say(&certain(&[false]), "The only feature it predicts with is not certain:");
    let mut at_most = certain(&[true, false]);
    at_most.summary.machines[0].found.held_out.as_mut().unwrap().max_false = Some(1.5);
    all_say(&at_most, "one is certain: of those called so, at most 1.5 are expected to be false.");
}

#[test]
fn held_out_figures_are_shown_beside_what_the_shares_cost() {
    let mut account = with(five([0, 1, 2]), 0.0001);
    all_say(&account, "on rows held out in 5 parts");
    all_say(&account, "the shares of the classes alone cost 0.693");
    let page = &all_forms(&account)[0];
    for part in [
        "How good it is on held-out rows",
        "Decision values were multiplied by 0.87, because on held-out rows they were too sure, and \
         0.03 was added to them.",
        "p &lt; 0.001",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for (slope, offset, words) in [
        (1.2, 0.0, "multiplied by 1.20, because on held-out rows they were not sure enough."),
        (
            1.001,
            -0.2,
            "as they are: on held-out rows they were as sure as they should be, and 0.20 \
                       was taken off them.",
        ),
    ] {
        let held = account.summary.machines[0].found.held_out.as_mut().unwrap();
        (held.slope, held.offset) = (slope, offset);
        let page = &all_forms(&account)[0];
        assert!(page.contains(words), "{words}");
    }
    // Rows of a test say more.
    account.test = Some(tested(&[true, false], &[0.9, 0.2], ["wave 1", "wave 2"]));
    assert!(!all_forms(&account)[1].contains("held out in"));
}

#[test]
fn nothing_found_is_an_answer() {
    let mut account = with(Vec::new(), 0.31);
    account.summary = account.summary.with_courses(course(9, 40));
    let verdict = "No feature does better than chance (p = 0.31): the model predicts the shares of \
                   the classes.";
    for test in [None, Some(tested(&[true, false, true], &[0.5; 3], ["wave 1", "wave 2"]))] {
        account.test = test;
        all_say(&account, verdict);
        all_say(&account, "more rows may show what 400 do not. “--certainty insist” lists");
        let page = &all_forms(&account)[0];
        assert!(!page.contains("id=\"features-") && !page.contains("id=\"samples"));
        assert!(!page.contains("<svg"), "there is nothing to draw");
        assert!(page.contains("200 of “wave 1”"));
    }
}

#[test]
fn an_insisted_list_comes_with_a_warning() {
    let account = with(unsure(features(4)), 0.31);
    all_say(&account, "Do not trust this list. No feature does better than chance (p = 0.31);");
    all_say(&account, "of the 4 are expected to be false.");
    all_say(&account, "0 certain");
    assert!(all_forms(&account)[0].contains("the list of 4 features was insisted on."));
}

#[test]
fn where_nobody_asked_that_is_said() {
    let mut account = account("An older model");
    account.summary = with_features(account.summary, features(3));
    all_say(&account, "Nothing is known of false alarms: no rows were held out to ask.");
    all_say(&account, "± deviation");
    assert!(all_forms(&account)[0].contains("Weights of the 3 features"));
}

fn three(list: Vec<SelectedFeature>, p_value: f64) -> Summary {
    let machines = vec![machine("b", Some("a")), machine("c", Some("a")), machine("c", Some("b"))];
    asked(with_features(summary(&["a", "b", "c"], machines), list), p_value)
}

#[test]
fn several_machines_have_both_lists() {
    let mut account = account("Three");
    account.summary = three(five([0, 2, 4]), 0.01);
    all_say(&account, "Of the 5 features it predicts with, 3 are certain:");
    let [page, text, _] = all_forms(&account);
    assert!(text.contains("Share False alarm Certain Machines"), "{text}");
    assert!(page.contains("held out in 5 parts") && page.contains("Of shares alone"));
    assert!(text.contains("The most important features"));
    account.summary = three(Vec::new(), 0.4);
    all_say(
        &account,
        "No feature does better than chance (p = 0.40): the model predicts the shares",
    );
    let text = account.text();
    assert!(!text.contains("Machine by machine"), "{text}");
}

/// Lists may be empty anywhere, whatever else is known.
#[test]
fn empty_lists_are_no_reason_to_fail() {
    let mut panel = account("A panel");
    panel.summary.is_panel = true;
    let accounts = [account("Nobody asked"), with(Vec::new(), 0.001), with(Vec::new(), 0.9), panel];
    for mut account in accounts {
        all_forms(&account);
        account.summary = with_samples(account.summary, samples(2));
        all_forms(&account);
        account.summary.machines.push(machine("c", None));
        all_forms(&account);
        account.summary.machines.clear();
        account.summary.classes.clear();
        all_forms(&account);
    }
}

#[test]
fn a_panel_says_which_class_a_feature_speaks_for() {
    let mut account = with(sure(genes()), 0.0001);
    account.summary.is_panel = true;
    let text = &all_forms(&account)[1];
    assert!(text.contains("Certain Weight"), "{text}");
}

//! What pages and text say of the price of a short list.

use crate::made_up::{account, asked, features, sure, together, with_features};
use pfcvm_io::Goals;
use pfcvm_report::{FitAccount, model_text};
use serde_json::json;

/// What held-out rows say of both goals: log losses of the list and of both together, and the error of
/// the difference.
#[allow(dead_code)] // for the tests of pages alone
fn goals([list, both]: [f64; 2], gain_error: f64, beats_chance: bool) -> Option<Goals> {
    let score =
        |log_loss: f64| json!({"accuracy": 0.9, "log_loss": log_loss, "log_loss_error": 0.01});
    let goals = json!({
        "list": score(list), "accuracy": score(both), "all_features": score(0.41),
        "gain": list - both, "gain_error": gain_error, "beats_chance": beats_chance,
    });
    serde_json::from_value(goals).ok()
}

/// The page, the text and what `inspect` says, with a space for each line break.
fn all_forms(account: &FitAccount) -> [String; 3] {
    let forms = [account.page().html().unwrap(), account.text(), model_text(&account.summary)];
    forms.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn all_say(account: &FitAccount, sentence: &str) {
    for (form, text) in ["page", "text", "model"].iter().zip(all_forms(account)) {
        assert!(text.contains(sentence), "the {form} does not say: {sentence}\n{text}");
    }
}

#[track_caller]
fn nobody_says(account: &FitAccount, words: &str) {
    for text in all_forms(account) {
        assert!(!text.contains(words), "{text}");
    }
}

/// A fit of so many features; log losses of the list and of both, with the error of the difference.
fn listed(count: usize, losses: [f64; 2], gain_error: f64, accuracy: bool) -> FitAccount {
    let p_value = if count == 0 { 0.31 } else { 0.001 };
    let mut account = account("A fit");
    account.summary = asked(with_features(account.summary, sure(features(count))), p_value);
    let held = account.summary.machines[0].found.held_out.as_mut().unwrap();
    held.goals = goals(losses, gain_error, true);
    account.summary.uses_all_features = accuracy;
    account.summary.n_features_needed = if accuracy { 40 } else { count };
    account
}

#[test]
fn a_list_says_what_all_features_would_bring() {
    let account = listed(5, [0.389, 0.36], 0.01, false);
    let said = "Log loss of held-out rows: with the list alone 0.389 ± 0.010, with all features beside \
                it 0.360 ± 0.010 (“--goal accuracy”): 0.029 ± 0.010 less.";
    all_say(&account, said);
    nobody_says(&account, "No short list here");
    nobody_says(&account, "prediction needs");
    assert!(all_forms(&account)[0].contains("all features alone"));
    let alike = listed(5, [0.389, 0.38], 0.01, false);
    all_say(&alike, "(“--goal accuracy”): 0.009 ± 0.010 less, which may be chance.");
    all_say(&listed(5, [0.36, 0.389], 0.01, false), "0.029 ± 0.010 more.");
}

#[test]
fn where_a_list_is_worth_little_that_is_said() {
    let account = listed(5, [0.48, 0.36], 0.02, false);
    all_say(&account, "No short list here: the best one, of 5 features, costs 0.120 ± 0.020.");
    // As large, but it may be chance.
    nobody_says(&listed(5, [0.48, 0.36], 0.07, false), "No short list here");
}

#[test]
fn a_model_for_accuracy_says_what_its_list_would_do() {
    let account = listed(5, [0.389, 0.36], 0.01, true);
    let said = "with all features beside the list 0.360 ± 0.010, with the list alone 0.389 ± 0.010 \
                (“--goal list --samples few”): 0.029 ± 0.010 more.";
    all_say(&account, said);
    all_say(&account, "prediction needs all 40 features.");
    all_say(&account, "Of the 5 features on the list,");
    nobody_says(&account, "it predicts with");
    assert!(all_forms(&account)[0].contains("those of all features are added up"));
    let alike = listed(5, [0.365, 0.36], 0.01, true);
    all_say(&alike, "0.005 ± 0.010 more, which may be chance.");
}

#[test]
fn no_list_is_not_the_shares_of_the_classes_where_all_features_predict() {
    let account = listed(0, [0.69, 0.6], 0.02, true);
    all_say(
        &account,
        "No short list does better than chance (p = 0.31), and all features together do",
    );
    all_say(&account, "All features together do: the model predicts with them, and needs all 40");
    nobody_says(&account, "shares of the classes as its");
    nobody_says(&account, "the model predicts the shares");
    // With a list as the goal there is a better way.
    let account = listed(0, [0.69, 0.6], 0.02, false);
    all_say(&account, "the model predicts the shares of the classes.");
    all_say(&account, "“--goal accuracy” predicts with them.");
}

#[test]
fn all_classes_have_one_account() {
    let mut account = account("Three");
    account.summary = together(&["a", "b", "c"], sure(features(4)), 0.001);
    account.summary.held_out.as_mut().unwrap().goals = goals([0.5, 0.402], 0.01, true);
    all_say(
        &account,
        "with the list alone 0.500 ± 0.010, with all features beside it 0.402 ± 0.010",
    );
}

//! What the page and the text of a fit say of the price of its list.

use crate::made_up::{account, asked, features, short_lists, sure, with_features};
use pfcvm_report::{FitAccount, ListPrice};

/// Log losses of lists of 0, 1, 3 and 8 features, and of all that is kept.
fn losses(three: f64, eight: f64) -> Vec<(Option<usize>, f64)> {
    vec![(Some(0), 0.693), (Some(1), 0.5), (Some(3), three), (Some(8), eight), (None, 0.36)]
}

fn with(price: ListPrice) -> FitAccount {
    let mut account = account("A fit");
    account.summary = asked(with_features(account.summary, sure(features(5))), 0.001);
    FitAccount { price, ..account }
}

/// With so many features asked of the fit.
fn found(best: usize, suggested: usize, asked: Option<usize>) -> FitAccount {
    let losses = if best == 3 { losses(0.36, 0.35) } else { losses(0.34, 0.36) };
    with(ListPrice::Found(Box::new(short_lists(&losses, best, suggested, asked))))
}

/// The page and the text, with a space for each line break.
fn forms(account: &FitAccount) -> [String; 2] {
    let forms = [account.page().html().unwrap(), account.text()];
    forms.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn all_say(account: &FitAccount, sentence: &str) {
    let forms = forms(account);
    for text in &forms {
        assert!(text.contains(sentence), "nothing says: {sentence}\n{text}");
    }
}

#[track_caller]
fn nobody_says(account: &FitAccount, words: &str) {
    for text in forms(account) {
        assert!(!text.contains(words), "{text}");
    }
}

#[test]
fn a_page_has_the_curve_and_the_suggested_list() {
    let account = found(3, 2, None);
    all_say(&account, "What a short list costs");
    all_say(
        &account,
        "A list of 3 features is enough: log loss 0.360 ± 0.030 and 9.0 % ± 2.0 errors on rows that \
         did not train, 0.010 ± 0.012 of log loss above the best length, 8 features.",
    );
    all_say(&account, "“pfcvm fit --features 3” takes the suggested length.");
    all_say(&account, "Tested on 400 rows that had no part in it");
    all_say(&account, "The list of a fit on all rows with at most 3 features");
    all_say(&account, "listed 3");
    nobody_says(&account, "listed 4");
    nobody_says(&account, "asked to hold");
    nobody_says(&account, "finds it out");
    let [page, text] = forms(&account);
    assert!(page.contains("<section id=\"price\">") && page.contains("href=\"#price\""), "{page}");
    assert!(page.contains("id=\"price-wide") && page.contains("whisker"), "{page}");
    assert!(page.contains("Bold is the suggested length.") && !page.contains("* suggested"));
    assert!(text.contains(" 3* ") && text.contains("all kept 7.4 0.360 ± 0.030"), "{text}");
}

#[test]
fn the_length_that_was_asked_for_is_a_point_of_the_curve() {
    let account = found(3, 2, Some(1));
    all_say(
        &account,
        "The list was asked to hold at most 1 feature, which costs 0.150 ± 0.012 of log loss above the \
         best length.",
    );
    all_say(&account, "“pfcvm fit --features 3” takes");
    // More than is kept is all that is kept.
    all_say(&found(3, 2, Some(30)), "at most 30 features, which costs 0.010 ± 0.012");
    // What the fit has already needs no advice, and its list is shown above.
    let account = found(2, 2, Some(3));
    all_say(&account, "A list of 3 features does best: log loss 0.340 ± 0.030");
    all_say(&account, "at most 3 features, and no length does better.");
    nobody_says(&account, "takes the suggested length");
    nobody_says(&account, "The list of a fit on all rows");
}

#[test]
fn a_panel_and_a_model_of_all_features_are_told_apart() {
    let mut account = found(3, 2, None);
    account.summary.is_panel = true;
    account.summary.uses_all_features = true;
    all_say(&account, "“pfcvm fit --panel 3” takes the suggested length.");
    all_say(&account, "Lists predict alone here");
}

#[test]
fn where_no_list_is_worth_anything_that_is_said() {
    let account = found(3, 0, None);
    all_say(
        &account,
        "No list is clearly better than the shares of the classes, which cost 0.693 ± 0.030 of log loss.",
    );
    nobody_says(&account, "takes the suggested length");
    nobody_says(&account, "The list of a fit on all rows");
}

#[test]
fn a_page_says_how_a_price_can_be_had() {
    let hint = "What a shorter list would cost is not known: “--price” finds it out.";
    let [page, text] = forms(&with(ListPrice::Unasked));
    assert!(page.contains(hint) && !text.contains(hint), "{page}");
    nobody_says(&with(ListPrice::Unasked), "What a short list costs");
    nobody_says(&with(ListPrice::Untold), "finds it out");
    let mut nothing = with(ListPrice::Unasked);
    nothing.summary = asked(with_features(account("").summary, sure(features(0))), 0.4);
    nobody_says(&nothing, "finds it out");
}

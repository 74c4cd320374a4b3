//! Classes that were learned together: one list, and which feature for which class.

use crate::made_up::{
    account, course, features, samples, sure, together, with_effects, with_samples,
};
use pfcvm_io::Summary;
use pfcvm_report::{FitAccount, model_text};

const THREE: [&str; 3] = ["ash", "birch", "<cedar>"];

fn with(summary: Summary) -> FitAccount {
    FitAccount { summary, ..account("Trees") }
}

fn trees() -> FitAccount {
    let summary = with_samples(together(&THREE, sure(features(6)), 0.001), samples(9));
    with(with_effects(summary).with_courses(vec![course(12, 40).remove(0); 3]))
}

/// With a space for each line break.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn there_is_one_list_and_a_table_of_classes() {
    let account = trees();
    let texts = [account.text(), model_text(&account.summary)];
    for text in texts.map(|text| in_one_line(&text)) {
        for part in [
            "Importance 95 % interval False alarm Certain",
            "What each feature is worth for each class",
            "Feature ash birch <cedar>",
            "Class by class",
            "87.1 % (on rows held out in 5 parts)",
            "0.402 (the shares of the classes alone cost 1.099)",
            "The fit converged after 44 iterations; seed 1.",
        ] {
            assert!(
                text.contains(&part.replace(" %", "\u{202f}%")) || text.contains(part),
                "{part}: {text}"
            );
        }
        for part in ["against all others", "Machine by machine", "Machines", "some machine"] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }
    assert!(account.text().contains("to tell 3 classes apart"));
}

#[test]
fn the_strongest_class_is_marked() {
    let account = trees();
    let text = account.text();
    let table = text.split("What each feature is worth for each class").nth(1).unwrap();
    let rows = table.lines().skip(3).take_while(|line| !line.starts_with("How much worse"));
    let marked = |row: &str| row.split_whitespace().skip(1).position(|cell| cell.ends_with('*'));
    let marked: Vec<Option<usize>> = rows.map(marked).collect();
    // Each feature is made to be worth most for one class, in turn; certain ones come first.
    let shares = &account.summary.features;
    let best = |at: usize| shares[at].worth.as_ref().filter(|w| w.importance > 0.0).map(|_| at % 3);
    let (certain, others): (Vec<_>, Vec<_>) =
        (0..6).partition(|at| shares[*at].certain == Some(true));
    let expected: Vec<Option<usize>> = certain.into_iter().chain(others).map(best).collect();
    let some: Vec<Option<usize>> = expected.iter().copied().filter(Option::is_some).collect();
    assert_eq!(marked, some, "{text}");
    let page = account.page().html().unwrap();
    let rings = expected.iter().flatten().count();
    assert_eq!(page.matches("class=\"ring\"").count(), 2 * rings, "two forms of the picture");
    assert!(page.contains("Worth most: ") && page.contains("for “ash”"), "for who cannot see it");
}

#[test]
fn a_page_draws_classes_and_pairs() {
    let page = trees().page().html().unwrap();
    for part in [
        "Which feature for which class",
        "id=\"classes-narrow\"",
        "id=\"classes-wide\"",
        "id=\"pairs-2\"",
        "which classes it tells apart",
        "How good it is on held-out rows",
        "Class by class",
        "decision value of each class",
        "How the fit went",
        "&lt;cedar&gt;",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in
        ["id=\"pairs-3\"", "Machine by machine", "against all others", "<cedar>", "log odds"]
    {
        assert!(!page.contains(part), "{part}");
    }
    // No cell for a class and itself.
    let pairs = page.split("id=\"pairs-0\"").nth(1).and_then(|rest| rest.split("</svg>").next());
    assert_eq!(pairs.unwrap().matches("class=\"heat ").count(), 6);
}

/// Names of many classes do not fit beside each other.
#[test]
fn many_classes_are_named_where_there_is_room() {
    let names: Vec<String> = (0..60).map(|at| format!("class {at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let account = with(together(&names, sure(features(4)), 0.001));
    let text = account.text();
    assert!(text.contains("Worth most for") && text.contains("class 0 "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let page = account.page().html().unwrap();
    assert!(page.contains("Which feature for which class: 40 of 60 classes"));
    assert!(!page.contains("id=\"pairs-0\""), "pairs of so many are not known");
}

#[test]
fn what_is_not_known_is_not_shown() {
    // Nobody asked rows that did not train.
    let mut account = with(together(&THREE, features(4), 0.001));
    account.summary.held_out = None;
    account.summary.nothing_found = None;
    account.summary.p_value = None;
    account.summary.machines.iter_mut().for_each(|machine| machine.found.held_out = None);
    let page = account.page().html().unwrap();
    assert!(page.contains("Weights of the 4 features") && !page.contains("classes-narrow"));
    assert!(account.text().contains("± deviation") && !account.text().contains("Share"));
    // Nothing was found.
    let account = with(together(&THREE, Vec::new(), 0.4));
    for text in [account.page().html().unwrap(), account.text(), model_text(&account.summary)] {
        assert!(text.contains("No feature does better than chance"));
        assert!(!text.contains("Class by class") && !text.contains("<svg"));
    }
}

//! Data in which there is nothing to find: what every command says of them.

mod common;

use common::Place;

/// Ninety rows of ten columns of noise, with labels that take turns.
fn noise(classes: &[&str]) -> Place {
    let mut text = (0..10).map(|k| format!("x{k},")).collect::<String>() + "label\n";
    let mut state = 11u64;
    for row in 0..90 {
        for _ in 0..10 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += &format!("{:.4},", (state >> 40) as f64 / 8_388_608.0 - 1.0);
        }
        text += &format!("{}\n", classes[row % classes.len()]);
    }
    let place = Place::new();
    place.write("noise.csv", text);
    place
}

/// Rows whose forty columns tell the class all together, and in any few of them next to nothing: half of the
/// columns lean to one side, half to another, and classes say whether both are the same.
fn only_together() -> Place {
    let mut text = (0..40).map(|k| format!("x{k},")).collect::<String>() + "label\n";
    let mut state = 11u64;
    for row in 0..120 {
        let (first, second) = (row % 2, row / 2 % 2);
        for k in 0..40 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let noise = (state >> 40) as f64 / 8_388_608.0 - 1.0;
            let side = if k < 20 { first } else { second };
            text += &format!("{:.4},", 4.0 * noise + f64::from(2 * side - 1));
        }
        text += if first == second { "same\n" } else { "other\n" };
    }
    let place = Place::new();
    place.write("data.csv", text);
    place
}

/// Words with one space between them, whatever lines they stand on.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_found_is_said_everywhere() {
    let place = noise(&["a", "b"]);
    let ran = place.good("fit noise.csv --model m.json --report r.html --test noise.csv");
    let page = place.read("r.html");
    let inspected = place.good("inspect m.json").out;
    for text in [&ran.out, &page, &inspected] {
        let text = joined(text);
        assert!(text.contains("No feature does better than chance (p = "), "{text}");
        assert!(text.contains("the model predicts the shares of the classes."), "{text}");
        assert!(text.contains("more rows may show what 90 do not"), "{text}");
    }
    assert!(ran.err.contains("note: no feature does better than chance"), "{}", ran.err);
    assert!(!page.contains("<svg"), "there is nothing to draw");
    let account = place.good("inspect m.json --json").json();
    assert_eq!(account["nothing_found"], true);
    assert_eq!(account["selected_features"].as_array().unwrap().len(), 0);
    let bound = place.run("inspect m.json --bound noise.csv");
    assert!(
        bound.code != Some(0) && bound.err.contains("there is nothing to bound"),
        "{}",
        bound.err
    );
    // The classes have as many rows each.
    let predicted = place.good("predict m.json noise.csv").out;
    assert!(predicted.lines().skip(1).all(|line| line.contains(",0.5,0")), "{predicted}");
}

#[test]
fn a_list_can_be_insisted_on() {
    let place = noise(&["a", "b"]);
    let ran = place.good("fit noise.csv --certainty insist --report r.html");
    for text in [ran.out, place.read("r.html")] {
        let text = joined(&text);
        assert!(text.contains("Do not trust this list."), "{text}");
        assert!(text.contains("False alarm") || text.contains("false alarm"), "{text}");
    }
    assert!(ran.err.contains("do not trust the list"), "{}", ran.err);
}

#[test]
fn several_machines_find_nothing_together() {
    let place = noise(&["a", "b", "c"]);
    let ran = place.good("fit noise.csv --model m.json --report r.html");
    for text in [ran.out, place.read("r.html"), place.good("inspect m.json").out] {
        assert!(joined(&text).contains("No feature does better than chance"), "{text}");
    }
    let account = place.good("inspect m.json --json").json();
    assert_eq!(account["nothing_found"], true);
    assert!(account["held_out"]["p_value"].as_f64().unwrap() > 0.05);
    assert_eq!(account["held_out"]["expected_false"], 0.0);
}

#[test]
fn all_features_may_do_better_than_chance_where_no_list_does() {
    let place = only_together();
    let ran = place.good("fit data.csv --model l.json --report r.html");
    for text in [ran.out, place.read("r.html"), place.good("inspect l.json").out] {
        let text = joined(&text);
        assert!(text.contains("the model predicts the shares of the classes."), "{text}");
        assert!(text.contains("“--goal accuracy” predicts with them."), "{text}");
    }
    assert!(ran.err.contains("which --goal accuracy predicts with"), "{}", ran.err);

    let ran = place.good("fit data.csv --goal accuracy --model a.json --report r.html");
    for text in [ran.out, place.read("r.html"), place.good("inspect a.json").out] {
        let text = joined(&text);
        assert!(text.contains("No short list does better than chance (p = "), "{text}");
        assert!(text.contains("and all features together do"), "{text}");
        assert!(!text.contains("shares of the classes as its"), "{text}");
    }
    assert!(ran.err.contains("the model has no list and predicts with all of them"), "{}", ran.err);
    let account = place.good("inspect a.json --json").json();
    assert_eq!(account["nothing_found"], true);
    assert_eq!((&account["n_features_needed"], &account["goal"]), (&40.into(), &"accuracy".into()));
    assert_eq!(account["uses_all_features"], true);
    assert_eq!(account["held_out"]["goals"]["beats_chance"], true);
    let said = account["held_out"]["log_loss"].as_f64().unwrap();
    assert!(said < 0.6, "{said}");
    // Rows get probabilities of their own; there is no feature to explain them by.
    let predicted = place.good("predict a.json data.csv --explain").out;
    let first: Vec<&str> = predicted.lines().take(3).collect();
    assert_eq!(first[0], "label,probability,decision,variance,novelty");
    assert_ne!(first[1], first[2]);
    place.good("export a.json --onnx a.onnx");
}

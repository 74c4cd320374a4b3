//! `inspect --bound`.

mod common;

use common::Place;

/// A model of drawn waves and the data it was fitted on.
fn fitted() -> Place {
    let place = Place::new();
    place.good("generate waveform --n 160 --seed 3 --out waves.csv");
    place.good("fit waves.csv --model m.json");
    place
}

#[test]
fn the_parts_add_up() {
    let place = fitted();
    let account = place.good("inspect m.json --bound waves.csv --json").json();
    let bound = &account["bound"];
    let part = |name: &str| bound[name].as_f64().unwrap();
    let sum = part("margin_loss") + part("complexity") + part("confidence");
    assert!((sum - part("total")).abs() < 1e-12, "{bound}");
    assert_eq!(bound["vacuous"], sum >= 1.0);
    assert_eq!(
        (bound["rows"].as_u64(), bound["settings"]["delta"].as_f64()),
        (Some(160), Some(0.05))
    );
    assert!(part("divergence") > 0.0);
    let again = place.good("inspect m.json --bound waves.csv --json").json();
    assert_eq!(again["bound"], *bound);
    assert!(place.good("inspect m.json --json").json().get("bound").is_none());
    let words = place.good("inspect m.json --bound waves.csv").out;
    assert!(words.contains("margin loss +") && words.contains("nats from the prior"), "{words}");
}

#[test]
fn parameters_and_data_that_cannot_be_are_refused() {
    let place = fitted();
    for (options, said) in [
        ("--delta 0", "delta = 0 is out of range"),
        ("--delta 1.5", "delta = 1.5 is out of range"),
        ("--margin -1", "margin = -1 is out of range"),
        ("--ratio 1", "ratio = 1 is out of range"),
        ("--floor 0", "floor = 0 is out of range"),
    ] {
        let ran = place.run(&format!("inspect m.json --bound waves.csv {options}"));
        assert!(ran.code != Some(0) && ran.err.contains(said), "{options}: {}", ran.err);
    }
    place.good("generate waveform --n 40 --seed 4 --out others.csv");
    let ran = place.run("inspect m.json --bound others.csv");
    assert!(
        ran.code != Some(0) && ran.err.contains("the data that it was fitted on"),
        "{}",
        ran.err
    );
    assert!(place.run("inspect m.json --delta 0.1").code != Some(0));

    place.good("fit waves.csv --panel 5 --model panel.json");
    let ran = place.run("inspect panel.json --bound waves.csv");
    assert!(ran.code != Some(0) && ran.err.contains("a panel has no bound"), "{}", ran.err);
    place.good("generate waveform-three --n 90 --out three.csv");
    place.good("fit three.csv --model three.json");
    let ran = place.run("inspect three.json --bound three.csv");
    assert!(ran.code != Some(0) && ran.err.contains("two classes"), "{}", ran.err);
}

//! Writes sample pages from made-up numbers: `cargo run -p pfcvm-report --example sample [DIR]`.
//! They show what a page looks like and are what the check in a browser looks at.

mod comparison;
mod made_up;

use made_up::{
    account, asked, course, features, genes, iteration, machine, samples, short_lists, summary,
    sure, test, tested, together as learned_together, unsure, with_effects, with_features,
    with_samples,
};
use pfcvm_io::{Best, Step, Verdict};
use pfcvm_report::{Error, FitAccount, ListPrice, Test, counted};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| "target/reports".into(), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, account) in accounts() {
        let file = folder.join(format!("{name}.html"));
        std::fs::write(&file, made_up(account)?)?;
        println!("{}", file.display());
    }
    let pages = [("comparison", comparison::page()), ("odd", comparison::nasty(&odd_names()))];
    for (name, page) in pages {
        let file = folder.join(format!("{name}.html"));
        std::fs::write(&file, page.html()?)?;
        std::fs::write(file.with_extension("txt"), page.text())?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Nobody should take these numbers for a result.
fn made_up(mut account: FitAccount) -> Result<String, Error> {
    account.title += " (made-up numbers)";
    account.notes.insert(0, "All numbers on this page are made up to show its looks.".into());
    account.page().html()
}

fn accounts() -> Vec<(&'static str, FitAccount)> {
    let mut few = account("One feature");
    few.summary =
        asked(with_features(few.summary, sure(features(1))), 0.0001).with_courses(course(1, 10));
    let mut many = waves();
    many.title = "Three hundred features".into();
    let list = with_features(many.summary, sure(features(300)));
    many.summary = with_samples(asked(list, 0.0001), samples(900)).with_courses(course(420, 5000));
    many.test = Some(test(50_000, ["wave 1", "wave 2"]));
    let mut one_class = waves();
    one_class.title = "One class only".into();
    let chances = [0.9, 0.8, 0.99, 0.4, 0.7, 1.0, 0.5];
    one_class.test = Some(tested(&[true; 7], &chances, ["healthy", "ill"]));
    vec![
        ("waves", waves()),
        ("not-asked", not_asked()),
        ("nothing", nothing()),
        ("insisted", insisted()),
        ("panel", panel()),
        ("price", priced()),
        ("no-test", FitAccount { test: None, ..waves() }),
        ("one-feature", few),
        ("many", many),
        ("one-class", one_class),
        ("three", three(0.002)),
        ("three-nothing", three(0.4)),
        ("together", together()),
        ("together-many", together_many()),
        ("nasty", nasty()),
    ]
}

fn waves() -> FitAccount {
    let mut account = not_asked();
    account.title = "Waveforms".into();
    account.summary =
        with_effects(asked(with_features(account.summary, sure(features(17))), 0.0001));
    account
}

/// As older model files have it.
fn priced() -> FitAccount {
    let losses = [(Some(0), 0.693), (Some(1), 0.51), (Some(2), 0.4), (Some(3), 0.32)];
    let more = [(Some(4), 0.3), (Some(5), 0.29), (None, 0.295)];
    let lists = short_lists(&[&losses[..], &more].concat(), 5, 4, Some(3));
    FitAccount { price: ListPrice::Found(Box::new(lists)), test: None, ..waves() }
}

fn not_asked() -> FitAccount {
    let mut account = account("Waveforms, no rows held out");
    account.summary = with_samples(with_features(account.summary, features(17)), samples(31))
        .with_courses(course(44, 400));
    account.marks.insert(21, "noise".into());
    account.test = Some(test(3000, ["wave 1", "wave 2"]));
    account
}

/// The shares of the classes are all that is predicted.
fn nothing() -> FitAccount {
    let mut account = account("Nothing found");
    account.summary = asked(account.summary, 0.31).with_courses(course(44, 400));
    let truth: Vec<bool> = (0..300).map(|row| row % 2 == 0).collect();
    account.test = Some(tested(&truth, &[0.5; 300], ["wave 1", "wave 2"]));
    account
}

fn insisted() -> FitAccount {
    let mut account = waves();
    account.title = "Nothing found, a list insisted on".into();
    account.summary = asked(with_features(account.summary, unsure(features(12))), 0.31);
    account.test = None;
    account.notes.push(
        "no feature does better than chance; do not trust the list, which was insisted on".into(),
    );
    account
}

fn panel() -> FitAccount {
    let mut account = account("A panel of twenty genes");
    account.summary = with_effects(asked(with_features(account.summary, sure(genes())), 0.0001));
    account.summary.is_panel = true;
    account.summary.machines[0].found.panel = Some(Verdict {
        short_list_suffices: true,
        verdict: Best::ShortList,
        expected_log_loss: Some(0.284),
        expected_accuracy: Some(0.871),
        all_features_log_loss: Some(0.291),
        all_features_accuracy: Some(0.868),
    });
    account.summary.classes = vec!["normal".into(), "tumour".into()];
    account.test = Some(test(22, ["normal", "tumour"]));
    account
}

fn three(p_value: f64) -> FitAccount {
    let names = ["wave 1", "wave 2", "wave 3"];
    let machines = [(1, 0), (2, 0), (2, 1)].map(|(b, a)| machine(names[b], Some(names[a])));
    let mut account = account("Three waves");
    account.summary = summary(&names, machines.to_vec());
    if p_value < 0.05 {
        let list = with_features(account.summary, sure(features(23)));
        account.summary = with_effects(with_samples(list, samples(40)));
    }
    account.summary = asked(account.summary, p_value);
    let truth: Vec<usize> = (0..600).map(|row| row % 3).collect();
    let called: Vec<usize> = (0..600).map(|row| if row % 7 == 0 { 0 } else { row % 3 }).collect();
    let chances = |class: &usize| -> Vec<f64> {
        (0..3).map(|k| if k == *class { 0.8 } else { 0.1 }).collect()
    };
    let probability: Vec<Vec<f64>> = called.iter().map(chances).collect();
    let names = names.map(String::from);
    if p_value < 0.05 {
        account.test = Some(Test::of("fresh.csv".into(), &names, &truth, &called, &probability));
    }
    account
}

/// Machines that share one list.
fn together() -> FitAccount {
    let mut account = three(0.002);
    account.title = "Three waves, learned together".into();
    let list = learned_together(&["wave 1", "wave 2", "wave 3"], sure(features(23)), 0.002);
    let courses = std::iter::repeat_n(course(44, 400), 3).flatten().collect();
    account.summary = with_effects(with_samples(list, samples(40))).with_courses(courses);
    account.test = None;
    account
}

/// Nineteen classes and features with names of all kinds.
fn together_many() -> FitAccount {
    let odd = odd_names();
    let mut list = sure(features(30));
    for (feature, name) in list.iter_mut().zip(&odd) {
        feature.name.clone_from(name);
    }
    let name = |at: usize| match at {
        3..=5 => odd[at].clone(),
        at => format!("phytophthora rot {at}"),
    };
    let classes: Vec<String> = (0..19).map(name).collect();
    let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
    let mut account = account("Nineteen classes, learned together");
    account.summary =
        with_effects(with_samples(learned_together(&classes, list, 0.001), samples(9)));
    account
}

/// Names as they may come out of a spreadsheet.
fn odd_names() -> [String; 11] {
    [
        "<script>alert('boo')</script>".to_owned(),
        "\"quoted\" & <b>bold</b> {{ braces }}".to_owned(),
        "a very long name without any end ".repeat(12),
        "withoutanyspaceatall".repeat(20),
        "👩🏽‍🔬 emoji 🧬🧬🧬🧬🧬🧬🧬🧬🧬🧬🧬🧬".to_owned(),
        "شدة التعبير الجيني في الخلية".to_owned(),
        "\u{202e}reversed\0 with a zero".to_owned(),
        "遺伝子発現の強さと細胞の大きさ".to_owned(),
        String::new(),
        "z̷̢͝a̸̛͉l̵̰̈́g̶̣͐o̴̙͘".repeat(8),
        "\u{feff}W\u{200b}WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW".to_owned(),
    ]
}

fn nasty() -> FitAccount {
    let names = odd_names();
    let weight = |at: usize| if at == 4 { f64::NAN } else { 1e5 / (at as f64 + 1.0) };
    let mut account = waves();
    account.title = names[2].clone();
    account.data = names[..2].join(" ");
    account.notes = vec![names[3].clone(), counted(3, "constant column") + " dropped"];
    account.summary.settings = serde_json::json!({ &names[0]: &names[3], &names[5]: 1 });
    account.summary.classes = vec![names[3].clone(), names[5].clone()];
    let mut list = sure(features(names.len()));
    for (at, (feature, name)) in list.iter_mut().zip(&names).enumerate() {
        (feature.index, feature.name, feature.weight) = (at, name.clone(), weight(at));
        feature.deviation = weight(at) * 0.3;
        feature.worth = Some(if at == 2 { f64::NAN } else { weight(at) - 0.1 });
        if let Some(sure) = &mut feature.sureness {
            sure.importance = weight(at + 1);
            sure.importance_interval = [weight(at + 1) - 0.3 * weight(at), 2.0 * weight(at)];
        }
        if at % 3 == 1 {
            account.marks.insert(at, name.clone());
        }
    }
    let mut courses = course(44, 400);
    let broken: [Step; 2] = [(4, f64::NEG_INFINITY), (5, -1e12)]
        .map(|(at, e)| iteration(at, &names[0], 300, 30, e, 0.1));
    courses[0].trace.splice(3..5, broken);
    let mut kept = samples(31);
    kept.iter_mut().step_by(2).for_each(|sample| sample.label = names[3].clone());
    account.summary = with_effects(with_samples(with_features(account.summary, list), kept))
        .with_courses(courses);
    account.test = Some(test(40, [&names[3], &names[5]]));
    account
}

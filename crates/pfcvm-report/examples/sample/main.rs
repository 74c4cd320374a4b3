//! Writes sample reports from made-up numbers: `cargo run -p pfcvm-report --example sample [DIR]`.
//! They show what a report looks like and are what the check in a browser looks at.

mod comparison;

use pfcvm_report::{
    Error, Feature, Iteration, Origin, Report, Sample, Test, Tile, counted, render,
};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| "target/reports".into(), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, report) in samples() {
        let file = folder.join(format!("{name}.html"));
        std::fs::write(&file, made_up(report)?)?;
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
fn made_up(mut report: Report) -> Result<String, Error> {
    report.title += " (made-up numbers)";
    report.notes.insert(0, "All numbers on this page are made up to show its looks.".into());
    report.origin = Origin { program: "the example of pfcvm-report".into(), seed: Some(1) };
    render(&report)
}

fn samples() -> Vec<(&'static str, Report)> {
    let few = Report {
        title: "One feature".into(),
        lead: "The smallest report there is.".into(),
        features: vec![Feature { name: "length".into(), weight: 0.71, ..Feature::default() }],
        trace: trace(1, 10),
        ..Report::default()
    };
    let no_test = Report { test: None, ..waves() };
    let mut many = waves();
    many.title = "Three hundred features".into();
    many.features = features(300);
    many.samples = kept_samples(900);
    many.trace = trace(420, 5000);
    many.test = Some(test(50_000));
    let mut one_class = waves();
    one_class.title = "One class only".into();
    one_class.test = Some(Test {
        truth: vec![true; 7],
        probability: vec![0.9, 0.8, 0.99, 0.4, 0.7, 1.0, 0.5],
        classes: ["healthy".into(), "ill".into()],
    });
    vec![
        ("waves", waves()),
        ("panel", panel()),
        ("no-test", no_test),
        ("one-feature", few),
        ("many", many),
        ("one-class", one_class),
        ("nasty", nasty()),
    ]
}

fn waves() -> Report {
    let features = features(17);
    let tile = |label: &str, value: &str, remark: &str| Tile {
        label: label.into(),
        value: value.into(),
        remark: remark.into(),
    };
    Report {
        title: "Waveforms".into(),
        lead: "17 of 40 features tell the two waves apart; 31 of 400 samples are enough to \
               remember. On 3000 fresh rows nine in ten calls are right."
            .into(),
        tiles: vec![
            tile("Accuracy on new rows", "90.1 %", "the best possible rule reaches 91.3 %"),
            tile("Features", "17", "kept of 40, one of them noise"),
            tile("Samples", "31", "kept of 400"),
            tile("Time", "1.9 s", "44 iterations"),
        ],
        features_caption: "The fit keeps a feature only if the data give evidence for it. \
                           Features 21 to 39 are pure noise and should not be here."
            .into(),
        features,
        trace: trace(44, 400),
        samples: kept_samples(31),
        test: Some(test(3000)),
        settings: [("kernel", "RBF"), ("false positive rate", "0.05"), ("samples", "few")]
            .map(|(name, value)| (name.into(), value.into()))
            .into(),
        ..Report::default()
    }
}

fn panel() -> Report {
    let mut random = Random(5);
    let genes = ["TP53", "MYC", "HNRNPA1", "DES", "GUCA2B", "MYL9", "CSRP1", "SPINK1", "IL8"];
    let features = (0..20).map(|at| {
        let sign = if random.next() < 0.45 { -1.0 } else { 1.0 };
        let weight = sign * (0.9 * (-0.12 * at as f64).exp() + 0.05 * random.next());
        let name = match genes.get(at) {
            Some(gene) => (*gene).to_owned(),
            None => format!("probe {}", 10_000 + (90_000.0 * random.next()) as usize),
        };
        Feature {
            name,
            weight,
            deviation: Some(0.08 + 0.1 * random.next()),
            worth: None,
            mark: None,
            frequency: Some((1.05 - 0.045 * at as f64 + 0.1 * random.next()).clamp(0.0, 1.0)),
        }
    });
    Report {
        title: "A panel of twenty genes".into(),
        lead: "Twenty of 7129 genes, chosen by a hundred members that each saw half of the \
               tissues."
            .into(),
        features_caption: "Weights are means over the members of the panel.".into(),
        features: features.collect(),
        trace: trace(12, 60).into_iter().map(|i| Iteration { samples: None, ..i }).collect(),
        test: Some(Test { classes: ["normal".into(), "tumour".into()], ..test(22) }),
        ..Report::default()
    }
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

fn nasty() -> Report {
    let names = odd_names();
    let weight = |at: usize| if at == 4 { f64::NAN } else { 1e5 / (at as f64 + 1.0) };
    let mut report = waves();
    report.title = names[2].clone();
    report.lead = names[..2].join(" ");
    report.notes = vec![names[3].clone(), counted(3, "constant column") + " dropped"];
    report.tiles[0].value = names[3].clone();
    report.settings = vec![(names[0].clone(), names[3].clone()), (names[5].clone(), "1".into())];
    report.features = names
        .iter()
        .enumerate()
        .map(|(at, name)| Feature {
            name: name.clone(),
            weight: weight(at),
            deviation: Some(weight(at) * 0.3),
            worth: Some(if at == 2 { f64::NAN } else { weight(at) - 0.1 }),
            mark: (at % 3 == 1).then(|| name.clone()),
            frequency: (at % 2 == 0).then_some(0.5),
        })
        .collect();
    report.trace[3].log_evidence = f64::NEG_INFINITY;
    report.trace[4].log_evidence = -1e12;
    report.trace.iter_mut().for_each(|iteration| iteration.stage = names[0].clone());
    report.trace[20].stage = names[3].clone();
    report.test = Some(Test { classes: [names[3].clone(), names[5].clone()], ..test(40) });
    report.samples.iter_mut().step_by(2).for_each(|sample| sample.class = names[3].clone());
    report
}

fn features(count: usize) -> Vec<Feature> {
    let mut random = Random(2);
    let feature = |at: usize| Feature {
        name: format!(
            "x{}",
            if at % 17 == 15 { 21 + 40 * (at / 17) } else { (at * 5 + 4) % 21 + 40 * (at / 17) }
        ),
        weight: 0.02 + 0.4 * (-(at as f64) / 8.0).exp() * (0.7 + 0.6 * random.next()),
        deviation: Some(0.015 + 0.05 * random.next()),
        worth: Some(0.04 * random.next() - 0.002),
        mark: (at % 17 == 15).then(|| "noise".into()),
        frequency: None,
    };
    (0..count).map(feature).collect()
}

fn trace(iterations: usize, samples: usize) -> Vec<Iteration> {
    let iteration = |at: usize| {
        let left = (-6.0 * at as f64 / iterations as f64).exp();
        Iteration {
            number: at + 1,
            stage: if at < iterations * 2 / 3 { "both" } else { "samples" }.into(),
            samples: Some(31 + (left * (samples as f64 - 31.0).max(0.0)) as usize),
            features: 17 + (left * left * 23.0) as usize,
            log_evidence: -95.0 - 180.0 * left,
            seconds: 0.004 + 0.2 * left,
        }
    };
    (0..iterations).map(iteration).collect()
}

fn kept_samples(count: usize) -> Vec<Sample> {
    let mut random = Random(3);
    let sample = |at: usize| Sample {
        index: at * 13 + 5,
        class: if random.next() < 0.5 { "wave 1" } else { "wave 2" }.into(),
        weight: 0.1 - random.next().max(1e-9).ln(),
        deviation: Some(0.1 + 0.3 * random.next()),
    };
    (0..count).map(sample).collect()
}

fn test(rows: usize) -> Test {
    let mut random = Random(4);
    let row = |_| {
        let score = 9.0 * (random.next() - 0.5) + 2.0 * (random.next() - 0.5);
        let chance = 1.0 / (1.0 + (-0.85 * score).exp());
        (random.next() < chance, 1.0 / (1.0 + (-score).exp()))
    };
    let (truth, probability) = (0..rows).map(row).unzip();
    Test { truth, probability, classes: ["wave 1".into(), "wave 2".into()] }
}

/// A plain congruential generator: good enough to make up numbers, the same everywhere.
struct Random(u64);

impl Random {
    /// The next number, from 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

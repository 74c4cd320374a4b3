//! What the EEG experiment found, in tables and pictures.

use super::Done;
use crate::Finding;
use crate::paper::{self, Printed};
use pfcvm_eval::Better;
use pfcvm_report::charts::{HeadMap, SEED_CAP, Spot, Tone, UCI_CAP};
use pfcvm_report::fixed;
use pfcvm_report::page::{Block, Cell, Column, Content, Figure, Section, Table};
use pfcvm_report::studies::{capital, interval, methods_table, of_method, or_dash, ranking_blocks};
use pfcvm_study::{Ranking, Summary, by_frequency};
use std::collections::BTreeMap;

/// Features shown on the head.
const TOP: usize = 20;
/// The methods of the paper's Friedman test.
const TESTED: [&str; 6] = ["PCVM", "TRC", "FSNM", "PFCVM_EM", "JCFO", "PFCVM_LP"];

pub(super) fn lead(done: &[Done], is_seed: bool) -> String {
    let parts = done.iter().map(|done| format!("{} ({})", done.part.name, done.part.about));
    match is_seed {
        true => format!(
            "SEED, {} sessions: positive against negative film clips, three of each to train and the \
             others to test.",
            done.len()
        ),
        false => format!(
            "SEED is not in the data folder (it needs a licence from its owners), so nothing here is \
             the paper's experiment: {}.",
            Vec::from_iter(parts).join("; ")
        ),
    }
}

pub(super) fn findings(done: &[Done], is_seed: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let printed = Printed::of(paper::EEG_ERROR);
    let mean = |column: &str| {
        let values = printed.numbers(&[column]);
        let values: Vec<f64> = values.into_iter().flatten().flatten().collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    for method in ["pfcvm-lp", "pfcvm-em", "rvm", "pcvm", "jcfo", "svm"] {
        let name = paper::name_of(method);
        let claim = format!("eeg: mean error of {name} over the subjects, %");
        let paper = mean(name);
        findings.push(match is_seed {
            true => {
                let ours = mean_error(done, method);
                Finding::smaller_figure(claim, paper, (1.0, "1"), ours, |v| fixed(v, 2))
            }
            false => Finding::missing(claim, fixed(paper, 2), "SEED is not here"),
        });
    }
    let ranking = printed_ranking(paper::EEG_ERROR, Better::Lower);
    if let Some(ranking) = ranking {
        let ours = ranking.friedman.average_ranks[TESTED.len() - 1];
        let beaten: Vec<&str> = (0..TESTED.len() - 1)
            .filter(|&at| ranking.friedman.average_ranks[at] - ours > ranking.bonferroni_dunn)
            .map(|at| TESTED[at])
            .collect();
        findings.push(Finding::statement(
            "eeg: whom PFCVM_LP beats by the paper's own table of errors",
            "PCVM, TRC, FSNM, PFCVM_EM, JCFO",
            beaten.join(", "),
            beaten.len() == 5,
        ));
    }
    findings
}

/// Mean over subjects of the mean over their sessions, in percent.
fn mean_error(done: &[Done], method: &str) -> Option<f64> {
    let mut subjects: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for done in done {
        let subject = done.part.name.split(" on ").next().unwrap_or_default();
        let summary = of_method(&done.comparison.methods, method)?;
        subjects.entry(subject).or_default().push(100.0 * (1.0 - summary.accuracy?.mean));
    }
    let means = subjects.values().map(|all| all.iter().sum::<f64>() / all.len() as f64);
    let means: Vec<f64> = means.collect();
    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
}

/// The ranking that the paper's table gives for the methods of its test.
fn printed_ranking(table: &str, better: Better) -> Option<Ranking> {
    let names = TESTED.map(String::from);
    Ranking::of(&names, &Printed::of(table).numbers(&TESTED), better, 0.05).ok()
}

pub(super) fn sections(done: &[Done], is_seed: bool) -> Vec<Section> {
    let mut sections: Vec<Section> =
        done.iter().enumerate().map(|(at, done)| one_part(at, done, is_seed)).collect();
    sections.extend(over_splits(done));
    sections.push(printed_tables());
    sections
}

fn one_part(at: usize, done: &Done, is_seed: bool) -> Section {
    let mut blocks = vec![
        Block::Table(methods_table(&done.comparison, &done.outcomes)),
        Block::Table(kappas(done)),
    ];
    if let Some(summary) = of_method(&done.comparison.methods, "pfcvm-lp") {
        blocks.extend(head_maps(at, done, summary, is_seed));
    }
    blocks
        .push(Block::Table(methods_table(&done.electrodes.comparison, &done.electrodes.outcomes)));
    blocks.extend(electrode_map(at, done, is_seed));
    Section {
        id: format!("eeg-{}", at + 1),
        heading: capital(&done.part.name),
        text: vec![format!(
            "{}: {} rows, {} features, {}.",
            capital(&done.part.about),
            done.part.data.len(),
            done.part.data.x().cols(),
            match done.part.splits.as_slice() {
                [one] => format!("{} rows train and {} test", one.train.len(), one.test.len()),
                many => format!("{} splits", many.len()),
            }
        )],
        blocks,
    }
}

/// Error, AUC and kappa with its interval, as the paper's two tables have them.
fn kappas(done: &Done) -> Table {
    let row = |summary: &Summary| {
        let error = |m: &pfcvm_study::Measure| fixed(100.0 * (1.0 - m.mean), 2);
        vec![
            Cell::from(summary.method.clone()),
            or_dash(&summary.accuracy, error).into(),
            or_dash(&summary.auc, |m| fixed(100.0 * m.mean, 2)).into(),
            or_dash(&summary.kappa, |m| fixed(100.0 * m.mean, 2)).into(),
            or_dash(&summary.kappa, |m| interval(m, |v| fixed(100.0 * v, 1))).into(),
        ]
    };
    Table {
        caption: format!("Error, AUC and kappa on {}", done.part.name),
        columns: Column::numbers("method", &["error, %", "AUC, %", "kappa, %", "its interval"]),
        rows: done.comparison.methods.iter().map(row).collect(),
        remark: Some("Kappa is of all test rows together.".into()),
    }
}

/// The electrodes that a part was recorded with.
fn cap(done: &Done, is_seed: bool) -> &'static [&'static str] {
    let is_uci = !is_seed && done.part.name.starts_with("UCI");
    if is_uci { &UCI_CAP } else { &SEED_CAP }
}

/// The electrodes that are kept whole, all bands of each as one feature.
fn electrode_map(at: usize, done: &Done, is_seed: bool) -> Option<Block> {
    let summary = of_method(&done.electrodes.comparison.methods, "pfcvm-lp")?;
    let shares = summary.selection_frequencies.as_ref()?;
    let names = done.electrodes.names.iter().zip(shares);
    let spots: Vec<Spot> = names
        .filter(|(_, share)| **share > 0.0)
        .map(|(name, share)| Spot {
            electrode: name.clone(),
            value: *share,
            tooltip: format!("{name}: selected in {}", pfcvm_report::percent(*share)),
        })
        .collect();
    let (cap, label) = (cap(done, is_seed), "share of splits");
    let head = HeadMap { spots: &spots, cap, largest: Some(1.0), label, tone: Tone::Accent };
    let heading = format!("Electrodes kept whole ({})", spots.len());
    let about = format!(
        "All bands of an electrode are one feature, kept or dropped together: {} of {} electrodes \
         were kept in some split.",
        spots.len(),
        done.electrodes.names.len()
    );
    Some(Block::Figures(vec![Figure {
        content: Content::Picture(head.draw(460.0, &format!("electrodes-{at}"), &heading, &about)),
        heading,
        legend: Vec::new(),
        caption: about,
    }]))
}

/// The features selected most often, on a head for each band that has some.
fn head_maps(at: usize, done: &Done, summary: &Summary, is_seed: bool) -> Option<Block> {
    let shares = summary.selection_frequencies.as_ref()?;
    let mut order = by_frequency(shares);
    let several = done.part.splits.len() > 1;
    if several {
        order.truncate(TOP);
    }
    let mut bands: Vec<&str> = Vec::new();
    for (_, band) in &done.part.features {
        if !bands.contains(&band.as_str()) {
            bands.push(band);
        }
    }
    let cap = cap(done, is_seed);
    let map = |band: &&str| {
        let spots: Vec<Spot> = order
            .iter()
            .filter(|&&feature| done.part.features[feature].1 == **band)
            .map(|&feature| Spot {
                electrode: done.part.features[feature].0.clone(),
                value: shares[feature],
                tooltip: format!(
                    "{} {band}: selected in {}",
                    done.part.features[feature].0,
                    pfcvm_report::percent(shares[feature])
                ),
            })
            .collect();
        let head = HeadMap {
            spots: &spots,
            cap,
            largest: Some(1.0),
            label: "share of splits",
            tone: Tone::Accent,
        };
        let heading = format!("{band} ({})", spots.len());
        let about = format!("{} of the features shown are of the {band} band.", spots.len());
        Figure {
            content: Content::Picture(head.draw(
                300.0,
                &format!("head-{at}-{band}"),
                &heading,
                &about,
            )),
            heading,
            legend: Vec::new(),
            caption: String::new(),
        }
    };
    Some(Block::Small(bands.iter().map(map).collect()))
}

/// Friedman's test over the splits of a part with several, or over sessions.
fn over_splits(done: &[Done]) -> Option<Section> {
    let part = done.iter().find(|done| done.part.splits.len() > 2);
    let names =
        |done: &Done| Vec::from_iter(done.comparison.methods.iter().map(|s| s.method.clone()));
    let (names, scores, what) = match part {
        Some(done) => {
            let row = |split: usize| {
                let error = |outcomes: &Vec<pfcvm_study::Outcome>| {
                    Some(1.0 - outcomes[split].as_ref().ok()?.scores.accuracy)
                };
                done.outcomes.iter().map(error).collect()
            };
            let rows: Vec<Vec<Option<f64>>> = (0..done.part.splits.len()).map(row).collect();
            (names(done), rows, format!("subjects of {}", done.part.name))
        }
        None => {
            let row = |done: &Done| {
                done.comparison.methods.iter().map(|s| Some(1.0 - s.accuracy?.mean)).collect()
            };
            (names(done.first()?), done.iter().map(row).collect(), "sessions".into())
        }
    };
    let count = scores.len();
    let ranking = Ranking::of(&names, &scores, Better::Lower, 0.05).ok()?;
    let (mut text, blocks) = ranking_blocks("eeg-ranks", &ranking, count);
    text.insert(0, format!("Ranks of the errors over the {count} {what}."));
    Some(Section {
        id: "eeg-friedman".into(),
        heading: "Who differs from whom".into(),
        text,
        blocks,
    })
}

/// The paper's own tables under the same test.
fn printed_tables() -> Section {
    let mut text = vec![
        "The paper's printed tables put through the same tests, six methods over 14 subjects: its \
         text names the critical difference of Bonferroni and Dunn; Nemenyi's, for all pairs, is \
         larger."
            .to_string(),
    ];
    let mut blocks = Vec::new();
    let tables =
        [("error", paper::EEG_ERROR, Better::Lower), ("AUC", paper::EEG_AUC, Better::Higher)];
    for (name, table, better) in tables {
        let Some(ranking) = printed_ranking(table, better) else { continue };
        let id = format!("eeg-printed-{}", name.to_lowercase());
        let (words, pictures) = ranking_blocks(&id, &ranking, 14);
        text.extend(words.into_iter().map(|words| format!("The table of {name}. {words}")));
        blocks.extend(pictures);
        blocks.push(Block::Table(distances(name, &ranking)));
    }
    Section { id: "eeg-printed".into(), heading: "The paper's own tables".into(), text, blocks }
}

/// How far each method is from PFCVM_LP, and which test says that this is far.
fn distances(name: &str, ranking: &Ranking) -> Table {
    let ranks = &ranking.friedman.average_ranks;
    let ours = ranks[TESTED.len() - 1];
    let row = |at: usize| {
        let distance = ranks[at] - ours;
        let far = |difference: f64| if distance > difference { "yes" } else { "no" };
        vec![
            Cell::from(TESTED[at]),
            fixed(ranks[at], 3).into(),
            fixed(distance, 3).into(),
            far(ranking.bonferroni_dunn).into(),
            far(ranking.nemenyi).into(),
        ]
    };
    Table {
        caption: format!("Ranks of the printed {name}"),
        columns: vec![
            Column::text(format!("by {name}")),
            Column::number("average rank"),
            Column::number("behind PFCVM_LP"),
            Column::text("Bonferroni–Dunn"),
            Column::text("Nemenyi"),
        ],
        rows: (0..TESTED.len()).map(row).collect(),
        remark: None,
    }
}

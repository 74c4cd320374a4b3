//! Section 4.1: wave 1 against wave 2, 200 rows of each to train, 100 splits.

use crate::paper::{self, Printed};
use crate::setup::{available, drawn, nested, two_classes};
use crate::{Bench, Chapter, Error, Experiment, Finding, Setup};
use pfcvm::multiclass::Dataset;
use pfcvm_eval::hold_out;
use pfcvm_io::generate::{Labelling, WAVE_FEATURES, WAVE_NOISE_FEATURES, waveform};
use pfcvm_report::page::{Block, Section};
use pfcvm_report::studies::{
    accuracy_boxes, capital, frequencies, methods_table, of_method, stability_table,
};
use pfcvm_report::{fixed, percent};
use pfcvm_study::{Choice, Comparison, Contender, Outcome, Study, Summary, compare};
use serde_json::json;
use std::sync::Arc;

/// Rows of each class that train.
const PER_CLASS: usize = 200;
/// The generator's rows of each class, about as many as UCI's file has.
const DRAWN_PER_CLASS: usize = 1672;
/// What the paper says no noise feature of PFCVM_LP reaches.
const NOISE_LEVEL: f64 = 0.2;

/// The two waves: UCI's file where it is, else drawn alike.
pub(crate) struct Waves {
    pub data: Arc<Dataset>,
    pub names: Vec<String>,
    /// Where they come from, in words.
    pub origin: String,
    pub from_file: bool,
}

impl Waves {
    pub fn load(setup: &Setup) -> Result<Self, Error> {
        let (table, origin, from_file) = match setup.table("waveform_noise")? {
            Some(table) => (table, "UCI's waveform file, labels 0 and 1".to_string(), true),
            None => {
                let seed = setup.seed;
                let drawn = waveform(Labelling::Uci, &[0, 1], DRAWN_PER_CLASS, seed);
                let origin =
                    format!("waveforms drawn by UCI's rule with seed {seed}, not UCI's file");
                (drawn, origin, false)
            }
        };
        let names = table.feature_names().to_vec();
        let data = Arc::new(two_classes(table, "0", "1")?);
        Ok(Self { data, names, origin, from_file })
    }

    /// Studies of some methods on the same splits.
    pub fn studies(
        &self,
        setup: &Setup,
        contenders: &[Contender],
        splits: usize,
    ) -> Result<Vec<Study>, Error> {
        let held_out = hold_out(self.data.codes(), PER_CLASS, splits, setup.seed);
        let splits = drawn(&format!("holdout:{PER_CLASS}x{splits}"), held_out)?;
        let study = |contender: &Contender| Study {
            // 300000 test rows per method are kept by nobody.
            keep_predictions: false,
            ..setup.study(contender.label(), &self.data, &splits, contender)
        };
        Ok(contenders.iter().map(study).collect())
    }
}

/// Whether a feature is noise.
pub(crate) fn is_noise(feature: usize) -> bool {
    feature >= WAVE_FEATURES
}

/// Methods that select features, then those that use all. Where much hangs on a setting that the
/// method does not choose itself, it is chosen inside each training part, as the paper's sources do;
/// where the error hardly tells settings apart and the list of features hangs on them, by the shortest
/// list (measured on drawn waveforms: docs/research.md).
fn contenders(setup: &Setup) -> Result<Vec<Contender>, Error> {
    let methods = [
        "pfcvm-lp/certainty=off",
        "pfcvm-em",
        "jcfo/sample_rate=0.5",
        "wsvm/gamma=scale/probability=no",
        "rsfm",
        "rvm",
        "pcvm",
        "smpm/probability=no",
        "svm/probability=no",
    ];
    let by_errors = ["jcfo/sample_rate=0.5", "svm/probability=no"];
    let by_length = ["pfcvm-em", "wsvm/gamma=scale/probability=no"];
    let contender = |method: &str| match setup.quick {
        false if by_errors.contains(&method) => nested(method),
        false if by_length.contains(&method) => Ok(nested(method)?.choosing(Choice::Shortest)),
        _ => Ok(Contender::fixed(method.parse()?)),
    };
    available(&methods).into_iter().map(contender).collect()
}

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let waves = Waves::load(setup)?;
    let splits = if setup.quick { 10 } else { 100 };
    let studies = waves.studies(setup, &contenders(setup)?, splits)?;
    let outcomes = bench.run(Experiment::Waveform, "splits", &studies)?;
    let comparison = compare("the waveforms", &studies, &outcomes);
    let lead = format!(
        "{}: {splits} splits (seed {}), {PER_CLASS} rows of each class to train, all others to \
         test. {} features carry the waves, {WAVE_NOISE_FEATURES} are noise. Methods have their \
         default settings; those marked nested choose them inside each training part, by the \
         fewest errors or, where that is said, by the shortest list within one standard error of \
         them.",
        waves.origin, setup.seed, WAVE_FEATURES,
    );
    Ok(Chapter {
        lead,
        findings: findings(&comparison, waves.from_file),
        sections: sections(&waves, &comparison, &outcomes),
        results: json!({ "data": waves.origin, "splits": splits, "comparison": comparison }),
    })
}

fn findings(comparison: &Comparison, from_file: bool) -> Vec<Finding> {
    let printed = Printed::of(paper::WAVEFORM_STABILITY);
    let three = |value: f64| fixed(value, 3);
    let mut findings = Vec::new();
    for method in ["pfcvm-lp", "pfcvm-em", "wsvm", "jcfo"] {
        let name = paper::name_of(method);
        let ours = of_method(&comparison.methods, method).and_then(|summary| summary.stability);
        for (measure, ours) in
            [("jaccard", ours.map(|s| s.jaccard)), ("pearson", ours.map(|s| s.pearson))]
        {
            let paper = printed.number(measure, name);
            // The paper's spread over pairs is wide for Jaccard and narrow for Pearson; the mean of
            // 100 splits is surer than either.
            let claim = format!("waveform: {} stability of {name}", capital(measure));
            let same = (0.02, "0.02");
            findings.extend(paper.map(|paper| Finding::figure(claim, paper, same, ours, three)));
        }
    }
    let lp = of_method(&comparison.methods, "pfcvm-lp");
    if let Some(shares) = lp.and_then(|summary| summary.selection_frequencies.as_ref()) {
        let worst = shares[WAVE_FEATURES..].iter().copied().fold(0.0, f64::max);
        findings.push(Finding::statement(
            "waveform: noise features that PFCVM_LP selects",
            "each in less than 20 % of the splits",
            format!("at most {}", percent(worst)),
            worst < NOISE_LEVEL,
        ));
        let often: Vec<usize> = (0..WAVE_FEATURES).filter(|&at| shares[at] > 0.5).collect();
        let printed = [5, 9, 10, 11, 12, 15, 16, 17, 18].map(|feature| feature - 1);
        let common = often.iter().filter(|at| printed.contains(at)).count();
        let list = Vec::from_iter(often.iter().map(|at| (at + 1).to_string())).join(", ");
        if from_file {
            findings.push(Finding {
                within: "7 of 9 in common".into(),
                ..Finding::statement(
                    "waveform: features that PFCVM_LP selects in over half of the splits",
                    "5, 9, 10, 11, 12, 15, 16, 17, 18",
                    format!("{list} ({common} in common)"),
                    common >= 7,
                )
            });
        }
    }
    findings
}

fn sections(waves: &Waves, comparison: &Comparison, outcomes: &[Vec<Outcome>]) -> Vec<Section> {
    let summaries: Vec<&Summary> = comparison.methods.iter().collect();
    let folds: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
    let mut accuracy = vec![Block::Table(methods_table(comparison, outcomes))];
    accuracy.push(accuracy_boxes("waveform-boxes", &summaries, &folds, |_| None));
    let mut blocks: Vec<Block> =
        stability_table(&summaries).map(Block::Table).into_iter().collect();
    blocks.push(Block::Table(printed_stability()));
    let mut noise = Vec::new();
    for (at, summary) in summaries.iter().enumerate() {
        let id = format!("waveform-frequency-{at}");
        let guide = Some((NOISE_LEVEL, "0.2"));
        let figure =
            frequencies(&id, &summary.method, summary, &waves.names, Some(&is_noise), guide);
        noise.extend(figure.map(Block::Wide));
    }
    vec![
        Section {
            id: "waveform-stability".into(),
            heading: "Stability of the selections".into(),
            text: vec!["Ours first, then the table that the paper prints.".into()],
            blocks,
        },
        Section {
            id: "waveform-accuracy".into(),
            heading: "Accuracy".into(),
            text: Vec::new(),
            blocks: accuracy,
        },
        Section {
            id: "waveform-frequencies".into(),
            heading: "Features selected".into(),
            text: vec![
                "How often each method that selects features took each of them. The paper finds \
                 noise features in at least a fifth of the splits for WSVM (3), JCFO (1) and \
                 PFCVM_EM (2), for PFCVM_LP none."
                    .into(),
            ],
            blocks: noise,
        },
    ]
}

fn printed_stability() -> pfcvm_report::page::Table {
    use pfcvm_report::page::{Column, Table};
    let printed = Printed::of(paper::WAVEFORM_STABILITY);
    let row = |method: &str| {
        let name = paper::name_of(method);
        let cell = |measure: &str| {
            let value = |column: &str| printed.number(measure, column).unwrap_or(f64::NAN);
            format!("{} ± {}", fixed(value(name), 3), fixed(value(&format!("{name}_sd")), 3)).into()
        };
        vec![name.into(), cell("jaccard"), cell("pearson")]
    };
    Table {
        caption: "Stability as the paper prints it".into(),
        columns: Column::numbers("the paper", &["Jaccard", "Pearson"]),
        rows: ["pfcvm-lp", "pfcvm-em", "wsvm", "jcfo"].map(row).to_vec(),
        remark: None,
    }
}

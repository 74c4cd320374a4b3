//! What programs are told of a study: the keys of `evaluate --json` and `price --json`, the same
//! from the command line and from every other language.

use crate::{
    Evaluation, FailedFold, LearningCurve, ListedFeature, MachineFold, NamedFeature, Outcome,
    Outlook, Price, PricePoint, RowsPoint, Study, Summary,
};
use pfcvm_eval::ClassCurves;
use serde::Serialize;
use std::collections::BTreeMap;

/// The rule by which a length is suggested.
const RULE: &str = "the shortest list whose log loss is above the best one's by at most one standard error of \
                    the difference, row by row";

/// What was tried, on what.
#[derive(Debug, Serialize)]
pub struct Subject<'a> {
    /// The file or the data set, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a str>,
    rows: usize,
    features: usize,
    classes: &'a [String],
    protocol: String,
    seed: u64,
    method: String,
    settings: BTreeMap<String, String>,
    /// What the clock says, where that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

impl<'a> Subject<'a> {
    /// A study on the splits of a protocol.
    pub fn of(study: &'a Study, protocol: String) -> Self {
        let spec = study.contender.spec();
        Self {
            data: None,
            rows: study.data.len(),
            features: study.data.columns().features(),
            classes: study.data.class_names(),
            protocol,
            seed: study.seed,
            method: spec.name(),
            settings: spec.settings().into_iter().collect(),
            timing: None,
        }
    }

    /// The same with what a program knows beside it: the file or the data set, and the clock.
    pub fn in_program(self, data: &'a str, timing: Timing) -> Self {
        Self { data: Some(data), timing: Some(timing), ..self }
    }
}

/// What the clock says.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Timing {
    /// Of all folds together, as if one had run after the other.
    seconds: f64,
    seconds_per_fold: f64,
}

impl Timing {
    /// Times of folds that were fitted.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let all: Vec<f64> = outcomes.into_iter().flatten().map(|fold| fold.seconds).collect();
        let seconds = all.iter().sum();
        Self { seconds, seconds_per_fold: seconds / all.len().max(1) as f64 }
    }
}

/// What a method is worth. All but the subject's `timing` is the same to the bit whenever the study
/// is.
#[derive(Debug, Serialize)]
pub struct EvaluationAccount<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    /// With more than two classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<&'a str>,
    grid: Option<String>,
    folds: usize,
    failed: &'a [FailedFold],
    measures: &'a Summary,
    /// Of methods that give probabilities: of all test rows together.
    curves: Option<&'a ClassCurves>,
    /// By name, the share of folds in which some machine selected a feature, for those above 0.
    selected: BTreeMap<&'a str, f64>,
    /// For each fold what was chosen inside its training part.
    chosen: Option<Vec<Option<Chosen>>>,
}

/// Settings with their values.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Chosen {
    /// Of the one machine there is.
    One(BTreeMap<String, String>),
    /// Machine by machine.
    Each(Vec<BTreeMap<String, String>>),
}

impl<'a> EvaluationAccount<'a> {
    /// What an evaluation found; `names` are those of the features.
    pub fn of(subject: Subject<'a>, evaluation: &'a Evaluation<'_>, names: &'a [String]) -> Self {
        let Evaluation { study, outcomes, summary, curves, .. } = evaluation;
        let shares = summary.selection_frequencies.iter().flatten();
        let selected = names.iter().map(String::as_str).zip(shares.copied());
        let of_fold = |fold: &Outcome| chosen(&fold.as_ref().ok()?.machines);
        Self {
            subject,
            scheme: summary.scheme.as_deref(),
            grid: study.contender.grid().map(|grid| grid.to_string()),
            folds: summary.folds,
            failed: &summary.failed,
            measures: summary,
            curves: curves.as_ref(),
            selected: selected.filter(|(_, share)| *share > 0.0).collect(),
            chosen: study.contender.grid().map(|_| outcomes.iter().map(of_fold).collect()),
        }
    }
}

fn chosen(machines: &[MachineFold]) -> Option<Chosen> {
    let settings = |machine: &MachineFold| Some(machine.chosen.clone()?.into_iter().collect());
    let mut each: Vec<BTreeMap<String, String>> =
        machines.iter().map(settings).collect::<Option<_>>()?;
    Some(if each.len() == 1 { Chosen::One(each.remove(0)) } else { Chosen::Each(each) })
}

/// The price of a short list.
#[derive(Debug, Serialize)]
pub struct PriceAccount<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    folds: usize,
    tested_rows: usize,
    points: &'a [PricePoint],
    rule: &'a str,
    /// The length with the least log loss; null: all that the fit keeps.
    best: Option<usize>,
    /// The length that is suggested; null: all that the fit keeps.
    suggested: Option<usize>,
    /// The list of a fit on all rows at that length.
    list: Vec<NamedFeature<'a>>,
    in_words: String,
}

impl<'a> PriceAccount<'a> {
    /// A curve over lengths, the list of the suggested one, and what the curve says, in words.
    pub fn of(
        subject: Subject<'a>,
        price: &'a Price,
        list: &'a [ListedFeature],
        names: &'a [String],
        in_words: String,
    ) -> Self {
        Self {
            subject,
            folds: price.folds,
            tested_rows: price.rows,
            points: &price.points,
            rule: RULE,
            best: price.points[price.best].size,
            suggested: price.suggested_size(),
            list: list.iter().map(|one| one.named(names)).collect(),
            in_words,
        }
    }
}

/// What more rows would bring.
#[derive(Debug, Serialize)]
pub struct RowsAccount<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    folds: usize,
    tested_rows: usize,
    points: &'a [RowsPoint],
    outlook: Outlook,
    outlook_in_words: String,
}

impl<'a> RowsAccount<'a> {
    /// A curve over rows, and what it promises, in words.
    pub fn of(subject: Subject<'a>, curve: &'a LearningCurve, in_words: String) -> Self {
        Self {
            subject,
            folds: curve.folds,
            tested_rows: curve.tested,
            points: &curve.points,
            outlook: curve.outlook,
            outlook_in_words: in_words,
        }
    }
}

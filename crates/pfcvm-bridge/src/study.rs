//! A method tried on splits of data, as the program's `evaluate` does it.

use crate::samples::Samples;
use crate::work::{Caller, pool};
use crate::{Error, Outcome};
use pfcvm::multiclass::Scheme;
use pfcvm_methods::{Refusal, Stop, during};
use pfcvm_study::{
    Choice, Contender, Cv, Evaluation, EvaluationAccount, Fold, Outcomes, Repeated, Study, Subject,
    at_least_one_fold, numbered_groups,
};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// What is tried, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// `NAME[/key=value…]`.
    pub method: String,
    /// Texts `key=value` beside it.
    pub set: Vec<String>,
    /// The protocol by name.
    pub cv: String,
    /// A name for every row, where the protocol keeps groups together.
    pub groups: Option<Vec<String>>,
    /// More than two classes: how they are told apart.
    pub scheme: String,
    /// Seed of the splits and of inner folds.
    pub seed: u64,
}

/// A trial, perhaps with settings chosen inside each training part.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationRequest {
    /// What is tried.
    pub trial: Trial,
    /// Whether settings are chosen inside each training part.
    pub nested: bool,
    /// Among these, `key=value,value…`; none: the method's own.
    pub grid: Vec<String>,
    /// Whether the shortest list within one standard error is chosen, not the fewest errors.
    pub shortest: bool,
}

/// Scores of a method over the folds of a protocol, with the keys of the program's `evaluate --json`.
pub fn evaluate(
    samples: Samples,
    request: &EvaluationRequest,
    caller: &Caller<'_>,
) -> Outcome<Value> {
    let choice = if request.shortest { Choice::Shortest } else { Choice::FewestErrors };
    let among = request.nested.then_some((&request.grid[..], choice));
    let contender = contender(&request.trial, among)?;
    let (study, names) = study(samples, &request.trial, contender)?;
    let studies = [study];
    let outcomes = done(&studies, caller)?;
    let found = Evaluation::of(&studies[0], &outcomes[0]);
    let subject = Subject::of(&studies[0], request.trial.cv.clone());
    let account = EvaluationAccount::of(subject, &found, &names);
    serde_json::to_value(account).map_err(Error::refused)
}

/// The method with its settings, chosen among those that are given where any are.
pub(crate) fn contender(trial: &Trial, among: Option<(&[String], Choice)>) -> Outcome<Contender> {
    Contender::of_texts(&trial.method, &trial.set, among).map_err(Error::refused)
}

/// A method on the splits of the protocol, and the names of the features.
pub(crate) fn study(
    samples: Samples,
    trial: &Trial,
    contender: Contender,
) -> Outcome<(Study, Vec<String>)> {
    let scheme: Scheme = trial.scheme.parse().map_err(Error::refused)?;
    let cv: Cv = trial.cv.parse().map_err(Error::refused)?;
    let (data, known) = samples.data()?;
    known.all_labelled("an evaluation")?;
    contender.spec().check_classes(data.class_names().len()).map_err(Error::refused)?;
    let groups = trial.groups.as_deref();
    let splits = cv.splits(data.codes(), groups, trial.seed).map_err(Error::refused)?;
    let study = Study {
        name: contender.label(),
        data: Arc::new(data),
        scheme,
        groups: groups.map(|names| Arc::new(numbered_groups(names).0)),
        splits: Arc::new(splits),
        contender,
        seed: trial.seed,
        keep_predictions: true,
    };
    Ok((study, known.form.features))
}

/// A study whose folds look at a flag.
struct Watched<'a> {
    study: &'a Study,
    stop: &'a Stop,
}

impl Repeated for Watched<'_> {
    type Outcome = Fold;

    fn name(&self) -> &str {
        self.study.name()
    }

    fn times(&self) -> usize {
        self.study.times()
    }

    fn once(&self, number: usize) -> Result<Fold, Refusal> {
        if self.stop.is_asked() {
            return Err("stopped".into());
        }
        during(self.stop, || self.study.once(number))
    }
}

/// Does all folds. If none of a method worked, its first reason is the error.
pub(crate) fn done(studies: &[Study], caller: &Caller<'_>) -> Outcome<Outcomes<Study>> {
    let stop = caller.stop();
    let watched = Vec::from_iter(studies.iter().map(|study| Watched { study, stop }));
    let run = || pfcvm_study::run(&watched, None, &|_| ());
    let outcomes = pool()?.install(run).map_err(Error::refused)?;
    at_least_one_fold(&outcomes).map_err(Error::refused)?;
    Ok(outcomes)
}

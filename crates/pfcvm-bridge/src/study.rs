//! A method tried on splits of data, as the program's `evaluate` does it.

use crate::samples::Samples;
use crate::work::{Caller, pool};
use crate::{Error, Outcome};
use pfcvm::multiclass::Scheme;
use pfcvm_methods::{Grid, Refusal, Spec, Stop, during};
use pfcvm_study::{Choice, Contender, Cv, Evaluation, Fold, Outcomes, Repeated, Study};
use serde::Deserialize;
use serde_json::{Map, Value, json};
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
    let spec = spec(&request.trial)?;
    let contender = match request.nested {
        false => Contender::fixed(spec),
        true => nested(spec, request)?,
    };
    let (study, names) = study(samples, &request.trial, contender)?;
    let studies = [study];
    let outcomes = done(&studies, caller)?;
    let found = Evaluation::of(&studies[0], &outcomes[0]);
    let shares = found.summary.selection_frequencies.iter().flatten();
    let selected = names.iter().zip(shares).filter(|(_, share)| **share > 0.0);
    let selected: Map<String, Value> =
        selected.map(|(name, share)| (name.clone(), json!(share))).collect();
    let mut about = subject(&studies[0], &request.trial);
    about["features"] = json!(studies[0].data.columns().features());
    about["scheme"] = json!(found.summary.scheme);
    about["grid"] = json!(studies[0].contender.grid().map(|grid| grid.to_string()));
    about["folds"] = json!(found.summary.folds);
    about["failed"] = json!(found.summary.failed);
    about["measures"] = json!(found.summary);
    about["curves"] = json!(found.curves);
    about["selected"] = Value::Object(selected);
    Ok(about)
}

fn nested(spec: Spec, request: &EvaluationRequest) -> Outcome<Contender> {
    let grid = match request.grid.is_empty() {
        true => spec.grid(),
        false => {
            let mut grid = Grid::default();
            request.grid.iter().try_for_each(|text| grid.add(text)).map_err(Error::refused)?;
            grid
        }
    };
    let choice = if request.shortest { Choice::Shortest } else { Choice::FewestErrors };
    Ok(Contender::nested(spec, grid).map_err(Error::refused)?.choosing(choice))
}

/// The method with its settings.
pub(crate) fn spec(trial: &Trial) -> Outcome<Spec> {
    let mut spec: Spec = trial.method.parse().map_err(Error::refused)?;
    trial.set.iter().try_for_each(|text| spec.set_text(text)).map_err(Error::refused)?;
    spec.build().map_err(Error::refused)?;
    Ok(spec)
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
    contender.spec().check_classes(data.class_names().len()).map_err(Error::refused)?;
    let groups = trial.groups.as_deref();
    let splits = cv.splits(data.codes(), groups, trial.seed).map_err(Error::refused)?;
    let study = Study {
        name: contender.label(),
        data: Arc::new(data),
        scheme,
        groups: groups.map(numbered),
        splits: Arc::new(splits),
        contender,
        seed: trial.seed,
        keep_predictions: true,
    };
    Ok((study, known.form.features))
}

/// The group of every row as a number, in the order of their names.
fn numbered(groups: &[String]) -> Arc<Vec<usize>> {
    let mut names: Vec<&String> = groups.iter().collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &String| names.binary_search(&name).unwrap_or(0);
    Arc::new(Vec::from_iter(groups.iter().map(number)))
}

/// What both `evaluate` and `price` tell of a study.
pub(crate) fn subject(study: &Study, trial: &Trial) -> Value {
    let spec = study.contender.spec();
    let settings: Map<String, Value> =
        spec.settings().into_iter().map(|(key, value)| (key, Value::String(value))).collect();
    json!({
        "rows": study.data.len(),
        "features": study.data.columns().features(),
        "classes": study.data.class_names(),
        "protocol": trial.cv,
        "seed": trial.seed,
        "method": spec.name(),
        "settings": settings,
    })
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
    if outcomes.iter().flatten().all(Result::is_err) {
        let reason = outcomes.iter().flatten().find_map(|outcome| outcome.as_ref().err());
        let reason = reason.map_or("there are no folds", |reason| reason.as_str());
        return Err(Error::refused(format!("every fold failed; the first one: {reason}")));
    }
    Ok(outcomes)
}

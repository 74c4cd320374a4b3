//! PFCVM_LP and panels of any number of classes: fitted, described, predicting, in model files.

use crate::columns::{Form, Texts, known};
use crate::error::memory_limit;
use crate::samples::{Known, Samples};
use crate::work::{Caller, pool, pool_of};
use crate::{Error, Outcome};
use pfcvm::multiclass::{
    self, Choice, Dataset, Found, Joined, Machines, Scheme, Share, Task, beside_unlabelled,
    panel_instead, with_unlabelled,
};
use pfcvm::panel::{PanelRound, PanelSettings};
use pfcvm::theory::BoundSettings;
use pfcvm::{Iteration, Matrix, Seen, Settings};
use pfcvm_io::onnx::Input;
use pfcvm_io::{
    FitSettings, FittedMachine, ModelFile, NewRows, Onward, Staged, Summary, TableForm, Unnamed,
    Variable, overlay,
};
use pfcvm_report::Test;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

/// Fitted models or panels, one for each two-class problem, as a model file has them.
pub struct Engine {
    file: ModelFile,
    /// Iterations or rounds of each machine; a file has none.
    traces: Vec<Value>,
    /// What predicts from the needed columns alone.
    predictor: Machines<FittedMachine>,
    /// What these are called and hold.
    needed: Vec<Variable>,
}

/// What an object of another language keeps: a model file whose names stand beside it, because an
/// object may have names that no file can.
#[derive(Serialize, Deserialize)]
struct State {
    model: String,
    classes: Vec<String>,
    feature_names: Vec<String>,
    traces: Vec<Value>,
}

/// How a fit is to be done, whatever its settings.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// Within so many MiB; nothing: what the system can give.
    pub memory_limit: Option<usize>,
    /// On several threads.
    pub parallel: bool,
    /// With a line for each iteration.
    pub verbose: bool,
    /// Whether a panel is made where the program makes one unasked: of more features than samples, where
    /// nothing else was asked for.
    pub panel_if_many: bool,
    /// Rows that are kept at most, to learn on from; nothing: none.
    #[serde(default)]
    pub keep_rows: Option<usize>,
}

/// What the machines say about rows.
pub struct Said {
    /// The place of each row's class among all.
    pub class: Vec<usize>,
    /// The probability of each class.
    pub probability: Matrix,
    /// The decision value of each machine.
    pub decision: Matrix,
    /// Its variance; nothing: the method estimates a point.
    pub variance: Option<Matrix>,
    /// For each column of words, how many cells hold one that is not known.
    pub unknown: Vec<usize>,
}

impl Engine {
    /// From the state that [`Engine::state`] gave.
    pub fn of_state(state: &[u8]) -> Outcome<Self> {
        let State { model, classes, feature_names, traces } =
            serde_json::from_slice(state).map_err(Error::refused)?;
        let mut file = ModelFile::read_from(model.as_bytes()).map_err(Error::refused)?;
        if (classes.len(), feature_names.len()) != (file.classes.len(), file.feature_names.len()) {
            return Err(Error::refused("the state of a classifier is damaged"));
        }
        (file.classes, file.feature_names) = (classes, feature_names);
        Ok(Self::of(file, traces))
    }

    /// All that is needed to have the same again.
    pub fn state(&self) -> Outcome<Vec<u8>> {
        let numbered = |count: usize| (0..count).map(|at| at.to_string()).collect();
        let plain = ModelFile {
            classes: numbered(self.file.classes.len()),
            feature_names: numbered(self.file.feature_names.len()),
            ..self.file.clone()
        };
        let mut model = Vec::new();
        plain.write(&mut model).map_err(Error::refused)?;
        let state = State {
            model: String::from_utf8(model).map_err(Error::refused)?,
            classes: self.file.classes.clone(),
            feature_names: self.file.feature_names.clone(),
            traces: self.traces.clone(),
        };
        serde_json::to_vec(&state).map_err(Error::refused)
    }

    /// Fits a model for each two-class problem of the scheme, or for all classes at once.
    pub fn fit(
        samples: Samples,
        scheme: &str,
        settings: &str,
        way: Way,
        caller: &Caller<'_>,
    ) -> Outcome<Self> {
        let scheme: Scheme = scheme.parse().map_err(Error::refused)?;
        let (data, mut known) = samples.data()?;
        let (mut settings, data) = overlay::single(settings, data).map_err(Error::refused)?;
        prepare(&mut settings.memory_limit_mib, &mut settings.parallel, way);
        settings.stop = Some(caller.stop().clone());
        let Some(others) = known.unlabelled.take() else {
            return Self::single(&data, known, scheme, &settings, way, caller);
        };
        let panel = way.panel_if_many.then(|| panel_instead(&data, &settings)).flatten();
        let compare = || with_unlabelled(&data, &others, scheme, &settings, panel.as_ref());
        let (found, joined) = pool_of(way.parallel)?.install(compare).map_err(Error::not_fitted)?;
        let mut engine = match joined {
            None => Self::single(&data, known, scheme, &settings, way, caller)?,
            Some(Joined { data: all, rows, .. }) => {
                let total = data.len() + others.rows();
                let of_caller =
                    |row: &usize| known.origin.as_ref().map_or(*row, |(of, _)| of[*row]);
                let rows = rows.iter().map(of_caller).collect();
                let total = known.origin.as_ref().map_or(total, |(_, total)| *total);
                let known = Known { origin: Some((rows, total)), ..known };
                let settings = beside_unlabelled(&settings);
                let way = Way { panel_if_many: false, ..way };
                Self::single(&all, known, scheme, &settings, way, caller)?
            }
        };
        engine.file.class_rows = Some(data.class_counts());
        engine.file.seen = seen(&data, &engine.file.settings, way);
        engine.file.unlabelled = Some(found);
        Ok(engine)
    }

    /// Fits a panel for each two-class problem of the scheme.
    pub fn fit_panel(
        samples: Samples,
        scheme: &str,
        settings: &str,
        way: Way,
        caller: &Caller<'_>,
    ) -> Outcome<Self> {
        let scheme: Scheme = scheme.parse().map_err(Error::refused)?;
        let (data, known) = samples.data()?;
        known.all_labelled("a panel")?;
        let (mut settings, data) = overlay::panel(settings, data).map_err(Error::refused)?;
        prepare(&mut settings.memory_limit_mib, &mut settings.parallel, way);
        settings.stop = Some(caller.stop().clone());
        Self::panel(&data, known, scheme, settings, way, caller)
    }

    fn single(
        data: &Dataset,
        known: Known,
        scheme: Scheme,
        settings: &Settings,
        way: Way,
        caller: &Caller<'_>,
    ) -> Outcome<Self> {
        let watch = Watch { names: data.class_names(), scheme, way, caller };
        let of_fit = |task: Task, now: &Iteration| watch.fit(task, now);
        let of_panel = |task: Task, round: &PanelRound| watch.panel(task, round);
        let fit = || match way.panel_if_many {
            true => multiclass::fit_or_panel(data, scheme, settings, &of_fit, &of_panel),
            false => multiclass::fit_choosing(data, scheme, settings, &of_fit)
                .map(|(fits, taken, choice)| (Found::Single(fits, taken), choice)),
        };
        let (found, choice) = pool_of(way.parallel)?.install(fit).map_err(Error::not_fitted)?;
        Ok(Self::found(data, known, found, choice, way))
    }

    fn panel(
        data: &Dataset,
        known: Known,
        scheme: Scheme,
        settings: PanelSettings,
        way: Way,
        caller: &Caller<'_>,
    ) -> Outcome<Self> {
        let watch = Watch { names: data.class_names(), scheme, way, caller };
        let of_panel = |task: Task, round: &PanelRound| watch.panel(task, round);
        let fit = || multiclass::fit_panel_with(data, scheme, &settings, &of_panel);
        let fitted = pool_of(way.parallel)?.install(fit).map_err(Error::not_fitted)?;
        Ok(Self::found(data, known, Found::Panel(fitted, settings), None, way))
    }

    /// What was fitted, as a model file has it.
    fn found(data: &Dataset, known: Known, found: Found, choice: Option<Choice>, way: Way) -> Self {
        let rows = known.origin.as_ref().map(|(rows, _)| rows);
        let of_caller = |row: usize| rows.map_or(row, |rows| rows[row]);
        let (traces, machines, settings) = match found {
            Found::Single(fits, settings) => {
                let traces = fits.machines().iter().map(|fit| json!(fit.trace)).collect();
                let machines = fits.map(|fit| FittedMachine::of_fit(fit, of_caller));
                (traces, machines, FitSettings::Single(Box::new(settings)))
            }
            Found::Panel(panels, settings) => {
                let traces = panels.machines().iter().map(|panel| json!(panel.rounds())).collect();
                let machines = panels.map(FittedMachine::of_panel);
                (traces, machines, FitSettings::Panel(Box::new(settings)))
            }
        };
        let seen = seen(data, &settings, way);
        let file = ModelFile {
            choice,
            seen,
            ..file(counted(data), data.len(), known, settings, machines)
        };
        Self::of(file, traces)
    }

    /// What the machines say about rows that hold nothing but the needed columns, ascending.
    pub fn predict(&self, mut x: Matrix, words: &Texts) -> Outcome<Said> {
        let unknown = known(&mut x, words, &self.needed)?;
        let found = pool()?.install(|| self.predictor.predict(&x)).map_err(Error::refused)?;
        Ok(Said {
            class: found.class,
            probability: found.probability,
            decision: found.decision,
            variance: found.variance,
            unknown,
        })
    }

    /// How far rows are from the samples that are remembered, as the program's `novelty`; nothing where
    /// this cannot be told.
    pub fn novelty(&self, mut x: Matrix, words: &Texts) -> Outcome<Option<Vec<f64>>> {
        known(&mut x, words, &self.needed)?;
        pool()?.install(|| self.predictor.novelty(&x)).map_err(Error::refused)
    }

    /// Which rows to label next, at most so many, each with what its label is expected to bring.
    pub fn suggest(
        &self,
        mut x: Matrix,
        words: &Texts,
        count: usize,
    ) -> Outcome<Vec<(usize, f64)>> {
        known(&mut x, words, &self.needed)?;
        let found =
            pool()?.install(|| self.predictor.suggest(&x, count)).map_err(Error::refused)?;
        Ok(found.into_iter().map(|one| (one.row, one.gain)).collect())
    }

    /// The same after it has learned on from new rows, and what is worth knowing of these. Rows without
    /// a class are passed over.
    pub fn update(
        &self,
        mut samples: Samples,
        half_life: Option<f64>,
        way: Way,
        caller: &Caller<'_>,
    ) -> Outcome<(Self, Vec<String>)> {
        let Samples { codes, classes, weights, .. } = &samples;
        let (codes, classes, weights) = (codes.clone(), classes.clone(), weights.clone());
        if codes.len() < samples.x.rows() {
            samples.x = samples.x.row_range(0, codes.len());
        }
        let (x, form) = samples.cells()?;
        let new = NewRows {
            x: &x,
            variables: &form.variables,
            codes,
            classes: &classes,
            weights,
            new_classes: true,
        };
        let onward = self.file.onward(new, half_life).map_err(Error::refused)?;
        let Onward { data, mut seen, variables, notes, .. } = onward;
        let form = Form {
            variables,
            columns: data.columns().clone(),
            features: self.file.feature_names.clone(),
        };
        let named = self.file.unnamed.is_none();
        let origin = Some((seen.rows().to_vec(), seen.total()));
        let known = Known { named, form, origin, unlabelled: None };
        let scheme = match self.file.classes.len() {
            2 => Scheme::Joint,
            _ => self.file.machines.scheme(),
        };
        let learned = match self.file.settings_onward() {
            FitSettings::Single(mut settings) => {
                prepare(&mut settings.memory_limit_mib, &mut settings.parallel, way);
                settings.stop = Some(caller.stop().clone());
                Self::single(&data, known, scheme, &settings, way, caller)?
            }
            FitSettings::Panel(mut settings) => {
                prepare(&mut settings.memory_limit_mib, &mut settings.parallel, way);
                settings.stop = Some(caller.stop().clone());
                Self::panel(&data, known, scheme, *settings, way, caller)?
            }
        };
        let class_rows = Some(seen.class_rows().to_vec());
        seen.bound();
        let file = ModelFile {
            class_rows,
            label: self.file.label.clone(),
            labels_are_text: self.file.labels_are_text,
            missing: self.file.missing.clone(),
            choice: learned.file.choice.clone().or_else(|| self.file.choice.clone()),
            seen: Some(seen),
            ..learned.file
        };
        Ok((Self::of(file, learned.traces), notes))
    }

    /// Everything that is known of the fit: the program's JSON, with iterations, and with the
    /// coefficients of machines that are linear in the features as they are given.
    pub fn describe(&self) -> Outcome<Value> {
        let mut about = serde_json::to_value(Summary::of(&self.file)).map_err(Error::refused)?;
        about["shares"] = shares(&self.file.machines.feature_shares());
        about["needed_columns"] = json!(self.file.machines.needed_columns());
        about["feature_names"] = json!(self.file.feature_names);
        about["columns"] = json!(self.file.form.as_ref().map(TableForm::stored));
        about["n_columns"] = json!(self.file.columns().inputs());
        let machines = about["machines"].as_array_mut().into_iter().flatten();
        for (at, (of_one, machine)) in machines.zip(self.file.machines.machines()).enumerate() {
            of_one["trace"] = self.traces.get(at).cloned().unwrap_or_default();
            let linear = machine.model().and_then(pfcvm::Model::linear_form);
            of_one["linear"] =
                json!(linear.map(|form| (form.features, form.coefficients, form.constant)));
        }
        Ok(about)
    }

    /// The same in words.
    pub fn summary(&self) -> String {
        pfcvm_report::model_text(&Summary::of(&self.file).with_effects(&self.file))
    }

    /// What the features of each machine do: a list of the program's `effects`.
    pub fn effects(&self) -> Outcome<Value> {
        let summary = pool()?.install(|| Summary::of(&self.file).with_effects(&self.file));
        let machines = summary.machines.into_iter().map(|machine| machine.found.effects);
        serde_json::to_value(Vec::from_iter(machines)).map_err(Error::refused)
    }

    /// How good it is on rows of known classes, with the keys of the program's `test`.
    pub fn test(&self, truth: &[usize], said: &Said) -> Outcome<Value> {
        let (found, expected) = (truth.len(), said.class.len());
        if found != expected {
            let what = "classes of rows";
            return Err(Error::refused(pfcvm::Error::Length { what, found, expected }));
        }
        let classes = &self.file.classes;
        if truth.iter().any(|class| *class >= classes.len()) || truth.is_empty() {
            return Err(Error::refused("there is no row of a known class to test on"));
        }
        let p = &said.probability;
        let of_row = |row| Vec::from_iter((0..p.cols()).map(|class| p.get(row, class)));
        let probability: Vec<Vec<f64>> = (0..p.rows()).map(of_row).collect();
        let test = Test::of("rows".into(), classes, truth, &said.class, &probability);
        serde_json::to_value(test).map_err(Error::refused)
    }

    /// The paper's bound on errors from the training rows, all columns of them.
    pub fn bound(
        &self,
        mut x: Matrix,
        words: &Texts,
        positive: Vec<bool>,
        settings: &BoundSettings,
    ) -> Outcome<Value> {
        let [machine] = self.file.machines.machines() else {
            return Err(Error::refused("the bound is for two classes"));
        };
        let Some(model) = machine.model() else {
            return Err(Error::refused("a panel has no bound: it is the mean of several machines"));
        };
        if model.broad().is_some() {
            return Err(Error::refused(
                "a model for accuracy has no bound: a machine of all features votes with it; \
                 goal=\"list\" has one",
            ));
        }
        known(&mut x, words, &self.file.variables())?;
        let data = pfcvm::Dataset::new(x, positive);
        let data = data.and_then(|data| data.with_columns(self.file.columns()));
        let data = data.map_err(Error::refused)?;
        let bound = pool()?.install(|| model.generalization_bound(&data, settings));
        serde_json::to_value(bound.map_err(Error::refused)?).map_err(Error::refused)
    }

    /// The model file as it stands.
    pub fn file(&self) -> &ModelFile {
        &self.file
    }

    /// Names of the columns, where they had any.
    pub fn column_names(&self) -> Option<Vec<String>> {
        let names = || self.file.variables().into_iter().map(|variable| variable.name).collect();
        self.file.unnamed.is_none().then(names)
    }

    /// Writes a model file, the program's own.
    pub fn write(&self, path: &Path, label: Option<String>, labels_are_text: bool) -> Outcome<()> {
        let failed = |error| Error::not_written(path, error);
        let mut bytes = Vec::new();
        let file = ModelFile { label, labels_are_text, ..self.file.clone() };
        file.write(&mut bytes).map_err(failed)?;
        // Names that no program could read back are refused before anything is written.
        ModelFile::read_from(&bytes[..]).map_err(Error::refused)?;
        written(path, &bytes)
    }

    /// The machines as the bytes of an ONNX file.
    pub fn onnx(&self, input: Input) -> Outcome<Vec<u8>> {
        pfcvm_io::onnx::export(&self.file, input).map_err(Error::refused)
    }

    pub(crate) fn of(file: ModelFile, traces: Vec<Value>) -> Self {
        let (predictor, needed) = (file.predictor(), file.needed_columns());
        Self { file, traces, predictor, needed }
    }
}

/// What a model file holds. `checked`: its checksum must fit.
pub fn read_model(path: &Path, checked: bool) -> Outcome<Engine> {
    let read = if checked { ModelFile::read(path) } else { ModelFile::read_unchecked(path) };
    Ok(Engine::of(read.map_err(Error::refused)?, Vec::new()))
}

/// Features with their shares, as JSON.
pub fn shares(of: &[Share]) -> Value {
    json!(Vec::from_iter(of.iter().map(|one| (one.index, one.share))))
}

/// Puts bytes into a file, which appears under its name only when it is complete.
fn written(path: &Path, bytes: &[u8]) -> Outcome<()> {
    let failed = |error| Error::not_written(path, error);
    let mut staged = Staged::create(path).map_err(failed)?;
    std::io::Write::write_all(&mut staged, bytes).map_err(failed)?;
    staged.finish().map_err(failed)
}

pub(crate) fn prepare(limit: &mut Option<usize>, parallel: &mut bool, way: Way) {
    *limit = memory_limit(way.memory_limit);
    *parallel = way.parallel;
}

/// What is kept of the rows to learn on from, where that is asked for.
fn seen(data: &Dataset, settings: &FitSettings, way: Way) -> Option<Seen> {
    let mut seen = Seen::new(way.keep_rows?, data.class_names().len(), data.x().cols());
    seen.see(data, None, settings.seed());
    seen.bound();
    Some(seen)
}

/// A fit as it is stored; classes with how many rows each has.
pub(crate) fn file(
    classes: (Vec<String>, Vec<usize>),
    rows: usize,
    Known { named, form, origin, .. }: Known,
    settings: FitSettings,
    machines: Machines<FittedMachine>,
) -> ModelFile {
    let inputs = form.variables.len();
    ModelFile {
        classes: classes.0,
        labels_are_text: false,
        class_rows: Some(classes.1),
        label: None,
        unnamed: (!named).then_some(Unnamed { columns: inputs + 1, label: inputs }),
        training_rows: origin.map_or(rows, |(_, all)| all),
        settings,
        machines,
        form: form.stored(),
        feature_names: form.features,
        missing: Vec::new(),
        choice: None,
        seen: None,
        unlabelled: None,
    }
}

/// The classes of data with how many rows each has.
fn counted(data: &Dataset) -> (Vec<String>, Vec<usize>) {
    (data.class_names().to_vec(), data.class_counts())
}

/// Who follows a fit or a panel.
struct Watch<'a> {
    names: &'a [String],
    scheme: Scheme,
    way: Way,
    caller: &'a Caller<'a>,
}

impl Watch<'_> {
    fn fit(&self, task: Task, now: &Iteration) -> ControlFlow<()> {
        let text = format!("{} samples, {} features", now.samples, now.features);
        self.tell(task, (now.fold, now.number), &text, now.log_evidence)
    }

    fn panel(&self, task: Task, round: &PanelRound) -> ControlFlow<()> {
        let text = format!("{} features", round.features);
        self.tell(task, (round.fold, round.number), &text, round.log_evidence)
    }

    fn tell(
        &self,
        task: Task,
        at: (Option<usize>, usize),
        text: &str,
        log_evidence: f64,
    ) -> ControlFlow<()> {
        // Machines that learn together have the same iterations.
        let task = (self.scheme != Scheme::Joint).then_some(task);
        tell(self.caller, self.way.verbose, self.names, task, at, text, log_evidence);
        self.caller.wants_more()
    }
}

/// A line about an iteration, with its machine where there are several, and the part of the rows that
/// it does without, if it does.
pub(crate) fn tell(
    caller: &Caller<'_>,
    verbose: bool,
    classes: &[String],
    task: Option<Task>,
    (part, number): (Option<usize>, usize),
    text: &str,
    log_evidence: f64,
) {
    if verbose {
        let whose = task.filter(|_| classes.len() > 2);
        let whose = whose.map(|task| task.name(classes) + ", ").unwrap_or_default();
        let without = part.map(|part| format!("part {part} held out, ")).unwrap_or_default();
        let about = format!("{text}, log evidence {log_evidence:.4}");
        caller.say(format!("{whose}{without}iteration {number}: {about}"));
    }
}

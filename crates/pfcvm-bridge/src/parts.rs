//! Rows that lie in parts anywhere: a driver that never sees them, and what listens where they are.
//!
//! Pass by pass the [`Driver`] has a question, which goes to wherever rows lie as bytes. There a [`Listener`] hears them block
//! by block and says what they say, as bytes again; [`Together`] puts these together, and the driver learns from
//! them. What all sides do is [`pfcvm::multiclass::large`].

use crate::columns::{Form, Texts, known};
use crate::engine::{file, prepare, tell};
use crate::samples::Known;
use crate::work::{Caller, pool_of};
use crate::{Engine, Error, Outcome, Way};
use pfcvm::multiclass::Dataset;
use pfcvm::multiclass::large::{Answer, Block, Learner, Question};
use pfcvm::{Matrix, Settings};
use pfcvm_io::{FitSettings, FittedMachine, Variable, overlay};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Learns from rows that lie elsewhere.
pub struct Driver {
    learner: Learner,
    known: Known,
    /// What samples of each class count.
    factors: Vec<f64>,
    classes: Vec<String>,
    rows: u64,
    way: Way,
}

/// What goes to the rows.
#[derive(Serialize, Deserialize)]
struct Asked {
    question: Question,
    variables: Vec<Variable>,
    factors: Vec<f64>,
}

impl Driver {
    /// For so many rows of these columns and classes. Columns that had no names have some all the same.
    pub fn new(
        (form, named): (Form, bool),
        classes: Vec<String>,
        settings: &str,
        way: Way,
        rows: u64,
    ) -> Outcome<Self> {
        if way.keep_rows.is_some() {
            return Err(Error::refused(
                "rows that lie in parts are not kept to learn on from; leave out keep_rows",
            ));
        }
        let (mut settings, factors) = told(settings, &classes)?;
        prepare(&mut settings.memory_limit_mib, &mut settings.parallel, way);
        let learner = Learner::new(&form.columns, classes.clone(), &settings, Some(rows));
        let known = Known { named, form, origin: None, unlabelled: None };
        Ok(Self {
            learner: learner.map_err(Error::not_fitted)?,
            known,
            factors,
            classes,
            rows,
            way,
        })
    }

    /// What rows are to be asked in the next pass, for [`Listener::new`]; nothing when all is known.
    pub fn question(&self) -> Outcome<Option<Vec<u8>>> {
        let Some(question) = self.learner.question() else { return Ok(None) };
        let (variables, factors) = (self.known.form.variables.clone(), self.factors.clone());
        serde_json::to_vec(&Asked { question, variables, factors }).map(Some).map_err(internal)
    }

    /// Which pass is next, and what for.
    pub fn doing(&self) -> String {
        format!("pass {}, {}", self.learner.passes() + 1, self.learner.doing())
    }

    /// Hears what all rows say together, and learns from it.
    pub fn take(&mut self, said: &[u8], caller: &Caller<'_>) -> Outcome<()> {
        let answer: Answer = serde_json::from_slice(said).map_err(internal)?;
        self.learner.stops_at(Some(caller.stop().clone()));
        let (verbose, classes) = (self.way.verbose, &self.classes);
        let learner = &mut self.learner;
        let watch = |_: pfcvm::multiclass::Task, now: &pfcvm::Iteration| {
            let text = format!("{} samples, {} features", now.samples, now.features);
            tell(caller, verbose, classes, None, (now.fold, now.number), &text, now.log_evidence);
            caller.wants_more()
        };
        let learn = || learner.take_with(answer, &watch);
        let learned = pool_of(self.way.parallel)?.install(learn).map_err(Error::not_fitted);
        // The flag goes up when this pass is over.
        self.learner.stops_at(None);
        learned
    }

    /// What was learned, once there is no question left.
    pub fn finish(self) -> Outcome<Engine> {
        let class_rows = self.learner.class_rows().iter().map(|rows| *rows as usize).collect();
        let (fits, settings, choice) = self.learner.finish().map_err(Error::not_fitted)?;
        let traces = fits.machines().iter().map(|fit| json!(fit.trace)).collect();
        let machines = fits.map(|fit| FittedMachine::of_fit(fit, |row| row));
        let settings = FitSettings::Single(Box::new(settings));
        let classes = (self.classes, class_rows);
        let file = file(classes, self.rows as usize, self.known, settings, machines);
        Ok(Engine::of(pfcvm_io::ModelFile { choice, ..file }, traces))
    }
}

/// The settings, and what samples of each class count: a sample of each carries its factor.
fn told(settings: &str, classes: &[String]) -> Outcome<(Settings, Vec<f64>)> {
    let one_each = Matrix::zeros(classes.len(), 1);
    let data = Dataset::new(one_each, (0..classes.len()).collect(), classes.to_vec());
    let (settings, data) =
        overlay::single(settings, data.map_err(Error::refused)?).map_err(Error::refused)?;
    Ok((settings, data.sample_weights().to_vec()))
}

/// Rows of one part, in their order.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The number of the first among all rows of all parts.
    pub first: u64,
    /// The columns that are [asked for](Listener::columns), words as places among their texts.
    pub x: Matrix,
    /// Columns of words, by place among those asked for, with their texts.
    pub words: &'a Texts,
    /// The place of each row's class.
    pub codes: &'a [usize],
    /// How many samples each counts for.
    pub weights: Option<&'a [f64]>,
}

/// Hears rows where they lie.
pub struct Listener {
    question: Question,
    /// Of the columns that are asked for.
    variables: Vec<Variable>,
    factors: Vec<f64>,
    said: Together,
}

impl Listener {
    /// For a question of a driver.
    pub fn new(question: &[u8]) -> Outcome<Self> {
        let Asked { question, variables, factors } = read(question)?;
        let of = |at: &usize| variables.get(*at).cloned();
        let variables: Option<Vec<Variable>> = question.columns().iter().map(of).collect();
        let variables = variables.ok_or_else(|| Error::refused("the question is damaged"))?;
        Ok(Self { question, variables, factors, said: Together::default() })
    }

    /// The columns that are asked for, ascending.
    pub fn columns(&self) -> &[usize] {
        self.question.columns()
    }

    /// Hears some rows.
    pub fn hear(&mut self, rows: Rows<'_>) -> Outcome<()> {
        let Rows { first, mut x, words, codes, weights } = rows;
        let unknown = known(&mut x, words, &self.variables)?;
        if let Some(at) = unknown.iter().position(|cells| *cells > 0) {
            return Err(Error::refused(format!(
                "column `{}` holds words that were not there in the first pass: the data must stay as \
                 they are while they are learned from",
                self.variables[words[at].0].name
            )));
        }
        let counts = |(row, &code): (usize, &usize)| {
            let own = weights.and_then(|weights| weights.get(row)).copied().unwrap_or(1.0);
            own * self.factors.get(code).copied().unwrap_or(1.0)
        };
        let plain = weights.is_none() && self.factors.iter().all(|factor| *factor == 1.0);
        let weights: Option<Vec<f64>> =
            (!plain).then(|| codes.iter().enumerate().map(counts).collect());
        let numbers: Vec<u64> = (first..).take(x.rows()).collect();
        let block = Block { numbers: &numbers, x: &x, class: codes, weights: weights.as_deref() };
        let answer = self.question.answer(&block).map_err(|error| self.in_words(error))?;
        self.said.take(answer)
    }

    /// What the rows that were heard say; nothing if there were none.
    pub fn said(&self) -> Outcome<Option<Vec<u8>>> {
        self.said.said()
    }

    /// With the name of the column.
    fn in_words(&self, error: pfcvm::Error) -> Error {
        let place = |col: &usize| self.columns().binary_search(col).ok();
        match &error {
            pfcvm::Error::NotFinite { row, col, value } => match place(col) {
                Some(at) => Error::refused(format!(
                    "row {row}, column `{}`: {value} is not a finite number",
                    self.variables[at].name
                )),
                None => Error::refused(error),
            },
            _ => Error::refused(error),
        }
    }
}

/// What several parts say to the same question, in one: in their order, so that the same parts give the same bits.
#[derive(Default)]
pub struct Together(Option<Answer>);

impl Together {
    /// Adds what one more part says.
    pub fn add(&mut self, said: &[u8]) -> Outcome<()> {
        self.take(read(said)?)
    }

    /// What was added, as bytes; nothing if there was none.
    pub fn said(&self) -> Outcome<Option<Vec<u8>>> {
        self.0.as_ref().map(serde_json::to_vec).transpose().map_err(internal)
    }

    fn take(&mut self, answer: Answer) -> Outcome<()> {
        match &mut self.0 {
            None => self.0 = Some(answer),
            Some(all) => all.add(answer).map_err(Error::refused)?,
        }
        Ok(())
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Outcome<T> {
    serde_json::from_slice(bytes).map_err(Error::refused)
}

fn internal(error: serde_json::Error) -> Error {
    Error::Internal(error.to_string())
}

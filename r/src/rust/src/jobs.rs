//! What is done for each request.

use crate::request::{Arrays, Request};
use pfcvm::Matrix;
use pfcvm_bridge::{Caller, Engine, Error, Outcome, Said, Texts, evaluate, price, read_model};
use serde_json::{Value, json};
use std::sync::Arc;

/// What goes back to R.
#[derive(Default)]
pub struct Reply {
    /// JSON, or plain words.
    pub text: String,
    /// What was learned or read.
    pub engine: Option<Arc<Engine>>,
    /// Tables of numbers, column by column.
    pub tables: Vec<Matrix>,
    /// A state.
    pub bytes: Vec<u8>,
}

impl Reply {
    fn json(value: &Value) -> Self {
        Self { text: value.to_string(), ..Self::default() }
    }

    /// What was learned, with all that is known of it.
    fn engine(engine: Engine) -> Outcome<Self> {
        Self::learned(engine, &[])
    }

    /// The same with what is to be told of its rows.
    fn learned(engine: Engine, notes: &[String]) -> Outcome<Self> {
        let mut about = engine.describe()?;
        about["notes"] = json!(notes);
        about["column_names"] = json!(engine.column_names());
        about["label"] = json!(engine.file().label);
        let text = about.to_string();
        Ok(Self { text, engine: Some(Arc::new(engine)), ..Self::default() })
    }
}

/// Does what is asked.
pub fn answer(
    request: Request,
    arrays: Arrays,
    engine: Option<Arc<Engine>>,
    caller: &Caller<'_>,
) -> Outcome<Reply> {
    let fitted = || engine.as_deref().ok_or_else(|| Error::refused("there is no fitted model"));
    Ok(match request {
        Request::Fit { table, scheme, settings, way, panel } => {
            let (samples, settings) = (table.samples(arrays)?, settings.to_string());
            let fit = if panel { Engine::fit_panel } else { Engine::fit };
            let engine = fit(samples, &scheme, &settings, way, caller)?;
            let notes = engine.file().unlabelled.iter().map(|found| found.in_words());
            let notes = Vec::from_iter(notes);
            Reply::learned(engine, &notes)?
        }
        Request::Update { table, half_life, way } => {
            let samples = table.samples(arrays)?;
            let (engine, notes) = fitted()?.update(samples, half_life, way, caller)?;
            Reply::learned(engine, &notes)?
        }
        Request::Novelty { words } => {
            let found = fitted()?.novelty(rows(arrays)?, &words)?;
            let table = |of: Vec<f64>| Matrix::from_column_major(of.len(), 1, of);
            Reply { tables: found.map(table).into_iter().collect(), ..Reply::default() }
        }
        Request::Suggest { words, count } => {
            let found = fitted()?.suggest(rows(arrays)?, &words, count)?;
            let of = |(row, gain): &(usize, f64)| vec![*row as f64, *gain];
            let table = Matrix::from_rows(&Vec::from_iter(found.iter().map(of)));
            Reply { tables: vec![table], ..Reply::default() }
        }
        Request::Predict { words } => {
            let said = said(fitted()?, arrays, &words)?;
            let class = said.class.iter().map(|class| *class as f64).collect();
            let class = Matrix::from_column_major(said.class.len(), 1, class);
            let decision = said.decision;
            let zero = || Matrix::zeros(decision.rows(), decision.cols());
            let variance = said.variance.unwrap_or_else(zero);
            Reply {
                text: json!({ "unknown": said.unknown }).to_string(),
                tables: vec![class, said.probability, decision, variance],
                ..Reply::default()
            }
        }
        Request::Test { words } => {
            let codes: Result<Vec<usize>, _> =
                arrays.codes.iter().copied().map(usize::try_from).collect();
            let truth = codes.map_err(Error::refused)?;
            let engine = fitted()?;
            let said = said(engine, arrays, &words)?;
            Reply::json(&engine.test(&truth, &said)?)
        }
        Request::Summary => Reply { text: fitted()?.summary(), ..Reply::default() },
        Request::Effects => Reply::json(&fitted()?.effects()?),
        Request::State => Reply { bytes: fitted()?.state()?, ..Reply::default() },
        Request::Revive => {
            let engine = Engine::of_state(&arrays.bytes)?;
            Reply { engine: Some(Arc::new(engine)), ..Reply::default() }
        }
        Request::Write { path, label } => {
            let engine = fitted()?;
            let label = label.or_else(|| engine.file().label.clone());
            engine.write(&path, label, engine.file().labels_are_text)?;
            Reply::default()
        }
        Request::Read { path, checked } => Reply::engine(read_model(&path, checked)?)?,
        Request::Evaluate { table, request } => {
            Reply::json(&evaluate(table.samples(arrays)?, &request, caller)?)
        }
        Request::Price { table, request } => {
            Reply::json(&price(table.samples(arrays)?, &request, caller)?)
        }
        Request::Version => Reply { text: env!("CARGO_PKG_VERSION").into(), ..Reply::default() },
        Request::Panic => std::panic::resume_unwind(Box::new("asked for")),
    })
}

fn said(engine: &Engine, arrays: Arrays, words: &Texts) -> Outcome<Said> {
    engine.predict(rows(arrays)?, words)
}

fn rows(arrays: Arrays) -> Outcome<Matrix> {
    arrays.x.ok_or_else(|| Error::refused("there are no rows to predict"))
}

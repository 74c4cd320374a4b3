//! What R asks for, as JSON beside arrays.

use pfcvm::Matrix;
use pfcvm_bridge::{
    Described, Error, EvaluationRequest, Outcome, PriceRequest, Samples, Texts, Way,
};
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// Arrays of R, copied: the work goes on when R has let go of them.
#[derive(Default)]
pub struct Arrays {
    /// A number or NaN for each cell.
    pub x: Option<Matrix>,
    /// The place of each row's class, from 0; a negative number: it has none.
    pub codes: Vec<i32>,
    /// How many samples each row counts for.
    pub weights: Option<Vec<f64>>,
    /// The state of an earlier fit.
    pub bytes: Vec<u8>,
}

/// What is known of rows and columns beside the arrays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    classes: Vec<String>,
    names: Option<Vec<String>>,
    described: Described,
    /// Where rows were left out, which of R's rows these are, from 0.
    rows: Option<Vec<usize>>,
    /// How many R has.
    of: usize,
}

/// One thing to do.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Learn, a panel if that is asked for.
    Fit { table: Table, scheme: String, settings: Value, way: Way, panel: bool },
    /// Learn on from new rows, as long as it was learned before.
    Update { table: Table, half_life: Option<f64>, way: Way },
    /// What is said about rows.
    Predict { words: Texts },
    /// How far rows are from those that are remembered.
    Novelty { words: Texts },
    /// Which rows to label next.
    Suggest { words: Texts, count: usize },
    /// How good it is on rows whose classes are known.
    Test { words: Texts },
    /// What was learned, in words.
    Summary,
    /// What features do.
    Effects,
    /// All that is needed to have the same again.
    State,
    /// The same again.
    Revive,
    /// Write a model file.
    Write { path: PathBuf, label: Option<String> },
    /// Read one.
    Read { path: PathBuf, checked: bool },
    /// A method on splits.
    Evaluate { table: Table, request: EvaluationRequest },
    /// What a short list costs.
    Price { table: Table, request: PriceRequest },
    /// The version of the crates.
    Version,
    /// A panic, to see that it does not cross the border.
    Panic,
}

impl Table {
    /// With the arrays that belong to it.
    pub fn samples(self, arrays: Arrays) -> Outcome<Samples> {
        let Table { classes, names, described, rows, of } = self;
        let Arrays { x, codes, weights, .. } = arrays;
        let x = x.ok_or_else(|| Error::refused("there are no rows to learn from"))?;
        let origin = rows.map(|rows| (rows, of));
        let samples = Samples { x, codes: Vec::new(), classes, weights, names, described, origin };
        samples.with_codes(&Vec::from_iter(codes.into_iter().map(i64::from)))
    }
}

//! Predictions as they are written.

use super::Trouble;
use super::explain::Explain;
use crate::cells::Cells;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::reading::Strange;
use pfcvm::Matrix;
use pfcvm::effects::Explanation;
use pfcvm::multiclass::{Machines, Prediction};
use pfcvm_io::{Block, FittedMachine, Input, ModelFile};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How they are written: columns that were asked for, the class, and the figures of
/// the classes.
pub struct Lines {
    predictor: Machines<FittedMachine>,
    form: Form,
    /// Whether and how each row is explained.
    explain: Option<Explain>,
    /// Columns to copy.
    kept: Vec<String>,
    classes: Vec<String>,
    /// Labels, quoted where the form asks for it.
    labels: Vec<String>,
    rows: AtomicUsize,
    /// Rows without a value in some needed feature.
    gaps: AtomicUsize,
    /// Rows without any.
    empty: AtomicUsize,
    strange: Mutex<Strange>,
}

/// What the lines are for.
#[derive(Default)]
pub struct Form {
    pub json: bool,
    /// Whether each row says what moved it.
    pub explain: bool,
    /// Texts of CSV that look like formulas.
    pub cells: Cells,
    /// Whether a person reads along, whose terminal obeys control characters.
    pub terminal: bool,
}

impl Lines {
    pub fn new(file: &ModelFile, kept: &[String], form: Form) -> Self {
        Self {
            predictor: file.predictor(),
            explain: form.explain.then(|| Explain::new(file, &form)),
            kept: kept.iter().map(|name| form.quoted(name)).collect(),
            classes: file.classes.clone(),
            labels: file.classes.iter().map(|label| form.quoted(label)).collect(),
            form,
            rows: AtomicUsize::new(0),
            gaps: AtomicUsize::new(0),
            empty: AtomicUsize::new(0),
            strange: Mutex::default(),
        }
    }

    /// One machine has a probability, a decision and a variance; several have a probability for
    /// each class, and the rest in JSON only.
    pub fn header(&self) -> String {
        if self.form.json {
            return String::new();
        }
        let mut columns = self.kept.clone();
        columns.push("label".into());
        match self.classes.as_slice() {
            [_, _] => columns.extend(["probability", "decision", "variance"].map(String::from)),
            several => columns.extend(
                several.iter().map(|class| self.form.quoted(&format!("probability_{class}"))),
            ),
        }
        columns.extend(self.explain.iter().flat_map(Explain::header));
        columns.join(",") + "\n"
    }

    /// One line for each row of a block.
    pub fn of(&self, block: &Block) -> Result<Vec<u8>, Trouble> {
        let rows = block.x.rows();
        let gap = |row: &usize| block.x.columns().any(|column| column[*row].is_nan());
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.gaps.fetch_add((0..rows).filter(gap).count(), Ordering::Relaxed);
        let empty = |row: &usize| block.x.columns().all(|column| column[*row].is_nan());
        let empty = if block.x.cols() > 0 { (0..rows).filter(empty).count() } else { 0 };
        self.empty.fetch_add(empty, Ordering::Relaxed);
        if !block.strange.is_empty() {
            self.strange.lock().unwrap_or_else(PoisonError::into_inner).add(&block.strange);
        }
        let said = self.predict(&block.x, block.first_row)?;
        let told = match &self.explain {
            Some(explain) => explain.of(&self.predictor, &block.x).map_err(refused)?,
            None => Vec::new(),
        };
        let mut line = Line { text: Vec::with_capacity(64 * rows), digits: zmij::Buffer::new() };
        for row in 0..rows {
            let kept = self.kept.iter().zip(block.kept.iter().map(|texts| texts[row].as_str()));
            match self.form.json {
                true => self.object(&mut line, kept, &said, &told, row),
                false => self.record(&mut line, kept, &said, &told, row),
            }
            line.text.push(b'\n');
        }
        Ok(line.text)
    }

    fn predict(&self, x: &Matrix, first: usize) -> Result<Prediction, Trouble> {
        self.predictor.predict(x).map_err(|error| match error {
            pfcvm::Error::NoAnswer { row, .. } => Trouble::Predicting(format!(
                "row {} of the data: the prediction is not a finite number; its values are too \
                 far from the training data, or the model file was tampered with",
                first + row + 1
            )),
            other => refused(other),
        })
    }

    /// A line of CSV.
    fn record<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: &Prediction,
        told: &[Explanation],
        row: usize,
    ) {
        for (_, text) in kept {
            line.words(&self.form.quoted(text));
            line.words(",");
        }
        let several = self.classes.len() > 2;
        line.words(&self.labels[said.class[row]]);
        let first = if several { 0 } else { 1 };
        for class in first..self.classes.len() {
            line.words(",");
            line.number(said.probability.get(row, class));
        }
        if !several {
            line.words(",");
            line.number(said.decision.get(row, 0));
            line.words(",");
            said.variance.iter().for_each(|variance| line.number(variance.get(row, 0)));
        }
        self.explain.iter().for_each(|explain| explain.record(line, told, row));
    }

    /// A JSON object.
    fn object<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: &Prediction,
        told: &[Explanation],
        row: usize,
    ) {
        line.words("{");
        // Apart, because a column may have the name of a figure.
        for (at, (name, text)) in kept.enumerate() {
            line.words(if at == 0 { "\"kept\":{" } else { "," });
            line.words(&format!("{name}:{}", self.form.quoted(text)));
        }
        line.words(if self.kept.is_empty() { "" } else { "}," });
        let several = self.classes.len() > 2;
        line.words(&format!("\"label\":{}", self.labels[said.class[row]]));
        if !several {
            line.words(",\"probability\":");
            line.number(said.probability.get(row, 1));
            line.words(",\"decision\":");
            line.number(said.decision.get(row, 0));
            line.words(",\"variance\":");
            said.variance.iter().for_each(|variance| line.number(variance.get(row, 0)));
            self.explain.iter().for_each(|explain| explain.object(line, told, row));
            line.words("}");
            return;
        }
        for (class, label) in self.labels.iter().enumerate() {
            line.words(if class == 0 { ",\"probabilities\":{" } else { "," });
            line.words(&format!("{label}:"));
            line.number(said.probability.get(row, class));
        }
        line.words("}");
        let tables = [("decisions", Some(&said.decision)), ("variances", said.variance.as_ref())];
        for (name, table) in tables.iter().filter_map(|(name, table)| Some((name, (*table)?))) {
            line.words(&format!(",\"{name}\":["));
            for machine in 0..table.cols() {
                line.words(if machine > 0 { "," } else { "" });
                line.number(table.get(row, machine));
            }
            line.words("]");
        }
        self.explain.iter().for_each(|explain| explain.object(line, told, row));
        line.words("}");
    }

    /// Says how many rows lack a value, and what else is worth knowing; refuses data in which all
    /// rows lack all.
    pub fn tell(&self, file: &ModelFile, input: &Input) -> Outcome {
        self.form.cells.tell();
        let strange = self.strange.lock().unwrap_or_else(PoisonError::into_inner);
        strange.tell(file).iter().for_each(|text| note(&format!("note: {text}")));
        let [rows, gaps, empty] =
            [&self.rows, &self.gaps, &self.empty].map(|count| count.load(Ordering::Relaxed));
        if empty == rows {
            return Err(Failure::Data(format!(
                "{input}: no row has any value that the model needs; give it data like those it was \
                 fitted on"
            )));
        }
        if gaps > 0 {
            note(&format!(
                "note: {gaps} of {rows} rows lack a value that the model needs; they are predicted \
                 from what the model knows of gaps"
            ));
        }
        Ok(())
    }
}

fn refused(error: pfcvm::Error) -> Trouble {
    Trouble::Predicting(error.to_string())
}

/// Lines being written.
pub struct Line {
    text: Vec<u8>,
    digits: zmij::Buffer,
}

impl Line {
    pub fn words(&mut self, words: &str) {
        self.text.extend_from_slice(words.as_bytes());
    }

    pub fn number(&mut self, value: f64) {
        self.text.extend_from_slice(self.digits.format_finite(value).as_bytes());
    }
}

impl Form {
    /// A text, quoted where the form asks for it.
    pub fn quoted(&self, text: &str) -> String {
        if self.json {
            return output::escaped(serde_json::Value::from(text).to_string());
        }
        let mut text = self.cells.text(text).into_owned();
        if self.terminal {
            text = output::harmless(&text);
        }
        if text.contains([',', '"', '\n', '\r']) {
            return format!("\"{}\"", text.replace('"', "\"\""));
        }
        text
    }
}

//! Predictions as they are written: rows stream through a model in constant memory.

mod explain;
mod formulas;
mod terminal;

use crate::{Block, Error, FittedMachine, ModelFile, Rows, Wanted};
use explain::Explain;
use pfcvm::Matrix;
use pfcvm::multiclass::{Machines, Prediction};

pub use formulas::Cells;
pub use terminal::{escaped, harmless};

/// How they are written: columns that were asked for, the class, and the figures of
/// the classes.
#[derive(Debug)]
pub struct Lines {
    predictor: Machines<FittedMachine>,
    form: Form,
    /// Whether the model can tell how far rows are from its samples.
    tells_novelty: bool,
    /// Whether and how each row is explained.
    explain: Option<Explain>,
    /// Columns to copy.
    kept: Vec<String>,
    classes: Vec<String>,
    /// Labels, quoted where the form asks for it.
    labels: Vec<String>,
}

/// The lines of some rows, and what is worth knowing of them.
#[derive(Debug)]
pub struct Written {
    /// One line for each row.
    pub text: Vec<u8>,
    /// Their number.
    pub rows: usize,
    /// Those without a value in some needed feature.
    pub gaps: usize,
    /// Those without any.
    pub empty: usize,
    /// How far each is from the samples that the model remembers, where the model can tell.
    pub novelty: Option<Vec<f64>>,
    /// [`Block::strange`].
    pub strange: Vec<usize>,
}

/// What can go wrong on the way.
#[derive(Debug)]
pub enum Trouble {
    /// The data cannot be read.
    Reading(Error),
    /// The model has no answer.
    Predicting(String),
    /// The lines cannot be written.
    Writing(std::io::Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Reading(error)
    }
}

/// What the lines are for.
#[derive(Debug, Default)]
pub struct Form {
    /// Objects of JSON in place of CSV.
    pub json: bool,
    /// Whether each row says what moved it.
    pub explain: bool,
    /// Texts of CSV that look like formulas.
    pub cells: Cells,
    /// Whether a person reads along, whose terminal obeys control characters.
    pub terminal: bool,
}

impl Lines {
    /// For a model, with the names of columns to copy.
    pub fn new(file: &ModelFile, kept: &[String], form: Form) -> Self {
        Self {
            predictor: file.predictor(),
            tells_novelty: file.tells_novelty(),
            explain: form.explain.then(|| Explain::new(file, &form)),
            kept: kept.iter().map(|name| form.quoted(name)).collect(),
            classes: file.classes.clone(),
            labels: file.classes.iter().map(|label| form.quoted(label)).collect(),
            form,
        }
    }

    /// The columns; nothing for JSON. One machine has a probability, a decision and a variance; several have a probability for
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
        columns.extend(self.tells_novelty.then(|| "novelty".to_string()));
        columns.extend(self.explain.iter().flat_map(Explain::header));
        columns.join(",") + "\n"
    }

    /// Predicts all rows: `take` gets their lines in the order of the file, with the bytes read so far.
    pub fn write(
        &self,
        rows: Rows,
        wanted: &Wanted,
        take: &mut dyn FnMut(Written, u64) -> std::io::Result<()>,
    ) -> Result<(), Trouble> {
        let take = |written, bytes| take(written, bytes).map_err(Trouble::Writing);
        rows.for_each(wanted, |block| self.of(block), take)
    }

    /// What there is to say of texts that look like formulas.
    pub fn told(&self) -> Option<&'static str> {
        self.form.cells.told()
    }

    fn of(&self, block: Block) -> Result<Written, Trouble> {
        let rows = block.x.rows();
        let gap = |row: &usize| block.x.columns().any(|column| column[*row].is_nan());
        let gaps = (0..rows).filter(gap).count();
        let empty = |row: &usize| block.x.columns().all(|column| column[*row].is_nan());
        let empty = if block.x.cols() > 0 { (0..rows).filter(empty).count() } else { 0 };
        let said = self.predict(&block.x, block.first_row)?;
        let novelty = self.predictor.novelty(&block.x).map_err(refused)?;
        let told = match &self.explain {
            Some(explain) => explain.of(&self.predictor, &block.x).map_err(refused)?,
            None => Vec::new(),
        };
        // A label, and about 20 characters for a figure.
        let figures = if self.classes.len() > 2 { self.classes.len() } else { 3 };
        let length = 8 + 20 * (figures + usize::from(novelty.is_some()));
        let mut line =
            Line { text: Vec::with_capacity(length * rows), digits: zmij::Buffer::new() };
        for row in 0..rows {
            let kept = self.kept.iter().zip(block.kept.iter().map(|texts| texts[row].as_str()));
            match self.form.json {
                true => self.object(&mut line, kept, &said, row),
                false => self.record(&mut line, kept, &said, row),
            }
            novelty.iter().for_each(|novelty| {
                line.words(if self.form.json { ",\"novelty\":" } else { "," });
                line.number(novelty[row]);
            });
            match (&self.explain, self.form.json) {
                (Some(explain), true) => explain.object(&mut line, &told, row),
                (Some(explain), false) => explain.record(&mut line, &told, row),
                (None, _) => {}
            }
            line.words(if self.form.json { "}\n" } else { "\n" });
        }
        Ok(Written { text: line.text, rows, gaps, empty, novelty, strange: block.strange })
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

    /// A line of CSV, but for its end.
    fn record<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: &Prediction,
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
    }

    /// A JSON object, but for its end.
    fn object<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: &Prediction,
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
    }
}

fn refused(error: pfcvm::Error) -> Trouble {
    Trouble::Predicting(error.to_string())
}

/// Lines being written.
struct Line {
    text: Vec<u8>,
    digits: zmij::Buffer,
}

impl Line {
    fn words(&mut self, words: &str) {
        self.text.extend_from_slice(words.as_bytes());
    }

    fn number(&mut self, value: f64) {
        self.text.extend_from_slice(self.digits.format_finite(value).as_bytes());
    }
}

impl Form {
    /// A text, quoted where the form asks for it.
    pub fn quoted(&self, text: &str) -> String {
        if self.json {
            return escaped(serde_json::Value::from(text).to_string());
        }
        let mut text = self.cells.text(text).into_owned();
        if self.terminal {
            text = harmless(&text);
        }
        if text.contains([',', '"', '\n', '\r']) {
            return format!("\"{}\"", text.replace('"', "\"\""));
        }
        text
    }
}

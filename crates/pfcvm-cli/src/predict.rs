//! `pfcvm predict`: rows stream through a model in constant memory.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::{progress, reading};
use pfcvm::Matrix;
use pfcvm::multiclass::{Machines, Prediction};
use pfcvm_io::{Block, FittedMachine, Format, Input, ModelFile, Rows, Staged, Wanted};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command.
pub fn run(options: &args::Predict) -> Outcome {
    reading::use_threads(options.threads)?;
    let inputs = [Some(options.model.as_path()), Some(options.data.as_path())];
    let out = options.out.as_deref().filter(|path| path.as_os_str() != "-");
    output::check(&[out], &inputs)?;
    let file = ModelFile::read(&options.model)?;
    let input = Input::from(options.data.clone());
    let form = reading::form(options.format, options.header);
    let rows = reading::open_for(file.unnamed, &input, &form)?;
    rows.notes().iter().for_each(|text| note(&format!("note: {text}")));
    let wanted = Wanted {
        features: rows.find(&file.needed_features())?,
        keep: kept(&rows, &options.keep)?,
        gaps: true,
        ..Wanted::default()
    };
    let lines = Lines::new(&file, &options.keep, options.json);

    match out {
        None => {
            let out = std::io::stdout().lock();
            stream(rows, &wanted, &lines, out).map_err(|failure| failure.sort(None))?;
            lines.tell_gaps(&input)
        }
        Some(path) => {
            let writing = |error| Failure::writing(path, &error);
            let mut staged = Staged::create(path).map_err(writing)?;
            stream(rows, &wanted, &lines, &mut staged)
                .map_err(|failure| failure.sort(Some(path)))?;
            lines.tell_gaps(&input)?;
            staged.finish().map_err(writing)?;
            note(&format!("wrote {}", path.display()));
            Ok(())
        }
    }
}

/// Where the columns to be copied stand.
fn kept(rows: &Rows, names: &[String]) -> Outcome<Vec<usize>> {
    if !names.is_empty() && !matches!(rows.format(), Format::Csv | Format::Tsv | Format::Arff) {
        return Err(Failure::Usage(format!(
            "--keep copies columns of CSV, TSV and ARFF; {} has only numbers",
            rows.format().name()
        )));
    }
    Ok(rows.find(names)?)
}

/// What can go wrong on the way.
enum Trouble {
    Reading(pfcvm_io::Error),
    Predicting(String),
    Writing(std::io::Error),
}

impl From<pfcvm_io::Error> for Trouble {
    fn from(error: pfcvm_io::Error) -> Self {
        Trouble::Reading(error)
    }
}

impl Trouble {
    fn sort(self, target: Option<&Path>) -> Failure {
        match (self, target) {
            (Trouble::Reading(error), _) => error.into(),
            (Trouble::Predicting(message), _) => Failure::Data(message),
            (Trouble::Writing(error), None) => error.into(),
            (Trouble::Writing(error), Some(path)) => Failure::writing(path, &error),
        }
    }
}

fn stream(rows: Rows, wanted: &Wanted, lines: &Lines, mut out: impl Write) -> Result<(), Trouble> {
    let bar = progress::reading("predicting", rows.size_bytes());
    out.write_all(lines.header().as_bytes()).map_err(Trouble::Writing)?;
    let done = rows.for_each(
        wanted,
        |block| lines.of(&block),
        |text: Vec<u8>, bytes| {
            bar.set_position(bytes);
            out.write_all(&text).map_err(Trouble::Writing)
        },
    );
    bar.finish_and_clear();
    done?;
    out.flush().map_err(Trouble::Writing)
}

/// Predictions as they are written: columns that were asked for, the class, and the figures of
/// the classes.
struct Lines {
    predictor: Machines<FittedMachine>,
    json: bool,
    /// Columns to copy.
    kept: Vec<String>,
    classes: Vec<String>,
    /// Labels, quoted where the form asks for it.
    labels: Vec<String>,
    rows: AtomicUsize,
    /// Rows without a value in some needed feature.
    gaps: AtomicUsize,
}

impl Lines {
    fn new(file: &ModelFile, kept: &[String], json: bool) -> Self {
        Self {
            predictor: file.predictor(),
            json,
            kept: kept.iter().map(|name| quoted(name, json)).collect(),
            classes: file.classes.clone(),
            labels: file.classes.iter().map(|label| quoted(label, json)).collect(),
            rows: AtomicUsize::new(0),
            gaps: AtomicUsize::new(0),
        }
    }

    /// One machine has a probability, a decision and a variance; several have a probability for
    /// each class, and the rest in JSON only.
    fn header(&self) -> String {
        if self.json {
            return String::new();
        }
        let mut columns = self.kept.clone();
        columns.push("label".into());
        match self.classes.as_slice() {
            [_, _] => columns.extend(["probability", "decision", "variance"].map(String::from)),
            several => columns
                .extend(several.iter().map(|class| quoted(&format!("probability_{class}"), false))),
        }
        columns.join(",") + "\n"
    }

    /// One line for each row of a block.
    fn of(&self, block: &Block) -> Result<Vec<u8>, Trouble> {
        let rows = block.x.rows();
        let gap = |row: &usize| block.x.columns().any(|column| column[*row].is_nan());
        let whole: Vec<usize> = (0..rows).filter(|row| !gap(row)).collect();
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.gaps.fetch_add(rows - whole.len(), Ordering::Relaxed);
        let said = if whole.len() == rows {
            self.predict(&block.x, block.first_row, &whole)?
        } else {
            self.predict(&block.x.select_rows(&whole), block.first_row, &whole)?
        };
        let mut line = Line { text: Vec::with_capacity(64 * rows), digits: zmij::Buffer::new() };
        let mut places = whole.iter().copied().enumerate().peekable();
        for row in 0..rows {
            let place = places.next_if(|(_, whole)| *whole == row).map(|(place, _)| place);
            let kept = self.kept.iter().zip(block.kept.iter().map(|texts| texts[row].as_str()));
            match self.json {
                true => self.object(&mut line, kept, place.map(|place| (&said, place))),
                false => self.record(&mut line, kept, place.map(|place| (&said, place))),
            }
            line.text.push(b'\n');
        }
        Ok(line.text)
    }

    fn predict(&self, x: &Matrix, first: usize, rows: &[usize]) -> Result<Prediction, Trouble> {
        self.predictor.predict(x).map_err(|error| match error {
            pfcvm::Error::NoAnswer { row, .. } => Trouble::Predicting(format!(
                "row {} of the data: the prediction is not a finite number; its values are too \
                 far from the training data, or the model file was tampered with",
                first + rows[row] + 1
            )),
            other => Trouble::Predicting(other.to_string()),
        })
    }

    /// A line of CSV; without a prediction its fields are empty.
    fn record<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: Option<(&Prediction, usize)>,
    ) {
        for (_, text) in kept {
            line.words(&quoted(text, false));
            line.words(",");
        }
        let several = self.classes.len() > 2;
        let Some((said, row)) = said else {
            line.words(&",".repeat(if several { self.classes.len() } else { 3 }));
            return;
        };
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

    /// A JSON object; without a prediction its values are null.
    fn object<'a>(
        &self,
        line: &mut Line,
        kept: impl Iterator<Item = (&'a String, &'a str)>,
        said: Option<(&Prediction, usize)>,
    ) {
        line.words("{");
        // Apart, because a column may have the name of a figure.
        for (at, (name, text)) in kept.enumerate() {
            line.words(if at == 0 { "\"kept\":{" } else { "," });
            line.words(&format!("{name}:{}", quoted(text, true)));
        }
        line.words(if self.kept.is_empty() { "" } else { "}," });
        let several = self.classes.len() > 2;
        let Some((said, row)) = said else {
            line.words(match several {
                true => {
                    "\"label\":null,\"probabilities\":null,\"decisions\":null,\"variances\":null}"
                }
                false => "\"label\":null,\"probability\":null,\"decision\":null,\"variance\":null}",
            });
            return;
        };
        line.words(&format!("\"label\":{}", self.labels[said.class[row]]));
        if !several {
            line.words(",\"probability\":");
            line.number(said.probability.get(row, 1));
            line.words(",\"decision\":");
            line.number(said.decision.get(row, 0));
            line.words(",\"variance\":");
            said.variance.iter().for_each(|variance| line.number(variance.get(row, 0)));
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
        line.words("}");
    }

    /// Says how many rows have no prediction; refuses data in which none has one.
    fn tell_gaps(&self, input: &Input) -> Outcome {
        let (rows, gaps) = (self.rows.load(Ordering::Relaxed), self.gaps.load(Ordering::Relaxed));
        if gaps == rows {
            return Err(Failure::Data(format!(
                "{input}: every row lacks a value that the model needs; fill the gaps in these \
                 columns, or fit a model without them"
            )));
        }
        if gaps > 0 {
            note(&format!(
                "note: {gaps} of {rows} rows lack a value that the model needs; their predictions \
                 are left empty"
            ));
        }
        Ok(())
    }
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

/// A text, quoted where the form asks for it.
fn quoted(text: &str, json: bool) -> String {
    if json {
        return serde_json::Value::from(text).to_string();
    }
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_string()
}

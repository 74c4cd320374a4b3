//! `pfcvm predict`: rows stream through a model in constant memory.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::learn::Predictor;
use crate::output::{self, note};
use crate::{multiclass, progress, reading};
use pfcvm_io::{Block, Input, ModelFile, Rows, Staged, StoredModel, Wanted};
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(options: &args::Predict) -> Outcome {
    reading::use_threads(options.threads)?;
    let inputs = [Some(options.model.as_path()), Some(options.data.as_path())];
    let out = options.out.as_deref().filter(|path| path.as_os_str() != "-");
    output::check(&[out], &inputs)?;
    let stored = StoredModel::read(&options.model)?;
    let (unnamed, needed) = match &stored {
        StoredModel::TwoClasses(file) => (file.unnamed, file.needed_features()),
        StoredModel::Multiclass(file) => (file.unnamed, file.needed_features()),
    };
    let input = Input::from(options.data.clone());
    let form = reading::form(options.format, options.header);
    let rows = reading::open_for(unnamed, &input, &form)?;
    rows.notes().iter().for_each(|text| note(&format!("note: {text}")));
    let wanted = Wanted { features: rows.find(&needed)?, label: false };
    let json = options.json;
    let lines: Box<dyn Lines> = match &stored {
        StoredModel::TwoClasses(file) => Box::new(TwoClasses::new(file, json)),
        StoredModel::Multiclass(file) => Box::new(multiclass::ClassLines::new(file, json)),
    };

    match out {
        None => {
            let out = std::io::stdout().lock();
            stream(rows, &wanted, &*lines, out).map_err(|failure| failure.sort(None))
        }
        Some(path) => {
            let writing = |error| Failure::writing(path, &error);
            let mut staged = Staged::create(path).map_err(writing)?;
            stream(rows, &wanted, &*lines, &mut staged)
                .map_err(|failure| failure.sort(Some(path)))?;
            staged.finish().map_err(writing)?;
            note(&format!("wrote {}", path.display()));
            Ok(())
        }
    }
}

/// What can go wrong on the way.
pub enum Trouble {
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

fn stream(
    rows: Rows,
    wanted: &Wanted,
    lines: &dyn Lines,
    mut out: impl Write,
) -> Result<(), Trouble> {
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

/// Predictions as they are written.
pub trait Lines: Sync {
    /// What comes first.
    fn header(&self) -> String;

    /// One line for each row of a block.
    fn of(&self, block: &Block) -> Result<Vec<u8>, Trouble>;
}

/// A label, quoted where the form asks for it.
pub fn quoted(label: &str, json: bool) -> String {
    if json {
        return serde_json::Value::from(label).to_string();
    }
    if label.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", label.replace('"', "\"\""));
    }
    label.to_string()
}

/// Predictions of two classes.
struct TwoClasses {
    predictor: Predictor,
    json: bool,
    /// Labels of the negative and the positive class, quoted where the form asks for it.
    labels: [String; 2],
}

impl TwoClasses {
    fn new(file: &ModelFile, json: bool) -> Self {
        let labels = file.classes.each_ref().map(|label| quoted(label, json));
        Self { predictor: Predictor::new(file), json, labels }
    }
}

impl Lines for TwoClasses {
    fn header(&self) -> String {
        if self.json { "" } else { "label,probability,decision,variance\n" }.into()
    }

    fn of(&self, block: &Block) -> Result<Vec<u8>, Trouble> {
        let predicted = self.predictor.predict(&block.x);
        let predicted = predicted.map_err(|error| Trouble::Predicting(error.to_string()))?;
        let mut text = Vec::with_capacity(64 * block.x.rows());
        let mut digits = zmij::Buffer::new();
        for row in 0..block.x.rows() {
            let (p, f, v) =
                (predicted.probability[row], predicted.decision[row], predicted.variance[row]);
            if !(p.is_finite() && f.is_finite() && v.is_finite()) {
                return Err(Trouble::Predicting(format!(
                    "row {} of the data: the prediction is not a finite number; its values are too \
                     far from the training data, or the model file was tampered with",
                    block.first_row + row + 1
                )));
            }
            let label = &self.labels[usize::from(f >= 0.0)];
            if self.json {
                text.extend_from_slice(b"{\"label\":");
                text.extend_from_slice(label.as_bytes());
                for (name, value) in [("probability", p), ("decision", f), ("variance", v)] {
                    text.extend_from_slice(b",\"");
                    text.extend_from_slice(name.as_bytes());
                    text.extend_from_slice(b"\":");
                    text.extend_from_slice(digits.format_finite(value).as_bytes());
                }
                text.push(b'}');
            } else {
                text.extend_from_slice(label.as_bytes());
                for value in [p, f, v] {
                    text.push(b',');
                    text.extend_from_slice(digits.format_finite(value).as_bytes());
                }
            }
            text.push(b'\n');
        }
        Ok(text)
    }
}

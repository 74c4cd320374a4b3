//! `pfcvm predict`: rows stream through a model in constant memory.

mod explain;
mod lines;

use crate::args;
use crate::cells::Cells;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::threads::use_threads;
use crate::{progress, reading};
use lines::{Form, Lines};
use pfcvm_io::{Format, Input, ReadOptions, Rows, Staged, Wanted};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Runs the command.
pub fn run(options: &args::Predict) -> Outcome {
    use_threads(options.threads)?;
    let inputs = [Some(options.model.as_path()), Some(options.data.as_path())];
    let out = options.out.as_deref().filter(|path| path.as_os_str() != "-");
    output::check(&[out], &inputs)?;
    let file = reading::model(&options.model, options.unchecked)?;
    if options.explain && !options.json && file.classes.len() > 2 {
        let message = "--explain with more than two classes needs --json: every machine has a list of \
                       its own";
        return Err(Failure::Usage(message.into()));
    }
    let input = Input::from(options.data.clone());
    let (missing, sheet) = (options.missing.clone(), options.sheet.clone());
    let form = ReadOptions { missing, sheet, ..reading::form(options.format, options.header) };
    let rows = reading::open_for(&file, &input, &form)?;
    rows.notes().iter().for_each(|text| note(&format!("note: {text}")));
    let keep = kept(&rows, &options.keep)?;
    let wanted = Wanted { keep, ..reading::needed(&file, &rows)? };
    let terminal = out.is_none() && std::io::stdout().is_terminal();
    let (json, explain) = (options.json, options.explain);
    let form = Form { json, explain, cells: Cells::new(options.safe_csv), terminal };
    let lines = Lines::new(&file, &options.keep, form);

    match out {
        None => {
            let out = std::io::stdout().lock();
            stream(rows, &wanted, &lines, out).map_err(|failure| failure.sort(None))?;
            lines.tell(&file, &input)
        }
        Some(path) => {
            let writing = |error| Failure::writing(path, &error);
            let mut staged = Staged::create(path).map_err(writing)?;
            stream(rows, &wanted, &lines, &mut staged)
                .map_err(|failure| failure.sort(Some(path)))?;
            lines.tell(&file, &input)?;
            staged.finish().map_err(writing)?;
            note(&format!("wrote {}", path.display()));
            Ok(())
        }
    }
}

/// Where the columns to be copied stand.
fn kept(rows: &Rows, names: &[String]) -> Outcome<Vec<usize>> {
    let numbers = matches!(rows.format(), Format::Libsvm | Format::Npy | Format::Npz);
    if !names.is_empty() && numbers {
        return Err(Failure::Usage(format!(
            "--keep copies columns of tables that hold texts; {} has only numbers",
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

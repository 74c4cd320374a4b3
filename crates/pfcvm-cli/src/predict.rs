//! `pfcvm predict`: rows stream through a model in constant memory.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::reading::Strange;
use crate::threads::use_threads;
use crate::{progress, reading};
use pfcvm::WITHIN_REACH;
use pfcvm_io::predictions::{Cells, Form, Lines, Trouble};
use pfcvm_io::{Format, Input, ModelFile, Rows, Staged, Wanted};
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
    let rows = reading::open_for(&file, &input, &reading::of_new_rows(&options.reading))?;
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
            let met =
                stream(rows, &wanted, &lines, out).map_err(|trouble| sorted(trouble, None))?;
            tell(&lines, &met, &file, &input)
        }
        Some(path) => {
            let writing = |error| Failure::writing(path, &error);
            let mut staged = Staged::create(path).map_err(writing)?;
            let met = stream(rows, &wanted, &lines, &mut staged)
                .map_err(|trouble| sorted(trouble, Some(path)))?;
            tell(&lines, &met, &file, &input)?;
            staged.finish().map_err(writing)?;
            note(&format!("wrote {}", path.display()));
            Ok(())
        }
    }
}

/// Where the columns to be copied stand.
pub fn kept(rows: &Rows, names: &[String]) -> Outcome<Vec<usize>> {
    let numbers = matches!(rows.format(), Format::Libsvm | Format::Npy | Format::Npz);
    if !names.is_empty() && numbers {
        return Err(Failure::Usage(format!(
            "--keep copies columns of tables that hold texts; {} has only numbers",
            rows.format().name()
        )));
    }
    Ok(rows.find(names)?)
}

/// The same trouble, as the program tells it.
pub fn sorted(trouble: Trouble, target: Option<&Path>) -> Failure {
    match (trouble, target) {
        (Trouble::Reading(error), _) => error.into(),
        (Trouble::Predicting(message), _) => Failure::Data(message),
        (Trouble::Writing(error), None) => error.into(),
        (Trouble::Writing(error), Some(path)) => Failure::writing(path, &error),
    }
}

/// What was met on the way.
#[derive(Default)]
struct Met {
    rows: usize,
    /// Rows without a value in some needed feature.
    gaps: usize,
    /// Rows without any.
    empty: usize,
    /// Rows that look like none that the model was learned from.
    far: usize,
    /// The farthest of all: how far, and which row, from 1.
    farthest: (f64, usize),
    strange: Strange,
}

impl Met {
    /// Looks for rows far from what the model remembers.
    fn add_novelty(&mut self, novelty: &[f64]) {
        for (at, far) in novelty.iter().enumerate() {
            self.far += usize::from(*far > 1.0);
            if *far > self.farthest.0 {
                self.farthest = (*far, self.rows + at + 1);
            }
        }
    }

    /// What to say of such rows: where they are more than among rows like the training rows, or one is
    /// very far.
    fn tell_novelty(&self) -> Option<String> {
        const VERY_FAR: f64 = 2.0;
        let usual = (1.0 - WITHIN_REACH) * self.rows as f64;
        let (far, rows, (how_far, row)) = (self.far, self.rows, self.farthest);
        let many = far as f64 > usual + 3.0 * usual.sqrt();
        (many || how_far > VERY_FAR).then(|| {
            format!(
                "{far} of {rows} rows look like none that the model remembers (novelty above 1; about \
                 {usual:.0} would be usual), the farthest is row {row} ({how_far:.3}): take what is \
                 predicted for them with care"
            )
        })
    }
}

fn stream(rows: Rows, wanted: &Wanted, lines: &Lines, mut out: impl Write) -> Result<Met, Trouble> {
    let bar = progress::reading("predicting", rows.size_bytes());
    out.write_all(lines.header().as_bytes()).map_err(Trouble::Writing)?;
    let mut met = Met::default();
    let done = lines.write(rows, wanted, &mut |written, bytes| {
        bar.set_position(bytes);
        written.novelty.iter().for_each(|novelty| met.add_novelty(novelty));
        met.rows += written.rows;
        met.gaps += written.gaps;
        met.empty += written.empty;
        met.strange.add(&written.strange);
        out.write_all(&written.text)
    });
    bar.finish_and_clear();
    done?;
    out.flush().map_err(Trouble::Writing)?;
    Ok(met)
}

/// Says how many rows lack a value, and what else is worth knowing; refuses data in which all
/// rows lack all.
fn tell(lines: &Lines, met: &Met, file: &ModelFile, input: &Input) -> Outcome {
    lines.told().iter().for_each(|text| note(&format!("note: {text}")));
    met.strange.tell(file).iter().for_each(|text| note(&format!("note: {text}")));
    met.tell_novelty().iter().for_each(|text| note(&format!("note: {text}")));
    let Met { rows, gaps, empty, .. } = met;
    if empty == rows {
        return Err(Failure::Data(format!(
            "{input}: no row has any value that the model needs; give it data like those it was \
             fitted on"
        )));
    }
    if *gaps > 0 {
        note(&format!(
            "note: {gaps} of {rows} rows lack a value that the model needs; they are predicted \
             from what the model knows of gaps"
        ));
    }
    Ok(())
}

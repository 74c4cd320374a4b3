//! `pfcvm suggest`: which rows of a pool to label next.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::predict::kept;
use crate::reading::Strange;
use crate::threads::use_threads;
use crate::{progress, reading};
use pfcvm::Matrix;
use pfcvm::multiclass::Suggestion;
use pfcvm_io::predictions::{Cells, Form};
use pfcvm_io::{Block, Error, Input, Rows, Staged, Wanted};
use std::io::{IsTerminal, Write};

/// Runs the command.
pub fn run(options: &args::Suggest) -> Outcome {
    use_threads(options.threads)?;
    let inputs = [Some(options.model.as_path()), Some(options.pool.as_path())];
    let out = options.out.as_deref().filter(|path| path.as_os_str() != "-");
    output::check(&[out], &inputs)?;
    let file = reading::model(&options.model, options.unchecked)?;
    let input = Input::from(options.pool.clone());
    let rows = reading::open_for(&file, &input, &reading::of_new_rows(&options.reading))?;
    rows.notes().iter().for_each(|text| note(&format!("note: {text}")));
    let keep = kept(&rows, &options.keep)?;
    let wanted = Wanted { keep, ..reading::needed(&file, &rows)? };
    let pool = Pool::read(rows, &wanted)?;
    pool.strange.tell(&file).iter().for_each(|text| note(&format!("note: {text}")));
    let found = file.predictor().suggest(&pool.x, options.count as usize);
    let found = found.map_err(|error| Failure::Data(format!("{input}: {error}")))?;
    if found.iter().all(|one| one.gain <= 0.0) {
        note(
            "note: the model found nothing, or nothing is uncertain: no row would tell it more than another, \
             and these are drawn at random",
        );
    }

    let terminal = out.is_none() && std::io::stdout().is_terminal();
    let (json, cells) = (options.json, Cells::new(options.safe_csv));
    let form = Form { json, cells, terminal, ..Form::default() };
    let text = lines(&found, &pool, &options.keep, &form);
    form.cells.told().iter().for_each(|text| note(&format!("note: {text}")));
    match out {
        None => {
            let mut out = std::io::stdout().lock();
            Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
        }
        Some(path) => {
            let writing = |error| Failure::writing(path, &error);
            let mut staged = Staged::create(path).map_err(writing)?;
            staged.write_all(text.as_bytes()).map_err(writing)?;
            staged.finish().map_err(writing)?;
            note(&format!("wrote {}", path.display()));
            Ok(())
        }
    }
}

/// All rows to choose from.
struct Pool {
    /// The needed columns.
    x: Matrix,
    /// Texts of the columns to copy.
    kept: Vec<Vec<String>>,
    strange: Strange,
}

impl Pool {
    fn read(rows: Rows, wanted: &Wanted) -> Outcome<Self> {
        let bar = progress::reading("reading", rows.size_bytes());
        let mut columns = vec![Vec::new(); wanted.features.len()];
        let mut kept = vec![Vec::new(); wanted.keep.len()];
        let (mut count, mut strange) = (0, Strange::default());
        let done = rows.for_each(wanted, Ok::<Block, Error>, |block, bytes| -> Result<(), Error> {
            bar.set_position(bytes);
            count += block.x.rows();
            columns.iter_mut().zip(block.x.columns()).for_each(|(a, b)| a.extend_from_slice(b));
            kept.iter_mut().zip(block.kept).for_each(|(a, b): (&mut Vec<_>, _)| a.extend(b));
            strange.add(&block.strange);
            Ok(())
        });
        bar.finish_and_clear();
        done?;
        let x = Matrix::from_column_major(count, columns.len(), columns.concat());
        Ok(Self { x, kept, strange })
    }
}

/// A line for each suggested row, in the order of the draw.
fn lines(found: &[Suggestion], pool: &Pool, names: &[String], form: &Form) -> String {
    let mut text = String::new();
    if !form.json {
        let kept = names.iter().map(|name| form.quoted(name) + ",");
        text = kept.collect::<String>() + "row,gain\n";
    }
    for suggestion in found {
        let kept = pool.kept.iter().map(|texts| form.quoted(&texts[suggestion.row]));
        let (row, gain) = (suggestion.row, suggestion.gain);
        text += &match form.json {
            true => {
                let named = names.iter().zip(kept).map(|(k, v)| format!("{}:{v}", form.quoted(k)));
                let named = named.collect::<Vec<_>>().join(",");
                let kept =
                    if names.is_empty() { String::new() } else { format!("\"kept\":{{{named}}},") };
                format!("{{{kept}\"row\":{row},\"gain\":{gain}}}\n")
            }
            false => kept.map(|text| text + ",").collect::<String>() + &format!("{row},{gain}\n"),
        };
    }
    text
}

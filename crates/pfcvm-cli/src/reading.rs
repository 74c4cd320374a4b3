//! How commands read data.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::shown;
use crate::progress;
use pfcvm_io::{
    Content, Format, Groups, Header, Input, ModelFile, ReadOptions, Rows, Table, Unnamed, Wanted,
};
use std::path::Path;

/// The reader's options from those of the command line.
pub fn options(reading: &args::Reading) -> Outcome<ReadOptions> {
    let groups = match (&reading.groups, &reading.group_by) {
        (Some(path), _) => Groups::read(path)?,
        (None, pattern) => pattern.clone().unwrap_or_default(),
    };
    Ok(ReadOptions {
        label: reading.label.clone(),
        sheet: reading.sheet.clone(),
        ignore: reading.ignore.clone(),
        kinds: reading.kind.clone(),
        missing: reading.missing.clone(),
        groups,
        ..form(reading.format, reading.header)
    })
}

/// Format and header only.
pub fn form(asked: Option<args::Format>, header: args::Header) -> ReadOptions {
    let format = asked.map(|format| match format {
        args::Format::Csv => Format::Csv,
        args::Format::Tsv => Format::Tsv,
        args::Format::Libsvm => Format::Libsvm,
        args::Format::Arff => Format::Arff,
        args::Format::Npy => Format::Npy,
        args::Format::Npz => Format::Npz,
        args::Format::Excel => Format::Excel,
        args::Format::Parquet => Format::Parquet,
        args::Format::Arrow => Format::Arrow,
    });
    let header = match header {
        args::Header::Auto => Header::Auto,
        args::Header::Yes => Header::Yes,
        args::Header::No => Header::No,
    };
    ReadOptions { format, header, memory_limit_mib: memory_limit(None), ..ReadOptions::default() }
}

/// The reader's options for rows whose columns a model knows.
pub fn of_new_rows(reading: &args::NewRows) -> ReadOptions {
    let (missing, sheet) = (reading.missing.clone(), reading.sheet.clone());
    ReadOptions { missing, sheet, ..form(reading.format, reading.header) }
}

/// Memory that may be used, in MiB: what was asked for, else what the system can give.
pub fn memory_limit(asked: Option<u64>) -> u64 {
    let system = || pfcvm_io::available_memory_mib(rayon::current_num_threads());
    asked.or_else(system).unwrap_or_else(|| ReadOptions::default().memory_limit_mib)
}

/// What to call data in a title: the name of the file without its folders.
pub fn file_name(input: &Input) -> String {
    match input {
        Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        Input::Stdin => "standard input".into(),
    }
}

/// Where the label of a table stood.
pub struct LabelColumn {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// The form of data without names.
    pub unnamed: Option<Unnamed>,
}

/// A whole table, where its label stood, and a bar while it is read.
pub fn table(input: &Input, options: &ReadOptions) -> Outcome<(Table, LabelColumn)> {
    Ok(some_rows(input, options, None)?)
}

/// The same of so many rows of a long file, spread over all of it, or of all.
pub fn some_rows(
    input: &Input,
    options: &ReadOptions,
    most: Option<usize>,
) -> Result<(Table, LabelColumn), pfcvm_io::Error> {
    let rows = Rows::open(input, options)?;
    let position = rows.label_column()?;
    let label = LabelColumn {
        name: match rows.unnamed_columns() {
            None => position.map(|at| rows.columns().swap_remove(at)),
            Some(_) => None,
        },
        unnamed: rows
            .unnamed_columns()
            .and_then(|columns| Some(Unnamed { columns, label: position? })),
    };
    let bar = progress::reading("reading", rows.size_bytes());
    let mut tell = |bytes| bar.set_position(bytes);
    let table = match most {
        Some(most) => rows.into_sketch(most, &mut tell),
        None => rows.into_table(&mut tell),
    };
    bar.finish_and_clear();
    Ok((table?, label))
}

/// Opens data for a model that was fitted on others. Columns without names are matched by their
/// number: they must be as many as there were, with or without the label. What stood for no value
/// does again.
pub fn open_for(file: &ModelFile, input: &Input, options: &ReadOptions) -> Outcome<Rows> {
    let missing = [file.missing.as_slice(), &options.missing].concat();
    open(input, &ReadOptions { missing, ..options.clone() }, file.unnamed)
}

/// Opens data with the columns of others, which looked like this if they had no names.
pub fn open(input: &Input, options: &ReadOptions, unnamed: Option<Unnamed>) -> Outcome<Rows> {
    let mut rows = Rows::open(input, options)?;
    let (Some(found), Some(unnamed)) = (rows.unnamed_columns(), unnamed) else {
        return Ok(rows);
    };
    if found == unnamed.columns {
        rows.set_label(unnamed.label);
    } else if found + 1 != unnamed.columns {
        let expected = unnamed.columns;
        return Err(Failure::Data(format!(
            "{input}: there are {found} columns without names where the training data had \
             {expected} with the label; give columns names, or the same columns"
        )));
    }
    Ok(rows)
}

/// The columns that a model needs, read as those of its training data were.
pub fn needed(file: &ModelFile, rows: &Rows) -> Outcome<Wanted> {
    let (names, contents): (Vec<String>, Vec<Content>) =
        file.needed_columns().into_iter().map(|column| (column.name, column.content)).unzip();
    Ok(Wanted { features: rows.find(&names)?, contents, ..Wanted::default() })
}

/// Cells that do not hold what their columns should.
#[derive(Default)]
pub struct Strange {
    /// Of each needed column.
    cells: Vec<usize>,
}

impl Strange {
    /// Counts those of a block.
    pub fn add(&mut self, of_block: &[usize]) {
        self.cells.resize(self.cells.len().max(of_block.len()), 0);
        self.cells.iter_mut().zip(of_block).for_each(|(sum, cells)| *sum += cells);
    }

    /// One sentence for each column that has some; the rest in one more.
    pub fn tell(&self, file: &ModelFile) -> Vec<String> {
        const TOLD: usize = 5;
        let columns = file.needed_columns();
        let strange = columns.iter().zip(&self.cells).filter(|(_, cells)| **cells > 0);
        let mut told: Vec<String> = strange
            .map(|(column, cells)| {
                let (noun, hold) = if *cells == 1 { ("cell", "holds") } else { ("cells", "hold") };
                let what = match (&column.content, cells) {
                    (Content::Words(_), 1) => "a word the model has not seen",
                    (Content::Words(_), _) => "words the model has not seen",
                    (Content::Date { .. }, _) => "no date",
                    (Content::Number, _) => "no number",
                };
                let (they, count) =
                    if *cells == 1 { ("it", "counts as a gap") } else { ("they", "count as gaps") };
                let name = shown(&column.name);
                format!("{cells} {noun} of column `{name}` {hold} {what}; {they} {count}")
            })
            .collect();
        if told.len() > TOLD {
            let more = told.len() - TOLD;
            told.truncate(TOLD);
            told.push(format!("{more} more columns have such cells"));
        }
        told
    }
}

/// A model; a file that was changed on purpose is read `unchecked`.
pub fn model(path: &Path, unchecked: bool) -> Outcome<ModelFile> {
    Ok(if unchecked { ModelFile::read_unchecked(path) } else { ModelFile::read(path) }?)
}

//! How commands read data.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::progress;
use pfcvm_io::{Format, Header, Input, ModelFile, ReadOptions, Rows, Table, Unnamed};
use std::path::Path;

/// The reader's options from those of the command line.
pub fn options(reading: &args::Reading) -> ReadOptions {
    ReadOptions {
        label: reading.label.clone(),
        ignore: reading.ignore.clone(),
        ..form(reading.format, reading.header)
    }
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
    });
    let header = match header {
        args::Header::Auto => Header::Auto,
        args::Header::Yes => Header::Yes,
        args::Header::No => Header::No,
    };
    ReadOptions { format, header, memory_limit_mib: memory_limit(None), ..ReadOptions::default() }
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
    let table = rows.into_table(&mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    Ok((table?, label))
}

/// Opens data for a model that was fitted on others, `unnamed` if so. Columns without names are matched by their
/// number: they must be as many as there were, with or without the label.
pub fn open_for(unnamed: Option<Unnamed>, input: &Input, options: &ReadOptions) -> Outcome<Rows> {
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

/// A model; a file that was changed on purpose is read `unchecked`.
pub fn model(path: &Path, unchecked: bool) -> Outcome<ModelFile> {
    Ok(if unchecked { ModelFile::read_unchecked(path) } else { ModelFile::read(path) }?)
}

//! How commands read data.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::progress;
use pfcvm_io::{Format, Header, Input, ReadOptions, Rows, Table};

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
    ReadOptions { format, header, ..ReadOptions::default() }
}

/// A whole table with the name of its label column, and a bar while it is read.
pub fn table(input: &Input, options: &ReadOptions) -> Outcome<(Table, Option<String>)> {
    let rows = Rows::open(input, options)?;
    let label = rows.label_column()?.map(|at| rows.columns().swap_remove(at));
    let bar = progress::reading("reading", rows.size_bytes());
    let table = rows.into_table(&mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    Ok((table?, label))
}

/// Uses so many threads from now on.
pub fn use_threads(threads: Option<u16>) -> Outcome {
    let Some(threads) = threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| Failure::Internal(format!("threads cannot be started ({error})")))
}

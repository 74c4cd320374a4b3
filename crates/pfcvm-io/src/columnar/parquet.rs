//! Parquet files: read in any order, a batch of rows of all wanted columns at a time.

use super::stored::Stored;
use super::{Step, pages};
use crate::guard::guarded;
use crate::input::Source;
use crate::{Error, ReadOptions};
use arrow_array::ArrayRef;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::reader::Length;
use rayon::prelude::*;
use std::fs::File;

/// What a file is called in errors.
pub(super) const WHAT: &str = "Parquet file";

/// A file whose columns are known.
pub(super) struct Opened {
    stored: Stored,
    metadata: ArrowReaderMetadata,
}

/// Reads the description of all columns at the end of the file.
pub(super) fn open(
    source: Source,
    file: Option<File>,
    options: &ReadOptions,
) -> Result<(SchemaRef, Opened), Error> {
    let stored = Stored::new(source, file, options)?;
    let metadata =
        ArrowReaderMetadata::load(&stored, ArrowReaderOptions::new()).map_err(damaged)?;
    for group in metadata.metadata().row_groups() {
        for column in group.columns() {
            let packed = match column.compression() {
                Compression::BROTLI(_) => "Brotli",
                Compression::LZO => "LZO",
                _ => continue,
            };
            return Err(Error::Typed(format!(
                "the columns are packed by {packed}, which is not read here; save the file with \
                 Snappy or zstd"
            )));
        }
    }
    if metadata.schema().fields().is_empty() {
        return Err(Error::Empty);
    }
    Ok((metadata.schema().clone(), Opened { stored, metadata }))
}

impl Opened {
    pub(super) fn rows(&self) -> u64 {
        self.metadata.metadata().file_metadata().num_rows().try_into().unwrap_or(0)
    }

    /// Decoders of the wanted columns, which are spread over as many as there are threads.
    pub(super) fn decoders(
        self,
        wanted: &[usize],
        most: usize,
        options: &ReadOptions,
    ) -> Result<Decoders, Error> {
        self.allow(wanted, options)?;
        let count = rayon::current_num_threads().clamp(1, wanted.len().max(1));
        let mut decoders = Vec::with_capacity(count);
        for first in 0..count {
            let columns = wanted.iter().copied().skip(first).step_by(count);
            let mask = ProjectionMask::roots(self.metadata.parquet_schema(), columns);
            let (stored, metadata) = (self.stored.clone(), self.metadata.clone());
            let decoder = ParquetRecordBatchReaderBuilder::new_with_metadata(stored, metadata)
                .with_projection(mask)
                .with_batch_size(most);
            decoders.push(decoder.build().map_err(damaged)?);
        }
        let (rows, size) = (self.rows(), self.stored.len());
        Ok(Decoders { decoders, columns: wanted.len(), done: 0, rows, size })
    }

    /// Refuses columns whose pages would take more memory than is allowed: one of each is held.
    fn allow(&self, wanted: &[usize], options: &ReadOptions) -> Result<(), Error> {
        let schema = self.metadata.parquet_schema();
        for group in self.metadata.metadata().row_groups() {
            let mut pages = 0;
            for (at, column) in group.columns().iter().enumerate() {
                if wanted.binary_search(&schema.get_column_root_idx(at)).is_ok() {
                    let largest = pages::largest(&self.stored, column);
                    pages += u128::from(largest.map_err(|_| undecodable())?);
                }
            }
            options.allow(pages, || "the pages of the file, unpacked,".into())?;
        }
        Ok(())
    }
}

/// How columns are spread over threads must not show, so all that can go wrong has the same words.
fn undecodable() -> Error {
    Error::Damaged { what: WHAT, detail: "its rows cannot be decoded".into() }
}

/// Decodes a batch of rows after the other.
pub(super) struct Decoders {
    decoders: Vec<ParquetRecordBatchReader>,
    columns: usize,
    /// Rows given so far, of how many.
    done: u64,
    rows: u64,
    /// Bytes of the file.
    size: u64,
}

impl Decoders {
    pub(super) fn next(&mut self) -> Result<Option<Step>, Error> {
        let next = |decoder: &mut ParquetRecordBatchReader| {
            guarded(WHAT, || decoder.next().transpose().map_err(damaged)).map_err(|_| undecodable())
        };
        let parts: Result<Vec<_>, Error> = match &mut self.decoders[..] {
            [one] => [next(one)].into_iter().collect(),
            several => several.par_iter_mut().map(next).collect(),
        };
        let parts = parts?;
        let Some(rows) = parts[0].as_ref().map(|batch| batch.num_rows()) else {
            let ended = self.done == self.rows && parts.iter().all(Option::is_none);
            return if ended { Ok(None) } else { Err(undecodable()) };
        };
        let count = parts.len();
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.columns);
        for at in 0..self.columns {
            let part = parts[at % count].as_ref().filter(|part| part.num_rows() == rows);
            let column = part.and_then(|part| part.columns().get(at / count));
            columns.push(column.ok_or_else(undecodable)?.clone());
        }
        self.done += rows as u64;
        let share = self.done as f64 / self.rows.max(1) as f64;
        let read = (self.size as f64 * share.min(1.0)) as u64;
        Ok(Some(Step { columns, rows, read }))
    }
}

fn damaged(error: impl Into<ParquetError>) -> Error {
    match error.into() {
        ParquetError::EOF(_) => Error::CutOff { what: WHAT },
        other => Error::Damaged { what: WHAT, detail: other.to_string() },
    }
}

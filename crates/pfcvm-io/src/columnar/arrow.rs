//! Arrow's messages: of a stream one after the other, of a file (Feather) by its table of contents.

use super::Step;
use super::stored::Stored;
use crate::input::{ByteStream, Source};
use crate::{Error, ReadOptions};
use arrow_array::ArrayRef;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Block, Message, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::file::reader::{ChunkReader, Length};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::sync::Arc;

/// What a file is called in errors.
pub(super) const WHAT: &str = "Arrow file";
/// How a file begins and ends.
const FILE: &[u8] = b"ARROW1";
/// How a message begins, in all but very old files.
const MESSAGE: [u8; 4] = [0xff; 4];
/// Longest description of a message that is believed.
const LONGEST: usize = 256 << 20;

/// Messages one after the other.
pub(super) struct Messages {
    origin: Origin,
    options: ReadOptions,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
}

enum Origin {
    Stream(Source),
    /// A file, and where the messages that are left lie in it.
    File(Stored, VecDeque<Block>),
}

impl Messages {
    /// Reads what describes the columns.
    pub(super) fn open(
        source: Source,
        file: Option<File>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let (origin, schema) = if source.start.starts_with(FILE) {
            let stored = Stored::new(source, file, options)?;
            let (blocks, schema) = contents(&stored)?;
            (Origin::File(stored, blocks), schema)
        } else {
            let mut origin = Origin::Stream(source);
            let (about, _) = origin.next(options)?.ok_or(Error::Empty)?;
            let schema = parsed(&about)?.header_as_schema();
            let schema = schema.ok_or_else(|| wrong("it does not begin with its columns"))?;
            (origin, try_fb_to_schema(schema).map_err(damaged)?)
        };
        if schema.fields().is_empty() {
            return Err(Error::Empty);
        }
        let (options, schema) = (options.clone(), Arc::new(schema));
        Ok(Self { origin, options, schema, dictionaries: HashMap::new() })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The next rows.
    pub(super) fn next(&mut self, wanted: &[usize]) -> Result<Option<Step>, Error> {
        while let Some((about, body)) = self.origin.next(&self.options)? {
            let message = parsed(&about)?;
            let version = &message.version();
            if let Some(batch) = message.header_as_dictionary_batch() {
                self.allow(batch.data(), &body)?;
                let known = &mut self.dictionaries;
                read_dictionary(&body, batch, &self.schema, known, version).map_err(damaged)?;
            } else if let Some(batch) = message.header_as_record_batch() {
                self.allow(Some(batch), &body)?;
                let (schema, known) = (self.schema.clone(), &self.dictionaries);
                let batch = read_record_batch(&body, batch, schema, known, Some(wanted), version);
                let batch = batch.map_err(damaged)?;
                let (rows, columns) = (batch.num_rows(), batch.columns().to_vec());
                return Ok(Some(Step { columns, rows, read: self.origin.taken() }));
            } else {
                return Err(wrong("a message is neither rows nor words"));
            }
        }
        Ok(None)
    }

    /// Refuses packed values that would take more memory than is allowed: room for what they claim
    /// is made before they are unpacked.
    fn allow(&self, batch: Option<RecordBatch>, body: &Buffer) -> Result<(), Error> {
        let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else {
            return Ok(());
        };
        let mut sum = 0u128;
        for buffer in batch.buffers().into_iter().flatten() {
            let start = usize::try_from(buffer.offset()).ok();
            let claim = start.and_then(|start| body.get(start..)?.first_chunk::<8>());
            if let Some(claim) = claim
                && buffer.length() > 0
            {
                sum += u128::try_from(i64::from_le_bytes(*claim)).unwrap_or(0);
            }
        }
        self.options.allow(sum, || "a batch of rows, unpacked,".into())
    }
}

/// Where the messages of a file lie, those of words first, and what its columns are.
fn contents(stored: &Stored) -> Result<(VecDeque<Block>, Schema), Error> {
    let cut = || Error::CutOff { what: WHAT };
    const ENDING: usize = 4 + FILE.len();
    let end = stored.len().checked_sub(ENDING as u64).ok_or_else(cut)?;
    let ending = bytes(stored, end, ENDING)?;
    let length = ending.first_chunk::<4>().map_or(0, |length| i32::from_le_bytes(*length));
    let length = usize::try_from(length).ok().filter(|length| *length < LONGEST);
    let (true, Some(length)) = (ending.ends_with(FILE), length) else { return Err(cut()) };
    let start = end.checked_sub(length as u64).ok_or_else(cut)?;
    let footer = bytes(stored, start, length)?.to_vec();
    let footer = root_as_footer(&footer).map_err(|error| wrong(&error.to_string()))?;
    let schema = footer.schema().ok_or_else(|| wrong("it does not say what its columns are"))?;
    let words = footer.dictionaries().into_iter().flatten();
    let blocks = words.chain(footer.recordBatches().into_iter().flatten()).copied().collect();
    Ok((blocks, try_fb_to_schema(schema).map_err(damaged)?))
}

fn bytes(stored: &Stored, start: u64, length: usize) -> Result<bytes::Bytes, Error> {
    stored.get_bytes(start, length).map_err(|_| Error::CutOff { what: WHAT })
}

impl Origin {
    /// Bytes read so far.
    fn taken(&self) -> u64 {
        match self {
            Origin::Stream(source) => source.taken(),
            Origin::File(stored, left) => {
                let next = left.front().and_then(|block| u64::try_from(block.offset()).ok());
                next.unwrap_or(stored.len())
            }
        }
    }

    /// The next message: its description, and the values that it brings.
    fn next(&mut self, options: &ReadOptions) -> Result<Option<(Vec<u8>, Buffer)>, Error> {
        match self {
            Origin::Stream(source) => in_stream(source, options),
            Origin::File(stored, left) => {
                left.pop_front().map(|block| in_file(stored, &block, options)).transpose()
            }
        }
    }
}

fn in_file(
    stored: &Stored,
    block: &Block,
    options: &ReadOptions,
) -> Result<(Vec<u8>, Buffer), Error> {
    let start = u64::try_from(block.offset()).ok();
    let (about, body) =
        (usize::try_from(block.metaDataLength()), usize::try_from(block.bodyLength()));
    let (Some(start), Ok(length @ 8..LONGEST), Ok(body)) = (start, about, body) else {
        return Err(wrong("a message has no place"));
    };
    let mut about = bytes(stored, start, length)?.to_vec();
    about.drain(..if about.starts_with(&MESSAGE) { 8 } else { 4 });
    options.allow(body as u128, || "a batch of rows".into())?;
    let behind = start.checked_add(length as u64).ok_or(Error::CutOff { what: WHAT })?;
    Ok((about, bytes(stored, behind, body)?.into()))
}

fn in_stream(
    source: &mut Source,
    options: &ReadOptions,
) -> Result<Option<(Vec<u8>, Buffer)>, Error> {
    let mut exactly = |count: u64| {
        let mut bytes = Vec::new();
        let read = source.pull(&mut bytes, count)? as u64;
        // A stream need not say that it ends.
        let whole = read == count || (read == 0 && count == 4);
        if whole { Ok(bytes) } else { Err(Error::CutOff { what: WHAT }) }
    };
    let mut length = exactly(4)?;
    if length == MESSAGE {
        length = exactly(4)?;
    }
    let length = length.first_chunk::<4>().map_or(0, |length| u32::from_le_bytes(*length));
    if length == 0 {
        return Ok(None);
    } else if length as usize >= LONGEST {
        return Err(wrong("a message has no length"));
    }
    let about = exactly(length.into())?;
    let length = parsed(&about)?.bodyLength();
    let length = u64::try_from(length).map_err(|_| wrong("a message has no length"))?;
    options.allow(length.into(), || "a batch of rows".into())?;
    let body = exactly(length)?;
    Ok(Some((about, Buffer::from_vec(body))))
}

fn parsed(about: &[u8]) -> Result<Message<'_>, Error> {
    root_as_message(about).map_err(|error| wrong(&error.to_string()))
}

fn wrong(detail: &str) -> Error {
    Error::Damaged { what: WHAT, detail: detail.lines().next().unwrap_or_default().into() }
}

fn damaged(error: ArrowError) -> Error {
    wrong(&error.to_string())
}

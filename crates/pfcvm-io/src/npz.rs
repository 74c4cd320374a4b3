//! NumPy's archives: zip files with one array each. The directory is read by the zip crate;
//! arrays are unpacked here, so that a large one can be streamed.

use crate::array::Layout;
use crate::error::shown;
use crate::field::Gaps;
use crate::input::{ByteStream, Counted};
use crate::labels::Labels;
use crate::npy::{self, Shape};
use crate::{Error, ReadOptions};
use flate2::{Crc, bufread::DeflateDecoder};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zip::{CompressionMethod, ZipArchive};

/// A file, or an archive that came through a pipe.
pub(crate) trait Seekable: Read + Seek + Send {}
impl<T: Read + Seek + Send> Seekable for T {}

/// Names under which the matrix and the labels are looked for.
const MATRIX: [&str; 3] = ["X", "x", "data"];
const LABELS: [&str; 4] = ["y", "labels", "label", "target"];

/// Where an array lies in the archive.
#[derive(Debug, Clone)]
struct Entry {
    name: String,
    start: u64,
    packed: u64,
    crc: u32,
    deflated: bool,
}

/// An archive whose matrix has been found.
pub(crate) struct Archive {
    reader: Box<dyn Seekable>,
    matrix: Entry,
    /// Labels in an array of their own.
    labels: Option<Entry>,
}

/// Finds the matrix, the labels and the matrix's shape.
pub(crate) fn open(
    reader: Box<dyn Seekable>,
    options: &ReadOptions,
) -> Result<(Archive, Layout), Error> {
    let mut archive = ZipArchive::new(reader).map_err(damaged)?;
    let mut names = Vec::new();
    for at in 0..archive.len() {
        let name = archive.name_for_index(at).transpose().map_err(damaged)?.unwrap_or_default();
        names.push(name.strip_suffix(".npy").unwrap_or(&name).to_string());
    }
    let place = |wanted: &str| names.iter().position(|name| name == wanted);
    let matrix = MATRIX.iter().find_map(|name| place(name));
    let Some(matrix) = matrix else {
        let known: Vec<String> =
            names.iter().take(5).map(|name| format!("`{}`", shown(name.as_bytes()))).collect();
        let holds = if known.is_empty() { "nothing".into() } else { known.join(", ") };
        return Err(Error::Array(format!(
            "the archive has no array named X, x or data for the matrix; it holds {holds}"
        )));
    };
    // A label asked for is an array if one has that name, else a column of the matrix.
    let labels = match &options.label {
        None => LABELS.iter().find_map(|name| place(name)),
        Some(name) => place(name).filter(|&at| at != matrix),
    };
    let matrix = entry(&mut archive, matrix, &names)?;
    let labels = labels.map(|at| entry(&mut archive, at, &names)).transpose()?;
    let mut archive = Archive { reader: archive.into_inner(), matrix, labels };
    let mut stream = Unpacked::new(&mut archive.reader, &archive.matrix)?;
    let layout = Layout::new(header(&mut stream)?, options)?;
    layout.first_row(&mut stream)?;
    drop(stream);
    Ok((archive, layout))
}

fn entry(
    archive: &mut ZipArchive<Box<dyn Seekable>>,
    at: usize,
    names: &[String],
) -> Result<Entry, Error> {
    let file = archive.by_index_raw(at).map_err(damaged)?;
    let name = names[at].clone();
    let deflated = file.compression() == CompressionMethod::Deflated;
    let plain = deflated || file.compression() == CompressionMethod::Stored;
    let (Some(start), true, false) = (file.data_start(), plain, file.encrypted()) else {
        return Err(Error::Array(format!(
            "the array `{}` is packed or locked in a way that NumPy does not use; save it anew",
            shown(name.as_bytes())
        )));
    };
    Ok(Entry { name, start, packed: file.compressed_size(), crc: file.crc32(), deflated })
}

fn damaged(error: zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Error::Unreadable(error)
        }
        other => Error::Damaged { what: "archive", detail: other.to_string() },
    }
}

/// Reads the header of an array from the start of its stream.
pub(crate) fn header(stream: &mut dyn ByteStream) -> Result<Shape, Error> {
    npy::header(|bytes, count| {
        let read = stream.pull(bytes, count as u64)?;
        if read < count { Err(Error::CutOff { what: "array" }) } else { Ok(()) }
    })
}

impl Archive {
    /// Whether labels lie in an array of their own.
    pub(crate) fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    /// Reads the array of labels, which must have a label for every row.
    pub(crate) fn labels(&mut self, rows: u64, options: &ReadOptions) -> Result<Labels, Error> {
        let Some(entry) = self.labels.clone() else { return Ok(Labels::default()) };
        let mut stream = Unpacked::new(&mut self.reader, &entry)?;
        let Shape { item, shape, .. } = header(&mut stream)?;
        let name = shown(entry.name.as_bytes());
        let count = match shape[..] {
            [count] | [count, 1] => count,
            _ => {
                let text =
                    format!("the labels `{name}` have the shape {shape:?}; one column is needed");
                return Err(Error::Array(text));
            }
        };
        if count != rows {
            return Err(Error::Array(format!(
                "the matrix has {rows} rows but `{name}` has {count} labels; they must agree"
            )));
        }
        let size = u128::from(count) * item.size as u128;
        options.allow(size, || format!("the array `{name}`"))?;
        let mut bytes = Vec::new();
        let read = stream.pull(&mut bytes, size as u64)?;
        if (read as u128) < size {
            return Err(Error::CutOff { what: "array of labels" });
        }
        stream.finish()?;
        npy::labels(item, &bytes, &entry.name, &Gaps::new(&options.missing))
    }

    /// The matrix as a stream of its own, behind its header.
    pub(crate) fn into_matrix(self) -> Result<Box<dyn ByteStream>, Error> {
        let mut stream = Unpacked::new(self.reader, &self.matrix)?;
        header(&mut stream)?;
        Ok(Box::new(stream))
    }
}

/// The bytes of one array.
struct Unpacked<'a> {
    inner: Box<dyn Read + Send + 'a>,
    taken: Arc<AtomicU64>,
    crc: Crc,
    expected: u32,
}

impl<'a> Unpacked<'a> {
    fn new(mut reader: impl Read + Seek + Send + 'a, entry: &Entry) -> Result<Self, Error> {
        reader.seek(SeekFrom::Start(entry.start)).map_err(Error::Unreadable)?;
        let taken = Arc::new(AtomicU64::new(entry.start));
        let counted = Counted { inner: reader.take(entry.packed), taken: taken.clone() };
        let buffered = BufReader::with_capacity(1 << 18, counted);
        let inner: Box<dyn Read + Send + 'a> = if entry.deflated {
            Box::new(DeflateDecoder::new(buffered))
        } else {
            Box::new(buffered)
        };
        Ok(Self { inner, taken, crc: Crc::new(), expected: entry.crc })
    }
}

impl ByteStream for Unpacked<'_> {
    fn pull(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<usize, Error> {
        let before = bytes.len();
        bytes.reserve(count.min(4 << 20) as usize);
        let read = self.inner.by_ref().take(count).read_to_end(bytes);
        let read = read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::CutOff { what: "archive" },
            _ => Error::Damaged { what: "archive", detail: error.to_string() },
        })?;
        self.crc.update(&bytes[before..]);
        Ok(read)
    }

    fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn finish(&mut self) -> Result<(), Error> {
        // Whatever follows the array counts in the sum too, but is not kept.
        let mut rest = Vec::new();
        while self.pull(&mut rest, 1 << 16)? > 0 {
            rest.clear();
        }
        if self.crc.sum() == self.expected {
            return Ok(());
        }
        Err(Error::Damaged { what: "archive", detail: "its check sum is wrong".into() })
    }
}

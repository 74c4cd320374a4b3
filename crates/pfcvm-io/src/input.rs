//! Where bytes come from: files and standard input, packed by gzip or zstd or not.

use crate::{Error, ReadOptions, zstd};
use flate2::bufread::MultiGzDecoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The two bytes every gzip stream begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes looked at to tell formats apart.
const LOOK_AHEAD: u64 = 64 << 10;

/// A file, or standard input.
///
/// ```
/// use pfcvm_io::Input;
///
/// assert_eq!(Input::from("-"), Input::Stdin);
/// assert_eq!(Input::from("data.csv").to_string(), "data.csv");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl From<&str> for Input {
    fn from(name: &str) -> Self {
        Input::from(Path::new(name))
    }
}

impl From<&Path> for Input {
    fn from(path: &Path) -> Self {
        Input::from(path.to_path_buf())
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Input::Stdin } else { Input::File(path) }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::File(path) => write!(f, "{}", path.display()),
            Input::Stdin => write!(f, "standard input"),
        }
    }
}

/// Unpacked bytes with their first ones known, and a count of the packed bytes taken so far.
pub(crate) struct Source {
    /// What was read to tell the format; comes before everything in `rest`.
    pub(crate) start: Vec<u8>,
    /// A problem met while reading `start`.
    pub(crate) failed: Option<Error>,
    rest: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
    /// What it is packed in.
    packed: Option<&'static str>,
}

impl Source {
    /// Opens a stream and looks at its first bytes.
    pub(crate) fn new(reader: impl Read + Send + 'static) -> Self {
        let taken = Arc::new(AtomicU64::new(0));
        let mut counted = Counted { inner: reader, taken: taken.clone() };
        let mut magic = Vec::new();
        let outcome = counted.by_ref().take(4).read_to_end(&mut magic);
        let (gzipped, zstd) = (magic.starts_with(&GZIP), zstd::begins(&magic));
        let whole = io::Cursor::new(magic).chain(counted);
        let buffered = |whole| BufReader::with_capacity(1 << 18, whole);
        let (rest, packed): (Box<dyn Read + Send>, _) = if gzipped {
            (Box::new(MultiGzDecoder::new(buffered(whole))), Some("gzip stream"))
        } else if zstd {
            (Box::new(zstd::Unpacked::new(buffered(whole))), Some("zstd stream"))
        } else {
            (Box::new(whole), None)
        };
        let mut source = Self { start: Vec::new(), failed: None, rest, taken, packed };
        let mut start = Vec::new();
        source.failed = match outcome {
            Ok(_) => source.fill(&mut start, LOOK_AHEAD).err(),
            Err(error) => Some(Error::Unreadable(error)),
        };
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        source.start = start;
        source
    }

    /// Text that was made of `taken` bytes of something else.
    #[cfg(feature = "excel")]
    pub(crate) fn of_text(text: Vec<u8>, taken: u64) -> Self {
        let rest = Box::new(io::Cursor::new(text));
        let taken = Arc::new(AtomicU64::new(taken));
        let mut source = Self { start: Vec::new(), failed: None, rest, taken, packed: None };
        let mut start = Vec::new();
        source.failed = source.fill(&mut start, LOOK_AHEAD).err();
        source.start = start;
        source
    }

    /// Appends up to `count` bytes; fewer only at the end or before an error.
    pub(crate) fn fill(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<usize, Error> {
        // Known sizes are reserved at once, but no more than data can be trusted to fill.
        bytes.reserve(count.min(4 << 20) as usize);
        let outcome = self.rest.by_ref().take(count).read_to_end(bytes);
        outcome.map_err(|error| match (error.kind(), self.packed) {
            (io::ErrorKind::UnexpectedEof, Some(what)) => Error::CutOff { what },
            (io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput, Some(what)) => {
                Error::Damaged { what, detail: error.to_string() }
            }
            _ => Error::Unreadable(error),
        })
    }

    /// Everything in one piece.
    pub(crate) fn into_bytes(mut self, options: &ReadOptions) -> Result<Vec<u8>, Error> {
        let limit = options.limit();
        let mut bytes = Vec::new();
        self.pull(&mut bytes, limit.saturating_add(1))?;
        options.allow(bytes.len() as u128, || "the archive".into())?;
        Ok(bytes)
    }

    /// Whether the stream is packed.
    pub(crate) fn is_packed(&self) -> bool {
        self.packed.is_some()
    }
}

/// Bytes of an array, from wherever.
pub(crate) trait ByteStream: Send {
    /// Appends up to `count` bytes and says how many; fewer only at the end.
    fn pull(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<usize, Error>;
    /// Bytes of the file taken so far.
    fn taken(&self) -> u64;
    /// Checks the sums that packed data carry, where there are any, once all is read.
    fn finish(&mut self) -> Result<(), Error>;
}

impl ByteStream for Source {
    fn pull(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<usize, Error> {
        let known = self.start.len().min(usize::try_from(count).unwrap_or(usize::MAX));
        bytes.extend(self.start.drain(..known));
        if known as u64 == count {
            return Ok(known);
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        Ok(known + self.fill(bytes, count - known as u64)?)
    }

    fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn finish(&mut self) -> Result<(), Error> {
        if self.is_packed() {
            self.pull(&mut Vec::new(), 1)?;
        }
        Ok(())
    }
}

/// Counts what passes.
pub(crate) struct Counted<R> {
    pub(crate) inner: R,
    pub(crate) taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Opens a file; a folder is refused here, because reading it fails with less clear words.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(Error::Unreadable)?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(Error::Unreadable(io::Error::other("it is a folder")));
    }
    Ok(file)
}

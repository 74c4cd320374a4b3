//! Files that are read at any place.

use crate::input::Source;
use crate::{Error, ReadOptions};
use bytes::Bytes;
use parquet::errors::{ParquetError, Result as Outcome};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// A file that any thread reads at any place, or one in memory.
#[derive(Clone)]
pub(super) enum Stored {
    File(Arc<File>, u64),
    Memory(Bytes),
}

impl Stored {
    /// What came through a pipe or is packed must be held, for its end is read first.
    pub(super) fn new(
        source: Source,
        file: Option<File>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let Some(file) = file else {
            return Ok(Stored::Memory(source.into_bytes(options)?.into()));
        };
        let size = file.metadata().map_err(Error::Unreadable)?.len();
        Ok(Stored::File(Arc::new(file), size))
    }
}

impl Length for Stored {
    fn len(&self) -> u64 {
        match self {
            Stored::File(_, size) => *size,
            Stored::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Stored {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Outcome<Box<dyn Read>> {
        Ok(match self {
            Stored::File(file, _) => {
                Box::new(BufReader::new(From { file: file.clone(), next: start }))
            }
            Stored::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Outcome<Bytes> {
        let end = start.checked_add(length as u64).filter(|end| *end <= self.len());
        if end.is_none() {
            return Err(ParquetError::EOF("a part lies behind the end".into()));
        }
        match self {
            Stored::File(file, size) => {
                // No room is made for what cannot be there.
                if start.saturating_add(length as u64) > *size {
                    return Err(ParquetError::EOF("the end of the file".into()));
                }
                let mut bytes = vec![0; length];
                From { file: file.clone(), next: start }.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            Stored::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// A file from some place on. Threads do not share the place.
struct From {
    file: Arc<File>,
    next: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let count = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.next)?;
        #[cfg(windows)]
        let count = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.next)?;
        self.next += count as u64;
        Ok(count)
    }
}

//! Streams packed by zstd: any number of frames, one after the other.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, Read};

/// Whether bytes begin as such a stream does: with a frame, or with one that is to be skipped.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    matches!(bytes, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// What the frames of a stream hold.
pub(crate) struct Unpacked<R> {
    packed: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun and is not over.
    within: bool,
}

impl<R: BufRead> Unpacked<R> {
    pub(crate) fn new(packed: R) -> Self {
        Self { packed, decoder: FrameDecoder::new(), within: false }
    }

    /// Begins the next frame; says whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => {
                    self.within = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let passed = io::copy(&mut self.packed.by_ref().take(length), &mut io::sink())?;
                    if passed < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(told(error)),
            }
        }
        Ok(false)
    }

    /// Ends a frame whose last byte has been given.
    fn end(&mut self) -> io::Result<()> {
        self.within = false;
        let written = self.decoder.get_checksum_from_data();
        match written.is_none() || written == self.decoder.get_calculated_checksum() {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "its check sum is wrong")),
        }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.packed, one).map_err(told)?;
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            self.end()?;
        }
    }
}

/// A stream that ends too early, one that cannot be read, or one that is damaged.
fn told(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return io::Error::new(inner.kind(), inner.to_string());
        }
        cause = inner.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

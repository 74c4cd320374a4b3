//! SHA-256 of files.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io::{ErrorKind, Read, Result};

/// The checksum of everything that is left to read, in 64 hexadecimal digits.
pub(crate) fn sha256(mut input: impl Read) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match input.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => hasher.update(&piece[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut digits = String::with_capacity(64);
    for byte in hasher.finalize() {
        let _ = write!(digits, "{byte:02x}"); // writing to a string cannot fail
    }
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_examples_come_out() {
        // FIPS 180-4, of nothing and of `abc`.
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&b""[..]).unwrap(), nothing);
        assert_eq!(sha256(&b"abc"[..]).unwrap(), abc);
    }
}

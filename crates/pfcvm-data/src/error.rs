//! Why data could not be had.

use std::path::PathBuf;

/// Why a data set is not known, not there or could not be fetched. Every message is one sentence:
/// what, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No data set has this name.
    #[error("there is no data set `{name}`; {}", hint(.nearest.as_deref()))]
    UnknownName {
        /// The name asked for.
        name: String,
        /// The name that is most like it, if any is.
        nearest: Option<String>,
    },
    /// The set is published in a form, or at a place, that cannot be checked.
    #[error(
        "`{name}` cannot be fetched from where it is published: {how}; put the table at {path}, \
         or name a mirror that keeps the files of a data folder"
    )]
    ByHand {
        /// The set.
        name: String,
        /// Where and how it is published.
        how: String,
        /// Where its data file belongs.
        path: PathBuf,
    },
    /// The set is given only to those who sign for it.
    #[error("`{name}` cannot be fetched, for nobody may pass it on: {how}")]
    Licensed {
        /// The set.
        name: String,
        /// Where to ask for it.
        how: String,
    },
    /// An address is not one to fetch from.
    #[error("the address {address} cannot be used: {problem}")]
    BadAddress {
        /// The address.
        address: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A server sends us somewhere we do not go.
    #[error("{from} redirects to {to}, which was not followed: {problem}; use another mirror")]
    Redirect {
        /// Where we asked.
        from: String,
        /// Where we were sent.
        to: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Downloads were not built.
    #[error(
        "downloads are made only where the feature `fetch` was built (cargo install --path \
         crates/pfcvm-cli --features fetch); build it, or put {address} at {path} yourself (sha256 \
         {sha256})"
    )]
    NotBuilt {
        /// Where the file is.
        address: String,
        /// Where the file belongs.
        path: PathBuf,
        /// What its checksum must be.
        sha256: String,
    },
    /// No server answers: no network, no such host, no connection, no secure connection.
    #[error(
        "{address} cannot be reached ({reason}); check the network, or put the file at {path} \
         yourself (sha256 {sha256})"
    )]
    Unreachable {
        /// The address.
        address: String,
        /// What the network said.
        reason: String,
        /// Where the file belongs.
        path: PathBuf,
        /// What its checksum must be.
        sha256: String,
    },
    /// The server answers, but not with the file.
    #[error(
        "{address} answers with status {status} instead of the file; it may have moved: put it at \
         {path} yourself (sha256 {sha256})"
    )]
    Answer {
        /// The address.
        address: String,
        /// The HTTP status.
        status: u16,
        /// Where the file belongs.
        path: PathBuf,
        /// What its checksum must be.
        sha256: String,
    },
    /// The connection was cut, or no byte came for too long.
    #[error(
        "{address}: {reason} after {have} of {total} bytes; they are kept in {part}, and the same \
         command goes on from there"
    )]
    Interrupted {
        /// The address.
        address: String,
        /// What happened.
        reason: String,
        /// Bytes that are there.
        have: u64,
        /// Bytes of the whole file.
        total: u64,
        /// Where they are kept.
        part: PathBuf,
    },
    /// What the server has is longer or shorter than the file that is known.
    #[error(
        "{address} holds {found} where {expected} bytes are expected; it is another file, and \
         nothing of it was kept"
    )]
    WrongSize {
        /// The address.
        address: String,
        /// Bytes of the known file.
        expected: u64,
        /// What there is, in words.
        found: String,
    },
    /// What came is not the file that is known.
    #[error(
        "{address} gave another file than the one known: its sha256 is {found}, expected is \
         {expected}; it was deleted: use another mirror"
    )]
    Checksum {
        /// The address.
        address: String,
        /// The known checksum.
        expected: String,
        /// That of what came.
        found: String,
    },
    /// A file of this name is there, and it is another one. It is never overwritten.
    #[error(
        "{path} is there but is not the file of the catalogue (its sha256 is {found}, expected is \
         {expected}); use it as it is, or move it away and fetch again"
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The known checksum.
        expected: String,
        /// That of the file.
        found: String,
    },
    /// There is no room for the file.
    #[error("{path} cannot be written, there is no space left ({error}); make room and try again")]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// What the system said. (Part of the message, hence not its `source`.)
        error: std::io::Error,
    },
    /// Another process is fetching the same file.
    #[error("{path} is being written by another download; wait until it has ended")]
    Busy {
        /// The unfinished file.
        path: PathBuf,
    },
    /// A file or folder cannot be used.
    #[error("{path} cannot be {action} ({error})")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was to be done with it.
        action: &'static str,
        /// What the system said. (Part of the message, hence not its `source`.)
        error: std::io::Error,
    },
    /// A published file could not be turned into the table of the catalogue.
    #[error("{path} does not become the table of the catalogue: {problem}")]
    Conversion {
        /// The published file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

fn hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "the list of data sets names all there are".into(),
    }
}

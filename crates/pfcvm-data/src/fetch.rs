//! The files of a data set, brought into a folder.

use crate::download::download;
use crate::{Conversion, DataFile, DataSet, Error, Folder, Source, checksum, files};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to fetch.
#[derive(Debug, Clone)]
pub struct Options {
    /// Base address under which somebody keeps the files of a data folder: the colon data are at
    /// `BASE/colon/data.csv.gz`. Without one, files come from where they are published.
    pub mirror: Option<String>,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// How long a server may be silent.
    pub stall_timeout: Duration,
}

impl Default for Options {
    /// No mirror, 15 seconds to connect, 30 seconds of silence.
    fn default() -> Self {
        Self {
            mirror: None,
            connect_timeout: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(30),
        }
    }
}

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The file, below the data folder.
    pub file: &'a str,
    /// Bytes that are there, those of an earlier attempt included. It falls back to 0 where a
    /// server cannot go on in the middle of a file.
    pub done: u64,
    /// Bytes of the whole file.
    pub total: u64,
}

/// What came of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The data file.
    pub data: PathBuf,
    /// All files of the set.
    pub files: Vec<PathBuf>,
    /// Bytes that came over the network: 0 if everything was there.
    pub received: u64,
}

/// Brings the files of a set into a folder. Files that are there with the right checksum stay as
/// they are; a file that is there with another one is an error and is never overwritten.
///
/// Files come from the mirror if there is one. Otherwise they come from where the set is
/// published, if the bytes there are known ([`Source::Published`]); such a file is kept under its
/// own name beside the table that is made of it. All other sets are refused with a sentence that
/// says how to get them.
///
/// The usual proxy variables (`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`) are honoured.
pub fn fetch(
    set: &DataSet,
    folder: &Folder,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Fetched, Error> {
    let name = set.name.to_string();
    let Some(data) = set.data_file().map(|file| folder.path_of(file)) else {
        return Err(Error::Licensed { name, how: set.how_to_get() });
    };
    let mut missing = Vec::new();
    for file in set.files {
        let path = folder.path_of(file);
        if !files::is_there(file, &path)? {
            missing.push((file, path));
        }
    }
    let mut received = 0;
    match (&options.mirror, &set.source) {
        _ if missing.is_empty() => {}
        (Some(base), _) => {
            for (file, path) in &missing {
                let address = format!("{}/{}", base.trim_end_matches('/'), file.path);
                received += download(&address, file, path, options, progress)?;
            }
        }
        (None, Source::Published { address, file, conversion }) => {
            let path = folder.path_of(file);
            if !files::is_there(file, &path)? {
                received += download(address, file, &path, options, progress)?;
            }
            for (table, target) in &missing {
                convert(conversion, &path, table, target)?;
            }
        }
        (None, Source::ByHand(_) | Source::Licensed(_)) => {
            return Err(Error::ByHand { name, how: set.how_to_get(), path: data });
        }
    }
    let files = set.files.iter().map(|file| folder.path_of(file)).collect();
    Ok(Fetched { data, files, received })
}

/// Makes the table of the catalogue out of a published file.
fn convert(
    conversion: &Conversion,
    published: &Path,
    table: &DataFile,
    target: &Path,
) -> Result<(), Error> {
    let text = std::fs::read_to_string(published)
        .map_err(|error| files::problem(published, "read", error))?;
    let wrong = |problem| Error::Conversion { path: published.into(), problem };
    let converted = conversion.apply(&text).map_err(wrong)?;
    let found = checksum::sha256(converted.as_bytes())
        .map_err(|error| files::problem(published, "read", error))?;
    if found != table.sha256 {
        let expected = table.sha256;
        return Err(wrong(format!("its sha256 would be {found}, expected is {expected}")));
    }
    files::make_folder_of(target)?;
    files::write(target, converted.as_bytes())
}

//! Where data are kept, and what is there.

use crate::{DataFile, DataSet, Error, files};
use etcetera::BaseStrategy;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The environment variable that names the data folder.
const VARIABLE: &str = "PFCVM_DATA";

/// A folder that holds data sets, each in a folder of its own name. It need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    choice: Choice,
}

/// Who chose a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The caller.
    Explicit,
    /// The environment variable `PFCVM_DATA`.
    Environment,
    /// The system: the place for the user's data.
    UserData,
    /// Nobody, for the user has no home: a folder `pfcvm-data` where the program runs.
    Here,
}

/// How much of a data set is in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// Nothing, or side files only.
    Missing,
    /// The data file is there, but not these.
    Incomplete {
        /// Side files that are missing.
        missing: Vec<PathBuf>,
    },
    /// All files are there; their bytes were not looked at.
    There,
    /// All files are there with the right checksums.
    Verified,
    /// A file is there with another checksum.
    Different {
        /// The file.
        path: PathBuf,
        /// The checksum of the catalogue.
        expected: String,
        /// The checksum of the file.
        found: String,
    },
}

impl Folder {
    /// The data folder: the one named, else the one of the environment variable `PFCVM_DATA`, else
    /// `pfcvm` among the user's data (`$XDG_DATA_HOME` or `~/.local/share` on Linux,
    /// `~/Library/Application Support` on macOS, `%APPDATA%` on Windows).
    pub fn find(explicit: Option<&Path>) -> Folder {
        Self::choose(explicit, std::env::var_os(VARIABLE))
    }

    fn choose(explicit: Option<&Path>, variable: Option<OsString>) -> Folder {
        if let Some(path) = explicit {
            return Folder { path: path.into(), choice: Choice::Explicit };
        }
        if let Some(path) = variable.filter(|path| !path.is_empty()) {
            return Folder { path: path.into(), choice: Choice::Environment };
        }
        match etcetera::base_strategy::choose_native_strategy() {
            Ok(places) => {
                Folder { path: places.data_dir().join("pfcvm"), choice: Choice::UserData }
            }
            Err(_) => Folder { path: "pfcvm-data".into(), choice: Choice::Here },
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Who chose it.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// Where a file of the catalogue belongs, whether or not it is there.
    pub fn path_of(&self, file: &DataFile) -> PathBuf {
        // Piece by piece, so that Windows shows its own separators.
        let mut path = self.path.clone();
        path.extend(file.path.split('/'));
        path
    }

    /// The data file of a set, if it is there.
    pub fn locate(&self, set: &DataSet) -> Option<PathBuf> {
        set.data_file().map(|file| self.path_of(file)).filter(|path| path.is_file())
    }

    /// How much of a set is there. Reads no file.
    pub fn status(&self, set: &DataSet) -> Status {
        if self.locate(set).is_none() {
            return Status::Missing;
        }
        let paths = set.side_files().iter().map(|file| self.path_of(file));
        let missing: Vec<PathBuf> = paths.filter(|path| !path.is_file()).collect();
        if missing.is_empty() { Status::There } else { Status::Incomplete { missing } }
    }

    /// How much of a set is there, and whether its bytes are those of the catalogue. A file that
    /// cannot be read is an error.
    pub fn verify(&self, set: &DataSet) -> Result<Status, Error> {
        for file in set.files {
            let path = self.path_of(file);
            match files::checksum(&path)? {
                Some(found) if found != file.sha256 => {
                    return Ok(Status::Different { path, expected: file.sha256.into(), found });
                }
                _ => {}
            }
        }
        match self.status(set) {
            Status::There => Ok(Status::Verified),
            other => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_goes_before_the_variable_and_that_before_the_system() {
        let here = Path::new("here");
        let both = Folder::choose(Some(here), Some("there".into()));
        assert_eq!((both.path(), both.choice()), (here, Choice::Explicit));
        let variable = Folder::choose(None, Some("there".into()));
        assert_eq!((variable.path(), variable.choice()), (Path::new("there"), Choice::Environment));
        let neither = Folder::choose(None, None);
        assert!(!matches!(neither.choice(), Choice::Explicit | Choice::Environment));
        assert!(neither.path().to_string_lossy().contains("pfcvm"));
        assert_eq!(Folder::choose(None, Some("".into())), neither);
    }
}

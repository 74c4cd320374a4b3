//! What can keep an experiment from being done.

use thiserror::Error;

/// Why an experiment stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A data file cannot be used.
    #[error(transparent)]
    Data(#[from] pfcvm_io::Error),
    /// A study cannot be done.
    #[error(transparent)]
    Study(#[from] pfcvm_study::Error),
    /// A fit was refused.
    #[error(transparent)]
    Fit(#[from] pfcvm::Error),
    /// A page cannot be laid out.
    #[error(transparent)]
    Page(#[from] pfcvm_report::Error),
    /// A trial failed.
    #[error("{trial}: {reason}")]
    Trial {
        /// Which.
        trial: String,
        /// Why.
        reason: String,
    },
    /// A side file of a data set is not what it should be.
    #[error("{file}: {reason}; get the data set again")]
    SideFile {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<pfcvm_methods::Error> for Error {
    fn from(error: pfcvm_methods::Error) -> Self {
        Error::Study(error.into())
    }
}

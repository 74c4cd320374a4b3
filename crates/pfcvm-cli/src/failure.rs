//! Why the program gives up, and with which exit code.

use crate::output::note;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

/// A reason to stop. Each has its exit code; the message is one sentence.
#[derive(Debug)]
pub enum Failure {
    /// A bug.
    Internal(String),
    /// An option has a value it cannot have.
    Usage(String),
    /// The data cannot be used.
    Data(String),
    /// The model file cannot be used.
    Model(String),
    /// A result cannot be written.
    Output(String),
    /// Whoever read standard output (`head`, a pager) has seen enough. Not an error.
    ReaderLeft,
}

/// What a command gives.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A file that cannot be written.
    pub fn writing(path: &Path, error: &std::io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::StorageFull => "the disk is full; nothing was written".into(),
            ErrorKind::FileTooLarge => "it is larger than is allowed; nothing was written".into(),
            _ => error.to_string(),
        };
        Failure::Output(format!("{}: cannot be written ({reason})", path.display()))
    }

    /// Tells on standard error, and gives the exit code.
    pub fn report(self) -> ExitCode {
        let (code, message) = match self {
            Failure::ReaderLeft => return ExitCode::SUCCESS,
            Failure::Internal(message) => (1, message),
            Failure::Usage(message) => (2, message),
            Failure::Data(message) => (3, message),
            Failure::Model(message) => (4, message),
            Failure::Output(message) => (5, message),
        };
        note(&format!("error: {message}"));
        ExitCode::from(code)
    }
}

/// Standard output cannot be written to.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe {
            return Failure::ReaderLeft;
        }
        Failure::Output(format!("standard output: cannot be written ({error})"))
    }
}

impl From<pfcvm_io::Error> for Failure {
    fn from(error: pfcvm_io::Error) -> Self {
        match error {
            pfcvm_io::Error::Model { .. } => Failure::Model(error.to_string()),
            _ => Failure::Data(error.to_string()),
        }
    }
}

impl From<pfcvm::Error> for Failure {
    fn from(error: pfcvm::Error) -> Self {
        match error {
            pfcvm::Error::Setting { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Data(error.to_string()),
        }
    }
}

impl From<pfcvm_methods::Error> for Failure {
    fn from(error: pfcvm_methods::Error) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<pfcvm_study::Error> for Failure {
    fn from(error: pfcvm_study::Error) -> Self {
        use pfcvm_study::Error;
        match error {
            Error::Splits { .. }
            | Error::NoGroups { .. }
            | Error::EveryFold { .. }
            | Error::TooMany { .. }
            | Error::OneClassLeft { .. }
            | Error::ClassGone { .. } => Failure::Data(error.to_string()),
            Error::Record { .. } => Failure::Output(error.to_string()),
            _ => Failure::Usage(error.to_string()),
        }
    }
}

impl From<pfcvm_data::Error> for Failure {
    fn from(error: pfcvm_data::Error) -> Self {
        use pfcvm_data::Error;
        match error {
            Error::UnknownName { .. } | Error::BadAddress { .. } => {
                Failure::Usage(error.to_string())
            }
            Error::DiskFull { .. } | Error::File { .. } => Failure::Output(error.to_string()),
            _ => Failure::Data(error.to_string()),
        }
    }
}

impl From<pfcvm_experiments::Error> for Failure {
    fn from(error: pfcvm_experiments::Error) -> Self {
        use pfcvm_experiments::Error;
        match error {
            Error::Data(error) => error.into(),
            Error::Study(error) => error.into(),
            Error::Fit(error) => error.into(),
            Error::Page(error) => error.into(),
            _ => Failure::Data(error.to_string()),
        }
    }
}

/// The program gave a page something that it cannot show.
impl From<pfcvm_report::Error> for Failure {
    fn from(error: pfcvm_report::Error) -> Self {
        Failure::Internal(format!("the page cannot be written ({error})"))
    }
}

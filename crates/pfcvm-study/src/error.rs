//! What a caller can get wrong, by what they can do about it.

use std::path::PathBuf;
use thiserror::Error;

/// Why a study cannot be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A protocol that cannot be read.
    #[error(
        "`{text}` is no protocol: loo, kfold:K, kfold:KxR, holdout:PERCLASS, holdout:PERCLASSxR, \
         bootstrap:R, groups:COLUMN or splits:FILE, with whole numbers from 1 (K from 2) and at most \
         1000000 splits"
    )]
    Protocol {
        /// The text.
        text: String,
    },
    /// The rows cannot be split so.
    #[error("{protocol}: {source}")]
    Splits {
        /// The protocol.
        protocol: String,
        /// What stands in the way.
        source: pfcvm_eval::Error,
    },
    /// More splits than can be held.
    #[error(
        "{protocol}: {splits} splits of {rows} rows are more than can be held; use fewer, as \
         kfold:10 has"
    )]
    TooMany {
        /// The protocol.
        protocol: String,
        /// How many splits.
        splits: usize,
        /// How many rows.
        rows: usize,
    },
    /// No fold was fitted.
    #[error("every fold failed; the first one: {reason}")]
    EveryFold {
        /// Why the first was not.
        reason: String,
    },
    /// A protocol by groups, and no groups.
    #[error("{protocol} needs a group for every row")]
    NoGroups {
        /// The protocol.
        protocol: String,
    },
    /// Without one group only one class is left.
    #[error(
        "without the group `{group}` all rows that are left are of one class; join groups, or use \
         another protocol"
    )]
    OneClassLeft {
        /// The group.
        group: String,
    },
    /// Without one group a class is gone.
    #[error(
        "without the group `{group}` a class has no rows left; join groups, or use another protocol"
    )]
    ClassGone {
        /// The group.
        group: String,
    },
    /// A file of splits that cannot be used.
    #[error("{}: {reason}", file.display())]
    GivenSplits {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A method that cannot be made.
    #[error(transparent)]
    Method(#[from] pfcvm_methods::Error),
    /// The results in a folder belong to something else.
    #[error(
        "{} holds results of another command ({differences}); name another folder, or begin anew \
         with --fresh", folder.display()
    )]
    OtherCommand {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        differences: String,
    },
    /// The record of finished folds is damaged.
    #[error(
        "{}: line {line} cannot be read; begin anew with --fresh, or name another folder",
        file.display()
    )]
    Damaged {
        /// The record.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A file that is to be begun anew is no record.
    #[error("{}: this is no record of folds and is left alone; name another folder", file.display())]
    NoRecord {
        /// The file.
        file: PathBuf,
    },
    /// Another process is at it.
    #[error(
        "the same work is going on in another process (its results are in {}); wait for it, or \
         name another folder", folder.display()
    )]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// Finished folds cannot be recorded.
    #[error("{}: finished folds cannot be recorded ({source})", file.display())]
    Record {
        /// The record.
        file: PathBuf,
        /// What stands in the way.
        source: std::io::Error,
    },
}

//! What can be wrong with a data file or with the classes asked of it.

/// Why no data could be had. Every message is one sentence that says where to look.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is wrong in a named file.
    #[error("{path}: {problem}")]
    InFile {
        /// The file, as the caller named it.
        path: String,
        /// What is wrong with it. (Part of the message, hence not its `source`.)
        problem: Box<Error>,
    },
    /// The file cannot be opened or read.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::Error),
    /// The bytes are not text in comma-separated form.
    #[error("not a readable CSV file ({0})")]
    Malformed(csv::Error),
    /// There is not even a header row.
    #[error("the file is empty; a header row with column names is expected")]
    Empty,
    /// There is a header row and nothing else.
    #[error("the file has a header row but no data rows")]
    HeaderOnly,
    /// The only column is the label.
    #[error("the file has no feature column beside the label")]
    NoFeatures,
    /// The label column asked for is not in the header.
    #[error("there is no column named `{name}` to take the label from")]
    NoSuchColumn {
        /// The name asked for.
        name: String,
    },
    /// A row is shorter or longer than the header.
    #[error("line {line} has {found} fields where the header has {expected}")]
    RaggedRow {
        /// Line number in the file, from 1.
        line: u64,
        /// Columns in the header.
        expected: usize,
        /// Fields in the row.
        found: usize,
    },
    /// A field does not hold what its column asks for.
    #[error("line {line}, column {column} ({name}): `{text}` {problem}")]
    BadField {
        /// Line number in the file, from 1.
        line: u64,
        /// Column number, from 1.
        column: usize,
        /// The column's name in the header.
        name: String,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        problem: FieldProblem,
    },
    /// No row carries a class that was asked for.
    #[error("no row has the label {label}")]
    MissingClass {
        /// The label asked for.
        label: i64,
    },
    /// A chosen row belongs to neither of the two classes.
    #[error("row {row} has the label {label}, which is neither {negative} nor {positive}")]
    OtherClass {
        /// The row, from 0.
        row: usize,
        /// Its label.
        label: i64,
        /// The label of the negative class.
        negative: i64,
        /// The label of the positive class.
        positive: i64,
    },
    /// A chosen row does not exist.
    #[error("row {row} was asked for, but there are only {rows} rows")]
    NoSuchRow {
        /// The row, from 0.
        row: usize,
        /// How many there are.
        rows: usize,
    },
    /// A model file cannot be used.
    #[error("{path}: {problem}")]
    Model {
        /// The file, as the caller named it.
        path: String,
        /// What is wrong with it. (Part of the message, hence not its `source`.)
        problem: Box<crate::ModelProblem>,
    },
    /// The two classes are not usable as training data.
    #[error(transparent)]
    Data(#[from] pfcvm::Error),
}

/// What is wrong with one field of a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldProblem {
    /// A feature is text, or empty.
    #[error("is not a number")]
    NotANumber,
    /// A feature is NaN or infinite, or too large for a float.
    #[error("is not a finite number")]
    NotFinite,
    /// A class label is not a whole number.
    #[error("is not a whole number, as a label must be")]
    NotALabel,
}

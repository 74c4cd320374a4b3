//! What can be wrong with data or with what is asked of them.

use crate::collected::Fault;
use std::fmt;

/// Why no data could be had. Every message is one sentence: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is wrong in a named input.
    #[error("{input}: {problem}")]
    InFile {
        /// The file as the caller named it, or `standard input`.
        input: String,
        /// What is wrong with it. (Part of the message, hence not its `source`.)
        problem: Box<Error>,
    },
    /// The file cannot be opened or read.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::Error),
    /// Compressed data, or an array, end too early.
    #[error("the {what} breaks off before its end; copy or download the file again")]
    CutOff {
        /// What breaks off.
        what: &'static str,
    },
    /// Compressed data are damaged.
    #[error("the {what} is damaged ({detail}); copy or download the file again")]
    Damaged {
        /// What is damaged.
        what: &'static str,
        /// What the decoder says.
        detail: String,
    },
    /// There is nothing in the file.
    #[error("the file is empty; rows of data are expected")]
    Empty,
    /// There are column names or declarations and nothing else.
    #[error("there is a header but no row of data below it; add rows")]
    HeaderOnly,
    /// The only column is the label, or all others are ignored.
    #[error("there is no feature column beside the label; at least one is needed")]
    NoFeatures,
    /// The bytes are something else than a table.
    #[error("this is {what}")]
    NotText {
        /// What it is, and what to do.
        what: &'static str,
    },
    /// There is one column only.
    #[error(
        "only one column was found (the first line is `{line}`); columns are separated by commas, \
         semicolons, tabs or blanks"
    )]
    OneColumn {
        /// The first line, shortened.
        line: String,
    },
    /// Lines end in carriage returns only.
    #[error(
        "lines end in carriage returns alone; save the file with line feeds, as all current \
         systems do"
    )]
    CarriageReturns,
    /// A column asked for is not there.
    #[error("there is no column `{name}` to {purpose}; {known}")]
    NoSuchColumn {
        /// The name asked for.
        name: String,
        /// What it was wanted for.
        purpose: &'static str,
        /// Which columns there are, in words.
        known: String,
    },
    /// Several columns were asked for that do not exist.
    #[error("there are no columns {names} to {purpose}; {known}")]
    NoSuchColumns {
        /// Their names.
        names: String,
        /// What they were to be used for.
        purpose: &'static str,
        /// The nearest name to the first of them, or the first few there are.
        known: String,
    },
    /// A position of the label column lies outside the columns.
    #[error(
        "there is no column {position} to take the label from; positions count from 1 (or from \
         -1 at the end), and there are {columns} columns"
    )]
    NoSuchPosition {
        /// The position asked for.
        position: i64,
        /// How many columns there are.
        columns: usize,
    },
    /// The label column is also to be left out.
    #[error("the column `{name}` is the label and cannot be ignored; name another label")]
    LabelIgnored {
        /// The column's name.
        name: String,
    },
    /// Columns that a model needs are missing.
    #[error("{}; the names must be those the model was fitted with", missing_columns(.names, *.more))]
    MissingColumns {
        /// The first few of them.
        names: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// Two columns have the same name.
    #[error("columns {first} and {second} are both named `{name}`; rename one of them")]
    DuplicateColumn {
        /// The name.
        name: String,
        /// Position of the first, from 1.
        first: usize,
        /// Position of the second, from 1.
        second: usize,
    },
    /// A row is shorter or longer than it should be.
    #[error("line {line} has {found} where there are {expected} columns; mend or remove the line")]
    RaggedRow {
        /// Line number in the file, from 1.
        line: u64,
        /// Columns there are.
        expected: usize,
        /// Fields in the row, in words.
        found: String,
    },
    /// A field does not hold what its column asks for.
    #[error("{place}: `{text}` {problem}")]
    BadField {
        /// Where it stands.
        place: Place,
        /// What stands there, shortened.
        text: String,
        /// What is wrong with it.
        problem: FieldProblem,
    },
    /// A value is missing.
    #[error("{place}: the value is missing; fill it in or drop the row")]
    Missing {
        /// Where it is missing.
        place: Place,
    },
    /// Text is not UTF-8.
    #[error("{place}: the text is not UTF-8; save the file as UTF-8")]
    NotUtf8 {
        /// Where it stands.
        place: Place,
    },
    /// A line does not follow its format.
    #[error("line {line}: {problem}")]
    BadLine {
        /// Line number in the file, from 1.
        line: u64,
        /// What is wrong and what is expected.
        problem: String,
    },
    /// The sheet of a spreadsheet cannot be used.
    #[error("{0}")]
    Sheet(String),
    /// Typed columns cannot be used.
    #[error("{0}")]
    Typed(String),
    /// The file is of a format that needs a part which was not built.
    #[error(
        "this is {what}, which is read only where the feature `{feature}` was built (cargo install \
         --path crates/pfcvm-cli --features {feature}); build it, or save the data as CSV"
    )]
    NotBuilt {
        /// What it is.
        what: &'static str,
        /// The feature of cargo that reads it.
        feature: &'static str,
    },
    /// A format whose columns are known at its end only.
    #[error(
        "a {format} file cannot be read part by part, for its columns are known at its end only; save it as Parquet or CSV, or leave out --stream"
    )]
    NotInParts {
        /// Its name.
        format: &'static str,
    },
    /// A NumPy array or archive cannot be used.
    #[error("{0}")]
    Array(String),
    /// A MATLAB file cannot be used.
    #[error("{0}")]
    Matlab(String),
    /// Something is wrong in a variable of a MATLAB file.
    #[error("{name}: {problem}")]
    InVariable {
        /// The variable's name.
        name: String,
        /// What is wrong with it. (Part of the message, hence not its `source`.)
        problem: Box<Error>,
    },
    /// A folder does not hold the recordings it should.
    #[error("{0}")]
    Recordings(String),
    /// The data are larger than the caller allows.
    #[error(
        "{what} would take {needed_mib} MiB of memory, more than the limit of {limit_mib} MiB; \
         read fewer rows or columns, or raise the limit"
    )]
    TooLarge {
        /// What is too large.
        what: String,
        /// Memory it would take.
        needed_mib: u64,
        /// Memory allowed.
        limit_mib: u64,
    },
    /// A class that was asked for is not there.
    #[error("no row has the label `{label}`; the labels are {known}")]
    MissingClass {
        /// The label asked for.
        label: String,
        /// Labels there are, in words.
        known: String,
    },
    /// The same class was named twice.
    #[error("`{label}` was named for both classes; name two different ones")]
    SameClass {
        /// The label.
        label: String,
    },
    /// All rows belong to one class.
    #[error("all {rows} rows have the label `{label}`; two classes are needed to learn from")]
    OneClass {
        /// The only label.
        label: String,
        /// How many rows there are.
        rows: usize,
    },
    /// There are more than two classes and no choice.
    #[error("there are {count} classes ({known}); {}", what_to_pick(*.count, .label))]
    ManyClasses {
        /// How many there are.
        count: usize,
        /// The first few with their counts, in words.
        known: String,
        /// A column that is rather the label, by its name.
        label: Option<String>,
    },
    /// No row has a label.
    #[error("no row has a label; name the label column with --label")]
    NoLabels,
    /// All columns beside the label are left out.
    #[error("no column is left to learn from: {why}")]
    NothingLeft {
        /// What was left out for which reason.
        why: String,
    },
    /// Numbers of several columns are not finite.
    #[error(
        "{columns} columns hold numbers that are not finite: {listed}; replace them or drop the rows"
    )]
    NotFiniteColumns {
        /// How many columns.
        columns: usize,
        /// The first few with the first such number of each, in words.
        listed: String,
    },
    /// Columns cannot be put together as asked for.
    #[error("{0}")]
    Groups(String),
    /// A class has too few rows.
    #[error("the class `{label}` has only {rows}; at least two rows of each class are needed")]
    FewRows {
        /// The label.
        label: String,
        /// How many rows carry it, in words.
        rows: String,
    },
    /// A chosen row belongs to neither of the two classes.
    #[error("row {row} has the label `{label}`, which is neither `{negative}` nor `{positive}`")]
    OtherClass {
        /// The row, from 0.
        row: usize,
        /// Its label.
        label: String,
        /// The label of the negative class.
        negative: String,
        /// The label of the positive class.
        positive: String,
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
    /// Settings in JSON that cannot be used.
    #[error("{0}")]
    Settings(String),
    /// The two classes are not usable as training data.
    #[error(transparent)]
    Data(#[from] pfcvm::Error),
}

/// Many classes are often numbers from a column that is no label.
fn what_to_pick(classes: usize, label: &Option<String>) -> String {
    match label {
        Some(label) => format!("if the column `{label}` is the label, give --label {label}"),
        None if classes > 10 => {
            "name another label column with --label, or pick two classes with --classes A,B; if samples \
             stand in columns, turn the table round: a row must be a sample"
                .into()
        }
        None => "pick two with --classes A,B".into(),
    }
}

impl Error {
    /// Whether a table would take more memory than is allowed.
    pub fn is_too_large(&self) -> bool {
        match self {
            Error::InFile { problem, .. } => problem.is_too_large(),
            other => matches!(other, Error::TooLarge { .. }),
        }
    }

    /// What is wrong with numbers that are not finite, of all columns at once.
    pub(crate) fn of_faults(faults: Vec<Fault>) -> Option<Self> {
        const LISTED: usize = 5;
        let mut first: Vec<Fault> = Vec::new();
        for fault in faults {
            if !first.iter().any(|known| known.place.column == fault.place.column) {
                first.push(fault);
            }
        }
        first.sort_by_key(|fault| fault.place.column);
        if first.len() < 2 {
            let Fault { place, text } = first.pop()?;
            return Some(Error::BadField { place, text, problem: FieldProblem::NotFinite });
        }
        let columns = first.len();
        let mut listed: Vec<String> = Vec::new();
        for Fault { place, text } in first.into_iter().take(LISTED) {
            let name = shown(place.name.as_bytes());
            listed.push(format!("`{name}` ({} {}: `{text}`)", place.unit, place.number));
        }
        if columns > LISTED {
            listed.push("…".into());
        }
        Some(Error::NotFiniteColumns { columns, listed: listed.join(", ") })
    }

    /// The same problem with the input it lies in.
    pub fn within(self, input: &str) -> Self {
        match self {
            Error::InFile { .. } => self,
            problem => Error::InFile { input: input.into(), problem: Box::new(problem) },
        }
    }
}

/// Where a field stands; everything counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// `line` of a text or `row` of an array.
    pub unit: &'static str,
    /// Number of the line or row.
    pub number: u64,
    /// Position of the column.
    pub column: usize,
    /// The column's name.
    pub name: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = shown(self.name.as_bytes());
        write!(f, "{} {}, column {} ({name})", self.unit, self.number, self.column)
    }
}

/// What is wrong with one field of a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldProblem {
    /// A value that only numbers can have is text.
    #[error("is not a number; LIBSVM has numbers only")]
    NotANumber,
    /// A value is NaN or infinite, or too large for a float.
    #[error("is not a finite number; replace it or drop the row")]
    NotFinite,
    /// A label says that there is none.
    #[error("is no label; drop such rows, or give the class another name if it is one")]
    NoLabel,
}

fn missing_columns(names: &[String], more: usize) -> String {
    let quoted: Vec<String> =
        names.iter().map(|name| format!("`{}`", shown(name.as_bytes()))).collect();
    match (more, names.len()) {
        (0, 1) => format!("the column {} is missing", quoted[0]),
        (0, _) => format!("the columns {} are missing", quoted.join(", ")),
        _ => format!("the columns {} and {more} more are missing", quoted.join(", ")),
    }
}

/// Text of a file as a message shows it: control characters escaped, at most 40 characters.
pub(crate) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    // Four bytes per character at most; the rest of a giant field need not be looked at.
    let start = &text[..text.len().min(4 * LONGEST + 4)];
    let mut out = String::new();
    for (count, character) in String::from_utf8_lossy(start).chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

/// `1 field`, `2 fields`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

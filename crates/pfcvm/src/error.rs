//! What a caller can get wrong, by what they can do about it.

use thiserror::Error;

/// Why a fit or a prediction was refused. How a fit *ended* is not an error: see
/// [`Termination`](crate::Termination).
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to learn from.
    #[error("the data have {rows} rows and {cols} columns; both must be at least 1")]
    Empty {
        /// Rows given.
        rows: usize,
        /// Columns given.
        cols: usize,
    },
    /// Two inputs that belong together differ in length.
    #[error("{what}: {found} given, {expected} needed")]
    Length {
        /// Which input.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// Lists of written cells that are no sparse matrix.
    #[error("the sparse matrix is malformed: {problem}; build it anew")]
    Written {
        /// What is wrong.
        problem: &'static str,
    },
    /// A value that is neither a finite number nor a gap.
    #[error(
        "row {row}, column {col} holds {value}; replace it, or make it a gap (NaN) (rows and columns count from 0)"
    )]
    NotFinite {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        col: usize,
        /// The value found.
        value: f64,
    },
    /// A value too large to be squared, with standardisation switched off.
    #[error(
        "row {row}, column {col} holds {value:e}, too large to use as it is; switch standardisation on"
    )]
    TooLargeValue {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        col: usize,
        /// The value found.
        value: f64,
    },
    /// A code that stands for no word.
    #[error(
        "row {row}, column {col} holds {value}, but the column's words are numbered from 0 and there are {levels}; a gap is NaN (rows and columns count from 0)"
    )]
    UnknownLevel {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        col: usize,
        /// The value found.
        value: f64,
        /// How many words the column has.
        levels: usize,
    },
    /// A class has too few samples.
    #[error(
        "{positive} positive and {negative} negative samples with a weight above 0; each class needs at least {needed}"
    )]
    TooFewInClass {
        /// Positive samples.
        positive: usize,
        /// Negative samples.
        negative: usize,
        /// Samples needed per class.
        needed: usize,
    },
    /// Every column is constant.
    #[error(
        "none of the {cols} columns varies by more than rounding; there is nothing to tell the classes apart"
    )]
    NoVaryingFeature {
        /// Columns given.
        cols: usize,
    },
    /// A setting outside its range.
    #[error("{name} = {value} is out of range: {allowed}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// The value given.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The fit would need more memory than allowed.
    #[error(
        "the fit needs about {needed_mib} MiB and {limit_mib} MiB are allowed; lower `max_basis` (now {basis}) or raise the limit"
    )]
    Memory {
        /// Estimated need.
        needed_mib: usize,
        /// The limit.
        limit_mib: usize,
        /// Number of basis candidates assumed.
        basis: usize,
    },
    /// A panel would not fit in the memory allowed.
    #[error(
        "the panel needs about {needed_mib} MiB and {limit_mib} MiB are allowed; use fewer features, rows, members or threads, or raise the limit"
    )]
    PanelMemory {
        /// Estimated need.
        needed_mib: usize,
        /// The limit.
        limit_mib: usize,
    },
    /// There is nothing to tell apart.
    #[error("{classes} classes are given and at least 2 are needed")]
    FewClasses {
        /// Classes given.
        classes: usize,
    },
    /// Two classes have one name.
    #[error("two classes are called `{name}`; give each a name of its own")]
    SameClass {
        /// The name.
        name: String,
    },
    /// A label that is no class.
    #[error(
        "row {row} (from 0) is of class {code}, but classes count from 0 and there are {classes}"
    )]
    UnknownClass {
        /// Row, from 0.
        row: usize,
        /// Its label.
        code: usize,
        /// Number of classes.
        classes: usize,
    },
    /// A class that nothing can be learned about.
    #[error(
        "the class `{name}` has no samples with a weight above 0; add some or leave the class out"
    )]
    EmptyClass {
        /// Its name.
        name: String,
    },
    /// Its flag went up ([`Stop`](crate::Stop)).
    #[error("the fit was stopped before its end; run it again for a result")]
    Stopped,
    /// One of several machines cannot be fitted.
    #[error("{machine}: {source}")]
    Machine {
        /// Which classes it is for, in words.
        machine: String,
        /// Why not.
        source: Box<Error>,
    },
    /// A machine gives something that is neither a finite decision nor a probability.
    #[error(
        "machine {machine} says {value} about row {row} (both from 0), which is no answer; its values are too far from the training data, or the model was tampered with"
    )]
    NoAnswer {
        /// Machine, from 0.
        machine: usize,
        /// Row, from 0.
        row: usize,
        /// What it says.
        value: f64,
    },
    /// Parts that do not belong together.
    #[error(
        "this is the answer to another question; ask the rows again what the learner wants to know now"
    )]
    OtherQuestion,
    /// A fit that is not over.
    #[error("there are questions left that no rows were asked; go on until there is none")]
    NotOver,
    /// Not even one iteration could be done.
    #[error(
        "the algebra broke down before the first iteration was over; switch standardisation on or lower the degree of the kernel"
    )]
    NumericalBreakdown,
}

//! Data for [`pfcvm`]: readers for the usual formats and the generators behind its experiments.
//!
//! Both give a [`Table`]: named columns of numbers or words, with gaps, and a class per row. A word is
//! its place among the levels of its column, a gap is NaN. [`Table::into_classes`] makes
//! it a data set of all its classes, or of two of them; [`Table::two_classes`] and [`Table::rows`]
//! one for a single machine.
//!
//! ```
//! use pfcvm_io::generate::{Labelling, waveform};
//!
//! let table = waveform(Labelling::Uci, &[0, 1], 200, 7);
//! let data = table.two_classes("0", "1")?;
//! assert_eq!((data.x().rows(), data.x().cols()), (400, 40));
//! # Ok::<(), pfcvm_io::Error>(())
//! ```
//!
//! [`read_table`] reads a whole file. [`Rows`] streams one of any length in blocks of rows, which
//! is what predictions need:
//!
//! ```
//! use pfcvm_io::{Block, Error, ReadOptions, Rows, Wanted};
//!
//! let text = "id,weight,height\nanna,61.5,170\nbert,80,182\n";
//! let rows = Rows::from_reader(text.as_bytes(), "people", &ReadOptions::default())?;
//! let features = rows.find(&["height".into(), "weight".into()])?;
//! let wanted = Wanted { features, ..Wanted::default() };
//! let sum = |block: Block| Ok::<f64, Error>(block.x.column(0).iter().sum());
//! let mut total = 0.0;
//! rows.for_each(&wanted, sum, |part, _bytes_read| {
//!     total += part;
//!     Ok(())
//! })?;
//! assert_eq!(total, 352.0);
//! # Ok::<(), Error>(())
//! ```
//!
//! | format | recognised by | columns | label |
//! |---|---|---|---|
//! | CSV, TSV | nothing else fits; the first line's separator, or blanks | header, or x1, x2, … | last, or by name or position |
//! | LIBSVM | `label index:value` | x1, x2, … | first |
//! | ARFF | `@relation` | `@attribute` | last, or by name or position |
//! | .npy | magic bytes | x1, x2, … | last, or by position |
//! | .npz | magic bytes | x1, x2, … of array `X` | array `y`, or a column of `X` |
//! | .xlsx, .xlsb, .xls, .ods | magic bytes | first row of a sheet | last, or by name or position |
//! | Parquet, Arrow | magic bytes | the file's | last, or by name or position |
//!
//! Any of them may be packed by gzip or zstd. Spreadsheets need the feature `excel`, Parquet and Arrow
//! the feature `parquet`; without them a file of that kind is an error that says so. Columns without names are numbered without the label: the features
//! of a table are x1 to xM wherever the label stands. A first column that numbers the rows, as
//! pandas and R write it, is no feature; a note says so.
//!
//! What columns hold is found out ([`Variable`]) unless it is told ([`ReadOptions::kinds`]): a cell is
//! a number, a word, or a gap until all rows are read. Rows for a model are read with the kinds and
//! levels of its training data ([`Wanted::contents`]).
//!
//! A [`ModelFile`] holds a fitted classifier; [`onnx`] writes it for other programs.
//!
//! [`seed`] reads the recordings of SEED, a set of EEG data under licence, from its own files.

mod arff;
mod array;
mod cells;
// What tests and fuzz targets ask of every reader: in no program.
#[cfg(any(debug_assertions, fuzzing))]
#[doc(hidden)]
pub mod checks;
pub mod checksum;
mod chunks;
mod collected;
#[cfg(feature = "parquet")]
mod columnar;
mod columns;
mod dates;
mod delimited;
mod detect;
mod error;
#[cfg(feature = "excel")]
mod excel;
mod field;
pub mod generate;
mod groups;
#[cfg(any(feature = "excel", feature = "parquet"))]
mod guard;
mod input;
mod kinds;
mod labels;
mod levels;
mod libsvm;
mod mat;
mod model_file;
mod npy;
mod npz;
pub mod onnx;
mod options;
mod outline;
pub mod overlay;
mod pipeline;
mod plan;
pub mod predictions;
mod read;
mod records;
mod rows;
pub mod seed;
mod staged;
mod stream;
mod summary;
mod system;
mod table;
mod texts;
mod thinned;
mod variable;
mod write;
mod zstd;

/// How a kernel was chosen, as a model file has it.
pub mod choice {
    pub use pfcvm::multiclass::{Choice, Reason, Tried};
}

pub use dates::DateOrder;
pub use error::{Error, FieldProblem, Place};
pub use groups::Groups;
pub use input::Input;
pub use labels::{Labels, same_class};
pub use levels::{Levels, MOST_LEVELS};
pub use model_file::{
    FitSettings, Fitted, FittedMachine, MODEL_SCHEMA, ModelFile, ModelProblem, NewRows, Onward,
    StoredColumn, Surprise, TableForm, Unnamed,
};
pub use options::{Format, Header, ReadOptions};
pub use outline::{ColumnOutline, Outline};
pub use read::{read_table, read_table_from_bytes};
pub use rows::{Block, Rows, Wanted};
pub use staged::{Staged, discard_unfinished};
pub use summary::{
    Best, ClassWorth, ColumnEffect, Course, EffectsSummary, Found, GoalScore, Goals, HeldOut,
    HeldOutOfAll, ListSureness, MachineSummary, PairColumn, PairEffect, SelectedFeature,
    SelectedSample, SelectedShare, Shape, Standing, Step, Summary, Sureness, Values, Verdict,
};
pub use system::available_memory_mib;
pub use table::Table;
pub use variable::{ColumnKind, Content, Variable};
pub use write::write_csv;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

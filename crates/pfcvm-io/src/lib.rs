//! Data for [`pfcvm`]: readers for the usual formats and the generators behind its experiments.
//!
//! Both give a [`Table`]: named numeric features and a class per row. [`Table::into_classes`] makes
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
//! | CSV, TSV | nothing else fits; the first line's separator | header, or x1, x2, … | last, or by name or position |
//! | LIBSVM | `label index:value` | x1, x2, … | first |
//! | ARFF | `@relation` | `@attribute` | last, or by name or position |
//! | .npy | magic bytes | x1, x2, … | last, or by position |
//! | .npz | magic bytes | x1, x2, … of array `X` | array `y`, or a column of `X` |
//!
//! Any of them may be gzipped. Columns without names are numbered without the label: the features
//! of a table are x1 to xM wherever the label stands. A first column that numbers the rows, as
//! pandas and R write it, is no feature; a note says so.
//!
//! A [`ModelFile`] holds a fitted classifier; [`onnx`] writes it for other programs.
//!
//! [`seed`] reads the recordings of SEED, a set of EEG data under licence, from its own files.

mod arff;
mod array;
#[doc(hidden)]
pub mod checks;
mod chunks;
mod columns;
mod delimited;
mod detect;
mod error;
mod field;
pub mod generate;
mod input;
mod labels;
mod libsvm;
mod mat;
mod model_file;
mod npy;
mod npz;
pub mod onnx;
mod options;
pub mod overlay;
mod pipeline;
mod read;
mod rows;
pub mod seed;
mod staged;
mod stream;
mod summary;
mod system;
mod table;
mod write;

pub use error::{Error, FieldProblem, Place};
pub use input::Input;
pub use labels::{Labels, same_class};
pub use model_file::{
    FitSettings, Fitted, FittedMachine, MODEL_SCHEMA, ModelFile, ModelProblem, Unnamed,
};
pub use options::{Format, Header, ReadOptions};
pub use read::{read_table, read_table_from_bytes};
pub use rows::{Block, Rows, Wanted};
pub use staged::{Staged, discard_unfinished};
pub use summary::{
    Best, Course, Found, HeldOut, ListSureness, MachineSummary, SelectedFeature, SelectedSample,
    SelectedShare, Standing, Step, Summary, Sureness, Verdict,
};
pub use system::available_memory_mib;
pub use table::Table;
pub use write::write_csv;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

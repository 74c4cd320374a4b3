//! Data for [`pfcvm`]: a CSV reader and the generators behind its experiments.
//!
//! Both give a [`Table`]: named numeric features and one integer class label per row. A classifier
//! has two classes, so [`Table::two_classes`] or [`Table::rows`] names them and turns the table
//! into a [`pfcvm::Dataset`].
//!
//! ```
//! use pfcvm_io::generate::{Labelling, waveform};
//!
//! let table = waveform(Labelling::Uci, &[0, 1], 200, 7);
//! let data = table.two_classes(0, 1)?;
//! assert_eq!((data.x().rows(), data.x().cols()), (400, 40));
//! # Ok::<(), pfcvm_io::Error>(())
//! ```

mod csv_file;
mod error;
pub mod generate;
mod model_file;
mod staged;
mod table;

pub use csv_file::{read_csv, read_csv_from};
pub use error::{Error, FieldProblem};
pub use model_file::{Fitted, Listed, MODEL_SCHEMA, ModelFile, ModelProblem, Single};
pub use staged::{Staged, discard_unfinished};
pub use table::Table;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

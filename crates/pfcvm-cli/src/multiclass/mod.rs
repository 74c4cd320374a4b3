//! More than two classes: what the commands do then.

mod evaluate;

pub use evaluate::evaluate;

use crate::args;
use pfcvm_io::Table;

/// Whether there are more than two classes, and all are wanted.
pub fn concerns(table: &Table, reading: &args::Reading) -> bool {
    reading.classes.is_none() && table.class_names().len() > 2
}

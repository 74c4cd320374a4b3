//! What both curves of `price` share: columns, bars of letters, numbers with their errors.

use crate::lettering::letters;
use crate::page::{Cell, Column};
use crate::{fixed, percent};
use pfcvm_study::Estimate;

/// The longest bar in text, in letters.
const LONGEST_BAR: f64 = 24.0;

/// Where a page is read: bars stand in for a picture where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In a browser, with pictures.
    Picture,
    /// On a terminal, with bars of letters.
    Letters,
}

pub(super) fn columns(names: &[&str], form: Form) -> Vec<Column> {
    let column = |(at, name): (usize, &&str)| match (at, form) {
        // What heads a row of a page stands at its left.
        (0, Form::Picture) => Column::text(*name),
        _ => Column::number(*name),
    };
    let mut columns: Vec<Column> = names.iter().enumerate().map(column).collect();
    if form == Form::Letters {
        columns.push(Column::text("log loss"));
    }
    columns
}

/// A bar as long as a loss, beside the largest.
pub(super) fn bar(loss: f64, all: impl Iterator<Item = f64>, form: Form) -> Option<Cell> {
    let largest = all.fold(0.0, f64::max);
    let length = if largest > 0.0 { LONGEST_BAR * loss / largest } else { 0.0 };
    (form == Form::Letters).then(|| letters(length, LONGEST_BAR, true).into())
}

pub(super) fn with_error(estimate: &Estimate) -> String {
    format!("{} ± {}", fixed(estimate.mean, 3), fixed(estimate.error, 3))
}

pub(super) fn share_with_error(estimate: &Estimate) -> String {
    format!("{} ± {}", percent(estimate.mean), fixed(100.0 * estimate.error, 1))
}

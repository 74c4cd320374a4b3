//! One self-contained HTML page that shows what a fit found: which features matter, how the fit
//! went, which samples it remembers and how good its probabilities are.
//!
//! The page loads nothing, runs no script, follows the reader's light or dark theme and prints
//! well. Names from users' files are shown as text, whatever is in them.
//!
//! ```
//! use pfcvm_report::{Feature, Report, render};
//!
//! let feature = Feature { name: "length <mm>".into(), weight: 0.7, ..Feature::default() };
//! let report = Report { title: "Irises".into(), features: vec![feature], ..Report::default() };
//! let html = render(&report)?;
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("length &lt;mm&gt;"));
//! # Ok::<(), pfcvm_report::Error>(())
//! ```
//!
//! [`charts`] and [`page`] know nothing of fits: other reports can be built from them.

pub mod charts;
mod error;
mod lettering;
mod multiclass;
mod name;
mod number;
pub mod page;
mod report;
mod sections;

pub use error::Error;
pub use lettering::{isolated, shortened};
pub use multiclass::{
    MachineReport, MulticlassReport, MulticlassTest, OverallFeature, render_multiclass, test_blocks,
};
pub use number::{column, count, counted, duration, fixed, number, percent};
pub use page::Tile;
pub use report::{Feature, Iteration, Origin, Report, Sample, Test};

/// Histogram, calibration and ROC curve of probabilities, as parts of any page.
pub fn probability_figures(test: &Test) -> Vec<page::Figure> {
    sections::test::figures(test)
}

/// The report as one HTML file.
///
/// # Errors
/// If the test data do not belong together or hold something that is no probability.
pub fn render(report: &Report) -> Result<String, Error> {
    sections::page(report)?.html()
}

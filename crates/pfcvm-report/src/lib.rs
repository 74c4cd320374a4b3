//! Pages about fits and studies: one self-contained HTML file each, or plain text, from the same
//! structure.
//!
//! A [`FitAccount`] shows which features matter, how the fit went, which samples it remembers and
//! how good its probabilities are, for any number of classes.
//!
//! A page loads nothing, runs no script, follows the reader's light or dark theme and prints
//! well. Names from users' files are shown as text, whatever is in them.
//!
//! ```
//! use pfcvm_report::page::{Page, Section};
//!
//! let section = Section { id: "a".into(), heading: "length <mm>".into(), ..Section::default() };
//! let page = Page { title: "Irises".into(), sections: vec![section], ..Page::default() };
//! let html = page.html()?;
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("length &lt;mm&gt;"));
//! assert!(page.text().contains("length <mm>"));
//! # Ok::<(), pfcvm_report::Error>(())
//! ```
//!
//! [`charts`] and [`page`] know nothing of fits: other pages can be built from them.

mod calls;
pub mod charts;
mod error;
mod fit;
mod lettering;
mod name;
mod number;
pub mod page;
mod probability;
pub mod studies;

pub use calls::calls_blocks;
pub use error::Error;
pub use fit::{FitAccount, ListPrice, Test, model_text};
pub use lettering::{isolated, shortened};
pub use number::{column, count, counted, duration, fixed, number, percent};
pub use page::Tile;
pub use probability::{class_section, probability_figures};

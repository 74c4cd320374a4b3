//! A few kinds of pictures as inline SVG.
//!
//! Why not a plotting library: these pictures take their colours from the page through classes,
//! so that they follow its light and dark theme and print well; each mark carries its own tooltip
//! and each picture a description for screen readers; and a whole report stays below the size
//! of one bitmap. Libraries that draw finished pictures offer none of this.
//!
//! [`Frame`] is a plot with two axes for lines, steps, points, error bars and histograms;
//! [`Bars`] shows named values, [`Boxes`] named spreads, [`Lines`] named curves, [`Columns`] one
//! value for each of many features, [`HeadMap`] values at electrodes, [`Heat`] values over two axes, [`Grid`]
//! those of named rows and columns; [`CriticalDifference`]
//! compares methods by their ranks; [`Svg`] is what all draw on. The page's style sheet has the
//! classes they use.

mod apart;
mod bars;
mod boxes;
mod columns;
mod critical;
mod electrodes;
mod frame;
mod grid;
mod head;
mod heat;
mod legend;
mod lines;
mod marker;
mod scale;
mod svg;
mod thin;

pub use crate::lettering::Lettering;
pub use bars::{Bar, Bars};
pub use boxes::{BoxRow, Boxes, five_numbers};
pub use columns::{Columns, Stem};
pub use critical::CriticalDifference;
pub use electrodes::{SEED_CAP, UCI_CAP, electrode};
pub use frame::Frame;
pub use grid::{Grid, strongest};
pub use head::{HeadMap, Spot};
pub use heat::Heat;
pub use lines::{Level, Lines, Series};
pub use marker::Marker;
pub use scale::{Scale, drawable};
pub use svg::{Anchor, Picture, Svg, Tone};
pub use thin::thinned;

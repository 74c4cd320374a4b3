//! Numbers in words, and the frame of a picture.

use crate::charts::Picture;
use crate::page::{Content, Figure};
use crate::{fixed, percent};
use pfcvm_study::Measure;

/// Widths of a picture on a telephone and on a screen.
const NARROW: f64 = 360.0;
const WIDE: f64 = 940.0;

/// A picture across the page, drawn at two widths.
pub fn wide_figure(
    id: &str,
    heading: impl Into<String>,
    caption: impl Into<String>,
    draw: impl Fn(f64, &str) -> Picture,
) -> Figure {
    Figure {
        heading: heading.into(),
        legend: Vec::new(),
        content: Content::ByWidth {
            narrow: draw(NARROW, &format!("{id}-narrow")),
            wide: draw(WIDE, &format!("{id}-wide")),
        },
        caption: caption.into(),
    }
}

/// A share as per cent with its standard deviation in points, where it has one.
pub fn share(measure: &Measure) -> String {
    let spread = |sd: f64| format!(" ± {}", fixed(100.0 * sd, 1));
    format!("{}{}", percent(measure.mean), measure.sd.map_or_else(String::new, spread))
}

/// A number with its standard deviation, where it has one.
pub fn plain(measure: &Measure, decimals: usize) -> String {
    let spread = |sd: f64| format!(" ± {}", fixed(sd, decimals));
    let sd = measure.sd.map_or_else(String::new, spread);
    format!("{}{sd}", fixed(measure.mean, decimals))
}

/// A value or a dash.
pub fn or_dash<T>(value: &Option<T>, show: impl Fn(&T) -> String) -> String {
    value.as_ref().map_or_else(|| "–".into(), show)
}

/// What a 95 % interval says.
pub fn interval(measure: &Measure, show: impl Fn(f64) -> String) -> String {
    match measure.interval {
        // One of no width says nothing.
        Some((low, high)) if low < high => {
            format!("95\u{202f}% interval {} to {}", show(low), show(high))
        }
        _ => String::new(),
    }
}

/// A p value in a few digits.
pub(crate) fn small(p: f64) -> String {
    if p < 0.001 { format!("{p:.1e}") } else { fixed(p, 3) }
}

/// The text with a capital letter at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

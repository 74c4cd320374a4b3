//! What the marks of a picture mean, in rows as wide as the picture.

use super::marker::{Look, Marker};
use super::svg::{Anchor, Svg, Tone};
use crate::lettering::Lettering;

/// Height of a row.
pub(super) const ROW: f64 = 19.0;
/// Between two entries.
const GAP: f64 = 18.0;

/// What stands before the words of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    /// A square of a colour.
    Swatch(Tone),
    /// A mark.
    Mark(Marker, Tone),
    /// A piece of a line with its mark.
    Line(Look),
    /// A piece of a dashed help line.
    Level,
}

impl Key {
    /// How wide it is, with the space after it.
    pub fn width(self) -> f64 {
        match self {
            Self::Swatch(_) | Self::Mark(..) => 16.0,
            Self::Line(_) | Self::Level => 34.0,
        }
    }

    /// Draws it with its left end at a point.
    pub fn draw(self, svg: &mut Svg, (x, y): (f64, f64)) {
        match self {
            Self::Swatch(tone) => svg.bar((x, y - 5.0), (x + 10.0, y + 5.0), tone, ""),
            Self::Mark(marker, tone) => svg.marker((x + 5.0, y), 4.0, marker, tone, ""),
            Self::Line(look) => {
                svg.dashes(&[(x, y), (x + 28.0, y)], look);
                svg.mark((x + 14.0, y), 3.5, look, "");
            }
            Self::Level => svg.line((x, y), (x + 28.0, y), "level"),
        }
    }
}

/// Entries with the left end and the row of each.
pub(super) struct Legend {
    entries: Vec<(Key, String, f64, usize)>,
}

impl Legend {
    /// Lays entries out in rows of a width; words that do not fit into one are cut.
    pub fn new(entries: impl IntoIterator<Item = (Key, String)>, width: f64) -> Self {
        let (mut x, mut row) = (0.0, 0);
        let mut placed = Vec::new();
        for (key, text) in entries {
            let text = Lettering::Tick.fitted(&text, (width - key.width()).max(24.0));
            let room = key.width() + Lettering::Tick.width(&text);
            if x > 0.0 && x + room > width {
                (x, row) = (0.0, row + 1);
            }
            placed.push((key, text, x, row));
            x += room + GAP;
        }
        Self { entries: placed }
    }

    /// How high it is.
    pub fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |entry| ROW * (entry.3 + 1) as f64)
    }

    /// How wide it is.
    pub fn width(&self) -> f64 {
        let end = |(key, text, x, _): &(Key, String, f64, usize)| {
            x + key.width() + Lettering::Tick.width(text)
        };
        self.entries.iter().map(end).fold(0.0, f64::max)
    }

    /// Draws it with its upper left corner at a point.
    pub fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        for (key, text, x, row) in &self.entries {
            let middle = top + ROW * (*row as f64 + 0.5);
            key.draw(svg, (left + x, middle));
            svg.text((left + x + key.width(), middle + 4.0), Anchor::Start, Lettering::Tick, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_go_on_in_the_next_row() {
        let entry = |text: &str| (Key::Swatch(Tone::Accent), text.to_owned());
        assert_eq!(Legend::new([], 100.0).height(), 0.0);
        assert_eq!(Legend::new([entry("a"), entry("b")], 100.0).height(), ROW);
        let legend = Legend::new([entry("more words than fit"), entry("b")], 100.0);
        assert_eq!(legend.height(), 2.0 * ROW);
        assert_eq!((legend.entries[1].2, legend.entries[1].3), (0.0, 1));
        assert!(legend.entries[0].1.ends_with('…'), "cut to the width");
    }

    #[test]
    fn every_key_can_be_drawn() {
        let keys = [
            Key::Swatch(Tone::Fourth),
            Key::Mark(Marker::Diamond, Tone::Contrast),
            Key::Line(Look::of(5)),
            Key::Level,
        ];
        let mut svg = Svg::new(300.0, 40.0);
        Legend::new(keys.map(|key| (key, "<what>".into())), 300.0).draw(&mut svg, (0.0, 0.0));
        let markup = svg.finish("l", "n", "d").markup().to_owned();
        assert_eq!(markup.matches("&lt;what&gt;").count(), 4);
        for class in ["bar fourth", "dot contrast", "line dashed contrast", "level"] {
            assert!(markup.contains(&format!("class=\"{class}\"")), "{class}");
        }
    }
}

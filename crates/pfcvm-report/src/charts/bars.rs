//! Bars to both sides of zero, one named row each, with error bars and a column of shares.

use super::scale::{Scale, drawable};
use super::svg::{Anchor, Picture, Svg, Tone};
use crate::lettering::Lettering;
use crate::number::{number, percent};

const ROW: f64 = 24.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 28.0;
/// Room between filled bars and the hollow ones below them.
const GAP: f64 = 16.0;
/// Room for the words at the right end.
const MARKS: f64 = 68.0;
/// Longest name, in pixels: in a wide picture and in a narrow one.
const LONGEST: [f64; 2] = [230.0, 110.0];

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// The name at its left end.
    pub name: String,
    /// The length of the bar, to the left if negative.
    pub value: f64,
    /// Where the error bar begins and ends.
    pub interval: Option<[f64; 2]>,
    /// Whether it is drawn hollow, as what may be nothing.
    pub faint: bool,
    /// A word at the right end; a row with one is drawn in the contrast colour.
    pub mark: Option<String>,
    /// A number between 0 and 1 that is written at the right end.
    pub share: Option<f64>,
}

/// A chart of named bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars<'a> {
    /// The rows from top to bottom.
    pub rows: &'a [Bar],
    /// What the lengths mean.
    pub label: &'a str,
    /// What the shares mean.
    pub share_label: &'a str,
}

impl Bars<'_> {
    /// The chart at a width in pixels; see [`Svg::finish`] for the texts.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let parted = self.rows.windows(2).position(|pair| !pair[0].faint && pair[1].faint);
        let gap = |at: usize| if parted.is_some_and(|last| at > last) { GAP } else { 0.0 };
        let bottom = TOP + ROW * self.rows.len() as f64 + gap(self.rows.len());
        let mut svg = Svg::new(width, bottom + BOTTOM);
        let roomy = width > 600.0;
        let longest = self.rows.iter().map(|row| Lettering::Name.width(&row.name));
        let names = longest.fold(24.0, f64::max).min(LONGEST[usize::from(!roomy)]);
        let left = 12.0 + names;
        let has_marks = self.rows.iter().any(|row| row.mark.is_some());
        let has_shares = self.rows.iter().any(|row| row.share.is_some());
        let marks = if has_marks { MARKS } else { 0.0 };
        let shares = match (has_shares, roomy) {
            (false, _) => 0.0,
            (true, true) => 150.0,
            (true, false) => 58.0,
        };
        let right = width - marks - shares - 12.0;
        let scale = self.scale(right - left);
        let x = |value: f64| left + scale.share(value) * (right - left);

        for (value, label) in scale.ticks() {
            let at = x(*value);
            svg.line((at, TOP), (at, bottom), if *value == 0.0 { "axis" } else { "grid" });
            svg.text((at, bottom + 17.0), Anchor::Middle, Lettering::Tick, label);
        }
        svg.text((left, 14.0), Anchor::Start, Lettering::Label, self.label);
        if has_shares {
            let label = Lettering::Label.fitted(self.share_label, 0.5 * (width - left));
            svg.text((width - marks - 4.0, 14.0), Anchor::End, Lettering::Label, &label);
        }

        if let Some(last) = parted {
            let middle = TOP + ROW * (last as f64 + 1.0) + 0.5 * GAP;
            svg.line((0.0, middle), (width, middle), "guide");
        }
        for (at, row) in self.rows.iter().enumerate() {
            let middle = TOP + ROW * (at as f64 + 0.5) + gap(at);
            let tone = if row.mark.is_some() { Tone::Contrast } else { Tone::Accent };
            let name = Lettering::Name.fitted(&row.name, names);
            svg.text((left - 8.0, middle + 4.0), Anchor::End, Lettering::Name, &name);
            if drawable(row.value) {
                let end = x(row.value);
                // The smallest weight is still there.
                let end = if (end - x(0.0)).abs() < 1.0 {
                    x(0.0) + 1.0f64.copysign(row.value)
                } else {
                    end
                };
                let (top, foot) = (middle - 7.0, middle + 7.0);
                if row.faint {
                    let corners = [(x(0.0), top), (end, top), (end, foot), (x(0.0), foot)];
                    svg.polygon(&corners, &format!("bar faint {}", tone.class()), "");
                } else {
                    svg.bar((x(0.0), top), (end, foot), tone, "");
                }
            }
            if let Some([low, high]) = row.shown_interval() {
                let (low, high) = (x(low), x(high));
                svg.line((low, middle), (high, middle), "whisker");
                svg.line((low, middle - 3.5), (low, middle + 3.5), "whisker");
                svg.line((high, middle - 3.5), (high, middle + 3.5), "whisker");
            }
            if let Some(share) = row.share.filter(|share| share.is_finite()) {
                let end = width - marks - 4.0;
                svg.text((end, middle + 4.0), Anchor::End, Lettering::Tick, &percent(share));
                if roomy {
                    let (from, to) = (right + 16.0, end - 52.0);
                    let at = from + share.clamp(0.0, 1.0) * (to - from);
                    svg.band((from, middle - 3.0), (to, middle + 3.0));
                    svg.bar((from, middle - 3.0), (at, middle + 3.0), Tone::Quiet, "");
                }
            }
            if let Some(mark) = &row.mark {
                let mark = Lettering::Mark.fitted(mark, MARKS - 8.0);
                svg.text((width - 4.0, middle + 4.0), Anchor::End, Lettering::Mark, &mark);
            }
            let row_end = (width, middle + 0.5 * ROW);
            svg.target((0.0, middle - 0.5 * ROW), row_end, &tooltip(row, self.share_label));
        }
        svg.finish(id, name, description)
    }

    /// Zero is always on it. Error bars are, unless one is so long that it would squeeze the rest.
    /// As many labels as fit into the width.
    fn scale(&self, width: f64) -> Scale {
        let values = self.rows.iter().map(|row| row.value).filter(|value| drawable(*value));
        let longest = values.fold(0.0, |longest: f64, value| longest.max(value.abs()));
        // Where most error bars are longer than any bar, they are what there is to see.
        let mut lengths: Vec<f64> = self.rows.iter().filter_map(Bar::length_of_error).collect();
        lengths.sort_by(f64::total_cmp);
        let usual = lengths.get(lengths.len() / 2).map_or(longest, |usual| longest.max(*usual));
        let with_error = |row: &Bar| {
            let kept = row.length_of_error().is_some_and(|length| length <= 2.0 * usual);
            let [low, high] = row.shown_interval().filter(|_| kept).unwrap_or([row.value; 2]);
            [low, row.value, high]
        };
        Scale::fitting(self.rows.iter().flat_map(with_error).chain([0.0]), width)
    }
}

impl Bar {
    /// The error bar, where it can be drawn.
    fn shown_interval(&self) -> Option<[f64; 2]> {
        self.interval.filter(|[low, high]| [*low, *high, self.value].map(drawable) == [true; 3])
    }

    /// How far it reaches from the end of the bar.
    fn length_of_error(&self) -> Option<f64> {
        let [low, high] = self.shown_interval()?;
        Some((low - self.value).abs().max((high - self.value).abs()))
    }
}

fn tooltip(row: &Bar, share_label: &str) -> String {
    let mut text = format!("{}: {}", row.name, number(row.value));
    if let Some([low, high]) = row.interval {
        text += &format!(" ({} to {})", number(low), number(high));
    }
    if let Some(share) = row.share {
        text += &format!(", {share_label} {}", percent(share));
    }
    if let Some(mark) = &row.mark {
        text += &format!(", {mark}");
    }
    text
}

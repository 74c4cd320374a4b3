//! Box plots on their side, one named row each.

use super::legend::{self, Key, Legend};
use super::marker::Marker;
use super::scale::{Scale, drawable};
use super::svg::{Anchor, Picture, Svg, Tone};
use crate::lettering::Lettering;
use crate::name::or_nameless;
use crate::number::{counted, number};

const ROW: f64 = 24.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 28.0;
/// Longest name, in pixels: in a wide picture and in a narrow one.
const LONGEST: [f64; 2] = [230.0, 110.0];
/// Half the height of a box.
const HALF: f64 = 6.5;

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BoxRow {
    /// The name at its left end.
    pub name: String,
    /// What the box sums up, in any order. What is not finite is left out and counted.
    pub values: Vec<f64>,
    /// A value from elsewhere to compare with.
    pub reference: Option<f64>,
    /// Its colour.
    pub tone: Tone,
}

/// A chart of box plots after Tukey: the box holds the middle half of the values, the whiskers
/// reach to the last values within one and a half lengths of the box, the rest are dots.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes<'a> {
    /// The rows from top to bottom.
    pub rows: &'a [BoxRow],
    /// What the values mean.
    pub label: &'a str,
    /// What the reference values mean.
    pub reference_label: &'a str,
}

/// Smallest value, lower quartile, median, upper quartile and largest value; `None` if there is
/// no value, or one that is not finite. Between two values the quartiles are interpolated
/// linearly (type 7 of Hyndman and Fan, as numpy and R do by default).
pub fn five_numbers(values: &[f64]) -> Option<[f64; 5]> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(|share| {
        let place = share * last as f64;
        let (below, part) = (place.floor() as usize, place.fract());
        let above = (below + 1).min(last);
        // As a mean of both ends, so that far apart values do not overflow.
        if part == 0.0 {
            sorted[below]
        } else {
            (1.0 - part) * sorted[below] + part * sorted[above]
        }
    }))
}

/// What is drawn of a row.
struct Summary {
    five: [f64; 5],
    whiskers: (f64, f64),
    outliers: Vec<f64>,
    count: usize,
}

fn summary(values: &[f64]) -> Option<Summary> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|&value| drawable(value)).collect();
    sorted.sort_by(f64::total_cmp);
    let five = five_numbers(&sorted)?;
    let reach = 1.5 * (five[3] - five[1]);
    let inside = |value: &f64| (five[1] - reach..=five[3] + reach).contains(value);
    let low = sorted.iter().copied().find(inside)?;
    let high = sorted.iter().rev().copied().find(inside)?;
    let outliers = sorted.iter().copied().filter(|value| !inside(value)).collect();
    // Interpolated quartiles of a few values may lie beyond the last value inside.
    let whiskers = (low.min(five[1]), high.max(five[3]));
    Some(Summary { five, whiskers, outliers, count: sorted.len() })
}

impl Boxes<'_> {
    /// The chart at a width in pixels; see [`Svg::finish`] for the texts.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let roomy = width > 600.0;
        let longest = self.rows.iter().map(|row| Lettering::Name.width(or_nameless(&row.name)));
        let names = longest.fold(24.0, f64::max).min(LONGEST[usize::from(!roomy)]);
        let (left, right) = (12.0 + names, width - 14.0);
        let label = Lettering::Label.fitted(self.label, right - left);

        let has_reference = self.rows.iter().any(|row| row.reference.is_some_and(drawable));
        let entry = (Key::Mark(Marker::Diamond, Tone::Contrast), self.reference_label.to_owned());
        let words = Legend::new(has_reference.then_some(entry), right - left);
        // Beside the label if both fit, else below it.
        let beside = left + Lettering::Label.width(&label) + 24.0;
        let fits = beside + words.width() <= width;
        let (corner, top) = match (has_reference, fits) {
            (true, false) => ((left, 20.0), TOP + legend::ROW),
            _ => ((beside, 14.0 - 4.0 - 0.5 * legend::ROW), TOP),
        };

        let bottom = top + ROW * self.rows.len() as f64;
        let mut svg = Svg::new(width, bottom + BOTTOM);
        svg.text((left, 14.0), Anchor::Start, Lettering::Label, &label);
        words.draw(&mut svg, corner);
        let values =
            self.rows.iter().flat_map(|row| row.values.iter().copied().chain(row.reference));
        let scale = Scale::fitting(values, right - left);
        let x = |value: f64| left + scale.share(value) * (right - left);
        for (value, label) in scale.ticks() {
            svg.line((x(*value), top), (x(*value), bottom), "grid");
            svg.text((x(*value), bottom + 17.0), Anchor::Middle, Lettering::Tick, label);
        }
        for (at, row) in self.rows.iter().enumerate() {
            let middle = top + ROW * (at as f64 + 0.5);
            let name = Lettering::Name.fitted(or_nameless(&row.name), names);
            svg.text((left - 8.0, middle + 4.0), Anchor::End, Lettering::Name, &name);
            let summary = summary(&row.values);
            match &summary {
                Some(summary) => draw_box(&mut svg, summary, &x, middle, row.tone),
                None => svg.text(
                    (left + 8.0, middle + 4.0),
                    Anchor::Start,
                    Lettering::Tick,
                    "no values",
                ),
            }
            let ends = ((0.0, middle - 0.5 * ROW), (width, middle + 0.5 * ROW));
            svg.target(ends.0, ends.1, &tooltip(row, summary.as_ref(), self.reference_label));
            if let Some(reference) = row.reference.filter(|&value| drawable(value)) {
                let tip = format!("{}, {}: {}", row.name, self.reference_label, number(reference));
                svg.marker((x(reference), middle), 4.0, Marker::Diamond, Tone::Contrast, &tip);
            }
        }
        svg.finish(id, name, description)
    }
}

fn draw_box(svg: &mut Svg, summary: &Summary, x: &dyn Fn(f64) -> f64, middle: f64, tone: Tone) {
    let [_, lower, median, upper, _] = summary.five.map(x);
    let (low, high) = (x(summary.whiskers.0), x(summary.whiskers.1));
    for (from, to) in [(low, lower), (upper, high)] {
        svg.line((from, middle), (to, middle), "whisker");
    }
    for end in [low, high] {
        svg.line((end, middle - 3.5), (end, middle + 3.5), "whisker");
    }
    // Values that are all the same still have a box that can be seen.
    let room = (0.75 - 0.5 * (upper - lower)).max(0.0);
    let (lower, upper) = (lower - room, upper + room);
    let corners = [(lower, -HALF), (upper, -HALF), (upper, HALF), (lower, HALF)];
    let corners = corners.map(|(x, y)| (x, middle + y));
    svg.polygon(&corners, &format!("box {}", tone.class()), "");
    let median = [(median, middle - HALF), (median, middle + HALF)];
    svg.stroke(&median, &format!("median {}", tone.class()));
    // Thousands of dots at the same place look like one.
    let mut places: Vec<f64> = summary.outliers.iter().map(|&value| x(value)).collect();
    places.dedup_by(|next, kept| *next - *kept < 0.5);
    for place in places {
        svg.dot((place, middle), 2.25, tone, "");
    }
}

fn tooltip(row: &BoxRow, summary: Option<&Summary>, reference_label: &str) -> String {
    let mut text = format!("{}: ", or_nameless(&row.name));
    match summary {
        None => text += "no values",
        Some(Summary { five: [low, lower, median, upper, high], outliers, count, .. }) => {
            text += &format!(
                "median {}, half from {} to {}, all from {} to {}, {}",
                number(*median),
                number(*lower),
                number(*upper),
                number(*low),
                number(*high),
                counted(*count, "value")
            );
            if !outliers.is_empty() {
                text += &format!(", {} beyond the whiskers", outliers.len());
            }
        }
    }
    let missing = row.values.iter().filter(|&&value| !drawable(value)).count();
    if missing > 0 {
        text += &format!(", {} left out because they are not finite", missing);
    }
    if let Some(reference) = row.reference {
        text += &format!("; {reference_label}: {}", number(reference));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, values: &[f64]) -> BoxRow {
        BoxRow { name: name.into(), values: values.into(), ..BoxRow::default() }
    }

    fn markup(rows: &[BoxRow], width: f64) -> String {
        let boxes = Boxes { rows, label: "error rate", reference_label: "the paper" };
        boxes.draw(width, "b", "n", "d").markup().to_owned()
    }

    /// `numpy.percentile(values, [0, 25, 50, 75, 100])`, numpy 2.
    #[test]
    fn quartiles_are_those_of_numpy() {
        let cases: [(&[f64], [f64; 5]); 5] = [
            (&[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0], [1.0, 1.75, 3.5, 5.25, 9.0]),
            (&[0.5, 0.1, 0.9], [0.1, 0.3, 0.5, 0.7, 0.9]),
            (&[-1.5, 2.25], [-1.5, -0.5625, 0.375, 1.3125, 2.25]),
            (&[0.91, 0.87, 0.93, 0.88, 0.95, 0.62], [0.62, 0.8725, 0.895, 0.925, 0.95]),
            (&[7.0], [7.0; 5]),
        ];
        for (values, expected) in cases {
            let found = five_numbers(values).unwrap();
            for (a, b) in found.iter().zip(expected) {
                // Two roundings of numbers below 10.
                assert!((a - b).abs() < 4e-15, "{values:?}: {found:?}");
            }
        }
        assert_eq!(five_numbers(&[]), None);
        assert_eq!(five_numbers(&[1.0, f64::NAN]), None);
        assert_eq!(five_numbers(&[1.0, f64::INFINITY]), None);
        assert_eq!(five_numbers(&[-1.7e308, 1.7e308]).unwrap()[2], 0.0);
    }

    #[test]
    fn far_values_are_dots_beyond_the_whiskers() {
        let found = summary(&[1.0, 2.0, 3.0, 4.0, 5.0, 20.0, f64::NAN]).unwrap();
        assert_eq!((found.whiskers, found.count), ((1.0, 5.0), 6));
        assert_eq!(found.outliers, [20.0]);
        let markup = markup(&[row("a", &[1.0, 2.0, 3.0, 4.0, 5.0, 20.0, f64::NAN])], 900.0);
        assert_eq!(markup.matches("class=\"dot accent\"").count(), 1);
        assert!(markup.contains("6 values, 1 beyond the whiskers, 1 left out"), "{markup}");
    }

    #[test]
    fn references_have_a_legend_entry_only_if_there_are_any() {
        let mut rows = vec![row("a", &[1.0, 2.0]), row("b", &[2.0])];
        assert!(!markup(&rows, 900.0).contains("the paper"));
        rows[0].reference = Some(f64::NAN);
        assert!(!markup(&rows, 900.0).contains(">the paper<"));
        rows[0].reference = Some(1.5);
        for width in [360.0, 940.0] {
            let markup = markup(&rows, width);
            assert!(markup.contains(">the paper<") && markup.contains("the paper: 1.50"));
            assert_eq!(markup.matches("dot contrast").count(), 2, "in the legend and in the row");
        }
    }

    #[test]
    fn hostile_values_make_a_sound_picture() {
        let long = "name".repeat(500);
        let lists: [&[f64]; 8] = [
            &[],
            &[f64::NAN, f64::INFINITY],
            &[0.7],
            &[0.7; 30],
            &[-1e299, 1e299, 0.0],
            &[1e305, 1.0],
            &[-0.0, 0.0],
            &[1e-300, 2e-300],
        ];
        for list in lists {
            for rows in [1, 20] {
                let mut rows = vec![row(&long, list); rows];
                rows[0].reference = Some(f64::NEG_INFINITY);
                let markup = markup(&rows, 360.0);
                assert!(!markup.contains("NaN\"") && !markup.contains("inf"), "{list:?}");
                assert_eq!(markup.matches("class=\"target\"").count(), rows.len());
            }
        }
        assert!(markup(&[], 360.0).starts_with("<svg "));
        assert!(markup(&[row(" ", &[])], 360.0).contains(">(no name)<"));
        assert!(markup(&[row("<&>", &[])], 360.0).contains("&lt;&amp;&gt;"));
    }
}

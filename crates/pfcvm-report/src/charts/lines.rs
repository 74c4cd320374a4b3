//! Several named lines over common axes.

use super::apart::apart;
use super::frame::Frame;
use super::legend::{Key, Legend};
use super::marker::Look;
use super::scale::{Scale, drawable};
use super::svg::{Anchor, Picture};
use crate::lettering::Lettering;
use crate::name::or_nameless;
use crate::number::number;

/// Between two names at the right end.
const STEP: f64 = 17.0;
/// Longest name at the right end, in pixels.
const LONGEST: f64 = 200.0;
/// With more points on a line than this, only some have a mark.
const MOST_MARKS: usize = 50;

/// One line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points in the order in which they are joined. One that is not finite is a gap.
    pub points: Vec<(f64, f64)>,
    /// How far each point may be off, up and down; those that have none have no bar.
    pub errors: Vec<f64>,
}

/// A dashed line across the plot, for a value that does not depend on x.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// How high it is.
    pub value: f64,
}

/// A chart of lines. The first 24 of them can be told apart without colour, by dashes and marks;
/// a dozen can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines<'a> {
    /// The lines.
    pub series: &'a [Series],
    /// Lines across the plot.
    pub levels: &'a [Level],
    /// What x means.
    pub x_label: &'a str,
    /// What y means.
    pub y_label: &'a str,
    /// Whether equal distances of x mean equal factors. Points at or below zero are then gaps.
    pub logarithmic: bool,
}

/// An entry of the legend: its key, its words, and the end of its line, if it has one.
struct Entry {
    key: Key,
    text: String,
    end: Option<(f64, f64)>,
}

impl Series {
    /// The lower and the upper end of each error bar, one after the other.
    fn ends(&self) -> impl Iterator<Item = (f64, f64)> {
        let bars = self.points.iter().zip(&self.errors).filter(|(_, error)| **error > 0.0);
        bars.flat_map(|(&(x, y), error)| [(x, y - error), (x, y + error)])
    }
}

impl Lines<'_> {
    /// The chart at a width in pixels; see [`crate::charts::Svg::finish`] for the texts. Names
    /// stand at the right ends of the lines, or below the plot where there is no room.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let roomy = width > 600.0;
        let entries = self.entries();
        let names = entries.iter().map(|entry| Lettering::Name.width(&entry.text));
        let longest = names.fold(0.0, f64::max);
        let (side, height) = if roomy {
            let names = STEP * entries.len() as f64 + 74.0;
            (24.0 + Key::Level.width() + longest, names.max(360.0))
        } else {
            (0.0, 290.0)
        };
        let mut frame = self.frame((width, height), side);
        for level in self.levels.iter().filter(|level| drawable(level.value)) {
            let [left, _, right, _] = frame.edges();
            let y = frame.pixel((0.0, level.value)).1;
            frame.svg().line((left, y), (right, y), "level");
        }
        for (place, series) in self.series.iter().enumerate() {
            self.line(&mut frame, series, Look::of(place));
        }
        if roomy {
            names_at_the_end(&mut frame, &entries);
        } else {
            let entries = entries.into_iter().map(|entry| (entry.key, entry.text));
            let legend = Legend::new(entries, width - 4.0);
            legend.draw(frame.svg(), (2.0, height + 6.0));
            frame.svg().set_height(height + 6.0 + legend.height());
        }
        frame.finish(id, name, description)
    }

    fn entries(&self) -> Vec<Entry> {
        let series = self.series.iter().enumerate().map(|(place, series)| {
            let end = series.points.iter().rev().copied().find(|&point| self.shown(point));
            let none = if end.is_none() { " (no values)" } else { "" };
            let text = named(or_nameless(&series.name), none);
            Entry { key: Key::Line(Look::of(place)), text, end }
        });
        let levels = self.levels.iter().map(|level| {
            let text = named(&level.name, &format!(" {}", number(level.value)));
            let end = drawable(level.value).then_some((f64::INFINITY, level.value));
            Entry { key: Key::Level, text, end }
        });
        series.chain(levels).collect()
    }

    fn shown(&self, (x, y): (f64, f64)) -> bool {
        drawable(x) && drawable(y) && !(self.logarithmic && x <= 0.0)
    }

    fn frame(&self, size: (f64, f64), side: f64) -> Frame {
        let points = self.series.iter().flat_map(|series| series.points.iter().copied());
        let points: Vec<(f64, f64)> = points.filter(|&point| self.shown(point)).collect();
        let x = points.iter().map(|point| point.0);
        let x = match self.logarithmic {
            true => Scale::logarithmic(x),
            // The axis and its labels begin about where the letters of the labels end.
            false => Scale::fitting(x, size.0 - side - 90.0),
        };
        let levels = self.levels.iter().map(|level| level.value);
        let ends = self.series.iter().flat_map(Series::ends).filter(|&point| self.shown(point));
        let ends: Vec<f64> = ends.map(|point| point.1).collect();
        let y = points.iter().map(|point| point.1).chain(levels).chain(ends);
        let y = Scale::linear(y, 5);
        Frame::with_margins(size, (0.0, side), (self.x_label, x), (self.y_label, y))
    }

    fn line(&self, frame: &mut Frame, series: &Series, look: Look) {
        for run in series.points.split(|&point| !self.shown(point)) {
            let pixels: Vec<(f64, f64)> = run.iter().map(|&point| frame.pixel(point)).collect();
            if pixels.len() > 1 {
                frame.svg().dashes(&pixels, look);
            }
        }
        for pair in Vec::from_iter(series.ends()).chunks(2) {
            if let [low, high] = pair
                && self.shown(*low)
                && self.shown(*high)
            {
                frame.error_bar(low.0, low.1, high.1);
            }
        }
        let shown: Vec<_> = series.points.iter().filter(|&&point| self.shown(point)).collect();
        let step = shown.len().div_ceil(MOST_MARKS).max(1);
        // The last point has a mark in any case.
        for &&(x, y) in shown.iter().rev().step_by(step).rev() {
            let (x_label, y_label) = (self.x_label, self.y_label);
            let tip =
                format!("{}: {y_label} {} at {x_label} {}", series.name, number(y), number(x));
            let pixel = frame.pixel((x, y));
            frame.svg().mark(pixel, 3.5, look, &tip);
        }
    }
}

/// A name, cut if need be, and what must be read after it.
fn named(name: &str, after: &str) -> String {
    Lettering::Name.fitted(name, LONGEST - Lettering::Name.width(after)) + after
}

/// Each name beside the end of its line, moved apart where they would overlap.
fn names_at_the_end(frame: &mut Frame, entries: &[Entry]) {
    let [_, top, right, bottom] = frame.edges();
    let ends: Vec<Option<(f64, f64)>> =
        entries.iter().map(|entry| entry.end.map(|end| frame.pixel(end))).collect();
    // Names without a line go below the others.
    let wanted: Vec<f64> = ends.iter().map(|end| end.map_or(bottom, |end| end.1)).collect();
    let sizes = vec![STEP; entries.len()];
    let room = (top - 0.5 * STEP, bottom + 0.5 * STEP);
    let middles = apart(&wanted, &sizes, room);
    let start = right + 20.0;
    for ((entry, end), middle) in entries.iter().zip(ends).zip(middles) {
        if let Some((x, y)) = end {
            // A level has its end at the edge, wherever a line has stopped.
            let x = if matches!(entry.key, Key::Level) { right } else { x };
            frame.svg().line((x, y), (right, y), "lead");
            frame.svg().line((right, y), (start - 4.0, middle), "lead");
        }
        entry.key.draw(frame.svg(), (start, middle));
        let at = (start + entry.key.width(), middle + 4.0);
        frame.svg().text(at, Anchor::Start, Lettering::Name, &entry.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.into(), points: points.into(), errors: Vec::new() }
    }

    fn markup(series: &[Series], levels: &[Level], logarithmic: bool, width: f64) -> String {
        let (x_label, y_label) = ("features", "accuracy");
        let lines = Lines { series, levels, x_label, y_label, logarithmic };
        lines.draw(width, "l", "n", "d").markup().to_owned()
    }

    #[test]
    fn points_have_marks_and_tooltips_and_gaps_break_the_line() {
        let points = [(1.0, 0.5), (2.0, 0.6), (3.0, f64::NAN), (4.0, 0.7), (5.0, 0.8)];
        let markup = markup(&[series("A", &points)], &[], false, 900.0);
        assert!(markup.contains("<title>A: accuracy 0.600 at features 2</title>"));
        // Two pieces and the key.
        assert_eq!(markup.matches("class=\"line accent\"").count(), 3);
        assert_eq!(markup.matches("class=\"dot accent\"").count(), 5);
    }

    #[test]
    fn errors_have_bars_that_fit_in() {
        let (points, errors) = (vec![(1.0, 0.5), (2.0, 0.6), (3.0, 0.7)], vec![0.4, 0.0, f64::NAN]);
        let one = Series { name: "A".into(), points, errors };
        let markup = markup(&[one], &[], false, 900.0);
        assert_eq!(markup.matches("class=\"whisker\"").count(), 3);
        // The bar reaches from 0.1 to 0.9, and so does the axis.
        assert!(markup.contains(">0.0<") || markup.contains(">0<"), "{markup}");
    }

    #[test]
    fn names_at_the_right_end_do_not_overlap() {
        let twelve: Vec<Series> =
            (0..12).map(|k| series(&format!("s{k}"), &[(1.0, 0.5), (9.0, 0.9)])).collect();
        let level = Level { name: "paper".into(), value: 0.9 };
        let markup = markup(&twelve, &[level], false, 900.0);
        let rows = markup.split("<text class=\"name\"").skip(1);
        let mut heights: Vec<f64> = rows
            .map(|row| row.split(" y=\"").nth(1).and_then(|y| y.split('"').next()).unwrap())
            .map(|y| y.parse().unwrap())
            .collect();
        heights.sort_by(f64::total_cmp);
        assert_eq!(heights.len(), 13);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > STEP - 0.2), "{heights:?}");
    }

    #[test]
    fn narrow_pictures_have_the_names_below() {
        let one = series("PFCVM", &[(1.0, 0.5)]);
        let level = Level { name: "SVM with all".into(), value: 0.75 };
        let markup = markup(&[one], &[level], false, 360.0);
        assert!(!markup.contains("class=\"name\"") && markup.contains(">PFCVM<"));
        assert!(markup.contains(">SVM with all 0.750<"));
        assert_eq!(markup.matches("class=\"level\"").count(), 2);
    }

    #[test]
    fn hostile_values_make_a_sound_picture() {
        let long = "name".repeat(500);
        let lists: [&[(f64, f64)]; 7] = [
            &[],
            &[(f64::NAN, 1.0), (1.0, f64::INFINITY)],
            &[(3.0, 0.7)],
            &[(3.0, 0.7); 40],
            &[(-1e299, 1e299), (1e299, -1e299)],
            &[(0.0, 0.1), (-5.0, 0.2), (10.0, 0.3)],
            &[(1e305, 1.0), (1e-300, 0.0)],
        ];
        for list in lists {
            for (count, logarithmic) in [(1, false), (20, true), (20, false), (1, true)] {
                let series = vec![series(&long, list); count];
                let levels =
                    [f64::NAN, 0.5, f64::INFINITY].map(|value| Level { name: long.clone(), value });
                for width in [360.0, 940.0] {
                    let markup = markup(&series, &levels, logarithmic, width);
                    assert!(!markup.contains("NaN") && !markup.contains("inf"), "{list:?}");
                }
            }
        }
        assert!(markup(&[series("none", &[])], &[], false, 940.0).contains("none (no values)"));
        assert!(markup(&[], &[], true, 360.0).starts_with("<svg "));
    }

    #[test]
    fn long_lines_have_few_marks() {
        let points: Vec<(f64, f64)> = (0..1000).map(|k| (k as f64, k as f64)).collect();
        let markup = markup(&[series("A", &points)], &[], false, 900.0);
        assert!(markup.matches("class=\"dot accent\"").count() <= MOST_MARKS + 1);
        assert!(markup.contains("at features 999<"));
    }
}

//! A plot with two axes.

use super::scale::Scale;
use super::svg::{Anchor, Picture, Svg, Tone};
use crate::lettering::Lettering;

const TOP: f64 = 30.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 44.0;

/// A plot with two axes, in the units of its scales.
#[derive(Debug, Clone)]
pub struct Frame {
    svg: Svg,
    x: Scale,
    y: Scale,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    /// Axes and grid. The vertical axis has its label above it, where it reads without turning
    /// the head.
    pub fn new(size: (f64, f64), x: (&str, Scale), y: (&str, Scale)) -> Self {
        Self::with_headroom(size, 0.0, x, y)
    }

    /// As `new`, with some pixels between the label of the vertical axis and the plot, for
    /// [`Frame::heading`].
    pub fn with_headroom(
        size: (f64, f64),
        headroom: f64,
        x: (&str, Scale),
        y: (&str, Scale),
    ) -> Self {
        Self::with_margins(size, (headroom, 0.0), x, y)
    }

    /// As `with_headroom`, with some more pixels between the plot and the right edge.
    pub fn with_margins(
        size: (f64, f64),
        (headroom, side): (f64, f64),
        x: (&str, Scale),
        y: (&str, Scale),
    ) -> Self {
        let (width, height) = size;
        let ((x_label, x), (y_label, y)) = (x, y);
        let numbers = y.ticks().iter().map(|(_, label)| Lettering::Tick.width(label));
        let left = 10.0 + numbers.fold(16.0, f64::max);
        let (right, bottom) = (width - RIGHT - side, height - BOTTOM);
        let svg = Svg::new(width, height);
        let mut frame = Self { svg, x, y, left, right, top: TOP + headroom, bottom };

        for (value, label) in frame.y.ticks().to_vec() {
            let y = frame.y(value);
            frame.svg.line((left, y), (right, y), "grid");
            frame.svg.text((left - 6.0, y + 4.0), Anchor::End, Lettering::Tick, &label);
        }
        frame.svg.line((left, bottom), (right, bottom), "axis");
        for (value, label) in frame.x.ticks().to_vec() {
            let x = frame.x(value);
            frame.svg.line((x, bottom), (x, bottom + 4.0), "axis");
            frame.svg.text((x, bottom + 17.0), Anchor::Middle, Lettering::Tick, &label);
        }
        let middle = 0.5 * (left + right);
        let x_label = Lettering::Label.fitted(x_label, width - 4.0);
        let y_label = Lettering::Label.fitted(y_label, width - 4.0);
        frame.svg.text((middle, height - 6.0), Anchor::Middle, Lettering::Label, &x_label);
        frame.svg.text((2.0, 14.0), Anchor::Start, Lettering::Label, &y_label);
        frame
    }

    /// A line through points, in the units of the axes.
    pub fn line(&mut self, points: &[(f64, f64)], tone: Tone) {
        let points = self.pixels(points);
        self.svg.polyline(&points, tone);
    }

    /// A line that stays level until the next point.
    pub fn step(&mut self, points: &[(f64, f64)], tone: Tone) {
        let points = self.pixels(&stairs(points));
        self.svg.polyline(&points, tone);
    }

    /// A light area between the points and the bottom of the plot.
    pub fn area(&mut self, points: &[(f64, f64)], tone: Tone) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let mut points = self.pixels(points);
        points.push((self.x(last.0), self.bottom));
        points.push((self.x(first.0), self.bottom));
        self.svg.area(&points, tone);
    }

    /// A light area between a low and a high line, given as x, low and high.
    pub fn ribbon(&mut self, points: &[(f64, f64, f64)], tone: Tone) {
        let high = points.iter().map(|&(x, _, high)| self.pixel((x, high)));
        let low = points.iter().rev().map(|&(x, low, _)| self.pixel((x, low)));
        let around: Vec<(f64, f64)> = high.chain(low).collect();
        if !around.is_empty() {
            self.svg.area(&around, tone);
        }
    }

    /// The cell around whole numbers of x and y, in a colour of some strength.
    pub fn cell(&mut self, (x, y): (f64, f64), shade: (f64, Tone), tooltip: &str) {
        let corners = (self.pixel((x - 0.5, y - 0.5)), self.pixel((x + 0.5, y + 0.5)));
        self.svg.heat(corners.0, corners.1, shade, tooltip);
    }

    /// A dot with a tooltip.
    pub fn point(&mut self, point: (f64, f64), radius: f64, tone: Tone, tooltip: &str) {
        self.svg.dot(self.pixel(point), radius, tone, tooltip);
    }

    /// A vertical error bar.
    pub fn error_bar(&mut self, x: f64, low: f64, high: f64) {
        let (x, low, high) = (self.x(x), self.y(low), self.y(high));
        self.svg.line((x, low), (x, high), "whisker");
        self.svg.line((x - 3.0, low), (x + 3.0, low), "whisker");
        self.svg.line((x - 3.0, high), (x + 3.0, high), "whisker");
    }

    /// A column of a histogram between two places of x, from one height to another.
    pub fn column(&mut self, x: (f64, f64), y: (f64, f64), tone: Tone, tooltip: &str) {
        let gap = if (self.x(x.1) - self.x(x.0)).abs() > 5.0 { 0.75 } else { 0.0 };
        let from = (self.x(x.0) + gap, self.y(y.0));
        let to = (self.x(x.1) - gap, self.y(y.1));
        // What is there at all must be seen.
        let to = if (from.1 - to.1).abs() < 1.0 {
            (to.0, from.1 + if y.1 < y.0 { 1.0 } else { -1.0 })
        } else {
            to
        };
        self.svg.bar(from, to, tone, tooltip);
    }

    /// A dashed help line.
    pub fn guide(&mut self, from: (f64, f64), to: (f64, f64)) {
        let (from, to) = (self.pixel(from), self.pixel(to));
        self.svg.line(from, to, "guide");
    }

    /// A solid line at a height, such as zero in the middle of a plot.
    pub fn level(&mut self, y: f64) {
        let y = self.y(y);
        self.svg.line((self.left, y), (self.right, y), "axis");
    }

    /// Tints the plot between two places of x.
    pub fn band(&mut self, from: f64, to: f64) {
        let (from, to) = (self.x(from), self.x(to));
        self.svg.band((from, self.top), (to, self.bottom));
    }

    /// A column of the whole height that only shows a tooltip.
    pub fn target(&mut self, from: f64, to: f64, tooltip: &str) {
        let (from, to) = (self.x(from), self.x(to));
        self.svg.target((from, self.top), (to, self.bottom), tooltip);
    }

    /// A word above the plot between two places of x, if there is room for it.
    pub fn heading(&mut self, from: f64, to: f64, text: &str) {
        if self.distance(from, to) > Lettering::Tick.width(text) + 4.0 {
            let x = self.x(from);
            self.svg.text((x, self.top - 6.0), Anchor::Start, Lettering::Tick, text);
        }
    }

    /// A remark inside the plot, moved by pixels from a point.
    pub fn remark(&mut self, at: (f64, f64), moved: (f64, f64), anchor: Anchor, text: &str) {
        let (x, y) = self.pixel(at);
        self.svg.text((x + moved.0, y + moved.1), anchor, Lettering::Label, text);
    }

    /// Pixels between two places of x.
    pub fn distance(&self, from: f64, to: f64) -> f64 {
        (self.x(to) - self.x(from)).abs()
    }

    /// The picture; see [`Svg::finish`].
    pub fn finish(self, id: &str, name: &str, description: &str) -> Picture {
        self.svg.finish(id, name, description)
    }

    /// What it is drawn on, for shapes that are not in the units of the axes.
    pub(super) fn svg(&mut self) -> &mut Svg {
        &mut self.svg
    }

    /// Left, top, right and bottom of the plot, in pixels.
    pub(super) fn edges(&self) -> [f64; 4] {
        [self.left, self.top, self.right, self.bottom]
    }

    fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.share(value) * (self.bottom - self.top)
    }

    /// Where a point in the units of the axes lies, in pixels.
    pub(super) fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x(x), self.y(y))
    }

    fn pixels(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().map(|&point| self.pixel(point)).collect()
    }
}

fn stairs(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len());
    for &(x, y) in points {
        if let Some(&(_, before)) = corners.last() {
            corners.push((x, before));
        }
        corners.push((x, y));
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_are_level_between_points() {
        let corners = stairs(&[(0.0, 1.0), (2.0, 3.0)]);
        assert_eq!(corners, [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
    }

    #[test]
    fn labels_are_escaped() {
        let frame = Frame::new((300.0, 200.0), ("<b>", Scale::unit()), ("&", Scale::unit()));
        let picture = frame.finish("f", "n", "d");
        assert!(picture.markup().contains("&lt;b&gt;") && picture.markup().contains("&amp;<"));
    }
}

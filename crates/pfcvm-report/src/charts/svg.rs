//! A picture under construction: shapes with classes, everything else is left to the style sheet.

use crate::lettering::Lettering;
use crate::name::escaped;
use serde::Serialize;
use std::fmt::Write;

/// A colour of the page, by its role. The style sheet has a light and a dark value for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// The colour of what the picture is about.
    #[default]
    Accent,
    /// The other colour, for what stands against it.
    Contrast,
    /// Where two are not enough: green.
    Third,
    /// Where three are not enough: purple.
    Fourth,
    /// Grey, for help lines.
    Quiet,
    /// An outline in the colour of what the picture is about, for what may be nothing.
    Faint,
}

impl Tone {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Accent => "accent",
            Self::Contrast => "contrast",
            Self::Third => "third",
            Self::Fourth => "fourth",
            Self::Quiet => "quiet",
            Self::Faint => "faint",
        }
    }
}

/// Where a text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// By its left end.
    Start,
    /// By its middle.
    Middle,
    /// By its right end.
    End,
}

/// A finished picture. Only this module makes one, so that its markup can be trusted: all text in
/// it has been escaped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    markup: String,
    width: f64,
}

impl Picture {
    /// The `<svg>` element.
    pub fn markup(&self) -> &str {
        &self.markup
    }

    /// The picture as a file of its own, which brings its colours with it.
    pub fn file(&self) -> String {
        let head = r#"<svg xmlns="http://www.w3.org/2000/svg" "#;
        let markup = self.markup.replacen("<svg ", head, 1);
        markup.replacen("><title", &format!("><style>{STYLE}</style><title"), 1) + "\n"
    }
}

/// The colours of the page and the shapes of pictures, for one without a page.
const STYLE: &str = concat!(include_str!("picture.css"), include_str!("shapes.css"));

/// A picture under construction, in pixels with y downwards.
#[derive(Debug, Clone)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// Makes the picture higher or lower.
    pub fn set_height(&mut self, height: f64) {
        self.height = height;
    }

    /// A straight line; `class` is one of the style sheet (`grid`, `axis`, `whisker`, `guide`).
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let ((x1, y1), (x2, y2)) = (rounded(from), rounded(to));
        self.add(format_args!(r#"<path class="{class}" d="M{x1} {y1}L{x2} {y2}"/>"#));
    }

    /// A line through points.
    pub fn polyline(&mut self, points: &[(f64, f64)], tone: Tone) {
        let path = path(points);
        self.add(format_args!(r#"<path class="line {}" d="{path}"/>"#, tone.class()));
    }

    /// The area inside points, lightly filled.
    pub fn area(&mut self, points: &[(f64, f64)], tone: Tone) {
        let path = path(points);
        self.add(format_args!(r#"<path class="area {}" d="{path}Z"/>"#, tone.class()));
    }

    /// A filled rectangle between two corners, in any order, with a tooltip.
    pub fn bar(&mut self, corner: (f64, f64), other: (f64, f64), tone: Tone, tooltip: &str) {
        let ((x1, y1), (x2, y2)) = (rounded(corner), rounded(other));
        let (x, y) = (x1.min(x2), y1.min(y2));
        let (width, height) = (round(x1.max(x2) - x), round(y1.max(y2) - y));
        self.add(format_args!(
            r#"<rect class="bar {}" x="{x}" y="{y}" width="{width}" height="{height}">{}</rect>"#,
            tone.class(),
            title(tooltip)
        ));
    }

    /// A rectangle between two corners, in any order, in a colour of some strength from 0 to 1.
    pub(super) fn heat(
        &mut self,
        corner: (f64, f64),
        other: (f64, f64),
        (strength, tone): (f64, Tone),
        tooltip: &str,
    ) {
        let ((x1, y1), (x2, y2)) = (rounded(corner), rounded(other));
        let (x, y) = (x1.min(x2), y1.min(y2));
        let (width, height) = (round(x1.max(x2) - x), round(y1.max(y2) - y));
        let (class, title, strength) = (tone.class(), title(tooltip), round(strength));
        self.add(format_args!(
            r#"<rect class="heat {class}" fill-opacity="{strength}" x="{x}" y="{y}" width="{width}" height="{height}">{title}</rect>"#
        ));
    }

    /// A rectangle that only catches the mouse, for a tooltip over a larger place.
    pub fn target(&mut self, corner: (f64, f64), other: (f64, f64), tooltip: &str) {
        let ((x1, y1), (x2, y2)) = (rounded(corner), rounded(other));
        let (width, height) = (round(x2 - x1), round(y2 - y1));
        self.add(format_args!(
            r#"<rect class="target" x="{x1}" y="{y1}" width="{width}" height="{height}">{}</rect>"#,
            title(tooltip)
        ));
    }

    /// A tinted rectangle in the background.
    pub fn band(&mut self, corner: (f64, f64), other: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (rounded(corner), rounded(other));
        let (width, height) = (round(x2 - x1), round(y2 - y1));
        self.add(format_args!(
            r#"<rect class="band" x="{x1}" y="{y1}" width="{width}" height="{height}"/>"#
        ));
    }

    /// A dot with a tooltip.
    pub fn dot(&mut self, centre: (f64, f64), radius: f64, tone: Tone, tooltip: &str) {
        let (x, y) = rounded(centre);
        self.add(format_args!(
            r#"<circle class="dot {}" cx="{x}" cy="{y}" r="{radius}">{}</circle>"#,
            tone.class(),
            title(tooltip)
        ));
    }

    /// A closed shape of any class with a tooltip.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], class: &str, tooltip: &str) {
        let (path, title) = (path(points), title(tooltip));
        self.add(format_args!(r#"<path class="{class}" d="{path}Z">{title}</path>"#));
    }

    /// An open line of any class.
    pub(super) fn stroke(&mut self, points: &[(f64, f64)], class: &str) {
        let path = path(points);
        self.add(format_args!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// A circle of any class with a tooltip.
    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64, class: &str, tooltip: &str) {
        let ((x, y), radius, title) = (rounded(centre), round(radius), title(tooltip));
        self.add(format_args!(
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}">{title}</circle>"#
        ));
    }

    /// One line of text. Where it would stick out of the picture at the left or the right, it is
    /// moved inwards; what is longer than the picture is cut.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, kind: Lettering, text: &str) {
        let text = kind.fitted(text, self.width);
        let width = kind.width(&text);
        let (anchor, before) = match anchor {
            Anchor::Start => ("", 0.0),
            Anchor::Middle => (r#" text-anchor="middle""#, 0.5 * width),
            Anchor::End => (r#" text-anchor="end""#, width),
        };
        let x = x.min(self.width - width + before).max(before);
        let ((x, y), text, class) = (rounded((x, y)), escaped(&text), kind.class());
        self.add(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{text}</text>"#));
    }

    /// One line of text that reads upwards from a point.
    pub(super) fn upwards(&mut self, point: (f64, f64), kind: Lettering, text: &str) {
        let ((x, y), text, class) = (rounded(point), escaped(text), kind.class());
        self.add(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}" transform="rotate(-90 {x} {y})">{text}</text>"#
        ));
    }

    /// The picture, with a name and a description for those who cannot see it. The id must be
    /// unique on the page.
    pub fn finish(self, id: &str, name: &str, description: &str) -> Picture {
        let Self { width, height, body } = self;
        let (id, name, description) = (escaped(id), escaped(name), escaped(description));
        let markup = format!(
            r#"<svg id="{id}" role="img" aria-labelledby="{id}-name {id}-about" viewBox="0 0 {w} {h}" width="{w}" height="{h}"><title id="{id}-name">{name}</title><desc id="{id}-about">{description}</desc>{body}</svg>"#,
            w = round(width),
            h = round(height),
        );
        Picture { markup, width }
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing into a string cannot fail.
        let _ = self.body.write_fmt(element);
    }
}

fn title(tooltip: &str) -> String {
    if tooltip.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(tooltip)) }
}

fn path(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (at, &point) in points.iter().enumerate() {
        let (x, y) = rounded(point);
        let _ = write!(text, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
    }
    text
}

/// A twentieth of a pixel is more than a screen shows, and it keeps the file small.
fn round(value: f64) -> f64 {
    // Adding zero turns a minus zero into zero.
    (20.0 * value).round() / 20.0 + 0.0
}

fn rounded((x, y): (f64, f64)) -> (f64, f64) {
    (round(x), round(y))
}

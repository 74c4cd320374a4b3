//! Marks and lines that can be told apart without their colour.

use super::svg::{Svg, Tone};

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square on its side.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Wedge,
    /// A plus sign.
    Plus,
}

impl Marker {
    const ALL: [Self; 6] =
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Wedge, Self::Plus];

    /// Corners of the mark around zero that looks as large as a disc of radius 1; none for a disc.
    fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Self::Circle => &[],
            Self::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Self::Triangle => &[(0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)],
            Self::Diamond => &[(0.0, -1.35), (1.15, 0.0), (0.0, 1.35), (-1.15, 0.0)],
            Self::Wedge => &[(0.0, 1.25), (1.15, -0.85), (-1.15, -0.85)],
            Self::Plus => &[
                (-0.45, -1.25),
                (0.45, -1.25),
                (0.45, -0.45),
                (1.25, -0.45),
                (1.25, 0.45),
                (0.45, 0.45),
                (0.45, 1.25),
                (-0.45, 1.25),
                (-0.45, 0.45),
                (-1.25, 0.45),
                (-1.25, -0.45),
                (-0.45, -0.45),
            ],
        }
    }
}

/// How one of several lines looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub tone: Tone,
    pub marker: Marker,
    hollow: bool,
    dash: &'static str,
}

impl Look {
    const TONES: [Tone; 4] = [Tone::Accent, Tone::Contrast, Tone::Third, Tone::Fourth];
    const DASHES: [&'static str; 3] = ["", " dashed", " dotted"];

    /// The look of the line at a place. The first 24 differ even in black and white: no two of
    /// them share the marker, the dashes and whether the marker is filled.
    pub fn of(place: usize) -> Self {
        Self {
            tone: Self::TONES[place % 4],
            marker: Marker::ALL[place % 6],
            hollow: place / 12 % 2 == 1,
            dash: Self::DASHES[place / 4 % 3],
        }
    }
}

impl Svg {
    /// A filled mark about as large as a disc of the radius, with a tooltip.
    pub fn marker(
        &mut self,
        centre: (f64, f64),
        radius: f64,
        marker: Marker,
        tone: Tone,
        tooltip: &str,
    ) {
        self.shape(centre, radius, marker, &format!("dot {}", tone.class()), tooltip);
    }

    /// The mark of a look.
    pub(super) fn mark(&mut self, centre: (f64, f64), radius: f64, look: Look, tooltip: &str) {
        let hollow = if look.hollow { "hollow " } else { "" };
        let class = format!("dot {hollow}{}", look.tone.class());
        self.shape(centre, radius, look.marker, &class, tooltip);
    }

    /// A line through points with the dashes of a look.
    pub(super) fn dashes(&mut self, points: &[(f64, f64)], look: Look) {
        self.stroke(points, &format!("line{} {}", look.dash, look.tone.class()));
    }

    fn shape(
        &mut self,
        (x, y): (f64, f64),
        radius: f64,
        marker: Marker,
        class: &str,
        tooltip: &str,
    ) {
        let corner = |&(dx, dy): &(f64, f64)| (x + radius * dx, y + radius * dy);
        let corners: Vec<(f64, f64)> = marker.corners().iter().map(corner).collect();
        if corners.is_empty() {
            self.circle((x, y), radius, class, tooltip);
        } else {
            self.polygon(&corners, class, tooltip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn two_dozen_lines_differ_without_colour() {
        let looks = (0..24).map(Look::of).map(|look| (look.marker, look.hollow, look.dash));
        assert_eq!(looks.collect::<HashSet<_>>().len(), 24);
    }

    #[test]
    fn marks_have_a_class_and_a_tooltip() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.marker((5.0, 5.0), 2.0, Marker::Square, Tone::Third, "a < b");
        svg.mark((5.0, 5.0), 2.0, Look::of(12), "");
        let markup = svg.finish("m", "n", "d").markup().to_owned();
        assert!(
            markup.contains(r#"<path class="dot third" d="M3.2 3.2L6.8 3.2L6.8 6.8L3.2 6.8Z">"#)
        );
        assert!(markup.contains("<title>a &lt; b</title>"));
        assert!(
            markup.contains(r#"<circle class="dot hollow accent" cx="5" cy="5" r="2"></circle>"#)
        );
    }
}

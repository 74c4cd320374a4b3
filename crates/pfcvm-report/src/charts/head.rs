//! A head seen from above, with a disc at each electrode.

use super::electrodes::electrode;
use super::scale::drawable;
use super::svg::{Anchor, Picture, Svg, Tone};
use crate::lettering::Lettering;
use crate::number::{count, number};

/// From this width on, in pixels, electrodes have their names beside them.
const WITH_NAMES: f64 = 280.0;
/// Height of a line of words.
const LINE: f64 = 17.0;

/// Lines for the names of electrodes that cannot be shown.
const MOST_LINES: usize = 3;

/// A value at an electrode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spot {
    /// The name of the electrode, such as `FC5`.
    pub electrode: String,
    /// The area of its disc, not negative.
    pub value: f64,
    /// What to say about it.
    pub tooltip: String,
}

/// A map of a head.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadMap<'a> {
    /// Values at electrodes. What lies nowhere or is no size is named below the head.
    pub spots: &'a [Spot],
    /// Electrodes to show as rings, with or without a value: [`SEED_CAP`](super::SEED_CAP),
    /// [`UCI_CAP`](super::UCI_CAP) or others that [`electrode`] knows.
    pub cap: &'a [&'a str],
    /// The value of the largest disc, so that several maps can be compared; the largest of this
    /// one if `None`.
    pub largest: Option<f64>,
    /// What the values mean, for the legend.
    pub label: &'a str,
    /// The colour of the discs.
    pub tone: Tone,
}

impl HeadMap<'_> {
    /// The map at a width in pixels; see [`Svg::finish`] for the texts. Names of electrodes are
    /// shown from 280 pixels on.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let radius = 0.5 * width - 13.0;
        let centre = (0.5 * width, radius + 15.0);
        let place = |(x, y): (f64, f64)| (centre.0 + radius * x, centre.1 - radius * y);
        // A disc and the name below it end where the next row begins.
        let (ring, full) = (0.016 * radius + 0.6, 0.07 * radius);
        let mut svg = Svg::new(width, 0.0);
        outline(&mut svg, centre, radius);

        let (mut lost, mut odd) = (Vec::new(), Vec::new());
        let mut found: Vec<(&Spot, (f64, f64))> = Vec::new();
        for spot in self.spots {
            match electrode(&spot.electrode) {
                None => lost.push(spot.electrode.as_str()),
                Some(_) if !sound(spot.value) => odd.push(spot.electrode.as_str()),
                Some(at) => found.push((spot, place(at))),
            }
        }
        for name in self.cap {
            let same = |spot: &&Spot| spot.electrode.trim().eq_ignore_ascii_case(name.trim());
            let spot = self.spots.iter().find(same);
            match electrode(name) {
                // A disc needs no ring below it.
                Some(_) if spot.is_some_and(|spot| sound(spot.value) && spot.value > 0.0) => {}
                Some(at) => {
                    let tip = spot.map_or(*name, |spot| &spot.tooltip);
                    svg.circle(place(at), ring, "ring", tip);
                }
                None => lost.push(name),
            }
        }
        let largest = found.iter().map(|(spot, _)| spot.value).fold(0.0, f64::max);
        let largest = self.largest.filter(|&value| sound(value) && value > 0.0).unwrap_or(largest);
        let size = |value: f64| full * (value / largest).clamp(0.0, 1.0).sqrt();
        // The small ones last: a large disc must not hide them.
        found.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
        let class = format!("spot {}", self.tone.class());
        for (spot, at) in found.iter().filter(|(spot, _)| spot.value > 0.0) {
            svg.circle(*at, size(spot.value).max(0.75), &class, &spot.tooltip);
        }
        if width >= WITH_NAMES {
            // The largest disc of an electrode comes first.
            let mut names: Vec<(String, f64)> = Vec::new();
            let discs = found.iter().map(|(spot, _)| (spot.electrode.as_str(), size(spot.value)));
            for (name, disc) in discs.chain(self.cap.iter().map(|name| (*name, 0.0))) {
                let name = name.trim().to_uppercase();
                if !names.iter().any(|(known, _)| *known == name) {
                    names.push((name, disc));
                }
            }
            for (name, disc) in names {
                if let Some((x, y)) = electrode(&name).map(place) {
                    let below = y + disc.max(ring) + 7.5;
                    svg.text((x, below), Anchor::Middle, Lettering::Electrode, &name);
                }
            }
        }

        let mut y = centre.1 + radius + 14.0 + full;
        if largest > 0.0 {
            self.legend(&mut svg, (width, y), (full, largest));
            y += full + LINE;
        }
        for (words, names) in [("not on the map", &lost), ("no size", &odd)] {
            if !names.is_empty() {
                for line in listed(words, names, width - 4.0) {
                    svg.text((2.0, y), Anchor::Start, Lettering::Tick, &line);
                    y += LINE;
                }
            }
        }
        svg.set_height(y - LINE + 8.0);
        let mut description = description.to_owned();
        for (words, names) in [("Not on the map", &lost), ("No size", &odd)] {
            if !names.is_empty() {
                description += &format!(" {words}: {}.", names.join(", "));
            }
        }
        svg.finish(id, name, description.trim())
    }

    /// The discs of the largest value and of about a quarter of it.
    fn legend(&self, svg: &mut Svg, (width, y): (f64, f64), (full, largest): (f64, f64)) {
        let class = format!("spot {}", self.tone.class());
        let mut x = 2.0;
        // There is no quarter of a count.
        let quarter = 0.25 * largest;
        let quarter = if largest.fract() == 0.0 { quarter.round() } else { quarter };
        for value in [quarter, largest].into_iter().filter(|&value| value > 0.0) {
            let text = number(value);
            svg.circle((x + full, y), full * (value / largest).sqrt(), &class, "");
            svg.text((x + 2.0 * full + 4.0, y + 4.0), Anchor::Start, Lettering::Tick, &text);
            x += 2.0 * full + 14.0 + Lettering::Tick.width(&text);
        }
        if width - x >= 24.0 {
            let label = Lettering::Tick.fitted(self.label, width - x);
            svg.text((x, y + 4.0), Anchor::Start, Lettering::Tick, &label);
        }
    }
}

/// Whether a value can be the size of a disc.
fn sound(value: f64) -> bool {
    drawable(value) && value >= 0.0
}

/// As many names as fit into a few lines, and how many more there are.
fn listed(words: &str, names: &[&str], width: f64) -> Vec<String> {
    let name = |name: &&str| Lettering::Tick.fitted(name, width - Lettering::Tick.width(","));
    let lines = |shown: usize| {
        let mut pieces: Vec<String> = names[..shown].iter().map(name).collect();
        match names.len() - shown {
            0 => {}
            more => pieces.push(format!("and {} more", count(more))),
        }
        let last = pieces.len() - 1;
        let mut lines = vec![format!("{words}:")];
        for (at, piece) in pieces.into_iter().enumerate() {
            let piece = if at < last { piece + "," } else { piece };
            match lines.last_mut() {
                Some(line) if Lettering::Tick.width(&format!("{line} {piece}")) <= width => {
                    *line += " ";
                    *line += &piece;
                }
                _ => lines.push(piece),
            }
        }
        lines
    };
    let fits = |lines: &Vec<String>| lines.len() <= MOST_LINES;
    (1..=names.len().min(60)).rev().map(lines).find(fits).unwrap_or_else(|| lines(0))
}

/// The head with its nose and its ears.
fn outline(svg: &mut Svg, (x, y): (f64, f64), radius: f64) {
    let on = |degrees: f64, distance: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        (x + distance * radius * sin, y - distance * radius * cos)
    };
    svg.polygon(&[on(-8.0, 1.0), (x, y - radius - 12.0), on(8.0, 1.0)], "head", "");
    for side in [-1.0, 1.0] {
        let corner = |step: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(step) / 32.0).sin_cos();
            (x + radius * (side + 0.065 * sin), y + radius * 0.17 * cos)
        };
        svg.polygon(&(0..32).map(corner).collect::<Vec<_>>(), "head", "");
    }
    // The head covers the inner parts of nose and ears.
    svg.circle((x, y), radius, "head", "");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{SEED_CAP, UCI_CAP};

    fn spot(electrode: &str, value: f64) -> Spot {
        let tooltip = format!("{electrode} has {value}");
        Spot { electrode: electrode.into(), value, tooltip }
    }

    fn map<'a>(spots: &'a [Spot], cap: &'a [&'a str]) -> HeadMap<'a> {
        HeadMap { spots, cap, largest: None, label: "times", tone: Tone::Accent }
    }

    fn markup(map: &HeadMap, width: f64) -> String {
        map.draw(width, "h", "n", "d").markup().to_owned()
    }

    fn radii(markup: &str) -> Vec<f64> {
        let discs = markup.split("<circle class=\"spot accent\"").skip(1);
        let radius = |disc: &str| disc.split(" r=\"").nth(1)?.split('"').next()?.parse().ok();
        discs.filter_map(radius).collect()
    }

    #[test]
    fn areas_follow_the_values() {
        let spots = [spot("F3", 1.0), spot("f4", 4.0), spot("CZ", 0.0)];
        let small = markup(&map(&spots, &SEED_CAP), 320.0);
        let found = radii(&small);
        // Two discs, the largest first, and two in the legend: a quarter and the whole.
        assert_eq!(found.len(), 4);
        assert!((found[0] - 2.0 * found[1]).abs() < 0.06, "{found:?}");
        assert_eq!((found[0], found[1]), (found[3], found[2]));
        assert!(small.contains("<title>F3 has 1</title>"));
        let shared = HeadMap { largest: Some(16.0), ..map(&spots, &SEED_CAP) };
        let halved = radii(&markup(&shared, 320.0));
        assert!((halved[0] - 0.5 * found[0]).abs() < 0.06, "{halved:?}");
    }

    #[test]
    fn names_are_for_large_maps() {
        for (cap, count) in [(&SEED_CAP[..], 62), (&UCI_CAP[..], 61)] {
            let wide = markup(&map(&[], cap), 320.0);
            assert_eq!(wide.matches("class=\"electrode\"").count(), count);
            assert_eq!(wide.matches("class=\"ring\"").count(), count);
            assert_eq!(markup(&map(&[], cap), 160.0).matches("<text").count(), 0);
        }
    }

    #[test]
    fn what_cannot_be_shown_is_named() {
        let spots = [spot("A1", 3.0), spot("F3", f64::NAN), spot("F4", -1.0), spot("<b>", 1.0)];
        let markup = markup(&map(&spots, &["FZ", "EKG"]), 320.0);
        assert!(markup.contains(">not on the map: A1, &lt;b&gt;, EKG<"), "{markup}");
        assert!(markup.contains(">no size: F3, F4<"));
        assert!(markup.contains("d Not on the map: A1, &lt;b&gt;, EKG. No size: F3, F4.</desc>"));
    }

    #[test]
    fn long_lists_are_counted() {
        assert_eq!(listed("lost", &["A1", "A2"], 200.0), ["lost: A1, A2"]);
        let names: Vec<String> = (0..99).map(|k| format!("X{k}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let lines = listed("lost", &names, 140.0);
        assert_eq!(lines.len(), MOST_LINES);
        let shown = lines.concat().matches('X').count();
        assert!(shown > 3 && lines[2].ends_with(&format!("and {} more", 99 - shown)), "{lines:?}");
        assert!(lines.iter().all(|line| Lettering::Tick.width(line) <= 140.0), "{lines:?}");
    }

    #[test]
    fn hostile_values_make_a_sound_picture() {
        let long = "name".repeat(500);
        let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e299, 1e305, 1e-300];
        for value in values {
            for name in ["CZ", long.as_str()] {
                for count in [0, 1, 20] {
                    let spots = vec![Spot { tooltip: String::new(), ..spot(name, value) }; count];
                    for largest in [None, Some(f64::NAN), Some(0.0), Some(2.0)] {
                        let map = HeadMap { largest, ..map(&spots, &SEED_CAP) };
                        let markup = markup(&map, 160.0);
                        assert!(!markup.contains("NaN") && !markup.contains("inf"), "{value}");
                    }
                }
            }
        }
    }
}

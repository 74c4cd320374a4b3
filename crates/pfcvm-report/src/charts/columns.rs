//! One narrow column for each of many features: how often each was chosen.

use super::apart::apart;
use super::frame::Frame;
use super::legend::{Key, Legend};
use super::scale::{Scale, drawable};
use super::svg::{Anchor, Picture, Tone};
use crate::lettering::Lettering;
use crate::name::or_nameless;
use crate::number::{count, number};

/// The thinnest column that is still seen.
const THINNEST: f64 = 1.5;
/// Room for the names above the plot.
const NAMES: f64 = 42.0;
/// Longest name above the plot, in pixels.
const LONGEST: f64 = 110.0;
/// Features that a tooltip names one by one.
const MOST_NAMED: usize = 4;

/// One feature.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stem {
    /// Its name.
    pub name: String,
    /// Its height. What is not above zero is not drawn.
    pub value: f64,
    /// Whether it is of the second kind.
    pub second: bool,
    /// Whether its name should stand above it. Where there is no room for all names, those of
    /// the highest columns are shown.
    pub named: bool,
}

/// A chart of narrow columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns<'a> {
    /// The features from left to right.
    pub stems: &'a [Stem],
    /// What the two kinds are called, such as signal and noise. An empty word has no entry in
    /// the legend.
    pub kinds: [&'a str; 2],
    /// A dashed line at a height, and what it means.
    pub guide: Option<(f64, &'a str)>,
    /// What x means.
    pub x_label: &'a str,
    /// What the heights mean.
    pub y_label: &'a str,
}

/// Features that share a place on the screen, the highest first.
type Shared<'a> = (f64, Vec<&'a Stem>);

impl Columns<'_> {
    /// The chart at a width in pixels; see [`crate::charts::Svg::finish`] for the texts.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let roomy = width > 600.0;
        let legend = Legend::new(self.keys(), width - 4.0);
        let any_names = self.stems.iter().any(|stem| stem.named && stem.shown());
        let headroom = legend.height() + if any_names { NAMES } else { 0.0 };
        let height = headroom + if roomy { 270.0 } else { 230.0 };

        let last = self.stems.len().max(1) as f64;
        let x = Scale::whole(1.0, last, if roomy { 10 } else { 5 }).widened(0.6);
        let guide = self.guide.filter(|(level, _)| drawable(*level));
        let values = self.stems.iter().map(|stem| stem.value).filter(|value| *value >= 0.0);
        let values = values.chain([0.0]).chain(guide.map(|(level, _)| level));
        let (x, y) = ((self.x_label, x), (self.y_label, Scale::linear(values, 4)));
        let mut frame = Frame::with_headroom((width, height), headroom, x, y);
        legend.draw(frame.svg(), (2.0, 20.0));

        self.columns(&mut frame);
        let [left, _, right, _] = frame.edges();
        if let Some((level, _)) = guide {
            let y = frame.pixel((0.0, level)).1;
            frame.svg().line((left, y), (right, y), "level");
        }
        self.names(&mut frame, width);
        frame.finish(id, name, description)
    }

    fn keys(&self) -> Vec<(Key, String)> {
        let kinds = [Tone::Accent, Tone::Contrast].into_iter().zip(self.kinds);
        let kinds = kinds.filter(|(_, kind)| !kind.is_empty());
        let kinds = kinds.map(|(tone, kind)| (Key::Swatch(tone), kind.to_owned()));
        let guide = self.guide.filter(|(level, _)| drawable(*level));
        kinds.chain(guide.map(|(_, words)| (Key::Level, words.to_owned()))).collect()
    }

    fn columns(&self, frame: &mut Frame) {
        let step = frame.distance(1.0, 2.0);
        let wide = if step > 5.0 { step - 1.5 } else { step.max(THINNEST) };
        for (x, stems) in self.shared(frame) {
            let highest = stems[0];
            let (_, base) = frame.pixel((0.0, 0.0));
            // What was chosen once in a thousand times is still there.
            let top = frame.pixel((0.0, highest.value)).1.min(base - 1.0);
            let corners = ((x - 0.5 * wide, base), (x + 0.5 * wide, top));
            let tip = self.tooltip(&stems);
            frame.svg().bar(corners.0, corners.1, highest.tone(), &tip);
        }
    }

    /// What is above zero. Of columns that would cover each other, only the highest can be seen,
    /// so the others need no shape; the tooltip knows them.
    fn shared(&self, frame: &Frame) -> Vec<Shared<'_>> {
        let mut places: Vec<Shared> = Vec::new();
        for (at, stem) in self.stems.iter().enumerate().filter(|(_, stem)| stem.shown()) {
            let x = frame.pixel((at as f64 + 1.0, 0.0)).0;
            match places.last_mut() {
                Some((first, stems)) if x - *first < 0.5 * THINNEST => stems.push(stem),
                _ => places.push((x, vec![stem])),
            }
        }
        for (_, stems) in &mut places {
            stems.sort_by(|a, b| b.value.total_cmp(&a.value));
        }
        places
    }

    fn tooltip(&self, stems: &[&Stem]) -> String {
        let one = |stem: &&Stem| {
            let kind = self.kinds[usize::from(stem.second)];
            let kind = if kind.is_empty() { String::new() } else { format!(" ({kind})") };
            format!("{}{kind}: {}", or_nameless(&stem.name), number(stem.value))
        };
        let mut text = stems.iter().take(MOST_NAMED).map(one).collect::<Vec<_>>().join("; ");
        if stems.len() > MOST_NAMED {
            text += &format!("; and {} lower ones", count(stems.len() - MOST_NAMED));
        }
        text
    }

    /// Names in one row above the plot, each joined to its column by a thin line. As their order
    /// is that of the columns, no two of these lines cross.
    fn names(&self, frame: &mut Frame, width: f64) {
        let mut named: Vec<(usize, &Stem)> =
            self.stems.iter().enumerate().filter(|(_, stem)| stem.named && stem.shown()).collect();
        named.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        let [left, top, right, _] = frame.edges();
        let mut room = right.min(width) - left;
        let mut labels: Vec<(f64, f64, f64, String)> = Vec::new();
        for (at, stem) in named {
            let text = Lettering::Name.fitted(or_nameless(&stem.name), LONGEST);
            let size = 10.0 + Lettering::Name.width(&text);
            if size > room {
                break;
            }
            room -= size;
            let (x, y) = frame.pixel((at as f64 + 1.0, stem.value));
            labels.push((x, y, size, text));
        }
        let wanted: Vec<f64> = labels.iter().map(|label| label.0).collect();
        let sizes: Vec<f64> = labels.iter().map(|label| label.2).collect();
        let middles = apart(&wanted, &sizes, (left, right));
        for ((x, y, _, text), middle) in labels.into_iter().zip(middles) {
            let way = [(x, y - 2.0), (x, top - 4.0), (middle, top - NAMES + 18.0)];
            frame.svg().stroke(&way, "lead");
            frame.svg().text((middle, top - NAMES + 14.0), Anchor::Middle, Lettering::Name, &text);
        }
    }
}

impl Stem {
    fn shown(&self) -> bool {
        drawable(self.value) && self.value > 0.0
    }

    fn tone(&self) -> Tone {
        if self.second { Tone::Contrast } else { Tone::Accent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem(name: &str, value: f64) -> Stem {
        Stem { name: name.into(), value, ..Stem::default() }
    }

    fn markup(stems: &[Stem], guide: Option<(f64, &str)>, width: f64) -> String {
        let kinds = ["signal", "noise"];
        let columns = Columns { stems, kinds, guide, x_label: "feature", y_label: "chosen" };
        columns.draw(width, "c", "n", "d").markup().to_owned()
    }

    #[test]
    fn kinds_guide_and_tooltips_are_there() {
        let mut stems: Vec<Stem> = (0..40).map(|k| stem(&format!("x{k}"), 0.0)).collect();
        stems[3].value = 0.8;
        stems[30] = Stem { value: 0.1, second: true, ..stems[30].clone() };
        let markup = markup(&stems, Some((0.2, "one in five")), 940.0);
        assert!(markup.contains("<title>x3 (signal): 0.800</title>"));
        assert!(markup.contains("<title>x30 (noise): 0.100</title>") && !markup.contains("x29"));
        assert!(markup.contains(">signal<") && markup.contains(">one in five<"));
        // One column and one swatch each; the line and its key.
        assert_eq!(markup.matches("bar accent").count(), 2);
        assert_eq!(markup.matches("bar contrast").count(), 2);
        assert_eq!(markup.matches("class=\"level\"").count(), 2);
    }

    #[test]
    fn thousands_of_features_share_places_and_stay_visible() {
        let value = |k: usize| if k.is_multiple_of(3) { (k % 17) as f64 } else { 0.0 };
        let stems: Vec<Stem> = (0..7129).map(|k| stem(&format!("g{k}"), value(k))).collect();
        let markup = markup(&stems, None, 360.0);
        let columns = markup.matches("<rect class=\"bar accent\"").count();
        assert!(columns < 500 && columns > 200, "{columns}");
        let widths = markup.split("<rect class=\"bar accent\"").skip(2);
        for width in widths.map(|rest| rest.split("width=\"").nth(1).unwrap_or_default()) {
            let width: f64 = width.split('"').next().unwrap_or_default().parse().unwrap();
            assert!(width >= THINNEST - 0.06, "{width}");
        }
        assert!(markup.contains("lower ones"));
    }

    #[test]
    fn names_keep_their_distance_and_the_highest_come_first() {
        let named = |k: usize| Stem { named: true, ..stem(&format!("g{k:03}"), k as f64) };
        let mut stems: Vec<Stem> = (0..2000).map(|k| stem(&format!("g{k}"), 0.0)).collect();
        for k in 0..30 {
            stems[1000 + k] = named(k + 1);
        }
        let markup = markup(&stems, None, 360.0);
        let texts: Vec<&str> = markup.split("<text class=\"name\" x=\"").skip(1).collect();
        assert!(texts.len() > 3 && texts.len() < 12, "{}", texts.len());
        assert!(markup.contains(">g030</text>") && !markup.contains(">g001</text>"));
        let mut places: Vec<f64> =
            texts.iter().map(|text| text.split('"').next().unwrap().parse().unwrap()).collect();
        places.sort_by(f64::total_cmp);
        let size = 10.0 + Lettering::Name.width("g030");
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] > size - 0.2), "{places:?}");
    }

    #[test]
    fn hostile_values_make_a_sound_picture() {
        let long = "name".repeat(500);
        for value in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e305, 1e299, 1e-300, 0.5] {
            for many in [0, 1, 20, 3000] {
                let stem = Stem { named: many < 50, ..stem(&long, value) };
                let stems = vec![stem; many];
                for level in [f64::NAN, 0.2, f64::INFINITY] {
                    let markup = markup(&stems, Some((level, &long)), 360.0);
                    let numbers = markup.replace("namename", "");
                    assert!(!numbers.contains("NaN") && !numbers.contains("inf"), "{value} {many}");
                }
            }
        }
    }
}

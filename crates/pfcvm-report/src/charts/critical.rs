//! The critical-difference picture: average ranks on a line, bars over methods that do not differ.

use super::{Anchor, Picture, Svg, Tone};
use crate::lettering::Lettering;
use crate::number::fixed;

const WIDTH: f64 = 760.0;
/// Room for names on both sides.
const SIDE: f64 = 190.0;
/// Height of the line of ranks.
const AXIS: f64 = 64.0;
/// Between two bars of groups, and between two names.
const BAR_STEP: f64 = 11.0;
const NAME_STEP: f64 = 24.0;

/// Methods with their average ranks.
#[derive(Debug, Clone, Copy)]
pub struct CriticalDifference<'a> {
    /// Names of the methods.
    pub methods: &'a [String],
    /// Their average ranks; 1 is best.
    pub ranks: &'a [f64],
    /// Groups of methods that do not differ, as places among the methods.
    pub groups: &'a [Vec<usize>],
    /// Ranks must differ by this much.
    pub difference: f64,
    /// Whose difference it is.
    pub label: &'a str,
}

impl CriticalDifference<'_> {
    /// Draws the picture; the best methods stand on the left.
    pub fn draw(&self, id: &str) -> Picture {
        let mut order: Vec<usize> = (0..self.methods.len()).collect();
        order.sort_by(|a, b| self.ranks[*a].total_cmp(&self.ranks[*b]));
        let groups: Vec<&Vec<usize>> = self.groups.iter().filter(|g| g.len() > 1).collect();
        let names_from = AXIS + 22.0 + BAR_STEP * groups.len() as f64;
        let rows = order.len().div_ceil(2) as f64;
        let mut svg = Svg::new(WIDTH, names_from + NAME_STEP * rows + 8.0);

        self.axis(&mut svg);
        for (at, group) in groups.iter().enumerate() {
            let ranks = group.iter().map(|&method| self.ranks[method]);
            let low = ranks.clone().fold(f64::INFINITY, f64::min);
            let high = ranks.fold(f64::NEG_INFINITY, f64::max);
            let y = AXIS + 14.0 + BAR_STEP * at as f64;
            let names: Vec<&str> = group.iter().map(|&m| self.methods[m].as_str()).collect();
            let tooltip = format!("do not differ: {}", names.join(", "));
            let corners = ((self.x(low) - 4.0, y - 2.5), (self.x(high) + 4.0, y + 2.5));
            svg.bar(corners.0, corners.1, Tone::Accent, &tooltip);
        }
        let half = order.len().div_ceil(2);
        for (place, &method) in order.iter().enumerate() {
            // The left half from the top down, the right half from the bottom up: no lines cross.
            let left = place < half;
            let row = if left { place } else { order.len() - 1 - place };
            let y = names_from + NAME_STEP * row as f64 + 12.0;
            let x = self.x(self.ranks[method]);
            let (end, anchor) =
                if left { (SIDE, Anchor::End) } else { (WIDTH - SIDE, Anchor::Start) };
            svg.line((x, AXIS), (x, y), "axis");
            svg.line((x, y), (end, y), "axis");
            let rank = fixed(self.ranks[method], 2);
            let room = SIDE - 12.0 - Lettering::Name.width(&format!("  {rank}"));
            let name = Lettering::Name.fitted(&self.methods[method], room);
            let text = if left { format!("{name}  {rank}") } else { format!("{rank}  {name}") };
            let away = if left { -8.0 } else { 8.0 };
            svg.text((end + away, y + 4.0), anchor, Lettering::Name, &text);
        }
        let best = order.first().map_or("", |&method| self.methods[method].as_str());
        let about = format!("Average ranks of {} methods; best is {best}.", self.methods.len());
        svg.finish(id, "Average ranks and critical difference", &about)
    }

    /// Position of a rank.
    fn x(&self, rank: f64) -> f64 {
        let last = (self.methods.len().max(2)) as f64;
        SIDE + 20.0 + (WIDTH - 2.0 * SIDE - 40.0) * (rank - 1.0) / (last - 1.0)
    }

    /// The line of ranks, and the critical difference as a length above it.
    fn axis(&self, svg: &mut Svg) {
        let last = self.methods.len();
        svg.line((self.x(1.0), AXIS), (self.x(last as f64), AXIS), "axis");
        for rank in 1..=last {
            let x = self.x(rank as f64);
            svg.line((x, AXIS - 5.0), (x, AXIS), "axis");
            svg.text((x, AXIS - 10.0), Anchor::Middle, Lettering::Tick, &rank.to_string());
        }
        let start = self.x(1.0);
        // A difference longer than all ranks is drawn as long as they are.
        let end = self.x((1.0 + self.difference).min(last as f64));
        svg.line((start, 30.0), (end, 30.0), "whisker");
        for x in [start, end] {
            svg.line((x, 26.0), (x, 34.0), "whisker");
        }
        let label = format!("critical difference {} ({})", fixed(self.difference, 2), self.label);
        svg.text((start, 18.0), Anchor::Start, Lettering::Label, &label);
    }
}

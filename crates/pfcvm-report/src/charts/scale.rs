//! From values to pixels, and the places on an axis that deserve a label.

use crate::lettering::Lettering;
use crate::number::{fixed, number};

/// Values beyond this cannot be subtracted from each other safely; they are treated as missing.
const LARGEST: f64 = 1e300;

/// Whether a value can be drawn at all.
pub fn drawable(value: f64) -> bool {
    value.abs() < LARGEST
}

/// A range of values with its labelled places.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<(f64, String)>,
}

impl Scale {
    /// A linear scale that shows all values, with ends and about `ticks` labels at round numbers.
    /// Values that cannot be drawn are left out.
    pub fn linear(values: impl IntoIterator<Item = f64>, ticks: usize) -> Self {
        Self::with_step(values, ticks, 0.0)
    }

    /// As [`Scale::linear`], without labels between whole numbers.
    pub fn linear_counts(values: impl IntoIterator<Item = f64>, ticks: usize) -> Self {
        Self::with_step(values, ticks, 1.0)
    }

    fn with_step(values: impl IntoIterator<Item = f64>, ticks: usize, smallest: f64) -> Self {
        let (low, high) = range(values);
        let (low, high) = if low < high {
            (low, high)
        } else {
            // One value only: room on both sides of it.
            let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            (low - room, high + room)
        };
        let step = round_step((high - low) / ticks.max(1) as f64).max(smallest);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let steps = (last - first).min(50.0) as usize;
        let decimals = (-step.log10().floor()).max(0.0);
        let largest = low.abs().max(high.abs());
        let label = |value: f64| match decimals {
            d if largest < 1e7 && d <= 5.0 => fixed(value, d as usize),
            // Beside numbers of this size a tick next to zero is zero.
            _ if value.abs() < 1e-9 * largest => "0".into(),
            _ => number(value),
        };
        let tick = |k: usize| (first + k as f64) * step;
        let ticks = (0..=steps).map(|k| (tick(k), label(tick(k)))).collect();
        Self { low: first * step, high: last * step, logarithmic: false, ticks }
    }

    /// As [`Scale::linear`], but ending a little beyond the outermost values, not at a label.
    pub fn tight(values: impl IntoIterator<Item = f64>, ticks: usize) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let mut scale = Self::linear(values.iter().copied(), ticks);
        let (low, high) = range(values);
        let room = 0.02 * (high - low);
        if room > 0.0 {
            // Zero is an end of its own: nothing lies beyond it.
            scale.low = if low >= 0.0 { (low - room).max(0.0) } else { low - room };
            scale.high = if high <= 0.0 { (high + room).min(0.0) } else { high + room };
            scale.ticks.retain(|(at, _)| (scale.low..=scale.high).contains(at));
        }
        scale
    }

    /// As [`Scale::tight`], with as many labels as fit side by side into a width in pixels.
    pub fn fitting(values: impl IntoIterator<Item = f64>, width: f64) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let scale = |ticks| Self::tight(values.iter().copied(), ticks);
        let fits = |scale: &Self| {
            let room = scale.ticks.iter().map(|(_, label)| 16.0 + Lettering::Tick.width(label));
            room.sum::<f64>() < width
        };
        (2..=7).rev().map(scale).find(fits).unwrap_or_else(|| scale(1))
    }

    /// From 0 to 1, for shares and probabilities.
    pub fn unit() -> Self {
        let labels = ["0", "0.25", "0.5", "0.75", "1"];
        let ticks = labels.iter().enumerate().map(|(k, label)| (k as f64 / 4.0, (*label).into()));
        Self { low: 0.0, high: 1.0, logarithmic: false, ticks: ticks.collect() }
    }

    /// Whole numbers from one to another, such as iterations: no tick at a fraction.
    pub fn whole(low: f64, high: f64, ticks: usize) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / ticks.max(1) as f64).max(1.0).round();
        let mut places = vec![low];
        let mut at = ((low / step).floor() + 1.0) * step;
        while at <= high {
            // A label next to the first one would run into it.
            if at - low > 0.4 * step {
                places.push(at);
            }
            at += step;
        }
        let ticks = places.into_iter().map(|at| (at, number(at))).collect();
        Self { low, high, logarithmic: false, ticks }
    }

    /// A logarithmic scale for values above zero, labelled at powers of ten and, where there are
    /// few of those, at 2 and 5 between.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(values.into_iter().filter(|&value| value > 0.0));
        let (low, high) = if low > 0.0 { (low / 1.1, high * 1.1) } else { (1.0, 10.0) };
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let factors: &[f64] = if high / low < 50.0 {
            &[1.0, 2.0, 3.0, 5.0]
        } else if last - first <= 3 {
            &[1.0, 3.0]
        } else {
            &[1.0]
        };
        let spread = ((last - first) / 5).max(1) as usize;
        let decades = (first..=last).step_by(spread);
        let places = decades.flat_map(|power| factors.iter().map(move |f| f * 10f64.powi(power)));
        let ticks = places.filter(|place| (low..=high).contains(place));
        let ticks = ticks.map(|place| (place, number(place))).collect();
        Self { low, high, logarithmic: true, ticks }
    }

    /// Logarithmic if the values are counts that change at least tenfold, else linear from zero.
    pub fn counts(values: &[f64], ticks: usize) -> Self {
        let (low, high) = range(values.iter().copied());
        if low >= 1.0 && high >= 10.0 * low {
            Self::logarithmic(values.iter().copied())
        } else {
            Self::linear_counts(values.iter().copied().chain([0.0]), ticks)
        }
    }

    /// A place for each of some names, around the whole numbers from 0; as many of the names as fit
    /// side by side into a width in pixels.
    pub fn cells(names: &[String], width: f64) -> Self {
        let widest = names.iter().map(|name| Lettering::Tick.width(name)).fold(0.0, f64::max);
        Self::of_cells(names, width, widest.min(80.0) + 10.0)
    }

    /// The same for names above each other.
    pub fn cells_upwards(names: &[String], height: f64) -> Self {
        Self::of_cells(names, height, 18.0)
    }

    /// `each` is the room that a name takes.
    fn of_cells(names: &[String], room: f64, each: f64) -> Self {
        let count = names.len().max(1);
        let fitting = ((room / each) as usize).clamp(1, count);
        let step = count.div_ceil(fitting);
        let name = |at: usize| Lettering::Tick.fitted(&names[at], 80.0);
        let ticks = (0..names.len()).step_by(step).map(|at| (at as f64, name(at))).collect();
        Self { low: -0.5, high: count as f64 - 0.5, logarithmic: false, ticks }
    }

    /// The same labels with room beyond both ends, in units of a linear scale.
    pub fn widened(self, room: f64) -> Self {
        Self { low: self.low - room, high: self.high + room, ..self }
    }

    /// The same scale with labels that count away from zero in both directions.
    pub fn without_signs(mut self) -> Self {
        for (_, label) in &mut self.ticks {
            *label = label.trim_start_matches('−').to_owned();
        }
        self
    }

    /// Whether equal distances mean equal factors.
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The labelled places.
    pub fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// Both ends.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where a value lies, 0 at the low end and 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values = values.into_iter().filter(|&value| drawable(value));
    let found = values.fold(None, |found: Option<(f64, f64)>, value| {
        let (low, high) = found.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    });
    found.unwrap_or((0.0, 1.0))
}

/// The nearest of 1, 2, 5 times a power of ten that is not much smaller.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = match step / power {
        f if f <= 1.2 => 1.0,
        f if f <= 2.4 => 2.0,
        f if f <= 6.0 => 5.0,
        _ => 10.0,
    };
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks().iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_cover_the_values() {
        let scale = Scale::linear([0.03, 0.97], 5);
        assert_eq!(labels(&scale), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Scale::linear([-3.0, 4.0], 3)), ["−4", "−2", "0", "2", "4"]);
        assert_eq!(scale.share(0.5), 0.5);
        assert_eq!(labels(&Scale::linear_counts([0.0, 2.0], 5)), ["0", "1", "2"]);
    }

    #[test]
    fn hopeless_values_still_give_a_scale() {
        for values in [vec![], vec![f64::NAN], vec![7.0], vec![-1e299, 1e299], vec![1e-300, 0.0]] {
            let scale = Scale::linear(values.clone(), 4);
            assert!(scale.ticks().len() < 60, "{values:?}");
            assert!(values.iter().all(|&v| (0.0..=1.0).contains(&scale.share(v))), "{values:?}");
        }
    }

    #[test]
    fn tight_scales_end_near_the_values() {
        let scale = Scale::tight([0.0, -0.9, 1.06], 5);
        assert_eq!(labels(&scale), ["−0.5", "0.0", "0.5", "1.0"]);
        assert!(scale.share(1.06) < 1.0 && scale.share(1.06) > 0.97);
        assert_eq!(Scale::tight([0.0, 2.0], 4).ends().0, 0.0);
        for (low, high) in [(0.61, 0.97), (-0.97, -0.61), (0.001, 1.0)] {
            let (first, last) = Scale::tight([low, high], 4).ends();
            assert!(first < low && high < last && first * last >= 0.0, "{first} {last}");
        }
    }

    #[test]
    fn whole_numbers_have_no_fractions_between() {
        assert_eq!(labels(&Scale::whole(1.0, 3.0, 5)), ["1", "2", "3"]);
        assert_eq!(labels(&Scale::whole(1.0, 43.0, 4)), ["1", "10", "20", "30", "40"]);
        assert_eq!(labels(&Scale::whole(1.0, 1.0, 4)), ["1", "2"]);
    }

    #[test]
    fn counts_that_fall_far_are_logarithmic() {
        let scale = Scale::counts(&[400.0, 40.0, 8.0], 4);
        assert!(scale.is_logarithmic());
        assert_eq!(labels(&scale), ["10", "30", "100", "300"]);
        assert!(!Scale::counts(&[400.0, 40.0, 0.0], 4).is_logarithmic());
        assert!(!Scale::counts(&[21.0, 18.0], 4).is_logarithmic());
    }
}

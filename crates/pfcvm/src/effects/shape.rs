//! Which way an effect goes, in one word.

use super::{Place, Point};
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result as Written};

/// A move against the rest that is smaller than this share of the whole is no turn.
const TURN: f64 = 0.1;
/// Effects that differ by less are none.
const FLAT: f64 = 0.005;
/// So many numbers at both ends do not count: there are few rows beyond them, or none.
const ENDS: usize = 2;

/// Which way an effect goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// The larger the value, the more it speaks for the positive class.
    Rises,
    /// The larger the value, the more it speaks against it.
    Falls,
    /// Values in the middle speak for the positive class.
    Peaks,
    /// Values in the middle speak against it.
    Dips,
    /// It turns more than once.
    Curved,
    /// Words differ; they have no order.
    Differs,
    /// By itself it does next to nothing.
    Flat,
}

impl Shape {
    pub(super) fn of(points: &[Point]) -> Self {
        let number = |point: &&Point| matches!(point.place, Place::Number(_));
        let along: Vec<f64> = points.iter().filter(number).map(|point| point.effect).collect();
        let along = along.get(ENDS..along.len().saturating_sub(ENDS)).unwrap_or_default();
        let ends = |values: &[f64]| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            high - low
        };
        let all: Vec<f64> = points.iter().map(|point| point.effect).collect();
        let size = ends(along);
        match along.is_empty() || size < FLAT {
            // What says something may be the gaps alone.
            true if ends(&all) < FLAT || all.is_empty() => Shape::Flat,
            true => Shape::Differs,
            false => Self::of_turns(&moves(along, TURN * size)),
        }
    }

    fn of_turns(upwards: &[bool]) -> Self {
        match upwards {
            [true] => Shape::Rises,
            [false] => Shape::Falls,
            [true, false] => Shape::Peaks,
            [false, true] => Shape::Dips,
            _ => Shape::Curved,
        }
    }
}

/// Whether each move goes up, from turn to turn; smaller ones are not seen.
fn moves(values: &[f64], smallest: f64) -> Vec<bool> {
    let mut upwards: Vec<bool> = Vec::new();
    let (mut low, mut high) = (values[0], values[0]); // since the last turn
    for &value in values {
        (low, high) = (low.min(value), high.max(value));
        let up = value - low > smallest && upwards.last() != Some(&true);
        let down = high - value > smallest && upwards.last() != Some(&false);
        if up || down {
            upwards.push(up);
            (low, high) = (value, value);
        }
    }
    upwards
}

impl Display for Shape {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            Shape::Rises => "rises",
            Shape::Falls => "falls",
            Shape::Peaks => "peaks",
            Shape::Dips => "dips",
            Shape::Curved => "curved",
            Shape::Differs => "differs",
            Shape::Flat => "flat",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(of: impl Fn(f64) -> f64) -> Shape {
        let at = |k: usize| k as f64 / 10.0 - 1.0;
        let point =
            |k: usize| Point { place: Place::Number(at(k)), effect: of(at(k)), deviation: 0.0 };
        Shape::of(&Vec::from_iter((0..21).map(point)))
    }

    #[test]
    fn shapes_by_hand() {
        assert_eq!(shape(|x| 0.3 * x), Shape::Rises);
        assert_eq!(shape(|x| (-3.0 * x).exp()), Shape::Falls);
        assert_eq!(shape(|x| x + 0.04 * (9.0 * x).sin()), Shape::Rises);
        assert_eq!(shape(|x| -(x - 0.2).powi(2)), Shape::Peaks);
        assert_eq!(shape(|x| x * x), Shape::Dips);
        assert_eq!(shape(|x| (6.0 * x).sin()), Shape::Curved);
        assert_eq!(shape(|_| 0.0), Shape::Flat);
        assert_eq!(shape(|x| 1e-4 * x), Shape::Flat);
        assert_eq!(Shape::of(&[]), Shape::Flat);
    }
}

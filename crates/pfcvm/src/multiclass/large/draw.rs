//! Rows drawn by their numbers, so that who is drawn does not depend on how the rows are parted.
//!
//! Every row has a place: its number, stirred. The rows with the lowest places are drawn, and of each
//! class at least some. Of two parts of the rows the same are drawn as of what was drawn of each.

use crate::matrix::Matrix;
use serde::{Deserialize, Serialize};

/// One row of so many is held out.
const HELD: u64 = 16;

/// A number, stirred (the finisher of splitmix64): all bits depend on all others.
fn stirred(number: u64, seed: u64) -> u64 {
    let mut z = number.wrapping_add(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The place of a row.
pub(super) fn place(number: u64, seed: u64) -> u64 {
    stirred(stirred(number, seed), 0)
}

/// Whether a row is held out.
pub(super) fn is_held(number: u64, seed: u64) -> bool {
    stirred(stirred(number, seed), 1).is_multiple_of(HELD)
}

/// Whether a row is one of every so many.
pub(super) fn is_among(number: u64, seed: u64, every: u64) -> bool {
    every <= 1 || stirred(stirred(number, seed), 2).is_multiple_of(every)
}

/// Which rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Draw {
    /// So many of all,
    pub most: usize,
    /// and so many of each class at least.
    pub least: usize,
    /// A place above which none of the first may be: blocks then need not keep what will not be drawn.
    pub cut: u64,
}

impl Draw {
    /// From so many rows, where that is known.
    pub fn new(most: usize, least: usize, rows: Option<u64>) -> Self {
        // Places are spread evenly over held-out rows as well: six standard deviations more than enough.
        let cut = rows.map_or(u64::MAX, |rows| {
            let enough = most as f64 + 6.0 * (most as f64).sqrt() + 36.0;
            let enough = enough * HELD as f64 / (HELD - 1) as f64;
            (enough / rows.max(1) as f64 * u64::MAX as f64) as u64
        });
        Self { most, least, cut }
    }
}

/// Rows that were drawn, and what all rows weigh.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Drawn {
    /// Rows that were looked at, held-out ones included.
    pub rows: u64,
    /// Rows of each class, and what they weigh.
    pub class_rows: Vec<u64>,
    pub class_weights: Vec<f64>,
    pub numbers: Vec<u64>,
    places: Vec<u64>,
    pub class: Vec<usize>,
    pub weights: Vec<f64>,
    /// Their values, row after row.
    #[serde(with = "gaps")]
    values: Vec<f64>,
}

impl Drawn {
    pub fn of(classes: usize) -> Self {
        let (class_rows, class_weights) = (vec![0; classes], vec![0.0; classes]);
        Self { class_rows, class_weights, ..Self::default() }
    }

    /// Takes a row.
    pub fn push(
        &mut self,
        (number, seed): (u64, u64),
        class: usize,
        weight: f64,
        values: impl Iterator<Item = f64>,
    ) {
        self.numbers.push(number);
        self.places.push(place(number, seed));
        self.class.push(class);
        self.weights.push(weight);
        self.values.extend(values);
    }

    /// Takes what was drawn of other rows; those that are not drawn of both go once they are many.
    pub fn add(&mut self, mut other: Drawn, draw: Draw) {
        self.rows += other.rows;
        self.class_rows.iter_mut().zip(other.class_rows).for_each(|(sum, more)| *sum += more);
        crate::sums::plus(&mut self.class_weights, &other.class_weights);
        self.numbers.append(&mut other.numbers);
        self.places.append(&mut other.places);
        self.class.append(&mut other.class);
        self.weights.append(&mut other.weights);
        self.values.append(&mut other.values);
        if self.numbers.len() > 2 * (draw.most + draw.least * self.class_rows.len()) {
            self.prune(draw);
        }
    }

    /// Keeps those that are drawn, in the order of their places.
    pub fn prune(&mut self, draw: Draw) {
        let width = self.width();
        let mut order: Vec<usize> = (0..self.numbers.len()).collect();
        order.sort_unstable_by_key(|&i| (self.places[i], self.numbers[i]));
        let mut of_class = vec![0; self.class_rows.len()];
        let mut kept = Vec::with_capacity(draw.most);
        for (rank, i) in order.into_iter().enumerate() {
            let taken = &mut of_class[self.class[i]];
            // What is behind the cut came with one block and not with another.
            if (rank < draw.most && self.places[i] <= draw.cut) || *taken < draw.least {
                kept.push(i);
            }
            *taken += 1;
        }
        let values = kept.iter().flat_map(|&i| self.values[i * width..][..width].iter().copied());
        self.values = values.collect();
        self.numbers = kept.iter().map(|&i| self.numbers[i]).collect();
        self.places = kept.iter().map(|&i| self.places[i]).collect();
        self.class = kept.iter().map(|&i| self.class[i]).collect();
        self.weights = kept.iter().map(|&i| self.weights[i]).collect();
    }

    pub fn width(&self) -> usize {
        self.values.len().checked_div(self.numbers.len()).unwrap_or(0)
    }

    /// The values of the rows that were drawn.
    pub fn x(&self) -> Matrix {
        let width = self.width();
        Matrix::from_fn(self.numbers.len(), width, |i, j| self.values[i * width + j])
    }
}

/// Gaps, which not every format can hold, as nothing.
mod gaps {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        let known: Vec<Option<f64>> = values.iter().map(|v| (!v.is_nan()).then_some(*v)).collect();
        known.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let known = Vec::<Option<f64>>::deserialize(deserializer)?;
        Ok(known.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a block keeps: all before the cut, and some of each class.
    fn drawn(numbers: impl Iterator<Item = u64>, draw: Draw) -> Drawn {
        let (mut drawn, mut of_class) = (Drawn::of(2), [0; 2]);
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_by_key(|&number| place(number, 3));
        for number in numbers {
            let class = usize::from(number.is_multiple_of(50));
            of_class[class] += 1;
            if place(number, 3) <= draw.cut || of_class[class] <= draw.least {
                drawn.push((number, 3), class, 1.0, [number as f64, 0.5].into_iter());
            }
        }
        drawn.prune(draw);
        drawn
    }

    /// However rows are parted, the same are drawn: also the rare ones, of which there are fewer among the first.
    #[test]
    fn parts_do_not_matter() {
        let whole = |cut| drawn(0..5000, Draw { most: 100, least: 20, cut });
        // Also where fewer than were wanted are before the cut.
        for cut in [u64::MAX, u64::MAX / 100] {
            let (draw, whole) = (Draw { most: 100, least: 20, cut }, whole(cut));
            assert_eq!(whole.class.iter().filter(|class| **class == 1).count(), 20);
            for parts in [2, 7, 64] {
                let mut together = Drawn::of(2);
                for part in 0..parts {
                    together.add(drawn((0..5000).filter(|i| i % parts == part), draw), draw);
                }
                together.prune(draw);
                assert_eq!(together, whole);
            }
        }
        let whole = whole(u64::MAX);
        assert_eq!(whole.x().get(3, 0), whole.numbers[3] as f64);
    }

    /// A cut by the number of rows takes nothing away that is drawn without it.
    #[test]
    fn the_cut_is_high_enough() {
        for (seed, most) in (0..20).zip([500, 10_000].into_iter().cycle()) {
            let draw = Draw::new(most, 0, Some(100_000));
            let below = (0..100_000).filter(|&i| place(i, seed) <= draw.cut && !is_held(i, seed));
            let below = below.count();
            assert!((most..2 * most).contains(&below), "{below}");
        }
    }

    /// Held-out rows are one in sixteen, and neither drawn more often nor less.
    #[test]
    fn rows_are_held_out_whatever_their_places() {
        let held = |low: bool| {
            let rows = (0..64_000u64).filter(|&i| (place(i, 9) < u64::MAX / 2) == low);
            rows.filter(|&i| is_held(i, 9)).count()
        };
        // 2000 each, with a standard deviation of 43.
        assert!(held(true).abs_diff(2000) < 180 && held(false).abs_diff(2000) < 180);
    }
}

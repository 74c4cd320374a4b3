//! What is kept of all rows seen so far, to learn on from: a bounded sample that stands for all of them.
//!
//! Every row comes with a weight d, which halves while as many rows as the half-life are seen after it, with a
//! draw u, even on (0, 1), and with what it tells, q. Whenever there are too many, those rows of a class with the
//! largest d q / u are kept, so many as the class has room for (priority sampling, Duffield, Lund and Thorup 2007).
//! With τ the largest d q / u that was let go, a row had the chance min(1, d q / τ) to be kept; with 1 / a the
//! smallest of its chances so far, d a is what it stands for: summed over the kept rows of any kind it is, on
//! average, what the rows of that kind ever weighed. Classes have equal room, and what some do not need is for the
//! others, so that rare classes are not lost.
//!
//! What a row tells is how the log likelihood slopes along its decision value, |∂ log p / ∂ f| = 1 − p of its own
//! class, by the model before it learns on: that is its part in the slope along whatever decision values may
//! change by, features that are not kept among it. Chances that go along with it are those under which the slope of
//! all kept rows varies least (local case-control sampling, Fithian and Hastie 2014). [`LEAST_TOLD`] is added,
//! because the model may be wrong, and no row is to stand for all others.
//!
//! Kept rows are a sample: they must not count as if they were as many as all they stand for. The slope varies by
//! Σ (d a r) a r q² where weights are d a r, and by Σ d a r q² if they are what they claim to be; both are the same for
//!
//! ```text
//! r = Σ d a q² / Σ d a² q²,
//! ```
//!
//! by which weights are multiplied. Where all tell the same and have the same chance that is 1 / a: N rows know what N
//! rows know. As long as all rows are kept and none fades, every row has its own weight, and learning on is learning
//! from everything.

use crate::Error;
use crate::data::Columns;
use crate::matrix::Matrix;
use crate::multiclass::Dataset;
use crate::stored::{Checked, checked_when_read, length, numbers};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// Half-lives after which a row is let go: it counts for a thousandth, and would only take the place of one that
/// counts.
const FADED: f64 = 10.0;
/// What is added to 1 − p.
const LEAST_TOLD: f64 = 0.1;
/// Rows of each class that stay however old they are, so that classes that have become rare are not lost.
const LAST: usize = 20;

/// Kept rows, and how many they stand for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Seen {
    /// Rows that are kept at most.
    most: usize,
    /// Rows seen of each class.
    class_rows: Vec<usize>,
    /// Which of all rows seen the kept ones are, from 0.
    rows: Vec<usize>,
    /// Their classes.
    classes: Vec<usize>,
    /// d.
    weights: Vec<f64>,
    /// u.
    draws: Vec<f64>,
    /// a.
    stands: Vec<f64>,
    /// q, by the model at hand: told anew before every choice, and the same for all where nobody tells.
    #[serde(skip)]
    tells: Vec<f64>,
    /// Their cells, column after column; nothing for a gap.
    columns: usize,
    #[serde(with = "cells")]
    cells: Vec<f64>,
}

impl Seen {
    /// Nothing seen yet, of so many classes and columns; at most so many rows will be kept.
    pub fn new(most: usize, classes: usize, columns: usize) -> Self {
        Self {
            most,
            class_rows: vec![0; classes],
            rows: Vec::new(),
            classes: Vec::new(),
            weights: Vec::new(),
            draws: Vec::new(),
            stands: Vec::new(),
            tells: Vec::new(),
            columns,
            cells: Vec::new(),
        }
    }

    /// Rows that are kept at most.
    pub fn most(&self) -> usize {
        self.most
    }

    /// How many rows are kept.
    pub fn kept(&self) -> usize {
        self.rows.len()
    }

    /// Which of all rows seen the kept ones are, from 0.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// How many rows were seen of each class.
    pub fn class_rows(&self) -> &[usize] {
        &self.class_rows
    }

    /// How many were seen.
    pub fn total(&self) -> usize {
        self.class_rows.iter().sum()
    }

    /// How many columns rows have.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The same with classes in another order, or more of them: class k becomes `places[k]` of so many.
    ///
    /// # Panics
    /// If there are fewer places than classes, or one is none.
    pub fn in_classes(mut self, places: &[usize], classes: usize) -> Self {
        let mut class_rows = vec![0; classes];
        places.iter().zip(&self.class_rows).for_each(|(to, rows)| class_rows[*to] = *rows);
        self.classes.iter_mut().for_each(|class| *class = places[*class]);
        self.class_rows = class_rows;
        self
    }

    /// Sees rows, the last being the newest; all of them are kept until [`Seen::bound`] is called. With a
    /// half-life, what was seen before fades.
    ///
    /// # Panics
    /// If the data have other classes or columns.
    pub fn see(&mut self, data: &Dataset, half_life: Option<f64>, seed: u64) {
        assert_eq!(data.class_names().len(), self.class_rows.len(), "the same classes");
        assert_eq!(data.x().cols(), self.columns, "the same columns");
        let fade = |rows: usize| half_life.map_or(1.0, |half| 0.5f64.powf(rows as f64 / half));
        let before = fade(data.len());
        self.tells.clear();
        self.weights.iter_mut().for_each(|weight| *weight *= before);
        let first = self.total();
        if let Some(half) = half_life {
            self.let_go_before((first + data.len()) as f64 - half * FADED);
        }
        // A stream of its own for every row seen: what is drawn does not depend on the batches.
        let draw = |row: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(row as u64);
            1.0 - rng.random::<f64>()
        };
        let old = self.rows.len();
        for row in 0..data.len() {
            let class = data.codes()[row];
            self.class_rows[class] += 1;
            self.rows.push(first + row);
            self.classes.push(class);
            self.weights.push(data.sample_weights()[row] * fade(data.len() - 1 - row));
            self.draws.push(draw(first + row));
            self.stands.push(1.0);
        }
        let mut cells = Vec::with_capacity(self.rows.len() * self.columns);
        for (k, column) in data.x().columns().enumerate() {
            cells.extend_from_slice(&self.cells[k * old..(k + 1) * old]);
            cells.extend_from_slice(column);
        }
        self.cells = cells;
    }

    /// The classes of the kept rows.
    pub fn classes(&self) -> &[usize] {
        &self.classes
    }

    /// What the kept rows tell, until others are seen: from the probability that a model gives to the class of each.
    ///
    /// # Panics
    /// If these are not as many as rows are kept.
    pub fn told(&mut self, own: &[f64]) {
        assert_eq!(own.len(), self.rows.len(), "a probability for every kept row");
        self.tells = own.iter().map(|p| 1.0 - p.clamp(0.0, 1.0) + LEAST_TOLD).collect();
    }

    /// Lets all rows fade at once, as they do in ten half-lives: what they say no longer holds.
    pub fn fade(&mut self) {
        let faded = 0.5f64.powf(FADED);
        self.weights.iter_mut().for_each(|weight| *weight *= faded);
        self.let_go_before(self.total() as f64);
    }

    /// Lets go of rows until no more are kept than may be.
    pub fn bound(&mut self) {
        let room = self.room();
        let mut kept: Vec<usize> = Vec::with_capacity(self.most);
        for (class, room) in room.into_iter().enumerate() {
            let of_class = (0..self.rows.len()).filter(|&i| self.classes[i] == class);
            let mut of_class: Vec<usize> = of_class.collect();
            let priority = |i: usize| self.weights[i] * self.tells(i) / self.draws[i];
            of_class.sort_by(|&a, &b| priority(b).total_cmp(&priority(a)).then(a.cmp(&b)));
            let gone = of_class.get(room).map_or(0.0, |&i| priority(i));
            // What is kept has a chance of at least its own draw.
            for &i in of_class.iter().take(room).filter(|_| gone > 0.0) {
                let chance = self.weights[i] * self.tells(i) / gone;
                self.stands[i] = self.stands[i].max(1.0 / chance);
            }
            kept.extend(of_class.iter().take(room));
        }
        kept.sort_unstable();
        self.keep(&kept);
    }

    /// Lets go of rows seen before this one, but for the last of each class.
    fn let_go_before(&mut self, row: f64) {
        let mut spared = vec![LAST; self.class_rows.len()];
        let mut kept = Vec::with_capacity(self.rows.len());
        for i in (0..self.rows.len()).rev() {
            let spared = &mut spared[self.classes[i]];
            if self.rows[i] as f64 >= row || *spared > 0 {
                kept.push(i);
            }
            *spared = spared.saturating_sub(1);
        }
        kept.reverse();
        self.keep(&kept);
    }

    /// Lets go of all rows but these.
    fn keep(&mut self, kept: &[usize]) {
        self.cells = self.x().select_rows(kept).as_slice().to_vec();
        let pick = |values: &[f64]| kept.iter().map(|&i| values[i]).collect();
        (self.weights, self.draws) = (pick(&self.weights), pick(&self.draws));
        self.stands = pick(&self.stands);
        if !self.tells.is_empty() {
            self.tells = pick(&self.tells);
        }
        let pick = |values: &[usize]| kept.iter().map(|&i| values[i]).collect();
        (self.rows, self.classes) = (pick(&self.rows), pick(&self.classes));
    }

    /// How many rows of each class may be kept: as evenly as what there is allows.
    fn room(&self) -> Vec<usize> {
        let mut have = vec![0; self.class_rows.len()];
        self.classes.iter().for_each(|&class| have[class] += 1);
        let mut order: Vec<usize> = (0..have.len()).collect();
        order.sort_by_key(|&class| have[class]);
        let mut room = vec![0; have.len()];
        let mut left = self.most;
        for (at, &class) in order.iter().enumerate() {
            room[class] = have[class].min(left / (order.len() - at));
            left -= room[class];
        }
        room
    }

    /// The kept rows as data, weighted so that they stand for all that were seen.
    pub fn data(&self, columns: Columns, class_names: Vec<String>) -> Result<Dataset, Error> {
        let sums = (0..self.rows.len()).fold((0.0, 0.0), |sums, i| {
            let slope = self.weights[i] * self.stands[i] * self.tells(i).powi(2);
            (sums.0 + slope, sums.1 + slope * self.stands[i])
        });
        let known = if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 };
        let weights = self.weights.iter().zip(&self.stands).map(|(d, a)| d * a * known).collect();
        Dataset::new(self.x(), self.classes.clone(), class_names)?
            .with_columns(columns)?
            .with_sample_weights(weights)
    }

    /// q of a kept row.
    fn tells(&self, i: usize) -> f64 {
        self.tells.get(i).copied().unwrap_or(1.0)
    }

    /// The cells of the kept rows.
    pub fn x(&self) -> Matrix {
        Matrix::from_column_major(self.rows.len(), self.columns, self.cells.clone())
    }
}

/// Cells of a table: a gap is NaN here and nothing in a file.
mod cells {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(cells: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(cells.iter().map(|cell| (!cell.is_nan()).then_some(*cell)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let cells = Vec::<Option<f64>>::deserialize(deserializer)?;
        Ok(cells.into_iter().map(|cell| cell.unwrap_or(f64::NAN)).collect())
    }
}

checked_when_read!(Seen);

impl Seen {
    fn check(&self) -> Checked {
        let (kept, classes) = (self.rows.len(), self.class_rows.len());
        length("classes of kept rows", self.classes.len(), kept)?;
        length("weights of kept rows", self.weights.len(), kept)?;
        numbers("weight of a kept row", &self.weights, 0.0)?;
        length("numbers that kept rows stand for", self.stands.len(), kept)?;
        numbers("number that a kept row stands for", &self.stands, 1.0)?;
        length("draws of kept rows", self.draws.len(), kept)?;
        numbers("draw of a kept row", &self.draws, f64::MIN_POSITIVE)?;
        if kept.checked_mul(self.columns) != Some(self.cells.len()) {
            let (columns, cells) = (self.columns, self.cells.len());
            return Err(format!("{cells} cells of {kept} kept rows in {columns} columns"));
        }
        if self.cells.iter().any(|cell| cell.is_infinite()) {
            return Err("a cell of a kept row that is not finite".into());
        }
        let seen = self.class_rows.iter().try_fold(0usize, |sum, rows| sum.checked_add(*rows));
        let seen = seen.ok_or("more rows than can be counted")?;
        if self.rows.iter().any(|row| *row >= seen) {
            return Err(format!("a kept row beyond the {seen} that were seen"));
        }
        match self.classes.iter().any(|class| *class >= classes) {
            true => Err("a kept row of no class".into()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows whose only cell is their number, one in `every` of the second class.
    fn rows(range: std::ops::Range<usize>, every: usize) -> Dataset {
        let x = Matrix::from_fn(range.len(), 1, |i, _| (range.start + i) as f64);
        let codes = range.map(|i| usize::from(i % every == 0)).collect();
        Dataset::new(x, codes, vec!["a".into(), "b".into()]).unwrap()
    }

    fn data(seen: &Seen) -> Dataset {
        seen.data(Columns::numbers(1), vec!["a".into(), "b".into()]).unwrap()
    }

    #[test]
    fn as_long_as_all_are_kept_every_row_is_itself() {
        let mut seen = Seen::new(100, 2, 1);
        seen.see(&rows(0..30, 3), None, 1);
        seen.bound();
        seen.see(&rows(30..60, 3), None, 1);
        seen.bound();
        let all = data(&seen);
        assert_eq!(all.x(), rows(0..60, 3).x());
        assert_eq!(all.codes(), rows(0..60, 3).codes());
        assert_eq!(all.sample_weights(), [1.0; 60]);
        assert_eq!((seen.class_rows(), seen.kept()), (&[40, 20][..], 60));
    }

    #[test]
    fn what_is_kept_does_not_depend_on_the_batches() {
        let (mut at_once, mut in_parts) = (Seen::new(40, 2, 1), Seen::new(40, 2, 1));
        at_once.see(&rows(0..600, 4), None, 7);
        at_once.bound();
        for start in (0..600).step_by(100) {
            in_parts.see(&rows(start..start + 100, 4), None, 7);
            in_parts.bound();
        }
        assert_eq!(at_once, in_parts);
        assert_eq!(at_once.kept(), 40);
        let second = data(&at_once).class_counts()[1];
        assert_eq!(second, 20, "classes have equal room");
    }

    /// Over many draws the kept rows of a class weigh what all its rows did, beside those of the other.
    #[test]
    fn kept_rows_stand_for_all_of_their_class() {
        let shares: Vec<f64> = (0..200)
            .map(|seed| {
                let mut seen = Seen::new(40, 2, 1);
                seen.see(&rows(0..400, 10), None, seed);
                seen.bound();
                let kept = data(&seen);
                let both = kept.codes().iter().zip(kept.sample_weights());
                let second: f64 = both.filter(|(code, _)| **code == 1).map(|(_, w)| w).sum();
                // Rows of the two classes stand for so many, that the 40 know less than 40 even ones.
                let sum: f64 = kept.sample_weights().iter().sum();
                let squares: f64 = kept.sample_weights().iter().map(|w| w * w).sum();
                assert!((sum - squares).abs() < 1e-9 && sum < 40.0, "{sum} {squares}");
                second / sum
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 200.0;
        let variance = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / 199.0;
        // A ratio of two estimates has a bias of the order of its variance over the mean.
        let error = (variance / 200.0).sqrt();
        assert!((mean - 0.1).abs() < 4.0 * error + variance / 0.1, "{mean} ± {error}");
    }

    /// Over many draws kept rows of any kind stand for all of that kind, though those that tell more are kept more
    /// often, and though what they tell changes on the way.
    #[test]
    fn rows_that_tell_little_are_kept_seldom_and_stand_for_many() {
        // Three of four rows are told right by the model, which is sure of the one half at first, then of the other.
        let own = |row: usize, early: bool| match (row % 4 == 3, row.is_multiple_of(2) == early) {
            (true, _) => 0.2,
            (false, true) => 0.98,
            (false, false) => 0.7,
        };
        let mut shares = Vec::new();
        let mut kept_hard = 0.0;
        for seed in 0..300 {
            let mut seen = Seen::new(60, 2, 1);
            for start in (0..600).step_by(100) {
                seen.see(&rows(start..start + 100, 5), None, seed);
                let told = seen.rows().iter().map(|row| own(*row, start < 300));
                seen.told(&Vec::from_iter(told));
                seen.bound();
            }
            let stands = |hard: bool| -> f64 {
                let of = (0..60).filter(|i| (seen.rows[*i] % 4 == 3) == hard);
                of.map(|i| seen.weights[i] * seen.stands[i]).sum()
            };
            shares.push([stands(true), stands(false)]);
            kept_hard += seen.rows.iter().filter(|row| **row % 4 == 3).count() as f64 / 300.0;
        }
        assert!(kept_hard > 25.0, "{kept_hard} of 60, where 15 would be their share");
        for (kind, all) in [(0, 150.0), (1, 450.0)] {
            let mean = shares.iter().map(|s| s[kind]).sum::<f64>() / 300.0;
            let variance = shares.iter().map(|s| (s[kind] - mean).powi(2)).sum::<f64>() / 299.0;
            let error = (variance / 300.0).sqrt();
            assert!((mean - all).abs() < 4.0 * error, "{mean} ± {error} for {all}");
        }
    }

    /// The slope varies by as much as its curvature says: Σ w² q² = Σ w q².
    #[test]
    fn kept_rows_do_not_claim_to_know_more_than_they_do() {
        let mut seen = Seen::new(50, 2, 1);
        seen.see(&rows(0..400, 3), None, 5);
        let own: Vec<f64> = (0..400).map(|i| (i as f64 * 0.618).fract()).collect();
        seen.told(&own);
        seen.bound();
        let weights = data(&seen).sample_weights().to_vec();
        let q = |i: usize| 1.0 - own[seen.rows[i]] + LEAST_TOLD;
        let sum =
            |power: i32| -> f64 { (0..50).map(|i| weights[i].powi(power) * q(i).powi(2)).sum() };
        assert!((sum(1) - sum(2)).abs() < 1e-9 * sum(1), "{} {}", sum(1), sum(2));
        assert!(weights.iter().any(|w| *w > 1.2) && weights.iter().any(|w| *w < 0.8));
    }

    #[test]
    fn with_a_half_life_the_old_fades_and_goes_first() {
        let mut seen = Seen::new(1000, 2, 1);
        seen.see(&rows(0..100, 2), Some(50.0), 0);
        let weights = data(&seen).sample_weights().to_vec();
        assert!((weights[49] - 0.5).abs() < 1e-12 && weights[99] == 1.0);
        seen.see(&rows(100..150, 2), Some(50.0), 0);
        assert!((data(&seen).sample_weights()[49] - 0.25).abs() < 1e-12);

        let mut bounded = Seen::new(50, 2, 1);
        for start in (0..1000).step_by(100) {
            bounded.see(&rows(start..start + 100, 2), Some(50.0), 3);
            bounded.bound();
        }
        let old = bounded.rows().iter().filter(|row| **row < 700).count();
        assert!(old < 5, "{old} of 50 are from before six half-lives");
        // Where there is room for more, rows that no longer count do not take it.
        let mut roomy = Seen::new(1000, 2, 1);
        for start in (0..1000).step_by(100) {
            roomy.see(&rows(start..start + 100, 2), Some(50.0), 3);
            roomy.bound();
        }
        assert_eq!(roomy.rows(), (500..1000).collect::<Vec<_>>());
        assert_eq!((roomy.total(), data(&roomy).x().get(0, 0)), (1000, 500.0));
        // But a class of which no rows come any more keeps some.
        roomy.see(&rows(1001..1101, 2000), Some(5.0), 3);
        let counts = data(&roomy).class_counts();
        assert_eq!(counts, [120, 20]);
    }

    #[test]
    fn all_can_fade_at_once() {
        let mut seen = Seen::new(1000, 2, 1);
        seen.see(&rows(0..100, 4), None, 0);
        seen.fade();
        seen.see(&rows(100..120, 2), None, 0);
        let after = data(&seen);
        assert_eq!(after.class_counts(), [30, 30], "20 old and 10 new ones of each");
        let old: f64 = after.sample_weights()[..40].iter().sum();
        assert!((old - 40.0 / 1024.0).abs() < 1e-12 && after.sample_weights()[40..] == [1.0; 20]);
    }

    #[test]
    fn classes_can_move_and_become_more() {
        let mut seen = Seen::new(10, 2, 1);
        seen.see(&rows(0..30, 3), None, 0);
        seen.bound();
        let moved = seen.clone().in_classes(&[2, 0], 3);
        assert_eq!(moved.class_rows(), [10, 0, 20]);
        assert!(moved.classes.iter().zip(&seen.classes).all(|(a, b)| *a == [2, 0][*b]));
    }
}

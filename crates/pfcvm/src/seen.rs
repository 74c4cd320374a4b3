//! What is kept of all rows seen so far, to learn on from: a bounded sample that stands for all of them.
//!
//! Every row comes with a weight d, which halves while as many rows as the half-life are seen after it, and
//! with a draw u, even on (0, 1). Of the rows of a class those with the largest d / u are kept, so many as
//! the class has room for (priority sampling, Duffield, Lund and Thorup 2007). With τ the largest d / u that
//! was let go, max(d, τ) is what a kept row stands for: summed over the kept rows of any kind it is, on
//! average, what the rows of that kind ever weighed. Classes have equal room, and what some do not need is
//! for the others, so that rare classes are not lost.
//!
//! Kept rows are a sample: they must not count as if they were as many as all they stand for. So the weights
//! are divided by a common factor where their mean is above 1. As long as all rows are kept and none fades,
//! every row has its own weight, and learning on is learning from everything.

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
    /// τ of each class.
    thresholds: Vec<f64>,
    /// Which of all rows seen the kept ones are, from 0.
    rows: Vec<usize>,
    /// Their classes.
    classes: Vec<usize>,
    /// d.
    weights: Vec<f64>,
    /// u.
    draws: Vec<f64>,
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
            thresholds: vec![0.0; classes],
            rows: Vec::new(),
            classes: Vec::new(),
            weights: Vec::new(),
            draws: Vec::new(),
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
        let moved = |values: &mut dyn FnMut(usize, usize)| {
            places.iter().enumerate().for_each(|(from, to)| values(from, *to));
        };
        let (mut class_rows, mut thresholds) = (vec![0; classes], vec![0.0; classes]);
        moved(&mut |from, to| class_rows[to] = self.class_rows[from]);
        moved(&mut |from, to| thresholds[to] = self.thresholds[from]);
        self.classes.iter_mut().for_each(|class| *class = places[*class]);
        (self.class_rows, self.thresholds) = (class_rows, thresholds);
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
        self.weights.iter_mut().for_each(|weight| *weight *= before);
        self.thresholds.iter_mut().for_each(|threshold| *threshold *= before);
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
        }
        let mut cells = Vec::with_capacity(self.rows.len() * self.columns);
        for (k, column) in data.x().columns().enumerate() {
            cells.extend_from_slice(&self.cells[k * old..(k + 1) * old]);
            cells.extend_from_slice(column);
        }
        self.cells = cells;
    }

    /// Lets all rows fade at once, as they do in ten half-lives: what they say no longer holds.
    pub fn fade(&mut self) {
        let faded = 0.5f64.powf(FADED);
        self.weights.iter_mut().for_each(|weight| *weight *= faded);
        self.thresholds.iter_mut().for_each(|threshold| *threshold *= faded);
        self.let_go_before(self.total() as f64);
    }

    /// Lets go of rows until no more are kept than may be.
    pub fn bound(&mut self) {
        let room = self.room();
        let mut kept: Vec<usize> = Vec::with_capacity(self.most);
        for (class, room) in room.into_iter().enumerate() {
            let of_class = (0..self.rows.len()).filter(|&i| self.classes[i] == class);
            let mut of_class: Vec<usize> = of_class.collect();
            let priority = |i: usize| self.weights[i] / self.draws[i];
            of_class.sort_by(|&a, &b| priority(b).total_cmp(&priority(a)).then(a.cmp(&b)));
            let gone = of_class.get(room).map_or(0.0, |&i| priority(i));
            self.thresholds[class] = self.thresholds[class].max(gone);
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
        let kept = self.weights.iter().zip(&self.classes);
        let stand_for: Vec<f64> =
            kept.map(|(weight, &class)| weight.max(self.thresholds[class])).collect();
        let mean = stand_for.iter().sum::<f64>() / stand_for.len().max(1) as f64;
        let weights = stand_for.iter().map(|weight| weight / mean.max(1.0)).collect();
        Dataset::new(self.x(), self.classes.clone(), class_names)?
            .with_columns(columns)?
            .with_sample_weights(weights)
    }

    fn x(&self) -> Matrix {
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
        length("thresholds of kept rows", self.thresholds.len(), classes)?;
        numbers("threshold", &self.thresholds, 0.0)?;
        length("classes of kept rows", self.classes.len(), kept)?;
        length("weights of kept rows", self.weights.len(), kept)?;
        numbers("weight of a kept row", &self.weights, 0.0)?;
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
                // Of 40 rows that are kept, none counts for more than what they are.
                let sum: f64 = kept.sample_weights().iter().sum();
                assert!((sum - 40.0).abs() < 1e-9, "{sum}");
                second / sum
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 200.0;
        let variance = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / 199.0;
        // A ratio of two estimates has a bias of the order of its variance over the mean.
        let error = (variance / 200.0).sqrt();
        assert!((mean - 0.1).abs() < 4.0 * error + variance / 0.1, "{mean} ± {error}");
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

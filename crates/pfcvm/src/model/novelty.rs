//! How far rows are from what a model remembers.
//!
//! d(x) is the distance to the nearest remembered sample (`reach`), divided by the reach. Where a machine of all
//! features stands beside the list, it remembers samples of its own, in all features, and the farther of the two
//! counts: a prediction leans on both. Both reaches are then taken wider by one factor, so that 99 of 100 training
//! rows are within both.

use super::{BLOCK_ROWS, Model};
use crate::reach::{looked_at, nearest_squared, within};
use crate::{Error, Matrix};
use rayon::prelude::*;

impl Model {
    /// Whether [`Model::novelty`] tells anything.
    pub fn tells_novelty(&self) -> bool {
        self.reach.is_some() || self.reach_of_all().is_some()
    }

    /// How far each row is from the nearest remembered sample, in the metric of the kernel, divided by
    /// the distance within which [99 of 100](crate::WITHIN_REACH) training rows have one: above 1 a row
    /// looks like none that was learned from. Features that are not kept have a part in it only where a
    /// [machine of all features](Model::broad) remembers samples too. Nothing for models that remember no
    /// sample, and for those stored before this was known.
    pub fn novelty(&self, x: &Matrix) -> Result<Option<Vec<f64>>, Error> {
        self.scaler.check_columns(x, &self.needed_columns())?;
        if !self.tells_novelty() {
            return Ok(None);
        }
        let needed = match self.reach_of_all() {
            Some(_) => (0..self.scaler.columns().len()).collect(),
            None => self.scaled_columns(),
        };
        let starts: Vec<usize> = (0..x.rows()).step_by(BLOCK_ROWS).collect();
        let of_block = |&start: &usize| {
            let end = (start + BLOCK_ROWS).min(x.rows());
            self.distances(&self.scaler.apply_rows(x, &needed, start, end), false)
        };
        let far: Vec<Vec<f64>> = starts.par_iter().map(of_block).collect();
        Ok(Some(far.concat().into_iter().map(|far| far.min(f64::MAX)).collect()))
    }

    /// Takes both reaches wider until 99 of 100 training rows are within both; `x`: these, scaled, with all
    /// columns.
    pub(crate) fn widen_reach(&mut self, x: &Matrix, weights: &[f64]) {
        if self.reach_of_all().is_none() {
            return;
        }
        let rows = looked_at(x.rows());
        let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
        let far = self.distances(&x.select_rows(&rows), true);
        let factor = within(far.into_iter(), &weights).unwrap_or(1.0).max(1.0);
        let both = self.reach.iter_mut().chain(self.broad.iter_mut().flat_map(|b| &mut b.reach));
        both.for_each(|reach| *reach = (*reach * factor).min(f64::MAX));
    }

    fn reach_of_all(&self) -> Option<f64> {
        self.broad.as_ref().and_then(|broad| broad.reach)
    }

    /// Distances of scaled rows in units of the reach, the farther of the list and the machine of all features;
    /// the rows have all columns where that one remembers samples, and those of the list where not.
    fn distances(&self, x: &Matrix, differing: bool) -> Vec<f64> {
        let mut far = vec![0.0f64; x.rows()];
        let mut join = |squared: Vec<f64>, reach: f64| {
            far.iter_mut().zip(squared).for_each(|(far, d)| *far = far.max(d.sqrt() / reach));
        };
        let all = self.broad.as_ref().and_then(|broad| Some((broad, broad.reach?)));
        if let Some(reach) = self.reach {
            let theta = self.spans().spread(&self.theta);
            let own = all.map(|_| x.select_columns(&self.scaled_columns()));
            join(nearest_squared(own.as_ref().unwrap_or(x), &self.z, &theta, differing), reach);
        }
        if let Some((broad, reach)) = all {
            let theta = vec![broad.feature_weight; x.cols()];
            join(nearest_squared(x, &broad.samples, &theta, differing), reach);
        }
        far
    }
}

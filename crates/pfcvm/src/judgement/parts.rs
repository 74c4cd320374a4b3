//! The fits that rows are held out from.

use super::{Copies, Held, Part};
use crate::data::Dataset;
use crate::run::{Shared, watch};
use crate::settings::Settings;
use rayon::prelude::*;

/// The same fit without each part of the rows in turn.
pub(crate) struct Parts<'a, 'o> {
    pub rows: &'a Dataset,
    pub copies: &'a Copies,
    pub folds: &'a [Vec<usize>],
    pub settings: &'a Settings,
    pub observer: &'a Shared<'a, 'o>,
}

impl Parts<'_, '_> {
    /// What a class counts is what it counts in all rows.
    fn settings(&self) -> Settings {
        let class_weights = self.rows.fixed_factors(self.settings.class_weights);
        Settings { class_weights, ..self.settings.clone() }
    }

    /// All of them side by side. Nothing when the observer wanted no more.
    pub fn learned(&self) -> Option<Vec<Option<Part>>> {
        let numbers = (0..self.folds.len()).into_par_iter().with_max_len(1);
        numbers.map(|number| self.learn(number)).collect()
    }

    /// One of them; of it nothing where that cannot be learned.
    pub fn learn(&self, number: usize) -> Option<Option<Part>> {
        let mut watch = watch(self.observer, Some(number + 1));
        let rest = self.copies.without(self.rows, &self.folds[number]);
        match Part::learn(&rest, &self.settings(), &mut watch) {
            Ok(None) => None,
            Ok(part) => Some(part),
            Err(_) => Some(None),
        }
    }

    /// What its machines say of that part. What cannot be learned without some rows (no feature varies,
    /// say) says nothing of them.
    pub fn held_out(
        &self,
        number: usize,
        part: Option<Part>,
        (machines, listed): (usize, &[usize]),
    ) -> Vec<Held> {
        let fold = &self.folds[number];
        let at: Vec<usize> = fold.iter().map(|&copy| self.copies.rows[copy]).collect();
        let x = self.rows.x().select_rows(&at);
        let said = part.map(|part| part.held_out(&self.settings(), (fold, &x, listed)));
        said.and_then(Result::ok).unwrap_or_else(|| vec![Held::nothing(fold); machines])
    }
}

//! The columns outside the model: what each would gain.

use super::{Action, LEAST_FACTOR, Model};
use pfcvm::algebra::{Work, product_tn, transpose_times_vector};

impl Model<'_> {
    /// The best precision of every column outside that is worth adding, and what it gains; only of
    /// those that might gain more than `least`, if that is given.
    pub(super) fn additions(&mut self, least: Option<f64>, work: &mut Work) -> Vec<(f64, Action)> {
        let q = transpose_times_vector(self.columns, &self.mode.residual, work);
        let mut outside = vec![true; self.columns.cols()];
        let aligned = self.aligned.iter().map(|(out, _)| out);
        self.active.iter().chain(aligned).chain(&self.refused).for_each(|&j| outside[j] = false);
        let open = (0..outside.len()).filter(|&j| outside[j] && self.rules.allows(j, q[j]));
        let open: Vec<usize> = match least {
            None => open.collect(),
            Some(least) => {
                let hopeful = |j: &usize| gain(q[*j] * q[*j] / (0.5 * self.sparsity[*j])) > least;
                open.filter(hopeful).collect()
            }
        };
        self.judge(&open, least.is_none(), work);
        let worth = |column: usize| {
            let (s, quality) = (self.sparsity[column], q[column] * q[column]);
            let factor = quality - s;
            (factor > LEAST_FACTOR && s > 0.0)
                .then(|| (gain(quality / s), Action::Add { column, alpha: s * s / factor }))
        };
        open.into_iter().filter_map(worth).collect()
    }

    /// S = φᵀCφ − φᵀCΦΣΦᵀCφ for some columns, or for all.
    fn judge(&mut self, open: &[usize], all: bool, work: &mut Work) {
        let curvature = &self.mode.curvature;
        let mut scaled = self.phi.clone();
        for j in 0..scaled.cols() {
            scaled.column_mut(j).iter_mut().zip(curvature).for_each(|(v, c)| *v *= c);
        }
        let some;
        let (columns, numbers) = if 2 * open.len() > self.columns.cols() || all {
            (self.columns, None)
        } else {
            some = self.columns.select_columns(open);
            (&some, Some(open))
        };
        let crossed = product_tn(columns, &scaled, work);
        let explained = self.covariance.variance_along(&crossed, work);
        for (at, column) in columns.columns().enumerate() {
            let own: f64 = column.iter().zip(curvature).map(|(v, c)| c * v * v).sum();
            self.sparsity[numbers.map_or(at, |numbers| numbers[at])] = own - explained[at];
        }
        self.outdated &= numbers.is_some();
    }
}

/// The gain of a column outside with this q²/s.
fn gain(ratio: f64) -> f64 {
    if ratio > 1.0 { 0.5 * (ratio - 1.0 - ratio.ln()) } else { 0.0 }
}

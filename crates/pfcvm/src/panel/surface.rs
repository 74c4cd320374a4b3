//! Effects and explanations of a panel.

use super::model::{Panel, mean_and_variance};
use crate::broad::Broad;
use crate::data::Scaler;
use crate::effects::{Effects, Explanation, Surface, block_contrasts, effects, explain};
use crate::{Error, Matrix};
use std::borrow::Cow;

impl Panel {
    /// What the listed features do: see [`crate::effects`]. Effects are on the log odds of the
    /// panel's probability.
    pub fn effects(&self) -> Effects {
        effects(self)
    }

    /// What moved the predictions of rows with the columns of the training data.
    pub fn explain(&self, x: &Matrix) -> Result<Explanation, Error> {
        explain(self, x)
    }
}

impl Surface for Panel {
    fn scaler(&self) -> &Scaler {
        &self.scaler
    }

    fn positions(&self) -> Cow<'_, [usize]> {
        self.needed_positions()
    }

    fn listed(&self) -> (&[usize], &[usize], Cow<'_, [f64]>) {
        (&self.positions, &self.features, self.feature_weights().into())
    }

    fn narrow(&self) -> Self {
        self.compact()
    }

    fn decisions(&self, x: &Matrix) -> Vec<f64> {
        self.predict_rows(x, 0, x.rows()).decision
    }

    /// The deviation is how far the members disagree, each by its own decision value.
    fn contrasts(&self, x: &Matrix, rows: usize, shares: &[f64]) -> Vec<(f64, f64)> {
        let z = self.scaled_rows(x, 0, x.rows());
        let decision = Matrix::from_column_major(x.rows(), 1, self.decisions(x));
        let effects = block_contrasts(&decision, rows, shares);
        let members: Vec<f64> = self.members.iter().flat_map(|m| m.decision(&z)).collect();
        let members = Matrix::from_column_major(x.rows(), self.members.len(), members);
        let members = block_contrasts(&members, rows, shares);
        let slope = self.calibration.map_or(1.0, |(_, slope)| slope);
        let deviation = |place: usize| {
            let over = (0..members.cols()).map(|member| members.get(place, member));
            slope * mean_and_variance(over).1.sqrt()
        };
        let effects = effects.column(0).iter().enumerate();
        effects.map(|(place, effect)| (*effect, deviation(place))).collect()
    }

    fn sample_values(&self, _scaled: usize) -> Option<&[f64]> {
        None
    }

    fn flops(&self) -> f64 {
        let broad = self.broad.as_ref().map_or(0.0, Broad::flops);
        4.0 * (self.members.len() + 2) as f64 * (self.equal.weights.len() + 1) as f64 + broad
    }
}

//! Effects and explanations of a model.

use super::{Alike, Effects, Explanation, Surface, block_contrasts, effects, explain};
use crate::algebra::Work;
use crate::broad::Broad;
use crate::data::Scaler;
use crate::{Error, Kernel, Matrix, Model};
use std::borrow::Cow;

/// So many samples are told of a row.
const MOST_ALIKE: usize = 3;

impl Model {
    /// What the kept features do: see [`crate::effects`].
    pub fn effects(&self) -> Effects {
        effects(self)
    }

    /// What moved the predictions of rows with the columns of the training data, and which samples
    /// they are like.
    pub fn explain(&self, x: &Matrix) -> Result<Explanation, Error> {
        explain(self, x)
    }

    /// Decision values of the list, with those of the machine of all features added if there is one.
    fn with_all_features(&self, mut decision: Vec<f64>, x: &Matrix, work: &mut Work) -> Vec<f64> {
        if let Some(broad) = &self.broad {
            let added = broad.decision(&self.scaler.apply(x), work);
            decision.iter_mut().zip(added).for_each(|(f, added)| *f += added);
        }
        decision
    }

    fn scaled(&self, x: &Matrix) -> Matrix {
        self.scaler.apply_rows(x, &self.scaled_columns(), 0, x.rows())
    }
}

impl Surface for Model {
    fn scaler(&self) -> &Scaler {
        &self.scaler
    }

    fn positions(&self) -> Cow<'_, [usize]> {
        self.needed_positions()
    }

    fn listed(&self) -> (&[usize], &[usize], Cow<'_, [f64]>) {
        (&self.positions, &self.features, (&self.theta).into())
    }

    fn narrow(&self) -> Self {
        self.compact()
    }

    fn decisions(&self, x: &Matrix) -> Vec<f64> {
        let mut work = Work::new(false);
        let values = self.kernel_values(&self.scaled(x), &self.spans(), &mut work);
        self.with_all_features(self.decision(&values, &work), x, &mut work)
    }

    /// The decision value is linear in w and linearised in θ, so that a difference of means has the
    /// variance along the difference of the means of its rows of Φ and D.
    fn contrasts(&self, x: &Matrix, rows: usize, shares: &[f64]) -> Vec<(f64, f64)> {
        let (given, spans, mut work) = (x, self.spans(), Work::new(false));
        let x = self.scaled(given);
        let values = self.kernel_values(&x, &spans, &mut work);
        let decision = self.with_all_features(self.decision(&values, &work), given, &mut work);
        let decision = Matrix::from_column_major(x.rows(), 1, decision);
        let effects = block_contrasts(&decision, rows, shares);
        let d = self.along_features(&x, &spans, &values, &mut work);
        let d = block_contrasts(&d, rows, shares);
        let phi = block_contrasts(&self.along_samples(&values), rows, shares);
        let of_features = self.feature_covariance.variance_along(&d, &mut work);
        let of_samples = self.sample_covariance.variance_along(&phi, &mut work);
        let variances = of_features.iter().zip(&of_samples).map(|(a, b)| a + b);
        effects.column(0).iter().zip(variances).map(|(e, v)| (*e, v.sqrt())).collect()
    }

    fn sample_values(&self, scaled: usize) -> Option<&[f64]> {
        match &self.broad {
            Some(broad) => broad.sample_values(scaled),
            None => (self.z.rows() > 0).then(|| self.z.column(scaled)),
        }
    }

    fn flops(&self) -> f64 {
        let broad = self.broad.as_ref().map_or(0.0, Broad::flops);
        8.0 * (self.samples.len() + 1) as f64 * (self.z.cols() + 1) as f64 + broad
    }

    fn alike(&self, x: &Matrix) -> Vec<Vec<Alike>> {
        let values = self.kernel_values(&self.scaled(x), &self.spans(), &mut Work::new(false));
        // Of a row that is a sample, rounding may leave a little more than the most there is.
        let most = if self.kernel == Kernel::Rbf { 1.0 } else { f64::INFINITY };
        let of_row = |i: usize| {
            let mut all: Vec<Alike> = (0..values.cols())
                .map(|sample| Alike { sample, kernel: values.get(i, sample).min(most) })
                .collect();
            all.sort_by(|a, b| b.kernel.total_cmp(&a.kernel));
            all.truncate(MOST_ALIKE);
            all
        };
        (0..x.rows()).map(of_row).collect()
    }
}

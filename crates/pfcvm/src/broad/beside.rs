//! A machine of all features beside the list of a fit or of a panel.

use super::{Broad, Shape, learn, shape};
use crate::algebra::Work;
use crate::data::{Dataset, Scaler};
use crate::posterior::Classes;
use crate::settings::ClassWeights;
use crate::{Kernel, Matrix, reach};

/// What machines of all features are learned from, and the width and the scale that suit the rows.
pub(crate) struct AllFeatures {
    x: Matrix,
    likelihood: Classes,
    kernel: Kernel,
    pub shape: Shape,
}

impl AllFeatures {
    /// Of rows that the list scales like this; nothing where no width can be had.
    pub fn of(
        scaler: &Scaler,
        rows: &Dataset,
        (kernel, class_weights): (Kernel, ClassWeights),
        work: &mut Work,
    ) -> Option<Self> {
        let x = scaler.apply(rows.x());
        let likelihood = Classes::new(rows, class_weights);
        let shape = shape(&x, &likelihood, kernel, work)?;
        Some(Self { x, likelihood, kernel, shape })
    }

    /// The machines, their decision values multiplied by a factor.
    pub fn machines(&self, factor: f64, work: &mut Work) -> Vec<Broad> {
        let learned = learn(&self.x, &self.likelihood, self.kernel, self.shape, work);
        let mut machines = learned.unwrap_or_default();
        let reach = machines.first().and_then(|first| self.reach(first));
        for machine in &mut machines {
            machine.scale(factor);
            machine.reach = reach;
        }
        machines
    }

    /// Of all machines, which remember the same samples; a linear one remembers slopes instead.
    fn reach(&self, machine: &Broad) -> Option<f64> {
        let theta = vec![machine.feature_weight; self.x.cols()];
        let reach = || reach::reach(&self.x, &machine.samples, &theta, self.likelihood.weights());
        (self.kernel != Kernel::Linear).then(reach).flatten()
    }

    /// The scaled rows with all columns, and how much each counts.
    pub fn rows(&self) -> (&Matrix, &[f64]) {
        (&self.x, self.likelihood.weights())
    }
}

//! A machine of all features beside the list of a fit or of a panel.

use super::{Broad, Learned, Shape, learn, shape};
use crate::algebra::Work;
use crate::data::{Dataset, Scaler};
use crate::posterior::Classes;
use crate::settings::ClassWeights;
use crate::{Kernel, Matrix, reach};

/// Machines of all features, what they were learned from, and the width and the scale that suit the rows.
pub(crate) struct AllFeatures {
    x: Matrix,
    likelihood: Classes,
    kernel: Kernel,
    shape: Shape,
    learned: Learned,
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
        let (shape, sketch) = shape(&x, &likelihood, kernel, work)?;
        let learned = learn(&x, &likelihood, kernel, (shape, Some(sketch)), work)?;
        Some(Self { x, likelihood, kernel, shape, learned })
    }

    /// The machines, their decision values multiplied by a factor.
    pub fn machines(&self, factor: f64, work: &mut Work) -> Vec<Broad> {
        let mut machines = self.learned.machines(self.kernel, self.shape, work);
        let reach = machines.first().and_then(|first| self.reach(first));
        for machine in &mut machines {
            machine.scale(factor);
            machine.reach = reach;
        }
        machines
    }

    /// What the machines say of all rows, one machine after the other, where rows count but a share of what they
    /// do: for each list of such shares, nothing where the algebra breaks down. The scale of the features, the samples, the
    /// width and the scale of f are those of all rows.
    pub fn without(&self, shares: &[Vec<f64>], work: &mut Work) -> Vec<Option<Vec<f64>>> {
        self.learned.without(&self.likelihood, self.shape.variance, shares, work)
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

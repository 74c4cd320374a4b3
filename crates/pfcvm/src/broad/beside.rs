//! A machine of all features beside the list of a fit or of a panel.

use super::{Broad, Shape, learn, shape};
use crate::algebra::Work;
use crate::data::{Dataset, Scaler};
use crate::posterior::Classes;
use crate::settings::ClassWeights;
use crate::{Kernel, Matrix};

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
        machines.iter_mut().for_each(|machine| machine.scale(factor));
        machines
    }
}

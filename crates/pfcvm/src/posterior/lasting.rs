//! ΦᵀCΦ that lasts for one more step.
//!
//! The Gaussian around the sample weights needs ΦᵀCΦ at the end of an iteration, and the next Newton step
//! needs it again, at weights that have hardly moved since: exactly there where nothing was dropped. With many rows it is
//! what an iteration costs, so it is made once. The gradient of the step is that of the place where it is
//! taken, so that the modes are the same; what changes is how straight the way to them is.

use super::{Columns, Prior};
use crate::Matrix;
use crate::algebra::Work;
use crate::basis::Basis;

/// The lower triangle of ΦᵀCΦ over some columns.
#[derive(Clone)]
pub(crate) struct Lasting {
    /// The columns, ascending; 0 is the bias.
    columns: Vec<usize>,
    gram: Matrix,
}

impl Lasting {
    /// Over all columns that would move at a place: `residual` is the derivative of the likelihood there.
    pub fn at(
        basis: &Basis,
        (c, residual): (&[f64], &[f64]),
        w: &[f64],
        prior: &Prior,
        work: &mut Work,
    ) -> Self {
        let mut gradient = basis.transpose_times(residual, work);
        prior.add_gradient(&mut gradient, w);
        let columns = prior.free_to_move(w, &gradient);
        let gram = basis.gram(c, &columns, work);
        Self { columns, gram }
    }

    /// With the samples at these positions alone, ascending.
    pub fn keep_samples(&mut self, positions: &[usize]) {
        let place = |column: usize| match column {
            0 => Some(0),
            _ => positions.binary_search(&(column - 1)).ok().map(|at| at + 1),
        };
        let places: Vec<Option<usize>> = self.columns.iter().map(|&column| place(column)).collect();
        let kept: Vec<usize> = (0..places.len()).filter(|&at| places[at].is_some()).collect();
        self.gram = self.gram.select_columns(&kept).select_rows(&kept);
        self.columns = places.into_iter().flatten().collect();
    }
}

/// A basis whose ΦᵀCΦ is that of a moment ago.
pub(crate) struct WithLasting<'a> {
    pub basis: &'a Basis,
    pub lasting: &'a Lasting,
}

impl Columns for WithLasting<'_> {
    fn rows(&self) -> usize {
        self.basis.rows()
    }

    fn known(&self, mut free: Vec<usize>) -> Vec<usize> {
        free.retain(|column| self.lasting.columns.binary_search(column).is_ok());
        free
    }

    fn gram(&self, _: &[f64], free: &[usize], _: &mut Work) -> Matrix {
        let Lasting { columns, gram } = self.lasting;
        if free == columns {
            return gram.clone();
        }
        let places: Vec<usize> =
            free.iter().filter_map(|column| columns.binary_search(column).ok()).collect();
        gram.select_columns(&places).select_rows(&places)
    }

    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        self.basis.scaled_columns(c, free, work)
    }

    fn times(&self, u: &[f64], work: &mut Work) -> Vec<f64> {
        self.basis.decision(u, work)
    }

    fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64> {
        self.basis.transpose_times(r, work)
    }
}

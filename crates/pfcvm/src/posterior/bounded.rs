//! The best step of a quadratic whose coordinates must not fall below 0.
//!
//! A Newton step that leaves the constraint and is cut off there is hardly a step: what the cut
//! coordinates were to do the others would have to do in their place. So the step d is where gᵀd − ½ dᵀHd is
//! largest with u + d ≥ 0. Block pivoting (Júdice and Pires) finds it: some coordinates are held at 0, the others
//! solved for; who leaves the constraint is held, who is held and would rise is let go, all at once, or only the last one
//! where that does not help for some rounds.
//!
//! H = L Lᵀ is factored once. With the coordinates h held at −r the step is d = H⁻¹(g − E λ), where E are their unit vectors
//! and λ, the slopes that the constraint takes up, is what makes d_h = −r: with V = L⁻¹E and y = L⁻¹g,
//! VᵀV λ = Vᵀy + r and d = L⁻ᵀ(y − Vλ). So a round costs what few held coordinates cost.

use crate::Matrix;
use crate::algebra::{self, Cholesky, Work};

/// Rounds until what is there is taken.
const MOST_ROUNDS: usize = 20;
/// Rounds that may pass without fewer wrong coordinates before only one is changed at a time.
const PATIENCE: usize = 3;
/// A slope that is rounding, relatively to the gradient.
const ROUNDING: f64 = 1e-12;

/// gᵀd − ½ dᵀHd.
pub(super) struct Quadratic<'a> {
    /// g.
    pub gradient: &'a [f64],
    /// Of S H S.
    pub factor: &'a Cholesky,
    /// The diagonal of S.
    pub scale: &'a [f64],
    /// How far each coordinate may fall.
    pub room: &'a [f64],
}

/// The same in coordinates S⁻¹d, in which H is what was factored.
struct Scaled<'a> {
    gradient: Vec<f64>,
    factor: &'a Cholesky,
    room: Vec<f64>,
}

/// L⁻¹ of the unit vectors that were asked for so far.
struct Solved {
    /// The column of `columns` that belongs to a coordinate.
    place: Vec<Option<usize>>,
    columns: Matrix,
}

impl Quadratic<'_> {
    /// The best step.
    pub fn best(&self, work: &mut Work) -> Vec<f64> {
        let scaled = Scaled {
            gradient: self.gradient.iter().zip(self.scale).map(|(g, s)| g * s).collect(),
            factor: self.factor,
            room: self.room.iter().zip(self.scale).map(|(room, s)| room / s).collect(),
        };
        let (step, held) = scaled.best(work);
        let mut step: Vec<f64> = step.iter().zip(self.scale).map(|(d, s)| d * s).collect();
        // To the bit, so that who arrives at the constraint is at 0.
        held.iter().for_each(|&i| step[i] = -self.room[i]);
        step
    }
}

impl Scaled<'_> {
    /// The best step, and the coordinates that are held in it.
    fn best(&self, work: &mut Work) -> (Vec<f64>, Vec<usize>) {
        let n = self.gradient.len();
        let y = self.factor.forward(&self.gradient);
        let mut step = self.factor.backward(&y);
        let mut held: Vec<usize> = Vec::new();
        let mut slopes: Vec<f64> = Vec::new();
        let mut solved = Solved { place: vec![None; n], columns: Matrix::zeros(n, 0) };
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..MOST_ROUNDS {
            let mut wrong: Vec<usize> = (0..n)
                .filter(|&i| step[i] < -self.room[i] && held.binary_search(&i).is_err())
                .collect();
            let rises = |(i, slope): (&usize, &f64)| {
                (*slope > ROUNDING * self.gradient[*i].abs()).then_some(*i)
            };
            wrong.extend(held.iter().zip(&slopes).filter_map(rises));
            let Some(&last) = wrong.iter().max() else { break };
            if wrong.len() < fewest {
                (fewest, patience) = (wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            } else {
                wrong = vec![last];
            }
            for i in wrong {
                match held.binary_search(&i) {
                    Ok(at) => drop(held.remove(at)),
                    Err(at) => held.insert(at, i),
                }
            }
            match self.with_held(&held, &y, &mut solved, work) {
                Some(found) => (step, slopes) = found,
                None => return (step, Vec::new()),
            }
        }
        (step, held)
    }

    /// The best step with some coordinates held at −r, and the slopes there.
    fn with_held(
        &self,
        held: &[usize],
        y: &[f64],
        solved: &mut Solved,
        work: &mut Work,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let v = solved.columns_of(held, self.factor, work);
        let mut reached = algebra::transpose_times_vector(&v, y, work);
        reached.iter_mut().zip(held).for_each(|(reached, &i)| *reached += self.room[i]);
        let mut gram = Matrix::zeros(held.len(), held.len());
        algebra::add_gram(&mut gram, &v, work);
        let slopes = Cholesky::new(gram, work)?.solve(&reached);
        let taken = algebra::times_vector(&v, &slopes, work);
        let rest: Vec<f64> = y.iter().zip(taken).map(|(y, taken)| y - taken).collect();
        Some((self.factor.backward(&rest), slopes))
    }
}

impl Solved {
    /// L⁻¹ of the unit vectors of some coordinates.
    fn columns_of(&mut self, held: &[usize], factor: &Cholesky, work: &mut Work) -> Matrix {
        let fresh: Vec<usize> = held.iter().copied().filter(|&i| self.place[i].is_none()).collect();
        if !fresh.is_empty() {
            let mut units = Matrix::zeros(self.place.len(), fresh.len());
            for (at, &i) in fresh.iter().enumerate() {
                units.set(i, at, 1.0);
                self.place[i] = Some(self.columns.cols() + at);
            }
            let before = std::mem::replace(&mut self.columns, Matrix::zeros(0, 0));
            self.columns = before.append_columns(&factor.half_solve(&units, work));
        }
        let places: Vec<usize> = held.iter().filter_map(|&i| self.place[i]).collect();
        self.columns.select_columns(&places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posterior::Precision;
    use proptest::prelude::*;

    /// Where nothing is gained by any small change that the constraint allows (Karush, Kuhn and Tucker).
    fn is_best(gram: &Matrix, diagonal: &[f64], gradient: &[f64], room: &[f64], step: &[f64]) {
        for i in 0..step.len() {
            let along: f64 = (0..step.len()).map(|j| gram.get(i.max(j), i.min(j)) * step[j]).sum();
            let slope = gradient[i] - along - diagonal[i] * step[i];
            let scale = 1e-8 * (1.0 + gradient[i].abs());
            assert!(step[i] >= -room[i] - 1e-12, "{i} leaves the constraint");
            let at_bound = step[i] <= -room[i] + 1e-12;
            assert!(slope < scale && (at_bound || slope > -scale), "slope {slope} at {i}");
        }
    }

    proptest! {
        #[test]
        fn the_step_is_the_best_of_the_quadratic(
            size in 1usize..30,
            numbers in prop::collection::vec(-1.0f64..1.0, 2000),
            common in 0.0f64..3.0,
        ) {
            // Rows that have much in common, as those of a kernel do.
            let rows = Matrix::from_fn(40, size, |i, j| common + numbers[i * size + j]);
            let gram = crate::algebra::product_tn(&rows, &rows, &mut Work::new(false));
            let gradient: Vec<f64> = numbers[1300..1300 + size].iter().map(|v| 20.0 * v).collect();
            let diagonal: Vec<f64> = numbers[1400..1400 + size].iter().map(|v| 0.01 + v.abs()).collect();
            let room: Vec<f64> = (0..size)
                .map(|i| match i % 3 {
                    0 => f64::INFINITY,
                    1 => 0.0,
                    _ => numbers[1500 + i].abs(),
                })
                .collect();
            let work = &mut Work::new(false);
            let Some(Precision::Dense { factor, scale }) = Precision::dense(gram.clone(), &diagonal, work) else {
                panic!("is dense");
            };
            let quadratic = Quadratic { gradient: &gradient, factor: &factor, scale: &scale, room: &room };
            is_best(&gram, &diagonal, &gradient, &room, &quadratic.best(work));
        }
    }
}

//! The best step of a quadratic whose coordinates must not fall below 0.
//!
//! A Newton step that leaves the constraint and is cut off there is hardly a step: what the cut
//! coordinates were to do the others would have to do in their place. So the step d is where gᵀd − ½ dᵀHd is
//! largest with u + d ≥ 0. Block pivoting (Júdice and Pires) finds it: some coordinates are held at 0, the others
//! solved for; who leaves the constraint is held, who is held and would rise is let go, all at once, or only the last one
//! where that does not help for some rounds. H is small and known, so that a round costs little beside JᵀCJ itself.

use super::Precision;
use crate::Matrix;
use crate::algebra::Work;

/// Rounds until what is there is taken.
const MOST_ROUNDS: usize = 20;
/// Rounds that may pass without fewer wrong coordinates before only one is changed at a time.
const PATIENCE: usize = 3;
/// A slope that is rounding, relatively to the gradient.
const ROUNDING: f64 = 1e-12;

/// gᵀd − ½ dᵀHd, H = JᵀCJ + diag(a).
pub(super) struct Quadratic<'a> {
    /// g.
    pub gradient: &'a [f64],
    /// The lower triangle of JᵀCJ.
    pub gram: Matrix,
    /// a.
    pub diagonal: &'a [f64],
    /// How far each coordinate may fall.
    pub room: &'a [f64],
}

impl Quadratic<'_> {
    /// The best step, given what is best without the constraint.
    pub fn best(mut self, unconstrained: Vec<f64>, work: &mut Work) -> Vec<f64> {
        let mut step = unconstrained;
        if !self.outside(&step).any(|_| true) {
            return step;
        }
        self.mirror();
        let mut held = vec![false; step.len()];
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..MOST_ROUNDS {
            let mut wrong: Vec<usize> = self.outside(&step).filter(|i| !held[*i]).collect();
            wrong.extend(self.rising(&step, &held));
            let Some(&last) = wrong.iter().max() else { break };
            if wrong.len() < fewest {
                (fewest, patience) = (wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            } else {
                wrong = vec![last];
            }
            wrong.iter().for_each(|&i| held[i] = !held[i]);
            match self.with_held(&held, work) {
                Some(found) => step = found,
                None => break,
            }
        }
        step
    }

    /// Coordinates that a step would take out of the constraint.
    fn outside(&self, step: &[f64]) -> impl Iterator<Item = usize> {
        (0..step.len()).filter(|&i| step[i] < -self.room[i])
    }

    /// Held coordinates that would rise if they were let go.
    fn rising(&self, step: &[f64], held: &[bool]) -> Vec<usize> {
        let slope = |i: usize| {
            let along: f64 = self.gram.column(i).iter().zip(step).map(|(h, d)| h * d).sum();
            self.gradient[i] - along - self.diagonal[i] * step[i]
        };
        let rises = |i: &usize| held[*i] && slope(*i) > ROUNDING * self.gradient[*i].abs();
        (0..step.len()).filter(rises).collect()
    }

    /// The best step with some coordinates at 0.
    fn with_held(&self, held: &[bool], work: &mut Work) -> Option<Vec<f64>> {
        let mut step: Vec<f64> = held
            .iter()
            .zip(self.room)
            .map(|(held, room)| if *held { -room } else { 0.0 })
            .collect();
        let moving: Vec<usize> = (0..held.len()).filter(|&i| !held[i]).collect();
        let mut gradient = self.gradient.to_vec();
        for (j, fallen) in step.iter().enumerate().filter(|(_, fallen)| **fallen != 0.0) {
            let column = self.gram.column(j);
            gradient.iter_mut().zip(column).for_each(|(g, h)| *g -= h * fallen);
        }
        let own = |values: &[f64]| moving.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let gram = self.gram.select_columns(&moving).select_rows(&moving);
        let precision = Precision::dense(gram, &own(self.diagonal), work)?;
        for (&i, d) in moving.iter().zip(precision.solve(&own(&gradient), work)) {
            step[i] = d;
        }
        Some(step)
    }

    /// Both triangles.
    fn mirror(&mut self) {
        for j in 0..self.gram.cols() {
            for i in 0..j {
                self.gram.set(i, j, self.gram.get(j, i));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let first = Precision::dense(gram.clone(), &diagonal, work).unwrap().solve(&gradient, work);
            let quadratic = Quadratic { gradient: &gradient, gram: gram.clone(), diagonal: &diagonal, room: &room };
            is_best(&gram, &diagonal, &gradient, &room, &quadratic.best(first, work));
        }
    }
}

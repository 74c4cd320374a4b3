//! Which rows to label next: rows drawn with chances that go along with how uncertain their class is.
//!
//! The chance of a row goes along with u³, where
//!
//! ```text
//! u = 1 − Σ p_k²
//! ```
//!
//! is the chance that two labels dealt by its probabilities differ, 2 p(1 − p) of two classes ([`SHARPNESS`]). Where classes
//! lie apart few rows are uncertain, and nearly all labels go to these; where they overlap many are, and the
//! labels spread over all of them. Always to take the least certain rows is worse, in whatever way they are chosen
//! among each other (`docs/research.md`): what a model has wrong and does not know it never asks for then, and rows
//! at the boundary of classes that overlap look like noise, in which the next fit finds nothing. Of a model that
//! found nothing every row has the same chance.
//!
//! What a label is worth is told beside that. Under the Laplace posterior the decision values of all rows are Gaussian
//! with the covariance J Jᵀ ([`Sparse::directions`]). The label of a row with probability p adds its curvature
//! c = p(1 − p), what is noise, to the precision along its own direction j, and leaves
//!
//! ```text
//! Σ' = I − j jᵀ c / (1 + c v),  v = |j|²,
//! ```
//!
//! of what is not known. That takes from the uncertainty of the pool, U = Σ c* v* over its rows *,
//!
//! ```text
//! gain = (c / (1 + c v)) Σ c* (j · j*)²,
//! ```
//!
//! each row's under the covariance that the labels before it leave. These need not be known for that: Σ' does not
//! depend on them. The posterior knows only the features that were kept and the kernel that was found, so that
//! gains are no guide to what to ask: rows with the largest ones taught little once features could come and go.

use super::{Machine, Machines, Prediction, Sparse};
use crate::algebra::{Work, product_nt};
use crate::{Error, Matrix};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::HashSet;

/// The power of u that chances go along with.
const SHARPNESS: i32 = 3;
/// Rows that stand for the pool.
const MOST_TARGETS: usize = 1000;

/// A row to label.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Suggestion {
    /// Which row of the pool.
    pub row: usize,
    /// The share of the pool's uncertainty that its label is expected to take, once those suggested
    /// before it are known.
    pub gain: f64,
}

/// What one machine knows of the rows at hand.
struct Known {
    /// J of the candidates, under the labels that are taken as known.
    candidates: Matrix,
    /// J of the rows that stand for the pool.
    targets: Matrix,
    /// c of the candidates, and of the targets.
    curvature: (Vec<f64>, Vec<f64>),
}

impl<M: Machine<Refusal = Error> + Sparse> Machines<M> {
    /// The rows of a pool without labels to label next, at most so many; those that come first do not depend on
    /// how many are asked for.
    pub fn suggest(&self, x: &Matrix, count: usize) -> Result<Vec<Suggestion>, Error> {
        let said = self.predict(x)?;
        let curvature = self.curvatures(&said);
        let mut picked = drawn(&said);
        picked.truncate(count);
        let step = x.rows().div_ceil(MOST_TARGETS).max(1);
        let targets: Vec<usize> = (0..x.rows()).step_by(step).collect();
        let (near, pool) = (x.select_rows(&picked), x.select_rows(&targets));
        let of_rows = |c: &[f64], rows: &[usize]| rows.iter().map(|&i| c[i]).collect();
        let known = self.machines().iter().zip(&curvature).map(|(machine, c)| {
            Ok(Known {
                candidates: machine.directions(&near)?,
                targets: machine.directions(&pool)?,
                curvature: (of_rows(c, &picked), of_rows(c, &targets)),
            })
        });
        let mut known = known.collect::<Result<Vec<Known>, Error>>()?;
        let mut work = Work::new(false);
        let all: f64 = known.iter().map(Known::uncertainty).sum();
        let gain_of = |(at, row): (usize, usize)| {
            let gain: f64 = known.iter().map(|machine| machine.gain(at, &mut work)).sum();
            known.iter_mut().for_each(|machine| machine.learn(at));
            Suggestion { row, gain: if all > 0.0 { gain / all } else { 0.0 } }
        };
        Ok(picked.into_iter().enumerate().map(gain_of).collect())
    }

    /// c of every machine and row: p(1 − p), times how likely the row is of a class that the machine
    /// knows.
    fn curvatures(&self, said: &Prediction) -> Vec<Vec<f64>> {
        let of_machine = |(at, task): (usize, super::Task)| {
            let curvature = |row: usize| {
                let p = said.machine_probability.get(row, at);
                let classes = (0..self.classes()).filter(|&class| task.concerns(class));
                let concerned: f64 = classes.map(|class| said.probability.get(row, class)).sum();
                concerned * p * (1.0 - p)
            };
            (0..said.class.len()).map(curvature).collect()
        };
        self.tasks().into_iter().enumerate().map(of_machine).collect()
    }
}

/// All rows, in the order in which they are drawn (Efraimidis and Spirakis 2006). Rows that the model cannot tell apart
/// stand for each other as long as there are others.
fn drawn(said: &Prediction) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(said.class.len() as u64);
    let mut key = |row: usize| {
        let uncertain = 1.0 - said.row(row).iter().map(|p| p * p).sum::<f64>();
        let draw: f64 = 1.0 - rng.random::<f64>();
        draw.ln() / uncertain.max(0.0).powi(SHARPNESS).max(f64::MIN_POSITIVE)
    };
    let mut order: Vec<(f64, usize)> = (0..said.class.len()).map(|row| (key(row), row)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut there = HashSet::new();
    let mut is_new = |row: &usize| -> bool {
        there.insert(Vec::from_iter(said.decision.columns().map(|f| f[*row].to_bits())))
    };
    let (distinct, copies): (Vec<usize>, Vec<usize>) =
        order.into_iter().map(|(_, row)| row).partition(|row| is_new(row));
    [distinct, copies].concat()
}

impl Known {
    /// U: Σ c* v*.
    fn uncertainty(&self) -> f64 {
        let variances = squares(&self.targets);
        variances.iter().zip(&self.curvature.1).map(|(v, c)| c * v).sum()
    }

    /// What the label of a candidate would take from U.
    fn gain(&self, candidate: usize, work: &mut Work) -> f64 {
        let j: Vec<f64> = self.candidates.columns().map(|column| column[candidate]).collect();
        let v: f64 = j.iter().map(|j| j * j).sum();
        let c = self.curvature.0[candidate];
        let along = product_nt(&self.targets, &Matrix::from_column_major(1, j.len(), j), work);
        let pool = along.as_slice().iter().zip(&self.curvature.1);
        pool.map(|(along, c)| c * along * along).sum::<f64>() * c / (1.0 + c * v)
    }

    /// Takes the label of a candidate as known: J' = J (I − (1 − 1/√(1 + c v)) u uᵀ), with u = j / |j|.
    fn learn(&mut self, candidate: usize) {
        let j: Vec<f64> = self.candidates.columns().map(|column| column[candidate]).collect();
        let v: f64 = j.iter().map(|j| j * j).sum();
        let c = self.curvature.0[candidate];
        if v * c <= 0.0 {
            return;
        }
        let shrink = (1.0 - 1.0 / (1.0 + c * v).sqrt()) / v;
        let direction = Matrix::from_column_major(1, j.len(), j);
        let mut work = Work::new(false);
        for rows in [&mut self.candidates, &mut self.targets] {
            let along = product_nt(rows, &direction, &mut work);
            for (k, j) in direction.as_slice().iter().enumerate() {
                let column = rows.column_mut(k).iter_mut().zip(along.as_slice());
                column.for_each(|(value, along)| *value -= shrink * j * along);
            }
        }
    }
}

/// The squared length of every row.
fn squares(rows: &Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; rows.rows()];
    for column in rows.columns() {
        sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += value * value);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Cholesky;
    use crate::multiclass::{Answer, Scheme};

    fn known(rows: usize, directions: usize) -> Known {
        let value = |i: usize, k: usize| ((i * 7 + k * 13) as f64 * 0.618).sin() * (1 + k) as f64;
        let all = Matrix::from_fn(rows, directions, value);
        let c: Vec<f64> = (0..rows).map(|i| 0.05 + 0.2 * (i as f64 * 0.37).fract()).collect();
        Known { candidates: all.clone(), targets: all, curvature: (c.clone(), c) }
    }

    /// The covariance of the rows once some have labels, by the inverse of a precision.
    fn covariance_after(known: &Known, labelled: &[usize]) -> Matrix {
        let j = &known.candidates;
        let size = j.cols();
        let mut precision = Matrix::from_fn(size, size, |a, b| f64::from(a == b));
        for &i in labelled {
            for a in 0..size {
                for b in 0..size {
                    let added = known.curvature.0[i] * j.get(i, a) * j.get(i, b);
                    precision.set(a, b, precision.get(a, b) + added);
                }
            }
        }
        let factor = Cholesky::new(precision, &mut Work::new(false)).unwrap();
        let solved: Vec<Vec<f64>> = (0..j.rows())
            .map(|i| factor.solve(&(0..size).map(|a| j.get(i, a)).collect::<Vec<_>>()))
            .collect();
        Matrix::from_fn(j.rows(), j.rows(), |i, k| {
            (0..size).map(|a| j.get(i, a) * solved[k][a]).sum()
        })
    }

    /// Says of every row the probability in its first column, and knows so much of f.
    struct Told(f64);

    impl Machine for Told {
        type Refusal = Error;

        fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
            let probability = x.column(0).to_vec();
            let decision = probability.iter().map(|p| (p / (1.0 - p)).ln()).collect();
            Ok(Answer { decision, variance: None, probability })
        }
    }

    impl Sparse for Told {
        fn weighted_features(&self) -> Vec<(usize, f64)> {
            Vec::new()
        }

        fn weighted_samples(&self) -> Vec<(usize, f64)> {
            Vec::new()
        }

        fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
            Ok(Matrix::from_fn(x.rows(), 2, |i, k| self.0 * x.get(i, 0).powi(k as i32)))
        }

        fn needed_columns(&self) -> Vec<usize> {
            vec![0]
        }

        fn among(&self, _: &[usize]) -> Self {
            Self(self.0)
        }
    }

    fn suggested(unknown: f64, p: &[f64], count: usize) -> Vec<Suggestion> {
        let machines = Machines::new(Scheme::Joint, 2, vec![Told(unknown)]).unwrap();
        machines.suggest(&Matrix::from_column_major(p.len(), 1, p.to_vec()), count).unwrap()
    }

    fn rows(found: &[Suggestion]) -> Vec<usize> {
        found.iter().map(|one| one.row).collect()
    }

    /// Who comes first has the chance that goes along with u³, counted over many pools.
    #[test]
    fn chances_go_along_with_how_uncertain_rows_are() {
        let kinds = [0.5, 0.3, 0.1, 0.01];
        let mut first = [0.0; 4];
        for rows in 100..2100 {
            // Next to each other, so that all can be told apart.
            let p: Vec<f64> = (0..rows).map(|i| kinds[i % 4] + i as f64 * 1e-9).collect();
            first[suggested(1.0, &p, 1)[0].row % 4] += 1.0 / 2000.0;
        }
        let chance = kinds.map(|p: f64| (p * (1.0 - p)).powi(3));
        for (found, chance) in first.into_iter().zip(chance.map(|c| c / chance.iter().sum::<f64>()))
        {
            let error = (chance * (1.0 - chance) / 2000.0).sqrt();
            assert!((found - chance).abs() < 4.0 * error, "{found} for {chance} ± {error}");
        }
    }

    #[test]
    fn every_row_comes_once_and_what_comes_first_does_not_depend_on_the_count() {
        let p: Vec<f64> = (0..60).map(|i| (i as f64 * 0.618).fract() * 0.98 + 0.01).collect();
        let all = suggested(1.0, &p, 1000);
        assert_eq!(rows(&suggested(1.0, &p, 7)), rows(&all)[..7]);
        assert!(all[..3].iter().all(|one| one.gain > 0.0));
        assert!(all.iter().map(|one| one.gain).sum::<f64>() < 1.0);
        let mut sorted = rows(&all);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..60).collect::<Vec<_>>());
        assert!(suggested(1.0, &[], 3).is_empty());
    }

    #[test]
    fn rows_that_cannot_be_told_apart_stand_for_each_other() {
        // A hundred times the same, which is the least certain, and five others.
        let p: Vec<f64> = (0..105).map(|i| if i < 100 { 0.5 } else { i as f64 / 120.0 }).collect();
        let found = rows(&suggested(1.0, &p, 20));
        assert_eq!(found[..6].iter().filter(|row| **row < 100).count(), 1, "{found:?}");
        assert!(found[6..].iter().all(|row| *row < 100), "{found:?}");
    }

    /// Of a model that found nothing every row has the same chance, and no label is worth more than another.
    #[test]
    fn where_nothing_is_known_all_have_the_same_chance() {
        let mut sum = 0.0;
        for rows in 100..600 {
            let found = suggested(0.0, &vec![0.4; rows], 5);
            assert!(found.len() == 5 && found.iter().all(|one| one.gain == 0.0));
            sum += found[0].row as f64 / rows as f64 / 500.0;
        }
        // The mean of even draws on (0, 1).
        assert!((sum - 0.5).abs() < 4.0 * (1.0 / 12.0 / 500.0f64).sqrt(), "{sum}");
    }

    /// What a label takes is the difference of two uncertainties, each by way of a precision.
    #[test]
    fn a_gain_is_what_the_uncertainty_falls_by() {
        let mut now = known(12, 4);
        let start = known(12, 4);
        let uncertainty = |covariance: &Matrix| -> f64 {
            (0..12).map(|i| start.curvature.1[i] * covariance.get(i, i)).sum()
        };
        let mut labelled = Vec::new();
        for next in [3, 8, 3] {
            let before = uncertainty(&covariance_after(&start, &labelled));
            assert!((now.uncertainty() - before).abs() < 1e-10 * before);
            for candidate in 0..12 {
                let with = [labelled.clone(), vec![candidate]].concat();
                let expected = before - uncertainty(&covariance_after(&start, &with));
                let gain = now.gain(candidate, &mut Work::new(false));
                assert!((gain - expected).abs() < 1e-9 * before, "{candidate}");
            }
            now.learn(next);
            labelled.push(next);
        }
    }
}

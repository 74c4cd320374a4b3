//! Which rows to label next: those whose labels are expected to tell most about the others.
//!
//! Under the Laplace posterior the decision values of all rows are Gaussian with the covariance J Jᵀ
//! ([`Sparse::directions`]). The label of a row with probability p adds its curvature c = p(1 − p), what is
//! noise, to the precision along its own direction j, and leaves
//!
//! ```text
//! Σ' = I − j jᵀ c / (1 + c v),  v = |j|²,
//! ```
//!
//! of what is not known. That takes from the uncertainty of the pool, U = Σ c* v* over its rows *,
//!
//! ```text
//! gain = (c / (1 + c v)) Σ c* (j · j*)²:
//! ```
//!
//! a row gains where it is itself uncertain for want of knowledge, not for noise, and where many others
//! hang on it; outliers on which nothing hangs do not gain. Rows are picked one after the other, each under
//! the covariance that the labels before it leave, so that a batch does not ask the same thing twice. Their
//! labels need not be known for that: Σ' does not depend on them.
//!
//! The posterior knows only the features that were kept, and the kernel that was found. Rows far from the boundary
//! may gain much under it and teach little once features can come and go, so that only the rows whose class is
//! least certain are looked at, [`TIMES`] as many as are asked for. And what it has wrong it does not know:
//! of rows near the boundary alone it would never learn of a part of the other class on its own side, and where
//! classes overlap they look like noise, in which nothing is found. So **every second row is drawn**, each row of
//! the pool being as likely as any other. Half of either is better than any rule alone that was tried
//! (`docs/research.md`); and the drawn half is a fair draw, which the chosen half is not.

use super::{Machine, Machines, Prediction, Sparse};
use crate::algebra::{Work, product, product_nt, product_tn};
use crate::{Error, Matrix};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Rows that are looked at closely, for each that is asked for.
const TIMES: usize = 2;
/// But at least so many: those that are suggested first do not depend on how many are asked for, up to 20.
const LEAST_CANDIDATES: usize = 40;
/// More than this only where more are asked for.
const MOST_CANDIDATES: usize = 2000;
/// Rows that stand for the pool.
const MOST_TARGETS: usize = 1000;

/// A row that is worth a label.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Suggestion {
    /// Which row of the pool.
    pub row: usize,
    /// The share of the pool's uncertainty that its label is expected to take, once those suggested
    /// before it are known.
    pub gain: f64,
    /// Whether it was drawn, as any row could have been, and not chosen.
    pub drawn: bool,
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
    /// The rows of a pool without labels to label next, at most so many: the one expected to tell most, one that
    /// is drawn, and so on in turns. Where nothing is uncertain, as of a model that found nothing, no row says
    /// more than another, and all are drawn.
    pub fn suggest(&self, x: &Matrix, count: usize) -> Result<Vec<Suggestion>, Error> {
        let said = self.predict(x)?;
        let curvature = self.curvatures(&said);
        let promising = promising(&said, count);
        let drawn = drawn(x.rows(), count);
        let candidates = [promising.as_slice(), &drawn].concat();
        let step = x.rows().div_ceil(MOST_TARGETS).max(1);
        let targets: Vec<usize> = (0..x.rows()).step_by(step).collect();
        let (near, pool) = (x.select_rows(&candidates), x.select_rows(&targets));
        let of_rows = |c: &[f64], rows: &[usize]| rows.iter().map(|&i| c[i]).collect();
        let known = self.machines().iter().zip(&curvature).map(|(machine, c)| {
            Ok(Known {
                candidates: machine.directions(&near)?,
                targets: machine.directions(&pool)?,
                curvature: (of_rows(c, &candidates), of_rows(c, &targets)),
            })
        });
        let mut known = known.collect::<Result<Vec<Known>, Error>>()?;
        let mut work = Work::new(false);
        let all: f64 = known.iter().map(Known::uncertainty).sum();
        let mut taken = vec![false; x.rows()];
        let mut found: Vec<Suggestion> = Vec::new();
        while found.len() < count.min(x.rows()) {
            let mut gains = vec![0.0; candidates.len()];
            for machine in &known {
                let own = machine.gains(&mut work);
                gains.iter_mut().zip(own).for_each(|(sum, gain)| *sum += gain);
            }
            let open = |at: &usize| !taken[candidates[*at]];
            let worth = (0..promising.len()).filter(|at| gains[*at] > 0.0 && open(at));
            let best = worth.max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a)));
            let chosen = best.filter(|_| found.len().is_multiple_of(2));
            // Of so many that are drawn one is open as long as fewer are found.
            let next = (promising.len()..candidates.len()).find(open);
            let Some(at) = chosen.or(next) else { break };
            let (row, gain) = (candidates[at], if all > 0.0 { gains[at] / all } else { 0.0 });
            taken[row] = true;
            found.push(Suggestion { row, gain, drawn: chosen.is_none() });
            known.iter_mut().for_each(|machine| machine.learn(at));
        }
        Ok(found)
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

/// The rows to look at closely, ascending: those whose two likeliest classes are closest. Rows that the model
/// cannot tell apart stand for each other as long as there are others.
fn promising(said: &Prediction, count: usize) -> Vec<usize> {
    let margin = |row: usize| {
        let mut p: Vec<f64> = said.row(row);
        p.sort_by(|a, b| b.total_cmp(a));
        p[0] - p.get(1).copied().unwrap_or(0.0)
    };
    let margins: Vec<f64> = (0..said.class.len()).map(margin).collect();
    let mut order: Vec<usize> = (0..margins.len()).collect();
    order.sort_by(|&a, &b| margins[a].total_cmp(&margins[b]).then(a.cmp(&b)));
    let same = |a: usize, b: usize| {
        (0..said.decision.cols()).all(|k| said.decision.get(a, k) == said.decision.get(b, k))
    };
    let (mut distinct, mut copies): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for row in order {
        match distinct.last() {
            Some(&last) if same(last, row) => copies.push(row),
            _ => distinct.push(row),
        }
    }
    let mut order = [distinct, copies].concat();
    let most = count.saturating_mul(TIMES).clamp(LEAST_CANDIDATES, MOST_CANDIDATES);
    order.truncate(most.max(count));
    order.sort_unstable();
    order
}

/// So many different rows, each order of them as likely as any other; fewer are the first of more.
fn drawn(rows: usize, count: usize) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(rows as u64);
    let mut draws: Vec<(f64, usize)> = (0..rows).map(|row| (rng.random(), row)).collect();
    draws.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    draws.into_iter().take(count).map(|(_, row)| row).collect()
}

impl Known {
    /// U: Σ c* v*.
    fn uncertainty(&self) -> f64 {
        let variances = squares(&self.targets);
        variances.iter().zip(&self.curvature.1).map(|(v, c)| c * v).sum()
    }

    /// What the label of each candidate would take from U.
    fn gains(&self, work: &mut Work) -> Vec<f64> {
        let mut weighed = self.targets.clone();
        for k in 0..weighed.cols() {
            let column = weighed.column_mut(k).iter_mut();
            column.zip(&self.curvature.1).for_each(|(j, c)| *j *= c);
        }
        let spread = product(&self.candidates, &product_tn(&self.targets, &weighed, work), work);
        let mut gains = vec![0.0; self.candidates.rows()];
        for (column, j) in spread.columns().zip(self.candidates.columns()) {
            let rows = gains.iter_mut().zip(column).zip(j);
            rows.for_each(|((gain, spread), j)| *gain += spread * j);
        }
        let rows = gains.iter().zip(squares(&self.candidates)).zip(&self.curvature.0);
        rows.map(|((gain, v), c)| gain * c / (1.0 + c * v)).collect()
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

    /// Tells two classes apart at 0 of the first column, and knows so much of f along it.
    struct Line(f64);

    impl Machine for Line {
        type Refusal = Error;

        fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
            let decision = x.column(0).to_vec();
            let probability = decision.iter().map(|f| 1.0 / (1.0 + (-4.0 * f).exp())).collect();
            Ok(Answer { decision, variance: None, probability })
        }
    }

    impl Sparse for Line {
        fn weighted_features(&self) -> Vec<(usize, f64)> {
            Vec::new()
        }

        fn weighted_samples(&self) -> Vec<(usize, f64)> {
            Vec::new()
        }

        fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
            Ok(Matrix::from_fn(x.rows(), 2, |i, k| self.0 * if k == 0 { 1.0 } else { x.get(i, 0) }))
        }

        fn needed_columns(&self) -> Vec<usize> {
            vec![0]
        }

        fn among(&self, _: &[usize]) -> Self {
            Self(self.0)
        }
    }

    fn suggested(unknown: f64, rows: usize, count: usize) -> (Matrix, Vec<Suggestion>) {
        let machines = Machines::new(Scheme::Joint, 2, vec![Line(unknown)]).unwrap();
        let x = Matrix::from_fn(rows, 1, |i, _| (i as f64 * 0.618_034).fract() - 0.3);
        let found = machines.suggest(&x, count).unwrap();
        (x, found)
    }

    fn rows(found: &[Suggestion]) -> Vec<usize> {
        found.iter().map(|one| one.row).collect()
    }

    #[test]
    fn every_second_row_is_drawn_and_the_others_are_near_the_boundary() {
        let (x, found) = suggested(1.0, 500, 20);
        assert!(found.iter().enumerate().all(|(at, one)| one.drawn == (at % 2 == 1)));
        let mut near: Vec<f64> = x.column(0).iter().map(|f| f.abs()).collect();
        near.sort_by(f64::total_cmp);
        for pair in found.chunks(2) {
            assert!(x.get(pair[0].row, 0).abs() <= near[39]);
            assert!(pair[0].gain > 0.0 && pair[1].gain > 0.0);
        }
        assert!(found.iter().map(|one| one.gain).sum::<f64>() < 1.0);
        // Those that come first do not depend on how many are asked for.
        assert_eq!(rows(&suggested(1.0, 500, 7).1), rows(&found)[..7]);
        // All rows can be asked for, each once.
        for count in [60, 1000] {
            let mut all = rows(&suggested(1.0, 60, count).1);
            all.sort_unstable();
            assert_eq!(all, (0..60).collect::<Vec<_>>());
        }
    }

    /// Over many pools the mean of the drawn rows is that of their pool, while that of the chosen ones is not.
    #[test]
    fn what_is_drawn_is_a_fair_draw() {
        let (mut drawn, mut chosen) = (Vec::new(), Vec::new());
        for size in 200..400 {
            let (x, found) = suggested(1.0, size, 20);
            let middle = x.column(0).iter().sum::<f64>() / size as f64;
            let mean = |of: bool| {
                let own = found.iter().filter(|one| one.drawn == of);
                own.map(|one| x.get(one.row, 0) - middle).sum::<f64>() / 10.0
            };
            drawn.push(mean(true));
            chosen.push(mean(false));
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let variance = drawn.iter().map(|off| off * off).sum::<f64>() / drawn.len() as f64;
        let error = (variance / drawn.len() as f64).sqrt();
        assert!(mean(&drawn).abs() < 4.0 * error, "{} ± {error}", mean(&drawn));
        assert!(mean(&chosen).abs() > 20.0 * error, "{} ± {error}", mean(&chosen));
    }

    #[test]
    fn where_nothing_is_uncertain_all_are_drawn() {
        let (_, found) = suggested(0.0, 50, 8);
        assert_eq!(found.len(), 8);
        assert!(found.iter().all(|one| one.drawn && one.gain == 0.0));
        assert_eq!(rows(&found), drawn(50, 8));
        assert!(suggested(1.0, 0, 3).1.is_empty());
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
            let gains = now.gains(&mut Work::new(false));
            for candidate in 0..12 {
                let with = [labelled.clone(), vec![candidate]].concat();
                let expected = before - uncertainty(&covariance_after(&start, &with));
                assert!((gains[candidate] - expected).abs() < 1e-9 * before, "{candidate}");
            }
            now.learn(next);
            labelled.push(next);
        }
    }
}

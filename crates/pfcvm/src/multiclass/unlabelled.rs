//! Rows without labels beside rows with labels.
//!
//! Rows close to each other tend to be of one class. A graph that joins every row, labelled or not, to its
//! nearest neighbours in the scaled features spreads the labels (Zhou and others 2004):
//!
//! ```text
//! F = (1 − a) (I − a S)⁻¹ Y,  S = D^-½ W D^-½,
//! ```
//!
//! with Y the known labels and W the joins; the rows of F, divided by their sums, are what the graph says. What
//! a fit on the labelled rows says of the same rows errs differently, and the two are taken together: q is
//! proportional to the root of the product of both. The rows without labels then enter the likelihood with
//! its expectation under q, Σ q log p. It stays one model of the usual form.
//!
//! Whether that helps is not known before. So it is tried: labelled rows are held out part by part, and what
//! fits with and without the unlabelled rows say of them is compared. The same rows say which power of its
//! probabilities is honest where a fit has told itself what most rows are. Unlabelled rows are used only where
//! they lower the log loss, each row under the power that the other parts choose.

use super::{Dataset, Machine, Machines};
use crate::data::Scaler;
use crate::{Error, Matrix};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Unlabelled rows that are used at most.
const MOST_ROWS: usize = 1000;
/// Neighbours that a row is joined to.
const NEIGHBOURS: usize = 10;
/// a: how far labels spread.
const SPREAD: f64 = 0.8;
/// Rounds after which F has settled: what is left is below a^80 < 1e-7.
const ROUNDS: usize = 80;
/// Powers that probabilities are taken to, to be honest.
const SLOPES: [f64; 9] = [1.0, 0.9, 1.1, 0.8, 1.25, 0.65, 1.5, 0.5, 0.35];
/// How sure it is before any row is asked that a power is 1: log t has this standard deviation.
const SLOPE_SPREAD: f64 = 0.5;
/// Nobody is believed beyond this.
const LEAST: f64 = 0.01;
/// Classes less likely than this are not looked at.
const NEGLIGIBLE: f64 = 0.03;
/// Parts of the labelled rows that are held out in turn.
const PARTS: usize = 5;

/// What rows without labels brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unlabelled {
    /// How many there were.
    pub rows: usize,
    /// Whether the model was learned with them.
    pub used: bool,
    /// Mean −log p of held-out labelled rows, learned without them; nothing where too few rows of a class
    /// have labels to hold any out.
    pub without: Option<f64>,
    /// The same, learned with them.
    pub with: Option<f64>,
    /// The standard error of the difference, row by row.
    pub error: Option<f64>,
}

/// Probabilities of the classes for rows, from what was learned.
pub type Teller = Box<dyn Fn(&Matrix) -> Result<Matrix, Error> + Send + Sync>;

/// How a fit is done.
pub type Learn<'a> = &'a (dyn Fn(&Dataset) -> Result<Teller, Error> + Sync);

/// What machines say, to compare.
pub fn teller<M>(machines: Machines<M>) -> Teller
where
    M: Machine<Refusal = Error> + Send + 'static,
{
    Box::new(move |x| machines.predict(x).map(|said| said.probability))
}

/// Labelled and unlabelled rows as data to learn from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Joined {
    /// The labelled rows, and behind them the others, once for each class that they may be of.
    pub data: Dataset,
    /// Which row each of these is, counting the unlabelled ones behind the labelled ones.
    pub rows: Vec<usize>,
    /// What decision values are to be multiplied by ([`Fit::tempered`](crate::Fit::tempered)).
    pub slope: f64,
}

/// What unlabelled rows are worth, and what to learn from where that is something: `alone` is how a fit is
/// done on the labelled rows, `beside` one on all of them.
pub fn with_unlabelled(
    data: &Dataset,
    unlabelled: &Matrix,
    seed: u64,
    alone: Learn,
    beside: Learn,
) -> Result<(Unlabelled, Option<Joined>), Error> {
    let rows = drawn(unlabelled.rows(), seed);
    let some = unlabelled.select_rows(&rows);
    let mut found =
        Unlabelled { rows: unlabelled.rows(), used: false, without: None, with: None, error: None };
    let Some(parts) = parts(data, seed) else {
        return Ok((found, None));
    };
    let one = |part: &Vec<usize>| -> Result<Vec<Asked>, Error> {
        let rest: Vec<usize> = (0..data.len()).filter(|row| !part.contains(row)).collect();
        let (rest, x) = (data.select(&rest)?, data.x().select_rows(part));
        let without = alone(&rest)?;
        let with = beside(&joined(&rest, &some, &without)?.0)?;
        let (without, with) = (without(&x)?, with(&x)?);
        let row = |at: usize| {
            let class = data.codes()[part[at]];
            let p = (0..with.cols()).map(|k| with.get(at, k).max(1e-12)).collect();
            let without = -without.get(at, class).max(1e-12).ln();
            Asked { without, p, class, weight: data.sample_weights()[part[at]] }
        };
        Ok((0..part.len()).map(row).collect())
    };
    // All outcomes, so that which error is told does not depend on who is first.
    let asked: Vec<Result<Vec<Asked>, Error>> = parts.par_iter().map(one).collect();
    let asked = asked.into_iter().collect::<Result<Vec<Vec<Asked>>, Error>>()?;
    let losses: Vec<(f64, f64, f64)> = (0..asked.len())
        .flat_map(|part| {
            let slope = honest(asked.iter().enumerate().filter(|(at, _)| *at != part));
            asked[part].iter().map(move |row| (row.without, row.loss(slope), row.weight))
        })
        .collect();
    let total: f64 = losses.iter().map(|(_, _, weight)| weight).sum();
    let mean = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        losses.iter().map(|(a, b, weight)| weight * of(*a, *b)).sum::<f64>() / total
    };
    let (without, with) = (mean(&|a, _| a), mean(&|_, b| b));
    let spread = mean(&|a, b| (b - a - with + without).powi(2));
    found.error = Some((spread / losses.len() as f64).sqrt());
    (found.without, found.with, found.used) = (Some(without), Some(with), with < without);
    if !found.used {
        return Ok((found, None));
    }
    let (data, among) = joined(data, &some, &alone(data)?)?;
    let labelled = data.len() - among.len();
    let origin = among.iter().map(|&row| labelled + rows[row]);
    let slope = honest(asked.iter().enumerate());
    Ok((found, Some(Joined { rows: (0..labelled).chain(origin).collect(), data, slope })))
}

/// A labelled row that was held out.
struct Asked {
    /// −log p without the unlabelled rows.
    without: f64,
    /// Probabilities of all classes with them.
    p: Vec<f64>,
    class: usize,
    weight: f64,
}

impl Asked {
    /// −log p with the unlabelled rows, where probabilities are taken to a power.
    fn loss(&self, slope: f64) -> f64 {
        let sum: f64 = self.p.iter().map(|p| p.powf(slope)).sum();
        sum.ln() - slope * self.p[self.class].ln()
    }
}

/// The power under which held-out rows are most likely, drawn to 1.
fn honest<'a>(parts: impl Iterator<Item = (usize, &'a Vec<Asked>)>) -> f64 {
    let rows: Vec<&Asked> = parts.flat_map(|(_, rows)| rows).collect();
    let cost = |slope: f64| {
        let losses: f64 = rows.iter().map(|row| row.weight * row.loss(slope)).sum();
        losses + 0.5 * (slope.ln() / SLOPE_SPREAD).powi(2)
    };
    // The first of equals, which is 1 where nothing speaks for another.
    let costs = SLOPES.map(cost);
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    SLOPES[costs.iter().position(|cost| *cost == least).unwrap_or(0)]
}

/// Labelled rows, and the others once for each class that they may be of; and which of the others
/// these are.
fn joined(
    data: &Dataset,
    unlabelled: &Matrix,
    own: &Teller,
) -> Result<(Dataset, Vec<usize>), Error> {
    let classes = data.class_names().len();
    let all = stacked(data.x(), unlabelled);
    let spread = spread(&scaled(&all, data)?, data.codes(), classes);
    let said = own(unlabelled)?;
    let (mut among, mut codes) = (Vec::new(), data.codes().to_vec());
    let mut weights = data.sample_weights().to_vec();
    for row in 0..unlabelled.rows() {
        let both = |k: usize| {
            (said.get(row, k).max(LEAST) * spread.get(data.len() + row, k).max(LEAST)).sqrt()
        };
        let q: Vec<f64> = (0..classes).map(both).collect();
        let sum: f64 = q.iter().sum();
        for (class, q) in q.iter().map(|q| q / sum).enumerate().filter(|(_, q)| *q > NEGLIGIBLE) {
            among.push(row);
            codes.push(class);
            weights.push(q);
        }
    }
    let rows: Vec<usize> =
        (0..data.len()).chain(among.iter().map(|row| data.len() + row)).collect();
    let data = Dataset::new(all.select_rows(&rows), codes, data.class_names().to_vec())?
        .with_columns(data.columns().clone())?
        .with_sample_weights(weights)?;
    Ok((data, among))
}

/// All rows, scaled alike.
fn scaled(all: &Matrix, data: &Dataset) -> Result<Matrix, Error> {
    let rows = crate::Dataset::new(all.clone(), vec![true; all.rows()])?;
    let rows = rows.with_columns(data.columns().clone())?;
    Ok(Scaler::fit(&rows, true)?.apply(all))
}

/// What the graph says of the classes of all rows, of which the first have labels.
fn spread(x: &Matrix, codes: &[usize], classes: usize) -> Matrix {
    let joins = joins(x);
    let root: Vec<f64> = joins.iter().map(|of| (of.len() as f64).max(1.0).sqrt()).collect();
    let rows: Vec<Vec<f64>> = (0..x.rows())
        .map(|i| (0..classes).map(|k| f64::from(codes.get(i) == Some(&k))).collect())
        .collect();
    let mut f = rows.clone();
    for _ in 0..ROUNDS {
        let next = |i: usize| -> Vec<f64> {
            let from =
                |k: usize| joins[i].iter().map(|&j| f[j][k] / root[j]).sum::<f64>() / root[i];
            (0..classes).map(|k| SPREAD * from(k) + (1.0 - SPREAD) * rows[i][k]).collect()
        };
        f = (0..x.rows()).map(next).collect();
    }
    Matrix::from_fn(x.rows(), classes, |i, k| {
        let sum: f64 = f[i].iter().sum();
        if sum > 0.0 { f[i][k] / sum } else { 1.0 / classes as f64 }
    })
}

/// The rows that each row is joined to: its nearest ones, and those it is one of the nearest of.
fn joins(x: &Matrix) -> Vec<Vec<usize>> {
    let rows: Vec<Vec<f64>> =
        (0..x.rows()).map(|i| x.columns().map(|column| column[i]).collect()).collect();
    let nearest = |i: usize| -> Vec<usize> {
        let distance = |j: usize| -> f64 {
            rows[i].iter().zip(&rows[j]).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let others = (0..rows.len()).filter(|&j| j != i);
        let mut others: Vec<(f64, usize)> = others.map(|j| (distance(j), j)).collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(NEIGHBOURS).map(|(_, j)| j).collect()
    };
    let mut joins: Vec<Vec<usize>> = (0..rows.len()).into_par_iter().map(nearest).collect();
    for (i, near) in joins.clone().into_iter().enumerate() {
        near.into_iter().for_each(|j| joins[j].push(i));
    }
    for of in &mut joins {
        of.sort_unstable();
        of.dedup();
    }
    joins
}

/// Rows below each other.
fn stacked(above: &Matrix, below: &Matrix) -> Matrix {
    let columns = above.columns().zip(below.columns());
    let values = columns.flat_map(|(a, b)| a.iter().chain(b).copied()).collect();
    Matrix::from_column_major(above.rows() + below.rows(), above.cols(), values)
}

/// Which of so many rows are used, ascending.
fn drawn(rows: usize, seed: u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..rows).collect();
    if rows > MOST_ROWS {
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        all.truncate(MOST_ROWS);
        all.sort_unstable();
    }
    all
}

/// Labelled rows that are held out together, every class in proportion; nothing where a class has
/// fewer than three.
fn parts(data: &Dataset, seed: u64) -> Option<Vec<Vec<usize>>> {
    let fewest = data.class_counts().into_iter().min().unwrap_or(0);
    if fewest < 3 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parts = vec![Vec::new(); PARTS.min(fewest)];
    let mut next = 0;
    for class in 0..data.class_names().len() {
        let mut rows: Vec<usize> =
            (0..data.len()).filter(|&row| data.codes()[row] == class).collect();
        rows.shuffle(&mut rng);
        for row in rows {
            let count = parts.len();
            parts[next % count].push(row);
            next += 1;
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Cholesky, Work};

    /// Two groups of rows apart from each other, one labelled row in each.
    fn groups() -> Matrix {
        let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
        Matrix::from_fn(60, 2, |i, k| spread(i, k) + if i % 2 == 0 { 0.0 } else { 3.0 })
    }

    #[test]
    fn labels_spread_within_groups() {
        let said = spread(&groups(), &[0, 1], 2);
        for i in 0..60 {
            assert!(said.get(i, i % 2) > 0.9, "{i}: {}", said.get(i, i % 2));
        }
    }

    /// The rounds end where the linear system has its solution.
    #[test]
    fn rounds_solve_the_system() {
        let x = Matrix::from_fn(25, 2, |i, k| ((i * (3 + k)) as f64 * 0.377).sin());
        let codes = [0, 1, 1, 0];
        let joins = joins(&x);
        let degree = |i: usize| joins[i].len() as f64;
        let system = Matrix::from_fn(25, 25, |i, j| {
            let joined = f64::from(joins[i].contains(&j));
            f64::from(i == j) - SPREAD * joined / (degree(i) * degree(j)).sqrt()
        });
        let factor = Cholesky::new(system, &mut Work::new(false)).unwrap();
        let solve = |class: usize| {
            let y: Vec<f64> = (0..25).map(|i| f64::from(codes.get(i) == Some(&class))).collect();
            factor.solve(&y)
        };
        let (first, second) = (solve(0), solve(1));
        let said = spread(&x, &codes, 2);
        for i in 0..25 {
            let expected = second[i] / (first[i] + second[i]);
            assert!((said.get(i, 1) - expected).abs() < 1e-5, "{i}");
        }
    }

    #[test]
    fn a_row_that_nothing_reaches_is_of_any_class() {
        let far = Matrix::from_rows(&[vec![0.0], vec![1.0]]);
        assert_eq!(spread(&far, &[], 3).as_slice(), [1.0 / 3.0; 6]);
    }

    fn data(labelled: &[usize]) -> Dataset {
        let codes = labelled.iter().map(|i| i % 2).collect();
        Dataset::new(groups().select_rows(labelled), codes, vec!["a".into(), "b".into()]).unwrap()
    }

    /// A fit that is the better the more it is given.
    fn by_number(data: &Dataset) -> Result<Teller, Error> {
        says(if data.len() > 20 { 0.9 } else { 0.6 })
    }

    /// One that more rows mislead.
    fn misled(data: &Dataset) -> Result<Teller, Error> {
        says(if data.len() > 20 { 0.4 } else { 0.6 })
    }

    fn says(sure: f64) -> Result<Teller, Error> {
        Ok(Box::new(move |x| {
            Ok(Matrix::from_fn(x.rows(), 2, |i, k| {
                let right = usize::from(x.get(i, 0) > 2.0) == k;
                if right { sure } else { 1.0 - sure }
            }))
        }))
    }

    #[test]
    fn they_are_used_where_held_out_rows_gain() {
        let labelled = data(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let others = groups().row_range(10, 60);
        let (found, joined) =
            with_unlabelled(&labelled, &others, 0, &by_number, &by_number).unwrap();
        assert!(found.used && found.with.unwrap() < found.without.unwrap(), "{found:?}");
        let joined = joined.unwrap();
        assert_eq!(joined.data.len(), joined.rows.len());
        assert_eq!(joined.rows[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for (at, &row) in joined.rows.iter().enumerate() {
            assert_eq!(joined.data.x().get(at, 0), groups().get(row, 0));
            let weight = joined.data.sample_weights()[at];
            assert!(if row < 10 { weight == 1.0 } else { weight < 1.0 });
        }
        let (found, joined) = with_unlabelled(&labelled, &others, 0, &by_number, &misled).unwrap();
        assert!(!found.used && joined.is_none() && found.rows == 50);
    }

    /// Probabilities that are too sure by a factor of two are taken back by it.
    #[test]
    fn the_power_is_the_one_that_made_them() {
        let truth = |i: usize| 0.55 + 0.4 * (i as f64 * 0.618).fract();
        let rows: Vec<Asked> = (0..4000)
            .map(|i| {
                let p = truth(i);
                let sure = p * p / (p * p + (1.0 - p) * (1.0 - p));
                let class = usize::from((i as f64 * 0.7548).fract() >= p);
                Asked { without: 0.0, p: vec![sure, 1.0 - sure], class, weight: 1.0 }
            })
            .collect();
        assert_eq!(honest([&rows].into_iter().enumerate()), 0.5);
        assert_eq!(honest(std::iter::empty()), 1.0);
        // With a power of 1 it is −log p itself.
        assert!((rows[0].loss(1.0) + rows[0].p[rows[0].class].ln()).abs() < 1e-12);
    }

    #[test]
    fn too_few_labels_to_hold_any_out_leave_them_unused() {
        let few = data(&[0, 1, 2, 3]);
        let others = groups().row_range(10, 60);
        let (found, joined) = with_unlabelled(&few, &others, 0, &by_number, &by_number).unwrap();
        assert_eq!((found.used, found.with, joined.is_none()), (false, None, true));
    }
}

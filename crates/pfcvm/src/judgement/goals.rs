//! What the list alone can do, and what it can do beside all features, on rows that did not train.
//!
//! The decision values f of the sparse machine, calibrated, and g of the machine of all features make
//! b f + c g. b and c are those that suit the held-out rows best, drawn to ½ with a strength of
//! [`STRENGTH`]: with a few dozen rows the two count alike, with hundreds the better one counts more.
//! What this is worth is told by the rows of each part under what the other parts choose.

use super::calibration::Calibration;
use super::{Held, Rows};
use crate::algebra::{last_largest, moderated_all, moderated_softmax};
use crate::certainty::{GoalScore, Goals};
use crate::settings::Goal;

/// b and c are looked for between 0 and 1½ in steps of an eighth.
const STEPS: usize = 12;
const STEP: f64 = 0.125;
/// What a square of their distance from ½ costs, in log likelihood, twice.
const STRENGTH: f64 = 16.0;
/// Standard errors by which the shares of the classes must be beaten: width and scale of the machine of
/// all features were found on all rows, so that one and a half would be too few on noise.
const BEATEN: f64 = 2.0;

/// What the decision values of the two are multiplied by where nothing is known.
pub(crate) const ALIKE: (f64, f64) = (0.5, 0.5);

/// How the two go together.
pub(crate) struct Pairing {
    /// b and c.
    pub factors: (f64, f64),
    /// What either is worth.
    pub goals: Goals,
    /// −log p of each row with the list alone, and what it counts.
    pub list_losses: Vec<(f64, f64)>,
    /// The same of both together.
    pub losses: Vec<(f64, f64)>,
}

impl Pairing {
    /// −log p of each row with what a goal predicts with.
    pub fn losses_of(&self, goal: Goal) -> &[(f64, f64)] {
        match goal {
            Goal::List => &self.list_losses,
            Goal::Accuracy => &self.losses,
        }
    }
}

/// Held-out rows with what both machines say of them.
struct Both {
    /// For each row, the decision values of the sparse machines.
    list: Vec<Vec<f64>>,
    variance: Vec<Vec<f64>>,
    all: Vec<Vec<f64>>,
    class: Vec<usize>,
    weights: Vec<f64>,
    fold: Vec<usize>,
    /// Log odds of the shares, or their logarithms where there are more than two classes.
    shares: Vec<f64>,
}

/// How the sparse machines, under their calibrations, go together with those of all features; nothing
/// where these were not asked. Of a list with nothing on it the shares of the classes are left.
pub(crate) fn pair(
    rows: &Rows,
    held: &[Vec<Held>],
    calibrations: &[Calibration],
    nothing: bool,
) -> Option<Pairing> {
    let both = Both::of(rows, held, calibrations, nothing)?;
    let grid: Vec<(f64, f64)> = (0..=STEPS)
        .flat_map(|b| (0..=STEPS).map(move |c| (b as f64 * STEP, c as f64 * STEP)))
        .collect();
    // For each place of the grid, the loss of each part.
    let folds = held.len();
    let losses: Vec<Vec<f64>> = grid.iter().map(|at| both.loss_of_parts(*at, folds)).collect();
    let best = |left_out: Option<usize>| -> (f64, f64) {
        let cost = |at: usize| {
            let (b, c) = grid[at];
            let far = (b - ALIKE.0).powi(2) + (c - ALIKE.1).powi(2);
            let kept = losses[at].iter().enumerate().filter(|(fold, _)| Some(*fold) != left_out);
            kept.map(|(_, loss)| loss).sum::<f64>() + 0.5 * STRENGTH * far
        };
        let least = (0..grid.len()).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        least.map_or(ALIKE, |at| grid[at])
    };
    let of_part: Vec<(f64, f64)> = (0..folds).map(|fold| best(Some(fold))).collect();
    let said = |at: &dyn Fn(usize) -> (f64, f64)| -> Vec<Vec<f64>> {
        (0..both.class.len()).map(|i| both.probabilities(i, at(i))).collect()
    };
    let list = both.losses(&said(&|_| (1.0, 0.0)));
    let together_p = said(&|i| of_part[both.fold[i]]);
    let together = both.losses(&together_p);
    let chance = both.losses(&vec![both.of_shares(); both.class.len()]);
    let score = |p: &[Vec<f64>]| both.score(p);
    let (gain, gain_error) = both.difference(&list, &together);
    let (over_chance, error) = both.difference(&chance, &together);
    let goals = Goals {
        list: score(&said(&|_| (1.0, 0.0))),
        accuracy: score(&together_p),
        all_features: score(&said(&|_| (0.0, 1.0))),
        gain,
        gain_error,
        beats_chance: over_chance > BEATEN * error,
    };
    let counted = |losses: Vec<f64>| losses.into_iter().zip(both.weights.iter().copied()).collect();
    let (list_losses, losses) = (counted(list), counted(together));
    Some(Pairing { factors: best(None), goals, list_losses, losses })
}

impl Both {
    fn of(
        rows: &Rows,
        held: &[Vec<Held>],
        calibrations: &[Calibration],
        nothing: bool,
    ) -> Option<Self> {
        let machines = calibrations.len();
        let asked = |fold: &Vec<Held>| {
            fold.len() == machines && fold.iter().all(|h| h.broad.len() == h.copies.len())
        };
        if !held.iter().all(asked) {
            return None;
        }
        let shares = match machines {
            1 => vec![rows.data.log_odds_of_shares(rows.class_weights)],
            _ => rows.data.log_shares(rows.class_weights),
        };
        let factors = rows.data.factors(rows.class_weights);
        let places = held
            .iter()
            .enumerate()
            .flat_map(|(fold, machines)| (0..machines[0].copies.len()).map(move |row| (fold, row)));
        let places: Vec<(usize, usize)> = places.collect();
        let class_of = |&(fold, row): &(usize, usize)| rows.copies.class[held[fold][0].copies[row]];
        let each = |value: &dyn Fn(usize, &Held, usize) -> f64| -> Vec<Vec<f64>> {
            let of = |&(fold, row): &(usize, usize)| {
                (0..machines).map(|k| value(k, &held[fold][k], row)).collect()
            };
            places.iter().map(of).collect()
        };
        let decision = |k: usize, held: &Held, row: usize| match nothing {
            true => shares[k],
            false => calibrations[k].offset + calibrations[k].slope * held.decision[row],
        };
        let variance = |k: usize, held: &Held, row: usize| match nothing {
            true => 0.0,
            false => calibrations[k].slope.powi(2) * held.variance[row],
        };
        let weight = |place: &(usize, usize)| {
            rows.copies.weights[held[place.0][0].copies[place.1]] * factors[class_of(place)]
        };
        Some(Self {
            list: each(&decision),
            variance: each(&variance),
            all: each(&|_, held, row| held.broad[row]),
            class: places.iter().map(class_of).collect(),
            weights: places.iter().map(weight).collect(),
            fold: places.iter().map(|place| place.0).collect(),
            shares,
        })
    }

    /// The probabilities of all classes in one row.
    fn probabilities(&self, row: usize, (b, c): (f64, f64)) -> Vec<f64> {
        let both = self.list[row].iter().zip(&self.all[row]);
        let f: Vec<f64> = both.map(|(list, all)| b * list + c * all).collect();
        let v: Vec<f64> = self.variance[row].iter().map(|v| b * b * v).collect();
        probabilities(&f, &v)
    }

    fn of_shares(&self) -> Vec<f64> {
        probabilities(&self.shares, &vec![0.0; self.shares.len()])
    }

    fn loss_of_parts(&self, at: (f64, f64), folds: usize) -> Vec<f64> {
        let mut sums = vec![0.0; folds];
        for (row, &class) in self.class.iter().enumerate() {
            let p = self.probabilities(row, at)[class];
            sums[self.fold[row]] -= self.weights[row] * p.max(1e-300).ln();
        }
        sums
    }

    fn losses(&self, p: &[Vec<f64>]) -> Vec<f64> {
        p.iter().zip(&self.class).map(|(p, class)| -p[*class].max(1e-300).ln()).collect()
    }

    /// The weighted mean of some values, and its standard error.
    fn mean(&self, values: &[f64]) -> (f64, f64) {
        let total: f64 = self.weights.iter().sum();
        let mean = values.iter().zip(&self.weights).map(|(v, w)| v * w).sum::<f64>() / total;
        let squares = values.iter().zip(&self.weights).map(|(v, w)| (w * (v - mean)).powi(2));
        (mean, squares.sum::<f64>().sqrt() / total)
    }

    fn difference(&self, a: &[f64], b: &[f64]) -> (f64, f64) {
        self.mean(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>())
    }

    fn score(&self, p: &[Vec<f64>]) -> GoalScore {
        let right = |(p, class): (&Vec<f64>, &usize)| f64::from(last_largest(p) == *class);
        let hits: Vec<f64> = p.iter().zip(&self.class).map(right).collect();
        let (log_loss, log_loss_error) = self.mean(&self.losses(p));
        GoalScore { accuracy: self.mean(&hits).0.min(1.0), log_loss, log_loss_error }
    }
}

/// Of two classes with one machine, or of as many as there are machines.
fn probabilities(f: &[f64], v: &[f64]) -> Vec<f64> {
    match f {
        [_] => {
            let p = moderated_all(f, v)[0];
            vec![1.0 - p, p]
        }
        _ => moderated_softmax(f, v),
    }
}

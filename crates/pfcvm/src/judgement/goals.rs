//! What the list alone can do, and what it can do beside all features, on rows that did not train.
//!
//! The decision values f of the sparse machine, calibrated, and g of the machine of all features make
//! b f + c g. b and c are those that suit the held-out rows best, drawn to ½ with a strength of
//! [`STRENGTH`]: with a few dozen rows the two count alike, with hundreds the better one counts more.
//! What this is worth is told by the rows of each part under what the other parts choose.

use super::calibration::Calibration;
use super::{Held, Rows};
use crate::algebra::{last_largest, moderated_logs, moderated_softmax};
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

/// The smallest probability whose logarithm is taken.
const LEAST: f64 = 1e-300;

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
    /// For each machine, decision values of all rows.
    list: Vec<Vec<f64>>,
    variance: Vec<Vec<f64>>,
    all: Vec<Vec<f64>>,
    class: Vec<usize>,
    weights: Vec<f64>,
    fold: Vec<usize>,
    /// Log odds of the shares, or their logarithms where there are more than two classes.
    shares: Vec<f64>,
}

/// What is said of each row: −log p of its class, and whether that is the class that is named.
struct Said {
    losses: Vec<f64>,
    hits: Vec<f64>,
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
    let list = both.said(&|_| (1.0, 0.0));
    let together = both.said(&|row| of_part[both.fold[row]]);
    let (gain, gain_error) = both.difference(&list.losses, &together.losses);
    let (over_chance, error) = both.difference(&both.said_by_shares().losses, &together.losses);
    let goals = Goals {
        list: both.score(&list),
        accuracy: both.score(&together),
        all_features: both.score(&both.said(&|_| (0.0, 1.0))),
        gain,
        gain_error,
        beats_chance: over_chance > BEATEN * error,
    };
    let counted = |losses: Vec<f64>| losses.into_iter().zip(both.weights.iter().copied()).collect();
    let (list_losses, losses) = (counted(list.losses), counted(together.losses));
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
            let of_machine = |k: usize| {
                places.iter().map(|&(fold, row)| value(k, &held[fold][k], row)).collect()
            };
            (0..machines).map(of_machine).collect()
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

    /// What the two say together, counting as `at` has it for each row.
    fn said(&self, at: &dyn Fn(usize) -> (f64, f64)) -> Said {
        let rows = 0..self.class.len();
        let factors: Vec<(f64, f64)> = rows.map(at).collect();
        let together = |list: &[f64], all: &[f64]| -> Vec<f64> {
            let both = factors.iter().zip(list).zip(all);
            both.map(|(((b, c), list), all)| b * list + c * all).collect()
        };
        let f: Vec<Vec<f64>> =
            self.list.iter().zip(&self.all).map(|(list, all)| together(list, all)).collect();
        let spread = |variance: &Vec<f64>| -> Vec<f64> {
            factors.iter().zip(variance).map(|((b, _), v)| b * b * v).collect()
        };
        let v: Vec<Vec<f64>> = self.variance.iter().map(spread).collect();
        self.of_decisions(&f, &v)
    }

    fn said_by_shares(&self) -> Said {
        let same = |value: f64| vec![value; self.class.len()];
        let f: Vec<Vec<f64>> = self.shares.iter().map(|share| same(*share)).collect();
        self.of_decisions(&f, &vec![same(0.0); f.len()])
    }

    /// Of two classes with one machine, or of as many as there are machines.
    fn of_decisions(&self, f: &[Vec<f64>], v: &[Vec<f64>]) -> Said {
        let losses = |p: f64| -p.max(LEAST).ln();
        if let ([f], [v]) = (f, v) {
            let signs: Vec<f64> =
                self.class.iter().map(|class| if *class == 1 { 1.0 } else { -1.0 }).collect();
            let logs = moderated_logs(f, v, &signs);
            let right = |(f, class): (&f64, &usize)| f64::from((*f >= 0.0) == (*class == 1));
            return Said {
                losses: logs.into_iter().map(|log| -log.max(LEAST.ln())).collect(),
                hits: f.iter().zip(&self.class).map(right).collect(),
            };
        }
        let of_row = |(row, class): (usize, &usize)| {
            let in_row = |values: &[Vec<f64>]| values.iter().map(|own| own[row]).collect();
            let (f, v): (Vec<f64>, Vec<f64>) = (in_row(f), in_row(v));
            let p = moderated_softmax(&f, &v);
            (losses(p[*class]), f64::from(last_largest(&p) == *class))
        };
        let (losses, hits) = self.class.iter().enumerate().map(of_row).unzip();
        Said { losses, hits }
    }

    fn loss_of_parts(&self, at: (f64, f64), folds: usize) -> Vec<f64> {
        let mut sums = vec![0.0; folds];
        let losses = self.said(&|_| at).losses;
        for ((fold, weight), loss) in self.fold.iter().zip(&self.weights).zip(losses) {
            sums[*fold] += weight * loss;
        }
        sums
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

    fn score(&self, said: &Said) -> GoalScore {
        let (log_loss, log_loss_error) = self.mean(&said.losses);
        GoalScore { accuracy: self.mean(&said.hits).0.min(1.0), log_loss, log_loss_error }
    }
}

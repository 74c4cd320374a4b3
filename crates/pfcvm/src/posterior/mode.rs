//! The one constrained mode: projected Newton steps on
//! Q(u) = ℓ(f(u)) + log p(u), u ≥ 0 from some coordinate on.
//!
//! A step holds the coordinates at 0 whose slope points outwards, moves the others to where the quadratic with
//! g = Jᵀ(t−σ) − A(u−μ) and H = JᵀCJ + A (A with what the smoothed truncation adds) is largest within the
//! constraint (`bounded`; along H⁻¹g, cut off at 0, where the coordinates are more than the rows), and is halved until Q does
//! not fall. f may be linear in u, f = offset + Ju, or not:
//! then J is its derivative, and the caller says what f is at the places that are tried.

use super::bounded::Quadratic;
use super::{Columns, Likelihood, Observed, Precision, Prior};
use crate::algebra::Work;
use std::borrow::Cow;

/// Halvings of a step before it is given up.
const HALVINGS: usize = 25;
/// A step may lose this much of the objective to rounding, relatively.
const ROUNDING: f64 = 1e-12;
/// Settled when the objective moves by less than this, relatively.
const SETTLED: f64 = 1e-6;
/// Steps on the way to a mode.
const MOST_STEPS: usize = 100;
/// Newton's method doubles the digits with each step: once a step promises less than this, a few
/// more are enough, and rounding could keep it busy for ever.
const CLOSE: f64 = 1e-8;
/// Steps that promise less.
const CLOSE_STEPS: usize = 3;

/// Q(u) = ℓ(f(u)) + log p(u).
pub struct Objective<'a, L = Likelihood> {
    /// ℓ.
    pub likelihood: &'a L,
    /// p.
    pub prior: Prior<'a>,
}

/// How a step went.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// 1 for a full Newton step, 0 for none.
    pub length: f64,
    /// Whether the objective hardly moved.
    pub settled: bool,
}

/// A mode, with what belongs to it.
pub struct Mode {
    /// Where it is.
    pub u: Vec<f64>,
    /// f there.
    pub f: Vec<f64>,
    /// The coordinates that are not held at 0.
    pub free: Vec<usize>,
    /// H over these.
    pub precision: Precision,
}

/// The Newton direction at a place.
struct Direction<'c> {
    free: Vec<usize>,
    /// The step over `free`.
    values: Vec<f64>,
    /// gᵀ of the step: twice what a full one gains where Q is quadratic and the constraint far.
    promise: f64,
    precision: Cow<'c, Precision>,
}

impl<L: Observed> Objective<'_, L> {
    /// Q, given f.
    pub fn value(&self, u: &[f64], f: &[f64]) -> f64 {
        self.likelihood.log(f) + self.prior.log(u)
    }

    fn direction<'c>(
        &self,
        columns: &'c impl Columns,
        u: &[f64],
        f: &[f64],
        work: &mut Work,
    ) -> Option<Direction<'c>> {
        let mut gradient = columns.transpose_times(&self.likelihood.residual(f), work);
        self.prior.add_gradient(&mut gradient, u);
        let free = columns.known(self.prior.free_to_move(u, &gradient));
        let c = self.likelihood.curvature(f);
        let diagonal = self.prior.diagonal(u, &free);
        let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
        let room = self.prior.room(u, &free);
        let is_bounded = room.iter().any(|room| room.is_finite());
        let precision = columns.precision(&c, &free, diagonal, work)?;
        let values = match &*precision {
            Precision::Dense { factor, scale } if is_bounded => {
                Quadratic { gradient: &g, factor, scale, room: &room }.best(work)
            }
            _ => precision.solve(&g, work),
        };
        let promise = g.iter().zip(&values).map(|(g, d)| g * d).sum();
        let finite = values.iter().all(|d| d.is_finite());
        finite.then_some(Direction { free, values, promise, precision })
    }

    /// Halves the step until Q does not fall. `attempt` gives f, and whatever belongs to it, at the
    /// places that are tried.
    fn search<T>(
        &self,
        direction: &Direction,
        u: &mut Vec<f64>,
        f: &mut Vec<f64>,
        mut attempt: impl FnMut(&[f64], &mut Work) -> (Vec<f64>, T),
        work: &mut Work,
    ) -> (Step, Option<T>) {
        let start = self.value(u, f);
        let least = start - ROUNDING * start.abs().max(1.0);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let moved = self.prior.moved(u, &direction.values, &direction.free, length);
            let (decision, found) = attempt(&moved, work);
            let value = self.value(&moved, &decision);
            if value.is_finite() && value >= least {
                (*u, *f) = (moved, decision);
                let settled = (value - start).abs() < SETTLED * start.abs();
                return (Step { length, settled }, Some(found));
            }
            length /= 2.0;
        }
        (Step { length: 0.0, settled: true }, None)
    }

    /// One step, with `columns` the derivative J of f by u, and f at other places from `attempt`,
    /// whose other result is given back for the place that was taken, if one was. Nothing, with u
    /// and f as they were, when the algebra broke down.
    pub fn step<T>(
        &self,
        columns: &impl Columns,
        u: &mut Vec<f64>,
        f: &mut Vec<f64>,
        attempt: impl FnMut(&[f64], &mut Work) -> (Vec<f64>, T),
        work: &mut Work,
    ) -> Option<(Step, Option<T>)> {
        let direction = self.direction(columns, u, f, work)?;
        Some(self.search(&direction, u, f, attempt, work))
    }

    /// One step where f = offset + Ju.
    pub fn linear_step(
        &self,
        columns: &impl Columns,
        offset: f64,
        u: &mut Vec<f64>,
        f: &mut Vec<f64>,
        work: &mut Work,
    ) -> Option<Step> {
        let attempt = |u: &[f64], work: &mut Work| (decision(columns, offset, u, work), ());
        Some(self.step(columns, u, f, attempt, work)?.0)
    }

    /// The mode where f = Ju, from `u` on: steps until the next promises a gain of at most
    /// `least`. Nothing when the algebra broke down.
    pub fn mode(
        &self,
        columns: &impl Columns,
        mut u: Vec<f64>,
        least: f64,
        work: &mut Work,
    ) -> Option<Mode> {
        let mut f = columns.times(&u, work);
        let mut close = 0;
        for step in 0.. {
            let direction = self.direction(columns, &u, &f, work)?;
            close += usize::from(direction.promise <= CLOSE);
            let enough = direction.promise <= least || close > CLOSE_STEPS || step == MOST_STEPS;
            let attempt = |u: &[f64], work: &mut Work| (columns.times(u, work), ());
            if enough || self.search(&direction, &mut u, &mut f, attempt, work).1.is_none() {
                let Direction { free, precision, .. } = direction;
                return Some(Mode { u, f, free, precision: precision.into_owned() });
            }
        }
        None
    }
}

/// offset + Ju.
pub fn decision(columns: &impl Columns, offset: f64, u: &[f64], work: &mut Work) -> Vec<f64> {
    let mut f = columns.times(u, work);
    if offset != 0.0 {
        f.iter_mut().for_each(|f| *f += offset);
    }
    f
}

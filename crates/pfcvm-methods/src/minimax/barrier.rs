//! The cone program of the structural machine, by a barrier method on dense matrices.
//!
//! For a given κ: the largest s with σₖ(aᵀμₖ − b) − κ‖Σₖ^½a‖ ≥ s uₖ for each cluster k and ‖a‖ ≤ 1. Its
//! cones are few, long and full, which a solver for sparse programs answers with a factor of all
//! their rows; here a Newton step is one factor of the size of a. Path following as in Boyd &
//! Vandenberghe, *Convex Optimization* (2004), chapter 11: minimise
//!
//! −t s − Σₖ log(hₖ² − κ²aᵀΣₖa) − log(1 − aᵀa), hₖ = σₖ(aᵀμₖ − b) − s uₖ,
//!
//! for growing t; at its minimum s is within ν/t of the largest, ν = 2k + 1 for k clusters.

use super::moments::inner;
use super::separation::Cluster;
use crate::Error;
use crate::linalg::Cholesky;
use crate::stop::wanted;
use pfcvm::Matrix;

/// t grows by this.
const GROWTH: f64 = 20.0;
/// A gap, in parts of s, that is good enough for the next round of κ.
const ENOUGH: f64 = 1e-2;
/// Newton's decrement below which a point counts as central.
const CENTRAL: f64 = 0.1;
/// Newton steps for one t; about eight are needed.
const MOST_STEPS: usize = 60;
/// Cuts of a step after which rounding has the say.
const MOST_CUTS: usize = 50;

/// A point of the program.
#[derive(Clone, Debug)]
pub(super) struct Widest {
    pub normal: Vec<f64>,
    pub offset: f64,
    /// No point has a larger s.
    pub most: f64,
}

/// The program at some κ. The means are about their centre, so that a = b = 0 is inside.
pub(super) struct Barrier<'a> {
    pub clusters: &'a [Cluster],
    pub kappa: f64,
    pub units: &'a [f64],
    /// A gap that is good enough whatever s is.
    pub least_gap: f64,
}

/// A point (a, b, s) and what each cluster has left: hₖ and hₖ² − κ²aᵀΣₖa.
struct Point {
    z: Vec<f64>,
    distances: Vec<f64>,
    left: Vec<f64>,
    room: f64,
}

impl Barrier<'_> {
    /// Follows the path until the gap is small.
    pub fn widest(&self) -> Result<Widest, Error> {
        let count = self.clusters[0].mean.len();
        let cones = (2 * self.clusters.len() + 1) as f64;
        let mut z = vec![0.0; count + 2];
        z[count + 1] = -1.0;
        let broken = || Error::Solver { method: "smpm", reason: "no point inside".into() };
        let mut point = self.point(z).ok_or_else(broken)?;
        let mut t = cones;
        loop {
            let central = self.centre(&mut point, t);
            // A decrement below ½ adds √ν to ν (Nesterov & Nemirovskii 1994).
            let gap = (cones + cones.sqrt()) / t;
            let s = point.z[count + 1];
            if !central || gap <= (ENOUGH * s).max(self.least_gap) {
                // Where rounding ended it nothing is known of what lies beyond.
                let most = if central { s + gap } else { f64::INFINITY };
                let normal = point.z[..count].to_vec();
                return Ok(Widest { normal, offset: point.z[count], most });
            }
            t *= GROWTH;
        }
    }

    /// Newton's steps for one t; whether they came to rest.
    fn centre(&self, point: &mut Point, t: f64) -> bool {
        for _ in wanted(0..MOST_STEPS) {
            let (slope, curvature) = self.derivatives(point, t);
            let Some(factor) = Cholesky::new(&curvature) else { return false };
            let step = factor.solve(&Matrix::from_column_major(slope.len(), 1, slope.clone()));
            let step = step.as_slice();
            let decrement = inner(&slope, step);
            if decrement.is_nan() {
                return false;
            }
            if decrement <= CENTRAL * CENTRAL {
                return true;
            }
            let before = self.value(point, t);
            let mut length = 1.0;
            let next = (0..MOST_CUTS).find_map(|_| {
                let z = point.z.iter().zip(step).map(|(z, step)| z - length * step).collect();
                let next = self
                    .point(z)
                    .filter(|next| self.value(next, t) <= before - 0.1 * length * decrement);
                length *= 0.5;
                next
            });
            match next {
                Some(next) => *point = next,
                None => return false,
            }
        }
        false
    }

    /// Nothing outside.
    fn point(&self, z: Vec<f64>) -> Option<Point> {
        let count = z.len() - 2;
        let (a, b, s) = (&z[..count], z[count], z[count + 1]);
        let (mut distances, mut left) = (Vec::new(), Vec::new());
        for (cluster, unit) in self.clusters.iter().zip(self.units) {
            let h = cluster.sign * (inner(a, &cluster.mean) - b) - s * unit;
            let spread = if self.kappa > 0.0 { self.kappa * cluster.deviation(a) } else { 0.0 };
            if h.is_nan() || spread.is_nan() || h <= spread {
                return None;
            }
            distances.push(h);
            left.push((h - spread) * (h + spread));
        }
        let room = 1.0 - inner(a, a);
        (room > 0.0).then_some(Point { z, distances, left, room })
    }

    fn value(&self, point: &Point, t: f64) -> f64 {
        let s = point.z[point.z.len() - 1];
        let logs = point.left.iter().map(|left| left.ln()).sum::<f64>();
        -t * s - logs - point.room.ln()
    }

    /// The first derivative and the lower triangle of the second.
    fn derivatives(&self, point: &Point, t: f64) -> (Vec<f64>, Matrix) {
        let size = point.z.len();
        let count = size - 2;
        let a = &point.z[..count];
        let mut slope = Vec::from_iter(a.iter().map(|a| 2.0 * a / point.room));
        slope.extend([0.0, -t]);
        let mut curvature = Matrix::zeros(size, size);
        (0..count).for_each(|i| curvature.set(i, i, 2.0 / point.room));
        add_square(&mut curvature, &Vec::from_iter(a.iter().map(|a| 2.0 * a / point.room)), 1.0);
        for (k, (cluster, unit)) in self.clusters.iter().zip(self.units).enumerate() {
            let (h, left) = (point.distances[k], point.left[k]);
            let mut of_h = Vec::from_iter(cluster.mean.iter().map(|mean| cluster.sign * mean));
            of_h.extend([-cluster.sign, -unit]);
            let weight = 2.0 * self.kappa * self.kappa / left;
            let mut own = Vec::from_iter(of_h.iter().map(|value| -2.0 * h / left * value));
            for j in 0..count {
                let column = cluster.covariance.column(j);
                own[j] += weight * inner(column, a);
                let sums = curvature.column_mut(j)[j..count].iter_mut().zip(&column[j..]);
                sums.for_each(|(sum, value)| *sum += weight * value);
            }
            add_square(&mut curvature, &own, 1.0);
            add_square(&mut curvature, &of_h, -2.0 / left);
            slope.iter_mut().zip(&own).for_each(|(slope, own)| *slope += own);
        }
        (slope, curvature)
    }
}

/// Adds `factor` v vᵀ to the lower triangle.
fn add_square(matrix: &mut Matrix, v: &[f64], factor: f64) {
    for (j, value) in v.iter().enumerate() {
        let scaled = factor * value;
        let sums = matrix.column_mut(j)[j..].iter_mut().zip(&v[j..]);
        sums.for_each(|(sum, other)| *sum += scaled * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::{Affine, Program};
    use crate::linalg::product_nt;

    /// The same program for the solver of sparse ones: the largest s.
    fn other_route(barrier: &Barrier<'_>) -> f64 {
        let count = barrier.clusters[0].mean.len();
        let (b, s) = (count, count + 1);
        let mut cost = vec![0.0; count + 2];
        cost[s] = -1.0;
        let mut program = Program::new(cost);
        for (cluster, unit) in barrier.clusters.iter().zip(barrier.units) {
            let along = cluster.mean.iter().map(|mean| cluster.sign * mean).enumerate();
            let first = Affine::new(0.0, along.chain([(b, -cluster.sign), (s, -unit)]));
            let factor = Cholesky::new(&cluster.covariance).unwrap();
            let rows = (0..count).map(|j| {
                let row = (j..count).map(|i| (i, barrier.kappa * factor.column(j)[i]));
                Affine::new(0.0, Vec::from_iter(row))
            });
            program.norm_at_most(first, Vec::from_iter(rows));
        }
        let ball = (0..count).map(|i| Affine::new(0.0, [(i, 1.0)]));
        program.norm_at_most(Affine::new(1.0, []), Vec::from_iter(ball));
        program.solve("test").unwrap().x[s]
    }

    #[test]
    fn another_solver_finds_the_same_width() {
        for (clusters, size, kappa) in [(2, 3, 0.0), (4, 5, 0.5), (5, 8, 1.5), (8, 12, 4.0)] {
            let made = |k: usize| {
                let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
                let value = |i: usize, j: usize| ((i * 7 + j * 5 + k * 11) as f64 * 0.83).sin();
                let mean = (0..size).map(|i| value(i, 31) + if i == 0 { 2.0 * sign } else { 0.0 });
                let root = Matrix::from_fn(size, size, value);
                let mut covariance = product_nt(&root, &root);
                (0..size).for_each(|i| covariance.set(i, i, covariance.get(i, i) + 0.1));
                Cluster::new(sign, mean.collect(), covariance).unwrap()
            };
            let clusters = Vec::from_iter((0..clusters).map(made));
            let units = Vec::from_iter((0..clusters.len()).map(|k| 1.0 + k as f64 / 3.0));
            let barrier = Barrier { clusters: &clusters, kappa, units: &units, least_gap: 1e-9 };
            let found = barrier.widest().unwrap();
            let reached = |cluster: &Cluster, unit: &f64| {
                let gain = cluster.sign * (inner(&found.normal, &cluster.mean) - found.offset);
                (gain - kappa * cluster.deviation(&found.normal)) / unit
            };
            let pairs = clusters.iter().zip(&units);
            let s = pairs.map(|(c, u)| reached(c, u)).fold(f64::INFINITY, f64::min);
            let expected = other_route(&barrier);
            // As near as asked for, and never above; the bound never below.
            assert!(s <= expected + 1e-7, "{s} beside {expected}");
            assert!(s >= expected * (1.0 - 2.0 * ENOUGH) - 1e-7, "{s} beside {expected}");
            assert!(found.most >= expected - 1e-7, "{} beside {expected}", found.most);
            assert!(inner(&found.normal, &found.normal) <= 1.0);
        }
    }
}

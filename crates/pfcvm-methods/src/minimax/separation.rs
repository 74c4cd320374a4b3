//! The plane that keeps the most distance, in deviations, from every cluster of two classes.

use super::barrier::{Barrier, Widest};
use super::moments::{Moments, inner};
use crate::Error;
use crate::linalg::Cholesky;
use crate::stop::wanted;
use pfcvm::Matrix;

/// Programs after which κ is taken as it is.
const MOST_PROGRAMS: usize = 60;
/// A possible gain of κ, in parts of itself, below which it is taken as the largest.
const ENOUGH: f64 = 1e-7;

/// {x : normalᵀx = offset}, in coordinates.
pub(super) struct Plane {
    pub normal: Vec<f64>,
    pub offset: f64,
    pub kappa: f64,
}

/// A cluster in coordinates in which the pooled covariance is I.
pub(super) struct Cluster {
    pub sign: f64,
    pub mean: Vec<f64>,
    pub covariance: Matrix,
    factor: Cholesky,
}

impl Cluster {
    pub fn new(sign: f64, mean: Vec<f64>, covariance: Matrix) -> Option<Self> {
        let factor = Cholesky::new(&covariance)?;
        Some(Self { sign, mean, covariance, factor })
    }

    /// ‖Σ^½a‖ = ‖Lᵀa‖.
    pub fn deviation(&self, a: &[f64]) -> f64 {
        let count = a.len();
        let turned = (0..count).map(|j| inner(&self.factor.column(j)[j..], &a[j..]));
        turned.map(|value| value * value).sum::<f64>().sqrt()
    }
}

impl Plane {
    /// Nothing where no plane parts the means.
    pub fn between(moments: &[Vec<Moments>; 2]) -> Result<Option<Self>, Error> {
        let broken =
            || Error::Solver { method: "smpm", reason: "a covariance without a factor".into() };
        let all = || moments.iter().flatten();
        let total: f64 = all().map(|cluster| cluster.weight).sum();
        let count = moments[0][0].mean.len();
        let pooled = Matrix::from_fn(count, count, |i, j| {
            all().map(|cluster| cluster.weight / total * cluster.covariance.get(i, j)).sum()
        });
        let pooled = Cholesky::new(&pooled).ok_or_else(broken)?;
        let mut found = Vec::new();
        for (class, clusters) in moments.iter().enumerate() {
            for cluster in clusters {
                let half = pooled.half_solve(&cluster.covariance);
                let across = Matrix::from_fn(count, count, |i, j| half.get(j, i));
                let covariance = pooled.half_solve(&across);
                let mean = Matrix::from_column_major(count, 1, cluster.mean.clone());
                let mean = pooled.half_solve(&mean).as_slice().to_vec();
                let sign = if class == 1 { 1.0 } else { -1.0 };
                found.push(Cluster::new(sign, mean, covariance).ok_or_else(broken)?);
            }
        }
        let centre = centre_means(&mut found);
        let Some((inside, offset, kappa)) = largest(&found)? else { return Ok(None) };
        let offset = offset + inner(&inside, &centre);
        let inside = Matrix::from_column_major(count, 1, inside);
        let normal = pooled.half_solve_transposed(&inside).as_slice().to_vec();
        Ok(Some(Self { normal, offset, kappa }))
    }
}

/// Moves the means so that they are about 0, and says from where.
fn centre_means(clusters: &mut [Cluster]) -> Vec<f64> {
    let share = 1.0 / clusters.len() as f64;
    let mut centre = vec![0.0; clusters[0].mean.len()];
    for cluster in clusters.iter() {
        centre.iter_mut().zip(&cluster.mean).for_each(|(sum, mean)| *sum += share * mean);
    }
    for cluster in clusters {
        cluster.mean.iter_mut().zip(&centre).for_each(|(mean, centre)| *mean -= centre);
    }
    centre
}

/// a, b and the largest κ, by Dinkelbach's rounds from κ = 0. Gains count in the deviations of the
/// round before, which is what makes the rounds few (Crouzeix, Ferland & Schaible 1986).
fn largest(clusters: &[Cluster]) -> Result<Option<(Vec<f64>, f64, f64)>, Error> {
    let length = |a: &[f64]| inner(a, a).sqrt();
    // The program's own unit of length: its start is a distance of 1 on the wrong side.
    let unit = clusters.iter().map(|cluster| length(&cluster.mean)).fold(0.0, f64::max);
    if !(unit > 0.0 && unit.is_finite()) {
        return Ok(None);
    }
    let mut best: Option<(Vec<f64>, f64, f64)> = None;
    let mut units = vec![unit; clusters.len()];
    for _ in wanted(0..MOST_PROGRAMS) {
        let kappa = best.as_ref().map_or(0.0, |best| best.2);
        // With such units a gap is one of κ, in the first round one of distances.
        let least_gap = 0.1 * ENOUGH * if best.is_some() { kappa } else { 1.0 };
        let program = Barrier { clusters, kappa, units: &units, least_gap };
        let Widest { normal: mut a, offset: mut b, most } = program.widest()?;
        // Where s is all but 0, ‖a‖ ≤ 1 need not bind; the plane is the same at any length.
        let scale = length(&a).max(f64::MIN_POSITIVE);
        a.iter_mut().for_each(|a| *a /= scale);
        b /= scale;
        let gain = |cluster: &Cluster| cluster.sign * (inner(&a, &cluster.mean) - b);
        let deviation = |cluster: &Cluster| cluster.deviation(&a).max(f64::MIN_POSITIVE);
        units = clusters.iter().map(deviation).collect();
        let ratios = clusters.iter().zip(&units).map(|(cluster, unit)| gain(cluster) / unit);
        let raised = ratios.fold(f64::INFINITY, f64::min);
        let apart = clusters.iter().map(gain).fold(f64::INFINITY, f64::min);
        if best.is_none() && !(apart > 1e-6 && raised.is_finite()) {
            return Ok(None);
        }
        let first = best.is_none();
        if first || raised > kappa {
            best = Some((a, b, raised));
        }
        if !first && (raised.is_nan() || raised <= kappa || most <= ENOUGH * raised) {
            break;
        }
    }
    Ok(best)
}

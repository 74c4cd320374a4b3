//! The plane that keeps the most distance, in deviations, from every cluster of two classes.

use super::moments::{Moments, inner};
use crate::Error;
use crate::cone::{Affine, Program};
use crate::linalg::Cholesky;
use pfcvm::Matrix;

/// Programs after which κ is taken as it is.
const MOST_PROGRAMS: usize = 60;
/// A gain of κ, in parts of itself, below which it is taken as the largest.
const ENOUGH: f64 = 1e-6;

/// {x : normalᵀx = offset}, in coordinates.
pub(super) struct Plane {
    pub normal: Vec<f64>,
    pub offset: f64,
    pub kappa: f64,
}

/// A cluster in coordinates in which the pooled covariance is I.
struct Cluster {
    sign: f64,
    mean: Vec<f64>,
    factor: Cholesky,
}

impl Cluster {
    /// ‖Σ^½a‖ = ‖Lᵀa‖.
    fn deviation(&self, a: &[f64]) -> f64 {
        self.rows()
            .map(|row| row.iter().map(|&(i, l)| l * a[i]).sum::<f64>().powi(2))
            .sum::<f64>()
            .sqrt()
    }

    /// The rows of Lᵀ.
    fn rows(&self) -> impl Iterator<Item = Vec<(usize, f64)>> {
        let count = self.mean.len();
        (0..count).map(move |j| (j..count).map(|i| (i, self.factor.entry(i, j))).collect())
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
                let factor = Cholesky::new(&pooled.half_solve(&across)).ok_or_else(broken)?;
                let mean = Matrix::from_column_major(count, 1, cluster.mean.clone());
                let mean = pooled.half_solve(&mean).as_slice().to_vec();
                found.push(Cluster { sign: if class == 1 { 1.0 } else { -1.0 }, mean, factor });
            }
        }
        let Some((inside, offset, kappa)) = largest(&found)? else { return Ok(None) };
        let inside = Matrix::from_column_major(count, 1, inside);
        let normal = pooled.half_solve_transposed(&inside).as_slice().to_vec();
        Ok(Some(Self { normal, offset, kappa }))
    }
}

/// a, b and the largest κ, by Dinkelbach's rounds from κ = 0. Gains count in the deviations of the
/// round before, which is what makes the rounds few (Crouzeix, Ferland & Schaible 1986).
fn largest(clusters: &[Cluster]) -> Result<Option<(Vec<f64>, f64, f64)>, Error> {
    let mut best: Option<(Vec<f64>, f64, f64)> = None;
    let mut units = vec![1.0; clusters.len()];
    for _ in 0..MOST_PROGRAMS {
        let kappa = best.as_ref().map_or(0.0, |best| best.2);
        let (mut a, mut b) = match widest(clusters, kappa, &units) {
            Ok(found) => found,
            // The last digits of κ are beyond the solver: what is there is good.
            Err(Error::Solver { .. }) if best.is_some() => break,
            Err(error) => return Err(error),
        };
        // Where s is all but 0, ‖a‖ ≤ 1 need not bind; the plane is the same at any length.
        let length = inner(&a, &a).sqrt().max(f64::MIN_POSITIVE);
        a.iter_mut().for_each(|a| *a /= length);
        b /= length;
        let gain = |cluster: &Cluster| cluster.sign * (inner(&a, &cluster.mean) - b);
        let deviation = |cluster: &Cluster| cluster.deviation(&a).max(f64::MIN_POSITIVE);
        units = clusters.iter().map(deviation).collect();
        let ratios = clusters.iter().zip(&units).map(|(cluster, unit)| gain(cluster) / unit);
        let raised = ratios.fold(f64::INFINITY, f64::min);
        let apart = clusters.iter().map(gain).fold(f64::INFINITY, f64::min);
        if best.is_none() && !(apart > 1e-6 && raised.is_finite()) {
            return Ok(None);
        }
        if best.is_some() && (raised.is_nan() || raised <= kappa) {
            break;
        }
        best = Some((a, b, raised));
        if raised - kappa <= ENOUGH * raised {
            break;
        }
    }
    Ok(best)
}

/// The a and b with the largest s for a given κ: every cluster is κ deviations and s units away.
fn widest(clusters: &[Cluster], kappa: f64, units: &[f64]) -> Result<(Vec<f64>, f64), Error> {
    let count = clusters[0].mean.len();
    let (b, s) = (count, count + 1);
    let mut cost = vec![0.0; count + 2];
    cost[s] = -1.0;
    let mut program = Program::new(cost);
    for (cluster, unit) in clusters.iter().zip(units) {
        let along = cluster.mean.iter().map(|mean| cluster.sign * mean).enumerate();
        let first = Affine::new(0.0, along.chain([(b, -cluster.sign), (s, -unit)]));
        match kappa > 0.0 {
            false => program.not_negative(first),
            true => {
                let scaled = |row: Vec<(usize, f64)>| {
                    Affine::new(0.0, row.into_iter().map(|(i, value)| (i, kappa * value)))
                };
                program.norm_at_most(first, cluster.rows().map(scaled));
            }
        }
    }
    program.norm_at_most(Affine::new(1.0, []), (0..count).map(|i| Affine::new(0.0, [(i, 1.0)])));
    let optimum = program.solve("smpm")?;
    Ok((optimum.x[..count].to_vec(), optimum.x[b]))
}

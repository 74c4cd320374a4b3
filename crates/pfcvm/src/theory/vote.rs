//! The Bayesian voting classifier of the theorem, E[sign f(x)] over the posterior of the weights
//! (`eq:bvc`).

use super::sampler::{Sampler, normal};
use crate::algebra::{self, Work};
use crate::posterior::Covariance;
use crate::{Error, Matrix, Model};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Rows voted on at a time by one thread.
const BLOCK_ROWS: usize = 256;

/// Bias and sample weights, and feature weights.
type Draw = (Vec<f64>, Vec<f64>);

/// How votes are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoteSettings {
    /// Draws of all weights (default 1000): a vote is off by about 1/√draws at most.
    pub draws: usize,
    /// Of the draws.
    pub seed: u64,
    /// Whether each weight is drawn on its own, with its own variance: the distribution that
    /// [`Model::divergence`] speaks of. Otherwise weights are drawn with what is known of them
    /// jointly.
    pub independent: bool,
}

impl Default for VoteSettings {
    fn default() -> Self {
        Self { draws: 1000, seed: 0, independent: false }
    }
}

impl VoteSettings {
    pub(super) fn check(&self) -> Result<(), Error> {
        if (1..=10_000_000).contains(&self.draws) {
            return Ok(());
        }
        let value = self.draws.to_string();
        Err(Error::Setting { name: "draws", value, allowed: "1 to 10 000 000" })
    }
}

impl Model {
    /// E[sign f(x)] for each row, from −1 to 1: the share of draws of the weights that put the row
    /// in the positive class less the share that do not. Weights are drawn from the posterior
    /// truncated to w ≥ 0 and θ ≥ 0; the same seed gives the same votes on any number of threads.
    pub fn vote(&self, x: &Matrix, settings: &VoteSettings) -> Result<Vec<f64>, Error> {
        settings.check()?;
        self.scaler.check_columns(x, &self.needed_columns())?;
        let (columns, spans) = (self.scaled_columns(), self.spans());
        let draws = self.draws(settings)?;
        let starts: Vec<usize> = (0..x.rows()).step_by(BLOCK_ROWS).collect();
        let block = |&start: &usize| {
            let end = (start + BLOCK_ROWS).min(x.rows());
            let rows = self.scaler.apply_rows(x, &columns, start, end);
            let mut ahead = vec![0u32; rows.rows()];
            let mut work = Work::new(false);
            for (w, theta) in &draws {
                let values = self.kernel.values(&rows, &self.z, &spans.spread(theta), &mut work);
                let signed: Vec<f64> = w[1..].iter().zip(&self.signs).map(|(w, s)| w * s).collect();
                let f = algebra::times_vector(&values, &signed, &work);
                ahead.iter_mut().zip(f).for_each(|(n, f)| *n += u32::from(f + w[0] >= 0.0));
            }
            Vec::from_iter(ahead.iter().map(|n| 2.0 * f64::from(*n) / draws.len() as f64 - 1.0))
        };
        Ok(starts.par_iter().map(block).collect::<Vec<_>>().concat())
    }

    fn draws(&self, settings: &VoteSettings) -> Result<Vec<Draw>, Error> {
        // Two streams, so that the draws of θ do not depend on how many samples were kept.
        let stream = |number: u64| {
            let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
            rng.set_stream(number);
            rng
        };
        let mut walled = vec![true; self.w.len()];
        walled[0] = false;
        let (samples, features) = (&self.sample_covariance, &self.feature_covariance);
        let w = chain(&self.w, samples, walled, settings, stream(0))?;
        let theta =
            chain(&self.theta, features, vec![true; self.theta.len()], settings, stream(1))?;
        Ok(w.into_iter().zip(theta).collect())
    }
}

fn chain(
    mean: &[f64],
    covariance: &Covariance,
    walled: Vec<bool>,
    settings: &VoteSettings,
    mut rng: ChaCha8Rng,
) -> Result<Vec<Vec<f64>>, Error> {
    if mean.is_empty() {
        return Ok(vec![Vec::new(); settings.draws]);
    }
    if settings.independent {
        let deviations = Vec::from_iter(covariance.variances().iter().map(|v| v.sqrt()));
        let one = |rng: &mut ChaCha8Rng| {
            let weights = mean.iter().zip(&deviations).zip(&walled);
            weights.map(|((m, s), walled)| alone(*m, *s, *walled, rng)).collect()
        };
        return Ok((0..settings.draws).map(|_| one(&mut rng)).collect());
    }
    let mut work = Work::new(false);
    let dense = covariance.dense(&mut work);
    let mut sampler = Sampler::new(mean.to_vec(), dense, walled, rng, &mut work)?;
    Ok((0..settings.draws).map(|_| sampler.draw()).collect())
}

/// One weight. Means of truncated weights are not negative: every second try succeeds at worst.
fn alone(mean: f64, deviation: f64, walled: bool, rng: &mut ChaCha8Rng) -> f64 {
    loop {
        let value = mean + deviation * normal(rng);
        if !walled || value >= 0.0 {
            return value;
        }
    }
}

//! What is dropped, and how the rest moves together.

use crate::linalg::Work;
use crate::settings::{Hyperprior, PrecisionRule, Pruning, Stage};
use crate::state::{State, Weights};

impl State<'_> {
    pub fn drop_samples_at_zero(&mut self, work: &mut Work) -> Vec<usize> {
        let keep: Vec<bool> = self.weights.w[1..].iter().map(|w| *w > 0.0).collect();
        self.keep_samples(keep, work)
    }

    pub fn drop_features_at_zero(&mut self, work: &mut Work) -> Vec<usize> {
        let keep: Vec<bool> = self.weights.theta.iter().map(|t| *t > 0.0).collect();
        self.keep_features(keep, work)
    }

    pub fn prune_samples(&mut self, stage: &Stage, gamma: &[f64], work: &mut Work) -> Vec<usize> {
        let Weights { w, alpha, .. } = &self.weights;
        let keep = (1..w.len()).map(|j| match stage.pruning {
            Pruning::ScaleFree { sample_gamma, .. } => w[j] > 0.0 && gamma[j] >= sample_gamma,
            Pruning::Precision { samples, .. } => w[j] > 0.0 && alpha[j] < samples,
        });
        let keep = keep.collect();
        self.keep_samples(keep, work)
    }

    pub fn prune_features(&mut self, stage: &Stage, work: &mut Work) -> Vec<usize> {
        if stage.feature_rule == PrecisionRule::Fixed {
            return Vec::new();
        }
        let Weights { theta, beta, centre, .. } = &self.weights;
        let largest = theta.iter().fold(0.0f64, |m, t| m.max(*t));
        let keep = (0..theta.len()).map(|k| match stage.pruning {
            // What is drawn to a common weight is not drawn to 0: its precision says nothing.
            Pruning::ScaleFree { .. } if centre[k] > 0.0 => theta[k] > 0.0,
            Pruning::ScaleFree { feature_ratio, .. } => {
                theta[k] > 0.0 && beta[k] * largest * largest <= feature_ratio
            }
            Pruning::Precision { features, .. } => theta[k] > 1e-6 && beta[k] < features,
        });
        let keep = keep.collect();
        self.keep_features(keep, work)
    }

    /// Keeps the marked samples (at least the heaviest) and returns the others.
    fn keep_samples(&mut self, mut keep: Vec<bool>, work: &mut Work) -> Vec<usize> {
        keep_the_largest(&mut keep, &self.weights.w[1..]);
        let (kept, dropped) = partition(&keep);
        if dropped.is_empty() {
            return dropped;
        }
        self.basis.keep_samples(&kept, work);
        let weights = &mut self.weights;
        let dropped = dropped.iter().map(|&j| weights.samples[j]).collect();
        weights.samples = pick(&weights.samples, &kept);
        let shifted: Vec<usize> = std::iter::once(0).chain(kept.iter().map(|j| j + 1)).collect();
        weights.w = pick(&weights.w, &shifted);
        weights.alpha = pick(&weights.alpha, &shifted);
        dropped
    }

    /// Keeps the marked features (at least the heaviest) and returns the others.
    fn keep_features(&mut self, mut keep: Vec<bool>, work: &mut Work) -> Vec<usize> {
        keep_the_largest(&mut keep, &self.weights.theta);
        let (kept, dropped) = partition(&keep);
        if dropped.is_empty() {
            return dropped;
        }
        let weights = &mut self.weights;
        let dropped = dropped.iter().map(|&k| weights.features[k]).collect();
        weights.features = pick(&weights.features, &kept);
        weights.theta = pick(&weights.theta, &kept);
        weights.beta = pick(&weights.beta, &kept);
        weights.centre = pick(&weights.centre, &kept);
        self.basis.keep_features(&kept, &self.weights.theta, work);
        dropped
    }
}

impl Stage {
    /// Features that do not stand out have to clear a higher bar where others do.
    pub(crate) fn hyperprior_beside(&self, prominent: &[bool]) -> Hyperprior {
        let any = self.common_weight && prominent.iter().any(|p| *p);
        if any { self.strict_hyperprior } else { self.feature_hyperprior }
    }

    /// Samples are only dropped while each has a precision of its own.
    pub(crate) fn prunes_samples(&self) -> bool {
        matches!(self.sample_rule, PrecisionRule::MacKay | PrecisionRule::Em)
    }
}

fn keep_the_largest(keep: &mut [bool], weights: &[f64]) {
    if keep.iter().any(|k| *k) {
        return;
    }
    let largest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    if let Some(largest) = largest {
        keep[largest] = true;
    }
}

fn partition(keep: &[bool]) -> (Vec<usize>, Vec<usize>) {
    (0..keep.len()).partition(|&i| keep[i])
}

fn pick<T: Copy>(values: &[T], positions: &[usize]) -> Vec<T> {
    positions.iter().map(|&i| values[i]).collect()
}

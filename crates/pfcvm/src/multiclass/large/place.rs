//! Where a machine stands on its way: which features and samples it has, with what weights and precisions.

use super::draw::Drawn;
use crate::algebra::Work;
use crate::data::Scaler;
use crate::kernel::Kernel;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::sums::{Layout, Point, Proposal, Quadratic, Stand, Sums};
use serde::{Deserialize, Serialize};

/// The features and samples of all machines, their weights and their precisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    /// As positions among the features of the scaler, ascending.
    pub features: Vec<usize>,
    /// For each machine its samples, as rows that were drawn, ascending.
    pub machines: Vec<Vec<usize>>,
    /// Biases and sample weights machine by machine, then feature weights.
    pub u: Vec<f64>,
    /// The precision of each.
    pub precisions: Vec<f64>,
}

/// What stays the same while a machine is on its way.
pub(super) struct Ground<'a> {
    pub kernel: Kernel,
    pub scaler: &'a Scaler,
    pub drawn: &'a Drawn,
    /// All drawn rows, scaled.
    pub scaled: &'a Matrix,
}

impl Place {
    /// Where models stand whose samples are rows that were drawn.
    pub fn of(models: &[&Model]) -> Self {
        let (mut u, mut precisions) = (Vec::new(), Vec::new());
        for model in models {
            u.extend(&model.w);
            precisions.extend(&model.alpha);
        }
        u.extend(&models[0].theta);
        precisions.extend(&models[0].beta);
        let machines = models.iter().map(|model| model.samples.clone()).collect();
        Self { features: models[0].positions.clone(), machines, u, precisions }
    }

    pub fn layout(&self) -> Layout {
        let machines = self.machines.iter().map(|samples| samples.len() + 1).collect();
        Layout { machines, features: self.features.len() }
    }

    /// The same at the weights and precisions of a proposal.
    pub fn towards(&self, proposal: &Proposal) -> Self {
        let (u, precisions) = (proposal.u.clone(), proposal.precisions.clone());
        Self { u, precisions, ..self.clone() }
    }

    /// Without samples and features of weight 0; each machine keeps one sample, and there is one feature at least.
    pub fn without_zeros(&self) -> Self {
        let layout = self.layout();
        let kept = |range: std::ops::Range<usize>| -> Vec<usize> {
            let lives: Vec<usize> = range.clone().filter(|&i| self.u[i] > 0.0).collect();
            if lives.is_empty() { range.take(1).collect() } else { lives }
        };
        let mut coordinates = Vec::new();
        let mut machines = Vec::new();
        for (range, samples) in layout.machines().zip(&self.machines) {
            let first = range.start + 1;
            let lives = kept(first..range.end);
            machines.push(lives.iter().map(|&i| samples[i - first]).collect());
            coordinates.push(range.start);
            coordinates.extend(lives);
        }
        let first = layout.features().start;
        let lives = kept(layout.features());
        let features = lives.iter().map(|&i| self.features[i - first]).collect();
        coordinates.extend(lives);
        let pick = |values: &[f64]| coordinates.iter().map(|&i| values[i]).collect();
        Self { features, machines, u: pick(&self.u), precisions: pick(&self.precisions) }
    }

    /// With more features, at weight 0 and the median precision of the others.
    pub fn with_features(&self, more: &[usize]) -> Self {
        if more.is_empty() {
            return self.clone();
        }
        let first = self.layout().features().start;
        let precision = median(&self.precisions[first..]);
        let own = self.u[first..].iter().zip(&self.precisions[first..]);
        let mut all: Vec<(usize, f64, f64)> =
            self.features.iter().zip(own).map(|(&k, (u, a))| (k, *u, *a)).collect();
        all.extend(more.iter().map(|&k| (k, 0.0, precision)));
        all.sort_unstable_by_key(|(k, ..)| *k);
        let mut place = self.clone();
        place.features = all.iter().map(|(k, ..)| *k).collect();
        place.u.truncate(first);
        place.u.extend(all.iter().map(|(_, u, _)| *u));
        place.precisions.truncate(first);
        place.precisions.extend(all.iter().map(|(.., a)| *a));
        place
    }

    /// With more samples for every machine, at weight 0 and the median precision of its others.
    pub fn with_samples(&self, more: &[usize]) -> Self {
        let layout = self.layout();
        let mut place = Self { u: Vec::new(), precisions: Vec::new(), ..self.clone() };
        for (k, range) in layout.machines().enumerate() {
            let precision = median(&self.precisions[range.start + 1..range.end]);
            let own = (range.start + 1..range.end).map(|i| (self.u[i], self.precisions[i]));
            let mut all: Vec<(usize, f64, f64)> =
                self.machines[k].iter().zip(own).map(|(&j, (u, a))| (j, u, a)).collect();
            let new = more.iter().filter(|j| !self.machines[k].contains(j));
            all.extend(new.map(|&j| (j, 0.0, precision)));
            all.sort_unstable_by_key(|(j, ..)| *j);
            place.machines[k] = all.iter().map(|(j, ..)| *j).collect();
            place.u.push(self.u[range.start]);
            place.u.extend(all.iter().map(|(_, u, _)| *u));
            place.precisions.push(self.precisions[range.start]);
            place.precisions.extend(all.iter().map(|(.., a)| *a));
        }
        place.u.extend(&self.u[layout.features()]);
        place.precisions.extend(&self.precisions[layout.features()]);
        place
    }

    /// What rows are asked there: of these features, or of all with the others as absent ones; and in which columns.
    pub fn point(&self, ground: &Ground, absent: bool) -> (Point, Vec<usize>) {
        let every: Vec<usize> = (0..ground.scaler.features().len()).collect();
        let asked = if absent { &every } else { &self.features };
        let columns = ground.scaler.inputs_of(asked);
        let scaled_columns = ground.scaler.spans().columns_of(asked).into_owned();
        let layout = self.layout();
        let mut theta = vec![0.0; asked.len()];
        let inner: Vec<usize> = match absent {
            true => self.features.clone(),
            false => (0..asked.len()).collect(),
        };
        for (&k, weight) in inner.iter().zip(&self.u[layout.features()]) {
            theta[k] = *weight;
        }
        let several = self.machines.len() > 1;
        let stand = |(k, range): (usize, std::ops::Range<usize>)| {
            let samples = &self.machines[k];
            let own = if several { k } else { 1 };
            let sign = |j: &usize| if ground.drawn.class[*j] == own { 1.0 } else { -1.0 };
            Stand {
                z: ground.scaled.select_columns(&scaled_columns).select_rows(samples),
                signs: samples.iter().map(sign).collect(),
                w: self.u[range].to_vec(),
            }
        };
        let machines = layout.machines().enumerate().map(stand).collect();
        let scaler = ground.scaler.among(asked, &columns);
        (Point { kernel: ground.kernel, scaler, theta, inner, machines }, columns)
    }

    /// The models there, `sums` being what rows say there. Nothing if the algebra breaks down.
    pub fn models(&self, ground: &Ground, sums: &Sums, work: &mut Work) -> Option<Vec<Model>> {
        let layout = self.layout();
        let near = Quadratic::new(&layout, &self.u, sums);
        let of_features = layout.features();
        let feature_covariance = near.covariance(of_features.clone(), &self.precisions, work)?;
        let inside = |range: &std::ops::Range<usize>| -> Vec<usize> {
            range.clone().filter(|&i| self.u[i] > 0.0).collect()
        };
        let pick =
            |values: &[f64], at: &[usize]| -> Vec<f64> { at.iter().map(|&i| values[i]).collect() };
        let free = inside(&of_features);
        let positions: Vec<usize> =
            free.iter().map(|&i| self.features[i - of_features.start]).collect();
        let varying = ground.scaler.features();
        let columns = ground.scaler.spans().columns_of(&positions).into_owned();
        let several = self.machines.len() > 1;
        let mut models = Vec::new();
        for (k, range) in layout.machines().enumerate() {
            let free_samples = inside(&(range.start + 1..range.end));
            let samples: Vec<usize> =
                free_samples.iter().map(|&i| self.machines[k][i - range.start - 1]).collect();
            let own = if several { k } else { 1 };
            let sign = |j: &usize| if ground.drawn.class[*j] == own { 1.0 } else { -1.0 };
            let with_bias: Vec<usize> = std::iter::once(range.start).chain(free_samples).collect();
            models.push(Model {
                kernel: ground.kernel,
                scaler: ground.scaler.clone(),
                features: positions.iter().map(|&k| varying[k]).collect(),
                positions: positions.clone(),
                theta: pick(&self.u, &free),
                beta: pick(&self.precisions, &free),
                feature_covariance: feature_covariance.clone(),
                feature_worth: None,
                z: ground.scaled.select_columns(&columns).select_rows(&samples),
                signs: samples.iter().map(sign).collect(),
                samples,
                w: pick(&self.u, &with_bias),
                alpha: pick(&self.precisions, &with_bias),
                sample_covariance: near.covariance(range, &self.precisions, work)?,
                reach: None,
                certainty: None,
                broad: None,
            });
        }
        Some(models)
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() { 1.0 } else { sorted[sorted.len() / 2] }
}

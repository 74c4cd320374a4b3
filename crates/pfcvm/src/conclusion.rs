//! From the last state of a fit to the models of its machines.

use crate::algebra::Work;
use crate::data::Scaler;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::posterior::{Covariance, Observed, Prior, covariance, slopes};
use crate::settings::Settings;
use crate::state::{Leaning, Problem, State};
use crate::{common, importance, reach};

/// The models of a state, one for each machine, with what each feature is worth to all of them on the
/// training rows.
pub(crate) fn whole_models(
    state: &State,
    scaler: Scaler,
    settings: &Settings,
    work: &mut Work,
) -> Vec<Model> {
    let mut models = models(state, scaler, settings, work);
    let Problem { x, likelihood, .. } = state.problem;
    let worth = importance::losses_without(&models, &x.values, likelihood, work);
    for model in &mut models {
        model.feature_worth = Some(worth.clone());
        let (columns, theta) = (model.scaled_columns(), model.spans());
        let (x, theta) = (x.values.select_columns(&columns), theta.spread(&model.theta));
        model.reach = reach::reach(&x, &model.z, &theta, likelihood.weights());
    }
    models
}

/// The models of a state with their covariances, one for each machine.
pub(crate) fn models(
    state: &State,
    scaler: Scaler,
    settings: &Settings,
    work: &mut Work,
) -> Vec<Model> {
    let (weights, classes) = (&state.weights, &state.problem.likelihood);
    let c = classes.curvature(&state.f);
    let slopes = slopes(&state.bases, classes, &weights.w(), &state.f, work);
    let feature_prior = state.feature_prior();
    let feature_covariance = covariance(&slopes, &c, &weights.theta, &feature_prior, work)
        .unwrap_or_else(|| stand_in(&feature_prior, &weights.theta));
    let theta_free = feature_prior.interior(&weights.theta);
    // The common weight is itself learned: what is uncertain about it belongs to each member.
    let drawn = |k: &usize| weights.centre[theta_free[*k]] > 0.0;
    let members: Vec<usize> = (0..theta_free.len()).filter(drawn).collect();
    let feature_covariance = match weights.common_precision {
        Some(b) => common::with_free_mean(feature_covariance, &members, b),
        None => feature_covariance,
    };
    let pick = |values: &[f64], free: &[usize]| free.iter().map(|&i| values[i]).collect();
    let positions: Vec<usize> = theta_free.iter().map(|&k| weights.features[k]).collect();
    let varying = scaler.features();
    let one = |(k, machine): (usize, &Leaning)| {
        let basis = &state.bases[k];
        let prior = machine.prior(state.problem.truncation);
        let c = classes.curvature_of(k, &state.f);
        let sample_covariance = covariance(basis, &c, &machine.w, &prior, work)
            .unwrap_or_else(|| stand_in(&prior, &machine.w));
        let w_free = prior.interior(&machine.w);
        let kept: Vec<usize> = w_free[1..].iter().map(|j| j - 1).collect();
        let columns = basis.spans().columns_of(&theta_free);
        let samples: Vec<usize> = kept.iter().map(|&j| machine.samples[j]).collect();
        Model {
            kernel: settings.kernel,
            features: positions.iter().map(|&k| varying[k]).collect(),
            positions: positions.clone(),
            theta: not_negative(pick(&weights.theta, &theta_free), 0),
            beta: pick(&weights.beta, &theta_free),
            feature_covariance: feature_covariance.clone(),
            feature_worth: None,
            signs: samples.iter().map(|&j| classes.machines[k].signs[j]).collect(),
            samples,
            z: basis.z().select_columns(&columns).select_rows(&kept),
            w: not_negative(pick(&machine.w, &w_free), 1),
            alpha: pick(&machine.alpha, &w_free),
            sample_covariance,
            scaler: scaler.clone(),
            reach: None,
            certainty: None,
            broad: None,
        }
    };
    weights.machines.iter().enumerate().map(one).collect()
}

/// Weights from the first truncated one on. Under the paper's smoothed truncation the last that is left may be below
/// 0, where the model has no density: it says nothing then.
fn not_negative(mut weights: Vec<f64>, first: usize) -> Vec<f64> {
    weights[first..].iter_mut().for_each(|weight| *weight = weight.max(0.0));
    weights
}

/// Where a covariance cannot be had the prior's stands in for it.
fn stand_in(prior: &Prior, u: &[f64]) -> Covariance {
    let free = prior.interior(u);
    let root = Matrix::zeros(0, free.len());
    let variances = free.iter().map(|&i| 1.0 / prior.precisions[i]).collect();
    Covariance { prior: Some(variances), root, free: Vec::new() }
}

//! From the last state of a fit to the model.

use crate::algebra::Work;
use crate::data::Scaler;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::posterior::{Covariance, Prior, covariance};
use crate::settings::Settings;
use crate::state::{Problem, State};
use crate::{common, importance};

/// The model of a state, with what each feature is worth on the training rows.
pub(crate) fn whole_model(
    state: &State,
    scaler: Scaler,
    settings: &Settings,
    work: &mut Work,
) -> Model {
    let mut model = model(state, scaler, settings, work);
    let Problem { x, likelihood, .. } = state.problem;
    model.feature_worth = Some(importance::losses_without(&model, &x.values, likelihood, work));
    model
}

/// The model of a state, with its covariances.
pub(crate) fn model(state: &State, scaler: Scaler, settings: &Settings, work: &mut Work) -> Model {
    let weights = &state.weights;
    let c = state.problem.likelihood.curvature(&state.f);
    let slopes = state.basis.derivative(&weights.w, work);
    let (sample_prior, feature_prior) = (state.sample_prior(), state.feature_prior());
    // Where a covariance cannot be had the prior's stands in for it.
    let stand_in = |prior: &Prior, u: &[f64]| {
        let free = prior.interior(u);
        let root = Matrix::zeros(0, free.len());
        let variances = free.iter().map(|&i| 1.0 / prior.precisions[i]).collect();
        Covariance { prior: Some(variances), root, free: Vec::new() }
    };
    let sample_covariance = covariance(&state.basis, &c, &weights.w, &sample_prior, work)
        .unwrap_or_else(|| stand_in(&sample_prior, &weights.w));
    let feature_covariance = covariance(&slopes, &c, &weights.theta, &feature_prior, work)
        .unwrap_or_else(|| stand_in(&feature_prior, &weights.theta));
    let w_free = sample_prior.interior(&weights.w);
    let theta_free = feature_prior.interior(&weights.theta);
    // The common weight is itself learned: what is uncertain about it belongs to each member.
    let drawn = |k: &usize| weights.centre[theta_free[*k]] > 0.0;
    let members: Vec<usize> = (0..theta_free.len()).filter(drawn).collect();
    let feature_covariance = match weights.common_precision {
        Some(b) => common::with_free_mean(feature_covariance, &members, b),
        None => feature_covariance,
    };
    let pick = |values: &[f64], free: &[usize]| free.iter().map(|&i| values[i]).collect();
    let kept: Vec<usize> = w_free[1..].iter().map(|j| j - 1).collect();
    let positions: Vec<usize> = theta_free.iter().map(|&k| weights.features[k]).collect();
    let (varying, spans) = (scaler.features(), state.basis.spans());
    let columns = spans.columns_of(&theta_free);
    let samples: Vec<usize> = kept.iter().map(|&j| weights.samples[j]).collect();
    Model {
        kernel: settings.kernel,
        features: positions.iter().map(|&k| varying[k]).collect(),
        positions,
        theta: pick(&weights.theta, &theta_free),
        beta: pick(&weights.beta, &theta_free),
        feature_covariance,
        feature_worth: None,
        signs: samples.iter().map(|&j| state.problem.likelihood.signs[j]).collect(),
        samples,
        z: state.basis.z().select_columns(&columns).select_rows(&kept),
        w: pick(&weights.w, &w_free),
        alpha: pick(&weights.alpha, &w_free),
        sample_covariance,
        scaler,
        certainty: None,
    }
}

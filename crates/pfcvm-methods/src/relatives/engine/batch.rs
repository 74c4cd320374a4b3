//! All basis functions at once: MacKay's re-estimates α = γ/w², γ = 1 − αΣ (Tipping 2001, Eq. 16
//! and the section on classification), and those whose precision runs away are dropped.

use super::mode::Mode;
use super::{Selection, normalise};
use crate::stop::{self, wanted};
use pfcvm::algebra::Work;
use pfcvm::posterior::Likelihood;
use pfcvm::{Matrix, Termination};

/// With columns of unit length a precision beyond this leaves nothing of a weight.
const LARGEST_PRECISION: f64 = 1e9;
const SMALLEST_PRECISION: f64 = 1e-12;

/// Learns precisions for all columns. Stops when no log α moves by `tolerance`, or after
/// `max_iterations`. Nothing if not even the first mode can be found.
pub(crate) fn reestimate(
    mut columns: Matrix,
    likelihood: &Likelihood,
    max_iterations: usize,
    tolerance: f64,
    work: &mut Work,
) -> Option<Selection> {
    let lengths = normalise(&mut columns);
    let mut active: Vec<usize> = (0..columns.cols()).collect();
    active.retain(|&j| columns.column(j).iter().any(|v| *v != 0.0));
    let mut phi = columns.select_columns(&active);
    // Σⱼ φᵢⱼ² is about 1 for columns of unit length: f starts with a prior variance of about 1.
    let mut alpha = vec![1.0; active.len()];
    let mut w = vec![0.0; active.len()];
    let mut trace = Vec::new();
    let mut termination = Termination::MaxIterations;
    let mut mode = Mode::find(&phi, likelihood, &alpha, w, work)?;
    for _ in wanted(0..max_iterations) {
        trace.push((mode.log_evidence(&alpha), alpha.len()));
        let variances = mode.precision.covariance(work).variances();
        let updated: Vec<f64> = (0..alpha.len())
            .map(|j| {
                let determined = (1.0 - alpha[j] * variances[j]).max(0.0);
                // 0/0: a weight that the data say nothing about.
                let a = determined / mode.w[j].powi(2);
                if a.is_nan() { f64::INFINITY } else { a.max(SMALLEST_PRECISION) }
            })
            .collect();
        let moved = alpha.iter().zip(&updated).fold(0.0f64, |m, (a, b)| m.max((a / b).ln().abs()));
        let kept: Vec<usize> =
            (0..alpha.len()).filter(|&j| updated[j] <= LARGEST_PRECISION).collect();
        if kept.len() == alpha.len() && moved < tolerance {
            termination = Termination::Converged;
            break;
        }
        let next_alpha: Vec<f64> = kept.iter().map(|&j| updated[j]).collect();
        w = kept.iter().map(|&j| mode.w[j]).collect();
        let next_phi =
            if kept.len() < alpha.len() { phi.select_columns(&kept) } else { phi.clone() };
        let Some(next) = Mode::find(&next_phi, likelihood, &next_alpha, w, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        active = kept.iter().map(|&j| active[j]).collect();
        (mode, phi, alpha) = (next, next_phi, next_alpha);
    }
    // The covariance of all columns is dear, and nobody wants it.
    if stop::asked() {
        return None;
    }
    mode.into_selection(&phi, (&active, &alpha), &lengths, (trace, termination), work)
}

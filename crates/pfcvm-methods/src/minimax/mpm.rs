//! Minimax probability machine.
//!
//! Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2002):
//!
//! min over a of ‖Σ₊^½a‖ + ‖Σ₋^½a‖ under aᵀ(μ₊ − μ₋) = 1; κ = 1/min, b = aᵀμ₊ − κ‖Σ₊^½a‖,
//!
//! a second-order cone program. f(x) = aᵀx − b, and whatever the distributions, if they have these
//! moments, each class is decided rightly with a probability of at least [`Minimax::bound`],
//! κ²/(1 + κ²). The kernel form is the same program in the span of the samples.
//!
//! The covariances carry a ridge (the robust form of Lanckriet et al. 2003, section 5): with fewer
//! samples than coordinates some a has no spread at all and κ is infinite without it. It makes
//! the bound lower, never higher. Sample weights enter means and covariances. Probabilities
//! come from held-out decisions: the bound is one for all samples, not one for each.
//!
//! In a basis that makes both covariances diagonal (they sum to I) the cones are two lists of
//! scaled coordinates, so that the program costs O(r) a step for r coordinates, and the whole
//! O(N²M + r³). Use it where a guarantee is wanted and each class is one cloud.

use super::machine::{Ground, Minimax, MpmSettings};
use super::moments::{Moments, inner};
use super::separation::Plane;
use super::{GRID, KERNEL, RIDGE};
use crate::catalogue::Made;
use crate::cone::{Affine, Program};
use crate::linalg::{Cholesky, eigen, product, product_tn};
use crate::probability::Probability;
use crate::{Entry, Error, Role, settings};
use pfcvm::{Dataset, Matrix};

/// Fits the machine.
pub fn fit(data: &Dataset, settings: &MpmSettings) -> Result<Minimax, Error> {
    let ground = Ground::new(data, settings, usize::MAX)?;
    let class = |class: bool| {
        let (x, weights) = (&ground.span.coordinates, &ground.prepared.weights);
        Moments::new(x, weights, &ground.rows_of(class), ground.ridge)
    };
    let plane = between(&class(false), &class(true))?;
    let plain = MpmSettings { probability: Probability::No, ..settings.clone() };
    let decide = |train: &Dataset, test: &Dataset| match fit(train, &plain) {
        Err(Error::SameMeans) => Ok(vec![0.0; test.len()]),
        fitted => fitted?.decide(test.x()),
    };
    let mut fitted = ground.machine(&plane, [1, 1]);
    fitted.calibration = settings.probability.calibrate(data, settings.seed, decide)?;
    Ok(fitted)
}

/// The plane between two clouds.
fn between(negative: &Moments, positive: &Moments) -> Result<Plane, Error> {
    let broken = |reason: &str| Error::Solver { method: "mpm", reason: reason.into() };
    let apart = Vec::from_iter(positive.mean.iter().zip(&negative.mean).map(|(p, n)| p - n));
    let count = apart.len();
    // Σ₊ + Σ₋ = LLᵀ and L⁻¹Σ₊L⁻ᵀ = V diag(d) Vᵀ: with a = L⁻ᵀVg the spreads are
    // Σ d g² and Σ (1 − d) g².
    let sum = Matrix::from_fn(count, count, |i, j| {
        positive.covariance.get(i, j) + negative.covariance.get(i, j)
    });
    let factor = Cholesky::new(&sum).ok_or_else(|| broken("a covariance without a factor"))?;
    let half = factor.half_solve(&positive.covariance);
    let half_transposed = Matrix::from_fn(count, count, |i, j| half.get(j, i));
    let (shares, vectors) = eigen(&factor.half_solve(&half_transposed))
        .ok_or_else(|| broken("no eigenvectors of the covariances"))?;
    let apart = factor.half_solve(&Matrix::from_column_major(count, 1, apart));
    let apart = product_tn(&vectors, &apart).as_slice().to_vec();
    let length = inner(&apart, &apart).sqrt();
    // In units of deviations; below it the means differ by rounding.
    if length.is_nan() || length <= 1e-9 {
        return Err(Error::SameMeans);
    }
    let mut program = Program::new([vec![0.0; count], vec![1.0, 1.0]].concat());
    program.zero(Affine::new(-1.0, apart.iter().map(|d| d / length).enumerate()));
    for class in 0..2 {
        let share = |at: usize| if class == 0 { shares[at] } else { 1.0 - shares[at] };
        let spread = (0..count).map(|at| Affine::new(0.0, [(at, share(at).max(0.0).sqrt())]));
        program.norm_at_most(Affine::new(0.0, [(count + class, 1.0)]), spread);
    }
    let optimum = program.solve("mpm")?;
    let inside = Vec::from_iter(optimum.x[..count].iter().map(|g| g / length));
    // Exactly 1 apart: the solver's equality holds to its tolerance.
    let scale = 1.0 / inner(&inside, &apart);
    let deviation = |share: &dyn Fn(f64) -> f64| {
        let squares = inside.iter().zip(&shares).map(|(g, d)| share(*d).max(0.0) * g * g);
        scale * squares.sum::<f64>().sqrt()
    };
    let (above, below) = (deviation(&|d| d), deviation(&|d| 1.0 - d));
    let kappa = 1.0 / (above + below);
    let turned = product(&vectors, &Matrix::from_column_major(count, 1, inside));
    let normal = factor.half_solve_transposed(&turned);
    let normal = Vec::from_iter(normal.as_slice().iter().map(|a| a * scale));
    let offset = inner(&normal, &positive.mean) - kappa * above;
    Ok(Plane { normal, offset, kappa })
}

pub(crate) static ENTRY: Entry = Entry {
    name: "mpm",
    about: "the plane with the best worst case, by means and covariances (Lanckriet 2002)",
    role: Role::Classifier { selects_features: false, selects_samples: false },
    settings: &[
        KERNEL,
        settings::GAMMA_BY_SCALE,
        RIDGE,
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::PROBABILITY,
        settings::SEED_OF_FOLDS,
    ],
    grid: GRID,
    make: |values| Ok(Made::learner(MpmSettings::of(values)?, fit)),
};

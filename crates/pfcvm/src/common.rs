//! The common weight: features that stand out on their own are drawn to it instead of to 0.
//!
//! Weak features that belong together are each dispensable: judged one by one beside the others,
//! they fall, and with them accuracy and stability. Judged alone they are often unmistakable.
//!
//! - **Screen.** A feature stands out if the score test of x and x² alone rejects at the square of
//!   the false-positive rate: χ² = n gᵀS⁻¹g / (t̄(1−t̄)) > −2 ln level, with g the covariances of
//!   (x, x²) with the class, S their own, and n the number of samples; of a feature of several
//!   columns, what is as unlikely (`association`). None does where fewer than 10 samples would be
//!   left for each.
//! - **Prior.** θₖ ~ N_t(μ, 1/b) for the group G of those that stand out and are not at 0;
//!   N_t(0, 1/βₖ), under a stricter hyperprior, for the others.
//! - **Update.** μ = mean of θ over G; b ← √(b (Σγ + n + 1) / (Σ(θₖ−μ)² + 10⁻³μ²)), which is
//!   MacKay's rule, half-way in the logarithm, under a Gamma hyperprior that counts as much as the
//!   features themselves (c = (n+1)/2, and d so small, a distance of 3 % of μ, that it only keeps b
//!   finite); n = |G| and γₖ = 1 − bΣₖₖ. The first b is 1/μ², with γ = 1.
//! - **Free mean.** μ is learned too, so H loses b/n along e, the direction in which G moves
//!   together: (H − (b/n) eeᵀ)⁻¹ = Σ + ggᵀ with g = Σe √((b/n) / (1 − (b/n) eᵀΣe)).

use crate::algebra::{self, Work};
use crate::association::Directions;
use crate::posterior::{Classes, Covariance, Likelihood};
use crate::settings::{Hyperprior, Stage};
use crate::spans::Inputs;

/// Samples there must be for each feature that stands out. With fewer, standing out tells nothing
/// (most features of an EEG do, by correlation) and every feature has to prove itself.
const PER_FEATURE: f64 = 10.0;
/// Least spread of the group around its mean, as a share of the squared mean.
const LEAST_SPREAD: f64 = 1e-3;

/// Which features stand out; none when there is no level. `counts` says how many samples each row
/// stands for, without the factors of the classes. With several machines a feature stands out if it
/// does for any, each at its share of the level.
pub(crate) fn prominent(
    x: &Inputs,
    classes: &Classes,
    counts: &[f64],
    level: Option<f64>,
) -> Vec<bool> {
    let Some(level) = level else { return vec![false; x.features()] };
    let weights = classes.weights();
    let total: f64 = weights.iter().sum();
    // As many samples as the rows stand for, less where factors favour a class: these must not
    // sharpen the test.
    let squares: f64 = weights.iter().zip(counts).map(|(w, count)| w * (w / count)).sum();
    let effective = total * total / squares;
    let least = -2.0 * (level / classes.machines.len() as f64).ln();
    let mut prominent = vec![false; x.features()];
    for machine in &classes.machines {
        let scores = scores(x, machine, effective);
        prominent.iter_mut().zip(scores).for_each(|(p, score)| *p |= score > least);
    }
    if PER_FEATURE * prominent.iter().filter(|p| **p).count() as f64 > effective {
        prominent.fill(false);
    }
    prominent
}

/// The statistic of each feature for one machine.
fn scores(x: &Inputs, likelihood: &Likelihood, effective: f64) -> Vec<f64> {
    let weights = &likelihood.weights;
    let total: f64 = weights.iter().sum();
    let mean = |value: &dyn Fn(usize) -> f64| {
        weights.iter().enumerate().map(|(i, w)| w * value(i)).sum::<f64>() / total
    };
    let target = |i: usize| if likelihood.signs[i] > 0.0 { 1.0 } else { 0.0 };
    let share = mean(&target);
    let chi_square = |column: &[f64]| {
        let first = mean(&|i| column[i]);
        let second = mean(&|i| column[i] * column[i]);
        let a = |i: usize| column[i] - first;
        let b = |i: usize| column[i] * column[i] - second;
        let (aa, ab, bb) = (mean(&|i| a(i) * a(i)), mean(&|i| a(i) * b(i)), mean(&|i| b(i) * b(i)));
        let (ga, gb) =
            (mean(&|i| a(i) * (target(i) - share)), mean(&|i| b(i) * (target(i) - share)));
        let det = aa * bb - ab * ab;
        let quadratic = if det > 1e-9 * aa * bb {
            (ga * ga * bb - 2.0 * ga * gb * ab + gb * gb * aa) / det
        } else {
            ga * ga / aa // two values only: x² says what x says
        };
        effective * quadratic / (share * (1.0 - share))
    };
    let of_several = |feature: usize| {
        let directions = Directions::of(x.of(feature), weights);
        let along = |d: &Vec<f64>| mean(&|i| d[i] * (target(i) - share)) * total;
        let q: f64 = directions.vectors.iter().map(|d| along(d).powi(2)).sum();
        directions.comparable(q * (effective / total) / (share * (1.0 - share)))
    };
    let of_one = |feature: usize| match x.spans.of(feature).len() {
        1 => x.of(feature).map(chi_square).sum(),
        _ => of_several(feature),
    };
    (0..x.features()).map(of_one).collect()
}

/// The hyperprior of the features that do not stand out: a higher bar where others do.
pub(crate) fn hyperprior_beside(stage: &Stage, prominent: &[bool]) -> Hyperprior {
    let any = stage.common_weight && prominent.iter().any(|p| *p);
    if any { stage.strict_hyperprior } else { stage.feature_hyperprior }
}

/// Draws the group to its mean: `centre` and `beta` of its members, and the precision they share.
pub(crate) fn update(
    group: &[usize],
    theta: &[f64],
    variances: &[f64],
    shared: &mut Option<f64>,
    (centre, beta): (&mut [f64], &mut [f64]),
) {
    if group.len() < 2 {
        return;
    }
    let count = group.len() as f64;
    let mean = group.iter().map(|&k| theta[k]).sum::<f64>() / count;
    let spread: f64 = group.iter().map(|&k| (theta[k] - mean).powi(2)).sum();
    let gamma = |k: &usize| 1.0 - shared.map_or(0.0, |b| (b * variances[*k]).min(1.0));
    let determined: f64 = group.iter().map(gamma).sum();
    let proposal = (determined + count + 1.0) / (spread + LEAST_SPREAD * mean * mean);
    let precision = (shared.unwrap_or(1.0 / (mean * mean)) * proposal).sqrt();
    *shared = Some(precision);
    for &k in group {
        (centre[k], beta[k]) = (mean, precision);
    }
}

/// The covariance when `members` are drawn to their own mean, with precision `b` each, instead of to
/// a fixed point.
pub(crate) fn with_free_mean(mut covariance: Covariance, members: &[usize], b: f64) -> Covariance {
    let k = covariance.root.cols();
    if members.is_empty() || covariance.root.rows() == 0 {
        return covariance;
    }
    let mut e = vec![0.0; k];
    members.iter().for_each(|&i| e[i] = 1.0);
    let work = Work::new(false);
    let along = algebra::times_vector(&covariance.root, &e, &work);
    let mut g = algebra::transpose_times_vector(&covariance.root, &along, &work);
    if let Some(prior) = &covariance.prior {
        g = (0..k).map(|i| prior[i] * e[i] - g[i]).collect();
    }
    let share = b / members.len() as f64;
    let held: f64 = share * members.iter().map(|&i| g[i]).sum::<f64>();
    // 1 − held is what the data say of the common direction; rounding must not make it 0.
    let factor = (share / (1.0 - held).max(1e-6)).sqrt();
    covariance.free.push(g.iter().map(|g| g * factor).collect());
    covariance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Cholesky;
    use crate::matrix::Matrix;
    use crate::posterior::Precision;

    /// Rows whose classes take turns, the values of one feature given by row.
    fn screened(rows: usize, columns: &[fn(usize) -> f64]) -> Vec<bool> {
        let x = Matrix::from_fn(rows, columns.len(), |i, j| columns[j](i));
        let signs =
            (0..rows).map(|i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
        let likelihood = Likelihood { signs, weights: vec![1.0; rows] };
        prominent(&x.into(), &likelihood.into(), &vec![1.0; rows], Some(0.0025))
    }

    /// Spread over −1..1, alike in both classes: rows 2k and 2k+1 have the same value.
    fn alike(i: usize) -> f64 {
        ((i / 2 * 37) % 100) as f64 / 50.0 - 1.0
    }

    #[test]
    fn means_and_spreads_are_told_apart_from_nothing() {
        let shifted = |i: usize| alike(i) + if i.is_multiple_of(2) { 0.5 } else { 0.0 };
        let wider = |i: usize| alike(i) * if i.is_multiple_of(2) { 1.5 } else { 1.0 };
        assert_eq!(screened(400, &[alike, shifted, wider]), [false, true, true]);
    }

    /// A column of two values has x² = a + b x: the test falls back to x alone.
    #[test]
    fn two_values_are_no_division_by_zero() {
        let label = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let coin = |i: usize| if (i / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(screened(40, &[label, coin]), [true, false]);
    }

    #[test]
    fn too_many_for_the_rows_means_none() {
        let label = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(screened(20, &[label, label]), [true, true]);
        assert_eq!(screened(20, &[label, label, label]), [false, false, false]);
    }

    /// For a two-valued column the statistic is N r², r the correlation with the class.
    #[test]
    fn the_level_is_that_of_chi_square_with_two_degrees() {
        // 70 of 100 rows agree with their class: r = 0.4, N r² = 16, exp(−8) = 3.4e-4.
        let agrees = |i: usize| if (i % 100 < 70) == i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let x = Matrix::from_fn(100, 1, |i, _| agrees(i)).into();
        let signs = (0..100).map(|i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
        let classes: Classes = Likelihood { signs, weights: vec![1.0; 100] }.into();
        assert_eq!(prominent(&x, &classes, &[1.0; 100], Some(3.5e-4)), [true]);
        assert_eq!(prominent(&x, &classes, &[1.0; 100], Some(3.2e-4)), [false]);
    }
    /// Σ + ggᵀ against the inverse of H − (b/n) eeᵀ by elimination, in both spaces (5 and 2 rows
    /// for 3 columns).
    #[test]
    fn a_free_mean_widens_the_covariance_as_the_inverse_says() {
        for rows in [5, 2] {
            let j = Matrix::from_fn(rows, 3, |i, k| ((3 * i + 5 * k) % 7) as f64 - 2.5);
            let (b, own) = (4.0, 0.5);
            let mut work = Work::default();
            let precision =
                Precision::new(&j, &vec![1.0; rows], &[0, 1, 2], vec![b, b, own], &mut work);
            let covariance = precision.unwrap().covariance(&mut work);
            let covariance = with_free_mean(covariance, &[0, 1], b);

            let mut h = Matrix::zeros(3, 3);
            algebra::add_gram(&mut h, &j, &mut work);
            for (i, a) in [b, b, own].into_iter().enumerate() {
                h.set(i, i, h.get(i, i) + a - if i < 2 { b / 2.0 } else { 0.0 });
            }
            h.set(1, 0, h.get(1, 0) - b / 2.0);
            let inverse = Cholesky::new(h, &mut work).unwrap();
            let along = Matrix::from_rows(&[vec![1.0, 2.0, -1.0]]);
            let expected: f64 = inverse
                .solve(along.row_range(0, 1).as_slice())
                .iter()
                .zip([1.0, 2.0, -1.0])
                .map(|(x, r)| x * r)
                .sum();
            let found = covariance.variance_along(&along, &mut work)[0];
            assert!((found - expected).abs() < 1e-10 * expected, "{found} {expected}");
            for (i, variance) in covariance.variances().into_iter().enumerate() {
                let mut unit = vec![0.0; 3];
                unit[i] = 1.0;
                let expected = inverse.solve(&unit)[i];
                assert!((variance - expected).abs() < 1e-10 * expected, "{variance} {expected}");
            }
        }
    }
    /// With a group of equal weights the spread is the least: b = √(b₀ (n + n + 1) / (10⁻³μ²)), then
    /// with γ from the variances.
    #[test]
    fn the_precision_follows_the_formula() {
        let theta = [0.5, 9.0, 0.5];
        let (mut shared, mut centre, mut beta) = (None, vec![0.0; 3], vec![1.0; 3]);
        let mut step = |variances: &[f64]| {
            update(&[0, 2], &theta, variances, &mut shared, (&mut centre, &mut beta));
            assert_eq!((centre[0], centre[1], beta[1]), (0.5, 0.0, 1.0));
            assert_eq!(Some(beta[0]), shared);
            beta[2]
        };
        let least: f64 = 1e-3 * 0.25;
        let first = step(&[0.1; 3]);
        assert!((first - (4.0 * (2.0 + 3.0) / least).sqrt()).abs() < 1e-9 * first);
        let second = step(&[0.25 / first, 0.0, 1.0 / first]);
        assert!((second - (first * (0.75 + 3.0) / least).sqrt()).abs() < 1e-9 * second);
    }

    #[test]
    fn one_member_is_no_group() {
        let (mut shared, mut centre, mut beta) = (None, vec![0.0], vec![1.0]);
        update(&[0], &[0.5], &[0.1], &mut shared, (&mut centre, &mut beta));
        assert_eq!((shared, centre[0], beta[0]), (None, 0.0, 1.0));
    }
}

//! Another start, where the first may have led astray.
//!
//! With many features every weight starts small, the kernel is nearly flat, and what is kept in the end
//! was judged among all the others. Begun again with what was kept alone, the same stage often
//! finds what it could not see before (madelon: a log evidence of −646 instead of −1341). And features without
//! an effect of their own are dropped before their partners are found: what the fit leaves
//! unexplained then goes along with a product of two columns,
//! zᵢⱼ = Σ r xᵢxⱼ / √(Σ c (xᵢxⱼ)² − (Σ c xᵢxⱼ)²/Σc), r = t − σ without its mean, c = σ(1 − σ).
//!
//! - **Where.** A pair of which a feature was dropped has |z| beyond what one fit in a hundred would show
//!   by chance: begin with all features of such pairs (at the residuals, and at the classes themselves) and those that stand out on
//!   their own, then with the kept ones added. Otherwise, where at most half of the features were kept: with these.
//! - **Race.** A few iterations; who is not clearly ahead of the first fit's log evidence by then is out.
//! - **Verdict.** The stage is gone through, and taken if what the log evidence gains is still clear.

use crate::algebra::{self, Work, normal_upper_quantile};
use crate::matrix::Matrix;
use crate::posterior::Observed;
use crate::run::{Course, Run};
use crate::settings::Stage;
use crate::state::State;
use crate::trace::Trial;

/// Iterations after which another start must be ahead.
const RACE: usize = 5;
/// The same for features that were found in pairs, which take longer to show.
const RACE_OF_PAIRS: usize = 10;
/// What the log evidence must gain: 150 to 1.
const GAIN: f64 = 5.0;
/// How often a fit without any pair has one by chance.
const LEVEL: f64 = 0.01;
/// Features of pairs that are begun with, at most.
const MOST_IN_PAIRS: usize = 20;
/// Pairs are looked at in so many columns at most,
const MOST_COLUMNS: usize = 1000;
/// and for so many products of cells.
const MOST_PRODUCTS: f64 = 1e9;

/// Features to begin anew with, and the iterations of their race.
type Start = (Vec<usize>, usize);

/// The course, or one that was begun anew and got clearly further.
pub(crate) fn start<'p>(run: &mut Run, mut course: Course<'p>, stage: &Stage) -> Course<'p> {
    for start in starts(&course.state, &mut run.work) {
        if run.stopped.is_some() {
            break;
        }
        run.trial = Some(run.trials.len());
        let (next, trial) = from(run, &course, stage, start);
        run.trial = None;
        if trial.accepted {
            course = next;
        }
        run.trials.push(trial);
    }
    if let Some(why) = run.stopped {
        course.termination = why;
    }
    course
}

/// The stage anew with the given features, as far as the race lets it go.
fn from<'p>(
    run: &mut Run,
    course: &Course<'p>,
    stage: &Stage,
    (features, race): Start,
) -> (Course<'p>, Trial) {
    let kept = &course.state.weights.features;
    let joined = features.iter().copied().filter(|k| kept.binary_search(k).is_err()).collect();
    let first = run.start(course.state.problem, features, None);
    let next = run.race(course, first, stage, (race, GAIN));
    let gain = next.log_evidence() - course.log_evidence();
    let accepted = next.is_over() && gain >= GAIN;
    (next, Trial { features: joined, gain, price: GAIN, accepted, anew: true, joined: 0 })
}

/// Features to begin anew with, and how long a race is theirs.
fn starts(state: &State, work: &mut Work) -> Vec<Start> {
    let (kept, prominent) = (&state.weights.features, &state.problem.prominent);
    let unexplained = in_pairs(state, &state.f, work);
    if unexplained.iter().any(|k| kept.binary_search(k).is_err()) {
        let nothing = vec![0.0; state.f.len()];
        let pairs = sorted([unexplained, in_pairs(state, &nothing, work)].concat());
        let standing_out = (0..prominent.len()).filter(|&k| prominent[k]).collect();
        return [standing_out, kept.clone()]
            .map(|others: Vec<usize>| (sorted([&pairs[..], &others].concat()), RACE_OF_PAIRS))
            .to_vec();
    }
    match 2 * kept.len() <= prominent.len() {
        true => vec![(kept.clone(), RACE)],
        false => Vec::new(),
    }
}

/// The features of pairs whose product goes along with what decision values leave unexplained, the
/// clearest pairs first.
fn in_pairs(state: &State, f: &[f64], work: &mut Work) -> Vec<usize> {
    let (x, classes) = (&state.problem.x.values, &state.problem.likelihood);
    let (n, m, machines) = (x.rows(), x.cols(), classes.machines.len());
    let products = n as f64 * (m * m * machines) as f64;
    if x.is_sparse() || m > MOST_COLUMNS || products > MOST_PRODUCTS {
        return Vec::new();
    }
    let owners: Vec<usize> = state.problem.x.spans.owners().collect();
    let looks = (m * m.saturating_sub(1) * machines).max(1) as f64; // both signs of half as many pairs
    let least = normal_upper_quantile(LEVEL / looks);
    let residual = classes.residual(f);
    let mut found: Vec<(f64, [usize; 2])> = Vec::new();
    for machine in 0..machines {
        let c = classes.curvature_of(machine, f);
        let z = scores(x, classes.of(machine, &residual), &c, work);
        let pairs = (0..m).flat_map(|a| (0..a).map(move |b| (a, b)));
        let apart = pairs.filter(|&(a, b)| owners[a] != owners[b] && z.get(a, b) > least);
        found.extend(apart.map(|(a, b)| (z.get(a, b), [owners[a], owners[b]])));
    }
    found.sort_by(|(a, pair), (b, other)| b.total_cmp(a).then(pair.cmp(other)));
    let mut features: Vec<usize> = Vec::new();
    for feature in found.into_iter().flat_map(|(_, pair)| pair) {
        if features.len() < MOST_IN_PAIRS && !features.contains(&feature) {
            features.push(feature);
        }
    }
    features
}

/// |z| of the product of every two columns.
fn scores(x: &Matrix, residual: &[f64], c: &[f64], work: &mut Work) -> Matrix {
    let total: f64 = c.iter().sum();
    let mean = residual.iter().sum::<f64>() / total;
    let r: Vec<f64> = residual.iter().zip(c).map(|(r, c)| r - mean * c).collect();
    let weighted = |x: &Matrix, by: &[f64]| {
        let mut x = x.clone();
        for k in 0..x.cols() {
            x.column_mut(k).iter_mut().zip(by).for_each(|(v, w)| *v *= w);
        }
        x
    };
    let mut squares = x.clone();
    squares.as_mut_slice().iter_mut().for_each(|v| *v *= *v);
    let along = algebra::product_tn(&weighted(x, &r), x, work);
    let means = algebra::product_tn(&weighted(x, c), x, work);
    let second = algebra::product_tn(&weighted(&squares, c), &squares, work);
    Matrix::from_fn(x.cols(), x.cols(), |a, b| {
        let spread = second.get(a, b) - means.get(a, b).powi(2) / total;
        let varies = spread > 1e-9 * second.get(a, b);
        if varies { along.get(a, b).abs() / spread.sqrt() } else { 0.0 }
    })
}

fn sorted(mut features: Vec<usize>) -> Vec<usize> {
    features.sort_unstable();
    features.dedup();
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Kernel;
    use crate::posterior::Likelihood;
    use crate::settings::Settings;
    use crate::state::Problem;

    /// Numbers between −1 and 1 that have nothing to do with each other.
    fn noise(i: usize, j: usize) -> f64 {
        let mut bits = (i as u64 * 1_000_003 + j as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits ^= bits >> 31;
        bits = bits.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits ^= bits >> 29;
        (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The class is the sign of the product of columns 1 and 4.
    fn problem() -> Problem {
        let x = Matrix::from_fn(200, 8, noise);
        let sign = |i: usize| (x.get(i, 1) * x.get(i, 4)).signum();
        let signs = (0..200).map(sign).collect();
        let likelihood = Likelihood { signs, weights: vec![1.0; 200] };
        let settings = Settings::new(Kernel::Rbf);
        Problem::new(x.into(), likelihood, (0..200).collect(), vec![false; 8], &settings)
    }

    #[test]
    fn a_pair_is_found_and_begun_with() {
        let (problem, mut work) = (problem(), Work::new(false));
        let state = State::start(&problem, vec![0, 1], vec![0, 2], None, &mut work);
        assert_eq!(sorted(in_pairs(&state, &state.f, &mut work)), [1, 4]);
        let starts = starts(&state, &mut work);
        assert_eq!(starts, [(vec![1, 4], RACE_OF_PAIRS), (vec![0, 1, 2, 4], RACE_OF_PAIRS)]);
        // Who has the pair already begins with what is kept.
        let state = State::start(&problem, vec![0, 1], vec![1, 2, 4], None, &mut work);
        assert_eq!(super::starts(&state, &mut work), [(vec![1, 2, 4], RACE)]);
    }

    /// The score of one pair, from its formula.
    #[test]
    fn scores_are_those_of_the_formula() {
        let x = Matrix::from_fn(50, 3, noise);
        let residual: Vec<f64> = (0..50).map(|i| noise(i, 7)).collect();
        let c: Vec<f64> = (0..50).map(|i| 0.2 + 0.05 * noise(i, 9)).collect();
        let (a, b) = (x.column(2), x.column(0));
        let total: f64 = c.iter().sum();
        let shift = residual.iter().sum::<f64>() / total;
        let mean = (0..50).map(|i| c[i] * a[i] * b[i]).sum::<f64>() / total;
        let along: f64 = (0..50).map(|i| (residual[i] - shift * c[i]) * a[i] * b[i]).sum();
        let spread: f64 = (0..50).map(|i| c[i] * (a[i] * b[i] - mean).powi(2)).sum();
        let found = scores(&x, &residual, &c, &mut Work::new(false)).get(2, 0);
        assert!((found - along.abs() / spread.sqrt()).abs() < 1e-12, "{found}");
    }
}

//! Few samples that say what many say.
//!
//! Once all samples have been weighed under one precision, the decision values f are said again with a few of
//! them: those samples j, and weights u ≥ 0, for which ½ Σ vᵢ (fᵢ − u₀ − Σⱼ uⱼ φⱼ(xᵢ))² is small,
//! v being the curvature of the likelihood (and a little, so that no row counts nothing). For small differences this is the divergence of
//! the predictions from those of all samples. Samples come in one by one, always the one whose column goes
//! along best with what is left, and all weights are found again; one that would fall below 0 goes for good.
//! It ends at [`DIVERGENCE`] per row, or with a tenth of the rows.
//!
//! A sample's precision becomes α wⱼ/uⱼ: the slope of the likelihood, which the prior balanced at the mode,
//! is as before, so that the weights stay at a mode.

use crate::algebra::{Cholesky, Work};
use crate::matrix::Matrix;
use crate::posterior::Columns;
use crate::state::{Leaning, State};

/// Mean divergence at which enough samples have come in, in nats.
const DIVERGENCE: f64 = 1e-3;
/// At most one of so many rows is kept, but for the fewest.
const ONE_OF: usize = 10;
const FEWEST: usize = 10;
const MOST: usize = 200;
/// Part of a row's weight that is added to its curvature.
const LITTLE: f64 = 0.01;

/// The same state with few samples for each machine.
pub(crate) fn project<'p>(state: State<'p>, work: &mut Work) -> State<'p> {
    let machines = (0..state.bases.len()).map(|k| machine(&state, k, work)).collect();
    let weights = crate::state::Weights { machines, ..state.weights };
    State::resume(state.problem, weights, work)
}

/// What one machine leans on then; all that it leans on where these are few or nothing can be solved.
fn machine(state: &State, k: usize, work: &mut Work) -> Leaning {
    let (all, basis) = (&state.weights.machines[k], &state.bases[k]);
    let rows = state.problem.x.rows();
    let most = (rows / ONE_OF).clamp(FEWEST, MOST);
    // The bias is the first, and always there.
    let candidates: Vec<usize> = (0..all.w.len()).filter(|&j| j == 0 || all.w[j] > 0.0).collect();
    if candidates.len() <= most + 1 {
        return all.without_idle();
    }
    let likelihood = &state.problem.likelihood;
    let f = likelihood.of(k, &state.f);
    let rho = likelihood.weights();
    let v = likelihood.curvature_of(k, &state.f);
    let v: Vec<f64> = v.iter().zip(rho).map(|(c, rho)| c + LITTLE * rho).collect();
    let weighted: Vec<f64> = f.iter().zip(&v).map(|(f, v)| f * v).collect();
    let along = basis.transpose_times(&weighted, work);
    let gram = Columns::gram(basis, &v, &candidates, work);
    let problem = Squares {
        gram,
        along: candidates.iter().map(|&j| along[j]).collect(),
        whole: f.iter().zip(&weighted).map(|(f, w)| f * w).sum(),
    };
    let enough = 2.0 * DIVERGENCE * rho.iter().sum::<f64>();
    let Some(chosen) = problem.greedy(most, enough, work) else { return all.without_idle() };
    let of = |place: usize| candidates[place];
    let (bias, samples) = chosen.split_first().map_or(((0, all.w[0]), &[][..]), |(b, s)| (*b, s));
    let sample = |(place, _): &(usize, f64)| all.samples[of(*place) - 1];
    let precision = |(place, u): &(usize, f64)| all.alpha[of(*place)] * all.w[of(*place)] / u;
    Leaning {
        samples: samples.iter().map(sample).collect(),
        w: std::iter::once(bias.1).chain(samples.iter().map(|(_, u)| *u)).collect(),
        alpha: std::iter::once(all.alpha[0]).chain(samples.iter().map(precision)).collect(),
    }
}

/// ½ |√v (f − Φu)|² by its products.
struct Squares {
    /// The lower triangle of Φᵀ V Φ.
    gram: Matrix,
    /// Φᵀ V f.
    along: Vec<f64>,
    /// fᵀ V f.
    whole: f64,
}

impl Squares {
    fn product(&self, a: usize, b: usize) -> f64 {
        self.gram.get(a.max(b), a.min(b))
    }

    /// The columns that were chosen, ascending, the first of all always among them, with their weights.
    fn greedy(&self, most: usize, enough: f64, work: &mut Work) -> Option<Vec<(usize, f64)>> {
        let count = self.along.len();
        let (mut active, mut gone) = (vec![0], vec![false; count]);
        gone[0] = true;
        let mut u = self.solve(&active, work)?;
        while active.len() <= most && self.left(&active, &u) > enough {
            let gain = |j: usize| {
                let said: f64 = active.iter().zip(&u).map(|(&a, u)| self.product(j, a) * u).sum();
                (self.along[j] - said) / self.product(j, j).max(1e-300).sqrt()
            };
            let open = (0..count).filter(|&j| !gone[j]);
            let best =
                open.map(|j| (j, gain(j))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let Some((next, _)) = best.filter(|(_, gain)| *gain > 0.0) else { break };
            gone[next] = true;
            active.push(next);
            u = self.solve(&active, work)?;
            while let Some(below) = (1..active.len()).find(|&at| u[at] <= 0.0) {
                active.remove(below);
                u = self.solve(&active, work)?;
            }
        }
        let mut chosen: Vec<(usize, f64)> = active.into_iter().zip(u).collect();
        chosen.sort_unstable_by_key(|(place, _)| *place);
        Some(chosen)
    }

    /// What is left of fᵀ V f.
    fn left(&self, active: &[usize], u: &[f64]) -> f64 {
        self.whole - active.iter().zip(u).map(|(&a, u)| self.along[a] * u).sum::<f64>()
    }

    fn solve(&self, active: &[usize], work: &mut Work) -> Option<Vec<f64>> {
        let size = active.len();
        let gram = Matrix::from_fn(size, size, |i, j| self.product(active[i], active[j]));
        let along: Vec<f64> = active.iter().map(|&a| self.along[a]).collect();
        let u = Cholesky::new(gram, work)?.solve(&along);
        u.iter().all(|u| u.is_finite()).then_some(u)
    }
}

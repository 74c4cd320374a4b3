//! A basis that grows while the log evidence asks for it.
//!
//! What an iteration costs goes with the square of the samples that take part, and features can be judged
//! with few of them. So a fit with a curved kernel begins with few candidates, [`OF_ROOT`] √N of them within the bounds
//! of [`FIRST`]. Once features are judged, as many again join, with weight 0 and the precision that is usual among the
//! others; where the log evidence is ahead after [`HEAT`] iterations, features are judged on with them, and where it
//! still is in the end, still more may join. Else what there was stands. Where samples stay, [`SMOOTH`] take part in the
//! last [`LAST`] iterations whatever the log evidence says: the more of them, the smoother f.

use crate::algebra::Work;
use crate::run::{Course, Run};
use crate::settings::{Settings, Stage};
use crate::state::{Leaning, State};
use crate::trace::Trial;
use crate::{Kernel, schedule};

/// Candidates that a fit begins with, of each of several machines: for each root of a row, and at least and at most.
const OF_ROOT: f64 = 3.0;
const FIRST: (f64, f64) = (50.0, 80.0);
/// Iterations after which the log evidence must be ahead.
const HEAT: usize = 2;
/// By how much: 20 to 1, and a little for each row, so that many rows do not ask for samples that hardly change what
/// is said of one.
const GAIN: f64 = 3.0;
const GAIN_OF_ROW: f64 = 1.0 / 300.0;

/// Last iterations, and how many samples take part in them.
const LAST: usize = 2;
const SMOOTH: usize = 200;

/// How many of the candidates a fit of so many rows begins with.
pub(crate) fn first(settings: &Settings, rows: usize, candidates: usize) -> usize {
    let grows = schedule::is_usual(settings) && settings.kernel != Kernel::Linear;
    let few = (OF_ROOT * (rows as f64).sqrt()).clamp(FIRST.0, FIRST.1);
    if grows { up_to(few as usize, candidates) } else { candidates }
}

/// So many, or all where hardly more are left.
fn up_to(count: usize, candidates: usize) -> usize {
    if candidates < 2 * count { candidates } else { count }
}

/// Lets more candidates join for as long as the log evidence gains by it; `judge` is what follows the stage.
pub(crate) fn grow<'p>(
    run: &mut Run,
    mut course: Course<'p>,
    stage: &Stage,
    judge: impl Fn(&mut Run, Course<'p>) -> Course<'p>,
) -> Course<'p> {
    let candidates = course.state.problem.candidates.len();
    let price = GAIN.max(GAIN_OF_ROW * course.state.problem.x.rows() as f64);
    while run.joined < candidates && run.stopped.is_none() {
        let before = run.joined;
        run.joined = up_to(2 * before, candidates);
        let ahead = |next: &Course| next.log_evidence() - course.log_evidence();
        run.trial = Some(run.trials.len());
        let start = with_joined(&course.state, run.joined, &mut run.work);
        let mut next = run.race(&course, start, stage, (HEAT, price));
        run.trial = None;
        let mut trial = Trial {
            features: Vec::new(),
            gain: ahead(&next),
            price,
            accepted: false,
            anew: false,
            joined: run.joined - before,
        };
        let at = run.trials.len();
        run.trials.push(trial.clone());
        if trial.gain >= price {
            next = judge(run, next);
            trial.gain = ahead(&next);
        }
        trial.accepted = next.is_over() && trial.gain >= price;
        run.trials[at] = trial.clone();
        if !trial.accepted {
            run.joined = before;
            break;
        }
        course = next;
    }
    let smooth = SMOOTH.min(candidates);
    if run.joined < smooth && run.stopped.is_none() && !stage.prunes_samples() {
        run.joined = smooth;
        let termination = course.termination;
        let state = with_joined(&course.state, run.joined, &mut run.work);
        let last = Stage { max_iterations: LAST, patience: None, ..stage.clone() };
        course = Course { termination, ..run.stage(Course { state, ..course }, &last) };
    }
    if let Some(why) = run.stopped {
        course.termination = why;
    }
    course
}

/// The same weights among more of the candidates.
fn with_joined<'p>(state: &State<'p>, count: usize, work: &mut Work) -> State<'p> {
    let mut weights = state.weights.clone();
    let candidates = state.problem.first_candidates(count);
    weights.machines.iter_mut().for_each(|machine| join(machine, &candidates));
    State::resume(state.problem, weights, work)
}

fn join(machine: &mut Leaning, candidates: &[usize]) {
    let Leaning { samples, w, alpha } = machine;
    let usual = usual(&alpha[1..]);
    let mut all: Vec<(usize, f64, f64)> =
        samples.iter().enumerate().map(|(at, &j)| (j, w[at + 1], alpha[at + 1])).collect();
    let absent = candidates.iter().filter(|j| samples.binary_search(j).is_err());
    all.extend(absent.map(|&j| (j, 0.0, usual)));
    all.sort_unstable_by_key(|entry| entry.0);
    *samples = all.iter().map(|entry| entry.0).collect();
    *w = std::iter::once(w[0]).chain(all.iter().map(|entry| entry.1)).collect();
    *alpha = std::iter::once(alpha[0]).chain(all.iter().map(|entry| entry.2)).collect();
}

/// The upper median of some precisions.
fn usual(alpha: &[f64]) -> f64 {
    let mut sorted = alpha.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(1.0)
}

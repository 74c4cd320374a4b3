//! What a fit says of rows that it has not seen, with each of its features and without it.

use super::Copies;
use crate::algebra::{self, Work};
use crate::broad::AllFeatures;
use crate::data::{Dataset, Scaler};
use crate::iteration::STEPS_TO_SETTLE;
use crate::matrix::Matrix;
use crate::run::Observer;
use crate::settings::Settings;
use crate::spans::Inputs;
use crate::state::{Leaning, Problem, State, Weights};
use crate::trace::Termination;
use crate::training::train;
use crate::{Error, conclusion};

/// A feature that is left out may be stood in for by so many others, if they go along with it.
const SUBSTITUTES: usize = 2;
/// Correlation from which on they do.
const GOES_ALONG: f64 = 0.5;
/// Features that are taken out one by one: so many whatever it costs, and never more.
const FEWEST: usize = 10;
const MOST: usize = 100;

/// What is said of rows that were held out.
#[derive(Clone)]
pub(crate) struct Held {
    /// The copies that were held out.
    pub copies: Vec<usize>,
    /// Decision values.
    pub decision: Vec<f64>,
    /// Their posterior variances.
    pub variance: Vec<f64>,
    /// Decision values once all weights have settled under the precisions they have.
    pub settled: Vec<f64>,
    /// The features that were kept, as numbered in the input.
    pub kept: Vec<usize>,
    /// The same without each kept feature that was asked for, as far as time allows.
    pub without: Vec<Without>,
    /// Decision values of a machine of all features; empty where there is none.
    pub broad: Vec<f64>,
}

impl Held {
    /// Of a fit that could not be had: it says the same of all rows.
    pub fn nothing(copies: &[usize]) -> Self {
        let same = vec![0.0; copies.len()];
        Self {
            copies: copies.to_vec(),
            decision: same.clone(),
            variance: same.clone(),
            settled: same.clone(),
            kept: Vec::new(),
            without: Vec::new(),
            broad: Vec::new(),
        }
    }
}

/// Adds what machines of all features say of the parts, each learned without the part; nothing where the algebra
/// breaks down for one.
pub(crate) fn ask_all_features(
    held: &mut [Vec<Held>],
    all: &AllFeatures,
    (copies, parts): (&Copies, &[Vec<usize>]),
    work: &mut Work,
) {
    let shares: Vec<Vec<f64>> = parts.iter().map(|part| copies.shares_left(part)).collect();
    let said: Option<Vec<Vec<f64>>> = all.without(&shares, work).into_iter().collect();
    for (machines, f) in held.iter_mut().zip(said.into_iter().flatten()) {
        let rows = f.len() / machines.len();
        for (held, f) in machines.iter_mut().zip(f.chunks(rows)) {
            held.broad = held.copies.iter().map(|&copy| f[copies.rows[copy]]).collect();
        }
    }
}

/// Decision values of a machine that has to do without a feature.
#[derive(Clone)]
pub(crate) struct Without {
    /// The feature, as numbered in the input.
    pub feature: usize,
    /// The decision values.
    pub decision: Vec<f64>,
}

/// A fit to some of the rows that has come to its end, before it is asked for the others.
pub(crate) struct Part {
    problem: Problem,
    weights: Weights,
    scaler: Scaler,
    /// Operations of all its iterations.
    spent: f64,
}

impl Part {
    /// A fit without the rows that are to be held out. Nothing when the observer wanted no more.
    pub fn learn(
        rows: &Dataset,
        settings: &Settings,
        observer: &mut Observer,
    ) -> Result<Option<Self>, Error> {
        let (end, problem) = train(rows, settings, observer, |run, course, scaler| {
            let spent: f64 = run.trace.iter().map(|iteration| iteration.flops).sum();
            let wanted = course.termination != Termination::Cancelled;
            wanted.then_some((course.state.weights, scaler, spent))
        })?;
        Ok(end.map(|(weights, scaler, spent)| Self { problem, weights, scaler, spent }))
    }

    /// Rows that were held out, as they were given, seen by each machine: with all its features, and
    /// without each of the `asked` ones that it keeps, the first of them first.
    pub fn held_out(
        self,
        settings: &Settings,
        (copies, x, asked): (&[usize], &Matrix, &[usize]),
    ) -> Result<Vec<Held>, Error> {
        let work = &mut settings.work();
        let Self { problem, weights, scaler, spent } = self;
        let mut state = State::resume(&problem, weights, work);
        let affordable = affordable(spent, &state);
        let models = conclusion::models(&state, scaler, settings, work);
        let (scaler, positions) = (models[0].scaler(), &models[0].positions);
        state.settle(work);
        let settled = decisions(&state, scaler, x, work);
        let kept = models[0].selected_features();
        let wanted = asked.iter().filter_map(|feature| kept.iter().position(|k| k == feature));
        let wanted: Vec<usize> = wanted.take(affordable).collect();
        let alongside = Alongside::of(&problem.x);
        let taken_out = work.each(wanted.len(), |number, work| {
            match without(&state, &alongside, positions[wanted[number]], work) {
                Some(other) => decisions(&other, scaler, x, work),
                None => vec![vec![0.0; x.rows()]; models.len()],
            }
        });
        let mut without_each = vec![Vec::new(); models.len()];
        for (at, decisions) in wanted.into_iter().zip(taken_out) {
            for (machine, decision) in without_each.iter_mut().zip(decisions) {
                machine.push(Without { feature: kept[at], decision });
            }
        }
        let machines = models.iter().zip(settled).zip(without_each);
        machines
            .map(|((model, settled), without)| {
                let broad = Vec::new();
                let said = model.predict(x)?;
                let (decision, variance) = (said.decision, said.variance);
                let (copies, kept) = (copies.to_vec(), kept.to_vec());
                Ok(Held { copies, decision, variance, settled, kept, without, broad })
            })
            .collect()
    }
}

/// How many features can be taken out one by one for the operations that the fit itself has cost.
fn affordable(spent: f64, state: &State) -> usize {
    let Weights { machines, features, .. } = &state.weights;
    let (rows, m) = (state.problem.x.rows() as f64, features.len() as f64);
    let step = machines.iter().map(|machine| {
        let n = machine.samples.len() as f64;
        2.0 * rows * (n.min(rows) * n + m.min(rows) * m + 2.0 * n * m)
    });
    ((spent / (STEPS_TO_SETTLE as f64 * step.sum::<f64>())) as usize).clamp(FEWEST, MOST)
}

/// The state settled again without one of its features, with others in its place that go along
/// with it. Nothing where no feature would be left.
fn without<'p>(
    state: &State<'p>,
    alongside: &Alongside,
    feature: usize,
    work: &mut Work,
) -> Option<State<'p>> {
    let weights = &state.weights;
    let at = weights.features.iter().position(|k| *k == feature)?;
    let mut entries: Vec<(usize, f64, f64, f64)> = (0..weights.features.len())
        .filter(|&k| k != at && weights.theta[k] > 0.0)
        .map(|k| (weights.features[k], weights.theta[k], weights.beta[k], weights.centre[k]))
        .collect();
    let (theta, beta, centre) = (weights.theta[at], weights.beta[at], weights.centre[at]);
    let substitutes = alongside.substitutes(feature, &weights.features, work);
    entries.extend(substitutes.into_iter().map(|other| (other, theta, beta, centre)));
    if entries.is_empty() {
        return None;
    }
    entries.sort_unstable_by_key(|entry| entry.0);
    let weights = Weights {
        features: entries.iter().map(|entry| entry.0).collect(),
        theta: entries.iter().map(|entry| entry.1).collect(),
        beta: entries.iter().map(|entry| entry.2).collect(),
        centre: entries.iter().map(|entry| entry.3).collect(),
        ..weights.clone()
    };
    let mut other = State::resume(state.problem, weights, work);
    other.settle(work);
    Some(other)
}

/// How columns go along with each other, column by column of `x`.
pub(crate) struct Alongside<'a> {
    x: &'a Inputs,
    /// Mean of each column, and its length without it.
    centred: Vec<(f64, f64)>,
}

impl<'a> Alongside<'a> {
    pub fn of(x: &'a Inputs) -> Self {
        let centred = |column: usize| {
            let cells = x.values.cells(column);
            let (n, rest) = (cells.rows as f64, cells.unwritten() as f64);
            let mean = (cells.written.iter().sum::<f64>() + rest * cells.background) / n;
            let squares = cells.written.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
            (mean, (squares + rest * (cells.background - mean).powi(2)).sqrt())
        };
        Self { x, centred: (0..x.values.cols()).map(centred).collect() }
    }

    /// The absent features that go along with one the most: by the largest correlation between columns
    /// of the two.
    pub fn substitutes(&self, feature: usize, kept: &[usize], work: &Work) -> Vec<usize> {
        let x = self.x;
        // Of every absent feature, the closest of its columns so far, and whether it goes along.
        let mut closest = vec![(0.0f64, false); x.features()];
        for own in x.spans.of(feature) {
            let (mean, length) = self.centred[own];
            let own = x.values.one_column(own);
            let direction: Vec<f64> = own.iter().map(|v| (v - mean) / length.max(1e-300)).collect();
            let along = algebra::transpose_times_vector(&x.values, &direction, work);
            for (column, owner) in x.spans.owners().enumerate() {
                let length = self.centred[column].1;
                let goes = along[column].abs() >= GOES_ALONG * length && length > 0.0;
                let (most, so_far) = closest[owner];
                closest[owner] = (most.max(along[column].abs()), so_far || goes);
            }
        }
        let absent = (0..x.features()).filter(|k| !kept.contains(k));
        let mut others: Vec<usize> = absent.filter(|k| closest[*k].1).collect();
        others.sort_by(|&a, &b| closest[b].0.total_cmp(&closest[a].0).then(a.cmp(&b)));
        others.truncate(SUBSTITUTES);
        others
    }
}

/// Decision values of each machine of a state for rows as they were given.
fn decisions(state: &State, scaler: &Scaler, x: &Matrix, work: &mut Work) -> Vec<Vec<f64>> {
    let Weights { features, theta, machines, .. } = &state.weights;
    let x = scaler.apply_columns(x, &scaler.spans().columns_of(features));
    let one = |(k, Leaning { samples, w, .. }): (usize, &Leaning)| {
        let basis = &state.bases[k];
        let theta = basis.spans().spread(theta);
        let values = state.problem.kernel.values(&x, basis.z(), &theta, work);
        let signs = samples.iter().map(|&j| state.problem.likelihood.machines[k].signs[j]);
        let v: Vec<f64> = w[1..].iter().zip(signs).map(|(w, sign)| w * sign).collect();
        let mut f = algebra::times_vector(&values, &v, work);
        f.iter_mut().for_each(|f| *f += w[0]);
        f
    };
    machines.iter().enumerate().map(one).collect()
}

//! The stages of a fit, one after the other, on rows in their canonical form.

use crate::data::{Dataset, ENOUGH, Scaler};
use crate::error::Error;
use crate::posterior::Classes;
use crate::run::{Course, Observer, Run};
use crate::settings::Settings;
use crate::stages::through;
use crate::state::Problem;
use crate::{common, growth, memory, projection, schedule, screening, shortening};

/// Learns from rows that are [canonical](Dataset::canonical), and hands what came out to
/// `conclude`: the run, the course it took, and how the rows were scaled. Gives what that makes of it, and the data
/// as the fit saw them.
pub(crate) fn train<T>(
    rows: &Dataset,
    settings: &Settings,
    observer: &mut Observer,
    conclude: impl FnOnce(Run, Course, Scaler) -> T,
) -> Result<(T, Problem), Error> {
    let stages = settings.stages_of_fit()?;
    if rows.classes() == 2 {
        rows.check_classes(2)?;
    }
    let scaler = match settings.bends() {
        true => Scaler::bending(rows)?,
        false => Scaler::fit(rows, settings.standardise)?,
    };
    let level = schedule::screen_level(settings, &stages);
    let problem = problem(rows, &scaler, level, settings)?;

    let mut run = Run::new(settings.work(), observer);
    run.joined = growth::first(settings, rows.len(), problem.candidates.len());
    let most = schedule::most_features(settings, rows.len()).max(1);
    let begins = screening::beginning(&problem.x, &problem.likelihood, most);
    let mut start = Course::new(run.start(&problem, begins.clone(), None));
    if begins.len() < problem.x.features() {
        start.feature_dropped.fill(Some(0));
        begins.iter().for_each(|&k| start.feature_dropped[k] = None);
    }
    let mut course = through(&mut run, start, &stages);
    if let Some(size) = settings.size {
        course = shortening::shorten(&mut run, course, &stages, size);
    }
    if course.reached.is_none() {
        return Err(Error::NumericalBreakdown);
    }
    if schedule::projects(settings) {
        course.state = projection::project(course.state, &mut run.work);
    }
    let concluded = conclude(run, course, scaler);
    Ok((concluded, problem))
}

/// The data as the fit sees them; refused if they need more memory than allowed.
fn problem(
    data: &Dataset,
    scaler: &Scaler,
    screen_level: Option<f64>,
    settings: &Settings,
) -> Result<Problem, Error> {
    let features = data.columns().features();
    let max_basis = schedule::most_candidates(settings, data.len(), features);
    let seed = settings.seed;
    let candidates = |at_most: usize| match schedule::is_usual(settings) {
        true => data.enough_candidates(settings.kernel, (max_basis, at_most), seed),
        false => data.basis_candidates(max_basis, seed),
    };
    let likelihood = Classes::new(data, settings.class_weights);
    let size = memory::size(data.x(), scaler.columns().len());
    let check = |candidates: &[usize]| {
        memory::check(size, (candidates.len(), likelihood.machines.len()), settings)
    };
    let mut taken = candidates(usize::MAX);
    // Where there is no room for a basis that grows, one that does not is enough.
    if check(&taken).is_err() {
        taken = candidates(ENOUGH);
    }
    check(&taken)?;
    let x = scaler.inputs_from(data.x());
    let prominent = common::prominent(&x, &likelihood, data.sample_weights(), screen_level);
    Ok(Problem::new(x, likelihood, taken, prominent, settings))
}

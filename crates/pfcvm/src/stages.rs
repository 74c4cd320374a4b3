//! One stage of a fit after the other.

use crate::another;
use crate::growth::grow;
use crate::readmission::readmit;
use crate::run::{Course, Run};
use crate::settings::{Readmission, Stage};

/// Goes on from a course through one stage after the other.
pub(crate) fn through<'p>(run: &mut Run, mut course: Course<'p>, stages: &[Stage]) -> Course<'p> {
    for stage in stages {
        if run.stopped.is_some() {
            break;
        }
        let before = course;
        course = match stage.restart && before.reached.is_some() {
            true => {
                let (features, theta) =
                    (&before.state.weights.features, &before.state.weights.theta);
                let start = run.start(before.state.problem, features.clone(), Some(theta.clone()));
                let next = run.stage(before.branch(start), stage);
                // Without an iteration the start is worth less than what there was.
                let broken = next.reached.is_none();
                if broken { Course { termination: next.termination, ..before } } else { next }
            }
            false => run.stage(before, stage),
        };
        if let Some(settings) = stage.readmission {
            course = judge(run, course, stage, settings);
            course = grow(run, course, stage, |run, course| judge(run, course, stage, settings));
        }
    }
    course
}

/// What follows a stage that judges features: some may come back, another start may lead further.
fn judge<'p>(
    run: &mut Run,
    course: Course<'p>,
    stage: &Stage,
    settings: Readmission,
) -> Course<'p> {
    let mut course = readmit(run, course, stage, settings);
    let trials = run.trials.len();
    course = another::start(run, course, stage);
    if run.trials[trials..].iter().any(|trial| trial.accepted) {
        course = readmit(run, course, stage, settings);
    }
    course
}

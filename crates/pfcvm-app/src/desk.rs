//! What lies on the desk: tables, and results with their steps.

use crate::commands::Asked;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

/// How lines begin that tell how much has been read. Nothing tells that all has, where what follows is
/// done without a word.
const READING: &str = "reading ";
/// As long as it is true, such a line is told anew far more often than this.
const STALE: Duration = Duration::from_secs(2);

/// Everything there is, in the order in which it came.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) tables: Vec<Table>,
    pub(crate) results: Vec<Outcome>,
    /// The number of the next thing.
    pub(crate) next: u64,
}

/// An uploaded table.
#[derive(Serialize)]
pub(crate) struct Table {
    pub(crate) id: u64,
    /// The user's own name of it.
    pub(crate) name: String,
    /// Its harmless name, which its file has here.
    #[serde(skip)]
    pub(crate) file: String,
    pub(crate) bytes: u64,
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    /// The look at its columns.
    pub(crate) step: Step,
}

/// What was asked about a table, and what came of it.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) id: u64,
    /// The user's own name of the table.
    pub(crate) name: String,
    /// The name that its file has here.
    #[serde(skip)]
    pub(crate) file: String,
    pub(crate) asked: Asked,
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    pub(crate) steps: Vec<Step>,
    /// The figures to see first, by the step that found them.
    pub(crate) figures: serde_json::Map<String, Value>,
    /// Bytes of the rows that were to be predicted.
    #[serde(skip)]
    pub(crate) bytes: u64,
    /// Whether it is to go as soon as its step has ended.
    #[serde(skip)]
    pub(crate) removed: bool,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Task {
    Columns,
    Fit,
    Onnx,
    Test,
    Price,
    Compare,
    Predict,
}

impl Task {
    /// Whether it is done at once, beside what takes long.
    pub(crate) fn is_short(self) -> bool {
        matches!(self, Task::Columns | Task::Onnx | Task::Predict)
    }
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    Waiting,
    Running,
    Done,
    Failed,
    Stopped,
}

/// One run of the program.
#[derive(Serialize)]
pub(crate) struct Step {
    pub(crate) task: Task,
    pub(crate) stage: Stage,
    /// The command in words of a shell; empty before it is known.
    pub(crate) command: String,
    /// What it says of its progress.
    pub(crate) progress: String,
    pub(crate) notes: Vec<String>,
    pub(crate) error: String,
    pub(crate) seconds: f64,
    /// What it is about: methods, or the user's own name of rows.
    pub(crate) about: String,
    /// The name that a file of rows has here.
    #[serde(skip)]
    pub(crate) rows: String,
    /// The file it makes for the user, once it is there.
    pub(crate) file: String,
    #[serde(skip)]
    pub(crate) started: Option<Instant>,
    /// When it last said how far it is.
    #[serde(skip)]
    pub(crate) heard: Option<Instant>,
    #[serde(skip)]
    pub(crate) child: Option<Child>,
}

impl Step {
    pub(crate) fn new(task: Task, about: impl Into<String>, file: impl Into<String>) -> Self {
        Self {
            task,
            stage: Stage::Waiting,
            command: String::new(),
            progress: String::new(),
            notes: Vec::new(),
            error: String::new(),
            seconds: 0.0,
            about: about.into(),
            rows: String::new(),
            file: file.into(),
            started: None,
            heard: None,
            child: None,
        }
    }

    /// Takes note of how far it says it is. What has been read is no news.
    pub(crate) fn tell(&mut self, progress: &str) {
        let is_read = progress.starts_with(READING) && progress.contains(" 100% ");
        self.progress = if is_read { String::new() } else { progress.into() };
        self.heard = Some(Instant::now());
    }

    /// Takes note of the time.
    pub(crate) fn look_at_the_clock(&mut self) {
        if let (Stage::Running, Some(started)) = (self.stage, self.started) {
            self.seconds = started.elapsed().as_secs_f64();
        }
        let is_old = self.heard.is_some_and(|at| at.elapsed() > STALE);
        if is_old && self.progress.starts_with(READING) {
            self.progress.clear();
        }
    }

    /// Ends it, wherever it is.
    pub(crate) fn stop(&mut self) {
        if let Some(child) = &mut self.child {
            // Where it has ended by itself, that is as well.
            let _ = child.kill();
        }
        if matches!(self.stage, Stage::Waiting | Stage::Running) {
            self.stage = Stage::Stopped;
        }
    }

    pub(crate) fn is_under_way(&self) -> bool {
        self.child.is_some()
    }
}

/// Where a step stands: that of a table, or one of those of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Table(u64),
    Outcome(u64, usize),
}

impl Desk {
    /// A number that was never given before.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(crate) fn table(&mut self, id: u64) -> Option<&mut Table> {
        self.tables.iter_mut().find(|table| table.id == id)
    }

    pub(crate) fn outcome(&mut self, id: u64) -> Option<&mut Outcome> {
        self.results.iter_mut().find(|outcome| outcome.id == id && !outcome.removed)
    }

    pub(crate) fn step(&mut self, place: Place) -> Option<&mut Step> {
        match place {
            Place::Table(id) => self.table(id).map(|table| &mut table.step),
            Place::Outcome(id, at) => {
                let outcome = self.results.iter_mut().find(|outcome| outcome.id == id)?;
                outcome.steps.get_mut(at)
            }
        }
    }

    /// The next step to do, of the short ones or of the others. Steps of a result come in their order.
    pub(crate) fn next(&self, short: bool) -> Option<Place> {
        let fits = |step: &Step| step.stage == Stage::Waiting && step.task.is_short() == short;
        let table = self.tables.iter().find(|table| fits(&table.step));
        let of_result = |outcome: &Outcome| {
            let ready = |at: &usize| match outcome.steps[*at].task {
                // Nothing can be done with a model that is not there.
                Task::Fit => true,
                _ => outcome.steps[0].stage == Stage::Done,
            };
            let mut places = (0..outcome.steps.len()).filter(|at| fits(&outcome.steps[*at]));
            places.find(ready).map(|at| Place::Outcome(outcome.id, at))
        };
        let table = table.map(|table| Place::Table(table.id));
        table.or_else(|| self.results.iter().find_map(of_result))
    }

    /// Ends everything that runs or waits.
    pub(crate) fn stop_all(&mut self) {
        let of_tables = self.tables.iter_mut().map(|table| &mut table.step);
        let of_results = self.results.iter_mut().flat_map(|outcome| &mut outcome.steps);
        of_tables.chain(of_results).for_each(Step::stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_no_longer_being_read() {
        let mut step = Step::new(Task::Test, "", "test.html");
        step.tell("reading 57% of 3.24 MiB, 11.36 MiB/s, 0s left");
        step.look_at_the_clock();
        assert!(step.progress.starts_with("reading 57%"));
        step.heard = Instant::now().checked_sub(2 * STALE);
        step.look_at_the_clock();
        assert!(step.heard.is_none() || step.progress.is_empty(), "{}", step.progress);
        step.tell("reading 57% of 3.24 MiB, 11.36 MiB/s, 0s left");
        step.tell("reading 100% of 3.24 MiB, 11.36 MiB/s, 0s left");
        assert_eq!(step.progress, "");
        step.tell("1 of 5 folds, 3s so far, about 12s left");
        step.heard = Instant::now().checked_sub(2 * STALE);
        step.look_at_the_clock();
        assert_eq!(step.progress, "1 of 5 folds, 3s so far, about 12s left");
    }
}

//! One command after the other, each as a child process.

use crate::commands::{figures, shown};
use crate::desk::{Place, Stage, Task};
use crate::names::typed;
use crate::server::Inner;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// Notes beyond these are not shown.
const MOST_NOTES: usize = 50;
/// Longer lines are cut.
const LONGEST_LINE: u64 = 4096;

/// Works for ever on steps that take long, or on the others.
pub(crate) fn work(inner: &Arc<Inner>, short: bool) {
    loop {
        let mut desk = inner.desk();
        let place = loop {
            if inner.has_ended() {
                return;
            }
            match desk.next(short) {
                Some(place) => break place,
                None => desk = inner.wait(desk),
            }
        };
        drop(desk);
        run(inner, place);
    }
}

/// What a step says on standard output goes here, beside what it makes.
fn said_file(task: Task) -> &'static str {
    match task {
        Task::Columns => "said-columns.json",
        Task::Fit => "said-fit.json",
        Task::Test => "said-test.json",
        Task::Price => "said-price.json",
        Task::Compare => "said-compare.json",
        Task::Onnx | Task::Predict => "said-other.txt",
    }
}

/// Where the columns of a table are told.
pub(crate) fn columns_file(folder: &Path) -> PathBuf {
    folder.join(said_file(Task::Columns))
}

fn run(inner: &Arc<Inner>, place: Place) {
    let Some((task, folder, stderr)) = begin(inner, place) else { return };
    if let Some(stderr) = stderr {
        follow(inner, place, stderr);
    }
    end(inner, place, task, &folder);
}

/// Starts the child of a step.
fn begin(inner: &Arc<Inner>, place: Place) -> Option<(Task, PathBuf, Option<ChildStderr>)> {
    let mut desk = inner.desk();
    let (task, mut arguments, told, folder) = match place {
        Place::Table(id) => {
            let table = desk.table(id)?;
            let command = |name: String| vec!["columns".into(), name];
            let (here, there) = (command(table.file.clone()), command(typed(&table.name)));
            (Task::Columns, here, there, table.folder.clone())
        }
        Place::Outcome(id, at) => {
            let outcome = desk.outcome(id)?;
            let step = outcome.steps.get(at)?;
            let (about, rows) = match step.task {
                Task::Predict => (step.rows.clone(), typed(&step.about)),
                _ => (step.about.clone(), step.about.clone()),
            };
            let command = |about: &str, table: &str| {
                outcome.asked.arguments((step.task, about, &step.file), table, &outcome.figures)
            };
            let here = command(&about, &outcome.file);
            (step.task, here, command(&rows, &typed(&outcome.name)), outcome.folder.clone())
        }
    };
    let step = desk.step(place)?;
    if step.stage != Stage::Waiting {
        return None;
    }
    step.command = shown(&told);
    if !matches!(task, Task::Onnx | Task::Predict) {
        arguments.push("--json".into());
    }
    step.stage = Stage::Running;
    step.started = Some(Instant::now());
    let started = File::create(folder.join(said_file(task))).and_then(|said| {
        let mut command = Command::new(inner.program());
        command.args(&arguments).current_dir(&folder);
        // Nothing outside the private folder, and progress in lines.
        let parts = ["XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR", "TMP", "TEMP"];
        command.envs(parts.map(|name| (name, inner.folder())));
        command.env("PFCVM_PROGRESS", "lines").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(said).stderr(Stdio::piped());
        command.spawn()
    });
    match started {
        Ok(mut child) => {
            let stderr = child.stderr.take();
            step.child = Some(child);
            Some((task, folder, stderr))
        }
        Err(error) => {
            step.stage = Stage::Failed;
            step.error = format!("The program cannot be started: {error}.");
            None
        }
    }
}

/// Takes note of what a child says until it says no more.
fn follow(inner: &Arc<Inner>, place: Place, stderr: ChildStderr) {
    let mut lines = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        let mut desk = inner.desk();
        let Some(step) = desk.step(place) else { return };
        if let Some(progress) = line.strip_prefix("progress: ") {
            step.tell(progress);
        } else if let Some(note) = line.strip_prefix("note: ") {
            if step.notes.len() < MOST_NOTES {
                step.notes.push(note.into());
            }
        } else if let Some(error) = line.strip_prefix("error: ") {
            step.error = error.into();
        } else if step.error.is_empty() && line.contains("panicked at") {
            step.error = "There is a fault in the program; it has ended.".into();
        }
    }
}

/// Takes in what a child leaves.
fn end(inner: &Arc<Inner>, place: Place, task: Task, folder: &Path) {
    let child = inner.desk().step(place).and_then(|step| step.child.take());
    let ended = child.and_then(|mut child| child.wait().ok());
    let said = fs::read(folder.join(said_file(task))).ok().filter(|_| task != Task::Columns);
    let said = said.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let found = said.and_then(|said| figures(task, &said));
    let mut desk = inner.desk();
    if let Some(step) = desk.step(place) {
        step.seconds = step.started.map_or(0.0, |at| at.elapsed().as_secs_f64());
        step.progress.clear();
        if step.stage == Stage::Running {
            let done = ended.is_some_and(|status| status.success());
            step.stage = if done { Stage::Done } else { Stage::Failed };
            if !done && step.error.is_empty() {
                step.error = match ended.and_then(|status| status.code()) {
                    Some(code) => format!("The program ended with code {code}."),
                    None => "The system ended the program; perhaps memory was short.".into(),
                };
            }
        }
    }
    if let Place::Outcome(id, _) = place {
        let Some(at) = desk.results.iter().position(|outcome| outcome.id == id) else { return };
        let outcome = &mut desk.results[at];
        outcome.figures.extend(found.map(|(name, value)| (name.into(), value)));
        if task == Task::Fit && outcome.steps[0].stage != Stage::Done {
            outcome.steps.iter_mut().for_each(|step| step.stop());
        }
        if outcome.removed && !outcome.steps.iter().any(|step| step.is_under_way()) {
            let outcome = desk.results.remove(at);
            drop(desk);
            // What cannot be removed now goes with the server.
            let _ = fs::remove_dir_all(outcome.folder);
        }
    }
    inner.notify();
}

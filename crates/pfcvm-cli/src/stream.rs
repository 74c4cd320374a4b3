//! `pfcvm fit --stream`: a file that is read again and again instead of being held.
//!
//! A first reading finds out what the columns hold and which classes there are, from some rows and from the words and labels
//! of all. Then every pass asks the rows what the [`Learner`] wants to know. Between passes the learner is stored beside the
//! model, so that the same command goes on where it was killed. All readings are of one file: where it looks otherwise than
//! before the first, what was read is thrown away.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::learn::{About, Learned, Training, in_words};
use crate::output::note;
use crate::progress;
use crate::reading::{self, LabelColumn};
use pfcvm::multiclass::Scheme;
use pfcvm::multiclass::large::{Answer, Block, Learner, Question};
use pfcvm::{Goal, Settings};
use pfcvm_io::{
    Block as FileBlock, Course, FitSettings, FittedMachine, Input, ReadOptions, Rows, Staged,
    Table, Wanted, checksum,
};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Rows of the first reading that say what columns hold, at least; twice as many at most.
const SKETCHED: usize = 10_000;

/// A table to learn from and where its label stood; or, where it is to be read part by part, some of its rows and what
/// the file looked like before these were read.
pub fn table(
    options: &args::Fit,
    input: &Input,
    how: &ReadOptions,
) -> Outcome<(Table, LabelColumn, Option<Seen>)> {
    // A file that is not there is refused when it is opened.
    let again = matches!(input, Input::File(path) if path.is_file() || !path.exists());
    let seen = || Seen::of(options);
    if options.stream {
        refuse(options, again)?;
    } else {
        match reading::some_rows(input, how, None) {
            Ok((table, label)) => return Ok((table, label, None)),
            Err(error) if error.is_too_large() && again && refuse(options, again).is_ok() => {
                // Where some rows are too many as well, the first refusal says all there is to say.
                let seen = seen()?;
                let Ok((table, label)) = reading::some_rows(input, how, Some(SKETCHED)) else {
                    return Err(error.into());
                };
                note(&format!("note: {error}; the file is read part by part instead (--stream)"));
                return Ok((table, label, Some(seen)));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let seen = seen()?;
    let (table, label) = reading::some_rows(input, how, Some(SKETCHED))?;
    Ok((table, label, Some(seen)))
}

/// What cannot be done part by part.
fn refuse(options: &args::Fit, again: bool) -> Outcome {
    let why = if !again {
        "data that can be read only once; name a file"
    } else if options.panel.is_some() {
        "a panel; leave out --panel"
    } else if options.scheme != Scheme::Joint {
        "machines class by class; leave out --scheme"
    } else if options.goal == Goal::Accuracy {
        "a machine of all features; leave out --goal accuracy"
    } else if options.unlabelled.is_some() {
        "rows without labels; leave out --unlabelled"
    } else if options.price {
        "the price of short lists; leave out --price"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!("--stream, which reads files part by part, cannot do {why}")))
}

/// Learns from all rows of the file, of which `training` has some.
pub fn learn(
    training: Training,
    options: &args::Fit,
    how: &ReadOptions,
    settings: Settings,
    seen: Seen,
) -> Outcome<Learned> {
    let start = Instant::now();
    let Training { data, file_rows, label, feature_names, variables, missing, .. } = training;
    if data.class_names().len() > 2 && options.class_weights.wrong_number(0).is_some() {
        let message = "--stream takes factors for two classes only; leave out --class-weights";
        return Err(Failure::Usage(message.into()));
    }
    let identity = identity(&seen, options, &settings);
    let stored = options.model.as_deref().map(beside);
    let classes = data.class_names().to_vec();
    let refused = |error| in_words(error, &variables);
    let mut learner = match stored.as_deref().and_then(|path| restored(path, &identity)) {
        Some(learner) => learner,
        None => Learner::new(data.columns(), classes.clone(), &settings, Some(file_rows as u64))
            .map_err(refused)?,
    };
    let file = File { input: Input::from(options.data.clone()), how, options, classes: &classes };
    while let Some(question) = learner.question() {
        let columns = question.columns();
        let names: Vec<String> = columns.iter().map(|&at| variables[at].name.clone()).collect();
        let contents = columns.iter().map(|&at| variables[at].content.clone()).collect();
        let what = format!("pass {}, {}", learner.passes() + 1, learner.doing());
        let answer = file.pass(&question, (names, contents), &what);
        if Seen::of(options)? != seen {
            return Err(Failure::Data(format!(
                "{}: the file has changed while it was read; run the command again",
                options.data.display()
            )));
        }
        let answer = answer?;
        let line = progress::fitting();
        line.set_message(format!("pass {} is over: learning from it", learner.passes() + 1));
        let told = learner.take_with(answer, &|_, now| {
            let held = format!("{} samples, {} features", now.samples, now.features);
            line.set_message(format!("iteration {}: {held}", now.number));
            std::ops::ControlFlow::Continue(())
        });
        line.finish_and_clear();
        told.map_err(refused)?;
        if let Some(path) = &stored {
            store(path, &identity, &learner)?;
            interrupt::goes_on();
        }
    }
    let class_rows = learner.class_rows().iter().map(|rows| *rows as usize).collect();
    let (fits, taken, choice) = learner.finish().map_err(refused)?;
    let fitted = fits.map(|fit| {
        let course = Course::of_fit(&fit);
        (FittedMachine::of_fit(fit, |row| row), course)
    });
    let settings = FitSettings::Single(Box::new(taken));
    let about = About { label, file_rows, settings, feature_names, variables, missing, choice };
    let (file, courses) = about.file(&data, class_rows, fitted);
    Ok(Learned { file, courses, seconds: start.elapsed().as_secs_f64(), advice: Vec::new() })
}

/// A file whose rows are asked.
struct File<'a> {
    input: Input,
    how: &'a ReadOptions,
    options: &'a args::Fit,
    classes: &'a [String],
}

impl File<'_> {
    /// What all rows say to a question in some columns, with a bar.
    fn pass(
        &self,
        question: &Question,
        (names, contents): (Vec<String>, Vec<pfcvm_io::Content>),
        what: &str,
    ) -> Outcome<Answer> {
        let rows = Rows::open(&self.input, self.how)?;
        let features = rows.find(&names)?;
        let wanted = Wanted { features, contents, label: true, ..Wanted::default() };
        let bar = progress::reading(what, rows.size_bytes());
        let mut said: Option<Answer> = None;
        let passed = rows.for_each(
            &wanted,
            |block| self.answer(question, block),
            |answer, read| {
                bar.set_position(read);
                match &mut said {
                    None => said = Some(answer),
                    Some(said) => said.add(answer)?,
                }
                Ok::<(), Failure>(())
            },
        );
        bar.finish_and_clear();
        passed?;
        said.ok_or_else(|| Failure::Data(format!("{}: there are no rows", self.input)))
    }

    fn answer(&self, question: &Question, block: FileBlock) -> Outcome<Answer> {
        let places = block.labels.among(self.classes);
        let rows: Vec<usize> = (0..places.len()).filter(|&row| places[row].is_some()).collect();
        // Where two of several classes were picked, rows of the others are left out.
        let strange = |row: &usize| places[*row].is_none() && !block.labels.get(*row).is_empty();
        if self.options.reading.classes.is_none()
            && let Some(row) = (0..places.len()).find(strange)
        {
            return Err(Failure::Data(format!(
                "{}: row {} has a label that was not there before; the file has changed while it was \
                 read: run the command again",
                self.input,
                block.first_row + row + 1
            )));
        }
        let numbers: Vec<u64> = rows.iter().map(|row| (block.first_row + row) as u64).collect();
        let class: Vec<usize> = places.into_iter().flatten().collect();
        let some;
        let x = match rows.len() == block.x.rows() {
            true => &block.x,
            false => {
                some = block.x.select_rows(&rows);
                &some
            }
        };
        let block = Block { numbers: &numbers, x, class: &class, weights: None };
        Ok(question.answer(&block)?)
    }
}

/// What tells one file from another without reading it: where it lies, how long it is, when it was written.
#[derive(Debug, PartialEq)]
pub struct Seen(PathBuf, u64, Option<Duration>);

impl Seen {
    fn of(options: &args::Fit) -> Outcome<Self> {
        let unreadable = |error: std::io::Error| {
            Failure::Data(format!("{}: cannot be read ({error})", options.data.display()))
        };
        let about = options.data.metadata().map_err(unreadable)?;
        let changed = about.modified().ok().and_then(|when| when.duration_since(UNIX_EPOCH).ok());
        Ok(Self(options.data.canonicalize().map_err(unreadable)?, about.len(), changed))
    }
}

/// What a learner was told and of which file it learns: another one goes its own way.
fn identity(seen: &Seen, options: &args::Fit, settings: &Settings) -> String {
    let told = serde_json::to_string(settings).unwrap_or_default();
    let Seen(path, length, changed) = seen;
    let (program, seen) = (env!("CARGO_PKG_VERSION"), (path, length, changed));
    format!("{program} {seen:?} {:?} {told} {:?}", options.reading, settings.auto)
}

/// A learner as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored<L> {
    identity: String,
    learner: L,
}

fn beside(model: &Path) -> PathBuf {
    let mut name = model.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    model.with_file_name(name)
}

/// The learner of the same command that was stored, if there is one that is whole.
fn restored(path: &Path, identity: &str) -> Option<Learner> {
    let text = std::fs::read(path).ok()?;
    let whole = checksum::fits(&text).then_some(text);
    match whole.and_then(|text| serde_json::from_slice::<Stored<Learner>>(&text).ok()) {
        Some(stored) if stored.identity == identity => {
            let passes = stored.learner.passes();
            note(&format!("note: going on from {} after pass {passes}", path.display()));
            Some(stored.learner)
        }
        _ => {
            note(&format!(
                "note: {} is of another fit or damaged, and is not used",
                path.display()
            ));
            None
        }
    }
}

fn store(path: &Path, identity: &str, learner: &Learner) -> Outcome {
    let written = Staged::create(path).and_then(|mut staged| {
        let mut text = serde_json::to_vec(&Stored { identity: identity.into(), learner })?;
        checksum::seal(&mut text);
        staged.write_all(&text)?;
        staged.finish()
    });
    written.map_err(|error| Failure::writing(path, &error))
}

/// A fit that is over needs no going on.
pub fn forget(options: &args::Fit) {
    if let Some(model) = &options.model {
        let _ = std::fs::remove_file(beside(model));
    }
}

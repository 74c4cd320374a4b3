//! Finished folds on disk, so that a run that was killed goes on where it was.
//!
//! One file of lines: the first says what the run is, every further one holds a fold. A line is
//! written in one piece when its fold is done; a last line without its end was cut off and counts
//! for nothing.

use crate::{Error, Fold, Study};
use pfcvm::multiclass::Dataset;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of a record.
const NAME: &str = "folds.jsonl";

/// Differences that are told.
const MOST_DIFFERENCES: usize = 3;

/// What a run is: everything that its result depends on, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// The program itself; add the rest.
    pub fn of_program() -> Self {
        Self(vec![("program".into(), program_digest())])
    }

    /// The same with one more fact.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The same with everything that decides what studies give: data with their classes, weights and
    /// order of rows, groups, splits, method, grid, machines and seed.
    pub fn with_studies(mut self, studies: &[Study]) -> Self {
        for (at, study) in studies.iter().enumerate() {
            let contender = &study.contender;
            let number = at + 1;
            let grid = contender.grid().map_or_else(|| "none".into(), |grid| grid.to_string());
            let groups = study
                .groups
                .as_ref()
                .map_or_else(|| "none".into(), |groups| digest(|hash| whole_numbers(hash, groups)));
            let splits = digest(|hash| {
                for split in study.splits.iter() {
                    whole_numbers(hash, &split.train);
                    whole_numbers(hash, &split.test);
                }
            });
            self = self
                .with(format!("study {number}"), study.name.clone())
                .with(format!("method of study {number}"), contender.label())
                .with(format!("grid of study {number}"), grid)
                .with(format!("data of study {number}"), data_digest(&study.data))
                .with(format!("groups of study {number}"), groups)
                .with(format!("splits of study {number}"), splits)
                .with(format!("scheme of study {number}"), study.scheme.to_string())
                .with(format!("seed of study {number}"), study.seed.to_string());
        }
        self
    }

    /// A short name for it.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, value) in &self.0 {
            hash.update(format!("{}:{name}={}:{value};", name.len(), value.len()));
        }
        short(hash)
    }

    /// What differs, in words.
    fn differences(&self, other: &Self) -> String {
        let of = |identity: &Self, name: &str| {
            let found = identity.0.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "nothing".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in self.0.iter().chain(&other.0) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let differing = names.into_iter().filter(|name| of(self, name) != of(other, name));
        let words = differing.map(|name| match name.as_str() {
            "program" => "another build of pfcvm".to_string(),
            _ => format!("{name} is {} there and {} here", of(other, name), of(self, name)),
        });
        let mut words: Vec<String> = words.collect();
        if words.len() > MOST_DIFFERENCES {
            let more = words.len() - MOST_DIFFERENCES;
            words.truncate(MOST_DIFFERENCES);
            words.push(format!("and {more} more"));
        }
        words.join("; ")
    }
}

/// A record of finished folds, or of anything else that is done several times.
#[derive(Debug)]
pub struct Journal<F = Fold> {
    path: PathBuf,
    lines: Mutex<Lines>,
    known: HashMap<(String, usize), Result<F, String>>,
    /// Whether a run is worth doing without it.
    dispensable: bool,
}

/// The end of a record, where lines are added.
#[derive(Debug)]
struct Lines {
    file: File,
    /// Bytes of whole lines.
    whole: u64,
    /// Whether half a line may follow them, which must stay the last thing there is.
    torn: bool,
}

impl Lines {
    fn add(&mut self, line: &[u8]) -> std::io::Result<()> {
        if self.torn {
            return Err(std::io::Error::other("an earlier fold could not be recorded either"));
        }
        self.torn = true;
        if let Err(error) = self.file.write_all(line) {
            let mut cut = || {
                self.file.set_len(self.whole)?;
                self.file.seek(SeekFrom::Start(self.whole))
            };
            self.torn = cut().is_err();
            return Err(error);
        }
        (self.torn, self.whole) = (false, self.whole + line.len() as u64);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Line<F> {
    study: String,
    fold: usize,
    /// Of the study, the fold and the outcome as they are written.
    check: String,
    outcome: Result<F, String>,
}

impl<F: Serialize + Clone> Line<F> {
    pub fn new(study: &str, fold: usize, outcome: &Result<F, String>) -> std::io::Result<Self> {
        let written = serde_json::to_vec(&(study, fold, outcome))?;
        let check = digest(|hash| hash.update(&written));
        Ok(Self { study: study.into(), fold, check, outcome: outcome.clone() })
    }
}

impl<F: Serialize + DeserializeOwned + Clone> Journal<F> {
    /// Opens the record `folds.jsonl` in a folder, or begins it.
    ///
    /// # Errors
    /// If it belongs to something else, is damaged, in use, or cannot be written.
    pub fn open(folder: &Path, identity: &Identity, fresh: bool) -> Result<Self, Error> {
        let path = folder.join(NAME);
        let failed = |source| Error::Record { file: path.clone(), source };
        if folder.exists() && !folder.is_dir() {
            let source = std::io::Error::other("what it is to lie in is no folder; name another");
            return Err(failed(source));
        }
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy { folder: folder.into() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let Found { whole, begun, known } = read(&text, folder, identity, fresh)?;
        // Only now is it known to be ours.
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(failed)?;
        let mut lines = Lines { file, whole: whole as u64, torn: false };
        if !begun {
            lines.add(&line(identity).map_err(failed)?).map_err(failed)?;
        }
        Ok(Self { path, lines: Mutex::new(lines), known, dispensable: false })
    }

    /// The same for a run that is worth doing even where it cannot be recorded.
    pub fn dispensable(self) -> Self {
        Self { dispensable: true, ..self }
    }

    /// A fold that is there already.
    pub fn known(&self, study: &str, fold: usize) -> Option<&Result<F, String>> {
        self.known.get(&(study.to_string(), fold))
    }

    /// Adds a fold.
    pub(crate) fn record(
        &self,
        study: &str,
        fold: usize,
        outcome: &Result<F, String>,
    ) -> Result<(), Error> {
        let failed = |source| Error::Record { file: self.path.clone(), source };
        let entry = Line::new(study, fold, outcome).map_err(failed)?;
        let line = line(&entry).map_err(failed)?;
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.add(&line) {
            Err(_) if self.dispensable => Ok(()),
            outcome => outcome.map_err(failed),
        }
    }

    /// Removes the record, and its folder if nothing else is in it.
    pub fn remove(self) {
        // A record that stays is only found again, never wrong.
        let _ = std::fs::remove_file(&self.path);
        if let Some(folder) = self.path.parent() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// What a record holds.
pub(crate) struct Found<F> {
    /// Bytes of whole lines; what follows was cut off.
    whole: usize,
    /// Whether it has a head.
    begun: bool,
    pub known: HashMap<(String, usize), Result<F, String>>,
}

/// Reads the text of the record in a folder, which must be that of the run; `fresh`: of any run.
pub(crate) fn read<F: Serialize + DeserializeOwned + Clone>(
    text: &[u8],
    folder: &Path,
    identity: &Identity,
    fresh: bool,
) -> Result<Found<F>, Error> {
    let file = || folder.join(NAME);
    let failed = |source| Error::Record { file: file(), source };
    let damaged = |line| Error::Damaged { file: file(), line };
    if fresh {
        // Whatever else has this name is somebody's work, the data perhaps.
        return match is_record(text) {
            true => Ok(Found { whole: 0, begun: false, known: HashMap::new() }),
            false => Err(Error::NoRecord { file: file() }),
        };
    }
    // What follows the last line end was cut off; a file without any is a head cut off, or not ours.
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if whole == 0 && !line(identity).map_err(failed)?.starts_with(text) {
        return Err(damaged(1));
    }
    let mut known = HashMap::new();
    let Some(lines) = text[..whole].strip_suffix(b"\n") else {
        return Ok(Found { whole, begun: false, known });
    };
    let mut lines = lines.split(|byte| *byte == b'\n').enumerate();
    let head = lines.next().map_or(&[][..], |(_, head)| head);
    let found: Identity = serde_json::from_slice(head).map_err(|_| damaged(1))?;
    if found != *identity {
        let differences = identity.differences(&found);
        return Err(Error::OtherCommand { folder: folder.into(), differences });
    }
    for (at, line) in lines {
        let line: Line<F> = serde_json::from_slice(line).map_err(|_| damaged(at + 1))?;
        let again = Line::new(&line.study, line.fold, &line.outcome).map_err(failed)?;
        if again.check != line.check {
            return Err(damaged(at + 1));
        }
        known.insert((line.study, line.fold), line.outcome);
    }
    Ok(Found { whole, begun: true, known })
}

/// Whether a file is a record of some run, or the beginning of one: nothing, part of a head, or a
/// whole one.
fn is_record(text: &[u8]) -> bool {
    const BEGINS: &[u8] = b"[[\"";
    match text.iter().position(|byte| *byte == b'\n') {
        Some(end) => serde_json::from_slice::<Identity>(&text[..end]).is_ok(),
        None => text.starts_with(BEGINS) || BEGINS.starts_with(text),
    }
}

pub(crate) fn line(value: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// What tells data from others: all values, classes and weights, in the order of the rows.
pub fn data_digest(data: &Dataset) -> String {
    digest(|hash| {
        whole_numbers(hash, &[data.x().rows(), data.x().cols()]);
        for column in data.x().columns().chain([data.sample_weights()]) {
            let bytes: Vec<u8> = column.iter().flat_map(|value| value.to_le_bytes()).collect();
            hash.update(&bytes);
        }
        whole_numbers(hash, data.codes());
        for name in data.class_names() {
            whole_numbers(hash, &[name.len()]);
            hash.update(name);
        }
    })
}

/// What tells this program from other builds of it: results are the same to the bit only within
/// one.
pub fn program_digest() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    format!("{} {}", env!("CARGO_PKG_VERSION"), digest(|hash| hash.update(&bytes)))
}

/// Numbers with how many they are, so that lists one after the other cannot be mistaken.
fn whole_numbers(hash: &mut Sha256, numbers: &[usize]) {
    hash.update((numbers.len() as u64).to_le_bytes());
    numbers.iter().for_each(|number| hash.update((*number as u64).to_le_bytes()));
}

/// The first digits of a hash of what is written into it.
fn digest(write: impl FnOnce(&mut Sha256)) -> String {
    let mut hash = Sha256::new();
    write(&mut hash);
    short(hash)
}

fn short(hash: Sha256) -> String {
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

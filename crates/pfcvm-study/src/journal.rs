//! Finished folds on disk, so that a run that was killed goes on where it was.
//!
//! One file of lines: the first says what the run is, every further one holds a fold. A line is
//! written in one piece when its fold is done; a last line without its end was cut off and counts
//! for nothing.

use crate::identity::digest;
use crate::{Error, Fold, Identity};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of a record.
const NAME: &str = "folds.jsonl";

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A fold that could only be recorded by half is cut off again: others after it stay readable.
    #[test]
    fn half_a_line_never_stands_before_a_whole_one() {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity::default().with("cv", "loo");
        let journal = Journal::<f64>::open(folder.path(), &identity, false).unwrap();
        journal.record("a", 0, &Ok(0.5)).unwrap();
        // As a disk that is full leaves it: read-only from here on, after some bytes.
        let path = folder.path().join(NAME);
        let only_read = File::open(&path).unwrap();
        let mut lines = journal.lines.lock().unwrap();
        let whole = lines.whole;
        lines.file.write_all(b"{\"study\":").unwrap();
        let writable = std::mem::replace(&mut lines.file, only_read);
        assert!(lines.add(b"nothing").is_err() && lines.torn);
        lines.file = writable;
        assert!(lines.add(b"a line after half a line").is_err());
        lines.torn = false;
        lines.file.set_len(whole).unwrap();
        lines.file.seek(SeekFrom::Start(whole)).unwrap();
        drop(lines);
        journal.record("a", 1, &Ok(1.5)).unwrap();
        drop(journal);
        let again = Journal::<f64>::open(folder.path(), &identity, false).unwrap();
        assert_eq!(again.known("a", 0), Some(&Ok(0.5)));
        assert_eq!(again.known("a", 1), Some(&Ok(1.5)));
    }

    /// Without its first line nobody knows whose folds they are.
    #[test]
    fn a_record_without_a_head_is_damaged() {
        let identity = Identity::default().with("cv", "loo");
        let entry = Line::new("a", 0, &Ok(0.5)).unwrap();
        let text = [b"\n".to_vec(), line(&entry).unwrap()].concat();
        let found = read::<f64>(&text, Path::new("r"), &identity, false);
        assert!(matches!(found, Err(Error::Damaged { line: 1, .. })));
    }
}

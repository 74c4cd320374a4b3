//! Files that appear under their name only when they are complete.

use std::fs::{File, Permissions};
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::mem::forget;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// Unfinished files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every unfinished file and keeps any from being finished: the last thing a program does
/// when it is interrupted.
pub fn discard_unfinished() {
    let paths = unfinished();
    for path in paths.iter() {
        // Nothing can be done about one that will not go, and the program is about to end.
        let _ = std::fs::remove_file(path);
    }
    forget(paths); // never unlocked
}

/// A file in the making. It is written beside its target and takes its name on
/// [`finish`](Staged::finish); dropped before that, it leaves no trace.
///
/// Targets that are no ordinary files (pipes, `/dev/stdout`) are written to directly.
#[derive(Debug)]
pub struct Staged {
    target: PathBuf,
    destination: BufWriter<Destination>,
}

#[derive(Debug)]
enum Destination {
    Beside(NamedTempFile),
    Direct(File),
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self {
            Destination::Beside(file) => file.write(bytes),
            Destination::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            Destination::Beside(file) => file.flush(),
            Destination::Direct(file) => file.flush(),
        }
    }
}

impl Staged {
    /// Starts a file.
    pub fn create(target: impl Into<PathBuf>) -> Result<Self> {
        let target = target.into();
        let destination = BufWriter::with_capacity(1 << 20, open(&target)?);
        Ok(Self { target, destination })
    }

    /// Whether a file of that name could be written, found out by starting one.
    pub fn check(target: &Path) -> Result<()> {
        if is_special(target) {
            return Ok(());
        }
        Self::create(target).map(drop)
    }

    /// The file's name.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Everything written so far is on its way to the disk, or the reason why not. `finish` cannot
    /// fail for want of space after this.
    pub fn settle(&mut self) -> Result<()> {
        self.destination.flush()?;
        match self.destination.get_ref() {
            Destination::Beside(file) => file.as_file().sync_all(),
            Destination::Direct(_) => Ok(()),
        }
    }

    /// Gives the complete file its name, in place of any file that had it.
    pub fn finish(self) -> Result<()> {
        Self::finish_all(vec![self]).map_err(|(_, error)| error)
    }

    /// Gives all files their names, or none of them: where one cannot have its name, those before it
    /// are taken back and what they replaced is there again. The error comes with its target, and with
    /// the names of those that the system does not let go: whole files, but without the others.
    pub fn finish_all(mut files: Vec<Self>) -> std::result::Result<(), (PathBuf, Error)> {
        for file in &mut files {
            file.settle().map_err(|error| (file.target.clone(), error))?;
        }
        // An interrupt waits for all of it.
        let mut unfinished = unfinished();
        let mut named: Vec<Named> = Vec::new();
        let last = files.len().saturating_sub(1);
        for (at, Self { target, destination }) in files.into_iter().enumerate() {
            let given = destination.into_inner().map_err(|error| error.into_error());
            let given = given.and_then(|destination| match destination {
                Destination::Direct(_) => Ok(()),
                Destination::Beside(file) => {
                    let replaced = if at < last { kept_aside(&target)? } else { None };
                    let file = file.into_temp_path();
                    renamed(&file, &target)?;
                    unfinished.retain(|other| **other != *file);
                    // There is nothing of its former name to go when it is dropped.
                    let _ = file.keep();
                    named.push(Named { target: target.clone(), replaced });
                    Ok(())
                }
            });
            if let Err(error) = given {
                let stay = named.into_iter().rev().filter_map(|named| named.take_back().err());
                let stay: Vec<String> = stay.map(|path| path.display().to_string()).collect();
                return Err((target, with_those_that_stay(error, &stay)));
            }
        }
        Ok(())
    }
}

/// A file that has its name, with what it replaced until all others have theirs.
struct Named {
    target: PathBuf,
    replaced: Option<TempPath>,
}

impl Named {
    /// What was there before is there again, or the new file stays, whose name comes back.
    fn take_back(self) -> std::result::Result<(), PathBuf> {
        let undone = match self.replaced {
            Some(before) => renamed(&before, &self.target),
            None => std::fs::remove_file(&self.target),
        };
        undone.map_err(|_| self.target)
    }
}

/// Why a file could not have its name, and which others have theirs all the same.
fn with_those_that_stay(error: Error, stay: &[String]) -> Error {
    match stay {
        [] => error,
        names => {
            let message =
                format!("{error}; already new and not to be taken back: {}", names.join(", "));
            Error::new(error.kind(), message)
        }
    }
}

/// Through the standard library, where the tests that let calls of the system fail can see it.
fn renamed(file: &Path, target: &Path) -> Result<()> {
    std::fs::rename(file, target)
}

/// A second name for a file that is about to be replaced; it goes when it is dropped.
fn kept_aside(target: &Path) -> Result<Option<TempPath>> {
    if std::fs::symlink_metadata(target).is_err() {
        return Ok(None);
    }
    let aside = builder().make_in(folder_of(target), |path| {
        // Not every file system has second names, and a link is copied as what it leads to.
        std::fs::hard_link(target, path).or_else(|_| std::fs::copy(target, path).map(drop))
    })?;
    Ok(Some(aside.into_temp_path()))
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.destination.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.destination.flush()
    }
}

fn is_special(target: &Path) -> bool {
    std::fs::metadata(target).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn open(target: &Path) -> Result<Destination> {
    if target.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if is_special(target) {
        return Ok(Destination::Direct(File::create(target)?));
    }
    // A name that the system cannot have would only be noticed at the very end.
    match std::fs::symlink_metadata(target) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let folder = folder_of(target);
    if !folder.is_dir() {
        let message = format!("the folder {} does not exist", folder.display());
        return Err(Error::new(ErrorKind::NotFound, message));
    }
    let mut unfinished = unfinished();
    let mut builder = builder();
    if let Some(permissions) = ordinary_permissions() {
        builder.permissions(permissions);
    }
    let file = builder.tempfile_in(folder)?;
    unfinished.push(file.path().to_path_buf());
    Ok(Destination::Beside(file))
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Names of unfinished files.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pfcvm-").suffix(".part");
    builder
}

/// What any new file gets, where temporary ones would get less.
#[cfg(unix)]
fn ordinary_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666)) // less the user's umask
}

#[cfg(not(unix))]
fn ordinary_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_finished_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        fs::write(&target, "old").unwrap();
        let mut file = Staged::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        file.settle().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    /// The second name is taken by a folder after all was checked.
    #[test]
    fn where_one_cannot_have_its_name_none_has() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, taken] = ["old", "new", "taken"].map(|name| folder.path().join(name));
        let files = || -> Vec<Staged> {
            let files = [&old, &new, &taken].map(|target| {
                let mut file = Staged::create(target).unwrap();
                file.write_all(b"text").unwrap();
                file
            });
            files.into()
        };
        fs::write(&old, "before").unwrap();
        let started = files();
        fs::create_dir(&taken).unwrap();
        let (target, _) = Staged::finish_all(started).unwrap_err();
        assert_eq!(target, taken);
        assert_eq!(fs::read_to_string(&old).unwrap(), "before");
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, ["old", "taken"]);

        fs::remove_dir(&taken).unwrap();
        Staged::finish_all(files()).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "text");
        assert_eq!(names(folder.path()).len(), 3);
    }

    #[test]
    fn a_file_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = Staged::create(folder.path().join("out.txt")).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn folders_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = Staged::create(folder.path()).unwrap_err();
        assert_eq!(error.to_string(), "it is a folder");
        let error = Staged::create(folder.path().join("no/out.txt")).unwrap_err();
        assert!(error.to_string().ends_with("no does not exist"), "{error}");
        assert!(Staged::check(&folder.path().join("out.txt")).is_ok());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_ordinary_file_is_written_directly() {
        let mut file = Staged::create("/dev/null").unwrap();
        file.write_all(b"gone").unwrap();
        file.finish().unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}

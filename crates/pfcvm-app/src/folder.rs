//! The private folder of a server, and what killed servers left.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PREFIX: &str = "pfcvm-app-";
/// Held by a server as long as it lives; the system lets go of it however the server ends.
const LOCK: &str = "lock";
/// A folder without a lock that is younger may belong to a server that is just starting.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that only its owner can read. It goes with this value.
pub(crate) struct Folder {
    path: PathBuf,
    /// Kept open for its lock.
    _lock: File,
}

impl Folder {
    /// Makes one inside `parent`, and removes what killed servers of the same user left there.
    pub(crate) fn make(parent: &Path, name: &str) -> io::Result<Self> {
        let path = parent.join(format!("{PREFIX}{name}"));
        private(&path)?;
        let lock = OpenOptions::new().write(true).create_new(true).open(path.join(LOCK))?;
        // On a file system without locks, only leftovers of it are never found.
        let _ = lock.try_lock();
        sweep(parent, &path);
        Ok(Self { path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder inside.
    pub(crate) fn part(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        private(&path)?;
        Ok(path)
    }

    /// Removes everything, now.
    pub(crate) fn remove(&self) {
        remove(&self.path);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A job that was just killed may still make a file: a second try gets it.
fn remove(path: &Path) {
    for _ in 0..20 {
        match fs::remove_dir_all(path) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes folders of servers that are no more.
fn sweep(parent: &Path, own: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_one = path != own && entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_one && same_owner(&path, own) && is_left_over(&path) {
            remove(&path);
        }
    }
}

/// Whether its lock can be had.
fn is_left_over(path: &Path) -> bool {
    match OpenOptions::new().write(true).open(path.join(LOCK)) {
        Ok(lock) => !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => {
            let age = fs::metadata(path).and_then(|about| about.modified()).map(|at| at.elapsed());
            matches!(age, Ok(Ok(age)) if age > YOUNG)
        }
    }
}

/// A folder, no link to one, of the same user.
#[cfg(unix)]
fn same_owner(path: &Path, own: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let about = |path: &Path| fs::symlink_metadata(path);
    match (about(path), about(own)) {
        (Ok(other), Ok(own)) => other.is_dir() && other.uid() == own.uid(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same_owner(path: &Path, _: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_go_and_the_living_stay() {
        let parent = tempfile::tempdir().unwrap();
        let alive = Folder::make(parent.path(), "alive").unwrap();
        // A killed server: its folder and its lock are there, and nobody holds it.
        let dead = parent.path().join("pfcvm-app-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("table.csv"), "secret").unwrap();
        let foreign = parent.path().join("another");
        fs::create_dir(&foreign).unwrap();
        let starting = parent.path().join("pfcvm-app-starting");
        fs::create_dir(&starting).unwrap();
        let second = Folder::make(parent.path(), "second").unwrap();
        assert!(!dead.exists() && foreign.exists() && starting.exists());
        assert!(alive.path().exists() && second.path().exists());
        let path = second.path().to_owned();
        drop(second);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_look_inside_and_links_are_not_followed() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join(LOCK), "").unwrap();
        let link = parent.path().join("pfcvm-app-link");
        std::os::unix::fs::symlink(elsewhere.path(), link).unwrap();
        let folder = Folder::make(parent.path(), "own").unwrap();
        let part = folder.part("t1").unwrap();
        for path in [folder.path(), &part] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o700);
        }
        assert!(elsewhere.path().join(LOCK).exists());
    }
}

//! Files that are whole when they have their name.

use crate::{DataFile, Error, checksum};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where a file is written until it is whole: beside its target, so that it only needs renaming.
pub(crate) fn part_of(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    target.with_file_name(name)
}

/// What the system says of a file, with disks that are full told apart.
pub(crate) fn problem(path: &Path, action: &'static str, error: std::io::Error) -> Error {
    let path = path.to_path_buf();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Error::DiskFull { path, error }
        }
        _ => Error::File { path, action, error },
    }
}

/// The checksum of a file, or none if there is no such file.
pub(crate) fn checksum(path: &Path) -> Result<Option<String>, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(problem(path, "read", error)),
    };
    checksum::sha256(file).map(Some).map_err(|error| problem(path, "read", error))
}

/// Whether the file is there; one that is there with other bytes is an error.
pub(crate) fn is_there(file: &DataFile, path: &Path) -> Result<bool, Error> {
    match checksum(path)? {
        None => Ok(false),
        Some(found) if found == file.sha256 => Ok(true),
        Some(found) => {
            Err(Error::Different { path: path.into(), expected: file.sha256.into(), found })
        }
    }
}

/// Makes the folder a file is to be in.
pub(crate) fn make_folder_of(target: &Path) -> Result<(), Error> {
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| problem(folder, "made", error))
}

/// Removes a link in the place of a part: what it leads to is not ours to write. (Devices can take it.)
pub(crate) fn forget_link(part: &Path) {
    let is_link = fs::symlink_metadata(part).is_ok_and(|found| found.is_symlink());
    if is_link && fs::metadata(part).map_or(true, |found| found.is_file()) {
        // One that will not go makes writing fail, or is followed as before.
        let _ = fs::remove_file(part);
    }
}

/// Writes a whole file.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> Result<(), Error> {
    let part = part_of(target);
    let write = |file: File| {
        let mut file = file;
        file.write_all(bytes)?;
        file.sync_all()
    };
    forget_link(&part);
    if let Err(error) = File::create(&part).and_then(write) {
        // Half a table is of no use to anybody: it is made again in no time.
        let _ = fs::remove_file(&part);
        return Err(problem(&part, "written", error));
    }
    finish(&part, target)
}

/// Gives a file that is whole and on the disk its name.
pub(crate) fn finish(part: &Path, target: &Path) -> Result<(), Error> {
    fs::rename(part, target).map_err(|error| problem(target, "written", error))?;
    // The name outlives a crash once the folder is on the disk; not every system can do that.
    if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
    Ok(())
}

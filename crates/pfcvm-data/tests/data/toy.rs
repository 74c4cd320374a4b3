//! A data set that nobody else has, and a folder for it.

use pfcvm_data::{DataFile, DataSet, Error, Fetched, Folder, Options, Source, fetch};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

pub const NAME: &str = "toy/data.bin";

pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that look like noise, so that no two places are alike.
pub fn noise(count: usize) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

pub fn file(path: &'static str, content: &[u8]) -> DataFile {
    // The catalogue is made of constants; a test may keep a few strings for ever.
    DataFile { path, bytes: content.len() as u64, sha256: sha256(content).leak() }
}

pub struct Toy {
    pub set: DataSet,
    pub folder: Folder,
    place: TempDir,
}

impl Toy {
    pub fn new(content: &[u8]) -> Toy {
        let files = Box::leak(Box::new([file(NAME, content)]));
        let set = DataSet {
            name: "toy",
            title: "",
            samples: None,
            features: None,
            classes: &[],
            origin: "",
            address: "",
            licence: "",
            source: Source::ByHand("it was made up"),
            files,
            remarks: &[],
        };
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::find(Some(place.path()));
        Toy { set, folder, place }
    }

    pub fn fetch(&self, mirror: &str) -> Result<Fetched, Error> {
        fetch(&self.set, &self.folder, &options(mirror), &mut |_| {})
    }

    pub fn target(&self) -> PathBuf {
        self.place.path().join("toy").join("data.bin")
    }

    pub fn part(&self) -> PathBuf {
        self.place.path().join("toy").join("data.bin.part")
    }

    /// Leaves an unfinished file behind.
    pub fn leave_part(&self, content: &[u8]) {
        std::fs::create_dir_all(self.place.path().join("toy")).unwrap();
        std::fs::write(self.part(), content).unwrap();
    }

    /// The content of the part, and that nothing has the final name.
    pub fn half(&self) -> Vec<u8> {
        assert!(!self.target().exists(), "half a file has the final name");
        std::fs::read(self.part()).unwrap()
    }

    /// The file has its name and these bytes, and nothing else is there.
    pub fn assert_whole(&self, content: &[u8]) {
        assert!(std::fs::read(self.target()).unwrap() == content, "other bytes");
        assert!(!self.part().exists());
    }

    pub fn assert_nothing(&self) {
        assert!(!self.target().exists());
        assert!(!self.part().exists());
    }
}

/// Patience that is short where a test waits for it to end, and else of no matter.
pub fn options(mirror: &str) -> Options {
    let stall_timeout = Duration::from_secs(20);
    Options { mirror: Some(mirror.into()), stall_timeout, ..Options::default() }
}

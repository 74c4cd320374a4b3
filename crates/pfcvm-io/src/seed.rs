//! The recordings of SEED, EEG of people who watch films, from the files of features it comes with.
//!
//! The set is under licence and no part of this library. Its folder `ExtractedFeatures` holds
//! `label.mat`, with 1, 0 or −1 for each of 15 film clips (positive, neutral, negative), and a file
//! per subject and session such as `1_20131027.mat`. Of the many variables in it, `de_LDS1` to
//! `de_LDS15` are read: the smoothed differential entropy of 62 channels in T windows of time and 5
//! bands of frequency. The files are MATLAB's of version 5 to 7, packed or not; those of version
//! 7.3 are refused.
//!
//! [`Recordings::split`] gives positive against negative as the paper has it, "1,376 samples as the
//! training set (recorded from three positive and three negative film clips), the remaining in the
//! same session as a test set". The sentence does not name the clips. Here they are the first three
//! of each class in the order of the films, and the published labels and lengths agree: their windows
//! of one second add up to 1376, and those of the others to 914.
//!
//! | | positive (windows) | negative (windows) | rows |
//! |---|---|---|---|
//! | training | 1 (235), 6 (195), 9 (265) | 3 (206), 4 (238), 7 (237) | 1376 |
//! | test | 10 (237), 14 (238) | 12 (233), 15 (206) | 914 |
//!
//! ```
//! use pfcvm_io::seed::Recordings;
//!
//! let recordings = Recordings::open("tests/seed/features")?; // made up, with few windows
//! let session = &recordings.sessions()[0];
//! assert_eq!((session.subject, session.date.as_str()), (1, "20131027"));
//! let split = recordings.split(session)?;
//! assert_eq!(split.training.x().cols(), 310);
//! assert_eq!(split.feature_names[6], "FPZ theta");
//! assert_eq!(split.training_clips, [1, 3, 4, 6, 7, 9]);
//! # Ok::<(), pfcvm_io::Error>(())
//! ```

mod clips;

use crate::{Error, input, mat};
use pfcvm::Dataset;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// The channels in the order of the files.
#[rustfmt::skip]
pub const CHANNELS: [&str; 62] = [
    "FP1", "FPZ", "FP2", "AF3", "AF4",
    "F7", "F5", "F3", "F1", "FZ", "F2", "F4", "F6", "F8",
    "FT7", "FC5", "FC3", "FC1", "FCZ", "FC2", "FC4", "FC6", "FT8",
    "T7", "C5", "C3", "C1", "CZ", "C2", "C4", "C6", "T8",
    "TP7", "CP5", "CP3", "CP1", "CPZ", "CP2", "CP4", "CP6", "TP8",
    "P7", "P5", "P3", "P1", "PZ", "P2", "P4", "P6", "P8",
    "PO7", "PO5", "PO3", "POZ", "PO4", "PO6", "PO8",
    "CB1", "O1", "OZ", "O2", "CB2",
];

/// The bands of frequency in the order of the files.
pub const BANDS: [&str; 5] = ["delta", "theta", "alpha", "beta", "gamma"];

/// Film clips of a session.
const CLIPS: usize = 15;
/// Clips of a class, and how many of them train.
const PER_CLASS: usize = 5;
const TRAINING: usize = 3;

/// Names of the features: `FP1 delta`, `FP1 theta`, … `CB2 gamma`, all bands of a channel together.
pub fn feature_names() -> Vec<String> {
    let bands = |channel| BANDS.iter().map(move |band| format!("{channel} {band}"));
    CHANNELS.iter().flat_map(bands).collect()
}

/// One sitting of one subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Number of the subject.
    pub subject: u32,
    /// The day as the file's name has it: year, month and day in eight digits.
    pub date: String,
    /// The file.
    pub path: PathBuf,
}

impl Session {
    /// From a path that ends in such as `1_20131027.mat`; nothing for other names.
    fn from_path(path: PathBuf) -> Option<Self> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let name = path.file_name()?.to_str()?.strip_suffix(".mat")?;
        let (subject, date) = name.split_once('_')?;
        if !digits(subject) || !digits(date) || date.len() != 8 {
            return None;
        }
        Some(Self { subject: subject.parse().ok()?, date: date.into(), path })
    }
}

/// A folder of recordings.
#[derive(Debug, Clone)]
pub struct Recordings {
    sessions: Vec<Session>,
    labels: [i8; CLIPS],
}

/// The rows of a session: positive clips against negative ones.
///
/// One row per window of time, in the order of the films; the columns are those of
/// [`feature_names`].
#[derive(Debug, Clone)]
pub struct SeedSplit {
    /// The first three positive and the first three negative clips.
    pub training: Dataset,
    /// The other two and two.
    pub test: Dataset,
    /// Names of the 310 columns.
    pub feature_names: Vec<String>,
    /// Clips of the training rows, counted from 1.
    pub training_clips: Vec<usize>,
    /// Clips of the test rows, counted from 1.
    pub test_clips: Vec<usize>,
}

impl Recordings {
    /// Reads the labels and finds the files of sessions, ordered by subject and date. Other files
    /// are left alone.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let within = |error: Error| error.within(&folder.display().to_string());
        let failed = |error| within(Error::Unreadable(error));
        let refuse = |text: &str| within(Error::Recordings(text.into()));
        let mut sessions = Vec::new();
        for entry in folder.read_dir().map_err(failed)? {
            sessions.extend(Session::from_path(entry.map_err(failed)?.path()));
        }
        sessions.sort_by(|a: &Session, b| {
            (a.subject, &a.date, &a.path).cmp(&(b.subject, &b.date, &b.path))
        });
        let path = folder.join("label.mat");
        if !path.exists() {
            return Err(refuse(
                "there is no label.mat; name the folder of SEED's features (ExtractedFeatures)",
            ));
        }
        if sessions.is_empty() {
            return Err(refuse(
                "there is no session beside label.mat; files named by subject and date, such as \
                 1_20131027.mat, are expected",
            ));
        }
        let labels = input::open(&path).and_then(read_labels);
        let labels = labels.map_err(|error| error.within(&path.display().to_string()))?;
        Ok(Self { sessions, labels })
    }

    /// The sessions, by subject and date.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// What the clips are: 1, 0 or −1 for positive, neutral and negative.
    pub fn labels(&self) -> &[i8] {
        &self.labels
    }

    /// Reads the positive and the negative clips of a session; see the [module](self) for which of
    /// them train.
    pub fn split(&self, session: &Session) -> Result<SeedSplit, Error> {
        let split = input::open(&session.path).and_then(|file| split(file, &self.labels));
        split.map_err(|error| error.within(&session.path.display().to_string()))
    }
}

/// Something wrong with a variable.
fn in_variable(name: &str, problem: Error) -> Error {
    Error::InVariable { name: name.into(), problem: Box::new(problem) }
}

/// Reads `label` of label.mat.
fn read_labels(reader: impl Read + Seek) -> Result<[i8; CLIPS], Error> {
    let refuse = |text: String| in_variable("label", Error::Matlab(text));
    let mut found = None;
    mat::for_each(reader, |variable| {
        if variable.name == "label" {
            let within = |error| in_variable("label", error);
            variable.check_numeric().map_err(within)?;
            if variable.count() != Some(CLIPS as u64) {
                let shape = variable.shape();
                return Err(refuse(format!("{shape} where 1 x {CLIPS} is expected (clips)")));
            }
            found = Some(variable.values().map_err(within)?);
        }
        Ok(())
    })?;
    let values = found.ok_or_else(|| {
        Error::Matlab("there is no variable `label`; the file is not SEED's label.mat".into())
    })?;
    let mut labels = [0; CLIPS];
    for (clip, value) in values.into_iter().enumerate() {
        if ![1.0, 0.0, -1.0].contains(&value) {
            let clip = clip + 1;
            return Err(refuse(format!("clip {clip} has {value} where 1, 0 or -1 is expected")));
        }
        labels[clip] = value as i8;
    }
    let count = |wanted: i8| labels.iter().filter(|&&label| label == wanted).count();
    if (count(1), count(-1)) != (PER_CLASS, PER_CLASS) {
        return Err(refuse(format!(
            "{} clips are positive and {} negative where {PER_CLASS} of each are expected",
            count(1),
            count(-1)
        )));
    }
    Ok(labels)
}

/// What [`Recordings::split`] does, with a file from wherever.
pub(crate) fn split(reader: impl Read + Seek, labels: &[i8; CLIPS]) -> Result<SeedSplit, Error> {
    let (mut training_clips, mut test_clips) = (Vec::new(), Vec::new());
    let mut seen = [0; 2];
    for (at, &label) in labels.iter().enumerate().filter(|(_, label)| **label != 0) {
        let seen = &mut seen[usize::from(label > 0)];
        *seen += 1;
        if *seen <= TRAINING { &mut training_clips } else { &mut test_clips }.push(at + 1);
    }
    let clips = clips::read(reader, |clip| labels[clip - 1] != 0)?;
    let dataset = |numbers: &[usize]| clips::dataset(&clips, numbers, |at| labels[at - 1] > 0);
    Ok(SeedSplit {
        training: dataset(&training_clips)?,
        test: dataset(&test_clips)?,
        feature_names: feature_names(),
        training_clips,
        test_clips,
    })
}

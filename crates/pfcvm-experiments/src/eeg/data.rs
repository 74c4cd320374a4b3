//! EEG recordings as data sets with splits.

use crate::setup::{drawn as drawn_splits, two_classes};
use crate::{Error, Setup};
use pfcvm::Matrix;
use pfcvm::data::Columns;
use pfcvm::multiclass::Dataset;
use pfcvm_eval::{Split, leave_group_out};
use pfcvm_io::generate::eeg_like;
use pfcvm_io::seed::{BANDS, CHANNELS, Recordings, SeedSplit};
use std::sync::Arc;

/// Rows that train and test in one session of SEED.
const DRAWN: (usize, usize) = (1376, 914);

/// Something to be tried on.
pub(crate) struct Part {
    /// Its name on the page.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    pub data: Arc<Dataset>,
    pub groups: Option<Arc<Vec<usize>>>,
    pub splits: Arc<Vec<Split>>,
    /// Electrode and band of each feature.
    pub features: Vec<(String, String)>,
}

impl Part {
    /// The same recordings with all bands of an electrode as one feature, and the electrodes in the order of
    /// these features.
    pub fn by_electrode(&self) -> Result<(Arc<Dataset>, Vec<String>), Error> {
        let mut electrodes: Vec<String> = Vec::new();
        let mut owner = |(electrode, _): &(String, String)| {
            let known = electrodes.iter().position(|known| known == electrode);
            known.unwrap_or_else(|| {
                electrodes.push(electrode.clone());
                electrodes.len() - 1
            })
        };
        let owners: Vec<usize> = self.features.iter().map(&mut owner).collect();
        let columns = Columns::numbers(owners.len()).grouped(&owners)?;
        Ok((Arc::new(Dataset::clone(&self.data).with_columns(columns)?), electrodes))
    }
}

/// What there is, and whether it is the paper's.
pub(crate) fn load(setup: &Setup) -> Result<(Vec<Part>, bool), Error> {
    let seed_folder = setup.folder.as_ref().map(|folder| folder.join("seed"));
    if let Some(folder) = seed_folder.filter(|folder| folder.is_dir()) {
        return Ok((sessions(&Recordings::open(&folder)?, setup.quick)?, true));
    }
    let mut parts = Vec::new();
    if let Some((data, names)) = setup.two_classes("eeg_alcoholism_de")? {
        parts.extend(alcoholism(setup, data, &names)?);
    }
    parts.push(drawn(setup)?);
    Ok((parts, false))
}

/// A part for each session of SEED.
fn sessions(recordings: &Recordings, quick: bool) -> Result<Vec<Part>, Error> {
    let count = if quick { 1 } else { usize::MAX };
    let mut parts = Vec::new();
    for session in recordings.sessions().iter().take(count) {
        let split = recordings.split(session)?;
        let name = format!("subject {} on {}", session.subject, session.date);
        parts.push(one_session(name, split)?);
    }
    Ok(parts)
}

fn one_session(name: String, split: SeedSplit) -> Result<Part, Error> {
    let (train, test) = (split.training.len(), split.test.len());
    let (a, b) = (split.training.x(), split.test.x());
    let value = |row: usize, col: usize| match row < train {
        true => a.get(row, col),
        false => b.get(row - train, col),
    };
    let x = Matrix::from_fn(train + test, a.cols(), value);
    let positive = [split.training.positive(), split.test.positive()].concat();
    let codes = positive.into_iter().map(usize::from).collect();
    let names = vec!["-1".into(), "1".into()];
    Ok(Part {
        about: "SEED, the paper's data: three positive and three negative clips train, the other \
                four test"
            .into(),
        data: Arc::new(Dataset::new(x, codes, names)?),
        groups: None,
        splits: first_and_rest(train, test),
        features: split.feature_names.iter().map(|name| words(name, ' ', false)).collect(),
        name,
    })
}

/// The leading rows train, the others test.
fn first_and_rest(train: usize, test: usize) -> Arc<Vec<Split>> {
    let split = Split { train: (0..train).collect(), test: (train..train + test).collect() };
    Arc::new(vec![split])
}

/// UCI's recordings: the given split, and each subject by the others.
fn alcoholism(setup: &Setup, data: Dataset, names: &[String]) -> Result<Vec<Part>, Error> {
    let file = "eeg_alcoholism_de/samples.csv";
    let (Some(split), Some(subject)) =
        (setup.side_column(file, "split")?, setup.side_column(file, "subject")?)
    else {
        return Ok(vec![]);
    };
    if split.len() != data.len() {
        let reason = format!("{} lines for {} rows", split.len(), data.len());
        return Err(Error::SideFile { file: file.into(), reason });
    }
    let data = Arc::new(data);
    let features: Vec<(String, String)> = names.iter().map(|name| words(name, '_', true)).collect();
    let mut subjects: Vec<&String> = subject.iter().collect();
    subjects.sort_unstable();
    subjects.dedup();
    let groups: Vec<usize> =
        subject.iter().map(|name| subjects.binary_search(&name).unwrap_or(0)).collect();
    let (train, test) = (0..data.len()).partition(|&row| split[row] == "train");
    let given = Part {
        name: "UCI alcoholism, given split".into(),
        about:
            "UCI's EEG of alcoholics and controls, not the paper's data; the same 16 people train \
                and test, so recognising the person is rewarded"
                .into(),
        data: data.clone(),
        groups: Some(Arc::new(groups.clone())),
        splits: Arc::new(vec![Split { train, test }]),
        features: features.clone(),
    };
    if setup.quick {
        return Ok(vec![given]);
    }
    let splits = drawn_splits("one subject left out", leave_group_out(data.codes(), &groups))?;
    let by_subject = Part {
        name: "UCI alcoholism, one subject left out".into(),
        about: "the same recordings, each person tested by a model of the others".into(),
        splits,
        data,
        groups: Some(Arc::new(groups)),
        features,
    };
    Ok(vec![given, by_subject])
}

/// Data of the paper's size with a known truth.
fn drawn(setup: &Setup) -> Result<Part, Error> {
    let (train, test) = match setup.quick {
        true => (DRAWN.0 / 4, DRAWN.1),
        false => DRAWN,
    };
    let table = eeg_like(train + test, setup.seed);
    // Band by band, as many channels as the cap has.
    let feature = |at: usize| {
        let (band, channel) = (at / CHANNELS.len(), at % CHANNELS.len());
        (CHANNELS[channel].to_string(), BANDS[band].to_string())
    };
    let features = (0..table.x().cols()).map(feature).collect();
    Ok(Part {
        name: "drawn".into(),
        about: format!("EEG-like data drawn with seed {}, not the paper's", setup.seed),
        data: Arc::new(two_classes(table, "-1", "1")?),
        groups: None,
        splits: first_and_rest(train, test),
        features,
    })
}

/// Electrode and band from a feature's name, whichever comes first.
fn words(name: &str, separator: char, band_first: bool) -> (String, String) {
    let (first, second) = name.split_once(separator).unwrap_or((name, ""));
    match band_first {
        true => (second.to_string(), first.to_string()),
        false => (first.to_string(), second.to_string()),
    }
}

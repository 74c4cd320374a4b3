//! Split files: which rows of which data file train and test.

use anyhow::{Context, Result, ensure};
use pfcvm::Dataset;
use pfcvm_io::generate::WAVE_FEATURES;
use pfcvm_io::{Input, ReadOptions, Table, read_table};
use serde::Deserialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// What a split file holds. Rows count from 0, over all rows of the data file.
#[derive(Debug, Deserialize)]
pub struct Experiment {
    /// The experiment's name.
    pub name: String,
    /// The data file, relative to the data folder.
    pub data: String,
    /// How the rows were chosen, in words.
    pub protocol: String,
    /// The seed they were chosen with, if any.
    pub seed: Option<u64>,
    /// The labels of the negative and of the positive class.
    pub labels: [i64; 2],
    /// The splits.
    pub splits: Vec<Split>,
}

/// One division of the rows.
#[derive(Debug, Deserialize)]
pub struct Split {
    /// Rows to fit.
    pub train: Vec<usize>,
    /// Rows to predict.
    pub test: Vec<usize>,
}

impl Experiment {
    /// Reads a split file.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let experiment: Self = serde_json::from_reader(BufReader::new(file))
            .with_context(|| format!("{} is not a split file", path.display()))?;
        ensure!(!experiment.splits.is_empty(), "{} holds no splits", path.display());
        Ok(experiment)
    }

    /// Reads the data the splits belong to.
    pub fn table(&self, folder: &Path) -> Result<Table> {
        let file = Input::from(folder.join(&self.data));
        Ok(read_table(&file, &ReadOptions::default(), &mut |_| ())?)
    }

    /// Training and test data of one split.
    pub fn pair(&self, table: &Table, split: usize) -> Result<(Dataset, Dataset)> {
        let [negative, positive] = &self.labels.map(|label| label.to_string());
        let Split { train, test } = &self.splits[split];
        Ok((table.rows(train, negative, positive)?, table.rows(test, negative, positive)?))
    }

    /// The first of the trailing features that are known to be noise; only the waveform file has
    /// such.
    pub fn first_noise_feature(&self) -> Option<usize> {
        self.data.starts_with("waveform_noise/").then_some(WAVE_FEATURES)
    }
}

//! Split files: which rows of which data file train and test.

use anyhow::{Context, Result, ensure};
use pfcvm_eval::Split;
use pfcvm_io::generate::WAVE_FEATURES;
use pfcvm_io::{Input, ReadOptions, Table, read_table};
use pfcvm_methods::Spec;
use pfcvm_study::{Contender, Study};
use serde::Deserialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

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
    pub splits: Vec<Rows>,
}

/// One division of the rows.
#[derive(Debug, Deserialize)]
pub struct Rows {
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

    /// The study of a method on the first `limit` splits.
    pub fn study(&self, table: Table, method: &Spec, limit: usize) -> Result<Study> {
        let [negative, positive] = &self.labels.map(|label| label.to_string());
        let rows = table.rows_of(negative, positive)?;
        let place = |row: &usize| {
            let place = rows.binary_search(row).ok();
            place.with_context(|| format!("row {row} is of neither class"))
        };
        let split = |split: &Rows| {
            Ok(Split {
                train: split.train.iter().map(place).collect::<Result<_>>()?,
                test: split.test.iter().map(place).collect::<Result<_>>()?,
            })
        };
        Ok(Study {
            name: format!("{} {method}", self.name),
            splits: Arc::new(self.splits.iter().take(limit).map(split).collect::<Result<_>>()?),
            data: Arc::new(table.into_two_classes(negative, positive)?),
            groups: None,
            contender: Contender::fixed(method.clone()),
            seed: 0,
            keep_predictions: false,
        })
    }

    /// The first of the trailing features that are known to be noise; only the waveform file has
    /// such.
    pub fn first_noise_feature(&self) -> Option<usize> {
        self.data.starts_with("waveform_noise/").then_some(WAVE_FEATURES)
    }
}

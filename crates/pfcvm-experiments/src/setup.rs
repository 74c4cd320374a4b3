//! What an experiment has to work with.

use crate::{Error, Experiment};
use pfcvm::multiclass::{Dataset, Scheme};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Kernel, Settings};
use pfcvm_eval::Split;
use pfcvm_io::{Input, ReadOptions, Table, read_table};
use pfcvm_methods::{Grid, Refusal, Spec, find};
use pfcvm_study::{Contender, Outcome, Repeated, Study};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How an experiment is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Fewer splits and methods, in minutes.
    pub quick: bool,
    /// Folder with the data sets, where there is one.
    pub folder: Option<PathBuf>,
    /// Seed of splits and generated data.
    pub seed: u64,
}

/// Who does the folds of an experiment: records them, shows how far they are.
pub trait Bench {
    /// Does all folds of some studies; `part` tells them from others of the same experiment.
    fn run(
        &self,
        experiment: Experiment,
        part: &str,
        studies: &[Study],
    ) -> Result<Vec<Vec<Outcome>>, Error>;

    /// Does all repetitions of some trials; one that is refused ends the experiment.
    fn repeat(
        &self,
        experiment: Experiment,
        part: &str,
        trials: &[Trial],
    ) -> Result<Vec<Vec<Measured>>, Error>;
}

/// What one repetition of a trial measured.
pub type Measured = Vec<f64>;

/// Something that is measured several times, on data drawn anew each time.
pub struct Trial<'a> {
    /// Unlike that of every other trial of its part.
    pub name: String,
    /// How many times.
    pub times: usize,
    /// Measures once; finite numbers that depend on nothing but which time it is.
    pub once: &'a (dyn Fn(usize) -> Result<Measured, Error> + Sync),
}

impl Repeated for Trial<'_> {
    type Outcome = Measured;

    fn name(&self) -> &str {
        &self.name
    }

    fn times(&self) -> usize {
        self.times
    }

    fn once(&self, number: usize) -> Result<Measured, Refusal> {
        Ok((self.once)(number)?)
    }
}

impl Trial<'_> {
    /// What all repetitions measured, if each measured something.
    ///
    /// # Errors
    /// With the first reason.
    pub fn complete(
        &self,
        outcomes: Vec<Result<Measured, String>>,
    ) -> Result<Vec<Measured>, Error> {
        let refused = |reason| Error::Trial { trial: self.name.clone(), reason };
        outcomes.into_iter().map(|outcome| outcome.map_err(refused)).collect()
    }
}

impl Setup {
    /// The path of a file in the data folder, if it is there.
    pub fn path(&self, file: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(file)).filter(|path| path.is_file())
    }

    /// A data set, if it is there.
    pub fn table(&self, set: &str) -> Result<Option<Table>, Error> {
        let files = [format!("{set}/data.csv.gz"), format!("{set}/data.csv")];
        let Some(path) = files.iter().find_map(|file| self.path(file)) else { return Ok(None) };
        let table = read_table(&Input::from(path), &ReadOptions::default(), &mut |_| ())?;
        Ok(Some(table))
    }

    /// The two classes −1 and 1 of a data set, with the names of its features.
    pub fn two_classes(&self, set: &str) -> Result<Option<(Dataset, Vec<String>)>, Error> {
        let Some(table) = self.table(set)? else { return Ok(None) };
        let names = table.feature_names().to_vec();
        Ok(Some((two_classes(table, "-1", "1")?, names)))
    }

    /// A study without groups that keeps what is said about each test row.
    pub(crate) fn study(
        &self,
        name: String,
        data: &Arc<Dataset>,
        splits: &Arc<Vec<Split>>,
        contender: &Contender,
    ) -> Study {
        Study {
            name,
            data: data.clone(),
            scheme: Scheme::default(),
            groups: None,
            splits: splits.clone(),
            contender: contender.clone(),
            seed: self.seed,
            keep_predictions: true,
        }
    }

    /// A column of a side file, if the file is there.
    pub fn side_column(&self, file: &str, column: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(path) = self.path(file) else { return Ok(None) };
        let wrong = |reason: String| Error::SideFile { file: shown(&path), reason };
        let mut reader = csv::Reader::from_path(&path).map_err(|error| wrong(error.to_string()))?;
        let head = reader.headers().map_err(|error| wrong(error.to_string()))?;
        let at = head.iter().position(|name| name == column);
        let at = at.ok_or_else(|| wrong(format!("there is no column `{column}`")))?;
        let cells = reader.records().map(|record| {
            let record = record.map_err(|error| wrong(error.to_string()))?;
            record.get(at).map(str::to_string).ok_or_else(|| wrong("a line is too short".into()))
        });
        cells.collect::<Result<_, Error>>().map(Some)
    }
}

/// Two classes of a table as data.
pub fn two_classes(table: Table, negative: &str, positive: &str) -> Result<Dataset, Error> {
    Ok(table.into_classes(Some((negative, positive)))?.0)
}

/// Splits that were drawn, or why they could not be.
pub fn drawn(
    protocol: &str,
    splits: Result<Vec<Split>, pfcvm_eval::Error>,
) -> Result<Arc<Vec<Split>>, Error> {
    let refused = |source| pfcvm_study::Error::Splits { protocol: protocol.into(), source };
    Ok(Arc::new(splits.map_err(refused)?))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The default without what held-out rows say of a fit. The paper's figures are about the model and
/// its list; asking held-out rows takes four times as long, leaves the list as it is and calibrates
/// the weights. The methods by name have `certainty=off` for the same reason.
pub(crate) fn unjudged(kernel: Kernel) -> Settings {
    Settings { certainty: CertaintyPolicy::Off, ..Settings::new(kernel) }
}

/// Those of some methods that are there; a method is there if all its parts are.
pub fn available<'a>(methods: &[&'a str]) -> Vec<&'a str> {
    methods.iter().copied().filter(|method| is_available(method)).collect()
}

/// Whether a method is there.
pub fn is_available(method: &str) -> bool {
    method.split('+').all(|part| find(part.split('/').next().unwrap_or_default()).is_ok())
}

/// A method with settings chosen inside each training part: over its own grid, or, where it has
/// none, as it is.
pub fn nested(method: &str) -> Result<Contender, Error> {
    let spec: Spec = method.parse()?;
    let grid = spec.grid();
    if grid.is_empty() {
        return Ok(Contender::fixed(spec));
    }
    Ok(Contender::nested(spec, grid)?)
}

/// Every point of the grid as a contender of its own; the method as it is where there is no grid.
pub fn points(method: &str, grid: Option<Grid>) -> Result<Vec<Contender>, Error> {
    let spec: Spec = method.parse()?;
    let grid = grid.unwrap_or_else(|| spec.grid());
    let at = |point: Vec<(String, String)>| {
        let mut spec = spec.clone();
        point.iter().try_for_each(|(key, value)| spec.set(key, value))?;
        spec.build()?;
        Ok(Contender::fixed(spec))
    };
    grid.points().into_iter().map(at).collect()
}

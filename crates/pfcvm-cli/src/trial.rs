//! Methods tried on data: what `evaluate` and `compare` share.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::note;
use crate::progress;
use crate::reading;
use pfcvm::multiclass::Dataset;
use pfcvm_data::{Folder, catalogue};
use pfcvm_io::{Input, ReadOptions, Rows, Wanted};
use pfcvm_study::{
    Choice, Contender, Cv, GivenSplits, Identity, Journal, Outcomes, Repeated, Study,
    at_least_one_fold, numbered_groups,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Data as they are tried on.
pub struct Loaded {
    /// The file as it was named, or the data set's name.
    pub name: String,
    /// What to call the data in a title.
    pub title: String,
    pub data: Arc<Dataset>,
    pub feature_names: Vec<String>,
    /// Which rows of the file these are.
    pub rows: Vec<usize>,
    /// A name for every row, where the protocol goes by groups.
    pub groups: Option<Vec<String>>,
    /// Splits that a file gives.
    pub given: Option<GivenSplits>,
    pub notes: Vec<String>,
}

/// Reads all rows of the classes that are meant, and the groups or splits if the protocol asks for
/// them.
pub fn load(path: &Path, reading: &args::Reading, trial: &args::Trial) -> Outcome<Loaded> {
    let (name, input) = named(path, trial.data_folder.as_deref())?;
    let mut how = reading::options(reading)?;
    let groups = match &trial.cv {
        Cv::Groups { column } => Some(read_groups(&input, column, &mut how)?),
        _ => None,
    };
    let given = match &trial.cv {
        Cv::Given { file } => Some(GivenSplits::read(file)?),
        _ => None,
    };
    let (table, _) = reading::table(&input, &how)?;
    let in_file: Vec<usize> = (0..table.x().rows()).map(|row| table.row_in_file(row)).collect();
    let mut notes = table.notes().to_vec();
    let feature_names = table.feature_names().to_vec();
    let of_splits = given.as_ref().and_then(GivenSplits::classes);
    let asked = reading.classes.as_ref().or(of_splits.as_ref());
    let asked = asked.map(|(negative, positive)| (negative.as_str(), positive.as_str()));
    let (data, rows) =
        table.into_classes(asked).map_err(|error| error.within(&input.to_string()))?;
    let others = in_file.len() - rows.len();
    if others > 0 {
        notes.push(format!("{name}: {others} rows of other classes are left out"));
    }
    let rows: Vec<usize> = rows.into_iter().map(|row| in_file[row]).collect();
    Ok(Loaded {
        title: match &input {
            Input::File(path) if path.display().to_string() == name => reading::file_name(&input),
            _ => name.clone(),
        },
        name,
        groups: groups.map(|all| rows.iter().map(|&row| all[row].clone()).collect()),
        data: Arc::new(data),
        feature_names,
        rows,
        given,
        notes,
    })
}

/// A file by its path, or a data set by its name.
fn named(path: &Path, folder: Option<&Path>) -> Outcome<(String, Input)> {
    let input = Input::from(path.to_path_buf());
    if matches!(input, Input::Stdin) {
        return Ok(("standard input".into(), input));
    }
    let name = path.display().to_string();
    let set = match path.exists() {
        true => None,
        false => catalogue().find(|set| set.name == name),
    };
    let Some(set) = set else {
        // A word that is no file may be meant as the name of a data set.
        let like = pfcvm_data::find(&name).err().map(|error| error.to_string());
        return match like.filter(|like| !path.exists() && like.contains("did you mean")) {
            Some(like) => Err(Failure::Data(format!("{name}: there is no such file; {like}"))),
            None => Ok((name, input)),
        };
    };
    let folder = Folder::find(folder);
    match folder.locate(set) {
        Some(path) => Ok((name, Input::from(path))),
        None => Err(Failure::Data(format!(
            "{name} is not in {}; {}",
            folder.path().display(),
            set.how_to_get()
        ))),
    }
}

/// The group of every row, from a column that is then no feature.
fn read_groups(input: &Input, column: &str, how: &mut ReadOptions) -> Outcome<Vec<String>> {
    let once = match input {
        Input::Stdin => true,
        // A folder or nothing at all is told by who opens it.
        Input::File(path) => path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir()),
    };
    if once {
        return Err(Failure::Usage(format!(
            "groups cannot be read from {input}, which can be read only once; name a file"
        )));
    }
    // The label stays the column it would be without groups.
    let usual = Rows::open(input, how)?;
    let label = usual.label_column()?.map(|at| usual.columns().swap_remove(at));
    let options = ReadOptions { label: Some(column.into()), ..how.clone() };
    let rows = Rows::open(input, &options)?;
    if rows.unnamed_columns().is_none() && rows.label_column().is_err() {
        return Err(Failure::Data(format!("{input}: there is no column `{column}` to group by")));
    }
    let name = match (rows.label_column()?, rows.unnamed_columns()) {
        (Some(at), None) => rows.columns().swap_remove(at),
        _ => {
            return Err(Failure::Data(format!(
                "{input}: groups need a column with a name; give columns names"
            )));
        }
    };
    let mut groups = Vec::new();
    let wanted = Wanted { features: vec![], label: true, ..Wanted::default() };
    rows.for_each(
        &wanted,
        |block| -> Outcome<_> { Ok(Vec::from_iter(block.labels.iter().map(String::from))) },
        |names, _| {
            groups.extend(names);
            Ok(())
        },
    )?;
    if let Some(row) = groups.iter().position(String::is_empty) {
        let row = row + 1;
        return Err(Failure::Data(format!(
            "{input}: row {row} has no group in column `{name}`; fill it in or drop the row"
        )));
    }
    if label.as_ref() == Some(&name) {
        return Err(Failure::Usage(format!(
            "{input}: `{name}` is the label; group by another column, or name the label with --label"
        )));
    }
    how.label = label;
    how.ignore.push(name);
    Ok(groups)
}

/// A method as it was asked for.
pub fn contender(text: &str, set: &[String], trial: &args::Trial) -> Outcome<Contender> {
    let choice = match trial.choose {
        args::Choose::Errors => Choice::FewestErrors,
        args::Choose::Shortest => Choice::Shortest,
    };
    let among = trial.nested.then_some((&trial.grid[..], choice));
    Ok(Contender::of_texts(text, set, among)?)
}

/// The study of each method on data, on the splits of the protocol.
pub fn studies(
    loaded: &Loaded,
    contenders: &[Contender],
    trial: &args::Trial,
) -> Outcome<Vec<Study>> {
    let classes = loaded.data.class_names().len();
    contenders.iter().try_for_each(|contender| contender.spec().check_classes(classes))?;
    let groups = loaded.groups.as_deref();
    let splits = match &loaded.given {
        Some(given) => given.among(&loaded.rows),
        None => trial.cv.splits(loaded.data.codes(), groups, trial.seed),
    };
    let splits = splits.map_err(|error| Failure::Data(format!("{}: {error}", loaded.name)))?;
    let splits = Arc::new(splits);
    let numbers = groups.map(|names| Arc::new(numbered_groups(names).0));
    let study = |contender: &Contender| Study {
        name: format!("{} | {}", loaded.name, contender.label()),
        data: loaded.data.clone(),
        scheme: trial.scheme,
        groups: numbers.clone(),
        splits: splits.clone(),
        contender: contender.clone(),
        seed: trial.seed,
        keep_predictions: true,
    };
    Ok(contenders.iter().map(study).collect())
}

/// Does all folds, those that an earlier run left aside.
pub fn run(studies: &[Study], trial: &args::Trial) -> Outcome<Vec<Vec<pfcvm_study::Outcome>>> {
    // The protocol and its seed are told first where they differ.
    let identity = Identity::of_program()
        .with("cv", trial.cv.to_string())
        .with("seed", trial.seed.to_string())
        .with_studies(studies);
    let (folder, keep) = match &trial.results {
        Some(folder) => (Some(folder.clone()), true),
        None => (cache_folder(&identity), false),
    };
    let journal = match &folder {
        // Without a place for it, or where another run of the same has it, a run is still worth doing.
        None => None,
        Some(folder) => match Journal::open(folder, &identity, trial.fresh) {
            Ok(journal) => Some(if keep { journal } else { journal.dispensable() }),
            Err(pfcvm_study::Error::Record { .. } | pfcvm_study::Error::Busy { .. }) if !keep => {
                None
            }
            Err(error) => return Err(error.into()),
        },
    };
    studies.iter().try_for_each(|study| check_memory(study, None))?;
    let outcomes = with_bar("", studies, journal.as_ref())?;
    if let Some(journal) = journal.filter(|_| !keep) {
        journal.remove();
    }
    Ok(outcomes)
}

/// Refuses what would need more memory than was `told`, or than the system gives, before it starts.
pub fn check_memory(study: &Study, told: Option<u64>) -> Outcome {
    let rows = study.splits.iter().map(|split| split.train.len()).max().unwrap_or(0);
    let at_once = study.splits.len().clamp(1, rayon::current_num_threads());
    let limit = usize::try_from(reading::memory_limit(told)).unwrap_or(usize::MAX);
    let size = (rows, study.data.x().cols());
    let checked = study.contender.spec().check_memory(size, at_once, limit);
    checked.map_err(|error| Failure::Data(error.to_string()))
}

/// Runs with a bar; says how much was found of an earlier run.
pub fn with_bar<T: Repeated>(
    what: &str,
    studies: &[T],
    journal: Option<&Journal<T::Outcome>>,
) -> Result<Outcomes<T>, pfcvm_study::Error> {
    if journal.is_some() {
        interrupt::goes_on();
    }
    let bar = progress::folds(what);
    let outcomes = pfcvm_study::run(studies, journal, &|now| {
        if now.done == now.found && now.found > 0 {
            note(&format!("going on: {} of {} folds are done already", now.found, now.total));
        }
        bar.set_length(now.total as u64);
        bar.set_position(now.done as u64);
    });
    bar.finish_and_clear();
    outcomes
}

/// A folder of the user's cache for this very run.
fn cache_folder(identity: &Identity) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(cache.join("pfcvm").join("runs").join(identity.digest()))
}

/// Failed folds, one sentence each; a method that never worked ends the command.
pub fn tell_failures(studies: &[Study], outcomes: &[Vec<pfcvm_study::Outcome>]) -> Outcome {
    const TOLD: usize = 5;
    for (study, all) in studies.iter().zip(outcomes) {
        let failed: Vec<(usize, &String)> = all
            .iter()
            .enumerate()
            .filter_map(|(at, outcome)| Some((at + 1, outcome.as_ref().err()?)))
            .collect();
        for (fold, reason) in failed.iter().take(TOLD) {
            let (name, all) = (&study.name, all.len());
            note(&format!("note: {name}: fold {fold} of {all} failed: {reason}"));
        }
        if failed.len() > TOLD {
            note(&format!("note: {}: {} more folds failed", study.name, failed.len() - TOLD));
        }
    }
    Ok(at_least_one_fold(outcomes)?)
}

//! `pfcvm fit`: from a file of labelled rows to a model.

use crate::account::{self, Account, Best, Summary, Test};
use crate::args;
use crate::failure::{Failure, Outcome};
use crate::learn::{self, Choice, Learned, Predictor, Training};
use crate::output::{self, Outputs, note};
use crate::reading::{self, LabelColumn};
use crate::{multiclass, page, words};
use pfcvm::{ClassWeights, PanelSettings, Settings, Termination};
use pfcvm_io::{Block, Input, ModelFile, ReadOptions, Table, Wanted, same_class};
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(options: &args::Fit) -> Outcome {
    // Before anything is read: what the options say must go together.
    let stages = settings(options, ClassWeights::Equal).stages_of_fit();
    stages.map_err(|error| Failure::Usage(error.to_string()))?;
    reading::use_threads(options.threads)?;
    let data = Some(options.data.as_path());
    let inputs = [data, options.test.as_deref()];
    output::check(&[options.model.as_deref(), options.report.as_deref()], &inputs)?;
    if options.data.as_os_str() == "-" && options.test.as_deref() == data {
        let message = "standard input cannot be both training and test data; name a file";
        return Err(Failure::Usage(message.into()));
    }

    let how = ReadOptions {
        memory_limit_mib: options.memory_limit,
        ..reading::options(&options.reading)
    };
    let input = Input::from(options.data.clone());
    let (table, label) = reading::table(&input, &how)?;
    if multiclass::concerns(&table, &options.reading) {
        return multiclass::fit(options, &how, table, label);
    }
    let (training, mut notes) = training(options, table, label)?;
    let learned = learn::learn(training, choice(options)?)?;
    let test = match &options.test {
        Some(path) => Some(test(options, &how, path, &learned.file)?),
        None => None,
    };
    let constant_features = learn::constant_features(&learned.file);
    notes.extend(remarks(&learned.file, &constant_features));
    if options.test.as_deref().is_some_and(|test| output::same_file(test, &options.data)) {
        notes.push("the test data are the training data: the test figures flatter".into());
    }
    notes.iter().for_each(|text| note(&format!("note: {text}")));

    let Learned { file, trace, seconds } = learned;
    let account = Account {
        data: Input::from(options.data.clone()).to_string(),
        summary: Summary::of(&file),
        constant_features,
        seconds,
        trace,
        test,
        notes,
    };
    write_files(options, &account, &file)?;
    if options.json {
        return output::print_json(&account);
    }
    let mut out = anstream::stdout().lock();
    words::account(&mut out, &account, |_| None)?;
    Ok(out.flush()?)
}

/// All rows of the file that belong to one of the two classes, and what the reader noticed.
fn training(
    options: &args::Fit,
    table: Table,
    label: LabelColumn,
) -> Outcome<(Training, Vec<String>)> {
    let input = Input::from(options.data.clone());
    let within = |error: pfcvm_io::Error| error.within(&input.to_string());
    let asked = options.reading.classes.as_ref().map(|(a, b)| (a.as_str(), b.as_str()));
    let (negative, positive) = table.choose_classes(asked).map_err(within)?;
    let rows = table.rows_of(&negative, &positive).map_err(within)?;
    let mut notes = table.notes().to_vec();
    let others = table.x().rows() - rows.len();
    if others > 0 {
        notes.push(format!("{others} rows of other classes are left out"));
    }
    let training = Training {
        file_rows: table.x().rows(),
        rows: (rows.len() < table.x().rows()).then_some(rows),
        label,
        feature_names: table.feature_names().to_vec(),
        data: table.into_two_classes(&negative, &positive).map_err(within)?,
        classes: [negative, positive],
    };
    Ok((training, notes))
}

/// Scores the model on the test rows of its two classes; features are found by name.
fn test(options: &args::Fit, how: &ReadOptions, path: &Path, file: &ModelFile) -> Outcome<Test> {
    let input = Input::from(path.to_path_buf());
    let label = how.label.clone().or_else(|| file.label.clone());
    let rows = reading::open_for(file.unnamed, &input, &ReadOptions { label, ..how.clone() })?;
    let wanted = Wanted { features: rows.find(&file.needed_features())?, label: true };
    let predictor = Predictor::new(file);
    // Where two of several classes were picked, test rows of the others are left out like
    // training rows; elsewhere another label is a mistake.
    let picked = options.reading.classes.is_some();
    let predict = |block: Block| -> Outcome<Vec<(bool, f64)>> {
        let probability = predictor.predict(&block.x)?.probability;
        let mut scored = Vec::with_capacity(probability.len());
        for (row, (label, p)) in block.labels.iter().zip(probability).enumerate() {
            match file.classes.iter().position(|class| same_class(class, label)) {
                Some(class) => scored.push((class == 1, p)),
                None if picked => {}
                None => return Err(unknown_class(&input, block.first_row + row, label, file)),
            }
        }
        Ok(scored)
    };
    let (mut truth, mut probability) = (Vec::new(), Vec::new());
    rows.for_each(&wanted, predict, |scored, _| {
        for (positive, p) in scored {
            truth.push(positive);
            probability.push(p);
        }
        Ok(())
    })?;
    if truth.is_empty() {
        let [negative, positive] = file.classes.each_ref().map(|class| words::shown(class));
        return Err(Failure::Data(format!(
            "{input}: no row is of class `{negative}` or `{positive}`; there is nothing to test on"
        )));
    }
    Ok(Test::new(input.to_string(), truth, probability))
}

fn unknown_class(input: &Input, row: usize, label: &str, file: &ModelFile) -> Failure {
    let [negative, positive] = file.classes.each_ref().map(|class| words::shown(class));
    Failure::Data(format!(
        "{input}: row {} has the label `{}`, but the training data have only `{negative}` and \
         `{positive}`; mend the label or remove the row",
        row + 1,
        words::shown(label)
    ))
}

fn choice(options: &args::Fit) -> Outcome<Choice> {
    let class_weights = options.class_weights.of_two()?;
    Ok(match options.panel {
        None => Choice::Single(settings(options, class_weights)),
        Some(length) => Choice::Panel(panel_settings(options, length, class_weights)),
    })
}

/// Settings of a fit of two classes.
pub fn settings(options: &args::Fit, class_weights: ClassWeights) -> Settings {
    let base = Settings::of(options.algorithm, options.kernel);
    Settings {
        false_positive_rate: options.false_positive_rate,
        samples: options.samples,
        standardise: !options.no_standardise,
        class_weights,
        truncation: options.truncation.unwrap_or(base.truncation),
        max_basis: options.max_basis as usize,
        memory_limit_mib: usize::try_from(options.memory_limit).ok(),
        seed: options.seed,
        ..base
    }
}

/// Settings of a panel of two classes.
pub fn panel_settings(
    options: &args::Fit,
    length: u32,
    class_weights: ClassWeights,
) -> PanelSettings {
    PanelSettings {
        length: length as usize,
        false_positive_rate: options.false_positive_rate,
        standardise: !options.no_standardise,
        class_weights,
        seed: options.seed,
        ..PanelSettings::default()
    }
}

/// What is worth knowing beside the figures.
fn remarks(file: &ModelFile, constant: &[String]) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(left_out(constant));
    if file.termination != Termination::Converged {
        remarks.push(format!(
            "the fit {} before it settled; its last weights are used",
            file.termination
        ));
    }
    if let Some(panel) = account::verdict(file) {
        match panel.verdict {
            Best::ShortList => {}
            Best::AllFeatures => remarks.push(
                "all features together predict better than a short list; leave out --panel".into(),
            ),
            Best::Neither => remarks.push(
                "neither short lists nor all features predict better than chance, as halves of \
                 the samples say about each other; do not trust the list"
                    .into(),
            ),
        }
    }
    remarks
}

/// Columns that never vary, in words.
pub fn left_out(constant: &[String]) -> Option<String> {
    let shown: Vec<String> = constant.iter().take(5).map(|name| words::shown(name)).collect();
    let more = match constant.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = shown.join(", ");
    (!constant.is_empty()).then(|| format!("left out, because they never vary: {names}{more}"))
}

fn write_files(options: &args::Fit, account: &Account, file: &ModelFile) -> Outcome {
    let mut outputs = Outputs::default();
    if let Some(path) = &options.model {
        outputs.add(path, |staged| file.write(staged))?;
    }
    if let Some(path) = &options.report {
        let page = page::render(account, title(options), |_| None)?;
        outputs.add(path, |staged| staged.write_all(page.as_bytes()))?;
    }
    outputs.finish()?;
    if options.model.is_none() {
        note("note: no model was written; --model FILE writes one");
    }
    Ok(())
}

/// The heading of the report.
pub fn title(options: &args::Fit) -> String {
    let name = match Input::from(options.data.clone()) {
        Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        Input::Stdin => "standard input".into(),
    };
    format!("What matters in {name}")
}

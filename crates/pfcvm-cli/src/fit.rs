//! `pfcvm fit`: from a file of labelled rows to a model.

mod price;

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::learn::{self, Learned, Training};
use crate::output::{self, Outputs, note, shown};
use crate::reading::{self, LabelColumn, Strange};
use crate::stream;
use crate::threads::use_threads;
use crate::unlabelled;
use pfcvm::multiclass::{ClassFactors, Dataset, Unlabelled};
use pfcvm::panel::PanelSettings;
use pfcvm::settings::{Algorithm, Auto};
use pfcvm::{ClassWeights, Kernel, Seen, Settings, Termination};
use pfcvm_io::{
    Best, Block, FitSettings, Input, ModelFile, ReadOptions, Summary, Table, Wanted, same_class,
};
use pfcvm_report::{FitAccount, ListPrice, Test};
use pfcvm_study::PriceAccount;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// What is printed as JSON.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    account: &'a FitAccount,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<PriceAccount<'a>>,
}

/// Runs the command.
pub fn run(options: &args::Fit) -> Outcome {
    use_threads(options.threads)?;
    // What is free now: what is read counts in what a fit needs.
    let memory_limit = reading::memory_limit(options.memory_limit);
    // Before anything is read: what the options say must go together.
    if let FitSettings::Single(settings) = settings(options, ClassWeights::Equal, memory_limit) {
        settings.stages_of_fit().map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let data = Some(options.data.as_path());
    let inputs = [data, options.test.as_deref()];
    output::check(&[options.model.as_deref(), options.report.as_deref()], &inputs)?;
    if options.data.as_os_str() == "-" && options.test.as_deref() == data {
        let message = "standard input cannot be both training and test data; name a file";
        return Err(Failure::Usage(message.into()));
    }
    if options.data.as_os_str() == "-" && options.unlabelled.as_deref() == data {
        let message = "standard input can be read only once; name a file for --unlabelled";
        return Err(Failure::Usage(message.into()));
    }

    let how = ReadOptions { memory_limit_mib: memory_limit, ..reading::options(&options.reading)? };
    let input = Input::from(options.data.clone());
    let (table, label, seen_before) = stream::table(options, &input, &how)?;
    let whole = seen_before.is_none();
    let (training, mut notes) = training(options, &input, (table, whole), label)?;
    // A fit may take long: what the reader noticed is told before it.
    notes.iter().for_each(|text| note(&format!("note: {text}")));
    let classes = training.data.class_names().len();
    if let Some(found) = options.class_weights.wrong_number(classes) {
        return Err(Failure::Usage(format!(
            "--class-weights has {found} factors for {classes} classes; give one for each class"
        )));
    }
    let sizes = (training.data.len(), training.data.columns().features());
    let unlabelled = match &options.unlabelled {
        Some(path) => Some(unlabelled::read(path, &how, &training)?),
        None => None,
    };
    let wanted =
        options.price.then(|| price::Wanted::of(options, &input, &training)).transpose()?;
    let (weights, data) = options.class_weights.applied(training.data)?;
    let training = Training { data, unlabelled, ..training };
    let seen = options.keep_rows.map(|most| kept_rows(&training.data, most as usize, options));
    let seen = seen.transpose()?;
    let told = settings(options, weights, memory_limit);
    let streamed = seen_before.is_some();
    let learned = match (seen_before, told) {
        (Some(before), FitSettings::Single(settings)) => {
            stream::learn(training, options, &how, *settings, before)?
        }
        (_, told) => learn::learn(training, options.scheme, told)?,
    };
    let Learned { mut file, courses, seconds, advice } = learned;
    file.seen = seen;
    let test = match &options.test {
        Some(path) => Some(test(options, &how, path, &file)?),
        None => None,
    };
    let is_panel = matches!(file.settings, FitSettings::Panel(_));
    let priced = wanted.map(|wanted| wanted.find(is_panel)).transpose()?;
    let summary = Summary::of(&file).with_effects(&file).with_courses(courses);
    let constant_features = file.constant_features();
    let mut remarks = remarks(&summary, &constant_features);
    remarks.extend(advice);
    if let FitSettings::Single(settings) = &file.settings
        && let Some(begun) = settings.features_to_begin_with(sizes.0, sizes.1)
    {
        remarks.push(format!(
            "of {} features the {begun} that go along with the classes best, each by itself, were weighed together",
            sizes.1
        ));
    }
    if let Some(most) = options.features {
        let more = if options.price { "" } else { "; `--price` says what that costs" };
        remarks.push(format!("the list was asked to hold at most {most}{more}"));
    }
    if options.test.as_deref().is_some_and(|test| output::same_file(test, &options.data)) {
        remarks.push("the test data are the training data: the test figures flatter".into());
    }
    remarks.iter().for_each(|text| note(&format!("note: {text}")));
    notes.extend(remarks);

    let account = FitAccount {
        title: format!("What matters in {}", reading::file_name(&input)),
        data: input.to_string(),
        summary,
        constant_features,
        seconds,
        test,
        price: match &priced {
            Some(priced) => ListPrice::Found(Box::new(priced.short_lists())),
            None if streamed || !price::can_be_had(options) => ListPrice::Untold,
            None => ListPrice::Unasked,
        },
        notes,
        marks: Default::default(),
        program: output::program(),
    };
    write_files(options, &account, &file)?;
    if streamed {
        stream::forget(options);
    }
    if options.json {
        let price = priced.as_ref().map(price::Priced::account);
        return output::print_json(&Told { account: &account, price });
    }
    output::print(&account.text())
}

/// What the model keeps of its rows to learn on from.
fn kept_rows(data: &Dataset, most: usize, options: &args::Fit) -> Outcome<Seen> {
    if matches!(options.class_weights, ClassFactors::Given(_)) && data.class_names().len() > 2 {
        let message = "--keep-rows goes with --class-weights equal or balanced: factors of more than two \
                       classes are not kept";
        return Err(Failure::Usage(message.into()));
    }
    let mut seen = Seen::new(most, data.class_names().len(), data.x().cols());
    seen.see(data, None, options.seed);
    seen.bound();
    Ok(seen)
}

/// All rows of a table that belong to one of the classes, and what the reader noticed. Of a file that is read part by
/// part the table has some, not the `whole`.
fn training(
    options: &args::Fit,
    input: &Input,
    (table, whole): (Table, bool),
    label: LabelColumn,
) -> Outcome<(Training, Vec<String>)> {
    let asked = options.reading.classes.as_ref().map(|(a, b)| (a.as_str(), b.as_str()));
    let mut notes = table.notes().to_vec();
    let (file_rows, labelled) = (table.rows_read(), table.x().rows());
    let (feature_names, variables) = (table.feature_names().to_vec(), table.variables().to_vec());
    let in_file: Vec<usize> = (0..labelled).map(|row| table.row_in_file(row)).collect();
    let chosen = table.into_classes(asked).map_err(|error| error.within(&input.to_string()))?;
    let (data, rows) = chosen;
    let any = whole && labelled < file_rows;
    if any && options.unlabelled.is_none() && options.panel.is_none() {
        notes.push(
            "`--unlabelled` with the same file tries whether rows without a label help".into(),
        );
    }
    if rows.len() < labelled && labelled == file_rows {
        notes.push(format!("{} rows of other classes are left out", labelled - rows.len()));
    }
    let rows = rows.into_iter().map(|row| in_file[row]).collect();
    let missing = options.reading.missing.clone();
    let unlabelled = None;
    let training =
        Training { data, rows, file_rows, label, feature_names, variables, missing, unlabelled };
    Ok((training, notes))
}

/// Scores the model on the test rows of its classes; features are found by name.
fn test(options: &args::Fit, how: &ReadOptions, path: &Path, file: &ModelFile) -> Outcome<Test> {
    let input = Input::from(path.to_path_buf());
    let label = how.label.clone().or_else(|| file.label.clone());
    let rows = reading::open_for(file, &input, &ReadOptions { label, ..how.clone() })?;
    let wanted = Wanted { label: true, ..reading::needed(file, &rows)? };
    let predictor = file.predictor();
    // Where two of several classes were picked, test rows of the others are left out like
    // training rows; elsewhere another label is a mistake.
    let picked = options.reading.classes.is_some();
    type Scored = (Vec<(usize, usize, Vec<f64>)>, Vec<usize>, usize);
    let predict = |block: Block| -> Outcome<Scored> {
        let said = predictor.predict(&block.x)?;
        let mut scored = Vec::with_capacity(said.class.len());
        let mut unlabelled = 0;
        for (row, label) in block.labels.iter().enumerate() {
            if label.is_empty() {
                unlabelled += 1;
                continue;
            }
            match file.classes.iter().position(|class| same_class(class, label)) {
                Some(truth) => scored.push((truth, said.class[row], said.row(row))),
                None if picked => {}
                None => {
                    return Err(Failure::Data(format!(
                        "{input}: row {} has the label `{}`, which the training data do not have; \
                         mend the label or remove the row",
                        block.first_row + row + 1,
                        shown(label)
                    )));
                }
            }
        }
        Ok((scored, block.strange, unlabelled))
    };
    let (mut truth, mut called, mut probability) = (Vec::new(), Vec::new(), Vec::new());
    let (mut strange, mut unlabelled) = (Strange::default(), 0);
    rows.for_each(&wanted, predict, |(scored, of_block, without), _| {
        strange.add(&of_block);
        unlabelled += without;
        for (of_row, call, p) in scored {
            truth.push(of_row);
            called.push(call);
            probability.push(p);
        }
        Ok(())
    })?;
    if truth.is_empty() {
        let classes: Vec<String> =
            file.classes.iter().map(|class| format!("`{}`", shown(class))).collect();
        return Err(Failure::Data(format!(
            "{input}: no row is of class {}; there is nothing to test on",
            classes.join(" or ")
        )));
    }
    strange.tell(file).iter().for_each(|text| note(&format!("note: {input}: {text}")));
    if unlabelled > 0 {
        note(&format!("note: {input}: rows without a label are left out: {unlabelled}"));
    }
    Ok(Test::of(input.to_string(), &file.classes, &truth, &called, &probability))
}

fn settings(options: &args::Fit, class_weights: ClassWeights, memory_limit: u64) -> FitSettings {
    match options.panel {
        None => {
            let kernel = options.kernel.0.unwrap_or(Kernel::Rbf);
            let base = Settings::of(options.algorithm, kernel);
            let paper = options.algorithm == Algorithm::Paper;
            let auto = Auto {
                kernel: options.kernel.0.is_none() && !paper,
                samples: options.samples.0.is_none() && !paper,
            };
            FitSettings::Single(Box::new(Settings {
                false_positive_rate: options.false_positive_rate,
                max_false: options.max_false,
                certainty: options.certainty.unwrap_or(base.certainty),
                goal: options.goal,
                samples: options.samples.0.unwrap_or(base.samples),
                auto,
                size: options.features.map(|most| most as usize),
                standardise: !options.no_standardise,
                class_weights,
                truncation: options.truncation.unwrap_or(base.truncation),
                max_basis: options.max_basis as usize,
                max_iterations: options.max_iterations.map(|most| most as usize),
                tolerance: options.tolerance,
                memory_limit_mib: usize::try_from(memory_limit).ok(),
                seed: options.seed,
                ..base
            }))
        }
        Some(size) => FitSettings::Panel(Box::new(PanelSettings {
            size: size as usize,
            false_positive_rate: options.false_positive_rate,
            max_false: options.max_false,
            certainty: options.certainty.unwrap_or_default(),
            goal: options.goal,
            standardise: !options.no_standardise,
            class_weights,
            memory_limit_mib: usize::try_from(memory_limit).ok(),
            seed: options.seed,
            ..PanelSettings::default()
        })),
    }
}

/// What is worth knowing beside the figures.
pub fn remarks(summary: &Summary, constant: &[String]) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(left_out(constant));
    remarks.extend(summary.unlabelled.as_ref().map(Unlabelled::in_words));
    remarks.extend(summary.rows_kept.map(|kept| {
        format!("the model file holds {kept} training rows in all columns, to learn on from")
    }));
    let open = summary.machines.iter().map(|machine| machine.found.termination);
    let open: Vec<Termination> = open.filter(|end| *end != Termination::Converged).collect();
    match (summary.list(), open.as_slice()) {
        (_, []) => {}
        (Some(_), [how, ..]) => {
            remarks.push(format!("the fit {how} before it settled; its last weights are used"));
        }
        (None, open) => remarks.push(format!(
            "{} of {} machines ended before they settled; their last weights are used",
            open.len(),
            summary.machines.len()
        )),
    }
    if summary.nothing_found == Some(true) {
        remarks.push(match summary.features.len() {
            0 if summary.uses_all_features => {
                "no short list does better than chance, and all features together do: the model has no \
                 list and predicts with all of them"
                    .into()
            }
            0 if summary.beats_chance() => {
                "no feature does better than chance: the model has none and predicts the shares of the \
                 classes; all features together do better, which --goal accuracy predicts with"
                    .into()
            }
            0 => "no feature does better than chance: the model has none and predicts the shares \
                  of the classes; --certainty insist lists some all the same"
                .into(),
            _ => "no feature does better than chance; do not trust the list, which was insisted on"
                .into(),
        });
        return remarks;
    }
    // Rows that did not train say it better than halves of the samples do of each other.
    let unasked = summary.only().filter(|only| only.held_out.is_none());
    match unasked.and_then(|only| only.panel.as_ref()).map(|panel| panel.verdict) {
        None | Some(Best::ShortList) => {}
        Some(Best::AllFeatures) => remarks.push(
            "all features together predict better than a short list; --goal accuracy predicts with both"
                .into(),
        ),
        Some(Best::Neither) => remarks.push(
            "neither short lists nor all features predict better than chance, as halves of the \
             samples say about each other; do not trust the list"
                .into(),
        ),
    }
    remarks
}

/// Columns that never vary, in words.
fn left_out(constant: &[String]) -> Option<String> {
    let names: Vec<String> = constant.iter().take(5).map(|name| shown(name)).collect();
    let more = match constant.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    (!constant.is_empty()).then(|| format!("left out, because they never vary: {names}{more}"))
}

fn write_files(options: &args::Fit, account: &FitAccount, file: &ModelFile) -> Outcome {
    let mut outputs = Outputs::default();
    if let Some(path) = &options.model {
        outputs.add(path, |staged| file.write(staged))?;
    }
    if let Some(path) = &options.report {
        let page = account.page().html()?;
        outputs.add(path, |staged| staged.write_all(page.as_bytes()))?;
    }
    outputs.finish()?;
    if options.model.is_none() {
        note("note: no model was written; --model FILE writes one");
    }
    Ok(())
}

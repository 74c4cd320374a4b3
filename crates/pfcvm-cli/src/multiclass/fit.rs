//! `pfcvm fit` with more than two classes.

use super::account::{Account, Summary, Test};
use super::predict::Predictor;
use super::{page, words};
use crate::account::Step;
use crate::args;
use crate::failure::{Failure, Outcome};
use crate::fit::{left_out, panel_settings, settings, title};
use crate::learn::in_words;
use crate::output::{self, Outputs, note};
use crate::progress;
use crate::reading::{self, LabelColumn};
use crate::words::shown;
use pfcvm::{
    ClassWeights, Fit, MulticlassDataset, Panel, Task, Termination, fit_multiclass_panel_with,
    fit_multiclass_with,
};
use pfcvm_eval::Scores;
use pfcvm_io::{
    Block, Ending, Input, MulticlassFile, MulticlassFitted, ReadOptions, Table, Wanted, same_class,
};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Fits a machine for each problem of the scheme.
pub fn fit(options: &args::Fit, how: &ReadOptions, table: Table, label: LabelColumn) -> Outcome {
    let input = Input::from(options.data.clone());
    let mut notes = table.notes().to_vec();
    let feature_names = table.feature_names().to_vec();
    let data = table.into_all_classes().map_err(|error| error.within(&input.to_string()))?;
    let (class_weights, factors) = options.class_weights.of_many(data.class_names().len())?;
    let data = match factors {
        Some(factors) => data.with_class_factors(factors)?,
        None => data,
    };
    let start = Instant::now();
    let (fitted, endings, traces) = learn(options, &data, class_weights, &feature_names)?;
    let seconds = start.elapsed().as_secs_f64();
    let file = MulticlassFile {
        classes: data.class_names().to_vec(),
        class_rows: data.class_counts(),
        label: label.name,
        unnamed: label.unnamed,
        endings,
        fitted,
        feature_names,
    };
    let test = match &options.test {
        Some(path) => Some(test(how, path, &file)?),
        None => None,
    };
    let constant_features = constant_features(&file);
    notes.extend(left_out(&constant_features));
    notes.extend(unsettled(&file));
    if options.test.as_deref().is_some_and(|test| output::same_file(test, &options.data)) {
        notes.push("the test data are the training data: the test figures flatter".into());
    }
    notes.iter().for_each(|text| note(&format!("note: {text}")));

    let summary = Summary::of(&file);
    let data = input.to_string();
    let account = Account { data, summary, constant_features, seconds, traces, test, notes };
    write_files(options, &account, &file)?;
    if options.json {
        return output::print_json(&account);
    }
    let mut out = anstream::stdout().lock();
    words::account(&mut out, &account)?;
    Ok(out.flush()?)
}

type Learned = (MulticlassFitted, Vec<Ending>, Vec<Vec<Step>>);

/// Fits, with a line on the terminal that follows.
fn learn(
    options: &args::Fit,
    data: &MulticlassDataset,
    class_weights: ClassWeights,
    feature_names: &[String],
) -> Outcome<Learned> {
    let scheme = options.multiclass;
    let line = progress::fitting();
    let count = scheme.tasks(data.class_names().len()).len();
    line.set_message(format!("starting {count} machines"));
    let tell = |task: Task, words: String| {
        line.set_message(format!("{}: {words}", task.name(data.class_names())));
        ControlFlow::Continue(())
    };
    let learned = match options.panel {
        None => {
            let settings = settings(options, class_weights);
            fit_multiclass_with(data, scheme, &settings, &|task, iteration| {
                let (number, samples) = (iteration.number, iteration.samples);
                let features = iteration.features;
                tell(task, format!("iteration {number}: {samples} samples, {features} features"))
            })
            .map(|machines| {
                let endings = machines.machines().iter().map(ending).collect();
                let traces = machines
                    .machines()
                    .iter()
                    .map(|fit| fit.trace.iter().cloned().map(Step::Iteration).collect());
                let traces = traces.collect();
                let machines = machines.into_models();
                let settings = Box::new(settings);
                (MulticlassFitted::Models { settings, machines }, endings, traces)
            })
        }
        Some(length) => {
            let settings = panel_settings(options, length, class_weights);
            fit_multiclass_panel_with(data, scheme, &settings, &|task, round| {
                tell(task, format!("round {}: {} features", round.number, round.features))
            })
            .map(|machines| {
                let endings = machines.machines().iter().map(panel_ending).collect();
                let traces = machines
                    .machines()
                    .iter()
                    .map(|panel| panel.rounds().iter().cloned().map(Step::Round).collect());
                let traces = traces.collect();
                let settings = Box::new(settings);
                (MulticlassFitted::Panels { settings, machines }, endings, traces)
            })
        }
    };
    line.finish_and_clear();
    learned.map_err(|error| in_words(error, feature_names))
}

fn ending(fit: &Fit) -> Ending {
    let (termination, iterations) = (fit.termination, fit.trace.len());
    Ending { termination, iterations, log_evidence: fit.log_evidence }
}

fn panel_ending(panel: &Panel) -> Ending {
    let rounds = panel.rounds();
    Ending {
        termination: panel.termination(),
        iterations: rounds.len(),
        log_evidence: rounds.last().map_or(0.0, |last| last.log_evidence),
    }
}

/// Scores the machines on test rows; features are found by name.
fn test(how: &ReadOptions, path: &Path, file: &MulticlassFile) -> Outcome<Test> {
    let input = Input::from(path.to_path_buf());
    let label = how.label.clone().or_else(|| file.label.clone());
    let rows = reading::open_for(file.unnamed, &input, &ReadOptions { label, ..how.clone() })?;
    let wanted = Wanted { features: rows.find(&file.needed_features())?, label: true };
    let predictor = Predictor::new(file);
    type Scored = Vec<(usize, usize, Vec<f64>)>;
    let predict = |block: Block| -> Outcome<Scored> {
        let said = predictor.predict(&block.x)?;
        let mut scored = Vec::with_capacity(said.class.len());
        for (row, label) in block.labels.iter().enumerate() {
            match file.classes.iter().position(|class| same_class(class, label)) {
                Some(truth) => scored.push((truth, said.class[row], said.row(row))),
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
        Ok(scored)
    };
    let (mut truth, mut called, mut probability) = (Vec::new(), Vec::new(), Vec::new());
    rows.for_each(&wanted, predict, |scored, _| {
        for (of_row, call, p) in scored {
            truth.push(of_row);
            called.push(call);
            probability.push(p);
        }
        Ok(())
    })?;
    if truth.is_empty() {
        return Err(Failure::Data(format!("{input}: there are no rows to test on")));
    }
    let scores = Scores::of(&file.classes, &truth, &called, Some(&probability));
    Ok(Test::new(input.to_string(), scores))
}

/// Columns that vary in no machine's rows, by name.
fn constant_features(file: &MulticlassFile) -> Vec<String> {
    let mut varies = vec![false; file.feature_names.len()];
    let mut mark = |columns: &[usize]| columns.iter().for_each(|&column| varies[column] = true);
    match &file.fitted {
        MulticlassFitted::Models { machines, .. } => {
            machines.machines().iter().for_each(|model| mark(model.scaler().columns()));
        }
        MulticlassFitted::Panels { machines, .. } => {
            machines.machines().iter().for_each(|panel| mark(panel.scaler().columns()));
        }
    }
    let names = file.feature_names.iter().zip(varies);
    names.filter(|(_, varies)| !varies).map(|(name, _)| name.clone()).collect()
}

/// Machines that did not settle, in words.
fn unsettled(file: &MulticlassFile) -> Option<String> {
    let open = |ending: &&Ending| ending.termination != Termination::Converged;
    let count = file.endings.iter().filter(open).count();
    let all = file.endings.len();
    (count > 0).then(|| {
        format!("{count} of {all} machines ended before they settled; their last weights are used")
    })
}

fn write_files(options: &args::Fit, account: &Account, file: &MulticlassFile) -> Outcome {
    let mut outputs = Outputs::default();
    if let Some(path) = &options.model {
        outputs.add(path, |staged| file.write(staged))?;
    }
    if let Some(path) = &options.report {
        let page = page::render(account, title(options))?;
        outputs.add(path, |staged| staged.write_all(page.as_bytes()))?;
    }
    outputs.finish()?;
    if options.model.is_none() {
        note("note: no model was written; --model FILE writes one");
    }
    Ok(())
}

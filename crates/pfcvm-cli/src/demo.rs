//! `pfcvm demo`: one fit on data whose truth is known.

use crate::args::Demo;
use crate::failure::{Failure, Outcome};
use crate::learn::{self, Learned, Training};
use crate::output::{self, Outputs};
use crate::reading::LabelColumn;
use crate::threads::use_threads;
use pfcvm::multiclass::Scheme;
use pfcvm::settings::Auto;
use pfcvm::{Kernel, Matrix, Settings};
use pfcvm_io::generate::{Labelling, WAVE_FEATURES, waveform, waveform_log_odds};
use pfcvm_io::{FitSettings, ModelFile, Summary, Table, write_csv};
use pfcvm_report::{FitAccount, Test};
use serde_json::json;
use std::io::Write;

const TRAINING_ROWS: usize = 400;
const TEST_ROWS: usize = 3000;
const CLASSES: [&str; 2] = ["0", "1"];

/// Runs the command.
pub fn run(options: &Demo) -> Outcome {
    use_threads(None)?;
    let folder = &options.out;
    std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
    let rows = TRAINING_ROWS + TEST_ROWS;
    let all = waveform(Labelling::Uci, &[0, 1], rows / 2, options.seed);
    let (training, test) = (all.slice(0, TRAINING_ROWS), all.slice(TRAINING_ROWS, rows));

    let (account, file) = account(&training, &test, options.seed)?;
    let page = account.page().html()?;
    let mut outputs = Outputs::default();
    outputs.add(&folder.join("report.html"), |staged| staged.write_all(page.as_bytes()))?;
    outputs.add(&folder.join("model.json"), |staged| file.write(staged))?;
    outputs.add(&folder.join("train.csv"), |staged| write_csv(&training, staged))?;
    outputs.add(&folder.join("test.csv"), |staged| write_csv(&test, staged))?;

    let best = bayes_accuracy(&test);
    let noise = || account.summary.features.iter().filter(|f| f.index >= WAVE_FEATURES);
    let (noise, sure) = (noise().count(), noise().filter(|f| f.certain == Some(true)).count());
    if options.json {
        outputs.finish()?;
        let mut value = serde_json::to_value(&account).map_err(std::io::Error::from)?;
        value["bayes_accuracy"] = json!(best);
        value["noise_features_kept"] = json!(noise);
        value["noise_features_certain"] = json!(sure);
        return output::print_json(&value);
    }
    let number = |of: usize| if of == 0 { "none".into() } else { of.to_string() };
    output::print(&format!(
        "{}\n{WAVE_FEATURES} of the features carry the waves, {} are pure noise. Of these were \
         kept: {},\ncalled certain: {}. The best possible rule, which knows how the waves are \
         made,\nreaches {:.1} % on the same test rows.\n",
        account.text(),
        training.x().cols() - WAVE_FEATURES,
        number(noise),
        number(sure),
        100.0 * best,
    ))?;
    outputs.finish()
}

fn account(training: &Table, test: &Table, seed: u64) -> Outcome<(FitAccount, ModelFile)> {
    let asked = Some((CLASSES[0], CLASSES[1]));
    let (data, rows) = training.clone().into_classes(asked)?;
    let training = Training {
        data,
        rows,
        file_rows: TRAINING_ROWS,
        label: LabelColumn { name: Some("label".into()), unnamed: None },
        feature_names: training.feature_names().to_vec(),
        variables: training.variables().to_vec(),
        missing: Vec::new(),
        unlabelled: None,
    };
    let auto = Auto { kernel: true, samples: true };
    let settings = Settings { seed, auto, ..Settings::new(Kernel::Rbf) };
    let settings = FitSettings::Single(Box::new(settings));
    let Learned { file, courses, seconds, .. } =
        learn::learn(training, Scheme::default(), settings)?;
    let (test, _) = test.clone().into_classes(asked)?;
    let said = file.machines.predict(test.x())?;
    let probability: Vec<Vec<f64>> = (0..test.len()).map(|row| said.row(row)).collect();
    let name = format!("{TEST_ROWS} fresh waveforms");
    let test = Test::of(name, &file.classes, test.codes(), &said.class, &probability);
    let summary = Summary::of(&file).with_courses(courses);
    let noise = summary.features.iter().filter(|feature| feature.index >= WAVE_FEATURES);
    let account = FitAccount {
        title: "Two classes of waveforms".into(),
        data: format!("{TRAINING_ROWS} generated waveforms (UCI's labelling, seed {seed})"),
        marks: noise.map(|feature| (feature.index, "noise".to_string())).collect(),
        constant_features: file.constant_features(),
        summary,
        seconds,
        test: Some(test),
        price: Default::default(),
        notes: Vec::new(),
        program: output::program(),
    };
    Ok((account, file))
}

/// What the best possible rule, which knows the generator, reaches on the same rows.
fn bayes_accuracy(test: &Table) -> f64 {
    let x: &Matrix = test.x();
    let right = |i: &usize| {
        let row: Vec<f64> = (0..WAVE_FEATURES).map(|j| x.get(*i, j)).collect();
        let positive = waveform_log_odds(Labelling::Uci, &row) >= 0.0;
        CLASSES[usize::from(positive)] == test.label(*i)
    };
    (0..x.rows()).filter(right).count() as f64 / x.rows() as f64
}

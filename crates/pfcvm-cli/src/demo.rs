//! `pfcvm demo`: one fit on data whose truth is known.

use crate::account::{Account, SelectedFeature, Summary, Test};
use crate::args::Demo;
use crate::failure::{Failure, Outcome};
use crate::learn::{self, Choice, Learned, Training};
use crate::output::{self, Outputs};
use crate::reading::LabelColumn;
use crate::{page, words};
use anstyle::Style;
use pfcvm::{Kernel, Matrix, Settings};
use pfcvm_io::generate::{Labelling, WAVE_FEATURES, waveform, waveform_log_odds};
use pfcvm_io::{Fitted, ModelFile, Table, write_csv};
use serde_json::json;
use std::io::Write;

const TRAINING_ROWS: usize = 400;
const TEST_ROWS: usize = 3000;
const CLASSES: [&str; 2] = ["0", "1"];

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Runs the command.
pub fn run(options: &Demo) -> Outcome {
    let folder = &options.out;
    std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
    let rows = TRAINING_ROWS + TEST_ROWS;
    let all = waveform(Labelling::Uci, &[0, 1], rows / 2, options.seed);
    let (training, test) = (all.slice(0, TRAINING_ROWS), all.slice(TRAINING_ROWS, rows));

    let (account, file) = account(&training, &test, options.seed)?;
    let title = "Two classes of waveforms".to_string();
    let page = page::render(&account, title, mark)?;
    let mut outputs = Outputs::default();
    outputs.add(&folder.join("report.html"), |staged| staged.write_all(page.as_bytes()))?;
    outputs.add(&folder.join("model.json"), |staged| file.write(staged))?;
    outputs.add(&folder.join("train.csv"), |staged| write_csv(&training, staged))?;
    outputs.add(&folder.join("test.csv"), |staged| write_csv(&test, staged))?;

    let best = bayes_accuracy(&test);
    let noise = account.summary.selected_features.iter().filter(|f| mark(f).is_some()).count();
    if options.json {
        outputs.finish()?;
        let mut value = serde_json::to_value(&account).map_err(std::io::Error::from)?;
        value["bayes_accuracy"] = json!(best);
        value["noise_features_kept"] = json!(noise);
        return output::print_json(&value);
    }
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{BOLD}Two classes of waveforms{BOLD:#}: {WAVE_FEATURES} features carry the waves, {} are \
         pure noise",
        training.x().cols() - WAVE_FEATURES
    )?;
    writeln!(
        out,
        "{DIM}{TRAINING_ROWS} rows to learn from, {TEST_ROWS} fresh rows to test on, seed \
         {}{DIM:#}\n",
        options.seed
    )?;
    words::account(&mut out, &account, mark)?;
    writeln!(
        out,
        "The best possible rule, which knows how the waves are made, reaches {:.1} % on the same \
         rows.\nFeatures of pure noise that were kept: {}.\n",
        100.0 * best,
        if noise == 0 { "none".into() } else { noise.to_string() }
    )?;
    out.flush()?;
    drop(out);
    outputs.finish()
}

fn account(training: &Table, test: &Table, seed: u64) -> Outcome<(Account, ModelFile)> {
    let [negative, positive] = CLASSES;
    let learned = learn::learn(
        Training {
            data: training.two_classes(negative, positive)?,
            rows: None,
            file_rows: TRAINING_ROWS,
            classes: CLASSES.map(String::from),
            label: LabelColumn { name: Some("label".into()), unnamed: None },
            feature_names: training.feature_names().to_vec(),
        },
        Choice::Single(Settings { seed, ..Settings::new(Kernel::Rbf) }),
    )?;
    let Learned { file, trace, seconds } = learned;
    let test = test.two_classes(negative, positive)?;
    let Fitted::Single(single) = &file.fitted else { unreachable!("one fit was asked for") };
    let probability = single.model.predict(test.x())?.probability;
    let name = format!("{TEST_ROWS} fresh waveforms");
    let account = Account {
        data: format!("{TRAINING_ROWS} generated waveforms (UCI's labelling, seed {seed})"),
        summary: Summary::of(&file),
        constant_features: learn::constant_features(&file),
        seconds,
        trace,
        test: Some(Test::new(name, test.positive().to_vec(), probability)),
        notes: Vec::new(),
    };
    Ok((account, file))
}

/// Sets features of pure noise apart.
fn mark(feature: &SelectedFeature) -> Option<&'static str> {
    (feature.index >= WAVE_FEATURES).then_some("noise")
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

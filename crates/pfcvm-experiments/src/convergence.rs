//! Section 4.4: samples, features and time per iteration of one large fit.

use crate::setup::unjudged;
use crate::{Chapter, Error, Finding, Setup};
use pfcvm::{Dataset, Fit, Iteration, Kernel, Settings, fit};
use pfcvm_io::generate::eeg_like;
use pfcvm_io::seed::Recordings;
use pfcvm_report::charts::{Lines, Series};
use pfcvm_report::page::{Block, Column, Section, Table};
use pfcvm_report::studies::wide_figure;
use pfcvm_report::{duration, fixed, percent};
use serde_json::json;

/// Rows that train in the paper.
const TRAINING_ROWS: usize = 1376;
/// Iterations after which the paper counts again.
const ITERATIONS: usize = 40;

pub(crate) fn run(setup: &Setup) -> Result<Chapter, Error> {
    let (data, origin, is_seed) = training(setup)?;
    let mut fits = vec![("as by default", unjudged(Kernel::Rbf))];
    if !setup.quick {
        fits.push(("the paper to the letter", Settings::paper(Kernel::Rbf)));
    }
    let mut sections = Vec::new();
    let mut findings = Vec::new();
    let mut results = serde_json::Map::new();
    for (at, (name, settings)) in fits.iter().enumerate() {
        let fitted = fit(&data, settings)?;
        sections.push(section(at, name, &data, &fitted));
        let steps = fitted.trace.iter().map(|step| json!([step.samples, step.features]));
        results.insert(
            name.to_string(),
            json!({
                "samples_and_features": Vec::from_iter(steps),
                "termination": fitted.termination.to_string(),
            }),
        );
        if at == 0 {
            findings = self::findings(&fitted.trace, is_seed);
        }
    }
    Ok(Chapter {
        lead: format!(
            "One fit of {} rows with {} features ({origin}), RBF kernel, iteration by iteration.",
            data.len(),
            data.x().cols()
        ),
        sections,
        findings,
        results: json!({ "data": origin, "fits": results }),
    })
}

/// Subject 1 of SEED where it is, else EEG-like data of the same size.
fn training(setup: &Setup) -> Result<(Dataset, String, bool), Error> {
    let folder = setup.folder.as_ref().map(|folder| folder.join("seed"));
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        let recordings = Recordings::open(&folder)?;
        if let Some(session) = recordings.sessions().first() {
            let split = recordings.split(session)?;
            return Ok((split.training, "SEED, subject 1, first session".into(), true));
        }
    }
    let data = eeg_like(TRAINING_ROWS, setup.seed).into_two_classes("-1", "1")?;
    let origin = format!("EEG-like data drawn with seed {}, not the paper's", setup.seed);
    Ok((data, origin, false))
}

/// The paper's three figures; on other data than its own nothing is claimed.
fn findings(trace: &[Iteration], is_seed: bool) -> Vec<Finding> {
    let Some(step) = trace.get(ITERATIONS - 1).or(trace.last()) else { return vec![] };
    let whole = |value: f64| fixed(value, 0);
    let time = step.seconds / trace[0].seconds;
    let finding =
        |what: &str, paper: f64, same: (f64, &str), ours: f64, show: &dyn Fn(f64) -> String| {
            let claim = format!("convergence: {what}");
            match is_seed {
                true => Finding::smaller_figure(claim, paper, same, Some(ours), show),
                false => {
                    Finding::missing(claim, show(paper), format!("{} on drawn data", show(ours)))
                }
            }
        };
    let (features, samples) = (step.features as f64, step.samples as f64);
    vec![
        finding("features after 40 iterations, of 310", 40.0, (10.0, "10"), features, &whole),
        finding("samples after 40 iterations, of 1376", 127.0, (30.0, "30"), samples, &whole),
        Finding {
            timed: true,
            ..finding(
                "time of iteration 40, of the first",
                0.027,
                (0.02, "2 points"),
                time,
                &percent,
            )
        },
    ]
}

fn section(at: usize, name: &str, data: &Dataset, fit: &Fit) -> Section {
    let trace = &fit.trace;
    let (samples, features) = (data.len() as f64, data.x().cols() as f64);
    let first = trace.first().map_or(1.0, |step| step.seconds);
    let line = |name: &str, value: &dyn Fn(&Iteration) -> f64| Series {
        name: name.into(),
        points: trace.iter().map(|step| (step.number as f64, value(step))).collect(),
        ..Series::default()
    };
    let series = [
        line("samples", &|step| 100.0 * step.samples as f64 / samples),
        line("features", &|step| 100.0 * step.features as f64 / features),
        line("time", &|step| 100.0 * step.seconds / first),
    ];
    let lines = Lines {
        series: &series,
        levels: &[],
        x_label: "iteration",
        y_label: "% of the start",
        logarithmic: false,
    };
    let heading = format!("Samples, features and time, {name}");
    let figure = wide_figure(
        &format!("convergence-{at}"),
        heading.clone(),
        "What is left of the samples, the features, and the time of the first iteration. A fit in \
         several stages starts again with all samples at the beginning of a stage.",
        |width, id| lines.draw(width, id, &heading, "Three falling lines."),
    );
    let last = trace.len();
    let shown = [1, 2, 5, 10, 20, 40, last];
    let mut rows = Vec::new();
    for step in trace.iter().filter(|step| shown.contains(&step.number)) {
        rows.push(vec![
            step.number.to_string().into(),
            step.samples.to_string().into(),
            step.features.to_string().into(),
            duration(step.seconds).into(),
            percent(step.seconds / first).into(),
        ]);
    }
    let table = Table {
        caption: format!("Iterations, {name}"),
        columns: Column::numbers("iteration", &["samples", "features", "time", "of the first"]),
        rows,
        remark: None,
    };
    Section {
        id: format!("convergence-{}", at + 1),
        heading: format!("A fit {name}"),
        text: vec![format!("It {} after {last} iterations.", fit.termination)],
        blocks: vec![Block::Wide(figure), Block::Table(table)],
    }
}

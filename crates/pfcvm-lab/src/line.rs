//! A study in one line, and in a file.

use anyhow::{Context, Result};
use pfcvm_eval::selection_frequencies;
use pfcvm_study::{Measure, Outcome, Study, Summary};
use std::path::Path;

/// The line. Features from `first_noise` on are known to be noise.
pub fn line(study: &Study, outcomes: &[Outcome], first_noise: Option<usize>) -> String {
    let summary = Summary::of(study, outcomes);
    let mean = |measure: Option<Measure>, decimals: usize| {
        measure.map_or("-".into(), |measure| format!("{:.decimals$}", measure.mean))
    };
    let percent = |mut measure: Measure| {
        measure.mean *= 100.0;
        measure
    };
    let stability = summary.stability;
    let index = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.3}"));
    let mut line = format!(
        "{}: accuracy {} %, log loss {}, features {}, samples {}, Jaccard {}, Pearson {}",
        study.name,
        mean(summary.accuracy.map(percent), 2),
        mean(summary.log_loss, 4),
        mean(summary.features, 1),
        mean(summary.samples, 1),
        index(stability.map(|s| s.jaccard)),
        index(stability.map(|s| s.pearson)),
    );
    let subsets: Vec<Vec<usize>> =
        outcomes.iter().flatten().filter_map(|fold| fold.features.clone()).collect();
    if let Some(first) = first_noise.filter(|_| !subsets.is_empty()) {
        let shares = &selection_frequencies(&subsets, study.data.x().cols())[first..];
        let worst = shares.iter().copied().fold(f64::NAN, f64::max);
        let kept: f64 = shares.iter().sum();
        line += &format!(", noise features {kept:.2}, worst noise frequency {worst:.2}");
    }
    let fitted = summary.folds - summary.failed.len();
    let seconds: f64 = outcomes.iter().flatten().map(|fold| fold.seconds).sum();
    line += &format!(
        ", {:.3} s per fit, {fitted} fits, {} failed",
        seconds / fitted as f64,
        summary.failed.len()
    );
    line
}

/// One CSV row per fold; a failed fold has its reason in the last column.
pub fn write_csv(path: &Path, outcomes: &[Outcome]) -> Result<()> {
    let name = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(name)?;
    }
    let mut out = csv::Writer::from_path(path).with_context(name)?;
    out.write_record([
        "split", "accuracy", "log_loss", "auc", "features", "samples", "seconds", "selected",
        "error",
    ])?;
    for (at, outcome) in outcomes.iter().enumerate() {
        let mut row = vec![at.to_string()];
        match outcome {
            Ok(fold) => {
                let text = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
                let features = fold.features.as_deref().unwrap_or_default();
                row.extend([
                    fold.scores.accuracy.to_string(),
                    text(fold.scores.log_loss),
                    text(fold.scores.auc),
                    features.len().to_string(),
                    text(fold.samples.map(|count| count as f64)),
                    format!("{:.4}", fold.seconds),
                    Vec::from_iter(features.iter().map(usize::to_string)).join(" "),
                    String::new(),
                ]);
            }
            Err(reason) => {
                row.resize(8, String::new());
                row.push(reason.clone());
            }
        }
        out.write_record(&row)?;
    }
    out.flush().with_context(name)
}

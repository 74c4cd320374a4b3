//! `pfcvm compare`: several methods on the same splits.

use crate::args;
use crate::evaluate::protocol;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs, note};
use crate::threads::use_threads;
use crate::trial::{self, Loaded};
use pfcvm_report::studies::{self, About};
use pfcvm_study::{Comparison, Contender, Ranking, Study, Timing, compare, data_digest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// What the methods are worth. All but `timing` is the same to the bit whenever the command is.
#[derive(Serialize)]
struct Account<'a> {
    protocol: String,
    seed: u64,
    data_sets: &'a [Comparison],
    ranking: Option<Ranks>,
    /// By data set and method.
    timing: BTreeMap<&'a str, BTreeMap<&'a str, Timing>>,
}

#[derive(Serialize)]
struct Ranks {
    average_ranks: BTreeMap<String, f64>,
    left_out: Vec<String>,
    friedman_chi_square: f64,
    friedman_p_value: f64,
    /// Null where it is infinite: all data sets rank the methods alike.
    iman_davenport_f: Option<f64>,
    iman_davenport_p_value: Option<f64>,
    critical_difference: Differences,
}

#[derive(Serialize)]
struct Differences {
    nemenyi: f64,
    bonferroni_dunn: f64,
}

/// Folds by method, data set by data set.
type Outcomes = Vec<Vec<Vec<pfcvm_study::Outcome>>>;

/// Runs the command.
pub fn run(options: &args::Compare) -> Outcome {
    use_threads(options.trial.threads)?;
    let inputs: Vec<Option<&Path>> = options.data.iter().map(|path| Some(path.as_path())).collect();
    output::check(&[options.report.as_deref(), options.csv.as_deref()], &inputs)?;
    let contenders = contenders(options)?;
    let load = |path| trial::load(path, &options.reading, &options.trial);
    let loaded = options.data.iter().map(|path| load(path)).collect::<Outcome<Vec<_>>>()?;
    differ(&loaded)?;
    let per_data = loaded
        .iter()
        .map(|loaded| trial::studies(loaded, &contenders, &options.trial))
        .collect::<Outcome<Vec<Vec<Study>>>>()?;
    let all: Vec<Study> = per_data.concat();
    let outcomes = trial::run(&all, &options.trial)?;
    trial::tell_failures(&all, &outcomes)?;
    let notes: Vec<String> = loaded.iter().flat_map(|loaded| loaded.notes.clone()).collect();
    notes.iter().for_each(|text| note(&format!("note: {text}")));

    let outcomes: Outcomes = outcomes.chunks(contenders.len()).map(<[_]>::to_vec).collect();
    let comparisons: Vec<Comparison> = loaded
        .iter()
        .zip(per_data.iter().zip(&outcomes))
        .map(|(one, (studies, outcomes))| {
            compare(&one.name, studies, outcomes).titled(title(&loaded, one))
        })
        .collect();
    let ranking = Ranking::of_accuracies(&comparisons);
    let about = About {
        title: match loaded.as_slice() {
            [one] => format!("Methods compared on {}", one.title),
            several => format!("Methods compared on {} data sets", several.len()),
        },
        protocol: protocol(&options.trial),
        notes,
        program: output::program(),
        ..About::default()
    };
    let page = studies::comparison(&about, &comparisons, &outcomes, ranking.as_ref());
    let mut outputs = Outputs::default();
    if let Some(path) = &options.report {
        let html = page.html()?;
        outputs.add(path, |staged| staged.write_all(html.as_bytes()))?;
    }
    if let Some(path) = &options.csv {
        outputs.add(path, |staged| table(staged, &comparisons))?;
    }
    outputs.finish()?;
    if options.json {
        return print(options, &comparisons, ranking.as_ref(), &outcomes);
    }
    output::print(&page.text())
}

/// What to call data on a page: the file alone, unless two in different folders are called alike.
fn title<'a>(all: &[Loaded], one: &'a Loaded) -> &'a str {
    let alike = all.iter().filter(|other| other.title == one.title).count();
    if alike > 1 { &one.name } else { &one.title }
}

/// The methods, which must differ.
fn contenders(options: &args::Compare) -> Outcome<Vec<Contender>> {
    let mut contenders: Vec<Contender> = Vec::new();
    for text in options.methods.iter().flat_map(|text| separated(text)) {
        let contender = trial::contender(&text, &[], &options.trial)?;
        if contenders.contains(&contender) {
            let message = format!("{} is named twice; name it once", contender.label());
            return Err(Failure::Usage(message));
        }
        contenders.push(contender);
    }
    Ok(contenders)
}

/// The same data twice would count twice in every test.
fn differ(loaded: &[Loaded]) -> Outcome {
    let mut known: Vec<(String, &str)> = Vec::new();
    for Loaded { name, data, .. } in loaded {
        let digest = data_digest(data);
        if let Some((_, other)) = known.iter().find(|(known, _)| *known == digest) {
            let message = format!("{other} and {name} hold the same data; name them once");
            return Err(Failure::Data(message));
        }
        known.push((digest, name));
    }
    Ok(())
}

/// Cut at commas, except before a number: `class_weights=1,2.5` stays whole.
fn separated(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(',') {
        match parts.last_mut() {
            Some(last) if part.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
                last.push(',');
                last.push_str(part);
            }
            _ => parts.push(part.trim().into()),
        }
    }
    parts
}

/// A row for each method on each data set.
fn table(out: &mut impl Write, comparisons: &[Comparison]) -> std::io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record([
        "data",
        "method",
        "folds",
        "failed",
        "accuracy",
        "accuracy_sd",
        "auc",
        "log_loss",
        "brier",
        "kappa",
        "features",
        "samples",
        "jaccard",
        "pearson",
        "nogueira",
        "p_against_best",
    ])?;
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for comparison in comparisons {
        for (summary, against) in comparison.methods.iter().zip(&comparison.against_best) {
            let stability = summary.stability.as_ref();
            out.write_record([
                comparison.data.clone(),
                summary.method.clone(),
                summary.folds.to_string(),
                summary.failed.len().to_string(),
                text(summary.accuracy.map(|m| m.mean)),
                text(summary.accuracy.and_then(|m| m.sd)),
                text(summary.auc.map(|m| m.mean)),
                text(summary.log_loss.map(|m| m.mean)),
                text(summary.brier.map(|m| m.mean)),
                text(summary.kappa.map(|m| m.mean)),
                text(summary.features.map(|m| m.mean)),
                text(summary.samples.map(|m| m.mean)),
                text(stability.map(|s| s.jaccard)),
                text(stability.map(|s| s.pearson)),
                text(stability.map(|s| s.nogueira)),
                text(against.map(|paired| paired.p_value)),
            ])?;
        }
    }
    out.flush()
}

fn print(
    options: &args::Compare,
    comparisons: &[Comparison],
    ranking: Option<&Ranking>,
    outcomes: &Outcomes,
) -> Outcome {
    let finite = |value: f64| value.is_finite().then_some(value);
    let ranks = ranking.map(|ranking| Ranks {
        average_ranks: ranking
            .methods
            .iter()
            .cloned()
            .zip(ranking.friedman.average_ranks.iter().copied())
            .collect(),
        left_out: ranking.left_out.clone(),
        friedman_chi_square: ranking.friedman.chi_square,
        friedman_p_value: ranking.friedman.p_value,
        iman_davenport_f: finite(ranking.friedman.iman_davenport.f),
        iman_davenport_p_value: finite(ranking.friedman.iman_davenport.f)
            .map(|_| ranking.friedman.iman_davenport.p_value),
        critical_difference: Differences {
            nemenyi: ranking.nemenyi,
            bonferroni_dunn: ranking.bonferroni_dunn,
        },
    });
    let of_methods = |comparison, outcomes: &[Vec<pfcvm_study::Outcome>]| {
        let comparison: &Comparison = comparison;
        let names = comparison.methods.iter().map(|summary| summary.method.as_str());
        names.zip(outcomes.iter().map(Timing::of)).collect()
    };
    let timing = comparisons
        .iter()
        .zip(outcomes)
        .map(|(comparison, outcomes)| (comparison.data.as_str(), of_methods(comparison, outcomes)));
    output::print_json(&Account {
        protocol: options.trial.cv.to_string(),
        seed: options.trial.seed,
        data_sets: comparisons,
        ranking: ranks,
        timing: timing.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn commas_before_numbers_belong_to_a_value() {
        assert_eq!(separated("a,b/w=1,2.5,c"), ["a", "b/w=1,2.5", "c"]);
    }
}

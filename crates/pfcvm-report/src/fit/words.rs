//! Sentences and figures that stand above and below the pictures.

use super::{FitAccount, held_out, sureness};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{count, counted, duration, fixed, percent};
use crate::page::Tile;
use pfcvm_io::{Best, MachineSummary, Summary};

/// A name from a file in a sentence.
pub fn said(name: &str) -> String {
    format!("“{}”", isolated(&shortened(or_nameless(name), 40)))
}

/// Which classes a machine tells apart.
pub fn machine(machine: &MachineSummary) -> String {
    match &machine.negative {
        Some(negative) => format!("{} against {}", said(&machine.positive), said(negative)),
        None => format!("{} against all others", said(&machine.positive)),
    }
}

/// Which classes a model tells apart.
pub fn classes(names: &[String]) -> String {
    match names {
        [negative, positive] => format!("{} against {}", said(positive), said(negative)),
        _ => names.iter().map(|name| said(name)).collect::<Vec<_>>().join(", "),
    }
}

/// What came out, in one or two sentences.
pub fn lead(account: &FitAccount) -> String {
    let summary = &account.summary;
    let rows = count(summary.n_samples_in);
    let mut of_features =
        format!("{} of {} features", count(summary.features.len()), count(summary.n_features_in));
    if let Some(sure) = summary.sureness() {
        of_features += &format!(" ({} of them certain)", count(sure.certain));
    }
    let what = match (summary.list(), summary.classes.as_slice()) {
        _ if sureness::is_empty(summary) => format!(
            "The fit looked at {rows} labelled rows with {}.",
            counted(summary.n_features_in, "feature")
        ),
        (Some(list), classes) => {
            let tells = match classes {
                [negative, positive] => format!("{} from {}", said(positive), said(negative)),
                several => format!("{} classes apart", several.len()),
            };
            match &list.panel {
                None => format!(
                    "Of {rows} labelled rows the fit keeps {}, and {of_features}, to tell {tells}.",
                    count(summary.samples.len())
                ),
                Some(panel) if panel.verdict == Best::Neither && list.held_out.is_none() => {
                    format!(
                        "From {rows} labelled rows, no list was found that tells {tells} better \
                         than chance; the {of_features} below came nearest."
                    )
                }
                Some(_) => format!(
                    "From {rows} labelled rows, {of_features} make a list that tells {tells}."
                ),
            }
        }
        _ => format!(
            "From {rows} labelled rows, {} machines ({}) tell {} classes apart with {of_features}.",
            summary.machines.len(),
            summary.scheme,
            summary.classes.len(),
        ),
    };
    let what = match sureness::verdict(summary) {
        Some(verdict) => format!("{verdict} {what}"),
        None => what,
    };
    match &account.test {
        None => what,
        Some(test) => format!(
            "{what} Of {} test rows, {} are classified correctly.",
            count(test.scores.rows),
            percent(test.scores.accuracy)
        ),
    }
}

fn tile(label: &str, value: impl Into<String>, remark: impl Into<String>) -> Tile {
    Tile { label: label.into(), value: value.into(), remark: remark.into() }
}

/// The figures to see first.
pub fn tiles(account: &FitAccount) -> Vec<Tile> {
    let summary = &account.summary;
    let mut tiles = Vec::new();
    if account.test.is_none() {
        tiles.extend(of_held_out(summary));
    }
    if let Some(test) = &account.test {
        let scores = &test.scores;
        let on = format!("on {} test rows", count(scores.rows));
        tiles.push(tile("Accuracy", percent(scores.accuracy), on));
        if let Some(loss) = scores.log_loss {
            let nothing = (scores.classes.len() as f64).ln();
            let remark = format!("knowing nothing costs {}", fixed(nothing, 3));
            tiles.push(tile("Log loss", fixed(loss, 3), remark));
        }
        let several = scores.classes.len() > 2;
        if several {
            tiles.push(tile("Macro F1", fixed(scores.macro_f1, 3), "mean over the classes"));
        }
        let each = if several { "each class against the rest; " } else { "" };
        tiles.push(match scores.auc {
            Some(auc) => tile("AUC", fixed(auc, 3), format!("{each}tossing a coin gives 0.5")),
            None => tile("AUC", "none", "the test rows are all of one class"),
        });
        if let Some(error) = scores.calibration_error.filter(|_| several) {
            let remark = "of the most probable class; 0 for honest probabilities";
            tiles.push(tile("Calibration error", fixed(error, 3), remark));
        }
    }
    tiles.extend(selected(summary));
    let remark = match summary.list() {
        Some(list) => steps(summary, list.iterations),
        None => format!("{} machines", summary.machines.len()),
    };
    tiles.push(tile("Time", duration(account.seconds), remark));
    tiles
}

/// What held-out rows say where there is one list, of some features, or all features predict.
fn of_held_out(summary: &Summary) -> Vec<Tile> {
    let list = summary.list();
    let list = list.filter(|list| !list.selected_features.is_empty() || summary.uses_all_features);
    let held = list.as_ref().and_then(|list| list.held_out.as_ref());
    held.map_or_else(Vec::new, |held| held_out::tiles(held, ""))
}

/// What a model file tells of itself.
pub fn of_model(summary: &Summary) -> Vec<Tile> {
    let mut tiles = of_held_out(summary);
    tiles.extend(selected(summary));
    tiles
}

/// How much a model selects, and what a panel says of itself.
fn selected(summary: &Summary) -> Vec<Tile> {
    let kept = |all: usize| match summary.list() {
        Some(_) => format!("kept of {}", count(all)),
        None => format!("kept by some machine, of {}", count(all)),
    };
    let features = match summary.sureness() {
        Some(sure) if !summary.features.is_empty() => {
            format!("{}; {} certain", kept(summary.n_features_in), count(sure.certain))
        }
        _ => kept(summary.n_features_in),
    };
    let mut tiles = vec![tile("Features", count(summary.features.len()), features)];
    if summary.uses_all_features {
        let remark = format!("features of {} that prediction needs", count(summary.n_features_in));
        tiles.push(tile("Needed", count(summary.n_features_needed), remark));
    }
    if let Some(sure) = summary.sureness().filter(|_| sureness::is_empty(summary)) {
        let remark = "how likely features that say nothing do as well";
        tiles.push(tile("Chance", sureness::chance(sure.p_value), remark));
    } else if !summary.is_panel {
        tiles.push(tile("Samples", count(summary.samples.len()), kept(summary.n_samples_in)));
    }
    let only = summary.only().filter(|only| !only.selected_features.is_empty());
    let Some((only, panel)) = only.and_then(|only| Some((only, only.panel.as_ref()?))) else {
        return tiles;
    };
    // Where rows that did not train were asked, they say it better.
    if only.held_out.is_some() {
        return tiles;
    }
    if let Some(accuracy) = panel.expected_accuracy {
        let remark = "accuracy on new rows: each half of the samples, tried on the other";
        tiles.push(tile("To expect", percent(accuracy), remark));
    }
    let answer = match panel.verdict {
        Best::ShortList => "yes",
        Best::AllFeatures => "no",
        Best::Neither => "no better than chance",
    };
    let remark = match (panel.expected_log_loss, panel.all_features_log_loss) {
        (Some(list), Some(all)) => format!(
            "log loss {} with short lists, {} with all features",
            fixed(list, 3),
            fixed(all, 3)
        ),
        _ => "judged by halves of the samples".into(),
    };
    tiles.push(tile("Short list suffices", answer, remark));
    tiles
}

fn steps(summary: &Summary, count: usize) -> String {
    format!("{count} {}", if summary.is_panel { "rounds" } else { "iterations" })
}

/// How the fit ended.
pub fn ending(summary: &Summary) -> String {
    let seed = summary.seed;
    match summary.list() {
        Some(list) => {
            let what = if summary.is_panel { "panel" } else { "fit" };
            let steps = steps(summary, list.iterations);
            format!("The {what} {} after {steps}; seed {seed}.", list.termination)
        }
        None => format!("{} machines; seed {seed}.", summary.machines.len()),
    }
}

/// Who wrote the page.
pub fn footer(program: &str, seed: u64) -> Vec<String> {
    vec![
        format!("Written by {program}, seed {seed}."),
        "This file is complete: it loads nothing and sends nothing.".into(),
    ]
}

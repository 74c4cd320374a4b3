//! What a short list costs: the listed features alone beside all features, on rows that did not train.

use crate::number::{count, counted, fixed, percent};
use crate::page::{Cell, Column, Table};
use pfcvm_io::{GoalScore, Goals, HeldOut, Summary};

/// A difference is clear from so many standard errors on.
const CLEAR: f64 = 2.0;
/// A list that leaves this part of what all features tell is no short list worth having.
const MUCH: f64 = 0.25;

/// What held-out rows say of both goals, where there is one list.
fn of(summary: &Summary) -> Option<(HeldOut, Goals)> {
    let held = summary.list()?.held_out.clone()?;
    let goals = held.goals?;
    Some((held, goals))
}

/// What the list costs and what the other goal would bring, and what its figures belong to.
pub fn sentences(summary: &Summary) -> Vec<String> {
    let Some((held, goals)) = of(summary) else { return Vec::new() };
    if summary.features.is_empty() {
        return Vec::new();
    }
    let (list, both) = (loss(&goals.list), loss(&goals.accuracy));
    let said = match summary.uses_all_features {
        true => format!(
            "with all features beside the list {both}, with the list alone {list} (“{}”): {}",
            the_list_alone(summary),
            difference(-goals.gain, goals.gain_error)
        ),
        false => format!(
            "with the list alone {list}, with all features beside it {both} (“--goal accuracy”): {}",
            difference(goals.gain, goals.gain_error)
        ),
    };
    let said = format!("Log loss of held-out rows: {said}.");
    let mut sentences = vec![said];
    let known = held.baseline_log_loss - goals.accuracy.log_loss;
    if goals.gain > (CLEAR * goals.gain_error).max(MUCH * known) {
        sentences.push(format!(
            "No short list here: the best one, of {}, costs {} ± {}.",
            counted(summary.features.len(), "feature"),
            fixed(goals.gain, 3),
            fixed(goals.gain_error, 3)
        ));
    }
    if summary.uses_all_features {
        sentences.push(format!(
            "Importance, false alarms and weights are those of the list; prediction needs {}.",
            needed(summary)
        ));
    }
    sentences
}

/// What asks for the same list without all features: with as many samples.
fn the_list_alone(summary: &Summary) -> String {
    match summary.settings.get("samples").and_then(|samples| samples.as_str()) {
        None => "--goal list".into(),
        Some(samples) => format!("--goal list --samples {samples}"),
    }
}

/// By how much a loss falls, in words.
fn difference(fall: f64, error: f64) -> String {
    let way = if fall < 0.0 { "more" } else { "less" };
    let chance = if fall.abs() > CLEAR * error { "" } else { ", which may be chance" };
    format!("{} ± {} {way}{chance}", fixed(fall.abs(), 3), fixed(error, 3))
}

/// What prediction needs.
fn needed(summary: &Summary) -> String {
    match summary.n_features_needed == summary.n_features_in {
        true => format!("all {}", counted(summary.n_features_in, "feature")),
        false => format!(
            "{} of {} features",
            count(summary.n_features_needed),
            count(summary.n_features_in)
        ),
    }
}

fn loss(score: &GoalScore) -> String {
    format!("{} ± {}", fixed(score.log_loss, 3), fixed(score.log_loss_error, 3))
}

/// Where no list does better than chance and all features together do: what is predicted with; nothing
/// where there is no more to say than that nothing was found.
pub fn instead_of_a_list(summary: &Summary) -> Option<String> {
    if summary.uses_all_features {
        return Some(format!(
            "All features together do: the model predicts with them, and needs {}.",
            needed(summary)
        ));
    }
    summary.beats_chance().then(|| {
        "All features together do better than chance: “--goal accuracy” predicts with them.".into()
    })
}

/// Both goals in numbers, for a page.
pub fn table(held: &HeldOut) -> Option<Table> {
    let Goals { list, accuracy, all_features, .. } = held.goals?;
    let row = |name: &str, score: GoalScore| -> Vec<Cell> {
        vec![name.into(), percent(score.accuracy).into(), loss(&score).into()]
    };
    Some(Table {
        caption: "With a list and with all features".into(),
        columns: vec![
            Column::text("What predicts"),
            Column::number("Accuracy"),
            Column::number("Log loss ± standard error"),
        ],
        rows: vec![
            row("the listed features alone (goal list)", list),
            row("all features beside them (goal accuracy)", accuracy),
            row("all features alone", all_features),
        ],
        remark: None,
    })
}

//! Which features matter: their importance where there is one list, their shares over several machines.
//! Where no rows were held out, weights stand for importance.

use super::{classes, lists, sureness, weights};
use crate::charts::{Bar, Bars, Tone, drawable};
use crate::lettering::{letters, shortened};
use crate::name::or_nameless;
use crate::number::{count, counted};
use crate::page::{Block, Column, Content, Figure, Section, Table};
use pfcvm_io::{Found, SelectedFeature, SelectedShare, Summary};
use std::collections::BTreeMap;

/// More bars than this are a pattern, not a list to read.
pub const MOST_BARS: usize = 40;
/// The widest bar in text, in letters: beside what held-out rows say, and alone.
const TEXT_BARS: [f64; 2] = [16.0, 30.0];

/// Words that set some features apart, by their column.
pub type Marks = BTreeMap<usize, String>;

/// Pictures, and the numbers behind them.
pub fn section(summary: &Summary, marks: &Marks) -> Option<Section> {
    let list = summary.list();
    let blocks = match list.as_deref() {
        _ if summary.features.is_empty() => Vec::new(),
        Some(list) => {
            let features = in_order(list);
            let figures = match summary.sureness() {
                Some(_) => vec![importances(&features, list, &summary.classes, marks)],
                None => weights::figures(list, &summary.classes, marks),
            };
            let fold = match features.len() {
                1 => "The feature in numbers".into(),
                n => format!("All {} features in numbers", count(n)),
            };
            let mut numbers = lists::whole(&features, marks);
            numbers.remark = summary.sureness().map(|_| sureness::columns(list).into());
            let mut blocks: Vec<Block> = figures.into_iter().map(Block::Wide).collect();
            blocks.push(Block::Folded(fold, numbers));
            blocks.extend(classes::blocks(summary, &shares_in_order(summary)));
            blocks
        }
        None => {
            let features = shares_in_order(summary);
            let numbers = lists::shares(&features, summary);
            let numbers = Block::Folded("All of them in numbers".into(), numbers);
            vec![Block::Wide(shares(&features, summary)), numbers]
        }
    };
    let mut text = sureness::sentences(summary)?;
    if let (Some(list), None, false) = (&list, summary.sureness(), blocks.is_empty()) {
        text.insert(0, weights::meaning(list).into());
    }
    Some(Section { id: "features".into(), heading: "Which features matter".into(), text, blocks })
}

/// The same for a terminal: a table with bars, of so many features at most, and with `weights`
/// also what the model knows of them.
pub fn in_text(summary: &Summary, marks: &Marks, most: usize, weights: bool) -> Option<Section> {
    let (heading, id) = ("Which features matter".into(), "features".into());
    let mut text = sureness::sentences(summary)?;
    let known = summary.sureness().is_some();
    if summary.features.is_empty() {
        return Some(Section { id, heading, text, blocks: Vec::new() });
    }
    let list = summary.list();
    let (meaning, mut table, sizes, more): (_, Table, Vec<(f64, bool)>, _) = match list.as_deref() {
        Some(list) => {
            let features = in_order(list);
            let of = |f: &&SelectedFeature| match f.sureness {
                Some(sure) => (sure.importance, sure.certain),
                None => (f.weight.abs(), true),
            };
            let meaning = match known {
                true => sureness::IMPORTANCE_IN_TEXT,
                false => weights::meaning_in_text(list),
            };
            let table = lists::short(&features, marks);
            let more = lists::weights(&features).filter(|_| weights);
            (meaning, table, features.iter().map(of).collect(), more)
        }
        None => {
            let features = shares_in_order(summary);
            let of = |f: &&SelectedShare| (f.share, f.certain != Some(false));
            let meaning = "Share: of a machine's weights, on the mean over all machines.";
            (meaning, lists::shares(&features, summary), features.iter().map(of).collect(), None)
        }
    };
    text.push(meaning.into());
    table.rows.truncate(most);
    let shown = sizes.iter().take(most).map(|size| size.0);
    let widest = shown.filter(|size| drawable(*size)).fold(0.0, f64::max);
    let room = TEXT_BARS[usize::from(!known)];
    table.columns.insert(1, Column::text(""));
    for (row, (size, certain)) in table.rows.iter_mut().zip(&sizes) {
        let length = if widest > 0.0 { room * size / widest } else { 0.0 };
        row.insert(1, letters(length, room, *certain).into());
    }
    let left = sizes.len() - table.rows.len();
    table.remark =
        (left > 0).then(|| format!("and {}; --json lists all", counted(left, "more feature")));
    table.caption = String::new();
    let by_class = classes::in_text(summary, &shares_in_order(summary), most);
    let blocks = [Some(table), by_class, more].into_iter().flatten().map(Block::Table).collect();
    Some(Section { id, heading, text, blocks })
}

/// Certain ones first; in both parts as they come, the most important first.
fn in_order(list: &Found) -> Vec<&SelectedFeature> {
    let mut features: Vec<&SelectedFeature> = list.selected_features.iter().collect();
    features.sort_by_key(|feature| feature.sureness.is_some_and(|sure| !sure.certain));
    features
}

fn shares_in_order(summary: &Summary) -> Vec<&SelectedShare> {
    let mut features: Vec<&SelectedShare> = summary.features.iter().collect();
    features.sort_by_key(|feature| feature.certain == Some(false));
    features
}

/// What each feature is worth on rows that did not train.
fn importances(
    features: &[&SelectedFeature],
    list: &Found,
    classes: &[String],
    marks: &Marks,
) -> Figure {
    let shown = &features[..features.len().min(MOST_BARS)];
    let bar = |feature: &&SelectedFeature| {
        let sure = feature.sureness;
        Bar {
            name: or_nameless(&feature.name).into(),
            value: sure.map_or(f64::NAN, |sure| sure.importance),
            interval: sure.map(|sure| sure.importance_interval),
            faint: sure.is_none_or(|sure| !sure.certain),
            mark: marks.get(&feature.index).cloned(),
            share: sure.map(|sure| sure.false_alarm),
        }
    };
    let rows: Vec<Bar> = shown.iter().map(bar).collect();
    let bars = Bars { rows: &rows, label: "importance", share_label: "false alarm" };
    let heading = match features.len() {
        1 => "Importance of the only feature kept".into(),
        n if n > MOST_BARS => {
            format!("Importance of the first {MOST_BARS} of {} features", count(n))
        }
        n => format!("Importance of the {}", counted(n, "feature")),
    };
    let first: Vec<String> = shown.iter().take(3).map(|f| shortened(&f.name, 60)).collect();
    let about = format!(
        "Bars from the most important feature down, certain ones before the others; first {}.",
        first.join(", ")
    );
    figure(&bars, "features", heading, &about, legend(&rows), sureness::caption(list, classes))
}

/// Shares over several machines.
fn shares(features: &[&SelectedShare], summary: &Summary) -> Figure {
    let all = summary.machines.len().max(1) as f64;
    let known = summary.sureness().is_some();
    let shown = &features[..features.len().min(MOST_BARS)];
    let bar = |feature: &&SelectedShare| Bar {
        name: or_nameless(feature.name.as_deref().unwrap_or_default()).into(),
        value: 100.0 * feature.share,
        faint: feature.certain == Some(false),
        share: if known { feature.false_alarm } else { Some(feature.machines as f64 / all) },
        ..Bar::default()
    };
    let rows: Vec<Bar> = shown.iter().map(bar).collect();
    let share_label = if known { "false alarm" } else { "kept by" };
    let bars = Bars { rows: &rows, label: "% of the weights", share_label };
    let heading = match features.len() {
        n if n > MOST_BARS => format!("The first {MOST_BARS} of {} features", count(n)),
        n => format!("Shares of the {}", counted(n, "feature")),
    };
    let mut caption = String::from(
        "A feature’s share of the weights of a machine, on the mean over all machines, so that all \
         bars add up to 100 %.",
    );
    caption += match known {
        true => sureness::FALSE_ALARM,
        false => " “Kept by” is the share of the machines that keep it.",
    };
    let about = "Bars from the largest share down, certain features before the others.";
    figure(&bars, "features", heading, about, legend(&rows), caption)
}

/// Bars for narrow and for wide screens.
pub fn figure(
    bars: &Bars,
    id: &str,
    heading: String,
    about: &str,
    legend: Vec<(Tone, String)>,
    caption: String,
) -> Figure {
    let draw = |width, form| bars.draw(width, &format!("{id}-{form}"), &heading, about);
    let content = Content::ByWidth { narrow: draw(360.0, "narrow"), wide: draw(940.0, "wide") };
    Figure { heading, legend, content, caption }
}

/// What filled and hollow bars and their colours mean, where there is more than one kind.
pub fn legend(rows: &[Bar]) -> Vec<(Tone, String)> {
    let mut marks: Vec<&str> = Vec::new();
    for mark in rows.iter().filter_map(|row| row.mark.as_deref()) {
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let marks = marks.iter().take(4).copied().collect::<Vec<_>>().join(", ");
    let (faint, solid) = (rows.iter().any(|row| row.faint), rows.iter().any(|row| !row.faint));
    let mut legend: Vec<(Tone, String)> = Vec::new();
    if faint && solid {
        legend.push((Tone::Accent, "certain".into()));
    } else if solid && !marks.is_empty() {
        legend.push((Tone::Accent, "no mark".into()));
    }
    if faint {
        legend.push((Tone::Faint, "not certain".into()));
    }
    if !marks.is_empty() {
        legend.push((Tone::Contrast, shortened(&marks, 60)));
    }
    legend
}

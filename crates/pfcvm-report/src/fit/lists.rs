//! Features in numbers.

use super::features::Marks;
use super::words;
use crate::name::or_nameless;
use crate::number::{column, percent};
use crate::page::{Cell, Column, Table};
use pfcvm_io::{SelectedFeature, SelectedShare, Summary, Sureness};

/// A column with its cells, from top to bottom.
type Filled = (Column, Vec<Cell>);

/// Everything about the features of one machine, in their order.
pub fn whole(features: &[&SelectedFeature], marks: &Marks) -> Table {
    let mut columns = sure(features);
    if columns.is_empty() {
        columns = weighed(features);
    } else {
        let kept = |f: &SelectedFeature| percent(f.sureness.map_or(f64::NAN, |s| s.kept_share));
        columns.push(filled(Column::number("Kept in"), features.iter().map(|f| kept(f))));
        columns.extend(in_the_model(features));
    }
    columns.extend(marked(features, marks));
    table(names(features), columns)
}

/// What held-out rows say of the features of one machine, or else their weights.
pub fn short(features: &[&SelectedFeature], marks: &Marks) -> Table {
    let mut columns = sure(features);
    if columns.is_empty() {
        columns = weighed(features);
    } else if features.iter().any(|feature| feature.standing.is_some()) {
        // The sign says which class it speaks for.
        columns.extend(weighed(features).into_iter().take(1));
    }
    columns.extend(marked(features, marks));
    table(names(features), columns)
}

/// The weights of the features of one machine, where these are not what is shown first.
pub fn weights(features: &[&SelectedFeature]) -> Option<Table> {
    let known = features.iter().any(|feature| feature.sureness.is_some());
    known.then(|| Table {
        caption: "Their weights in the model".into(),
        ..table(names(features), in_the_model(features))
    })
}

/// Shares over several machines.
pub fn shares(features: &[&SelectedShare], summary: &Summary) -> Table {
    let all = || features.iter();
    let mut columns = vec![filled(Column::number("Share"), all().map(|f| percent(f.share)))];
    if features.iter().any(|feature| feature.false_alarm.is_some()) {
        let false_alarm = all().map(|f| percent(f.false_alarm.unwrap_or(f64::NAN)));
        columns.push(filled(Column::number("False alarm"), false_alarm));
        columns.push(filled(Column::text("Certain"), all().map(|f| certain(f.certain))));
    }
    columns.push(filled(Column::number("Machines"), all().map(|f| f.machines.to_string())));
    let strongest = all().map(|f| match summary.machines.get(f.strongest) {
        Some(machine) => words::machine(machine),
        None => String::new(),
    });
    columns.push(filled(Column::text("Weighs most in"), strongest));
    let names = all().map(|f| or_nameless(f.name.as_deref().unwrap_or_default()).into());
    let caption = "Features that any machine keeps".into();
    Table { caption, ..table(names.collect(), columns) }
}

fn names(features: &[&SelectedFeature]) -> Vec<Cell> {
    features.iter().map(|feature| or_nameless(&feature.name).into()).collect()
}

/// What held-out rows say, where they were asked.
fn sure(features: &[&SelectedFeature]) -> Vec<Filled> {
    if features.iter().all(|feature| feature.sureness.is_none()) {
        return Vec::new();
    }
    let value = |of: fn(&Sureness) -> f64| -> Vec<f64> {
        features.iter().map(|f| f.sureness.as_ref().map_or(f64::NAN, of)).collect()
    };
    // With the same decimals, so that an interval can be compared with what it belongs to.
    let [importance, low, high] = [
        value(|s| s.importance),
        value(|s| s.importance_interval[0]),
        value(|s| s.importance_interval[1]),
    ];
    let all = column(&[importance, low, high].concat());
    let (importance, ends) = all.split_at(features.len());
    let (low, high) = ends.split_at(features.len());
    let interval = low.iter().zip(high).map(|(low, high)| format!("{low} to {high}"));
    let false_alarm = value(|s| s.false_alarm).into_iter().map(percent);
    let is_certain = features.iter().map(|f| certain(f.sureness.map(|s| s.certain)));
    vec![
        filled(Column::number("Importance"), importance.iter().cloned()),
        filled(Column::number("95 % interval"), interval),
        filled(Column::number("False alarm"), false_alarm),
        filled(Column::text("Certain"), is_certain),
    ]
}

/// Weights and what belongs to them.
fn weighed(features: &[&SelectedFeature]) -> Vec<Filled> {
    let mut columns = vec![
        numbers(features, "Weight", |f| Some(f.weight)),
        numbers(features, "± deviation", |f| Some(f.deviation)),
    ];
    if features.iter().any(|feature| feature.worth.is_some()) {
        columns.push(numbers(features, "Worth", |f| f.worth));
    }
    if features.iter().any(|feature| feature.standing.is_some()) {
        let chosen = |f: &SelectedFeature| percent(f.standing.map_or(f64::NAN, |s| s.frequency));
        columns.push(filled(Column::number("Chosen by"), features.iter().map(|f| chosen(f))));
    }
    columns
}

/// The same with what only those ask for who know how the model works.
fn in_the_model(features: &[&SelectedFeature]) -> Vec<Filled> {
    let mut columns = weighed(features);
    if features.iter().any(|feature| feature.precision.is_some()) {
        columns.insert(2, numbers(features, "Precision", |f| f.precision));
    }
    columns
}

fn numbers(
    features: &[&SelectedFeature],
    head: &str,
    of: fn(&SelectedFeature) -> Option<f64>,
) -> Filled {
    let values: Vec<f64> = features.iter().map(|feature| of(feature).unwrap_or(f64::NAN)).collect();
    filled(Column::number(head), column(&values))
}

fn marked(features: &[&SelectedFeature], marks: &Marks) -> Option<Filled> {
    let mark = |f: &&SelectedFeature| marks.get(&f.index).cloned().unwrap_or_default();
    let any = features.iter().any(|feature| marks.contains_key(&feature.index));
    any.then(|| filled(Column::text("Mark"), features.iter().map(mark)))
}

fn certain(is: Option<bool>) -> String {
    match is {
        Some(true) => "yes".into(),
        Some(false) => "no".into(),
        None => "–".into(),
    }
}

fn filled(head: Column, cells: impl IntoIterator<Item = String>) -> Filled {
    (head, cells.into_iter().map(Cell::from).collect())
}

fn table(names: Vec<Cell>, columns: Vec<Filled>) -> Table {
    let mut heads = vec![Column::text("Feature")];
    let mut rows: Vec<Vec<Cell>> = names.into_iter().map(|name| vec![name]).collect();
    for (head, cells) in columns {
        heads.push(head);
        rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    Table { caption: "Kept features".into(), columns: heads, rows, remark: None }
}

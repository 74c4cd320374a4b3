//! What the columns of a table look like, before anybody has learned from them.

use crate::kinds::label_by_name;
use crate::{Content, Error, Input, ReadOptions, Rows, Table};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Bars of the small picture of a column of numbers.
const BARS: usize = 16;
/// Words of a column that are told with their numbers of rows.
const MOST_WORDS: usize = 12;
/// More different values than this are not counted.
const MOST_VALUES: usize = 1000;
/// More values than this are no classes.
const MOST_CLASSES: usize = 100;

/// A table in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outline {
    /// The name of the format.
    pub format: String,
    /// Rows of the file.
    pub rows: usize,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnOutline>,
    /// The column that is most likely the label, as [`ReadOptions::label`] takes it.
    pub label: Option<String>,
    /// What the reader decided, one sentence each.
    pub notes: Vec<String>,
}

/// A column in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnOutline {
    /// Its name, or what takes its place where columns have none.
    pub name: String,
    /// What finds it as a label: its name, or its position from 1.
    pub label: String,
    /// `number`, `words`, `date`, `label` (read as the label), or `left_out`, where it tells rows apart
    /// or was ignored.
    pub kind: &'static str,
    /// Rows without a value.
    pub gaps: usize,
    /// Different values, up to 1000.
    pub values: usize,
    /// Whether there may be more.
    pub more_values: bool,
    /// Smallest and largest number; days since 1970 of dates.
    pub range: Option<(f64, f64)>,
    /// Rows in parts of the range that are equally wide.
    pub bars: Vec<usize>,
    /// The most frequent words, or classes, with their rows.
    pub words: Vec<(String, usize)>,
    /// Whether it could be a label.
    pub could_be_label: bool,
}

impl Outline {
    /// Reads a file and sums it up. Rows without a label are counted as rows only.
    pub fn read(
        input: &Input,
        options: &ReadOptions,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, Error> {
        let rows = Rows::open(input, options)?;
        let (format, names) = (rows.format().name().to_owned(), rows.columns());
        let (label, named) = (rows.label_column()?, rows.unnamed_columns().is_none());
        let table = rows.into_table(progress)?;
        Ok(Self::of(&table, format, names, label, named))
    }

    fn of(
        table: &Table,
        format: String,
        names: Vec<String>,
        label: Option<usize>,
        named: bool,
    ) -> Self {
        let known = table.variables().iter().enumerate();
        let places: HashMap<&str, usize> = known.map(|(at, one)| (&*one.name, at)).collect();
        // LIBSVM knows its columns at the end only; its label and that of .npz stand apart.
        let names = match names.is_empty() {
            true => table.variables().iter().map(|variable| variable.name.clone()).collect(),
            false => names,
        };
        let of_column = |(at, name): (usize, &String)| {
            let asked = if named { name.clone() } else { (at + 1).to_string() };
            let outline = match places.get(&**name) {
                _ if label == Some(at) => of_label(table),
                Some(&place) => of_feature(table, place),
                None => ColumnOutline::left_out(),
            };
            ColumnOutline { name: name.clone(), label: asked, ..outline }
        };
        let columns: Vec<ColumnOutline> = names.iter().enumerate().map(of_column).collect();
        let usual = label.map(|at| &columns[at]);
        let by_name = || label_by_name(table.variables(), table.x());
        let first =
            || columns.iter().find(|column| column.could_be_label).map(|one| one.label.clone());
        let suggested = match usual {
            None => None,
            Some(column) if column.could_be_label => Some(column.label.clone()),
            Some(_) => by_name().or_else(first),
        };
        let notes = table.notes().to_vec();
        Self { format, rows: table.rows_read(), columns, label: suggested, notes }
    }
}

impl ColumnOutline {
    fn left_out() -> Self {
        Self {
            name: String::new(),
            label: String::new(),
            kind: "left_out",
            gaps: 0,
            values: 0,
            more_values: false,
            range: None,
            bars: Vec::new(),
            words: Vec::new(),
            could_be_label: false,
        }
    }
}

/// Whether values can be classes: some, not too many, none of them alone.
fn could_be_label(counts: impl ExactSizeIterator<Item = usize>) -> bool {
    let classes = counts.len();
    (2..=MOST_CLASSES).contains(&classes) && counts.into_iter().all(|rows| rows > 1)
}

fn of_label(table: &Table) -> ColumnOutline {
    let counts = table.class_counts();
    ColumnOutline {
        kind: "label",
        gaps: table.rows_read() - table.x().rows(),
        values: counts.len().min(MOST_VALUES),
        more_values: counts.len() > MOST_VALUES,
        could_be_label: could_be_label(counts.iter().copied()),
        words: most_frequent(table.class_names().iter().cloned().zip(counts).collect()),
        ..ColumnOutline::left_out()
    }
}

fn of_feature(table: &Table, place: usize) -> ColumnOutline {
    let (variable, column) = (&table.variables()[place], table.x().column(place));
    let filled: Vec<f64> = column.iter().copied().filter(|value| !value.is_nan()).collect();
    let gaps = column.len() - filled.len();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let mut more_values = false;
    for value in &filled {
        // Adding 0 turns -0 into 0.
        let key = (value + 0.0).to_bits();
        if counts.len() < MOST_VALUES || counts.contains_key(&key) {
            *counts.entry(key).or_default() += 1;
        } else {
            more_values = true;
        }
    }
    let outline = ColumnOutline {
        gaps,
        values: counts.len(),
        more_values,
        could_be_label: !more_values && could_be_label(counts.values().copied()),
        ..ColumnOutline::left_out()
    };
    match &variable.content {
        Content::Words(levels) => {
            let name = |key: &u64| {
                let code = f64::from_bits(*key) as usize;
                levels.names().get(code).cloned().unwrap_or_else(|| "other".into())
            };
            let words = counts.iter().map(|(key, count)| (name(key), *count)).collect();
            ColumnOutline { kind: "words", words: most_frequent(words), ..outline }
        }
        content => {
            let kind = if matches!(content, Content::Number) { "number" } else { "date" };
            let (range, bars) = histogram(&filled);
            ColumnOutline { kind, range, bars, ..outline }
        }
    }
}

fn most_frequent(mut words: Vec<(String, usize)>) -> Vec<(String, usize)> {
    words.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    words.truncate(MOST_WORDS);
    words
}

/// The range of the finite values, and how many lie in each part of it.
fn histogram(values: &[f64]) -> (Option<(f64, f64)>, Vec<usize>) {
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if finite.is_empty() {
        return (None, Vec::new());
    }
    // Few different values have a bar each.
    let different: HashSet<u64> =
        finite.iter().map(|value| value.to_bits()).take(100_000).collect();
    let bars = BARS.min(different.len().max(1));
    let mut counts = vec![0; bars];
    // Halves, so that the width of the widest range is a number too.
    let width = (high / 2.0 - low / 2.0) / bars as f64;
    for value in finite {
        let place = if width > 0.0 { ((value / 2.0 - low / 2.0) / width) as usize } else { 0 };
        counts[place.min(bars - 1)] += 1;
    }
    (Some((low, high)), counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        let rows = Rows::from_reader(
            std::io::Cursor::new(text.as_bytes().to_vec()),
            "test",
            &ReadOptions::default(),
        )
        .unwrap();
        let (names, label) = (rows.columns(), rows.label_column().unwrap());
        let named = rows.unnamed_columns().is_none();
        Outline::of(&rows.into_table(&mut |_| ()).unwrap(), "CSV".into(), names, label, named)
    }

    #[test]
    fn columns_are_summed_up() {
        let rows = (0..12).map(|at| format!("n{at},{at},{},{}", ["a", "b"][at % 2], at % 3));
        let text = format!("id,x,w,class\n{}\n", rows.collect::<Vec<_>>().join("\n"));
        let found = outline(&text.replace("\nn3,3,", "\nn3,,"));
        assert_eq!((found.rows, found.label.as_deref()), (12, Some("class")));
        let kinds: Vec<&str> = found.columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, ["left_out", "number", "words", "label"]);
        let x = &found.columns[1];
        assert_eq!(
            (x.gaps, x.values, x.range, x.could_be_label),
            (1, 11, Some((0.0, 11.0)), false)
        );
        assert_eq!((x.bars.len(), x.bars.iter().sum::<usize>()), (11, 11));
        assert_eq!(found.columns[2].words, [("a".to_owned(), 6), ("b".to_owned(), 6)]);
        assert_eq!(found.columns[3].words.len(), 3);
    }

    #[test]
    fn a_last_column_of_many_values_is_not_suggested() {
        let rows =
            (0..30).map(|at| format!("{},{}", ["yes", "no"][at % 2], f64::from(at as u32) / 7.0));
        let text = format!("outcome,x\n{}\n", rows.collect::<Vec<_>>().join("\n"));
        assert_eq!(outline(&text).label.as_deref(), Some("outcome"));
    }

    #[test]
    fn numbers_without_names_are_found_by_position() {
        let rows = (0..20).map(|at| format!("{},{}", f64::from(at) / 3.0, at % 2));
        let found = outline(&rows.collect::<Vec<_>>().join("\n"));
        assert_eq!(found.label.as_deref(), Some("2"));
        assert_eq!((&*found.columns[0].name, &*found.columns[0].label), ("x1", "1"));
    }

    #[test]
    fn wide_ranges_have_bars() {
        let (range, bars) = histogram(&[f64::MIN, 0.0, f64::MAX, f64::INFINITY]);
        assert_eq!(range, Some((f64::MIN, f64::MAX)));
        assert_eq!(bars.iter().sum::<usize>(), 3);
        assert_eq!(histogram(&[2.0, 2.0]), (Some((2.0, 2.0)), vec![2]));
    }
}

//! What a graph takes.
//!
//! A table of numbers, each column a feature, is one input, `X`. Any other is one input for each column
//! that the model needs, N × 1, under the column's name: words as texts, the rest as numbers. A gap is NaN
//! among numbers; among texts, any that the model has not learned.

use super::Input;
use super::graph::{Builder, Name};
use super::protobuf::element;
use crate::{Levels, ModelFile, TableForm};
use std::collections::HashMap;

/// Outputs of every graph, which no input may be called.
const TAKEN: [&str; 4] = ["label", "probabilities", "decision", "variance"];
/// Texts that stand for no value, as they are usually written.
const GAPS: [&str; 15] = [
    "", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "None", "nan", "NaN", "NAN", "null",
    "Null", "NULL",
];

/// The columns of the training data that a graph has.
pub struct Inputs {
    /// All numbers side by side.
    numbers: Option<Name>,
    /// Where each column of numbers stands there.
    places: HashMap<usize, i64>,
    /// For each column of words the place of the word, N, and how many there are; a gap is behind them.
    words: HashMap<usize, (Name, usize)>,
    /// Any number for each row, N × 1.
    pub any: Name,
}

impl Inputs {
    /// Takes what the machines of a file need.
    pub fn new(graph: &mut Builder, file: &ModelFile, input: Input) -> Self {
        match &file.form {
            None => Self::whole(graph, file.feature_names.len(), input),
            Some(form) => Self::columns(graph, file, form, input),
        }
    }

    fn whole(graph: &mut Builder, columns: usize, input: Input) -> Self {
        let x = numbers(graph, "X", columns, input);
        let any = graph.gather(&x, &[0], 1);
        let places = (0..columns).map(|column| (column, column as i64)).collect();
        Self { numbers: Some(x), places, words: HashMap::new(), any }
    }

    fn columns(graph: &mut Builder, file: &ModelFile, form: &TableForm, input: Input) -> Self {
        let mut needed = file.machines.needed_columns();
        if needed.is_empty() {
            needed.push(0); // so that it is known how many rows there are
        }
        let (mut side_by_side, mut places, mut words) =
            (Vec::new(), HashMap::new(), HashMap::new());
        for column in needed {
            let variable = &form.variables()[column];
            let taken = TAKEN.contains(&variable.name.as_str());
            let name = if taken { format!("{}_in", variable.name) } else { variable.name.clone() };
            match variable.levels() {
                Some(levels) => {
                    words.insert(
                        column,
                        (word_places(graph, &name, levels, &file.missing), levels.count()),
                    );
                }
                None => {
                    places.insert(column, side_by_side.len() as i64);
                    side_by_side.push(numbers(graph, &name, 1, input));
                }
            }
        }
        let numbers = (!side_by_side.is_empty()).then(|| graph.joined(&side_by_side));
        let any = match (&numbers, words.values().next()) {
            (Some(numbers), _) => graph.gather(numbers, &[0], 1),
            (None, Some((first, _))) => {
                let shape = graph.integers(&[-1, 1]);
                let column = graph.node("Reshape", &[first, &shape]);
                graph.node_with("Cast", &[&column], vec![("to", i64::from(element::DOUBLE))])
            }
            (None, None) => graph.number(0.0), // never: a column is one or the other
        };
        Self { numbers, places, words, any }
    }

    /// Columns of numbers, side by side.
    pub fn gather(&self, graph: &mut Builder, columns: &[usize]) -> Option<Name> {
        let places: Option<Vec<i64>> =
            columns.iter().map(|column| self.places.get(column).copied()).collect();
        Some(graph.gather(self.numbers.as_ref()?, &places?, 1))
    }

    /// The place of the word in each row of a column of words, N; that of a gap is behind all words.
    pub fn word_places(&self, column: usize) -> Option<&Name> {
        self.words.get(&column).map(|(places, _)| places)
    }

    /// How many words a column of words has.
    pub fn levels(&self, column: usize) -> Option<usize> {
        self.words.get(&column).map(|(_, levels)| *levels)
    }
}

/// Numbers of double precision, whatever is given.
fn numbers(graph: &mut Builder, name: &str, columns: usize, input: Input) -> Name {
    let double = i64::from(element::DOUBLE);
    match input {
        Input::Double => graph.input(name, element::DOUBLE, columns),
        Input::Single => {
            let x = graph.input(name, element::FLOAT, columns);
            graph.node_with("Cast", &[&x], vec![("to", double)])
        }
    }
}

fn word_places(graph: &mut Builder, name: &str, levels: &Levels, missing: &[String]) -> Name {
    let x = graph.input(name, element::STRING, 1);
    let shape = graph.integers(&[-1]);
    let x = graph.node("Reshape", &[&x, &shape]);
    let gap = levels.count() as i64;
    let mut keys: Vec<(String, i64)> = levels.names().iter().cloned().zip(0..).collect();
    if !levels.has_other() {
        return graph.lookup(&x, keys, gap);
    }
    // Any other word is one; so texts that stand for no value have to be named.
    for text in GAPS.into_iter().chain(missing.iter().map(String::as_str)) {
        let named = keys.iter().any(|(key, _)| key == text);
        if !named && !levels.names().iter().any(|name| name == text) {
            keys.push((text.to_string(), gap));
        }
    }
    graph.lookup(&x, keys, gap - 1)
}

//! What is worth knowing of data before anybody believes what was learned from them.

use super::Dataset;
use crate::data::Kind;
use crate::sparse::Sparse;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;

/// A class of fewer rows is too small to say much about.
const FEW: usize = 10;
/// A class with a smaller share of the rows than this makes accuracy say little.
const RARE: f64 = 0.05;
/// With fewer rows a column may tell the classes apart by chance, or because it is a good one.
const LEAST_FOR_A_LEAK: usize = 50;
/// A column of words that gives the label away has each word in so many rows on the mean.
const ROWS_OF_A_WORD: usize = 5;
/// So many columns at most are named.
const MOST_NAMED: usize = 5;

/// Something to know, and to do something about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Advice {
    /// A class has few rows.
    FewRows {
        /// The class.
        class: String,
        /// Its rows.
        rows: usize,
    },
    /// A class has few of the rows.
    Unbalanced {
        /// The class.
        class: String,
        /// Its share of the rows.
        share: f64,
    },
    /// Rows with the same values in all columns are of different classes.
    RowsThatDisagree {
        /// How many rows have the values of a row of another class.
        rows: usize,
        /// The largest share of the rows that anybody can be right about.
        best_accuracy: f64,
    },
    /// A column alone gives the class away.
    Leak {
        /// The column.
        column: usize,
    },
    /// Every row that did not train is told right.
    Separable,
}

impl Advice {
    /// In words, and what to do. `name` says what a column is called.
    pub fn in_words(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::FewRows { class, rows } => format!(
                "only {rows} rows are of class `{class}`: what is said of it is uncertain; get more of \
                 its rows, or join it with another class"
            ),
            Self::Unbalanced { class, share } => format!(
                "{:.1} % of the rows are of class `{class}`: who never says it is right about all \
                 others, so look at the log loss and the calls by class, not at the accuracy; balanced \
                 class weights make the classes count alike",
                100.0 * share
            ),
            Self::RowsThatDisagree { rows, best_accuracy } => format!(
                "{rows} rows have the same values as a row of another class: nobody can be right about \
                 more than {:.1} % of the rows; look whether labels are wrong or a column is missing",
                100.0 * best_accuracy
            ),
            Self::Leak { column } => format!(
                "column `{}` alone tells all classes apart: if it is known only once the label is \
                 (a code, an outcome, the order of the rows), leave it out",
                name(*column)
            ),
            Self::Separable => "every row that did not train was told right: either the classes lie \
                                apart, or something gives the label away; check it on rows from elsewhere"
                .into(),
        }
    }
}

/// What is worth knowing of data; `held_out` is the share of rows that were told right when they did not
/// train, where that is known.
pub fn advise(data: &Dataset, held_out: Option<f64>) -> Vec<Advice> {
    let mut all = Vec::new();
    let counts = data.class_counts();
    let rows = data.len();
    let classes = || data.class_names().iter().zip(&counts).filter(|(_, count)| **count > 0);
    for (class, &count) in classes().filter(|(_, count)| **count < FEW) {
        all.push(Advice::FewRows { class: class.clone(), rows: count });
    }
    if let Some((class, &count)) = classes().min_by_key(|(_, count)| **count) {
        let share = count as f64 / rows as f64;
        // Of many classes each has few.
        let even = 1.0 / data.class_names().len() as f64;
        if count >= FEW && share < RARE && share < 0.5 * even {
            all.push(Advice::Unbalanced { class: class.clone(), share });
        }
    }
    all.extend(disagreeing(data));
    let leaks = leaks(data);
    let separable = leaks.is_empty() && held_out == Some(1.0);
    all.extend(leaks.into_iter().map(|column| Advice::Leak { column }));
    all.extend(separable.then_some(Advice::Separable));
    all
}

/// Rows of the same values and of different classes.
fn disagreeing(data: &Dataset) -> Option<Advice> {
    let x = data.x();
    // All gaps are alike, and so are both zeros.
    let bits = |v: f64| if v.is_nan() { f64::NAN.to_bits() } else { (v + 0.0).to_bits() };
    let mut seen: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
    let written = x.sparse().map(Sparse::by_rows);
    for (i, &code) in data.codes().iter().enumerate() {
        let key = match &written {
            Some(rows) => {
                let own = rows[i].iter().filter(|(_, v)| *v != 0.0);
                own.flat_map(|(j, v)| [u64::from(*j), bits(*v)]).collect()
            }
            None => (0..x.cols()).map(|j| bits(x.get(i, j))).collect(),
        };
        let counts = seen.entry(key).or_insert_with(|| vec![0; data.class_names().len()]);
        counts[code] += 1;
    }
    let mixed = seen.values().filter(|counts| counts.iter().filter(|c| **c > 0).count() > 1);
    let (rows, lost) = mixed.fold((0, 0), |(rows, lost), counts| {
        let all: usize = counts.iter().sum();
        (rows + all, lost + all - counts.iter().max().copied().unwrap_or(0))
    });
    let best_accuracy = 1.0 - lost as f64 / data.len() as f64;
    (rows > 0).then_some(Advice::RowsThatDisagree { rows, best_accuracy })
}

/// Columns that tell all classes apart alone: numbers of which each class has a stretch of its own, or
/// words that belong to one class each.
fn leaks(data: &Dataset) -> Vec<usize> {
    if data.len() < LEAST_FOR_A_LEAK {
        return Vec::new();
    }
    let x = data.x();
    let gives_away = |&column: &usize| match data.columns().kind(column) {
        Kind::Number => stretches(&x.one_column(column), data.codes()),
        Kind::Words { .. } => words(&x.one_column(column), data.codes()),
    };
    let mut found: Vec<usize> = (0..x.cols()).into_par_iter().filter(gives_away).collect();
    found.truncate(MOST_NAMED);
    found
}

/// Whether the values of no class reach into those of another.
fn stretches(values: &[f64], codes: &[usize]) -> bool {
    let classes = codes.iter().max().map_or(0, |last| last + 1);
    let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY); classes];
    for (value, &code) in values.iter().zip(codes) {
        if value.is_nan() {
            return false;
        }
        let (least, most) = &mut ends[code];
        (*least, *most) = (least.min(*value), most.max(*value));
    }
    ends.retain(|(least, most)| least <= most);
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    ends.len() > 1 && ends.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

fn words(values: &[f64], codes: &[usize]) -> bool {
    let mut class: HashMap<u64, usize> = HashMap::new();
    for (v, &code) in values.iter().zip(codes) {
        if v.is_nan() || *class.entry(v.to_bits()).or_insert(code) != code {
            return false;
        }
    }
    class.len() > 1 && values.len() >= ROWS_OF_A_WORD * class.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    fn data(
        rows: usize,
        cell: impl FnMut(usize, usize) -> f64,
        code: impl Fn(usize) -> usize,
    ) -> Dataset {
        let x = Matrix::from_fn(rows, 2, cell);
        let names = ["a", "b"].map(String::from).to_vec();
        Dataset::new(x, (0..rows).map(code).collect(), names).unwrap()
    }

    fn spread(i: usize, j: usize) -> f64 {
        ((i * [37, 101][j] + 11) % 211) as f64
    }

    #[test]
    fn data_that_nothing_is_wrong_with_get_no_advice() {
        assert_eq!(advise(&data(100, spread, |i| i % 2), Some(0.9)), []);
    }

    #[test]
    fn a_column_that_is_the_label_is_named() {
        let leak = |i: usize, j: usize| if j == 1 { (i % 2) as f64 } else { spread(i, j) };
        let found = advise(&data(100, leak, |i| i % 2), Some(1.0));
        assert_eq!(found, [Advice::Leak { column: 1 }]);
        assert!(found[0].in_words(|_| "code".into()).contains("`code` alone"));
        // Forty rows may be told apart by a good column.
        assert_eq!(advise(&data(40, leak, |i| i % 2), None), []);
    }

    #[test]
    fn rows_that_disagree_bound_what_can_be_had() {
        let twice = |i: usize, j: usize| spread(i / 2, j);
        let found = advise(&data(100, twice, |i| i % 2), None);
        assert_eq!(found, [Advice::RowsThatDisagree { rows: 100, best_accuracy: 0.5 }]);
    }

    #[test]
    fn small_and_rare_classes_are_told() {
        let few = advise(&data(100, spread, |i| usize::from(i < 4)), None);
        assert_eq!(few, [Advice::FewRows { class: "b".into(), rows: 4 }]);
        let rare =
            advise(&data(1000, |i, j| spread(i, j) + i as f64, |i| usize::from(i % 50 == 0)), None);
        assert_eq!(rare, [Advice::Unbalanced { class: "b".into(), share: 0.02 }]);
        assert_eq!(advise(&data(100, spread, |i| i % 2), Some(1.0)), [Advice::Separable]);
    }
}

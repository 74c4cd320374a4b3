//! What the columns of a table turn out to hold, once all of it is read.

mod told;

use crate::cells::{Dictionaries, Dictionary, as_word};
use crate::dates::{DateOrder, days, order_of};
use crate::field::number;
use crate::levels::Levels;
use crate::{Content, Variable};
use pfcvm::Matrix;
use std::collections::{HashMap, HashSet};
use told::Told;

/// In fewer rows than this, values that all differ say nothing.
const FEW_ROWS: usize = 10;
/// Numbers of more different values than this are no codes.
const FEW_VALUES: usize = 10;

/// What was said of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) kind: SaidKind,
    /// Whether the user said so, and not the file.
    pub(crate) by_user: bool,
}

/// What a column was said to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SaidKind {
    Number,
    Words,
    Date,
}

/// Columns as they were read: a cell is a number, a gap, or carries a word.
pub(crate) struct Raw {
    pub(crate) names: Vec<String>,
    pub(crate) x: Matrix,
    pub(crate) words: Dictionaries,
    /// What was said of each column.
    pub(crate) said: Vec<Option<Said>>,
    /// Cells of each column that did not fit what was said of it; nothing if all did.
    pub(crate) strange: Vec<usize>,
}

/// Columns of which is known what they hold: a cell is a number or a gap.
pub(crate) struct Settled {
    pub(crate) variables: Vec<Variable>,
    pub(crate) x: Matrix,
    /// What was decided, one sentence each.
    pub(crate) notes: Vec<String>,
}

/// What becomes of a column.
enum Fate {
    Kept(Content),
    /// Left out: its values all differ.
    Identifier,
    /// Left out: it has more words than are kept.
    Texts,
}

/// Decides what every column holds.
pub(crate) fn settle(raw: Raw) -> Settled {
    let Raw { names, mut x, mut words, said, strange } = raw;
    let mut told = Told::default();
    let (mut variables, mut kept) = (Vec::new(), Vec::new());
    let numbers = |said: &Option<Said>| said.is_none_or(|said| said.kind == SaidKind::Number);
    if x.is_sparse() && said.iter().all(numbers) {
        return settle_sparse(names, x, &said);
    }
    for (at, name) in names.into_iter().enumerate() {
        let column = x.column_mut(at);
        let gaps = column.iter().filter(|cell| cell.is_nan() && as_word(**cell).is_none()).count();
        let mut odd = (strange.get(at).copied().unwrap_or(0), None);
        // Rows without a label are gone, but were counted.
        let gaps = gaps.saturating_sub(odd.0);
        let fate = decide(&name, column, words.take(at), said[at], &mut odd);
        match fate {
            Fate::Kept(content) => {
                told.kept(&name, &content);
                told.gaps(&name, gaps);
                told.odd(&name, odd.0, odd.1.as_deref());
                variables.push(Variable { name, content });
                kept.push(at);
            }
            Fate::Identifier => told.identifiers.push(name),
            Fate::Texts => told.texts.push(name),
        }
    }
    let x = if kept.len() == x.cols() { x } else { x.select_columns(&kept) };
    Settled { variables, x, notes: told.notes() }
}

/// The same for numbers of which most are not written.
fn settle_sparse(names: Vec<String>, x: Matrix, said: &[Option<Said>]) -> Settled {
    let mut told = Told::default();
    let (mut variables, mut kept) = (Vec::new(), Vec::new());
    for (at, name) in names.into_iter().enumerate() {
        let written = x.written(at);
        // Row numbers are 0 once at most.
        let may_count = said[at].is_none() && written.len() + 1 >= x.rows();
        if may_count && is_row_number(&name, &x.one_column(at)) {
            told.identifiers.push(name);
            continue;
        }
        told.gaps(&name, written.iter().filter(|cell| cell.is_nan()).count());
        variables.push(Variable { name, content: Content::Number });
        kept.push(at);
    }
    let x = if kept.len() == x.cols() { x } else { x.select_columns(&kept) };
    Settled { variables, x, notes: told.notes() }
}

/// Decides what one column holds and makes its cells numbers. `odd` counts the cells that did not
/// fit, with an example.
fn decide(
    name: &str,
    column: &mut [f64],
    words: Dictionary,
    said: Option<Said>,
    odd: &mut (usize, Option<String>),
) -> Fate {
    let overfull = words.overfull;
    let words = words.into_words();
    match said.map(|said| said.kind) {
        _ if overfull => Fate::Texts,
        None if words.is_empty() => match is_row_number(name, column) {
            true => Fate::Identifier,
            false => Fate::Kept(Content::Number),
        },
        None => {
            let spoken = column.iter().filter(|cell| as_word(**cell).is_some()).count();
            let numbers: Vec<f64> = column.iter().copied().filter(|cell| !cell.is_nan()).collect();
            let order = || order_of(words.iter().map(|word| &**word));
            if numbers.is_empty()
                && let Some(order) = order()
            {
                as_dates(column, &words, order, odd);
                Fate::Kept(Content::Date { order })
            } else if numbers.len() > spoken && has_many_values(&numbers) {
                as_numbers(column, &words, odd);
                Fate::Kept(Content::Number)
            } else {
                as_words(column, &words, true)
            }
        }
        Some(SaidKind::Number) => {
            as_numbers(column, &words, odd);
            Fate::Kept(Content::Number)
        }
        Some(SaidKind::Date) => {
            let fits = |order| words.iter().filter(|word| days(word, order).is_some()).count();
            let all = order_of(words.iter().map(|word| &**word));
            let most =
                [DateOrder::DayFirst, DateOrder::MonthFirst].into_iter().max_by_key(|o| fits(*o));
            let order = all.or(most).unwrap_or_default();
            as_dates(column, &words, order, odd);
            Fate::Kept(Content::Date { order })
        }
        Some(SaidKind::Words) => as_words(column, &words, said.is_none_or(|said| !said.by_user)),
    }
}

/// Numbers stay, words become what `value` makes of them, or gaps that are counted.
fn replace(
    column: &mut [f64],
    words: &[Box<str>],
    odd: &mut (usize, Option<String>),
    value: impl Fn(&str) -> Option<f64>,
) {
    let values: Vec<Option<f64>> = words.iter().map(|word| value(word)).collect();
    for cell in column {
        let Some(code) = as_word(*cell) else { continue };
        let word = &words[code as usize];
        *cell = values[code as usize].unwrap_or(f64::NAN);
        if cell.is_nan() {
            odd.0 += 1;
            // The first in order, so that the order of rows does not matter.
            if odd.1.as_ref().is_none_or(|known| **word < **known) {
                odd.1 = Some(word.to_string());
            }
        }
    }
}

fn as_numbers(column: &mut [f64], words: &[Box<str>], odd: &mut (usize, Option<String>)) {
    replace(column, words, odd, |word| number(word.as_bytes()));
}

fn as_dates(
    column: &mut [f64],
    words: &[Box<str>],
    order: DateOrder,
    odd: &mut (usize, Option<String>),
) {
    replace(column, words, odd, |word| days(word, order).or_else(|| number(word.as_bytes())));
}

/// Makes every cell the place of its word; a number is a word by its shortest form. Words that all
/// differ are no levels, unless somebody said so.
fn as_words(column: &mut [f64], words: &[Box<str>], found_out: bool) -> Fate {
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let mut texts: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    let mut counts = vec![0; texts.len()];
    let (mut filled, rows) = (0, column.len());
    for cell in column.iter_mut() {
        let slot = match as_word(*cell) {
            Some(code) => code as usize,
            None if cell.is_nan() => continue,
            None => *numbers.entry((*cell + 0.0).to_bits()).or_insert_with(|| {
                texts.push((*cell + 0.0).to_string());
                counts.push(0);
                texts.len() - 1
            }),
        };
        counts[slot] += 1;
        filled += 1;
        *cell = slot as f64;
    }
    if filled == 0 {
        return Fate::Kept(Content::Number); // no word says that it holds words
    }
    let different = counts.iter().filter(|count| **count > 0).count();
    if found_out && different == filled && filled >= FEW_ROWS && 2 * filled > rows {
        return Fate::Identifier;
    }
    let counted = texts.iter().cloned().zip(counts).filter(|(_, count)| *count > 0).collect();
    let levels = Levels::of(counted);
    let lookup = levels.lookup();
    let code = |text: &String| lookup.code(text.as_bytes()).or(lookup.other());
    let codes: Vec<f64> = texts.iter().map(|text| code(text).unwrap_or(f64::NAN)).collect();
    for cell in column.iter_mut().filter(|cell| !cell.is_nan()) {
        *cell = codes[*cell as usize];
    }
    Fate::Kept(Content::Words(levels))
}

fn has_many_values(numbers: &[f64]) -> bool {
    let mut seen = HashSet::new();
    numbers.iter().any(|value| {
        seen.insert(value.to_bits());
        seen.len() > FEW_VALUES
    })
}

/// Whether a column is called as columns that tell rows apart are, and does.
fn is_row_number(name: &str, column: &[f64]) -> bool {
    let lower = name.to_ascii_lowercase();
    let called = ["id", "index", "row", "rownames", "row_number", "rownumber"].contains(&&*lower)
        || ["_id", "-id", ".id", " id"].iter().any(|end| lower.ends_with(end))
        || ["ID", "Id"].iter().any(|end| {
            name.strip_suffix(end).is_some_and(|stem| stem.ends_with(|c: char| c.is_lowercase()))
        });
    if !called || column.len() < FEW_ROWS || column.iter().any(|cell| cell.fract() != 0.0) {
        return false;
    }
    let mut seen = HashSet::with_capacity(column.len());
    column.iter().all(|cell| seen.insert((*cell + 0.0).to_bits()))
}

/// The column that is most likely the label by its name, of those that could be one.
pub(crate) fn label_by_name(variables: &[Variable], x: &Matrix) -> Option<String> {
    const NAMES: [&str; 14] = [
        "class",
        "label",
        "target",
        "y",
        "outcome",
        "diagnosis",
        "response",
        "category",
        "result",
        "status",
        "species",
        "group",
        "labels",
        "classes",
    ];
    const MOST: usize = 100;
    let few = |at: usize| {
        let mut seen = HashSet::new();
        x.column(at).iter().all(|cell| {
            seen.insert(cell.to_bits());
            seen.len() <= MOST
        }) && seen.len() > 1
    };
    let called = |name: &str| {
        let is = |(at, variable): &(usize, &Variable)| {
            variable.name.eq_ignore_ascii_case(name) && few(*at)
        };
        variables.iter().enumerate().find(is).map(|(_, variable)| variable.name.clone())
    };
    NAMES.iter().find_map(|name| called(name))
}

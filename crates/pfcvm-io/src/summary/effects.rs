//! What the kept features of a machine do, with names.

use crate::{FittedMachine, ModelFile, Variable};
use pfcvm::effects::{Effect, Pair, Place};
use serde::Serialize;

pub use pfcvm::effects::Shape;

/// What the kept features of a machine do.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct EffectsSummary {
    /// Column by column, in the order of the machine's selected features.
    pub columns: Vec<ColumnEffect>,
    /// The two that act most together, where some do.
    pub pair: Option<PairEffect>,
}

/// What the values of a column do to the log odds of the positive class, beside its centre: the mean
/// of numbers, and for words the mean over all rows that were learned from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnEffect {
    /// The feature, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The name of the column, where the feature has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Which way it goes.
    pub shape: Shape,
    /// The smallest and the largest effect.
    pub range: [f64; 2],
    /// The values.
    #[serde(flatten)]
    pub values: Values,
    /// What each of them does.
    pub effect: Vec<f64>,
    /// Standard deviation of each effect.
    pub deviation: Vec<f64>,
    /// Effect and deviation of a gap, where numbers have gaps that count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<[f64; 2]>,
}

/// Values of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Values {
    /// Numbers, ascending; dates as days since 1970.
    Number {
        /// The numbers.
        values: Vec<f64>,
    },
    /// Words, those that are taken together in one list; nothing stands for a gap.
    Words {
        /// The lists.
        words: Vec<Vec<Option<String>>>,
    },
}

/// What two columns do together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairEffect {
    /// Both columns.
    pub columns: [PairColumn; 2],
    /// The joint effect, a list for each value of the first.
    pub effect: Vec<Vec<f64>>,
    /// How far it is from the sum of an effect of each, as a root mean square.
    pub departure: f64,
}

/// One of two columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairColumn {
    /// The feature, from 0.
    pub index: usize,
    /// The name of the column.
    pub name: String,
    /// Its values.
    #[serde(flatten)]
    pub values: Values,
}

impl Values {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Values::Number { values } => values.len(),
            Values::Words { words } => words.len(),
        }
    }
}

/// Of a machine of a model file; columns are in the order of these features.
pub(super) fn of(file: &ModelFile, machine: &FittedMachine, order: &[usize]) -> EffectsSummary {
    let found = machine.effects();
    let variables = file.variables();
    let mut columns: Vec<ColumnEffect> =
        found.columns.iter().map(|effect| column(file, &variables, effect)).collect();
    let place = |index: usize| order.iter().position(|feature| *feature == index);
    columns.sort_by_key(|column| place(column.index));
    EffectsSummary { columns, pair: found.pair.as_ref().map(|found| pair(&variables, found)) }
}

fn column(file: &ModelFile, variables: &[Variable], effect: &Effect) -> ColumnEffect {
    let name = file.feature_names[effect.feature].clone();
    let variable = &variables[effect.column];
    let numbers = effect.points.iter().any(|point| matches!(point.place, Place::Number(_)));
    let is_gap = |place: &Place| numbers && !matches!(place, Place::Number(_));
    let gap = effect.points.iter().find(|point| is_gap(&point.place));
    let points: Vec<_> = effect.points.iter().filter(|point| !is_gap(&point.place)).collect();
    let places: Vec<&Place> = points.iter().map(|point| &point.place).collect();
    let (low, high) = effect.range();
    ColumnEffect {
        index: effect.feature,
        column: (variable.name != name).then(|| variable.name.clone()),
        name,
        shape: effect.shape,
        range: [low, high],
        values: values(variable, &places),
        effect: points.iter().map(|point| point.effect).collect(),
        deviation: points.iter().map(|point| point.deviation).collect(),
        gap: gap.map(|point| [point.effect, point.deviation]),
    }
}

fn pair(variables: &[Variable], pair: &Pair) -> PairEffect {
    let of = |which: usize| {
        let variable = &variables[pair.columns[which]];
        let places: Vec<&Place> = pair.places[which].iter().collect();
        let (index, name) = (pair.features[which], variable.name.clone());
        PairColumn { index, name, values: values(variable, &places) }
    };
    let row = |i: usize| (0..pair.effects.cols()).map(|j| pair.effects.get(i, j)).collect();
    PairEffect {
        columns: [of(0), of(1)],
        effect: (0..pair.effects.rows()).map(row).collect(),
        departure: pair.departure,
    }
}

fn values(variable: &Variable, places: &[&Place]) -> Values {
    let numbers: Option<Vec<f64>> = places
        .iter()
        .map(|place| match place {
            Place::Number(value) => Some(*value),
            _ => None,
        })
        .collect();
    if let Some(values) = numbers.filter(|values| !values.is_empty()) {
        return Values::Number { values };
    }
    let count = variable.levels().map_or(0, |levels| levels.count());
    let name = |word: usize| {
        let names = variable.levels().map_or(&[][..], |levels| levels.names());
        Some(names.get(word).cloned().unwrap_or_else(|| "other".into()))
    };
    let named = |word: &usize| {
        places
            .iter()
            .any(|place| matches!(place, Place::Words { words, .. } if words.contains(word)))
    };
    let list = |place: &&Place| match place {
        Place::Words { words, gap } => {
            words.iter().map(|word| name(*word)).chain(gap.then_some(None)).collect()
        }
        Place::Rest if count == 0 => vec![Some("any value".into())],
        // Where every word has a place, what is left are gaps too rare for one.
        Place::Rest if (0..count).all(|word| named(&word)) => vec![None],
        Place::Rest => (0..count).filter(|word| !named(word)).map(name).collect(),
        Place::Number(value) => vec![Some(value.to_string())],
    };
    Values::Words { words: places.iter().map(list).collect() }
}

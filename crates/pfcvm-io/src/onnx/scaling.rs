//! Columns of the input, scaled as a model scales them.

use super::graph::{Builder, Name};
use super::inputs::Inputs;
use super::protobuf::element;
use pfcvm::data::{Bend, LARGEST_SCALED, SHORT_END, Scaler, Source};

/// Some of the scaled columns of a model.
pub struct Columns<'a> {
    /// What scales them.
    pub scaler: &'a Scaler,
    /// Which they are, ascending.
    pub columns: Vec<usize>,
}

impl Columns<'_> {
    /// The columns as the scaler has them, side by side.
    pub fn scaled(&self, graph: &mut Builder, inputs: &Inputs) -> Name {
        let scaler = self.scaler;
        let number = |at: &usize| matches!(scaler.source(self.columns[*at]), Source::Number { .. });
        let (numbers, words): (Vec<usize>, Vec<usize>) = (0..self.columns.len()).partition(number);
        let mut pieces = Vec::from_iter(self.scaled_numbers(graph, inputs, &numbers));
        let mut order = numbers;
        // Columns that are made from one column of the input stand side by side.
        for piece in words.chunk_by(|a, b| self.input(*a) == self.input(*b)) {
            pieces.push(self.looked_up(graph, inputs, piece));
            order.extend(piece);
        }
        let all = match pieces.as_slice() {
            [only] => only.clone(),
            several => graph.joined(several),
        };
        if order.is_sorted() {
            return all;
        }
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &at)| places[at] = place);
        graph.gather(&all, &places, 1)
    }

    /// The column of the input that a scaled column is made from.
    fn input(&self, at: usize) -> usize {
        self.scaler.columns()[self.columns[at]]
    }

    /// Columns of numbers, gaps filled, shifted, scaled and held within bounds.
    fn scaled_numbers(&self, graph: &mut Builder, inputs: &Inputs, at: &[usize]) -> Option<Name> {
        if at.is_empty() {
            return None;
        }
        let scaler = self.scaler;
        let of = |values: &[f64]| Vec::from_iter(at.iter().map(|&k| values[self.columns[k]]));
        let (centre, scale) = (of(scaler.centre()), of(scaler.scale()));
        let (filling, bends): (Vec<f64>, Vec<Option<Bend>>) = at
            .iter()
            .map(|&k| match scaler.source(self.columns[k]) {
                Source::Number { gap, bend } => (gap, bend),
                Source::Words { .. } => (0.0, None),
            })
            .unzip();
        let filling = graph.row(&filling);
        let columns = Vec::from_iter(at.iter().map(|&k| self.input(k)));
        let x = inputs.gather(graph, &columns)?;
        let known = graph.node("Equal", &[&x, &x]); // a gap is not what it is
        let x = graph.node("Where", &[&known, &x, &filling]);
        let x = bent(graph, x, &bends);
        // Divided first: the difference of two large numbers may be too large.
        let inverse = graph.row(&scale);
        let shift: Vec<f64> = centre.iter().zip(&scale).map(|(c, s)| c / s).collect();
        let shift = graph.row(&shift);
        let x = graph.node("Div", &[&x, &inverse]);
        let x = graph.node("Sub", &[&x, &shift]);
        let (least, most) = (graph.number(-LARGEST_SCALED), graph.number(LARGEST_SCALED));
        Some(graph.node("Clip", &[&x, &least, &most]))
    }

    /// Columns of zeros and ones that are made from one column of the input: a row of a table for each
    /// word, the last one for gaps.
    fn looked_up(&self, graph: &mut Builder, inputs: &Inputs, at: &[usize]) -> Name {
        let (scaler, input) = (self.scaler, self.input(at[0]));
        let places = match inputs.word_places(input) {
            Some(places) => places.clone(),
            None => self.gaps(graph, inputs, input),
        };
        // A number is known, at place 0, or a gap, at place 1.
        let levels = inputs.levels(input).unwrap_or(1);
        let table = graph.matrix(levels + 1, at.len(), |word, j| {
            let k = self.columns[at[j]];
            let value = match scaler.source(k) {
                Source::Words { words, unknown, gap } => {
                    let is_gap = word == levels || unknown.binary_search(&word).is_ok();
                    if is_gap { gap } else { f64::from(words.binary_search(&word).is_ok()) }
                }
                Source::Number { .. } => 0.0,
            };
            (value - scaler.centre()[k]) / scaler.scale()[k]
        });
        graph.node_with("Gather", &[&table, &places], vec![("axis", 0)])
    }

    /// Where a column of numbers has gaps: 1, else 0, N.
    fn gaps(&self, graph: &mut Builder, inputs: &Inputs, input: usize) -> Name {
        let x = inputs.gather(graph, &[input]).unwrap_or_else(|| inputs.any.clone());
        let known = graph.node("Equal", &[&x, &x]);
        let gap = graph.node("Not", &[&known]);
        let gap = graph.node_with("Cast", &[&gap], vec![("to", i64::from(element::INT64))]);
        let shape = graph.integers(&[-1]);
        graph.node("Reshape", &[&gap, &shape])
    }
}

/// Columns of which some are put on a scale without a long tail.
fn bent(graph: &mut Builder, x: Name, bends: &[Option<Bend>]) -> Name {
    if bends.iter().all(Option::is_none) {
        return x;
    }
    let plain = Bend { lower: false, least: 0.0, span: 1.0 };
    let each = |of: &dyn Fn(Bend) -> f64| -> Vec<f64> {
        bends.iter().map(|bend| of(bend.unwrap_or(plain))).collect()
    };
    let sign = graph.row(&each(&|bend| if bend.lower { -1.0 } else { 1.0 }));
    let (least, span) = (graph.row(&each(&|bend| bend.least)), graph.row(&each(&|bend| bend.span)));
    let (short_end, one) = (graph.number(SHORT_END), graph.number(1.0));
    let signed = graph.node("Mul", &[&x, &sign]);
    let above = graph.node("Sub", &[&signed, &least]);
    let above = graph.node("Div", &[&above, &span]);
    let above = graph.node("Max", &[&above, &short_end]);
    let above = graph.node("Add", &[&above, &one]);
    let bent = graph.node("Log", &[&above]);
    // 1 where a column is bent.
    let marks = bends.iter().map(|bend| f64::from(bend.is_some()));
    let marks = graph.row(&Vec::from_iter(marks));
    let half = graph.number(0.5);
    let is_bent = graph.node("Greater", &[&marks, &half]);
    graph.node("Where", &[&is_bent, &bent, &x])
}

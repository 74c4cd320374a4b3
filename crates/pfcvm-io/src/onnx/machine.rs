//! One machine: scaling, kernel, decision value, its variance, probability.

use super::graph::{Builder, Name};
use super::inputs::Inputs;
use super::protobuf::element;
use pfcvm::data::{LARGEST_SCALED, Source};
use pfcvm::posterior::Covariance;
use pfcvm::{Kernel, Model};
use std::f64::consts::FRAC_PI_8;

/// Decision values and their variances, both N × 1.
pub struct Latent {
    pub decision: Name,
    pub variance: Name,
}

/// What a model says about rows.
pub fn latent(graph: &mut Builder, inputs: &Inputs, model: &Model) -> Latent {
    let kept = Kept::of(model);
    let x = kept.scaled(graph, inputs);
    let kernel = kept.kernel(graph, &x);
    let v = graph.column(&kept.v);
    let bias = graph.number(model.bias());
    let sum = graph.node("MatMul", &[&kernel.values, &v]);
    let decision = graph.node("Add", &[&sum, &bias]);
    let by_samples = kept.variance_by_samples(graph, &kernel.values);
    let slopes = kept.slopes(graph, &x, &kernel);
    let slopes = kept.over_features(graph, slopes);
    let along = Along { rows: &slopes, constant: false };
    let no_signs = vec![1.0; model.feature_weights().len()];
    let by_features = variance(graph, along, model.feature_covariance(), &no_signs, 0);
    let variance = graph.node("Add", &[&by_samples, &by_features]);
    Latent { decision, variance }
}

/// What a machine without features says about rows, whatever is in them: a decision value and its
/// variance.
pub fn the_same_everywhere(graph: &mut Builder, inputs: &Inputs, values: [f64; 2]) -> Latent {
    // Only its size matters: a sum would hand on what is no number.
    let itself = graph.node("GreaterOrEqual", &[&inputs.any, &inputs.any]);
    let [decision, variance] = values.map(|value| {
        let value = graph.number(value);
        graph.node("Where", &[&itself, &value, &value])
    });
    Latent { decision, variance }
}

/// Probabilities of the negative and of the positive class, both N × 1.
pub fn both_probabilities(graph: &mut Builder, latent: &Latent) -> [Name; 2] {
    let (eighth, one) = (graph.number(FRAC_PI_8), graph.number(1.0));
    let part = graph.node("Mul", &[&latent.variance, &eighth]);
    let whole = graph.node("Add", &[&part, &one]);
    let spread = graph.node("Sqrt", &[&whole]);
    let odds = graph.node("Div", &[&latent.decision, &spread]);
    let minus = graph.node("Neg", &[&odds]);
    let logistic = |graph: &mut Builder, exponent: &Name| {
        let power = graph.node("Exp", &[exponent]);
        let sum = graph.node("Add", &[&power, &one]);
        graph.node("Div", &[&one, &sum])
    };
    let positive = logistic(graph, &minus);
    let negative = logistic(graph, &odds);
    [negative, positive]
}

/// What the graph is made of. A model without samples gets one of weight 0: runtimes differ about
/// empty matrices.
struct Kept<'a> {
    kernel: Kernel,
    model: &'a Model,
    /// Scaled columns of the kept features.
    columns: Vec<usize>,
    /// The place of the feature that each belongs to.
    owners: Vec<usize>,
    /// The weight of each column: that of its feature.
    theta: Vec<f64>,
    samples: usize,
    /// Signed weights of the samples.
    v: Vec<f64>,
    signs: Vec<f64>,
}

/// Kernel values, and the inner products they come from.
struct Values {
    values: Name,
    products: Name,
}

impl<'a> Kept<'a> {
    fn of(model: &'a Model) -> Self {
        let padded = |values: Vec<f64>| if values.is_empty() { vec![0.0] } else { values };
        let weights = model.sample_weights().iter().zip(model.sample_signs());
        let owners = model.scaled_column_owners();
        Self {
            kernel: model.kernel(),
            columns: model.scaled_columns(),
            theta: owners.iter().map(|&k| model.feature_weights()[k]).collect(),
            owners,
            samples: model.sample_indices().len().max(1),
            v: padded(weights.map(|(w, s)| w * s).collect()),
            signs: padded(model.sample_signs().to_vec()),
            model,
        }
    }

    /// A value of a kept sample; 0 for what is only there to fill a matrix.
    fn z(&self, sample: usize, column: usize) -> f64 {
        let z = self.model.sample_values();
        if sample < z.rows() && column < z.cols() { z.get(sample, column) } else { 0.0 }
    }

    /// The scaled columns of the kept features, as [`pfcvm::data::Scaler`] has them.
    fn scaled(&self, graph: &mut Builder, inputs: &Inputs) -> Name {
        let scaler = self.model.scaler();
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
        self.model.scaler().columns()[self.columns[at]]
    }

    /// Columns of numbers, gaps filled, shifted, scaled and held within bounds.
    fn scaled_numbers(&self, graph: &mut Builder, inputs: &Inputs, at: &[usize]) -> Option<Name> {
        if at.is_empty() {
            return None;
        }
        let scaler = self.model.scaler();
        let of = |values: &[f64]| Vec::from_iter(at.iter().map(|&k| values[self.columns[k]]));
        let (centre, scale) = (of(scaler.centre()), of(scaler.scale()));
        let filling = at.iter().map(|&k| match scaler.source(self.columns[k]) {
            Source::Number { gap } => gap,
            Source::Words { .. } => 0.0,
        });
        let filling = graph.row(&Vec::from_iter(filling));
        let columns = Vec::from_iter(at.iter().map(|&k| self.input(k)));
        let x = inputs.gather(graph, &columns)?;
        let known = graph.node("Equal", &[&x, &x]); // a gap is not what it is
        let x = graph.node("Where", &[&known, &x, &filling]);
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
        let (scaler, input) = (self.model.scaler(), self.input(at[0]));
        let places = match inputs.word_places(input) {
            Some(places) => places.clone(),
            None => self.gaps(graph, inputs, input),
        };
        // A number is known, at place 0, or a gap, at place 1.
        let levels = inputs.levels(input).unwrap_or(1);
        let table = graph.matrix(levels + 1, at.len(), |word, j| {
            let k = self.columns[at[j]];
            let holds = match scaler.source(k) {
                Source::Words { gap, .. } if word == levels => gap,
                Source::Words { words, .. } => words.binary_search(&word).is_ok(),
                Source::Number { .. } => false,
            };
            (f64::from(u8::from(holds)) - scaler.centre()[k]) / scaler.scale()[k]
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

    /// Columns summed up over those of each feature.
    fn over_features(&self, graph: &mut Builder, columns: Name) -> Name {
        let features = self.model.feature_weights().len();
        if features == self.columns.len() {
            return columns;
        }
        let own =
            |column: usize, feature: usize| f64::from(u8::from(self.owners[column] == feature));
        let sums = graph.matrix(self.columns.len(), features, own);
        graph.node("MatMul", &[&columns, &sums])
    }

    /// k(x, z) for every row and every kept sample.
    fn kernel(&self, graph: &mut Builder, x: &Name) -> Values {
        let (features, theta) = (self.columns.len(), &self.theta);
        let weighted = graph.matrix(features, self.samples, |k, j| theta[k] * self.z(j, k));
        let products = graph.node("MatMul", &[x, &weighted]);
        let values = match self.kernel {
            Kernel::Linear => products.clone(),
            Kernel::Polynomial { degree } => {
                let base = self.base(graph, &products);
                let degree = graph.number(f64::from(degree));
                graph.node("Pow", &[&base, &degree])
            }
            Kernel::Rbf => {
                let theta_column = graph.column(theta);
                let squares = graph.node("Mul", &[x, x]);
                let a = graph.node("MatMul", &[&squares, &theta_column]);
                let own = |j: usize| -> f64 {
                    (0..features).map(|k| theta[k] * self.z(j, k).powi(2)).sum()
                };
                let b: Vec<f64> = (0..self.samples).map(own).collect();
                let b = graph.row(&b);
                let twice = graph.node("Add", &[&products, &products]);
                let less = graph.node("Sub", &[&twice, &a]);
                let exponent = graph.node("Sub", &[&less, &b]);
                graph.node("Exp", &[&exponent])
            }
        };
        Values { values, products }
    }

    fn base(&self, graph: &mut Builder, products: &Name) -> Name {
        let one = graph.number(1.0);
        graph.node("Add", &[products, &one])
    }

    /// ∂f/∂θ for every row.
    fn slopes(&self, graph: &mut Builder, x: &Name, kernel: &Values) -> Name {
        let (features, v) = (self.columns.len(), &self.v);
        if self.kernel == Kernel::Linear {
            let factor = |k: usize| (0..self.samples).map(|j| v[j] * self.z(j, k)).sum();
            let factor: Vec<f64> = (0..features).map(factor).collect();
            let factor = graph.row(&factor);
            return graph.node("Mul", &[x, &factor]);
        }
        let vz = graph.matrix(self.samples, features, |j, k| v[j] * self.z(j, k));
        if let Kernel::Polynomial { degree } = self.kernel {
            let base = self.base(graph, &kernel.products);
            let order = graph.number(f64::from(degree));
            let lower = graph.number(f64::from(degree) - 1.0);
            let power = graph.node("Pow", &[&base, &lower]);
            let slopes = graph.node("Mul", &[&power, &order]);
            let sums = graph.node("MatMul", &[&slopes, &vz]);
            return graph.node("Mul", &[x, &sums]);
        }
        // −Σⱼ vⱼkⱼ(x − zⱼ)² = x(2 K(vz) − x K v) − K(vz²)
        let column = graph.column(v);
        let vz2 = graph.matrix(self.samples, features, |j, k| v[j] * self.z(j, k).powi(2));
        let k1 = graph.node("MatMul", &[&kernel.values, &column]);
        let kz = graph.node("MatMul", &[&kernel.values, &vz]);
        let kz2 = graph.node("MatMul", &[&kernel.values, &vz2]);
        let twice = graph.node("Add", &[&kz, &kz]);
        let own = graph.node("Mul", &[x, &k1]);
        let inner = graph.node("Sub", &[&twice, &own]);
        let outer = graph.node("Mul", &[x, &inner]);
        graph.node("Sub", &[&outer, &kz2])
    }

    fn variance_by_samples(&self, graph: &mut Builder, values: &Name) -> Name {
        let along = Along { rows: values, constant: true };
        variance(graph, along, self.model.sample_covariance(), &self.signs, 1)
    }
}

/// Rows to take a variance along; with a constant 1 before their columns or without.
struct Along<'a> {
    rows: &'a Name,
    constant: bool,
}

/// rᵀΣr for every row r: N × 1. Column j of the rows has the sign `signs[j]` and is coordinate
/// j + `first` of the covariance.
fn variance(
    graph: &mut Builder,
    along: Along,
    covariance: &Covariance,
    signs: &[f64],
    first: usize,
) -> Name {
    let root = covariance.root();
    let at = |i: usize, j: usize| if j < root.cols() { root.get(i, j) } else { 0.0 };
    let mut sum = None;
    if root.rows() > 0 {
        let factor = graph.matrix(signs.len(), root.rows(), |j, i| signs[j] * at(i, j + first));
        let mut projected = graph.node("MatMul", &[along.rows, &factor]);
        if along.constant {
            let own: Vec<f64> = (0..root.rows()).map(|i| at(i, 0)).collect();
            let own = graph.row(&own);
            projected = graph.node("Add", &[&projected, &own]);
        }
        sum = Some(graph.row_squares(&projected));
    }
    if let Some(prior) = covariance.prior_variances() {
        let squares = graph.node("Mul", &[along.rows, along.rows]);
        let of = |j: usize| prior.get(j + first).copied().unwrap_or(0.0);
        let weights: Vec<f64> = (0..signs.len()).map(of).collect();
        let weights = graph.column(&weights);
        let mut whole = graph.node("MatMul", &[&squares, &weights]);
        if along.constant {
            let own = graph.number(prior.first().copied().unwrap_or(0.0));
            whole = graph.node("Add", &[&whole, &own]);
        }
        let rest = match sum {
            Some(sum) => graph.node("Sub", &[&whole, &sum]),
            None => whole,
        };
        let zero = graph.number(0.0);
        sum = Some(graph.node("Max", &[&rest, &zero]));
    }
    for g in covariance.directions() {
        let of = |j: usize| signs[j] * g.get(j + first).copied().unwrap_or(0.0);
        let weights: Vec<f64> = (0..signs.len()).map(of).collect();
        let weights = graph.column(&weights);
        let mut part = graph.node("MatMul", &[along.rows, &weights]);
        if along.constant {
            let own = graph.number(g.first().copied().unwrap_or(0.0));
            part = graph.node("Add", &[&part, &own]);
        }
        let square = graph.node("Mul", &[&part, &part]);
        sum = Some(match sum {
            Some(sum) => graph.node("Add", &[&sum, &square]),
            None => square,
        });
    }
    match sum {
        Some(sum) => sum,
        None => {
            let nothing = graph.column(&vec![0.0; signs.len()]);
            graph.node("MatMul", &[along.rows, &nothing])
        }
    }
}

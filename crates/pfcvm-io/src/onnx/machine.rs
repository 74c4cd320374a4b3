//! One machine: scaling, kernel, decision value, its variance, probability.

use super::graph::{Builder, Name};
use super::inputs::Inputs;
use super::scaling::Columns;
use pfcvm::data::Scaler;
use pfcvm::posterior::Covariance;
use pfcvm::{Broad, Kernel, Matrix, Model};
use std::borrow::Cow;
use std::f64::consts::FRAC_PI_8;

/// Decision values and their variances, both N × 1.
pub struct Latent {
    pub decision: Name,
    pub variance: Name,
}

/// What machines of all features have in common, so that it is in the graph once: machines that learned
/// together scale rows alike and compare them with the same samples.
#[derive(Default)]
pub struct Shared<'a> {
    scaled: Option<(&'a Scaler, Name)>,
    kernel: Option<(&'a Broad, Name)>,
}

/// What a model says about rows.
pub fn latent<'a>(
    graph: &mut Builder,
    inputs: &Inputs,
    model: &'a Model,
    shared: &mut Shared<'a>,
) -> Latent {
    let list = match the_same_of_any_row(model) {
        Some(values) => the_same_everywhere(graph, inputs, values),
        None => of_list(graph, inputs, model),
    };
    let Some(broad) = model.broad() else { return list };
    let added = of_all_features(graph, inputs, (model.scaler(), broad), shared);
    Latent { decision: graph.node("Add", &[&list.decision, &added]), variance: list.variance }
}

/// What a list without features says of any row: a decision value and its variance.
fn the_same_of_any_row(model: &Model) -> Option<[f64; 2]> {
    if !model.selected_features().is_empty() {
        return None;
    }
    let any = model.list_alone().predict(&Matrix::zeros(1, model.scaler().inputs())).ok()?;
    Some([any.decision[0], any.variance[0]])
}

/// What the listed features say.
fn of_list(graph: &mut Builder, inputs: &Inputs, model: &Model) -> Latent {
    let kept = Kept::of(model);
    let x = kept.columns.scaled(graph, inputs);
    let kernel = kept.compared().kernel(graph, &x);
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

/// Decision values of a machine of all features, N × 1.
fn of_all_features<'a>(
    graph: &mut Builder,
    inputs: &Inputs,
    (scaler, broad): (&'a Scaler, &'a Broad),
    shared: &mut Shared<'a>,
) -> Name {
    let alike = |other: &Broad| {
        (other.kernel(), other.feature_weight()) == (broad.kernel(), broad.feature_weight())
            && other.samples() == broad.samples()
    };
    let x = match &shared.scaled {
        Some((other, x)) if *other == scaler => x.clone(),
        _ => {
            let columns = (0..scaler.columns().len()).collect();
            let x = Columns { scaler, columns }.scaled(graph, inputs);
            *shared = Shared { scaled: Some((scaler, x.clone())), kernel: None };
            x
        }
    };
    let values = match &shared.kernel {
        Some((other, values)) if alike(other) => values.clone(),
        _ => {
            let theta = vec![broad.feature_weight(); broad.samples().cols()];
            let compared = Compared { kernel: broad.kernel(), theta: &theta, z: broad.samples() };
            let values = compared.kernel(graph, &x).values;
            shared.kernel = Some((broad, values.clone()));
            values
        }
    };
    let coefficients = graph.column(broad.coefficients());
    let bias = graph.number(broad.bias());
    let sum = graph.node("MatMul", &[&values, &coefficients]);
    graph.node("Add", &[&sum, &bias])
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
    columns: Columns<'a>,
    /// The place of the feature that each belongs to.
    owners: Vec<usize>,
    /// The weight of each column: that of its feature.
    theta: Vec<f64>,
    /// The kept samples in these columns.
    z: Cow<'a, Matrix>,
    /// Signed weights of the samples.
    v: Vec<f64>,
    signs: Vec<f64>,
}

/// Samples that rows are compared with.
struct Compared<'a> {
    kernel: Kernel,
    /// The weight of each column.
    theta: &'a [f64],
    z: &'a Matrix,
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
            columns: Columns { scaler: model.scaler(), columns: model.scaled_columns() },
            theta: owners.iter().map(|&k| model.feature_weights()[k]).collect(),
            owners,
            z: match model.sample_values().rows() {
                0 => Cow::Owned(Matrix::zeros(1, model.scaled_columns().len())),
                _ => Cow::Borrowed(model.sample_values()),
            },
            v: padded(weights.map(|(w, s)| w * s).collect()),
            signs: padded(model.sample_signs().to_vec()),
            model,
        }
    }

    fn compared(&self) -> Compared<'_> {
        Compared { kernel: self.kernel, theta: &self.theta, z: &self.z }
    }

    /// Columns summed up over those of each feature.
    fn over_features(&self, graph: &mut Builder, columns: Name) -> Name {
        let features = self.model.feature_weights().len();
        if features == self.owners.len() {
            return columns;
        }
        let own =
            |column: usize, feature: usize| f64::from(u8::from(self.owners[column] == feature));
        let sums = graph.matrix(self.owners.len(), features, own);
        graph.node("MatMul", &[&columns, &sums])
    }

    /// ∂f/∂θ for every row.
    fn slopes(&self, graph: &mut Builder, x: &Name, kernel: &Values) -> Name {
        let (z, v) = (&self.z, &self.v);
        let (samples, features) = (z.rows(), z.cols());
        if self.kernel == Kernel::Linear {
            let factor = |k: usize| (0..samples).map(|j| v[j] * z.get(j, k)).sum();
            let factor: Vec<f64> = (0..features).map(factor).collect();
            let factor = graph.row(&factor);
            return graph.node("Mul", &[x, &factor]);
        }
        let vz = graph.matrix(samples, features, |j, k| v[j] * z.get(j, k));
        if let Kernel::Polynomial { degree } = self.kernel {
            let base = base(graph, &kernel.products);
            let order = graph.number(f64::from(degree));
            let lower = graph.number(f64::from(degree) - 1.0);
            let power = graph.node("Pow", &[&base, &lower]);
            let slopes = graph.node("Mul", &[&power, &order]);
            let sums = graph.node("MatMul", &[&slopes, &vz]);
            return graph.node("Mul", &[x, &sums]);
        }
        // −Σⱼ vⱼkⱼ(x − zⱼ)² = x(2 K(vz) − x K v) − K(vz²)
        let column = graph.column(v);
        let vz2 = graph.matrix(samples, features, |j, k| v[j] * z.get(j, k).powi(2));
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

impl Compared<'_> {
    /// k(x, z) for every row and every kept sample.
    fn kernel(&self, graph: &mut Builder, x: &Name) -> Values {
        let Self { theta, z, .. } = self;
        let weighted = graph.matrix(z.cols(), z.rows(), |k, j| theta[k] * z.get(j, k));
        let products = graph.node("MatMul", &[x, &weighted]);
        let values = match self.kernel {
            Kernel::Linear => products.clone(),
            Kernel::Polynomial { degree } => {
                let base = base(graph, &products);
                let degree = graph.number(f64::from(degree));
                graph.node("Pow", &[&base, &degree])
            }
            Kernel::Rbf => {
                let theta_column = graph.column(theta);
                let squares = graph.node("Mul", &[x, x]);
                let a = graph.node("MatMul", &[&squares, &theta_column]);
                let own = |j: usize| -> f64 {
                    (0..z.cols()).map(|k| theta[k] * z.get(j, k).powi(2)).sum()
                };
                let b: Vec<f64> = (0..z.rows()).map(own).collect();
                let b = graph.row(&b);
                let twice = graph.node("Add", &[&products, &products]);
                let less = graph.node("Sub", &[&twice, &a]);
                let exponent = graph.node("Sub", &[&less, &b]);
                graph.node("Exp", &[&exponent])
            }
        };
        Values { values, products }
    }
}

fn base(graph: &mut Builder, products: &Name) -> Name {
    let one = graph.number(1.0);
    graph.node("Add", &[products, &one])
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

//! Several models for more than two classes, and what they say together.

use crate::Input;
use crate::graph::{Builder, Name};
use crate::protobuf::{Model as File, element};
use crate::single::{both_probabilities, finished, label, latent, started};
use pfcvm::{Model, Multiclass, Scheme};
use pfcvm_io::MulticlassFile;

/// The models as a file.
pub fn models(file: &MulticlassFile, machines: &Multiclass<Model>, input: Input) -> File {
    let (mut graph, x) = started(file.feature_names.len(), input);
    let (mut negative, mut positive) = (Vec::new(), Vec::new());
    let (mut decisions, mut variances) = (Vec::new(), Vec::new());
    for model in machines.machines() {
        let said = latent(&mut graph, &x, model);
        let [of_negative, of_positive] = both_probabilities(&mut graph, &said);
        negative.push(of_negative);
        positive.push(of_positive);
        decisions.push(said.decision);
        variances.push(said.variance);
    }
    let classes = machines.classes();
    let values = match machines.scheme() {
        Scheme::OneVsOne => coupled(&mut graph, classes, positive, negative),
        Scheme::OneVsRest => joined(&mut graph, &positive),
    };
    let probabilities = normalised(&mut graph, classes, &values);
    let attributes = vec![("axis", 1), ("keepdims", 0), ("select_last_index", 1)];
    let places = graph.node_with("ArgMax", &[&probabilities], attributes);
    label(&mut graph, &file.classes, &places);
    graph.output(&probabilities, "probabilities", element::DOUBLE, Some(classes));
    for (values, name) in [(decisions, "decision"), (variances, "variance")] {
        let table = joined(&mut graph, &values);
        graph.output(&table, name, element::DOUBLE, Some(values.len()));
    }
    finished(graph, &file.feature_names, &file.classes)
}

/// Columns side by side.
fn joined(graph: &mut Builder, columns: &[Name]) -> Name {
    graph.node_with("Concat", &Vec::from_iter(columns), vec![("axis", 1)])
}

/// What pairwise coupling divides by its sum, N × K: (Q + e eᵀ)⁻¹ e for every row, by Gauss–Jordan
/// elimination. The matrix is positive definite, so that no pivot has to be looked for. `second` is
/// the probability of each pair's second class, `first` that of its first.
fn coupled(graph: &mut Builder, classes: usize, second: Vec<Name>, first: Vec<Name>) -> Name {
    let k = classes as i64;
    let zero = graph.number(0.0);
    let one = graph.number(1.0);
    // R[a][s] is the probability of s if it is s or a; 0 on the diagonal.
    let nothing = graph.node("Mul", &[&second[0], &zero]);
    let pairs = second.len() as i64;
    let mut columns = second;
    columns.extend(first);
    columns.push(nothing);
    let all = joined(graph, &columns);
    let mut places = vec![2 * pairs; classes * classes];
    let in_order = (0..classes).flat_map(|a| ((a + 1)..classes).map(move |b| (a, b)));
    for (pair, (a, b)) in (0..).zip(in_order) {
        places[a * classes + b] = pair;
        places[b * classes + a] = pairs + pair;
    }
    let flat = graph.gather(&all, &places, 1);
    let shape = graph.integers(&[-1, k, k]);
    let r = graph.node("Reshape", &[&flat, &shape]);

    let turned = graph.transposed(&r);
    let products = graph.node("Mul", &[&r, &turned]);
    let squares = graph.squares_along(&r, 2);
    let identity = graph.matrix(classes, classes, |i, j| if i == j { 1.0 } else { 0.0 });
    let diagonal = graph.node("Mul", &[&squares, &identity]);
    let beside = graph.node("Sub", &[&one, &products]);
    let system = graph.node("Add", &[&beside, &diagonal]);
    let none = graph.node("Mul", &[&squares, &zero]);
    let ones = graph.node("Add", &[&none, &one]);
    let mut rows = graph.node_with("Concat", &[&system, &ones], vec![("axis", 2)]);
    for at in 0..classes {
        let place = [at as i64];
        let row = graph.gather(&rows, &place, 1);
        let pivot = graph.gather(&row, &place, 2);
        let row = graph.node("Div", &[&row, &pivot]);
        let column = graph.gather(&rows, &place, 2);
        // One less in its own row, which so becomes the row divided by the pivot.
        let own = graph.matrix(classes, 1, |i, _| if i == at { 1.0 } else { 0.0 });
        let times = graph.node("Sub", &[&column, &own]);
        let taken = graph.node("Mul", &[&times, &row]);
        rows = graph.node("Sub", &[&rows, &taken]);
    }
    let solution = graph.gather(&rows, &[k], 2);
    let shape = graph.integers(&[-1, k]);
    graph.node("Reshape", &[&solution, &shape])
}

/// Divided by their sum; equal where all are 0, as the core has it.
fn normalised(graph: &mut Builder, classes: usize, values: &Name) -> Name {
    let zero = graph.number(0.0);
    let values = graph.node("Max", &[values, &zero]);
    let ones = graph.column(&vec![1.0; classes]);
    let sum = graph.node("MatMul", &[&values, &ones]);
    let shares = graph.node("Div", &[&values, &sum]);
    let equal = graph.number(1.0 / classes as f64);
    let any = graph.node("Greater", &[&sum, &zero]);
    graph.node("Where", &[&any, &shares, &equal])
}

//! What the machines say together: probabilities of all classes and the label.

use super::graph::{Builder, Name};
use super::machine::{Latent, both_probabilities};
use super::protobuf::element;
use pfcvm::algebra::SHARED_VARIANCE;
use pfcvm::multiclass::Scheme;

/// Label, probabilities, decisions and variances under their names.
pub fn outputs(graph: &mut Builder, classes: &[String], scheme: Scheme, said: Vec<Latent>) {
    let (mut negative, mut positive) = (Vec::new(), Vec::new());
    for latent in &said {
        let [of_negative, of_positive] = both_probabilities(graph, latent);
        negative.push(of_negative);
        positive.push(of_positive);
    }
    let count = classes.len();
    let (probabilities, places) = match said.as_slice() {
        // One machine says it all: its own probabilities, and its own call.
        [only] => {
            let both = graph.joined(&[negative.concat(), positive.concat()]);
            let zero = graph.number(0.0);
            let side = graph.node("GreaterOrEqual", &[&only.decision, &zero]);
            let side = graph.node_with("Cast", &[&side], vec![("to", i64::from(element::INT64))]);
            (both, flat(graph, &side))
        }
        _ => {
            let values = match scheme {
                Scheme::OneVsOne => coupled(graph, count, positive, negative),
                Scheme::OneVsRest => graph.joined(&positive),
                Scheme::Joint => all_at_once(graph, count, &said),
            };
            let probabilities = normalised(graph, count, &values);
            let how = vec![("axis", 1), ("keepdims", 0), ("select_last_index", 1)];
            let places = graph.node_with("ArgMax", &[&probabilities], how);
            (probabilities, places)
        }
    };
    label(graph, classes, &places);
    graph.output(&probabilities, "probabilities", element::DOUBLE, Some(count));
    let (decisions, variances): (Vec<Name>, Vec<Name>) =
        said.into_iter().map(|latent| (latent.decision, latent.variance)).unzip();
    for (columns, name) in [(decisions, "decision"), (variances, "variance")] {
        match columns.as_slice() {
            [only] => {
                let list = flat(graph, only);
                graph.output(&list, name, element::DOUBLE, None);
            }
            several => {
                let table = graph.joined(several);
                graph.output(&table, name, element::DOUBLE, Some(several.len()));
            }
        }
    }
}

/// A column as a list.
fn flat(graph: &mut Builder, column: &Name) -> Name {
    let shape = graph.integers(&[-1]);
    graph.node("Reshape", &[column, &shape])
}

/// The labels at places among the classes: whole numbers if all of them are, else text.
fn label(graph: &mut Builder, classes: &[String], places: &Name) {
    let whole: Option<Vec<i64>> = classes.iter().map(|class| class.parse().ok()).collect();
    let (labels, kind) = match whole {
        Some(numbers) => (graph.integers(&numbers), element::INT64),
        None => (graph.texts(classes), element::STRING),
    };
    let label = graph.node_with("Gather", &[&labels, places], vec![("axis", 0)]);
    graph.output(&label, "label", kind, None);
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
    let all = graph.joined(&columns);
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

/// What machines that share a row of probabilities divide by its sum, N × K: for every class
/// 1 / Σⱼ exp((fⱼ − fₖ) / √(1 + c (vₖ + vⱼ))).
fn all_at_once(graph: &mut Builder, classes: usize, said: &[Latent]) -> Name {
    let k = classes as i64;
    let decisions: Vec<Name> = said.iter().map(|latent| latent.decision.clone()).collect();
    let variances: Vec<Name> = said.iter().map(|latent| latent.variance.clone()).collect();
    let mut both = |columns: &[Name]| {
        let table = graph.joined(columns);
        let own = graph.integers(&[-1, k, 1]);
        let others = graph.integers(&[-1, 1, k]);
        let own = graph.node("Reshape", &[&table, &own]);
        (own, graph.node("Reshape", &[&table, &others]))
    };
    let (own_f, other_f) = both(&decisions);
    let (own_v, other_v) = both(&variances);
    let gap = graph.node("Sub", &[&other_f, &own_f]);
    let variance = graph.node("Add", &[&other_v, &own_v]);
    let share = graph.number(SHARED_VARIANCE);
    let variance = graph.node("Mul", &[&variance, &share]);
    let one = graph.number(1.0);
    let spread = graph.node("Add", &[&variance, &one]);
    let spread = graph.node("Sqrt", &[&spread]);
    let gap = graph.node("Div", &[&gap, &spread]);
    // The square of the root, so that a sum of squares adds it up.
    let half = graph.number(0.5);
    let gap = graph.node("Mul", &[&gap, &half]);
    let odds = graph.node("Exp", &[&gap]);
    let sums = graph.squares_along(&odds, 2);
    let shape = graph.integers(&[-1, k]);
    let sums = graph.node("Reshape", &[&sums, &shape]);
    graph.node("Div", &[&one, &sums])
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

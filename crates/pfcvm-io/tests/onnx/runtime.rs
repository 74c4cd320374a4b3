//! The operators that the graphs use, one after the other, on arrays of any number of dimensions.

use super::protobuf::{Graph, Node, Tensor};
use std::collections::HashMap;

/// An array by rows. Whole numbers are numbers; texts have none.
#[derive(Clone, Debug)]
pub struct Array {
    pub dims: Vec<usize>,
    pub values: Vec<f64>,
    pub texts: Vec<String>,
}

impl Array {
    pub fn new(dims: Vec<usize>, values: Vec<f64>) -> Self {
        assert_eq!(dims.iter().product::<usize>(), values.len());
        Self { dims, values, texts: Vec::new() }
    }

    pub fn of_texts(dims: Vec<usize>, texts: Vec<String>) -> Self {
        Self { texts, ..Self::new(dims.clone(), vec![f64::NAN; dims.iter().product()]) }
    }

    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { values: self.values.iter().map(|v| f(*v)).collect(), ..self.clone() }
    }

    /// Sizes before, at and after a dimension.
    fn around(&self, axis: usize) -> (usize, usize, usize) {
        let size = |dims: &[usize]| dims.iter().product();
        (size(&self.dims[..axis]), self.dims[axis], size(&self.dims[axis + 1..]))
    }
}

/// All outputs of a graph, from its inputs in their order.
pub fn run(graph: &Graph, inputs: Vec<Array>) -> HashMap<String, Array> {
    let constants = graph.initializer.iter().map(|tensor| (tensor.name.clone(), constant(tensor)));
    let mut known: HashMap<String, Array> = constants.collect();
    assert_eq!(graph.input.len(), inputs.len());
    known.extend(graph.input.iter().map(|value| value.name.clone()).zip(inputs));
    for node in &graph.node {
        let inputs: Vec<&Array> = node.input.iter().map(|name| &known[name]).collect();
        let output = step(node, &inputs);
        assert!(known.insert(node.output[0].clone(), output).is_none(), "{} twice", node.name);
    }
    graph.output.iter().map(|value| (value.name.clone(), known[&value.name].clone())).collect()
}

fn constant(tensor: &Tensor) -> Array {
    let dims: Vec<usize> = tensor.dims.iter().map(|dim| *dim as usize).collect();
    let words = tensor.raw_data.chunks_exact(8).map(|bytes| bytes.try_into().unwrap());
    let (values, texts) = match tensor.data_type {
        11 => (words.map(f64::from_le_bytes).collect(), Vec::new()),
        7 => (words.map(|bytes| i64::from_le_bytes(bytes) as f64).collect(), Vec::new()),
        8 => {
            let texts = tensor.string_data.iter().map(|text| String::from_utf8(text.clone()));
            (vec![f64::NAN; dims[0]], texts.map(Result::unwrap).collect())
        }
        other => panic!("element type {other}"),
    };
    Array { texts, ..Array::new(dims, values) }
}

fn step(node: &Node, inputs: &[&Array]) -> Array {
    let number = |name: &str| {
        let found = node.attribute.iter().find(|attribute| attribute.name == name);
        found.map(|attribute| {
            assert_eq!(attribute.kind, 2, "{name}");
            attribute.i
        })
    };
    let list = |name: &str| {
        let found = node.attribute.iter().find(|attribute| attribute.name == name).unwrap();
        assert_eq!(found.kind, 7, "{name}");
        found.ints.clone()
    };
    let axis = || number("axis").unwrap() as usize;
    let both = |f: fn(f64, f64) -> f64| broadcast(inputs[0], inputs[1], f);
    let truth = |yes: bool| f64::from(u8::from(yes));
    match node.op_type.as_str() {
        "Identity" | "Cast" => inputs[0].clone(),
        "Add" => both(|a, b| a + b),
        "Sub" => both(|a, b| a - b),
        "Mul" => both(|a, b| a * b),
        "Div" => both(|a, b| a / b),
        "Pow" => both(f64::powf),
        "Max" => both(f64::max),
        "Equal" => broadcast(inputs[0], inputs[1], |a, b| truth(a == b)),
        "Not" => inputs[0].map(|v| 1.0 - v),
        "LabelEncoder" => {
            assert_eq!(node.domain, "ai.onnx.ml");
            let found = |name: &str| node.attribute.iter().find(|a| a.name == name).unwrap();
            let keys = &found("keys_strings").strings;
            let values = list("values_int64s");
            let place = |text: &String| {
                let at = keys.iter().position(|key| key == text.as_bytes());
                at.map_or(number("default_int64").unwrap(), |at| values[at]) as f64
            };
            Array::new(inputs[0].dims.clone(), inputs[0].texts.iter().map(place).collect())
        }
        "Greater" => broadcast(inputs[0], inputs[1], |a, b| truth(a > b)),
        "GreaterOrEqual" => broadcast(inputs[0], inputs[1], |a, b| truth(a >= b)),
        "Exp" => inputs[0].map(f64::exp),
        "Log" => inputs[0].map(f64::ln),
        "Neg" => inputs[0].map(|v| -v),
        "Sqrt" => inputs[0].map(f64::sqrt),
        "Clip" => {
            let (low, high) = (inputs[1].values[0], inputs[2].values[0]);
            inputs[0].map(|v| v.clamp(low, high))
        }
        "Where" => {
            // What is not chosen may be no number.
            let chosen = broadcast(inputs[0], inputs[1], |c, a| if c > 0.5 { a } else { f64::NAN });
            broadcast(&chosen, inputs[2], |a, b| if a.is_nan() { b } else { a })
        }
        "MatMul" => product(inputs[0], inputs[1]),
        "Concat" => concat(inputs, axis()),
        "Gather" => gather(inputs[0], inputs[1], axis()),
        "Reshape" => reshape(inputs[0], inputs[1]),
        "Transpose" => {
            assert_eq!(list("perm"), [0, 2, 1]);
            let [n, a, b] = inputs[0].dims[..] else { panic!("{:?}", inputs[0].dims) };
            let at = |i: usize| (i / (a * b), i / a % b, i % a);
            let values = (0..n * a * b).map(|i| {
                let (n, b_at, a_at) = at(i);
                inputs[0].values[n * a * b + a_at * b + b_at]
            });
            Array::new(vec![n, b, a], values.collect())
        }
        "ReduceSumSquare" => {
            assert_eq!(number("keepdims"), Some(1));
            let axis = list("axes")[0] as usize;
            let (before, size, after) = inputs[0].around(axis);
            let mut dims = inputs[0].dims.clone();
            dims[axis] = 1;
            let sum = |i: usize| {
                let (b, a) = (i / after, i % after);
                (0..size).map(|k| inputs[0].values[(b * size + k) * after + a].powi(2)).sum()
            };
            Array::new(dims, (0..before * after).map(sum).collect())
        }
        "ArgMax" => {
            let how = (axis(), number("keepdims"), number("select_last_index"));
            assert_eq!(how, (1, Some(0), Some(1)));
            let rows = inputs[0].values.chunks(inputs[0].dims[1]);
            let last = |row: &[f64]| {
                let most = row.iter().copied().fold(f64::MIN, f64::max);
                row.iter().rposition(|value| *value == most).unwrap() as f64
            };
            Array::new(vec![inputs[0].dims[0]], rows.map(last).collect())
        }
        other => panic!("{other} is not known here"),
    }
}

/// Element by element, dimensions of 1 repeated, as the standard has it.
fn broadcast(a: &Array, b: &Array, f: impl Fn(f64, f64) -> f64) -> Array {
    let rank = a.dims.len().max(b.dims.len());
    let padded = |dims: &[usize]| [vec![1; rank - dims.len()], dims.to_vec()].concat();
    let (da, db) = (padded(&a.dims), padded(&b.dims));
    let dims: Vec<usize> = da
        .iter()
        .zip(&db)
        .map(|(&a, &b)| {
            assert!(a == b || a == 1 || b == 1, "{da:?} {db:?}");
            a.max(b)
        })
        .collect();
    let at = |own: &[usize], mut index: usize| {
        let (mut place, mut step) = (0, 1);
        for k in (0..rank).rev() {
            let here = index % dims[k];
            index /= dims[k];
            place += if own[k] == 1 { 0 } else { here * step };
            step *= own[k];
        }
        place
    };
    let count = dims.iter().product();
    let values = (0..count).map(|i| f(a.values[at(&da, i)], b.values[at(&db, i)])).collect();
    Array::new(dims, values)
}

fn product(a: &Array, b: &Array) -> Array {
    let ([n, k], [inner, m]) = (&a.dims[..], &b.dims[..]) else { panic!("no matrices") };
    assert_eq!(k, inner);
    let cell =
        |i: usize, j: usize| (0..*k).map(|l| a.values[i * k + l] * b.values[l * m + j]).sum();
    let values = (0..n * m).map(|at| cell(at / m, at % m)).collect();
    Array::new(vec![*n, *m], values)
}

fn concat(all: &[&Array], axis: usize) -> Array {
    let mut dims = all[0].dims.clone();
    dims[axis] = all.iter().map(|array| array.dims[axis]).sum();
    let (before, _, after) = all[0].around(axis);
    let mut values = Vec::new();
    for row in 0..before {
        for array in all {
            let width = array.dims[axis] * after;
            values.extend_from_slice(&array.values[row * width..(row + 1) * width]);
        }
    }
    Array::new(dims, values)
}

fn gather(from: &Array, places: &Array, axis: usize) -> Array {
    if !from.texts.is_empty() {
        let texts = places.values.iter().map(|at| from.texts[*at as usize].clone()).collect();
        let values = vec![f64::NAN; places.values.len()];
        return Array { texts, ..Array::new(places.dims.clone(), values) };
    }
    let (before, size, after) = from.around(axis);
    let mut dims = from.dims[..axis].to_vec();
    dims.extend(&places.dims);
    dims.extend(&from.dims[axis + 1..]);
    let mut values = Vec::new();
    for row in 0..before {
        for place in &places.values {
            let start = (row * size + *place as usize) * after;
            values.extend_from_slice(&from.values[start..start + after]);
        }
    }
    Array::new(dims, values)
}

fn reshape(from: &Array, shape: &Array) -> Array {
    let fixed: f64 = shape.values.iter().filter(|dim| **dim >= 0.0).product();
    let free = from.values.len() / fixed as usize;
    let dim = |dim: &f64| if *dim < 0.0 { free } else { *dim as usize };
    let dims = shape.values.iter().map(dim).collect();
    Array { texts: from.texts.clone(), ..Array::new(dims, from.values.clone()) }
}

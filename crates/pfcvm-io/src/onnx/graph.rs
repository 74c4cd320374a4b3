//! A graph while it is put together: each step returns the name of its result.

use super::protobuf::{Attribute, Graph, Node, Tensor, Value, element};

/// Where operators of machine learning are at home.
pub const LEARNING: &str = "ai.onnx.ml";

/// The name of a value in the graph.
pub type Name = String;

/// Nodes and constants so far.
#[derive(Default)]
pub struct Builder {
    graph: Graph,
    count: usize,
}

impl Builder {
    /// A graph without anything.
    pub fn new(name: &str) -> Self {
        let mut builder = Self::default();
        builder.graph.name = name.into();
        builder
    }

    /// An input of N rows.
    pub fn input(&mut self, name: &str, element: i32, columns: usize) -> Name {
        self.graph.input.push(Value { name: name.into(), element, columns: Some(columns) });
        name.into()
    }

    /// A name that no input has.
    fn fresh(&mut self, what: &str) -> Name {
        self.count += 1;
        format!("pfcvm/{}_{}", what.to_lowercase(), self.count)
    }

    /// An operator.
    pub fn node(&mut self, operator: &str, inputs: &[&Name]) -> Name {
        self.node_with(operator, inputs, Vec::new())
    }

    /// An operator with whole numbers as attributes.
    pub fn node_with(
        &mut self,
        operator: &str,
        inputs: &[&Name],
        attributes: Vec<(&str, i64)>,
    ) -> Name {
        let output = self.fresh(operator);
        let attributes = attributes.into_iter();
        self.graph.node.push(Node {
            input: inputs.iter().map(|name| name.to_string()).collect(),
            output: output.clone(),
            op_type: operator.into(),
            domain: "",
            attribute: attributes.map(|(name, i)| (name.into(), Attribute::One(i))).collect(),
        });
        output
    }

    /// The number that belongs to each text, and another for all that are not named.
    pub fn lookup(&mut self, texts: &Name, keys: Vec<(String, i64)>, other: i64) -> Name {
        let output = self.fresh("places");
        let (keys, values): (Vec<String>, Vec<i64>) = keys.into_iter().unzip();
        self.graph.node.push(Node {
            input: vec![texts.clone()],
            output: output.clone(),
            op_type: "LabelEncoder".into(),
            domain: LEARNING,
            attribute: vec![
                ("keys_strings".into(), Attribute::Texts(keys)),
                ("values_int64s".into(), Attribute::Several(values)),
                ("default_int64".into(), Attribute::One(other)),
            ],
        });
        output
    }

    /// The squares of each row, summed: N × 1.
    pub fn row_squares(&mut self, rows: &Name) -> Name {
        self.squares_along(rows, 1)
    }

    /// Squares summed along a dimension, of which 1 is left.
    pub fn squares_along(&mut self, values: &Name, axis: i64) -> Name {
        let output = self.node_with("ReduceSumSquare", &[values], vec![("keepdims", 1)]);
        self.list("axes", vec![axis]);
        output
    }

    /// The matrix of each row, turned over.
    pub fn transposed(&mut self, matrices: &Name) -> Name {
        let output = self.node("Transpose", &[matrices]);
        self.list("perm", vec![0, 2, 1]);
        output
    }

    /// An attribute of the last node.
    fn list(&mut self, name: &str, ints: Vec<i64>) {
        if let Some(node) = self.graph.node.last_mut() {
            node.attribute.push((name.into(), Attribute::Several(ints)));
        }
    }

    /// Columns side by side.
    pub fn joined(&mut self, columns: &[Name]) -> Name {
        self.node_with("Concat", &Vec::from_iter(columns), vec![("axis", 1)])
    }

    /// Some places along a dimension.
    pub fn gather(&mut self, from: &Name, places: &[i64], axis: i64) -> Name {
        let places = self.integers(places);
        self.node_with("Gather", &[from, &places], vec![("axis", axis)])
    }

    /// A constant matrix, by rows.
    pub fn matrix(&mut self, rows: usize, cols: usize, at: impl Fn(usize, usize) -> f64) -> Name {
        let values = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j)));
        let raw = values.flat_map(|(i, j)| at(i, j).to_le_bytes()).collect();
        self.constant(&[rows, cols], element::DOUBLE, raw)
    }

    /// A constant row.
    pub fn row(&mut self, values: &[f64]) -> Name {
        self.matrix(1, values.len(), |_, j| values[j])
    }

    /// A constant column.
    pub fn column(&mut self, values: &[f64]) -> Name {
        self.matrix(values.len(), 1, |i, _| values[i])
    }

    /// A constant number.
    pub fn number(&mut self, value: f64) -> Name {
        self.constant(&[], element::DOUBLE, value.to_le_bytes().to_vec())
    }

    /// Constant whole numbers.
    pub fn integers(&mut self, values: &[i64]) -> Name {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(&[values.len()], element::INT64, raw)
    }

    /// Constant texts.
    pub fn texts(&mut self, values: &[String]) -> Name {
        let name = self.constant(&[values.len()], element::STRING, Vec::new());
        if let Some(tensor) = self.graph.initializer.last_mut() {
            tensor.texts = values.to_vec();
        }
        name
    }

    fn constant(&mut self, dims: &[usize], data_type: i32, raw_data: Vec<u8>) -> Name {
        let name = self.fresh("constant");
        self.graph.initializer.push(Tensor {
            dims: dims.to_vec(),
            data_type,
            texts: Vec::new(),
            name: name.clone(),
            raw_data,
        });
        name
    }

    /// Calls a value an output of the graph, with so many columns or, with nothing, without a
    /// second dimension.
    pub fn output(&mut self, from: &Name, name: &str, element: i32, columns: Option<usize>) {
        self.graph.node.push(Node {
            input: vec![from.clone()],
            output: name.into(),
            op_type: "Identity".into(),
            domain: "",
            attribute: Vec::new(),
        });
        self.graph.output.push(Value { name: name.into(), element, columns });
    }

    /// The graph.
    pub fn finish(self) -> Graph {
        self.graph
    }
}

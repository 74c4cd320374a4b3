//! The messages of ONNX that a graph here needs, and how they are written: each field behind the
//! number that the format gives it (onnx.proto, IR version 8). Fields are numbers of variable
//! length or bytes behind their length; one at its default is left out.

/// Numbers of element types.
pub mod element {
    pub const FLOAT: i32 = 1;
    pub const INT64: i32 = 7;
    pub const STRING: i32 = 8;
    pub const DOUBLE: i32 = 11;
}

/// `ModelProto`.
pub struct Model {
    pub ir_version: i64,
    pub producer_name: String,
    pub producer_version: String,
    pub graph: Graph,
    /// Domains of operators and their versions; that of the standard has no name.
    pub operators: Vec<(&'static str, i64)>,
    /// Keys and values.
    pub metadata: Vec<(String, String)>,
}

/// `GraphProto`.
#[derive(Default)]
pub struct Graph {
    pub node: Vec<Node>,
    pub name: String,
    pub initializer: Vec<Tensor>,
    pub input: Vec<Value>,
    pub output: Vec<Value>,
}

/// `NodeProto`.
pub struct Node {
    pub input: Vec<String>,
    pub output: String,
    pub op_type: String,
    /// Where the operator is at home.
    pub domain: &'static str,
    pub attribute: Vec<(String, Attribute)>,
}

/// `AttributeProto`, as far as it is needed.
pub enum Attribute {
    One(i64),
    Several(Vec<i64>),
    Texts(Vec<String>),
}

/// `TensorProto`.
pub struct Tensor {
    pub dims: Vec<usize>,
    pub data_type: i32,
    pub texts: Vec<String>,
    pub name: String,
    /// Little-endian.
    pub raw_data: Vec<u8>,
}

/// `ValueInfoProto` of a tensor with N rows.
pub struct Value {
    pub name: String,
    pub element: i32,
    /// The second dimension, where there is one.
    pub columns: Option<usize>,
}

/// A message while it is written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A number, written even where it is 0: lists need every item.
    fn item(&mut self, field: u64, value: i64) -> &mut Self {
        self.varint(field << 3);
        self.varint(value as u64); // negative numbers in two's complement, as the format has them
        self
    }

    fn number(&mut self, field: u64, value: i64) -> &mut Self {
        if value == 0 { self } else { self.item(field, value) }
    }

    /// Bytes, written even where there are none.
    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn text(&mut self, field: u64, text: &str) -> &mut Self {
        if text.is_empty() { self } else { self.bytes(field, text.as_bytes()) }
    }

    fn message(&mut self, field: u64, message: &Message) -> &mut Self {
        self.bytes(field, &message.0)
    }
}

impl Model {
    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let mut file = Message::default();
        file.number(1, self.ir_version).text(2, &self.producer_name);
        file.text(3, &self.producer_version).message(7, &self.graph.message());
        for (domain, version) in &self.operators {
            let mut operators = Message::default();
            operators.text(1, domain).number(2, *version);
            file.message(8, &operators);
        }
        for (key, value) in &self.metadata {
            let mut entry = Message::default();
            entry.text(1, key).text(2, value);
            file.message(14, &entry);
        }
        file.0
    }
}

impl Graph {
    fn message(&self) -> Message {
        let mut graph = Message::default();
        self.node.iter().for_each(|node| _ = graph.message(1, &node.message()));
        graph.text(2, &self.name);
        self.initializer.iter().for_each(|tensor| _ = graph.message(5, &tensor.message()));
        self.input.iter().for_each(|value| _ = graph.message(11, &value.message()));
        self.output.iter().for_each(|value| _ = graph.message(12, &value.message()));
        graph
    }
}

impl Node {
    fn message(&self) -> Message {
        let mut node = Message::default();
        self.input.iter().for_each(|name| _ = node.bytes(1, name.as_bytes()));
        // Every node is called after its only output.
        node.text(2, &self.output).text(3, &self.output).text(4, &self.op_type);
        for (name, value) in &self.attribute {
            let mut attribute = Message::default();
            attribute.text(1, name);
            let kind = match value {
                Attribute::One(number) => {
                    attribute.number(3, *number);
                    2
                }
                Attribute::Several(numbers) => {
                    numbers.iter().for_each(|number| _ = attribute.item(8, *number));
                    7
                }
                Attribute::Texts(texts) => {
                    texts.iter().for_each(|text| _ = attribute.bytes(9, text.as_bytes()));
                    8
                }
            };
            attribute.number(20, kind);
            node.message(5, &attribute);
        }
        node.text(7, self.domain);
        node
    }
}

impl Tensor {
    fn message(&self) -> Message {
        let mut tensor = Message::default();
        self.dims.iter().for_each(|dim| _ = tensor.item(1, *dim as i64));
        tensor.number(2, i64::from(self.data_type));
        self.texts.iter().for_each(|text| _ = tensor.bytes(6, text.as_bytes()));
        tensor.text(8, &self.name);
        if !self.raw_data.is_empty() {
            tensor.bytes(9, &self.raw_data);
        }
        tensor
    }
}

impl Value {
    fn message(&self) -> Message {
        let mut rows = Message::default();
        rows.text(2, "N");
        let mut shape = Message::default();
        shape.message(1, &rows);
        if let Some(columns) = self.columns {
            let mut fixed = Message::default();
            fixed.item(1, columns as i64);
            shape.message(1, &fixed);
        }
        let mut tensor = Message::default();
        tensor.number(1, i64::from(self.element)).message(2, &shape);
        let mut kind = Message::default();
        kind.message(1, &tensor);
        let mut value = Message::default();
        value.text(1, &self.name).message(2, &kind);
        value
    }
}

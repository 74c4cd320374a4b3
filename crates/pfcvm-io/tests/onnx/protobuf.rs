//! The messages of ONNX as far as they are written here, read by a library that knows nothing of
//! ours. The tags are those of the standard (onnx.proto, IR version 8).
//!
//! Without the library's derive macro: it brings another generation of what parses Rust, with
//! features that would have the linear algebra compiled once more for the wheel.

use prost::DecodeError;
use prost::encoding::{self, DecodeContext, WireType, bytes, int32, int64, string};

/// A message from its bytes.
pub fn read<T: Message>(mut bytes: &[u8]) -> Result<T, DecodeError> {
    let mut message = T::default();
    while !bytes.is_empty() {
        let (tag, wire) = encoding::decode_key(&mut bytes)?;
        message.field(tag, wire, &mut bytes)?;
    }
    Ok(message)
}

/// What can be read field by field.
pub trait Message: Default {
    /// Reads the field with a tag; one that is not known is skipped.
    fn field(&mut self, tag: u32, wire: WireType, from: &mut &[u8]) -> Result<(), DecodeError>;
}

type Read = Result<(), DecodeError>;

/// A message inside another.
fn one<T: Message>(
    wire: WireType,
    into: &mut Option<T>,
    from: &mut &[u8],
    context: DecodeContext,
) -> Read {
    let mut inner: Vec<u8> = Vec::new();
    bytes::merge(wire, &mut inner, from, context)?;
    *into = Some(read(&inner)?);
    Ok(())
}

/// One of several messages inside another.
fn many<T: Message>(
    wire: WireType,
    into: &mut Vec<T>,
    from: &mut &[u8],
    context: DecodeContext,
) -> Read {
    let mut message = None;
    one(wire, &mut message, from, context)?;
    into.extend(message);
    Ok(())
}

/// A struct of fields, each with its tag and what reads it.
macro_rules! message {
    ($(#[$about:meta])* $name:ident { $($tag:literal $field:ident: $kind:ty, $read:path;)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $(pub $field: $kind,)*
        }

        impl Message for $name {
            fn field(&mut self, tag: u32, wire: WireType, from: &mut &[u8]) -> Read {
                let context = DecodeContext::default();
                match tag {
                    $($tag => $read(wire, &mut self.$field, from, context),)*
                    _ => encoding::skip_field(wire, tag, from, context),
                }
            }
        }
    };
}

message! {
    /// `ModelProto`.
    Model {
        1 ir_version: i64, int64::merge;
        2 producer_name: String, string::merge;
        7 graph: Option<Graph>, one;
        8 opset_import: Vec<OperatorSet>, many;
        14 metadata_props: Vec<Entry>, many;
    }
}

message! {
    /// `OperatorSetIdProto`.
    OperatorSet {
        1 domain: String, string::merge;
        2 version: i64, int64::merge;
    }
}

message! {
    /// `StringStringEntryProto`.
    Entry {
        1 key: String, string::merge;
        2 value: String, string::merge;
    }
}

message! {
    /// `GraphProto`.
    Graph {
        1 node: Vec<Node>, many;
        2 name: String, string::merge;
        5 initializer: Vec<Tensor>, many;
        11 input: Vec<Value>, many;
        12 output: Vec<Value>, many;
    }
}

message! {
    /// `NodeProto`.
    Node {
        1 input: Vec<String>, string::merge_repeated;
        2 output: Vec<String>, string::merge_repeated;
        3 name: String, string::merge;
        4 op_type: String, string::merge;
        5 attribute: Vec<Attribute>, many;
        7 domain: String, string::merge;
    }
}

message! {
    /// `AttributeProto`; its kind is 2 for a whole number, 7 for a list of them, 8 for texts.
    Attribute {
        1 name: String, string::merge;
        3 i: i64, int64::merge;
        8 ints: Vec<i64>, int64::merge_repeated;
        9 strings: Vec<Vec<u8>>, bytes::merge_repeated;
        20 kind: i32, int32::merge;
    }
}

message! {
    /// `TensorProto`.
    Tensor {
        1 dims: Vec<i64>, int64::merge_repeated;
        2 data_type: i32, int32::merge;
        6 string_data: Vec<Vec<u8>>, bytes::merge_repeated;
        8 name: String, string::merge;
        9 raw_data: Vec<u8>, bytes::merge;
    }
}

message! {
    /// `ValueInfoProto`.
    Value {
        1 name: String, string::merge;
        2 kind: Option<Type>, one;
    }
}

message! {
    /// `TypeProto`, of tensors only.
    Type {
        1 tensor: Option<TensorType>, one;
    }
}

message! {
    /// `TypeProto.Tensor`.
    TensorType {
        1 elem_type: i32, int32::merge;
        2 shape: Option<Shape>, one;
    }
}

message! {
    /// `TensorShapeProto`.
    Shape {
        1 dim: Vec<Dimension>, many;
    }
}

/// `TensorShapeProto.Dimension`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dimension {
    pub extent: Option<Extent>,
}

/// How long a dimension is.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    Fixed(i64),
    Named(String),
}

impl Message for Dimension {
    fn field(&mut self, tag: u32, wire: WireType, from: &mut &[u8]) -> Read {
        let context = DecodeContext::default();
        match tag {
            1 => {
                let mut length = 0;
                int64::merge(wire, &mut length, from, context)?;
                self.extent = Some(Extent::Fixed(length));
            }
            2 => {
                let mut name = String::new();
                string::merge(wire, &mut name, from, context)?;
                self.extent = Some(Extent::Named(name));
            }
            _ => encoding::skip_field(wire, tag, from, context)?,
        }
        Ok(())
    }
}

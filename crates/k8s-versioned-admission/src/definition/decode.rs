//! Reads a definition as the decoder of the server does: values of another type are refused, and unknown fields are dropped.

use base64::{DecodeError, Engine as _};
use k8s_versioned::json::server::size;
use serde_json::{Map, Value};

use super::shape::{Field, JSON_SCHEMA, Shape, Struct};
use crate::answer::Undecodable;
use crate::metadata::json_type;
use crate::path::UnknownFields;
use k8s_cel::values::BASE64;

/// Objects in a definition that nest deeper than this are not read. Public definitions nest up to forty levels.
const MAX_DEPTH: usize = 200;

/// A definition without its unknown fields and without nulls.
pub(super) struct Decoded {
    pub(super) value: Value,
    /// The paths of the unknown fields that the server names. It does not look into `items`, `additionalProperties` and
    /// `dependencies`.
    pub(super) unknown: Vec<String>,
    /// What there was no room for.
    pub(super) left_out: Option<String>,
}

/// Why a definition cannot be read.
pub(super) enum Failure {
    /// A value has another type.
    Refused(Undecodable),
    /// The definition nests deeper than this package reads.
    TooDeep,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Refused(Undecodable { message, path: String::new() })
    }
}

impl Failure {
    /// The failure of a member or an item, seen from the value around it.
    fn inside(mut self, step: &str) -> Self {
        if let Self::Refused(error) = &mut self {
            error.path.insert_str(0, step);
        }
        self
    }
}

/// Reads a definition.
///
/// # Errors
/// A part has another type, or nests too deep.
pub(super) fn decode(value: &Value, shape: &'static Struct) -> Result<Decoded, Failure> {
    let mut decoder = Decoder {
        unknown: UnknownFields::noted(size(value)),
        depth: 0,
        fields: Vec::new(),
        path: String::new(),
        silent: false,
    };
    let value = decoder.read_struct(value, shape)?;
    let Decoder { unknown, .. } = decoder;
    Ok(Decoded {
        value: value.unwrap_or_default(),
        left_out: unknown.left_out(),
        unknown: unknown.into_paths(),
    })
}

struct Decoder {
    unknown: UnknownFields,
    depth: usize,
    /// The names of the fields on the way, without keys and indexes, and the type of the innermost one.
    fields: Vec<(&'static str, &'static str)>,
    path: String,
    /// The server's decoder names no unknown fields here.
    silent: bool,
}

/// A value, or `None` for null.
type DecodedPart = Result<Option<Value>, Failure>;

impl Decoder {
    fn read_struct(&mut self, value: &Value, shape: &'static Struct) -> DecodedPart {
        let members = match value {
            Value::Null => return Ok(None),
            Value::Object(members) => members,
            other => return Err(self.mismatch(other, &format!("v1.{}", shape.name))),
        };
        if self.depth > MAX_DEPTH {
            return Err(Failure::TooDeep);
        }
        self.depth += 1;
        let mut kept = Map::new();
        for (name, member) in members {
            let end = self.path.len();
            self.path.push_str(if end > 0 { "." } else { "" });
            self.path.push_str(name);
            match shape.fields.iter().find(|field| field.name == name) {
                Some(Field { name, shape: member_shape, .. }) => {
                    self.fields.push((shape.name, name));
                    let read = self.read(member, member_shape);
                    if let Some(read) =
                        read.map_err(|failure| failure.inside(&format!(".{name}")))?
                    {
                        kept.insert((*name).to_owned(), read);
                    }
                    self.fields.pop();
                }
                None if self.silent => {}
                None => self.unknown.note(&self.path),
            }
            self.path.truncate(end);
        }
        self.depth -= 1;
        Ok(Some(Value::Object(kept)))
    }

    fn read(&mut self, value: &Value, shape: &'static Shape) -> DecodedPart {
        if value.is_null() {
            return Ok(None);
        }
        let fits = match shape {
            Shape::Struct(inner) => return self.read_struct(value, inner),
            Shape::Schema => return self.read_struct(value, &JSON_SCHEMA),
            Shape::List(inner) => return self.read_list(value, inner),
            Shape::Map(inner) => return self.read_map(value, inner),
            Shape::SchemaOrFlag | Shape::SchemaOrList | Shape::SchemaOrTexts => {
                return self.read_either(value, shape);
            }
            Shape::Any => true,
            Shape::Bytes => {
                check_base64(value)?;
                value.is_string()
            }
            Shape::Text | Shape::OptionalText => value.is_string(),
            Shape::Flag | Shape::OptionalFlag => value.is_boolean(),
            Shape::Number => value.is_number(),
            Shape::Integer(32) => {
                value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
            }
            Shape::Integer(_) => value.is_i64(),
        };
        if fits { Ok(Some(value.clone())) } else { Err(self.mismatch(value, &go_type(shape))) }
    }

    fn read_list(&mut self, value: &Value, inner: &'static Shape) -> DecodedPart {
        let Value::Array(items) = value else {
            return Err(self.mismatch(value, &format!("[]{}", go_type(inner))));
        };
        let mut kept = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let end = self.path.len();
            self.path.extend(["[", &at.to_string(), "]"]);
            let item =
                self.read(item, inner).map_err(|failure| failure.inside(&format!("[{at}]")))?;
            self.path.truncate(end);
            kept.push(item.unwrap_or_else(|| zero(inner)));
        }
        Ok(Some(Value::Array(kept)))
    }

    fn read_map(&mut self, value: &Value, inner: &'static Shape) -> DecodedPart {
        let Value::Object(members) = value else {
            return Err(self.mismatch(value, &format!("map[string]{}", go_type(inner))));
        };
        let mut kept = Map::new();
        for (key, member) in members {
            let end = self.path.len();
            self.path.push('.');
            self.path.push_str(key);
            let member =
                self.read(member, inner).map_err(|failure| failure.inside(&format!("[{key}]")))?;
            self.path.truncate(end);
            kept.insert(key.clone(), member.unwrap_or_else(|| zero(inner)));
        }
        Ok(Some(Value::Object(kept)))
    }

    /// A value with a decoder of its own on the server, which looks at the first character and names no unknown fields.
    fn read_either(&mut self, value: &Value, shape: &'static Shape) -> DecodedPart {
        static SCHEMAS: Shape = Shape::List(&Shape::Schema);
        static TEXTS: Shape = Shape::List(&Shape::Text);
        let outer = std::mem::replace(&mut self.silent, true);
        let read = match (value, shape) {
            (Value::Object(_), _) => self.read_struct(value, &JSON_SCHEMA),
            (Value::Bool(_), Shape::SchemaOrFlag) => Ok(Some(value.clone())),
            (_, Shape::SchemaOrFlag) => Err("boolean or JSON schema expected".to_owned().into()),
            (Value::Array(_), Shape::SchemaOrList) => self.read(value, &SCHEMAS),
            (Value::Array(_), _) => self.read(value, &TEXTS),
            // Neither a schema nor a list: present, but empty.
            _ => Ok(Some(Value::Array(Vec::new()))),
        };
        self.silent = outer;
        read
    }

    /// The message of Go's decoder.
    fn mismatch(&self, value: &Value, wanted: &str) -> Failure {
        let actual = match value {
            // The decoder shows a number that its type cannot hold.
            Value::Number(number) if wanted.starts_with("int") => format!("number {number}"),
            value => json_type(value).to_owned(),
        };
        let message = match self.fields.last() {
            Some((within, _)) => {
                let names: Vec<_> = self.fields.iter().map(|(_, name)| *name).collect();
                let path = names.join(".");
                format!(
                    "json: cannot unmarshal {actual} into Go struct field {within}.{path} of type {wanted}"
                )
            }
            None => format!("json: cannot unmarshal {actual} into Go value of type {wanted}"),
        };
        message.into()
    }
}

/// Checks that a text is base64, in which line breaks do not count.
fn check_base64(value: &Value) -> Result<(), Failure> {
    let encoded = value.as_str().unwrap_or_default().replace(['\r', '\n'], "");
    let Err(error) = BASE64.decode(&encoded) else { return Ok(()) };
    let at = match error {
        DecodeError::InvalidByte(at, _) => at,
        _ => encoded.len(),
    };
    Err(format!("illegal base64 data at input byte {at}").into())
}

/// The value of Go's zero for an item that is null.
fn zero(shape: &Shape) -> Value {
    match shape {
        Shape::Text => Value::String(String::new()),
        Shape::Struct(_) | Shape::Schema => Value::Object(Map::new()),
        _ => Value::Null,
    }
}

fn go_type(shape: &Shape) -> String {
    match shape {
        Shape::Text | Shape::OptionalText => "string".to_owned(),
        Shape::Flag | Shape::OptionalFlag => "bool".to_owned(),
        Shape::Integer(bits) => format!("int{bits}"),
        Shape::Number => "float64".to_owned(),
        Shape::Bytes => "[]uint8".to_owned(),
        Shape::Any => "v1.JSON".to_owned(),
        Shape::Struct(inner) => format!("v1.{}", inner.name),
        Shape::Schema => format!("v1.{}", JSON_SCHEMA.name),
        Shape::List(inner) => format!("[]{}", go_type(inner)),
        Shape::Map(inner) => format!("map[string]{}", go_type(inner)),
        Shape::SchemaOrFlag => "v1.JSONSchemaPropsOrBool".to_owned(),
        Shape::SchemaOrList => "v1.JSONSchemaPropsOrArray".to_owned(),
        Shape::SchemaOrTexts => "v1.JSONSchemaPropsOrStringArray".to_owned(),
    }
}

//! Reads metadata as Go reads it into its type, and writes it back: unknown and empty fields are dropped.

use serde_json::{Map, Value};

use super::Metadata;
use crate::go;
use crate::prune::Unknown;
use crate::time;

/// The type of a field.
#[derive(Clone, Copy)]
enum Type {
    /// A text; the name is that of the Go type.
    Text(&'static str),
    /// A text that is written even if it is empty.
    RequiredText(&'static str),
    Integer,
    /// An integer that is written even if it is 0.
    OptionalInteger,
    Bool,
    Time,
    Texts,
    TextMap,
    List(&'static Struct),
    /// Any value.
    Raw,
}

/// A struct of Go.
struct Struct {
    /// The name in messages about its fields.
    name: &'static str,
    fields: &'static [(&'static str, Type)],
}

const STRING: Type = Type::Text("string");

const OBJECT_META: Struct = Struct {
    name: "ObjectMeta",
    fields: &[
        ("name", STRING),
        ("generateName", STRING),
        ("namespace", STRING),
        ("selfLink", STRING),
        ("uid", Type::Text("types.UID")),
        ("resourceVersion", STRING),
        ("generation", Type::Integer),
        ("creationTimestamp", Type::Time),
        ("deletionTimestamp", Type::Time),
        ("deletionGracePeriodSeconds", Type::OptionalInteger),
        ("labels", Type::TextMap),
        ("annotations", Type::TextMap),
        ("ownerReferences", Type::List(&OWNER_REFERENCE)),
        ("finalizers", Type::Texts),
        ("managedFields", Type::List(&MANAGED_FIELDS_ENTRY)),
    ],
};

const OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    fields: &[
        ("apiVersion", Type::RequiredText("string")),
        ("kind", Type::RequiredText("string")),
        ("name", Type::RequiredText("string")),
        ("uid", Type::RequiredText("types.UID")),
        ("controller", Type::Bool),
        ("blockOwnerDeletion", Type::Bool),
    ],
};

const MANAGED_FIELDS_ENTRY: Struct = Struct {
    name: "ManagedFieldsEntry",
    fields: &[
        ("manager", STRING),
        ("operation", Type::Text("v1.ManagedFieldsOperationType")),
        ("apiVersion", STRING),
        ("time", Type::Time),
        ("fieldsType", STRING),
        ("fieldsV1", Type::Raw),
        ("subresource", STRING),
    ],
};

/// Reads metadata. The paths of unknown fields are noted, with a prefix.
///
/// # Errors
/// A field has another type; the error is in Go's words.
pub(crate) fn decode(
    metadata: &Value,
    prefix: &str,
    unknown: &mut Unknown,
) -> Result<Metadata, String> {
    let mut decoder = Decoder { unknown, error: None };
    let members = match metadata {
        Value::Null => return Ok(Map::new()),
        Value::Object(members) => members,
        other => {
            let found = found(other);
            return Err(format!(
                "json: cannot unmarshal {found} into Go value of type v1.ObjectMeta"
            ));
        }
    };
    let read = decoder.read(members, &OBJECT_META, "", prefix)?;
    match decoder.error {
        None => Ok(read),
        Some(error) => Err(error),
    }
}

struct Decoder<'a> {
    unknown: &'a mut Unknown,
    /// The first error. Go reads on after it, and reports another one only if that comes from a type that reads itself.
    error: Option<String>,
}

impl Decoder<'_> {
    fn read(
        &mut self,
        members: &Map<String, Value>,
        of: &'static Struct,
        field: &str,
        path: &str,
    ) -> Result<Map<String, Value>, String> {
        let mut read = Map::new();
        for (name, value) in members {
            let Some((_, kind)) = of.fields.iter().find(|(known, _)| known == name) else {
                if let Some(paths) = &mut self.unknown {
                    paths.push(format!("{path}.{name}"));
                }
                continue;
            };
            let place =
                Place { of, field: &format!("{field}{name}"), path: &format!("{path}.{name}") };
            if let Some(value) = self.read_value(value, *kind, &place)? {
                read.insert(name.clone(), value);
            }
        }
        for (name, kind) in of.fields {
            if matches!(kind, Type::RequiredText(_)) && !read.contains_key(*name) {
                read.insert((*name).to_owned(), "".into());
            }
        }
        Ok(read)
    }

    /// The value that is written back, if any.
    fn read_value(
        &mut self,
        value: &Value,
        kind: Type,
        place: &Place<'_>,
    ) -> Result<Option<Value>, String> {
        if value.is_null() {
            return Ok(None);
        }
        let read = match (kind, value) {
            (Type::Text(_), Value::String(text)) => {
                Some(value).filter(|_| !text.is_empty()).cloned()
            }
            (Type::RequiredText(_), Value::String(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Raw, _) => Some(value.clone()),
            (Type::Integer | Type::OptionalInteger, Value::Number(number)) if number.is_i64() => {
                let kept = number.as_i64() != Some(0) || matches!(kind, Type::OptionalInteger);
                Some(value).filter(|_| kept).cloned()
            }
            (Type::Time, Value::String(text)) => Some(time::normalise(text)?.into()),
            (Type::Time, other) => {
                let found = found(other);
                return Err(format!("json: cannot unmarshal {found} into Go value of type string"));
            }
            (Type::Texts, Value::Array(items)) => {
                let texts = items.iter().map(|item| self.text(item, place)).collect();
                Some(Value::Array(texts)).filter(|_| !items.is_empty())
            }
            (Type::TextMap, Value::Object(members)) => {
                let text =
                    |(name, member): (&String, &Value)| (name.clone(), self.text(member, place));
                let texts: Map<_, _> = members.iter().map(text).collect();
                Some(Value::Object(texts)).filter(|_| !members.is_empty())
            }
            (Type::List(of), Value::Array(items)) => {
                let read = self.read_items(items, of, place)?;
                Some(Value::Array(read)).filter(|_| !items.is_empty())
            }
            (kind, other) => {
                self.wrong(other, &kind.go_name(), place);
                None
            }
        };
        Ok(read)
    }

    fn read_items(
        &mut self,
        items: &[Value],
        of: &'static Struct,
        place: &Place<'_>,
    ) -> Result<Vec<Value>, String> {
        let mut read = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let path = format!("{}[{at}]", place.path);
            let empty = Map::new();
            let members = match item {
                Value::Object(members) => members,
                Value::Null => &empty,
                other => {
                    self.wrong(other, &format!("v1.{}", of.name), place);
                    continue;
                }
            };
            read.push(self.read(members, of, &format!("{}.", place.field), &path)?.into());
        }
        Ok(read)
    }

    /// A text in a list or map; null is an empty one.
    fn text(&mut self, value: &Value, place: &Place<'_>) -> Value {
        match value {
            Value::String(_) => value.clone(),
            Value::Null => "".into(),
            other => {
                self.wrong(other, "string", place);
                Value::Null
            }
        }
    }

    fn wrong(&mut self, value: &Value, expected: &str, place: &Place<'_>) {
        let found = match value {
            Value::Number(_) if expected == "int64" => format!("number {}", go::json(value)),
            value => found(value).to_owned(),
        };
        let (of, field) = (place.of.name, place.field);
        self.error.get_or_insert_with(|| {
            format!("json: cannot unmarshal {found} into Go struct field {of}.{field} of type {expected}")
        });
    }
}

/// The place of a field: in Go, and in the object.
struct Place<'a> {
    of: &'static Struct,
    field: &'a str,
    path: &'a str,
}

impl Type {
    /// The name of the Go type.
    fn go_name(self) -> String {
        match self {
            Self::Text(name) | Self::RequiredText(name) => name.to_owned(),
            Self::Integer | Self::OptionalInteger => "int64".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Time => "string".to_owned(),
            Self::Texts => "[]string".to_owned(),
            Self::TextMap => "map[string]string".to_owned(),
            Self::List(of) => format!("[]v1.{}", of.name),
            Self::Raw => "v1.FieldsV1".to_owned(),
        }
    }
}

/// The name of a JSON value in Go's errors.
pub(super) const fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

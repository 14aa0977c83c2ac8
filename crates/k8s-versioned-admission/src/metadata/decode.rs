//! Reads metadata as Go reads it into its type, and writes it back: unknown and empty fields are dropped.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::Metadata;
use crate::answer::Undecodable;
use crate::go;
use crate::path::{Path, UnknownFields};
use crate::time;

/// The type of a field.
#[derive(Clone, Copy)]
enum Type {
    /// A text, with the name of the Go type.
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

impl Struct {
    fn field(&self, name: &str) -> Option<&'static (&'static str, Type)> {
        self.fields.iter().find(|(known, _)| *known == name)
    }
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

/// Reads metadata in place. The paths of unknown fields are noted.
///
/// # Errors
/// A field has another type; the error is in Go's words.
pub(crate) fn decode(
    metadata: Value,
    path: &Path<'_>,
    unknown: &mut UnknownFields,
) -> Result<Metadata, Undecodable> {
    let mut members = match metadata {
        Value::Null => return Ok(Map::new()),
        Value::Object(members) => members,
        other => {
            let actual = json_type(&other);
            let target = "Go value of type v1.ObjectMeta";
            let message = format!("json: cannot unmarshal {actual} into {target}");
            return Err(Undecodable { message, path: path.to_string() });
        }
    };
    let mut decoder = Decoder { unknown, error: None, fatal: None };
    decoder.read(&mut members, &StructPlace { of: &OBJECT_META, fields: "", path });
    decoder.fatal.or(decoder.error).map_or(Ok(members), Err)
}

struct Decoder<'a> {
    unknown: &'a mut UnknownFields,
    /// The first error. Go reads on after it.
    error: Option<Undecodable>,
    /// The error of a type with a decoder of its own. Go reports it even if there was another error before.
    fatal: Option<Undecodable>,
}

/// The place of a struct: in Go, and in the object.
#[derive(Clone, Copy)]
struct StructPlace<'a> {
    of: &'static Struct,
    /// The fields around it, each with a dot.
    fields: &'a str,
    path: &'a Path<'a>,
}

/// The path of a value in a field with this path.
type Inside<'a> = &'a dyn Fn(&Path<'_>) -> String;

impl Decoder<'_> {
    fn read(&mut self, members: &mut Map<String, Value>, place: &StructPlace<'_>) {
        let mut dropped = false;
        for (name, value) in members.iter_mut() {
            let Some((name, kind)) = place.of.field(name) else {
                self.unknown.note(&place.path.field(name));
                dropped = true;
                continue;
            };
            if !value.is_null() && !self.is_kept(value, *kind, name, place) {
                *value = Value::Null;
            }
            dropped |= value.is_null();
        }
        // To walk through a map and remove nothing takes longer than to read it. Hot path, row `answer` of the benches.
        if dropped {
            members.retain(|name, value| !value.is_null() && place.of.field(name).is_some());
        }
        for (name, kind) in place.of.fields {
            if matches!(kind, Type::RequiredText(_)) && !members.contains_key(*name) {
                members.insert((*name).to_owned(), "".into());
            }
        }
    }

    /// Reads a value. Returns `true` if it is written back.
    fn is_kept(
        &mut self,
        value: &mut Value,
        kind: Type,
        name: &str,
        place: &StructPlace<'_>,
    ) -> bool {
        match (kind, &mut *value) {
            (Type::Text(_), Value::String(text)) => !text.is_empty(),
            (Type::RequiredText(_), Value::String(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Raw, _) => true,
            (Type::Integer, Value::Number(number)) if number.is_i64() => number.as_i64() != Some(0),
            (Type::OptionalInteger, Value::Number(number)) if number.is_i64() => true,
            (Type::Time, Value::String(text)) => {
                self.read_time(text, &place.path.field(name));
                true
            }
            (Type::Time, other) => {
                let actual = json_type(other);
                let message =
                    format!("json: cannot unmarshal {actual} into Go value of type string");
                self.stop(message, &place.path.field(name));
                false
            }
            (Type::Texts, Value::Array(items)) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.read_text(item, name, place, &|path| path.index(at).to_string());
                }
                !items.is_empty()
            }
            (Type::TextMap, Value::Object(members)) => {
                for (key, member) in members.iter_mut() {
                    self.read_text(member, name, place, &|path| path.key(key).to_string());
                }
                !members.is_empty()
            }
            (Type::List(of), Value::Array(items)) => {
                self.read_items(items, of, name, place);
                !items.is_empty()
            }
            (kind, other) => {
                self.wrong(other, &kind.go_name(), name, place, &|path| path.to_string());
                false
            }
        }
    }

    fn read_time(&mut self, text: &mut String, path: &Path<'_>) {
        let stored = time::normalise(text).map(|time| match time {
            Cow::Borrowed(_) => None,
            Cow::Owned(time) => Some(time),
        });
        match stored {
            Ok(None) => {}
            Ok(Some(time)) => *text = time,
            Err(error) => self.stop(error, path),
        }
    }

    fn read_items(
        &mut self,
        items: &mut [Value],
        of: &'static Struct,
        name: &str,
        place: &StructPlace<'_>,
    ) {
        let list = place.path.field(name);
        let fields = format!("{}{name}.", place.fields);
        for (at, item) in items.iter_mut().enumerate() {
            if item.is_null() {
                *item = Map::new().into();
            }
            match item {
                Value::Object(members) => {
                    self.read(members, &StructPlace { of, fields: &fields, path: &list.index(at) });
                }
                other => {
                    let expected = format!("v1.{}", of.name);
                    self.wrong(other, &expected, name, place, &|path| path.index(at).to_string());
                }
            }
        }
    }

    /// Reads a text in a list or map; null is read as an empty text.
    fn read_text(
        &mut self,
        value: &mut Value,
        name: &str,
        place: &StructPlace<'_>,
        inside: Inside<'_>,
    ) {
        match value {
            Value::String(_) => {}
            Value::Null => *value = "".into(),
            other => self.wrong(other, "string", name, place, inside),
        }
    }

    fn wrong(
        &mut self,
        value: &Value,
        expected: &str,
        name: &str,
        place: &StructPlace<'_>,
        inside: Inside<'_>,
    ) {
        let actual = match value {
            Value::Number(_) if expected == "int64" => format!("number {}", go::json(value)),
            value => json_type(value).to_owned(),
        };
        let (of, fields) = (place.of.name, place.fields);
        self.error.get_or_insert_with(|| {
            let field = format!("Go struct field {of}.{fields}{name}");
            let message =
                format!("json: cannot unmarshal {actual} into {field} of type {expected}");
            Undecodable { message, path: inside(&place.path.field(name)) }
        });
    }

    fn stop(&mut self, message: String, path: &Path<'_>) {
        self.fatal.get_or_insert_with(|| Undecodable { message, path: path.to_string() });
    }
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
pub(crate) const fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

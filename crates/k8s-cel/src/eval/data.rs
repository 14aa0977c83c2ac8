//! Data of the object as values of CEL, by its schema.

use base64::Engine as _;
use jiff::civil::Date;
use serde_json::Value as Json;

use crate::check::schema::{ANY, ANY_LIST, Shape, ShapeKind};
use crate::eval::Meter;
use crate::eval::value::{Data, Evaluated, Fault, List, Members, Value};
use crate::formats::BASE64;
use crate::values::go;
use crate::values::instant::{Time, lenient_timestamp};
use crate::values::lenient_duration;
use crate::values::time::has_form;

impl<'v> Value<'v> {
    /// Reads data by its schema, and spends the steps of reading a text that is not one in rules. Data that the schema refuses is an error of CEL, but servers check the schema first.
    #[inline]
    pub(crate) fn from_json(json: &'v Json, shape: &'v Shape, meter: &Meter) -> Evaluated<Self> {
        // Nearly all data has the type of its schema.
        Ok(match (&shape.kind, json) {
            (ShapeKind::String, Json::String(text)) => Value::borrowed(text),
            (ShapeKind::Bool, Json::Bool(value)) => Value::Bool(*value),
            (ShapeKind::Object(object), Json::Object(members)) => {
                Value::Data(Data { members, shape: Members::Properties(object) })
            }
            _ => return value_of(json, shape, meter),
        })
    }
}

fn value_of<'v>(json: &'v Json, shape: &'v Shape, meter: &Meter) -> Evaluated<Value<'v>> {
    use ShapeKind as Kind;
    let value = match (&shape.kind, json) {
        (_, Json::Null) if shape.nullable => Some(Value::Null),
        (_, Json::Null) => {
            return Err(Fault::error("invalid data, got null for schema with nullable=false"));
        }
        (Kind::IntOrString | Kind::String, Json::String(text)) => Some(Value::borrowed(text)),
        (Kind::IntOrString | Kind::Int, Json::Number(number)) => number.as_i64().map(Value::Int),
        (Kind::Double, Json::Number(number)) => number.as_f64().map(Value::Double),
        (Kind::Bool, Json::Bool(value)) => Some(Value::Bool(*value)),
        (Kind::Object(object), Json::Object(members)) => {
            Some(Value::Data(Data { members, shape: Members::Properties(object) }))
        }
        (Kind::Map(values), Json::Object(members)) => {
            Some(Value::Data(Data { members, shape: Members::Additional(values) }))
        }
        (Kind::List(list), Json::Array(items)) => Some(Value::List(List::of_data(items, list))),
        (Kind::Untyped, json) => Some(Value::Untyped(json)),
        (Kind::Any, json) => Some(any(json)),
        (
            kind @ (Kind::Bytes | Kind::Duration | Kind::Date | Kind::DateTime),
            Json::String(text),
        ) => {
            meter.read(text.len())?;
            return text_of(text, kind);
        }
        _ => None,
    };
    value.ok_or_else(|| unfit(json, &shape.kind))
}

/// Data by its own type: a number without a fraction that fits is an integer.
fn any(json: &Json) -> Value<'_> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Int(value),
            None => Value::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::borrowed(text),
        Json::Array(items) => Value::List(List::of_data(items, &ANY_LIST)),
        Json::Object(members) => Value::Data(Data { members, shape: Members::Additional(&ANY) }),
    }
}

/// The error of data that does not have the type of its schema.
fn unfit(json: &Json, kind: &ShapeKind) -> Fault {
    let expected = match kind {
        ShapeKind::IntOrString => "XIntOrString value to be either a string or integer",
        ShapeKind::Object(_) | ShapeKind::Map(_) => {
            "a map for the provided schema with type=object"
        }
        ShapeKind::List(_) => "an array for the provided schema with type=array",
        ShapeKind::Bool => return got(json, "bool"),
        ShapeKind::Int => return got(json, "int"),
        ShapeKind::Double => return got(json, "float"),
        _ => return got(json, "string"),
    };
    Fault::error(format!("invalid data, expected {expected}"))
}

fn got(json: &Json, expected: &str) -> Fault {
    Fault::error(format!("invalid data, expected {expected}, got {}", go_type(json)))
}

fn text_of<'v>(text: &'v str, kind: &ShapeKind) -> Evaluated<Value<'v>> {
    match kind {
        ShapeKind::Bytes => {
            // The format has the standard alphabet, but servers decode by the one of URLs (`strfmt.Base64` of kube-openapi).
            if let Some(at) = text.find(['+', '/']) {
                let reason = format!("illegal base64 data at input byte {at}");
                return Err(Fault::error(format!(
                    "Invalid byte formatted string {text}: {reason}"
                )));
            }
            // Go's decoder skips line breaks.
            let encoded: String =
                text.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
            let bytes = BASE64.decode(encoded).map_err(|error| {
                Fault::error(format!("Invalid byte formatted string {text}: {error}"))
            })?;
            Ok(Value::Bytes(bytes.into()))
        }
        ShapeKind::Duration => lenient_duration::read(text).map(Value::Duration).ok_or_else(|| {
            Fault::error(format!("Invalid duration {text}: unable to parse {text} as duration"))
        }),
        ShapeKind::Date => {
            date(text).ok_or_else(|| Fault::not_judged(format!("the date {text:?}")))
        }
        ShapeKind::DateTime => lenient_timestamp(text)
            .map(Value::Timestamp)
            .map_err(|_| Fault::not_judged(format!("the time {text:?}"))),
        _ => Ok(Value::borrowed(text)),
    }
}

fn date<'v>(text: &str) -> Option<Value<'v>> {
    let date: Date = text.parse().ok().filter(|_| has_form(text, "0000-00-00"))?;
    Some(Value::Timestamp(Time::utc(date.at(0, 0, 0, 0))))
}

/// The type that Go's decoder gives to data.
fn go_type(json: &Json) -> &'static str {
    if json.is_i64() { "int64" } else { go::type_name(json) }
}

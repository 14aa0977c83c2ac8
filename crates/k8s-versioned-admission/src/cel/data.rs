//! Data of the object as values of CEL, by its schema.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::civil::Date;
use serde_json::Value as Json;

use super::functions::time;
use super::schema::{Shape, ShapeKind};
use super::value::{Data, Evaluated, Fault, List, Members, Value};

/// Reads data as its schema says. Data that the schema refuses is an error of CEL, but servers do not get that far.
pub(super) fn value_of<'v>(json: &'v Json, shape: &'v Shape) -> Evaluated<Value<'v>> {
    let refused = |expected: &str| {
        Err(Fault::error(format!("invalid data, expected {expected}, got {}", go_type(json))))
    };
    if json.is_null() {
        let error = || Fault::error("invalid data, got null for schema with nullable=false");
        return if shape.nullable { Ok(Value::Null) } else { Err(error()) };
    }
    match &shape.kind {
        ShapeKind::IntOrString => match json {
            Json::String(text) => Ok(Value::borrowed(text)),
            Json::Number(number) => number.as_i64().map(Value::Int).ok_or_else(|| {
                Fault::error(
                    "invalid data, expected XIntOrString value to be either a string or integer",
                )
            }),
            _ => Err(Fault::error(
                "invalid data, expected XIntOrString value to be either a string or integer",
            )),
        },
        ShapeKind::Object(object) => match json {
            Json::Object(members) => {
                Ok(Value::Data(Data { members, shape: Members::Properties(object) }))
            }
            _ => Err(Fault::error(
                "invalid data, expected a map for the provided schema with type=object",
            )),
        },
        ShapeKind::Map(values) => match json {
            Json::Object(members) => {
                Ok(Value::Data(Data { members, shape: Members::Additional(values) }))
            }
            _ => Err(Fault::error(
                "invalid data, expected a map for the provided schema with type=object",
            )),
        },
        ShapeKind::List(list) => match json {
            Json::Array(items) => Ok(Value::List(List::of_data(items, list))),
            _ => Err(Fault::error(
                "invalid data, expected an array for the provided schema with type=array",
            )),
        },
        ShapeKind::Bool => {
            json.as_bool().map_or_else(|| refused("bool"), |value| Ok(Value::Bool(value)))
        }
        ShapeKind::Int => {
            json.as_i64().map_or_else(|| refused("int"), |value| Ok(Value::Int(value)))
        }
        ShapeKind::Double => {
            json.as_f64().map_or_else(|| refused("float"), |value| Ok(Value::Double(value)))
        }
        ShapeKind::Untyped => Ok(Value::Untyped(json)),
        ShapeKind::String
        | ShapeKind::Bytes
        | ShapeKind::Duration
        | ShapeKind::Date
        | ShapeKind::DateTime => {
            json.as_str().map_or_else(|| refused("string"), |text| text_of(text, &shape.kind))
        }
    }
}

fn text_of<'v>(text: &'v str, kind: &ShapeKind) -> Evaluated<Value<'v>> {
    match kind {
        ShapeKind::Bytes => {
            // Go's decoder skips line breaks.
            let encoded: String =
                text.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
            let bytes = STANDARD.decode(encoded).map_err(|error| {
                Fault::error(format!("Invalid byte formatted string {text}: {error}"))
            })?;
            Ok(Value::Bytes(bytes.into()))
        }
        ShapeKind::Duration => time::lenient_duration(text).map(Value::Duration).ok_or_else(|| {
            Fault::error(format!("Invalid duration {text}: unable to parse {text} as duration"))
        }),
        ShapeKind::Date => {
            date(text).ok_or_else(|| Fault::not_judged(format!("the date {text:?}")))
        }
        ShapeKind::DateTime => time::lenient_timestamp(text)
            .map(Value::Timestamp)
            .ok_or_else(|| Fault::not_judged(format!("the time {text:?}"))),
        _ => Ok(Value::borrowed(text)),
    }
}

fn date<'v>(text: &str) -> Option<Value<'v>> {
    let well_formed =
        text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date: Date = text.parse().ok().filter(|_| well_formed)?;
    Some(Value::Timestamp(date.at(0, 0, 0, 0)))
}

/// The type that Go's decoder gives to data.
fn go_type(json: &Json) -> &'static str {
    match json {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_i64() => "int64",
        Json::Number(_) => "float64",
        Json::String(_) => "string",
        Json::Array(_) => "[]interface {}",
        Json::Object(_) => "map[string]interface {}",
    }
}

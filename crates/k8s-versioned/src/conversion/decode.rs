//! Decoding JSON of a version, and why JSON is not converted.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::{ConversionError, ConversionFinding, ConversionReport};
use crate::field::PathRef;
use crate::json::Noted;
use crate::{LocatedError, TypeMetaError};

/// The reason why JSON was not converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The object does not name its type, or it is of another type.
    #[error(transparent)]
    Type(#[from] TypeMetaError),
    /// A field has a value of another type.
    #[error(transparent)]
    Undecodable(#[from] LocatedError),
    /// The converted object cannot be encoded.
    #[error(transparent)]
    Encode(serde_json::Error),
    /// Items of a list are not objects of the kind. Each error has the path of its item.
    #[error("{}", lines(.0))]
    Items(Vec<(String, JsonError)>),
    /// The options do not accept the report of the conversion.
    #[error(transparent)]
    Refused(#[from] ConversionError),
}

fn lines(errors: &[(String, JsonError)]) -> String {
    let lines: Vec<String> =
        errors.iter().map(|(path, error)| format!("{path}: {error}")).collect();
    lines.join("\n")
}

/// Decodes a value, and reports the fields that `T` does not have.
///
/// # Errors
/// The value is not a `T`.
pub fn decode<T: DeserializeOwned>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<T, JsonError> {
    let mut noted = Noted::default();
    let decoded = noted.read(value, PathRef::Root);
    let decoded = decoded.map_err(|reason| noted.located(reason).into());
    for (path, value) in noted.unknown {
        report.add(path, ConversionFinding::UnknownField { value });
    }
    decoded
}

/// Reports the required members that an object does not have, or that are `null`. Each is given by the names that lead to it;
/// `[]` is each item of a list or map. A member of an object that is not there is not reported.
pub fn report_absent(value: &Value, required: &[&[&str]], report: &mut ConversionReport) {
    for names in required {
        absent(value, names, PathRef::Root, report);
    }
}

fn absent(value: &Value, names: &[&str], at: PathRef<'_>, report: &mut ConversionReport) {
    match (names, value) {
        (["[]", rest @ ..], Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                absent(item, rest, at.index(index), report);
            }
        }
        (["[]", rest @ ..], Value::Object(values)) => {
            for (key, value) in values {
                absent(value, rest, at.child(key), report);
            }
        }
        ([name], Value::Object(members)) if members.get(*name).is_none_or(Value::is_null) => {
            report.add(at.child(name), ConversionFinding::Missing);
        }
        ([name, rest @ ..], Value::Object(members)) => {
            if let Some(value) = members.get(*name) {
                absent(value, rest, at.child(name), report);
            }
        }
        _ => {}
    }
}

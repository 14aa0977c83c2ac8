//! Decoding one object.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::JsonError;
use super::type_meta::{kind, version};
use crate::path::join;
use crate::{AnyVersion, ConversionReport, Finding};
use k8s_versioned::field::PathRef;
use k8s_versioned::json::Noted;

/// Decodes a value, and reports the fields that `T` does not know.
///
/// # Errors
/// The value is not a `T`.
pub fn decode<T: DeserializeOwned>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<T, JsonError> {
    decode_at(value, PathRef::Root, report)
}

/// Decodes a value that is part of another.
pub(super) fn decode_at<T: DeserializeOwned>(
    value: &Value,
    path: PathRef<'_>,
    report: &mut ConversionReport,
) -> Result<T, JsonError> {
    let mut noted = Noted::default();
    let decoded = noted.read(value, path);
    for (path, value) in noted.unknown {
        report.add(path, Finding::UnknownField { value });
    }
    decoded.map_err(|reason| JsonError::Undecodable {
        path: noted.wrong.map(|wrong| wrong.path).unwrap_or_default(),
        reason,
    })
}

/// Decodes the object at `path`, of the version that it names.
pub(crate) fn from_value<A: AnyVersion>(
    value: &Value,
    path: &str,
    report: &mut ConversionReport,
) -> Result<A, JsonError> {
    let members = object(value, path)?;
    kind(members, path, &[A::KIND])?;
    of_version(version::<A>(members, path)?, value, path, report)
}

/// Decodes the object at `path`, of a version. The paths in the report begin at the object. A missing `spec` counts as
/// empty: servers send such objects.
pub(super) fn of_version<A: AnyVersion>(
    version: A::Version,
    value: &Value,
    path: &str,
    report: &mut ConversionReport,
) -> Result<A, JsonError> {
    let members = object(value, path)?;
    if A::HAS_SPEC && members.get("spec").is_none_or(Value::is_null) {
        report.add("spec", Finding::Missing);
    }
    A::decode(version, value, report).map_err(|error| match error {
        JsonError::Undecodable { path: field, reason } => {
            let path = join(path, &field);
            JsonError::Undecodable { path, reason }
        }
        other => other,
    })
}

/// The members of the object at `path`.
pub(super) fn object<'a>(
    value: &'a Value,
    path: &str,
) -> Result<&'a Map<String, Value>, JsonError> {
    value.as_object().ok_or_else(|| JsonError::WrongType {
        path: path.to_owned(),
        expected: "an object",
        found: kind_of(value),
    })
}

pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

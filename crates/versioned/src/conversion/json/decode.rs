//! Decoding one object.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::JsonError;
use super::tracked::{Noted, Tracked};
use crate::conversion::{Finding, Report};

/// Decodes a value, and reports the fields that `T` does not know.
///
/// # Errors
/// The value is no `T`.
pub fn decode<T: DeserializeOwned>(value: &Value, report: &mut Report) -> Result<T, JsonError> {
    let mut noted = Noted::default();
    let decoded = T::deserialize(Tracked::new(value, &mut noted));
    for (path, value) in noted.unknown {
        report.add(path, Finding::UnknownField { value });
    }
    decoded.map_err(|reason| JsonError::Undecodable {
        path: noted.wrong.unwrap_or_default(),
        reason,
    })
}

/// The members of the object that stands at `path`.
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

/// The constants of an object that says what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeMeta<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    /// Where the object is: empty, or with a dot at its end.
    prefix: &'a str,
}

impl<'a> TypeMeta<'a> {
    /// Reads them; both must be there. The kind must be one of `kinds`.
    pub(super) fn read(
        members: &'a Map<String, Value>,
        prefix: &'a str,
        kinds: &[&str],
        api_versions: &[String],
    ) -> Result<Self, JsonError> {
        let expected: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        let kind = constant(members, prefix, "kind", &expected)?;
        let api_version = constant(members, prefix, "apiVersion", api_versions)?;
        let read = Self {
            api_version,
            kind,
            prefix,
        };
        if kinds.contains(&kind) {
            Ok(read)
        } else {
            Err(unexpected(prefix, "kind", kind, expected))
        }
    }

    /// The `apiVersion` is none of those that are understood.
    pub(super) fn unknown_version(&self, expected: Vec<String>) -> JsonError {
        unexpected(self.prefix, "apiVersion", self.api_version, expected)
    }
}

fn constant<'a>(
    members: &'a Map<String, Value>,
    prefix: &str,
    field: &str,
    expected: &[String],
) -> Result<&'a str, JsonError> {
    let path = || format!("{prefix}{field}");
    match members.get(field) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        None | Some(Value::Null | Value::String(_)) => Err(JsonError::Absent {
            path: path(),
            expected: expected.to_vec(),
        }),
        Some(other) => Err(JsonError::WrongType {
            path: path(),
            expected: "a string",
            found: kind_of(other),
        }),
    }
}

fn unexpected(prefix: &str, field: &str, found: &str, expected: Vec<String>) -> JsonError {
    JsonError::Unexpected {
        path: format!("{prefix}{field}"),
        found: found.to_owned(),
        expected,
    }
}

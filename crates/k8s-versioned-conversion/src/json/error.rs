//! JSON that is not an object of the kind.

use thiserror::Error;

use crate::ConversionError;
use k8s_versioned::{Quoted, Short};

/// The reason why JSON was not converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Syntax(serde_json::Error),
    /// A value of another type stands in the place of an object, a list or a text.
    #[error("{}expected {expected}, found {found}", place(path))]
    WrongType {
        /// The path; empty for the whole value.
        path: String,
        /// The expected type.
        expected: &'static str,
        /// The type that was found.
        found: &'static str,
    },
    /// The object lacks its `apiVersion` or `kind`.
    #[error("{path} is absent: expected {}", alternatives(expected))]
    Absent {
        /// The field.
        path: String,
        /// The expected texts.
        expected: Vec<String>,
    },
    /// The object is of another group, version or kind.
    #[error("{path} is {}: expected {}", Quoted(found), alternatives(expected))]
    Unexpected {
        /// The field.
        path: String,
        /// The value of the field.
        found: String,
        /// The expected texts.
        expected: Vec<String>,
    },
    /// A field has a value of another type.
    #[error("{}{}", place(path), Short(&reason.to_string()))]
    Undecodable {
        /// The field; empty for the whole object.
        path: String,
        /// The error.
        reason: serde_json::Error,
    },
    /// Items of a list are not objects of the kind.
    #[error("{}", lines(.0))]
    Items(Vec<JsonError>),
    /// The options do not accept the report of the conversion.
    #[error(transparent)]
    Refused(#[from] ConversionError),
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

fn alternatives(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(" or ")
}

fn lines(errors: &[JsonError]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

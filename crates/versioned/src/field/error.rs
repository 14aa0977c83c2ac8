//! One thing that is wrong with a field.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::{FieldPath, Reason};

/// How much of a value is shown to people.
const SHOWN: usize = 80;

/// One thing that is wrong with one field.
///
/// Serialized, it has the members of a cause in a server's answer (`field`, `reason`, `message`) and
/// the `value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
pub struct FieldError {
    /// The field, as the server names it.
    #[serde(rename = "field")]
    pub path: FieldPath,
    /// Why it is rejected.
    pub reason: Reason,
    /// The value that is rejected, or the part of it that is wrong; `None` where it does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What to write instead, for people.
    pub message: String,
}

impl FieldError {
    /// A value is missing.
    pub fn required(path: FieldPath, message: impl Into<String>) -> Self {
        Self::new(path, Reason::Required, None, message)
    }

    /// A value breaks a rule.
    pub fn invalid(path: FieldPath, value: impl Into<Value>, message: impl Into<String>) -> Self {
        Self::new(path, Reason::Invalid, Some(value.into()), message)
    }

    /// A value is none of those that are allowed.
    pub fn not_supported(
        path: FieldPath,
        value: impl Into<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(path, Reason::NotSupported, Some(value.into()), message)
    }

    /// No value is allowed, or not this change.
    pub fn forbidden(path: FieldPath, message: impl Into<String>) -> Self {
        Self::new(path, Reason::Forbidden, None, message)
    }

    /// A value has too many bytes. As in a server's answer, it is left out.
    pub fn too_long(path: FieldPath, message: impl Into<String>) -> Self {
        Self::new(path, Reason::TooLong, None, message)
    }

    fn new(
        path: FieldPath,
        reason: Reason,
        value: Option<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            path,
            reason,
            value,
            message: message.into(),
        }
    }
}

impl fmt::Display for FieldError {
    /// Writes field, reason, value and message in one line; long values are cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason.phrase())?;
        if let Some(value) = &self.value {
            write!(f, " {}", Shown(value))?;
        }
        write!(f, ": {}", self.message)
    }
}

/// A value as people read it: JSON, which escapes what would break a line, cut when long.
struct Shown<'a>(&'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) if text.chars().nth(SHOWN).is_some() => {
                let start: String = text.chars().take(SHOWN).collect();
                write!(f, "{}... ({} bytes)", Value::from(start), text.len())
            }
            value => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FieldError;
    use crate::field::FieldPath;

    const PATH: FieldPath = FieldPath::new("metadata.name");

    #[test]
    fn people_read_one_line() {
        let long = "ä".repeat(81);
        let table = [
            (
                FieldError::required(PATH, "choose one"),
                "metadata.name: a value is required: choose one".to_owned(),
            ),
            (
                FieldError::invalid(PATH, "a\nb", "leave out \\n"),
                r#"metadata.name: invalid value "a\nb": leave out \n"#.to_owned(),
            ),
            (
                FieldError::invalid(PATH, -1, "count from 0"),
                "metadata.name: invalid value -1: count from 0".to_owned(),
            ),
            (
                FieldError::not_supported(PATH, long.as_str(), "shorten it"),
                format!(
                    "metadata.name: unsupported value \"{}\"... (162 bytes): shorten it",
                    "ä".repeat(80)
                ),
            ),
            (
                FieldError::forbidden(PATH, "remove it"),
                "metadata.name: not allowed: remove it".to_owned(),
            ),
            (
                FieldError::too_long(PATH, "shorten it"),
                "metadata.name: too long: shorten it".to_owned(),
            ),
        ];
        for (error, expected) in table {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn programs_read_members() {
        let error = FieldError::invalid(PATH, 0, "count from 1");
        let json = r#"{"field":"metadata.name","reason":"FieldValueInvalid","value":0,"message":"count from 1"}"#;
        assert_eq!(serde_json::to_string(&error).unwrap(), json);
        assert_eq!(serde_json::from_str::<FieldError>(json).unwrap(), error);
    }
}

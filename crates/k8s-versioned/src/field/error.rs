//! The errors of an object's fields.

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::FieldPath;
use crate::meta::v1::StatusCause;
use crate::quoted::{OneLine, start, write_rest};

/// The number of characters of a value that are shown.
const VALUE_LENGTH: usize = 80;

/// An error of one field.
///
/// Serialized, it has the members of a cause in a server's answer (`field`, `reason`, `message`) and
/// the `value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FieldError {
    /// The field, by the name that servers use.
    pub path: FieldPath,
    /// The reason, in the words of servers.
    pub reason: Reason,
    /// The rejected value, or the wrong part of it; `None` if the error does not depend on the value.
    pub value: Option<Value>,
    /// The value to write instead, for people.
    pub message: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.line(self.reason.phrase()))
    }
}

impl std::error::Error for FieldError {}

impl Serialize for FieldError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let length = 3 + usize::from(self.value.is_some());
        let mut members = serializer.serialize_struct("FieldError", length)?;
        members.serialize_field("field", &self.path)?;
        members.serialize_field("reason", &self.reason)?;
        if let Some(value) = &self.value {
            members.serialize_field("value", value)?;
        }
        members.serialize_field("message", &self.message)?;
        members.end()
    }
}

impl FieldError {
    /// An error for a required value that is missing.
    pub fn required(path: impl Into<FieldPath>, message: impl Into<String>) -> Self {
        Self::new(path, Reason::Required, None, message)
    }

    /// A value breaks a rule.
    pub fn invalid(
        path: impl Into<FieldPath>,
        value: impl Into<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(path, Reason::Invalid, Some(value.into()), message)
    }

    /// A value is not one of the allowed values.
    pub fn not_supported(
        path: impl Into<FieldPath>,
        value: impl Into<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(path, Reason::NotSupported, Some(value.into()), message)
    }

    /// A value, or this change of it, is not allowed.
    pub fn forbidden(path: impl Into<FieldPath>, message: impl Into<String>) -> Self {
        Self::new(path, Reason::Forbidden, None, message)
    }

    /// A value has too many bytes. As in a server's answer, it is left out.
    pub fn too_long(path: impl Into<FieldPath>, message: impl Into<String>) -> Self {
        Self::new(path, Reason::TooLong, None, message)
    }

    fn new(
        path: impl Into<FieldPath>,
        reason: Reason,
        value: Option<Value>,
        message: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), reason, value, message: message.into() }
    }
}

impl FieldError {
    /// The line of [`Display`](fmt::Display), with the server's word for the reason.
    ///
    /// ```
    /// use k8s_versioned::field::{FieldError, FieldPath};
    ///
    /// let error = FieldError::invalid(FieldPath::new("spec"), 0, "count from 1");
    /// assert_eq!(error.to_string(), "spec: invalid value 0: count from 1");
    /// assert_eq!(error.with_reason_word(), "spec: FieldValueInvalid 0: count from 1");
    /// ```
    pub fn with_reason_word(&self) -> String {
        self.line(self.reason.as_str())
    }

    /// Reason, value and message of [`with_reason_word`](Self::with_reason_word), without the field.
    #[doc(hidden)]
    pub fn without_path(&self) -> String {
        self.rest(self.reason.as_str())
    }

    /// Field, reason, value and message in one line; long values are cut.
    fn line(&self, reason: &str) -> String {
        format!("{}: {}", OneLine(self.path.as_str()), self.rest(reason))
    }

    fn rest(&self, reason: &str) -> String {
        let value =
            self.value.as_ref().map_or_else(String::new, |value| format!(" {}", Shown(value)));
        format!("{reason}{value}: {}", OneLine(&self.message))
    }
}

/// A value for people: text in quotation marks and escaped, any other value as JSON; long values are cut.
struct Shown<'a>(&'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) => {
                let start = start(text, VALUE_LENGTH);
                write!(f, "{start:?}")?;
                write_rest(f, start, text)
            }
            value => {
                let json = value.to_string();
                let start = start(&json, VALUE_LENGTH);
                OneLine(start).fmt(f)?;
                write_rest(f, start, &json)
            }
        }
    }
}

/// The cause for the answer of a webhook.
///
/// ```
/// use k8s_versioned::field::FieldError;
/// use k8s_versioned::meta::v1::StatusCause;
///
/// let error = FieldError::required("spec.leaseName", "write the name of the Lease");
/// let cause = StatusCause::from(&error);
/// assert_eq!(cause.field.as_deref(), Some("spec.leaseName"));
/// assert_eq!(cause.reason.as_deref(), Some("FieldValueRequired"));
/// assert_eq!(cause.message.as_deref(), Some("write the name of the Lease"));
/// ```
impl From<&FieldError> for StatusCause {
    fn from(error: &FieldError) -> Self {
        Self::default()
            .with_field(error.path.as_str())
            .with_reason(error.reason.as_str())
            .with_message(error.message.as_str())
    }
}

/// All errors of an object, in the order of servers; never empty. The text has one line for each error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldErrors(Vec<FieldError>);

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for FieldErrors {}

impl Serialize for FieldErrors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl FieldErrors {
    /// Collects errors. Equal errors become one: servers check some fields more than once.
    ///
    /// # Errors
    ///
    /// At least one error was found.
    pub fn check(found: impl IntoIterator<Item = FieldError>) -> Result<(), Self> {
        let mut errors: Vec<FieldError> = found.into_iter().collect();
        let mut seen = HashSet::new();
        let new: Vec<bool> = errors.iter().map(|error| seen.insert(error)).collect();
        let mut new = new.into_iter();
        errors.retain(|_| new.next() == Some(true));
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }
}

impl Deref for FieldErrors {
    type Target = [FieldError];

    fn deref(&self) -> &[FieldError] {
        &self.0
    }
}

impl IntoIterator for FieldErrors {
    type Item = FieldError;
    type IntoIter = std::vec::IntoIter<FieldError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a FieldErrors {
    type Item = &'a FieldError;
    type IntoIter = std::slice::Iter<'a, FieldError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

// The reason why a field is rejected.

/// The reason why a field is rejected: the `reason` of a cause in a server's answer.
///
/// Its text is the server's word, such as `FieldValueRequired`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A required value is missing.
    Required,
    /// The value breaks a rule.
    Invalid,
    /// The value has another type or format.
    TypeInvalid,
    /// The value is not one of the allowed values.
    NotSupported,
    /// An item of a list, or its key, occurs before.
    Duplicate,
    /// A value, or this change of it, is not allowed.
    Forbidden,
    /// The value has too many bytes.
    TooLong,
    /// The list or map has too many items.
    TooMany,
    /// The server could not judge a rule.
    Internal,
}

impl Reason {
    /// Every reason.
    #[doc(hidden)]
    pub const ALL: [Self; 9] = [
        Self::Required,
        Self::Invalid,
        Self::TypeInvalid,
        Self::NotSupported,
        Self::Duplicate,
        Self::Forbidden,
        Self::TooLong,
        Self::TooMany,
        Self::Internal,
    ];

    /// The server's word.
    pub const fn as_str(self) -> &'static str {
        self.words().0
    }

    /// The words before the value, for people.
    pub(super) const fn phrase(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Required => ("FieldValueRequired", "a value is required"),
            Self::Invalid => ("FieldValueInvalid", "invalid value"),
            Self::TypeInvalid => ("FieldValueTypeInvalid", "invalid type of value"),
            Self::NotSupported => ("FieldValueNotSupported", "unsupported value"),
            Self::Duplicate => ("FieldValueDuplicate", "duplicate value"),
            Self::Forbidden => ("FieldValueForbidden", "not allowed"),
            Self::TooLong => ("FieldValueTooLong", "too long"),
            Self::TooMany => ("FieldValueTooMany", "too many"),
            Self::Internal => ("InternalError", "internal error"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldError, FieldErrors};
    use crate::field::FieldPath;

    const PATH: FieldPath = FieldPath::new("metadata.name");

    #[test]
    fn display_is_one_line() {
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
    fn any_text_stays_in_a_short_line() {
        let control = "a\n\u{1b}[2J\u{9b}\u{2028}";
        let mut error = FieldError::invalid(control.to_owned(), control, control);
        let escaped = r"a\n\u{1b}[2J\u{9b}\u{2028}";
        let expected = format!("{escaped}: invalid value \"{escaped}\": {escaped}");
        assert_eq!(error.to_string(), expected);
        error.value = Some(vec!["ab"; 1000].into());
        let list = format!("[{}\"ab\"... (5001 bytes)", r#""ab","#.repeat(15));
        let expected = format!("{escaped}: invalid value {list}: {escaped}");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn json_has_the_members_of_a_cause() {
        let error = FieldError::invalid(PATH, 0, "count from 1");
        let json = r#"{"field":"metadata.name","reason":"FieldValueInvalid","value":0,"message":"count from 1"}"#;
        assert_eq!(serde_json::to_string(&error).unwrap(), json);
    }

    #[test]
    fn equal_errors_count_once() {
        let [a, b] = ["a", "b"].map(|field| FieldError::required(FieldPath::new(field), "give it"));
        let found = [&b, &a, &b, &a, &a].map(Clone::clone);
        let errors = FieldErrors::check(found).unwrap_err();
        assert_eq!(*errors, [b, a]);
        assert_eq!(FieldErrors::check([]), Ok(()));
    }
}

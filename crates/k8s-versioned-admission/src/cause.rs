//! Causes of a refusal, in the words of servers.

use std::fmt;

use serde_json::Value;

use crate::facts::{Fact, Facts};
use crate::go::{self, Plain, Quoted, Syntax};

/// The reason of a [`Cause`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// `FieldValueRequired`: the field is absent.
    Required,
    /// `FieldValueInvalid`: the value breaks a rule.
    Invalid,
    /// `FieldValueTypeInvalid`: the value has another type or format.
    TypeInvalid,
    /// `FieldValueNotSupported`: the value is not one of the values of an enumeration.
    NotSupported,
    /// `FieldValueDuplicate`: an item or its key occurs again in its list.
    Duplicate,
    /// `FieldValueForbidden`: the field must not be set.
    Forbidden,
    /// `FieldValueTooLong`: the text is too long.
    TooLong,
    /// `FieldValueTooMany`: the list or map has too many items.
    TooMany,
    /// `InternalError`: the server could not judge a rule.
    Internal,
}

impl Reason {
    /// The reason in the details of a `Status`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Duplicate => "FieldValueDuplicate",
            Self::Forbidden => "FieldValueForbidden",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::Internal => "InternalError",
        }
    }

    /// The reason of this name; `FieldValueInvalid` if there is none.
    pub(crate) fn named(name: &str) -> Self {
        let all = [Self::Required, Self::Forbidden, Self::NotSupported, Self::Duplicate];
        all.into_iter().find(|reason| reason.as_str() == name).unwrap_or(Self::Invalid)
    }

    /// The words that a message begins with.
    const fn words(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Duplicate => "Duplicate value",
            Self::Forbidden => "Forbidden",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::Internal => "Internal error",
        }
    }

    /// Returns `true` if servers judge no rules of CEL after a cause with this reason.
    pub(crate) const fn blocks_rules(self) -> bool {
        matches!(
            self,
            Self::Required | Self::TypeInvalid | Self::NotSupported | Self::TooLong | Self::TooMany
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A cause of a refusal with 422, as in the details of a `Status`.
///
/// As text it is a part of the message of the `Status`: `spec.size: Invalid value: 0: …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// The reason.
    pub reason: Reason,
    /// The path of the field; `<nil>` if the server names none.
    pub field: String,
    /// The message, which shows the value and the rule.
    pub message: String,
}

/// The value that a cause shows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown<'a> {
    /// None.
    Nothing,
    /// Go's `nil`.
    Nil,
    Text(&'a str),
    Count(usize),
    /// A value as JSON.
    Json(&'a str),
    Value(&'a Value),
}

impl Cause {
    /// A cause with a value and a detail, which may be empty.
    pub(crate) fn new(
        facts: Facts,
        reason: Reason,
        field: impl fmt::Display,
        shown: Shown<'_>,
        detail: impl fmt::Display,
    ) -> Self {
        let field = field.to_string();
        let field = if field.is_empty() { "<nil>".to_owned() } else { field };
        let (words, detail) = (reason.words(), detail.to_string());
        let mut message = match shown {
            Shown::Nothing => words.to_owned(),
            Shown::Nil | Shown::Value(Value::Null) => {
                // Before, servers quoted it as a text.
                let quote = if facts.hold(Fact::ValuesAsJson) { "" } else { "\"" };
                format!("{words}: {quote}null{quote}")
            }
            Shown::Text(text) => format!("{words}: {}", Quoted(text)),
            Shown::Value(Value::String(text)) => format!("{words}: {}", Quoted(text)),
            Shown::Count(count) => format!("{words}: {count}"),
            Shown::Json(json) => format!("{words}: {json}"),
            Shown::Value(value @ (Value::Array(_) | Value::Object(_))) => {
                if facts.hold(Fact::ValuesAsJson) {
                    format!("{words}: {}", go::json(value))
                } else {
                    format!("{words}: {}", Syntax(value))
                }
            }
            Shown::Value(value) => format!("{words}: {}", Plain(value)),
        };
        if !detail.is_empty() {
            message.push_str(": ");
            message.push_str(&detail);
        }
        Self { reason, field, message }
    }

    pub(crate) fn required(field: impl fmt::Display, detail: &str) -> Self {
        Self::new(Facts::NEWEST, Reason::Required, field, Shown::Nothing, detail)
    }

    pub(crate) fn forbidden(field: impl fmt::Display, detail: impl fmt::Display) -> Self {
        Self::new(Facts::NEWEST, Reason::Forbidden, field, Shown::Nothing, detail)
    }

    pub(crate) fn too_long(facts: Facts, field: impl fmt::Display, most: i64) -> Self {
        let detail = if facts.hold(Fact::LengthsInBytes) {
            format!("may not be more than {most} bytes")
        } else {
            format!("may not be longer than {most}")
        };
        Self::new(facts, Reason::TooLong, field, Shown::Nothing, detail)
    }

    /// A cause whose value is a text.
    pub(crate) fn invalid(
        field: impl fmt::Display,
        value: &str,
        detail: impl fmt::Display,
    ) -> Self {
        Self::new(Facts::NEWEST, Reason::Invalid, field, Shown::Text(value), detail)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

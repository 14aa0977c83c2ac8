//! The reason why a field is rejected.

use std::fmt;
use std::str::FromStr;

use crate::ParseError;

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
    /// The value is not one of the allowed values.
    NotSupported,
    /// A value, or this change of it, is not allowed.
    Forbidden,
    /// Another item of the list has the value already.
    Duplicate,
    /// The value has too many bytes.
    TooLong,
    /// The list has too many items.
    TooMany,
    /// The value names an object that does not exist.
    NotFound,
    /// The value has another type.
    TypeInvalid,
}

impl Reason {
    const ALL: [Self; 9] = [
        Self::Required,
        Self::Invalid,
        Self::NotSupported,
        Self::Forbidden,
        Self::Duplicate,
        Self::TooLong,
        Self::TooMany,
        Self::NotFound,
        Self::TypeInvalid,
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
            Self::NotSupported => ("FieldValueNotSupported", "unsupported value"),
            Self::Forbidden => ("FieldValueForbidden", "not allowed"),
            Self::Duplicate => ("FieldValueDuplicate", "duplicate value"),
            Self::TooLong => ("FieldValueTooLong", "too long"),
            Self::TooMany => ("FieldValueTooMany", "too many items"),
            Self::NotFound => ("FieldValueNotFound", "not found"),
            Self::TypeInvalid => ("FieldValueTypeInvalid", "wrong type"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Reason {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = Self::ALL.into_iter().find(|reason| reason.as_str() == text);
        found.ok_or_else(|| {
            ParseError::new(text, "a reason", "expected a word such as `FieldValueInvalid`")
        })
    }
}

k8s_versioned_names::text_serde!(Reason, "a reason such as `FieldValueInvalid`");

#[cfg(test)]
mod tests {
    use super::Reason;
    use crate::ParseError;

    #[test]
    fn words_are_read_back() {
        for reason in Reason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{reason}\""));
            assert_eq!(serde_json::from_str::<Reason>(&json).unwrap(), reason);
        }
        let error: Result<Reason, ParseError> = "Invalid".parse();
        assert_eq!(
            error.unwrap_err().to_string(),
            "`Invalid` is not a reason: expected a word such as `FieldValueInvalid`"
        );
    }
}

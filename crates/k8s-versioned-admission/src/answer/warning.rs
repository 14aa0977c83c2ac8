//! What a server warns of.

use std::fmt;

/// What a server warns of, whole: of long warnings servers send only the beginning, and of many only the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ServerWarning {
    /// A field that the body has twice, by its path.
    DuplicateField(String),
    /// A field that the schema does not have, by its path.
    UnknownField(String),
    /// Anything else.
    Other {
        /// The path of the field; empty for the whole object.
        field: String,
        /// The words of a server.
        text: String,
    },
}

impl ServerWarning {
    /// A warning about a field, which is empty for the whole object.
    pub(crate) fn of_field(field: &str, text: String) -> Self {
        Self::Other { field: field.to_owned(), text }
    }
}

/// The words of a server.
impl fmt::Display for ServerWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateField(path) => write!(f, "duplicate field \"{path}\""),
            Self::UnknownField(path) => write!(f, "unknown field \"{path}\""),
            Self::Other { text, .. } => f.write_str(text),
        }
    }
}

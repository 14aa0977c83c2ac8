//! Causes in the text of one file.

use thiserror::Error;

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum FileCause {
    #[error("the file is empty")]
    Empty,
    #[error("the text is not UTF-8")]
    NotUtf8,
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("`{0}` is not understood here")]
    Proto(String),
    #[error("the TOML cannot be read: {0}")]
    Toml(String),
    #[error("{0} more problems of this file are not shown")]
    More(usize),
}

impl FileCause {
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::Json(_) | Self::DuplicateKey(_) | Self::TooDeep { .. } => {
                "import the release again from upstream's documents"
            }
            Self::NotUtf8 => {
                "save the file in UTF-8, or import the release again if it is a document"
            }
            Self::Toml(_) => "correct the file: the comment at its head explains the keys",
            Self::Proto(_) => {
                "upstream's `generated.proto` has one field on a line: check the file, or teach codegen/src/import_proto.rs"
            }
            Self::More(_) => "check that this is the right file",
        }
    }
}

//! Causes in the text of one file.

use strum::EnumProperty;
use thiserror::Error;

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum FileCause {
    #[error("the file is empty")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    Empty,
    #[error("the text is not UTF-8")]
    #[strum(props(
        hint = "save the file in UTF-8, or import the release again if it is a document"
    ))]
    NotUtf8,
    #[error("the JSON cannot be read: {0}")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    Json(String),
    #[error("the key `{0}` stands twice in one object")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    DuplicateKey(String),
    #[error("values nest more than {limit} deep")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    TooDeep { limit: usize },
    #[error("the TOML cannot be read: {0}")]
    #[strum(props(hint = "correct the file: those of this project begin with what they may hold"))]
    Toml(String),
    #[error("{0} more problems of this file are not shown")]
    #[strum(props(hint = "is this the file that it should be?"))]
    More(usize),
}

//! Causes in the text of one file.

use thiserror::Error;

use super::texts::Texts;

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum FileCause {
    #[error("`{0}` is not understood here")]
    Proto(String),
    #[error("the TOML cannot be read: {0}")]
    Toml(String),
    #[error("{0} more problems of this file are not shown")]
    More(usize),
}

impl FileCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 3] {
        [Self::Proto(String::new()), Self::Toml(String::new()), Self::More(0)]
    }

    /// The identifier, the meaning and the hint.
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::Proto(_) => (
                "proto",
                "A file `generated.proto` has a statement that the generator does not read.",
                "check that the file is a genuine `generated.proto` of Kubernetes, and report it if it is. Without \
                 `specs/field-numbers.toml` the package is generated without protobuf",
            ),
            Self::Toml(_) => (
                "toml",
                "A rule file is not TOML, or has a key that it does not have.",
                "correct the file: the comment at its head explains the keys",
            ),
            Self::More(_) => (
                "more",
                "A file has more problems than are shown.",
                "check that this is the right file",
            ),
        }
    }
}

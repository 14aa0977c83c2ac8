//! Causes in the text of one file.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum FileCause {
    /// A file of the folder of specs is empty.
    ///
    /// Hint: import the release again from upstream's documents
    #[error("the file is empty")]
    Empty,
    /// A file is not text in UTF-8.
    ///
    /// Hint: save the file in UTF-8, or import the release again if it is a document
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A document is not JSON.
    ///
    /// Hint: import the release again from upstream's documents
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    /// An object of a document has a key twice, and programs would read different values.
    ///
    /// Hint: import the release again from upstream's documents
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    /// A document nests deeper than any real one, and reading it could exhaust the stack.
    ///
    /// Hint: import the release again from upstream's documents
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    /// A file is larger than any real one, and reading it could exhaust the memory.
    ///
    /// Hint: check that this is the right file
    #[error("the file has more than {limit} bytes")]
    TooLarge { limit: usize },
    /// A file has more values than any real one, and reading it could exhaust the memory.
    ///
    /// Hint: check that this is the right file
    #[error("the file has more than {limit} values")]
    TooManyValues { limit: usize },
    /// A file `generated.proto` has a line that the generator does not read.
    ///
    /// Hint: upstream's `generated.proto` has one field on a line: check that the file is genuine, and report it if it
    /// is. Without `specs/field-numbers.toml` the package is generated without protobuf
    #[error("`{0}` is not understood here")]
    Proto(String),
    /// A rule file is not TOML, or has a key that it does not have.
    ///
    /// Hint: correct the file: the comment at its head explains the keys
    #[error("the TOML cannot be read: {0}")]
    Toml(String),
    /// A file has more problems than are shown.
    ///
    /// Hint: check that this is the right file
    #[error("{0} more problems of this file are not shown")]
    More(usize),
}

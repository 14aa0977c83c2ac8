//! Causes in the text of one file.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum FileCause {
    /// A file `generated.proto` has a statement that the generator does not read.
    ///
    /// Hint: check that the file is a genuine `generated.proto` of Kubernetes, and report it if it is. Without
    /// `specs/field-numbers.toml` the package is generated without protobuf
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

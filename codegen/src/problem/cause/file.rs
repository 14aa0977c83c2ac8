//! Causes in the text of one file.

use super::table::causes;

causes! {
    /// A cause in the text of a file.
    pub(crate) enum FileCause {
        /// A file `generated.proto` has a statement that the generator does not read.
        #[error("`{0}` is not understood here")]
        #[id = "proto"]
        #[hint = "check that the file is a genuine `generated.proto` of Kubernetes, and report it if it is. Without \
            `specs/field-numbers.toml` the package is generated without protobuf"]
        Proto(String),
        /// A rule file is not TOML, or has a key that it does not have.
        #[error("the TOML cannot be read: {0}")]
        #[id = "toml"]
        #[hint = "correct the file: the comment at its head explains the keys"]
        Toml(String),
        /// A file has more problems than are shown.
        #[error("{0} more problems of this file are not shown")]
        #[id = "more"]
        #[hint = "check that this is the right file"]
        More(usize),
    }
}

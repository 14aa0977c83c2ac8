//! Temporary files and folders next to those that they replace. A [`Lock`](crate::lock::Lock) removes those that a killed run has left
//! over.

use tempfile::Builder;

/// The prefix and the suffix of the names. Between them is a random text.
const NAME: [&str; 2] = [".k8s-versioned-", ".tmp"];

/// Makes files and folders with random names. They are new: nothing is written through a link that has the name already.
pub fn builder() -> Builder<'static, 'static> {
    let [prefix, suffix] = NAME;
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(suffix);
    builder
}

/// Returns `true` for the path of a temporary file or folder.
pub fn is_left_over(path: &str) -> bool {
    let [prefix, suffix] = NAME;
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix(prefix).is_some_and(|rest| rest.ends_with(suffix))
}

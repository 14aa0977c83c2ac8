//! Texts for people.

use std::fmt::Display;

/// The items with a separator between them.
pub(crate) fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(separator)
}

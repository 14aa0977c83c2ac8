//! Texts for people.

use std::fmt::Display;

use serde_json::Value;

/// The items with a separator between them.
pub(crate) fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(separator)
}

/// The text with a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Leaves the first lines of many. A note about a single line would not be shorter than the line.
pub(crate) fn shorten(lines: &mut Vec<String>, most: usize, note: impl Fn(usize) -> String) {
    let hidden = lines.len().saturating_sub(most);
    if hidden > 1 {
        lines.truncate(most);
        lines.push(note(hidden));
    }
}

/// A value as the text of a file: with sorted keys, indented, with a line feed at the end.
pub(crate) fn json_file(mut value: Value) -> Vec<u8> {
    value.sort_all_objects();
    // Writing to memory cannot fail: every key is a string.
    let mut text = serde_json::to_vec_pretty(&value).unwrap_or_default();
    text.push(b'\n');
    text
}

//! Texts for people.

use std::fmt::{Display, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

/// The items with a separator between them.
pub(crate) fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let mut text = String::new();
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{item}");
    }
    text
}

/// Returns `true` if the name of a file ends with one of these, after a dot.
pub(crate) fn has_extension(path: &str, any: &[&str]) -> bool {
    let extension = Path::new(path).extension();
    extension.is_some_and(|found| any.iter().any(|one| found == *one))
}

/// The note about the name that is nearest to an unknown one.
pub(crate) fn did_you_mean(near: Option<&String>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The text with a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// A text for the cell of a table in Markdown: it neither ends the cell nor begins a tag.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
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
    json_text(&value)
}

/// A value as the text of a file: indented, with a line feed at the end.
pub(crate) fn json_text(value: &impl Serialize) -> Vec<u8> {
    // Writing to memory cannot fail: every key is a string.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

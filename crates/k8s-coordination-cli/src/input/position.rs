//! Positions in the input.

use std::fmt;
use std::path::Path;

use super::STDIN;

/// A position in the input: a file, a document in it, or an item of a list.
///
/// Documents and items of lists are counted from 1. Documents without content do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputPosition {
    input: String,
    document: Option<usize>,
    items: Vec<usize>,
}

impl InputPosition {
    /// A whole input.
    pub(crate) fn of_input(file: &Path) -> Self {
        let input = if file == Path::new(STDIN) {
            "standard input".to_owned()
        } else {
            file.display().to_string()
        };
        Self { input, document: None, items: Vec::new() }
    }

    /// A document of the input; `index` counts from 0.
    pub(super) fn document(&self, index: usize) -> Self {
        Self { document: Some(index + 1), ..self.clone() }
    }

    /// An item of the document, by its indices, which count from 0.
    pub(crate) fn item(&self, items: &[usize]) -> Self {
        let items = items.iter().map(|index| index + 1).collect();
        Self { items, ..self.clone() }
    }

    /// The name of the input.
    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    /// The document, and the item of a list in it; empty for the whole input.
    pub(crate) fn in_input(&self) -> String {
        let document = self.document.map_or_else(String::new, |it| format!("document {it}"));
        self.items.iter().fold(document, |text, item| text + &format!(", item {item}"))
    }
}

impl fmt::Display for InputPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, position) = (&self.input, self.in_input());
        if position.is_empty() { f.write_str(input) } else { write!(f, "{input}: {position}") }
    }
}

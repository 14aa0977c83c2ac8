//! Places in the input.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::STDIN;

/// A place in the input: a file, a document in it, or an item of a list.
///
/// Documents and items of lists are counted from 1. Documents without content do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    input: String,
    document: Option<usize>,
    items: Vec<usize>,
}

impl Place {
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
    pub(crate) fn item(&self, position: &[usize]) -> Self {
        let items = position.iter().map(|index| index + 1).collect();
        Self { items, ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        if let Some(document) = self.document {
            write!(f, ": document {document}")?;
        }
        self.items.iter().try_for_each(|item| write!(f, ", item {item}"))
    }
}

//! The place of an object in a file.

use std::fmt;

use serde_json::Value;

use super::Finding;
use crate::Short;

/// The place of an object in a file. Documents and items of lists are counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The document.
    pub document: Option<usize>,
    /// The line of a syntax error, or the line on which the document begins.
    pub line: Option<usize>,
    /// The item of the list; of a list in a list, the numbers from the outermost.
    pub items: Vec<usize>,
    /// The kind and the name of the object, such as `Lease kube-system/a`; empty if it has no name.
    pub object: String,
}

impl Position {
    /// The place of an object in this document.
    #[must_use]
    pub fn object(&self, items: Vec<usize>, object: &Value) -> Self {
        // The line of an item is not known.
        let line = self.line.filter(|_| items.is_empty());
        Self { items, line, object: object_name(object), ..self.clone() }
    }

    /// Sets the members of a finding that have the place for programs.
    pub fn mark(&self, finding: &mut Finding) {
        finding.document = self.document;
        finding.line = self.line;
        self.items.clone_into(&mut finding.item);
    }

    /// The place of a field of the object, for people.
    pub fn field(&self, path: &str) -> String {
        let at = self.to_string();
        let between = if at.is_empty() || path.is_empty() { "" } else { ": " };
        format!("{at}{between}{path}")
    }
}

/// The document, the item of a list in it, and the name of the object; empty for the whole file.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = self.document.map_or_else(String::new, |it| format!("document {it}"));
        f.write_str(&document)?;
        self.items.iter().try_for_each(|item| write!(f, ", item {item}"))?;
        if self.object.is_empty() { Ok(()) } else { write!(f, " ({})", Short(&self.object)) }
    }
}

fn object_name(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let [kind, namespace, name] = ["/kind", "/metadata/namespace", "/metadata/name"].map(text);
    let shown = match (namespace, name) {
        (_, "") => return String::new(),
        ("", name) => format!("{kind} {name}"),
        (namespace, name) => format!("{kind} {namespace}/{name}"),
    };
    // The kind can be absent.
    shown.trim_start().to_owned()
}

/// The documents of YAML that have content, which are those that the reader returns: the number of each, and the line on which
/// its content begins. At the beginning of a line `---` always begins a document, also in a text of several lines.
pub fn documents(text: &str) -> Vec<(usize, usize)> {
    let is_marker = |line: &str, marker| {
        let rest = line.strip_prefix(marker);
        rest.is_some_and(|rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    // Whether a document is open, and has content.
    let (mut number, mut is_open, mut has_content) = (0, false, false);
    let mut documents = Vec::new();
    for (index, mut line) in text.lines().enumerate() {
        if is_marker(line, "---") {
            (number, is_open, has_content) = (number + 1, true, false);
            line = line.get(3..).unwrap_or_default();
        } else if is_marker(line, "...") {
            (is_open, has_content) = (false, false);
            continue;
        }
        let line = line.trim();
        let is_directive = !is_open && line.starts_with('%');
        let is_null = ["", "~", "null", "Null", "NULL"].contains(&line);
        if has_content || is_null || is_directive || line.starts_with('#') {
            continue;
        }
        if !is_open {
            (number, is_open) = (number + 1, true);
        }
        has_content = true;
        documents.push((number, index + 1));
    }
    documents
}

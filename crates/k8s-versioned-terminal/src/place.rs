//! The place of an object in an input, and of its fields.

use std::fmt;
use std::sync::Arc;

use k8s_versioned_core::Short;
use k8s_versioned_core::findings::Finding;
use k8s_versioned_source::{Content, MemberIndex, Position, Tree};

use crate::input::{Document, DocumentSyntax, Unreadable};

/// The place of an object: the input, the document, the item of a list. Documents and items are counted from 1.
#[derive(Clone, Debug, Default)]
pub struct InputPlace<'t> {
    input: Arc<str>,
    document: Option<usize>,
    is_yaml: bool,
    /// The items of lists, from the outermost.
    items: Vec<usize>,
    /// The kind and the name of the object, such as `Lease kube-system/a`; empty if it has no name.
    object: String,
    values: Values<'t>,
}

/// The values at a place.
#[derive(Clone, Copy, Debug, Default)]
enum Values<'t> {
    #[default]
    Unknown,
    /// None are kept, but this is where they begin.
    At(Position),
    /// Those of a document, or of a piece of a long list.
    Of(&'t dyn Source),
}

/// What has the values, with their places.
trait Source: fmt::Debug {
    fn tree(&self) -> Option<&Tree<'_>>;

    /// The index of the first item of the list.
    fn first_item(&self) -> usize;

    /// The position of a byte of the text.
    fn position(&self, offset: usize) -> Position;

    /// The names of the members of objects.
    fn names(&self) -> &MemberIndex;
}

impl Source for Document<'_> {
    fn tree(&self) -> Option<&Tree<'_>> {
        self.content.as_ref().ok().map(Content::tree)
    }

    fn first_item(&self) -> usize {
        self.content.as_ref().map_or(0, |content| content.piece().first_item)
    }

    fn position(&self, offset: usize) -> Position {
        self.position(offset)
    }

    fn names(&self) -> &MemberIndex {
        &self.names
    }
}

impl InputPlace<'static> {
    /// A whole input, or an object that is not in a file.
    pub fn input(name: impl Into<Arc<str>>) -> Self {
        Self { input: name.into(), ..Self::default() }
    }
}

impl<'t> InputPlace<'t> {
    /// The place of a document of this number.
    #[must_use]
    pub fn with_document(self, number: usize) -> Self {
        Self { document: Some(number), ..self }
    }

    /// The place of an error in the document.
    #[must_use]
    pub fn at(&self, position: Position) -> Self {
        Self { values: Values::At(position), ..self.clone() }
    }

    /// The place of a document of an input.
    pub fn document(input: &Arc<str>, document: &'t Document<'_>) -> Self {
        let values = match &document.content {
            Ok(_) => Values::Of(document),
            Err(Unreadable::Source(errors)) => match errors.0.first() {
                Some(first) => Values::At(document.position(first.span.start)),
                None => Values::Unknown,
            },
            Err(Unreadable::NotText(_)) => Values::Unknown,
        };
        Self {
            input: Arc::clone(input),
            document: document.number,
            is_yaml: document.syntax == DocumentSyntax::Yaml,
            values,
            ..Self::default()
        }
    }

    /// The place of an object of the document: the indexes of the items that lead to it, counted as in the tree.
    #[must_use]
    pub fn object(&self, items: &[usize], object: &serde_json::Value) -> Self {
        let first = match self.values {
            Values::Of(source) => source.first_item(),
            _ => 0,
        };
        let mut items: Vec<usize> = items.iter().map(|index| index + 1).collect();
        if let Some(outermost) = items.first_mut() {
            *outermost += first;
        }
        Self { items, object: object_name(object), ..self.clone() }
    }

    /// The place without the values, which can outlive the document. Its line is the line of a field of the object.
    pub fn detached(&self, path: &str) -> InputPlace<'static> {
        InputPlace {
            input: Arc::clone(&self.input),
            document: self.document,
            is_yaml: self.is_yaml,
            items: self.items.clone(),
            object: self.object.clone(),
            values: self.position(path).map_or(Values::Unknown, Values::At),
        }
    }

    /// The name of the input.
    pub fn file(&self) -> &str {
        &self.input
    }

    /// Returns `true` for a document of YAML.
    pub fn is_yaml(&self) -> bool {
        self.is_yaml
    }

    /// The line and the column of a field. An absent field has those of the object that would have it.
    pub fn position(&self, path: &str) -> Option<Position> {
        let source = match self.values {
            Values::Unknown => return None,
            Values::At(position) => return Some(position),
            Values::Of(source) => source,
        };
        let tree = source.tree()?;
        let (mut value, mut before) = (tree.root(), source.first_item() + 1);
        for item in &self.items {
            let list = source.names().get(value, "items").unwrap_or(value);
            value = list.item(item.checked_sub(before)?)?;
            before = 1;
        }
        Some(source.position(source.names().locate(value, path).span().start))
    }

    /// A finding about a field of the object; the path is empty for the whole.
    pub fn finding(&self, mut finding: Finding, path: &str) -> Finding {
        let (position, path) = (self.position(path), Short(path).to_string());
        self.input.as_ref().clone_into(&mut finding.file);
        finding.document = self.document;
        self.items.clone_into(&mut finding.item);
        (finding.line, finding.column) =
            (position.map(|position| position.line), position.map(|position| position.column));
        let at = self.in_input();
        let between = if at.is_empty() || path.is_empty() { "" } else { ": " };
        finding.at = format!("{at}{between}{path}");
        finding.path = path;
        finding
    }

    /// The document, the item of a list in it, and the name of the object; empty for the whole input.
    fn in_input(&self) -> String {
        let mut at = self.document.map_or_else(String::new, |number| format!("document {number}"));
        at.extend(self.items.iter().map(|item| format!(", item {item}")));
        if self.object.is_empty() { at } else { format!("{at} ({})", Short(&self.object)) }
    }
}

impl fmt::Display for InputPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, at) = (&self.input, self.in_input());
        if at.is_empty() { f.write_str(input) } else { write!(f, "{input}: {at}") }
    }
}

fn object_name(object: &serde_json::Value) -> String {
    let text = |name| object.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
    let metadata = object.get("metadata");
    let of_metadata =
        |name| metadata.and_then(|metadata| metadata.get(name)?.as_str()).unwrap_or_default();
    let kind = text("kind");
    let name = match (of_metadata("namespace"), of_metadata("name")) {
        (_, "") => return String::new(),
        ("", name) => format!("{kind} {name}"),
        (namespace, name) => format!("{kind} {namespace}/{name}"),
    };
    // The kind can be absent.
    name.trim_start().to_owned()
}

/// The hint for a value of YAML that is a number or a boolean where a text is expected, because it has no quotes: by the word that
/// readers have for its type. They have the value and not the text, which may be `0o14` or `1_000`.
pub fn quotes_hint(sort: &str) -> Option<String> {
    let (read, example) = match sort {
        "integer" => ("a number", "`010` is 8"),
        "boolean" => ("`true` or `false`", "`n` is `false`"),
        "number" | "floating point" => ("a number", "`1.30` is 1.3"),
        _ => return None,
    };
    Some(format!("write the value in quotes: without them YAML reads it as {read} ({example})"))
}

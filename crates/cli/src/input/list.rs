//! Lists, and what they are lists of.

use k8s_coordination::v1::Lease;
use k8s_versioned::{GroupVersion, Kind as _};
use serde_json::{Map, Value};

use super::Document;

/// What a document holds.
pub(crate) enum Content {
    /// One object.
    Object(Value),
    /// A list, whether one of a kind (`LeaseList`) or of any (`List`).
    List(List),
}

/// A list, taken apart.
pub(crate) struct List {
    /// The list, its `items` taken out.
    pub(crate) envelope: Value,
    /// The `apiVersion` and `kind` that the items need not repeat; empty for a list of any kinds.
    pub(crate) inherited: Map<String, Value>,
    /// The items.
    pub(crate) items: Vec<Value>,
}

impl Content {
    /// Looks into a document.
    ///
    /// # Errors
    ///
    /// It is a list whose items are none.
    pub(crate) fn of(mut value: Value) -> Result<Self, String> {
        let text = |name| value.get(name).and_then(Value::as_str);
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        let item = kind.and_then(|kind| kind.strip_suffix("List"));
        // Elsewhere not all kinds with such a name are lists.
        let listed = value.get("items").is_some()
            || item == Some("")
            || api_version.is_some_and(is_of_group);
        let Some(item) = item.filter(|_| listed) else {
            return Ok(Self::Object(value));
        };
        let mut inherited = Map::new();
        if !item.is_empty() {
            inherited.insert("kind".to_owned(), item.into());
            let version = api_version.map(|version| ("apiVersion".to_owned(), version.into()));
            inherited.extend(version);
        }
        let items = match value.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) => items,
            // Go writes an empty list as `null`.
            None | Some(Value::Null) => Vec::new(),
            Some(_) => return Err("its `items` are no list".to_owned()),
        };
        Ok(Self::List(List {
            envelope: value,
            inherited,
            items,
        }))
    }
}

fn is_of_group(api_version: &str) -> bool {
    GroupVersion::parse(api_version).is_ok_and(|parsed| parsed.group == Lease::GROUP)
}

impl List {
    /// The item as an object by itself: with the `apiVersion` and `kind` that it may leave to the list.
    pub(crate) fn named(inherited: &Map<String, Value>, item: Value) -> Value {
        let Value::Object(members) = item else {
            return item;
        };
        let mut named = inherited.clone();
        named.extend(members);
        Value::Object(named)
    }
}

/// Adds the document, or if it is a list its items.
pub(super) fn take_apart(document: Document, documents: &mut Vec<Document>) {
    let Document { place, value } = document;
    let list = match value.and_then(Content::of) {
        Ok(Content::List(list)) => list,
        Ok(Content::Object(object)) => {
            let value = Ok(object);
            return documents.push(Document { place, value });
        }
        Err(reason) => {
            let value = Err(reason);
            return documents.push(Document { place, value });
        }
    };
    for (index, item) in list.items.into_iter().enumerate() {
        let item = Document {
            place: place.item(index),
            value: Ok(List::named(&list.inherited, item)),
        };
        take_apart(item, documents);
    }
}

//! Lists and their items. They are JSON values and not types, because a list can have items of any kind, and is written
//! again with all its members.

use serde_json::{Map, Value};

use super::{Document, Place};
use crate::object::TypeMeta;
use crate::report::Note;

/// The kind of lists of any kinds, and its version.
const LIST: (&str, &str) = ("v1", "List");

/// The content of a document or an item.
pub(crate) enum Content {
    /// One object.
    Object(Value),
    /// A list: of a kind of the group (`LeaseList`), of any kinds (`List`), or an array as a document.
    List(List),
}

/// The parts of a list.
pub(crate) struct List {
    /// The list without its `items`; for an array an empty array.
    pub(crate) envelope: Value,
    /// The `apiVersion` and `kind` that the items may leave out; empty for a list of any kinds.
    pub(crate) inherited: Map<String, Value>,
    /// The items.
    pub(crate) items: Vec<Value>,
}

impl Content {
    /// Reads a document or an item. A list of another group counts as an object.
    ///
    /// # Errors
    ///
    /// It is a list of an unknown kind, or its `items` are not a list.
    pub(crate) fn of(place: &Place, mut value: Value) -> Result<Self, Note> {
        if let Value::Array(items) = &mut value
            && place.is_document()
        {
            return Ok(Self::List(List {
                items: std::mem::take(items),
                envelope: value,
                inherited: Map::new(),
            }));
        }
        let Some(inherited) = inherited(&value)? else {
            return Ok(Self::Object(value));
        };
        let items = match value.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) => items,
            // Go writes an empty list as `null`.
            None | Some(Value::Null) => Vec::new(),
            Some(_) => return Err(Note::not_understood("its `items` are not a list")),
        };
        Ok(Self::List(List { envelope: value, inherited, items }))
    }
}

/// The `apiVersion` and `kind` that the items of a list inherit; `None` if the value is not a list.
fn inherited(value: &Value) -> Result<Option<Map<String, Value>>, Note> {
    let Ok(TypeMeta { api_version, kind }) = TypeMeta::of(value) else {
        return Ok(None);
    };
    if (api_version.as_str(), kind.as_str()) == LIST {
        return Ok(Some(Map::new()));
    }
    let Some(kind) = kind.strip_suffix("List").map(str::to_owned) else {
        return Ok(None);
    };
    let item = TypeMeta { api_version, kind };
    if !item.is_of_group() {
        return Ok(None);
    }
    item.clone().resolve()?;
    let members = [("apiVersion", item.api_version), ("kind", item.kind)];
    let members = members.map(|(name, text)| (name.to_owned(), text.into()));
    Ok(Some(Map::from_iter(members)))
}

impl List {
    /// The item with the `apiVersion` and `kind` of the list, which it may leave out.
    ///
    /// # Errors
    ///
    /// It has another `apiVersion` or `kind` than the list.
    pub(crate) fn named(inherited: &Map<String, Value>, item: Value) -> Result<Value, Note> {
        let Value::Object(members) = item else {
            return Ok(item);
        };
        let mut named = members;
        for (name, expected) in inherited {
            let found = named.entry(name).or_insert_with(|| expected.clone());
            if found != expected {
                let reason = format!("its `{name}` is {found}: expected {expected}, like the list");
                return Err(Note::not_understood(reason));
            }
        }
        Ok(Value::Object(named))
    }
}

/// Adds the document, or the items if it is a list.
pub(super) fn take_apart(document: Document, documents: &mut Vec<Document>) {
    let Document { place, value } = document;
    let value = match value.and_then(|value| Content::of(&place, value)) {
        Ok(Content::List(list)) => {
            for (index, item) in list.items.into_iter().enumerate() {
                let item = Document {
                    place: place.item(index),
                    value: List::named(&list.inherited, item),
                };
                take_apart(item, documents);
            }
            return;
        }
        Ok(Content::Object(object)) => Ok(object),
        Err(note) => Err(note),
    };
    documents.push(Document { place, value });
}

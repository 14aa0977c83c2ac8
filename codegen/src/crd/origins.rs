//! The places in definitions from which the parts of derived documents are made. Users have the definitions, and no text of
//! the documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Place;

/// For each document, by its path or name, the origins of its parts.
pub type Origins = BTreeMap<String, Parts>;

/// The origins of the parts of a document: by the name of a schema, or by the path of operations.
#[derive(Clone, Debug, Default)]
pub struct Parts(BTreeMap<String, Origin>);

/// The part of a definition from which a part of a document is made.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The place in the definition.
    pub place: Place,
    /// Whether the values inside of the one are inside of the other, too.
    pub whole: bool,
}

impl Parts {
    /// The origin of a part.
    pub fn of(&self, name: &str) -> Option<&Origin> {
        self.0.get(name)
    }

    /// The first of the files from which the document is made.
    pub fn file(&self) -> Option<&Arc<str>> {
        self.0.values().next().map(|origin| &origin.place.file)
    }

    /// Adds a part.
    pub(super) fn add(&mut self, name: &str, origin: Origin) {
        self.0.insert(name.to_owned(), origin);
    }
}

//! The annotations and labels of an object that have the values of fields in other versions.

use std::collections::BTreeMap;

use super::ANNOTATIONS_LIMIT;
use crate::syntax::label_value;

/// An annotation or a label, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MetadataKey {
    /// An annotation.
    Annotation(&'static str),
    /// A label.
    Label(&'static str),
}

/// The labels and the annotations of an object.
pub(super) type Metadata<'m> = (&'m mut BTreeMap<String, String>, &'m mut BTreeMap<String, String>);

/// The texts of some annotations and labels, while an object is converted.
#[derive(Debug, Default)]
pub(super) struct MetadataTexts {
    texts: BTreeMap<MetadataKey, String>,
    /// The bytes that annotations can have in addition to those of the source.
    room: usize,
}

impl MetadataTexts {
    /// Takes the texts out of an object whose annotations have so many `bytes`.
    pub(super) fn take(
        (labels, annotations): Metadata<'_>,
        bytes: usize,
        keys: &[MetadataKey],
    ) -> Self {
        let texts = keys.iter().filter_map(|key| {
            let text = match key {
                MetadataKey::Annotation(key) => annotations.remove(*key),
                MetadataKey::Label(key) => labels.remove(*key),
            };
            Some((*key, text?))
        });
        Self { texts: texts.collect(), room: ANNOTATIONS_LIMIT.saturating_sub(bytes) }
    }

    /// The text of a key, which stays.
    pub(super) fn get(&self, key: MetadataKey) -> Option<&str> {
        self.texts.get(&key).map(String::as_str)
    }

    /// Takes the text of a key.
    pub(super) fn remove(&mut self, key: MetadataKey) -> Option<String> {
        self.texts.remove(&key)
    }

    /// Whether servers take the text. An annotation has no room where kept values of the source could lose theirs to it.
    pub(super) fn takes(&self, key: MetadataKey, text: &str) -> bool {
        match key {
            MetadataKey::Annotation(key) => key.len() + text.len() <= self.room,
            MetadataKey::Label(_) => label_value(text).is_empty(),
        }
    }

    /// Sets the text of a key.
    pub(super) fn set(&mut self, key: MetadataKey, text: String) {
        if let MetadataKey::Annotation(key) = key {
            self.room = self.room.saturating_sub(key.len() + text.len());
        }
        self.texts.insert(key, text);
    }

    /// Puts the texts into the result.
    pub(super) fn put(self, (labels, annotations): Metadata<'_>) {
        for (key, text) in self.texts {
            match key {
                MetadataKey::Annotation(key) => annotations.insert(key.to_owned(), text),
                MetadataKey::Label(key) => labels.insert(key.to_owned(), text),
            };
        }
    }
}

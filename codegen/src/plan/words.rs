//! The known values (`enum`) of a field, as variants of an open enum.

use super::names;
use super::rust_items::Variant;
use crate::ident::OTHER;
use crate::spec::Property;
use crate::text::code;

/// The most words of one field that get names.
const MOST_WORDS: usize = 250;

/// The words that the documents state for a field and that can have names.
pub(super) fn words(property: &Property) -> impl Iterator<Item = &str> {
    property.words().into_iter().take(MOST_WORDS)
}

/// The variant of a word; `None` if it cannot have one of this name.
pub(super) fn ident(word: &str) -> Option<String> {
    names::variant_ident(word).filter(|ident| ident != OTHER && ident.is_ascii())
}

/// The variant of a word that documents state.
pub(super) fn variant(ident: String, word: &str) -> Variant {
    Variant { ident, word: word.to_owned(), docs: code(word) }
}

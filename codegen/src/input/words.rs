//! Readers of values: words of a closed set, and group-version-kinds.

use super::cursor::Cursor;
use crate::problem::DocumentCause;
use crate::spec::GroupVersionKind;

/// The value of an enum at `cursor`.
pub(super) fn one_of<T: Copy, const N: usize>(
    what: &'static str,
    cursor: Option<Cursor<'_>>,
    all: [T; N],
    name: fn(T) -> &'static str,
) -> Option<T> {
    let word = word(what, &cursor?, &all.map(name))?;
    all.into_iter().find(|one| name(*one) == word)
}

/// The word at `cursor`, which must be one of `known`.
pub(super) fn word(
    what: &'static str,
    cursor: &Cursor<'_>,
    known: &[&'static str],
) -> Option<&'static str> {
    let text = cursor.string()?;
    let word = known.iter().find(|word| **word == text).copied();
    word.or_else(|| cursor.refuse(DocumentCause::unknown(what, text, known)))
}

/// Reads a group, version and kind.
pub(super) fn read_kind(cursor: &Cursor<'_>) -> Option<GroupVersionKind> {
    let mut keywords = cursor.keywords("a group-version-kind")?;
    let mut text = |key| keywords.require_text(key);
    let (group, version, kind) = (text("group"), text("version"), text("kind"));
    keywords.finish();
    Some(GroupVersionKind { group: group?, version: version?, kind: kind? })
}

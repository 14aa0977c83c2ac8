//! Words of a known set, and kinds.

use std::str::FromStr;

use strum::VariantNames;

use super::GroupVersionKind;
use crate::json::Cursor;
use crate::problem::DocumentCause;

/// The value of an enum at `cursor`.
pub(super) fn one_of<T: FromStr + VariantNames>(
    what: &'static str,
    cursor: Option<Cursor<'_>>,
) -> Option<T> {
    word(what, &cursor?, T::VARIANTS)?.parse().ok()
}

/// The word at `cursor`, which must be one of `known`.
pub(super) fn word<'a>(
    what: &'static str,
    cursor: &Cursor<'a>,
    known: &[&'static str],
) -> Option<&'a str> {
    let found = cursor.string()?;
    if known.contains(&found) {
        return Some(found);
    }
    cursor.report(DocumentCause::unknown(what, found, known));
    None
}

/// Reads a group, version and kind.
pub(super) fn read_kind(cursor: &Cursor<'_>) -> Option<GroupVersionKind> {
    let mut fields = cursor.fields("a group-version-kind")?;
    let mut text = |key| fields.require_text(key);
    let (group, version, kind) = (text("group"), text("version"), text("kind"));
    fields.finish();
    Some(GroupVersionKind { group: group?, version: version?, kind: kind? })
}

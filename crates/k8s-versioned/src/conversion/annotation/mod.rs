//! The annotations that keep values: one for each field. `docs/reference/conversion-annotation.md` specifies them.

mod names;
mod parts;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::names::{MARK, name};
use self::parts::Fields;
pub use self::parts::Lists;
pub(crate) use self::parts::field_of;
use super::ConversionFinding;
use crate::json::depth;

/// The maximum size of all keys and values of an object's annotations together, in bytes; servers reject more.
pub const ANNOTATIONS_LIMIT: usize = crate::syntax::ANNOTATIONS_LIMIT;

/// The most levels of lists and objects in a text. Any parser reads that.
const MAX_DEPTH: usize = 100;

/// The number of the format. Lower ones were never released.
const FORMAT: u64 = 3;

/// Fields by the version that has them.
type Versions = BTreeMap<String, Fields>;

/// The content of all annotations with a key, or of one of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Entries {
    fields: Versions,
    /// The values that policies supplied for absent fields.
    #[serde(skip_serializing_if = "Versions::is_empty")]
    filled: Versions,
    /// The fields whose values had no room, with the bytes that they would take.
    #[serde(rename = "notShown", skip_serializing_if = "Versions::is_empty")]
    not_shown: Versions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadText {
    fields: Versions,
    #[serde(default)]
    filled: Versions,
    #[serde(rename = "format")]
    _format: u64,
    #[serde(default, rename = "notShown")]
    not_shown: Versions,
}

/// The members in their order.
#[derive(Serialize)]
struct WrittenText<'e> {
    fields: &'e Versions,
    #[serde(skip_serializing_if = "Option::is_none")]
    filled: Option<&'e Versions>,
    format: u64,
    #[serde(rename = "notShown", skip_serializing_if = "Option::is_none")]
    not_shown: Option<&'e Versions>,
}

/// The reason why a text is not read.
#[derive(Debug, PartialEq)]
pub(crate) enum Unread {
    Malformed(String),
    Unsupported(String),
}

impl Unread {
    pub(crate) fn finding(self, text: String) -> ConversionFinding {
        match self {
            Self::Malformed(reason) => ConversionFinding::Malformed { text, reason },
            Self::Unsupported(reason) => ConversionFinding::Unsupported { text, reason },
        }
    }
}

impl From<serde_json::Error> for Unread {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// The annotations that keep values under a key, out of all annotations of an object: their keys are this one, `.`, and a name for
/// the kept field.
pub(crate) fn keys<'a>(
    annotations: &'a BTreeMap<String, String>,
    key: &'a str,
) -> impl Iterator<Item = &'a String> {
    let from = (Bound::Included(key), Bound::Unbounded);
    let found = annotations.range::<str, _>(from).map(|(found, _)| found);
    // Keys such as `KEY-other` are between them.
    let near = found.take_while(move |found| found.starts_with(key));
    near.filter(move |found| name_after(found, key.len()).is_some())
}

/// The annotation that marks the fields without room.
pub(crate) fn mark(key: &str) -> String {
    format!("{key}.{MARK}")
}

/// Returns `true` if an annotation keeps values under a key.
pub(crate) fn is_of(annotation: &str, key: &str) -> bool {
    annotation.starts_with(key) && name_after(annotation, key.len()).is_some()
}

fn name_after(annotation: &str, length: usize) -> Option<&str> {
    annotation.get(length..)?.strip_prefix('.')
}

/// Takes the annotations of a key out of the others, and reads them. Each text that cannot be read is reported.
pub(crate) fn take(
    annotations: &mut BTreeMap<String, String>,
    key: &str,
    mut report: impl FnMut(&str, ConversionFinding),
) -> Entries {
    let found: Vec<String> = keys(annotations, key).cloned().collect();
    let mut all = Entries::default();
    for (annotation, text) in found.into_iter().filter_map(|found| annotations.remove_entry(&found))
    {
        let read = name_after(&annotation, key.len())
            .map_or(Ok((Entries::default(), Entries::default())), |name| {
                Entries::read(key, name, &text)
            });
        match read {
            Ok((entries, misplaced)) => {
                if entries.is_empty() && misplaced.is_empty() {
                    let value = Value::Object(serde_json::Map::new());
                    report(&annotation, ConversionFinding::Redundant { value });
                }
                if !misplaced.is_empty() {
                    let reason = "these fields are not kept in this annotation".to_owned();
                    let text = misplaced.to_value().to_string();
                    report(&annotation, ConversionFinding::Malformed { text, reason });
                }
                all.extend(entries);
            }
            Err(reason) => report(&annotation, reason.finding(text)),
        }
    }
    all
}

impl Entries {
    /// Reads the text of an annotation: its entries, and those that belong into another annotation.
    ///
    /// # Errors
    /// The text cannot be read, or is larger than a conversion writes.
    pub(crate) fn read(key: &str, own_name: &str, text: &str) -> Result<(Self, Self), Unread> {
        if text.len() > ANNOTATIONS_LIMIT {
            let reason = format!("more than {ANNOTATIONS_LIMIT} bytes");
            return Err(Unread::Malformed(reason));
        }
        if depth(text.as_bytes()) > MAX_DEPTH {
            let reason = format!("lists and objects nest deeper than {MAX_DEPTH} levels");
            return Err(Unread::Malformed(reason));
        }
        let value: Value = serde_json::from_str(text)?;
        let text = match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => ReadText::deserialize(value)?,
            Some(other) => return Err(Unread::Unsupported(format!("format {other}"))),
            None => return Err(Unread::Malformed("no format number".to_owned())),
        };
        let ReadText { fields, filled, not_shown, .. } = text;
        let mut entries = Self { fields, filled, not_shown };
        entries.remove_empty();
        let is_own = |version: &str, path: &str| {
            parts::is_bounded(path) && name(key, version, path) == own_name
        };
        let is_mark = own_name == MARK;
        let mut misplaced = entries.split_off(|version, path| is_mark || !is_own(version, path));
        if !is_mark {
            misplaced.not_shown = std::mem::take(&mut entries.not_shown);
        }
        Ok((entries, misplaced))
    }

    /// The text of an annotation; `None` if the values nest too deep to be read again.
    pub(crate) fn text(&self) -> Option<String> {
        let present = |versions| Some(versions).filter(|it: &&Versions| !it.is_empty());
        let written = WrittenText {
            fields: &self.fields,
            filled: present(&self.filled),
            format: FORMAT,
            not_shown: present(&self.not_shown),
        };
        let text = serde_json::to_string(&written).ok()?;
        (depth(text.as_bytes()) <= MAX_DEPTH).then_some(text)
    }

    /// The entries as JSON, without the format.
    pub(crate) fn to_value(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value.sort_all_objects();
        value
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.filled.is_empty() && self.not_shown.is_empty()
    }

    fn all_mut(&mut self) -> [&mut Versions; 3] {
        [&mut self.fields, &mut self.filled, &mut self.not_shown]
    }

    fn remove_empty(&mut self) {
        for versions in self.all_mut() {
            versions.retain(|_, fields| !fields.is_empty());
        }
    }

    /// Adds other entries.
    pub(crate) fn extend(&mut self, other: Self) {
        let Self { fields, filled, not_shown } = other;
        for (own, other) in self.all_mut().into_iter().zip([fields, filled, not_shown]) {
            for (version, fields) in other {
                // `append` would make the whole map anew for each annotation.
                own.entry(version).or_default().extend(fields);
            }
        }
    }

    /// Adds a value as it is, and the value that a policy has put in its place.
    pub(crate) fn insert(
        &mut self,
        version: &str,
        path: &str,
        value: Option<Value>,
        filled: Option<Value>,
    ) {
        let all = [(&mut self.fields, value), (&mut self.filled, filled)];
        for (versions, value) in all {
            if let Some(mut value) = value {
                value.sort_all_objects();
                let fields = versions.entry(version.to_owned()).or_default();
                fields.insert(path.to_owned(), value);
            }
        }
    }

    /// Adds the value of a field in its parts, of which each has an annotation.
    pub(crate) fn insert_parts(
        &mut self,
        version: &str,
        path: &str,
        value: Value,
        (template, lists): (&str, Lists),
    ) {
        if !names::is_alone(path) {
            return self.insert(version, path, Some(value), None);
        }
        let fields = self.fields.entry(version.to_owned()).or_default();
        let lists = parts::inside(lists, version, template);
        parts::split(path, value, &lists, &mut |path, mut value| {
            value.sort_all_objects();
            fields.insert(path, value);
        });
    }

    /// The values of all versions as they are, by their paths.
    pub(crate) fn into_values(self) -> impl Iterator<Item = (String, Value)> {
        self.fields.into_values().flatten()
    }

    /// Returns `true` if there are values of a version.
    pub(crate) fn has_version(&self, version: &str) -> bool {
        self.fields.contains_key(version)
    }

    /// Returns `true` if some version has a value of a field.
    pub(crate) fn has(&self, path: &str) -> bool {
        let mut versions = self.fields.keys().chain(self.filled.keys());
        versions.any(|version| self.has_at(version, path))
            || self.filled.values().any(|fields| fields.contains_key(path))
    }

    /// Returns `true` if a value of a field is kept.
    pub(crate) fn has_at(&self, version: &str, path: &str) -> bool {
        self.fields.get(version).is_some_and(|fields| {
            fields.contains_key(path) || parts::range(fields, path).next().is_some()
        })
    }

    /// Returns `true` if a conversion has replaced the value of a field.
    pub(crate) fn is_filled(&self, version: &str, path: &str) -> bool {
        self.filled.get(version).is_some_and(|fields| fields.contains_key(path))
    }

    /// The kept value of a field that is a text.
    pub(crate) fn text_at(&self, version: &str, path: &str) -> Option<&str> {
        self.fields.get(version)?.get(path)?.as_str()
    }

    /// The kept value of a field, whole.
    pub(crate) fn value_at(&self, version: &str, path: &str) -> Option<Value> {
        value_of(self.fields.get(version)?, path)
    }

    /// The kept values of a version by the paths of their fields, whole.
    pub(crate) fn values_of(&self, version: &str) -> Vec<(String, Value)> {
        let Some(fields) = self.fields.get(version) else {
            return Vec::new();
        };
        // A field and its parts need not follow each other: `spec.a`, `spec.a.b`, `spec.a/0`.
        let paths: BTreeSet<&str> = fields.keys().map(|path| field_of(path)).collect();
        let value = |path: &str| Some((path.to_owned(), value_of(fields, path)?));
        paths.into_iter().filter_map(value).collect()
    }

    /// Removes the kept value of a field, and the value that a policy has put in its place.
    pub(crate) fn remove(&mut self, version: &str, path: &str) -> (Option<Value>, Option<Value>) {
        let filled = remove_from(&mut self.filled, version, |fields| fields.remove(path));
        let value = remove_from(&mut self.fields, version, |fields| {
            // A client can write both forms: the other one is discarded.
            let own = fields.remove(path);
            parts::whole(own, path, || parts::take(fields, path))
        });
        (value, filled)
    }

    /// Removes the values that conversions have made up: no other values of these fields are kept.
    pub(crate) fn take_made_up(&mut self) -> BTreeMap<(String, String), Value> {
        let mut made_up = BTreeMap::new();
        for (version, filled) in &mut self.filled {
            let kept = self.fields.get(version);
            let is_kept = |path: &String| {
                kept.is_some_and(|kept| {
                    kept.contains_key(path) || parts::range(kept, path).next().is_some()
                })
            };
            let (noted, others): (Fields, Fields) =
                std::mem::take(filled).into_iter().partition(|(path, _)| !is_kept(path));
            *filled = others;
            made_up.extend(noted.into_iter().map(|(path, value)| ((version.clone(), path), value)));
        }
        self.filled.retain(|_, fields| !fields.is_empty());
        made_up
    }

    /// Only which fields are absent, and the values that conversions have put in their place.
    pub(crate) fn without_values(mut self) -> Self {
        let fields = self.fields.clone();
        let value = |version: &str, path: &str| fields.get(version)?.get(path);
        self.split_off(|version, path| value(version, path).is_some_and(|value| !value.is_null()));
        self.not_shown.clear();
        self
    }

    /// Removes the values that are chosen by version and path: of a field, or of a part.
    pub(crate) fn split_off(&mut self, chosen: impl Fn(&str, &str) -> bool) -> Self {
        let take = |versions: &mut Versions| {
            let mut taken = Versions::new();
            for (version, fields) in versions.iter_mut() {
                let (out, kept): (Fields, Fields) =
                    std::mem::take(fields).into_iter().partition(|(path, _)| chosen(version, path));
                *fields = kept;
                taken.insert(version.clone(), out);
            }
            for versions in [versions, &mut taken] {
                versions.retain(|_, fields| !fields.is_empty());
            }
            taken
        };
        let (fields, filled) = (take(&mut self.fields), take(&mut self.filled));
        Self { fields, filled, not_shown: Versions::new() }
    }

    /// The marks as JSON.
    pub(crate) fn into_value_of_marks(self) -> Value {
        serde_json::to_value(self.not_shown).unwrap_or_default()
    }

    /// The fields that are marked, by version and path.
    pub(crate) fn into_marks(self) -> impl Iterator<Item = (String, String)> {
        self.not_shown.into_iter().flat_map(|(version, fields)| {
            fields.into_keys().map(move |path| (version.clone(), path))
        })
    }

    /// Removes the marks of fields that are chosen by version and path.
    pub(crate) fn take_marks(&mut self, chosen: impl Fn(&str, &str) -> bool) -> Self {
        let marks = std::mem::take(&mut self.not_shown);
        let mut marks = Self { fields: marks, ..Self::default() };
        let taken = marks.split_off(chosen).fields;
        self.not_shown = marks.fields;
        Self { not_shown: taken, ..Self::default() }
    }
}

/// The value of a field with its parts.
fn value_of(fields: &Fields, path: &str) -> Option<Value> {
    let own = fields.get(path).cloned();
    let parts = || parts::range(fields, path).map(|(path, part)| (path.clone(), part.clone()));
    parts::whole(own, path, || parts().collect())
}

fn remove_from(
    versions: &mut Versions,
    version: &str,
    remove: impl FnOnce(&mut Fields) -> Option<Value>,
) -> Option<Value> {
    let fields = versions.get_mut(version)?;
    let value = remove(fields);
    if fields.is_empty() {
        versions.remove(version);
    }
    value
}

/// The tests of the generated conversions cover the steps.
#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{ANNOTATIONS_LIMIT, Entries, Unread, keys, take};

    const KEY: &str = "example.com/kept";

    fn read(text: &str) -> Result<(Entries, Entries), Unread> {
        Entries::read(KEY, "v1.spec.a", text)
    }

    /// The text of an annotation whose one value is a list in lists, three levels inside.
    fn nested(levels: usize) -> String {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"fields":{{"v1":{{"spec.a":{open}{close}}}}},"format":3}}"#)
    }

    /// The same depth can be read and written.
    #[test]
    fn depth_is_limited() {
        let (entries, misplaced) = read(&nested(97)).unwrap();
        assert!(misplaced.is_empty());
        assert_eq!(entries.text(), Some(nested(97)));
        let deeper = json!([entries.to_value()["fields"]["v1"]["spec.a"]]);
        let mut entries = Entries::default();
        entries.insert("v1", "spec.a", Some(deeper), None);
        assert_eq!(entries.text(), None);
    }

    #[test]
    fn malformed_and_unsupported_texts_are_not_read() {
        let huge = "v".repeat(ANNOTATIONS_LIMIT);
        let huge = format!(r#"{{"fields":{{"v1":{{"spec.a":"{huge}"}}}},"format":3}}"#);
        let nested = nested(98);
        let malformed = [
            "",
            "null",
            "[]",
            "{",
            r#""text""#,
            "{}",
            r#"{"format":"3"}"#,
            r#"{"format":-1}"#,
            r#"{"format":3.0}"#,
            r#"{"format":3}"#,
            r#"{"fields":[],"format":3}"#,
            r#"{"fields":{},"format":3,"version":"v1"}"#,
            r#"{"fields":{"spec.a":1},"format":3}"#,
            r#"{"fields":{},"filled":1,"format":3}"#,
            "\u{0}",
            &huge,
            &nested,
        ];
        for text in malformed {
            let unread = read(text).unwrap_err();
            assert!(matches!(&unread, Unread::Malformed(_)), "{text}: {unread:?}");
        }
        for text in [
            r#"{"format":4}"#,
            r#"{"format":0,"fields":7}"#,
            r#"{"fields":{},"format":2,"version":"v1"}"#,
        ] {
            let unread = read(text).unwrap_err();
            assert!(matches!(&unread, Unread::Unsupported(_)), "{text}: {unread:?}");
        }
    }

    #[test]
    fn an_annotation_has_the_values_of_its_name() {
        let text = r#"{"fields":{"v1":{"spec.a":1,"spec.b":2}},"format":3,"notShown":{"v1":{"spec.c":9}}}"#;
        let (own, misplaced) = read(text).unwrap();
        assert_eq!(own.to_value(), json!({"fields": {"v1": {"spec.a": 1}}}));
        let others = json!({"fields": {"v1": {"spec.b": 2}}, "notShown": {"v1": {"spec.c": 9}}});
        assert_eq!(misplaced.to_value(), others);
        let (own, misplaced) = Entries::read(KEY, "NotShown", text).unwrap();
        assert_eq!(own.to_value(), json!({"fields": {}, "notShown": {"v1": {"spec.c": 9}}}));
        assert_eq!(misplaced.to_value(), json!({"fields": {"v1": {"spec.a": 1, "spec.b": 2}}}));
    }

    /// A field between another one and its parts does not split it.
    #[test]
    fn a_field_has_one_value() {
        let fields = r#"{"spec.a":{"x":1},"spec.a.b":2,"spec.a/y":3}"#;
        let text = format!(r#"{{"fields":{{"v1":{fields}}},"format":3}}"#);
        let (own, misplaced) = Entries::read(KEY, "v1.spec.a", &text).unwrap();
        let mut all = own;
        all.extend(misplaced);
        let paths: Vec<String> = all.values_of("v1").into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["spec.a", "spec.a.b"]);
    }

    #[test]
    fn annotations_of_a_key() {
        let all = ["example.com/kept", "example.com/kept-not", "example.com/kept.v1.spec.a"];
        let others = ["example.com/kept1", "other", "z"];
        let texts = all.into_iter().chain(others).map(|key| (key.to_owned(), "{".to_owned()));
        let mut annotations: BTreeMap<String, String> = texts.collect();
        let found: Vec<&String> = keys(&annotations, KEY).collect();
        assert_eq!(found, ["example.com/kept.v1.spec.a"]);
        let mut unread = Vec::new();
        let read = take(&mut annotations, KEY, |key, _| unread.push(key.to_owned()));
        assert!(read.is_empty());
        assert_eq!((unread.len(), annotations.len()), (1, 5));
    }
}

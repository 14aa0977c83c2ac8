//! The room in the annotations of an object. An object has to convert whatever it contains, since a server fails a whole list for one
//! object that does not. So where its kept values have no room, the largest are left out, and marked.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::names::{MARK, name};
use super::{ANNOTATIONS_LIMIT, Entries, MAX_DEPTH, field_of};
use crate::json::depth;

/// The most fields that are marked: the largest.
const MOST_MARKS: usize = 32;

/// The levels of objects around a value in a text.
const AROUND: usize = 3;

/// The bytes of a mark other than the version and the path: the number, and signs around them.
const MARK_BYTES: usize = 16;

/// A field, by its version and path.
type Field = (String, String);

impl Entries {
    /// Adds the annotations of a key to the others of an object, and returns the values that had no room: the largest ones, `fresh` values
    /// first. So a conversion removes its own values before those of an earlier conversion.
    pub(crate) fn write(
        mut self,
        key: &str,
        is_fresh: impl Fn(&str, &str) -> bool,
        annotations: &mut BTreeMap<String, String>,
    ) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let sizes = annotations.iter().map(|(key, text)| key.len() + text.len());
        let room = ANNOTATIONS_LIMIT.saturating_sub(sizes.sum());
        let written = self.texts(key);
        if written.is_whole && written.size <= room {
            annotations.extend(written.texts);
            return Self::default();
        }
        let without_room = self.without_room(&written, (key, room), &is_fresh);
        let mut dropped = self.leave_out(&without_room);
        for has_marks in [true, false] {
            if !has_marks {
                self.not_shown.clear();
            }
            let written = self.texts(key);
            if written.is_whole && written.size <= room {
                annotations.extend(written.texts);
                return dropped;
            }
        }
        // The other annotations leave no room for anything.
        dropped.extend(self);
        dropped
    }

    /// The texts of the annotations by their keys.
    fn texts(&self, key: &str) -> Written {
        let mut all: BTreeMap<String, Self> = BTreeMap::new();
        for (versions, is_filled) in [(&self.fields, false), (&self.filled, true)] {
            for (version, fields) in versions {
                for (path, value) in fields {
                    let of = all.entry(name(key, version, path)).or_default();
                    let into = if is_filled { &mut of.filled } else { &mut of.fields };
                    into.entry(version.clone()).or_default().insert(path.clone(), value.clone());
                }
            }
        }
        if !self.not_shown.is_empty() {
            all.entry(MARK.to_owned()).or_default().not_shown.clone_from(&self.not_shown);
        }
        let mut written = Written { texts: BTreeMap::new(), size: 0, is_whole: true };
        for (name, entries) in all {
            let Some(text) = entries.text() else {
                written.is_whole = false;
                continue;
            };
            let annotation = format!("{key}.{name}");
            written.size += annotation.len() + text.len();
            written.texts.insert(annotation, text);
        }
        written
    }

    /// The fields that are left out so that the rest fits, largest first.
    fn without_room(
        &self,
        written: &Written,
        (key, room): (&str, usize),
        is_fresh: &impl Fn(&str, &str) -> bool,
    ) -> Vec<Field> {
        let mut sizes: BTreeMap<Field, (usize, bool)> = BTreeMap::new();
        for (version, fields) in &self.fields {
            for (path, value) in fields {
                let annotation = format!("{key}.{}", name(key, version, path));
                let text = written.texts.get(&annotation);
                let value = value.to_string();
                let own = value.len() + path.len();
                let is_alone =
                    text.is_some_and(|text| text.len() < own + ALONE_BYTES + version.len());
                let size = if is_alone { own + ALONE_BYTES + annotation.len() } else { own };
                let field = (version.clone(), field_of(path).to_owned());
                let (of_field, is_deep) = sizes.entry(field).or_default();
                *of_field += size;
                *is_deep |= depth(value.as_bytes()) + AROUND > MAX_DEPTH;
            }
        }
        let mut all: Vec<(Field, (usize, bool))> = sizes.into_iter().collect();
        all.sort_by_key(|((version, path), (size, is_deep))| {
            (!is_deep, !is_fresh(version, path), usize::MAX - size)
        });
        let (mut taken, mut left_out) = (written.size + key.len() + ALONE_BYTES, Vec::new());
        for ((version, path), (size, is_deep)) in all {
            if !is_deep && taken <= room {
                break;
            }
            // A text that nests too deep is not in the sum.
            taken = if is_deep { taken } else { taken.saturating_sub(size) };
            if left_out.len() < MOST_MARKS {
                taken += MARK_BYTES + version.len() + path.len();
            }
            left_out.push((version, path));
        }
        left_out
    }

    /// Marks a field whose value is not kept, unless enough are marked.
    pub(crate) fn mark(&mut self, version: &str, path: &str, value: &Value) {
        if self.not_shown.values().map(BTreeMap::len).sum::<usize>() < MOST_MARKS {
            let bytes = value.to_string().len().into();
            self.not_shown.entry(version.to_owned()).or_default().insert(path.to_owned(), bytes);
        }
    }

    /// Takes fields out, and marks the first of them.
    fn leave_out(&mut self, fields: &[Field]) -> Self {
        let all: BTreeSet<(&str, &str)> =
            fields.iter().map(|(version, path)| (&**version, &**path)).collect();
        let taken = self.split_off(|version, path| all.contains(&(version, field_of(path))));
        for (version, path) in fields.iter().take(MOST_MARKS) {
            let of_field = taken.fields.get(version).into_iter().flatten();
            let of_field = of_field.filter(|(part, _)| field_of(part) == path);
            let bytes: usize = of_field.map(|(_, value)| value.to_string().len()).sum();
            self.not_shown.entry(version.clone()).or_default().insert(path.clone(), bytes.into());
        }
        taken
    }
}

/// The bytes of the text of an annotation other than one path and its value: a lower bound.
const ALONE_BYTES: usize = r#"{"fields":{"v1":{"":}},"format":3}"#.len();

/// The texts of annotations.
struct Written {
    texts: BTreeMap<String, String>,
    /// The bytes of their keys and texts.
    size: usize,
    /// Whether all values are in them.
    is_whole: bool,
}

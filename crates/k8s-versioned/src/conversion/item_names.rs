//! The names of the items of lists and maps in the paths of kept values.
//!
//! A kept value names the item that it belongs to, so that it comes back to no other: see
//! `docs/reference/conversion-annotation.md`.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::Serialize;
use serde_json::Value;

/// The items around the current field, outermost first.
#[derive(Debug, Default)]
pub(crate) struct ItemsAround(pub(super) Vec<Item>);

/// An item around the current field.
#[derive(Debug)]
pub(super) struct Item {
    /// The position in the list; `None` for a value of a map.
    pub(super) index: Option<usize>,
    pub(super) by: By,
    /// The values that identify it. The name is computed from these on demand: nearly all items keep nothing. Hot path, row `convert
    /// claims` of the benches.
    pub(super) values: Identity,
    /// Its name, once a path has it: all fields inside have it in their paths.
    pub(super) name: OnceCell<String>,
    /// The number of findings before its conversion.
    pub(super) reported_before: usize,
}

/// The most bytes of the keys of an item in its name. All fields inside repeat the name, so longer keys become a digest.
const LONGEST_KEYS: usize = 1024;

/// How the annotation names an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    /// The values of the list's merge keys, or the key of the map, as JSON.
    Key,
    /// The first item of a list that is an object in other versions: it is the same item whatever it contains.
    First,
    /// The position, and a digest of the fields that every version has.
    Position(usize),
}

impl Item {
    fn name(&self) -> &str {
        self.name.get_or_init(|| {
            let values = self.values.json();
            match self.by {
                By::Key if values.len() > LONGEST_KEYS => {
                    format!("#:{:016x}", long_digest(values.bytes()))
                }
                By::Key => values,
                By::First => "0".to_owned(),
                By::Position(index) => format!("#{index}:{:08x}", digest(values.as_bytes())),
            }
        })
    }
}

impl ItemsAround {
    /// A path of the annotation: `template` has `[]` for each of the items, and `[-]` for an item that is an object there.
    pub(crate) fn named(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| path.push_str(item.name()))
    }

    /// A path for reports, with the positions of the items.
    pub(crate) fn indexed_path(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| match item.index {
            Some(index) => path.push_str(&index.to_string()),
            None => path.push_str(item.name()),
        })
    }

    /// The key of the innermost item, which is a value of a map.
    pub(crate) fn key(&self) -> String {
        let name = self.0.last().map(|item| item.values.json());
        name.and_then(|name| serde_json::from_str(&name).ok()).unwrap_or_default()
    }

    /// The number of findings that are not about the innermost item.
    pub(crate) fn reported_before(&self) -> usize {
        self.0.last().map_or(0, |item| item.reported_before)
    }

    fn fill(
        &self,
        template: &'static str,
        write: impl Fn(&Item, &mut String),
    ) -> Cow<'static, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(template);
        }
        let (mut path, mut rest) = (String::new(), template);
        let mut items = self.0.iter();
        while let Some((before, is_shown, after)) = next_item(rest) {
            path.push_str(before);
            let item = items.next();
            if is_shown {
                path.push('[');
                match item {
                    Some(item) => write(item, &mut path),
                    // An item that is not entered yet is the first one.
                    None => path.push('0'),
                }
                path.push(']');
            }
            rest = after;
        }
        path.push_str(rest);
        Cow::Owned(path)
    }
}

/// The text before the next item of a template, whether the path shows the item, and the text after it. Names in brackets have
/// quotes.
fn next_item(template: &str) -> Option<(&str, bool, &str)> {
    let mut brackets = template.match_indices('[');
    brackets.find_map(|(at, _)| {
        let (before, from) = template.split_at_checked(at)?;
        let after = |marker| from.strip_prefix(marker);
        let shown = after("[]").map(|after| (before, true, after));
        shown.or_else(|| after("[-]").map(|after| (before, false, after)))
    })
}

/// Returns `true` if a path of the annotation is of the field at `place`, a template. The key of an item is JSON, and can have
/// brackets in a text.
pub(crate) fn is_of(path: &str, place: &str) -> bool {
    let (mut rest, mut template) = (path, place);
    while let Some((before, is_shown, after)) = next_item(template) {
        let found = rest.strip_prefix(before).and_then(|rest| {
            if is_shown { rest.strip_prefix('[').and_then(after_item) } else { Some(rest) }
        });
        let Some(found) = found else {
            return false;
        };
        (rest, template) = (found, after);
    }
    rest == template
}

/// The text after the bracket that ends an item.
fn after_item(text: &str) -> Option<&str> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        if letter == ']' && !quoted {
            return text.get(at + 1..);
        }
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// The values that identify an item: JSON, but texts are not quoted yet.
#[derive(Debug, Default)]
pub struct Identity(pub(super) Vec<u8>);

/// The byte before and after a text. No text contains it, because it is not UTF-8.
const TEXT: u8 = 0xff;

impl Identity {
    /// Adds a value.
    pub fn add(&mut self, value: &impl Serialize) {
        self.separate();
        self.append(value);
    }

    /// Adds a text.
    #[inline]
    pub fn add_text(&mut self, text: &str) {
        self.separate();
        self.0.push(TEXT);
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(TEXT);
    }

    /// Adds a value that servers or rules fill in where it is absent. `default` is JSON. An empty value counts as absent: a value of another
    /// type is absent in one version and empty in another.
    pub fn add_or(&mut self, value: &impl Serialize, default: &str) {
        self.separate();
        let start = self.0.len();
        self.append(value);
        if matches!(self.0.get(start..), Some(b"null" | b"\"\"" | b"0" | b"false")) {
            self.0.truncate(start);
            self.0.extend_from_slice(default.as_bytes());
        }
    }

    #[inline]
    fn separate(&mut self) {
        if !self.0.is_empty() {
            self.0.push(b',');
        }
    }

    /// Adds the JSON of a value. Fields of API objects are always JSON.
    fn append(&mut self, value: &impl Serialize) {
        let _ = serde_json::to_writer(&mut self.0, value);
    }

    /// The values as JSON, separated by commas.
    fn json(&self) -> String {
        let mut json = String::new();
        for (index, part) in self.0.split(|byte| *byte == TEXT).enumerate() {
            let part = String::from_utf8_lossy(part);
            // The text between two marks is a JSON text.
            let is_text = index % 2 == 1;
            json.push_str(&if is_text { Value::from(part).to_string().into() } else { part });
        }
        json
    }
}

/// FNV-1a with 32 bits.
fn digest(text: &[u8]) -> u32 {
    text.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// FNV-1a with 64 bits.
pub(super) fn long_digest(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::OnceCell;

    use super::{By, Identity, Item, ItemsAround, is_of};

    /// All fields of an item repeat its name.
    #[test]
    fn long_keys_are_digests_in_names() {
        let path = |key: &str| {
            let mut values = Identity::default();
            values.add_text(key);
            let (by, name) = (By::Key, OnceCell::new());
            let item = Item { index: None, by, values, name, reported_before: 0 };
            let items = ItemsAround(vec![item]);
            assert_eq!(items.indexed_path("spec.a[].b"), items.named("spec.a[].b"));
            items.named("spec.a[].b").into_owned()
        };
        let longest = "k".repeat(1022);
        assert_eq!(path(&longest), format!("spec.a[\"{longest}\"].b"));
        assert_eq!(path(&format!("{longest}k")), "spec.a[#:8b3ffbf4009b318a].b");
        assert_ne!(path(&format!("{longest}k")), path(&format!("{longest}l")));
    }

    #[test]
    fn values_are_json_in_names() {
        let mut values = Identity::default();
        values.add_text("a \"b\", c");
        values.add(&80);
        values.add_or(&None::<&str>, r#""TCP""#);
        values.add_or(&Some("TCP"), r#""TCP""#);
        values.add_or(&Some("UDP"), r#""TCP""#);
        assert_eq!(values.json(), r#""a \"b\", c",80,"TCP","TCP","UDP""#);
    }

    #[test]
    fn paths_are_of_fields_in_items() {
        let table = [
            ("spec.a", "spec.a"),
            ("spec.ports[80,\"TCP\"].weight", "spec.ports[].weight"),
            (r#"a["b]\"]c\\"][#0:5bcd9d7b].d["[\\"]"#, "a[][].d[]"),
            ("a[b[c]d", "a[]d"),
            (r#"spec["foo.bar"].a["b"]"#, r#"spec["foo.bar"].a[]"#),
            (r#"spec.log[0].sinks["a"].x"#, "spec.log[].sinks[].x"),
            (r#"spec.log.sinks["a"].x"#, "spec.log[-].sinks[].x"),
        ];
        for (path, place) in table {
            assert!(is_of(path, place), "{path}");
        }
        let others = [
            ("spec.a", "spec.b"),
            ("spec.a.b", "spec.a"),
            ("a[", "a[]"),
            (r#"spec["a.b"]"#, r#"spec["a.c"]"#),
            (r#"spec["a.b"]"#, "spec.a.b"),
            ("spec.log[0].x", "spec.log[-].x"),
        ];
        for (path, place) in others {
            assert!(!is_of(path, place), "{path}");
        }
    }
}

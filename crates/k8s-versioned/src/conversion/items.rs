//! The items of lists and maps inside an object. They pair by position, or by the key of the map.
//!
//! A kept value names the item that it belongs to, so that it comes back to no other: see
//! `docs/conversion-annotation.md`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::Serialize;

use super::context::Context;

/// The items around the current field, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Items(Vec<Item>);

#[derive(Debug)]
struct Item {
    /// The position in the list; `None` for a value of a map.
    index: Option<usize>,
    name: Name,
    /// The number of findings before its conversion.
    reported_before: usize,
}

/// The name of an item in the annotation.
#[derive(Debug)]
enum Name {
    /// The values of the list's merge keys, or the key of the map, as JSON.
    Key(String),
    /// The position, and a digest of the fields that every version has.
    Position(usize, u32),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Position(index, digest) => write!(f, "#{index}:{digest:08x}"),
        }
    }
}

impl Items {
    /// A path of the annotation: `template` has `[]` for each of the items.
    pub(crate) fn named(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| write!(path, "{}", item.name))
    }

    /// A path for reports, with the positions of the items.
    pub(crate) fn indexed_path(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| match item.index {
            Some(index) => write!(path, "{index}"),
            None => write!(path, "{}", item.name),
        })
    }

    /// The number of findings that are not about the innermost item.
    pub(crate) fn reported_before(&self) -> usize {
        self.0.last().map_or(0, |item| item.reported_before)
    }

    fn fill(
        &self,
        template: &'static str,
        write: impl Fn(&Item, &mut String) -> fmt::Result,
    ) -> Cow<'static, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(template);
        }
        let mut path = String::new();
        let mut items = self.0.iter();
        for (place, text) in template.split("[]").enumerate() {
            if place > 0 {
                path.push('[');
                // Writing to a text never fails.
                let _ = items.next().map(|item| write(item, &mut path));
                path.push(']');
            }
            path.push_str(text);
        }
        Cow::Owned(path)
    }
}

/// Returns `true` if a path of the annotation is of the field at `place`, which has `[]` for each item. The key of an item is
/// JSON, and can have brackets in a text.
pub(crate) fn is_of(path: &str, place: &str) -> bool {
    let mut rest = path;
    for (index, text) in place.split("[]").enumerate() {
        if index > 0 {
            let Some(after) = rest.strip_prefix('[').and_then(after_item) else {
                return false;
            };
            rest = after;
        }
        let Some(after) = rest.strip_prefix(text) else {
            return false;
        };
        rest = after;
    }
    rest.is_empty()
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

/// The values that identify an item.
#[derive(Debug, Default)]
pub struct Identity(String);

impl Identity {
    /// Adds a value.
    pub fn add(&mut self, value: &impl Serialize) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        // Fields of API objects are always JSON.
        self.0.push_str(&serde_json::to_string(value).unwrap_or_default());
    }

    /// FNV-1a of the text, with 32 bits.
    fn digest(&self) -> u32 {
        self.0
            .bytes()
            .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

/// Converts the items of a list whose items have merge keys. An item whose keys another item has, too, is named by its
/// position.
pub fn by_key<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let identities: Vec<Identity> = list.iter().map(|item| identity(item, &identify)).collect();
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for Identity(keys) in &identities {
        if !seen.insert(keys.as_str()) {
            twice.insert(keys.clone());
        }
    }
    let name = |(index, identity): (usize, Identity)| {
        if twice.contains(&identity.0) {
            Name::Position(index, identity.digest())
        } else {
            Name::Key(identity.0)
        }
    };
    let names = identities.into_iter().enumerate().map(name).collect();
    each(list, names, context, convert)
}

/// Converts the items of a list without merge keys.
pub fn by_position<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let items = list.iter().enumerate();
    let name = |(index, item)| Name::Position(index, identity(item, &identify).digest());
    let names = items.map(name).collect();
    each(list, names, context, convert)
}

/// Converts the values of a map.
pub fn by_name<S, T, P>(
    map: BTreeMap<String, S>,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> BTreeMap<String, T> {
    let convert = |(key, value): (String, S)| {
        let mut name = Identity::default();
        name.add(&key);
        (key, inside(None, Name::Key(name.0), value, context, &mut convert))
    };
    map.into_iter().map(convert).collect()
}

fn identity<S>(item: &S, identify: impl Fn(&S, &mut Identity)) -> Identity {
    let mut values = Identity::default();
    identify(item, &mut values);
    values
}

fn each<S, T, P>(
    list: Vec<S>,
    names: Vec<Name>,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let items = list.into_iter().zip(names).enumerate();
    let convert = |(index, (item, name))| inside(Some(index), name, item, context, &mut convert);
    items.map(convert).collect()
}

fn inside<S, T, P>(
    index: Option<usize>,
    name: Name,
    value: S,
    context: &mut Context<'_, P>,
    convert: &mut impl FnMut(S, &mut Context<'_, P>) -> T,
) -> T {
    context.items.0.push(Item { index, name, reported_before: context.report.len() });
    let converted = convert(value, context);
    context.items.0.pop();
    converted
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn paths_are_of_fields_in_items() {
        let table = [
            ("spec.a", "spec.a"),
            ("spec.ports[80,\"TCP\"].weight", "spec.ports[].weight"),
            (r#"a["b]\"]c\\"][#0:5bcd9d7b].d["[\\"]"#, "a[][].d[]"),
            ("a[b[c]d", "a[]d"),
            (r#"spec["foo.bar"].a["b"]"#, r#"spec["foo.bar"].a[]"#),
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
        ];
        for (path, place) in others {
            assert!(!is_of(path, place), "{path}");
        }
    }
}

//! The items of lists and maps inside an object. They pair by position, or by the key of the map.
//!
//! A kept value names the item that it belongs to, so that it comes back to no other: see
//! `docs/conversion-annotation.md`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::Serialize;

use super::context::Context;
use crate::wire::{ZeroValue, is_zero};

/// The items around the current field, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Items(Vec<Item>);

#[derive(Debug)]
struct Item {
    /// The position in the list; `None` for a value of a map.
    index: Option<usize>,
    name: Name,
    /// The name that earlier releases gave an item with absent fields that have defaults.
    former: Option<Name>,
    /// The number of findings before its conversion.
    reported_before: usize,
}

/// The name of an item in the annotation.
#[derive(Debug)]
enum Name {
    /// The values of the list's merge keys, or the key of the map, as JSON.
    Key(String),
    /// The first item of a list that is an object in other versions: it is the same item whatever it contains.
    First,
    /// The position, and a digest of the fields that every version has.
    Position(usize, u32),
}

/// The name of an item, and the one that earlier releases gave it.
type Names = (Name, Option<Name>);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::First => f.write_str("0"),
            Self::Position(index, digest) => write!(f, "#{index}:{digest:08x}"),
        }
    }
}

impl Items {
    /// A path of the annotation: `template` has `[]` for each of the items, and `[-]` for an item that is an object there.
    pub(crate) fn named(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| write!(path, "{}", item.name))
    }

    /// The paths of the annotation that a reader accepts: [`named`](Self::named), and the one that earlier releases wrote.
    pub(crate) fn readable(
        &self,
        template: &'static str,
    ) -> impl Iterator<Item = Cow<'static, str>> + use<> {
        [self.named(template)].into_iter().chain(self.formerly_named(template))
    }

    /// The path that earlier releases wrote, if it is another one: an absent field with a default was `null` in a name.
    fn formerly_named(&self, template: &'static str) -> Option<Cow<'static, str>> {
        let has_former = self.0.iter().any(|item| item.former.is_some());
        has_former.then(|| {
            self.fill(template, |item, path| {
                write!(path, "{}", item.former.as_ref().unwrap_or(&item.name))
            })
        })
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
        let (mut path, mut rest) = (String::new(), template);
        let mut items = self.0.iter();
        while let Some((before, is_shown, after)) = next_item(rest) {
            path.push_str(before);
            let item = items.next();
            if is_shown {
                path.push('[');
                // Writing to a text never fails. An item that is not entered yet is the first one.
                let _ = match item {
                    Some(item) => write(item, &mut path),
                    None => write!(path, "{}", Name::First),
                };
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

/// The values that identify an item, as JSON.
#[derive(Debug, Default)]
pub struct Identity {
    text: Vec<u8>,
    /// The text with `null` for each value that is a default, if there is one.
    former: Option<Vec<u8>>,
}

impl Identity {
    /// Adds a value.
    pub fn add(&mut self, value: &impl Serialize) {
        let Self { text, former } = self;
        if let Some(former) = former {
            append(former, value);
        }
        append(text, value);
    }

    /// Adds a value that servers fill in where it is absent. `default` is JSON.
    pub fn add_or<T>(&mut self, value: &T, default: &str)
    where
        T: Serialize + ZeroValue + PartialEq,
    {
        let before = self.text.len();
        if is_zero(value) {
            separate(&mut self.text);
            self.text.extend(default.as_bytes());
        } else {
            append(&mut self.text, value);
        }
        let (others, added) = self.text.split_at_checked(before).unwrap_or_default();
        let added = added.strip_prefix(b",").filter(|_| before > 0).unwrap_or(added);
        let is_default = added == default.as_bytes();
        if is_default && self.former.is_none() {
            self.former = Some(others.to_vec());
        }
        if let Some(former) = &mut self.former {
            separate(former);
            former.extend_from_slice(if is_default { b"null" } else { added });
        }
    }

    /// The values of an item, in the memory of those of the item before.
    fn read<S>(&mut self, item: &S, identify: impl Fn(&S, &mut Self)) -> &Self {
        self.text.clear();
        self.former = None;
        identify(item, self);
        self
    }

    /// The name of an item that no other has, and the one that earlier releases gave it.
    fn keys(&self) -> Names {
        let name = |text: &[u8]| Name::Key(String::from_utf8_lossy(text).into_owned());
        (name(&self.text), self.former.as_deref().map(name))
    }

    /// The name of an item by its position, and the one that earlier releases gave it.
    fn positions(&self, index: usize) -> Names {
        let name = |text: &[u8]| Name::Position(index, digest(text));
        (name(&self.text), self.former.as_deref().map(name))
    }
}

/// Adds the JSON of a value. Fields of API objects are always JSON.
fn append(identity: &mut Vec<u8>, value: &impl Serialize) {
    separate(identity);
    let _ = serde_json::to_writer(identity, value);
}

fn separate(identity: &mut Vec<u8>) {
    if !identity.is_empty() {
        identity.push(b',');
    }
}

/// FNV-1a with 32 bits.
fn digest(text: &[u8]) -> u32 {
    text.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Converts the items of a list whose items have merge keys. An item whose keys another item has, too, is named by its
/// position.
pub fn by_key<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let twice = twice(&list, &identify);
    let mut values = Identity::default();
    let name = |index, item: &S| {
        let values = values.read(item, &identify);
        if twice.contains(&values.text) { values.positions(index) } else { values.keys() }
    };
    each(list, 0, name, context, convert)
}

/// The values that several items have.
fn twice<S>(items: &[S], identify: impl Fn(&S, &mut Identity)) -> BTreeSet<Vec<u8>> {
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for item in items {
        let mut values = Identity::default();
        identify(item, &mut values);
        if let Some(text) = seen.replace(values.text) {
            twice.insert(text);
        }
    }
    twice
}

/// Converts the items of a list without merge keys.
pub fn by_position<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(list, 0, positions(identify), context, convert)
}

/// Converts the items of a list whose first item is an object in other versions: the others are named by their positions.
pub fn by_first<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let mut positions = positions(identify);
    let name = |index, item: &S| match index {
        0 => (Name::First, None),
        _ => positions(index, item),
    };
    each(list, 0, name, context, convert)
}

/// Converts the items of such a list without the first one.
pub fn after_first<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 1, positions(identify), context, convert)
}

/// Names items by their positions.
fn positions<S>(identify: impl Fn(&S, &mut Identity)) -> impl FnMut(usize, &S) -> Names {
    let mut values = Identity::default();
    move |index, item| values.read(item, &identify).positions(index)
}

/// Converts the items of a list that is a map in other versions. The first item with a key is named by it, the others by the number
/// of items before them that have it, too.
pub fn by_occurrence<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(list, 0, occurrences(0, identify), context, convert)
}

/// Converts the items of such a list without the first one with each key.
pub fn after_occurrence<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 0, occurrences(1, identify), context, convert)
}

/// Names items by their keys; `before` is the number of items with each key before them.
fn occurrences<S>(
    before: usize,
    identify: impl Fn(&S, &mut Identity),
) -> impl FnMut(usize, &S) -> Names {
    let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut values = Identity::default();
    move |_, item| {
        let values = values.read(item, &identify);
        let count = counts.entry(values.text.clone()).or_insert(before);
        let index = *count;
        *count += 1;
        if index == 0 { values.keys() } else { values.positions(index) }
    }
}

/// Converts an item that has this key: a value of a map, or an item of a list that is a map in other versions.
pub(crate) fn keyed<S, T, P>(
    key: &str,
    item: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    let mut values = Identity::default();
    values.add(&key);
    inside(None, values.keys(), item, context, convert)
}

/// Converts an object that is the first item of a list in other versions.
pub fn first<S, T, P>(
    object: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    inside(None, (Name::First, None), object, context, convert)
}

/// Converts the values of a map.
pub fn by_name<S, T, P>(
    map: BTreeMap<String, S>,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> BTreeMap<String, T> {
    let convert = |(key, value): (String, S)| {
        let converted = keyed(&key, value, context, &mut convert);
        (key, converted)
    };
    map.into_iter().map(convert).collect()
}

/// Converts items, of which the first is at the position `from`. The result has the memory of the list, if its items are not
/// larger than the items of the list.
fn each<S, T, P>(
    list: Vec<S>,
    from: usize,
    mut name: impl FnMut(usize, &S) -> Names,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    // Row: convert claims. The list is first, which keeps its memory.
    let items = list.into_iter().zip(from..);
    let convert = |(item, index)| {
        let names = name(index, &item);
        inside(Some(index), names, item, context, &mut convert)
    };
    items.map(convert).collect()
}

fn inside<S, T, P>(
    index: Option<usize>,
    (name, former): Names,
    value: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    let reported_before = context.report.len();
    context.items.0.push(Item { index, name, former, reported_before });
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

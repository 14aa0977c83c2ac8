//! The items of lists and maps inside an object. They pair by position, or by the key of the map.
//!
//! A kept value names the item that it belongs to, so that it comes back to no other: see
//! `docs/reference/conversion-annotation.md`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use super::context::Context;
use crate::wire::{ZeroValue, is_zero};

/// The items around the current field, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Items(Vec<Item>);

#[derive(Debug)]
struct Item {
    /// The position in the list; `None` for a value of a map.
    index: Option<usize>,
    by: By,
    /// The values that identify it. Its name is made of them when it is asked for: nearly all items keep nothing. Row: convert
    /// claims.
    values: Identity,
    /// The number of findings before its conversion.
    reported_before: usize,
}

/// How the annotation names an item.
#[derive(Clone, Copy, Debug)]
enum By {
    /// By the values of the list's merge keys, or the key of the map, as JSON.
    Key,
    /// The first item of a list that is an object in other versions: it is the same item whatever it contains.
    First,
    /// By the position, and a digest of the fields that every version has.
    Position(usize),
}

impl Item {
    /// Writes its name.
    fn write_name(&self, path: &mut String) {
        self.write(&self.values.json(Defaults::Stated), path);
    }

    /// Writes the name that earlier releases gave it: an absent field with a default was `null`.
    fn write_former_name(&self, path: &mut String) {
        self.write(&self.values.json(Defaults::Null), path);
    }

    fn write(&self, values: &str, path: &mut String) {
        match self.by {
            By::Key => path.push_str(values),
            By::First => path.push('0'),
            By::Position(index) => {
                // Writing to a text never fails.
                let _ = write!(path, "#{index}:{:08x}", digest(values.as_bytes()));
            }
        }
    }
}

impl Items {
    /// A path of the annotation: `template` has `[]` for each of the items, and `[-]` for an item that is an object there.
    pub(crate) fn named(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, Item::write_name)
    }

    /// The paths of the annotation that a reader accepts: [`named`](Self::named), and the one that earlier releases wrote.
    pub(crate) fn readable(
        &self,
        template: &'static str,
    ) -> impl Iterator<Item = Cow<'static, str>> + use<> {
        [self.named(template)].into_iter().chain(self.formerly_named(template))
    }

    /// The path that earlier releases wrote, if it is another one.
    fn formerly_named(&self, template: &'static str) -> Option<Cow<'static, str>> {
        let has_former = self.0.iter().any(|item| item.values.has_default());
        has_former.then(|| self.fill(template, Item::write_former_name))
    }

    /// A path for reports, with the positions of the items.
    pub(crate) fn indexed_path(&self, template: &'static str) -> Cow<'static, str> {
        self.fill(template, |item, path| match item.index {
            Some(index) => path.push_str(&index.to_string()),
            None => item.write_name(path),
        })
    }

    /// The key of the innermost item, which is a value of a map.
    pub(crate) fn key(&self) -> String {
        let name = self.0.last().map(|item| item.values.json(Defaults::Stated));
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
pub struct Identity(Vec<u8>);

/// The byte before and after a text. No text contains it, because it is not UTF-8.
const TEXT: u8 = 0xff;

/// The byte before and after a value that is a default.
const DEFAULT: u8 = 0xfe;

/// How a name has the values that are defaults.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defaults {
    Stated,
    Null,
}

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

    /// Adds a value that servers fill in where it is absent. `default` is JSON.
    pub fn add_or<T>(&mut self, value: &T, default: &str)
    where
        T: Serialize + ZeroValue + PartialEq,
    {
        self.separate();
        let before = self.0.len();
        if is_zero(value) {
            self.0.extend_from_slice(default.as_bytes());
        } else {
            self.append(value);
        }
        if self.0.get(before..) == Some(default.as_bytes()) {
            self.0.insert(before, DEFAULT);
            self.0.push(DEFAULT);
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

    /// Returns `true` if a value is a default, so that earlier releases gave the item another name.
    fn has_default(&self) -> bool {
        self.0.contains(&DEFAULT)
    }

    /// The values as JSON, separated by commas.
    fn json(&self, defaults: Defaults) -> String {
        let mut json = String::new();
        let (mut rest, mut around) = (self.0.as_slice(), None);
        while !rest.is_empty() {
            let is_end = |byte: &u8| matches!(*byte, TEXT | DEFAULT);
            let end = rest.iter().position(is_end).unwrap_or(rest.len());
            let (part, after) = rest.split_at_checked(end).unwrap_or_default();
            let part = String::from_utf8_lossy(part);
            match around {
                Some(TEXT) => json.push_str(&Value::from(part).to_string()),
                Some(_) if defaults == Defaults::Null => json.push_str("null"),
                _ => json.push_str(&part),
            }
            let mark = after.first().copied();
            around = if around.is_none() { mark } else { None };
            rest = after.get(1..).unwrap_or_default();
        }
        json
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
    let by = |index, values: &Identity| {
        if twice.contains(&values.0) { By::Position(index) } else { By::Key }
    };
    each(list, 0, (identify, by), context, convert)
}

/// The values that several items have.
fn twice<S>(items: &[S], identify: impl Fn(&S, &mut Identity)) -> BTreeSet<Vec<u8>> {
    let (mut all, mut values) = (Vec::new(), Identity::default());
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(items.len());
    for item in items {
        values.0.clear();
        identify(item, &mut values);
        ranges.push(all.len()..all.len() + values.0.len());
        all.append(&mut values.0);
    }
    let values = |range: &Range<usize>| all.get(range.clone()).unwrap_or_default();
    ranges.sort_unstable_by(|one, other| values(one).cmp(values(other)));
    let pairs = ranges.iter().zip(ranges.iter().skip(1));
    let same = pairs.filter(|(one, next)| values(one) == values(next));
    same.map(|(one, _)| values(one).to_vec()).collect()
}

/// Converts the items of a list without merge keys.
pub fn by_position<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(list, 0, (identify, position), context, convert)
}

/// Converts the items of a list whose first item is an object in other versions: the others are named by their positions.
pub fn by_first<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let by = |index, _: &Identity| if index == 0 { By::First } else { By::Position(index) };
    each(list, 0, (identify, by), context, convert)
}

/// Converts the items of such a list without the first one.
pub fn after_first<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 1, (identify, position), context, convert)
}

fn position(index: usize, _: &Identity) -> By {
    By::Position(index)
}

/// Converts the items of a list that is a map in other versions. The first item with a key is named by it, the others by the number
/// of items before them that have it, too.
pub fn by_occurrence<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(list, 0, (identify, occurrences(0)), context, convert)
}

/// Converts the items of such a list without the first one with each key.
pub fn after_occurrence<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 0, (identify, occurrences(1)), context, convert)
}

/// Names items by their keys; `before` is the number of items with each key before them.
fn occurrences(before: usize) -> impl FnMut(usize, &Identity) -> By {
    let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    move |_, values| {
        let count = counts.entry(values.0.clone()).or_insert(before);
        let index = *count;
        *count += 1;
        if index == 0 { By::Key } else { By::Position(index) }
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
    values.add_text(key);
    inside((None, By::Key), &mut values, item, context, convert)
}

/// Converts an object that is the first item of a list in other versions.
pub fn first<S, T, P>(
    object: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    inside((None, By::First), &mut Identity::default(), object, context, convert)
}

/// Converts the values of a map.
pub fn by_name<S, T, P>(
    map: BTreeMap<String, S>,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> BTreeMap<String, T> {
    let mut values = Identity::default();
    let convert = |(key, value): (String, S)| {
        values.0.clear();
        values.add_text(&key);
        let converted = inside((None, By::Key), &mut values, value, context, &mut convert);
        (key, converted)
    };
    map.into_iter().map(convert).collect()
}

/// Converts the items of a list by a function that keeps nothing. The result has the memory of the list, if its items are not
/// larger than the items of the list.
#[inline]
pub fn of_list<S, T>(list: Vec<S>, convert: impl FnMut(S) -> T) -> Vec<T> {
    // Most lists in an object are empty. Row: convert claims.
    if list.is_empty() {
        return Vec::new();
    }
    list.into_iter().map(convert).collect()
}

/// Converts the values of a map by a function that keeps nothing.
#[inline]
pub fn of_map<S, T>(
    map: BTreeMap<String, S>,
    mut convert: impl FnMut(S) -> T,
) -> BTreeMap<String, T> {
    if map.is_empty() {
        return BTreeMap::new();
    }
    map.into_iter().map(|(key, value)| (key, convert(value))).collect()
}

/// Converts items, of which the first is at the position `from`. `identify` adds the values of an item, and `by` names it.
fn each<S, T, P>(
    list: Vec<S>,
    from: usize,
    (identify, mut by): (impl Fn(&S, &mut Identity), impl FnMut(usize, &Identity) -> By),
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    let (mut values, mut index) = (Identity::default(), from);
    // Row: convert claims. A loop copies each item four times; `collect`, which uses the memory of the list again, six times.
    let mut converted = Vec::with_capacity(list.len());
    for item in list {
        values.0.clear();
        identify(&item, &mut values);
        enter((Some(index), by(index, &values)), &mut values, context);
        converted.push(convert(item, context));
        leave(&mut values, context);
        index += 1;
    }
    converted
}

/// Converts an item. The conversion has its values until it ends, so that the next item can have their memory.
#[inline]
fn inside<S, T, P>(
    (index, by): (Option<usize>, By),
    values: &mut Identity,
    value: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    enter((index, by), values, context);
    let converted = convert(value, context);
    leave(values, context);
    converted
}

/// Enters an item. It has the values until [`leave`].
fn enter<P>((index, by): (Option<usize>, By), values: &mut Identity, context: &mut Context<'_, P>) {
    let reported_before = context.report.len();
    context.items.0.push(Item { index, by, values: mem::take(values), reported_before });
}

/// Leaves the innermost item, and takes its values back.
fn leave<P>(values: &mut Identity, context: &mut Context<'_, P>) {
    if let Some(item) = context.items.0.pop() {
        *values = item.values;
    }
}

#[cfg(test)]
mod tests {
    use super::{Defaults, Identity, is_of};

    #[test]
    fn values_are_json_in_names() {
        let mut values = Identity::default();
        values.add_text("a \"b\", c");
        values.add(&80);
        assert!(!values.has_default());
        values.add_or(&None::<&str>, r#""TCP""#);
        values.add_or(&Some("TCP"), r#""TCP""#);
        values.add_or(&Some("UDP"), r#""TCP""#);
        assert!(values.has_default());
        let names = [Defaults::Stated, Defaults::Null].map(|defaults| values.json(defaults));
        let stated = r#""a \"b\", c",80,"TCP","TCP","UDP""#;
        let former = r#""a \"b\", c",80,null,null,"UDP""#;
        assert_eq!(names, [stated, former]);
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

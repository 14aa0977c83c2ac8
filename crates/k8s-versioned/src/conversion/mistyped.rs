//! Stored objects with values of another type than their version declares.
//!
//! A server keeps such values when the schema of a version changes, and no client can repair an object whose conversion
//! fails. So these values are set aside, the rest converts, and they are passed on unchanged to the same place. Where the target has
//! no field of another type at this place, an annotation keeps each, under the place as a JSON pointer with quotes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::mem;

use k8s_versioned_core::pointer::unescaped;
use serde_json::{Map, Value, json};

use super::annotation::Entries;
use super::any_version::{AnyVersion, VersionOf, VersionVisitor, types};
use super::decode::JsonError;
use super::json_annotations::{entries_of, texts, write_entries};
use super::mistyped_kept::{MOST_KEPT, Mistyped, keep, report_broken, take_kept};
use super::mistyped_place::{put, quoted, unquoted};
use super::{ConversionFinding, ConversionReport, Options};
use crate::TypeMeta;
use crate::field::{FieldPath, PathRef};
use crate::json::{BodyPosition, Noted};

/// The number of values that are set aside one by one. Each takes several readings of the object; after them whole parts,
/// such as `spec`, are set aside.
const ONE_BY_ONE: usize = 16;

/// Converts an object as a server has stored it.
///
/// # Errors
/// It is not an object of the kind, or its metadata cannot be read.
pub(super) fn convert<A: AnyVersion>(
    value: &Value,
    to: A::Version,
    options: &Options<A::Policies>,
    report: &mut ConversionReport,
) -> Result<Value, JsonError> {
    let from = TypeMeta::among(value, types::<A>(A::KIND))?;
    let key = A::ANNOTATION_KEY.map(|default| options.annotation_key(default));
    let changing = key.filter(|_| from != to);
    let (mut kept, rest) = changing.map(|key| take_kept(value, key)).unwrap_or_default();
    if let Some(key) = changing.filter(|_| kept.len() > MOST_KEPT) {
        report_broken(key, kept.len(), report);
        kept.clear();
    }
    let rest = rest.map_or(Cow::Borrowed(value), Cow::Owned);
    let (object, aside, typed) = read::<A>(&rest, report)?;
    let object = object.convert_to_reporting(to, options, report);
    let mut converted = serde_json::to_value(&object).map_err(JsonError::Encode)?;
    // What this conversion keeps is not stale. Hot path, row `claims of one request with a value to keep` of the benches.
    if let Some(key) = changing.filter(|key| texts(&rest, key).next().is_some())
        && let Some(entries) = entries_of(&converted, key)
        && let Some(fresh) = without_stale(&object, (key, entries), options, report)
    {
        write_entries(&mut converted, key, fresh);
    }
    if !aside.is_empty() || !kept.is_empty() {
        let is_constant = |place: &str, live: &Value| {
            let constant = constant_at::<A>(value, &unquoted(place), (to, key), options);
            // The second takes conversions of the whole object.
            constant.as_ref() == Some(live)
                || typed.as_ref().is_some_and(|typed| feeds::<A>(typed, (place, live), to, options))
        };
        put_all::<A>((aside, kept), (to, key), &is_constant, &mut converted, report);
    }
    Ok(converted)
}

/// Returns `true` if the value of the source at a place becomes the one of the target there, which is `live` without it: with another value
/// in the source it differs.
fn feeds<A: AnyVersion>(
    typed: &Value,
    (place, live): (&str, &Value),
    to: A::Version,
    options: &Options<A::Policies>,
) -> bool {
    let pointer = unquoted(place);
    [json!("m"), json!(1), json!(true)].into_iter().any(|other| {
        let mut object = typed.clone();
        put(&mut object, place, other)
            && converted_at::<A>(&object, &pointer, to, options).is_some_and(|value| value != *live)
    })
}

/// The value at a place of an object after its conversion.
fn converted_at<A: AnyVersion>(
    object: &Value,
    pointer: &str,
    to: A::Version,
    options: &Options<A::Policies>,
) -> Option<Value> {
    let mut quiet = ConversionReport::new();
    let object = A::from_value(object, &mut quiet).ok()?;
    let object = object.convert_to_reporting(to, options, &mut quiet);
    serde_json::to_value(&object).ok()?.pointer(pointer).cloned()
}

/// The constant that a rule writes at a place, found by converting an empty object.
fn constant_at<A: AnyVersion>(
    value: &Value,
    pointer: &str,
    (to, key): (A::Version, Option<&str>),
    options: &Options<A::Policies>,
) -> Option<Value> {
    let (around, name) = pointer.rsplit_once('/')?;
    // An item leaves an empty one.
    let is_item = value.pointer(around).is_some_and(Value::is_array);
    let path = if is_item { pointer } else { around };
    let mut nothing = objects_around(value, &mut path.split('/').skip(1));
    for name in ["apiVersion", "kind"] {
        nothing.as_object_mut()?.insert(name.to_owned(), value.get(name)?.clone());
    }
    nothing.as_object_mut()?.insert("metadata".to_owned(), metadata_without_values(value, key));
    let constant = converted_at::<A>(&nothing, pointer, to, options);
    if constant.is_some() || is_item {
        return constant;
    }
    // An empty object can be absent in the target. Other values keep it there: what is made of one of them differs from the live value.
    let mut others = value.pointer(around)?.as_object()?.clone();
    others.remove(&*unescaped(name));
    others.retain(|_, value| change(value));
    *nothing.pointer_mut(around)? = others.into();
    converted_at::<A>(&nothing, pointer, to, options)
}

/// What the metadata says of an object without values: its namespace, and which of its fields are absent in other versions.
fn metadata_without_values(value: &Value, key: Option<&str>) -> Value {
    let namespace = value.pointer("/metadata/namespace");
    let mut object = json!({"metadata": {"namespace": namespace}});
    if let Some((key, entries)) = key.and_then(|key| Some((key, entries_of(value, key)?))) {
        write_entries(&mut object, key, entries.without_values());
    }
    object.get_mut("metadata").map(Value::take).unwrap_or_default()
}

/// Changes each text, number and boolean in a value, and removes empty values, which no change makes differ. `false` if nothing is left.
fn change(value: &mut Value) -> bool {
    match value {
        Value::Null => return false,
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(number) => {
            *value = number.as_i64().map_or(json!(0.5), |number| json!(number.wrapping_add(1)));
        }
        Value::String(text) => text.push('0'),
        // The others know their positions.
        Value::Array(items) => return items.iter_mut().map(change).filter(|it| *it).count() > 0,
        Value::Object(members) => {
            members.retain(|_, value| change(value));
            return !members.is_empty();
        }
    }
    true
}

/// Only the objects and lists around a place.
fn objects_around<'p>(value: &Value, steps: &mut impl Iterator<Item = &'p str>) -> Value {
    let empty = || Value::Object(Map::new());
    let Some(step) = steps.next() else { return empty() };
    let index = step.parse().unwrap_or_default();
    match value.as_array().map(|items| items.split_at_checked(index)) {
        Some(Some((before, [item, ..]))) => {
            let inside = objects_around(item, steps);
            before.iter().map(|_| empty()).chain([inside]).collect()
        }
        Some(_) => empty(),
        None => {
            let name = unescaped(step);
            let inside = value.get(&*name).map_or_else(empty, |value| objects_around(value, steps));
            json!({ &*name: inside })
        }
    }
}

/// The entries of a converted object without the values that an edit has made stale, though no version on the way has the field in
/// its complete form: the version of the kept value judges. Otherwise a server would store them until a conversion into that
/// version. `None` if nothing is stale.
fn without_stale<A: AnyVersion>(
    object: &A,
    (key, mut entries): (&str, Entries),
    options: &Options<A::Policies>,
    report: &mut ConversionReport,
) -> Option<Entries> {
    let before = report.len();
    for version in A::VERSIONS.iter().filter(|version| **version != object.version()) {
        let name = version.to_string();
        if !entries.has_version(&name) {
            continue;
        }
        let mut judgement = ConversionReport::new();
        let judged = object.clone().convert_to_reporting(*version, options, &mut judgement);
        let stale = StaleValues::in_report(&judgement);
        if stale.0.is_empty() {
            continue;
        }
        let back =
            judged.convert_to_reporting(object.version(), options, &mut ConversionReport::new());
        let back = serde_json::to_value(&back).ok()?;
        let kept = entries_of(&back, key).unwrap_or_default();
        let is_discarded =
            |(path, value): &(String, Value)| !kept.has(path) && stale.contain(value);
        let values = entries.values_of(&name).into_iter();
        let discarded: Vec<(String, Value)> = values.filter(is_discarded).collect();
        if stale.report(&discarded, report) {
            for (path, _) in &discarded {
                entries.remove(&name, path);
            }
        }
    }
    (report.len() > before).then_some(entries)
}

/// Findings about stale values, by the value.
struct StaleValues<'r>(HashMap<&'r Value, Vec<(&'r FieldPath, &'r ConversionFinding)>>);

impl<'r> StaleValues<'r> {
    fn in_report(report: &'r ConversionReport) -> Self {
        let mut values: HashMap<_, Vec<_>> = HashMap::new();
        for (path, finding) in report.iter() {
            if let ConversionFinding::Stale { kept, .. } = finding {
                values.entry(kept).or_default().push((path, finding));
            }
        }
        Self(values)
    }

    fn contain(&self, value: &Value) -> bool {
        self.0.contains_key(value)
    }

    /// Reports that these entries are discarded; `false` if there are more equal values than findings, so that it cannot be said
    /// which of them are stale.
    fn report(&self, discarded: &[(String, Value)], report: &mut ConversionReport) -> bool {
        let mut counts: HashMap<&Value, usize> = HashMap::new();
        let mut stale = Vec::new();
        for (_, value) in discarded {
            let count = counts.entry(value).or_default();
            let Some(finding) = self.0.get(value).and_then(|findings| findings.get(*count)) else {
                return false;
            };
            *count += 1;
            stale.push(finding);
        }
        for (path, finding) in stale {
            report.add((*path).clone(), (*finding).clone());
        }
        true
    }
}

/// Reads an object without the values of another type: returns these, and the object without them if there are some.
fn read<A: AnyVersion>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<(A, Vec<Mistyped>, Option<Value>), JsonError> {
    let (mut rest, mut aside, mut count) = (None, Vec::new(), 0);
    loop {
        let mut found = ConversionReport::new();
        let object = rest.as_ref().unwrap_or(value);
        let error = match A::from_value(object, &mut found) {
            Ok(object) => {
                for Mistyped { path, .. } in &aside {
                    found.is_passed_on(path);
                }
                report.add_at("", found);
                return Ok((object, aside, rest));
            }
            Err(JsonError::Undecodable(error)) => error,
            Err(error) => return Err(error),
        };
        let version = TypeMeta::among(object, types::<A>(A::KIND))?;
        let place = wrong_place::<A>(version, object).filter(|place| is_content(&place.pointer));
        let rest = rest.get_or_insert_with(|| value.clone());
        let taken = place.and_then(|place| {
            let (pointer, path): (_, FieldPath) = if count < ONE_BY_ONE {
                (&*place.pointer, place.path.clone().into())
            } else {
                let part = part(&place.pointer);
                (part, unescaped(part.trim_start_matches('/')).to_string().into())
            };
            let place = quoted(pointer, rest);
            let mut value = take::<A>(version, rest, pointer)?;
            put_back(&mut aside, &place, &mut value);
            Some(Mistyped { path, place, value, is_kept: false })
        });
        let Some(taken) = taken else {
            return Err(error.into());
        };
        aside.push(taken);
        count += 1;
    }
}

/// Puts the values that were set aside before back into the part that is set aside now.
fn put_back(aside: &mut Vec<Mistyped>, around: &str, part: &mut Value) {
    for inside in aside.extract_if(.., |found| is_at_or_in(&found.place, around)) {
        let place = inside.place.strip_prefix(around).unwrap_or_default();
        put(part, place, inside.value);
    }
}

/// Servers check the metadata themselves, and the type decides how an object is read.
fn is_content(pointer: &str) -> bool {
    !["", "/apiVersion", "/kind", "/metadata"].contains(&part(pointer))
}

/// The part of the object that a place is in, such as `/spec`.
fn part(pointer: &str) -> &str {
    pointer.match_indices('/').nth(1).and_then(|(end, _)| pointer.get(..end)).unwrap_or(pointer)
}

/// Takes the value at a place out of an object. An item of a list leaves an empty value: kept values know the other items by
/// their positions.
fn take<A: AnyVersion>(version: A::Version, object: &mut Value, pointer: &str) -> Option<Value> {
    let (around, name) = pointer.rsplit_once('/')?;
    if let Value::Object(members) = object.pointer_mut(around)? {
        return members.remove(&*unescaped(name));
    }
    let value = mem::take(object.pointer_mut(pointer)?);
    for empty in placeholders() {
        *object.pointer_mut(pointer)? = empty;
        if wrong_place::<A>(version, object).is_none_or(|wrong| wrong.pointer != pointer) {
            return Some(value);
        }
    }
    None
}

/// The values of which one takes the place of an item.
fn placeholders() -> [Value; 5] {
    [json!({}), json!(""), json!(0), json!(false), json!([])]
}

impl Mistyped {
    /// Puts the value into the converted object if the target has a field of another type at its place; otherwise returns it: a value
    /// of the field's type would not come back as it was. `without` is the converted object without any such value.
    fn put<A: AnyVersion>(
        self,
        (to, without): (A::Version, &Value),
        is_constant: &impl Fn(&str, &Value) -> bool,
        converted: &mut Value,
        report: &mut ConversionReport,
    ) -> Option<Self> {
        let Self { place, value, is_kept, .. } = &self;
        let pointer = &unquoted(place);
        let mut alone = without.clone();
        let is_put = put(&mut alone, place, value.clone());
        let wrong = is_put.then(|| wrong_place::<A>(to, &alone)).flatten();
        let is_part = part(pointer) == pointer;
        let is_here = |wrong: &BodyPosition| {
            wrong.pointer == *pointer || is_part && is_at_or_in(&wrong.pointer, pointer)
        };
        let Some(wrong) = wrong.filter(is_here) else {
            return Some(self);
        };
        let is_live = |live: &&Value| {
            let is_made_up = is_empty(live) && is_made_up::<A>(without, pointer, live);
            !is_made_up && (*is_kept || !is_constant(place, live))
        };
        let live = converted.pointer(pointer).filter(is_live).cloned();
        match (live, is_kept) {
            (Some(live), true) => {
                let kept = value.clone();
                report.add(wrong.path, ConversionFinding::Stale { kept, live });
            }
            (Some(_), false) => return Some(self),
            (None, _) if !put(converted, place, value.clone()) => return Some(self),
            (None, true) => {
                report.add(wrong.path, ConversionFinding::Restored { value: value.clone() });
            }
            (None, false) => self.report_passed_on(report),
        }
        None
    }

    fn report_passed_on(self, report: &mut ConversionReport) {
        report.is_passed_on(&self.path);
        report.add(self.path, ConversionFinding::OtherType { value: self.value });
    }
}

/// Puts values into the converted object, or else into its annotation: those of the object, then those that the annotation kept,
/// which are stale where the object has a value.
fn put_all<A: AnyVersion>(
    (aside, mut kept): (Vec<Mistyped>, Vec<Mistyped>),
    (to, key): (A::Version, Option<&str>),
    is_constant: &impl Fn(&str, &Value) -> bool,
    converted: &mut Value,
    report: &mut ConversionReport,
) {
    for live in &aside {
        for stale in kept.extract_if(.., |kept| kept.place == live.place) {
            let (kept, live_value) = (stale.value, live.value.clone());
            report.add(live.path.clone(), ConversionFinding::Stale { kept, live: live_value });
        }
    }
    let without = converted.clone();
    let (mut parts, mut left): (Vec<String>, Vec<Mistyped>) = (Vec::new(), Vec::new());
    for value in aside.into_iter().chain(kept) {
        if parts.iter().any(|part| is_at_or_in(&value.place, part)) {
            left.push(value);
            continue;
        }
        let place = value.place.clone();
        match value.put::<A>((to, &without), is_constant, converted, report) {
            None => parts.push(place),
            is_left => left.extend(is_left),
        }
    }
    keep::<A>(left, key, converted, report);
}

/// Returns `true` if a JSON pointer equals another pointer, or leads into the value there.
fn is_at_or_in(pointer: &str, around: &str) -> bool {
    let rest = pointer.strip_prefix(around);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns `true` for a value that replaces a value set aside: an empty value, or an object or list of empty values.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().all(is_empty),
        Value::Array(items) => items.iter().all(is_empty),
        other => other.is_null() || placeholders().contains(other),
    }
}

/// Returns `true` if the conversion explains an empty value here. An object with empty members, or a list with empty items, can also be
/// made of a field that moves here.
fn is_made_up<A: AnyVersion>(object: &Value, pointer: &str, empty: &Value) -> bool {
    let is_simple = match empty {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    if is_simple {
        return true;
    }
    let Some(without) = without_member(object, pointer) else {
        // An item of a list.
        return true;
    };
    let read = A::from_value(&without, &mut ConversionReport::new()).ok();
    let written = read.and_then(|read| serde_json::to_value(&read).ok());
    written.is_none_or(|written| written.pointer(pointer) == Some(empty))
}

/// The object without the member at a place; `None` if it has none there.
fn without_member(object: &Value, pointer: &str) -> Option<Value> {
    let (around, name) = pointer.rsplit_once('/')?;
    let mut without = object.clone();
    let members = without.pointer_mut(around)?.as_object_mut()?;
    members.remove(&*unescaped(name))?;
    Some(without)
}

/// The place of the first value that is not of the type that the version declares.
fn wrong_place<A: AnyVersion>(version: A::Version, object: &Value) -> Option<BodyPosition> {
    A::visit(version, Wrong(object))
}

struct Wrong<'v>(&'v Value);

impl<A: AnyVersion> VersionVisitor<A> for Wrong<'_> {
    type Output = Option<BodyPosition>;

    fn visit<K: VersionOf<A>>(self) -> Option<BodyPosition> {
        let mut noted = Noted::default();
        noted.read::<K>(self.0, PathRef::Root).err()?;
        noted.wrong
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn a_place_is_in_a_part() {
        assert_eq!([part("/spec/a/0"), part("/spec"), part("")], ["/spec", "/spec", ""]);
    }
}

//! Stored objects with values of another type than their version declares.
//!
//! A server keeps such values when the schema of a version changes, and no client can repair an object whose conversion
//! fails. So these values are set aside, the rest converts, and they are passed on unchanged to the same place. Where the target has
//! no field at this place, the annotation keeps them, under the place as a JSON pointer.

use std::mem;

use serde_json::{Map, Value, json};

use super::annotation::{ANNOTATIONS_LIMIT, Entries};
use super::any_version::{AnyVersion, VersionOf, VersionVisitor};
use super::json::{JsonError, from_value, types};
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
    let key = A::ANNOTATION_KEY.map(|default| options.annotation_key(default));
    let kept = key.and_then(|key| Kept::take(value, key, &to.to_string()));
    let (object, aside) = read::<A>(kept.as_ref().map_or(value, |kept| &kept.rest), report)?;
    let from = object.version();
    let converted = object.convert_to_reporting(to, options, report);
    let mut converted = serde_json::to_value(&converted).map_err(JsonError::Encode)?;
    if let Some(kept) = kept {
        kept.put_back::<A>(to, &mut converted, report);
    }
    if !aside.is_empty() {
        let without = converted.clone();
        // Whole parts were the last, and the values before them are inside.
        for wrong in aside.into_iter().rev() {
            if let Some(wrong) = wrong.pass_on::<A>((to, &without), &mut converted, report) {
                wrong.keep(key, &from.to_string(), &mut converted, report);
            }
        }
    }
    Ok(converted)
}

/// Reads an object without the values of another type.
fn read<A: AnyVersion>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<(A, Vec<Aside>), JsonError> {
    let (mut rest, mut aside) = (None, Vec::new());
    loop {
        let mut found = ConversionReport::new();
        let object = rest.as_ref().unwrap_or(value);
        let error = match from_value::<A>(object, &mut found) {
            Ok(object) => {
                report.add_at("", found);
                return Ok((object, aside));
            }
            Err(JsonError::Undecodable(error)) => error,
            Err(error) => return Err(error),
        };
        let version = TypeMeta::among(object, types::<A>(A::KIND))?;
        let place = wrong_place::<A>(version, object).filter(|place| is_content(&place.pointer));
        let rest = rest.get_or_insert_with(|| value.clone());
        let taken = place.and_then(|place| {
            let one_by_one = aside.len() < ONE_BY_ONE;
            let pointer = if one_by_one { &place.pointer } else { part(&place.pointer) };
            let value = take::<A>(version, rest, pointer)?;
            Some(Aside { pointer: pointer.to_owned(), path: place.path.clone().into(), value })
        });
        let Some(taken) = taken else {
            return Err(error.into());
        };
        aside.push(taken);
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
        return members.remove(&unescaped(name));
    }
    let value = mem::take(object.pointer_mut(pointer)?);
    for empty in [json!({}), json!(""), json!(0), json!(false), json!([])] {
        *object.pointer_mut(pointer)? = empty;
        if wrong_place::<A>(version, object).is_none_or(|wrong| wrong.pointer != pointer) {
            return Some(value);
        }
    }
    None
}

/// The key that a part of a JSON pointer names.
fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// A value that is set aside.
struct Aside {
    path: FieldPath,
    pointer: String,
    value: Value,
}

impl Aside {
    /// Puts the value into the converted object if the target has a field at its place; otherwise returns it. `without` is the
    /// converted object without any such value.
    fn pass_on<A: AnyVersion>(
        self,
        (to, without): (A::Version, &Value),
        converted: &mut Value,
        report: &mut ConversionReport,
    ) -> Option<Self> {
        let mut alone = without.clone();
        let has_field = put(&mut alone, &self.pointer, self.value.clone())
            && A::visit(to, Knows { object: &alone, path: &self.path });
        if !has_field || !put(converted, &self.pointer, self.value.clone()) {
            return Some(self);
        }
        report.is_passed_on(&self.path);
        report.add(self.path, ConversionFinding::OtherType { value: self.value });
        None
    }

    /// Keeps the value in the annotation of the converted object, if there is one and it has room.
    fn keep(
        self,
        key: Option<&str>,
        version: &str,
        converted: &mut Value,
        report: &mut ConversionReport,
    ) {
        let Self { path, pointer, value } = self;
        let text = key.map(|key| annotation(converted, key).unwrap_or_default().to_owned());
        let entries = text.and_then(|text| {
            let mut entries = Entries::read(&text).unwrap_or_default();
            entries.insert(version, &pointer, Some(value.clone()), None);
            entries.write()
        });
        let is_kept = key.zip(entries).is_some_and(|(key, text)| annotate(converted, key, text));
        report.add(
            path,
            if is_kept {
                ConversionFinding::Preserved { value }
            } else {
                ConversionFinding::Lost { value }
            },
        );
    }
}

/// The values of another type that the annotation keeps for a version.
struct Kept {
    /// The object without them.
    rest: Value,
    /// By their places, as JSON pointers: no path of a field begins with `/`.
    values: Vec<(String, Value)>,
}

impl Kept {
    fn take(object: &Value, key: &str, version: &str) -> Option<Self> {
        let text = annotation(object, key).filter(|text| text.contains("\"/"))?;
        let mut entries = Entries::read(text).ok()?;
        let taken = entries.split_off(|of, path| of == version && path.starts_with('/'));
        if taken.is_empty() {
            return None;
        }
        let mut rest = object.clone();
        let annotations = rest.pointer_mut("/metadata/annotations")?.as_object_mut()?;
        annotations.remove(key);
        if let Some(text) = entries.write().filter(|_| !entries.is_empty()) {
            annotations.insert(key.to_owned(), text.into());
        }
        Some(Self { rest, values: taken.of_version(version).collect() })
    }

    /// Puts the values back, unless there is a live one or the version declares another type by now.
    fn put_back<A: AnyVersion>(
        self,
        to: A::Version,
        converted: &mut Value,
        report: &mut ConversionReport,
    ) {
        for (pointer, value) in self.values {
            let mut with = converted.clone();
            let live = converted.pointer(&pointer).filter(|live| !live.is_null()).cloned();
            let is_put = put(&mut with, &pointer, value.clone());
            let wrong = is_put.then(|| wrong_place::<A>(to, &with)).flatten();
            let place = wrong.filter(|place| place.pointer == pointer);
            match (place, live) {
                (Some(place), None) => {
                    *converted = with;
                    report.add(place.path, ConversionFinding::Restored { value });
                }
                (place, live) => {
                    let path = place.map_or(pointer, |place| place.path);
                    let live = live.unwrap_or_default();
                    report.add(path, ConversionFinding::Stale { kept: value, live });
                }
            }
        }
    }
}

/// The text of an annotation.
fn annotation<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object.get("metadata")?.get("annotations")?.get(key)?.as_str()
}

/// Sets an annotation; `false` if the annotations would be larger than servers accept.
fn annotate(object: &mut Value, key: &str, text: String) -> bool {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else {
        return false;
    };
    let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
    let Some(annotations) = annotations.as_object_mut() else {
        return false;
    };
    let others = annotations.iter().filter(|(other, _)| *other != key);
    let others = others.map(|(key, text)| key.len() + text.as_str().map_or(0, str::len));
    let fits = others.sum::<usize>() + key.len() + text.len() <= ANNOTATIONS_LIMIT;
    if fits {
        annotations.insert(key.to_owned(), text.into());
    }
    fits
}

/// Puts a value at a place. Objects around it are made, as types leave out empty ones.
fn put(object: &mut Value, pointer: &str, value: Value) -> bool {
    let mut at = object;
    for name in pointer.split('/').skip(1) {
        let next = match at {
            Value::Object(members) => Some(members.entry(unescaped(name)).or_insert(Value::Null)),
            Value::Array(items) => name.parse().ok().and_then(|index: usize| items.get_mut(index)),
            Value::Null => {
                *at = Value::Object(Map::new());
                at.as_object_mut().map(|made| made.entry(unescaped(name)).or_insert(Value::Null))
            }
            _ => None,
        };
        let Some(next) = next else {
            return false;
        };
        at = next;
    }
    *at = value;
    true
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

/// Whether a version has the field at a path of an object.
struct Knows<'v> {
    object: &'v Value,
    path: &'v FieldPath,
}

impl<A: AnyVersion> VersionVisitor<A> for Knows<'_> {
    type Output = bool;

    fn visit<K: VersionOf<A>>(self) -> bool {
        let mut noted = Noted::default();
        // An error is about the value at the path, which is of another type.
        let _ = noted.read::<K>(self.object, PathRef::Root);
        !noted.unknown.iter().any(|(unknown, _)| self.path.is_in(unknown))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{part, put};

    #[test]
    fn places_in_objects() {
        assert_eq!([part("/spec/a/0"), part("/spec"), part("")], ["/spec", "/spec", ""]);
        let before = json!({"spec": {"list": [{}], "text": "x"}});
        let table = [
            ("/spec/a~1b/c", Some(json!({"spec": {"list": [{}], "text": "x", "a/b": {"c": 1}}}))),
            ("/spec/list/0", Some(json!({"spec": {"list": [1], "text": "x"}}))),
            ("/spec/list/1", None),
            ("/spec/text/a", None),
        ];
        for (pointer, expected) in table {
            let mut object = before.clone();
            let done = put(&mut object, pointer, json!(1));
            assert_eq!(done.then_some(object), expected, "{pointer}");
        }
    }
}

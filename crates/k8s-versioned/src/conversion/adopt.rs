//! Annotations in which an earlier webhook kept values. They are read once: the values move to this kind's own annotations.
//! `docs/reference/conversion-adopt.md` has the steps.
//!
//! The text is an object of another version, or has the values of some of its fields. Our own conversion of that object into the version
//! of the live one says which values the live one cannot hold, and under which names. So the live object becomes what it would be if our
//! webhook had stored it, and its conversion judges each kept value as always: an edited field wins.
//!
//! Rules can also let conversions write the annotation, next to our own, where a value is kept: then the earlier webhook can take over
//! again.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::annotation::{self, Entries, field_of};
use super::any_version::{AnyVersion, VersionOf};
use super::context::{FieldLocations, is_field_of};
use super::conversion_report::annotation as annotation_path;
use super::{ANNOTATIONS_LIMIT, ConversionFinding, ConversionReport, Options};
use crate::Resource;

/// An annotation of an earlier webhook.
#[derive(Clone, Copy, Debug)]
pub struct Adopted {
    /// Its key.
    pub annotation: &'static str,
    /// The version of its values. A whole object can name another version.
    pub version: &'static str,
    /// The names that lead to a value in the text, `*` for the only member of an object, and those that lead to its field in the object;
    /// none if the text is the whole object.
    pub fields: &'static [(&'static [&'static str], &'static [&'static str])],
    /// Whether conversions from the version also write the annotation, for the earlier webhook.
    pub is_written: bool,
}

/// The annotations that a conversion writes for an earlier webhook.
#[derive(Debug)]
pub struct Written {
    texts: Vec<(&'static str, String)>,
    /// The key of our annotations.
    key: String,
}

impl Written {
    /// Adds the annotations to those of the result, if the result has kept values, and as far as there is room.
    pub fn finish(self, annotations: &mut BTreeMap<String, String>, report: &mut ConversionReport) {
        let Self { texts, key } = self;
        if texts.is_empty() || annotation::keys(annotations, &key).next().is_none() {
            return;
        }
        for (key, text) in texts {
            let sizes = annotations.iter().map(|(key, text)| key.len() + text.len());
            if sizes.sum::<usize>() + key.len() + text.len() <= ANNOTATIONS_LIMIT {
                annotations.insert(key.to_owned(), text);
            } else {
                let bytes = text.len();
                report.add(annotation_path(key), ConversionFinding::NotHandedBack { bytes });
            }
        }
    }
}

/// Takes the annotations of an earlier webhook out of an object, and turns their values into kept values. Returns the annotations that the result has.
pub fn adopt<A: AnyVersion, S: VersionOf<A>>(
    source: &mut S,
    versions: (&str, &str),
    constants: (&str, &'static [FieldLocations], &'static [Adopted]),
    options: &Options<A::Policies>,
    report: &mut ConversionReport,
) -> Written {
    let ((from, to), (default_key, fields, all)) = (versions, constants);
    let key = options.annotation_key(default_key);
    let mut texts = Vec::new();
    for adopted in all {
        let found = source.metadata_mut().annotations.remove(adopted.annotation);
        let found = found.filter(|text| {
            Reader { adopted, from, key, fields, options }.read::<A, S>(source, text, report)
        });
        if adopted.is_written && adopted.version != to {
            let text = if adopted.version == from {
                adopted.text_of(source)
            } else {
                found.and_then(|_| adopted.text_between::<A, S>(source, options))
            };
            texts.extend(text.map(|text| (adopted.annotation, text)));
        }
    }
    Written { texts, key: key.to_owned() }
}

impl Adopted {
    /// The text for an object of the version, if it has the values.
    fn text_of(&self, object: &impl Serialize) -> Option<String> {
        let mut value = serde_json::to_value(object).ok()?;
        let Some((_, path)) = self.fields.first() else {
            value.as_object_mut()?.remove("metadata");
            return Some(value.to_string());
        };
        at(&value, path).map(Value::to_string)
    }

    /// The text between two other versions. An old text would override newer kept values, so it is written anew.
    fn text_between<A, S>(&self, source: &S, options: &Options<A::Policies>) -> Option<String>
    where
        A: AnyVersion,
        S: VersionOf<A>,
    {
        let live: A = source.clone().into();
        let mut quiet = ConversionReport::new();
        let version = version::<A>(self.version).ok()?;
        self.text_of(&live.convert_to_reporting(version, options, &mut quiet))
    }
}

/// The input for reading an annotation.
struct Reader<'a, P> {
    adopted: &'static Adopted,
    /// The version of the live object.
    from: &'a str,
    key: &'a str,
    fields: &'static [FieldLocations],
    options: &'a Options<P>,
}

impl<P> Reader<'_, P> {
    /// Gives an object the kept values of a text; `false` if it cannot be read, which is reported.
    fn read<A, S>(&self, source: &mut S, text: &str, report: &mut ConversionReport) -> bool
    where
        A: AnyVersion<Policies = P>,
        S: VersionOf<A>,
    {
        let path = || annotation_path(self.adopted.annotation);
        if self.adopted.version == self.from {
            // The object itself has these values.
            report.add(path(), ConversionFinding::Redundant { value: text.into() });
            return true;
        }
        match self.object::<A, S>(source, text, report) {
            Ok(object) => {
                self.keep(source, object, report);
                true
            }
            Err(reason) => {
                report.add(path(), ConversionFinding::Malformed { text: text.to_owned(), reason });
                false
            }
        }
    }

    /// The object that the text has, or the live one with the values that the text has.
    fn object<A, S>(
        &self,
        source: &S,
        text: &str,
        report: &mut ConversionReport,
    ) -> Result<A, String>
    where
        A: AnyVersion<Policies = P>,
        S: VersionOf<A>,
    {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let object = if self.adopted.fields.is_empty() {
            self.whole::<A>(source, value)?
        } else {
            self.with_values::<A, S>(source, &value)?
        };
        let mut found = ConversionReport::new();
        let read = A::from_value(&object, &mut found).map_err(|error| error.to_string())?;
        for (field, finding) in found.iter() {
            if let ConversionFinding::UnknownField { value } = finding {
                let text = json!({ field.as_str(): value }).to_string();
                let reason = "its version does not know these fields".to_owned();
                let finding = ConversionFinding::Unsupported { text, reason };
                report.add(annotation_path(self.adopted.annotation), finding);
            }
        }
        Ok(read)
    }

    /// The object of a text, with the name of the live one.
    fn whole<A: AnyVersion>(
        &self,
        source: &impl Resource,
        mut object: Value,
    ) -> Result<Value, String> {
        let members = object.as_object_mut().ok_or("it is not an object")?;
        let version = api_version::<A>(self.adopted.version)?;
        for (name, value) in [("apiVersion", version), ("kind", A::KIND)] {
            members.entry(name).or_insert_with(|| value.into());
        }
        let metadata = source.metadata();
        let mut own = Map::new();
        for (name, value) in [("name", &metadata.name), ("namespace", &metadata.namespace)] {
            own.extend(value.as_ref().map(|value| (name.to_owned(), value.clone().into())));
        }
        members.insert("metadata".to_owned(), own.into());
        Ok(object)
    }

    /// The live object in the version of the values, with the values that it lacks.
    fn with_values<A, S>(&self, source: &S, values: &Value) -> Result<Value, String>
    where
        A: AnyVersion<Policies = P>,
        S: VersionOf<A>,
    {
        let mut live = source.clone();
        // Other texts can have values of fields.
        annotation::take(&mut live.metadata_mut().annotations, self.key, |_, _| {});
        let live: A = live.into();
        let mut quiet = ConversionReport::new();
        let live = live.convert_to_reporting(
            version::<A>(self.adopted.version)?,
            self.options,
            &mut quiet,
        );
        let mut object = serde_json::to_value(&live).map_err(|error| error.to_string())?;
        let fields = self.adopted.fields.iter();
        let found = fields.filter_map(|(place, path)| Some((at(values, place)?, path)));
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            return Err("it has none of the values".to_owned());
        }
        for (value, path) in found {
            let inside =
                path.iter().rev().fold(value.clone(), |value, name| json!({ *name: value }));
            add_absent(&mut object, inside)?;
        }
        Ok(object)
    }

    /// Makes kept values from the parts of an object of another version that the live object cannot hold. They replace our kept values: no
    /// conversion leaves the annotation of an earlier webhook next to other values, so that webhook has written the annotation since.
    fn keep<A, S>(&self, source: &mut S, object: A, report: &mut ConversionReport)
    where
        A: AnyVersion<Policies = P>,
        S: VersionOf<A>,
    {
        let version = object.version();
        let is_known = version.to_string() == self.from
            || self.adopted.fields.is_empty() && self.is_known(source, &object);
        let mut converted = S::from_any(object, self.options, &mut ConversionReport::new());
        let adopted =
            annotation::take(&mut converted.metadata_mut().annotations, self.key, |_, _| {});
        let path = annotation_path(self.adopted.annotation);
        let value = adopted.to_value();
        let replaces =
            |of: &str, path: &str| self.replaces((&version.to_string(), &adopted), (of, path));
        if is_known || self.keeps(source, &value, replaces) {
            return report.add(path, ConversionFinding::Redundant { value });
        }
        add_empty_objects(source, &converted);
        let annotations = &mut source.metadata_mut().annotations;
        let mut own = annotation::take(annotations, self.key, |annotation, finding| {
            report.add(annotation_path(annotation), finding);
        });
        own.split_off(replaces);
        own.extend(adopted);
        let dropped = own.write(self.key, |_, _| true, annotations);
        if !dropped.is_empty() {
            let value = dropped.to_value();
            report.add(annotation_path(self.key), ConversionFinding::TooLarge { value });
        }
        report.add(path, ConversionFinding::Adopted { value });
    }

    /// Whether a kept value is replaced. The whole object replaces values of fields of its own version, and a value of a field replaces
    /// values of the same field.
    fn replaces(&self, (version, adopted): (&str, &Entries), (of, path): (&str, &str)) -> bool {
        if self.adopted.fields.is_empty() {
            is_field_of(self.fields, version, (of, path))
        } else {
            adopted.has_at(of, field_of(path))
        }
    }

    /// Returns `true` if our annotations have these values already: fields that the live object lacks have been removed since.
    fn keeps(
        &self,
        source: &impl Resource,
        values: &Value,
        replaces: impl Fn(&str, &str) -> bool,
    ) -> bool {
        let mut annotations = source.metadata().annotations.clone();
        let mut own = annotation::take(&mut annotations, self.key, |_, _| {});
        let own = own.split_off(replaces);
        !own.is_empty() && own.to_value() == *values
    }

    /// Returns `true` if the live object with its kept values already equals the object of the other version: its annotations have more
    /// values.
    fn is_known<A, S>(&self, source: &S, object: &A) -> bool
    where
        A: AnyVersion<Policies = P>,
        S: VersionOf<A>,
    {
        if annotation::keys(&source.metadata().annotations, self.key).next().is_none() {
            return false;
        }
        let live: A = source.clone().into();
        let mut quiet = ConversionReport::new();
        let live = live.convert_to_reporting(object.version(), self.options, &mut quiet);
        let content = |object: &A| {
            let mut value = serde_json::to_value(object).ok()?;
            value.as_object_mut()?.remove("metadata");
            Some(value)
        };
        content(&live) == content(object)
    }
}

/// Adds the objects that are there and empty if our conversion has made the live object: code in Go leaves them out, and kept values
/// can be inside.
fn add_empty_objects<S: Resource>(live: &mut S, converted: &S) {
    let (Ok(mut value), Ok(converted)) =
        (serde_json::to_value(&*live), serde_json::to_value(converted))
    else {
        return;
    };
    if add_empty(&mut value, &converted)
        && let Ok(with_objects) = S::deserialize(value)
    {
        *live = with_objects;
    }
}

/// Returns `true` if an object was added.
fn add_empty(live: &mut Value, converted: &Value) -> bool {
    match (live, converted) {
        (Value::Object(live), Value::Object(members)) => {
            let mut is_changed = false;
            for (name, value) in members.iter().filter(|(name, _)| *name != "metadata") {
                if let Some(live) = live.get_mut(name) {
                    is_changed |= add_empty(live, value);
                } else if is_empty_object(value) {
                    live.insert(name.clone(), value.clone());
                    is_changed = true;
                }
            }
            is_changed
        }
        (Value::Array(live), Value::Array(items)) if live.len() == items.len() => {
            let items = live.iter_mut().zip(items);
            items.fold(false, |is_changed, (live, item)| add_empty(live, item) | is_changed)
        }
        _ => false,
    }
}

fn is_empty_object(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.values().all(is_empty_object))
}

fn version<A: AnyVersion>(name: &str) -> Result<A::Version, String> {
    let found = A::VERSIONS.iter().copied().find(|version| version.to_string() == name);
    found.ok_or_else(|| format!("{} has no version {name}", A::KIND))
}

fn api_version<A: AnyVersion>(name: &str) -> Result<&'static str, String> {
    version::<A>(name).map(A::api_version)
}

/// The value to which these names lead; `*` is the only member of an object.
fn at<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().try_fold(value, |value, name| match (*name, value.as_object()) {
        ("*", Some(members)) if members.len() == 1 => members.values().next(),
        (name, members) => members?.get(name),
    })
}

/// Adds what an object lacks: members, also of the items of lists that are as long. A value that is there stays.
fn add_absent(live: &mut Value, value: Value) -> Result<(), String> {
    match (live, value) {
        (Value::Object(live), Value::Object(members)) => {
            for (name, value) in members {
                match live.get_mut(&name) {
                    Some(live) => add_absent(live, value)?,
                    None => _ = live.insert(name, value),
                }
            }
            Ok(())
        }
        (Value::Array(live), Value::Array(items)) if live.len() != items.len() => {
            Err(format!("it has {} items of a list with {}", items.len(), live.len()))
        }
        (Value::Array(live), Value::Array(items)) => {
            live.iter_mut().zip(items).try_for_each(|(live, item)| add_absent(live, item))
        }
        _ => Ok(()),
    }
}

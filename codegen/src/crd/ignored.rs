//! What servers ignore or refuse in definitions, and no type shows. A typing error in a keyword changes the types, and no server
//! says so.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::Release;
use k8s_versioned_names::text::nearest;
use serde_json::{Map, Value};

use super::definition::is_stored as is_stored_version;
use super::schema::{is_stored, nearest_stored, walk};
use super::{Derived, PackageDefinition};
use crate::Problems;
use crate::json::Pointer;
use crate::manifest::release_of;
use crate::problem::{CrdCause, Place};
use crate::spec::TYPES;
use crate::text::join;

/// The place of the versions in a definition, and of the schema in a version.
const VERSIONS: &str = "/spec/versions";
const SCHEMA: &str = "/schema/openAPIV3Schema";

/// A part of a schema that servers ignore.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    /// The name of the definition.
    definition: String,
    place: Place,
    /// The warning about this part alone.
    cause: CrdCause,
}

impl Ignored {
    /// The parts of a definition with the same key share a warning: all vendor extensions do.
    fn key(&self) -> (&str, CrdCause) {
        let cause = match &self.cause {
            CrdCause::ForeignKeywords(_) => CrdCause::ForeignKeywords(String::new()),
            other => other.clone(),
        };
        (&self.definition, cause)
    }
}

/// The parts that servers ignore of a schema, which is at `place` in the definition of this name.
pub(super) fn of_schema(schema: &mut Value, definition: &str, place: &Place) -> Vec<Ignored> {
    let mut all = Vec::new();
    walk(schema, None, &mut |members, pointer| {
        look(members, pointer, &mut |member, cause| {
            let inside = Pointer { parent: pointer, token: &member }.text();
            let place = Place { pointer: place.pointer.clone() + &inside, ..place.clone() };
            all.push(Ignored { definition: definition.to_owned(), place, cause });
        });
    });
    all
}

/// A definition without a version that servers store.
pub(super) fn of_versions(
    object: &Value,
    kind: &str,
    definition: &str,
    place: &Place,
) -> Option<Ignored> {
    let versions = object.pointer(VERSIONS).and_then(Value::as_array);
    let is_stored = versions.into_iter().flatten().any(is_stored_version);
    (!is_stored).then(|| Ignored {
        definition: definition.to_owned(),
        place: Place { pointer: VERSIONS.to_owned(), ..place.clone() },
        cause: CrdCause::NotStored(kind.to_owned()),
    })
}

/// Reports the members of a schema, which is at `pointer`, that servers ignore.
fn look(
    members: &Map<String, Value>,
    pointer: Option<&Pointer<'_>>,
    report: &mut impl FnMut(&str, CrdCause),
) {
    const KEYS: &str = "x-kubernetes-list-map-keys";
    for (name, _) in members.iter().filter(|(name, it)| !it.is_null() && !is_stored(name)) {
        let is_foreign = name.starts_with("x-") && !name.starts_with("x-kubernetes-");
        report(
            name,
            if is_foreign {
                CrdCause::ForeignKeywords(name.clone())
            } else {
                CrdCause::IgnoredKeyword { keyword: name.clone(), near: None, more: 0 }
            },
        );
    }
    let of_type = members.get("type").and_then(Value::as_str);
    if let Some(of_type) = of_type.filter(|of_type| !TYPES.contains(of_type)) {
        report("type", CrdCause::ForeignType { name: of_type.to_owned(), near: None, more: 0 });
    }
    let states = |keyword: &str| members.get(keyword).is_some_and(|it| !it.is_null());
    let is_any = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"];
    if !states("type") && !is_any.into_iter().any(states) && !is_part(pointer) {
        report("type", CrdCause::NotStated { keyword: "type", more: 0 });
    }
    if of_type == Some("array") && !states("items") {
        report("items", CrdCause::NotStated { keyword: "items", more: 0 });
    }
    let keys = members.get(KEYS).and_then(Value::as_array);
    let fields = members.get("items").and_then(|items| items.get("properties"));
    for key in keys.into_iter().flatten().filter_map(Value::as_str) {
        if fields.and_then(|fields| fields.get(key)).is_none() {
            report(KEYS, CrdCause::NoSuchKey { key: key.to_owned(), more: 0 });
        }
    }
    if let Some(default) = members.get("default").filter(|default| !default.is_null()) {
        look_at_default(members, default, report);
    }
    if let Some(Value::Array(required)) = members.get("required") {
        look_at_required(members, required, pointer, report);
    }
}

/// Reports a default that its field cannot have.
fn look_at_default(
    members: &Map<String, Value>,
    default: &Value,
    report: &mut impl FnMut(&str, CrdCause),
) {
    let is = |of_type: &str| match of_type {
        "array" => default.is_array(),
        "boolean" => default.is_boolean(),
        "integer" => default.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => default.is_number(),
        "object" => default.is_object(),
        "string" => default.is_string(),
        // There is a warning about the type.
        _ => true,
    };
    // A whole number can have a fraction of zero.
    let is_same = |word: &Value| match (word.as_f64(), default.as_f64()) {
        (Some(word), Some(default)) => word.total_cmp(&default).is_eq(),
        _ => word == default,
    };
    let of_type = members.get("type").and_then(Value::as_str);
    let words = members.get("enum").and_then(Value::as_array);
    let (default, more) = (default.to_string(), 0);
    if let Some(of_type) = of_type.filter(|of_type| !is(of_type)).map(str::to_owned) {
        report("default", CrdCause::WrongDefault { default, of_type, more });
    } else if words.is_some_and(|words| !words.iter().any(is_same)) {
        report("default", CrdCause::DefaultNotInEnum { default, more });
    }
}

/// Reports required fields of an object that servers drop.
fn look_at_required(
    members: &Map<String, Value>,
    required: &[Value],
    pointer: Option<&Pointer<'_>>,
    report: &mut impl FnMut(&str, CrdCause),
) {
    const OPEN: [&str; 3] = [
        "additionalProperties",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let Some(Value::Object(properties)) = members.get("properties") else {
        return;
    };
    if OPEN.iter().any(|keyword| members.contains_key(*keyword)) {
        return;
    }
    // Every object has these fields.
    let is_known = |name: &str| {
        properties.contains_key(name)
            || pointer.is_none() && ["apiVersion", "kind", "metadata"].contains(&name)
    };
    // A hostile schema has so many of both that to compare them takes minutes.
    let is_small = required.len().saturating_mul(properties.len()) <= 10_000;
    for name in required.iter().filter_map(Value::as_str).filter(|name| !is_known(name)) {
        // The parts of a schema can name the fields of the whole.
        if !is_part(pointer) {
            let near = || nearest(name, properties.keys().map(String::as_str)).map(str::to_owned);
            let near = is_small.then(near).flatten();
            report("required", CrdCause::RequiredDropped { name: name.to_owned(), near, more: 0 });
        }
    }
}

/// Returns `true` for a part of a schema, which need not be complete.
fn is_part(pointer: Option<&Pointer<'_>>) -> bool {
    let place = pointer.map(Pointer::text).unwrap_or_default();
    let mut tokens = place.split('/');
    while let Some(token) = tokens.next() {
        match token {
            // A field can have any name.
            "properties" | "patternProperties" => drop(tokens.next()),
            "allOf" | "anyOf" | "oneOf" | "not" => return true,
            _ => {}
        }
    }
    false
}

/// The parts that servers ignore in the schemas of a definition.
fn of_manifest(manifest: &mut PackageDefinition) -> Vec<Ignored> {
    let PackageDefinition { place, name, kind, value, .. } = &*manifest;
    let whole = of_versions(value, kind, name, place);
    let versions = manifest.value.pointer_mut(VERSIONS).and_then(Value::as_array_mut);
    let versions = versions.into_iter().flatten().enumerate().filter_map(|(index, version)| {
        let pointer = format!("{VERSIONS}/{index}{SCHEMA}");
        let place = Place { pointer, ..manifest.place.clone() };
        Some(of_schema(version.pointer_mut(SCHEMA)?, &manifest.name, &place))
    });
    versions.flatten().chain(whole).collect()
}

/// Takes the ignored parts out of documents, each with its release.
pub(crate) fn take(derived: &mut BTreeMap<String, Derived>) -> Vec<(Option<Release>, Ignored)> {
    let all = derived.iter_mut().flat_map(|(path, document)| {
        let release = release_of(path);
        std::mem::take(&mut document.ignored).into_iter().map(move |it| (release, it))
    });
    all.collect()
}

/// The ignored parts of one definition, by release.
type ByRelease<'a> = BTreeMap<Option<Release>, Vec<&'a Ignored>>;

/// The warnings about the ignored parts of documents that are made of definitions, and of the definitions of the package:
/// one for each definition and keyword, at its first place in the newest release.
pub(crate) fn warnings(
    mut ignored: Vec<(Option<Release>, Ignored)>,
    of_package: &mut [PackageDefinition],
) -> Problems {
    let own = of_package.iter_mut().flat_map(of_manifest);
    ignored.extend(own.map(|ignored| (None, ignored)));
    let mut all: BTreeMap<(&str, CrdCause), ByRelease<'_>> = BTreeMap::new();
    for (release, ignored) in &ignored {
        let one = all.entry(ignored.key()).or_default();
        one.entry(*release).or_default().push(ignored);
    }
    let mut warnings = Problems::new();
    for (_, newest) in all.values().filter_map(BTreeMap::last_key_value) {
        if let Some(first) = newest.iter().min_by_key(|it| &it.place.pointer) {
            warnings.push(&first.place, cause(first, newest));
        }
    }
    warnings
}

/// The warning about the first of these parts and all others.
fn cause(first: &Ignored, all: &[&Ignored]) -> CrdCause {
    let more = all.len() - 1;
    match first.cause.clone() {
        CrdCause::IgnoredKeyword { keyword, .. } => {
            let near = nearest_stored(&keyword).map(str::to_owned);
            CrdCause::IgnoredKeyword { keyword, near, more }
        }
        CrdCause::ForeignKeywords(_) => {
            let names = all.iter().filter_map(|it| match &it.cause {
                CrdCause::ForeignKeywords(name) => Some(name),
                _ => None,
            });
            CrdCause::ForeignKeywords(join(names.collect::<BTreeSet<_>>(), "`, `"))
        }
        CrdCause::ForeignType { name, .. } => {
            let near = nearest(&name, TYPES.into_iter()).map(str::to_owned);
            CrdCause::ForeignType { name, near, more }
        }
        CrdCause::NotStated { keyword, .. } => CrdCause::NotStated { keyword, more },
        CrdCause::NoSuchKey { key, .. } => CrdCause::NoSuchKey { key, more },
        CrdCause::WrongDefault { default, of_type, .. } => {
            CrdCause::WrongDefault { default, of_type, more }
        }
        CrdCause::DefaultNotInEnum { default, .. } => CrdCause::DefaultNotInEnum { default, more },
        CrdCause::RequiredDropped { name, near, .. } => {
            CrdCause::RequiredDropped { name, near, more }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CrdCause, Place, of_schema};

    #[test]
    fn a_field_is_complete_whatever_its_name() {
        let mut schema = json!({
            "type": "object", "properties": {"not": {"type": "object", "properties": {"a": {}}}},
            "not": {"properties": {"b": {}}},
        });
        let found = of_schema(&mut schema, "widgets.example.com", &Place::default());
        let found: Vec<_> = found.into_iter().map(|it| (it.place.pointer, it.cause)).collect();
        let cause = CrdCause::NotStated { keyword: "type", more: 0 };
        assert_eq!(found, [("/properties/not/properties/a/type".to_owned(), cause)]);
    }
}

//! What servers ignore or refuse in definitions, and no type shows. A typing error in a keyword changes the types, and no server
//! says so.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_names::Release;
use k8s_versioned_names::text::nearest;
use k8s_versioned_source::{Kind, Pointer, Value, number};

use super::definition::{Definition, Definitions, is_true, place_of};
use super::publish::{STRUCTURE, is_stored};
use crate::Problems;
use crate::problem::{CrdCause, Place};
use crate::spec::{FACTS, Nested, TYPES};
use crate::text::join;

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

/// The parts of definitions that servers ignore.
pub(super) fn of_definitions(definitions: &Definitions<'_>) -> Vec<Ignored> {
    definitions.all.iter().flat_map(|definition| of_definition(definitions, definition)).collect()
}

fn of_definition(definitions: &Definitions<'_>, definition: &Definition) -> Vec<Ignored> {
    let Some(object) = definitions.object(definition) else { return Vec::new() };
    let (name, mut all) = (definition.name(), Vec::new());
    for version in &definition.versions {
        let schema = object.tree().value(version.schema);
        let pointer = definition.schema_pointer(version);
        walk(schema, None, false, &mut |schema| {
            look(schema, &mut |span, inside, cause| {
                let (file, pointer) = (Arc::clone(object.tree().file()), pointer.clone() + &inside);
                let place = Place { file, pointer, span: Some(span) };
                all.push(Ignored { definition: name.clone(), place, cause });
            });
        });
    }
    let versions = object.at(&["spec", "versions"]);
    let mut stored = versions.and_then(Value::items).into_iter().flatten();
    if !stored.any(|version| is_true(version, "storage")) {
        let pointer = definition.object.pointer() + "/spec/versions";
        let place = place_of(versions.unwrap_or(object), pointer);
        let cause = CrdCause::NotStored(definition.kind.clone());
        all.push(Ignored { definition: name, place, cause });
    }
    all
}

/// A schema in the schema of a version.
#[derive(Clone, Copy)]
struct Schema<'a> {
    value: Value<'a>,
    pointer: Option<&'a Pointer<'a>>,
    /// Whether it is a part of a schema, which need not be complete.
    is_part: bool,
}

impl Schema<'_> {
    /// Returns `true` if a keyword has a value. To servers, `null` is absent.
    fn states(self, keyword: &str) -> bool {
        self.value.get(keyword).is_some_and(|value| !value.is_null())
    }
}

/// Calls `visit` with a schema and the schemas in it.
fn walk(
    value: Value<'_>,
    pointer: Option<&Pointer<'_>>,
    is_part: bool,
    visit: &mut impl FnMut(Schema<'_>),
) {
    let Some(members) = value.members() else { return };
    for (key, member) in members {
        let Some(nested) = Nested::of(key) else { continue };
        let inside = &Pointer { parent: pointer, token: &key };
        let is_part = is_part || ["allOf", "anyOf", "oneOf", "not"].contains(&key);
        match (nested, member.kind()) {
            (Nested::Members, Kind::Object) => {
                for (name, schema) in member.members().into_iter().flatten() {
                    let pointer = Pointer { parent: Some(inside), token: &name };
                    walk(schema, Some(&pointer), is_part, visit);
                }
            }
            (Nested::Itself, Kind::Array) => {
                for (index, schema) in member.items().into_iter().flatten().enumerate() {
                    let pointer = Pointer { parent: Some(inside), token: &index };
                    walk(schema, Some(&pointer), is_part, visit);
                }
            }
            (Nested::Itself, _) => walk(member, Some(inside), is_part, visit),
            (Nested::Members, _) => {}
        }
    }
    visit(Schema { value, pointer, is_part });
}

/// Takes the bytes with a problem, their JSON pointer in the schema of the version, and the warning.
type Report<'r> = dyn FnMut(Range<usize>, String, CrdCause) + 'r;

/// Reports the members of a schema that servers ignore.
fn look(schema: Schema<'_>, report: &mut Report<'_>) {
    const KEYS: &str = "x-kubernetes-list-map-keys";
    let Schema { value, pointer, is_part } = schema;
    for (name, word, span) in value.get("properties").into_iter().flat_map(Value::misread_keys) {
        let properties = Pointer { parent: pointer, token: &"properties" };
        let inside = Pointer::text(Some(&Pointer { parent: Some(&properties), token: &name }));
        let (word, name) = (word.to_owned(), name.to_owned());
        report(span, inside, CrdCause::MisreadName { word, name, more: 0 });
    }
    let mut report = |keyword: &str, cause: CrdCause| {
        let inside = Pointer::text(Some(&Pointer { parent: pointer, token: &keyword }));
        report(value.get(keyword).unwrap_or(value).span(), inside, cause);
    };
    let members = value.members().into_iter().flatten();
    for (name, _) in members.filter(|(name, it)| !it.is_null() && !is_stored(name)) {
        let is_foreign = name.starts_with("x-") && !name.starts_with("x-kubernetes-");
        let cause = if is_foreign {
            CrdCause::ForeignKeywords(name.to_owned())
        } else {
            CrdCause::IgnoredKeyword { keyword: name.to_owned(), near: None, more: 0 }
        };
        report(name, cause);
    }
    let of_type = value.get("type").and_then(Value::string);
    if let Some(of_type) = of_type.filter(|of_type| !TYPES.contains(of_type)) {
        report("type", CrdCause::ForeignType { name: of_type.to_owned(), near: None, more: 0 });
    }
    let is_any = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"];
    let is_any = is_any.into_iter().any(|keyword| schema.states(keyword));
    if !schema.states("type") && !is_any && !is_part {
        report("type", CrdCause::NotStated { keyword: "type", more: 0 });
    }
    if of_type == Some("array") && !schema.states("items") {
        report("items", CrdCause::NotStated { keyword: "items", more: 0 });
    }
    let keys = value.get(KEYS).and_then(Value::items).into_iter().flatten();
    let fields = value.at(&["items", "properties"]);
    for key in keys.filter_map(Value::string) {
        if fields.and_then(|fields| fields.get(key)).is_none() {
            report(KEYS, CrdCause::NoSuchKey { key: key.to_owned(), more: 0 });
        }
    }
    if let Some(cause) = wrong_default(value) {
        report("default", cause);
    }
    for cause in dropped_fields(schema) {
        report("required", cause);
    }
}

/// A default that its field cannot have.
fn wrong_default(schema: Value<'_>) -> Option<CrdCause> {
    let default = schema.get("default").filter(|default| !default.is_null())?;
    let as_number = |value: Value<'_>| value.number().and_then(|text| number(text).as_f64());
    let kind = default.kind();
    let is = |of_type: &str| match of_type {
        "array" => kind == Kind::Array,
        "boolean" => kind == Kind::Bool,
        "integer" => as_number(default).is_some_and(|number| number.fract() == 0.0),
        "number" => kind == Kind::Number,
        "object" => kind == Kind::Object,
        "string" => kind == Kind::String,
        // There is a warning about the type.
        _ => true,
    };
    // A whole number can have a fraction of zero.
    let is_same = |word: Value<'_>| match (as_number(word), as_number(default)) {
        (Some(word), Some(default)) => word.total_cmp(&default).is_eq(),
        _ => word.is_same(default),
    };
    let of_type = schema.get("type").and_then(Value::string);
    let value = default.to_json().to_string();
    let shown = match default.misread() {
        Some(word) => format!("{value}, written `{word}`,"),
        None => value,
    };
    let more = 0;
    if let Some(of_type) = of_type.filter(|of_type| !is(of_type)).map(str::to_owned) {
        return Some(CrdCause::WrongDefault { default: shown, of_type, more });
    }
    let mut words = schema.get("enum").and_then(Value::items)?;
    (!words.any(is_same)).then_some(CrdCause::DefaultNotInEnum { default: shown, more })
}

/// The required fields of an object that servers drop.
fn dropped_fields(schema: Schema<'_>) -> Vec<CrdCause> {
    const OPEN: [&str; 3] = [
        "additionalProperties",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let Schema { value, pointer, is_part } = schema;
    let required = value.get("required").and_then(Value::items);
    let properties = value.get("properties").and_then(Value::members);
    let (Some(required), Some(properties)) = (required, properties) else {
        return Vec::new();
    };
    // The parts of a schema can name the fields of the whole.
    if is_part || OPEN.iter().any(|keyword| value.get(keyword).is_some()) {
        return Vec::new();
    }
    let properties: BTreeSet<&str> = properties.map(|(name, _)| name).collect();
    let required: Vec<&str> = required.filter_map(Value::string).collect();
    // Every object has these fields.
    let is_known = |name: &str| {
        properties.contains(name)
            || pointer.is_none() && ["apiVersion", "kind", "metadata"].contains(&name)
    };
    // A hostile schema has so many of both that to compare them takes minutes.
    let is_small = required.len().saturating_mul(properties.len()) <= 10_000;
    let dropped = required.into_iter().filter(|name| !is_known(name)).map(|name| {
        let near = || nearest(name, properties.iter().copied()).map(str::to_owned);
        let near = is_small.then(near).flatten();
        CrdCause::RequiredDropped { name: name.to_owned(), near, more: 0 }
    });
    dropped.collect()
}

/// The ignored parts of one definition, by release.
type ByRelease<'a> = BTreeMap<Option<Release>, Vec<&'a Ignored>>;

/// The warnings about the ignored parts of documents that are made of definitions, and of the definitions of the package:
/// one for each definition and keyword, at its first place in the newest release.
pub(crate) fn warnings(ignored: &[(Option<Release>, Ignored)]) -> Problems {
    let mut all: BTreeMap<(&str, CrdCause), ByRelease<'_>> = BTreeMap::new();
    for (release, ignored) in ignored {
        let one = all.entry(ignored.key()).or_default();
        one.entry(*release).or_default().push(ignored);
    }
    let mut warnings = Problems::new();
    for (_, newest) in all.values().filter_map(BTreeMap::last_key_value) {
        if let Some(first) = newest.iter().min_by_key(|it| it.place.order()) {
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
            let near = nearest(&keyword, STRUCTURE.into_iter().chain(FACTS)).map(str::to_owned);
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
        CrdCause::MisreadName { word, name, .. } => CrdCause::MisreadName { word, name, more },
        CrdCause::DefaultNotInEnum { default, .. } => CrdCause::DefaultNotInEnum { default, more },
        CrdCause::RequiredDropped { name, near, .. } => {
            CrdCause::RequiredDropped { name, near, more }
        }
        other => other,
    }
}

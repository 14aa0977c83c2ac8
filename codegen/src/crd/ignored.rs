//! What servers ignore in the schemas of definitions. A typing error there changes the types, and no server says so.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::Release;
use k8s_versioned_names::text::nearest;
use serde_json::{Map, Value};

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
        look(members, &mut |member, cause| {
            let inside = Pointer { parent: pointer, token: &member }.text();
            let place = Place { pointer: place.pointer.clone() + &inside, ..place.clone() };
            all.push(Ignored { definition: definition.to_owned(), place, cause });
        });
    });
    all
}

/// Reports the members of a schema that servers ignore.
fn look(members: &Map<String, Value>, report: &mut impl FnMut(&str, CrdCause)) {
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
    let keys = members.get(KEYS).and_then(Value::as_array);
    let fields = members.get("items").and_then(|items| items.get("properties"));
    for key in keys.into_iter().flatten().filter_map(Value::as_str) {
        if fields.and_then(|fields| fields.get(key)).is_none() {
            report(KEYS, CrdCause::NoSuchKey { key: key.to_owned(), more: 0 });
        }
    }
}

/// The parts that servers ignore in the schemas of a definition.
fn of_manifest(manifest: &mut PackageDefinition) -> Vec<Ignored> {
    let versions = manifest.value.pointer_mut(VERSIONS).and_then(Value::as_array_mut);
    let versions = versions.into_iter().flatten().enumerate().filter_map(|(index, version)| {
        let pointer = format!("{VERSIONS}/{index}{SCHEMA}");
        let place = Place { pointer, ..manifest.place.clone() };
        Some(of_schema(version.pointer_mut(SCHEMA)?, &manifest.name, &place))
    });
    versions.flatten().collect()
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
        CrdCause::NoSuchKey { key, .. } => CrdCause::NoSuchKey { key, more },
        other => other,
    }
}

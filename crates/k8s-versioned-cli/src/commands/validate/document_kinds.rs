//! The kinds that the documents of a package describe, and the ones that are near to another.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_codegen::Files;
use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::quoted::{Quoted, alternatives};
use k8s_versioned_core::syntax::group_version;
use serde::Deserialize;
use serde_json::Value;

use crate::Error;
use crate::commands::validate::servers::{DEFINITION, kind_of, text_at};
use crate::text::finding_kinds::UNKNOWN_KIND;

/// The kinds of a package.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// The releases that have documents.
    pub(crate) releases: BTreeSet<Release>,
    groups: BTreeSet<String>,
    all: BTreeSet<Kind>,
}

/// A kind as a document names it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Kind {
    group: String,
    version: String,
    #[serde(rename = "kind")]
    name: String,
}

/// The part of a document that names its kinds.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    components: Components,
}

#[derive(Default, Deserialize)]
struct Components {
    #[serde(default)]
    schemas: BTreeMap<String, Schema>,
}

#[derive(Deserialize)]
struct Schema {
    #[serde(default, rename = "x-kubernetes-group-version-kind")]
    kinds: Vec<Kind>,
}

impl Kind {
    fn api_version(&self) -> String {
        let Self { group, version, .. } = self;
        if group.is_empty() { version.clone() } else { format!("{group}/{version}") }
    }
}

impl Kinds {
    /// The kinds of documents in JSON, by their paths as in `specs`. Other files are skipped.
    ///
    /// # Errors
    /// A document has another form.
    pub(crate) fn read(documents: &Files) -> Result<Self, Error> {
        let mut kinds = Self { all: BTreeSet::from([definitions()]), ..Self::default() };
        for (path, bytes) in documents {
            let Some((folder, stem)) =
                path.strip_suffix("_openapi.json").and_then(|rest| rest.split_once('/'))
            else {
                continue;
            };
            let Ok(release) = folder.parse() else { continue };
            let document: Document = serde_json::from_slice(bytes).map_err(|error| {
                Error::Refusal(format!("{path}: not an OpenAPI document: {error}"))
            })?;
            let group = stem.strip_prefix("apis__").and_then(|rest| rest.split("__").next());
            let group = group.unwrap_or_default();
            // A document also has kinds of other groups, such as `DeleteOptions`.
            let all = document.components.schemas.into_values().flat_map(|schema| schema.kinds);
            kinds.all.extend(all.filter(|kind| kind.group == group));
            kinds.groups.insert(group.to_owned());
            kinds.releases.insert(release);
        }
        Ok(kinds)
    }

    /// Adds the versions of a kind that a definition serves.
    pub(crate) fn add(&mut self, definition: &Value) {
        let (group, kind) = kind_of(definition);
        let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
        let served = versions
            .into_iter()
            .flatten()
            .filter(|version| version.get("served").and_then(Value::as_bool).unwrap_or_default());
        self.all.extend(served.map(|version| Kind {
            group: group.clone(),
            version: text_at(version, "/name").to_owned(),
            name: kind.clone(),
        }));
        self.groups.insert(group);
    }

    /// Returns `true` if a document has the kind of an object.
    #[cfg(not(feature = "validate"))]
    pub(crate) fn contain(&self, object: &Value) -> bool {
        let (api_version, kind) = type_of(object);
        self.all.iter().any(|known| known.name == kind && known.api_version() == api_version)
    }

    /// The type of an object that no document has, for people, if it is probably not a typo: the documents do not have its group,
    /// or a similar group or kind. A file such as `package.json` has no type at all.
    pub(crate) fn foreign(&self, object: &Value) -> Option<String> {
        let (api_version, kind) = type_of(object);
        let (group, _) = group_version(api_version).unwrap_or_default();
        if ["apiVersion", "kind"].iter().all(|name| object.get(name).is_none()) {
            return Some("no object of an API".to_owned());
        }
        if api_version.is_empty() || kind.is_empty() || self.groups.contains(group) {
            return None;
        }
        let groups = self.groups.iter().map(String::as_str);
        let is_near = nearest(group, groups).is_some() || self.near(object).is_some();
        (!is_near).then(|| format!("{} of {}", Quoted(kind), Quoted(api_version)))
    }

    /// The finding for an object whose kind no document has.
    pub(crate) fn unknown_kind(&self, file: &str, object: &Value) -> Finding {
        let (api_version, kind) = type_of(object);
        let not_named = |field| match object.get(field) {
            None | Some(Value::Null | Value::String(_)) => "absent".to_owned(),
            Some(_) => "not a text".to_owned(),
        };
        let (field, message) = match (kind, api_version) {
            ("", _) => ("kind", not_named("kind")),
            (_, "") => ("apiVersion", not_named("apiVersion")),
            ("List", _) if !object.get("items").is_some_and(Value::is_array) => {
                ("items", "a `List` has `items`".to_owned())
            }
            _ => {
                let field = if self.lack_kind(api_version, kind) { "kind" } else { "apiVersion" };
                (field, format!("no definition or document has {api_version} {kind}"))
            }
        };
        let mut finding = Finding::new(Severity::Error, UNKNOWN_KIND.id, file, message);
        field.clone_into(&mut finding.path);
        let skipped = self.foreign(object).map(|_| "`--skip-unknown` skips it".to_owned());
        finding.hint = skipped.or_else(|| self.near(object)).map(Into::into);
        finding
    }

    /// Returns `true` if the type of an object is almost that of definitions.
    pub(crate) fn is_nearly_definition(object: &Value) -> bool {
        let known = Self { all: BTreeSet::from([definitions()]), ..Self::default() };
        known.near(object).is_some()
    }

    /// Returns `true` if the documents have the version, and no version of its group has the kind.
    fn lack_kind(&self, api_version: &str, kind: &str) -> bool {
        let (group, _) = group_version(api_version).unwrap_or_default();
        let mut of_group = self.all.iter().filter(|known| known.group == group);
        of_group.clone().any(|known| known.api_version() == api_version)
            && !of_group.any(|known| known.name == kind)
    }

    /// The kind with almost the same spelling, and its versions, as a hint.
    fn near(&self, object: &Value) -> Option<String> {
        let (api_version, kind) = type_of(object);
        let (group, _) = group_version(api_version).unwrap_or_default();
        let begins =
            |known: &str| known.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'));
        let is_near = |known: &str| {
            group.is_empty() || begins(known) || nearest(group, [known].into_iter()).is_some()
        };
        let kinds = || self.all.iter().filter(|known| is_near(&known.group));
        let kind = nearest(kind, kinds().map(|known| known.name.as_str()))?;
        let versions: BTreeSet<String> =
            kinds().filter(|known| known.name == kind).map(Kind::api_version).collect();
        let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
        Some(format!("did you mean `{kind}` of {}?", alternatives(&versions)))
    }
}

/// The kind of definitions, which are judged without a document.
fn definitions() -> Kind {
    let [group, version, name] = ["apiextensions.k8s.io", "v1", DEFINITION].map(str::to_owned);
    Kind { group, version, name }
}

/// The `apiVersion` and the kind of an object; empty if it names none.
fn type_of(object: &Value) -> (&str, &str) {
    let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    (text("apiVersion"), text("kind"))
}

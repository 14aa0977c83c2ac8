//! A definition as a server serves it: its versions, compiled once.

use std::cell::RefCell;

use k8s_cel::regex::Patterns;
use k8s_versioned_core::Release;
use serde_json::Value;

use crate::answer::NotJudged;
use crate::facts::Facts;
use crate::path::Path;
use crate::schema::{Schema, SchemaError};
use crate::values::{Scale, prune_defaults};
use k8s_cel::NEWEST;

/// A CustomResourceDefinition, compiled to answer requests for its objects.
///
/// ```
/// use k8s_versioned_admission::{Definition, WriteRequest};
///
/// let definition = serde_json::json!({
///     "spec": {
///         "group": "example.com",
///         "scope": "Namespaced",
///         "names": {"kind": "Widget", "plural": "widgets"},
///         "versions": [{
///             "name": "v1",
///             "served": true,
///             "schema": {"openAPIV3Schema": {
///                 "type": "object",
///                 "properties": {"spec": {
///                     "type": "object",
///                     "properties": {"size": {"type": "integer", "minimum": 1}},
///                 }},
///             }},
///         }],
///     },
/// });
/// let definition = Definition::compile(&definition)?;
///
/// let body = r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 0}}"#;
/// let answer = definition.admit(&WriteRequest::create("v1", "default", body.as_bytes()));
/// assert_eq!(answer.status, 422);
/// assert_eq!(
///     answer.causes[0].to_string(),
///     "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
/// );
/// # Ok::<(), k8s_versioned_admission::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct Definition {
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) is_namespaced: bool,
    /// Servers do not prune objects of such an old definition.
    pub(crate) preserves_unknown_fields: bool,
    pub(crate) facts: Facts,
    versions: Vec<Version>,
}

/// A served version of a definition.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) name: String,
    /// The group and the name.
    pub(crate) of_group: String,
    /// The warning that every request gets, if the version is deprecated.
    pub(crate) deprecation: Option<String>,
    /// The parts of the schema that cannot be judged.
    pub(crate) not_judged: Vec<NotJudged>,
    pub(crate) schema: Schema,
    pub(crate) has_status: bool,
    /// Whether a part of the status has a default.
    pub(crate) has_status_defaults: bool,
    pub(crate) scale: Option<Scale>,
}

impl Definition {
    /// Compiles a definition (`apiextensions.k8s.io/v1`) for the newest release of servers.
    ///
    /// # Errors
    /// A part of the definition that requests need is missing or has another form. The definition is not judged
    /// otherwise.
    pub fn compile(definition: &Value) -> Result<Self, SchemaError> {
        Self::compile_for(definition, NEWEST)
    }

    /// Compiles a definition for a release of servers.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_for(definition: &Value, release: Release) -> Result<Self, SchemaError> {
        let spec_path = Path::Root.field("spec");
        let spec = definition
            .get("spec")
            .ok_or_else(|| SchemaError::new(spec_path, "a definition has a `spec`"))?;
        let names_path = spec_path.field("names");
        let names = spec.get("names").unwrap_or(&Value::Null);
        let (group, kind) = (text(spec, "group", spec_path)?, text(names, "kind", names_path)?);
        let mut compiled = Self {
            plural: text(names, "plural", names_path)?,
            is_namespaced: text(spec, "scope", spec_path)? == "Namespaced",
            preserves_unknown_fields: spec.get("preserveUnknownFields") == Some(&true.into()),
            facts: Facts::at(release),
            versions: Vec::new(),
            group,
            kind,
        };
        let versions_path = spec_path.field("versions");
        let versions = spec.get("versions").and_then(Value::as_array).into_iter().flatten();
        let patterns = RefCell::default();
        for (at, version) in versions.enumerate() {
            if version.get("served") != Some(&false.into()) {
                let version =
                    compiled.version_of(version, versions_path.index(at), release, &patterns)?;
                compiled.versions.push(version);
            }
        }
        Ok(compiled)
    }

    fn version_of(
        &self,
        version: &Value,
        path: Path<'_>,
        release: Release,
        patterns: &RefCell<Patterns>,
    ) -> Result<Version, SchemaError> {
        let empty = serde_json::json!({});
        let schema_path = path.field("schema");
        let schema = version.pointer("/schema/openAPIV3Schema").unwrap_or(&empty);
        let name = text(version, "name", path)?;
        let deprecation = (version.get("deprecated") == Some(&true.into())).then(|| {
            let own = version.get("deprecationWarning").and_then(Value::as_str);
            let Self { group, kind, .. } = self;
            own.map_or_else(|| format!("{group}/{name} {kind} is deprecated"), str::to_owned)
        });
        let mut compiled =
            Schema::read(schema, schema_path.field("openAPIV3Schema"), release, patterns)?;
        prune_defaults(&mut compiled);
        let unknown = compiled.unknown_patterns().into_iter().map(|pattern| NotJudged {
            field: "<nil>".to_owned(),
            rule: format!("pattern: {pattern}"),
        });
        let status = compiled.properties.get("status");
        Ok(Version {
            has_status_defaults: status.is_some_and(|status| status.below.defaults),
            of_group: format!("{}/{name}", self.group),
            deprecation,
            not_judged: unknown.collect(),
            schema: compiled,
            has_status: version
                .pointer("/subresources/status")
                .is_some_and(|value| !value.is_null()),
            scale: version
                .pointer("/subresources/scale")
                .filter(|value| !value.is_null())
                .map(Scale::read),
            name,
        })
    }

    /// A served version.
    pub(crate) fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// The names of the served versions, in the order of the definition.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        self.versions.iter().map(|version| version.name.as_str())
    }

    /// The group.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The name of the resource in URLs.
    pub fn plural(&self) -> &str {
        &self.plural
    }
}

fn text(value: &Value, name: &str, path: Path<'_>) -> Result<String, SchemaError> {
    let text = value.get(name).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| SchemaError::new(path.field(name), "expected a text"))
}

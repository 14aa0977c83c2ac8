//! The server's verdict on a CustomResourceDefinition.
//!
//! [`judge`] answers as a server answers to the creation of a definition: 201, 422 with its causes, or 400 if the decoder
//! refuses it; [`judge_update`] as to its update. Of a definition that is accepted, [`DefinitionVerdict::keywords`] lists what means nothing to servers.

mod advice;
mod check_defaults;
mod conversion;
mod costs;
mod decode;
mod dump;
mod explain;
pub mod keywords;
mod names;
mod openapi;
mod part;
mod served;
mod shape;
mod structural;
mod update;
mod versions;

use std::fmt;

use k8s_versioned_names::Release;
use serde_json::{Map, Value};

use crate::answer::{
    Causes, NotJudged, Reason, RefusalCause, RefusedObject, ServerAnswer, Shown, Undecodable,
};
use crate::facts::Facts;
use crate::go::Quoted;
use crate::metadata;
use crate::path::{Path, UnknownFields};
pub use advice::Advice;
pub use costs::ExpressionCost;
use decode::Failure;
pub use explain::{Bound, CostExplanation, explain_costs};
use keywords::KeywordUse;
use part::Part;
pub use served::Definition;
pub(crate) use served::Version;
use update::{Ratchet, Stored};
use versions::Versions;

/// The group of definitions.
const GROUP: &str = "apiextensions.k8s.io";

/// The annotation that groups of the Kubernetes community need.
const APPROVAL: &str = "api-approved.kubernetes.io";

/// Where people read what the annotation is for.
const MORE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// A server's verdict on a definition.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DefinitionVerdict {
    /// The answer to its creation or update. The warnings are those about unknown fields.
    pub answer: ServerAnswer,
    /// Keywords of its schemas that servers ignore or refuse, with their places.
    pub keywords: Vec<KeywordUse>,
    /// What the server accepts without a word, and few want.
    pub advice: Vec<Advice>,
    /// What the expressions of its rules are estimated to cost, schema by schema. Servers estimate nothing if a schema has
    /// other faults.
    pub costs: Vec<ExpressionCost>,
}

/// Judges a definition (`apiextensions.k8s.io/v1`) as a server of a release does when it is created.
///
/// ```
/// use k8s_versioned_admission::definition::judge;
/// use k8s_versioned_names::Release;
///
/// let definition = serde_json::json!({
///     "apiVersion": "apiextensions.k8s.io/v1",
///     "kind": "CustomResourceDefinition",
///     "metadata": {"name": "widgets.example.com"},
///     "spec": {
///         "group": "example.com",
///         "scope": "Namespaced",
///         "names": {"kind": "Widget", "plural": "widgets"},
///         "versions": [{
///             "name": "v1",
///             "served": true,
///             "storage": true,
///             "schema": {"openAPIV3Schema": {
///                 "type": "object",
///                 "properties": {"spec": {"type": "array", "uniqueItems": true, "items": {"type": "string"}}},
///             }},
///         }],
///     },
/// });
/// let answer = judge(&definition, Release::new(1, 36)).answer;
/// assert_eq!(answer.status, 422);
/// assert!(answer.causes[0].field.ends_with("properties[spec].uniqueItems"));
/// ```
pub fn judge(definition: &Value, release: Release) -> DefinitionVerdict {
    verdict(definition, None, release)
}

/// Judges a definition as a server of a release does when it replaces a stored one of the same name.
///
/// The stored definition is taken as it is, from a cluster or from a file. Its `status` says in which versions objects may be
/// stored: servers refuse a definition without one of them. Without a `status`, that is the storage version, and the names are
/// taken to be in use, so that the scope and the kind cannot change. What a server does not ask again of a definition that broke
/// it before, such as defaults without unknown fields, is not asked here either. The `resourceVersion`s and `uid`s are not
/// compared.
///
/// ```
/// use k8s_versioned_admission::definition::judge_update;
/// use k8s_versioned_names::Release;
/// # use serde_json::json;
/// # let definition = |scope: &str| json!({
/// #     "apiVersion": "apiextensions.k8s.io/v1",
/// #     "kind": "CustomResourceDefinition",
/// #     "metadata": {"name": "widgets.example.com"},
/// #     "spec": {
/// #         "group": "example.com",
/// #         "scope": scope,
/// #         "names": {"kind": "Widget", "plural": "widgets"},
/// #         "versions": [{
/// #             "name": "v1",
/// #             "served": true,
/// #             "storage": true,
/// #             "schema": {"openAPIV3Schema": {"type": "object"}},
/// #         }],
/// #     },
/// # });
///
/// let (old, new) = (definition("Namespaced"), definition("Cluster"));
/// let answer = judge_update(&new, &old, Release::new(1, 36)).answer;
/// assert_eq!(
///     answer.causes[0].to_string(),
///     "spec.scope: Invalid value: \"Cluster\": field is immutable",
/// );
/// ```
pub fn judge_update(definition: &Value, stored: &Value, release: Release) -> DefinitionVerdict {
    verdict(definition, Some(stored), release)
}

fn verdict(definition: &Value, stored: Option<&Value>, release: Release) -> DefinitionVerdict {
    let keywords = keywords::find(definition, release);
    let status = if stored.is_some() { 200 } else { 201 };
    let mut costs = Vec::new();
    let answer =
        answer(definition, stored, release, &mut costs).unwrap_or_else(|early| match early {
            Early::BadRequest(message) => ServerAnswer::bad_request(message),
            Early::Undecodable(Undecodable { message, path }) => {
                const WHAT: &str = "CustomResourceDefinition";
                let message =
                    format!("{WHAT} in version \"v1\" cannot be handled as a {WHAT}: {message}");
                ServerAnswer::undecodable(message, path.trim_start_matches('.').to_owned())
            }
            Early::TooDeep => ServerAnswer {
                status,
                object: Some(definition.clone()),
                not_judged: vec![NotJudged {
                    field: String::new(),
                    rule: "the definition nests too deep".to_owned(),
                }],
                ..ServerAnswer::default()
            },
        });
    let advice = if answer.status == 400 { Vec::new() } else { advice::of_definition(definition) };
    DefinitionVerdict { answer, keywords, advice, costs }
}

/// What a judgement has found so far.
#[allow(clippy::struct_field_names, reason = "named as the fields of an answer")]
struct Judged {
    release: Release,
    causes: Vec<RefusalCause>,
    not_judged: Vec<NotJudged>,
    ratchet: Ratchet,
    costs: Vec<ExpressionCost>,
}

impl Judged {
    fn new(release: Release) -> Self {
        Self {
            release,
            causes: Vec::new(),
            not_judged: Vec::new(),
            ratchet: Ratchet::default(),
            costs: Vec::new(),
        }
    }
}

/// An answer before the definition is judged.
enum Early {
    /// A refusal with 400.
    BadRequest(String),
    /// A refusal with 400 of a value that cannot be decoded.
    Undecodable(Undecodable),
    /// This package does not read it.
    TooDeep,
}

fn answer(
    definition: &Value,
    stored: Option<&Value>,
    release: Release,
    costs: &mut Vec<ExpressionCost>,
) -> Result<ServerAnswer, Early> {
    check_type(definition).map_err(Early::BadRequest)?;
    let decoded =
        decode::decode(definition, &shape::DEFINITION).map_err(|failure| match failure {
            Failure::Refused(error) => Early::Undecodable(error),
            Failure::TooDeep => Early::TooDeep,
        })?;
    let metadata_path = Path::Root.field("metadata");
    let metadata = definition.get("metadata").cloned().unwrap_or_default();
    let mut unknown = UnknownFields::noted();
    let mut metadata =
        metadata::decode(metadata, &metadata_path, &mut unknown).map_err(Early::Undecodable)?;
    let stored = stored.map(Stored::read);
    let mut judged = Judged::new(release);
    if let Some(stored) = &stored {
        metadata::compare_names(&metadata, stored.metadata()).map_err(Early::BadRequest)?;
        stored.complete(&mut metadata);
        judged.ratchet = stored.ratchet(release);
    }
    let empty = Map::new();
    let part = Part::from_value(&decoded.value).unwrap_or(Part(&empty));
    check_definition(part, &metadata, stored.as_ref(), &mut judged);
    let Judged { causes, not_judged, .. } = judged;
    *costs = judged.costs;
    let unknown = unknown.paths().iter().chain(&decoded.unknown);
    let warnings = unknown.map(|path| format!("unknown field {}", Quoted(path))).collect();
    let answer = if causes.is_empty() {
        let status = if stored.is_some() { 200 } else { 201 };
        ServerAnswer { status, object: Some(decoded.value), ..ServerAnswer::default() }
    } else {
        let name = metadata::text(&metadata, "name").to_owned();
        let subject = RefusedObject {
            name,
            group: GROUP.to_owned(),
            kind: "CustomResourceDefinition".to_owned(),
        };
        ServerAnswer::invalid(subject, causes)
    };
    Ok(ServerAnswer { warnings, not_judged, ..answer })
}

/// Checks that the object is a definition of the version that servers have.
fn check_type(definition: &Value) -> Result<(), String> {
    let text = |name: &str| definition.get(name).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    let expected = format!("{GROUP}/v1");
    if kind.is_empty() {
        return Err("Object 'Kind' is missing in the definition".to_owned());
    }
    if version.is_empty() {
        return Err("Object 'apiVersion' is missing in the definition".to_owned());
    }
    if version != expected {
        return Err(format!(
            "the API version in the data ({version}) does not match the expected API version ({expected})"
        ));
    }
    if kind == "CustomResourceDefinition" {
        return Ok(());
    }
    Err(format!(
        "{kind} in version \"v1\" cannot be handled as a CustomResourceDefinition: no kind \"{kind}\" is registered for \
         version \"{expected}\""
    ))
}

fn check_definition(
    definition: Part<'_>,
    metadata: &metadata::Metadata,
    stored: Option<&Stored>,
    judged: &mut Judged,
) {
    let empty = Map::new();
    let spec = definition.part("spec").unwrap_or(Part(&empty));
    let versions = Versions::read(spec);
    match stored {
        Some(stored) => stored.check_metadata(metadata, judged),
        None => check_metadata(metadata, spec, judged),
    }
    check_spec(spec, &versions, judged);
    if let Some(stored) = stored {
        stored.check_immutable(spec, &mut judged.causes);
    }
    let noted = stored.map_or_else(Vec::new, Stored::stored_versions);
    let status = Path::Root.field("status");
    versions.check_stored(noted, &status.field("storedVersions"), judged);
    check_approval(metadata, stored.map(Stored::metadata), spec.text("group"), judged);
    let preserved = stored.is_some_and(Stored::preserves_unknown_fields);
    if spec.is("preserveUnknownFields") && !preserved {
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        let spec = Path::Root.field("spec");
        judged.causes.push(invalid_value(
            spec.field("preserveUnknownFields"),
            &true.into(),
            detail,
        ));
    }
}

fn check_metadata(metadata: &metadata::Metadata, spec: Part<'_>, judged: &mut Judged) {
    let path = Path::Root.field("metadata");
    let (names, scope) = (metadata::Names::Subdomain, metadata::Scope::Cluster);
    let before = judged.causes.len();
    let mut causes = Causes::new(Facts::at(judged.release));
    metadata::check(metadata, names, scope, &path, &mut causes);
    judged.causes.append(&mut causes.all);
    let name = metadata::text(metadata, "name");
    let plural = spec.part("names").map(|names| names.text("plural")).unwrap_or_default();
    if !name.is_empty() && name != format!("{plural}.{}", spec.text("group")) {
        let field = path.field("name").to_string();
        let own =
            |cause: &RefusalCause| cause.field == field || cause.field == "metadata.generateName";
        let after = judged.causes.iter().skip(before).take_while(|cause| own(cause)).count();
        let cause =
            RefusalCause::invalid(field, name, "must be spec.names.plural+\".\"+spec.group");
        judged.causes.insert(before + after, cause);
    }
}

fn check_spec(spec: Part<'_>, versions: &Versions<'_>, judged: &mut Judged) {
    let path = Path::Root.field("spec");
    let versions_path = path.field("versions");
    names::check_group(spec.text("group"), &path.field("group"), &mut judged.causes);
    check_scope(spec.text("scope"), &path.field("scope"), &mut judged.causes);
    versions.check_presence(&versions_path, &mut judged.causes);
    let preserves = spec.is("preserveUnknownFields");
    if preserves && has_default(spec) {
        let detail = "must be false in order to use defaults in the schema";
        let field = path.field("preserveUnknownFields");
        judged.causes.push(invalid_value(field, &true.into(), detail));
    }
    versions.check(&versions_path, judged);
    versions.check_storage(&versions_path, &mut judged.causes);
    if let Some(first) = spec.parts("versions").next() {
        // The server also keeps the first name alone.
        let name = first.text("name");
        if !name.is_empty() {
            names::check_label(name, &path.field("version"), &mut judged.causes);
        }
    }
    let completed = names::completed(spec.part("names"));
    names::check_names(Part(&completed), &path.field("names"), &mut judged.causes);
    versions.check_shared(&path, judged);
    if let Some(conversion) = spec.part("conversion") {
        let path = path.field("conversion");
        let strategy = conversion.text("strategy");
        if preserves && strategy != "None" {
            let detail = "must be None if spec.preserveUnknownFields is true";
            judged.causes.push(RefusalCause::invalid(path.field("strategy"), strategy, detail));
        }
        conversion::check(conversion, &path, judged);
    }
}

fn check_scope(scope: &str, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    match scope {
        "" => causes.push(RefusalCause::required(path, "")),
        "Cluster" | "Namespaced" => {}
        other => causes.push(openapi::not_supported(path, other, &["Cluster", "Namespaced"])),
    }
}

/// Returns `true` if a schema has a default.
fn has_default(spec: Part<'_>) -> bool {
    fn below(schema: Part<'_>) -> bool {
        schema.has("default") || schema.below().any(below)
    }
    let schemas = spec
        .parts("versions")
        .filter_map(|version| version.part("schema")?.part("openAPIV3Schema"));
    schemas.into_iter().any(below)
}

/// The approval of a group of the Kubernetes community.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Approval {
    Missing,
    Invalid,
    /// The address of the approval.
    Given,
    /// A reason why there is none.
    Waived,
}

impl Approval {
    /// The annotation, and what it says.
    fn read(metadata: &metadata::Metadata) -> (&str, Self) {
        let annotations = metadata.get("annotations");
        let text = annotations.and_then(|annotations| annotations.get(APPROVAL)?.as_str());
        let text = text.unwrap_or_default();
        let is_url = text.split_once("://").is_some_and(|(scheme, rest)| {
            !scheme.is_empty() && !rest.split(['/', '?', '#']).next().unwrap_or_default().is_empty()
        });
        let approval = match text {
            "" => Self::Missing,
            _ if text.starts_with("unapproved") => Self::Waived,
            _ if is_url => Self::Given,
            _ => Self::Invalid,
        };
        (text, approval)
    }
}

/// Groups of the Kubernetes community need an annotation. An update may leave it as wrong as it was.
fn check_approval(
    metadata: &metadata::Metadata,
    stored: Option<&metadata::Metadata>,
    group: &str,
    judged: &mut Judged,
) {
    let protects = |domain: &str| {
        group == domain || group.strip_suffix(domain).is_some_and(|before| before.ends_with('.'))
    };
    let (text, approval) = Approval::read(metadata);
    let is_same = stored.is_some_and(|stored| Approval::read(stored).1 == approval);
    if is_same || !(protects("k8s.io") || protects("kubernetes.io")) {
        return;
    }
    let path = Path::Root.field("metadata");
    let annotations = path.field("annotations");
    let path = annotations.key(APPROVAL);
    let needs = format!("protected groups must have approval annotation \"{APPROVAL}\"");
    judged.causes.extend(match approval {
        Approval::Missing => Some(RefusalCause::required(path, &format!("{needs}, {MORE}"))),
        Approval::Invalid => {
            let form = "with either a URL or a reason starting with \"unapproved\"";
            Some(RefusalCause::invalid(path, text, format!("{needs} {form}, {MORE}")))
        }
        Approval::Given | Approval::Waived => None,
    });
}

/// A cause that shows a value which is not a text.
fn invalid_value(path: impl fmt::Display, value: &Value, detail: &str) -> RefusalCause {
    RefusalCause::new(Facts::NEWEST, Reason::Invalid, path, Shown::Value(value), detail)
}

#[cfg(test)]
pub(crate) mod tests;

//! The server's verdict on a CustomResourceDefinition.
//!
//! [`judge`] answers as a server answers to the creation of a definition: 201, 422 with its causes, or 400 if the decoder
//! refuses it. Of a definition that is accepted, [`DefinitionVerdict::keywords`] lists what means nothing to servers.

mod check_defaults;
mod conversion;
mod decode;
mod dump;
pub mod keywords;
mod names;
mod openapi;
mod part;
mod served;
mod shape;
mod structural;
mod versions;

use std::fmt;

use k8s_versioned_names::Release;
use serde_json::{Map, Value};

use crate::answer::{
    Causes, NotJudged, Reason, RefusalCause, RefusedObject, ServerAnswer, Shown, Undecodable,
};
use crate::facts::Facts;
use crate::metadata;
use crate::path::Path;
use decode::Failure;
use keywords::KeywordUse;
use part::Part;
pub use served::Definition;
pub(crate) use served::Version;
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
    /// The answer to its creation. The warnings are those about unknown fields.
    pub answer: ServerAnswer,
    /// Keywords of its schemas that servers ignore or refuse, with their places.
    pub keywords: Vec<KeywordUse>,
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
    let keywords = keywords::find(definition, release);
    let answer = answer(definition, release).unwrap_or_else(|early| match early {
        Early::BadRequest(message) => ServerAnswer::bad_request(message),
        Early::Undecodable(Undecodable { message, path }) => {
            const WHAT: &str = "CustomResourceDefinition";
            let message =
                format!("{WHAT} in version \"v1\" cannot be handled as a {WHAT}: {message}");
            ServerAnswer::undecodable(message, path.trim_start_matches('.').to_owned())
        }
        Early::TooDeep => ServerAnswer {
            status: 201,
            object: Some(definition.clone()),
            not_judged: vec![NotJudged {
                field: String::new(),
                rule: "the definition nests too deep".to_owned(),
            }],
            ..ServerAnswer::default()
        },
    });
    DefinitionVerdict { answer, keywords }
}

/// What a judgement has found so far.
#[allow(clippy::struct_field_names, reason = "named as the fields of an answer")]
struct Judged {
    release: Release,
    causes: Vec<RefusalCause>,
    not_judged: Vec<NotJudged>,
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

fn answer(definition: &Value, release: Release) -> Result<ServerAnswer, Early> {
    check_type(definition).map_err(Early::BadRequest)?;
    let decoded =
        decode::decode(definition, &shape::DEFINITION).map_err(|failure| match failure {
            Failure::Refused(error) => Early::Undecodable(error),
            Failure::TooDeep => Early::TooDeep,
        })?;
    let mut judged = Judged { release, causes: Vec::new(), not_judged: Vec::new() };
    let empty = Map::new();
    let part = Part::from_value(&decoded.value).unwrap_or(Part(&empty));
    let metadata = definition.get("metadata").cloned().unwrap_or_default();
    let metadata = metadata::decode(metadata, &Path::Root.field("metadata"), &mut None)
        .map_err(Early::Undecodable)?;
    check_definition(part, &metadata, &mut judged);
    let Judged { causes, not_judged, .. } = judged;
    let warnings = decoded
        .unknown
        .iter()
        .map(|path| format!("unknown field {}", crate::go::Quoted(path)))
        .collect();
    let answer = if causes.is_empty() {
        ServerAnswer { status: 201, object: Some(decoded.value), ..ServerAnswer::default() }
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

fn check_definition(definition: Part<'_>, metadata: &metadata::Metadata, judged: &mut Judged) {
    let empty = Map::new();
    let spec = definition.part("spec").unwrap_or(Part(&empty));
    let versions = Versions::read(spec);
    check_metadata(metadata, spec, judged);
    check_spec(spec, &versions, judged);
    let status = Path::Root.field("status");
    versions.check_stored(&status.field("storedVersions"), &mut judged.causes);
    check_approval(metadata, spec.text("group"), judged);
    if spec.is("preserveUnknownFields") {
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
        conversion::check(conversion, &path, &mut judged.causes);
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

/// Groups of the Kubernetes community need an annotation.
fn check_approval(metadata: &metadata::Metadata, group: &str, judged: &mut Judged) {
    let protects = |domain: &str| {
        group == domain || group.strip_suffix(domain).is_some_and(|before| before.ends_with('.'))
    };
    if !protects("k8s.io") && !protects("kubernetes.io") {
        return;
    }
    let path = Path::Root.field("metadata");
    let annotations = path.field("annotations");
    let path = annotations.key(APPROVAL);
    let approval = metadata.get("annotations").and_then(|annotations| annotations.get(APPROVAL));
    let approval = approval.and_then(Value::as_str).unwrap_or_default();
    if approval.is_empty() {
        let detail =
            format!("protected groups must have approval annotation \"{APPROVAL}\", {MORE}");
        judged.causes.push(RefusalCause::required(path, &detail));
        return;
    }
    let is_url = approval.split_once("://").is_some_and(|(scheme, rest)| {
        !scheme.is_empty() && !rest.split(['/', '?', '#']).next().unwrap_or_default().is_empty()
    });
    if !approval.starts_with("unapproved") && !is_url {
        let detail = format!(
            "protected groups must have approval annotation \"{APPROVAL}\" with either a URL or a reason starting with \
             \"unapproved\", {MORE}"
        );
        judged.causes.push(RefusalCause::invalid(path, approval, detail));
    }
}

/// A cause that shows a value which is not a text.
fn invalid_value(path: impl fmt::Display, value: &Value, detail: &str) -> RefusalCause {
    RefusalCause::new(Facts::NEWEST, Reason::Invalid, path, Shown::Value(value), detail)
}

#[cfg(test)]
mod tests;

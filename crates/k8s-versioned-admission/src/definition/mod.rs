//! The server's verdict on a CustomResourceDefinition.
//!
//! [`judge`] answers as a server answers to the creation of a definition: 201, 422 with its causes, or 400 if the decoder
//! refuses it; [`judge_update`] as to its update. For an accepted definition, [`DefinitionVerdict::keywords`] lists what
//! servers ignore.

mod advice;
mod cheaper_rules;
mod check;
mod check_defaults;
mod conversion;
mod costs;
mod decode;
mod dump;
mod judged;
pub mod keywords;
mod names;
mod openapi;
mod part;
mod place;
mod ratcheted_rules;
mod served;
mod shape;
mod structural;
mod update;
mod versions;

use k8s_versioned::json::server::size;
use k8s_versioned_core::Release;
use serde_json::{Map, Value};

use crate::answer::{NotJudged, RefusedObject, ServerAnswer, ServerWarning, Undecodable};
use crate::go::GoQuoted;
use crate::metadata;
use crate::path::{Path, UnknownFields};
pub use advice::Advice;
pub use cheaper_rules::{Bound, CostExplanation, VersionCost, explain_costs};
pub use costs::ExpressionCost;
use decode::Failure;
use judged::Judged;
use keywords::KeywordUse;
use part::Part;
pub use place::place_in_definition;
pub use served::Definition;
pub(crate) use served::Version;
use update::Stored;

/// The group of definitions.
const GROUP: &str = "apiextensions.k8s.io";

/// A server's verdict on a definition.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DefinitionVerdict {
    /// The answer to its creation or update. The warnings are those about unknown fields.
    pub answer: ServerAnswer,
    /// Keywords of its schemas that servers ignore or refuse, with their places.
    pub keywords: Vec<KeywordUse>,
    /// What the server accepts without a warning, although few people want it.
    pub advice: Vec<Advice>,
    /// The estimated costs of the expressions of its rules, schema by schema. Servers estimate nothing if a schema has other
    /// faults.
    pub costs: Vec<ExpressionCost>,
}

/// Judges a definition (`apiextensions.k8s.io/v1`) as a server of a release does when it is created.
///
/// ```
/// use k8s_versioned_admission::definition::judge;
/// use k8s_versioned_core::Release;
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
/// The stored definition can be from a cluster or from a file. Its `status` names the versions in which objects may be stored:
/// servers reject a definition that lacks one of them. Without a `status`, that is the storage version, and the names count as
/// in use, so that the scope and the kind cannot change. Some rules, such as the one that defaults have no unknown fields, hold
/// for an update only if the stored definition fulfils them, as on servers. The `resourceVersion`s and `uid`s are not compared.
///
/// ```
/// use k8s_versioned_admission::definition::judge_update;
/// use k8s_versioned_core::Release;
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

/// [`judge`] without advice, for commands that show none.
#[doc(hidden)]
pub fn judge_without_advice(definition: &Value, release: Release) -> DefinitionVerdict {
    verdict_without_advice(definition, None, release)
}

fn verdict(definition: &Value, stored: Option<&Value>, release: Release) -> DefinitionVerdict {
    let verdict = verdict_without_advice(definition, stored, release);
    let is_read = verdict.answer.status != 400;
    let advice = if is_read { advice::of_definition(definition) } else { Vec::new() };
    DefinitionVerdict { advice, ..verdict }
}

fn verdict_without_advice(
    definition: &Value,
    stored: Option<&Value>,
    release: Release,
) -> DefinitionVerdict {
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
    DefinitionVerdict { answer, keywords, advice: Vec::new(), costs }
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
    let mut unknown = UnknownFields::noted(size(&metadata));
    let mut metadata =
        metadata::decode(metadata, &metadata_path, &mut unknown).map_err(Early::Undecodable)?;
    let stored = stored.map(Stored::read);
    let mut judged = Judged::new(release);
    if let Some(stored) = &stored {
        metadata::compare_names(&metadata, stored.metadata()).map_err(Early::BadRequest)?;
        stored.complete(&mut metadata);
        judged.ratchet = check::broken_before(stored, release);
    }
    let empty = Map::new();
    let part = Part::from_value(&decoded.value).unwrap_or(Part(&empty));
    check::check_definition(part, &metadata, stored.as_ref(), &mut judged);
    let Judged { causes, mut not_judged, .. } = judged;
    *costs = judged.costs;
    let left_out = [unknown.left_out(), decoded.left_out];
    not_judged.extend(left_out.iter().flatten().map(|rule| NotJudged::whole(rule)));
    let unknown: Vec<&String> = unknown.paths().iter().chain(&decoded.unknown).collect();
    let warnings = unknown.iter().map(|path| format!("unknown field {}", GoQuoted(path))).collect();
    let whole_warnings = unknown.into_iter().cloned().map(ServerWarning::UnknownField).collect();
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
    Ok(ServerAnswer { warnings, whole_warnings, not_judged, ..answer })
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

#[cfg(test)]
pub(crate) mod tests;

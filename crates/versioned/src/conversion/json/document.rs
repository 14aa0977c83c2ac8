//! Converting JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::decode::kind_of;
use super::{JsonError, TypeMeta, object};
use crate::conversion::{AnyVersion, Finding, Options, Report};

/// The kind of a list of objects of any kinds and versions, and its `apiVersion`.
pub(super) const LIST: (&str, &str) = ("v1", "List");

/// Converts JSON text: an object, a list, or a `v1` `List` of objects of mixed versions.
///
/// What the objects are is read from `apiVersion` and `kind`. Items of a `v1` `List` are converted one by
/// one and stay in such a list.
///
/// # Errors
/// The text is not JSON or no object of the kind, or the report has entries that the options do not accept.
pub fn convert_slice<A: AnyVersion>(
    json: &[u8],
    to: A::Version,
    options: &Options<A::Policies>,
) -> Result<(Vec<u8>, Report), JsonError> {
    let value = serde_json::from_slice(json).map_err(JsonError::Syntax)?;
    let (converted, report) = convert_value::<A>(&value, to, options)?;
    let text = serde_json::to_vec(&converted).map_err(JsonError::Syntax)?;
    Ok((text, report))
}

/// Converts a JSON value, as [`convert_slice`] does.
///
/// # Errors
/// Those of [`convert_slice`].
pub fn convert_value<A: AnyVersion>(
    value: &Value,
    to: A::Version,
    options: &Options<A::Policies>,
) -> Result<(Value, Report), JsonError> {
    let mut report = Report::new();
    let mut conversion = Conversion::<A> {
        to,
        policies: &options.policies,
        report: &mut report,
    };
    let converted = conversion.document(value)?;
    Ok((converted, options.accept(report)?))
}

struct Conversion<'a, A: AnyVersion> {
    to: A::Version,
    policies: &'a A::Policies,
    report: &'a mut Report,
}

impl<A: AnyVersion> Conversion<'_, A> {
    fn document(&mut self, value: &Value) -> Result<Value, JsonError> {
        let members = object(value, "")?;
        let kinds = [A::KIND, A::LIST_KIND, LIST.1];
        let found = TypeMeta::read(members, "", &kinds, &api_versions::<A>())?;
        if (found.api_version, found.kind) == LIST {
            self.list(members, None)
        } else if found.kind == LIST.1 {
            Err(found.unknown_version(vec![LIST.0.to_owned()]))
        } else if found.kind == A::LIST_KIND {
            self.list(members, Some(version::<A>(&found)?))
        } else {
            let converted = self.object(value, Some(version::<A>(&found)?), "")?;
            encode(&converted)
        }
    }

    /// Converts an object; without a version, of the one that it names.
    fn object(
        &mut self,
        value: &Value,
        version: Option<A::Version>,
        prefix: &str,
    ) -> Result<A, JsonError> {
        let decoded: A = match version {
            Some(version) => decode_version(version, value, prefix, self.report)?,
            None => from_value(value, prefix, self.report)?,
        };
        Ok(decoded.convert_to_reporting(self.to, self.policies, self.report))
    }

    /// Converts a list of objects of one version, or of their own ones.
    fn list(
        &mut self,
        members: &Map<String, Value>,
        version: Option<A::Version>,
    ) -> Result<Value, JsonError> {
        report_unknown(members, self.report);
        let mut converted = Vec::new();
        for (index, item) in items(members)?.iter().enumerate() {
            let mut report = Report::new();
            let mut of_item = Conversion::<A> {
                to: self.to,
                policies: self.policies,
                report: &mut report,
            };
            let item = of_item.object(item, version, &format!("items[{index}]."))?;
            self.report.of_item(index, |outer| *outer = report);
            converted.push(encode(&item)?);
        }
        let (api_version, kind) = match version {
            Some(_) => {
                converted.iter_mut().for_each(remove_type_meta);
                (api_version::<A>(self.to), A::LIST_KIND)
            }
            None => (LIST.0.to_owned(), LIST.1),
        };
        let metadata = members.get("metadata").cloned();
        let metadata = metadata.unwrap_or_else(|| Value::Object(Map::new()));
        Ok(
            json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "items": converted}),
        )
    }
}

/// Decodes the object at `prefix`, of the version that it names.
pub(in crate::conversion) fn from_value<A: AnyVersion>(
    value: &Value,
    prefix: &str,
    report: &mut Report,
) -> Result<A, JsonError> {
    let members = object(value, prefix.trim_end_matches('.'))?;
    let found = TypeMeta::read(members, prefix, &[A::KIND], &api_versions::<A>())?;
    decode_version(version::<A>(&found)?, value, prefix, report)
}

/// Decodes an object of a version. A missing `spec` is an empty one; servers hand out such objects.
pub(super) fn decode_version<A: AnyVersion>(
    version: A::Version,
    value: &Value,
    prefix: &str,
    report: &mut Report,
) -> Result<A, JsonError> {
    let members = object(value, prefix.trim_end_matches('.'))?;
    if A::HAS_SPEC && members.get("spec").is_none_or(Value::is_null) {
        report.add("spec", Finding::Missing);
    }
    A::decode(version, value, report).map_err(|error| match error {
        JsonError::Undecodable { path, reason } => {
            let path = format!("{prefix}{path}");
            JsonError::Undecodable {
                path: path.trim_end_matches('.').to_owned(),
                reason,
            }
        }
        other => other,
    })
}

/// The items of a list; an absent list is an empty one.
pub(super) fn items(members: &Map<String, Value>) -> Result<&[Value], JsonError> {
    match members.get("items") {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(JsonError::WrongType {
            path: "items".to_owned(),
            expected: "a list",
            found: kind_of(other),
        }),
    }
}

pub(super) fn version<A: AnyVersion>(found: &TypeMeta<'_>) -> Result<A::Version, JsonError> {
    let named = |version: &&A::Version| api_version::<A>(**version) == found.api_version;
    let version = A::VERSIONS.iter().find(named).copied();
    version.ok_or_else(|| found.unknown_version(api_versions::<A>()))
}

pub(super) fn api_versions<A: AnyVersion>() -> Vec<String> {
    A::VERSIONS
        .iter()
        .map(|version| api_version::<A>(*version))
        .collect()
}

fn api_version<A: AnyVersion>(version: A::Version) -> String {
    format!("{}/{version}", A::GROUP)
}

fn report_unknown(members: &Map<String, Value>, report: &mut Report) {
    let known = ["apiVersion", "items", "kind", "metadata"];
    for (key, value) in members {
        if !known.contains(&key.as_str()) {
            let value = value.clone();
            report.add(key.clone(), Finding::UnknownField { value });
        }
    }
}

fn encode(object: &impl Serialize) -> Result<Value, JsonError> {
    serde_json::to_value(object).map_err(JsonError::Syntax)
}

fn remove_type_meta(item: &mut Value) {
    if let Some(members) = item.as_object_mut() {
        members.remove("apiVersion");
        members.remove("kind");
    }
}

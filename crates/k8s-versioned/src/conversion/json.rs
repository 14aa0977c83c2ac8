//! Objects whose version is known at run time only, as JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::{
    AnyVersion, ConversionError, ConversionFinding, ConversionReport, ConvertObject, ConvertPart,
    Options, Severity, stored,
};
use crate::field::{PathRef, join};
use crate::json::Noted;
use crate::{List, LocatedError, Part, Resource, TypeMeta, TypeMetaError, for_each_object};

/// The reason why JSON was not converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The object does not name its type, or it is of another type.
    #[error(transparent)]
    Type(#[from] TypeMetaError),
    /// A field has a value of another type.
    #[error(transparent)]
    Undecodable(#[from] LocatedError),
    /// The converted object cannot be encoded.
    #[error(transparent)]
    Encode(serde_json::Error),
    /// Items of a list are not objects of the kind. Each error has the path of its item.
    #[error("{}", lines(.0))]
    Items(Vec<(String, JsonError)>),
    /// The options do not accept the report of the conversion.
    #[error(transparent)]
    Refused(#[from] ConversionError),
}

fn lines(errors: &[(String, JsonError)]) -> String {
    let lines: Vec<String> =
        errors.iter().map(|(path, error)| format!("{path}: {error}")).collect();
    lines.join("\n")
}

/// Decodes a value, and reports the fields that `T` does not know.
///
/// # Errors
/// The value is not a `T`.
pub fn decode<T: DeserializeOwned>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<T, JsonError> {
    let mut noted = Noted::default();
    let decoded = noted.read(value, PathRef::Root);
    let decoded = decoded.map_err(|reason| noted.located(reason).into());
    for (path, value) in noted.unknown {
        report.add(path, ConversionFinding::UnknownField { value });
    }
    decoded
}

/// Reports the required members that an object does not have, or that are `null`. Each is given by the names that lead to it;
/// `[]` is each item of a list or map. A member of an object that is not there is not reported.
pub fn report_absent(value: &Value, required: &[&[&str]], report: &mut ConversionReport) {
    for names in required {
        absent(value, names, PathRef::Root, report);
    }
}

fn absent(value: &Value, names: &[&str], at: PathRef<'_>, report: &mut ConversionReport) {
    match (names, value) {
        (["[]", rest @ ..], Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                absent(item, rest, at.index(index), report);
            }
        }
        (["[]", rest @ ..], Value::Object(values)) => {
            for (key, value) in values {
                absent(value, rest, at.child(key), report);
            }
        }
        ([name], Value::Object(members)) if members.get(*name).is_none_or(Value::is_null) => {
            report.add(at.child(name), ConversionFinding::Missing);
        }
        ([name, rest @ ..], Value::Object(members)) => {
            if let Some(value) = members.get(*name) {
                absent(value, rest, at.child(name), report);
            }
        }
        _ => {}
    }
}

/// Decodes an object, of the version that it names. A missing `spec` counts as empty: servers send such objects.
pub(crate) fn from_value<A: AnyVersion>(
    value: &Value,
    report: &mut ConversionReport,
) -> Result<A, JsonError> {
    let version = TypeMeta::among(value, types::<A>(A::KIND))?;
    if A::HAS_SPEC && value.get("spec").is_none_or(Value::is_null) {
        report.add("spec", ConversionFinding::Missing);
    }
    A::decode(version, value, report)
}

/// The types of a kind, each with its version.
pub(super) fn types<A: AnyVersion>(
    kind: &'static str,
) -> impl Iterator<Item = (TypeMeta<'static>, A::Version)> + Clone {
    let versions = A::VERSIONS.iter().copied();
    versions.map(move |version| (TypeMeta::new(A::api_version(version), kind), version))
}

/// The version that an `apiVersion` names.
pub(crate) fn version<A: AnyVersion>(api_version: &str) -> Option<A::Version> {
    A::VERSIONS.iter().copied().find(|version| A::api_version(*version) == api_version)
}

/// Converts an object, or the items of a list.
pub(crate) fn convert<A: AnyVersion>(
    value: &Value,
    to: A::Version,
    options: &Options<A::Policies>,
) -> Result<(Value, ConversionReport), JsonError> {
    if value.is_array() {
        TypeMeta::of(value)?;
    }
    let opens = |of: &TypeMeta<'_>| of.kind == A::LIST_KIND && of.group() == Some(A::GROUP);
    let (mut converted, mut report, mut errors) =
        (value.clone(), ConversionReport::new(), Vec::new());
    for_each_object(&mut converted, &opens, &mut |part| {
        let path = part.position.iter().fold(String::new(), |path, index| {
            join(&path, crate::conversion::report::item(*index).as_str())
        });
        let mut found = ConversionReport::new();
        let done = self::part::<A>(part, to, options, &mut found);
        report.add_at(&path, found);
        errors.extend(done.err().map(|error| (path, error)));
    });
    match errors.pop() {
        None => Ok((converted, options.accept(report)?)),
        Some((path, error)) if path.is_empty() => Err(error),
        Some(last) => {
            errors.push(last);
            Err(JsonError::Items(errors))
        }
    }
}

fn part<A: AnyVersion>(
    part: Part<'_>,
    to: A::Version,
    options: &Options<A::Policies>,
    report: &mut ConversionReport,
) -> Result<(), JsonError> {
    match part.type_meta {
        Ok(of) if part.is_list && of == TypeMeta::LIST => {}
        Ok(_) if part.is_list => {
            TypeMeta::among(part.value, types::<A>(A::LIST_KIND))?;
            if let Some(api_version) = part.value.get_mut("apiVersion") {
                *api_version = A::api_version(to).into();
            }
        }
        // The error names the types that are expected.
        Ok(_) | Err(TypeMetaError::Absent { .. }) => {
            *part.value = stored::convert::<A>(part.value, to, options, report)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

// Whole parts of objects, and lists of objects.

/// Converts a part, for implementations of `TryFrom`.
///
/// # Errors
/// The conversion loses a value, or servers of the target version would reject the result.
pub fn lossless<T>(part: impl ConvertPart<T>) -> Result<T, ConversionError> {
    let (converted, report) = part.convert_lossy();
    let lost = report.at_least(Severity::Warning);
    if lost.is_empty() { Ok(converted) } else { Err(ConversionError::new(lost)) }
}

/// Converts each item of the list of one version into another.
impl<A: Resource + ConvertObject<B>, B: Resource> ConvertObject<List<B>> for List<A> {
    type Policies = A::Policies;

    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> List<B> {
        let convert = |(index, item): (usize, A)| {
            report.of_item(index, |report| item.convert_reporting(options, report))
        };
        let items: Vec<B> = self.items.into_iter().enumerate().map(convert).collect();
        List::new(items).with_metadata(self.metadata)
    }
}

//! Objects whose version is known only at run time, as JSON: single ones and lists.

use serde_json::Value;

use super::any_version::types;
use super::{AnyVersion, ConversionReport, JsonError, Options, mistyped};
use crate::field::join;
use crate::{DocumentPart, TypeMeta, TypeMetaError, for_each_object};

/// Converts an object, or the items of a list.
///
/// # Errors
/// It is not an object of the kind, its metadata cannot be read, or the options do not accept the report.
pub fn convert_value<A: AnyVersion>(
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
            join(&path, crate::conversion::conversion_report::item(*index).as_str())
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
    part: DocumentPart<'_>,
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
            *part.value = mistyped::convert::<A>(part.value, to, options, report)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

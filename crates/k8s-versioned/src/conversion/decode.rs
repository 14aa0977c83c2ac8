//! Decoding JSON of a version, and why JSON is not converted.

use k8s_versioned_core::path_room::PathRoom;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::{ConversionError, ConversionFinding, ConversionReport};
use crate::field::PathRef;
use crate::json::Noted;
use crate::json::server::size;
use crate::{LocatedError, TypeMetaError};

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

/// Decodes a value, and reports the fields that `T` does not have.
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
    if noted.room.left_out() > 0 {
        let count = noted.room.left_out();
        report.add("", ConversionFinding::MoreUnknownFields { count });
    }
    decoded
}

/// Reports the required members that an object does not have, or that are `null`. Each is given by the names that lead to it;
/// `[]` is each item of a list or map. A member of an object that is not there is not reported.
pub fn report_absent(value: &Value, required: &[&[&str]], report: &mut ConversionReport) {
    let mut absent = Absent::default();
    absent.look(value, required);
    if absent.room.left_out() > 0 {
        absent = Absent { room: PathRoom::of(size(value)), paths: Vec::new() };
        absent.look(value, required);
    }
    for path in absent.paths {
        report.add(path, ConversionFinding::Missing);
    }
    if absent.room.left_out() > 0 {
        let count = absent.room.left_out();
        report.add("", ConversionFinding::MoreMissing { count });
    }
}

/// The paths of absent members.
#[derive(Default)]
struct Absent {
    paths: Vec<String>,
    room: PathRoom,
}

impl Absent {
    fn look(&mut self, value: &Value, required: &[&[&str]]) {
        for names in required {
            self.look_inside(value, names, PathRef::Root);
        }
    }

    fn look_inside(&mut self, value: &Value, names: &[&str], at: PathRef<'_>) {
        match (names, value) {
            (["[]", rest @ ..], Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.look_inside(item, rest, at.index(index));
                }
            }
            (["[]", rest @ ..], Value::Object(values)) => {
                for (key, value) in values {
                    self.look_inside(value, rest, at.child(key));
                }
            }
            ([name], Value::Object(members)) if members.get(*name).is_none_or(Value::is_null) => {
                self.paths.extend(self.room.write(&at.child(name)));
            }
            ([name, rest @ ..], Value::Object(members)) => {
                if let Some(value) = members.get(*name) {
                    self.look_inside(value, rest, at.child(name));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{decode, report_absent};
    use crate::conversion::{ConversionFinding, ConversionReport};
    use crate::meta::v1::Status;

    /// A name of 100 kB around members, which are in their lists 100 kB of text for each.
    fn long(members: usize, member: &Value) -> Value {
        let members: Map<String, Value> =
            (0..members).map(|index| (format!("f{index}"), member.clone())).collect();
        json!({"n".repeat(100_000): members})
    }

    fn bytes(report: &ConversionReport) -> usize {
        report.iter().map(|(path, _)| path.as_str().len()).sum()
    }

    #[test]
    fn paths_of_absent_members_are_bounded() {
        let required: &[&[&str]] = &[&["[]", "[]", "name"]];
        let mut report = ConversionReport::new();
        report_absent(&long(10, &json!({})), required, &mut report);
        assert_eq!(report.len(), 10);
        let mut report = ConversionReport::new();
        report_absent(&long(10_000, &json!({})), required, &mut report);
        let named = report.len() - 1;
        let last = report.iter().last().unwrap();
        assert_eq!(last.1, &ConversionFinding::MoreMissing { count: 10_000 - named });
        assert!(bytes(&report) < 5 << 20, "{}", bytes(&report));
    }

    #[test]
    fn paths_of_unknown_fields_are_bounded() {
        let status = |members: usize| {
            let mut unknown = Map::new();
            for index in 0..members {
                unknown.insert(format!("{}{index}", "n".repeat(1_000)), json!(1));
            }
            json!({"details": unknown})
        };
        let mut report = ConversionReport::new();
        decode::<Status>(&status(1_000), &mut report).unwrap();
        assert_eq!(report.len(), 1_000);
        let mut report = ConversionReport::new();
        decode::<Status>(&status(10_000), &mut report).unwrap();
        let named = report.len() - 1;
        let last = report.iter().last().unwrap();
        assert_eq!(last.1, &ConversionFinding::MoreUnknownFields { count: 10_000 - named });
        assert!(bytes(&report) < 5 << 20, "{}", bytes(&report));
    }
}

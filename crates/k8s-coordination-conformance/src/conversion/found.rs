//! Candidates in recordings.

use std::borrow::Cow;

use k8s_coordination::Kinds;
use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_versioned::KindEntry;
use k8s_versioned_conformance::recordings::{Body, Subject};
use k8s_versioned_conformance::{Mismatch, Recording, differences, readable_kind_of, value};
use k8s_versioned_conversion::{AnyVersion, ConversionReport};
use serde_json::Value;

use crate::Stop;

/// A candidate in a body.
pub(super) struct Found {
    /// The place in the recording: a JSON pointer.
    pub(super) pointer: String,
    pub(super) candidate: AnyLeaseCandidate,
}

impl Found {
    /// All candidates of a body.
    pub(super) fn read(recording: &Recording, subject: &Subject<'_>) -> Result<Vec<Self>, Stop> {
        let entry = readable_kind_of(&Kinds, recording, subject)?;
        let version = version(entry)?;
        let body = match subject.body {
            Body::Json(body) => Cow::Borrowed(body),
            Body::Text(found) => {
                Cow::Owned(serde_json::from_str(found).map_err(|_| "the body is not JSON")?)
            }
            Body::Binary(_) => {
                value(entry, subject).ok_or("a body in protobuf that does not decode")?
            }
        };
        let values = values(entry, subject, &body);
        if values.is_empty() {
            return Err("a list without items".into());
        }
        let read = |(pointer, value): (String, &Value)| Self::decode(version, pointer, value);
        let found: Result<_, Stop> = values.into_iter().map(read).collect();
        if found.is_err() && recording.refuses(subject) {
            return Err("the server could not decode it either (400)".into());
        }
        found
    }

    fn decode(
        version: LeaseCandidateVersion,
        pointer: String,
        value: &Value,
    ) -> Result<Self, Stop> {
        match AnyLeaseCandidate::decode(version, value, &mut ConversionReport::new()) {
            Ok(candidate) => Ok(Self { pointer, candidate }),
            Err(error) => Err(Stop::undecodable(pointer, &error)),
        }
    }

    /// The differences after a conversion to each other version and back.
    pub(super) fn there_and_back(&self) -> Vec<Mismatch> {
        let own = self.candidate.version();
        let others = LeaseCandidateVersion::ALL.iter();
        let others = others.filter(|version| **version != own);
        let mismatches = others.flat_map(|version| {
            let (target, _) = self.candidate.clone().convert_to(*version);
            let (back, _) = target.convert_to(own);
            let hint =
                format!("found after conversion to {version} and back: see docs/conversions.md");
            self.compare(&back, &hint)
        });
        mismatches.collect()
    }

    /// The differences of another candidate from this one.
    pub(super) fn compare(&self, found: &AnyLeaseCandidate, hint: &str) -> Vec<Mismatch> {
        if *found == self.candidate {
            return Vec::new();
        }
        let mut mismatches = differences(&self.pointer, &json(&self.candidate), &json(found));
        if mismatches.is_empty() {
            // Several values of the type can have the same JSON.
            let expected = format!("{:?}", self.candidate);
            mismatches.push(Mismatch::new(&self.pointer, expected, format!("{found:?}"), ""));
        }
        for mismatch in &mut mismatches {
            mismatch.hint = hint.to_owned().into();
        }
        mismatches
    }
}

fn json(candidate: &AnyLeaseCandidate) -> Value {
    serde_json::to_value(candidate).unwrap_or_default()
}

/// The version of the candidates in a body of this kind.
fn version(entry: &KindEntry) -> Result<LeaseCandidateVersion, Stop> {
    type Any = AnyLeaseCandidate;
    let candidates = [Any::KIND, Any::LIST_KIND].contains(&entry.kind());
    let version = entry.api_version().parse().ok().filter(|_| candidates);
    let reason = || format!("of another kind: {}", entry.kind()).into();
    version.ok_or_else(|| Stop::NotApplicable(reason()))
}

/// The objects in a body, and where they are.
fn values<'a>(
    entry: &KindEntry,
    subject: &Subject<'_>,
    body: &'a Value,
) -> Vec<(String, &'a Value)> {
    if entry.kind() == AnyLeaseCandidate::KIND {
        return vec![(subject.pointer.clone(), body)];
    }
    let items = body.get("items").and_then(Value::as_array).into_iter().flatten();
    let items = items.enumerate();
    items.map(|(index, item)| (format!("{}/items/{index}", subject.pointer), item)).collect()
}

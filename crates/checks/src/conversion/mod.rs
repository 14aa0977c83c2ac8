//! The check of conversions.

mod found;
mod twins;

use std::iter;

use k8s_versioned_conformance::recording::Subject;
use k8s_versioned_conformance::{Check, Finding, Recording, Recordings};

use found::Found;
use twins::Twins;

/// A candidate comes back equal from every other version. An object that a server shows in two versions converts from one
/// to the other as on the server.
pub struct Convert;

impl Check for Convert {
    fn name(&self) -> &'static str {
        "convert"
    }

    fn about(&self) -> &'static str {
        "a candidate comes back equal from every other version, and converts across as servers do"
    }

    fn check(&self, recording: &Recording, all: &Recordings) -> Vec<Finding> {
        let subjects = recording.subjects();
        if subjects.is_empty() {
            return vec![Finding::not_applicable("", "no body")];
        }
        let twins = Twins::beside(recording, all);
        let findings = subjects.iter().flat_map(|subject| {
            let pointer = subject.pointer.as_str();
            match Found::read(recording, subject) {
                Err(stop) => vec![stop.finding(pointer)],
                Ok(found) => examine(subject, &found, twins.as_ref()),
            }
        });
        findings.collect()
    }
}

/// The findings on one body: its candidates come back equal, and each is equal to its converted twins. Twins are the same
/// object in recordings of other versions.
fn examine(subject: &Subject<'_>, found: &[Found], twins: Option<&Twins>) -> Vec<Finding> {
    let there_and_back = found.iter().flat_map(Found::there_and_back).collect();
    let there_and_back = Finding::of_mismatches(subject.pointer.as_str(), there_and_back);
    let across = twins.into_iter().flat_map(|twins| {
        found.iter().map(|one| match twins.compare(subject, one) {
            Ok(mismatches) => Finding::of_mismatches(one.pointer.as_str(), mismatches),
            Err(reason) => Finding::not_applicable(one.pointer.as_str(), reason),
        })
    });
    iter::once(there_and_back).chain(across).collect()
}

//! Whether candidates survive conversion, and whether servers convert in the same way.

mod found;
mod twins;

use std::iter;

use k8s_versioned_conformance::recording::Subject;
use k8s_versioned_conformance::{Check, Finding, Recording, Recordings};

use found::Found;
use twins::Twins;

/// Every candidate comes back from every other version as it was; and what a server showed in two versions is
/// what one becomes as the other.
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

/// What is said of one body: whether its candidates come back, and if it is there for that, whether each is what
/// the server shows in another version.
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

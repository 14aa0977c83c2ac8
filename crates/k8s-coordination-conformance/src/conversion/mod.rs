//! The check of conversions.

mod found;
mod twins;

use std::iter;

use k8s_versioned_conformance::recordings::Subject;
use k8s_versioned_conformance::{Check, Examination, Recording, Recordings, subjects};

use crate::examined;
use found::Found;
use twins::Twins;

/// A candidate is equal after conversion to every other version and back. An object that a server shows in two versions
/// converts from one to the other as on the server.
pub(super) fn check() -> Check<'static> {
    let rule = "a candidate is equal after conversion to every version and back, and converts as on servers";
    Check::new("convert", rule, findings)
}

fn findings(recording: &Recording, all: &Recordings) -> Vec<Examination> {
    let subjects = subjects(recording);
    if subjects.is_empty() {
        return vec![Examination::not_applicable("", "no body")];
    }
    let twins = Twins::beside(recording, all);
    let findings = subjects.iter().flat_map(|subject| match Found::read(recording, subject) {
        Err(stop) => vec![Examination::new(subject.pointer.as_str(), examined(Err(stop)))],
        Ok(found) => examine(subject, &found, twins.as_ref()),
    });
    findings.collect()
}

/// The findings on one body: its candidates are equal after conversion and back, and to their converted twins. Twins are the
/// same object in recordings of other versions.
fn examine(subject: &Subject<'_>, found: &[Found], twins: Option<&Twins>) -> Vec<Examination> {
    let there_and_back = found.iter().flat_map(Found::there_and_back).collect();
    let there_and_back = Examination::new(subject.pointer.as_str(), Ok(there_and_back));
    let across = twins.into_iter().flat_map(|twins| {
        found.iter().map(|one| Examination::new(one.pointer.as_str(), twins.compare(subject, one)))
    });
    iter::once(there_and_back).chain(across).collect()
}

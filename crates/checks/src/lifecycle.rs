//! The check of deprecation warnings.

use k8s_coordination::{Kinds, Registry, Release};
use k8s_versioned_conformance::recording::{Exchange, Response};
use k8s_versioned_conformance::{Check, Finding, Mismatch, Recording, Recordings};

/// A server warns that a version is deprecated, in these words, from the release on that the lifecycle says.
pub struct Lifecycle;

/// The status codes of answers that a server gives before it looks at the version.
const BEFORE_THE_VERSION: [u16; 4] = [401, 403, 405, 415];

const POINTER: &str = "/response/headers/warning";

impl Check for Lifecycle {
    fn name(&self) -> &'static str {
        "lifecycle"
    }

    fn about(&self) -> &'static str {
        "a server warns that a version is deprecated from the release on that its lifecycle says, and not before"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let Some(exchange) = recording.exchange() else {
            return vec![Finding::not_applicable("", "not an exchange")];
        };
        if BEFORE_THE_VERSION.contains(&exchange.response.status) {
            let reason = "the server answers before it looks at the version (401, 403, 405, 415)";
            return vec![Finding::not_applicable(POINTER, reason)];
        }
        let expected = expected(exchange, recording.release());
        let found = found(&exchange.response);
        vec![if expected.is_none() && found.is_none() {
            Finding::not_applicable(POINTER, "the version is not deprecated in this release")
        } else {
            Finding::of_mismatches(POINTER, mismatch(expected, found).into_iter().collect())
        }]
    }
}

/// The warning that the lifecycle of the version in the path foretells.
fn expected(exchange: &Exchange, release: Release) -> Option<String> {
    let target = exchange.request.target();
    // Discovery is not about a resource: no warning comes with it.
    let version = target.group_version().filter(|_| target.plural.is_some())?;
    let entry = Kinds.kinds().iter().find(|entry| entry.group_version() == version)?;
    entry.deprecation_warning(release)
}

/// The text of the warning about deprecation.
fn found(response: &Response) -> Option<String> {
    let headers = response.headers.get("warning")?.iter();
    let mut texts = headers.filter_map(|text| text.strip_prefix("299 - \"")?.strip_suffix('"'));
    let text = texts.find(|text| text.contains("is deprecated in"));
    text.map(str::to_owned)
}

fn mismatch(expected: Option<String>, found: Option<String>) -> Option<Mismatch> {
    let shown = |text: Option<String>| text.unwrap_or_else(|| "absent".to_owned());
    (expected != found).then(|| Mismatch {
        pointer: POINTER.to_owned(),
        expected: shown(expected),
        found: shown(found),
        advice: "compare the lifecycle of the version with the release".into(),
    })
}

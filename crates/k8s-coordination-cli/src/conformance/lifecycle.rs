//! The check of deprecation warnings.

use k8s_coordination::{Kinds, Registry, Release};
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned_conformance::recordings::{Exchange, RecordedResponse};
use k8s_versioned_conformance::{Check, Examined, Mismatch};

/// The status codes of answers that a server gives before it looks at the version of the path.
const BEFORE_THE_VERSION: [u16; 4] = [401, 403, 405, 415];

/// From the release on that the lifecycle says, a server warns that the version is deprecated, in these words.
pub(super) fn check() -> Check<'static> {
    let rule = "servers warn that a version is deprecated from the release on that its lifecycle says, and not before";
    Check::of_exchanges("lifecycle", rule, |recording, exchange| {
        examine(exchange, recording.path.release)
    })
}

fn examine(exchange: &Exchange, release: Release) -> Examined {
    let earlier = earlier(&exchange.response);
    let expected = if earlier.is_none() { expected(exchange, release) } else { None };
    let actual = deprecation(&exchange.response);
    if expected.is_none() && actual.is_none() {
        return Err(earlier.unwrap_or("the version is not deprecated in this release").into());
    }
    if expected == actual {
        return Ok(Vec::new());
    }
    let or_absent = |text: Option<String>| text.unwrap_or_else(|| "absent".to_owned());
    let hint = "compare the lifecycle of the version with the release";
    let pointer = "/response/headers/warning";
    Ok(vec![Mismatch::new(pointer, or_absent(expected), or_absent(actual), hint)])
}

/// The reason why an answer warns of no version: the server gives it before it looks at the version.
fn earlier(response: &RecordedResponse) -> Option<&'static str> {
    if BEFORE_THE_VERSION.contains(&response.status) {
        return Some("the server answers before it looks at the version (401, 403, 405, 415)");
    }
    let of_router = "the router of the server answers before it looks at the version (406)";
    is_of_router(response).then_some(of_router)
}

/// Returns `true` for the router's answer to media types that no resource has.
fn is_of_router(response: &RecordedResponse) -> bool {
    let message = response.json().and_then(|body| body.get("message")?.as_str());
    response.status == 406
        && message.is_some_and(|message| message.starts_with("406: Not Acceptable"))
}

/// The warning by the lifecycle of the version in the path.
fn expected(exchange: &Exchange, release: Release) -> Option<String> {
    // Requests for discovery name no resource and get no warning.
    let path =
        ResourcePath::parse(&exchange.request.path).filter(|path| !path.plural.is_empty())?;
    let entry = Kinds
        .kinds()
        .iter()
        .find(|entry| entry.group() == path.group && entry.version() == path.version)?;
    entry.deprecation_warning(release)
}

/// The text of the deprecation warning.
fn deprecation(response: &RecordedResponse) -> Option<String> {
    let headers = response.headers.get("warning")?.iter();
    let mut texts = headers.filter_map(|text| text.strip_prefix("299 - \"")?.strip_suffix('"'));
    let text = texts.find(|text| text.contains("is deprecated in"));
    text.map(str::to_owned)
}

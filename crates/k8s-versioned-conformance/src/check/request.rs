//! The check of requests.

use std::borrow::Cow;
use std::collections::BTreeMap;

use k8s_versioned::requests::{RawBody, Request, http};
use k8s_versioned::{Registry, TypeMeta, from_json};
use serde_json::Value;

use super::Check;
use super::rebuild::Rebuilt;
use crate::differences::shorten;
use crate::examination::{Mismatch, NothingToCompare};
use crate::kinds::{codec_of, refused};
use crate::operation::Operations;
use crate::recordings::{RecordedBody, RecordedRequest, SubjectKind};

/// A request that is built from the names, the parameters and the body of a recorded request has the same method,
/// path, query and headers. A patch has to be equal. Any other body equals the recorded one after a round trip through its
/// kind.
///
/// `registry` has the kinds of the bodies that the operations send.
pub fn request<'a>(operations: &'a [Operations], registry: &'a dyn Registry) -> Check<'a> {
    let rule = "a request that is built from the same input has the same method, path, query, headers and body";
    Check::of_exchanges("request", rule, |recording, exchange| {
        if let Some(reason) = refused(registry, recording, SubjectKind::Request) {
            return Err(reason.into());
        }
        let rebuilt = Rebuilt::from_exchange(operations, exchange);
        NothingToCompare::examined(
            rebuilt.map(|rebuilt| compare(&rebuilt.request(), &exchange.request, registry)),
        )
    })
}

fn compare(
    built: &Request<RawBody>,
    recorded: &RecordedRequest,
    registry: &dyn Registry,
) -> Vec<Mismatch> {
    let http = match built.to_http() {
        Ok(http) => http,
        Err(error) => {
            return vec![mismatch("/request", "an HTTP request", &error.to_string())];
        }
    };
    let mut mismatches = Vec::new();
    let mut same = |part: &str, expected: String, found: String| {
        if expected != found {
            mismatches.push(mismatch(&format!("/request/{part}"), &expected, &found));
        }
    };
    same("method", recorded.method.clone(), http.method().to_string());
    // Documents write the paths of discovery with a slash at the end. Servers accept both.
    let path = |path: &str| path.trim_end_matches('/').to_owned();
    same("path", path(&recorded.path), path(http.uri().path()));
    same("query", format!("{:?}", recorded.query), query(http.uri()));
    same("headers", format!("{:?}", recorded.headers), headers(http.headers()));
    mismatches.extend(compare_body(http.body(), recorded, registry));
    mismatches
}

/// The query of the URL, decoded.
fn query(uri: &http::Uri) -> String {
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    format!("{:?}", query.collect::<BTreeMap<_, _>>())
}

/// The headers, in the form of a recording.
fn headers(headers: &http::HeaderMap) -> String {
    let mut by_name: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        by_name.entry(name.as_str()).or_default().push(value);
    }
    format!("{by_name:?}")
}

/// Compares the bodies, a patch exactly: a `null` in it removes a field.
fn compare_body(
    built: &[u8],
    recorded: &RecordedRequest,
    registry: &dyn Registry,
) -> Option<Mismatch> {
    let sent = match &recorded.body {
        Some(RecordedBody::Json(sent)) => Cow::Borrowed(sent),
        Some(RecordedBody::Binary(sent)) => return compare_protobuf(built, sent, registry),
        Some(RecordedBody::Events(_)) => return None,
        Some(RecordedBody::Text(sent)) => Cow::Owned(from_json(sent.as_bytes()).ok()?),
        None if built.is_empty() => return None,
        None => {
            let found = String::from_utf8_lossy(built);
            return Some(mismatch("/request", "no body", &found));
        }
    };
    let found: Value = from_json(built).unwrap_or_default();
    let rewritten = (recorded.method != "PATCH").then(|| rewrite(&sent, &found, registry));
    let expected = rewritten.flatten().unwrap_or_else(|| sent.into_owned());
    (found != expected).then(|| {
        let (expected, found) = (expected.to_string(), found.to_string());
        mismatch("/request/json", &expected, &found)
    })
}

/// Compares a body with the bytes that its kind writes for those that were sent.
fn compare_protobuf(built: &[u8], sent: &[u8], registry: &dyn Registry) -> Option<Mismatch> {
    let pointer = "/request/base64";
    let Some(codec) = codec_of(registry, built) else {
        return Some(mismatch(pointer, "a body in protobuf", "another body"));
    };
    let rewritten = codec.decode(sent).map(|object| codec.encode(&*object).unwrap_or_default());
    match rewritten {
        Ok(expected) if expected == built => None,
        Ok(expected) => {
            let size = |bytes: &[u8]| format!("{} bytes", bytes.len());
            Some(mismatch(pointer, &size(&expected), &format!("other {}", size(built))))
        }
        Err(error) => Some(mismatch(pointer, "a body that decodes", &error.to_string())),
    }
}

/// The sent body as the kind of the built body encodes it; `None` if the kind is not known.
fn rewrite(sent: &Value, built: &Value, registry: &dyn Registry) -> Option<Value> {
    let of = TypeMeta::of(built).ok()?;
    let kind = registry.find(&of.api_version, &of.kind)?;
    kind.decode_value(sent).ok()?.encode().ok()
}

fn mismatch(pointer: &str, expected: &str, found: &str) -> Mismatch {
    let hint = "the function of the operation builds another request than was sent";
    Mismatch::new(pointer, shorten(expected), shorten(found), hint)
}

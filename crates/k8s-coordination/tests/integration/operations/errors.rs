//! Refusals and other answers without the requested content.

use std::fmt::Write as _;

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ApiError, Request, ResponseError, http};
use k8s_coordination::v1alpha1::LeaseCandidate;

/// The error of a list that is answered so. `headers` has a line for each.
fn error(code: u16, headers: &str, body: &[u8]) -> ResponseError {
    let mut response = http::Response::builder().status(code);
    for (name, value) in headers.lines().filter_map(|line| line.split_once(": ")) {
        response = response.header(name, value);
    }
    let request = LeaseCandidate::list("default", ()).unwrap();
    request.decode(&response.body(body).unwrap()).unwrap_err()
}

/// The questions that have the answer yes. The error around the refusal answers the same.
fn answers(o: &ResponseError, e: &ApiError) -> String {
    let questions = [
        ("bad request", e.is_bad_request(), o.is_bad_request()),
        ("unauthorized", e.is_unauthorized(), o.is_unauthorized()),
        ("forbidden", e.is_forbidden(), o.is_forbidden()),
        ("unsupported", e.is_unsupported(), o.is_unsupported()),
        ("not found", e.is_not_found(), o.is_not_found()),
        ("not served", e.is_not_served(), o.is_not_served()),
        ("already exists", e.is_already_exists(), o.is_already_exists()),
        ("conflict", e.is_conflict(), o.is_conflict()),
        ("expired", e.is_expired(), o.is_expired()),
        ("invalid", e.is_invalid(), o.is_invalid()),
        ("too many requests", e.is_too_many_requests(), o.is_too_many_requests()),
        ("timeout", e.is_timeout(), o.is_timeout()),
    ];
    assert!(questions.iter().all(|(_, inner, outer)| inner == outer), "{e}");
    let yes = questions.iter().filter(|(_, yes, _)| *yes).map(|(question, ..)| *question);
    yes.collect::<Vec<_>>().join(", ")
}

/// The codes and reasons of servers, with more of the `Status`.
const STATUSES: [(u16, &str, &str); 21] = [
    (400, "BadRequest", ""),
    (401, "Unauthorized", ""),
    (403, "Forbidden", ""),
    (404, "NotFound", r#", "details": {"name": "a", "kind": "leasecandidates"}"#),
    (404, "NotFound", r#", "details": {}"#),
    (405, "MethodNotAllowed", ""),
    (409, "AlreadyExists", ""),
    (409, "Conflict", ""),
    (410, "Expired", r#", "message": "too old", "code": 410, "metadata": {"continue": "t"}"#),
    (410, "Gone", ""),
    (415, "UnsupportedMediaType", r#", "message": "a\nb""#),
    (
        422,
        "Invalid",
        r#", "details": {"causes": [{"reason": "FieldValueRequired", "field": "spec.leaseName"}, {"message": null}]}"#,
    ),
    (429, "TooManyRequests", ""),
    (500, "", ""),
    // Zero and negative times to wait count as absent.
    (500, "InternalError", r#", "details": {"retryAfterSeconds": 9}"#),
    (500, "InternalError", r#", "details": {"retryAfterSeconds": 0}"#),
    (500, "InternalError", r#", "details": {"retryAfterSeconds": -1}"#),
    (500, "InternalError", r#", "details": {"retryAfterSeconds": null}"#),
    (500, "ServerTimeout", ""),
    (504, "Timeout", ""),
    (504, "Timeout", r#", "details": {"retryAfterSeconds": 3}, "code": 500"#),
];

/// Other answers: the code, headers, and the body.
const ANSWERS: [(u16, &str, &[u8]); 26] = [
    (404, "", b"404 page not found\n"),
    (418, "", br#"{"kind": "Teapot", "reason": "NotFound"}"#),
    (429, "retry-after: 7\nwarning: 299 - \"old\"", b"slow down"),
    (504, "", b"<html>"),
    // The text of a proxy is shown, in one line.
    (503, "", b""),
    (503, "", b"\n no\x1b backend \r\nmore"),
    (503, "", b"{\"kind\": 7}"),
    (503, "", b"\xff"),
    // A `Status` in YAML or a binary form is not read: whether it names the object is unknown.
    (404, "content-type: text/plain; charset=utf-8", b"kind: Status\n"),
    (404, "content-type: text/html", b"kind: Status\n"),
    (404, "content-type: application/yaml", b"kind: Status\n"),
    (404, "content-type: application/yaml; charset=utf-8", b"kind: Status\n"),
    (404, "content-type: application/vnd.kubernetes.protobuf", b"kind: Status\n"),
    (404, "content-type: application/cbor", b"kind: Status\n"),
    // Nor whether the object exists already, against which a retry does not help.
    (409, "content-type: text/plain", b"kind: Status\n"),
    (409, "content-type: application/yaml", b"kind: Status\n"),
    // Neither success nor refusal.
    (203, "", b"{}"),
    (304, "", b"{}"),
    // A success with another body is not a refusal, and its warnings are kept.
    (200, "content-type: application/json\nwarning: x", b"{"),
    (200, "content-type: application/yaml\nwarning: x", b"{}"),
    (200, "content-type: application/json; charset=utf-8\nwarning: x", br#"{"kind": "Table"}"#),
    (200, "warning: x", b"[]"),
    (200, "content-type: application/json", b""),
    (200, "", b" <html>"),
    // A date is not read: API servers send seconds.
    (503, "retry-after: 5", b""),
    (503, "retry-after: Sat, 25 Aug 2012 23:34:45 GMT", b""),
];

fn describe(out: &mut String, (code, headers, body): (u16, &str, &[u8])) {
    let error = error(code, headers, body);
    assert_eq!(error.code().as_u16(), code);
    writeln!(out, "# {code} {} {}\n{error}", headers.escape_debug(), body.escape_ascii()).unwrap();
    if let ResponseError::Body { warnings, .. } = &error {
        writeln!(out, "a success, {} warnings", warnings.len()).unwrap();
    }
    let Some(refusal) = error.api() else {
        assert!(!error.is_not_found());
        out.push('\n');
        return;
    };
    let (waits, token) = (refusal.retry_after(), refusal.continue_token());
    let causes =
        refusal.causes().iter().map(|cause| (cause.reason.as_deref(), cause.field.as_deref()));
    let causes: Vec<_> = causes.collect();
    writeln!(out, "answers: {}", answers(&error, refusal)).unwrap();
    let status = refusal.status().map(|status| status.code);
    writeln!(
        out,
        "status {status:?}, retry after {waits:?}, continue {token:?}, causes {causes:?}"
    )
    .unwrap();
    let (reason, message, body) = (refusal.reason(), refusal.message(), refusal.body());
    let warnings: Vec<_> = refusal.warnings().iter().map(|warning| &warning.text).collect();
    writeln!(out, "{reason:?}, {message:?}, warnings {warnings:?}, {} bytes\n", body.len())
        .unwrap();
}

#[test]
fn all_sorts_of_answers() {
    let mut out = String::new();
    for (code, reason, more) in STATUSES {
        let body = format!(
            r#"{{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "{reason}"{more}}}"#
        );
        describe(&mut out, (code, "", body.as_bytes()));
    }
    for answer in ANSWERS {
        describe(&mut out, answer);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn hints() {
    let forbidden = |message: &str| {
        let message = serde_json::to_string(message).unwrap();
        format!(r#"{{"kind": "Status", "reason": "Forbidden", "message": {message}}}"#)
    };
    let resource = r#"leases is forbidden: User "a" cannot list resource "leases" in API group"#;
    let path = r#"forbidden: User "a" cannot get path "/apis/a.io/""#;
    let anonymous = r#"forbidden: User "system:anonymous" cannot get path "/apis/a.io/""#;
    let json = "content-type: application/json";
    let table = [
        (401, "", String::new(), "the credentials are missing"),
        (403, "", forbidden(resource), "the verb `list` for `leases`"),
        (403, "", forbidden(path), "the verb `get` for the path `/apis/a.io/`"),
        (403, "", forbidden(anonymous), "no credentials"),
        (403, "", forbidden("a quota"), ""),
        (
            404,
            "",
            "404 page not found".to_owned(),
            "`--runtime-config=coordination.k8s.io/v1alpha1=true`",
        ),
        (404, "", r#"{"kind": "Status", "details": {"name": "a"}}"#.to_owned(), ""),
        (403, "", "\n<html>".to_owned(), "login page"),
        (502, "", "<!doctype html>".to_owned(), "login page"),
        (200, "", "<html>".to_owned(), "login page"),
        (429, "", String::new(), "the server has too much to do"),
        (302, "", String::new(), "login page"),
        (200, "content-type: text/html", String::new(), "login page"),
        (200, json, "{".to_owned(), ""),
    ];
    for (code, headers, body, expected) in table {
        let hint = error(code, headers, body.as_bytes()).hint();
        assert_eq!(hint.is_none(), expected.is_empty(), "{code} {body}: {hint:?}");
        assert!(hint.unwrap_or_default().contains(expected), "{code} {body}");
    }
    let group = Request::api_group("a.io");
    let answer = http::Response::builder().status(404).body(b"404 page not found").unwrap();
    let hint = group.decode(&answer).unwrap_err().hint().unwrap();
    assert!(hint.starts_with("is this an API server?"), "{hint}");
}

#[test]
fn a_long_text_is_cut() {
    let error = error(503, "", "ä".repeat(300).as_bytes());
    let cut = format!("503 Service Unavailable: {}... (600 bytes)", "ä".repeat(200));
    assert_eq!(error.to_string(), cut);
}

/// A switch of the server does not serve custom resources.
#[test]
fn the_hint_of_what_is_not_served_fits_the_group() {
    let response = || http::Response::builder().status(404).body(b"404 page not found").unwrap();
    for (group, version, hint) in [
        ("acme.example.org", "v1", "its CustomResourceDefinition is not installed"),
        ("coordination.k8s.io", "v1beta1", "`--runtime-config=coordination.k8s.io/v1beta1=true`"),
        ("batch", "v2alpha1", "`--runtime-config=batch/v2alpha1=true`"),
        ("", "v2beta1", "`--runtime-config=v2beta1=true`"),
        ("", "v1", "`v1` serves it by default"),
        ("apps", "v1", "`apps/v1` serves it by default"),
    ] {
        let request = Request::api_resource_list(group, version);
        let found = request.decode(&response()).unwrap_err().hint().unwrap();
        assert!(found.contains(hint), "{found}");
    }
}

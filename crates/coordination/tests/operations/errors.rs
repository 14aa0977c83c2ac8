//! Refusals and other answers that are not what was asked for.

use std::time::Duration;

use k8s_coordination::operation::{ApiError, ResponseError, http};
use k8s_coordination::prelude::*;
use k8s_coordination::v1alpha1::LeaseCandidate;

/// The refusal of a list.
fn refusal(code: u16, headers: &[(&str, &str)], body: &str) -> ApiError {
    let request = LeaseCandidate::list("default", ()).unwrap();
    let mut response = http::Response::builder().status(code);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    match request.decode(&response.body(body).unwrap()) {
        Err(ResponseError::Api(error)) => *error,
        other => panic!("{other:?}"),
    }
}

fn status(reason: &str, more: &str) -> String {
    format!(
        r#"{{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "{reason}"{more}}}"#
    )
}

/// The questions that have the answer yes. The error around the refusal answers the same.
fn answers(e: &ApiError) -> String {
    let o = ResponseError::Api(Box::new(e.clone()));
    let mut yes = Vec::new();
    let mut ask = |question: &'static str, answer: bool, outer: bool| {
        assert_eq!(answer, outer, "{question}");
        yes.extend(Some(question).filter(|_| answer));
    };
    ask("bad request", e.is_bad_request(), o.is_bad_request());
    ask("unauthorized", e.is_unauthorized(), o.is_unauthorized());
    ask("forbidden", e.is_forbidden(), o.is_forbidden());
    ask("not found", e.is_not_found(), o.is_not_found());
    ask("not served", e.is_not_served(), o.is_not_served());
    let (ours, outers) = (e.is_already_exists(), o.is_already_exists());
    ask("already exists", ours, outers);
    ask("conflict", e.is_conflict(), o.is_conflict());
    ask("expired", e.is_expired(), o.is_expired());
    ask("invalid", e.is_invalid(), o.is_invalid());
    let (ours, outers) = (e.is_too_many_requests(), o.is_too_many_requests());
    ask("too many requests", ours, outers);
    ask("timeout", e.is_timeout(), o.is_timeout());
    yes.join(", ")
}

#[test]
fn questions() {
    let named = r#", "details": {"name": "a", "kind": "leasecandidates"}"#;
    let unnamed = r#", "details": {}"#;
    // The code, the reason, more of the `Status`, and the answers.
    for (code, reason, more, expected) in [
        (400, "BadRequest", "", "bad request"),
        (401, "Unauthorized", "", "unauthorized"),
        (403, "Forbidden", "", "forbidden"),
        (404, "NotFound", named, "not found"),
        (404, "NotFound", unnamed, "not found, not served"),
        (405, "MethodNotAllowed", "", ""),
        (409, "AlreadyExists", "", "already exists"),
        (409, "Conflict", "", "conflict"),
        (410, "Expired", "", "expired"),
        (410, "Gone", "", "expired"),
        (415, "UnsupportedMediaType", "", ""),
        (422, "Invalid", "", "invalid"),
        (429, "TooManyRequests", "", "too many requests"),
        (500, "", "", ""),
        (500, "ServerTimeout", "", "timeout"),
        (504, "Timeout", "", "timeout"),
    ] {
        let found = answers(&refusal(code, &[], &status(reason, more)));
        assert_eq!(found, expected, "{code} {reason}");
    }
    // Bodies that are no `Status`.
    for (code, body, expected) in [
        (404, "404 page not found\n", "not found, not served"),
        (429, "", "too many requests"),
        (504, "<html>", "timeout"),
        (418, r#"{"kind": "Teapot", "reason": "NotFound"}"#, ""),
    ] {
        assert_eq!(answers(&refusal(code, &[], body)), expected, "{body}");
    }
}

/// A `Status` in YAML or a binary form is not read: whether it names the object is unknown.
#[test]
fn forms_of_a_status_that_are_not_read() {
    let table = [
        ("text/plain; charset=utf-8", "not found, not served"),
        ("text/html", "not found, not served"),
        ("application/yaml", "not found"),
        ("application/yaml; charset=utf-8", "not found"),
        ("application/vnd.kubernetes.protobuf", "not found"),
        ("application/cbor", "not found"),
    ];
    for (content_type, expected) in table {
        let error = refusal(404, &[("content-type", content_type)], "kind: Status\n");
        assert_eq!(answers(&error), expected, "{content_type}");
    }
    // Nor whether the object exists already, against which a retry does not help.
    for (content_type, expected) in [("text/plain", "conflict"), ("application/yaml", "")] {
        let error = refusal(409, &[("content-type", content_type)], "kind: Status\n");
        assert_eq!(answers(&error), expected, "{content_type}");
    }
}

#[test]
fn a_hint_to_switch_the_api_on() {
    assert_eq!(
        refusal(404, &[], "404 page not found\n").to_string(),
        "404 Not Found: 404 page not found: the server does not serve `coordination.k8s.io/v1alpha1`; if its release has it, \
         `--runtime-config=coordination.k8s.io/v1alpha1=true` on the API server switches it on"
    );
    let body = status("Expired", r#", "message": "too old", "code": 410"#);
    assert_eq!(refusal(410, &[], &body).to_string(), "410 Gone: too old");
}

/// The text of a proxy is shown, in one line and cut.
#[test]
fn text_that_is_no_status() {
    let long = "ä".repeat(300);
    let cut = format!("503 Service Unavailable: {}... (600 bytes)", "ä".repeat(200));
    let table: [(&[u8], &str); 5] = [
        (b"", "503 Service Unavailable"),
        (b"\n no\x1b backend \r\nmore", "503 Service Unavailable: no\\u{1b} backend "),
        (b"{\"kind\": 7}", "503 Service Unavailable: {\"kind\": 7}"),
        (b"\xff", "503 Service Unavailable"),
        (long.as_bytes(), &cut),
    ];
    for (body, expected) in table {
        let request = LeaseCandidate::list("default", ()).unwrap();
        let response = http::Response::builder().status(503).body(body).unwrap();
        assert_eq!(request.decode(&response).unwrap_err().to_string(), expected);
    }
    let shown = format!("{:?}", refusal(503, &[], "no backend"));
    assert!(shown.contains(r#"body: "no backend""#), "{shown}");
}

/// Neither success nor refusal.
#[test]
fn codes_that_are_no_answer() {
    let request = LeaseCandidate::list("default", ()).unwrap();
    for code in [203, 204, 301, 304] {
        let (head, ()) = http::Response::builder().status(code).body(()).unwrap().into_parts();
        let error = request.decode_parts(&head, b"{}").unwrap_err();
        assert!(
            matches!(error, ResponseError::Unexpected(found) if found.as_u16() == code),
            "{error}"
        );
    }
}

#[test]
fn all_of_a_status() {
    let more = r#", "message": "no", "code": 504, "metadata": {"continue": "t"}, "details": {"retryAfterSeconds": 3,
        "causes": [{"reason": "FieldValueRequired", "field": "spec.leaseName"}, {"message": null}]}"#;
    let warning = ("warning", r#"299 - "old""#);
    let error = refusal(504, &[warning], &status("Timeout", more));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3)));
    assert_eq!(error.reason(), "Timeout");
    let causes: Vec<_> =
        error.causes().iter().map(|it| (it.reason.as_deref(), it.field.as_deref())).collect();
    let required = (Some("FieldValueRequired"), Some("spec.leaseName"));
    assert_eq!(causes, [required, (None, None)]);
    assert_eq!(error.status().unwrap().code, Some(504));
    assert_eq!(error.continue_token(), Some("t"));
    assert_eq!(error.warnings()[0].text, "old");
    assert_eq!(error.message(), "no");

    let error = refusal(429, &[("retry-after", "7")], "slow down");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    assert_eq!((error.body(), error.status()), (&b"slow down"[..], None));
}

/// Zero and negative times to wait count as absent.
#[test]
fn odd_times_to_wait() {
    for (seconds, expected) in [("9", Some(9)), ("0", None), ("-1", None), ("null", None)] {
        let more = format!(r#", "details": {{"retryAfterSeconds": {seconds}}}"#);
        let error = refusal(500, &[], &status("InternalError", &more));
        let waits = error.retry_after().map(|waits| waits.as_secs());
        assert_eq!(waits, expected, "{seconds}");
    }
}

/// A success with another body is not a refusal, and its warnings are kept.
#[test]
fn successes_that_cannot_be_read() {
    let request = LeaseCandidate::list("default", ()).unwrap();
    let table = [
        (
            "application/json",
            "{",
            "200 OK: the body cannot be decoded: EOF while parsing an object at line 1 column 1",
        ),
        ("application/yaml", "{}", "200 OK: the body is `application/yaml` and not JSON"),
        (
            "application/json; charset=utf-8",
            r#"{"kind": "Table"}"#,
            "200 OK: the body cannot be decoded: invalid value: string \"Table\", expected kind `LeaseCandidateList` at \
             line 1 column 16",
        ),
    ];
    for (content_type, body, expected) in table {
        let response =
            http::Response::builder().header("content-type", content_type).header("warning", "x");
        let error = request.decode(&response.body(body).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(error.api().is_none() && !error.is_not_found());
        assert!(matches!(error, ResponseError::Body { warnings, .. } if warnings.len() == 1));
    }
}

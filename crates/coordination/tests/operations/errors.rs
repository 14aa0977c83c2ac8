//! What programs and people learn of a refusal.

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
fn answers(error: &ApiError) -> String {
    let outer = ResponseError::Api(Box::new(error.clone()));
    let answers = [
        (
            "bad request",
            error.is_bad_request(),
            outer.is_bad_request(),
        ),
        (
            "unauthorized",
            error.is_unauthorized(),
            outer.is_unauthorized(),
        ),
        ("forbidden", error.is_forbidden(), outer.is_forbidden()),
        ("not found", error.is_not_found(), outer.is_not_found()),
        ("not served", error.is_not_served(), outer.is_not_served()),
        (
            "already exists",
            error.is_already_exists(),
            outer.is_already_exists(),
        ),
        ("conflict", error.is_conflict(), outer.is_conflict()),
        ("expired", error.is_expired(), outer.is_expired()),
        ("invalid", error.is_invalid(), outer.is_invalid()),
        (
            "too many requests",
            error.is_too_many_requests(),
            outer.is_too_many_requests(),
        ),
        ("timeout", error.is_timeout(), outer.is_timeout()),
    ];
    let yes = answers
        .iter()
        .filter(|(name, yes, outer)| {
            assert_eq!(yes, outer, "{name}");
            *yes
        })
        .map(|(name, ..)| *name);
    yes.collect::<Vec<_>>().join(", ")
}

#[test]
fn questions() {
    let named = r#", "details": {"name": "a", "kind": "leasecandidates"}"#;
    let table = [
        (400, status("BadRequest", ""), "bad request"),
        (401, status("Unauthorized", ""), "unauthorized"),
        (403, status("Forbidden", ""), "forbidden"),
        (404, status("NotFound", named), "not found"),
        (
            404,
            status("NotFound", r#", "details": {}"#),
            "not found, not served",
        ),
        (
            404,
            "404 page not found\n".to_owned(),
            "not found, not served",
        ),
        (405, status("MethodNotAllowed", ""), ""),
        (409, status("AlreadyExists", ""), "already exists"),
        (409, status("Conflict", ""), "conflict"),
        (410, status("Expired", ""), "expired"),
        (410, status("Gone", ""), "expired"),
        (415, status("UnsupportedMediaType", ""), ""),
        (422, status("Invalid", ""), "invalid"),
        (429, status("TooManyRequests", ""), "too many requests"),
        (429, String::new(), "too many requests"),
        (500, status("", ""), ""),
        (500, status("ServerTimeout", ""), "timeout"),
        (504, status("Timeout", ""), "timeout"),
        (504, "<html>".to_owned(), "timeout"),
        (
            418,
            r#"{"kind": "Teapot", "reason": "NotFound"}"#.to_owned(),
            "",
        ),
    ];
    for (code, body, expected) in table {
        assert_eq!(
            answers(&refusal(code, &[], &body)),
            expected,
            "{code} {body}"
        );
    }
}

/// A `Status` in YAML or a binary form is not read, so that nobody knows whether it names the object.
#[test]
fn what_is_not_read_is_not_guessed() {
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
fn people_learn_how_to_switch_it_on() {
    assert_eq!(
        refusal(404, &[], "404 page not found\n").to_string(),
        "404 Not Found: 404 page not found: the server does not serve `coordination.k8s.io/v1alpha1`; if its release has it, \
         `--runtime-config=coordination.k8s.io/v1alpha1=true` on the API server switches it on"
    );
    let body = status("Expired", r#", "message": "too old", "code": 410"#);
    assert_eq!(refusal(410, &[], &body).to_string(), "410 Gone: too old");
}

/// What a proxy says helps; what it says does not end a line or fill the screen.
#[test]
fn text_that_is_no_status() {
    let long = "ä".repeat(300);
    let cut = format!(
        "503 Service Unavailable: {}... (600 bytes)",
        "ä".repeat(200)
    );
    let table: [(&[u8], &str); 5] = [
        (b"", "503 Service Unavailable"),
        (
            b"\n no\x1b backend \r\nmore",
            "503 Service Unavailable: no\\u{1b} backend ",
        ),
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

/// Neither done nor refused.
#[test]
fn codes_that_are_no_answer() {
    let request = LeaseCandidate::list("default", ()).unwrap();
    for code in [203, 204, 301, 304] {
        let (head, ()) = http::Response::builder()
            .status(code)
            .body(())
            .unwrap()
            .into_parts();
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
    let causes: Vec<_> = error
        .causes()
        .iter()
        .map(|it| (it.reason.as_deref(), it.field.as_deref()))
        .collect();
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

/// No time to wait is less than none.
#[test]
fn odd_times_to_wait() {
    for (seconds, expected) in [("9", Some(9)), ("0", None), ("-1", None), ("null", None)] {
        let more = format!(r#", "details": {{"retryAfterSeconds": {seconds}}}"#);
        let error = refusal(500, &[], &status("InternalError", &more));
        let waits = error.retry_after().map(|waits| waits.as_secs());
        assert_eq!(waits, expected, "{seconds}");
    }
}

/// A success that is not what was asked for is told from a refusal, and its warnings are not lost.
#[test]
fn successes_that_cannot_be_read() {
    let request = LeaseCandidate::list("default", ()).unwrap();
    let table = [
        (
            "application/json",
            "{",
            "200 OK: the body cannot be decoded: EOF while parsing an object at line 1 column 1",
        ),
        (
            "application/yaml",
            "{}",
            "200 OK: the body is `application/yaml` and not JSON",
        ),
        (
            "application/json; charset=utf-8",
            r#"{"kind": "Table"}"#,
            "200 OK: the body cannot be decoded: invalid value: string \"Table\", expected kind `LeaseCandidateList` at \
             line 1 column 16",
        ),
    ];
    for (content_type, body, expected) in table {
        let response = http::Response::builder()
            .header("content-type", content_type)
            .header("warning", "x");
        let error = request.decode(&response.body(body).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(error.api().is_none() && !error.is_not_found());
        assert!(matches!(error, ResponseError::Body { warnings, .. } if warnings.len() == 1));
    }
}

//! Operations that are broken on purpose: the checks of requests and answers notice.

use k8s_coordination::parameters::GetParameters;
use k8s_coordination::{OPERATIONS, v1, v1beta1};
use k8s_versioned::operation::{AnyRequest, Input, InputError, OperationEntry};
use k8s_versioned_conformance::{Answer, Request, Suite};

use crate::recorded::NEWEST;

type Build = fn(&Input<'_>) -> Result<AnyRequest, InputError>;

/// What the checks say of the first recording of reading a lease, if that is built so.
fn run(build: Build) -> Vec<String> {
    let get = OPERATIONS
        .iter()
        .find(|entry| entry.id == "readCoordinationV1NamespacedLease")
        .unwrap();
    let broken = [OperationEntry {
        method: get.method.clone(),
        build,
        ..*get
    }];
    let suite = Suite::new()
        .with(Request::new(&broken))
        .with(Answer::new(&broken));
    let report = suite.run(&NEWEST);
    let Some(first) = report.failures().first() else {
        return Vec::new();
    };
    let failures = report
        .failures()
        .iter()
        .filter(|failure| failure.file == first.file);
    let line = |failure: &k8s_versioned_conformance::report::Failure| {
        let mismatch = &failure.mismatch;
        format!(
            "{}: {}: {}, not {}",
            failure.check, mismatch.pointer, mismatch.found, mismatch.expected
        )
    };
    failures.map(line).collect()
}

#[test]
fn as_they_are() {
    let whole: Build = |input| {
        AnyRequest::of(v1::Lease::get(
            input.name("namespace"),
            input.name("name"),
            &input.parameters()?,
        ))
    };
    assert_eq!(run(whole), [""; 0]);
}

#[test]
fn another_query() {
    let pretty: Build = |input| {
        let parameters = GetParameters::default().with_pretty("true");
        AnyRequest::of(v1::Lease::get(
            input.name("namespace"),
            input.name("name"),
            &parameters,
        ))
    };
    assert_eq!(
        run(pretty),
        [r#"request: /request/query: {"pretty": "true"}, not {}"#]
    );
}

#[test]
fn another_path() {
    let swapped: Build = |input| {
        AnyRequest::of(v1::Lease::get(
            input.name("name"),
            input.name("namespace"),
            &input.parameters()?,
        ))
    };
    let path = "/apis/coordination.k8s.io/v1/namespaces";
    assert_eq!(
        run(swapped),
        [format!(
            "request: /request/path: {path}/full/leases/default, not {path}/default/leases/full"
        )]
    );
}

#[test]
fn another_kind() {
    let candidate: Build = |input| {
        let names = (input.name("namespace"), input.name("name"));
        AnyRequest::of(v1beta1::LeaseCandidate::get(
            names.0,
            names.1,
            &input.parameters()?,
        ))
    };
    let failures = run(candidate);
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert!(
        failures[1].starts_with("answer: /response: 200 OK: the body cannot be decoded: "),
        "{}",
        failures[1]
    );
}

//! Operations that are broken on purpose: the checks of requests and answers notice.

use k8s_coordination::parameters::{DeleteParameters, GetParameters};
use k8s_coordination::{Kinds, OPERATIONS, v1, v1beta1};
use k8s_versioned::operation::{AnyRequest, Input, InputError, OperationEntry};
use k8s_versioned_conformance::{Answer, Request, Suite};

use crate::recorded::NEWEST;

type Build = fn(&Input<'_>) -> Result<AnyRequest, InputError>;

const READ: &str = "readCoordinationV1NamespacedLease";

/// What the checks say of the first recording of reading a lease, if that is built so, or not at all.
fn run(read: impl Into<Option<Build>>) -> Vec<String> {
    run_with(READ, read)
}

/// What the checks say of the first recording of an operation, if its request is built so, or not at all.
fn run_with(id: &str, build: impl Into<Option<Build>>) -> Vec<String> {
    let build = build.into();
    let operations = OPERATIONS.iter().filter_map(|entry| {
        Some(OperationEntry {
            method: entry.method.clone(),
            build: if entry.id == id { build? } else { entry.build },
            ..*entry
        })
    });
    let operations: Vec<_> = operations.collect();
    let suite = Suite::new()
        .with(Request::new(&operations, &Kinds))
        .with(Answer::new(&operations));
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
fn another_method() {
    let delete: Build = |input| {
        let parameters = DeleteParameters::default();
        AnyRequest::of(v1::Lease::delete(
            input.name("namespace"),
            input.name("name"),
            None,
            &parameters,
        ))
    };
    assert_eq!(run(delete)[0], "request: /request/method: DELETE, not GET");
}

/// A missing operation is not taken for misuse: the server knew it.
#[test]
fn none_at_all() {
    let path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/full";
    assert_eq!(
        run(None),
        [format!(
            "request: /request: none, not an operation for GET {path}"
        )]
    );
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

/// The events of a watch are decoded, not only begun.
#[test]
fn another_kind_in_a_watch() {
    let candidates: Build = |input| {
        let (namespace, parameters) = (input.name("namespace"), input.parameters()?);
        if input.watches() {
            AnyRequest::of(v1beta1::LeaseCandidate::watch(namespace, &parameters))
        } else {
            AnyRequest::of(v1::Lease::list(namespace, &parameters))
        }
    };
    let failures = run_with("listCoordinationV1NamespacedLease", candidates);
    assert!(
        failures[1].starts_with("answer: /response: 200 OK: the object of an event ("),
        "{failures:?}"
    );
}

#[test]
fn an_empty_body() {
    let empty: Build = |input| {
        let parameters = input.parameters()?;
        let lease: v1::Lease = input.body()?;
        let lease = lease.with_spec(v1::LeaseSpec::default());
        AnyRequest::of(v1::Lease::create(
            input.name("namespace"),
            &lease,
            &parameters,
        ))
    };
    let failures = run_with("createCoordinationV1NamespacedLease", empty);
    assert!(
        failures[0].starts_with("request: /request/json: "),
        "{failures:?}"
    );
}

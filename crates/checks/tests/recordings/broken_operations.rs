//! Operations that are broken on purpose fail the checks `request` and `answer`.

use std::collections::BTreeSet;
use std::fs;

use k8s_coordination::prelude::*;
use k8s_coordination::{Kinds, v1, v1beta1};
use k8s_coordination_conformance::operations;
use k8s_versioned::operation::{GetParameters, ListParameters, WriteParameters};
use k8s_versioned::verb::table::Verb;
use k8s_versioned_conformance::operation::{AnyRequest, Input, InputError};
use k8s_versioned_conformance::{Answer, Request, Suite};
use serde_json::Value;

use crate::recorded::{NEWEST, root};

type Build = fn(&Input<'_>) -> Result<AnyRequest, InputError>;

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases";
const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}";

/// The failures of the first recording that reads a lease, if the request is built so, or not at all.
fn run(read: impl Into<Option<Build>>) -> Vec<String> {
    run_with(("GET", LEASE), read)
}

/// The failures of the first recording of an operation, if the request is built so, or not at all.
fn run_with((method, path): (&str, &str), build: impl Into<Option<Build>>) -> Vec<String> {
    let mut operations = operations();
    let found = operations
        .iter()
        .position(|it| (it.method, &*it.path) == (method, path));
    let found = found.unwrap();
    match build.into() {
        Some(build) => operations[found].build = Box::new(build),
        None => drop(operations.remove(found)),
    }
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

/// The operations are those of the documents of all releases.
#[test]
fn as_in_the_documents() {
    let mut documented = BTreeSet::new();
    for release in fs::read_dir(root().join("specs")).unwrap() {
        for file in fs::read_dir(release.unwrap().path()).into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            for (path, item) in document["paths"].as_object().unwrap() {
                let methods = item.as_object().unwrap().keys();
                let methods = methods.filter(|method| *method != "parameters");
                documented.extend(methods.map(|it| format!("{} {path}", it.to_uppercase())));
            }
        }
    }
    let known: BTreeSet<String> = operations().iter().map(ToString::to_string).collect();
    assert_eq!(known, documented);
    assert_eq!(known.len(), 49);
}

#[test]
fn as_they_are() {
    let whole: Build = |input| {
        let parameters: GetParameters = input.parameters(Verb::GET.parameters)?;
        Ok(v1::Lease::get(input.name("namespace"), input.name("name"), parameters)?.into())
    };
    assert_eq!(run(whole), [""; 0]);
}

#[test]
fn another_method() {
    let delete: Build =
        |input| Ok(v1::Lease::delete(input.name("namespace"), input.name("name"), ())?.into());
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
        Ok(v1::Lease::get(input.name("namespace"), input.name("name"), parameters)?.into())
    };
    assert_eq!(
        run(pretty),
        [r#"request: /request/query: {"pretty": "true"}, not {}"#]
    );
}

#[test]
fn another_path() {
    let swapped: Build =
        |input| Ok(v1::Lease::get(input.name("name"), input.name("namespace"), ())?.into());
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
        let (namespace, name) = (input.name("namespace"), input.name("name"));
        Ok(v1beta1::LeaseCandidate::get(namespace, name, ())?.into())
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
        let namespace = input.name("namespace");
        Ok(if input.watches() {
            v1beta1::LeaseCandidate::watch(namespace, ())?.into()
        } else {
            let parameters: ListParameters = input.parameters(Verb::LIST.parameters)?;
            v1::Lease::list(namespace, parameters)?.into()
        })
    };
    let failures = run_with(("GET", LEASES), candidates);
    let decoded = failures
        .iter()
        .find(|failure| failure.starts_with("answer"));
    assert!(
        decoded
            .is_some_and(|it| it.contains("the object of an event (namespace `default`, name `")),
        "{failures:?}"
    );
}

#[test]
fn an_empty_body() {
    let empty: Build = |input| {
        let mut lease: v1::Lease = input.body()?;
        lease.spec = v1::LeaseSpec::default();
        let parameters: WriteParameters = input.parameters(Verb::CREATE.parameters)?;
        Ok(v1::Lease::create(input.name("namespace"), &lease, parameters)?.into())
    };
    let failures = run_with(("POST", LEASES), empty);
    assert!(
        failures[0].starts_with("request: /request/json: "),
        "{failures:?}"
    );
}

/// Servers took this one, so that to refuse it is a mistake.
#[test]
fn a_refusal_that_servers_do_not_share() {
    let refused: Build = |_| {
        let parameters = ListParameters::default().with_send_initial_events(true);
        Ok(v1::Lease::list("default", parameters)?.into())
    };
    assert_eq!(
        run(refused),
        [format!(
            "request: /request: servers refuse `sendInitialEvents` for a list: it is for a watch, \
             not a request that `GET {LEASE}` can build"
        )]
    );
}

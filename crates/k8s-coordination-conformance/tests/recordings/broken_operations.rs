//! Operations that are broken on purpose fail the checks `request` and `answer`.

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ListParameters, WriteParameters};
use k8s_coordination::{Kinds, v1, v1beta1};
use k8s_coordination_conformance::operations;
use k8s_versioned::verb::Verb;
use k8s_versioned_conformance::operation::{AnyRequest, Input, InputError};
use k8s_versioned_conformance::{Mismatch, Suite, check};

use crate::recorded::NEWEST;

type Build = fn(&Input<'_>) -> Result<AnyRequest, InputError>;

const GET: (&str, &str) = ("GET", LEASE);
const LIST: (&str, &str) = ("GET", LEASES);
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases";
const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}";

/// The failures of the first recording of an operation that builds its request so, or is missing.
fn run((method, path): (&str, &str), build: Option<Build>) -> Vec<String> {
    let mut operations = operations();
    let found = operations.iter().position(|it| (it.method, &*it.path) == (method, path));
    let found = found.unwrap();
    match build {
        Some(build) => operations[found].build = Box::new(build),
        None => drop(operations.remove(found)),
    }
    let suite =
        Suite::new().with(check::request(&operations, &Kinds)).with(check::answer(&operations));
    let report = suite.run(&NEWEST);
    let failures = report.failures.iter();
    let of_first = failures.filter(|failure| failure.file == report.failures[0].file);
    let lines = of_first.map(|failure| {
        let Mismatch { pointer, found, expected, .. } = &failure.mismatch;
        format!("{}: {pointer}: {found}, not {expected}", failure.check)
    });
    lines.collect()
}

const FAULTS: [(&str, (&str, &str), Option<Build>); 9] = [
    // A missing operation is not misuse by the client: the server has the operation.
    ("no operation", GET, None),
    (
        "another method",
        GET,
        Some(
            |input| Ok(v1::Lease::delete(input.name("namespace"), input.name("name"), ())?.into()),
        ),
    ),
    (
        "another query",
        GET,
        Some(|input| {
            let request = v1::Lease::get(input.name("namespace"), input.name("name"))?;
            Ok(request.with_parameter("pretty", "true").into())
        }),
    ),
    (
        "a body that was not sent",
        GET,
        Some(|input| {
            let request = v1::Lease::get(input.name("namespace"), input.name("name"))?;
            Ok(request.with_json(&v1::Lease::default())?.into())
        }),
    ),
    (
        "another path",
        GET,
        Some(|input| Ok(v1::Lease::get(input.name("name"), input.name("namespace"))?.into())),
    ),
    (
        "another kind",
        GET,
        Some(|input| {
            let (namespace, name) = (input.name("namespace"), input.name("name"));
            Ok(v1beta1::LeaseCandidate::get(namespace, name)?.into())
        }),
    ),
    // The events of a watch are decoded, too.
    (
        "another kind in a watch",
        LIST,
        Some(|input| {
            let namespace = input.name("namespace");
            if input.watches() {
                return Ok(v1beta1::LeaseCandidate::watch(namespace, ())?.into());
            }
            let parameters: ListParameters = input.parameters(Verb::LIST.parameters)?;
            Ok(v1::Lease::list(namespace, parameters)?.into())
        }),
    ),
    (
        "an empty spec",
        ("POST", LEASES),
        Some(|input| {
            let mut lease: v1::Lease = input.body()?;
            lease.spec = v1::LeaseSpec::default();
            let parameters: WriteParameters = input.parameters(Verb::CREATE.parameters)?;
            Ok(v1::Lease::create(input.name("namespace"), &lease, parameters)?.into())
        }),
    ),
    // Servers accepted this request, so refusing it is an error.
    (
        "a refusal that servers do not share",
        GET,
        Some(|_| {
            let parameters = ListParameters::default().with_send_initial_events(true);
            Ok(v1::Lease::list("default", parameters)?.into())
        }),
    ),
];

#[test]
fn each_fault_is_noticed() {
    let failures = FAULTS.map(|(title, operation, build)| {
        let failures = run(operation, build);
        assert!(!failures.is_empty(), "{title}");
        format!("# {title}\n{}\n", failures.join("\n"))
    });
    insta::assert_snapshot!(failures.join("\n"));
}

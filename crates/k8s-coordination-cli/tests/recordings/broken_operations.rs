//! Operations that are broken on purpose fail the checks `request` and `answer`.

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ListParameters, WriteParameters};
use k8s_coordination::{Kinds, from_json, v1, v1beta1};
use k8s_coordination_cli::conformance::operations;
use k8s_versioned::verb::Verb;
use k8s_versioned_conformance::operation::{AnyRequest, InputError, RequestInput};
use k8s_versioned_conformance::{Documents, Recordings, Suite, check};
use tempfile::TempDir;

use crate::edited_recordings::copy;
use crate::recorded::newest;

type Build = fn(&RequestInput<'_>) -> Result<AnyRequest, InputError>;

/// The set in which each verb of `Lease` is recorded.
fn leases() -> Recordings {
    let folder = TempDir::new().unwrap();
    for recording in newest().filter(|recording| recording.path.set == "leases") {
        copy(&format!("leases/{}", recording.name), folder.path(), "");
    }
    Recordings::load(folder.path()).unwrap()
}

/// The failures of the first recording of a verb of `Lease` that builds its request so, or is missing.
fn run(recordings: &Recordings, verb: &'static str, build: Option<Build>) -> Vec<String> {
    let mut operations = operations();
    let at =
        operations.iter().position(|operation| operation.path.plural == v1::Lease::PLURAL).unwrap();
    let mut leases = operations.remove(at);
    if let Some(build) = build {
        let right = leases.build;
        leases.build = Box::new(move |built, input| {
            // Lists are faulty only if they watch.
            let faulty = built.name == verb && (verb != "list" || input.watches());
            if faulty { build(input) } else { right(built, input) }
        });
    } else {
        leases.verbs.retain(|known| known.name != verb);
    }
    operations.push(leases);
    let suite = Suite::new()
        .with(check::request(&operations, &Kinds))
        .with(check::answer(&operations, &Kinds));
    let report = suite.run(recordings);
    let of_first = report.findings.iter().filter(|finding| finding.file == report.findings[0].file);
    of_first
        .map(|of_first| format!("{}: {}: {}", of_first.id, of_first.at, of_first.message))
        .collect()
}

fn namespace<'a>(input: &'a RequestInput<'_>) -> &'a str {
    input.path.namespace.as_deref().unwrap_or("all")
}

fn name<'a>(input: &'a RequestInput<'_>) -> &'a str {
    input.path.name.as_deref().unwrap_or("none")
}

const FAULTS: [(&str, Verb, Option<Build>); 9] = [
    // A missing operation is not misuse by the client: the server has the operation.
    ("no operation", Verb::GET, None),
    (
        "another method",
        Verb::GET,
        Some(|input| Ok(v1::Lease::delete(namespace(input), name(input), ())?.into())),
    ),
    (
        "another query",
        Verb::GET,
        Some(|input| {
            let request = v1::Lease::get(namespace(input), name(input))?;
            Ok(request.with_parameter("pretty", "true").into())
        }),
    ),
    (
        "a body that was not sent",
        Verb::GET,
        Some(|input| {
            let request = v1::Lease::get(namespace(input), name(input))?;
            Ok(request.with_json(&v1::Lease::default())?.into())
        }),
    ),
    (
        "another path",
        Verb::GET,
        Some(|input| Ok(v1::Lease::get(name(input), namespace(input))?.into())),
    ),
    (
        "another kind",
        Verb::GET,
        Some(|input| Ok(v1beta1::LeaseCandidate::get(namespace(input), name(input))?.into())),
    ),
    // The events of a watch are decoded, too.
    (
        "another kind in a watch",
        Verb::LIST,
        Some(|input| Ok(v1beta1::LeaseCandidate::watch(namespace(input), ())?.into())),
    ),
    (
        "an empty spec",
        Verb::CREATE,
        Some(|input| {
            let mut lease: v1::Lease = from_json(input.body)?;
            lease.spec = v1::LeaseSpec::default();
            let parameters = WriteParameters::default().with_field_manager("recorder");
            Ok(v1::Lease::create(namespace(input), &lease, parameters)?.into())
        }),
    ),
    // Servers accepted this request, so refusing it is an error.
    (
        "a refusal that servers do not share",
        Verb::GET,
        Some(|_| {
            let parameters = ListParameters::default().with_send_initial_events(true);
            Ok(v1::Lease::list("default", parameters)?.into())
        }),
    ),
];

#[test]
fn each_fault_is_noticed() {
    let recordings = leases();
    let failures = FAULTS.map(|(title, verb, build)| {
        let failures = run(&recordings, verb.name, build);
        assert!(!failures.is_empty(), "{title}");
        format!("# {title}\n{}\n", failures.join("\n"))
    });
    insta::assert_snapshot!(failures.join("\n"));
}

/// A server behind the API server can state an `apiVersion` of its own in discovery, as `KubeVirt` does: the request reads it. No
/// registry has a kind of this version, and `conform` does not report one as missing.
#[test]
fn discovery_in_a_version_of_its_own() {
    let folder = TempDir::new().unwrap();
    for name in ["discovery-group", "discovery-version"] {
        let edits = "/response/json/apiVersion \"v1alpha3\"";
        copy(&format!("leasecandidates/{name}"), folder.path(), edits);
    }
    copy("leasecandidates/get", folder.path(), "");
    let recordings = Recordings::load(folder.path()).unwrap();
    let operations = operations();
    let documents = Documents::default();
    let suite = Suite::general(&Kinds, &documents).with(check::answer(&operations, &Kinds));
    let report = suite.run(&recordings);
    assert!(report.is_success(), "{report}");
    assert_eq!(report.total("answer").passed, 3, "{report}");
    assert_eq!(report.total("decode").not_applicable, 2, "{report}");
}

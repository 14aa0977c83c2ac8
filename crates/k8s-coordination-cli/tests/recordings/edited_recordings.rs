//! The checks fail on edited recordings.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use k8s_coordination::meta::v1::Status;
use k8s_coordination::{from_json, protobuf};
use k8s_coordination_cli::conformance::{operations, suite};
use k8s_versioned_conformance::recordings::{RecordedBody, RecordedResponse, RecordingPath, Sets};
use k8s_versioned_conformance::{Documents, Recordings, SuiteReport};
use serde_json::Value;
use tempfile::TempDir;

use crate::recorded::{newest, root};

/// The report of one check on an edited recording and another one of its set that the check needs, and their folder.
/// `edits` has a JSON pointer and the new value on each line.
fn checked(
    check: &str,
    recording: &str,
    edits: &str,
    other: Option<&str>,
) -> (SuiteReport, TempDir) {
    let folder = TempDir::new().unwrap();
    let (set, _) = recording.split_once('/').unwrap();
    copy(recording, folder.path(), edits);
    if let Some(other) = other {
        copy(&format!("{set}/{other}"), folder.path(), "");
    }
    let (documents, operations) = (Documents::default(), operations());
    let suite = suite(&documents, &operations).only(&[check]).unwrap();
    let report = suite.run(&Recordings::load(folder.path()).unwrap());
    (report, folder)
}

/// Copies a recording, given as `set/name`, into a folder, with edits.
pub(crate) fn copy(recording: &str, folder: &Path, edits: &str) {
    let (set, name) = recording.split_once('/').unwrap();
    let edited = newest().find(|one| one.path.set == set && one.name == name);
    let path = &edited.unwrap_or_else(|| panic!("no recording {recording}")).path.file;
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    for (pointer, value) in edits.lines().filter_map(|line| line.trim().split_once(' ')) {
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        let value: Value = from_json(value.as_bytes()).unwrap();
        match json.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[member.parse::<usize>().unwrap()] = value,
            parent => parent[member] = value,
        }
    }
    let target = folder.join(path.strip_prefix(root().join("fixtures")).unwrap());
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::write(target, json.to_string()).unwrap();
}

const ABSENT: &str = "leasecandidates-validation/strategy-absent";
const MISSING: &str = "leasecandidates-validation/both-missing";
const TIE: &str = "elections/binary-breaks-tie";
const TWIN: &str = "leasecandidates/get-stored-v1beta1-as-v1beta1";
const WATCH: &str = "leases/watch-one-deprecated-path";
const APPLY: &str = "leases/apply-create";

/// A title, the check, the recording, and its edits.
type Case = (&'static str, &'static str, &'static str, &'static str);

const CASES: [Case; 13] = [
    (
        "the server names another field",
        "validate",
        ABSENT,
        r#"/response/json/details/causes/0/field "spec.other""#,
    ),
    (
        "the server names the fields in another order",
        "validate",
        MISSING,
        r#"/response/json/details/causes/0 {"field": "spec.emulationVersion", "reason": "FieldValueRequired"}
           /response/json/details/causes/1 {"field": "spec.binaryVersion", "reason": "FieldValueRequired"}"#,
    ),
    ("the server accepts the object", "validate", ABSENT, "/response/status 201"),
    (
        "a PUT that creates the object",
        "validate",
        ABSENT,
        r#"/request/method "PUT"
           /response/status 201"#,
    ),
    ("the server elects another holder", "elect", TIE, r#"/lease/spec/holderIdentity "other""#),
    ("the server writes another duration", "elect", TIE, "/lease/spec/leaseDurationSeconds 6"),
    ("the server writes nothing", "elect", TIE, "/lease null"),
    (
        "an annotation that no conversion wrote",
        "convert",
        TWIN,
        r#"/response/json/metadata/annotations {"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies": "{\"fields\":{\"v1alpha1\":{\"spec.preferredStrategies\":[\"a.example/b\"]}},\"format\":3}"}"#,
    ),
    (
        "the server shows another object in another version",
        "convert",
        TWIN,
        r#"/response/json/spec/strategy "example.com/other"
           /response/json/metadata/labels null"#,
    ),
    (
        "the server warns of something else",
        "lifecycle",
        TWIN,
        r#"/response/headers/warning "299 - \"v1 Lease is deprecated in v1.1+\"""#,
    ),
    (
        "the router, which knows no version, warns of one",
        "lifecycle",
        "leasecandidates-protobuf/list-unacceptable",
        r#"/response/headers/warning "299 - \"the version is deprecated in v1.36+\"""#,
    ),
    (
        "a 406 that is not the router's, without the warning",
        "lifecycle",
        "leasecandidates-protobuf/list-table",
        "/response/headers {}",
    ),
    ("a query that cannot be built, which the server took", "request", APPLY, "/request/query {}"),
];

#[test]
fn each_edit_is_noticed() {
    let reports = CASES.map(|(title, check, recording, edits)| {
        let other =
            title.contains("in another version").then_some("get-stored-v1beta1-as-v1alpha2");
        let (report, folder) = checked(check, recording, edits, other);
        assert!(!report.is_success(), "{title}: {report}");
        let report = report.to_string();
        let (_, failures) = report.split_once("\n\nerror[").unwrap();
        let failures = failures.replace(&folder.path().display().to_string(), "…");
        format!("# {title}\n\nerror[{failures}")
    });
    insta::assert_snapshot!(reports.join("\n"));
}

/// Edits after which the check does not apply, or passes because the server refused the request.
#[test]
fn edits_that_do_not_fail() {
    let table = [
        (
            "validate",
            ABSENT,
            r#"/request/method "PUT""#,
            "an update whose stored object was not recorded",
        ),
        (
            "validate",
            "leases-protobuf/create-not-utf8",
            "",
            "a string that is not UTF-8: an error here, copied unchecked by servers",
        ),
        (
            "request",
            APPLY,
            "/request/query {}
             /response/status 422",
            "a request that is not built, and that the server refused, too (400, 422)",
        ),
        (
            "request",
            "leasecandidates/list-bad-resource-version-match",
            r#"/request/query/continue "t"
               /request/query/sendInitialEvents "true""#,
            "",
        ),
        // Any text but `false` and `0` asks for a watch.
        ("request", WATCH, r#"/request/query/watch "1""#, ""),
        ("answer", WATCH, r#"/request/query/watch "1""#, ""),
        // What clients send that ask for nothing, or for anything: servers answer in JSON.
        ("answer", WATCH, r#"/request/headers {"accept": "*/*"}"#, ""),
        ("answer", WATCH, r#"/request/headers {"accept": "application/json, */*;q=0.5"}"#, ""),
        ("answer", WATCH, "/request/headers {}", ""),
    ];
    for (check, recording, edits, expected) in table {
        let (report, _folder) = checked(check, recording, edits, None);
        assert!(report.is_success(), "{report}");
        let reasons: Vec<&str> = report.not_applicable().map(|entry| entry.reason).collect();
        assert_eq!(reasons.join("; "), expected);
    }
}

/// The checks that fail on a recording of the set `leases-protobuf` with another answer, beside a second one.
fn failed(name: &str, other: &str, edit: impl Fn(&mut RecordedResponse)) -> Vec<Cow<'static, str>> {
    let folder = TempDir::new().unwrap();
    let recording_of = |name: &str| {
        let recording = newest().find(|one| one.path.set == "leases-protobuf" && one.name == name);
        recording.unwrap_or_else(|| panic!("no recording {name}"))
    };
    for (name, edits) in [(name, true), (other, false)] {
        let recording = recording_of(name);
        let mut exchange = recording.exchange().unwrap().clone();
        if edits {
            edit(&mut exchange.response);
        }
        let RecordingPath { release, group, version, set, .. } = &recording.path;
        let set = RecordingPath::folder(folder.path(), *release, group, version, set).unwrap();
        Sets::default().write(&set, name, &exchange).unwrap();
    }
    let (documents, operations) = (Documents::default(), operations());
    let report = suite(&documents, &operations).run(&Recordings::load(folder.path()).unwrap());
    let failed: BTreeSet<_> = report.findings.into_iter().map(|finding| finding.id).collect();
    failed.into_iter().collect()
}

#[test]
fn edits_of_protobuf_are_noticed() {
    let bytes = |edit: fn(&mut Vec<u8>)| {
        move |response: &mut RecordedResponse| {
            let mut bytes = response.bytes();
            edit(&mut bytes);
            response.body = Some(RecordedBody::Binary(bytes));
        }
    };
    let status = |status| move |response: &mut RecordedResponse| response.status = status;
    let get = |edit| failed("get-00", "get-00-as-json", bytes(edit));
    assert_eq!(get(|_| {}), [""; 0]);
    // The first letter of the object's name.
    let renamed = get(|bytes| {
        let at = bytes.windows(2).rposition(|two| two == b"-0").unwrap();
        bytes[at] = b'x';
    });
    assert_eq!(renamed, ["twin"]);
    // An unknown field at the end of the envelope is lost.
    assert_eq!(get(|bytes| bytes.extend([0x28, 1])), ["round-trip"]);
    assert_eq!(get(|bytes| bytes.truncate(100)), ["answer", "twin"]);
    // The server takes another of two names, or only the second part of the metadata.
    for (was, is) in [(b"\x06second", b"\x06firsts"), (b"\x05pb101\"", b"\x05other\"")] {
        let stored = failed("create-field-twice", "get-00", |response| {
            let mut bytes = response.bytes();
            let at = bytes.windows(7).position(|window| window == was).unwrap();
            bytes[at..at + 7].copy_from_slice(is);
            response.body = Some(RecordedBody::Binary(bytes));
        });
        assert_eq!(stored, ["answer"]);
    }
    // The server says another verdict.
    let other = "get-00";
    assert_eq!(failed("create-truncated", other, status(400)), [""; 0]);
    assert_eq!(failed("create-truncated", other, status(201)), ["decode", "request", "validate"]);
    assert_eq!(failed("create-unknown-field", other, status(201)), [""; 0]);
    assert_eq!(failed("create-unknown-field", other, status(400)), ["validate"]);
    // The server names another field, or another part of the kind.
    for (name, text, edited) in [
        ("create-wrong-wire-type", "ObjectMeta", "Spec"),
        ("create-other-version", "version \"v1\" in", "version \"coordination.k8s.io/v1\" in"),
        ("create-other-kind", "version \"coordination.k8s.io/v1\" in", "version \"v1\" in"),
    ] {
        let says = |edited| {
            move |response: &mut RecordedResponse| {
                let status: Status = protobuf::decode(&response.bytes()).unwrap();
                let message = status.message.clone().unwrap_or_default();
                assert!(message.contains(text), "{message}");
                let message = message.replace(text, edited);
                let body = protobuf::encode(&status.with_message(message));
                response.body = Some(RecordedBody::Binary(body));
            }
        };
        assert_eq!(failed(name, other, says(text)), [""; 0]);
        assert_eq!(failed(name, other, says(edited)), ["validate"], "{name}");
    }
    assert_eq!(failed("watch", other, bytes(|_| {})), [""; 0]);
    assert_eq!(failed("watch", other, bytes(|bytes| bytes.truncate(99))), ["answer", "decode"]);
}

/// Servers store managed fields of any depth, and clients send them back.
#[test]
fn a_deep_body_is_rebuilt() {
    let fields = r#"{"f:a":"#.repeat(140) + "{}" + &"}".repeat(140);
    let edits = format!(
        r#"/request/json/metadata/managedFields [{{"manager": "m", "fieldsType": "FieldsV1", "fieldsV1": {fields}}}]"#
    );
    let (report, _folder) = checked("request", "leases/create-full", &edits, None);
    assert!(report.is_success(), "{report}");
    assert_eq!(report.not_applicable().count(), 0);
}

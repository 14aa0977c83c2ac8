//! The checks fail on recordings that were edited.

use std::fs;
use std::path::Path;

use k8s_coordination_conformance::{operations, suite};
use k8s_versioned_conformance::{Documents, Recordings, Report};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::recorded::{NEWEST, root};

/// An edit of a recording: the set and the name of the recording, and what changes.
type Edit = (&'static str, &'static str, fn(&mut Value));

/// The report of one check on an edited recording and others of its set, and the folder that they are in.
fn checked(check: &str, (set, name, change): Edit, others: &[&str]) -> (Report, TempDir) {
    let folder = TempDir::new().unwrap();
    copy(set, name, folder.path(), change);
    for other in others {
        copy(set, other, folder.path(), |_| {});
    }
    let (documents, operations) = (Documents::default(), operations());
    let suite = suite(&documents, &operations).only(&[check]).unwrap();
    let report = suite.run(&Recordings::load(folder.path()).unwrap());
    (report, folder)
}

/// Copies a recording into a folder, with a change.
fn copy(set: &str, name: &str, folder: &Path, change: fn(&mut Value)) {
    let mut recordings = NEWEST.iter();
    let recording = recordings
        .find(|one| one.place().set() == set && one.name() == name)
        .unwrap_or_else(|| panic!("no recording {name} in {set}"));
    let path = recording.place().path();
    let below = path.strip_prefix(root().join("fixtures")).unwrap();
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    let target = folder.join(below);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::write(target, json.to_string()).unwrap();
}

const ABSENT: (&str, &str) = ("leasecandidates-validation", "strategy-absent");
const TIE: (&str, &str) = ("elections", "binary-breaks-tie");
const TWIN: &str = "get-stored-v1beta1-as-v1beta1";

/// A title, the check, the edit, and the other recordings of the set that the check needs.
type Case = (&'static str, &'static str, Edit, &'static [&'static str]);

const CASES: [Case; 11] = [
    (
        "the server names another field",
        "validate",
        (ABSENT.0, ABSENT.1, |it| {
            it["response"]["json"]["details"]["causes"][0]["field"] = json!("spec.other");
        }),
        &[],
    ),
    (
        "the server names the fields in another order",
        "validate",
        ("leasecandidates-validation", "both-missing", |it| {
            let causes = &mut it["response"]["json"]["details"]["causes"];
            causes.as_array_mut().unwrap().reverse();
        }),
        &[],
    ),
    (
        "the server accepts the object",
        "validate",
        (ABSENT.0, ABSENT.1, |it| {
            it["response"]["status"] = json!(201);
        }),
        &[],
    ),
    (
        "a PUT that creates the object",
        "validate",
        (ABSENT.0, ABSENT.1, |it| {
            it["request"]["method"] = json!("PUT");
            it["response"]["status"] = json!(201);
        }),
        &[],
    ),
    (
        "the server elects another holder",
        "elect",
        (TIE.0, TIE.1, |it| {
            it["lease"]["spec"]["holderIdentity"] = json!("other");
        }),
        &[],
    ),
    (
        "the server writes another duration",
        "elect",
        (TIE.0, TIE.1, |it| {
            it["lease"]["spec"]["leaseDurationSeconds"] = json!(6);
        }),
        &[],
    ),
    ("the server writes nothing", "elect", (TIE.0, TIE.1, |it| it["lease"] = Value::Null), &[]),
    (
        "an annotation that no conversion wrote",
        "convert",
        ("leasecandidates", TWIN, |it| {
            let kept = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["a.example/b"]}},"format":2}"#;
            it["response"]["json"]["metadata"]["annotations"] =
                json!({"conversion.k8s-coordination.internal/lease-candidate": kept});
        }),
        &[],
    ),
    (
        "the server shows another object in another version",
        "convert",
        ("leasecandidates", TWIN, |it| {
            it["response"]["json"]["spec"]["strategy"] = json!("example.com/other");
            it["response"]["json"]["metadata"]["labels"] = Value::Null;
        }),
        &["get-stored-v1beta1-as-v1alpha2"],
    ),
    (
        "the server warns of something else",
        "lifecycle",
        ("leasecandidates", TWIN, |it| {
            it["response"]["headers"]["warning"] =
                json!("299 - \"v1 Lease is deprecated in v1.1+\"");
        }),
        &[],
    ),
    (
        "a query that cannot be built, which the server took",
        "request",
        ("leases", "apply-create", |it| {
            it["request"]["query"] = json!({});
        }),
        &[],
    ),
];

#[test]
fn each_edit_is_noticed() {
    let reports = CASES.map(|(title, check, edit, others)| {
        let (report, folder) = checked(check, edit, others);
        assert!(!report.is_success(), "{title}: {report}");
        let report = report.to_string();
        let (_, failures) = report.split_once("\n\nFAILED").unwrap();
        let failures = failures.replace(&folder.path().display().to_string(), "…");
        format!("# {title}\n\nFAILED{failures}")
    });
    insta::assert_snapshot!(reports.join("\n"));
}

/// Edits after which the check does not apply, or passes because the server refused the request.
#[test]
fn edits_that_are_no_failures() {
    let update: Edit = (ABSENT.0, ABSENT.1, |it| {
        it["request"]["method"] = json!("PUT");
    });
    let misuse: Edit = ("leases", "apply-create", |it| {
        it["request"]["query"] = json!({});
        it["response"]["status"] = json!(422);
    });
    let parameters: Edit = ("leasecandidates", "list-bad-resource-version-match", |it| {
        it["request"]["query"]["continue"] = json!("t");
        it["request"]["query"]["sendInitialEvents"] = json!("true");
    });
    for (check, edit, expected) in [
        ("validate", update, "an update whose stored object was not recorded"),
        (
            "request",
            misuse,
            "a request that is not built, and that the server refused, too (400, 422)",
        ),
        ("request", parameters, ""),
    ] {
        let (report, _folder) = checked(check, edit, &[]);
        assert!(report.is_success(), "{report}");
        let reasons: Vec<&str> = report.not_applicable().map(|entry| entry.reason).collect();
        assert_eq!(reasons.join("; "), expected);
    }
}

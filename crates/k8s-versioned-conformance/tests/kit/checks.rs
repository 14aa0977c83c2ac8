//! Each check passes where it should, and fails where it should.

use std::fmt::Write as _;
use std::path::Path;

use k8s_versioned::{KindEntry, Release};
use k8s_versioned_conformance::{
    Check, Documents, Finding, KnownFailures, Recordings, Suite, SuiteReport,
};
use serde_json::Value;

use crate::folder::{DOCUMENTS, SET, WIDGETS, beside_good, edited, edited_documents, with};
use crate::widget::{GROWING_KINDS, KINDS};

fn run(
    kinds: &'static [KindEntry],
    recordings: impl AsRef<Path>,
    documents: impl AsRef<Path>,
) -> SuiteReport {
    let documents = Documents::load(documents).unwrap();
    Suite::general(&kinds, &documents).run(&Recordings::load(recordings).unwrap())
}

#[test]
fn good_types_pass() {
    let report = run(KINDS, WIDGETS, DOCUMENTS);
    assert!(report.is_success(), "{report}");
    let totals = report.checks.iter().map(|check| {
        let total = report.total(check.name);
        format!("{} {} ({})", check.name, total.passed, total.not_applicable)
    });
    let totals: Vec<String> = totals.collect();
    let expected = "decode 9 (1), round-trip 8 (2), schema 4 (3), response 5 (1), twin 1 (5)";
    assert_eq!(totals.join(", "), expected);
}

#[test]
fn bodies_of_clients_change_at_most_once() {
    let report = run(GROWING_KINDS, WIDGETS, DOCUMENTS);
    let request =
        report.findings.iter().find(|finding| finding.at == "/request/json/spec/size").unwrap();
    assert_eq!(request.id, "round-trip");
    assert_eq!(request.message, "expected 3, found 4");
}

/// The file of the document, for edits of it.
const DOCUMENT: &str = "the document";

/// Edits: a file, a text, and its replacement. The snapshot has the failures.
const EDITS: [(&str, &str, &str); 11] = [
    ("001-create.json", r#""size": 2,"#, r#""size": "2","#),
    // `null` equals absent, and nothing else does.
    ("002-get.json", r#""size": 2,"#, r#""size": 2, "note": null,"#),
    ("002-get.json", r#""size": 2,"#, r#""size": 2, "note": "","#),
    ("003-get-yaml.json", "size: 2", "size: 3"),
    ("003-get-yaml.json", "size: 2", "size: two"),
    ("003-get-yaml.json", "spec:", "spec: ["),
    ("005-create-size-not-a-number.json", r#""code": 400"#, r#""code": "400""#),
    (DOCUMENT, r#""type": "integer""#, r#""type": "string""#),
    // The type accepts any metadata; the schema does not.
    (DOCUMENT, METADATA, TIMED_METADATA),
    (DOCUMENT, "v1.WidgetSpec\"\n", "v1.Missing\"\n"),
    (DOCUMENT, r#""201""#, r#""202""#),
];

const METADATA: &str = r#""metadata": {
            "type": "object""#;
const TIMED_METADATA: &str = r#""metadata": {
            "properties": {"name": {"type": "string", "format": "date-time"}},
            "type": "object""#;

#[test]
fn each_edit_fails_its_checks() {
    let mut failures = String::new();
    for (file, from, to) in EDITS {
        let (folder, report) = if file == DOCUMENT {
            let folder = edited_documents(from, to);
            let report = run(KINDS, WIDGETS, &folder);
            (folder, report)
        } else {
            let folder = edited(file, from, to);
            let report = run(KINDS, &folder, DOCUMENTS);
            (folder, report)
        };
        writeln!(failures, "# {file}: {} -> {}", from.trim(), to.trim()).unwrap();
        for Finding { id, file, at, hint, .. } in &report.findings {
            let name = file.rsplit('/').next().unwrap();
            let hint = hint.as_ref().unwrap().replace(folder.path().to_str().unwrap(), "…");
            writeln!(failures, "{id} {name} {at}: {hint}").unwrap();
        }
    }
    insta::assert_snapshot!(failures);
}

/// What the check `decode` found instead of an object that decodes.
fn undecoded(report: &SuiteReport) -> Vec<&str> {
    let failures = report.findings.iter().filter(|finding| finding.id == "decode");
    failures.map(|failure| failure.message.split_once(", found ").unwrap().1).collect()
}

#[test]
fn the_field_that_does_not_decode_is_named() {
    let folder = edited("002-get.json", r#""size": 2,"#, r#""size": "2","#);
    let report = run(KINDS, folder, DOCUMENTS);
    let found = undecoded(&report);
    let start = "cannot decode `Widget` of `example.com/v1`: spec.size: invalid type: string ";
    assert!(found.len() == 1 && found[0].starts_with(start), "{found:?}");
}

/// One cause is one finding, of the first check that meets it. A check alone fails, too.
#[test]
fn what_does_not_decode_fails_once() {
    let folder = edited("001-create.json", r#""size": 2,"#, r#""size": "2","#);
    let recordings = Recordings::load(folder).unwrap();
    let documents = Documents::load(DOCUMENTS).unwrap();
    let failures = |suite: Suite<'_>| {
        let findings = suite.run(&recordings).findings;
        findings.iter().map(|finding| finding.id.to_string()).collect::<Vec<_>>()
    };
    let suite = || Suite::general(&KINDS, &documents);
    assert_eq!(failures(suite()), ["decode"]);
    assert_eq!(failures(suite().only(&["round-trip"]).unwrap()), ["round-trip"]);
    // An entry is not stale because an earlier check reports the place.
    let entry =
        "[[failure]]\ncheck = \"round-trip\"\nset = \"widgets\"\nname = \"create\"\nreason = \"r\"";
    let known = KnownFailures::parse(entry).unwrap();
    assert_eq!(failures(suite().with_known_failures(known)), ["decode"]);
}

/// A type without protobuf has nothing to decode such an answer with; without a twin it has nothing to compare.
#[test]
fn a_type_without_protobuf_fails_no_answer_in_protobuf() {
    let body = r#"{"name": "get-protobuf", "request": {"method": "GET",
        "path": "/apis/example.com/v1/widgets/a"}, "response": {"status": 200, "base64":
        "azhzAAoVCg5leGFtcGxlLmNvbS92MRIDV2lk", "headers": {"content-type": "application/vnd.kubernetes.protobuf"}}}"#;
    let folder = beside_good("001-get-protobuf.json", body.as_bytes());
    let report = run(KINDS, &folder, DOCUMENTS);
    let reasons: Vec<_> = report
        .not_applicable()
        .map(|not_applicable| (not_applicable.check, not_applicable.reason))
        .collect();
    let expected = ("twin", "no protobuf of the kind is registered");
    assert!(reasons.contains(&expected), "{reasons:?}");
    assert!(report.is_success(), "{report}");
}

/// The bytes of a watch in protobuf are events: one is not a message, one is cut off.
#[test]
fn a_watch_that_cannot_be_read_fails() {
    for (base64, reason) in [
        ("AAAAAmFi", Some("event 0: ")),
        ("AAAABWFi", Some("event 0 is cut off")),
        ("AAAAAAAA", Some("event 1 is cut off")),
        ("AAAAAA==", None),
        ("", None),
    ] {
        let watch = format!(
            r#"{{"name": "watch", "request": {{"method": "GET", "path": "/apis/example.com/v1/widgets",
            "query": {{"watch": "1"}}}}, "response": {{"status": 200, "base64": "{base64}", "headers":
            {{"content-type": "application/vnd.kubernetes.protobuf;stream=watch"}}}}}}"#
        );
        let folder = beside_good("001-watch.json", watch.as_bytes());
        let report = run(KINDS, &folder, DOCUMENTS);
        let found = undecoded(&report);
        assert_eq!(found.len(), usize::from(reason.is_some()), "{base64}: {found:?}");
        assert!(
            found.iter().all(|found| found.starts_with(reason.unwrap())),
            "{base64}: {found:?}"
        );
    }
}

/// Servers send the bookmarks of custom resources without the fields that the kind requires.
#[test]
fn of_a_bookmark_only_the_metadata_counts() {
    for (metadata, fails) in [(r#"{"resourceVersion": "20"}"#, false), ("7", true)] {
        let bookmark = format!(
            r#"{{"type": "BOOKMARK", "object": {{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {metadata}}}}}"#
        );
        let events = r#""events": ["#;
        let folder = edited("004-watch.json", events, &format!("{events}{bookmark}, "));
        let report = run(KINDS, &folder, DOCUMENTS);
        let failures = report.findings.iter().map(|finding| (&*finding.id, &*finding.at));
        let at = "/response/events/0/object";
        let expected: &[_] = if fails { &[("decode", at)] } else { &[] };
        assert_eq!(failures.collect::<Vec<_>>(), expected, "{report}");
    }
}

/// A registry of other kinds judges nothing, and says which kinds it lacks.
#[test]
fn a_run_that_judges_no_object_is_no_success() {
    const STATUS: KindEntry = KINDS[1];
    let other = |version, kind| KindEntry::of::<Value>("example.com", version, kind);
    let register = Some("register example.com/v1 Widget, or correct");
    for (kinds, minor, hint) in [
        (KINDS.to_vec(), 36, None),
        (vec![other("v2", "Widget").with_plural("widgets")], 36, register),
        // The requests have its path, and one body without a kind could be of it.
        (vec![other("v1", "Gadget").with_plural("widgets")], 36, register),
        (vec![STATUS], 36, register),
        (Vec::new(), 36, register),
        // Nothing was to be judged.
        (vec![STATUS], 35, None),
    ] {
        let (kinds, documents) = (&*kinds, Documents::default());
        let recordings = Recordings::load(WIDGETS).unwrap().of_release(Release::new(1, minor));
        let report = Suite::general(&kinds, &documents).run(&recordings);
        let found = report.findings.iter().find(|finding| finding.id == "registry");
        let found = found.and_then(|finding| finding.hint.as_deref());
        assert_eq!(report.is_success(), hint.is_none(), "{report}");
        assert_eq!(
            found.map(|found| found.starts_with(hint.unwrap())),
            hint.map(|_| true),
            "{report}"
        );
    }
    // No recording names a kind.
    let folder = with(&[(&format!("{SET}/000-empty.json"), br#"{"name": "a", "b": {}}"#)]);
    let text = run(KINDS, &folder, DOCUMENTS).to_string();
    assert!(text.contains("error[registry]: 1 recording: no object was judged"), "{text}");
    assert!(text.contains("hint: record an answer with an object"), "{text}");
}

#[test]
fn a_check_without_findings_fails() {
    let silent = Check::new("silent", "it has findings", |_, _| Vec::new());
    let report = Suite::new().with(silent).run(&Recordings::load(WIDGETS).unwrap());
    assert_eq!(report.total("silent").failed, report.recordings);
    let hint = report.findings[0].hint.as_deref();
    assert_eq!(hint, Some("the check must say why it does not apply"));
}

#[test]
fn only_keeps_the_checks_of_these_names() {
    let documents = Documents::default();
    let suite = Suite::general(&KINDS, &documents).only(&["twin", "decode"]).unwrap();
    assert_eq!(suite.names().collect::<Vec<_>>(), ["decode", "twin"]);
    let Err(error) = suite.only(&["schema"]) else {
        panic!("the check was left out before");
    };
    assert_eq!(error.to_string(), "no check is called `schema`; there are decode, twin");
}

#[test]
fn recordings_come_in_the_order_of_their_paths() {
    let recordings = Recordings::load(WIDGETS).unwrap();
    let names: Vec<&str> = recordings.iter().map(|one| &*one.name).collect();
    let expected = ["a-to-b", "create", "get", "get-yaml", "watch", "create-size-not-a-number"];
    assert_eq!(names, expected);
    let get = recordings.iter().nth(2).unwrap();
    assert_eq!(get.path.release, "v1.36".parse().unwrap());
    assert_eq!((&*get.path.group, &*get.path.set), ("example.com", "widgets"));
    assert_eq!(recordings.beside(get).count(), 4);
}

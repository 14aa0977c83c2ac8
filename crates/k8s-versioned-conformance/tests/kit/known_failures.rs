//! Known failures: the mismatches that they cover, and entries that nothing fails for any more.

use k8s_versioned::Release;
use k8s_versioned_conformance::{Documents, KnownFailures, Recordings, Suite, SuiteReport};

use crate::folder::{DOCUMENTS, WIDGETS, edited};
use crate::widget::KINDS;

/// Runs with one known failure over recordings, one of which fails the round trip in two places.
fn run(entry: &str) -> SuiteReport {
    let folder = edited("002-get.json", r#""size": 2,"#, r#""size": 2, "note": "n", "mark": "m","#);
    suite(entry, &Recordings::load(folder.path()).unwrap())
}

fn suite(entry: &str, recordings: &Recordings) -> SuiteReport {
    let known = KnownFailures::parse(&format!("[[failure]]\nreason = \"why\"\n{entry}")).unwrap();
    let documents = Documents::load(DOCUMENTS).unwrap();
    Suite::general(&KINDS, &documents).with_known_failures(known).run(recordings)
}

/// The number of entries that nothing fails for any more.
fn stale(report: &SuiteReport) -> usize {
    let stale = report.findings.iter().filter(|found| found.message.starts_with("a known failure"));
    stale.count()
}

const GET: &str = "check = \"round-trip\"\nset = \"widgets\"\nname = \"get\"\n";

#[test]
fn an_entry_covers_what_it_names() {
    // Failures, known failures, stale entries.
    let table = [
        (GET.to_owned(), [0, 2, 0]),
        (format!("{GET}pointer = \"/response/json/spec\""), [0, 2, 0]),
        (format!("{GET}release = \"v1.36\""), [0, 2, 0]),
        // The entry covers one of two mismatches: it is not stale, and the finding still fails.
        (format!("{GET}pointer = \"/response/json/spec/note\""), [2, 0, 0]),
        // A pointer covers whole names, not their beginnings.
        (format!("{GET}pointer = \"/response/json/spe\""), [2, 0, 1]),
        (format!("{GET}release = \"v1.35\""), [2, 0, 1]),
        (GET.replace("round-trip", "decode"), [2, 0, 1]),
        (GET.replace("round-trip", "rnd-trp"), [2, 0, 1]),
        (GET.replace("widgets", "moves"), [2, 0, 1]),
        (GET.replace("\"get\"", "\"got\""), [2, 0, 1]),
    ];
    for (entry, expected) in table {
        let report = run(&entry);
        let known = report.findings.iter().filter(|found| found.message == "why").count();
        let errors = report.findings.len() - known;
        let found = [errors - stale(&report), known, stale(&report)];
        assert_eq!(found, expected, "{entry}");
        assert_eq!(report.is_success(), expected == [0, 2, 0], "{entry}");
    }
}

#[test]
fn a_stale_entry_is_an_error() {
    let report = suite(GET, &Recordings::load(WIDGETS).unwrap());
    assert!(!report.is_success());
    let text = report.to_string();
    assert!(
        text.contains("error[round-trip]: widgets/get: a known failure that no longer fails"),
        "{text}"
    );
    assert!(text.ends_with("6 recordings: 1 error\n"), "{text}");
}

#[test]
fn a_wrong_name_in_an_entry_is_named() {
    for (from, to, message) in [
        (
            "round-trip",
            "rnd-trip",
            "a check that does not exist\n  hint: did you mean `round-trip`?",
        ),
        ("round-trip", "nope", "not exist\n  hint: there are decode, round-trip, "),
        ("\"get\"", "\"got\"", "without its recording: it is not loaded\n  hint: correct `set`,"),
    ] {
        let text = suite(&GET.replace(from, to), &Recordings::load(WIDGETS).unwrap()).to_string();
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn an_entry_of_a_check_or_release_that_was_left_out_is_not_stale() {
    let known = KnownFailures::parse(&format!("[[failure]]\nreason = \"why\"\n{GET}")).unwrap();
    let suite = Suite::general(&KINDS, &Documents::default())
        .with_known_failures(known)
        .only(&["twin"])
        .unwrap()
        .run(&Recordings::load(WIDGETS).unwrap());
    assert_eq!(stale(&suite), 0);

    // Without documents the check `schema` examines nothing.
    let entry = GET.replace("round-trip", "schema");
    let known = KnownFailures::parse(&format!("[[failure]]\nreason = \"why\"\n{entry}")).unwrap();
    let documents = Documents::default();
    let suite = Suite::general(&KINDS, &documents).with_known_failures(known);
    assert_eq!(stale(&suite.run(&Recordings::load(WIDGETS).unwrap())), 0);

    let of_release = |entry: &str, minor| {
        let recordings = Recordings::load(WIDGETS).unwrap();
        let recordings = recordings.of_release(Release::new(1, minor));
        stale(&self::suite(entry, &recordings))
    };
    let named = format!("{GET}release = \"v1.36\"");
    assert_eq!(of_release(&named, 36), 1);
    assert_eq!(of_release(&named, 35), 0);
    // An entry for all releases may be needed in another release.
    assert_eq!(of_release(GET, 36), 0);
}

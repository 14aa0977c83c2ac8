//! Bodies, documents and lists of known failures that cannot be read: an error names each, and the other checks run.

use std::fmt::Write as _;

use k8s_versioned_conformance::{Documents, KnownFailures, Recordings, Suite};

use crate::folder::{DOCUMENTS, WIDGETS, beside_good, edited, with};
use crate::widget::KINDS;

#[test]
fn bodies_in_text_have_limits_too() {
    let yaml = "[".repeat(10_000);
    let laughs = "a: &a [x, x]\\nb: &b [*a, *a, *a, *a]\\nc: &c [*b, *b, *b, *b]\\nd: &d [*c, *c, *c, *c]\\n\
                  e: &e [*d, *d, *d, *d]\\nf: &f [*e, *e, *e, *e]\\ng: &g [*f, *f, *f, *f]\\nh: [*g, *g, *g, *g]\\n";
    for text in [yaml.as_str(), laughs] {
        let folder = edited("003-get-yaml.json", "spec:", &format!("spec: {text}"));
        let documents = Documents::load(DOCUMENTS).unwrap();
        let report =
            Suite::general(&KINDS, &documents).run(&Recordings::load(folder.path()).unwrap());
        assert_eq!(report.total("twin").failed, 1, "{report}");
    }

    let deep = "[".repeat(10_000);
    let text = format!(
        r#"{{"name": "deep",
            "request": {{"method": "POST", "path": "/apis/example.com/v1/widgets", "text": "{deep}"}},
            "response": {{"status": 201}}}}"#
    );
    let folder = beside_good("001-deep.json", text.as_bytes());
    let report = Suite::general(&KINDS, &Documents::default())
        .run(&Recordings::load(folder.path()).unwrap());
    assert_eq!(report.total("decode").failed, 1, "{report}");
}

/// Documents and files of known failures; the snapshot has the messages.
#[test]
fn other_bad_files_are_named() {
    let entry = |reason: &str| {
        format!("[[failure]]\ncheck = \"decode\"\nset = \"a\"\nname = \"b\"\n{reason}\n")
            .into_bytes()
    };
    let document = "v1.36/apis__example.com__v1_openapi.json";
    let table = [
        (document, b"{".to_vec()),
        (document, br#"{"paths": {}, "paths": {}}"#.to_vec()),
        (document, b"\xff".to_vec()),
        ("known.toml", b"[[failure]\n".to_vec()),
        ("known.toml", entry("")),
        ("known.toml", entry("reason = \" \"")),
        ("known.toml", entry("reason = \"r\"\nseverity = 1")),
        ("known.toml", entry("reason = \"r\"\nrelease = \"1.36\"")),
    ];
    let mut messages = String::new();
    for (name, content) in table {
        let folder = with(&[(name, &content), ("README.md", b""), ("v1.36/notes.txt", b"")]);
        let message = if name == document {
            Documents::load(folder.path()).unwrap_err().to_string()
        } else {
            KnownFailures::load(folder.path().join(name)).unwrap_err().to_string()
        };
        let message = message.replace(folder.path().to_str().unwrap(), "…");
        writeln!(messages, "{}\n{message}\n", content.escape_ascii()).unwrap();
    }
    insta::assert_snapshot!(messages);
    assert!(Documents::load("tests/nowhere").is_err());
    assert!(KnownFailures::load("tests/nowhere").is_err());
    // JSON that is not a document has no schemas and stops nothing.
    let folder = with(&[(document, b"[]")]);
    let documents = Documents::load(folder.path()).unwrap();
    let report = Suite::general(&KINDS, &documents).run(&Recordings::load(WIDGETS).unwrap());
    assert_eq!(report.total("schema").passed, 0);
}

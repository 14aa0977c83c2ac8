//! Files that are not recordings: an error names each, and the checks of the others run.

use std::fmt::Write as _;
use std::fs::File;

use k8s_versioned_conformance::{Documents, KnownFailures, Recordings, SIZE_LIMIT, Suite};

use crate::folder::{DOCUMENTS, GOOD, SET, WIDGETS, beside_good, edited, rejected, with};
use crate::widget::KINDS;

/// Edits after which a file is not a recording: a title, a text, and its replacement.
const EDITS: &str = r#"
key twice, top | "name": "get" | "name": "get", "name": "got"
key twice, request | "method" | "method": "PUT", "method"
key twice, headers | "accept" | "accept": "a", "accept"
key twice, body | "size": 2 | "size": 2, "size": 3
no response | "response" | "answer"
no request | "request" | "question"
surplus member | "request" | "comment": "x", "request"
unknown member of the request | "method" | "verb": "get", "method"
two bodies | "status": 200 | "status": 200, "text": ""
status of four digits | "status": 200 | "status": 200000
status a string | "status": 200 | "status": "200"
header a number | "accept": "application/json" | "accept": 1
the release, which the folder says | "request" | "release": "v1.36", "request"
"#;

#[test]
fn bad_files_are_named_with_the_reason() {
    let good = GOOD.as_bytes();
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep = GOOD.replace(r#""size": 2"#, &format!(r#""size": {deep}"#));
    let control = GOOD.replace("\"get\"", "\"g\u{1}et\"");
    let mut table: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("truncated", good[..good.len() / 2].to_vec()),
        ("two documents", [good, good].concat()),
        ("not utf-8", [good, b"\xff\xfe"].concat()),
        ("a control character", control.into_bytes()),
        ("a list", b"[]".to_vec()),
        ("a number", b"7".to_vec()),
        ("no members", b"{}".to_vec()),
        ("nested", deep.into_bytes()),
        ("key twice, scenario", scenario(r#""a": {"b": 1, "b": 2}"#)),
        ("member twice, scenario", scenario(r#""a": {}, "a": {}"#)),
        ("only a name", br#"{"name": "a"}"#.to_vec()),
    ];
    table.extend(EDITS.trim().lines().map(|line| {
        let [title, from, to]: [&str; 3] =
            line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        (title, GOOD.replacen(from, to, 1).into_bytes())
    }));
    let mut messages = String::new();
    for (name, content) in table {
        let folder = beside_good("001-bad.json", &content);
        let recordings = Recordings::load(folder.path()).unwrap();
        assert_eq!(recordings.len(), 1, "{name}");
        let found = rejected(&folder);
        let [(file, reason)] = found.as_slice() else {
            panic!("{name}: {found:?}");
        };
        assert_eq!(file, &format!("{SET}/001-bad.json"));
        writeln!(messages, "{name}: {reason}").unwrap();
    }
    insta::assert_snapshot!(messages);
}

fn scenario(members: &str) -> Vec<u8> {
    format!(r#"{{"name": "a", {members}}}"#).into_bytes()
}

#[test]
fn a_large_file_is_not_read() {
    let folder = beside_good("001-large.json", b"");
    let large = folder.path().join(SET).join("001-large.json");
    // A sparse file, which takes no room on the disk.
    File::create(&large).unwrap().set_len(100 << 20).unwrap();
    let expected = format!("too large: more than {SIZE_LIMIT} bytes");
    assert_eq!(rejected(&folder), [(format!("{SET}/001-large.json"), expected)]);
}

#[test]
fn a_file_of_the_largest_size_is_read() {
    let size = usize::try_from(SIZE_LIMIT).unwrap();
    let mut content = GOOD.as_bytes().to_vec();
    content.resize(size, b' ');
    assert!(rejected(&beside_good("001-large.json", &content)).is_empty());
    content.push(b' ');
    assert_eq!(rejected(&beside_good("001-large.json", &content)).len(), 1);
}

#[cfg(unix)]
#[test]
fn special_files_are_not_opened() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    let folder = beside_good("001-loop/x.txt", b"");
    let set = folder.path().join(SET);
    symlink("/dev/zero", set.join("002-endless.json")).unwrap();
    symlink(&set, set.join("001-loop/back")).unwrap();
    symlink("nowhere", set.join("003-dangling.json")).unwrap();
    let _socket = UnixListener::bind(set.join("004-socket.json")).unwrap();
    let rejected = rejected(&folder);
    let names: Vec<&str> =
        rejected.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
    let expected = ["back", "x.txt", "002-endless.json", "003-dangling.json", "004-socket.json"];
    assert_eq!(names, expected, "{rejected:?}");
    for index in [2, 4] {
        assert_eq!(rejected[index].1, "not a regular file");
    }
    for index in [0, 3] {
        assert!(rejected[index].1.starts_with("cannot be reached"), "{rejected:?}");
    }
}

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
        assert_eq!(report.matrix.total("yaml").failed, 1, "{report}");
    }

    let deep = "[".repeat(10_000);
    let folder = edited(
        "001-create.json",
        "\"json\": {\n      \"apiVersion\"",
        &format!("\"text\": \"{deep}\", \"x\": {{\n      \"apiVersion\""),
    );
    assert_eq!(rejected(&folder).len(), 1);
    let text = format!(
        r#"{{"name": "deep",
            "request": {{"method": "POST", "path": "/apis/example.com/v1/widgets", "text": "{deep}"}},
            "response": {{"status": 201}}}}"#
    );
    let folder = beside_good("001-deep.json", text.as_bytes());
    let report = Suite::general(&KINDS, &Documents::default())
        .run(&Recordings::load(folder.path()).unwrap());
    assert_eq!(report.matrix.total("decode").failed, 1, "{report}");
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
    assert_eq!(report.matrix.total("schema").passed, 0);
}

//! Reading and writing folders of recordings: which files are recordings, and why the others are not.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;

use k8s_versioned_conformance::recordings::{
    Exchange, RecordedBody, RecordedRequest, RecordedResponse, RecordingContent, Recordings,
    SIZE_LIMIT, Sets,
};
use k8s_versioned_core::Release;
use tempfile::TempDir;

/// The folder of a set, below a folder of recordings.
const SET: &str = "v1.36/example.com/v1/widgets";

/// A valid recording.
const GOOD: &str = include_str!("get.json");

/// A folder with these files.
fn with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
    }
    folder
}

/// A file with this content in the set, beside a valid recording.
fn beside_good(file: &str, content: &[u8]) -> TempDir {
    let (good, other) = (format!("{SET}/000-good.json"), format!("{SET}/{file}"));
    with(&[(&good, GOOD.as_bytes()), (&other, content)])
}

/// The files of a folder that are rejected: their paths below it, and the reasons.
fn rejected(folder: &TempDir) -> Vec<(String, String)> {
    let recordings = Recordings::load(folder.path()).unwrap();
    let rejected = recordings.rejected().iter().map(|rejected| {
        let path = rejected.path.strip_prefix(folder.path()).unwrap();
        let reason = rejected.reason.to_string();
        let root = folder.path().to_string_lossy();
        (path.display().to_string(), reason.replace(&*root, "…"))
    });
    rejected.collect()
}

/// Edits after which a file is not a recording: a title, a text, and its replacement.
const EDITS: &str = r#"
key twice, top | "name": "get" | "name": "get", "name": "got"
key twice, request | "method" | "method": "PUT", "method"
key twice, headers | "accept" | "accept": "a", "accept"
key twice, body | "size": 2 | "size": 2, "size": 3
no response | "response" | "answer"
no request | "request" | "question"
request misspelled | "request" | "reqeust"
before misspelled | "request" | "Before": {}, "request"
surplus member | "request" | "comment": "x", "request"
unknown member of the request | "method" | "verb": "get", "method"
two bodies | "status": 200 | "status": 200, "text": ""
not base64 | "method" | "base64": "a!", "method"
a list for the request | "request": { | "request": [], "question": {
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
        ("request misspelled, alone", scenario(r#""reqest": {}"#)),
        ("version misspelled, scenario", scenario(r#""apiversion": "v1", "lease": {}"#)),
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

/// A scenario can have any members: only the check of its set knows them.
#[test]
fn members_of_scenarios_are_free() {
    for member in ["requirement", "reason", "after", "result", "node", "re", "lease"] {
        let folder = beside_good("001-good.json", &scenario(&format!(r#""{member}": {{}}"#)));
        assert_eq!(rejected(&folder), [], "{member}");
    }
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
fn other_files_are_skipped_or_rejected() {
    let good = format!("{SET}/001-get.json");
    let backup = format!("{SET}/001-get.json.orig");
    let hidden = format!("{SET}/.001-get.json.swp");
    let nested = format!("{SET}/more/001-get.json");
    let toml = format!("{SET}/known-failures.toml");
    let folder = with(&[
        (&good, GOOD.as_bytes()),
        (&backup, b""),
        (&hidden, b""),
        (&nested, GOOD.as_bytes()),
        (&toml, b""),
        ("1.36/example.com/v1/widgets/001-get.json", GOOD.as_bytes()),
        ("README.md", b"# Recordings"),
        ("known-failures.toml", b""),
        (".git/config", b""),
        ("stories/v1.36/handover.json", b""),
        ("top.json", GOOD.as_bytes()),
    ]);
    let rejected = rejected(&folder);
    let paths: Vec<&str> = rejected.iter().map(|(path, _)| path.as_str()).collect();
    let expected =
        ["1.36/example.com/v1/widgets/001-get.json", "top.json", &*backup, &*toml, &*nested];
    assert_eq!(paths, expected);
    let layout = "<release>/<group>/<version>/<set>/<file>.json";
    assert!(rejected.iter().all(|(_, reason)| reason.contains(layout)));
}

#[test]
fn a_folder_without_recordings_is_an_error() {
    let empty = with(&[("README.md", b"")]);
    let message = Recordings::load(empty.path()).unwrap_err().to_string();
    assert_eq!(message, format!("no recordings found in {}", empty.path().display()));
    let message = Recordings::load("tests/nowhere").unwrap_err().to_string();
    assert_eq!(message, "no such folder: tests/nowhere");
}

#[test]
fn of_release_keeps_one_release() {
    // The folders above are named like a release, too.
    let folder = with(&[
        (&format!("v1.34/{SET}/001-get.json"), GOOD.as_bytes()),
        ("v1.34/v1.35/example.com/v1/widgets/001-get.json", GOOD.as_bytes()),
        ("v1.34/v1.35/example.com/v1/widgets/002-bad.json", b"{"),
    ]);
    let count = |minor| {
        let recordings = Recordings::load(folder.path().join("v1.34")).unwrap();
        let recordings = recordings.of_release(Release::new(1, minor));
        (recordings.len(), recordings.rejected().len())
    };
    assert_eq!([count(34), count(35), count(36)], [(0, 0), (1, 1), (1, 0)]);
}

/// Bodies of each form are equal after writing and reading.
#[test]
fn what_is_written_is_read() {
    let folder = TempDir::new().unwrap();
    let set = folder.path().join(SET);
    let bodies = [
        Some(RecordedBody::Json(serde_json::json!({"a": [null, 1.5]}))),
        Some(RecordedBody::Json(serde_json::Value::Null)),
        Some(RecordedBody::Text("a: 1\n".to_owned())),
        Some(RecordedBody::Binary(b"k8s\0\xff".to_vec())),
        None,
    ];
    let exchanges = bodies.map(|body| {
        let mut request = RecordedRequest::new("POST", "/apis/example.com/v1/widgets");
        request.query.insert("dryRun".to_owned(), "All".to_owned());
        request.headers.insert("accept".to_owned(), vec!["a".to_owned()]);
        request.body.clone_from(&body);
        let mut response = RecordedResponse::new(201);
        response.headers.insert("warning".to_owned(), vec!["1".to_owned(), "2".to_owned()]);
        response.body = body;
        Exchange::new(request, response)
    });
    let sets = Sets::default();
    for exchange in &exchanges {
        sets.write(&set, "create", exchange).unwrap();
    }
    assert!(sets.write(&set, "../create", &exchanges[0]).is_err());
    // The body has the largest size, and the text around it is too much.
    let size = usize::try_from(SIZE_LIMIT).unwrap();
    let mut large = exchanges[0].clone();
    large.response.body = Some(RecordedBody::Text("a".repeat(size)));
    let error = sets.write(&set, "large", &large).unwrap_err();
    assert_eq!(error.to_string(), format!("too large: more than {SIZE_LIMIT} bytes"));
    assert!(Path::new(&set.join("005-create.json")).is_file());
    // Nothing else is left, and others may read the files.
    assert_eq!(fs::read_dir(&set).unwrap().count(), 5);
    let plain = folder.path().join("plain.md");
    fs::write(&plain, "").unwrap();
    let permissions = |path: &Path| fs::metadata(path).unwrap().permissions();
    assert_eq!(permissions(&set.join("001-create.json")), permissions(&plain));
    let recordings = Recordings::load(folder.path()).unwrap();
    assert!(recordings.rejected().is_empty(), "{:?}", recordings.rejected());
    let read: Vec<&RecordingContent> =
        recordings.iter().map(|recording| &recording.content).collect();
    let written = exchanges.map(RecordingContent::Exchange);
    assert_eq!(read, written.iter().collect::<Vec<_>>());
}

/// The release, the group, the version and the set are names of folders: below a release they are missing.
#[test]
fn a_folder_below_the_release_is_one_error() {
    let files = ["001-a.json", "002-b.json"].map(|name| format!("{SET}/{name}"));
    let folder = with(&files.each_ref().map(|file| (&**file, &b"{}"[..])));
    for below in ["v1.36", "v1.36/example.com", SET] {
        let error = Recordings::load(folder.path().join(below)).unwrap_err();
        let expected = format!("{below}: load the folder above `v1.36`");
        assert!(error.to_string().ends_with(&expected), "{error}");
        // A test that returns the error prints it so.
        assert_eq!(format!("{error:?}"), error.to_string());
    }
    assert_eq!(Recordings::load(folder.path()).unwrap().rejected().len(), 2);
}

//! The files of a folder that are recordings.

use k8s_versioned::Release;
use k8s_versioned_conformance::Recordings;

use crate::folder::{GOOD, SET, WIDGETS, rejected, with};

#[test]
fn recordings_come_in_the_order_of_their_paths() {
    let recordings = Recordings::load(WIDGETS).unwrap();
    let names: Vec<&str> = recordings.iter().map(|one| &*one.name).collect();
    let expected = ["a-to-b", "create", "get", "get-yaml", "watch", "create-size-not-a-number"];
    assert_eq!(names, expected);
    let get = recordings.iter().nth(2).unwrap();
    assert_eq!(get.place.release, Release::new(1, 36));
    assert_eq!((&*get.place.group, &*get.place.set), ("example.com", "widgets"));
    assert_eq!(recordings.beside(get).count(), 4);
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

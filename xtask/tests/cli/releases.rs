//! What names the newest release, or all releases, outside of `specs`. A new release has to be written there, too:
//! this test lists the places.

use std::collections::BTreeSet;
use std::fs;

use coordination_codegen::{Files, manifest};
use k8s_versioned::Release;

/// Texts with `OLDEST to NEWEST`, the releases that were recorded.
const RANGES: [&str; 3] = [
    "README.md",
    "fixtures/README.md",
    "crates/coordination/src/validation/mod.rs",
];

/// Texts with the newest release alone.
const NEWEST: [(&str, &str); 1] = [(
    ".cargo/config.toml",
    "K8S_OPENAPI_ENABLED_VERSION = \"NEWEST\"",
)];

fn releases() -> BTreeSet<Release> {
    let text = fs::read(xtask::workspace().join("specs/manifest.toml")).unwrap();
    let files = Files::from([(manifest::PATH.to_owned(), text)]);
    let documents = manifest::read(&files).unwrap().documents;
    documents.into_iter().map(|entry| entry.release).collect()
}

#[test]
fn texts_name_the_newest_release() {
    let releases = releases();
    let (oldest, newest) = (releases.first().unwrap(), releases.last().unwrap());
    let range = format!("{oldest:#} to {newest:#}");
    let ranges = RANGES.map(|file| (file, range.clone()));
    let newest = NEWEST.map(|(file, text)| (file, text.replace("NEWEST", &format!("{newest:#}"))));
    for (file, expected) in ranges.into_iter().chain(newest) {
        let text = fs::read_to_string(xtask::workspace().join(file)).unwrap();
        assert!(text.contains(&expected), "{file} should say `{expected}`");
    }
}

/// README's number of recordings.
#[test]
fn readme_counts_the_recordings() {
    let files = xtask::fixtures::read(&xtask::workspace(), |_| true).unwrap();
    let (thousands, rest) = (files.len() / 1000, files.len() % 1000);
    let expected = format!("{thousands},{rest:03} recordings");
    let text = fs::read_to_string(xtask::workspace().join("README.md")).unwrap();
    assert!(
        text.contains(&expected),
        "README.md should say `{expected}`"
    );
}

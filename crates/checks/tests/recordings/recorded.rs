//! The recordings of this repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use k8s_versioned::Release;
use k8s_versioned_conformance::{Documents, Recording, Recordings};

/// All recordings.
pub(crate) static RECORDINGS: LazyLock<Recordings> =
    LazyLock::new(|| Recordings::load(root().join("fixtures")).unwrap());

/// The newest release whose recordings tests count and show. The page and the checks have those of all releases.
const PINNED: Release = Release::new(1, 36);

/// Those of one release: enough for what does not depend on the release.
pub(crate) static NEWEST: LazyLock<Recordings> = LazyLock::new(|| {
    let all = Recordings::load(root().join("fixtures"));
    all.unwrap().of_release(PINNED)
});

/// Those of the releases whose recordings tests count and show.
pub(crate) fn recordings() -> impl Iterator<Item = &'static Recording> {
    let all = RECORDINGS.iter();
    all.filter(|recording| recording.place().release() <= PINNED)
}

/// All documents.
pub(crate) static DOCUMENTS: LazyLock<Documents> =
    LazyLock::new(|| Documents::load(root().join("specs")).unwrap());

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The recordings of a set of an API version, in the order of releases and files.
pub(crate) fn set(version: &str, set: &str) -> Vec<&'static Recording> {
    let recordings = recordings().filter(|recording| {
        recording.place().version() == version && recording.place().set() == set
    });
    recordings.collect()
}

/// Releases, those that follow each other as one: `v1.31, v1.33 to v1.36`.
pub(crate) fn spans(releases: &BTreeSet<Release>) -> String {
    let mut spans: Vec<(Release, Release)> = Vec::new();
    for &release in releases {
        match spans.last_mut() {
            Some((_, last)) if last.next() == release => *last = release,
            _ => spans.push((release, release)),
        }
    }
    let spans = spans.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first} to {last}")
        }
    });
    spans.collect::<Vec<_>>().join(", ")
}

#[test]
fn releases_that_follow_each_other_are_one_span() {
    let spans = |minors: &[u16]| {
        let releases = minors.iter().map(|&minor| Release::new(1, minor));
        super::recorded::spans(&releases.collect())
    };
    assert_eq!(spans(&[]), "");
    assert_eq!(spans(&[31]), "v1.31");
    assert_eq!(spans(&[31, 33, 34, 36]), "v1.31, v1.33 to v1.34, v1.36");
}

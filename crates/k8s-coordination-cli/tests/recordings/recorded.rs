//! The recordings of this repository.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use k8s_versioned::Release;
use k8s_versioned_conformance::{Documents, Recording, Recordings};

/// All recordings.
pub(crate) static RECORDINGS: LazyLock<Recordings> =
    LazyLock::new(|| Recordings::load(root().join("fixtures")).unwrap());

/// The newest release whose recordings are in counts and snapshots. The page and the checks have all releases.
const PINNED: Release = Release::new(1, 36);

/// The recordings of one release, for tests that do not depend on it.
pub(crate) fn newest() -> impl Iterator<Item = &'static Recording> {
    recordings().filter(|recording| recording.path.release == PINNED)
}

/// The recordings of the releases that are in counts and snapshots.
pub(crate) fn recordings() -> impl Iterator<Item = &'static Recording> {
    let all = RECORDINGS.iter();
    all.filter(|recording| recording.path.release <= PINNED)
}

/// All documents.
pub(crate) static DOCUMENTS: LazyLock<Documents> =
    LazyLock::new(|| Documents::load(root().join("specs")).unwrap());

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

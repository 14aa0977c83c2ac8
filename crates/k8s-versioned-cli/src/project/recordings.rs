//! The recordings of servers in a project, as far as pages and the check of releases need them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use k8s_versioned_codegen::tools::reference::RecordedCase;
use k8s_versioned_codegen::{read_not_recorded, releases};
use k8s_versioned_conformance::recordings::{LoadError, RecordedBody, RecordingPath, Recordings};
use k8s_versioned_core::Release;

use crate::project::specs::Specs;
use crate::{Error, Project};

/// Reads all recordings; a project without the folder has none. The conformance kit reports files that are not
/// recordings.
///
/// # Errors
/// The folder cannot be read.
pub fn read(project: &Project) -> Result<Recordings, Error> {
    match Recordings::load(project.root.join(&project.recordings)) {
        Ok(recordings) => Ok(recordings),
        Err(LoadError::NoFolder(_) | LoadError::Empty(_)) => Ok(Recordings::default()),
        Err(other) => Err(Error::Recordings(other)),
    }
}

/// The cases of recordings that pages show.
pub fn cases(project: &Project, recordings: &Recordings) -> Vec<RecordedCase> {
    let folder = project.root.join(&project.recordings);
    // From the folder of a version, which is one level below the other pages, to the root of the project.
    let pages = Path::new(project.reference.as_deref().unwrap_or_default());
    let up = "../".repeat(pages.components().count() + 1);
    let cases = recordings.iter().filter_map(|recording| {
        let RecordingPath { file, release, group, version, set, .. } = &recording.path;
        let exchange = recording.exchange()?;
        let parts = file.strip_prefix(&folder).unwrap_or(file).iter();
        let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        Some(RecordedCase {
            link: format!("{up}{}/{}", project.recordings, parts.join("/")),
            release: *release,
            group: group.clone(),
            version: version.clone(),
            set: set.clone(),
            name: recording.name.clone(),
            sent: exchange.request.body.as_ref().and_then(RecordedBody::json).cloned(),
            accepted: exchange.response.status < 400,
            causes: exchange.response.causes(),
        })
    });
    cases.collect()
}

/// The sets of the release before, with the cases that are not recorded for the newest one.
pub fn missing(recordings: &Recordings, before: Release, newest: Release) -> Vec<String> {
    let names = |release| {
        let mut cases: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for recording in recordings.iter().filter(|recording| recording.path.release == release) {
            let set = format!("{} {}", recording.path.version, recording.path.set);
            cases.entry(set).or_default().insert(&recording.name);
        }
        cases
    };
    let (old, new) = (names(before), names(newest));
    if new.is_empty() {
        return vec![format!("all of {newest}")];
    }
    let missing = old.iter().filter_map(|(set, names)| {
        let recorded = new.get(set);
        let names =
            names.iter().filter(|name| !recorded.is_some_and(|recorded| recorded.contains(*name)));
        let names: Vec<&str> = names.copied().collect();
        (!names.is_empty()).then(|| format!("{set}: {}", names.join(", ")))
    });
    missing.collect()
}

/// Checks that each release has either recordings or a reason why it has none.
///
/// # Errors
/// The folder or the file of exceptions cannot be read; [`Error::Recorded`].
pub fn check(project: &Project, specs: &Specs) -> Result<(), Error> {
    let refused = |problems| specs.refused(problems);
    let mut releases = releases(&specs.files).map_err(refused)?;
    // The release of definitions that are of no release.
    releases.remove(&Release::new(0, 0));
    let exceptions = read_not_recorded(&specs.files).map_err(refused)?;
    let recordings = read(project)?;
    let recorded: BTreeSet<Release> =
        recordings.iter().map(|recording| recording.path.release).collect();
    let recorded = |release: &Release| recorded.contains(release);
    let wrong = |release: &Release| recorded(release) == exceptions.contains_key(release);
    let wrong: Vec<Release> = releases.into_iter().filter(wrong).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let (surplus, missing) = wrong.into_iter().partition(recorded);
    Err(Error::Recorded {
        missing,
        surplus,
        folder: project.recordings.clone(),
        exceptions: format!("{}/not-recorded.toml", project.specs),
    })
}

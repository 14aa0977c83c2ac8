//! One stored object in several versions.

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_versioned_conformance::recordings::{Subject, SubjectKind};
use k8s_versioned_conformance::{Examined, Recording, Recordings, subjects};
use k8s_versioned_conversion::AnyVersion;

use super::Found;

/// The folder of recordings that show one stored object in several versions.
const ACROSS: &str = "across";

/// The candidates that servers show in the other recordings of a folder.
pub(super) struct Twins(Vec<AnyLeaseCandidate>);

impl Twins {
    /// `None` if the recording is not in the folder [`ACROSS`].
    pub(super) fn beside(recording: &Recording, all: &Recordings) -> Option<Self> {
        if recording.path.version != ACROSS {
            return None;
        }
        let shown = all.beside(recording).flat_map(|other| {
            let subjects = subjects(other).into_iter();
            let subjects = subjects.filter(|subject| subject.kind != SubjectKind::Request);
            let found = subjects.filter_map(|subject| Found::read(other, &subject).ok());
            found.flatten().map(|found| found.candidate).collect::<Vec<_>>()
        });
        Some(Self(shown.collect()))
    }

    /// The differences of its converted twins from a candidate.
    pub(super) fn compare(&self, subject: &Subject<'_>, one: &Found) -> Examined {
        if subject.kind == SubjectKind::Request {
            return Err("the body of a request is not stored yet".into());
        }
        let mut twins = self.of(&one.candidate).peekable();
        if twins.peek().is_none() {
            return Err("no recording in the folder shows it in another version".into());
        }
        let mismatches = twins.flat_map(|twin| {
            let (converted, _) = twin.clone().convert_to(one.candidate.version());
            let hint = format!(
                "found by conversion of the same object in {}: the server converts differently",
                twin.version()
            );
            one.compare(&converted, &hint)
        });
        Ok(mismatches.collect())
    }

    /// The same object at the same time, in other versions.
    fn of(&self, one: &AnyLeaseCandidate) -> impl Iterator<Item = &AnyLeaseCandidate> {
        let (version, wanted) = (one.version(), identity(one));
        let twins = self.0.iter();
        twins.filter(move |twin| {
            wanted.is_some() && identity(twin) == wanted && twin.version() != version
        })
    }
}

/// The `uid` and the `resourceVersion`: the same in every version, and different after every edit.
fn identity(candidate: &AnyLeaseCandidate) -> Option<(&str, &str)> {
    let metadata = candidate.metadata();
    let uid = metadata.uid.as_deref()?;
    Some((uid, metadata.resource_version.as_deref()?))
}

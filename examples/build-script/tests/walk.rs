//! Objects of every version survive a walk over all versions, and operations are built for each.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use build_script_example::api::conversion::{AnyBackup, AnyVersion, BackupVersion};
use build_script_example::api::{Kinds, v1, v1alpha1, v1beta1};
use k8s_versioned_conformance::operation::Operations;

/// An object of each version with all its fields.
fn objects() -> [AnyBackup; 3] {
    let mut old = v1alpha1::BackupSpec::new("home");
    old.keep = Some(3);
    let mut middle = v1beta1::BackupSpec::new("home");
    middle.keep = Some(0);
    let mut new = v1::BackupSpec::new("home");
    new.schedule = Some(String::new());
    [
        v1alpha1::Backup::new(old).into(),
        v1beta1::Backup::new(middle).into(),
        v1::Backup::new(new).into(),
    ]
}

#[test]
fn objects_survive_every_walk() {
    for object in objects() {
        for first in BackupVersion::ALL {
            for second in BackupVersion::ALL {
                let (there, _) = object.clone().convert_to(*first);
                let (further, _) = there.convert_to(*second);
                let (back, _) = further.convert_to(object.version());
                assert_eq!(back, object, "over {first} and {second}");
            }
        }
    }
}

#[test]
fn each_version_has_its_requests() {
    let operations = Operations::all::<Kinds>();
    let versions: Vec<&str> = operations.iter().map(|operation| operation.path.version).collect();
    assert_eq!(versions, ["v1", "v1alpha1", "v1beta1"]);
}

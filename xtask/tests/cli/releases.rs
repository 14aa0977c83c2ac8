//! README names the releases that are recorded, and those that are not.

use std::collections::BTreeSet;
use std::fs;

use k8s_versioned_codegen::{Files, manifest};
use k8s_versioned_core::Release;

use crate::workspace::repository;

#[test]
fn readme_names_the_releases() {
    let root = repository();
    let text = fs::read(root.join("specs/manifest.toml")).unwrap();
    let files = Files::from([(manifest::PATH.to_owned(), text)]);
    let known = manifest::sources(&files).unwrap().into_keys();
    let (recorded, missing): (BTreeSet<Release>, BTreeSet<Release>) =
        known.partition(|release| root.join(format!("fixtures/{release}")).is_dir());
    let (oldest, newest) = (recorded.first().unwrap(), recorded.last().unwrap());
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let missing = missing.iter().map(|release| format!("{release:#}"));
    for expected in missing.chain([format!("{oldest:#} to {newest:#}")]) {
        assert!(readme.contains(&expected), "README.md should say `{expected}`");
    }
}

//! What shells complete: releases, versions and kinds of the package, or of the files that the command line names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_versioned_admission::{NEWEST, OLDEST};
use k8s_versioned_core::{Release, Version};
use k8s_versioned_source::{ReadLimits, TreeValue, documents};
use k8s_versioned_terminal::input::files_in;
use k8s_versioned_terminal::{value_of_option, words_to_complete};

use crate::Project;
use crate::project::tree;

/// The most files that are read while a shell waits for the answer.
const FILES: usize = 100;

/// The releases of the package, then the other releases of Kubernetes whose servers are known; the newest first.
pub(crate) fn releases() -> Vec<String> {
    let mut releases: Vec<Release> = folders_of_releases().into_keys().rev().collect();
    let ([_, oldest, _], [_, newest, _]) = (OLDEST.numbers(), NEWEST.numbers());
    // The documents of a release can be newer than the servers that this command knows.
    let known = (oldest..=newest + 1).rev().map(|minor| Release::new(1, minor));
    let others: Vec<Release> = known.filter(|release| !releases.contains(release)).collect();
    releases.extend(others);
    releases.iter().map(Release::to_string).collect()
}

/// The sides of a comparison: the releases of the package, without and with each version.
pub(crate) fn sides() -> Vec<String> {
    let mut sides = Vec::new();
    for (release, folder) in folders_of_releases().into_iter().rev() {
        sides.push(release.to_string());
        let versions = versions_in(&folder);
        sides.extend(versions.iter().map(|version| format!("{release}/{version}")));
    }
    if sides.is_empty() { releases() } else { sides }
}

/// The kinds of the definitions in the files that the command line names, or in the current folder.
pub(crate) fn kinds() -> BTreeSet<String> {
    definitions_at_hand().into_iter().map(|(kind, _)| kind).collect()
}

/// The versions of the definitions in the files that the command line names, or in the current folder.
pub(crate) fn versions() -> BTreeSet<String> {
    definitions_at_hand().into_iter().map(|(_, version)| version).collect()
}

/// The folder of each release of the package in the current folder, or in the folder of `--root`.
fn folders_of_releases() -> BTreeMap<Release, PathBuf> {
    let root = value_of_option("--root").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let specs = Project::read(&root).map(|project| root.join(project.specs));
    let entries = specs.ok().and_then(|specs| fs::read_dir(specs).ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let release = |path: &PathBuf| path.file_name()?.to_str()?.parse::<Release>().ok();
    paths.filter_map(|path| Some((release(&path)?, path))).collect()
}

/// The versions that the folder of a release has: by the names of its documents, and in its definitions.
fn versions_in(folder: &Path) -> BTreeSet<Version> {
    let (mut versions, mut others) = (BTreeSet::new(), Vec::new());
    for path in manifests_in(folder, true) {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        match name.strip_suffix("_openapi.json").and_then(|stem| stem.rsplit_once("__")) {
            Some((_, version)) => versions.extend(version.parse::<Version>()),
            None => others.push(path),
        }
    }
    let defined =
        definitions(&others).into_iter().flat_map(|(_, version)| version.parse::<Version>());
    versions.extend(defined);
    versions
}

fn definitions_at_hand() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for path in words_to_complete().map(PathBuf::from) {
        if path.is_dir() {
            files.extend(manifests_in(&path, true));
        } else if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        files = manifests_in(Path::new("."), false);
    }
    definitions(&files)
}

fn manifests_in(folder: &Path, recursive: bool) -> Vec<PathBuf> {
    files_in(folder, &["json", "yaml", "yml"], recursive).unwrap_or_default()
}

/// The definitions in files, as a kind and a version each. What cannot be read is left out: the command itself reports it.
fn definitions(files: &[PathBuf]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for path in files.iter().take(FILES) {
        let bytes = tree::read(path).unwrap_or_default();
        for mut document in documents("", &bytes, &ReadLimits::MANIFESTS).flatten() {
            for definition in document.definitions() {
                all.extend(kind_and_versions(document.value(definition.node)).unwrap_or_default());
            }
        }
    }
    all
}

fn kind_and_versions(definition: TreeValue<'_>) -> Option<Vec<(String, String)>> {
    let spec = definition.get("spec")?;
    let kind = spec.at(&["names", "kind"])?.string()?;
    let names = spec.get("versions")?.items()?.filter_map(|version| version.get("name")?.string());
    Some(names.map(|name| (kind.to_owned(), name.to_owned())).collect())
}

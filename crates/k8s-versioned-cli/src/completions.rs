//! What shells complete: releases, versions and kinds of the package, or of the files that the command line names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use k8s_versioned_admission::{NEWEST, OLDEST};
use k8s_versioned_names::{Release, Version};
use k8s_versioned_source::{Limits, documents};
use k8s_versioned_terminal::input::files_in;
use k8s_versioned_terminal::{value_to_complete_after, words_to_complete};

use crate::Project;

/// The most files that are read while a shell waits.
const FILES: usize = 100;

/// The releases of the package, and the ones whose servers are known.
pub(crate) fn releases() -> Vec<String> {
    let mut releases: Vec<Release> = folders_of_releases().into_keys().rev().collect();
    let ([_, oldest, _], [_, newest, _]) = (OLDEST.numbers(), NEWEST.numbers());
    // The documents of a release exist before this command knows its servers.
    let known = (oldest..=newest + 1).rev().map(|minor| Release::new(1, minor));
    let others: Vec<Release> = known.filter(|release| !releases.contains(release)).collect();
    releases.extend(others);
    releases.iter().map(Release::to_string).collect()
}

/// The sides of a comparison: the releases of the package, alone and with each version.
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
    definitions_at_hand(|kind, _| kind)
}

/// The versions of these definitions.
pub(crate) fn versions() -> BTreeSet<String> {
    definitions_at_hand(|_, version| version)
}

/// The folder of each release of the package in the current folder, or in the one that `--root` names.
fn folders_of_releases() -> BTreeMap<Release, PathBuf> {
    let root = value_to_complete_after("--root").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let specs = Project::read(&root).map(|project| root.join(project.specs));
    let entries = specs.ok().and_then(|specs| fs::read_dir(specs).ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_release = |path: &PathBuf| path.file_name()?.to_str()?.parse::<Release>().ok();
    paths.filter_map(|path| Some((is_release(&path)?, path))).collect()
}

/// The versions of the documents in the folder of a release, by the names of the files, and of the definitions in it.
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

fn definitions_at_hand(part: fn(String, String) -> String) -> BTreeSet<String> {
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
    definitions(&files).into_iter().map(|(kind, version)| part(kind, version)).collect()
}

fn manifests_in(folder: &Path, recursive: bool) -> Vec<PathBuf> {
    files_in(folder, &["json", "yaml", "yml"], recursive).unwrap_or_default()
}

/// The kind and the version of each version of the definitions in files. What cannot be read is left out: the command says why.
fn definitions(files: &[PathBuf]) -> Vec<(String, String)> {
    let mut versions_of_kinds = Vec::new();
    for path in files.iter().take(FILES) {
        let Ok(bytes) = fs::read(path) else { continue };
        for mut tree in documents("", &bytes, &Limits::MANIFESTS).flatten() {
            for definition in tree.definitions() {
                let spec = tree.value(definition.node).get("spec");
                let kind = spec.and_then(|spec| spec.at(&["names", "kind"])?.string());
                let versions = spec.and_then(|spec| spec.get("versions")?.items());
                let names =
                    versions.into_iter().flatten().filter_map(|it| it.get("name")?.string());
                versions_of_kinds
                    .extend(names.filter_map(|name| Some((kind?.to_owned(), name.to_owned()))));
            }
        }
    }
    versions_of_kinds
}

//! One side of a comparison.

use std::collections::BTreeSet;

use k8s_versioned_names::{Release, Version};

use super::Selection;
use crate::manifest::{self, Manifest};
use crate::model::{self, Model};
use crate::rules::{self, LifecycleRule, ModuleRule};
use crate::text::join;
use crate::{Files, Problems, spec};

/// The reason why two selections cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The documents cannot be read.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// There are no documents of the release.
    #[error("specs has no release {0}; it has {known}", known = join(.1, ", "))]
    NoRelease(Release, BTreeSet<Release>),
    /// The release does not serve the version.
    #[error("{0} does not serve version {1}; it serves {served}", served = join(.2, ", "))]
    NotServed(Release, Version, BTreeSet<Version>),
}

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) selection: Selection,
    /// All versions that the release serves.
    pub(super) served: BTreeSet<Version>,
    /// The model of the selected documents alone.
    pub(super) model: Model,
    pub(super) lifecycles: Vec<LifecycleRule>,
    pub(super) modules: Vec<ModuleRule>,
}

impl Side {
    pub(super) fn read(specs: &Files, selection: Selection) -> Result<Self, DiffError> {
        let Selection { release, version } = selection;
        let group = rules::read_group(specs)?;
        let mut manifest = manifest::verify(specs)?;
        let served = served(&manifest, release)?;
        if let Some(version) = version.filter(|version| !served.contains(version)) {
            return Err(DiffError::NotServed(release, version, served));
        }
        manifest.documents.retain(|entry| {
            entry.release == release && (version.is_none() || entry.name.version == version)
        });
        let documents = spec::read_all(specs, &manifest, group.prose())?;
        Ok(Self {
            selection,
            served,
            model: model::merge(&group.groups, &documents)?,
            lifecycles: rules::read_lifecycles(specs)?,
            modules: group.modules,
        })
    }

    /// Returns `true` if a version is compared. When whole releases are compared, both sides must serve it.
    pub(super) fn compares(&self, version: Option<Version>, other: &Self) -> bool {
        self.is_one_version()
            || version.is_none_or(|version| {
                other.model.versions.keys().any(|(_, known)| *known == version)
            })
    }

    /// Returns `true` if only documents of one version are compared.
    pub(super) fn is_one_version(&self) -> bool {
        self.selection.version.is_some()
    }
}

fn served(manifest: &Manifest, release: Release) -> Result<BTreeSet<Version>, DiffError> {
    let entries = manifest.documents.iter();
    let known: BTreeSet<Release> = entries.clone().map(|entry| entry.release).collect();
    if !known.contains(&release) {
        return Err(DiffError::NoRelease(release, known));
    }
    let of_release = entries.filter(|entry| entry.release == release);
    Ok(of_release.filter_map(|entry| entry.name.version).collect())
}

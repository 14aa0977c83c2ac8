//! The first stage: the files of a `specs/` folder to documents as data.
//!
//! A text of JSON or YAML becomes a tree (`k8s_versioned_source`), a [`Cursor`] walks through it and keeps places and problems, and
//! `document`, `schema` and `operations` read what OpenAPI knows. `crd` publishes definitions as a server does, straight from their
//! trees. `group` and `manifest` are the two files of TOML on which the reading depends; they are read here, once.

mod base;
pub mod crd;
mod cursor;
mod document;
pub(crate) mod group;
pub(crate) mod leave_out;
pub mod manifest;
mod operations;
mod published;
mod schema;
pub(crate) mod toml_file;
mod words;

use std::collections::BTreeSet;

use k8s_versioned_core::Release;

use crate::gather::Gather;
use crate::spec::{Document, DocumentName};
use crate::{Files, Problems};
pub(crate) use base::base;
use crd::{Defined, PackageDefinition, Reading, Unserved};
use manifest::{Manifest, ManifestEntry};

pub(crate) use document::read as read_document;
pub use group::read as read_group;
pub(crate) use group::{DescribedBy, Feature, GroupRules, ModuleRule};
pub use published::Published;

/// The files on which everything depends, before the documents are read.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The choices of `group.toml`. If it names no groups, these are the groups of all documents.
    pub(crate) group: GroupRules,
    /// The problems of `group.toml`, which are reported with those of the other rules.
    of_group: Problems,
    manifest: Manifest,
    defined: Defined,
    /// Whether all documents are there, so that a rule that matches none of them is a mistake.
    is_whole: bool,
    /// Whether types keep their schemas.
    keeps_schemas: bool,
}

impl Sources {
    /// Reads `group.toml`, the manifest, and the definitions.
    ///
    /// # Errors
    /// All problems of these files; documents that are missing, surplus or edited.
    pub(crate) fn read(specs: &Files) -> Result<Self, Problems> {
        Self::read_keeping(specs, false)
    }

    /// As [`read`](Self::read), and keeps the definitions of each release as a user applies them, with their descriptions.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn with_definitions(specs: &Files) -> Result<Self, Problems> {
        Self::read_keeping(specs, true)
    }

    fn read_keeping(specs: &Files, all: bool) -> Result<Self, Problems> {
        let mut problems = Problems::new();
        let (group, of_group) = match group::read(specs) {
            Ok(group) => (group, Problems::new()),
            Err(problems) => (GroupRules::default(), problems),
        };
        let reading = Reading {
            of_package: group.keeps_descriptions(),
            unserved: group.unserved == Some(true),
            all,
            leave_out: &group.leave_out,
        };
        let defined = problems.keep(crd::read(specs, reading)).unwrap_or_default();
        problems.or(())?;
        let releases = defined.documents.iter().map(|document| document.release).gather();
        let manifest = manifest::verify(specs, group.product.as_deref(), &releases)?;
        let unnamed = group.groups.is_empty();
        let mut all =
            Self { group, of_group, manifest, defined, is_whole: true, keeps_schemas: false };
        if unnamed {
            all.group.groups = all.names().map(|(_, name)| name.group.clone()).gather();
        }
        Ok(all)
    }

    /// The choices of `group.toml`.
    ///
    /// # Errors
    /// What is wrong in the file.
    pub(crate) fn group(&self) -> Result<GroupRules, Problems> {
        self.of_group.clone().or(self.group.clone())
    }

    /// Keeps the schemas of all types, as well as the types.
    pub(crate) fn keep_schemas(&mut self) {
        self.keeps_schemas = true;
    }

    /// Takes the definitions that [`with_definitions`](Self::with_definitions) has kept, each with its release if it is in the
    /// folder of one.
    pub(crate) fn take_definitions(&mut self) -> Vec<(Option<Release>, PackageDefinition)> {
        std::mem::take(&mut self.defined.all)
    }

    /// The releases and the names of all documents.
    pub(crate) fn names(&self) -> impl Iterator<Item = (Release, &DocumentName)> {
        let listed = self.manifest.documents.iter().map(|entry| (entry.release, &entry.name));
        listed
            .chain(self.defined.documents.iter().map(|document| (document.release, &document.name)))
    }

    /// The releases that have documents.
    pub(crate) fn releases(&self) -> BTreeSet<Release> {
        self.names().map(|(release, _)| release).gather()
    }

    /// Leaves out documents.
    pub(crate) fn retain(&mut self, keep: impl Fn(Release, &DocumentName) -> bool) {
        self.manifest.documents.retain(|entry: &ManifestEntry| keep(entry.release, &entry.name));
        self.defined.documents.retain(|document| keep(document.release, &document.name));
        self.is_whole = false;
    }

    /// Reads the documents.
    ///
    /// # Errors
    /// All problems of all documents, and versions that `group.toml` leaves out and no document has.
    pub(crate) fn documents(self, specs: &Files) -> Result<Input, Problems> {
        let Self { group, manifest, defined, is_whole, keeps_schemas, .. } = self;
        let Defined { mut documents, of_package, unserved, mut left_out, warnings, .. } = defined;
        let reading = document::Reading { group: &group, keeps_schemas };
        documents.extend(document::read_all(specs, &manifest, reading, &mut left_out)?);
        // To later stages the last document of a type is the newest.
        documents.sort_by(Document::order);
        if is_whole {
            leave_out::check(&left_out, &group.leave_out, &documents)?;
        }
        let warnings = crd::warnings(&warnings);
        Ok(Input { group, documents, definitions: of_package, unserved, warnings })
    }
}

/// The releases that have documents or definitions.
///
/// # Errors
/// The documents or definitions cannot be read.
pub fn releases(specs: &Files) -> Result<BTreeSet<Release>, Problems> {
    Sources::read(specs).map(|sources| sources.releases())
}

/// The content of the files of a `specs/` folder, apart from the rules.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// The choices of `group.toml`.
    pub(crate) group: GroupRules,
    /// The documents, in the order of release and name.
    pub(crate) documents: Vec<Document>,
    /// The definitions of custom resources that the package has.
    pub(crate) definitions: Vec<PackageDefinition>,
    /// The versions of definitions that the package lacks, because they are not served.
    pub(crate) unserved: Vec<Unserved>,
    /// What servers ignore or refuse in definitions.
    pub(crate) warnings: Problems,
}

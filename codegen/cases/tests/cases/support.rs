//! Helpers of the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::{EmitOptions, Files};

use testing::specs;
use testing::specs::patch::Patched;

/// The folder `name` of this package.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The good case `name`, without a manifest.
pub(crate) fn good(name: &str) -> Files {
    specs::files(&folder("good").join(name)).unwrap()
}

/// A case that edits another one.
pub(crate) fn patched(kind: &str, name: &str) -> Patched {
    specs::patch::load(&folder(""), kind, name)
}

/// The options of the build script for the case `name`.
pub(crate) fn options(name: &str) -> EmitOptions {
    EmitOptions {
        root: format!("crate::{}", name.replace('-', "_")),
        command: "cargo build".to_owned(),
        shared: None,
    }
}

/// Compares texts with the snapshots in one folder, and the folder with the texts.
pub(crate) struct Snapshots {
    folder: &'static str,
    seen: BTreeSet<String>,
}

impl Snapshots {
    /// The snapshots in `tests/snapshots/<folder>/`.
    pub(crate) fn of(folder: &'static str) -> Self {
        Self { folder, seen: BTreeSet::new() }
    }

    /// Compares one text; `description` names its case.
    pub(crate) fn check(&mut self, name: &str, description: &str, text: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(format!("../snapshots/{}", self.folder));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_description(description);
        settings.bind(|| insta::assert_snapshot!(name, text));
        self.seen.insert(format!("{name}.snap"));
    }

    /// Refuses snapshots without a case.
    pub(crate) fn finish(self) {
        let folder = folder("tests/snapshots").join(self.folder);
        let left: Vec<String> = specs::files(&folder)
            .unwrap()
            .into_keys()
            .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "snap"))
            .filter(|name| !self.seen.contains(name))
            .collect();
        assert!(left.is_empty(), "no case has these snapshots: {left:?}");
    }
}

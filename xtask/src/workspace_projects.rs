//! The projects of this workspace.

use std::path::Path;

use k8s_versioned_cli::Project;

/// The specs of the example, which is made of a definition: releases of Kubernetes do not have its group.
pub(crate) const EXAMPLE: &str = "examples/webhook/specs";

/// The projects of the workspace at `root`: first the group of the workspace, then these others, if their folders exist: another
/// group, the example, and the types that all groups share.
pub fn projects(root: &Path) -> Vec<Project> {
    let project = |specs: &str, code: &str| Project {
        root: root.to_path_buf(),
        specs: specs.to_owned(),
        code: code.to_owned(),
        pages: None,
        recordings: "fixtures".to_owned(),
        command: "cargo xtask regenerate".to_owned(),
        ..Project::default()
    };
    let group = Project {
        pages: Some("docs/reference/coordination".to_owned()),
        reference: Some("docs/reference/coordination/api".to_owned()),
        needs_recordings: true,
        ..project("specs", "crates/k8s-coordination/src/generated")
    };
    let resource = Project {
        pages: Some("docs/reference/resource".to_owned()),
        reference: Some("docs/reference/resource/api".to_owned()),
        recordings: "crates/k8s-resource/fixtures".to_owned(),
        ..project("crates/k8s-resource/specs", "crates/k8s-resource/src/generated")
    };
    let example = project(EXAMPLE, "examples/webhook/src/generated");
    let shared = Project {
        shared: Some("k8s_versioned".to_owned()),
        ..project("crates/k8s-versioned/specs", "crates/k8s-versioned/src/generated")
    };
    let mut others = vec![resource, example, shared];
    others.retain(|project| root.join(&project.specs).is_dir());
    others.insert(0, group);
    others
}

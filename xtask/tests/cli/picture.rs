//! `docs/pictures/flow.svg`: the way of the data through the folders of this workspace.

use testing::picture::Picture;

use crate::workspace::repository;

/// The folders, with their places and what they hold.
const FOLDERS: [(&str, (i32, i32), &str); 11] = [
    ("specs", (0, 0), "documents and rules"),
    ("codegen/src/input", (2, 0), "reads documents"),
    ("codegen/src/model", (4, 0), "merges the releases"),
    ("codegen/src/plan", (6, 0), "decides on each type"),
    ("codegen/src/conversion", (6, 2), "decides on each field"),
    ("codegen/src/emit", (8, 0), "writes Rust"),
    ("codegen/src/tools/reference", (8, 2), "writes pages"),
    ("crates/k8s-coordination", (8, -2), "types and operations"),
    ("docs", (8, 4), "pages for users"),
    ("crates/k8s-coordination-cli/src/conformance", (4, -2), "checks"),
    ("fixtures", (0, -2), "what servers answered"),
];

/// From where to where the data go, and what goes.
const FLOWS: [(&str, &str, &str); 11] = [
    ("specs", "codegen/src/input", ""),
    ("codegen/src/input", "codegen/src/model", ""),
    ("codegen/src/model", "codegen/src/plan", ""),
    ("codegen/src/plan", "codegen/src/emit", ""),
    ("codegen/src/plan", "codegen/src/conversion", ""),
    ("codegen/src/conversion", "codegen/src/emit", ""),
    ("codegen/src/conversion", "codegen/src/tools/reference", ""),
    ("codegen/src/emit", "crates/k8s-coordination", "generated code"),
    ("codegen/src/tools/reference", "docs", ""),
    ("crates/k8s-coordination", "crates/k8s-coordination-cli/src/conformance", "is judged by"),
    ("fixtures", "crates/k8s-coordination-cli/src/conformance", "are the evidence"),
];

#[test]
fn the_picture_has_the_folders() {
    let root = repository();
    let mut picture = Picture::new("The way of the data");
    for (folder, (column, row), note) in FOLDERS {
        assert!(root.join(folder).is_dir(), "{folder}");
        picture.add(folder.rsplit('/').next().unwrap(), (column, row + 2), note);
    }
    for (from, to, what) in FLOWS {
        let [from, to] = [from, to].map(|path| path.rsplit('/').next().unwrap());
        picture.arrow(from, to, what);
    }
    picture.check(&root.join("docs/pictures/flow.svg"));
}

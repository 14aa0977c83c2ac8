//! `cargo xtask import`.

use insta::assert_snapshot;

use crate::workspace::{V1, Workspace};

const IMPORT: &[&str] = &["import", "--release", "v1.36", "--from", "from"];

/// The documents of a release, and all other specs but the manifest.
///
/// The manifest has the SHA-256 of the source documents, which here are the vendored ones.
fn specs(workspace: &Workspace) -> Vec<(std::path::PathBuf, Option<Vec<u8>>)> {
    let root = workspace.path("");
    let entries = workspace.entries().into_iter();
    let relative =
        entries.map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_path_buf(), bytes));
    relative
        .filter(|(path, _)| path.starts_with("specs") && !path.ends_with("manifest.toml"))
        .collect()
}

#[test]
fn a_new_release() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    workspace.documents("v1.36");
    workspace.forget("v1.36");
    assert_snapshot!("a_new_release", workspace.succeed(IMPORT));
    assert!(
        specs(&workspace) == specs(&good),
        "the documents are the same"
    );
    let said = workspace.succeed(&["regenerate", "--check"]);
    assert!(said.ends_with("everything is up to date\n"), "{said}");
}

#[test]
fn twice_changes_nothing() {
    let workspace = Workspace::copy();
    workspace.documents("v1.36");
    workspace.succeed(IMPORT);
    workspace.age();
    assert_eq!(
        workspace.succeed(IMPORT),
        "v1.36 is already imported: nothing changed\n"
    );
    assert_eq!(workspace.written(), [""; 0]);
}

#[test]
fn a_cluster_stands_in_for_a_source_tree_only() {
    let workspace = Workspace::copy();
    workspace.documents("v1.36");
    workspace.forget("v1.36");
    let cluster = [IMPORT, &["--source", "cluster"]].concat();
    workspace.succeed(&cluster);
    assert!(
        workspace
            .read("specs/manifest.toml")
            .contains("\"cluster\"")
    );
    workspace.succeed(IMPORT);
    assert!(
        !workspace
            .read("specs/manifest.toml")
            .contains("\"cluster\"")
    );
    assert_snapshot!("a_cluster_after_a_source_tree", workspace.fail(&cluster, 1));
}

#[test]
fn prose_and_order_do_not_matter() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    workspace.documents("v1.36");
    let file = format!("from/{V1}");
    workspace.edit(
        &file,
        "\"info\": {",
        "\"info\": {\"description\": \"prose\",",
    );
    let text = workspace.read(&file).replace("\n  ", "\n\t");
    workspace.write(&file, text);
    let said = workspace.succeed(IMPORT);
    assert!(
        said.starts_with("v1.36: documents written 0, unchanged 4, removed 0\n"),
        "{said}"
    );
    assert!(
        specs(&workspace) == specs(&good),
        "the documents are the same"
    );
}

#[test]
fn what_an_interrupted_import_left() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    workspace.documents("v1.36");
    workspace.write("specs/v1.36/.xtask-a1B2c3.tmp", "half a fi");
    workspace.write(&format!("specs/v1.36/{V1}"), "{");
    workspace.remove("specs/v1.36/apis__coordination.k8s.io_openapi.json");
    workspace.succeed(IMPORT);
    assert!(
        specs(&workspace) == specs(&good),
        "the documents are the same"
    );
    workspace.succeed(&["regenerate", "--check"]);
}

#[test]
fn documents_before_the_manifest() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    workspace.documents("v1.36");
    workspace.forget("v1.36");
    workspace.write(
        &format!("specs/v1.36/{V1}"),
        workspace.read(&format!("from/{V1}")),
    );
    workspace.succeed(IMPORT);
    assert!(
        specs(&workspace) == specs(&good),
        "the documents are the same"
    );
}

#[test]
fn documents_of_other_groups_are_left_out() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    workspace.documents("v1.36");
    workspace.write("from/apis__apps__v1_openapi.json", "not even JSON");
    workspace.write("from/api__v1_openapi.json", "not even JSON");
    workspace.write(
        "from/deeper/apis__coordination.k8s.io__v2_openapi.json",
        "not even JSON",
    );
    workspace.succeed(IMPORT);
    assert!(
        specs(&workspace) == specs(&good),
        "the documents are the same"
    );
}

#[cfg(unix)]
#[test]
fn the_folder_to_import_from_may_be_a_link() {
    let workspace = Workspace::copy();
    workspace.documents("v1.36");
    std::os::unix::fs::symlink("from", workspace.path("link")).unwrap();
    workspace.succeed(&["import", "--release", "v1.36", "--from", "link"]);
}

#[test]
fn a_document_that_is_gone() {
    let workspace = Workspace::copy();
    workspace.documents("v1.36");
    let name = "apis__coordination.k8s.io__v1alpha2_openapi.json";
    workspace.remove(&format!("from/{name}"));
    assert_snapshot!("a_document_that_is_gone", workspace.succeed(IMPORT));
    assert!(!workspace.path(&format!("specs/v1.36/{name}")).exists());
}

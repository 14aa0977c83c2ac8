//! Bad input: what is said, with which exit code, and that nothing changes.

use std::fs;

use insta::assert_snapshot;
use xtask::regenerate;

use crate::workspace::{V1, Workspace};

const IMPORT: &[&str] = &["import", "--release", "v1.36", "--from", "from"];

/// A copy of the workspace next to the documents of 1.36.
fn with_documents() -> Workspace {
    let workspace = Workspace::copy();
    workspace.documents("v1.36");
    workspace
}

#[test]
fn wrong_usage() {
    let workspace = with_documents();
    let cases: &[(&str, &[&str])] = &[
        ("no_command", &[]),
        ("unknown_command", &["regenerat"]),
        ("unknown_option", &["regenerate", "--chek"]),
        (
            "release_without_v",
            &["import", "--release", "1.36", "--from", "from"],
        ),
        (
            "release_not_one",
            &["import", "--release", "banana", "--from", "from"],
        ),
        (
            "release_with_patch",
            &["import", "--release", "v1.36.2", "--from", "from"],
        ),
        ("no_release", &["import", "--from", "from"]),
        ("no_from", &["import", "--release", "v1.36"]),
        (
            "unknown_source",
            &[
                "import",
                "--release",
                "v1.36",
                "--from",
                "from",
                "--source",
                "git",
            ],
        ),
    ];
    for (name, args) in cases {
        assert_snapshot!(format!("usage_{name}"), workspace.fail(args, 2));
    }
}

#[test]
fn a_release_that_does_not_follow() {
    let workspace = with_documents();
    let said = workspace.fail(&["import", "--release", "v1.99", "--from", "from"], 1);
    assert_snapshot!("a_release_that_does_not_follow", said);
}

#[test]
fn folders_without_documents() {
    let workspace = Workspace::copy();
    workspace.write("file", "");
    workspace.write("empty/README.md", "");
    workspace.write("others/apis__apps__v1_openapi.json", "{}");
    for from in ["nowhere", "file", "empty", "others"] {
        let said = workspace.fail(&["import", "--release", "v1.36", "--from", from], 1);
        assert_snapshot!(format!("from_{from}"), said);
    }
}

#[test]
fn unreadable_files() {
    let workspace = with_documents();
    workspace.remove(&format!("from/{V1}"));
    fs::create_dir(workspace.path(&format!("from/{V1}"))).unwrap();
    assert_snapshot!("from_has_a_folder_for_a_file", workspace.fail(IMPORT, 1));
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;

    let workspace = with_documents();
    let document = workspace.path(&format!("specs/v1.36/{V1}"));
    fs::remove_file(&document).unwrap();
    symlink(workspace.path(&format!("from/{V1}")), &document).unwrap();
    assert_snapshot!("specs_have_a_link", workspace.fail(&["regenerate"], 1));

    let workspace = with_documents();
    fs::remove_dir_all(workspace.path("specs/v1.36")).unwrap();
    symlink(workspace.path("from"), workspace.path("specs/v1.36")).unwrap();
    assert_snapshot!(
        "specs_have_a_linked_folder",
        workspace.fail(&["regenerate"], 1)
    );

    let workspace = Workspace::copy();
    let generated = workspace.path(regenerate::FOLDER);
    fs::rename(&generated, workspace.path("elsewhere")).unwrap();
    symlink(workspace.path("elsewhere"), &generated).unwrap();
    assert_snapshot!("generated_is_a_link", workspace.fail(&["regenerate"], 1));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let workspace = Workspace::copy();
    let name = OsStr::from_bytes(b"caf\xe9.json");
    fs::write(workspace.path("specs").join(name), "{}").unwrap();
    assert_snapshot!("name_that_is_not_utf8", workspace.fail(&["regenerate"], 1));
}

#[test]
fn missing_specs() {
    let workspace = Workspace::copy();
    fs::remove_dir_all(workspace.path("specs")).unwrap();
    assert_snapshot!("missing_specs", workspace.fail(&["regenerate"], 1));
}

/// Documents that are wrong: each case is an edit of the document of `v1`.
#[test]
fn documents() {
    let cases = [
        ("not_json", "\"openapi\"", "openapi"),
        (
            "unknown_keyword",
            "\"type\": \"integer\"",
            "\"nullable\": true,\n\"type\": \"integer\"",
        ),
        (
            "contradiction",
            "\"format\": \"int32\"",
            "\"format\": \"int64\"",
        ),
    ];
    for (name, from, to) in cases {
        let workspace = with_documents();
        workspace.edit(&format!("from/{V1}"), from, to);
        assert_snapshot!(format!("document_{name}"), workspace.fail(IMPORT, 1));
    }
}

#[test]
fn a_document_that_is_not_text() {
    let workspace = with_documents();
    workspace.write(&format!("from/{V1}"), b"\xff\xfe{\0}\0");
    assert_snapshot!("document_not_text", workspace.fail(IMPORT, 1));
}

#[test]
fn a_document_of_another_group_under_the_name_of_this_one() {
    let workspace = with_documents();
    let text = workspace
        .read(&format!("from/{V1}"))
        .replace("coordination.k8s.io", "apps.k8s.io");
    workspace.write(&format!("from/{V1}"), text);
    assert_snapshot!("document_of_another_group", workspace.fail(IMPORT, 1));
}

#[test]
fn a_manifest_that_is_not_toml() {
    let workspace = Workspace::copy();
    workspace.write("specs/manifest.toml", "[[document]\nrelease = 1\n");
    assert_snapshot!("manifest_not_toml", workspace.fail(&["regenerate"], 1));
}

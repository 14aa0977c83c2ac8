//! `cargo xtask regenerate`.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use crate::workspace::Workspace;

const CHECK: &[&str] = &["regenerate", "--check"];
const REGENERATE: &[&str] = &["regenerate"];

/// `--check` fails and names each of `lines`; then `regenerate` repairs the copy.
fn noticed_and_repaired(workspace: &Workspace, good: &Workspace, lines: &[String]) {
    let said = workspace.fail(CHECK, 1);
    for line in lines {
        assert!(
            said.lines().any(|found| found == line),
            "{line:?} is not in:\n{said}"
        );
    }
    assert!(said.ends_with("run `cargo xtask regenerate`\n"), "{said}");
    workspace.succeed(REGENERATE);
    assert_same(workspace, good);
    workspace.succeed(CHECK);
}

fn assert_same(found: &Workspace, expected: &Workspace) {
    let relative = |workspace: &Workspace| {
        let root = workspace.path("");
        let entries = workspace.entries().into_iter();
        entries
            .map(|(path, bytes)| (path.strip_prefix(&root).unwrap().to_path_buf(), bytes))
            .collect::<Vec<_>>()
    };
    assert!(
        relative(found) == relative(expected),
        "the two trees differ"
    );
}

fn line(what: &str, name: &str) -> String {
    format!("  {what}  {}", Workspace::generated(name))
}

/// A generated file, any.
fn some_file(workspace: &Workspace) -> String {
    let folder = workspace.path(&Workspace::generated("v1"));
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "rs"));
    format!("v1/{}", names.min().unwrap())
}

#[test]
fn up_to_date() {
    let workspace = Workspace::copy();
    workspace.age();
    for args in [REGENERATE, CHECK] {
        let said = workspace.succeed(args);
        assert!(said.ends_with("everything is up to date\n"), "{said}");
    }
    assert_eq!(workspace.written(), [""; 0]);
}

#[test]
fn from_nothing_the_same_bytes() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    fs::remove_dir_all(workspace.path("crates")).unwrap();
    workspace.succeed(REGENERATE);
    assert_same(&workspace, &good);
}

#[test]
fn a_changed_file() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    let file = some_file(&workspace);
    workspace.edit(&Workspace::generated(&file), "@generated", "@edited");
    noticed_and_repaired(&workspace, &good, &[line("differs", &file)]);
}

#[test]
fn a_missing_file() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    let file = some_file(&workspace);
    workspace.remove(&Workspace::generated(&file));
    noticed_and_repaired(&workspace, &good, &[line("missing", &file)]);
}

#[test]
fn stray_files_and_empty_folders() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    let stray = ["v1/stray.rs", "v0/old.rs", "notes.txt", ".hidden"];
    for name in stray {
        workspace.write(&Workspace::generated(name), "stray");
    }
    fs::create_dir(workspace.path(&Workspace::generated("empty"))).unwrap();
    let lines = [&stray[..], &["v0/", "empty/"]].concat();
    let lines: Vec<String> = lines
        .into_iter()
        .map(|name| line("surplus", name))
        .collect();
    noticed_and_repaired(&workspace, &good, &lines);
}

#[test]
fn a_file_where_a_folder_should_be_and_the_reverse() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    fs::remove_dir_all(workspace.path(&Workspace::generated("v1beta1"))).unwrap();
    workspace.write(&Workspace::generated("v1beta1"), "a file");
    let file = some_file(&workspace);
    workspace.remove(&Workspace::generated(&file));
    workspace.write(&Workspace::generated(&format!("{file}/inside")), "");
    let surplus = line("surplus", &format!("{file}/"));
    noticed_and_repaired(
        &workspace,
        &good,
        &[line("surplus", "v1beta1"), line("missing", &file), surplus],
    );
}

#[test]
fn what_an_interrupted_run_left() {
    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    let file = some_file(&workspace);
    workspace.remove(&Workspace::generated(&file));
    workspace.write(&Workspace::generated("v1/.xtask-a1B2c3.tmp"), "half a fi");
    noticed_and_repaired(
        &workspace,
        &good,
        &[
            line("surplus", "v1/.xtask-a1B2c3.tmp"),
            line("missing", &file),
        ],
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_what_it_leads_to_is_left_alone() {
    use std::os::unix::fs::symlink;

    let (workspace, good) = (Workspace::copy(), Workspace::copy());
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("precious"), "keep").unwrap();
    symlink(
        outside.path(),
        workspace.path(&Workspace::generated("folder")),
    )
    .unwrap();
    let file = some_file(&workspace);
    workspace.remove(&Workspace::generated(&file));
    symlink(
        outside.path().join("precious"),
        workspace.path(&Workspace::generated(&file)),
    )
    .unwrap();
    noticed_and_repaired(
        &workspace,
        &good,
        &[line("surplus", "folder"), line("surplus", &file)],
    );
    assert_eq!(fs::read(outside.path().join("precious")).unwrap(), b"keep");
}

#[test]
fn only_what_differs_is_written() {
    let workspace = Workspace::copy();
    let file = Workspace::generated(&some_file(&workspace));
    workspace.edit(&file, "@generated", "@edited");
    workspace.age();
    let said = workspace.succeed(REGENERATE);
    assert!(said.contains(&format!("  written  {file}\n")), "{said}");
    assert_eq!(workspace.written(), [file]);
}

#[cfg(unix)]
#[test]
fn written_files_are_normal_files() {
    use std::os::unix::fs::PermissionsExt as _;

    let workspace = Workspace::copy();
    let file = Workspace::generated(&some_file(&workspace));
    workspace.remove(&file);
    workspace.succeed(REGENERATE);
    workspace.write("normal", "");
    let mode = |name: &str| {
        fs::metadata(workspace.path(name))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode(&file), mode("normal"));
}

#[test]
fn an_edited_spec() {
    let workspace = Workspace::copy();
    let file = "specs/v1.36/apis__coordination.k8s.io__v1_openapi.json";
    workspace.edit(file, "leaseTransitions", "leaseTransition");
    let said = workspace.fail(CHECK, 1);
    assert!(said.contains(file), "{said}");
    assert_eq!(said, workspace.fail(REGENERATE, 1));
    assert_snapshot!("an_edited_spec", said);
}

#[test]
fn what_check_says() {
    let workspace = Workspace::copy();
    let file = Workspace::generated("v1/lease.rs");
    workspace.edit(&file, "pub struct Lease ", "pub struct Rent ");
    workspace.write(&Workspace::generated("v1/stray.rs"), "stray");
    workspace.remove(&Workspace::generated("v1/lease_spec.rs"));
    assert_snapshot!("what_check_says", workspace.fail(CHECK, 1));
}

#[test]
fn many_differences_are_cut() {
    let workspace = Workspace::copy();
    for (path, bytes) in workspace.entries() {
        if path.extension().is_some_and(|extension| extension == "rs") && bytes.is_some() {
            fs::write(path, "gone").unwrap();
        }
    }
    let said = workspace.fail(CHECK, 1);
    assert!(said.lines().count() < 250, "{said}");
}

#[test]
fn files_that_are_no_specs_do_not_matter() {
    let workspace = Workspace::copy();
    for name in [
        "README.md",
        "manifest.toml~",
        ".manifest.toml.swp",
        "v1.36/.#x.json",
        ".old/x.json",
    ] {
        workspace.write(&format!("specs/{name}"), "{");
    }
    workspace.succeed(CHECK);
}

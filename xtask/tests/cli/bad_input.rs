//! Bad input: the messages, and that no file changes.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use insta::assert_snapshot;

use crate::workspace::{CODE, DOCUMENT, Edit, NEWEST, Workspace};

/// A workspace next to the documents of the newest release.
fn with_documents() -> Workspace {
    let workspace = Workspace::small();
    workspace.documents(NEWEST);
    workspace
}

/// The messages of the cases. Each has a mistake in the workspace, and a command.
fn messages(cases: &[(&str, Edit, &str)]) -> String {
    let mut text = String::new();
    for (name, spoil, command) in cases {
        let workspace = with_documents();
        spoil(&workspace);
        let command: Vec<&str> = command.split(' ').filter(|arg| !arg.is_empty()).collect();
        let _ = writeln!(text, "## {name}\n{}", workspace.fail(&command));
    }
    text
}

const IMPORT: &str = "import --release v1.3 --from from";

#[test]
fn wrong_usage() {
    let commands = [
        "",
        "regenerat",
        "regenerate --chek",
        "import --from from",
        "import --release v1.3",
        "import --release 1.3 --from from",
        "import --release banana --from from",
        "import --release v1.3 --from from --source git",
        "diff v1 v1.3",
    ];
    let cases = commands.map(|command| (command, (|_| {}) as Edit, command));
    let text = messages(&cases);
    assert_snapshot!(text);
}

#[test]
fn wrong_releases() {
    let nothing: Edit = |_| {};
    let text = messages(&[
        ("after a gap", nothing, "import --release v1.99 --from from"),
        ("not in the specs", nothing, "diff v1.0 v1.3"),
        ("not served", nothing, "diff v1.3/v1alpha1 v1.3"),
    ]);
    assert_snapshot!(text);
}

#[test]
fn wrong_folders() {
    let link: Edit = |workspace| {
        let document = format!("specs/{NEWEST}/{DOCUMENT}");
        workspace.remove(&document);
        link(&workspace.path(&format!("from/{DOCUMENT}")), &workspace.path(&document));
    };
    let linked_folder: Edit = |workspace| {
        workspace.remove(&format!("specs/{NEWEST}"));
        self::link(&workspace.path("from"), &workspace.path(&format!("specs/{NEWEST}")));
    };
    let linked_generated: Edit = |workspace| {
        let generated = workspace.path(CODE);
        fs::rename(&generated, workspace.path("elsewhere")).unwrap();
        self::link(&workspace.path("elsewhere"), &generated);
    };
    let text = messages(&[
        ("nowhere", |_| {}, "import --release v1.3 --from nowhere"),
        ("a file", |workspace| workspace.write("file", ""), "import --release v1.3 --from file"),
        (
            "no documents",
            |workspace| workspace.write("empty/README.md", ""),
            "import --release v1.3 --from empty",
        ),
        (
            "documents of others",
            |workspace| workspace.write("others/apis__apps__v1_openapi.json", "{}"),
            "import --release v1.3 --from others",
        ),
        (
            "a folder for a file",
            |workspace| {
                workspace.remove(&format!("from/{DOCUMENT}"));
                fs::create_dir(workspace.path(&format!("from/{DOCUMENT}"))).unwrap();
            },
            IMPORT,
        ),
        ("no specs", |workspace| workspace.remove("specs"), "regenerate"),
        ("a link for a document", link, "regenerate"),
        ("a link for a release", linked_folder, "regenerate"),
        ("a link for the generated code", linked_generated, "regenerate"),
        ("a name that is not UTF-8", odd_name, "regenerate"),
    ]);
    assert_snapshot!(text);
}

fn link(to: &std::path::Path, at: &std::path::Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

fn odd_name(workspace: &Workspace) {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.json");
    fs::write(workspace.path("specs").join(name), "{}").unwrap();
}

/// Files whose text is wrong.
#[test]
fn wrong_files() {
    fn edit(workspace: &Workspace, from: &str, to: &str) {
        workspace.edit(&format!("from/{DOCUMENT}"), from, to);
    }
    let text = messages(&[
        (
            "an unknown keyword",
            |workspace| {
                edit(
                    workspace,
                    "\"type\": \"string\"",
                    "\"discriminator\": {},\n\"type\": \"string\"",
                );
            },
            IMPORT,
        ),
        (
            "another type than before",
            |workspace| edit(workspace, "\"type\": \"string\"", "\"type\": \"boolean\""),
            IMPORT,
        ),
        (
            "not text",
            |workspace| workspace.write(&format!("from/{DOCUMENT}"), b"\xff\xfe{\0}\0"),
            IMPORT,
        ),
        (
            "a manifest that is not TOML",
            |workspace| workspace.write("specs/manifest.toml", "[[document]\nrelease = 1\n"),
            "regenerate",
        ),
    ]);
    assert_snapshot!(text);
}

/// Scripts use the exit code and the stream of the output.
#[test]
fn exit_codes() {
    let workspace = Workspace::small();
    for (args, code, on_stdout) in [
        ("regenerate", 0, true),
        ("diff v1.2 v1.3", 0, true),
        ("diff v1.0 v1.3", 1, false),
        ("regenerat", 2, false),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.current_dir(workspace.path("")).args(["--root", "."]).args(args.split(' '));
        let output = command.output().unwrap();
        let found = (output.status.code(), !output.stdout.is_empty(), output.stderr.is_empty());
        assert_eq!(found, (Some(code), on_stdout, on_stdout), "{args:?}");
    }
}

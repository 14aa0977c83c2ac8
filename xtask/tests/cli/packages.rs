//! Each package that is published has what crates.io and docs.rs show.

use std::fs;
use std::process::Command;

/// `cargo package` lists the files without a warning, and the licences are among them.
#[test]
fn packages_are_ready() {
    let root = xtask::workspace();
    let mut ready = 0;
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        if text.contains("publish = false") {
            continue;
        }
        for key in [
            "description",
            "readme",
            "documentation",
            "keywords",
            "categories",
        ] {
            let stated = text
                .lines()
                .any(|line| line.starts_with(&format!("{key} = ")));
            assert!(stated, "{} has no {key}", manifest.display());
        }
        let output = Command::new(env!("CARGO"))
            .args([
                "package",
                "--list",
                "--allow-dirty",
                "--offline",
                "--manifest-path",
            ])
            .arg(&manifest)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{}: {said}", manifest.display());
        assert!(!said.contains("warning"), "{}: {said}", manifest.display());
        let files = String::from_utf8(output.stdout).unwrap();
        for file in [
            "README.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
            "NOTICE",
            "src/lib.rs",
        ] {
            let listed = files.lines().any(|line| line == file);
            assert!(listed, "{} has no {file}", manifest.display());
        }
        ready += 1;
    }
    assert!(ready > 0);
}

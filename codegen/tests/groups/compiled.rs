//! A package of several groups as a user gets it: compiled, documented, and used to decode and encode objects.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use k8s_versioned_codegen::{Files, package};

use super::{GROUPS, documents, is_of_group, lines, package as generate};

/// `OBJECTS` names a folder of more objects, such as those that a server has stored.
#[test]
#[ignore = "compiles a package of ten groups: .ci/run has a step for it"]
fn objects_of_ten_groups() {
    round_trip("ten-groups", |name| GROUPS.iter().any(|group| is_of_group(name, group)));
}

#[test]
#[ignore = "compiles a package of all groups"]
fn objects_of_all_groups() {
    round_trip("all-groups", |_| true);
}

/// Generates a package, compiles it and its docs without a warning, and runs `round_trip.rs` with it.
fn round_trip(folder: &str, select: impl Fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    write(&folder, &files(select));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    for package in ["groups", "round-trip"] {
        fs::copy(&lock, folder.join(package).join("Cargo.lock")).unwrap();
    }
    let vectors = folder.join("vectors.jsonl").display().to_string();
    let mut run = vec!["run", "--", &vectors];
    let objects = env::var("OBJECTS").ok();
    run.extend(objects.as_deref());
    for (package, arguments) in [
        ("groups", vec!["check", "--no-default-features", "--features", "apps"]),
        ("groups", vec!["doc", "--no-deps"]),
        ("round-trip", run),
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(folder.join(package)).arg("--offline").args(arguments);
        cargo.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
        cargo.env("RUSTFLAGS", "-D warnings").env("RUSTDOCFLAGS", "-D warnings");
        let status = cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").status().unwrap();
        assert!(status.success(), "{cargo:?} failed");
    }
}

/// The package, the program that uses it, and the objects.
fn files(select: impl Fn(&str) -> bool) -> Files {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("crates");
    let crates = crates.display().to_string();
    let generated = generate(&documents(select), "");
    let begin = package::begin("groups", &generated.features, Some(&crates)).into_iter();
    let begin = begin.map(|(path, text)| (format!("groups/{path}"), text));
    let code = generated.files.into_iter();
    let mut files: Files =
        code.map(|(path, text)| (format!("groups/src/generated/{path}"), text)).collect();
    files.extend(begin);
    let manifest = format!(
        "[package]\nname = \"round-trip\"\nedition = \"2024\"\n\n[dependencies]\ngroups = {{ path = \"../groups\" }}\n\
         k8s-versioned = {{ path = {:?} }}\nserde_json = \"1\"\n\n[workspace]\n",
        format!("{crates}/k8s-versioned")
    );
    let program = include_bytes!("../../cases/groups/round_trip.rs").to_vec();
    let vectors = lines("vectors.jsonl.gz").map(|line| line + "\n").collect::<String>();
    files.insert("round-trip/Cargo.toml".to_owned(), manifest.into_bytes());
    files.insert("round-trip/src/main.rs".to_owned(), program);
    files.insert("vectors.jsonl".to_owned(), vectors.into_bytes());
    files
}

/// Writes the files of a folder, and removes those of an earlier run.
fn write(folder: &Path, files: &Files) {
    let _ = fs::remove_dir_all(folder.join("groups"));
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

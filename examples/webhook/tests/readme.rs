//! The README shows the manifest of this package, with versions of its own. The README of the repository shows its example.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::env;
use std::process::Command;

use toml::{Table, Value};

/// The version and the features of a dependency: its own, or the ones of the workspace with the features that the package adds. A
/// version is empty where only a path is stated, as of the packages of this workspace before they are published.
fn dependency(name: &str, stated: &Value, workspace: &Table) -> (String, Vec<String>) {
    let text = |of: &Value, key| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let features = |of: &Value| -> Vec<String> {
        let features = of.get("features").and_then(Value::as_array).into_iter().flatten();
        features.map(|feature| feature.as_str().unwrap().to_owned()).collect()
    };
    let of = if stated.get("workspace").is_some() { &workspace[name] } else { stated };
    let mut all = features(of);
    all.extend(features(stated));
    all.sort();
    all.dedup();
    let version = of.as_str().map(str::to_owned).or_else(|| text(of, "version"));
    let version = version.or_else(|| text(of, "path").map(|_| String::new())).unwrap();
    (version.trim_start_matches('=').to_owned(), all)
}

#[test]
fn the_manifest_of_the_readme() {
    let readme = include_str!("../README.md");
    let (_, block) = readme.split_once("```toml\n").unwrap();
    let shown: Table = block.split_once("```").unwrap().0.parse().unwrap();
    let own: Table = include_str!("../Cargo.toml").parse().unwrap();
    let workspace: Table = include_str!("../../../Cargo.toml").parse().unwrap();
    let workspace = workspace["workspace"]["dependencies"].as_table().unwrap();
    assert_eq!(
        (&shown["package"]["name"], &shown["features"]),
        (&own["package"]["name"], &own["features"])
    );
    for table in ["dependencies", "dev-dependencies"] {
        let (shown, own) = (shown[table].as_table().unwrap(), own[table].as_table().unwrap());
        // This test and the one of the program are not part of a copy.
        let is_left_out = |name: &str| {
            table == "dev-dependencies"
                && ["bytes", "hyper", "testing", "tokio", "toml"].contains(&name)
        };
        let names =
            |of: &Table| of.keys().filter(|name| !is_left_out(name)).cloned().collect::<Vec<_>>();
        assert_eq!(names(shown), names(own));
        for (name, stated) in shown {
            let (version, features) = dependency(name, stated, workspace);
            let (expected, wanted) = dependency(name, &own[name], workspace);
            assert!(
                !version.is_empty() || name.starts_with("k8s-versioned"),
                "{name} has no version"
            );
            assert!(expected.starts_with(&version), "{name}: {version}, not {expected}");
            assert_eq!(features, wanted, "{name}");
        }
    }
}

/// The first screen of the repository shows the example `upgrade` and what it prints.
#[test]
fn the_first_screen() {
    let readme = include_str!("../../../README.md");
    let (_, code) = include_str!("../examples/upgrade.rs").split_once("\n\n").unwrap();
    assert!(readme.contains(code), "README.md does not show:\n{code}");
    // `cargo test` has built it; with one test target it needs `--examples`. To start Cargo here would compile `ring`, and all that
    // needs it, again: its build script depends on variables that Cargo sets for a test.
    let tests = env::current_exe().unwrap();
    let example = tests.ancestors().nth(2).unwrap().join("examples/upgrade");
    let output = Command::new(&example).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", example.display()));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && readme.contains(&printed), "{printed}");
}

//! `new`: packages for groups of Kubernetes, for definitions and in workspaces.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::command::{WIDGETS, call, package};

/// The name of the group of pods is empty in documents.
#[test]
fn the_core_group() {
    let (_folder, path) = package("core");
    let group = fs::read_to_string(path.join("specs/group.toml")).unwrap();
    assert!(group.contains("groups = [\"\"]"), "{group}");
}

#[test]
fn a_package_from_a_folder_of_documents() {
    let (_folder, path) = package("coordination.k8s.io");
    for release in ["v1.35", "v1.36"] {
        let fetched =
            call(&path, &format!("fetch --release {release} --folder ../../specs/{release}"));
        assert!(
            fetched.as_ref().is_ok_and(|output| output.contains("documents written,")),
            "{fetched:?}"
        );
    }
    assert!(call(&path, "generate --check").unwrap_err().contains("missing"));
    let made = call(&path, "generate").unwrap();
    assert!(made.contains("written  src/generated/v1/lease.rs"), "{made}");
    for file in ["Cargo.toml", "src/lib.rs", "tests/recorded.rs", "README.md"] {
        assert!(path.join(file).is_file(), "{file}");
    }
    // The package is the user's: its own files stay.
    fs::write(path.join("src/lib.rs"), "// mine\n").unwrap();
    let again = call(&path, "generate").unwrap();
    assert!(again.ends_with("everything is up to date\n"), "{again}");
    assert!(call(&path, "generate --check").is_ok());
    let diff = call(&path, "diff v1.35 v1.36").unwrap();
    assert!(diff.contains("field-stated-as-required: v1beta1 LeaseCandidate.spec"), "{diff}");
    let json = call(&path, "diff v1.35 v1.36 --format json").unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["findings"].is_array());
}

#[test]
fn six_releases_of_a_group_of_kubernetes() {
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("batch-types");
    for minor in 31..=36 {
        let documents = folder.path().join(minor.to_string());
        fs::create_dir(&documents).unwrap();
        for (name, text) in crate::support::documents(&format!("v1.{minor}")) {
            fs::write(documents.join(name), text).unwrap();
        }
        let from = format!("--release v1.{minor} --folder {}", documents.display());
        if minor == 31 {
            let new = format!("new {} --group batch {from}", package.display());
            assert!(call(folder.path(), &new).unwrap().contains("2 documents written"));
        } else {
            let fetched = call(&package, &format!("fetch {from}")).unwrap();
            assert!(
                fetched.contains(&format!("v1.{} \u{2192} v1.{minor}: ", minor - 1)),
                "{fetched}"
            );
        }
    }
    let made: serde_json::Value =
        serde_json::from_str(&call(&package, "generate --format json").unwrap()).unwrap();
    assert_eq!(made["summary"]["releases"], 6);
    assert!(call(&package, "generate").unwrap().ends_with("everything is up to date\n"));
    let volume = fs::read_to_string(package.join("src/generated/core/v1/lifecycle.rs")).unwrap();
    assert!(volume.contains("/// Since Kubernetes 1.33."), "{volume}");
    // What the user adds to the package stays, and a package that lacks something is completed.
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    fs::write(package.join("Cargo.toml"), manifest.replace("apply = []\n", "mine = []\n")).unwrap();
    let stale = call(&package, "generate --check").unwrap_err();
    let repair = format!("run `k8s-versioned generate --root {}`\n", package.display());
    assert!(stale.ends_with(&repair), "{stale}");
    assert!(stale.contains("differs  Cargo.toml") && stale.contains("+apply = []"), "{stale}");
    call(&package, "generate").unwrap();
    let completed = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    assert!(completed.contains("mine = []\n") && completed.contains("apply = []\n"));
}

/// `cargo fmt` leaves a new package as it is, and the README names no release, which would grow old.
#[test]
fn a_new_package_is_formatted_and_described() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widget-types"), folder.path().join("widgets.yaml"));
    fs::write(&file, WIDGETS).unwrap();
    let from = format!("--product Widgets --release 1.15.0 --crds {}", file.display());
    call(folder.path(), &format!("new {} {from}", package.display())).unwrap();
    call(&package, "generate").unwrap();
    let read = |name: &str| fs::read_to_string(package.join(name)).unwrap();
    assert!(!read("README.md").contains("1.15.0"));
    insta::assert_snapshot!("readme", read("README.md"));
    // rustdoc does not show the value of a block.
    let definition = read("src/generated/v1/widget.rs").replace(char::is_whitespace, "");
    assert!(definition.contains("DEFINITION:&'staticstr=const{include_str!("), "{definition}");
    let library = read("src/lib.rs");
    let mut format = std::process::Command::new("rustfmt");
    let format = format.args(["--edition", "2024"]).arg(package.join("src/lib.rs"));
    assert!(format.status().unwrap().success());
    assert_eq!(read("src/lib.rs"), library);
    assert!(call(&package, "generate --check").is_ok());
    // The head that explains the rules is the head of this project's own.
    let rules = fs::read_to_string("../../specs/conversions.toml").unwrap();
    assert!(rules.starts_with(&read("specs/conversions.toml")));
}

/// Every placeholder of the template has a value, and an operator without definitions is refused.
#[test]
fn an_operator_begins_whole() {
    let folder = TempDir::new().unwrap();
    let (package, file) =
        (folder.path().join("widget-operator"), folder.path().join("widgets.yaml"));
    fs::write(&file, WIDGETS).unwrap();
    let new = format!("new {} --template operator", package.display());
    let output = call(folder.path(), &new).unwrap_err();
    assert!(output.contains("an operator has definitions of its own"), "{output}");
    assert!(!package.exists());
    // Definitions need no release before their second edition.
    call(folder.path(), &format!("{new} --product Widgets --crds {}", file.display())).unwrap();
    let read = |name: &str| fs::read_to_string(package.join(name)).unwrap();
    let placeholders = [
        "{name}",
        "{krate}",
        "{module}",
        "{version}",
        "{kind}",
        "{group}",
        "{plural}",
        "{coordination}",
        "{versioned}",
        "{webhook}",
        "{workspace}",
        "{components}",
    ];
    for entry in walkdir::WalkDir::new(&package) {
        let path = entry.unwrap().into_path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let left = placeholders.into_iter().find(|placeholder| text.contains(placeholder));
        assert_eq!(left, None, "{}", path.display());
    }
    assert!(call(&package, "generate").unwrap().ends_with("next: `cargo test`\n"));
    // What a person keeps is as `cargo fmt` writes it.
    for folder in ["src/operator", "tests"] {
        for entry in walkdir::WalkDir::new(package.join(folder)) {
            let file = entry.unwrap().into_path();
            if file.extension().is_none_or(|extension| extension != "rs")
                || file.ends_with("conversions.rs")
            {
                continue;
            }
            let mut format = std::process::Command::new("rustfmt");
            let format = format.args(["--edition", "2024", "--check"]).arg(&file);
            assert!(format.status().unwrap().success(), "{}", file.display());
        }
    }
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    for dependency in
        ["k8s-coordination-kube", "k8s-versioned-webhook", "k8s-versioned-kube", "kube"]
    {
        assert!(manifest["dependencies"].get(dependency).is_some(), "{dependency}");
    }
    // A kind can have the name of what the file uses, such as `Controller`.
    let operator = read("src/operator/mod.rs");
    assert!(operator.contains("Object<v1::Widget>"), "{operator}");
    // Nothing is converted, so no certificate is needed.
    assert!(read("deploy/kustomization.yaml").contains("\ncomponents: []\n"));
    let role = read("deploy/permissions.yaml");
    assert!(role.contains("resources: [widgets]\n"), "{role}");
    assert!(read("src/lib.rs").contains("pub mod operator;\n"));
    assert!(call(&package, "generate --check").is_ok());

    let several =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/webhook/specs/crd.yaml");
    let package = folder.path().join("backup-operator");
    let new = format!("new {} --template operator --crds {}", package.display(), several.display());
    call(folder.path(), &new).unwrap();
    let kustomization = fs::read_to_string(package.join("deploy/kustomization.yaml")).unwrap();
    assert!(kustomization.contains("\ncomponents: [webhook]\n"), "{kustomization}");
}

/// A package below a workspace is a member of it: a workspace in a workspace cannot be a dependency.
#[test]
fn a_package_in_a_workspace() {
    let (folder, path) = package("example.com");
    let crd = folder.path().join("crd.yaml");
    fs::write(&crd, WIDGETS).unwrap();
    call(&path, &format!("fetch --release v1.36 --crds {}", crd.display())).unwrap();
    let workspace = |text| fs::write(folder.path().join("Cargo.toml"), text).unwrap();
    workspace("[workspace]\nexclude = [\"some-types\"]\n");
    assert!(call(&path, "generate").unwrap().ends_with("next: `cargo test`\n"));
    assert!(fs::read_to_string(path.join("Cargo.toml")).unwrap().ends_with("\n[workspace]\n"));
    fs::remove_file(path.join("Cargo.toml")).unwrap();
    workspace("[workspace]\nmembers = []\n");
    let output = call(&path, "generate").unwrap();
    let above = folder.path().canonicalize().unwrap().join("Cargo.toml");
    let next = format!(
        "next: add \"some-types\" to the `members` of {}, then `cargo test`\n",
        above.display()
    );
    assert!(output.ends_with(&next), "{output}");
    assert!(!fs::read_to_string(path.join("Cargo.toml")).unwrap().contains("[workspace]"));
    assert!(call(&path, "generate --check").is_ok());
}

/// `--crates` names a checkout or the packages in it: both lead to the packages.
#[test]
fn the_packages_of_a_checkout() {
    let folder = TempDir::new().unwrap();
    for (name, crates) in [("one", "../.."), ("two", "..")] {
        let path = folder.path().join(name);
        call(folder.path(), &format!("new {} --crates {crates}", path.display())).unwrap();
        let file = fs::read_to_string(path.join("k8s-versioned.toml")).unwrap();
        assert!(file.ends_with("/crates\"\n"), "{file}");
    }
}

/// `--crates` also names a repository: the dependencies of the package state it.
#[test]
fn the_packages_of_a_repository() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("types");
    let address = "https://example.com/versioned";
    let new = format!("new {} --crates {address} --revision 0a1b2c", path.display());
    call(folder.path(), &new).unwrap();
    let file = folder.path().join("widgets.yaml");
    fs::write(&file, WIDGETS).unwrap();
    call(&path, &format!("fetch --release v1.36 --crds {}", file.display())).unwrap();
    call(&path, "generate").unwrap();
    let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
    let line = format!("k8s-versioned = {{ git = \"{address}\", rev = \"0a1b2c\"");
    assert!(manifest.contains(&line), "{manifest}");
}

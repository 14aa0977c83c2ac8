//! The command on packages of its own: two commands make one, a third changes nothing, and bad input writes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser as _;
use k8s_versioned_cli::args::Cli;
use k8s_versioned_cli::run;
use k8s_versioned_cli::text::errors;
use k8s_versioned_terminal::Progress;
use k8s_versioned_terminal::input::files_in;
use tempfile::TempDir;

/// A command in a folder: its output, `Err` if it fails.
pub(crate) fn call(folder: &Path, args: &str) -> Result<String, String> {
    let root = folder.to_str().unwrap();
    let args = ["k8s-versioned", "--root", root].into_iter().chain(args.split_whitespace());
    let cli = Cli::try_parse_from(args).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let result = run(&cli, &Progress::hidden(), &mut out);
    let out = plain(&out);
    match result {
        Ok(()) => Ok(out),
        Err(error) => Err(out + &errors::error(&error, false)),
    }
}

/// A text without colours.
fn plain(text: &[u8]) -> String {
    let mut parts = std::str::from_utf8(text).unwrap().split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let parts = parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest));
    parts.fold(first, |text, part| text + part)
}

/// A package for a group, in a folder that is removed on drop.
pub(crate) fn package(group: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some-types");
    let new = format!("new {} --group {group}", path.display());
    call(folder.path(), &new).unwrap();
    (folder, path)
}

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

/// A definition with one version: its names, and the lines of its schema.
macro_rules! definition {
    ($names:literal, $schema:literal) => {
        concat!(
            "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Namespaced
  names: ",
            $names,
            "
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
",
            $schema
        )
    };
}
#[cfg(feature = "validate")]
pub(crate) use definition;

pub(crate) const WIDGETS: &str = definition!(
    "{plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}",
    "        properties:
          size: {type: integer, format: int32}
"
);

/// Its definition tells that a version is missing in the documents. `group.toml` adds it.
#[test]
fn a_version_that_is_not_served() {
    let (folder, path) = package("example.com");
    let file = folder.path().join("widgets.yaml");
    let old = "\n  - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}";
    fs::write(&file, WIDGETS.replace("  versions:", &format!("  versions:{old}"))).unwrap();
    let fetch = format!("fetch --release v1.36 --crds {}", file.display());
    call(&path, &fetch).unwrap();
    let made = call(&path, "generate").unwrap();
    assert!(made.starts_with("warning[left-out]: specs/v1.36/widgets.example.com.yaml"), "{made}");
    let group = path.join("specs/group.toml");
    let text = fs::read_to_string(&group).unwrap();
    fs::write(&group, format!("{text}unserved = true\n")).unwrap();
    let made = call(&path, "generate").unwrap();
    assert!(!made.contains("warning"), "{made}");
    assert!(path.join("src/generated/v1beta1/widget.rs").is_file());

    // The kind has two versions now.
    let hint = "several versions and no conversions: Widget; `k8s-versioned draft` drafts rules\n";
    assert!(made.contains(hint), "{made}");
    let draft = call(&path, "draft").unwrap();
    assert!(draft.contains("kind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\n"), "{draft}");
    let rules = path.join("specs/conversions.toml");
    fs::write(&rules, fs::read_to_string(&rules).unwrap() + &draft).unwrap();
    let made = call(&path, "generate").unwrap();
    assert!(made.contains(", 2 conversions\n") && !made.contains(hint), "{made}");
    assert_eq!(
        call(&path, "draft").unwrap(),
        "# No rules are missing: each kind has rules, or only one version.\n"
    );
}

/// The groups that the files define are a better hint than the folder of Kubernetes' documents.
#[test]
fn a_group_that_no_definition_has() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("widgets.yaml");
    fs::write(&file, WIDGETS).unwrap();
    let new = format!(
        "new some-types --group nope.example.com --release v1.36 --crds {}",
        file.display()
    );
    let output = call(folder.path(), &new).unwrap_err();
    let expected = "the definitions are of `example.com`, none is of the group `nope.example.com`";
    assert!(output.contains(expected) && !output.contains("source tree"), "{output}");
    // The package that its rules would be in does not exist.
    assert!(!output.contains("specs/") && !output.contains("-->"), "{output}");
    let output = call(folder.path(), &new.replace("nope.example.com", "exmaple.com")).unwrap_err();
    assert!(output.contains("did you mean `example.com`?"), "{output}");
    let new =
        "new some-types --group cordination.k8s.io --release v1.36 --folder ../../specs/v1.36";
    let output = call(folder.path(), new).unwrap_err();
    assert!(
        output.contains("of the group `cordination.k8s.io`; did you mean `coordination.k8s.io`?"),
        "{output}"
    );
}

/// For programs, each problem has its hint.
#[test]
fn a_hint_is_shown_once() {
    let (_folder, path) = package("coordination.k8s.io");
    call(&path, "fetch --release v1.36 --folder ../../specs/v1.36").unwrap();
    for name in ["some.toml", "other.toml", "third.toml"] {
        fs::write(path.join("specs").join(name), "").unwrap();
    }
    let output = call(&path, "generate").unwrap_err();
    assert_eq!(output.matches("hint: correct the name").count(), 1, "{output}");
    assert_eq!(output.matches("hint: as above").count(), 2, "{output}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    let output =
        command.args(["generate", "--format", "json"]).current_dir(&path).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.matches("\"hint\": \"correct the name").count(), 3, "{output}");
}

/// The reports of `generate` for CI point to the line of a warning and of a problem, as paths from the folder of the command.
#[test]
fn the_reports_for_ci() {
    let (folder, path) = package("example.com");
    let file = folder.path().join("widgets.yaml");
    fs::write(&file, WIDGETS.replace("format: int32", "format: int32, minLength: 1")).unwrap();
    call(&path, &format!("fetch --release v1.36 --crds {}", file.display())).unwrap();
    let run = |form: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        let args = ["generate", "--format", form];
        let output = command.args(args).current_dir(&path).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        let code = output.status.code().unwrap();
        format!("$ generate --format {form}\n{}-- exit code {code}\n\n", plain(&output.stdout))
    };
    let warned = run("github") + &run("gitlab");
    let rules = path.join("specs/group.toml");
    fs::write(&rules, fs::read_to_string(&rules).unwrap() + "unservd = true\n").unwrap();
    insta::assert_snapshot!(warned + &run("github") + &run("gitlab"));
}

/// A file, one with other objects, a list as `kubectl get` prints it, and a folder of folders.
#[test]
fn the_documents_of_definitions() {
    let (folder, path) = package("example.com");
    let fetch =
        |from: &Path| call(&path, &format!("fetch --release v1.36 --crds {}", from.display()));
    let file = folder.path().join("bundle/crds/widgets.yaml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let item = WIDGETS.replace('\n', "\n  ");
    let list = format!("kind: List\napiVersion: v1\nitems:\n- {}\n", item.trim());
    let among = format!("kind: Namespace\n---\n{WIDGETS}---\nkind: Deployment\n");
    let document = path.join("specs/v1.36/widgets.example.com.yaml");
    for text in [WIDGETS, &among, &list] {
        fs::write(&file, text).unwrap();
        fetch(&file).unwrap();
        let fetched = fs::read_to_string(&document).unwrap();
        assert!(fetched.contains("listKind: WidgetList"), "{fetched}");
    }
    let same = fetch(&folder.path().join("bundle")).unwrap();
    assert!(same.contains("already imported"), "{same}");
    fs::write(&file, "kind: Service").unwrap();
    let output = fetch(folder.path().join("bundle").as_path());
    assert!(output.unwrap_err().contains("there is no CustomResourceDefinition"));
}

/// A release is fetched again with fewer definitions, and from a list as a server answers it.
#[test]
fn a_definition_that_is_gone() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    let gadgets = WIDGETS.replace("widget", "gadget").replace("Widget", "Gadget");
    let from = format!("--release 1.0.0 --crds {}", file.display());
    fs::write(&file, format!("{WIDGETS}---\n{gadgets}")).unwrap();
    call(folder.path(), &format!("new {} --product Widgets {from}", package.display())).unwrap();
    call(&package, "generate").unwrap();
    let item = WIDGETS.replace("apiVersion: apiextensions.k8s.io/v1\n", "");
    let item = item.replace("kind: CustomResourceDefinition\n", "").replace('\n', "\n  ");
    let list = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:";
    fs::write(&file, format!("{list}\n- {}\n", item.trim())).unwrap();
    let fetched = call(&package, &format!("fetch {from}")).unwrap();
    assert!(fetched.contains("removed  specs/1.0.0/gadgets.example.com.yaml"), "{fetched}");
    call(&package, "generate").unwrap();
    assert!(!package.join("src/generated/v1/gadget.rs").exists());
}

/// The text of a definition is the only edition, until there is another one.
#[test]
fn definitions_without_a_release() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    fs::write(&file, WIDGETS).unwrap();
    let crds = format!("--crds {}", file.display());
    let made = call(folder.path(), &format!("new {} {crds}", package.display())).unwrap();
    assert!(
        made.contains("written  specs/widgets.example.com.yaml\nnext: `k8s-versioned generate`"),
        "{made}"
    );
    call(&package, "generate").unwrap();
    let widget = package.join("src/generated/v1/widget.rs");
    assert!(!fs::read_to_string(widget).unwrap().contains("0.0"));
    let same = call(&package, &format!("fetch {crds}")).unwrap();
    assert_eq!(same, "definitions are already imported: nothing changed\n");
    // Another kind is not another edition.
    fs::write(&file, WIDGETS.replace("widget", "gadget").replace("Widget", "Gadget")).unwrap();
    call(&package, &format!("fetch {crds}")).unwrap();
    fs::remove_file(package.join("specs/gadgets.example.com.yaml")).unwrap();
    // The message says what to do, and that works.
    fs::write(&file, WIDGETS.replace("int32", "int32, minimum: 1")).unwrap();
    for args in [format!("fetch {crds}"), format!("fetch --release 1.1.0 {crds}")] {
        let output = call(&package, &args).unwrap_err();
        let expected = "`mkdir specs/1.0.0 && mv specs/widgets.example.com.yaml specs/1.0.0/`";
        assert!(
            output.contains("beside others they need one") && output.contains(expected),
            "{output}"
        );
    }
    fs::create_dir(package.join("specs/1.0.0")).unwrap();
    let name = "widgets.example.com.yaml";
    fs::rename(package.join("specs").join(name), package.join("specs/1.0.0").join(name)).unwrap();
    let fetched = call(&package, &format!("fetch --release 1.1.0 {crds}")).unwrap();
    assert!(fetched.contains("limit-narrowed: v1 Widget.size: no minimum"), "{fetched}");
    let output = call(&package, &format!("fetch {crds}")).unwrap_err();
    assert!(output.contains("name the release of the definitions with `--release`"), "{output}");
}

/// A forgotten file looks like a removal; what an earlier release lacks already does not.
#[test]
fn a_definition_that_is_forgotten() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    let gadgets = WIDGETS.replace("widget", "gadget").replace("Widget", "Gadget");
    fs::write(&file, WIDGETS).unwrap();
    let from = |release: &str| format!("--release {release} --crds {}", file.display());
    call(folder.path(), &format!("new {} {}", package.display(), from("1.0.0"))).unwrap();
    fs::write(&file, gadgets).unwrap();
    let warning =
        " lacks `widgets.example.com`, which was there before\n  hint: if it was forgotten,";
    for (release, warns) in [("1.1.0", true), ("1.1.0", false), ("1.2.0", false), ("1.0.0", true)] {
        let fetched = call(&package, &format!("fetch {}", from(release))).unwrap();
        assert_eq!(fetched.contains(warning), warns, "{release}: {fetched}");
    }
}

/// A type that no Rust type can hold beside the one of another edition is a finding of `fetch`; `generate` names it with its line.
#[test]
fn a_definition_that_contradicts_another_edition() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    let from = |release: &str| format!("--release {release} --crds {}", file.display());
    fs::write(&file, WIDGETS).unwrap();
    call(folder.path(), &format!("new {} {}", package.display(), from("1.1.0"))).unwrap();
    let gadgets = WIDGETS.replace("widget", "gadget").replace("Widget", "Gadget");
    let text = format!(
        "{gadgets}---\n{}",
        WIDGETS.replace("{type: integer, format: int32", "{type: string")
    );
    fs::write(&file, &text).unwrap();
    for release in ["1.2.0", "1.0.0"] {
        let output = call(&package, &format!("fetch {}", from(release))).unwrap();
        for id in ["field-type-changed", "rust-not-generated"] {
            assert!(output.contains(id), "{release}: {output}");
        }
        let refused = call(&package, "generate").unwrap_err();
        let newer = release.max("1.1.0");
        let place = format!("--> specs/{newer}/widgets.example.com.yaml:");
        assert!(refused.contains(&place), "{release}: {refused}");
        fs::remove_dir_all(package.join("specs").join(release)).unwrap();
    }
}

/// A file can define what the rules leave out.
#[test]
fn a_group_that_is_left_out() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    let others = WIDGETS.replace("example.com", "other.example");
    fs::write(&file, format!("{WIDGETS}---\n{others}")).unwrap();
    let from = |release: &str| format!("--release {release} --crds {}", file.display());
    call(folder.path(), &format!("new {} --product Widgets {}", package.display(), from("1.0.0")))
        .unwrap();
    let rules = package.join("specs/group.toml");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("groups = []", "groups = [\"example.com\"]")).unwrap();
    let fetched = call(&package, &format!("fetch {}", from("1.0.0"))).unwrap();
    assert!(fetched.contains("warning: 1.0.0 lacks `widgets.other.example`"), "{fetched}");
    assert!(!fetched.contains("lacks `widgets.example.com`"), "{fetched}");
}

/// A release of another form would count as the next one.
#[test]
fn releases_have_one_form() {
    let folder = TempDir::new().unwrap();
    let (package, file) = (folder.path().join("widgets"), folder.path().join("crds.yaml"));
    fs::write(&file, WIDGETS).unwrap();
    let from = |release: &str| format!("--release {release} --crds {}", file.display());
    let new = format!("new {} --product Widgets", package.display());
    let output = call(folder.path(), &format!("{new} {}", from("v1.0"))).unwrap_err();
    assert!(output.contains("for Widgets write a version such as `1.15.0`"), "{output}");
    assert!(!package.exists());
    call(folder.path(), &format!("{new} {}", from("1.0.0"))).unwrap();
    for other in ["v1.2", "2026-01-31"] {
        let output = call(&package, &format!("fetch {}", from(other))).unwrap_err();
        let expected = format!("releases like 1.0.0: write {other} in that form");
        assert!(output.contains(&expected), "{output}");
        assert!(!package.join("specs").join(other).exists());
    }
    call(&package, &format!("fetch {}", from("1.1.0"))).unwrap();
}

/// Versions of an operator, and dates: "since" names the edition, and gaps are normal.
#[test]
fn editions_of_another_product() {
    for (first, second, product, since) in [
        ("1.15.0", "1.17.2", "--product Widgets", "Since Widgets 1.17.2."),
        ("2025-11-03", "2026-01-31", "--group example.com", "Since release 2026-01-31."),
    ] {
        let folder = TempDir::new().unwrap();
        let (package, file) = (folder.path().join("widgets"), folder.path().join("widgets.yaml"));
        let from = |release: &str| format!("--release {release} --crds {}", file.display());
        fs::write(&file, WIDGETS).unwrap();
        let new = format!("new {} {product} {}", package.display(), from(first));
        call(folder.path(), &new).unwrap();
        let color = "\n          color: {type: string}\n";
        fs::write(&file, format!("{}{color}", WIDGETS.trim_end())).unwrap();
        let fetched = call(&package, &format!("fetch {}", from(second))).unwrap();
        assert!(fetched.contains("field-added: v1 Widget.color: string"), "{fetched}");
        call(&package, "generate").unwrap();
        let widget = fs::read_to_string(package.join("src/generated/v1/widget.rs")).unwrap();
        assert!(widget.contains(since), "{widget}");
        let definition = package.join("src/generated/definitions/widgets.example.com.json");
        assert!(fs::read_to_string(definition).unwrap().contains("color"), "the newest one");
        let diff = call(&package, &format!("diff {first} {second}")).unwrap();
        assert!(diff.starts_with(&format!("{first} \u{2192} {second}: 1 compatible")), "{diff}");
    }
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

/// The folder of the package can also follow a file of definitions, and several files have a flag each.
#[test]
fn each_file_of_definitions_has_a_flag() {
    let folder = TempDir::new().unwrap();
    let [widgets, gadgets, types] =
        ["widgets.yaml", "gadgets.yaml", "some-types"].map(|name| folder.path().join(name));
    fs::write(&widgets, WIDGETS).unwrap();
    fs::write(&gadgets, WIDGETS.replace("widget", "gadget").replace("Widget", "Gadget")).unwrap();
    let [widgets, gadgets] = [widgets, gadgets].map(|path| format!("--crds {}", path.display()));
    call(folder.path(), &format!("new {widgets} {gadgets} {}", types.display())).unwrap();
    for name in ["widgets", "gadgets"] {
        assert!(types.join(format!("specs/{name}.example.com.yaml")).is_file(), "{name}");
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

/// The fields of a definition can repeat one anchor.
#[test]
fn an_anchor_with_many_aliases() {
    let (folder, path) = package("example.com");
    let file = folder.path().join("widgets.yaml");
    let text = "          text: &text {type: string}\n".to_owned();
    let fields = (0..200).map(|number| format!("          text{number}: *text\n"));
    let fields = text + &fields.collect::<String>() + "          size:";
    fs::write(&file, WIDGETS.replace("          size:", &fields)).unwrap();
    call(&path, &format!("fetch --release v1.36 --crds {}", file.display())).unwrap();
}

/// Names of a definition that lead elsewhere, and a text that grows when it is read.
#[test]
fn hostile_definitions_write_nothing() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.extend([format!("a{level}: &a{level} [{aliases}]\n")]);
    }
    // One text of 12,000 letters, a thousand times.
    let long = format!("a: &a {}\nb:\n{}", "x".repeat(12_000), "- *a\n".repeat(1_000));
    for (text, message) in [
        (WIDGETS.replace("group: example.com", "group: ../../evil"), "cannot be a name"),
        (WIDGETS.replace("kind: Widget", "kind: ../Widget"), "cannot be a name"),
        (WIDGETS.replace("name: v1\n", "name: v1/../../evil\n"), "is not a version"),
        (bomb, "repeat more than 100000 values"),
        (long, "repeat more than"),
        ("{{ .Values.x }}: [".to_owned(), "cannot be read as YAML"),
        (
            WIDGETS.replace("{type: integer", "{type: 3"),
            "= at: /spec/versions/0/schema/openAPIV3Schema/properties/size/type",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("widgets.yaml");
        fs::write(&file, text).unwrap();
        let new = format!(
            "new {} --release v1.36 --crds {}",
            folder.path().join("x").display(),
            file.display()
        );
        let output = call(folder.path(), &new).unwrap_err();
        assert!(output.contains(message) && !output.contains("apis__"), "{output}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// A file with many problems is probably the wrong file.
#[test]
fn many_problems_are_not_all_shown() {
    let folder = TempDir::new().unwrap();
    let fields: Vec<String> =
        (0..300).map(|number| format!("          f{number}: {{type: 3}}\n")).collect();
    let size = "          size: {type: integer, format: int32}\n";
    let text = WIDGETS.replace(size, &fields.concat());
    for release in ["1.0.0", "1.1.0"] {
        let specs = folder.path().join("specs").join(release);
        fs::create_dir_all(&specs).unwrap();
        fs::write(specs.join("widgets.yaml"), &text).unwrap();
    }
    for (command, count) in [("diff 1.0.0 1.1.0", 200), ("generate", 200)] {
        let output = call(folder.path(), command).unwrap_err();
        assert_eq!(output.matches("error[wrong-type]").count(), count, "{command}");
        assert!(output.contains("200 more problems of this file are not shown"), "{output}");
    }
}

/// 2 if an argument names what does not exist.
#[test]
fn exit_codes() {
    let (_folder, path) = package("batch");
    for (args, code) in [
        ("explain field-remove", 2),
        ("fetch --release v1.36 --folder nowhere", 2),
        ("fetch --release v1.36 --crds nowhere.yaml", 2),
        ("new src --release v1.36 --folder nowhere", 2),
        ("new other-types --crates src", 2),
        ("new other-types --crates src --revision main", 2),
        ("new other-types --crates https://example.com/versioned", 2),
        ("fetch --release v1.36 --folder src", 1),
        ("fetch --folder nowhere", 2),
        ("fetch", 2),
        ("new Types", 2),
        ("new types --group a_b", 2),
        ("new ../some-types", 2),
        ("fetch --release v1.36 --folder ../../specs/v1.36", 2),
    ] {
        let root = path.to_str().unwrap();
        let args = ["k8s-versioned", "--root", root].into_iter().chain(args.split(' '));
        let cli = Cli::try_parse_from(args.clone()).unwrap();
        let error = run(&cli, &Progress::hidden(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.exit_code(), code, "{:?}: {error}", args.collect::<Vec<_>>());
    }
}

#[test]
fn bad_input_writes_nothing() {
    let folder = TempDir::new().unwrap();
    for (args, message) in [
        ("new ../Some_Types", "not the name of a package"),
        ("new some-types --group ../x", "not the name of an API group"),
        ("generate", "no folder of specs"),
        ("explain field-remove", "did you mean `field-removed`?"),
        ("explain field-gone-away", "; similar: field-"),
        (
            "explain frob",
            "is called `frob`; `explain` alone lists all, and `explain rules` the rules\n",
        ),
        ("explain list", "`explain rules` the rules; similar: "),
        ("fetch --release v1.36", "no folder of specs"),
        ("fetch --release 1.36", "write `v1.36`"),
        ("new some-types --release v1.36 --folder ../nowhere", "nowhere"),
    ] {
        let output = call(folder.path(), args).unwrap_err();
        assert!(output.contains(message), "{args}: {output}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let (_folder, path) = package("batch");
    let nothing = call(&path, "fetch --release v1.36 --folder ../../specs/v1.36").unwrap_err();
    assert!(nothing.contains("batch"), "{nothing}");
    assert!(!path.join("specs/v1.36").exists());
    assert!(call(&path, "explain field-removed").unwrap().contains("in responses: breaking"));
    let all = call(&path, "explain").unwrap();
    assert!(all.contains("\nfield-removed: ") && all.contains("\nname-clash: "), "{all}");
    let rules = call(&path, "explain rules").unwrap();
    let words = call(&path, "explain words").unwrap();
    assert!(rules.contains(&words) && rules.starts_with("move: "), "{rules}");
    assert!(
        words.contains("\n  fallback: ") && words.contains("\n    rule = \"words\"\n"),
        "{words}"
    );
    let schema = call(&path, "explain conversions.schema.json").unwrap();
    assert!(schema.contains("\"$schema\": \"http://json-schema.org/draft-07/schema#\""));
    assert!(call(&path, "completions bash").unwrap().contains("k8s-versioned"));
}

/// What `--help` of a command says.
fn help(command: &str) -> String {
    let args = ["k8s-versioned"].into_iter().chain(command.split_whitespace());
    Cli::try_parse_from(args.chain(["--help"])).unwrap_err().to_string()
}

#[test]
fn each_help_has_an_example_and_the_exit_codes() {
    let commands =
        ["show", "new", "fetch", "generate", "draft", "diff", "explain", "record", "check-review"];
    for command in commands.into_iter().chain(["validate"]) {
        let help = help(command);
        assert!(help.contains("k8s-versioned ") && help.contains("Example"), "{command}: {help}");
        assert!(help.contains("xit codes: "), "{command}: {help}");
    }
    let all = help("");
    assert!(all.contains("Examples:") && all.contains("Exit codes: 0 "), "{all}");
}

/// A command shows the options that it has, and takes no others.
#[test]
fn options_of_other_commands() {
    for (command, option) in [
        ("explain", "--root"),
        ("check-review", "--root"),
        ("completions", "--format"),
        ("record", "--format"),
        ("new", "--quiet"),
    ] {
        assert!(!help(command).contains(option), "{command} {option}");
    }
    let folder = TempDir::new().unwrap();
    for args in ["generate --format markdown", "explain --format github", "explain --root x"] {
        let refused = call(folder.path(), args).unwrap_err();
        assert!(refused.starts_with("error: ") && refused.contains("--help"), "{refused}");
    }
    assert!(help("diff").contains("markdown"));
}

#[test]
fn the_script_of_each_shell_calls_the_command() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = call(folder.path(), &format!("completions {shell}")).unwrap();
        assert!(script.contains("k8s-versioned") && script.contains("COMPLETE"), "{shell}");
    }
}

fn completed(folder: &Path, words: &[&str]) -> Vec<String> {
    testing::completions::completed(env!("CARGO_BIN_EXE_k8s-versioned"), folder, words)
}

#[test]
fn completions_know_releases_kinds_and_identifiers() {
    let example = Path::new("../../examples/webhook");
    assert_eq!(completed(example, &["show", "specs/crd.yaml", "--kind", ""]), ["Backup"]);
    let versions = ["v1", "v1alpha1", "v1beta1"];
    assert_eq!(completed(example, &["show", "specs", "--api-version", ""]), versions);
    assert_eq!(completed(example, &["diff", "specs/crd.yaml", "--between", ""]), versions);
    assert_eq!(completed(example, &["show", "--kind", ""]), [""; 0]);
    assert_eq!(completed(example, &["explain", "field-rem"]), ["field-removed"]);
    assert_eq!(completed(example, &["explain", "not-ju"]), ["not-judged"]);
    let known = completed(example, &["validate", "--release", ""]);
    assert_eq!([&known[0], &known[known.len() - 1]], ["v1.37", "v1.31"]);
    let sides = completed(Path::new("../.."), &["diff", "v1.36/"]);
    assert_eq!(sides, ["v1.36/v1alpha2", "v1.36/v1beta1", "v1.36/v1"]);
    let root = "../../crates/k8s-resource";
    // `bash` makes three words of `--root=FOLDER`.
    for option in [&["--root", root][..], &["--root", "=", root], &[&format!("--root={root}")]] {
        let sides = completed(example, &[option, &["diff", "v1.31/"]].concat());
        assert_eq!(sides, ["v1.31/v1alpha3"], "{option:?}");
    }
}

#[test]
fn man_pages_have_examples_and_exit_codes() {
    let folder = TempDir::new().unwrap();
    let man = folder.path().join("man");
    call(folder.path(), &format!("man {}", man.display())).unwrap();
    for page in ["k8s-versioned.1", "k8s-versioned-validate.1", "k8s-versioned-new.1"] {
        let page = fs::read_to_string(man.join(page)).unwrap();
        for part in [".SH SYNOPSIS", "Example", "Exit codes: 0 "] {
            assert!(page.contains(part), "{page}");
        }
    }
}

#[cfg(feature = "review")]
#[test]
fn answers_of_webhooks() {
    let folder = TempDir::new().unwrap();
    let kite = |version: &str| serde_json::json!({"apiVersion": format!("example.com/{version}"), "kind": "Kite", "metadata": {"name": "a"}});
    let review = |member: &str, content: serde_json::Value| {
        let api_version = "apiextensions.k8s.io/v1";
        serde_json::json!({"apiVersion": api_version, "kind": "ConversionReview", member: content})
            .to_string()
    };
    let request = serde_json::json!({"uid": "7", "desiredAPIVersion": "example.com/v1", "objects": [kite("v1beta1")]});
    fs::write(folder.path().join("request.json"), review("request", request)).unwrap();
    let answer = |version| serde_json::json!({"uid": "7", "result": {"status": "Success"}, "convertedObjects": [kite(version)]});
    fs::write(folder.path().join("good.json"), review("response", answer("v1"))).unwrap();
    fs::write(folder.path().join("bad.json"), review("response", answer("v1beta1"))).unwrap();
    let check = |answer: &str| {
        let path = |name: &str| folder.path().join(name).display().to_string();
        call(folder.path(), &format!("check-review {} {}", path("request.json"), path(answer)))
    };
    assert_eq!(check("good.json").unwrap(), "a server accepts the answer: 1 object converted\n");
    let refused = check("bad.json").unwrap_err();
    assert!(
        refused.contains("response.convertedObjects[0].apiVersion: `example.com/v1beta1`"),
        "{refused}"
    );
    assert!(check("none.json").is_err());
    let good = fs::read_to_string(folder.path().join("good.json")).unwrap();
    let deep = format!(r#"{{"extra":{}{},"#, "[".repeat(150), "]".repeat(150));
    fs::write(folder.path().join("deep.json"), good.replacen('{', &deep, 1)).unwrap();
    assert!(check("deep.json").is_ok());
    fs::write(folder.path().join("twice.json"), good.replacen('{', r#"{"kind":"a","#, 1)).unwrap();
    assert!(check("twice.json").unwrap_err().contains("the key `kind` occurs twice"));
    assert!(
        call(
            folder.path(),
            &format!("check-review {0} {0}", folder.path().join("good.json").display())
        )
        .is_err()
    );
}

/// The links of a page that lead to files, from its folder.
fn files_linked_by(page: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(page).unwrap();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let files = links.map(|(link, _)| link.split('#').next().unwrap());
    let files = files.filter(|file| !file.is_empty() && !file.contains("://"));
    files.map(|file| page.parent().unwrap().join(file)).collect()
}

#[test]
fn the_pages_of_a_package_are_a_book_whose_links_lead_somewhere() {
    let folder = TempDir::new().unwrap();
    let crds = fs::canonicalize("../../examples/webhook/specs/crd.yaml").unwrap();
    call(folder.path(), &format!("new types --crds {}", crds.display())).unwrap();
    let package = folder.path().join("types");
    fs::copy(crds.with_file_name("conversions.toml"), package.join("specs/conversions.toml"))
        .unwrap();
    call(&package, "generate").unwrap();
    let docs = package.join("docs");
    let pages = files_in(&docs, &["md"], true).unwrap();
    let chapters = files_linked_by(&docs.join("SUMMARY.md"));
    for page in &pages {
        assert!(page.ends_with("SUMMARY.md") || chapters.contains(page), "{}", page.display());
        for file in files_linked_by(page) {
            assert!(file.exists(), "{}: {}", page.display(), file.display());
        }
    }
    assert!(docs.join("book.toml").is_file() && chapters.len() == 6, "{chapters:?}");
    let backup = fs::read_to_string(docs.join("reference/v1/Backup.md")).unwrap();
    assert!(backup.contains("| `spec.targets[].source.path` | string |"), "{backup}");
    assert!(!backup.contains("0.0"), "{backup}");
    // The package has no release that `diff` could name.
    let readme = fs::read_to_string(package.join("README.md")).unwrap();
    let compare = "diff specs --between v1beta1 v1";
    assert!(!readme.contains("RELEASE/") && readme.contains(compare), "{readme}");
    let specs = package.join("specs").display().to_string();
    call(&package, &compare.replace("specs", &specs)).unwrap();
    fs::write(docs.join("SUMMARY.md"), "# Mine\n").unwrap();
    fs::write(docs.join("book.toml"), "[book]\n").unwrap();
    let checkout = package.with_file_name("checkout");
    fs::rename(package, &checkout).unwrap();
    assert!(call(&checkout, "generate --check").is_ok());
}

/// What clients of the example do not see.
const UNSEEN: &str = "what clients do not see; docs/conversions.md says what their writes do:
  Backup v1 to v1alpha1: 1 hidden (spec.targets[].exclude)
  Backup v1alpha1 to v1beta1: 1 hidden (spec.targets[].priority), 1 in part (spec.targets[].retention)
";

/// A copy of the example keeps its manifest: its dependencies are not optional, and its group has no verbs.
#[test]
fn a_copy_of_the_example_webhook() {
    let folder = TempDir::new().unwrap();
    let (example, copy) = (Path::new("../../examples/webhook"), folder.path());
    let readme = fs::read_to_string(example.join("README.md")).unwrap();
    let manifest = readme.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    fs::write(copy.join("Cargo.toml"), manifest).unwrap();
    fs::create_dir_all(copy.join("specs")).unwrap();
    for file in ["crd.yaml", "conversions.toml", "group.toml"].map(|name| format!("specs/{name}")) {
        fs::copy(example.join(&file), copy.join(file)).unwrap();
    }
    let made = call(copy, "generate").unwrap();
    assert!(made.contains("written  specs/names.toml\n"), "{made}");
    assert!(made.contains("written  docs/conversions.md\n"), "{made}");
    assert!(made.contains("written  tests/conversions.rs\n"), "{made}");
    assert!(made.contains("written  examples/convert.rs\n"), "{made}");
    assert!(made.contains(UNSEEN), "{made}");
    assert!(call(copy, "generate").unwrap().contains(UNSEEN));
    assert_eq!(fs::read_to_string(copy.join("Cargo.toml")).unwrap(), manifest);
}

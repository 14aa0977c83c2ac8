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

//! Definitions of several releases: what `fetch` reads, what a later release lacks, and how releases are named.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::command::{WIDGETS, call, package};

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

/// Where the draft is appended, another kind is the last one, or the rules of the kind are a list.
#[test]
fn the_draft_for_a_new_field_of_a_kind_with_rules() {
    let kind = |kind: &str, rules: &str| {
        format!(
            "\n[[kind]]\nkind = \"{kind}\"\nversions = [\"v1beta1\", \"v1\"]\nannotation = \"conversion.example.com/{}\"\n{rules}\n",
            kind.to_lowercase()
        )
    };
    let color = r#"rule = "keep-aside"
names = { v1 = "color" }"#;
    let list = r#"field = [{ rule = "keep-aside", names = { v1 = "color" } }]"#;
    let both = r#"field = [
  { rule = "keep-aside", names = { v1 = "color" } },
  { rule = "keep-aside", names = { v1 = "size" } },
]"#;
    let as_table = kind("Widget", &format!("\n[[kind.field]]\n{color}"));
    let gadget = kind("Gadget", both);
    for rules in [as_table + &gadget, gadget + &kind("Widget", list)] {
        let (folder, path) = package("example.com");
        let old = "\n  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}";
        let widgets = WIDGETS.replace("  versions:", &format!("  versions:{old}"));
        let widgets =
            widgets.replace("          size:", "          color: {type: string}\n          size:");
        let gadgets = widgets.replace("widget", "gadget").replace("Widget", "Gadget");
        let file = folder.path().join("definitions.yaml");
        fs::write(&file, format!("{widgets}---{gadgets}")).unwrap();
        call(&path, &format!("fetch --release v1.36 --crds {}", file.display())).unwrap();
        let file = path.join("specs/conversions.toml");
        fs::write(&file, &rules).unwrap();
        let output = call(&path, "generate").unwrap_err();
        assert!(output.contains("`size` of v1 Widget has no counterpart in v1beta1"), "{output}");
        let draft = call(&path, "draft").unwrap();
        fs::write(&file, format!("{rules}{draft}")).unwrap();
        let made = call(&path, "generate").unwrap_or_else(|error| panic!("{draft}\n{error}"));
        assert!(made.contains(", 4 conversions\n"), "{made}");
    }
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

/// The text of a definition is the only release, until there is another one.
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
    // Another kind is not another release.
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

/// A type that no Rust type can hold beside the one of another release is a finding of `fetch`; `generate` names it with its line.
#[test]
fn a_definition_that_contradicts_another_release() {
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

/// Versions of an operator, and dates: "since" names the release, and gaps are normal.
#[test]
fn releases_of_another_product() {
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

//! Files as projects have them: old definitions, charts, kustomizations, typos, and definitions with faults.

use std::fs;

use tempfile::TempDir;

use crate::command::{call, definition};

const THINGS: &str = definition!(
    "{kind: Thing, plural: things}",
    "        properties:
          spec:
            type: object
            properties:
              a: {type: string}
              replicas: {type: integer}
"
);

const THING: &str =
    "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {a: x}}\n";

/// The definition with the name that servers ask for.
fn things() -> String {
    THINGS.replace("\nspec:\n", "\nmetadata: {name: things.example.com}\nspec:\n")
}

/// The definition as old charts have it.
fn things_of_v1beta1() -> String {
    let (before, schema) = THINGS.split_once("  versions:\n").unwrap();
    let (_, schema) = schema.split_once("    schema:\n").unwrap();
    before.replace("k8s.io/v1", "k8s.io/v1beta1") + "  version: v1\n  validation:\n" + schema
}

/// A folder without a package, in which commands name files in `DIR`.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (name, text) in files {
            let path = folder.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// The output, in which `DIR` is the folder.
    fn run(&self, args: &str) -> Result<String, String> {
        let folder = self.0.path().display().to_string();
        let shown = |text: String| text.replace(&folder, "DIR");
        let args = args.replace("DIR", &folder);
        call(self.0.path(), &args).map(shown).map_err(shown)
    }
}

/// In `v1beta1`, an absent `preserveUnknownFields` is `true`.
#[test]
fn an_old_definition_keeps_unknown_fields() {
    let old = things_of_v1beta1();
    let pruning = old.replace("  scope:", "  preserveUnknownFields: false\n  scope:");
    let object = THING.replace("a: x", "a: x, extra: 1");
    let files = [
        ("old.yaml", &*old),
        ("pruning.yaml", &pruning),
        ("new.yaml", THINGS),
        ("a.yaml", &object),
    ];
    let folder = Folder::new(&files);
    let valid = folder.run("validate --crds DIR/old.yaml DIR/a.yaml").unwrap();
    assert_eq!(valid, "1 object valid\n");
    let refused = folder.run("validate --crds DIR/pruning.yaml DIR/a.yaml").unwrap_err();
    assert!(refused.contains("unknown field \"spec.extra\""), "{refused}");
    let diff = folder.run("diff DIR/old.yaml DIR/new.yaml").unwrap();
    assert!(diff.contains("unknown-fields-dropped"), "{diff}");
    let diff = folder.run("diff DIR/pruning.yaml DIR/new.yaml").unwrap();
    assert!(diff.contains("no differences"), "{diff}");
}

#[test]
fn an_old_definition_in_the_input_is_no_longer_served() {
    let folder = Folder::new(&[("old.yaml", &things_of_v1beta1()), ("a.yaml", THING)]);
    let refused = folder.run("validate DIR/old.yaml DIR/a.yaml").unwrap_err();
    let expected = "error[unknown-kind]: DIR/old.yaml:2:13 at document 1: apiVersion: servers since 1.22 have no definitions in \
                    apiextensions.k8s.io/v1beta1\n  hint: write it in `apiextensions.k8s.io/v1`";
    assert!(refused.starts_with(expected), "{refused}");
    assert!(refused.contains("note[not-judged]: DIR/a.yaml:1:1"), "{refused}");
    let other = things_of_v1beta1().replace("v1beta1", "v2");
    let folder = Folder::new(&[("old.yaml", &other)]);
    let refused = folder.run("validate DIR/old.yaml").unwrap_err();
    assert!(
        refused.contains("no server has definitions in `apiextensions.k8s.io/v2`"),
        "{refused}"
    );
}

/// Servers say where they keep what all versions share. The line is that of the file.
#[test]
fn findings_about_the_only_version_are_at_its_lines() {
    let faulty = things()
        .replace("a: {type: string}", "a: {type: string, pattern: '('}")
        .replace("  - name: v1", "  - name: V1")
        + "    additionalPrinterColumns:\n    - {name: A, type: text, jsonPath: .spec.a}\n";
    let folder = Folder::new(&[("crd.yaml", &faulty)]);
    let report = folder.run("validate DIR/crd.yaml").unwrap_err();
    for (text, path, own) in [
        (
            "'('",
            "spec.validation.openAPIV3Schema.properties[spec].properties[a].pattern",
            "spec.versions[0].schema.",
        ),
        (
            "text,",
            "spec.additionalPrinterColumns[0].type",
            "spec.versions[0].additionalPrinterColumns[0].type",
        ),
        ("V1\n", "spec.version", "spec.versions[0].name"),
    ] {
        let (before, _) = faulty.split_once(text).unwrap();
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').unwrap();
        let place = format!(
            "DIR/crd.yaml:{line}:{column} at document 1 (CustomResourceDefinition things.example.com): {path}: "
        );
        let hint = format!("  hint: in the file it is `{own}");
        assert!(report.contains(&place) && report.contains(&hint), "{place}{hint}\n{report}");
    }
    // A field that the file has is where it is.
    let unknown = things() + "  validation: {}\n";
    let folder = Folder::new(&[("crd.yaml", &unknown)]);
    let report = folder.run("validate DIR/crd.yaml").unwrap_err();
    assert!(report.contains("DIR/crd.yaml:22:15 ") && !report.contains("in the file"), "{report}");
}

#[test]
fn a_definition_that_cannot_be_read_is_reported_without_a_package() {
    let things = things();
    for (faulty, expected) in [
        (things.replace("  group", "   group"), "DIR/crd.yaml:7:"),
        (format!("{{{{- if .Values.crds }}}}\n{things}"), "error[template]: DIR/crd.yaml:1:"),
        (
            things.replace("ResourceDefinition", "ResourceDefinitions"),
            "did you mean `CustomResourceDefinition`",
        ),
        (things.replace("apiextensions", "apiextension"), "of `apiextensions.k8s.io/v1`?"),
        (format!("\0{things}"), "error[not-text]"),
    ] {
        let folder = Folder::new(&[("crd.yaml", &faulty), ("a.yaml", THING)]);
        let report = folder.run("validate DIR/crd.yaml DIR/a.yaml").unwrap_err();
        assert!(report.contains(expected) && !report.contains("no folder of specs"), "{report}");
    }
    let folder = Folder::new(&[("a.yaml", THING)]);
    let report = folder.run("validate DIR/a.yaml").unwrap_err();
    assert!(report.contains("no folder of specs"), "{report}");
}

#[test]
fn a_definition_with_a_typo_is_not_skipped() {
    let things = things();
    for typo in [
        things.replace("apiextensions", "apiextension"),
        things.replace("ResourceDefinition", "ResourceDefinitions"),
    ] {
        let folder = Folder::new(&[("crd.yaml", &things), ("typo.yaml", &typo)]);
        let args = "validate --skip-unknown --crds DIR/crd.yaml DIR/typo.yaml";
        let report = folder.run(args).unwrap_err();
        assert!(report.contains("error[unknown-kind]"), "{report}");
        let other = "{apiVersion: apiextensions.k8s.io/v1, kind: ConversionReview, request: {}}";
        fs::write(folder.0.path().join("typo.yaml"), other).unwrap();
        let report = folder.run(args).unwrap();
        assert!(report.contains("note[skipped]"), "{report}");
    }
}

#[test]
fn of_a_chart_the_definitions_are_read() {
    let template = "{{- if .Values.a }}\n";
    let folder = Folder::new(&[
        ("chart/Chart.yaml", "name: a"),
        ("chart/ci/test-values.yaml", "replicas: 1"),
        ("chart/crds/things.yaml", &things()),
        ("chart/templates/a.yaml", template),
        ("templates/Chart.yaml", "name: a"),
        ("templates/templates/crd.yaml", &format!("{template}{}", things())),
        ("a.yaml", THING),
    ]);
    let note = "note[not-rendered]: DIR/chart: a Helm chart";
    for (args, expected) in [
        ("validate DIR/chart", "1 object valid"),
        ("validate --crds DIR/chart DIR/a.yaml", "1 object valid"),
        ("show DIR/chart", "pub struct Thing "),
    ] {
        let report = folder.run(args).unwrap();
        assert!(report.contains(expected) && report.contains(note), "{report}");
    }
    let diff = folder.run("diff DIR/chart DIR/chart/crds").unwrap();
    assert!(diff.contains("no differences"), "{diff}");
    for command in ["show", "validate"] {
        let report = folder.run(&format!("{command} DIR/templates")).unwrap_err();
        assert!(report.contains("helm template --include-crds DIR/templates"), "{report}");
    }
}

#[test]
fn patches_of_a_kustomization_are_not_objects() {
    let folder = Folder::new(&[
        ("base/kustomization.yaml", "resources: [crd.yaml, a.yaml]"),
        ("base/crd.yaml", &things()),
        ("base/a.yaml", THING),
        ("prod/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]"),
        ("prod/patch.yaml", "spec: {replicas: many}"),
    ]);
    let report = folder.run("validate DIR").unwrap();
    assert!(report.ends_with("2 objects valid\n"), "{report}");
    let hint = "`kubectl kustomize DIR/prod | k8s-versioned validate --skip-unknown -`";
    assert!(report.contains(hint), "{report}");
    let patch =
        format!("$patch: delete\n{}", THING.trim_matches(['{', '}', '\n']).replace(", ", "\n"));
    fs::write(folder.0.path().join("base/b.yaml"), patch.replace("\nspec: {a: x", "")).unwrap();
    let report = folder.run("validate DIR").unwrap_err();
    assert!(report.contains("hint: a patch is not an object"), "{report}");
}

#[test]
fn a_version_that_is_not_served_is_not_absent() {
    let crd = things().replace("  versions:\n", "  versions:\n  - {name: v1alpha1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}\n");
    let old = THING.replace("/v1", "/v1alpha1");
    let folder = Folder::new(&[("crd.yaml", &crd), ("old.yaml", &old)]);
    for args in [
        "validate --crds DIR/crd.yaml DIR/old.yaml",
        "validate --skip-unknown DIR/crd.yaml DIR/old.yaml",
    ] {
        let report = folder.run(args).unwrap_err();
        let expected = "apiVersion: the definition has `v1alpha1` with `served: false`\n  hint: it serves `v1`\n";
        assert!(report.contains(expected), "{report}");
    }
    let error = folder.run("show DIR/crd.yaml --api-version v1alpha1").unwrap_err();
    assert_eq!(error, "error: the version `v1alpha1` has `served: false`; there is `v1`\n");
}

#[test]
fn what_fails_the_command_is_shown() {
    let object = THING.replace("{name: a}", "{name: a, finalizers: [x]}");
    let folder = Folder::new(&[("crd.yaml", &things()), ("a.yaml", &object)]);
    let report =
        folder.run("validate -q --fail-on warning --crds DIR/crd.yaml DIR/a.yaml").unwrap_err();
    let expected = "warning[warning]: DIR/a.yaml:1:75 at document 1 (Thing a): metadata.finalizers: \"x\": prefer a domain-qualified \
                    finalizer name to avoid accidental conflicts with other finalizer writers\n\
                    error: 1 object has warnings, 1 finding\n";
    assert_eq!(report, expected);
    assert_eq!(folder.run("validate -q --crds DIR/crd.yaml DIR/a.yaml").unwrap(), "");
}

#[test]
fn the_standard_input_is_named_once() {
    let folder = Folder::new(&[]);
    for args in [
        "validate --crds - -",
        "validate - -",
        "diff - -",
        "show - -",
        "validate a --old - --crds -",
    ] {
        let error = folder.run(args).unwrap_err();
        assert!(error.contains("`-` is named twice"), "{args}: {error}");
    }
}

#[test]
fn a_list_without_items() {
    let folder = Folder::new(&[("crd.yaml", THINGS), ("a.yaml", "{apiVersion: v1, kind: List}")]);
    let report = folder.run("validate --crds DIR/crd.yaml DIR/a.yaml").unwrap_err();
    assert!(report.contains(": items: a `List` has `items`"), "{report}");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_hides_no_other_file() {
    let folder = Folder::new(&[("crd.yaml", THINGS), ("a/a.yaml", THING)]);
    let link = folder.0.path().join("a/b.yaml");
    std::os::unix::fs::symlink("nothing", link).unwrap();
    let report = folder.run("validate --crds DIR/crd.yaml DIR/a").unwrap_err();
    assert!(report.starts_with("error[argument]: DIR/a/b.yaml: it cannot be read: "), "{report}");
    assert!(report.ends_with("error: 1 document cannot be read\n"), "{report}");
    let error = folder.run("validate --crds DIR/crd.yaml DIR/a/b.yaml").unwrap_err();
    assert!(error.starts_with("error: cannot read DIR/a/b.yaml"), "{error}");
}

/// Servers get both, and the later one replaces the other.
#[test]
fn two_definitions_of_one_kind_in_the_input() {
    let (one, two) = (things(), things().replace("replicas", "copies"));
    let warning = "warning[later-definition]: DIR/1.yaml:";
    let folder = Folder::new(&[("1.yaml", &one), ("2.yaml", &two)]);
    let report = folder.run("validate DIR/1.yaml DIR/2.yaml").unwrap();
    assert_eq!(report.matches("later-definition").count(), 1, "{report}");
    assert!(report.contains(warning), "{report}");
    let same = folder.run("validate DIR/1.yaml DIR/1.yaml").unwrap();
    assert_eq!(same, "2 objects valid\n");
}

#[test]
fn near_identifiers_are_proposed() {
    let folder = Folder::new(&[]);
    for (id, near) in [("mvoe", "move"), ("field-remved", "field-removed")] {
        let error = folder.run(&format!("explain {id}")).unwrap_err();
        assert!(error.ends_with(&format!("; did you mean `{near}`?\n")), "{error}");
    }
}

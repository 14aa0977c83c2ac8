//! What public reports brought: each with an input that has nothing but what it is about.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::write;
use crate::command::call;

/// A definition of a kind `Thing` with these schemas of its `spec`, one for each version.
fn definition(versions: &[(&str, &str)]) -> String {
    let version = |(index, (name, spec)): (usize, &(&str, &str))| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {}\n    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, {spec}}}}}}}}}\n",
            index + 1 == versions.len(),
        )
    };
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.demo.example}}\nspec:\n  \
         group: demo.example\n  scope: Namespaced\n  names: {{kind: Thing, plural: things, singular: thing, listKind: ThingList}}\n  versions:\n{}",
        versions.iter().enumerate().map(version).collect::<String>(),
    )
}

/// An object of the kind, with this `spec`; `metadata` follows its name.
fn thing(metadata: &str, spec: &str) -> String {
    format!(
        "apiVersion: demo.example/v1\nkind: Thing\nmetadata: {{name: a, namespace: ns{metadata}}}\nspec: {spec}\n"
    )
}

/// `validate` of an object by a definition.
fn validate(spec: &str, object: &str, options: &str) -> Result<String, String> {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "crd.yaml", definition(&[("v1", spec)]).as_bytes());
    let object = write(folder.path(), "a.yaml", object.as_bytes());
    let crd = folder.path().join("crd.yaml");
    let command = format!("validate --crds {} {options} {}", crd.display(), object.display());
    call(folder.path(), &command.replace("OLD", &object.display().to_string()))
}

#[test]
fn numbers_come_out_as_they_went_in() {
    let number = "0.09648644792653349";
    let spec = "properties: {a: {type: number}}";
    let stored = validate(spec, &thing("", &format!("{{a: {number}}}")), "--as-stored").unwrap();
    assert!(stored.contains(&format!("  a: {number}\n")), "{stored}");
}

/// Servers take a field with the name of a reserved word of CEL with and without its escape.
#[test]
fn reserved_words_in_rules() {
    for name in ["namespace", "__namespace__"] {
        let spec = format!(
            "x-kubernetes-validations: [{{rule: self.{name} == 'q'}}], properties: {{namespace: {{type: string}}}}"
        );
        validate(&spec, &thing("", "{namespace: q}"), "").unwrap();
        let error = validate(&spec, &thing("", "{namespace: x}"), "").unwrap_err();
        assert!(error.contains("failed rule: self."), "{error}");
    }
}

/// The metadata that a server sets.
const FROM_SERVER: &str = ", uid: 0b1c2d3e-0000-4000-8000-000000000000, resourceVersion: \"512\", generation: 3, \
     creationTimestamp: \"2026-01-02T03:04:05Z\", managedFields: [{manager: kubectl, operation: Update, apiVersion: demo.example/v1, \
     time: \"2026-01-02T03:04:05Z\", fieldsType: FieldsV1, fieldsV1: {\"f:spec\": {\"f:a\": {}}}}]";

/// What `kubectl get --output yaml` prints is valid as it is, and what the definition no longer allows is found, also with the same file
/// as the state of the server.
#[test]
fn a_dump_of_a_cluster() {
    let spec = "properties: {a: {type: string, enum: [x, y]}}";
    let list = |object: &str| {
        let line = |line: &str| format!("  {line}\n");
        let item = object.lines().map(line).collect::<String>();
        format!(
            "apiVersion: v1\nitems:\n- {}kind: List\nmetadata: {{resourceVersion: \"\"}}\n",
            item.trim_start()
        )
    };
    for dump in [|object: &str| object.to_owned(), list] {
        for options in ["", "--old OLD"] {
            validate(spec, &dump(&thing(FROM_SERVER, "{a: x}")), options).unwrap();
            let error = validate(spec, &dump(&thing(FROM_SERVER, "{a: z}")), options).unwrap_err();
            assert!(error.contains("Unsupported value: \"z\""), "{options}: {error}");
        }
    }
}

/// A definition that servers reject fails the command: for a rule that does not compile, or that may cost too much.
#[test]
fn definitions_that_servers_refuse() {
    let list = "properties: {a: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: \"self.all(x, x.matches('^[a-z]+$'))\"}]}}";
    for (spec, message) in [
        ("x-kubernetes-validations: [{rule: self.missing == 1}]", "undefined field 'missing'"),
        (list, "estimated rule cost exceeds budget by factor of"),
    ] {
        let folder = TempDir::new().unwrap();
        let crd = write(folder.path(), "crd.yaml", definition(&[("v1", spec)]).as_bytes());
        let error = call(folder.path(), &format!("validate {}", crd.display())).unwrap_err();
        assert!(error.contains(message), "{error}");
        call(folder.path(), &format!("new types --release 1.0.0 --crds {}", crd.display()))
            .unwrap();
        let shown = call(folder.path(), &format!("show {}", crd.display()));
        for Ok(said) | Err(said) in [shown, call(&folder.path().join("types"), "generate")] {
            let is_refused =
                said.contains("servers reject the definition: ") && said.contains(message);
            assert!(is_refused, "{said}");
        }
    }
}

/// A word without quotes that is to be a text gets the hint to quote it, in YAML alone.
#[test]
fn words_without_quotes() {
    let spec = "properties: {image: {type: string}}";
    for (value, read) in [("y", "`n` is `false`"), ("1.30", "`1.30` is 1.3"), ("012", "`010` is 8")]
    {
        let error = validate(spec, &thing("", &format!("{{image: {value}}}")), "").unwrap_err();
        assert!(
            error.contains("hint: write the value in quotes") && error.contains(read),
            "{error}"
        );
    }
    let json = r#"{"apiVersion": "demo.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"image": true}}"#;
    let error = validate(spec, json, "").unwrap_err();
    assert!(error.contains("must be of type string") && !error.contains("quotes"), "{error}");
}

/// Only what writes says that nothing is written, and the name of a rule with a typo has a near one.
#[test]
fn messages_of_commands_that_write_and_of_others() {
    let folder = TempDir::new().unwrap();
    let other = write(folder.path(), "a.yaml", b"kind: Thing\n").display().to_string();
    for command in [format!("show {other}"), format!("validate --crds {other} {other}")] {
        let error = call(folder.path(), &command).unwrap_err();
        assert!(error.contains("error[") && !error.contains("nothing written"), "{error}");
    }
    let rule = "rule = \"mvoe\"\nnames = { v1 = \"spec.a\" }\n";
    let package =
        package(folder.path(), &[("1.0.0", ["properties: {a: {type: string}}"; 2])], rule);
    let error = call(&package, "generate").unwrap_err();
    assert!(error.contains("did you mean `move`?") && error.contains("nothing written"), "{error}");
}

/// A package of these releases, each with the schemas of `v1alpha1` and `v1`, and with these rules.
fn package(folder: &Path, releases: &[(&str, [&str; 2])], rules: &str) -> std::path::PathBuf {
    let package = folder.join("types");
    for (index, (release, [old, new])) in releases.iter().enumerate() {
        let text = definition(&[("v1alpha1", old), ("v1", new)]);
        let crd = write(folder, &format!("{release}.yaml"), text.as_bytes());
        let command = if index == 0 {
            format!("new {} --product things", package.display())
        } else {
            "fetch".to_owned()
        };
        let root = if index == 0 { folder } else { &package };
        call(root, &format!("{command} --release {release} --crds {}", crd.display())).unwrap();
    }
    let head = "[[kind]]\nkind = \"Thing\"\nversions = [\"v1alpha1\", \"v1\"]\nannotation = \"conversion.demo.example/thing\"\n";
    let fields =
        rules.split("rule = ").skip(1).map(|rule| format!("[[kind.field]]\nrule = {rule}"));
    let rules = head.to_owned() + &fields.collect::<String>();
    fs::write(package.join("specs/conversions.toml"), rules).unwrap();
    package
}

/// Rules have to fit what servers of the newest release take, also while an earlier release is in `specs`.
#[test]
fn rules_that_no_longer_fit() {
    let old = "properties: {size: {type: integer}, mode: {type: string, enum: [fast, slow]}}";
    let new = "properties: {amount: {type: integer}, mode: {type: string, enum: [Fast, Slow]}, extra: {type: string}}";
    let rules = "rule = \"move\"\nnames = { v1alpha1 = \"spec.size\", v1 = \"spec.amount\" }\n\
                 rule = \"words\"\nnames = \"spec.mode\"\nwords = { v1alpha1 = [\"fast\", \"slow\"], v1 = [\"Fast\", \"Slow\"] }\n\
                 rule = \"keep-aside\"\nnames = { v1 = \"spec.extra\" }\n";
    let generate = |changed: &str| {
        let folder = TempDir::new().unwrap();
        let releases = [("1.0.0", [old, new]), ("1.1.0", [old, changed])];
        let package = package(folder.path(), &releases, rules);
        let diff = call(&package, "diff 1.0.0 1.1.0").unwrap();
        (diff, call(&package, "generate"))
    };
    assert!(generate(new).1.is_ok());
    let (diff, error) = generate(&format!("required: [amount], {new}"));
    let error = error.unwrap_err();
    assert!(diff.contains("field-became-required: v1 Thing.spec.amount"), "{diff}");
    assert!(error.contains("error[rule-does-not-fit]: the rule `move`"), "{error}");
    assert!(error.contains("servers require `spec.amount` of v1 since 1.1.0"), "{error}");
    let (diff, error) = generate(&new.replace(", Slow", ""));
    let error = error.unwrap_err();
    assert!(diff.contains("words-removed: v1 Thing.spec.mode"), "{diff}");
    assert!(error.contains("error[rule-does-not-fit]: the rule `words`"), "{error}");
    // A field that the other version lacks has a value by `fill`, or the report has it.
    let (_, warned) = generate(&format!("required: [extra], {new}"));
    assert!(warned.unwrap().contains("required-without-fill"));
}

/// Fields with the pattern of quantities that `controller-gen` writes are quantities.
#[test]
fn quantities() {
    let of = r"anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true, pattern: '^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$'";
    let spec = format!(
        "properties: {{memory: {{{of}}}, limits: {{type: object, additionalProperties: {{{of}}}}}, port: {{x-kubernetes-int-or-string: true}}}}"
    );
    let folder = TempDir::new().unwrap();
    let crd = write(folder.path(), "crd.yaml", definition(&[("v1", &spec)]).as_bytes());
    let shown = call(folder.path(), &format!("show {}", crd.display())).unwrap();
    for field in [
        "pub memory: Option<Quantity>",
        "pub limits: Option<BTreeMap<String, Quantity>>",
        "pub port: Option<IntOrString>",
    ] {
        assert!(shown.contains(field), "{shown}");
    }
}

/// What people change in definitions is a finding, and stops no comparison.
#[test]
fn two_files_of_definitions() {
    let folder = TempDir::new().unwrap();
    let one = definition(&[("v1", "properties: {a: {type: string}}")]);
    for (other, finding) in [
        (one.replace("Namespaced", "Cluster"), "scope-changed"),
        (one.replace("type: string", "type: integer"), "field-type-changed: v1 Thing.spec.a"),
    ] {
        let old = write(folder.path(), "old.yaml", one.as_bytes());
        let new = write(folder.path(), "new.yaml", other.as_bytes());
        let command = format!("diff {} {}", old.display(), new.display());
        let found = call(folder.path(), &command).unwrap();
        assert!(found.contains(finding), "{found}");
        call(folder.path(), &format!("{command} --fail-on breaking")).unwrap_err();
    }
}

/// A finalizer without a domain, in the words of a server.
#[test]
fn finalizers_without_a_domain() {
    let spec = "properties: {a: {type: string}}";
    let warned = validate(spec, &thing(", finalizers: [cleanup]", "{}"), "").unwrap();
    let warning = "metadata.finalizers: \"cleanup\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers\n";
    assert!(warned.contains(warning), "{warned}");
}

//! `show`: the types of definitions for readers.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use clap::Parser as _;
use k8s_versioned_cli::args::Cli;
use k8s_versioned_cli::run;
use k8s_versioned_terminal::Progress;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::call;

/// A list, a map, an enum, and a field with a fault; two versions.
const WIDGETS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: Turns.
        required: [spec]
        properties:
          spec:
            type: object
            required: [mode]
            properties:
              labels: {type: object, additionalProperties: {type: string}}
              mode: {type: string, enum: [fast, slow-down], description: How it turns.}
              parts:
                type: array
                items: {type: object, properties: {port: {x-kubernetes-int-or-string: true}, time: {type: string, format: date-time}}}
              size: {type: string, minimum: 1}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {old: {type: integer}}}}}}
";

fn file() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("widgets.yaml");
    fs::write(&path, WIDGETS).unwrap();
    (folder, path.display().to_string())
}

#[test]
fn the_types_of_a_definition() {
    let (folder, file) = file();
    let types = call(folder.path(), &format!("show {file}")).unwrap();
    insta::assert_snapshot!(types.replace(&file, "widgets.yaml"));
    let old = call(folder.path(), &format!("show {file} --api-version v1beta1")).unwrap();
    assert!(old.contains("pub old: Option<i64>,") && old.contains("is also in `v1`"), "{old}");
    let both = format!("show {file} --kind Widget --api-version v1 --api-version v1beta1");
    let both = call(folder.path(), &both).unwrap();
    assert!(both.contains("// example.com/v1 Widget") && both.contains("pub old: "), "{both}");
    let json = call(folder.path(), &format!("show {file} --format json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["kinds"][0]["apiVersion"], "example.com/v1");
    assert_eq!(json["findings"][0]["line"], 27);
    assert!(json["types"].as_str().unwrap().contains("\npub struct WidgetSpec {\n"));
}

/// Shells of Windows write UTF-16.
#[test]
fn other_encodings() {
    let (folder, file) = file();
    let utf16: Vec<u8> = WIDGETS.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&file, [b"\xff\xfe", utf16.as_slice()].concat()).unwrap();
    let types = call(folder.path(), &format!("show {file}")).unwrap();
    assert!(types.contains("widgets.yaml:27:"), "{types}");
    fs::write(&file, b"\x1f\x8b\x08").unwrap();
    let refused = call(folder.path(), &format!("show {file}")).unwrap_err();
    assert!(refused.contains(&format!("{file}: it is compressed by gzip: unpack it")), "{refused}");
}

/// A file of `jq .items`; the faults have the places that they have in it.
#[test]
fn an_array_of_definitions() {
    let folder = TempDir::new().unwrap();
    let definition: Value = serde_saphyr::from_str(WIDGETS).unwrap();
    for (pointer, value, id) in [
        (
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/minimum",
            json!(1),
            "meaningless",
        ),
        (
            "/spec/versions/0/additionalPrinterColumns/1/priority",
            json!(99_999_999_999_u64),
            "rejected",
        ),
        (
            "/spec/conversion/webhook/clientConfig/service/port",
            json!(99_999_999_999_u64),
            "rejected",
        ),
        ("/metadata/labels/a.b", json!(1), "rejected"),
    ] {
        let mut wrong = definition.clone();
        wrong["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
            ["size"] = json!({"type": "string"});
        let column =
            json!({"name": "a", "type": "string", "jsonPath": ".spec.mode", "priority": 1});
        wrong["spec"]["versions"][0]["additionalPrinterColumns"] = json!([column, column]);
        wrong["spec"]["conversion"] =
            json!({"strategy": "None", "webhook": {"clientConfig": {"service": {"port": 1}}}});
        wrong["metadata"]["labels"] = json!({"a.b": "c"});
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[name] = json!("HERE");
        let text = serde_json::to_string_pretty(&json!([{"kind": "A"}, wrong])).unwrap();
        let line = text.lines().position(|line| line.contains("HERE")).unwrap() + 1;
        let file = folder.path().join("widgets.json");
        fs::write(&file, text.replace("\"HERE\"", &value.to_string())).unwrap();
        let json = call(folder.path(), &format!("show {} --format json", file.display())).unwrap();
        let json: Value = serde_json::from_str(&json).unwrap();
        let found = json["findings"].as_array().unwrap().iter().find(|items| items["id"] == id);
        let finding = found.unwrap_or_else(|| panic!("{json}"));
        assert_eq!(
            (finding["at"].clone(), finding["line"].clone()),
            (json!(format!("/1{pointer}")), json!(line))
        );
    }
}

#[test]
fn names_that_no_definition_has() {
    let (_folder, file) = file();
    for (args, message) in [
        ("--kind widget", "no definition has the kind `widget`; did you mean `Widget`?"),
        ("--kind Gadget", "no definition has the kind `Gadget`; there is `Widget`"),
        (
            "--api-version v1beta2",
            "no definition has the version `v1beta2`; did you mean `v1beta1`?",
        ),
        (
            "--api-version stable",
            "no definition has the version `stable`; there is `v1` or `v1beta1`",
        ),
    ] {
        let args = format!("k8s-versioned show {file} {args}");
        let cli = Cli::try_parse_from(args.split(' ')).unwrap();
        let error = run(&cli, &Progress::hidden(), &mut Vec::new()).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.exit_code()), (message, 2), "{args}");
    }
    let refused = Cli::try_parse_from(["k8s-versioned", "show", &file, "--api-version", "V1"]);
    assert!(refused.unwrap_err().to_string().contains("servers take lower-case letters"));
}

/// The standard input, and colours only where they are wanted.
#[test]
fn the_output_of_the_program() {
    let show = |color: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        command.args(["show", "-", "--color", color]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(WIDGETS.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let plain = show("auto");
    assert!(plain.contains("\npub struct WidgetSpec {\n"), "{plain}");
    assert!(show("always").contains("\u{1b}[36mWidgetSpec\u{1b}[0m {"));
    assert_eq!(show("never"), plain);
}

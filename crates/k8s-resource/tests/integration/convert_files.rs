//! The program that packages have as an example: it converts the objects of a file.

use k8s_resource::Kinds;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::convert_files::convert;
use serde_json::json;

const FILE: &str = "
apiVersion: v1
kind: List
items:
- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {extendedResourceName: example.com/a}}
---
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceClass
metadata: {name: b}
spec: {suitableNodes: {nodeSelectorTerms: []}}
";

fn run(version: &str, text: &str) -> Result<String, String> {
    let kinds = Convertible::all::<Kinds>();
    let converted = convert(&kinds, version, "classes.yaml", text.as_bytes())?;
    let lines = converted.iter().map(|one| format!("{one}{}\n", one.json()["spec"]));
    Ok(lines.collect::<Vec<_>>().concat())
}

#[test]
fn objects_of_any_versions() {
    let there = r#"# resource.k8s.io/v1 DeviceClass a
#   spec.extendedResourceName: kept in an annotation: "example.com/a"
{}
# resource.k8s.io/v1alpha3 DeviceClass b
{"suitableNodes":{"nodeSelectorTerms":[]}}
"#;
    assert_eq!(run("v1alpha3", FILE).unwrap(), there);
    let there = r#"# resource.k8s.io/v1 DeviceClass a
{"extendedResourceName":"example.com/a"}
# resource.k8s.io/v1alpha3 DeviceClass b
#   spec.suitableNodes: kept in an annotation: {"nodeSelectorTerms":[]}
{}
"#;
    assert_eq!(run("v1", FILE).unwrap(), there);
    let kinds = Convertible::all::<Kinds>();
    let there = convert(&kinds, "v1alpha3", "classes.yaml", FILE.as_bytes()).unwrap();
    let back = convert(&kinds, "v1", "a.json", there[0].json().to_string().as_bytes()).unwrap();
    let spec = json!({"extendedResourceName": "example.com/a"});
    assert_eq!((&back[0].json()["spec"], back.len()), (&spec, 1));
}

#[test]
fn what_is_not_converted() {
    let others =
        "no `apiVersion` and `kind` of objects that convert: DeviceClass of resource.k8s.io, ";
    for (version, text, message) in [
        (
            "v2",
            FILE,
            "resource.k8s.io/v1 DeviceClass a: no version `v2`; the kind has v1alpha3, v1beta1, v1beta2, v1",
        ),
        ("v1", "", "no object in it"),
        ("v1", "---\na: [", "cannot be read as YAML"),
        ("v1", "{apiVersion: v1, kind: Pod, metadata: {name: p}}", others),
        ("v1", "kind: DeviceClass", others),
        ("v1", "{apiVersion: resource.k8s.io/v9, kind: DeviceClass}", "found `resource.k8s.io/v9`"),
    ] {
        let error = run(version, text).unwrap_err();
        assert!(error.starts_with("classes.yaml:") && error.contains(message), "{error}");
    }
    assert!(run("v1", "---\na: [").unwrap_err().starts_with("classes.yaml:2: "));
}

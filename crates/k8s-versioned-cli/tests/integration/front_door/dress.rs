//! Objects as projects ship them.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use k8s_versioned_terminal::input::Syntax;
use serde_json::{Map, Value, json};

/// The form of a file: its name, and its bytes with an object.
type Form = (&'static str, fn(&Value) -> Vec<u8>);

/// Each form in which files come.
pub(crate) const FORMS: [Form; 9] = [
    ("pretty.json", |object| Syntax::Json.text(object).unwrap().into_bytes()),
    ("one-line.json", |object| object.to_string().into_bytes()),
    ("list.json", |object| list(object).to_string().into_bytes()),
    ("controller-gen.yaml", |object| format!("---\n{}", yaml(object)).into_bytes()),
    ("helm.yaml", |object| helm(object).into_bytes()),
    ("windows.yaml", |object| helm(object).replace('\n', "\r\n").into_bytes()),
    ("list.yaml", |object| yaml(&list(object)).into_bytes()),
    ("release.yaml.gz", |object| packed(&helm(object))),
    ("release.json.gz", |object| packed(&object.to_string())),
];

fn yaml(object: &Value) -> String {
    Syntax::Yaml.text(object).unwrap()
}

/// As `kubectl get --output yaml` prints it.
fn list(object: &Value) -> Value {
    json!({"apiVersion": "v1", "items": [object], "kind": "List", "metadata": {"resourceVersion": ""}})
}

/// As `helm template` prints it: comments, and empty documents.
fn helm(object: &Value) -> String {
    let text = yaml(object);
    format!(
        "# {{{{ .Values.a }}}} was rendered\n---\n# Source: chart/templates/a.yaml\n---\n# Source: chart/crds/b.yaml\n{text}\n---\n# The end\n"
    )
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A definition with a description wherever there can be one.
pub(crate) fn described(definition: &Value) -> Value {
    let mut definition = definition.clone();
    let versions = definition["spec"]["versions"].as_array_mut();
    for version in versions.into_iter().flatten() {
        describe(&mut version["schema"]["openAPIV3Schema"], "the object");
        let columns = version.get_mut("additionalPrinterColumns").and_then(Value::as_array_mut);
        for column in columns.into_iter().flatten() {
            column["description"] = "What the \"column\" | shows: `a`".into();
        }
    }
    definition
}

/// Texts at every schema, with what documents and tables have a meaning for.
fn describe(schema: &mut Value, of: &str) {
    let Some(members) = schema.as_object_mut() else { return };
    let text = format!(
        "What `{of}` means: \"a | b\" <c>, {{d}}, it's $e & *f*.\n\n- one\n- two: 'three'\n\n```yaml\nkey: value # comment\n```\n"
    );
    members.insert("description".to_owned(), text.into());
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(name, property)| describe(property, name));
    for name in ["items", "additionalProperties"] {
        members.get_mut(name).into_iter().for_each(|inside| describe(inside, name));
    }
}

/// A definition with what tools and servers add to it.
pub(crate) fn installed(definition: &Value) -> Value {
    let mut definition = definition.clone();
    let applied = definition.to_string();
    let spec = &definition["spec"];
    let versions = spec["versions"].as_array().unwrap();
    let stored = versions.iter().filter(|version| version["storage"] == true);
    let stored: Vec<Value> = stored.map(|version| version["name"].clone()).collect();
    let condition = |name: &str| json!({"type": name, "status": "True", "reason": "NoConflicts", "message": "no \"conflicts\"", "lastTransitionTime": "2026-01-02T03:04:05Z"});
    let status = json!({
        "acceptedNames": spec["names"], "storedVersions": stored,
        "conditions": [condition("NamesAccepted"), condition("Established")],
    });
    definition["status"] = status;
    let metadata = definition["metadata"].as_object_mut().unwrap();
    add(metadata, "annotations", "controller-gen.kubebuilder.io/version", "v0.19.0");
    add(metadata, "annotations", "kubectl.kubernetes.io/last-applied-configuration", &applied);
    add(metadata, "labels", "app.kubernetes.io/managed-by", "Helm");
    add(metadata, "labels", "helm.sh/chart", "chart-1.2.3");
    for (name, value) in
        [("uid", json!("u")), ("resourceVersion", json!("7")), ("generation", json!(1))]
    {
        metadata.insert(name.to_owned(), value);
    }
    definition
}

fn add(metadata: &mut Map<String, Value>, of: &str, name: &str, text: &str) {
    let members = metadata.entry(of).or_insert_with(|| json!({}));
    members[name] = text.into();
}

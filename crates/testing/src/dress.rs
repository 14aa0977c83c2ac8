//! Objects as projects ship them: the forms of their files, and what tools add.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

/// The form of a file: its name, and its bytes with an object.
type Form = (&'static str, fn(&Value) -> Vec<u8>);

/// Each form in which files come.
pub const FORMS: [Form; 9] = [
    ("pretty.json", |object| format!("{object:#}\n").into_bytes()),
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
    serde_saphyr::to_string(object).unwrap()
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

/// An object with what tools add to it before a server has it.
#[must_use]
pub fn applied(object: &Value) -> Value {
    let mut dressed = object.clone();
    let metadata = dressed.get_mut("metadata").and_then(Value::as_object_mut);
    // Servers say of others what their metadata lack.
    let Some(metadata) = metadata.filter(|metadata| {
        ["annotations", "labels"]
            .iter()
            .all(|name| metadata.get(*name).is_none_or(Value::is_object))
    }) else {
        return dressed;
    };
    let text = object.to_string();
    add(metadata, "annotations", "kubectl.kubernetes.io/last-applied-configuration", &text);
    add(metadata, "annotations", "meta.helm.sh/release-name", "a");
    add(metadata, "labels", "app.kubernetes.io/managed-by", "Helm");
    dressed
}

/// Adds to the annotations or the labels.
pub fn add(metadata: &mut Map<String, Value>, of: &str, name: &str, text: &str) {
    let members = metadata.entry(of).or_insert_with(|| json!({}));
    members[name] = text.into();
}

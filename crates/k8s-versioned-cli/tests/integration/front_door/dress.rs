//! Definitions as projects ship them.

use serde_json::{Value, json};
use testing::dress::add;

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
    let properties = properties.into_iter().flatten();
    // Servers refuse metadata that say more than the form of names.
    let properties = properties.filter(|(name, _)| *name != "metadata");
    properties.for_each(|(name, property)| describe(property, name));
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

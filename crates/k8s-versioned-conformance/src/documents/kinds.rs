//! The kinds that a schema describes.

use k8s_versioned::GroupVersion;
use serde_json::Value;

/// The `apiVersion` and `kind` of the objects that a schema describes.
pub(crate) fn kinds(schema: &Value) -> impl Iterator<Item = (String, String)> {
    let kinds = schema.get("x-kubernetes-group-version-kind");
    let kinds = kinds.and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(|kind| {
        let member = |name| kind.get(name).and_then(Value::as_str);
        let (group, version) = (member("group")?, member("version")?);
        Some((GroupVersion { group, version }.to_string(), member("kind")?.to_owned()))
    })
}

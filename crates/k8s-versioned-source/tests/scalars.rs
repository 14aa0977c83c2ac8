//! Scalars in YAML, as values and as keys, mean what they mean to `kubectl`. The table was made by `sigs.k8s.io/yaml`, its library.

use k8s_versioned_source::{ReadLimits, TreeValue, ValueKind, documents};
use serde_json::Value as Json;

/// The value as Go writes it, which keeps the form of numbers.
fn written(value: TreeValue<'_>) -> String {
    match value.kind() {
        ValueKind::Number => value.number().unwrap_or_default().to_owned(),
        _ => value.to_json().to_string(),
    }
}

/// The one document of a text; `None` if it is refused.
fn read(text: &str) -> Option<String> {
    let tree = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS).next()?.ok()?;
    let (key, value) = tree.root().members()?.next()?;
    Some(format!("{{{}:{}}}", Json::from(key), written(value)))
}

#[test]
fn scalars_are_read_as_kubectl_reads_them() {
    let table: Vec<Json> = serde_json::from_str(include_str!("data/yaml-scalars.json")).unwrap();
    assert!(table.len() > 90);
    let mut differences = Vec::new();
    for row in &table {
        let scalar = row["scalar"].as_str().unwrap();
        for (form, text) in
            [("value", format!("v: {scalar}\n")), ("key", format!("? {scalar}\n: 1\n"))]
        {
            let found = read(&text);
            if found.as_deref() != row[form].as_str() {
                differences.push(format!("{text:?}: {found:?} instead of {row}"));
            }
        }
    }
    assert_eq!(differences, [""; 0], "{}", differences.join("\n"));
}

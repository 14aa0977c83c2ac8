//! Files of vectors: objects before and after conversions, for other implementations. The format is in
//! `docs/reference/conversion-annotation.md`.

use std::fs;
use std::path::Path;

use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use serde_json::{Map, Value, json};

const ABOUT: [&str; 2] = [
    "`after` is the object in the end; `reports` has the report of each conversion, with its entries in any order.",
    "The texts of `reason` are for people. Other implementations can have others.",
];

/// A vector: its name, the object before, and the versions to convert into, one after the other.
pub type Vector = (&'static str, Value, &'static [&'static str]);

/// The object after the conversions, and the report of each.
pub fn run<A: AnyVersion>(before: &Value, to: &[&str]) -> (Value, Vec<Value>) {
    let (mut object, mut reports) = (before.clone(), Vec::new());
    for to in to {
        let version = A::VERSIONS.iter().find(|version| version.to_string() == *to).unwrap();
        let (converted, report): (_, ConversionReport) =
            A::convert_value(&object, *version, &Options::default()).unwrap();
        object = converted;
        reports.push(json!(report));
    }
    (object, reports)
}

/// One kept value.
pub fn kept(version: &str, path: &str, value: &Value) -> Value {
    json!({"fields": {version: {path: value}}})
}

/// The annotations that have these values: each field, and each member of a kept object, has one.
pub fn annotations(key: &str, content: &Value) -> Value {
    let mut all = Map::new();
    for member in ["fields", "filled"] {
        for (version, fields) in content[member].as_object().into_iter().flatten() {
            for (path, value) in fields.as_object().unwrap() {
                let mut parts = vec![(path.clone(), value.clone())];
                if member == "fields" {
                    split(&mut parts);
                }
                for (path, value) in parts {
                    let name = format!("{key}.{}", name(key, version, &path));
                    let text = all.entry(name).or_insert(json!({"fields": {}, "format": 3}));
                    text[member][version][path] = value;
                }
            }
        }
    }
    for text in all.values_mut() {
        text.sort_all_objects();
        *text = text.to_string().into();
    }
    all.into()
}

/// Replaces each object by its members.
fn split(parts: &mut Vec<(String, Value)>) {
    let is_object =
        |(_, value): &(String, Value)| value.as_object().is_some_and(|members| !members.is_empty());
    while let Some(index) = parts.iter().position(is_object) {
        let (path, object) = parts.swap_remove(index);
        parts.push((path.clone(), json!({})));
        for (name, value) in object.as_object().unwrap() {
            let name = name.replace('~', "~0").replace('/', "~1");
            parts.push((format!("{path}/f:{name}"), value.clone()));
        }
    }
}

/// The name of an annotation after its key, as the page has it.
pub fn name(key: &str, version: &str, path: &str) -> String {
    let unit = path.split_once("[#").map_or(path, |(list, _)| list);
    let named = format!("{version}.{}", unit.replace("/f:", "."));
    let signs = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    let own = key.rsplit_once('/').unwrap().1;
    if named.chars().all(signs)
        && named.ends_with(|sign: char| sign.is_ascii_alphanumeric())
        && own.len() + 1 + named.len() <= 63
    {
        return named;
    }
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in format!("{version}.{unit}").bytes() {
        digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{digest:016x}")
}

/// What the annotations of a key have, by version and path: the member `fields` of their texts.
pub fn fields(object: &Value, key: &str) -> Value {
    let mut all = json!({});
    let annotations = object["metadata"]["annotations"].as_object();
    for (annotation, text) in annotations.into_iter().flatten() {
        if !annotation.starts_with(&format!("{key}.")) {
            continue;
        }
        let text: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
        for (version, fields) in text["fields"].as_object().unwrap() {
            for (path, value) in fields.as_object().unwrap() {
                all[version][path] = value.clone();
            }
        }
    }
    all
}

/// A vector with its result.
pub fn line((name, before, to): &Vector, (after, reports): &(Value, Vec<Value>)) -> String {
    json!({"name": name, "before": before, "to": to, "after": after, "reports": reports})
        .to_string()
}

/// Compares the file with these vectors; `CONVERSION_VECTORS=write` writes it.
pub fn check(file: &Path, about: &str, lines: &[String]) {
    let about = [&[about], &ABOUT[..]].concat();
    let about = serde_json::to_string_pretty(&about).unwrap();
    let page = format!("{{\n\"about\": {about},\n\"vectors\": [\n{}\n]\n}}\n", lines.join(",\n"));
    if std::env::var_os("CONVERSION_VECTORS").is_some() {
        fs::write(file, &page).unwrap();
    }
    let found: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let made: Value = serde_json::from_str(&page).unwrap();
    assert_eq!(found, made, "`CONVERSION_VECTORS=write` writes the file; review the difference");
}

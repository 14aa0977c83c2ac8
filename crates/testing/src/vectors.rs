//! Files of vectors: objects before and after conversions, for other implementations. The format is in
//! `docs/reference/conversion-annotation.md`.

use std::fs;
use std::path::Path;

use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use serde_json::{Value, json};

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

/// The content of an annotation that keeps one value.
pub fn kept(version: &str, path: &str, value: &Value) -> Value {
    json!({"fields": {version: {path: value}}, "format": 2})
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

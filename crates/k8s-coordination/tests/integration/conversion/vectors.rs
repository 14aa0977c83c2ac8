//! The vectors of `docs/reference/conversion-annotation.md`, which implementations in other languages can run, too.
//!
//! `CONVERSION_VECTORS=write` writes the result of each: read the difference before you commit it.

use std::fmt::Write as _;

use k8s_coordination::conversion::AnyVersion;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::*;

const FILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/conversion-vectors.json");

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: Vec<String>,
    vectors: Vec<Vector>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Vector {
    name: String,
    #[serde(default, skip_serializing_if = "Choices::is_default")]
    options: Choices,
    before: Value,
    /// The versions to convert into, one after the other.
    to: Vec<String>,
    #[serde(default)]
    after: Value,
    /// One report for each conversion.
    #[serde(default)]
    reports: Vec<ConversionReport>,
}

#[derive(Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Choices {
    #[serde(skip_serializing_if = "Option::is_none")]
    annotation_key: Option<String>,
    /// The value for an absent `spec.binaryVersion`; `emulation` is the value for `spec.emulationVersion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_version: Option<String>,
}

impl Choices {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    fn options(&self) -> Options<Policies> {
        let binary_version = match self.binary_version.as_deref() {
            None => Absent::KeepEmpty,
            Some("emulation") => Absent::UseOther,
            Some(version) => Absent::Use(version.to_owned()),
        };
        let options = Options::new(Policies::default().with_binary_version(binary_version));
        match &self.annotation_key {
            Some(key) => options.with_annotation_key(key).unwrap(),
            None => options,
        }
    }
}

impl Vector {
    /// The object after all conversions, and the report of each.
    fn run(&self) -> (Value, Vec<ConversionReport>) {
        let (mut object, options) = (self.before.clone(), self.options.options());
        let mut reports = Vec::new();
        for version in &self.to {
            let to = version.parse().unwrap();
            let (converted, report) = Any::convert_value(&object, to, &options).unwrap();
            object = converted;
            reports.push(report);
        }
        (object, reports)
    }
}

#[test]
fn of_the_specification() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut file: File = serde_json::from_str(&text).unwrap();
    if std::env::var_os("CONVERSION_VECTORS").is_some() {
        for vector in &mut file.vectors {
            (vector.after, vector.reports) = vector.run();
        }
        std::fs::write(FILE, lines(&json!(file), 3) + "\n").unwrap();
    }
    let mut shown = String::new();
    for vector in &file.vectors {
        let (after, reports) = vector.run();
        assert_eq!((&after, &reports), (&vector.after, &vector.reports), "{}", vector.name);
        let _ = writeln!(shown, "{}", vector.name);
        for (version, report) in vector.to.iter().zip(&reports) {
            let _ = writeln!(shown, "  to {version}");
            for (path, finding) in report.iter() {
                let _ = writeln!(shown, "    {path}: {finding}");
            }
        }
    }
    // What people read.
    insta::assert_snapshot!(shown);
}

/// JSON with one member or item a line, down to this depth.
fn lines(value: &Value, depth: usize) -> String {
    let (open, close, inner): (_, _, Vec<String>) = match value {
        Value::Object(members) if depth > 0 => {
            let member = |(name, value)| format!("{}: {}", json!(name), lines(value, depth - 1));
            ('{', '}', members.iter().map(member).collect())
        }
        Value::Array(items) if depth > 0 => {
            let items = items.iter().map(|item| lines(item, depth - 1));
            ('[', ']', items.collect())
        }
        value => return value.to_string(),
    };
    format!("{open}\n{}\n{close}", inner.join(",\n"))
}

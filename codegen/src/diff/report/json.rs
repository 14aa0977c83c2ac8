//! Findings for programs.

use serde::Serialize;

use super::Report;
use crate::diff::Finding;

/// The JSON Schema of the report.
pub const SCHEMA: &str = include_str!("schema.json");

/// The report as [`SCHEMA`] describes it.
#[derive(Serialize)]
struct Json<'a> {
    old: String,
    new: String,
    success: bool,
    findings: Vec<Entry<'a>>,
    unused: Vec<String>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    fails: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<&'a str>,
}

pub(super) fn write(report: &Report) -> String {
    let entry = |finding| Entry {
        finding,
        fails: report.fails(finding),
        accepted: report.accepted.reason(finding),
    };
    let json = Json {
        old: report.old.to_string(),
        new: report.new.to_string(),
        success: report.is_success(),
        findings: report.findings.iter().map(entry).collect(),
        unused: report.unused(),
    };
    // Writing cannot fail: every key is a string.
    serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"
}

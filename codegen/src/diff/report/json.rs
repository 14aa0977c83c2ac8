//! Findings for programs.

use serde::Serialize;

use super::Report;
use crate::diff::{Class, Finding, Tree, Witness};

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
    id: &'static str,
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'a str>,
    classes: &'a [Class],
    reason: &'static str,
    fails: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<&'a str>,
    reaches: &'a [Tree],
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'a Witness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

pub(super) fn write(report: &Report) -> String {
    let json = Json {
        old: report.old.to_string(),
        new: report.new.to_string(),
        success: report.is_success(),
        findings: report.findings.iter().map(|finding| entry(report, finding)).collect(),
        unused: report.unused(),
    };
    // Strings as keys and no other types: nothing in such a value can fail to be written.
    serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"
}

fn entry<'a>(report: &'a Report, finding: &'a Finding) -> Entry<'a> {
    Entry {
        id: finding.rule.id,
        subject: &finding.subject,
        old: finding.old.as_deref(),
        new: finding.new.as_deref(),
        classes: &finding.classes,
        reason: finding.rule.reason,
        fails: report.fails(finding),
        accepted: report.accepted.reason(finding),
        reaches: &finding.reaches,
        witness: finding.witness.as_ref(),
        place: finding.place.as_ref().map(ToString::to_string),
    }
}

//! The output of a command, for people and for programs.

use k8s_versioned_codegen::diff::report::Format;
use k8s_versioned_findings::{Finding, Severity};
use serde_json::{Value, json};

use crate::changes::Changes;
use crate::error::Error;
use crate::render;

/// What a command says.
#[derive(Clone, Debug)]
pub struct Output {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
}

impl Output {
    /// The output in a form.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text | Format::Markdown => self.text.clone(),
            Format::Json => format!("{:#}\n", self.json),
        }
    }
}

/// An error in a form: text for people, or a list of findings for programs.
pub fn error(error: &Error, format: Format, colour: bool) -> String {
    match format {
        Format::Text | Format::Markdown => render::error(error, colour),
        Format::Json => format!("{:#}\n", json!({ "findings": findings(error) })),
    }
}

fn findings(error: &Error) -> Vec<Finding> {
    match error {
        Error::Refused(refused) => refused.problems.iter().map(render::finding).collect(),
        Error::Stale { folders, command } => {
            folders.iter().flat_map(|changes| stale(changes, command)).collect()
        }
        Error::Invalid { findings, unreadable, .. } => {
            let unreadable = unreadable.problems.iter().map(render::finding);
            unreadable.chain(findings.iter().cloned()).collect()
        }
        other => {
            let message = render::plain(other);
            let message = message.trim_end().trim_start_matches("error: ").to_owned();
            vec![Finding::new(Severity::Error, <&str>::from(other), "", message)]
        }
    }
}

/// A finding for each file that is not up to date.
fn stale(changes: &Changes, command: &str) -> Vec<Finding> {
    let hint = format!("run `{command}`");
    let finding = |file: String, what: &'static str| {
        Finding::new(Severity::Error, "stale", file, what).with_hint(hint.clone())
    };
    let written = changes.written.iter().map(|(name, write)| {
        let what = if write.before.is_some() { "differs" } else { "is missing" };
        finding(changes.show(name), what)
    });
    written.chain(changes.show_removed().map(|name| finding(name, "is surplus"))).collect()
}

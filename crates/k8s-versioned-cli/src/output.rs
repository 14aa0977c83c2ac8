//! The output of a command, for people and for programs.

use k8s_versioned_codegen::diff::report::Format;
use k8s_versioned_names::findings::{Finding, Severity};
use serde_json::{Value, json};

use crate::args::{Cli, Command};
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

/// The error of a command: text for people, or a list of findings for programs.
pub fn error(error: &Error, cli: &Cli, colour: bool) -> String {
    let findings = match cli.format {
        Format::Text | Format::Markdown => return render::error(error, colour),
        Format::Json => findings(error),
    };
    let json = match (&cli.command, error) {
        (Command::Validate { .. }, Error::Invalid { objects, .. }) => {
            validated(false, *objects, &findings)
        }
        (Command::Validate { .. }, _) => validated(false, 0, &findings),
        _ => json!({ "findings": findings }),
    };
    format!("{json:#}\n")
}

/// The report of `validate`, with the number of objects.
pub(crate) fn validated(success: bool, objects: usize, findings: &[Finding]) -> Value {
    json!({ "success": success, "objects": objects, "findings": findings })
}

fn findings(error: &Error) -> Vec<Finding> {
    match error {
        Error::Refused(refused) => render::findings(refused).collect(),
        Error::Stale { folders, command } => {
            folders.iter().flat_map(|changes| stale(changes, command)).collect()
        }
        Error::Invalid { findings, unreadable, .. } => {
            render::findings(unreadable).chain(findings.iter().cloned()).collect()
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

//! The error of a command as findings: for programs, and in forms about files.

use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_terminal::ReportFormat;
use serde_json::json;

use crate::args::{Cli, Command};
use crate::error::Error;
use crate::project::changes::Changes;
use crate::text::{errors, finding_kinds, output};

/// The error of a command, as a list of findings for programs.
pub fn error(error: &Error, cli: &Cli) -> String {
    let findings = findings(error);
    let mut json = json!({ "findings": findings });
    if let (Command::Validate { .. }, Some(members)) = (&cli.command, json.as_object_mut()) {
        // Members of the report, which is not written then.
        members.insert("success".to_owned(), false.into());
        members.insert("objects".to_owned(), 0.into());
    }
    format!("{json:#}\n")
}

/// The error of a command in a form about files.
pub fn annotations_of(error: &Error, cli: &Cli, format: ReportFormat) -> String {
    match error {
        Error::Refused(refused) => annotations(&mut errors::findings_by_path(refused), cli, format),
        other => annotations(&mut findings(other).into_iter(), cli, format),
    }
}

/// Findings in a form about files, whose paths begin where the command runs.
pub(crate) fn annotations(
    findings: &mut dyn Iterator<Item = Finding>,
    cli: &Cli,
    format: ReportFormat,
) -> String {
    let mut findings = findings.map(|mut finding| {
        if let Some(root) = cli.root().filter(|_| !finding.file.is_empty()) {
            finding.file = root.join(&finding.file).display().to_string();
        }
        finding
    });
    output::in_form(&mut findings, format)
}

fn findings(error: &Error) -> Vec<Finding> {
    match error {
        Error::Refused(refused) => errors::findings(refused).collect(),
        Error::Stale { folders, command } => {
            folders.iter().flat_map(|changes| stale(changes, command)).collect()
        }
        other => {
            let message = errors::plain(other);
            let message = message.trim_end().trim_start_matches("error: ").to_owned();
            vec![Finding::new(Severity::Error, other.kind().id, "", message)]
        }
    }
}

/// A finding for each file that is not up to date.
fn stale(changes: &Changes, command: &str) -> Vec<Finding> {
    let hint = format!("run `{command}`");
    let finding = |file: String, what: &'static str| {
        Finding::new(Severity::Error, finding_kinds::STALE.id, file, what).with_hint(hint.clone())
    };
    let written = changes.written.iter().map(|(name, write)| {
        let what = if write.before.is_some() { "differs" } else { "is missing" };
        finding(changes.show(name), what)
    });
    written.chain(changes.show_removed().map(|name| finding(name, "is surplus"))).collect()
}

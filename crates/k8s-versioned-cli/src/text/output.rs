//! The output of a command, for people and for programs.

use std::io;

use k8s_versioned_core::findings::Finding;
use k8s_versioned_terminal::{Progress, Report, ReportFormat, stdout_width, wrap_findings};
use serde_json::Value;

use crate::error::Error;

/// The result of a command.
#[derive(Clone, Debug)]
pub struct Output {
    /// Text for people.
    pub text: String,
    /// JSON for programs.
    pub json: Value,
}

impl Output {
    /// The output in a form.
    pub fn write(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Json => format!("{:#}\n", self.json),
            _ => self.text.clone(),
        }
    }
}

/// Writes the output of a command.
pub(crate) fn write(text: &str, progress: &Progress, out: &mut dyn io::Write) -> Result<(), Error> {
    progress.end();
    let text = wrap_findings(text, stdout_width());
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// Findings in a form about files.
pub(crate) fn in_form(findings: &mut dyn Iterator<Item = Finding>, format: ReportFormat) -> String {
    let (mut report, mut text) = (Report::new(format, false), Vec::new());
    findings.for_each(|finding| report.add(finding));
    // A text in memory can be written.
    let _ = report.write(report.is_success(), (), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

//! Reports of findings, for people and programs.

mod github;
mod json;
mod junit;
mod markdown;
mod text;

use strum::{EnumMessage, EnumString, IntoStaticStr, VariantArray};

use super::accepted::Accepted;
use super::{Class, FailOn, Finding, Selection};
use crate::Files;
use crate::text::join;

pub use json::SCHEMA;

/// The content of a report.
#[derive(Clone, Debug)]
pub struct Report {
    /// The older side.
    pub old: Selection,
    /// The newer side.
    pub new: Selection,
    /// Differences of the documents, then those of the recordings.
    pub findings: Vec<Finding>,
    /// The findings that make the comparison fail.
    pub fail_on: Vec<FailOn>,
    /// The findings that do not make it fail.
    pub accepted: Accepted,
}

/// The form of a report. The docs of each are the help of `cargo xtask diff`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, EnumMessage, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For programs.
    Json,
    /// For continuous integration, as a `JUnit` report.
    Junit,
    /// For GitHub, as annotations of a workflow.
    Github,
    /// The JSON Schema of the format `json`; nothing is compared.
    JsonSchema,
}

impl Report {
    /// A report in which no finding makes the comparison fail.
    pub fn of(old: Selection, new: Selection, findings: Vec<Finding>) -> Self {
        let (fail_on, accepted) = (Vec::new(), Accepted::default());
        Self { old, new, findings, fail_on, accepted }
    }

    /// The report as text; annotations name lines of the documents in `specs`.
    pub fn write(&self, format: Format, specs: &Files) -> String {
        match format {
            Format::Text => text::write(self),
            Format::Markdown => markdown::write(self),
            Format::Json => json::write(self),
            Format::Junit => junit::write(self),
            Format::Github => github::write(self, specs),
            Format::JsonSchema => SCHEMA.to_owned(),
        }
    }

    /// Tells if nothing makes the comparison fail.
    pub fn is_success(&self) -> bool {
        self.unused().is_empty() && !self.findings.iter().any(|finding| self.fails(finding))
    }

    /// Tells if a finding makes the comparison fail.
    pub fn fails(&self, finding: &Finding) -> bool {
        let covers = |fail_on: &FailOn| fail_on.covers(&finding.classes);
        self.accepted.reason(finding).is_none() && self.fail_on.iter().any(covers)
    }

    /// The accepted keys that no finding has.
    fn unused(&self) -> Vec<String> {
        self.accepted.unused(&self.findings)
    }

    /// The findings whose gravest class this is.
    fn of_class(&self, class: Class) -> impl Iterator<Item = &Finding> {
        let of_class = move |finding: &&Finding| finding.classes.first() == Some(&class);
        self.findings.iter().filter(of_class)
    }

    /// The number of findings of each class, in words.
    fn count(&self) -> String {
        let counts = Class::VARIANTS.iter().map(|class| (class, self.of_class(*class).count()));
        let counts = counts.filter(|(_, count)| *count > 0);
        let counts = join(counts.map(|(class, count)| format!("{count} {class}")), ", ");
        if counts.is_empty() { "no differences".to_owned() } else { counts }
    }
}

/// The classes of a finding in words.
fn classes(finding: &Finding) -> String {
    let (breaks, others): (Vec<&Class>, Vec<&Class>) =
        finding.classes.iter().partition(|class| class.breaks());
    let parties = breaks.iter().map(|class| {
        let name = class.to_string();
        name.trim_start_matches("breaking for ").to_owned()
    });
    let parties = join(parties, ", ");
    if parties.is_empty() { join(others, ", ") } else { format!("breaking for {parties}") }
}

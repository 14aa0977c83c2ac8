//! The forms of a report.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// Markdown for a page.
    Markdown,
    /// Annotations of a workflow of GitHub.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
}

impl ReportFormat {
    /// The forms of an answer that is not a list of findings.
    pub const ANSWER: [Self; 2] = [Self::Text, Self::Json];
    /// The forms of a report that is also a page.
    pub const PAGE: [Self; 3] = [Self::Text, Self::Json, Self::Markdown];
    /// The forms of findings about objects in files.
    pub const FINDINGS: [Self; 5] =
        [Self::Text, Self::Json, Self::Markdown, Self::Github, Self::Gitlab];

    /// The forms of an answer with findings about objects in files.
    pub const ANSWER_ABOUT_FILES: [Self; 4] = [Self::Text, Self::Json, Self::Github, Self::Gitlab];
    /// The forms of findings that accompany an answer in text.
    pub const BESIDE_TEXT: [Self; 3] = [Self::Text, Self::Github, Self::Gitlab];

    /// Returns `true` if findings in this form are about files: objects of a cluster have no place in one.
    pub fn needs_files(self) -> bool {
        matches!(self, Self::Github | Self::Gitlab)
    }

    /// Reads one of these forms: the others have no meaning for the command, and its help does not list them.
    pub fn one_of(formats: &'static [Self]) -> impl TypedValueParser<Value = Self> {
        let values = formats.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(values).try_map(|name| Self::from_str(&name, false))
    }
}

//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use coordination_codegen::diff::report;
use coordination_codegen::diff::{FailOn, Selection};
use coordination_codegen::manifest::SourceKind;
use k8s_versioned::Release;

/// The commands of this workspace.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    /// The folder that holds `specs` and `crates` [default: this workspace].
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Bring a release's documents into `specs`: prose removed, keys sorted, pretty-printed.
    Import(ImportArgs),
    /// Write the generated code that `specs` yields.
    Regenerate {
        /// Write nothing; fail and name every file that differs, is missing or is surplus.
        #[arg(long)]
        check: bool,
    },
    /// Say what changed between two releases, or two versions of the API.
    ///
    /// It compares the documents, and what recorded servers answered in the same cases. Each finding has an
    /// identifier, a class, a reason, and what it reaches.
    Diff(DiffArgs),
    /// Write the body of a pull request that brings in the newest release, in Markdown.
    PullRequest {
        /// The commit that the pull request starts from.
        #[arg(long, value_name = "COMMIT", default_value = "main")]
        base: String,
    },
}

/// The two sides of a comparison, and the form of the findings.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The older side: a release or a version of the API in it, for example `v1.35` or `v1.31/v1alpha1`.
    pub old: Selection,
    /// The newer side, for example `v1.36` or `v1.36/v1beta1`.
    pub new: Selection,
    /// The form of the findings.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Fail if there is a finding of one of these classes: breaking, readers, writers, apply, unknown,
    /// compatible, no-effect, any.
    #[arg(long, value_name = "CLASS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// A TOML file of findings that are accepted: each `[[accepted]]` has `finding`, an identifier and a
    /// subject, and a `reason`.
    #[arg(long, value_name = "FILE")]
    pub accepted: Option<PathBuf>,
}

/// The form of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal.
    #[default]
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

/// The documents to import.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The Kubernetes release, for example `v1.36`.
    #[arg(long, value_name = "RELEASE")]
    pub release: Release,
    /// The folder with the release's OpenAPI v3 documents (`apis__*.json`).
    #[arg(long, value_name = "DIR")]
    pub from: PathBuf,
    /// The source of the documents.
    #[arg(long, value_enum, default_value_t)]
    pub source: Source,
}

/// A source of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// The release's source tree, `api/openapi-spec/v3`.
    #[default]
    SourceTree,
    /// A running cluster; only for a release whose source tree has no documents.
    Cluster,
}

impl From<Source> for SourceKind {
    fn from(source: Source) -> Self {
        match source {
            Source::SourceTree => Self::SourceTree,
            Source::Cluster => Self::Cluster,
        }
    }
}

impl From<Format> for report::Format {
    fn from(format: Format) -> Self {
        match format {
            // The schema is written before anything is compared.
            Format::Text => Self::Text,
            Format::Markdown => Self::Markdown,
            Format::Json | Format::JsonSchema => Self::Json,
            Format::Junit => Self::Junit,
            Format::Github => Self::Github,
        }
    }
}

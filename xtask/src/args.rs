//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use k8s_versioned_codegen::diff::report::Format;
use k8s_versioned_codegen::diff::{FailOn, Selection};
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_names::Release;
use strum::{EnumMessage, ParseError, VariantArray};

/// The commands of this workspace.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    /// The folder that holds `specs` and `crates` [default: the workspace of the current folder].
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
    /// Write the generated code and pages from `specs`.
    Regenerate {
        /// Write nothing; fail and name every file that differs, is missing or is surplus.
        #[arg(long)]
        check: bool,
    },
    /// Write a package of types from a folder of documents, `v1.NN/apis__GROUP__VERSION_openapi.json`, and rule files if
    /// there are any.
    Generate(GenerateArgs),
    /// Show the changes between two releases, or two versions of the API.
    ///
    /// It compares the documents, and the answers of recorded servers in the same cases. Each finding has an
    /// identifier, a class, a reason, and the operations that it reaches.
    Diff(DiffArgs),
    /// Write the body of the pull request for the newest release, in Markdown.
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
    #[arg(long, value_parser = one_of::<Format>(), default_value = "text")]
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

/// The documents of a package.
#[derive(Clone, Debug, Args)]
pub struct GenerateArgs {
    /// The folder with the documents and rule files.
    #[arg(long, value_name = "DIR")]
    pub from: PathBuf,
    /// The folder of the package.
    #[arg(long, value_name = "DIR")]
    pub package: PathBuf,
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
    #[arg(long, value_parser = one_of::<SourceKind>(), default_value = "source-tree")]
    pub source: SourceKind,
}

/// The values of an enum by their names; their docs are the help.
fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: Copy + EnumMessage + FromStr<Err = ParseError> + VariantArray + Send + Sync,
    &'static str: From<T>,
{
    let values = T::VARIANTS.iter().map(|value| {
        let docs = value.get_documentation().unwrap_or_default();
        PossibleValue::new(<&str>::from(*value)).help(docs.trim_end_matches('.'))
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}

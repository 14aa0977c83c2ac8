//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use coordination_codegen::manifest::SourceKind;
use k8s_versioned::Release;

/// The commands of this workspace.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    /// The folder that holds `specs` and `crates` [default: this workspace].
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
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
}

/// What to import, and from where.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The Kubernetes release, for example `v1.36`.
    #[arg(long, value_name = "RELEASE")]
    pub release: Release,
    /// The folder with the release's OpenAPI v3 documents (`apis__*.json`).
    #[arg(long, value_name = "DIR")]
    pub from: PathBuf,
    /// Where the documents come from.
    #[arg(long, value_enum, default_value_t)]
    pub source: Source,
}

/// Where documents come from.
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

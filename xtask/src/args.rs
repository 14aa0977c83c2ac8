//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use k8s_versioned_cli::commands::diff::DiffArgs;
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_core::Release;

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
    /// Bring a release's documents into `specs`: descriptions removed, keys sorted, pretty-printed.
    Import(ImportArgs),
    /// Write the generated code and pages from `specs`.
    Regenerate {
        /// Write nothing; fail and name every file that differs, is missing or is surplus.
        #[arg(long)]
        check: bool,
    },
    /// Show the changes between two releases, or two versions of the API.
    ///
    /// Each finding has an identifier, a class, a reason, and the fields or operations that it reaches.
    /// `coordination conform --compare v1.36 v1.37` compares the answers of recorded servers.
    Diff(DiffArgs),
    /// Show what is left to do for the newest release, with the rules that the documents ask for.
    Checklist,
    /// Write the body of the pull request for the newest release, in Markdown.
    PullRequest {
        /// The commit that the pull request starts from.
        #[arg(long, value_name = "COMMIT", default_value = "main")]
        base: String,
    },
    /// Replace the links of the book in `docs` that leave it: `mdbook` runs this.
    Book {
        /// What `mdbook` asks: `supports` and the name of an output. Without it, the book is read from standard input.
        question: Vec<String>,
    },
}

/// The documents to import.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The Kubernetes release, for example `v1.36`.
    #[arg(long, value_name = "RELEASE")]
    pub release: Release,
    /// A checkout of Kubernetes at the release's tag, or a folder with the release's OpenAPI v3 documents (`apis__*.json`).
    #[arg(long, value_name = "DIR")]
    pub from: PathBuf,
    /// Files `generated.proto` of the release, which have the field numbers of protobuf. In a checkout they are found.
    #[arg(long, value_name = "FILE")]
    pub proto: Vec<PathBuf>,
    /// The source of the documents.
    #[arg(long, value_enum, default_value_t = Origin::SourceTree)]
    pub source: Origin,
}

/// The origin of documents, as in the manifest. The doc of each is the help of `cargo xtask import`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// The release's source tree, `api/openapi-spec/v3`.
    SourceTree,
    /// The source tree of a fork, whose documents can differ from upstream's.
    Fork,
    /// Other facts of the release, from which the documents were reconstructed, because upstream's are not at hand.
    Reconstructed,
    /// A running cluster; only for a release whose source tree has no documents.
    Cluster,
}

impl From<Origin> for SourceKind {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::SourceTree => Self::SourceTree,
            Origin::Fork => Self::Fork,
            Origin::Reconstructed => Self::Reconstructed,
            Origin::Cluster => Self::Cluster,
        }
    }
}

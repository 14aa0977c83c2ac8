//! The command `coordination` as a library that tests can call, with a module for each subcommand.
//!
//! | subcommand | module | purpose |
//! |---|---|---|
//! | `convert` | [`mod@convert`] | converts candidates into another version of the API |
//! | `validate` | [`validate`] | reports what a server would reject |
//! | `elect` | [`elect`] | says who leads, and why |
//! | `doctor` | `cluster::doctor` | finds problems in a cluster (feature `cluster`) |
//! | `lead` | `cluster::lead` | runs a program only while this process leads (feature `cluster`) |
//! | `migrate` | `cluster::migrate` | copies candidates to another cluster (feature `cluster`) |
//! | `conform` | [`conform`] | checks the types against recordings |
//!
//! [`conformance`] has the checks of `conform`, for tests.
//!
//! ```
//! use clap::Parser;
//! use k8s_coordination_cli::{Cli, Outcome, Progress, run};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("candidate.yaml");
//! # let path = path.to_str().ok_or("a path")?;
//! # std::fs::write(path, "{apiVersion: coordination.k8s.io/v1beta1, kind: LeaseCandidate, metadata: {name: a}}")?;
//! // `path` leads to a file with objects.
//! let cli = Cli::try_parse_from(["coordination", "validate", path])?;
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! assert_eq!(run(&cli, &Progress::hidden(), &mut out, &mut err)?, Outcome::Failure);
//! assert!(String::from_utf8(out)?.contains("spec.leaseName: FieldValueRequired"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cluster")]
pub mod cluster;
pub mod conform;
pub mod conformance;
pub mod convert;
pub mod elect;
mod error;
mod input;
mod note;
mod object;
mod object_report;
pub mod validate;

use std::io::Write;

use clap::{CommandFactory as _, Parser, Subcommand};
use k8s_versioned_terminal::{ColorArgs, HelpFiles};
pub use k8s_versioned_terminal::{Outcome, Progress};

pub use error::Error;

const HELP: &str = "\
Examples:
  kubectl get leasecandidates --all-namespaces --output yaml | coordination validate
  coordination convert --to v1beta1 --check manifests/

Exit codes: 0 for success; 1 for failure, with the reason in the output: an error, no object in the input, a Lease \
without a holder, a conversion refused; 2 for wrong usage.";

#[cfg(feature = "cluster")]
fn help() -> String {
    HELP.to_owned()
}

#[cfg(not(feature = "cluster"))]
fn help() -> String {
    format!("{HELP}\n\n{}", error::CLUSTER.help())
}

/// Works with objects of every version of the Kubernetes coordination API.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "coordination",
    version,
    propagate_version = true,
    after_help = help()
)]
pub struct Cli {
    /// When the output has colours.
    #[command(flatten)]
    pub color: ColorArgs,
    /// What the command does.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check the types of this program against recordings of API servers.
    Conform(conform::ConformArgs),
    /// Convert candidates into another version of the API, and report what that version cannot hold.
    Convert(convert::ConvertArgs),
    /// Explain which candidate leads.
    Elect(elect::ElectArgs),
    /// Find the problems of the Leases and candidates of a cluster.
    #[cfg(feature = "cluster")]
    Doctor(cluster::doctor::DoctorArgs),
    /// Run a program only while this process leads by a `Lease`.
    #[cfg(feature = "cluster")]
    Lead(cluster::lead::LeadArgs),
    /// Copy candidates to another cluster, in the version that it serves.
    #[cfg(feature = "cluster")]
    Migrate(cluster::migrate::MigrateArgs),
    /// A subcommand of another build, which says what it needs.
    #[cfg(not(feature = "cluster"))]
    #[command(name = "doctor", aliases = ["lead", "migrate"], hide = true, disable_help_flag = true)]
    NotBuilt {
        /// The arguments, which are not read.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Report what a server would reject, and what to write instead.
    Validate(validate::ValidateArgs),
    /// Completions and man pages.
    #[command(flatten)]
    HelpFiles(HelpFiles),
}

impl Command {
    /// Returns `true` if the command reads files, which can take long.
    pub fn reads_files(&self) -> bool {
        matches!(self, Self::Convert(_) | Self::Elect(_) | Self::Validate(_))
    }
}

/// Runs a command and writes its output. The output of `conform` has colours.
///
/// If `out` gets objects, `err` gets the report about them.
///
/// # Errors
///
/// The input cannot be read, the output cannot be written, or the arguments do not fit the input.
pub fn run(
    cli: &Cli,
    progress: &Progress,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    match &cli.command {
        Command::Conform(args) => conform::run(args, out),
        Command::Convert(args) => convert::run(args, progress, out, err),
        Command::Elect(args) => elect::run(args, progress, out, err),
        #[cfg(feature = "cluster")]
        Command::Doctor(args) => cluster::doctor::start(args, out),
        #[cfg(feature = "cluster")]
        Command::Lead(args) => cluster::lead::run(args),
        #[cfg(feature = "cluster")]
        Command::Migrate(args) => cluster::migrate::start(args, out, err),
        #[cfg(not(feature = "cluster"))]
        Command::NotBuilt { .. } => Err(Error::NotBuilt),
        Command::HelpFiles(pages) => {
            pages.write(Cli::command(), out)?;
            Ok(Outcome::Success)
        }
        Command::Validate(args) => validate::run(args, progress, out),
    }
}

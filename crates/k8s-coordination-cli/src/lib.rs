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
//! use k8s_coordination_cli::{Cli, Outcome, run};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("candidate.yaml");
//! # let path = path.to_str().ok_or("a path")?;
//! # std::fs::write(path, "{apiVersion: coordination.k8s.io/v1beta1, kind: LeaseCandidate, metadata: {name: a}}")?;
//! // `path` leads to a file with objects.
//! let cli = Cli::try_parse_from(["coordination", "validate", path])?;
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! assert_eq!(run(&cli, &mut out, &mut err)?, Outcome::Failure);
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
pub mod generate;
mod input;
mod object;
pub mod report;
pub mod validate;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use error::Error;

const AFTER_HELP: &str = "\
Example: kubectl get leasecandidates --all-namespaces --output yaml | coordination validate

Exit codes: 0 for success; 1 for failure, with the reason in the output: an error, no object in the input, a Lease \
without a holder, a conversion refused; 2 for wrong usage.";

/// Works with objects of every version of the Kubernetes coordination API.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "coordination",
    version,
    propagate_version = true,
    after_help = AFTER_HELP
)]
pub struct Cli {
    /// What the command does.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check the types of this program against recordings of API servers.
    Conform(conform::Args),
    /// Convert candidates into another version of the API, and report what that version cannot hold.
    Convert(convert::Args),
    /// Explain which candidate leads.
    Elect(elect::Args),
    /// Write shell completions and man pages.
    #[command(subcommand, hide = true)]
    Generate(generate::Generate),
    /// Find the problems of the Leases and candidates of a cluster.
    #[cfg(feature = "cluster")]
    Doctor(cluster::doctor::Args),
    /// Run a program only while this process leads by a `Lease`.
    #[cfg(feature = "cluster")]
    Lead(cluster::lead::Args),
    /// Copy candidates to another cluster, in the version that it serves.
    #[cfg(feature = "cluster")]
    Migrate(cluster::migrate::Args),
    /// A subcommand of another build, which says what it needs.
    #[cfg(not(feature = "cluster"))]
    #[command(name = "doctor", aliases = ["lead", "migrate"], hide = true, disable_help_flag = true)]
    NotBuilt {
        /// The arguments, which are not read.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Report what a server would reject, and what to write instead.
    Validate(validate::Args),
}

/// The result of a command, from which the exit code follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success: exit code 0.
    Success,
    /// Failure, with the reason in the output: exit code 1.
    Failure,
    /// Wrong usage: exit code 2.
    Usage,
    /// Another exit code, which the help of the command explains.
    Code(u8),
}

impl Outcome {
    fn of(success: bool) -> Self {
        if success { Self::Success } else { Self::Failure }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Failure => Self::FAILURE,
            Outcome::Usage => Self::from(2),
            Outcome::Code(code) => Self::from(code),
        }
    }
}

/// Runs a command and writes its output. The output of `conform` has colours.
///
/// If `out` gets objects, `err` gets the report about them.
///
/// # Errors
///
/// The input cannot be read, the output cannot be written, or the arguments do not fit the input.
pub fn run(cli: &Cli, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Error> {
    match &cli.command {
        Command::Conform(args) => conform::run(args, out),
        Command::Convert(args) => convert::run(args, out, err),
        Command::Elect(args) => elect::run(args, out, err),
        Command::Generate(generate) => generate::run(generate, out),
        #[cfg(feature = "cluster")]
        Command::Doctor(args) => cluster::doctor::start(args, out),
        #[cfg(feature = "cluster")]
        Command::Lead(args) => cluster::lead::run(args),
        #[cfg(feature = "cluster")]
        Command::Migrate(args) => cluster::migrate::start(args, out, err),
        #[cfg(not(feature = "cluster"))]
        Command::NotBuilt { .. } => Err(Error::NotBuilt),
        Command::Validate(args) => validate::run(args, out),
    }
}

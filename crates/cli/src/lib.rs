//! The command `coordination`, as a library that tests can call. Each subcommand is a module of its own.
//!
//! | subcommand | module | what it does |
//! |---|---|---|
//! | `convert` | [`mod@convert`] | converts candidates into another version of the API |
//! | `validate` | [`validate`] | says what a server would reject |
//! | `elect` | [`elect`] | says who leads, and why |
//! | `conform` | [`conform`] | checks the types against recordings |
//!
//! ```
//! use clap::Parser;
//! use k8s_coordination_cli::{Cli, Outcome, run};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("candidate.yaml");
//! # let path = path.to_str().ok_or("a path")?;
//! # std::fs::write(path, "{apiVersion: coordination.k8s.io/v1beta1, kind: LeaseCandidate, metadata: {name: a}}")?;
//! // `path` is that of a file with objects.
//! let cli = Cli::try_parse_from(["coordination", "validate", path])?;
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! assert_eq!(run(&cli, &mut out, &mut err)?, Outcome::Failure);
//! assert!(String::from_utf8(out)?.contains("spec.leaseName: FieldValueRequired"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod conform;
pub mod convert;
pub mod elect;
mod error;
pub mod generate;
mod input;
mod object;
pub mod report;
mod suggestion;
pub mod validate;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use error::Error;

const AFTER_HELP: &str = "\
Example: kubectl get leasecandidates --all-namespaces --output yaml | coordination validate

Exit codes: 0 if all is well; 1 if something is not, and the output says what: an error, no object in the input, no holder \
elected, a conversion refused; 2 for wrong usage.";

/// Works with objects of the Kubernetes coordination API, in every version of it.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "coordination",
    version,
    propagate_version = true,
    after_help = AFTER_HELP
)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommand.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check the types of this program against recordings of API servers.
    Conform(conform::Args),
    /// Convert candidates into another version of the API, and say what that version cannot hold.
    Convert(convert::Args),
    /// Say who leads, and why.
    Elect(elect::Args),
    /// Write shell completions and man pages.
    #[command(subcommand, hide = true)]
    Generate(generate::Generate),
    /// Say what a server would reject, and what to write instead.
    Validate(validate::Args),
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be: exit code 0.
    Success,
    /// Something failed, and the output says what: exit code 1.
    Failure,
    /// The command was used in a wrong way: exit code 2.
    Usage,
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
        }
    }
}

/// Runs a command, and writes what it has to say. The output of `conform` may hold colours.
///
/// The report about objects that are written to `out` goes to `err`.
///
/// # Errors
///
/// Whatever kept the command from its work.
pub fn run(cli: &Cli, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Error> {
    match &cli.command {
        Command::Conform(args) => conform::run(args, out),
        Command::Convert(args) => convert::run(args, out, err),
        Command::Elect(args) => elect::run(args, out, err),
        Command::Generate(what) => generate::run(what, out),
        Command::Validate(args) => validate::run(args, out),
    }
}

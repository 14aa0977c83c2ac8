//! Makes a Rust package of versioned types from the OpenAPI documents of a Kubernetes API group, and keeps it up to date.
//!
//! The generator is a pure function from files to files. This package does the I/O: it fetches documents, reads folders,
//! writes changed files, and prints problems. The command is `k8s-versioned`; this workspace's `xtask` calls the same
//! functions with its own [`Project`]. This library is not a stable API: other tools should call `k8s-versioned-codegen`,
//! or the command with `--format json`.
//!
//! **Invariant:** everything is computed before the first write. A command that fails on its input changes no file.
//!
//! **Invariant:** nothing here depends on a generated crate, so that broken generated code cannot prevent its own
//! regeneration.

pub mod args;
#[cfg(feature = "cluster")]
mod cluster;
pub mod commands;
pub mod error;
mod input;
pub mod project;
pub mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use args::{Cli, Command};
use clap::CommandFactory as _;
pub use error::Error;
use k8s_versioned_terminal::Progress;
pub use project::Project;

#[cfg(feature = "review")]
use commands::check_review;
use commands::generate::Generation;
use commands::new::{self, NewArgs};
#[cfg(feature = "cluster")]
use commands::record;
use commands::{diff, draft, explain, fetch, generate, show, validate};
use text::findings;
use text::output::{self, Output};

/// Runs a command and writes its output.
///
/// # Errors
/// The reason why the command failed, or the differences that `generate --check` found.
pub fn run(cli: &Cli, progress: &Progress, out: &mut dyn Write) -> Result<(), Error> {
    let root = cli.root().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let project = || Project::with_specs(&root);
    let say = |what: &str| progress.say(what);
    let output: Output = match &cli.command {
        Command::Show { args, .. } => {
            show::run(args, cli.color.color.is_on_stdout()).map_err(Error::of_reader)?
        }
        Command::New { args, .. } => {
            let path = cli.root().map_or(args.path.clone(), |root| root.join(&args.path));
            new::run(&NewArgs { path, ..args.clone() }, &say)?
        }
        Command::Fetch { args, .. } => fetch::run(&project()?, args, &say)?.into(),
        Command::Generate { check, quiet, format, .. } => {
            let generation = generation(cli, *check, progress)?;
            if format.needs_files() {
                let mut warnings = generation.warnings().filter(|_| !quiet.quiet);
                let text = findings::annotations(&mut warnings, cli, *format);
                return output::write(&text, progress, out);
            }
            if quiet.quiet {
                return Ok(());
            }
            generation.into()
        }
        Command::Draft { explain, .. } => draft::run(&project()?, *explain)?,
        Command::Diff { args, .. } => {
            let compared = diff::run(project, args, &say).map_err(Error::of_reader)?;
            return report(&compared, args, progress, out);
        }
        Command::Explain { id, .. } => explain::run(id.as_deref())?,
        #[cfg(feature = "cluster")]
        Command::Record { options, to, .. } => {
            let of_package = || Ok(root.join(Project::read(&root)?.recordings));
            let to = to.clone().map_or_else(of_package, Ok::<_, Error>)?;
            return record::run(record::RecordArgs { to, ..options.clone() });
        }
        #[cfg(not(feature = "cluster"))]
        Command::Record(_) => return Err(Error::Usage(args::CLUSTER.to_string())),
        #[cfg(feature = "review")]
        Command::CheckReview { args, .. } => check_review::run(args).map_err(Error::of_reader)?,
        #[cfg(not(feature = "review"))]
        Command::CheckReview(_) => return Err(Error::Usage(args::REVIEW.to_string())),
        Command::Validate { args, .. } => {
            return validate::run(project, args, progress, out).map_err(Error::of_reader);
        }
        Command::HelpFiles(pages) => return Ok(pages.write(Cli::command(), out)?),
    };
    output::write(&output.write(cli.command.format()), progress, out)
}

/// Writes the changes between two releases, and fails for those that the arguments refuse.
fn report(
    compared: &diff::Compared,
    args: &diff::DiffArgs,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<(), Error> {
    // The report has only changes. If the standard error cannot be written, it remains.
    let mut notes = compared.notes();
    let _ = progress.pause(|| notes.try_for_each(|note| write!(io::stderr(), "{note}")));
    output::write(&compared.report(args), progress, out)?;
    compared.judge(args)
}

/// Generates the code of a package, or checks it.
fn generation(cli: &Cli, check: bool, progress: &Progress) -> Result<Generation, Error> {
    let project = Project::with_specs(cli.root().unwrap_or_else(|| Path::new(".")))?;
    progress.say("reading the documents");
    let run = if check { generate::check } else { generate::run };
    run(&[project]).map_err(|error| error.of_root(cli.root()))
}

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

mod admit;
pub mod args;
pub mod changes;
#[cfg(feature = "review")]
pub mod check_review;
#[cfg(feature = "cluster")]
mod cluster;
pub mod diff;
pub mod draft;
mod ends;
pub mod error;
pub mod explain;
pub mod fetch;
pub mod generate;
pub mod import;
mod kinds;
pub mod lines;
pub mod new;
pub mod output;
pub mod package;
mod place;
pub mod project;
#[cfg(feature = "cluster")]
pub mod record;
pub mod recordings;
pub mod render;
pub mod specs;
pub mod tree;
pub mod validate;

use std::path::{Path, PathBuf};

use args::{Cli, Command};
use clap::CommandFactory as _;
pub use error::Error;
use new::NewArgs;
use output::Output;
pub use project::Project;

/// Runs a command and returns its output. `progress` is called with what a long command works on.
///
/// # Errors
/// The reason why the command failed, or the differences that `generate --check` found.
pub fn run(cli: &Cli, progress: &dyn Fn(&str)) -> Result<String, Error> {
    let root = cli.root.clone().unwrap_or_else(|| PathBuf::from("."));
    let project = || project(&root);
    let output: Output = match &cli.command {
        Command::New(args) => {
            let path = cli.root.as_ref().map_or(args.path.clone(), |root| root.join(&args.path));
            new::run(&NewArgs { path, ..args.clone() }, progress)?
        }
        Command::Fetch(args) => fetch::run(&project()?, args, progress)?.into(),
        Command::Generate { check } => {
            let project = project()?;
            progress("reading the documents");
            let run = if *check { generate::check } else { generate::run };
            run(&[project])?.into()
        }
        Command::Draft => draft::run(&project()?)?,
        Command::Diff(args) => return Ok(diff::run(&project()?, args)?.write(cli.format)),
        Command::Explain { id } => explain::run(id.as_deref())?,
        #[cfg(feature = "cluster")]
        Command::Record(options) => {
            let to = root.join(&options.to);
            return record::run(record::Options { to, ..options.clone() }).map(|()| String::new());
        }
        #[cfg(feature = "review")]
        Command::CheckReview(args) => check_review::run(args)?,
        Command::Validate(args) => validate::run(&project()?, args)?,
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "k8s-versioned", &mut text);
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
    };
    Ok(output.write(cli.format))
}

/// The project in a folder, which must have specs.
fn project(root: &Path) -> Result<Project, Error> {
    let project = Project::read(root)?;
    if root.join(&project.specs).is_dir() {
        return Ok(project);
    }
    let hint = "no folder of specs; `k8s-versioned new` makes a package, `--root` names one";
    Err(Error::NoProject(root.to_path_buf(), hint))
}

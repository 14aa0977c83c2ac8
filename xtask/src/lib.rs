//! The commands of this workspace, as a library that tests can call.
//!
//! The generator is a pure function from files to files. This package does its input and output: it
//! reads folders, writes changed files, and shows problems.
//!
//! **Invariant:** everything is computed before the first write. A command that fails on its input
//! changes no file.
//!
//! **Invariant:** nothing here depends on the generated crate, so that a broken `generated/` cannot
//! stop its own repair.

pub mod args;
pub mod changes;
pub mod diff;
pub mod error;
pub mod fixtures;
pub mod generate;
pub mod git;
pub mod import;
pub mod pull_request;
pub mod regenerate;
pub mod render;
pub mod specs;
pub mod tree;

mod lines;

use std::path::{Path, PathBuf};
use std::{env, fs};

use args::{Cli, Command};
pub use error::Error;

/// The workspace of a folder: the nearest folder from there upwards that has `specs` and the `Cargo.toml` of a workspace.
///
/// It is found at run time. With a shared target folder, one binary serves several checkouts.
///
/// # Errors
/// [`Error::NoWorkspace`].
pub fn workspace(from: &Path) -> Result<PathBuf, Error> {
    let is_root = |folder: &&Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "[workspace]")
            && folder.join(specs::FOLDER).is_dir()
    };
    let found = from.ancestors().find(is_root);
    found.map(Path::to_path_buf).ok_or_else(|| Error::NoWorkspace(from.to_path_buf()))
}

/// The output of a command.
#[derive(Debug)]
pub struct Said {
    /// The text for the standard output.
    pub text: String,
    /// `true` if the command succeeded.
    pub success: bool,
}

impl From<String> for Said {
    fn from(text: String) -> Self {
        let success = true;
        Self { text, success }
    }
}

/// Runs a command and returns its output.
///
/// # Errors
/// The reason why the command failed, or the differences that `regenerate --check` found.
pub fn run(cli: &Cli) -> Result<Said, Error> {
    let root = match &cli.root {
        Some(root) => root.clone(),
        None => workspace(&env::current_dir().map_err(Error::io("find", Path::new(".")))?)?,
    };
    match &cli.command {
        Command::Import(args) => Ok(import::run(&root, args)?.to_string().into()),
        Command::Regenerate { check: false } => Ok(regenerate::run(&root)?.to_string().into()),
        Command::Regenerate { check: true } => Ok(regenerate::check(&root)?.to_string().into()),
        Command::Generate(args) => Ok(generate::run(&root, args)?.into()),
        Command::Diff(args) => diff::run(&root, args),
        Command::PullRequest { base } => Ok(pull_request::run(&root, base)?.into()),
    }
}

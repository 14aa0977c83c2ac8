//! The commands of this workspace, as a library that tests can call: the commands of `k8s-versioned-cli` for the packages of this
//! workspace, what is left to do for a release, and the text of a pull request.

pub mod args;
pub mod book;
pub mod checklist;
pub mod pull_request;
mod workspace_projects;

use std::path::{Path, PathBuf};
use std::{env, fs, io, iter};

use args::{Cli, Command};
use k8s_versioned_cli::commands::fetch::import;
use k8s_versioned_cli::commands::{diff, generate};
use k8s_versioned_cli::project::specs::Specs;
use k8s_versioned_cli::{Error, Project};
use k8s_versioned_codegen::read_group;

use workspace_projects::EXAMPLE;
pub use workspace_projects::projects;

/// The workspace of a folder: the nearest folder from there upwards that has `specs` and the `Cargo.toml` of a workspace.
///
/// It is found at run time. With a shared target folder, one binary serves several checkouts.
///
/// # Errors
/// [`Error::NoProject`].
pub fn workspace(from: &Path) -> Result<PathBuf, Error> {
    let is_root = |folder: &&Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "[workspace]") && folder.join("specs").is_dir()
    };
    let hint = "not in a workspace with a folder `specs`; run the command in the workspace, or name it with `--root`";
    let root = from.ancestors().find(is_root);
    root.map(Path::to_path_buf).ok_or_else(|| Error::NoProject(from.to_path_buf(), hint))
}

/// Runs a command and returns its output.
///
/// # Errors
/// The reason why the command failed, or the differences that `regenerate --check` found.
pub fn run(cli: &Cli) -> Result<String, Error> {
    let root = match &cli.root {
        Some(root) => root.clone(),
        None => workspace(&env::current_dir().map_err(Error::io("find", Path::new(".")))?)?,
    };
    let projects = projects(&root);
    let Some((project, others)) = projects.split_first() else {
        return Err(Error::NoProject(root, "the workspace has no packages"));
    };
    match &cli.command {
        Command::Import(args) => {
            let from = import::read_release(&args.from, &args.proto)?;
            let mut others = others.to_vec();
            others.retain(|other| other.specs != EXAMPLE);
            keep_no_descriptions(iter::once(project).chain(&others))?;
            let from = import::Origin::Documents(args.release, args.source.into(), &from);
            Ok(import::run(project, &others, from)?.to_string())
        }
        Command::Regenerate { check: false } => Ok(generate::run(&projects)?.to_string()),
        Command::Regenerate { check: true } => Ok(generate::check(&projects)?.to_string()),
        Command::Diff(args) => {
            let compared = diff::run(|| Ok(project.clone()), args, &|_| ())?;
            let report = compared.report(args);
            compared.judge(args).inspect_err(|_| print!("{report}"))?;
            Ok(report)
        }
        Command::Checklist => checklist::run(&root, &projects),
        Command::PullRequest { base } => pull_request::run(project, base),
        // All outputs are supported.
        Command::Book { question } if !question.is_empty() => Ok(String::new()),
        Command::Book { .. } => {
            let refused = |error: &dyn std::fmt::Display| {
                Error::Project("standard input".into(), error.to_string())
            };
            let input = io::read_to_string(io::stdin()).map_err(|error| refused(&error))?;
            book::run(&input).map_err(|error| refused(&error))
        }
    }
}

/// Refuses an import into a package that would keep upstream's descriptions: everything in this workspace is written by its authors.
fn keep_no_descriptions<'a>(projects: impl Iterator<Item = &'a Project>) -> Result<(), Error> {
    for project in projects {
        // The import reports what is wrong in the file.
        let group = read_group(&Specs::read(project)?.files).unwrap_or_default();
        if group.keeps_descriptions() {
            return Err(Error::Refusal(format!(
                "{}/group.toml would keep upstream's descriptions, and this workspace has its own: write `descriptions = \"rules\"` or \
                 `descriptions = \"none\"`",
                project.specs
            )));
        }
    }
    Ok(())
}

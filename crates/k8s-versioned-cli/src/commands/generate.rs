//! `generate`: writes the generated code and pages of a project from its specs.

use std::collections::BTreeSet;
use std::fmt;
use std::mem::take;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::tools::reference;
use k8s_versioned_codegen::{About, Features};
use k8s_versioned_codegen::{EmitOptions, Files, Generated, PAGES, Summary, Unseen, generate};
use k8s_versioned_core::findings::{Finding, count};
use k8s_versioned_terminal::temporary::is_left_over;
use serde_json::json;

use crate::error::Refused;
use crate::project::changes::Changes;
use crate::project::package_files::{self, CONVERSIONS_EXAMPLE, CONVERSIONS_TEST};
use crate::project::recordings;
use crate::project::specs::Specs;
use crate::project::tree::FolderTree;
use crate::text::errors;
use crate::text::output::Output;
use crate::{Error, Project, project};

/// The result of a generation, and its changes.
#[derive(Debug)]
pub struct Generation {
    summary: Option<Summary>,
    /// The warnings of each folder of specs.
    warnings: Vec<Refused>,
    folders: Vec<Changes>,
    /// The kinds of packages with several versions and no conversions.
    unconverted: Vec<String>,
    /// What clients of the versions of packages lose sight of, by the page that has all of it.
    unseen: Vec<(String, Vec<Unseen>)>,
    /// The workspace around the first project, and the project in it.
    workspace: Option<(PathBuf, String)>,
}

impl Generation {
    /// The warnings as reports about files name them.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Finding> {
        self.warnings.iter().flat_map(errors::findings_by_path)
    }
}

/// Brings the generated code of projects up to date. It waits for another run on one of them. A package without `Cargo.toml` or `src/lib.rs` gets them, and
/// `Cargo.toml` gets what generated code needs.
///
/// # Errors
/// Files cannot be read or written, or the specs have problems. Nothing has been written
/// then, unless a write failed.
pub fn run(projects: &[Project]) -> Result<Generation, Error> {
    let _locks = project::lock(projects)?;
    let report = plan(projects)?;
    Changes::apply_all(&report.folders)?;
    Ok(report)
}

/// Compares the generated code of projects with the output of the generator. Writes no file.
///
/// # Errors
/// Files cannot be read, the specs have problems; [`Error::Stale`] when the generated code is
/// not up to date, and [`Error::Recorded`] when a release has no recordings.
pub fn check(projects: &[Project]) -> Result<Generation, Error> {
    let report = plan(projects)?;
    if !report.folders.iter().all(Changes::is_empty) {
        let command = projects.first().map_or_else(String::new, |first| first.command.clone());
        return Err(Error::Stale { folders: report.folders, command });
    }
    for project in projects.iter().filter(|project| project.needs_recordings) {
        recordings::check(project, &Specs::read(project)?)?;
    }
    Ok(report)
}

/// The changes of all projects, and the figures of the first.
fn plan(projects: &[Project]) -> Result<Generation, Error> {
    let (mut summary, mut warnings, mut folders) = (None, Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    let (mut unconverted, mut unseen) = (Vec::new(), Vec::new());
    for project in projects {
        let specs = Specs::read(project)?;
        if specs.files.is_empty() && project.shared.is_some() {
            continue;
        }
        let made = plan_one(project, &specs, &mut folders)?;
        summary = summary.or(Some(made.summary));
        if project.package.is_some() {
            unconverted.extend(made.unconverted);
            let [page] = PAGES;
            let page = project.pages.iter().map(|pages| format!("{pages}/{page}"));
            unseen.extend(page.map(|page| (page, made.unseen.clone())));
        }
        // Projects can have the same specs.
        if made.warnings.iter().next().is_some() && seen.insert(specs.tree.path().to_owned()) {
            warnings.push(specs.with_places(made.warnings));
        }
    }
    let workspace = projects.first().and_then(|first| package_files::workspace_above(&first.root));
    Ok(Generation { summary, warnings, folders, unconverted, unseen, workspace })
}

fn plan_one(
    project: &Project,
    specs: &Specs,
    folders: &mut Vec<Changes>,
) -> Result<Generated, Error> {
    let refused = |problems| specs.refused(problems);
    let Project { root, command, shared, .. } = project;
    let options =
        EmitOptions { root: "crate".to_owned(), command: command.clone(), shared: shared.clone() };
    let mut generated = generate(&specs.files, &options).map_err(refused)?;
    let of_no_use = generated.warnings.of_no_use();
    if !of_no_use.is_empty() {
        return Err(refused(of_no_use));
    }
    let whole = |folder: &str, files| {
        Changes::plan(&FolderTree::whole_or_empty(root, folder)?, &|_| true, files)
    };
    folders.push(whole(&project.code, take(&mut generated.files))?);
    let about_api = pages_about_api(project, specs)?;
    if let Some(folder) = &project.pages {
        let owned = |name: &str| PAGES.contains(&name) || is_left_over(name);
        let tree = FolderTree::whole_or_empty(root, folder)?;
        let mut pages = take(&mut generated.pages);
        if let Some(package) = &project.package {
            pages.extend(book(project, package, &tree, &pages, &about_api)?);
        }
        folders.push(Changes::plan(&tree, &owned, pages)?);
    }
    let names = generated.names.take();
    let names = Files::from_iter(names.map(|names| ("names.toml".to_owned(), names.into_bytes())));
    folders.push(Changes::plan(&specs.tree, &|name| name == "names.toml", names)?);
    if let Some(folder) = &project.reference {
        folders.push(whole(folder, about_api)?);
    }
    if let Some(name) = &project.package {
        folders.push(package(project, name, &generated.features, &generated.about)?);
    }
    Ok(generated)
}

/// The pages about the API; none if the project has no folder for them.
fn pages_about_api(project: &Project, specs: &Specs) -> Result<Files, Error> {
    if project.reference.is_none() {
        return Ok(Files::new());
    }
    let cases = recordings::cases(project, &recordings::read(project)?);
    let pages = reference::pages(&specs.files, &cases, &project.command);
    pages.map_err(|problems| specs.refused(problems))
}

/// The files that make a book of the pages in a folder, and of the pages about the API if their folder is below. A file that exists
/// without the mark of the generator is the user's, so it is not among them.
fn book(
    project: &Project,
    package: &str,
    tree: &FolderTree,
    pages: &Files,
    about_api: &Files,
) -> Result<Files, Error> {
    let mut chapters = pages.clone();
    let reference = project.reference.as_deref().map(Path::new);
    if let Some(folder) = reference.and_then(|reference| reference.strip_prefix(tree.label()).ok())
    {
        let page = |(path, page): (&String, &Vec<u8>)| {
            (format!("{}/{path}", folder.display()), page.clone())
        };
        chapters.extend(about_api.iter().map(page));
    }
    if chapters.is_empty() {
        return Ok(Files::new());
    }
    let mut files = reference::book(package, tree.label(), &chapters, &project.command);
    for name in tree.entries().keys() {
        if files.contains_key(name) && !reference::is_generated(&tree.read(name)?) {
            files.remove(name);
        }
    }
    Ok(files)
}

/// The changes of `Cargo.toml`, and the files with which a package begins.
fn package(
    project: &Project,
    name: &str,
    features: &Features,
    about: &About,
) -> Result<Changes, Error> {
    let owned = ["Cargo.toml", "README.md", "src/lib.rs", CONVERSIONS_TEST, CONVERSIONS_EXAMPLE];
    let tree = FolderTree::of_files(&project.root, &owned)?;
    let path = project.root.join("Cargo.toml");
    let now = tree.entries().get("Cargo.toml").map(|_| tree.read("Cargo.toml")).transpose()?;
    let now = now.map(String::from_utf8).transpose();
    let now = now.map_err(|error| Error::Project(path.clone(), error.to_string()))?;
    let in_workspace = package_files::workspace_above(&project.root).is_some();
    let crates = project.crates.as_ref();
    let manifest = package_files::manifest(name, features, crates, now.as_deref(), in_workspace);
    let manifest = manifest.map_err(|message| Error::Project(path, message))?;
    let mut files = Files::new();
    let is_there = |path: &str| tree.entries().contains_key(path);
    // A package with the test had the example once, and its owner may have removed it.
    if features.contains_key("conversion") && !is_there(CONVERSIONS_TEST) {
        let begin = package_files::files_of_conversions(&manifest);
        let new = begin.into_iter().filter(|(path, _)| !is_there(path));
        files.extend(new.map(|(path, text)| (path.to_owned(), text.into_bytes())));
    }
    files.insert("Cargo.toml".to_owned(), manifest.into_bytes());
    if !tree.entries().contains_key("src/lib.rs") {
        files.insert("src/lib.rs".to_owned(), package_files::library(features).into_bytes());
        // `src/lib.rs` compiles the example of this file.
        if !tree.entries().contains_key("README.md") {
            files.insert("README.md".to_owned(), package_files::readme(name, about).into_bytes());
        }
    }
    Changes::plan(&tree, &|_| false, files)
}

impl From<Generation> for Output {
    fn from(report: Generation) -> Self {
        let text = report.to_string();
        let findings: Vec<Finding> = report.warnings.iter().flat_map(errors::findings).collect();
        let unseen: Vec<&Unseen> = report.unseen.iter().flat_map(|(_, unseen)| unseen).collect();
        let json = json!({
            "summary": report.summary, "findings": findings, "changes": report.folders, "unseen": unseen,
        });
        Self { text, json }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hints = errors::Hints::default();
        for mut warning in self.warnings() {
            warning.hint = warning.hint.map(|hint| hints.once(&warning.id, &hint).into());
            write!(f, "{warning}")?;
        }
        if let Some(summary) = self.summary {
            writeln!(f, "{}", counts(summary))?;
        }
        let sum = |number: fn(&Changes) -> usize| self.folders.iter().map(number).sum::<usize>();
        let written = count(sum(|changes| changes.written.len()), "file");
        let unchanged = sum(|changes| changes.unchanged.len());
        let removed = sum(|changes| changes.removed.len());
        writeln!(f, "{written} written, {unchanged} unchanged, {removed} removed")?;
        for changes in &self.folders {
            write!(f, "{changes}")?;
        }
        for (page, unseen) in self.unseen.iter().filter(|(_, unseen)| !unseen.is_empty()) {
            writeln!(f, "what clients do not see; {page} says what their writes do:")?;
            unseen.iter().try_for_each(|unseen| writeln!(f, "  {unseen}"))?;
        }
        if !self.unconverted.is_empty() {
            let kinds = self.unconverted.join(", ");
            writeln!(
                f,
                "several versions and no conversions: {kinds}; `k8s-versioned draft` drafts rules"
            )?;
        }
        if self.folders.iter().all(Changes::is_empty) {
            return writeln!(f, "everything is up to date");
        }
        if !self.folders.iter().any(is_new) {
            return Ok(());
        }
        if let Some((manifest, member)) = &self.workspace {
            let manifest = manifest.display();
            writeln!(f, "next: add {member:?} to the `members` of {manifest}, then `cargo test`")
        } else {
            writeln!(f, "next: `cargo test`")
        }
    }
}

/// What was read and what was made, in two lines.
fn counts(summary: Summary) -> String {
    let Summary { releases, documents, versions, types, .. } = summary;
    let Summary { fields, operations, conversions, .. } = summary;
    let read =
        [count(releases, "release"), count(documents, "document"), count(versions, "API version")];
    let made = [
        count(types, "type"),
        count(fields, "field"),
        count(operations, "operation"),
        count(conversions, "conversion"),
    ];
    format!("{}\n{}", read.join(", "), made.join(", "))
}

/// Returns `true` if a folder had neither a manifest nor code before. The program of a template has its manifest before its code.
fn is_new(changes: &Changes) -> bool {
    let is_new = |name| changes.written.get(name).is_some_and(|written| written.before.is_none());
    ["Cargo.toml", "mod.rs"].into_iter().any(is_new)
}

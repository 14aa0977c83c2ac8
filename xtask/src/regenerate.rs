//! `cargo xtask regenerate`: writes the generated code and pages from `specs`.

use std::fmt;
use std::path::Path;

use k8s_versioned_codegen::{
    Files, Options, PAGES, Summary, generate, recordings, reference, rules,
};

use crate::changes::{Changes, is_left_over};
use crate::error::Source;
use crate::specs::{SHARED_FOLDER as SHARED_SPECS, Specs};
use crate::tree::Tree;
use crate::{Error, fixtures};

/// The folder of the generated code of the group, relative to the root. It holds no other files.
pub const FOLDER: &str = "crates/k8s-coordination/src/generated";

/// The folder of the generated code that all groups share, as [`FOLDER`].
pub const SHARED_FOLDER: &str = "crates/k8s-versioned/src/generated";

/// The crate of [`SHARED_FOLDER`], as the rules of the group name it.
pub const SHARED_CRATE: &str = "k8s_versioned";

/// The folder of the generated pages, relative to the root. It holds other pages, too.
pub const PAGES_FOLDER: &str = "docs";

/// The folder of the pages about the API, relative to the root. It holds no other files.
pub const REFERENCE_FOLDER: &str = "docs/reference";

/// The command that brings the generated code up to date.
pub const COMMAND: &str = "cargo xtask regenerate";

/// The result of a generation, and its changes.
#[derive(Debug)]
pub struct Report {
    summary: Summary,
    folders: [Changes; 4],
}

/// Brings the generated code of the workspace at `root` up to date.
///
/// # Errors
/// Files cannot be read or written, or the specs have problems. Nothing has been written
/// then, unless a write failed.
pub fn run(root: &Path) -> Result<Report, Error> {
    let report = plan(root)?;
    for changes in &report.folders {
        changes.apply()?;
    }
    Ok(report)
}

/// Compares the generated code of the workspace at `root` with the output of the generator. Writes no
/// file.
///
/// # Errors
/// Files cannot be read, the specs have problems; [`Error::Stale`] when the generated code is
/// not up to date, and [`Error::Recordings`] when a release has no recordings.
pub fn check(root: &Path) -> Result<Report, Error> {
    let report = plan(root)?;
    if !report.folders.iter().all(Changes::is_empty) {
        return Err(Error::Stale(report.folders.into()));
    }
    fixtures::check(root, &Specs::read(root)?.files)?;
    Ok(report)
}

fn plan(root: &Path) -> Result<Report, Error> {
    let specs = Specs::read(root)?.files;
    let options = Options { root: "crate".to_owned(), command: COMMAND.to_owned(), shared: None };
    let generated = match generate(&specs, &options) {
        Ok(generated) => generated,
        Err(problems) => return Err(Error::refused(problems, vec![Source::specs(specs)])),
    };
    let shared = shared(root, options)?;
    let whole =
        |folder, files| Changes::plan(&Tree::whole_or_empty(root, folder)?, |_| true, files);
    let code = whole(FOLDER, generated.files)?;
    let shared = whole(SHARED_FOLDER, shared)?;
    let reference = whole(REFERENCE_FOLDER, reference_pages(root, &specs)?)?;
    let tree = Tree::whole_or_empty(root, PAGES_FOLDER)?;
    let owned = |name: &str| PAGES.contains(&name) || is_left_over(name);
    let pages = Changes::plan(&tree, owned, generated.pages)?;
    Ok(Report { summary: generated.summary, folders: [code, shared, pages, reference] })
}

/// The types that all groups share; none in a workspace without their specs.
fn shared(root: &Path, options: Options) -> Result<Files, Error> {
    let specs = Specs::read_shared(root)?.files;
    if specs.is_empty() {
        return Ok(Files::new());
    }
    let options = Options { shared: Some(SHARED_CRATE.to_owned()), ..options };
    match generate(&specs, &options) {
        Ok(generated) => Ok(generated.files),
        Err(problems) => {
            let shown = SHARED_SPECS.to_owned();
            Err(Error::refused(problems, vec![Source { shown, files: specs }]))
        }
    }
}

/// The pages about the API, with links to the recordings.
fn reference_pages(root: &Path, specs: &Files) -> Result<Files, Error> {
    let refused = |problems| Error::refused(problems, vec![Source::specs(specs.clone())]);
    let group = rules::read_group(specs).map_err(refused)?;
    let files = fixtures::read(root, |_| true)?;
    let recordings = recordings::read(group.group(), &files);
    reference::pages(specs, &recordings, COMMAND).map_err(refused)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { releases, documents, versions, types, fields, operations, conversions } =
            self.summary;
        writeln!(f, "releases {releases}, documents {documents}, API versions {versions}")?;
        writeln!(
            f,
            "types {types}, fields {fields}, operations {operations}, conversions {conversions}"
        )?;
        let count = |of: fn(&Changes) -> usize| self.folders.iter().map(of).sum::<usize>();
        let unchanged = count(|changes| changes.unchanged);
        let written = count(|changes| changes.written.len());
        let removed = count(|changes| changes.removed.len());
        writeln!(f, "files unchanged {unchanged}, written {written}, removed {removed}")?;
        for changes in &self.folders {
            write!(f, "{changes}")?;
        }
        if self.folders.iter().all(Changes::is_empty) {
            writeln!(f, "everything is up to date")
        } else {
            Ok(())
        }
    }
}

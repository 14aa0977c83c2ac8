//! Vendors the documents of a release in the folder of the specs.

use std::fmt;
use std::path::Path;

use k8s_versioned_codegen::diff::report::Format;
use k8s_versioned_codegen::import::import;
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::{Files, manifest};
use k8s_versioned_names::Release;

use crate::changes::{Changes, is_left_over};
use crate::diff;
use crate::error::Source;
use crate::specs::{Specs, is_spec};
use crate::tree::Tree;
use crate::{Error, Project};

/// The result of an import.
#[derive(Debug)]
pub struct Report {
    release: Release,
    /// The number of documents of the release.
    documents: usize,
    changes: Changes,
    /// The changes of the release.
    news: Option<String>,
    /// The command to run next.
    next: String,
}

/// Imports a release's documents into a project.
///
/// # Errors
/// Files cannot be read or written, or the documents have problems. Nothing has been
/// written then, unless a write failed.
pub fn run(
    project: &Project,
    release: Release,
    source: SourceKind,
    from: Source,
) -> Result<Report, Error> {
    let specs = Specs::read(project)?;
    let wanted = match import(&specs.files, release, source, &from.files) {
        Ok(wanted) => wanted,
        Err(problems) => {
            return Err(Error::refused(problems, vec![from, Source::specs(project, specs.files)]));
        }
    };
    let folder = folder(release);
    let documents = wanted.keys().filter(|name| name.starts_with(&folder)).count();
    let news = news(project, &wanted, release)?;
    let changes = Changes::plan(&specs.tree, |name| is_spec(name) || is_left_over(name), wanted)?;
    changes.apply()?;
    Ok(Report { release, documents, changes, news, next: project.command.clone() })
}

/// The changes of the release, if `specs` has the release before it.
fn news(project: &Project, specs: &Files, release: Release) -> Result<Option<String>, Error> {
    let listed = manifest::read(specs).map(|manifest| manifest.documents);
    let mut releases = listed.iter().flatten().map(|entry| entry.release);
    let Some(before) = releases.find(|before| before.next() == release) else {
        return Ok(None);
    };
    Ok(Some(diff::report(project, specs, before.into(), release.into())?.write(Format::Text)))
}

/// Reads the documents of all groups in upstream's folder. The generator selects those that it needs.
///
/// # Errors
/// The folder cannot be read, or has no documents.
pub fn read_documents(folder: &Path) -> Result<Source, Error> {
    let tree = Tree::top(folder)?;
    let files = tree.read_all(is_document)?;
    if files.is_empty() {
        return Err(Error::NoDocuments(folder.to_path_buf()));
    }
    Ok(Source { shown: tree.shown().to_owned(), files })
}

/// Tells if a file has the name of a document of an API group or version.
fn is_document(name: &str) -> bool {
    name.starts_with("apis__") && Path::new(name).extension().is_some_and(|found| found == "json")
}

/// The prefix of the names of a release's documents.
fn folder(release: Release) -> String {
    format!("{release}/")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { release, documents, changes, news, next } = self;
        if changes.is_empty() {
            return writeln!(f, "{release} is already imported: nothing changed");
        }
        let folder = folder(*release);
        let written = changes.written.keys().filter(|name| name.starts_with(&folder)).count();
        let removed = changes.removed.keys().filter(|name| name.starts_with(&folder)).count();
        let unchanged = documents - written;
        writeln!(
            f,
            "{release}: documents written {written}, unchanged {unchanged}, removed {removed}"
        )?;
        write!(f, "{changes}")?;
        if let Some(news) = news {
            write!(f, "\n{news}\n")?;
        }
        writeln!(f, "next: `{next}`")
    }
}

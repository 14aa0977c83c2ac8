//! `cargo xtask import`: vendors the documents of a release under `specs`.

use std::fmt;
use std::path::Path;

use k8s_versioned_codegen::diff::report::Format;
use k8s_versioned_codegen::import::{import, import_shared};
use k8s_versioned_codegen::{Files, diff, manifest};
use k8s_versioned_names::Release;

use crate::args::ImportArgs;
use crate::changes::{Changes, is_left_over};
use crate::diff::findings;
use crate::error::Source;
use crate::specs::{SHARED_FOLDER, Specs, is_spec};
use crate::tree::Tree;
use crate::{Error, regenerate};

/// The result of an import.
#[derive(Debug)]
pub struct Report {
    release: Release,
    /// The number of documents of the release.
    documents: usize,
    changes: Changes,
    /// The changes of the types that all groups share.
    shared: Option<Changes>,
    /// The changes of the release.
    news: Option<String>,
}

/// Imports a release's documents into the workspace at `root`.
///
/// # Errors
/// Files cannot be read or written, or the documents have problems. Nothing has been
/// written then, unless a write failed.
pub fn run(root: &Path, args: &ImportArgs) -> Result<Report, Error> {
    let specs = Specs::read(root)?;
    let from = read_documents(&args.from)?;
    let wanted = match import(&specs.files, args.release, args.source, &from.files) {
        Ok(wanted) => wanted,
        Err(problems) => {
            return Err(Error::refused(problems, vec![from, Source::specs(specs.files)]));
        }
    };
    let folder = folder(args.release);
    let documents = wanted.keys().filter(|name| name.starts_with(&folder)).count();
    let news = news(root, &wanted, args.release)?;
    let shared = shared(root, args, &from)?;
    let owned = |name: &str| is_spec(name) || is_left_over(name);
    let changes = Changes::plan(&specs.tree, owned, wanted)?;
    changes.apply()?;
    if let Some(shared) = &shared {
        shared.apply()?;
    }
    Ok(Report { release: args.release, documents, changes, shared, news })
}

/// The changes of the specs of the types that all groups share; none in a workspace without them.
fn shared(root: &Path, args: &ImportArgs, from: &Source) -> Result<Option<Changes>, Error> {
    let specs = Specs::read_shared(root)?;
    if specs.files.is_empty() {
        return Ok(None);
    }
    match import_shared(&specs.files, args.release, args.source, &from.files) {
        Ok(wanted) => {
            let owned = |name: &str| is_spec(name) || is_left_over(name);
            Changes::plan(&specs.tree, owned, wanted).map(Some)
        }
        Err(problems) => {
            let (shown, files) = (SHARED_FOLDER.to_owned(), specs.files);
            let from = Source { shown: from.shown.clone(), files: from.files.clone() };
            Err(Error::refused(problems, vec![from, Source { shown, files }]))
        }
    }
}

/// The changes of the release, if `specs` has the release before it.
fn news(root: &Path, specs: &Files, release: Release) -> Result<Option<String>, Error> {
    let listed = manifest::read(specs).map(|manifest| manifest.documents);
    let mut releases = listed.iter().flatten().map(|entry| entry.release);
    let Some(before) = releases.find(|before| before.next() == release) else {
        return Ok(None);
    };
    let (old, new) = (before.into(), release.into());
    let report = diff::report::Report::of(old, new, findings(root, specs, old, new)?);
    Ok(Some(report.write(Format::Text, specs)))
}

/// Reads the documents of all groups in upstream's folder. The generator selects those that it needs.
fn read_documents(folder: &Path) -> Result<Source, Error> {
    let tree = Tree::top(folder)?;
    let files = tree.read_all(is_document)?;
    if files.is_empty() {
        return Err(Error::NoDocuments(folder.to_path_buf()));
    }
    Ok(Source { shown: tree.shown().to_owned(), files })
}

/// Tells if a file has the name of a document of an API group or version.
fn is_document(name: &str) -> bool {
    name.starts_with("api") && Path::new(name).extension().is_some_and(|found| found == "json")
}

/// The prefix of the names of a release's documents.
fn folder(release: Release) -> String {
    format!("{release}/")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { release, documents, changes, shared, news } = self;
        if changes.is_empty() && shared.as_ref().is_none_or(Changes::is_empty) {
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
        if let Some(shared) = shared {
            write!(f, "{shared}")?;
        }
        if let Some(news) = news {
            write!(f, "\n{news}\n")?;
        }
        writeln!(f, "next: `{}`", regenerate::COMMAND)
    }
}

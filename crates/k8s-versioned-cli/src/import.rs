//! Vendors the documents of a release in the folder of the specs.

use std::fmt;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::crd::Origins;
use k8s_versioned_codegen::diff::report::{Comparison, Format};
use k8s_versioned_codegen::import::{import, import_shared};
use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::{Files, crd, is_spec, manifest, rules};
use k8s_versioned_names::{Form, Release};
use serde_json::json;

use crate::changes::{Changes, is_left_over};
use crate::diff;
use crate::error::Source;
use crate::output::Output;
use crate::specs::Specs;
use crate::tree::Tree;
use crate::{Error, Project};

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    release: Release,
    /// The number of documents of the release, in all projects.
    documents: usize,
    /// The changes by project.
    changes: Vec<Changes>,
    /// The changes of the release: of the first project, and of each other one that has more.
    news: Vec<Comparison>,
    /// Resources of definitions that were there, and that this release lacks.
    absent: Vec<String>,
    /// The command to run next.
    next: String,
}

/// Imports a release's documents into a project, and the documents of shared types into others. `from` has the documents,
/// and the places in definitions from which they were made.
///
/// # Errors
/// Files cannot be read or written, or the documents have problems. Nothing has been
/// written then, unless a write failed.
pub fn run(
    project: &Project,
    others: &[Project],
    release: Release,
    source: SourceKind,
    from: (&Source, &Origins),
) -> Result<Imported, Error> {
    let before = Specs::read(project)?.files;
    check_form(&before, release)?;
    let (changes, wanted) = plan(project, release, source, from)?;
    let folder = folder(release);
    let count = |wanted: &Files| wanted.keys().filter(|name| name.starts_with(&folder)).count();
    let mut documents = count(&wanted);
    let mut all_news = Vec::new();
    add_news(&mut all_news, news(project, &wanted, release)?);
    let of_definitions = source == SourceKind::Definitions;
    let absent = if of_definitions { absent(&before, &wanted, release) } else { Vec::new() };
    let mut all = vec![changes];
    for other in others.iter().filter(|other| other.root.join(&other.specs).is_dir()) {
        let (changes, wanted) = plan(other, release, source, from)?;
        documents += count(&wanted);
        if other.shared.is_none() {
            add_news(&mut all_news, news(other, &wanted, release)?);
        }
        all.push(changes);
    }
    for changes in &all {
        changes.apply()?;
    }
    Ok(Imported {
        release,
        documents,
        changes: all,
        news: all_news,
        absent,
        next: project.command.clone(),
    })
}

/// Refuses a release of another form than the others: by its numbers it would come before or after all of them.
fn check_form(specs: &Files, release: Release) -> Result<(), Error> {
    let other = releases(specs).find(|it| it.form() != release.form());
    // Problems of the file are reported when the rules are read.
    let product = rules::read_group(specs).ok().and_then(|group| group.product);
    let message = match (other, product) {
        (Some(other), _) => {
            format!("this package names releases like {other}: write {release} in that form")
        }
        (None, Some(product))
            if release.form() == Form::Minor && releases(specs).next().is_none() =>
        {
            format!(
                "`{release}` is the form of releases of Kubernetes: for {product} write a version such as `1.15.0`, or \
                 a date such as `2026-01-31`"
            )
        }
        _ => return Ok(()),
    };
    Err(Error::Refusal(message))
}

/// The releases that have documents.
fn releases(specs: &Files) -> impl Iterator<Item = Release> {
    let documents = manifest::read(specs).map(|manifest| manifest.documents);
    documents.unwrap_or_default().into_iter().map(|entry| entry.release)
}

/// The resources that the documents had before, in this release or the one before it, and that this release lacks.
fn absent(before: &Files, wanted: &Files, release: Release) -> Vec<String> {
    let Some(last) = releases(before).filter(|last| *last <= release).max() else {
        return Vec::new();
    };
    let of = |files: &Files, release| {
        let folder = folder(release);
        let documents = files.iter().filter(|(name, _)| name.starts_with(&folder));
        documents.map(|(name, text)| (name.clone(), text.clone())).collect::<Files>()
    };
    let (before_it, it) = (of(before, last), of(wanted, release));
    let absent = before.keys().filter(|path| is_served(&before_it, path) && !is_served(&it, path));
    absent.filter_map(|path| definition(path)).map(str::to_owned).collect()
}

/// The name in the path of a definition.
fn definition(path: &str) -> Option<&str> {
    path.strip_prefix(crd::FOLDER)?.strip_suffix(".yaml")
}

/// The changes of the specs of a project, and the files as they are then.
fn plan(
    project: &Project,
    release: Release,
    source: SourceKind,
    (from, origins): (&Source, &Origins),
) -> Result<(Changes, Files), Error> {
    let specs = Specs::read(project)?;
    let wanted = match project.shared {
        Some(_) => import_shared(&specs.files, release, source, &from.files),
        None => import(&specs.files, release, source, &from.files, origins),
    };
    let mut wanted = wanted.map_err(|problems| {
        let specs = Source::specs(project, specs.files.clone());
        Error::refused(problems, vec![from.clone(), specs])
    })?;
    let owned = |name: &str| is_spec(name) || is_left_over(name);
    let documents = manifest::read(&wanted).map(|manifest| manifest.documents);
    if documents.iter().flatten().all(|entry| entry.release <= release) {
        let definitions = from.files.iter().filter(|(path, _)| path.starts_with(crd::FOLDER));
        wanted.extend(definitions.map(|(path, text)| (path.clone(), text.clone())));
    }
    let gone = |path: &str| is_served(&specs.files, path) && !is_served(&wanted, path);
    let gone: Vec<String> = wanted.keys().filter(|path| gone(path)).cloned().collect();
    wanted.retain(|path, _| !gone.contains(path));
    Ok((Changes::plan(&specs.tree, owned, wanted.clone())?, wanted))
}

/// Returns `true` if a file is a definition whose resource a document has: one of its paths ends with the plural.
fn is_served(documents: &Files, path: &str) -> bool {
    let Some((plural, group)) = definition(path).and_then(|name| name.split_once('.')) else {
        return false;
    };
    let (file, path) = (format!("/apis__{group}__"), format!("/{plural}\""));
    documents
        .iter()
        .any(|(name, text)| name.contains(&file) && String::from_utf8_lossy(text).contains(&path))
}

/// The changes of the release, if `specs` has the release before it.
fn news(project: &Project, specs: &Files, release: Release) -> Result<Option<Comparison>, Error> {
    let Some(before) = releases(specs).filter(|before| *before < release).max() else {
        return Ok(None);
    };
    diff::report(project, specs, before.into(), release.into()).map(Some)
}

/// Adds the changes that the projects before do not have. They have the changes of shared types.
fn add_news(all: &mut Vec<Comparison>, more: Option<Comparison>) {
    let Some(mut more) = more else {
        return;
    };
    let known = all.iter().flat_map(|news| &news.findings);
    more.findings.retain(|finding| !known.clone().any(|known| known.is_same(finding)));
    if all.is_empty() || !more.findings.is_empty() {
        all.push(more);
    }
}

/// The documents of a release in `folder`, and the files `generated.proto` that have its field numbers of protobuf.
///
/// # Errors
/// The errors of [`read_documents`]; a file cannot be read.
pub fn read_release(folder: &Path, proto: &[PathBuf]) -> Result<Source, Error> {
    let mut from = read_documents(folder)?;
    for path in proto {
        let text = std::fs::read(path).map_err(Error::io("read", path))?;
        from.files.insert(path.to_string_lossy().into_owned(), text);
    }
    Ok(from)
}

/// Reads the documents of all groups in upstream's folder. The generator selects those that it needs.
///
/// # Errors
/// The folder cannot be read, or has no documents.
pub fn read_documents(folder: &Path) -> Result<Source, Error> {
    let tree = Tree::outside(folder, 1)?;
    let files = tree.read_all(is_document)?;
    if files.is_empty() {
        return Err(Error::NoDocuments(folder.to_path_buf()));
    }
    Ok(Source { shown: tree.shown().to_owned(), files })
}

/// Returns `true` if a file has the name of a document of an API group or version.
fn is_document(name: &str) -> bool {
    name.starts_with("api") && Path::new(name).extension().is_some_and(|found| found == "json")
}

/// The prefix of the names of a release's documents.
fn folder(release: Release) -> String {
    format!("{release}/")
}

impl From<Imported> for Output {
    fn from(report: Imported) -> Self {
        let text = report.to_string();
        let Imported { release, documents, changes, news, absent, .. } = report;
        let diff = news.first();
        let json = json!({ "release": release, "documents": documents, "changes": changes, "diff": diff, "absent": absent });
        Self { text, json }
    }
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { release, documents, changes, news, absent, next } = self;
        if changes.iter().all(Changes::is_empty) {
            return writeln!(f, "{release} is already imported: nothing changed");
        }
        let folder = folder(*release);
        let of_release = |name: &&String| name.starts_with(&folder);
        let written = changes.iter().flat_map(|it| it.written.keys()).filter(of_release).count();
        let removed = changes.iter().flat_map(|it| it.removed.keys()).filter(of_release).count();
        let unchanged = documents - written;
        writeln!(
            f,
            "{release}: documents written {written}, unchanged {unchanged}, removed {removed}"
        )?;
        changes.iter().try_for_each(|changes| write!(f, "{changes}"))?;
        for news in news {
            write!(f, "\n{}", news.write(Format::Text))?;
        }
        if !news.is_empty() {
            writeln!(f)?;
        }
        for name in absent {
            writeln!(
                f,
                "warning: {release} lacks `{name}`, which was there before\n  hint: if it was forgotten, fetch the release again \
                 with the files of all definitions; `groups` in `specs/group.toml` leaves out the other groups"
            )?;
        }
        writeln!(f, "next: `{next}`")
    }
}

//! Vendors the documents of a release in the folder of the specs.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::tools::diff::comparison::Comparison;
use k8s_versioned_codegen::tools::diff::not_generated;
use k8s_versioned_codegen::tools::import::{Import, import, import_definitions, import_shared};
use k8s_versioned_codegen::{Files, crd, is_spec, read_group};
use k8s_versioned_core::{Release, ReleaseForm};
use k8s_versioned_terminal::input::DocumentSyntax;
use k8s_versioned_terminal::temporary::is_left_over;
use serde_json::Value;

use crate::commands::diff;
use crate::commands::fetch::imported::Imported;
use crate::error::SourceFolder;
use crate::project::changes::Changes;
use crate::project::specs::Specs;
use crate::project::tree::FolderTree;
use crate::text::line_diff;
use crate::{Error, Project, project};

/// What a release is imported from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// Documents of a release and of this kind of source, and files with field numbers.
    Documents(Release, SourceKind, &'a SourceFolder),
    /// Files of CustomResourceDefinitions, of a release or of none.
    Definitions(Option<Release>, &'a SourceFolder),
}

impl Origin<'_> {
    fn release(self) -> Option<Release> {
        match self {
            Self::Documents(release, ..) => Some(release),
            Self::Definitions(release, _) => release,
        }
    }
}

/// Imports a release into a project, and the documents of shared types into others. Definitions need no release before the
/// second edition.
///
/// # Errors
/// Files cannot be read or written, or the documents have problems; they are another edition, and one of the two has no release.
/// Nothing has been written then, unless a write failed.
pub fn run(project: &Project, others: &[Project], from: Origin<'_>) -> Result<Imported, Error> {
    let release = from.release();
    let _locks = project::lock(std::iter::once(project).chain(others))?;
    let before = Specs::read(project)?.files;
    check_release(&before, release)?;
    let (changes, Import { specs: wanted, mut without_type, replaced, left_out }) =
        plan(project, from)?;
    if release.is_none() && changes.written.values().any(|write| write.before.is_some()) {
        return Err(second_release(&before));
    }
    let mut replaced = Vec::from_iter(replaced);
    let count = |wanted: &Files| wanted.keys().filter(|name| belongs_to(name, release)).count();
    let mut documents = count(&wanted);
    let mut all_news = Vec::new();
    add_news(&mut all_news, news(project, &wanted, release)?);
    let absent = match from {
        Origin::Definitions(Some(release), _) => absent(&before, &wanted, release),
        _ => Vec::new(),
    };
    let mut all = vec![changes];
    for other in others.iter().filter(|other| other.root.join(&other.specs).is_dir()) {
        let (changes, imported) = plan(other, from)?;
        let (wanted, of_other) = (imported.specs, imported.without_type);
        replaced.extend(imported.replaced);
        // A message of another group's package has its type there.
        without_type.retain(|name| other.shared.is_some() || of_other.contains(name));
        documents += count(&wanted);
        if other.shared.is_none() {
            add_news(&mut all_news, news(other, &wanted, release)?);
        }
        all.push(changes);
    }
    Changes::apply_all(&all)?;
    let is_document = |name: &&String| belongs_to(name, release);
    let written = all.iter().flat_map(|changes| changes.written.keys()).filter(is_document);
    let removed = all.iter().flat_map(|changes| changes.removed.keys()).filter(is_document);
    Ok(Imported {
        release,
        documents,
        written: written.count(),
        removed: removed.count(),
        changes: all,
        news: all_news,
        absent,
        without_type,
        left_out,
        differences: (!replaced.is_empty()).then(|| differences(&replaced)),
        next: project.command.clone(),
    })
}

/// The lines of outlines that differ.
fn differences(replaced: &[(String, String)]) -> Vec<String> {
    replaced.iter().flat_map(|(before, after)| line_diff::changed(before, after)).collect()
}

/// Refuses a mixture of definitions of a release and definitions of no release.
fn check_release(specs: &Files, release: Option<Release>) -> Result<(), Error> {
    let known = releases(specs);
    match release {
        Some(_) if specs.keys().any(|name| belongs_to(name, None)) => Err(second_release(specs)),
        Some(release) => check_form(specs, release),
        None => match known.last() {
            Some(last) if !specs.keys().any(|name| belongs_to(name, None)) => {
                let message = format!(
                    "name the release of the definitions with `--release`: this package has {last}"
                );
                Err(Error::Usage(message))
            }
            _ => Ok(()),
        },
    }
}

/// The error about definitions of no release, of which there is another edition.
fn second_release(specs: &Files) -> Error {
    let mut files = specs.keys().filter(|name| belongs_to(name, None));
    let file = match (files.next(), files.next()) {
        (Some(only), None) => only.as_str(),
        _ => "*.yaml",
    };
    Error::Usage(format!(
        "this package has definitions of no release, and beside others they need one: move those that are there into the folder of \
         their release, such as `mkdir specs/1.0.0 && mv specs/{file} specs/1.0.0/`, and fetch these again with their own `--release`"
    ))
}

/// Returns `true` if a file of `specs` is a document or a definition of a release, or for `None` a definition of no release.
fn belongs_to(name: &str, release: Option<Release>) -> bool {
    let Some(release) = release else {
        let of_release = name.split('/').next().is_some_and(|name| name.parse::<Release>().is_ok());
        return crd::is_manifest(name) && !name.starts_with(crd::FOLDER) && !of_release;
    };
    name.starts_with(&folder(release))
}

/// Refuses a release of another form than the others: by its numbers it would come before or after all of them.
fn check_form(specs: &Files, release: Release) -> Result<(), Error> {
    let known = releases(specs);
    let other = known.iter().find(|known| known.form() != release.form());
    // Problems of the file are reported when the rules are read.
    let product = read_group(specs).ok().and_then(|group| group.product);
    let message = match (other, product) {
        (Some(other), _) => {
            format!("this package names releases like {other}: write {release} in that form")
        }
        (None, Some(product)) if release.form() == ReleaseForm::Minor && known.is_empty() => {
            format!(
                "`{release}` is the form of releases of Kubernetes: for {product} write a version such as `1.15.0`, or \
                 a date such as `2026-01-31`"
            )
        }
        _ => return Ok(()),
    };
    Err(Error::Refusal(message))
}

/// The releases that have documents or definitions.
fn releases(specs: &Files) -> BTreeSet<Release> {
    k8s_versioned_codegen::releases(specs).unwrap_or_default()
}

/// The definitions of this release or the one before it that the new files of the release lack.
fn absent(before: &Files, wanted: &Files, release: Release) -> Vec<String> {
    let definitions = |files: &Files, release| -> BTreeSet<String> {
        let folder = folder(release);
        let names =
            files.keys().filter_map(|path| path.strip_prefix(&folder)?.strip_suffix(".yaml"));
        names.map(str::to_owned).collect()
    };
    let Some(last) = releases(before).range(..=release).next_back().copied() else {
        return Vec::new();
    };
    let wanted = definitions(wanted, release);
    definitions(before, last).into_iter().filter(|name| !wanted.contains(name)).collect()
}

/// The changes of the specs of a project, and the specs as they are then.
fn plan(project: &Project, from: Origin<'_>) -> Result<(Changes, Import), Error> {
    let specs = Specs::read(project)?;
    let (Origin::Documents(.., source) | Origin::Definitions(_, source)) = from;
    let wanted = match (from, &project.shared) {
        (Origin::Documents(release, kind, _), Some(_)) => {
            import_shared(&specs.files, release, kind, &source.files)
        }
        (Origin::Documents(release, kind, _), None) => {
            import(&specs.files, release, kind, &source.files)
        }
        (Origin::Definitions(release, _), _) => {
            let yaml = |value: &Value| DocumentSyntax::Yaml.text(value).unwrap_or_default();
            let specs = import_definitions(&specs.files, release, &source.files, yaml);
            let (without_type, left_out) = (BTreeSet::new(), BTreeSet::new());
            specs.map(|specs| Import { specs, without_type, replaced: None, left_out })
        }
    };
    let imported = wanted.map_err(|problems| {
        let specs = SourceFolder::specs(project, specs.files.clone());
        Error::refused(problems, vec![source.clone(), specs])
    })?;
    let owned = |name: &str| is_spec(name) || is_left_over(name);
    Ok((Changes::plan(&specs.tree, &owned, imported.specs.clone())?, imported))
}

/// The changes of the release, if `specs` has the release before it; the changes to the release after it if no package can have both.
fn news(
    project: &Project,
    specs: &Files,
    release: Option<Release>,
) -> Result<Option<Comparison>, Error> {
    let Some(release) = release else { return Ok(None) };
    let releases = releases(specs);
    let after = releases.range((Bound::Excluded(release), Bound::Unbounded)).next();
    let (old, new, refused) = match (releases.range(..release).next_back(), after) {
        (Some(before), _) => (*before, release, not_generated(specs, release)),
        (None, Some(after)) => match not_generated(specs, *after) {
            None => return Ok(None),
            refused => (release, *after, refused),
        },
        (None, None) => return Ok(None),
    };
    let mut report = diff::report(project, specs, old.into(), new.into())?;
    report.findings.extend(refused);
    Ok(Some(report))
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

/// The folder of the documents in a checkout of Kubernetes.
const DOCUMENTS: &str = "api/openapi-spec/v3";

/// The folders in a checkout of Kubernetes whose packages have a `generated.proto`.
const MESSAGES: [&str; 4] = [
    "staging/src/k8s.io/api",
    "staging/src/k8s.io/apimachinery/pkg",
    "staging/src/k8s.io/apiextensions-apiserver/pkg/apis",
    "staging/src/k8s.io/kube-aggregator/pkg/apis",
];

/// The files with the field numbers of protobuf, and the Go types.
const SOURCES: [&str; 3] = ["generated.proto", "types.go", "types_jsonschema.go"];

/// The documents of a release in `folder`, which is a checkout of Kubernetes or has the documents itself. A checkout also has
/// the facts about protobuf; `proto` are more files with field numbers.
///
/// # Errors
/// The errors of [`read_documents`]; a file cannot be read.
pub fn read_release(folder: &Path, proto: &[PathBuf]) -> Result<SourceFolder, Error> {
    let documents = folder.join(DOCUMENTS);
    let is_checkout = documents.is_dir();
    let mut from = read_documents(if is_checkout { &documents } else { folder })?;
    for root in MESSAGES.iter().filter(|root| is_checkout && folder.join(root).is_dir()) {
        let tree = FolderTree::outside(&folder.join(root), usize::MAX)?;
        let is_source =
            |name: &str| SOURCES.iter().any(|source| name.rsplit('/').next() == Some(source));
        // Seen from the folder of the documents.
        let files = tree.read_all(is_source)?.into_iter();
        from.files.extend(files.map(|(name, text)| (format!("../../../{root}/{name}"), text)));
    }
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
pub fn read_documents(folder: &Path) -> Result<SourceFolder, Error> {
    let tree = FolderTree::outside(folder, 1)?;
    let files = tree.read_all(is_document)?;
    if files.is_empty() {
        return Err(Error::NoDocuments(folder.to_path_buf()));
    }
    Ok(SourceFolder { label: tree.label().to_owned(), files })
}

/// Returns `true` if a file has the name of a document of an API group or version.
fn is_document(name: &str) -> bool {
    name.starts_with("api")
        && Path::new(name).extension().is_some_and(|extension| extension == "json")
}

/// The prefix of the names of a release's documents.
fn folder(release: Release) -> String {
    format!("{release}/")
}

//! The manifest lists the vendored documents and their sources.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use k8s_versioned_core::{Release, ReleaseForm};
use serde::{Deserialize, Serialize};

use crate::gather::Gather;
use crate::problem::{ManifestCause, Place};
use crate::spec::DocumentName;
use crate::text::has_extension;
use crate::{Files, Problems};

/// The manifest's path under `specs/`.
pub const PATH: &str = "manifest.toml";

/// The content of `manifest.toml`: the documents and their checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// One entry per document, in the order of release and name.
    #[serde(default, rename = "document")]
    pub(crate) documents: Vec<ManifestEntry>,
}

/// One vendored document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct ManifestEntry {
    /// The release that it describes.
    pub(crate) release: Release,
    /// Where the document comes from.
    pub(crate) source: SourceKind,
    /// Its file name, the same as upstream's.
    #[serde(rename = "file")]
    pub(crate) name: DocumentName,
    /// SHA-256 of upstream's document.
    pub(crate) source_sha256: String,
    /// SHA-256 of the vendored document.
    pub(crate) sha256: String,
}

/// The origin of a document. The documents of a cluster lack what its feature gates switch off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// The release's source tree, `api/openapi-spec/v3`.
    SourceTree,
    /// The source tree of a fork, whose documents can differ from upstream's.
    Fork,
    /// Documents that were reconstructed from other facts of the release, because upstream's are not at hand.
    Reconstructed,
    /// A running cluster; only for a release whose source tree has no documents.
    Cluster,
}

impl SourceKind {
    /// The name of the source, as the manifest has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SourceTree => "source-tree",
            Self::Fork => "fork",
            Self::Reconstructed => "reconstructed",
            Self::Cluster => "cluster",
        }
    }

    /// The text of pages about documents that are not upstream's; `None` for upstream's, and for definitions.
    pub(crate) fn remark(self) -> Option<&'static str> {
        match self {
            Self::SourceTree => None,
            Self::Fork => {
                Some("are from the source tree of a fork, and can differ from upstream's")
            }
            Self::Reconstructed => Some(
                "are reconstructed from other facts of the release. An import of upstream's documents replaces them, \
                 and shows the differences",
            ),
            Self::Cluster => Some("are from a cluster, and lack what its feature gates switch off"),
        }
    }
}

impl ManifestEntry {
    /// The document's path under `specs/`.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.release, self.name)
    }

    /// The order of a manifest: by release and name.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        (self.release, &self.name).cmp(&(other.release, &other.name))
    }
}

/// The sources of the documents of each release.
///
/// # Errors
/// The first mistake in the text of the manifest.
pub fn sources(specs: &Files) -> Result<BTreeMap<Release, BTreeSet<SourceKind>>, Problems> {
    let mut sources: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for entry in read(specs)?.documents {
        sources.entry(entry.release).or_default().insert(entry.source);
    }
    Ok(sources)
}

/// Reads the manifest. A missing file is an empty manifest.
///
/// # Errors
/// The first mistake in its text.
pub(crate) fn read(specs: &Files) -> Result<Manifest, Problems> {
    let Some(bytes) = specs.get(PATH) else {
        return Ok(Manifest::default());
    };
    let mut manifest: Manifest = super::toml_file::parse_toml(PATH, bytes)?;
    // To later stages the last document of a type is the newest.
    manifest.documents.sort_by(ManifestEntry::order);
    Ok(manifest)
}

/// The text of a manifest.
pub(crate) fn write(manifest: &Manifest) -> String {
    // TOML can hold every value of this type.
    let body = toml::to_string(manifest).unwrap_or_default();
    format!(
        "# Written by the command that imports documents: the vendored documents and their sources.\n\n{body}"
    )
}

/// Reads the manifest and compares it with the documents. `definitions` are the releases that definitions are of.
///
/// # Errors
/// Documents that are missing, surplus or edited; releases that are missing or incomplete.
pub(crate) fn verify(
    specs: &Files,
    product: Option<&str>,
    definitions: &BTreeSet<Release>,
) -> Result<Manifest, Problems> {
    let mut problems = Problems::new();
    let manifest = if specs.contains_key(PATH) {
        listed(specs, &mut problems)?
    } else {
        Manifest { documents: entries(specs, &mut problems) }
    };
    check_releases(specs, &manifest, product, definitions, &mut problems);
    problems.or(manifest)
}

/// The manifest, compared with the documents in the folder.
fn listed(specs: &Files, problems: &mut Problems) -> Result<Manifest, Problems> {
    let manifest = read(specs)?;
    let mut listed = BTreeSet::new();
    for entry in &manifest.documents {
        let path = entry.path();
        match specs.get(&path) {
            None => problems.push(&Place::file(path.clone()), ManifestCause::DocumentMissing),
            Some(text) if sha256(text) != entry.sha256 => {
                problems.push(&Place::file(path.clone()), ManifestCause::DocumentEdited);
            }
            Some(_) => {}
        }
        if !listed.insert(path.clone()) {
            problems.push(&Place::file(PATH), ManifestCause::DocumentTwice(path));
        }
    }
    for path in specs.keys().filter(|path| is_document(path) && !listed.contains(*path)) {
        problems.push(&Place::file(Arc::from(path.as_str())), ManifestCause::DocumentUnlisted);
    }
    Ok(manifest)
}

/// The documents of upstream's folder that belong to no group.
const WITHOUT_GROUP: [&str; 4] = [
    "apis_openapi.json",
    "logs_openapi.json",
    "openid__v1__jwks_openapi.json",
    "version_openapi.json",
];

/// The documents that a manifest does not list: `<release>/<name>`, in the order of a manifest.
fn entries(specs: &Files, problems: &mut Problems) -> Vec<ManifestEntry> {
    let mut entries = Vec::new();
    for (path, text) in specs.iter().filter(|(path, _)| is_document(path)) {
        let name = path.split_once('/').map_or("", |(_, name)| name);
        if WITHOUT_GROUP.contains(&name) {
            continue;
        }
        let Some((release, name)) = release_of(path).zip(DocumentName::parse(name)) else {
            problems.push(&Place::file(Arc::from(path.as_str())), ManifestCause::NotADocument);
            continue;
        };
        let (source, sha256) = (SourceKind::Cluster, sha256(text));
        let source_sha256 = sha256.clone();
        entries.push(ManifestEntry { release, source, name, source_sha256, sha256 });
    }
    entries.sort_by(ManifestEntry::order);
    entries
}

/// Returns `true` if a file under `specs/` is an OpenAPI document: no other file there is JSON.
pub(crate) fn is_document(path: &str) -> bool {
    has_extension(path, &["json"])
}

/// The release in whose folder a file under `specs/` is.
pub(crate) fn release_of(path: &str) -> Option<Release> {
    path.split_once('/')?.0.parse().ok()
}

/// Releases of Kubernetes have no gaps: "since 1.36" needs the documents of 1.35, to show that they lack it. Other products
/// have few releases that change their documents.
fn check_releases(
    specs: &Files,
    manifest: &Manifest,
    product: Option<&str>,
    definitions: &BTreeSet<Release>,
    problems: &mut Problems,
) {
    let documents = manifest.documents.iter().map(|document| document.release);
    let releases: BTreeSet<Release> = documents.chain(definitions.iter().copied()).gather();
    // Without a file, the place is the folder.
    let place = Place::file(if specs.contains_key(PATH) { PATH } else { "" });
    if releases.is_empty() {
        problems.push(&place, ManifestCause::NoDocuments);
    }
    for (before, after) in releases.iter().zip(releases.iter().skip(1)) {
        let has_next = product.is_none() && before.form() == ReleaseForm::Minor;
        if has_next && before.next() != *after {
            let (before, after) = (before.to_string(), after.to_string());
            problems.push(&place, ManifestCause::ReleaseGap { before, after });
        }
    }
}

/// The SHA-256 of `bytes` in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in hmac_sha256::Hash::hash(bytes) {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

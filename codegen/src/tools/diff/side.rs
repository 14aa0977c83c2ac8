//! One side of a comparison.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use k8s_versioned_core::{Release, Version, text_serde};
use litemap::LiteMap;
use serde_json::Value;

use crate::gather::Gather;
use crate::input::ModuleRule;
use crate::input::crd::{self, PackageDefinition};
use crate::input::toml_file::Layers;
use crate::input::{self, Sources};
use crate::model::{self, Model};
use crate::rules::{self, LifecycleRule};
use crate::spec::{
    Document, DocumentName, GroupVersionKind, own_name, split_inline, split_version,
};
use crate::text::join;
use crate::{Files, Problems};

/// The reason why two selections cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The documents cannot be read.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// There are no documents of the release.
    #[error("specs has no release {0}; {known}", known = known(.1))]
    NoRelease(Release, BTreeSet<Release>),
    /// The release does not serve the version.
    #[error("{0} does not serve version {1}; it serves {served}", served = join(.2, ", "))]
    NotServed(Release, Version, BTreeSet<Version>),
    /// No definition serves the version.
    #[error("no definition serves version {0}; the served versions are {served}", served = join(.1, ", "))]
    NotDefined(Version, BTreeSet<Version>),
}

/// The releases that there are, or what else can be compared.
fn known(releases: &BTreeSet<Release>) -> String {
    if releases.contains(&crd::NO_RELEASE) {
        return "its definitions are in no folder of a release: `diff specs --between v1beta1 v1` compares two of their versions"
            .to_owned();
    }
    if releases.is_empty() {
        "it has none".to_owned()
    } else {
        format!("it has {}", join(releases, ", "))
    }
}

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) selection: Selection,
    /// All versions that the release serves.
    pub(super) served: BTreeSet<Version>,
    /// The model of only the selected documents.
    pub(super) model: Model,
    /// The definitions of the release, by group and kind.
    pub(super) definitions: LiteMap<(String, String), PackageDefinition>,
    pub(super) lifecycles: Vec<LifecycleRule>,
    pub(super) modules: Layers<ModuleRule>,
}

/// The version, the kind and the group, as far as both sides have the same.
pub(super) type KindKey<'k> = (Option<&'k str>, &'k str, Option<&'k str>);

/// The documents of one side, before they are read.
pub(super) struct SideSources {
    selection: Selection,
    served: BTreeSet<Version>,
    sources: Sources,
}

impl SideSources {
    pub(super) fn read(specs: &Files, selection: Selection) -> Result<Self, DiffError> {
        let Selection { release, version } = selection;
        let mut sources = Sources::read(specs)?;
        let served = served(&sources, release)?;
        if let Some(version) = version.filter(|version| !served.contains(version)) {
            return Err(DiffError::NotServed(release, version, served));
        }
        sources.keep_schemas();
        sources.retain(|of, name| of == release && (version.is_none() || name.version == version));
        Ok(Self { selection, served, sources })
    }

    /// Keeps the groups that both sides have, if two versions of the API are compared and any group has both.
    pub(super) fn keep_common(&mut self, other: &mut Self) {
        let groups =
            |side: &Self| side.sources.names().map(|(_, name)| name.group.clone()).gather();
        let selections = [self.selection, other.selection];
        let Some(common) = common(selections, [groups(self), groups(other)]) else { return };
        for side in [self, other] {
            side.sources.retain(|_, name| common.contains(&name.group));
        }
    }
}

/// The definitions of one side, before they make a model.
pub(super) struct SideDefinitions {
    selection: Selection,
    served: BTreeSet<Version>,
    documents: Vec<Document>,
    definitions: Vec<PackageDefinition>,
}

impl SideDefinitions {
    /// Reads the definitions in files of YAML or JSON, of no release; if a version is selected, only this one.
    pub(super) fn read(files: &Files, version: Option<Version>) -> Result<Self, DiffError> {
        let (mut documents, definitions) = crd::documents_and_definitions(files, true, &[])?;
        let served: BTreeSet<Version> =
            documents.iter().filter_map(|document| document.name.version).gather();
        if let Some(version) = version.filter(|version| !served.contains(version)) {
            return Err(DiffError::NotDefined(version, served));
        }
        documents.retain(|document| version.is_none() || document.name.version == version);
        let selection = Selection { release: crd::NO_RELEASE, version };
        Ok(Self { selection, served, documents, definitions })
    }

    /// Keeps the groups that both sides have, as [`SideSources::keep_common`].
    pub(super) fn keep_common(&mut self, other: &mut Self) {
        let groups = |side: &Self| {
            side.documents.iter().map(|document| document.name.group.clone()).gather()
        };
        let selections = [self.selection, other.selection];
        let Some(common) = common(selections, [groups(self), groups(other)]) else { return };
        for side in [self, other] {
            side.documents.retain(|document| common.contains(&document.name.group));
        }
    }
}

/// The groups of both sides, if two versions of the API are compared and any group has both.
fn common(
    [old, new]: [Selection; 2],
    [of_old, of_new]: [BTreeSet<String>; 2],
) -> Option<BTreeSet<String>> {
    let common: BTreeSet<String> = of_old.intersection(&of_new).cloned().collect();
    let versions = old.version.zip(new.version);
    (versions.is_some_and(|(old, new)| old != new) && !common.is_empty()).then_some(common)
}

impl Side {
    pub(super) fn read(specs: &Files, sources: SideSources) -> Result<Self, DiffError> {
        let SideSources { selection, served, sources } = sources;
        let input = sources.documents(specs)?;
        let modules = input.group.modules.clone();
        let model = model::of_input(input)?;
        let definitions = by_kind(crd::of_release(specs, selection.release)?);
        let lifecycles = rules::read_lifecycles(specs)?;
        Ok(Self { selection, served, model, definitions, lifecycles, modules })
    }

    /// The side of definitions, which have no rules.
    pub(super) fn of_definitions(read: SideDefinitions) -> Result<Self, Problems> {
        let SideDefinitions { selection, served, documents, definitions } = read;
        let model = model::merge(&BTreeSet::new(), documents)?;
        let (lifecycles, modules) = (Vec::new(), input::read_group(&Files::new())?.modules);
        Ok(Self {
            selection,
            served,
            model,
            definitions: by_kind(definitions),
            lifecycles,
            modules,
        })
    }

    /// The schema of a type, as the documents have it.
    pub(super) fn schema(&self, name: &str) -> Option<&Value> {
        self.model.types.get(name)?.published.as_deref()
    }

    /// Returns `true` if a version is compared. When whole releases are compared, both sides must serve it.
    pub(super) fn compares(&self, version: Option<Version>, other: &Self) -> bool {
        self.is_one_version()
            || version.is_none_or(|version| {
                other.model.versions.keys().any(|(_, known)| *known == version)
            })
    }

    /// What a kind has in common with the same kind on the other side. Two versions can be of groups that follow each other.
    pub(super) fn key<'k>(&self, kind: &'k GroupVersionKind, other: &Self) -> KindKey<'k> {
        let GroupVersionKind { group, version, kind } = kind;
        let of_versions = self.is_one_version() && other.is_one_version();
        let version = (!of_versions).then_some(version.as_str());
        (version, kind, other.model.groups.contains(group).then_some(group))
    }

    /// Returns `true` if only documents of one version are compared.
    pub(super) fn is_one_version(&self) -> bool {
        self.selection.version.is_some()
    }
}

fn by_kind(definitions: Vec<PackageDefinition>) -> LiteMap<(String, String), PackageDefinition> {
    definitions
        .into_iter()
        .map(|definition| ((definition.group.clone(), definition.kind.clone()), definition))
        .gather()
}

fn served(sources: &Sources, release: Release) -> Result<BTreeSet<Version>, DiffError> {
    let known = sources.releases();
    if !known.contains(&release) {
        return Err(DiffError::NoRelease(release, known));
    }
    let of_release = sources.names().filter(|(of, _)| *of == release);
    Ok(of_release.filter_map(|(_, name)| name.version).gather())
}

// The sides of a comparison, as users name them.

/// A release, or one version of the API as a release serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    /// The release that serves the API.
    pub release: Release,
    /// The version of the API; `None` for all versions.
    pub version: Option<Version>,
}

impl From<Release> for Selection {
    fn from(release: Release) -> Self {
        let version = None;
        Self { release, version }
    }
}

impl FromStr for Selection {
    type Err = String;

    /// Reads `v1.36` or `v1.36/v1beta1`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (release, version) = match text.split_once('/') {
            Some((release, version)) => (release, Some(version)),
            None => (text, None),
        };
        if text.parse().is_ok_and(Version::is_numbered) {
            return Err(format!(
                "`{text}` is a version of the API: also name a release that serves it, such as `v1.36/{text}` or `1.15.0/{text}`"
            ));
        }
        let release = release.parse::<Release>().map_err(|error| error.to_string())?;
        let version = version.map(str::parse::<Version>).transpose();
        let version = version.map_err(|error| error.to_string())?;
        Ok(Self { release, version })
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { release, version } = self;
        match version {
            Some(version) => write!(f, "{release}/{version}"),
            None => write!(f, "{release}"),
        }
    }
}

text_serde!(Selection, "a release or a version of it, such as `v1.36/v1beta1`");

// The names of the old side as the new side has them.
//
// Names of schemas and paths hold the version of the API. When two versions are compared, the names of
// the old side are rewritten, so that the same thing has the same name on both sides.

/// The new names of names of the old side.
#[derive(Debug)]
pub(super) struct Renames {
    /// The prefixes of the names of schemas, in the old and the new version.
    schemas: Vec<(String, String)>,
    /// The prefixes of paths, in the old and the new version.
    paths: Vec<(String, String)>,
}

impl Renames {
    pub(super) fn new(old: &Side, new: &Side) -> Self {
        let versions = old.selection.version.zip(new.selection.version);
        let Some((from, to)) = versions else {
            let (schemas, paths) = (Vec::new(), Vec::new());
            return Self { schemas, paths };
        };
        let schema = |prefix: &str| (format!("{prefix}{from}."), format!("{prefix}{to}."));
        let in_new = prefixes(new, to);
        let both = prefixes(old, from).into_iter().filter(|prefix| in_new.contains(prefix));
        let schemas = both.map(|prefix| schema(&prefix));
        let path = |group: &String| {
            let of = |version| {
                DocumentName { group: group.clone(), version: Some(version) }.path_prefix()
            };
            (of(from), of(to))
        };
        Self { schemas: schemas.collect(), paths: new.model.groups.iter().map(path).collect() }
    }

    /// Returns `true` if the two sides have the same version, so that nothing is rewritten.
    pub(super) fn are_the_same(&self) -> bool {
        self.paths.iter().all(|(from, to)| from == to)
    }

    /// The name that the new side has for a schema of the old side.
    pub(super) fn schema(&self, old: &str) -> String {
        rewrite(old, &self.schemas)
    }

    /// The path that the new side has for a path of the old side.
    pub(super) fn path(&self, old: &str) -> String {
        rewrite(old, &self.paths)
    }
}

/// The prefixes of the names of schemas, up to the version. The prefixes of shared types are left out: their versions are not
/// versions of the API.
fn prefixes(side: &Side, version: Version) -> BTreeSet<String> {
    let prefix = |name: &String| {
        let of = split_inline(name).map_or(name.as_str(), |(of, _)| of);
        let (before, of_version, _) = split_version(of)?;
        (of_version == version).then(|| before.to_owned())
    };
    let is_own = |prefix: &String| {
        !side.modules.iter().any(|module| module.shared.is_some() && module.prefix == *prefix)
    };
    side.model.types.keys().filter_map(prefix).filter(is_own).gather()
}

fn rewrite(name: &str, rules: &[(String, String)]) -> String {
    let rest = |(from, to): &(String, String)| Some(format!("{to}{}", name.strip_prefix(from)?));
    rules.iter().find_map(rest).unwrap_or_else(|| name.to_owned())
}

/// The short name of a schema: the module and the type, such as `v1beta1 LeaseCandidate` or `meta/v1 ObjectMeta`. Without a
/// rule for modules it is the version and the type. An object without a name has its path: `v1 Widget.spec.parts[]`.
pub(super) fn short(modules: &Layers<ModuleRule>, name: &str) -> String {
    let (of, path) = split_inline(name).map_or((name, None), |(of, path)| (of, Some(path)));
    let placed = modules.iter().find_map(|module| module.apply(of));
    let placed =
        placed.map(|(module, type_name)| format!("{} {type_name}", module.replace("::", "/")));
    let short = placed.unwrap_or_else(|| match split_version(of) {
        Some((_, version, own)) => format!("{version} {own}"),
        None => own_name(of).to_owned(),
    });
    match path {
        Some(path) => format!("{short}.{path}"),
        None => short,
    }
}

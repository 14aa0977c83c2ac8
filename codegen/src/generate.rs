//! All stages, from the files under `specs/` to the files under `generated/`.

use k8s_versioned_core::Version;

use crate::conversion::{self, Unseen};
use crate::emit::{self, EmitOptions};
use crate::ident::is_module;

use crate::features::{Features, features};
use crate::input::crd::NO_RELEASE;
use crate::model::Model;
use crate::plan::{ObjectRole, Package, Plan, Struct};
use crate::problem::PlanCause;
use crate::project::Plans;
use crate::{Files, Place, Problems, text};

/// The page that shows the conversion of each field to another version.
const CONVERSIONS_PAGE: &str = "conversions.md";

/// All pages that a generation can make.
pub const PAGES: [&str; 1] = [CONVERSIONS_PAGE];

/// The result of a generation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The generated files, relative to the folder that they fill.
    pub files: Files,
    /// The generated pages for people, relative to the folder `docs`.
    pub pages: Files,
    /// The text of `names.toml`, to be kept in the folder `specs/`; `None` if all types have names in the documents.
    pub names: Option<String>,
    /// The features that the files name, and `requests` unless the rules ask for no verbs.
    pub features: Features,
    /// What the README of a new package shows.
    #[doc(hidden)]
    pub about: About,
    /// Problems that do not stop the generator: what servers ignore or refuse in definitions, names of nothing, and words that
    /// not all versions know.
    pub warnings: Problems,
    /// The kinds with several versions whose objects no conversion converts.
    #[doc(hidden)]
    pub unconverted: Vec<String>,
    /// What clients of each version lose sight of, by kind.
    #[doc(hidden)]
    pub unseen: Vec<Unseen>,
    /// Figures for the report.
    pub summary: Summary,
}

/// What the README of a new package shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The groups.
    pub title: String,
    /// The module and the name of a kind, as an example; `None` if servers store no objects of the types.
    pub kind: Option<(String, String)>,
    /// The two highest versions of a group in the newest release, or `None` if no group has two versions.
    pub versions: Option<(Version, Version)>,
    /// Whether the documents are of a release. `diff` names it before a version.
    pub is_of_release: bool,
}

/// Counts of what was read and generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Releases of Kubernetes.
    pub releases: usize,
    /// OpenAPI documents.
    pub documents: usize,
    /// Versions of the group's API.
    pub versions: usize,
    /// Rust types that replace schemas.
    pub types: usize,
    /// Fields of these types.
    pub fields: usize,
    /// Operations in the model.
    pub operations: usize,
    /// Directed pairs of versions between which objects are converted.
    pub conversions: usize,
}

/// Generates the Rust files of a group from the files of its `specs/` folder.
///
/// # Errors
/// The errors of [`Plans::read`]; of each file only the first 100.
pub fn generate(specs: &Files, options: &EmitOptions) -> Result<Generated, Problems> {
    if options.root != "crate" && !is_module(&options.root) {
        let cause = PlanCause::NotAModule(options.root.clone());
        return Err(Problems::one(Place::default(), cause));
    }
    let plans = Plans::read(specs).map_err(Problems::shorten)?;
    let Plans { documents, model, items, conversions, warnings, .. } = &plans;
    let files = emit::emit(items, conversions, options)?;
    let mut pages = Files::new();
    if !conversions.is_empty() {
        let page = conversion::page(conversions, &options.command);
        pages.insert(CONVERSIONS_PAGE.to_owned(), text::page(page));
    }
    let summary = Summary {
        releases: model.releases.iter().count(),
        documents: *documents,
        versions: model.versions.len(),
        types: items.type_count(),
        fields: items.field_count(),
        operations: model.operations.len(),
        conversions: conversions.iter().map(|kind| kind.pairs.len()).sum(),
    };
    let features = features(items, !conversions.is_empty());
    let names = items.names.text();
    let about = About {
        title: model.title(),
        kind: example(items),
        versions: versions(model),
        is_of_release: model.releases.last().is_some_and(|release| release != NO_RELEASE),
    };
    let warnings = warnings.clone();
    let unconverted = conversion::unconverted(items, &plans.rules)
        .into_iter()
        .map(|unconverted| unconverted.kind)
        .collect();
    let unseen = conversions.iter().flat_map(conversion::unseen).collect();
    Ok(Generated { files, pages, names, features, about, warnings, unconverted, unseen, summary })
}

/// The two highest versions that the newest release serves of the first group with several.
fn versions(model: &Model) -> Option<(Version, Version)> {
    let newest = model.releases.last()?;
    model.groups.iter().find_map(|group| {
        let served = model
            .versions
            .iter()
            .filter(|((of, _), releases)| of == group && releases.contains(newest));
        let mut highest = served.map(|((_, version), _)| *version).rev();
        let (high, low) = (highest.next()?, highest.next()?);
        Some((low, high))
    })
}

/// A stored kind of the most stable version.
fn example(plan: &Plan) -> Option<(String, String)> {
    let version = |planned: &Struct| {
        let object = planned.object.as_ref()?;
        let is_stored = matches!(object.role, ObjectRole::Resource { list: Some(_), .. });
        let own = planned.path.package == Package::Generated && is_stored;
        own.then(|| object.gvk.version.parse::<Version>().ok())?
    };
    let stored = plan.structs().filter_map(|planned| Some((version(planned)?, &planned.path)));
    // The first of several: names are in order.
    let best = stored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, path)| (path.module.clone(), path.name.clone()))
}

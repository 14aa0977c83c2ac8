//! From the files of a project to its rules and model, and on to the plans: what every command begins with.

use std::collections::BTreeMap;

use k8s_versioned_core::Release;

use crate::conversion::{self, KindConversion};
use crate::input::crd::{self, Unserved};
use crate::input::{self, Input, Sources};
use crate::model::{self, Model};
use crate::plan::{self, Plan};
use crate::problem::{CrdCause, KindVersion};
use crate::rules::{self, Correspondence, Rules};
use crate::spec::Document;
use crate::{Files, Place, Problems};

/// The choices of `group.toml` for definitions without a project: only types.
const TYPES_ALONE: &str = "descriptions = \"documents\"\nfeatures = []\nverbs = false\n";

/// What the files of a project state.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The rules.
    pub(crate) rules: Rules,
    /// The number of documents that were read.
    pub(crate) documents: usize,
    /// The model of all releases.
    pub(crate) model: Model,
    /// The places of the schemas of kinds.
    kinds: Vec<(Place, KindVersion)>,
    /// Problems that stop nothing.
    pub(crate) warnings: Problems,
}

impl Project {
    /// Reads the rules and the documents of a folder `specs/`.
    ///
    /// # Errors
    /// All problems of the first stage that has any.
    pub(crate) fn read(specs: &Files, sources: Sources) -> Result<Self, Problems> {
        let rules = rules::read(specs, sources.group())?;
        Self::merge(rules, sources.documents(specs)?)
    }

    /// Reads definitions in files of YAML or JSON, for which nobody has stated rules.
    ///
    /// # Errors
    /// All definitions that cannot be read.
    pub(crate) fn of_definitions(files: &Files) -> Result<Self, Problems> {
        let (documents, unserved, warnings) = crd::documents_with_warnings(files)?;
        let specs = Files::from([("group.toml".to_owned(), TYPES_ALONE.into())]);
        let rules = rules::of_definitions(input::read_group(&specs)?)?;
        let group = rules.group.clone();
        Self::merge(rules, Input { group, documents, unserved, warnings, ..Input::default() })
    }

    fn merge(rules: Rules, mut input: Input) -> Result<Self, Problems> {
        let (documents, warnings) = (input.documents.len(), std::mem::take(&mut input.warnings));
        let kinds = kinds_of(&input.documents);
        let model = model::of_input(input).map_err(|problems| named(problems, &kinds))?;
        Ok(Self { rules, documents, model, kinds, warnings })
    }

    /// Plans the Rust items.
    ///
    /// # Errors
    /// The errors of [`plan::plan`].
    pub(crate) fn plan(&self) -> Result<Plan, Problems> {
        plan::plan(&self.model, &self.rules).map_err(|problems| named(problems, &self.kinds))
    }
}

/// The schemas of the kinds of documents, by their places.
fn kinds_of(documents: &[Document]) -> Vec<(Place, KindVersion)> {
    let types = documents.iter().flat_map(|document| {
        document.types.values().filter_map(|ty| {
            let own = ty.kinds.iter().find(|kind| kind.group == document.name.group)?;
            let (kind, version) = (own.kind.clone(), own.version.clone());
            Some((ty.place.clone(), KindVersion { kind, version }))
        })
    });
    types.collect()
}

fn named(mut problems: Problems, kinds: &[(Place, KindVersion)]) -> Problems {
    problems.name_versions(kinds);
    problems
}

/// The structure of the documents of some releases, as text without Rust: the types and operations whose name or path `select` takes.
///
/// # Errors
/// All problems of the documents.
pub fn outline(
    specs: &Files,
    keep: impl Fn(Release) -> bool,
    select: impl Fn(&str) -> bool,
) -> Result<String, Problems> {
    let mut sources = Sources::read(specs)?;
    sources.retain(|release, _| keep(release));
    let Input { group, documents, .. } = sources.documents(specs)?;
    Ok(model::outline(&model::merge(&group.groups, documents)?, select))
}

/// The input and the plans, before Rust text is made of them.
#[derive(Clone, Debug)]
pub struct Plans {
    /// The rules of `specs`.
    pub(crate) rules: Rules,
    /// The number of documents that were read.
    pub(crate) documents: usize,
    /// The model of all releases.
    pub(crate) model: Model,
    /// The Rust items.
    pub(crate) items: Plan,
    /// The plan of the conversions, for each kind.
    pub(crate) conversions: Vec<KindConversion>,
    /// Problems that stop nothing.
    pub warnings: Problems,
}

impl Plans {
    /// Reads the files of a `specs/` folder, and plans the Rust items and conversions.
    ///
    /// # Errors
    /// All problems of the first stage that has any, in a stable order. Later stages do not run, so that one cause gives
    /// one message.
    pub fn read(specs: &Files) -> Result<Self, Problems> {
        let project = Project::read(specs, Sources::read(specs)?)?;
        let items = project.plan()?;
        let Project { rules, documents, model, mut warnings, .. } = project;
        let conversions = conversion::plan(&items, &model, &rules)?;
        if rules.group.unserved != Some(false) {
            for Unserved { place, kind } in &model.unserved {
                let (version, kind) = (kind.version.clone(), kind.kind.clone());
                warnings.push(place, CrdCause::LeftOut { version, kind });
            }
        }
        warnings.append(plan::unknown_names(&model, &rules.names));
        for kind in &conversions {
            warnings.append(kind.warnings.clone());
        }
        Ok(Self { rules, documents, model, items, conversions, warnings })
    }

    /// The rules of each kind in a form that can be compared, with their reasons.
    pub fn comparable_rules(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let reason = |rule: &Correspondence| {
            rule.reason.as_ref().map(|reason| reason.value.clone()).unwrap_or_default()
        };
        let rules = self.rules.conversions.iter().map(|kind| {
            let fields = kind.fields.iter().map(|rule| (rule.comparable(), reason(rule)));
            (kind.kind.value.clone(), fields.collect())
        });
        rules.collect()
    }
}

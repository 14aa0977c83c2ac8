//! The hand-written rule files under `specs/`, which state what the documents cannot.
//!
//! Every rule knows its place, so that a problem of a rule shows its line.

mod conversions;
mod descriptions;
mod fields;
mod group;
mod intrinsics;
mod left_out;
mod lifecycle;
mod toml_file;
mod vocabularies;

pub use conversions::{Correspondence, KindRule, LosslessRule, StepName};
pub use descriptions::{Descriptions, Text, TypeDescription};
pub use fields::{Empty, FieldRule};
pub use group::{GroupRules, ModuleRule, read as read_group};
pub use intrinsics::Intrinsic;
pub use left_out::{LeftOut, Named};
pub use lifecycle::{LifecycleRule, read as read_lifecycles};
pub use toml_file::{Placed, RuleFile, parse_toml};
pub use vocabularies::{Vocabulary, Word};

use std::collections::BTreeMap;

use k8s_versioned_names::Release;

use crate::{Files, Problems};

/// All rules of a group.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The group's name.
    pub group: String,
    /// The modules of schemas.
    pub modules: Vec<ModuleRule>,
    /// The lifecycles of kinds, as far as the documents do not show them.
    pub lifecycle: Vec<LifecycleRule>,
    /// Schemas that stand for hand-written types.
    pub intrinsics: Vec<Intrinsic>,
    /// String fields with known words.
    pub vocabularies: Vec<Vocabulary>,
    /// Exceptions for single fields.
    pub fields: Vec<FieldRule>,
    /// Kinds whose objects are converted between versions.
    pub conversions: Vec<KindRule>,
    /// Rustdoc, by Rust module (`meta::v1`).
    pub descriptions: BTreeMap<String, Descriptions>,
    /// `true` if the resources have verbs.
    pub verbs: bool,
    /// The parts of the documents that Rust does not have.
    pub left_out: LeftOut,
}

impl Rules {
    /// The description of a type: that of its module, or of the module that is like it.
    pub fn description(&self, module: &str, name: &str) -> Option<&TypeDescription> {
        let own = self.descriptions.get(module)?;
        let like = || self.descriptions.get(own.like.as_ref()?.get_ref())?.types.get(name);
        own.types.get(name).or_else(like)
    }
}

/// Reads `not-recorded.toml` alone: the releases without recordings, each with the reason.
///
/// # Errors
/// All problems of the file.
pub fn read_not_recorded(specs: &Files) -> Result<BTreeMap<Release, String>, Problems> {
    toml_file::optional(specs, "not-recorded.toml")
}

/// Reads all rule files.
///
/// # Errors
/// All problems of their texts. The plan checks that the rules match something.
pub fn read(specs: &Files) -> Result<Rules, Problems> {
    let mut problems = Problems::new();
    let group = keep(group::read(specs), &mut problems).unwrap_or_default();
    let lifecycle = keep(lifecycle::read(specs), &mut problems).unwrap_or_default();
    let intrinsics = keep(intrinsics::read(specs), &mut problems).unwrap_or_default();
    let vocabularies = keep(vocabularies::read(specs), &mut problems).unwrap_or_default();
    let fields = keep(fields::read(specs), &mut problems).unwrap_or_default();
    let conversions = keep(conversions::read(specs), &mut problems).unwrap_or_default();
    let descriptions = descriptions::read(specs, &mut problems);
    let left_out = keep(left_out::read(specs), &mut problems).unwrap_or_default();
    let GroupRules { group, verbs, modules } = group;
    problems.or(Rules {
        group,
        modules,
        lifecycle,
        intrinsics,
        vocabularies,
        fields,
        conversions,
        descriptions,
        verbs,
        left_out,
    })
}

/// The value, or its problems moved to `problems`.
fn keep<T>(result: Result<T, Problems>, problems: &mut Problems) -> Option<T> {
    result.map_err(|found| problems.append(found)).ok()
}

//! The annotations of an earlier webhook that conversions read once: `[[kind.adopt]]`.

use std::collections::BTreeSet;

use k8s_versioned_core::syntax::annotation_key;

use super::structs::{Structs, Versions};
use crate::Problems;
use crate::plan::{Struct, code};
use crate::problem::{AdoptFault, ConversionCause, RuleCause};
use crate::rules::paths::{self, FieldPath};
use crate::rules::{AdoptRule, KindRule};
use crate::text::join;

/// An annotation of an earlier webhook.
#[derive(Clone, Debug)]
pub(crate) struct Adoption {
    /// Its key.
    pub(crate) annotation: String,
    /// The version of its values.
    pub(crate) version: String,
    /// The paths of values in the text, each with that of its field; empty if the text is the whole object.
    pub(crate) fields: Vec<(FieldPath, FieldPath)>,
    /// Whether conversions also write it.
    pub(crate) is_written: bool,
}

impl Adoption {
    /// The adoption, as text for people.
    pub(super) fn text(&self) -> String {
        let Self { annotation, version, fields, is_written } = self;
        let paths = fields.iter().map(|(_, path)| code(path));
        let values = match fields.len() {
            0 => format!("an object of {}", code(version)),
            1 => format!("the value of {} of {}", join(paths, ""), code(version)),
            _ => format!("values of {} of {}", join(paths, ", "), code(version)),
        };
        let written = match is_written {
            true => format!(
                "; conversions from {} also write it where they keep a value",
                code(version)
            ),
            false => String::new(),
        };
        format!(
            "The annotation {} of an earlier webhook is read once: it has {values}{written}.",
            code(annotation)
        )
    }
}

/// The annotations that a kind adopts. Reports those that no conversion can read.
pub(super) fn adoptions(
    rule: &KindRule,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<Adoption> {
    let mut adoptions: Vec<Adoption> = Vec::new();
    for stated in &rule.adopt {
        if adoptions.iter().any(|other| other.annotation == stated.annotation.value) {
            stated.annotation.report_twice(problems);
        } else if let Some(adoption) = adoption(rule, stated, versions, structs, problems) {
            adoptions.push(adoption);
        }
    }
    adoptions
}

fn adoption(
    rule: &KindRule,
    stated: &AdoptRule,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<Adoption> {
    let AdoptRule { annotation, version, write, .. } = stated;
    if let Err(fault) = check(rule, stated) {
        let cause = ConversionCause::CannotAdopt { annotation: annotation.value.clone(), fault };
        problems.push(&annotation.place, cause);
        return None;
    }
    let Some((_, object)) = versions.iter().find(|(name, _)| *name == version.value) else {
        let of = format!("{} {}", version.value, rule.kind.value);
        problems.push(&version.place, RuleCause::MatchesNothing(of));
        return None;
    };
    Some(Adoption {
        annotation: annotation.value.clone(),
        version: version.value.clone(),
        fields: fields(stated, object, structs, problems),
        is_written: *write,
    })
}

/// Checks that conversions can read the annotation.
fn check(rule: &KindRule, stated: &AdoptRule) -> Result<(), AdoptFault> {
    let AdoptRule { annotation, write, field, fields, .. } = stated;
    let own = rule.annotation.as_ref().ok_or(AdoptFault::NoOwnKey)?;
    let is_own = annotation.value.strip_prefix(&own.value);
    if is_own.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return Err(AdoptFault::OwnKey);
    }
    if let Some(violation) = annotation_key(&annotation.value).first() {
        return Err(AdoptFault::Key(*violation));
    }
    match (field.is_some(), fields.is_empty()) {
        (true, false) => Err(AdoptFault::FieldAndFields),
        (false, false) if *write => Err(AdoptFault::WritesFields),
        _ => Ok(()),
    }
}

/// The places of the values, with their fields. Reports paths that lead to no field, or into the items of a list.
fn fields(
    stated: &AdoptRule,
    object: &Struct,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<(FieldPath, FieldPath)> {
    let whole = stated.field.iter().map(|path| ("", path));
    let parts = stated.fields.iter().map(|(place, path)| (place.as_str(), path));
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut all = Vec::new();
    for (place, path) in whole.chain(parts) {
        let of = || format!("{} {}", stated.version.value, path.value);
        let segments = paths::segments(&path.value);
        let list = segments.iter().position(|segment| paths::is_of_items(segment));
        if list.is_some() || structs.at(object, &path.value).is_none() {
            let outer = paths::first(&path.value, list.map_or(segments.len(), |at| at + 1));
            let near = structs.near(object, paths::without_items(&outer));
            let (field, in_metadata) = (of(), paths::is_in_metadata(&path.value));
            problems.push(&path.place, RuleCause::NoSuchField { field, near, in_metadata });
        } else if !found.insert(&path.value) {
            problems.push(&path.place, RuleCause::Twice(of()));
        } else {
            all.push((FieldPath::read(place), FieldPath::of(&path.value)));
        }
    }
    all
}

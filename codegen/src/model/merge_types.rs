//! Schemas of all documents to types.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::Problems;
use crate::gather::Gather;
use crate::problem::{ModelCause, Place};
use crate::spec::{
    Dialect, Document, Facts, KEEPS_UNKNOWN, Property, Releases, Type, TypeBody, ValueType, shown,
    split_inline,
};

/// Merges the schemas of all documents by name, and takes them out of the documents. These come oldest release first.
pub(super) fn merge(documents: &mut [Document], problems: &mut Problems) -> BTreeMap<String, Type> {
    let mut merged: BTreeMap<String, Type> = BTreeMap::new();
    for release in documents.chunk_by_mut(|a, b| a.release == b.release) {
        let newer = of_release(release, problems);
        if merged.is_empty() {
            merged = newer;
            continue;
        }
        for (name, newer) in newer {
            match merged.get_mut(&name) {
                Some(earlier) => absorb(&name, earlier, newer, problems),
                None => drop(merged.insert(name, newer)),
            }
        }
    }
    merged
}

/// The types of one release, without the types on which its documents disagree.
fn of_release(documents: &mut [Document], problems: &mut Problems) -> BTreeMap<String, Type> {
    let mut types: BTreeMap<String, Type> = BTreeMap::new();
    let mut disputed = BTreeSet::new();
    for document in documents {
        let other = std::mem::take(&mut document.types);
        if types.is_empty() {
            types = other;
            continue;
        }
        for (name, other) in other {
            match types.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(other)),
                Entry::Occupied(mut entry) => {
                    let name = entry.key().clone();
                    if agree(&name, entry.get(), &other, problems) {
                        entry.get_mut().kinds.extend(other.kinds);
                    } else {
                        disputed.insert(name);
                    }
                }
            }
        }
    }
    types.retain(|name, _| !disputed.contains(name));
    types
}

/// Returns `true` if two documents of one release have the same type, apart from the kinds. Reports each difference.
fn agree(name: &str, sibling: &Type, other: &Type, problems: &mut Problems) -> bool {
    let before = problems.len();
    let mut disagree = |place: &Place, what: String| {
        let cause = ModelCause::DocumentsDisagree { what, other: sibling.place.file.to_string() };
        problems.push(place, cause);
    };
    let same_body = match (&sibling.body, &other.body) {
        (TypeBody::Struct(_), TypeBody::Struct(_)) => true,
        (TypeBody::Value(theirs), TypeBody::Value(ours)) => theirs == ours,
        _ => false,
    };
    if !same_body || sibling.merge != other.merge {
        disagree(&other.place, format!("`{}`", shown(name)));
        return false;
    }
    let facts = |property: &Property| {
        (
            property.value.clone(),
            property.default.clone(),
            property.required(),
            property.merge.clone(),
            property.nullable,
        )
    };
    let names: BTreeSet<&str> =
        sibling.properties().chain(other.properties()).map(|(name, _)| name).gather();
    for field in names {
        let (theirs, ours) = (sibling.property(field), other.property(field));
        if theirs.map(facts) != ours.map(facts) {
            let place = ours.map_or(&other.place, |ours| &ours.place);
            disagree(place, format!("field `{field}` of `{}`", shown(name)));
        }
    }
    problems.len() == before
}

/// Adds what a later document states about a type. A changed fact replaces the old one, so that one change gives one
/// message, however many releases follow.
fn absorb(name: &str, merged: &mut Type, newer: Type, problems: &mut Problems) {
    merged.releases.unite(&newer.releases);
    merged.keeps_unknown_in.unite(&newer.keeps_unknown_in);
    match (&mut merged.body, newer.body) {
        (TypeBody::Struct(properties), TypeBody::Struct(newer)) => {
            for (name, newer) in newer {
                match properties.get_mut(&name) {
                    Some(known) => absorb_property(merged.dialect, &name, known, newer, problems),
                    None => drop(properties.insert(name, newer)),
                }
            }
        }
        (TypeBody::Value(value), TypeBody::Value(other)) if *value == other => {}
        (merged_body, newer_body) => {
            let cause = ModelCause::Changed {
                what: format!("`{name}`"),
                was: merged_body.to_string(),
                now: newer_body.to_string(),
                earlier: merged.place.clone(),
            };
            problems.push(&newer.place, cause);
            *merged_body = newer_body;
        }
    }
    merged.kinds.extend(newer.kinds);
    merged.merge = newer.merge;
    merged.place = newer.place;
    merged.published = newer.published;
    merged.inside = newer.inside;
    merged.description = newer.description.or_else(|| merged.description.take());
    merged.facts = merge_facts(merged.dialect, &merged.facts, newer.facts);
}

/// The facts of the newest documents. Definitions of custom resources state all facts; other sources leave some out, so what
/// they stated before stays.
fn merge_facts(dialect: Dialect, earlier: &Facts, mut newer: Facts) -> Facts {
    if dialect != Dialect::Custom {
        for (keyword, value) in earlier {
            newer.entry(keyword).or_insert_with(|| value.clone());
        }
    }
    newer
}

fn absorb_property(
    dialect: Dialect,
    name: &str,
    merged: &mut Property,
    newer: Property,
    problems: &mut Problems,
) {
    if let Some(value) = with_fields(dialect, merged, &newer) {
        merged.value = value;
    } else if merged.value != newer.value {
        let cause = ModelCause::Changed {
            what: format!("field `{name}`"),
            was: merged.value.to_string(),
            now: newer.value.to_string(),
            earlier: merged.place.clone(),
        };
        problems.push(&newer.place, cause);
        *merged = newer;
        return;
    }
    let words = merged.all_words().to_vec();
    absorb_default(dialect, name, merged, &newer, problems);
    merged.releases.unite(&newer.releases);
    merged.required_in.unite(&newer.required_in);
    // The order of a constructor's arguments stays as the first release has it.
    if merged.rank == usize::MAX {
        merged.rank = newer.rank;
    }
    merged.merge = newer.merge;
    merged.place = newer.place;
    merged.description = newer.description.or_else(|| merged.description.take());
    merged.facts = merge_facts(dialect, &merged.facts, newer.facts);
    merged.items.default = newer.items.default;
    merged.items.facts = merge_facts(dialect, &merged.items.facts, newer.items.facts);
    merged.unite_named_words(words);
    merged.nullable |= newer.nullable;
}

/// The type of a property of a custom resource whose object has fields in one of two releases, and states none in the other: servers
/// drop all members of an object without fields, unless its schema keeps them.
fn with_fields(dialect: Dialect, merged: &Property, newer: &Property) -> Option<ValueType> {
    let keeps = |facts: &Facts| facts.get(KEEPS_UNKNOWN).is_some_and(|keeps| *keeps == true);
    let keeps_any = [merged, newer]
        .iter()
        .any(|property| keeps(&property.facts) || keeps(&property.items.facts));
    if dialect != Dialect::Custom || keeps_any || merged.value == newer.value {
        return None;
    }
    united(&merged.value, &newer.value)
}

/// The type with fields of two types that are equal but for an object without fields in one of them.
fn united(one: &ValueType, other: &ValueType) -> Option<ValueType> {
    use ValueType::{List, Map, Nullable, Opaque, Reference};
    match (one, other) {
        (Opaque, Reference(name)) | (Reference(name), Opaque) if split_inline(name).is_some() => {
            Some(Reference(name.clone()))
        }
        (List(one), List(other)) => united(one, other).map(|united| List(Box::new(united))),
        (Map(one), Map(other)) => united(one, other).map(|united| Map(Box::new(united))),
        (Nullable(one), Nullable(other)) => {
            united(one, other).map(|united| Nullable(Box::new(united)))
        }
        _ => None,
    }
}

/// A default may come or go: releases are part of the fact. A changed default is an error in a built-in kind, because it changes how a type
/// is read. Custom resources are read as they are, and their docs name the newest default.
fn absorb_default(
    dialect: Dialect,
    name: &str,
    merged: &mut Property,
    newer: &Property,
    problems: &mut Problems,
) {
    let other =
        newer.default.is_some() && merged.default.is_some() && newer.default != merged.default;
    if other && dialect == Dialect::Custom {
        merged.default_in = Releases::default();
    } else if let (true, Some(was), Some(now)) = (other, &merged.default, &newer.default) {
        let cause = ModelCause::Changed {
            what: format!("the default of field `{name}`"),
            was: format!("`{was}`"),
            now: format!("`{now}`"),
            earlier: merged.place.clone(),
        };
        problems.push(&newer.place, cause);
    }
    if newer.default.is_some() {
        merged.default.clone_from(&newer.default);
    }
    merged.default_in.unite(&newer.default_in);
}

//! Schemas of all documents to types.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::Problems;
use crate::problem::{ModelCause, Place};
use crate::spec::{
    Dialect, Document, Facts, Property, Releases, Type, TypeBody, shown, unite_words,
};

/// Merges the schemas of all documents by name, and takes them out of the documents. These come oldest release first.
pub(super) fn merge(documents: &mut [Document], problems: &mut Problems) -> BTreeMap<String, Type> {
    let mut merged: BTreeMap<String, Type> = BTreeMap::new();
    for release in documents.chunk_by_mut(|a, b| a.release == b.release) {
        let found = of_release(release, problems);
        if merged.is_empty() {
            merged = found;
            continue;
        }
        for (name, found) in found {
            match merged.get_mut(&name) {
                Some(earlier) => absorb(&name, earlier, found, problems),
                None => drop(merged.insert(name, found)),
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
        let found = std::mem::take(&mut document.types);
        if types.is_empty() {
            types = found;
            continue;
        }
        for (name, found) in found {
            match types.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(found)),
                Entry::Occupied(mut entry) => {
                    let name = entry.key().clone();
                    if agree(&name, entry.get(), &found, problems) {
                        entry.get_mut().kinds.extend(found.kinds);
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

/// Returns `true` if two documents of one release have the same type, the kinds aside. Reports each difference.
fn agree(name: &str, sibling: &Type, found: &Type, problems: &mut Problems) -> bool {
    let before = problems.len();
    let mut disagree = |place: &Place, what: String| {
        let cause = ModelCause::DocumentsDisagree { what, other: sibling.place.file.to_string() };
        problems.push(place, cause);
    };
    let same_body = match (&sibling.body, &found.body) {
        (TypeBody::Struct(_), TypeBody::Struct(_)) => true,
        (TypeBody::Value(theirs), TypeBody::Value(ours)) => theirs == ours,
        _ => false,
    };
    if !same_body || sibling.merge != found.merge {
        disagree(&found.place, format!("`{}`", shown(name)));
        return false;
    }
    let facts = |it: &Property| {
        (it.value.clone(), it.default.clone(), it.required(), it.merge.clone(), it.nullable)
    };
    let names: BTreeSet<&str> =
        sibling.properties().chain(found.properties()).map(|(name, _)| name).collect();
    for field in names {
        let (theirs, ours) = (sibling.property(field), found.property(field));
        if theirs.map(facts) != ours.map(facts) {
            let place = ours.map_or(&found.place, |ours| &ours.place);
            disagree(place, format!("field `{field}` of `{}`", shown(name)));
        }
    }
    problems.len() == before
}

/// Adds what a later document states about a type. A changed fact replaces the old one, so that one change gives one
/// message, however many releases follow.
fn absorb(name: &str, merged: &mut Type, found: Type, problems: &mut Problems) {
    merged.releases.unite(&found.releases);
    merged.keeps_unknown_in.unite(&found.keeps_unknown_in);
    match (&mut merged.body, found.body) {
        (TypeBody::Struct(properties), TypeBody::Struct(found)) => {
            for (name, found) in found {
                match properties.get_mut(&name) {
                    Some(known) => absorb_property((merged.dialect, &name), known, found, problems),
                    None => drop(properties.insert(name, found)),
                }
            }
        }
        (TypeBody::Value(value), TypeBody::Value(found_value)) if *value == found_value => {}
        (merged_body, found_body) => {
            let cause = ModelCause::Changed {
                what: format!("`{name}`"),
                was: merged_body.to_string(),
                now: found_body.to_string(),
                earlier: merged.place.clone(),
            };
            problems.push(&found.place, cause);
            *merged_body = found_body;
        }
    }
    merged.kinds.extend(found.kinds);
    merged.merge = found.merge;
    merged.place = found.place;
    merged.published = found.published;
    merged.inside = found.inside;
    merged.description = found.description.or_else(|| merged.description.take());
    merged.facts = merge_facts(merged.dialect, &merged.facts, found.facts);
}

/// The facts of the newest documents. Definitions of custom resources state all facts; other sources leave some out, so what
/// they stated before stays. Words stay in any case, in their order: programs name them.
fn merge_facts(dialect: Dialect, earlier: &Facts, mut found: Facts) -> Facts {
    for (keyword, value) in earlier {
        let are_words = *keyword == "enum";
        if dialect == Dialect::Custom && !are_words {
            continue;
        }
        let merged = found.entry(keyword).or_insert_with(|| value.clone());
        if let (true, Some(found), Some(earlier)) =
            (are_words, merged.as_array_mut(), value.as_array())
        {
            let mut words = earlier.clone();
            unite_words(&mut words, found);
            *found = words;
        }
    }
    found
}

fn absorb_property(
    (of, name): (Dialect, &str),
    merged: &mut Property,
    found: Property,
    problems: &mut Problems,
) {
    if merged.value != found.value {
        let cause = ModelCause::Changed {
            what: format!("field `{name}`"),
            was: merged.value.to_string(),
            now: found.value.to_string(),
            earlier: merged.place.clone(),
        };
        problems.push(&found.place, cause);
        *merged = found;
        return;
    }
    absorb_default((of, name), merged, &found, problems);
    merged.releases.unite(&found.releases);
    merged.required_in.unite(&found.required_in);
    // The order of a constructor's arguments stays as the first release has it.
    if merged.rank == usize::MAX {
        merged.rank = found.rank;
    }
    merged.merge = found.merge;
    merged.place = found.place;
    merged.description = found.description.or_else(|| merged.description.take());
    merged.facts = merge_facts(of, &merged.facts, found.facts);
    merged.items.default = found.items.default;
    merged.items.facts = merge_facts(of, &merged.items.facts, found.items.facts);
    merged.nullable |= found.nullable;
}

/// A default may come or go, which is a fact with releases. Another default is an error in a built-in kind, where it changes how
/// a type reads; custom resources are read as they are, and their docs name the newest.
fn absorb_default(
    (of, name): (Dialect, &str),
    merged: &mut Property,
    found: &Property,
    problems: &mut Problems,
) {
    let other =
        found.default.is_some() && merged.default.is_some() && found.default != merged.default;
    if other && of == Dialect::Custom {
        merged.default_in = Releases::default();
    } else if let (true, Some(was), Some(now)) = (other, &merged.default, &found.default) {
        let cause = ModelCause::Changed {
            what: format!("the default of field `{name}`"),
            was: format!("`{was}`"),
            now: format!("`{now}`"),
            earlier: merged.place.clone(),
        };
        problems.push(&found.place, cause);
    }
    if found.default.is_some() {
        merged.default.clone_from(&found.default);
    }
    merged.default_in.unite(&found.default_in);
}

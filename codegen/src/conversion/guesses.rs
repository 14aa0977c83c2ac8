//! Guesses of drafts: fields that may be the same under another name in other versions.
//!
//! A guess rests on names and types, never on descriptions. Where two fields are equally good, none is chosen.

use std::collections::BTreeMap;

use heck::ToSnakeCase;

use super::structs::Structs;
use crate::plan::{Plan, RustType, code};
use crate::rules::paths;
use crate::text::join;

/// The path of a field by version.
pub(crate) type Names = BTreeMap<String, String>;

/// What is guessed of a field that some versions lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// It is the same as another field of the list.
    SameAs(usize, String),
    /// Several fields are equally good.
    Undecided(String),
}

/// Guesses which of these fields are the same under another name. Each is in the versions of its names, and the kind has
/// `count` versions. The result has no pair twice.
pub(crate) fn guess(
    (group, kind): (&str, &str),
    count: usize,
    fields: &[Names],
    plan: &Plan,
) -> BTreeMap<usize, Guess> {
    let structs = Structs::new(plan, &[]);
    let objects = structs.of_kind(group, kind);
    let type_of = |names: &Names| {
        let mut types = names.iter().map(|(version, path)| {
            let field = structs.at(objects.get(version)?, path)?;
            is_plain(&field.rust_type).then_some((field.rust_type, field.required))
        });
        let first = types.next()??;
        types.all(|other| other.as_ref() == Some(&first)).then_some(first)
    };
    let fields: Vec<(&Names, Option<(RustType, bool)>)> =
        fields.iter().map(|names| (names, type_of(names))).collect();
    let best: Vec<Vec<usize>> =
        (0..fields.len()).map(|index| best(&fields, index, count)).collect();
    let chosen = (0..fields.len()).filter_map(|index| {
        let guess = match best.get(index)?.as_slice() {
            [] => return None,
            [other] if best.get(*other)?.as_slice() != [index] || *other < index => return None,
            [other] => Guess::SameAs(*other, same(fields.get(index)?, fields.get(*other)?)),
            several => Guess::Undecided(undecided(several.iter().filter_map(|it| fields.get(*it)))),
        };
        Some((index, guess))
    });
    chosen.collect()
}

type Field<'f> = (&'f Names, Option<(RustType, bool)>);

/// The fields that are most like one: those with a similar name or, without any, all others.
fn best(fields: &[Field<'_>], index: usize, count: usize) -> Vec<usize> {
    let Some(field) = fields.get(index) else {
        return Vec::new();
    };
    let fits = |other: &Field<'_>| {
        let is_other = field.0.len() + other.0.len() == count
            && !field.0.keys().any(|version| other.0.contains_key(version));
        is_other
            && field.1.is_some()
            && field.1 == other.1
            && parent(field.0).is_some_and(|it| parent(other.0) == Some(it))
    };
    let fitting: Vec<usize> =
        fields.iter().enumerate().filter(|(_, other)| fits(other)).map(|(at, _)| at).collect();
    let alike = |at: &usize| fields.get(*at).is_some_and(|other| are_alike(field.0, other.0));
    let similar: Vec<usize> = fitting.iter().copied().filter(alike).collect();
    if similar.is_empty() { fitting } else { similar }
}

/// The path of the object around a field; `None` if it is not the same in all versions.
fn parent(names: &Names) -> Option<&str> {
    let mut parents = names.values().map(|path| paths::split_last(path).0);
    let first = parents.next()?;
    parents.all(|other| other == first).then_some(first)
}

/// Returns `true` if the names have the same words, or one has those of the other and more: `volume` and `volumeName`.
fn are_alike(one: &Names, other: &Names) -> bool {
    let words = |names: &Names| -> Vec<String> {
        let name = names.values().next().map(|path| paths::split_last(path).1);
        name.unwrap_or_default().to_snake_case().split('_').map(str::to_owned).collect()
    };
    let (one, other) = (words(one), words(other));
    let has_all = |few: &[String], many: &[String]| few.iter().all(|word| many.contains(word));
    has_all(&one, &other) || has_all(&other, &one)
}

/// Returns `true` if all values of the type are plain: no versions of a struct or of words that could differ.
fn is_plain(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => is_plain(inner),
        RustType::Struct(_) | RustType::Wrapped(..) | RustType::Vocabulary(_) => false,
        _ => true,
    }
}

fn same(one: &Field<'_>, other: &Field<'_>) -> String {
    let names = if are_alike(one.0, other.0) { "their names are alike, " } else { "" };
    let what = match one.1.as_ref().map(|(rust_type, _)| rust_type.present()) {
        Some(RustType::String) => "both are texts",
        Some(RustType::Bool) => "both are booleans",
        Some(RustType::I32 | RustType::I64 | RustType::F64) => "both are numbers",
        Some(RustType::List(_)) => "both are lists of one type",
        Some(RustType::Map(_)) => "both are maps of one type",
        _ => "both have one type",
    };
    format!("A guess: {names}{what}, and only one of them is in each version.")
}

fn undecided<'f>(several: impl Iterator<Item = &'f Field<'f>>) -> String {
    let paths = several.filter_map(|field| Some(code(field.0.values().next()?)));
    let paths = join(paths, " and ");
    format!("A draft: {paths} are equally like it, so a person has to say which it is, if any.")
}

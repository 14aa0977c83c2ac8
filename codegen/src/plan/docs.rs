//! The rustdoc of the items: the project's description, then what the documents state.

use std::collections::BTreeSet;

use k8s_versioned::{Lifecycle, Release};

use super::rust_items::ItemPath;
use crate::Problems;
use crate::model::Model;
use crate::problem::{Cause, Place};
use crate::rules::{self, Rules};
use crate::spec::{Field, ListType, MapType, Merge, Releases, Type};
use crate::text::join;

/// The description files, and which of their texts were used.
pub(super) struct Descriptions<'a> {
    rules: &'a Rules,
    used: BTreeSet<Key>,
}

/// The module, the type and the field that a text describes; empty names for the module or the type itself.
type Key = (String, String, String);

fn key(module: &str, name: &str, wire: &str) -> Key {
    (module.to_owned(), name.to_owned(), wire.to_owned())
}

impl<'a> Descriptions<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        Self { rules, used: BTreeSet::new() }
    }

    /// The description of a module.
    pub(super) fn of_module(&mut self, module: &str, problems: &mut Problems) -> String {
        let found = self.rules.descriptions.get(module).map(|it| it.module.as_str());
        self.used.insert(key(module, "", ""));
        let place = Place::file(format!("descriptions/{}.toml", module.replace("::", ".")));
        described(found, || format!("the module `{module}`"), &place, problems)
    }

    /// The description of a type.
    pub(super) fn of_type(
        &mut self,
        path: &ItemPath,
        place: &Place,
        problems: &mut Problems,
    ) -> String {
        let found = self.find(path).map(|found| found.description.as_str());
        self.used.insert(key(&path.module, &path.name, ""));
        described(found, || format!("`{}::{}`", path.module, path.name), place, problems)
    }

    /// The description of the field `wire` of a type.
    pub(super) fn of_field(
        &mut self,
        path: &ItemPath,
        wire: &str,
        place: &Place,
        problems: &mut Problems,
    ) -> String {
        let found = self.find(path).and_then(|found| found.fields.get(wire)).map(String::as_str);
        self.used.insert(key(&path.module, &path.name, wire));
        let what = || format!("field `{wire}` of `{}::{}`", path.module, path.name);
        described(found, what, place, problems)
    }

    /// Reports the texts that describe nothing.
    pub(super) fn report_unused(&self, problems: &mut Problems) {
        let mut report = |place: &Place, what: String| {
            problems.push(place, Cause::RuleMatchesNothing(what));
        };
        for (module, descriptions) in &self.rules.descriptions {
            if !self.used.contains(&key(module, "", "")) {
                report(&descriptions.file, module.clone());
                continue;
            }
            if let Some(like) = &descriptions.like
                && !self.is_like(module, like.get_ref())
            {
                report(&descriptions.place(like), like.get_ref().clone());
            }
            for (name, found) in &descriptions.types {
                let used = |wire: &str| self.used.contains(&key(module, name.get_ref(), wire));
                if !used("") {
                    report(&descriptions.place(name), format!("{module}::{}", name.get_ref()));
                    continue;
                }
                for field in found.fields.keys().filter(|field| !used(field.get_ref())) {
                    let what = format!("{}.{}", name.get_ref(), field.get_ref());
                    report(&descriptions.place(field), what);
                }
            }
        }
    }

    fn find(&self, path: &ItemPath) -> Option<&'a rules::TypeDescription> {
        self.rules.description(&path.module, &path.name)
    }

    /// Tells if the texts of a module that is like another describe a type of it.
    fn is_like(&self, module: &str, like: &str) -> bool {
        let types = self.rules.descriptions.get(like).into_iter().flat_map(|it| it.types.keys());
        let own = self.rules.descriptions.get(module);
        let inherited = types.filter(|name| own.is_some_and(|own| !own.types.contains_key(*name)));
        inherited.into_iter().any(|name| self.used.contains(&key(module, name.get_ref(), "")))
    }
}

fn described(
    found: Option<&str>,
    what: impl FnOnce() -> String,
    place: &Place,
    problems: &mut Problems,
) -> String {
    let text = found.unwrap_or_default().trim();
    if text.is_empty() {
        problems.push(place, Cause::NoDescription(what()));
    }
    text.to_owned()
}

/// The rustdoc of a module; that of an API version says from when to when it is served.
pub(super) fn of_module(description: &str, lifecycle: Option<&Lifecycle>) -> String {
    let notes: Vec<String> = lifecycle.map(lifecycle_note).into_iter().collect();
    with_notes(description, &notes)
}

/// The rustdoc of a type. The lifecycle of an API version says more than the documents at hand.
pub(super) fn of_type(
    description: &str,
    found: &Type,
    model: &Model,
    lifecycle: Option<&Lifecycle>,
) -> String {
    let mut notes: Vec<String> = merge_note(&found.merge).into_iter().collect();
    notes.push(lifecycle.map_or_else(|| known_note(&found.releases, model), lifecycle_note));
    with_notes(description, &notes)
}

fn lifecycle_note(lifecycle: &Lifecycle) -> String {
    let part = |release: Option<Release>, what: &str| {
        release.map_or_else(String::new, |release| format!(", {what} {release:#}"))
    };
    format!(
        "Since Kubernetes {:#}{}{}.",
        lifecycle.introduced_in(),
        part(lifecycle.deprecated_in(), "deprecated since"),
        part(lifecycle.removed_in(), "removed in"),
    )
}

/// Since when and until when something is known from the documents.
fn known_note(found: &Releases, model: &Model) -> String {
    let (oldest, newest) = (model.releases.first(), model.releases.last());
    let first = found.first().map(|first| {
        let earlier = if Some(&first) == oldest { " or earlier" } else { "" };
        format!("Since Kubernetes {first:#}{earlier}")
    });
    let last = found.last().filter(|last| Some(last) != newest);
    let until = last.map(|last| format!(", until {last:#}"));
    format!("{}{}.", first.unwrap_or_default(), until.unwrap_or_default())
}

/// The rustdoc of a field.
pub(super) fn of_field(description: &str, field: &Field, of: &Type) -> String {
    let mut notes = Vec::new();
    notes.extend(required_note(field));
    notes.extend(default_note(field));
    notes.extend(merge_note(&field.merge));
    notes.extend(releases_note(&field.releases, &of.releases));
    with_notes(description, &notes)
}

/// The first paragraph of a description.
pub(super) fn summary(description: &str) -> String {
    join(description.lines().take_while(|line| !line.is_empty()), " ")
}

fn with_notes(description: &str, notes: &[String]) -> String {
    if notes.is_empty() {
        description.to_owned()
    } else {
        format!("{description}\n\n{}", notes.join(" "))
    }
}

fn required_note(field: &Field) -> Option<String> {
    let since = field.required_in.first()?;
    if field.required_in == field.releases {
        Some("Required.".to_owned())
    } else {
        Some(format!("Required since Kubernetes {since:#}."))
    }
}

fn default_note(field: &Field) -> Option<String> {
    Some(format!("Default: `{}`.", field.default?))
}

fn merge_note(merge: &Merge) -> Option<String> {
    let note = match (merge.list_type, merge.map_type) {
        (Some(ListType::Set), _) => {
            "Applied as a set: each value has owners of its own.".to_owned()
        }
        (Some(ListType::Map), _) => {
            let keys = join(merge.list_map_keys.iter().map(|key| format!("`{key}`")), " and ");
            format!("Applied item by item: each has owners of its own, told apart by {keys}.")
        }
        (Some(ListType::Atomic), _) | (_, Some(MapType::Atomic)) => {
            "Applied as a whole (atomic): it has one owner.".to_owned()
        }
        (_, Some(MapType::Granular)) => {
            "Applied entry by entry: each has owners of its own.".to_owned()
        }
        (None, None) => return None,
    };
    Some(note)
}

/// Says since when and until when, where that differs from the type's own.
fn releases_note(field: &Releases, of: &Releases) -> Option<String> {
    let since = field.first().filter(|first| of.first() != Some(*first));
    let until = field.last().filter(|last| of.last() != Some(*last));
    match (since, until) {
        (Some(since), Some(until)) => Some(format!("Since Kubernetes {since:#}, until {until:#}.")),
        (Some(since), None) => Some(format!("Since Kubernetes {since:#}.")),
        (None, Some(until)) => Some(format!("Until Kubernetes {until:#}.")),
        (None, None) => None,
    }
}

//! Types and their fields.

use litemap::LiteMap;
use serde_json::Value;

use super::change_kinds::{FIELD_REMOVED, TYPE_ADDED, TYPE_KINDS, TYPE_REMOVED};
use super::finding::pairs;
use super::reach::{BUDGET, Budget, Reach, Search};
use super::schema::{self, Change, Path, Step};
use super::side::{Renames, Side, short};
use super::{ChangeKind, DiffFinding};
use crate::Place;
use crate::gather::Gather;
use crate::spec::{GroupVersionKind, Type, split_inline};
use crate::text::shorten;

/// Compares the types of both sides.
pub(super) fn compare(old: &Side, new: &Side, names: &Renames) -> Vec<DiffFinding> {
    let before = selected(old, new, |name| names.schema(name));
    let after = selected(new, old, str::to_owned);
    let budget = &Budget::new(BUDGET);
    let [old, new] = [old, new].map(|side| Finder { side, search: Search::new(side, budget) });
    let mut findings = Vec::new();
    for (_, was, is) in pairs(&before, &after) {
        match (was, is) {
            (Some((old_name, was)), Some((name, is))) => {
                for change in
                    schema::compare(old.schema(old_name), new.schema(name), is.dialect, names)
                {
                    // Removed parts are only in the old document.
                    let is_old = change.rule == FIELD_REMOVED;
                    let (of, name) = if is_old { (&old, old_name) } else { (&new, name) };
                    findings.push(of.changed(name, change));
                }
                if names.are_the_same() && was.kinds != is.kinds {
                    let only = |a: &Type, b: &Type| list(a.kinds.difference(&b.kinds));
                    let finding = new.finding(TYPE_KINDS, name, &Path::default());
                    findings.push(finding.with_values(only(was, is), only(is, was)));
                }
            }
            (Some((name, _)), None) => {
                findings.push(old.finding(TYPE_REMOVED, name, &Path::default()));
            }
            (None, Some((name, _))) => {
                findings.push(new.finding(TYPE_ADDED, name, &Path::default()));
            }
            (None, None) => {}
        }
    }
    findings
}

/// The types of a side with their names, by their names on the new side. The objects inside a custom resource are parts of its
/// schema. When whole releases are compared, types of a version that the other release does not serve are left out: the version
/// itself is a finding.
fn selected<'a>(
    side: &'a Side,
    other: &Side,
    new_name: impl Fn(&str) -> String,
) -> LiteMap<String, (&'a str, &'a Type)> {
    let version = |name: &str| {
        let mut own = side.modules.iter().filter(|module| module.shared.is_none());
        own.find_map(|module| {
            let (version, _) = name.strip_prefix(&module.prefix)?.split_once('.')?;
            version.parse().ok()
        })
    };
    let named = side.model.types.iter().filter(|(name, _)| split_inline(name).is_none());
    let known = named.filter(|(name, _)| side.compares(version(name), other));
    known.map(|(name, of_name)| (new_name(name), (name.as_str(), of_name))).gather()
}

/// Makes findings about the types of a side.
struct Finder<'a> {
    side: &'a Side,
    search: Search<'a>,
}

impl Finder<'_> {
    /// The schema of a type. The lists that are made for definitions have none: they are alike.
    fn schema(&self, name: &str) -> &Value {
        self.side.schema(name).unwrap_or(&Value::Null)
    }

    fn changed(&self, name: &str, change: Change) -> DiffFinding {
        let Change { path, rule, old, new } = change;
        self.finding(rule, name, &path).with_values(old, new)
    }

    /// A finding about a part of a type.
    fn finding(&self, rule: ChangeKind, name: &str, path: &Path) -> DiffFinding {
        let Reach { bodies, holders } = self.search.reach(name);
        let dot = if path.0.is_empty() { "" } else { "." };
        let subject = format!("{}{dot}{path}", short(&self.side.modules, name));
        let finding = DiffFinding::new(rule, subject, bodies);
        let finding = finding.with_reach(holders);
        self.place(name, path).map_or(finding.clone(), |place| finding.at(place))
    }

    /// The place of the field at the end of a path, or that of the field around it if the model does not have it.
    fn place(&self, name: &str, path: &Path) -> Option<&Place> {
        let types = &self.side.model.types;
        let field = path.0.iter().rposition(|step| matches!(step, Step::Field(_)));
        if let Some(index) = field
            && let (before, [Step::Field(field), ..]) = path.0.split_at_checked(index)?
        {
            let before = Path(before.to_vec());
            let owner = if index == 0 { name.to_owned() } else { format!("{name}#{before}") };
            return match types.get(&owner).and_then(|owner| owner.property(field)) {
                Some(property) => Some(&property.place),
                None => self.place(name, &before),
            };
        }
        types.get(name).map(|of_name| &of_name.place)
    }
}

/// The first kinds of a list, and the number of the others.
fn list<'a>(kinds: impl Iterator<Item = &'a GroupVersionKind>) -> Option<String> {
    const SHOWN: usize = 3;
    let mut texts: Vec<String> = kinds.map(GroupVersionKind::api_version).collect();
    shorten(&mut texts, SHOWN, |hidden| format!("{hidden} more"));
    (!texts.is_empty()).then(|| texts.join(", "))
}

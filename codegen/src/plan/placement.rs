//! Where each schema goes: into a generated module, or to a hand-written type.

use std::collections::BTreeMap;

use super::names;
use super::rust_items::{ItemPath, Origin, RustType};
use crate::Problems;
use crate::model::Model;
use crate::problem::Cause;
use crate::rules::{Intrinsic, Rules};
use crate::spec::{Type, TypeBody};

/// Where a schema goes.
#[derive(Clone, Debug)]
pub(super) enum Placement {
    /// Into a generated struct.
    Generated {
        /// Its path.
        path: ItemPath,
    },
    /// To a hand-written type.
    External {
        /// Its path; none for the body of a request.
        path: Option<ItemPath>,
        /// Whether it has a default.
        default: bool,
    },
}

/// Where all schemas go.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements(BTreeMap<String, Placement>);

impl Placements {
    pub(super) fn get(&self, schema: &str) -> Option<&Placement> {
        self.0.get(schema)
    }

    /// The Rust type of a reference to `schema`.
    pub(super) fn rust_type(&self, schema: &str) -> Option<RustType> {
        match self.0.get(schema)? {
            Placement::Generated { path } => Some(RustType::Struct(path.clone())),
            Placement::External { path, default } => {
                Some(RustType::External(path.clone()?, *default))
            }
        }
    }

    /// Whether `schema` is only ever the body of a request, so that no type stands for it.
    pub(super) fn is_body_only(&self, schema: &str) -> bool {
        matches!(self.0.get(schema), Some(Placement::External { path: None, .. }))
    }

    /// The path of the struct for `schema`, if one is generated.
    pub(super) fn generated(&self, schema: &str) -> Option<&ItemPath> {
        match self.0.get(schema)? {
            Placement::Generated { path } => Some(path),
            Placement::External { .. } => None,
        }
    }

    /// All generated structs.
    pub(super) fn all_generated(&self) -> impl Iterator<Item = (&str, &ItemPath)> {
        self.0.keys().filter_map(|schema| Some((schema.as_str(), self.generated(schema)?)))
    }

    /// The hand-written types that have the name of a schema of `module`, which all groups share.
    pub(super) fn reexports(&self, module: &str) -> Vec<ItemPath> {
        let suffix = format!(".{}.", module.replace("::", "."));
        let external = |(schema, placement): (&String, &Placement)| match placement {
            Placement::External { path: Some(path), .. }
                if schema.ends_with(&format!("{suffix}{}", path.name)) =>
            {
                Some(path.clone())
            }
            _ => None,
        };
        self.0.iter().filter_map(external).collect()
    }
}

pub(super) fn place(model: &Model, rules: &Rules, problems: &mut Problems) -> Placements {
    let mut placements = Placements::default();
    for (schema, found) in &model.types {
        let intrinsic = rules.intrinsics.iter().find(|intrinsic| intrinsic.schema.value == *schema);
        let placement = match intrinsic {
            Some(intrinsic) => Some(external(intrinsic)),
            None => generated(schema, found, rules, problems),
        };
        placements.0.extend(placement.map(|placement| (schema.clone(), placement)));
    }
    check_clashes(model, &placements, problems);
    report_unused(model, rules, problems);
    placements
}

/// Reports the rules that match no schema, and the second of two for the same one.
fn report_unused(model: &Model, rules: &Rules, problems: &mut Problems) {
    for (index, intrinsic) in rules.intrinsics.iter().enumerate() {
        let schema = &intrinsic.schema.value;
        if rules.intrinsics.iter().take(index).any(|other| other.schema.value == *schema) {
            problems.push(&intrinsic.schema.place, Cause::RuleTwice(schema.clone()));
        } else if !model.types.contains_key(schema) {
            problems.push(&intrinsic.schema.place, Cause::RuleMatchesNothing(schema.clone()));
        }
    }
    for (index, rule) in rules.modules.iter().enumerate() {
        let mut before = rules.modules.iter().take(index);
        if before.any(|other| other.prefix == rule.prefix) {
            problems.push(&rule.place, Cause::RuleTwice(rule.schemas()));
        } else if !model.types.keys().any(|schema| rule.apply(schema).is_some()) {
            let cause = Cause::RuleMatchesNothing(rule.schemas());
            problems.push(&rule.place, cause);
        }
    }
}

fn external(intrinsic: &Intrinsic) -> Placement {
    let path = intrinsic.rust_type.as_ref().and_then(|path| {
        let (module, name) = path.value.rsplit_once("::")?;
        Some(ItemPath {
            origin: Origin::External,
            module: module.to_owned(),
            name: name.to_owned(),
        })
    });
    Placement::External { path, default: intrinsic.default }
}

fn generated(
    schema: &str,
    found: &Type,
    rules: &Rules,
    problems: &mut Problems,
) -> Option<Placement> {
    if let TypeBody::Value(_) = found.body {
        super::report(found, Cause::NoShape(schema.to_owned()), problems);
        return None;
    }
    let placed =
        rules.modules.iter().find_map(|rule| Some((rule.apply(schema)?, rule.shared.clone())));
    let Some(((module, name), shared)) = placed else {
        super::report(found, Cause::NoModule(schema.to_owned()), problems);
        return None;
    };
    for part in module.split("::") {
        names::check_type_name(part, &found.place, problems);
    }
    names::check_type_name(&name, &found.place, problems);
    let path = ItemPath { origin: shared.map_or(Origin::Generated, Origin::Shared), module, name };
    Some(Placement::Generated { path })
}

/// Two types of a module must differ in their names and in the names of their files.
fn check_clashes(model: &Model, placements: &Placements, problems: &mut Problems) {
    let mut files: BTreeMap<(&Origin, &str, String), &str> = BTreeMap::new();
    for (schema, path) in placements.all_generated() {
        let file = names::snake_case(&path.name);
        if let Some(first) = files.insert((&path.origin, &path.module, file.clone()), schema)
            && let Some(found) = model.types.get(schema)
        {
            let cause =
                Cause::NameClash { first: first.to_owned(), second: schema.to_owned(), rust: file };
            super::report(found, cause, problems);
        }
    }
}

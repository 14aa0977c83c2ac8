//! The objects without a name in the schemas of custom resources: one Rust type for each structure, with a name that
//! later releases keep.
//!
//! Equal structures of one version are one type, but the spec and the status of a kind are its own. `names.toml` keeps the
//! names that were chosen, and which paths are one type: these stay together while their fields agree, so a field that
//! one of them gains renames nothing.

mod name_clashes;
mod structure_names;
mod structures;
mod type_names;
mod united_schema;

use std::collections::HashMap;

use k8s_versioned_core::nearest::nearest;
use litemap::LiteMap;
use structure_names::{Namer, path};
use structures::{Object, Structure, Types};

use super::placement::Placements;
use super::rust_items::{Package, RustType};
use crate::gather::Gather;
use crate::model::Model;
use crate::problem::PlanCause;
use crate::rules::Names;
use crate::spec::{Dialect, split_inline, version_of};
use crate::{Problems, threads};

pub(super) use type_names::TypeNames;

/// Unites the equal structures of a model, places their types, and returns the types and all names.
pub(super) fn unite(
    model: &Model,
    stored: &Names,
    placements: &mut Placements,
    problems: &mut Problems,
) -> (Types, TypeNames) {
    let mut namer = Namer::new(model, placements, stored);
    let by_key = stored.by_object().into_iter().map(|(key, name)| (key, name.to_owned()));
    let mut result =
        TypeNames { file: stored.clone(), stored: by_key.gather(), ..TypeNames::default() };
    let mut united = Vec::new();
    for (prefix, objects) in by_version(model) {
        let Some(module) = objects.iter().find_map(|object| module_of(placements, object.key))
        else {
            report_without_module(model, &objects, placements, problems);
            continue;
        };
        let stored = stored.of_table(prefix);
        let mut structures = structures::find(&objects, &stored);
        namer.name(&module, &mut structures, &stored);
        result.versions.insert(module.clone());
        for structure in structures {
            let keys = structure.members.iter().map(|member| member.key);
            result.chosen.add(prefix, &structure.name, keys);
            united.push((module.clone(), structure));
        }
    }
    let types = place(model, united, placements, &mut result);
    result.taken = namer.taken;
    for (schema, path) in placements.all_generated() {
        let is_custom = types.get(schema).is_some_and(|ty| ty.dialect == Dialect::Custom);
        let is_own = path.package == Package::Generated && split_inline(schema).is_none();
        if is_own && is_custom {
            result.chosen.add(version_of(schema), &path.name, [schema]);
        }
    }
    (types, result)
}

/// Places a type for each structure, and returns all types.
fn place(
    model: &Model,
    united: Vec<(String, Structure<'_>)>,
    placements: &mut Placements,
    names: &mut TypeNames,
) -> Types {
    let mut types = whole(model, &united);
    let schemas = threads::map(&united, |(_, structure)| {
        united_schema::of_objects(&model.types, &structure.members)
    });
    for ((module, Structure { mut of_type, members, name, .. }), schema) in
        united.into_iter().zip(schemas)
    {
        let members: Vec<String> =
            members.into_iter().map(|member| member.key.to_owned()).collect();
        let Some(key) = members.first().cloned() else {
            continue;
        };
        placements.insert(&key, RustType::Struct(path(&module, &name)));
        if let Some((inside, published)) = schema {
            inside.clone_into(&mut of_type.inside);
            of_type.published = published;
        }
        types.insert(key.clone(), of_type);
        names.members.insert(key, members);
    }
    types
}

/// Warnings about objects in `names.toml` that their kind does not have, if the kind has an object that the file lacks: the name is
/// misspelt. If an object was removed, the file lacks none.
pub(crate) fn unknown_names(model: &Model, stored: &Names) -> Problems {
    let named = stored.by_object();
    let mut warnings = Problems::new();
    for (key, name) in &named {
        let is_of_nothing = |(kind, _): &(&str, &str)| {
            model.types.contains_key(*kind) && !model.types.contains_key(key)
        };
        let Some((kind, _)) = split_inline(key).filter(is_of_nothing) else {
            continue;
        };
        let inside = format!("{kind}#");
        let all = model.types.range(inside.clone()..).map(|(key, _)| key.as_str());
        let all = all.take_while(|key| key.starts_with(&inside));
        let unnamed: Vec<_> = all.filter(|key| !named.contains_key(*key)).collect();
        let near = nearest(key, unnamed.iter().copied()).or(unnamed.first().copied());
        if let Some(near) = near {
            let table = version_of(kind);
            let own = |key: &str| key.get(table.len() + 1..).unwrap_or_default().to_owned();
            let cause = PlanCause::NameOfNothing { object: own(key), near: own(near) };
            warnings.push(&stored.place(table, name), cause);
        }
    }
    warnings
}

/// The types that are not inline, which refer to structures instead of single objects.
fn whole(model: &Model, united: &[(String, Structure<'_>)]) -> Types {
    let members = united.iter().flat_map(|(_, Structure { members, .. })| {
        members.iter().zip(members.first().into_iter().cycle())
    });
    let structures: HashMap<_, _> =
        members.map(|(member, first)| (member.key, first.key)).collect();
    let whole = model.types.iter().filter(|(name, _)| split_inline(name).is_none());
    whole
        .map(|(name, ty)| {
            let structure = |key: &str| structures.get(key).copied();
            (name.clone(), structures::with_structures(ty, structure))
        })
        .gather()
}

/// The inline objects of each version, by the beginning of the names of its kinds.
fn by_version(model: &Model) -> LiteMap<&str, Vec<Object<'_>>> {
    let mut versions: LiteMap<&str, Vec<Object<'_>>> = LiteMap::new();
    for (key, of_type) in &model.types {
        if split_inline(key).is_some() {
            versions.entry(version_of(key)).or_default().push(Object { key, of_type });
        }
    }
    versions
}

/// The module of the kind that has an inline object.
fn module_of(placements: &Placements, key: &str) -> Option<String> {
    let (kind, _) = split_inline(key)?;
    Some(placements.generated(kind)?.module.clone())
}

/// Reports inline objects in schemas that have no Rust type, and that neither a rule nor another problem leaves out.
fn report_without_module(
    model: &Model,
    objects: &[Object<'_>],
    placements: &Placements,
    problems: &mut Problems,
) {
    let kinds = objects.iter().filter_map(|object| split_inline(object.key));
    let schemas = kinds.filter_map(|(kind, _)| model.types.get_key_value(kind));
    for (schema, ty) in schemas {
        // A kind without a type is a problem of its resource.
        if problems.is_empty() && ty.kinds.is_empty() && !placements.is_placed(schema) {
            problems.push(&ty.place, PlanCause::NoShape(schema.clone()));
        }
    }
}

//! The role of a type in the API: a part, an object, a resource, a list.

use std::collections::BTreeSet;

use super::placement::Placements;
use super::planner::{Lists, Planner};
use super::rust_items::{ItemPath, Object, ObjectRole};
use crate::Problems;
use crate::gather::Gather;
use crate::model::Model;
use crate::problem::PlanCause;
use crate::spec::{Dialect, GroupVersionKind, Property, Type, ValueType};

/// The fields that are constants in Rust.
const TYPE_META: [&str; 2] = ["apiVersion", "kind"];

/// The first list of the objects of each schema.
pub(super) fn lists(model: &Model) -> Lists<'_> {
    let mut lists = Lists::new();
    for (list, ty) in model.types.iter().filter(|(_, ty)| !ty.kinds.is_empty()) {
        if let Some(item) = item_schema(ty) {
            lists.entry(item).or_insert((list, ty));
        }
    }
    lists
}

impl Planner<'_> {
    /// The type of `schema` as an object; `None` if it is only a part of others.
    pub(super) fn object(&mut self, schema: &str, ty: &Type) -> Option<Object> {
        if !is_object(ty) {
            return None;
        }
        let Some(written) = written(ty) else {
            let kinds = ty.kinds.iter();
            let kinds =
                kinds.map(|kind| format!("`{} {}`", kind.api_version(), kind.kind)).collect();
            self.problems.push(&ty.place, PlanCause::ManyKinds(kinds));
            return None;
        };
        let role = self.resource(schema, ty, written).or_else(|| self.list(ty));
        let mut accepted = vec![written.api_version()];
        accepted.extend(
            ty.kinds.iter().filter(|kind| *kind != written).map(GroupVersionKind::api_version),
        );
        Some(Object { gvk: written.clone(), accepted, role: role.unwrap_or(ObjectRole::Other) })
    }

    fn resource(&mut self, schema: &str, ty: &Type, kind: &GroupVersionKind) -> Option<ObjectRole> {
        let resource = self.model.resource(kind)?;
        if !has_metadata(ty, "ObjectMeta", self.placements) {
            self.problems.push(&ty.place, PlanCause::NoMetadata);
        }
        let list = self.list_of(schema);
        if list.is_none() && resource.stored {
            let (resource, role) = (resource.plural.clone(), "lists of its objects");
            self.problems.push(&ty.place, PlanCause::NoType { resource, role });
            return None;
        }
        Some(ObjectRole::Resource {
            plural: resource.plural.clone(),
            scope: resource.scope,
            list: list.map(|(list, _)| list.clone()),
            list_kind: list.map_or("", |(_, kind)| kind).to_owned(),
        })
    }

    /// The type of lists of the objects of `schema`, and their kind.
    fn list_of(&self, schema: &str) -> Option<(&ItemPath, &str)> {
        let (list, ty) = self.lists.get(schema)?;
        Some((self.placements.generated(list)?, &written(ty)?.kind))
    }

    /// The role of a list of a resource's objects. The list must have the fields of the generic list.
    fn list(&mut self, ty: &Type) -> Option<ObjectRole> {
        let schema = resource_schema(self.model, ty)?;
        let mut fields = ty.properties().map(|(name, _)| name);
        let only =
            fields.all(|name| TYPE_META.contains(&name) || ["items", "metadata"].contains(&name));
        if !only || !has_metadata(ty, "ListMeta", self.placements) {
            self.problems.push(&ty.place, PlanCause::UnusualList);
        }
        let item = self.placements.generated(schema)?.clone();
        Some(ObjectRole::List { item })
    }
}

/// The kind that is written: the only kind, or the kind of the core group.
fn written(ty: &Type) -> Option<&GroupVersionKind> {
    let core = ty.kinds.iter().filter(|kind| kind.group.is_empty());
    only(ty.kinds.iter()).or_else(|| only(core))
}

fn only<'a, T>(mut items: impl Iterator<Item = &'a T>) -> Option<&'a T> {
    items.next().filter(|_| items.next().is_none())
}

/// Reports the resources whose objects have no type.
pub(super) fn check_resources(model: &Model, problems: &mut Problems) {
    let objects = model.types.values().filter(|ty| is_object(ty));
    let kinds: BTreeSet<&GroupVersionKind> = objects.flat_map(|ty| &ty.kinds).gather();
    for resource in &model.resources {
        if !kinds.contains(&resource.kind) {
            let (place, resource) = (&resource.place, resource.plural.clone());
            problems.push(place, PlanCause::NoType { resource, role: "its objects" });
        }
    }
}

/// The fields that a type has in Rust. The generic type has the fields of a list, and `apiVersion` and `kind` are
/// constants.
pub(super) fn rust_fields<'a>(
    model: &Model,
    ty: &'a Type,
) -> impl Iterator<Item = (&'a str, &'a Property)> {
    let is_object = is_object(ty);
    let is_list = is_object && resource_schema(model, ty).is_some();
    ty.properties().filter(move |(name, _)| !(is_list || (is_object && TYPE_META.contains(name))))
}

/// Returns `true` if values of the type have `apiVersion` and `kind`.
pub(super) fn is_object(ty: &Type) -> bool {
    let is_text =
        |name| ty.property(name).is_some_and(|property| property.value == ValueType::String);
    TYPE_META.into_iter().all(is_text) && !ty.kinds.is_empty()
}

/// The schema of the items, if the type has any.
fn item_schema(ty: &Type) -> Option<&str> {
    match &ty.property("items")?.value {
        ValueType::List(item) => match item.as_ref() {
            ValueType::Reference(schema) => Some(schema),
            _ => None,
        },
        _ => None,
    }
}

/// The schema of the items, if these are objects of a resource.
fn resource_schema<'a>(model: &Model, ty: &'a Type) -> Option<&'a str> {
    let schema = item_schema(ty)?;
    let item = model.types.get(schema)?;
    item.kinds.iter().any(|kind| model.resource(kind).is_some()).then_some(schema)
}

/// Returns `true` if the field `metadata` is always present, and of the type of `meta::v1` with this name.
fn has_metadata(ty: &Type, name: &str, placements: &Placements) -> bool {
    ty.property("metadata").is_some_and(|property| {
        let ValueType::Reference(schema) = &property.value else {
            return false;
        };
        let custom = ty.dialect == Dialect::Custom;
        let always = custom || property.required() || property.default.is_some();
        always && placements.generated(schema).is_some_and(|path| path.is_meta(name))
    })
}

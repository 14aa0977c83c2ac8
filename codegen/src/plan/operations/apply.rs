//! Apply types: the kinds that can be applied, and their parts, with every field optional.

use std::collections::BTreeSet;
use std::sync::Arc;

use litemap::LiteMap;

use super::served::Served;
use crate::Problems;
use crate::gather::Gather;
use crate::input::toml_file::Layers;
use crate::plan::{
    Field, ItemPath, Object, ObjectRole, Presence, RustType, Struct, Traits, Wrapper,
};
use crate::rules::Named;

/// The path of the apply type of each struct that has one.
pub(super) type ApplyPaths = LiteMap<ItemPath, ItemPath>;

/// The module of the apply types of a module. Each has the name of its type.
pub(crate) fn apply_module(module: &str) -> String {
    if module.is_empty() { "apply".to_owned() } else { format!("{module}::apply") }
}

fn apply_path(path: &ItemPath) -> ItemPath {
    ItemPath { module: apply_module(&path.module), ..path.clone() }
}

/// The structs that a server-side apply can begin with: the resources that can be changed with a patch. Documents without
/// resources have the types that all groups share: then these are the parts that no other type has.
fn roots<'a>(structs: &'a [Struct], served: &LiteMap<ItemPath, Served>) -> Vec<&'a Struct> {
    if served.is_empty() {
        let fields = structs.iter().flat_map(|planned| &planned.fields);
        let parts: BTreeSet<&ItemPath> = fields.filter_map(|field| field.rust_type.held()).gather();
        let is_root = |planned: &&Struct| {
            planned.path.is_shared() && planned.object.is_none() && !parts.contains(&planned.path)
        };
        return structs.iter().filter(is_root).collect();
    }
    let takes_patches =
        |planned: &&Struct| served.get(&planned.path).is_some_and(Served::takes_patches);
    structs.iter().filter(takes_patches).collect()
}

/// Plans the apply types of the resources that can be changed with a patch, and of their parts.
pub(super) fn plan(
    structs: &[Struct],
    served: &LiteMap<ItemPath, Served>,
    left_out: &Layers<Named>,
    problems: &mut Problems,
) -> (Vec<Struct>, ApplyPaths) {
    let by_path: LiteMap<&ItemPath, &Struct> =
        structs.iter().map(|planned| (&planned.path, planned)).gather();
    let mut needed: BTreeSet<&ItemPath> = BTreeSet::new();
    let mut open = roots(structs, served);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    while let Some(next) = open.pop() {
        if !needed.insert(&next.path) {
            continue;
        }
        for field in &next.fields {
            match find(next, field, left_out) {
                Some(rule) => drop(used.insert(&rule.name.value)),
                None => open.extend(field.rust_type.held().and_then(|path| by_path.get(path))),
            }
        }
    }
    let own = left_out.own.iter().map(|rule| &rule.name);
    own.filter(|name| !used.contains(&*name.value))
        .for_each(|rule| rule.report_without_match(problems));
    let needed = structs.iter().filter(|planned| needed.contains(&planned.path));
    let paths =
        needed.clone().map(|needed| (needed.path.clone(), apply_path(&needed.path))).gather();
    let types = needed.map(|planned| apply_type(planned, left_out, &paths)).collect();
    (types, paths)
}

fn find<'a>(of: &Struct, field: &Field, left_out: &'a Layers<Named>) -> Option<&'a Named> {
    let is_field = |name: &str| {
        let wire = name.strip_prefix(of.schema.as_str()).and_then(|rest| rest.strip_prefix('.'));
        wire == Some(field.wire.as_str())
    };
    left_out.iter().find(|rule| is_field(&rule.name.value))
}

fn apply_type(planned: &Struct, left_out: &Layers<Named>, paths: &ApplyPaths) -> Struct {
    let fields = planned.fields.iter();
    let fields = fields.filter(|field| find(planned, field, left_out).is_none());
    let name = &planned.path.name;
    let mut docs =
        format!("The fields of [`{name}`](super::super::{name}) that a server-side apply sets.");
    if planned.object.is_some() {
        docs.push_str(
            "\n\nThe field manager of the request owns the fields that are set. The server removes a field that the\n\
             manager owned before and that is not set now, unless another manager also owns it.",
        );
    }
    Struct {
        path: paths.get(&planned.path).unwrap_or(&planned.path).clone(),
        schema: planned.schema.clone(),
        schema_type: Arc::clone(&planned.schema_type),
        summary: planned.summary.clone(),
        docs,
        fields: fields.map(|field| apply_field(field, name, paths)).collect(),
        traits: Traits { default: true, ..planned.traits },
        is_message: false,
        lifecycle: planned.lifecycle,
        object: planned
            .object
            .as_ref()
            .map(|object| Object { role: ObjectRole::Other, ..object.clone() }),
    }
}

fn apply_field(field: &Field, of: &str, paths: &ApplyPaths) -> Field {
    if field.presence == Presence::Rest {
        return field.clone();
    }
    // No apply writes `null`: a field that is left out goes away.
    let mut rust_type = &field.rust_type;
    while let RustType::Option(inner) = rust_type {
        rust_type = inner;
    }
    let path = format!("{of}::{}", field.ident.trim_start_matches("r#"));
    let see = format!("See [`{path}`](super::super::{path}).");
    Field {
        rust_type: RustType::Option(Box::new(applied(rust_type, paths))),
        presence: Presence::Optional,
        needed: false,
        docs: format!("{}\n\n{see}", field.summary).trim_start().to_owned(),
        protobuf: None,
        ..field.clone()
    }
}

/// The type with apply types in place of structs.
fn applied(rust_type: &RustType, paths: &ApplyPaths) -> RustType {
    let of = |path: &ItemPath| paths.get(path).unwrap_or(path).clone();
    let inner = |inner: &RustType| Box::new(applied(inner, paths));
    match rust_type {
        RustType::Struct(path) | RustType::Wrapped(Wrapper::Embedded, path) => {
            RustType::Struct(of(path))
        }
        RustType::Wrapped(Wrapper::Box | Wrapper::BoxEmbedded, path) => {
            RustType::Wrapped(Wrapper::Box, of(path))
        }
        RustType::List(item) => RustType::List(inner(item)),
        RustType::Map(value) => RustType::Map(inner(value)),
        RustType::Option(value) => RustType::Option(inner(value)),
        other => other.clone(),
    }
}

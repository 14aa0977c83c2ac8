//! The Rust type of each schema: in a generated module, or a hand-written one.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_core::Version;
use litemap::LiteMap;

use super::names;
use super::rust_items::{ItemPath, Package, RustType};
use crate::Problems;
use crate::gather::Gather;
use crate::ident::{self, is_name, is_of_the_root, snake_case};
use crate::model::Model;
use crate::problem::{PlanCause, RuleCause};
use crate::rules::{Intrinsic, Names, Rules};
use crate::spec::{
    Dialect, GroupVersionKind, Type, TypeBody, own_name, split_inline, split_version, version_of,
};

/// The Rust type of each schema; none for a schema that is only a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements(LiteMap<String, Option<RustType>>);

impl Placements {
    /// Places the type of `schema`.
    pub(super) fn insert(&mut self, schema: &str, rust_type: RustType) {
        self.0.insert(schema.to_owned(), Some(rust_type));
    }

    /// The Rust type of a reference to `schema`.
    pub(super) fn rust_type(&self, schema: &str) -> Option<RustType> {
        self.0.get(schema)?.clone()
    }

    /// Returns `true` if `schema` has a Rust type, or is only a body.
    pub(super) fn is_placed(&self, schema: &str) -> bool {
        self.0.contains_key(schema)
    }

    /// Returns `true` if `schema` is only the body of a request or response, so that it has no type.
    pub(super) fn is_body_only(&self, schema: &str) -> bool {
        matches!(self.0.get(schema), Some(None))
    }

    /// The path of the struct for `schema`, if one is generated.
    pub(super) fn generated(&self, schema: &str) -> Option<&ItemPath> {
        match self.0.get(schema)? {
            Some(RustType::Struct(path)) => Some(path),
            _ => None,
        }
    }

    /// All generated structs.
    pub(super) fn all_generated(&self) -> impl Iterator<Item = (&str, &ItemPath)> {
        self.0.keys().filter_map(|schema| Some((schema.as_str(), self.generated(schema)?)))
    }

    /// The hand-written types that have the name of a schema of `module`, which all groups share.
    pub(super) fn reexports(&self, module: &str) -> Vec<ItemPath> {
        let suffix = format!(".{}.", module.replace("::", "."));
        let external = |(schema, placed): (&String, &Option<RustType>)| match placed {
            Some(RustType::External(path, _)) => {
                schema.ends_with(&format!("{suffix}{}", path.name)).then(|| path.clone())
            }
            _ => None,
        };
        self.0.iter().filter_map(external).collect()
    }
}

pub(super) fn place(model: &Model, rules: &Rules, problems: &mut Problems) -> Placements {
    let mut placements = Placements::default();
    let derived = DerivedModules::new(model);
    let intrinsics = rules.intrinsics.iter();
    let intrinsics: LiteMap<&str, &Intrinsic> =
        intrinsics.map(|rule| (rule.schema.value.as_str(), rule)).gather();
    let named = model.types.iter().filter(|(schema, _)| split_inline(schema).is_none());
    for (schema, ty) in named {
        let placement = match (intrinsics.get(schema.as_str()), &ty.body) {
            (Some(intrinsic), _) => external(intrinsic),
            // A name for a value: its fields have the type of the value.
            (None, TypeBody::Value(_)) => continue,
            (None, TypeBody::Struct(_)) => match generated(schema, ty, rules, &derived, problems) {
                Some(path) => Some(RustType::Struct(path)),
                None => continue,
            },
        };
        placements.0.insert(schema.clone(), placement);
    }
    report_unused(model, rules, problems);
    shorten(model, &rules.names, &mut placements);
    for (schema, path) in placements.all_generated() {
        if let Some(ty) = model.types.get(schema) {
            names::check_type_name(&path.name, &ty.place, problems);
        }
    }
    placements
}

/// Gives the kinds and lists of custom resources with long names shorter ones: the longest end that is free. A name that is
/// stored stays, and a later kind of this name, or of the name of its apply type, gets a number. So does the second of `Widget`
/// and `widget`.
fn shorten(model: &Model, all_stored: &Names, placements: &mut Placements) {
    let stored = all_stored.by_object();
    let file = |path: &ItemPath, name: &str| names::file(&path.module, name);
    let is_custom =
        |schema: &str| model.types.get(schema).is_some_and(|ty| ty.dialect == Dialect::Custom);
    let of_stored = |(schema, path): (&str, &ItemPath)| {
        let name = stored.get(schema).filter(|name| is_custom(schema) && ident::is_name(name))?;
        Some((schema.to_owned(), ItemPath { name: (*name).to_owned(), ..path.clone() }))
    };
    let mut chosen: Vec<_> = placements.all_generated().filter_map(of_stored).collect();
    let generated = placements.all_generated();
    let modules: LiteMap<&str, String> =
        generated.map(|(schema, path)| (version_of(schema), path.module.clone())).gather();
    let kept: BTreeSet<_> = all_stored
        .types()
        .filter_map(|(prefix, name)| Some((modules.get(prefix)?, name)))
        .map(|(module, name)| names::file(module, name))
        .gather();
    let others = placements.all_generated().filter(|of| of_stored(*of).is_none());
    let is_long =
        |(schema, path): &(&str, &ItemPath)| path.name.len() > names::LONGEST && is_custom(schema);
    let (long, short): (Vec<_>, Vec<_>) = others.partition(is_long);
    let mut taken: BTreeSet<_> =
        short.iter().map(|(_, path)| file(path, &path.name)).chain(kept.iter().cloned()).gather();
    let (mut seen, mut numbers) = (BTreeSet::new(), BTreeMap::new());
    for (schema, path) in short {
        let own = file(path, &path.name);
        let is_second = !seen.insert(own.clone()) && is_custom(schema);
        if is_second || kept.contains(&own) {
            let next = numbers.entry(own).or_insert(2);
            let name = ident::numbered(&path.name, next, |name| taken.insert(file(path, name)));
            chosen.push((schema.to_owned(), ItemPath { name, ..path.clone() }));
        }
    }
    for (schema, path) in long {
        if let Some(name) = names::ends(&path.name, "").find(|name| taken.insert(file(path, name)))
        {
            chosen.push((schema.to_owned(), ItemPath { name, ..path.clone() }));
        }
    }
    for (schema, path) in chosen {
        placements.insert(&schema, RustType::Struct(path));
    }
}

/// Reports the rules that match no schema, and the second of two rules for the same schema.
fn report_unused(model: &Model, rules: &Rules, problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    for schema in rules.intrinsics.own.iter().map(|intrinsic| &intrinsic.schema) {
        if !seen.insert(schema.value.as_str()) {
            schema.report_twice(problems);
        } else if !model.types.contains_key(&schema.value) {
            schema.report_without_match(problems);
        }
    }
    let mut seen = BTreeSet::new();
    for rule in &rules.group.modules.own {
        if !seen.insert(rule.prefix.as_str()) {
            problems.push(&rule.place, RuleCause::Twice(rule.schemas()));
        } else if !model.types.keys().any(|schema| rule.apply(schema).is_some()) {
            let cause = RuleCause::MatchesNothing(rule.schemas());
            problems.push(&rule.place, cause);
        }
    }
}

fn external(intrinsic: &Intrinsic) -> Option<RustType> {
    let (module, name) = intrinsic.rust_type.as_ref()?.value.rsplit_once("::")?;
    let path = ItemPath::new(Package::External, module, name);
    Some(RustType::External(path, intrinsic.default))
}

fn generated(
    schema: &str,
    ty: &Type,
    rules: &Rules,
    derived: &DerivedModules,
    problems: &mut Problems,
) -> Option<ItemPath> {
    let mut stated = rules.group.modules.iter();
    let stated = stated.find_map(|rule| Some((rule.apply(schema)?, rule.shared.clone())));
    let placed = stated.or_else(|| Some((derived.apply(schema)?, None)));
    let Some(((module, name), shared)) = placed else {
        problems.push(&ty.place, PlanCause::NoModule(schema.to_owned()));
        return None;
    };
    for part in module.split("::") {
        names::check_type_name(part, &ty.place, problems);
    }
    let name = match ty.dialect {
        Dialect::Custom => names::kind_name(&name),
        Dialect::BuiltIn => name,
    };
    Some(ItemPath { package: shared.map_or(Package::Generated, Package::Shared), module, name })
}

// The modules of schemas that no rule places, from the names of the schemas.

/// The module of each version, by the prefix of the names of its schemas. A single group has no other modules.
pub(super) struct DerivedModules(LiteMap<String, String>);

impl DerivedModules {
    pub(super) fn new(model: &Model) -> Self {
        let mut versions = BTreeSet::new();
        let mut own = BTreeSet::new();
        let named = model.types.iter().filter(|(schema, _)| split_inline(schema).is_none());
        for (schema, ty) in named {
            let Some((prefix, version, name)) = split_version(schema) else {
                continue;
            };
            let is_kind =
                |gvk: &&GroupVersionKind| gvk.kind == name && gvk.version == version.to_string();
            let mut kinds = ty.kinds.iter().filter(is_kind).peekable();
            // Any word could be a version, but `util.intstr.IntOrString` has none.
            if kinds.peek().is_some() || version.is_numbered() {
                versions.insert((prefix, version_of(schema), version));
            }
            let is_named = |group: &str| model.groups.len() == 1 && model.groups.contains(group);
            if kinds.any(|kind| is_named(&kind.group)) {
                own.insert(prefix);
            }
        }
        let prefixes: BTreeSet<&str> = versions.iter().map(|(prefix, ..)| *prefix).gather();
        let others: Vec<&str> = prefixes.difference(&own).copied().collect();
        let module = |version: &Version| ident::version_module(&version.to_string());
        let of_own = versions.iter().filter(|(prefix, ..)| own.contains(prefix));
        let mut taken: BTreeSet<String> = of_own.map(|(.., version)| module(version)).gather();
        let mut modules: LiteMap<&str, String> = LiteMap::new();
        for prefix in &others {
            let module = short(prefix, &others);
            let mut is_free = |name: &str| taken.insert(name.to_owned());
            let free = if is_free(&module) {
                module
            } else {
                ident::numbered(&format!("{module}_"), &mut 2, is_free)
            };
            modules.insert(prefix, free + "::");
        }
        let path = |(prefix, name, version): &(&str, &str, Version)| {
            let outer = modules.get(prefix).map_or("", String::as_str);
            ((*name).to_owned(), format!("{outer}{}", module(version)))
        };
        Self(versions.iter().map(path).gather())
    }

    /// The module and the Rust name of a schema; `None` if its name has no version.
    pub(super) fn apply(&self, schema: &str) -> Option<(String, String)> {
        let module = self.0.get(version_of(schema))?;
        Some((module.clone(), own_name(schema).to_owned()))
    }
}

/// The last part of a prefix, with as many of the parts before it as make it unique, and no name that the root has.
fn short(prefix: &str, all: &[&str]) -> String {
    let last = |prefix: &str, parts: usize| {
        let mut last: Vec<&str> = prefix.trim_end_matches('.').rsplit('.').take(parts).collect();
        last.reverse();
        snake_case(&last.join("_"))
    };
    let longest = prefix.split('.').count();
    let unique = |parts: &usize| {
        let name = last(prefix, *parts);
        is_name(&name)
            && !is_of_the_root(&name)
            && all.iter().filter(|prefix| last(prefix, *parts) == name).count() == 1
    };
    last(prefix, (1..longest).find(unique).unwrap_or(longest))
}

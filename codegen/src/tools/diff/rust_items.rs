//! The changes of the Rust items in the packages that are generated from the two sides: what a program must change to compile.

use k8s_versioned_core::Release;
use litemap::LiteMap;

use super::change_kinds::{
    RUST_CONSTRUCTOR, RUST_FIELD_REMOVED, RUST_FIELD_TYPE, RUST_MODULE_ADDED, RUST_MODULE_REMOVED,
    RUST_NOT_GENERATED, RUST_TRAIT_REMOVED, RUST_TYPE_REMOVED, RUST_VARIANT_ADDED,
    RUST_VARIANT_REMOVED,
};
use super::finding::{Bodies, pairs};
use super::{ChangeKind, DiffFinding, Selection};
use crate::conversion::type_text;
use crate::gather::Gather;
use crate::input::Sources;
use crate::plan::{self, Field, Module, OpenEnum, Package, Plan, RustType, Struct, Wrapper};
use crate::project::Project;
use crate::text::join;
use crate::{Files, Place, Problems, ident};

/// The changes of the Rust items. A package has the types of all releases in `specs`: the items of the one with the releases up to
/// the old side are compared with the items of the one with the releases up to the new side. Of two versions of the API, the
/// modules of the versions are compared.
///
/// Fields and types that are new change no program; [`diff`](super::diff()) has them.
pub fn rust_items(specs: &Files, old: Selection, new: Selection) -> Vec<DiffFinding> {
    let newest = old.release.max(new.release);
    let versions = old.version.zip(new.version).filter(|(one, two)| one != two);
    // Two versions are in one package.
    let oldest = if versions.is_some() { newest } else { old.release.min(new.release) };
    let plans = plan_until(specs, oldest).and_then(|was| Ok((was, plan_until(specs, newest)?)));
    let (was, is) = match plans {
        Ok(plans) => plans,
        Err(problems) => return vec![refused(&problems, newest)],
    };
    let mut findings = Vec::new();
    let modules = versions
        .map(|(old, new)| [old, new].map(|version| ident::version_module(&version.to_string())));
    let [before, after] = [(&was, 0), (&is, 1)].map(|(plan, side)| {
        let own = plan.modules.iter().filter(|module| module.package == Package::Generated);
        let own =
            own.filter_map(|module| Some((common_path(module, modules.as_ref(), side)?, module)));
        own.gather::<LiteMap<String, &Module>>()
    });
    for (_, was, is) in pairs(&before, &after) {
        match (was, is) {
            (Some(was), Some(is)) => compare_modules(was, is, &mut findings),
            _ if modules.is_some() => {}
            (Some(was), None) => findings.push(finding(RUST_MODULE_REMOVED, was.path.clone())),
            (None, Some(is)) => findings.push(finding(RUST_MODULE_ADDED, is.path.clone())),
            (None, None) => {}
        }
    }
    let words = |plan: &Plan| -> LiteMap<String, OpenEnum> {
        let own =
            plan.open_enums.iter().filter(|open_enum| open_enum.path.package == Package::Generated);
        own.map(|open_enum| (open_enum.path.full(), open_enum.clone())).gather()
    };
    for (path, was, is) in pairs(&words(&was), &words(&is)) {
        compare_words(path, was, is, &mut findings);
    }
    findings
}

/// The items of a package with the releases up to one. Rules that ask for later releases, or that are missing, stop nothing here.
fn plan_until(specs: &Files, release: Release) -> Result<Plan, Problems> {
    let mut sources = Sources::read(specs)?;
    sources.retain(|of, _| of <= release);
    let Project { rules, model, .. } = Project::read(specs, sources)?;
    Ok(plan::plan_with_problems(&model, &rules).0)
}

/// The finding that one package cannot have the releases up to this one, if that is so.
pub fn not_generated(specs: &Files, release: Release) -> Option<DiffFinding> {
    plan_until(specs, release).err().map(|problems| refused(&problems, release))
}

fn refused(problems: &Problems, release: Release) -> DiffFinding {
    let first = problems.iter().next();
    let finding = finding(RUST_NOT_GENERATED, format!("all of {release}"));
    let finding = finding.with_values(None, first.map(|problem| problem.cause.to_string()));
    match first {
        Some(problem) => finding.at(&problem.place),
        None => finding,
    }
}

/// The path of a module as both sides have it; `None` for the module of another version than the two that are compared.
fn common_path(module: &Module, versions: Option<&[String; 2]>, side: usize) -> Option<String> {
    let Some(versions) = versions else {
        return Some(module.path.clone());
    };
    let version = versions.get(side)?;
    let is_of = |part: &&str| part == version;
    module.path.split("::").find(is_of)?;
    let parts = module.path.split("::").map(|part| if is_of(&part) { "{version}" } else { part });
    Some(join(parts, "::"))
}

fn finding(rule: ChangeKind, subject: String) -> DiffFinding {
    DiffFinding::new(rule, subject, Bodies::ALL)
}

fn compare_modules(was: &Module, is: &Module, findings: &mut Vec<DiffFinding>) {
    let structs = |module: &Module| -> LiteMap<String, Struct> {
        module.structs.iter().map(|planned| (planned.path.name.clone(), planned.clone())).gather()
    };
    for (_, was, is) in pairs(&structs(was), &structs(is)) {
        match (was, is) {
            (Some(was), Some(is)) if was.list_item().is_none() => {
                compare_structs(was, is, findings);
            }
            (Some(was), None) => findings.push(finding(RUST_TYPE_REMOVED, was.path.full())),
            _ => {}
        }
    }
}

fn compare_structs(was: &Struct, is: &Struct, findings: &mut Vec<DiffFinding>) {
    let subject = is.path.full();
    let (before, after) = (constructor(was), constructor(is));
    if before != after && before.is_some() {
        let after = after.or_else(|| Some("none".to_owned()));
        findings.push(finding(RUST_CONSTRUCTOR, subject.clone()).with_values(before, after));
    }
    let traits = [
        (was.traits.default && !is.traits.default, "Default"),
        (was.traits.eq && !is.traits.eq, "Eq, Hash"),
    ];
    for (_, name) in traits.into_iter().filter(|(is_lost, _)| *is_lost) {
        let lost = finding(RUST_TRAIT_REMOVED, subject.clone());
        findings.push(lost.with_values(name.to_owned(), None));
    }
    let fields = |planned: &Struct| -> LiteMap<String, Field> {
        planned.fields.iter().map(|field| (field.ident.clone(), field.clone())).gather()
    };
    for (name, was, is) in pairs(&fields(was), &fields(is)) {
        let subject = format!("{subject}::{name}");
        match (was, is) {
            (Some(was), None) => {
                let removed = finding(RUST_FIELD_REMOVED, subject).at(&was.property.place);
                findings.push(removed.with_values(name_of(&was.rust_type), None));
            }
            (Some(was), Some(is)) if name_of(&was.rust_type) != name_of(&is.rust_type) => {
                let [old, new] = [was, is].map(|field| name_of(&field.rust_type));
                let changed = finding(RUST_FIELD_TYPE, subject).with_values(old, new);
                findings.push(changed.at(&is.property.place));
            }
            _ => {}
        }
    }
}

/// The constructor of a struct, with the required fields as arguments.
fn constructor(of: &Struct) -> Option<String> {
    let needed = of.fields.iter().filter(|field| field.needed);
    let needed: Vec<&Field> = needed.sorted_by_key(|field| field.property.rank);
    let argument = |field: &&Field| format!("{}: {}", field.ident, name_of(&field.rust_type));
    (!needed.is_empty()).then(|| format!("new({})", join(needed.iter().map(argument), ", ")))
}

fn compare_words(
    path: &str,
    was: Option<&OpenEnum>,
    is: Option<&OpenEnum>,
    findings: &mut Vec<DiffFinding>,
) {
    let variants = |words: Option<&OpenEnum>| -> LiteMap<String, Place> {
        let variants = words.into_iter().flat_map(|words| {
            words.variants.iter().map(|variant| (variant.ident.clone(), words.place.clone()))
        });
        variants.gather()
    };
    let (before, after) = (variants(was), variants(is));
    if was.is_some() && is.is_none() {
        findings.push(finding(RUST_TYPE_REMOVED, path.to_owned()));
        return;
    }
    // All variants of a new enum are new.
    for (name, old, new) in pairs(&before, &after).into_iter().filter(|_| was.is_some()) {
        let (rule, place) = match (old, new) {
            (Some(place), None) => (RUST_VARIANT_REMOVED, place),
            (None, Some(place)) => (RUST_VARIANT_ADDED, place),
            _ => continue,
        };
        findings.push(finding(rule, format!("{path}::{name}")).at(place));
    }
}

/// A type as a program names it.
fn name_of(rust_type: &RustType) -> String {
    match rust_type {
        RustType::OpenEnum(path) | RustType::External(path, _) | RustType::Struct(path) => {
            path.name.clone()
        }
        RustType::Wrapped(Wrapper::Box, path) => format!("Box<{}>", path.name),
        RustType::Wrapped(Wrapper::Embedded, path) => format!("Embedded<{}>", path.name),
        RustType::Wrapped(Wrapper::BoxEmbedded, path) => format!("Box<Embedded<{}>>", path.name),
        RustType::List(item) => format!("Vec<{}>", name_of(item)),
        RustType::Map(value) => format!("BTreeMap<String, {}>", name_of(value)),
        RustType::Option(value) => format!("Option<{}>", name_of(value)),
        plain => type_text(plain),
    }
}

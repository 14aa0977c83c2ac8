//! The files `mod.rs`.

use std::collections::BTreeSet;

use litemap::LiteMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::{docs, file_of_module, module_ident, stem};
use super::{conversions, required};
use crate::gather::Gather;
use crate::input::Feature;
use crate::plan::{ItemPath, Module, Package, Plan, Struct, apply_module};
use crate::text::join;

/// Emits `mod.rs` of the roots, of each module, and of the folders between. `conversions` emits the file of the
/// conversions.
pub(super) fn emit(plan: &Plan, has_conversions: bool, output: &mut Output<'_>) {
    let package = &output.package.clone();
    let apply = apply_types(plan, package);
    for (path, children) in folders(plan, package) {
        let mut file = output.file();
        let mut modules = plan.modules.iter();
        match modules.find(|module| module.package == *package && module.path == path) {
            Some(module) => {
                let has_apply = apply.contains_key(&*apply_module(path));
                write_module(plan, module, &children, has_apply, &mut file);
            }
            None if path.is_empty() && *package == Package::Generated => {
                write_root(plan, has_conversions, &children, &mut file);
            }
            None => {
                file.docs(&match path {
                    "" => "The types that all groups share.".to_owned(),
                    path => format!("The versions of `{path}`."),
                });
                file.line_items(declare(&children));
            }
        }
        output.add(&file_of_module(path, "mod"), file);
    }
    for (path, types) in apply {
        let mut file = output.file();
        file.docs(APPLY);
        let [modules, uses] = declared(path, types.into_iter().map(of_type));
        file.line_items(modules);
        file.line_items(uses);
        output.add(&file_of_module(path, "mod"), file);
    }
}

/// The docs of a module of apply types.
const APPLY: &str = "Types for server-side apply.\n\nEach has the name of the type that it is for, and sets only the \
    fields that are given.";

/// The apply types of each module that has some, by its path.
fn apply_types<'a>(plan: &'a Plan, package: &Package) -> LiteMap<&'a str, Vec<&'a Struct>> {
    let mut modules: LiteMap<_, Vec<_>> = LiteMap::new();
    for planned in plan.applied().filter(|planned| planned.path.package == *package) {
        modules.entry(planned.path.module.as_str()).or_default().push(planned);
    }
    modules
}

/// The names of the modules in each folder, by its path.
type Folders<'a> = LiteMap<&'a str, BTreeSet<&'a str>>;

fn folders<'a>(plan: &'a Plan, package: &Package) -> Folders<'a> {
    let mut folders = Folders::new();
    folders.insert("", BTreeSet::new());
    for module in plan.modules.iter().filter(|module| module.package == *package) {
        let mut path = module.path.as_str();
        while !path.is_empty() {
            folders.entry(path).or_default();
            let (parent, name) = path.rsplit_once("::").unwrap_or(("", path));
            folders.entry(parent).or_default().insert(name);
            path = parent;
        }
    }
    folders
}

/// Writes the root of the group's modules, which re-exports the shared ones.
fn write_root(
    plan: &Plan,
    has_conversions: bool,
    children: &BTreeSet<&str>,
    file: &mut SourceFile,
) {
    file.docs("The API versions, and the types that they share.");
    let words = open_enums(plan, &Package::Generated, "");
    let [modules, uses] = declared("", words.map(|path| (path, false)));
    let registry = feature(plan, Feature::Registry, "registry");
    file.line_items(format!("{modules}{registry}mod registry;\n"));
    if has_conversions {
        let module = format_ident!("{}", conversions::MODULE);
        file.item(quote! {
            #[cfg(feature = "conversion")]
            #[allow(
                clippy::large_enum_variant,
                clippy::needless_pass_by_value,
                reason = "versions differ in size, and conversions move what they can"
            )]
            pub mod #module;
        });
    }
    let groups = children.iter().map(|child| {
        let feature = feature(plan, Feature::Groups, child);
        format!("{feature}{}pub mod {child};\n", unusual(child))
    });
    file.line_items(groups.collect());
    let shared = plan.modules.iter().filter_map(|module| match &module.package {
        Package::Shared(name) => Some((name, module.path.split("::").next()?)),
        Package::Generated | Package::External => None,
    });
    // A module of this package hides one of the same name.
    let shared = shared.filter(|(_, folder)| !children.contains(folder));
    let mut shared = shared.sorted_by_key(|shared| *shared);
    shared.dedup();
    let shared = shared
        .into_iter()
        .map(|(name, folder)| format!("#[doc(no_inline)]\npub use {name}::{folder};\n"));
    let shared = join(shared, "");
    file.line_items(format!("{shared}{uses}{registry}pub use registry::Kinds;\n"));
}

fn write_module(
    plan: &Plan,
    module: &Module,
    children: &BTreeSet<&str>,
    has_apply: bool,
    file: &mut SourceFile,
) {
    let structs = module.structs.iter().filter(|planned| planned.list_item().is_none());
    let kinds =
        if module.package == Package::Generated { kinds(structs.clone()) } else { String::new() };
    file.docs(&(module.docs.clone() + &kinds));
    let types = structs.clone().map(of_type);
    let words = open_enums(plan, &module.package, &module.path);
    let words = words.map(|path| (path, false));
    let [modules, uses] = declared(&module.path, words.chain(types));
    let mut own = String::new();
    if has_apply {
        let is_own = module.package == Package::Generated;
        let feature = if is_own { feature(plan, Feature::Apply, "apply") } else { String::new() };
        own.extend([&feature, "pub mod apply;\n"]);
    }
    if structs.clone().any(required::has_names) {
        own.push_str("pub mod required;\n");
    }
    let protobuf = module.structs.iter().any(|planned| planned.is_message);
    let protobuf = if protobuf { "#[cfg(feature = \"protobuf\")]\nmod protobuf;\n" } else { "" };
    let schemas = "#[cfg(feature = \"schemars\")]\nmod json_schemas;\n";
    file.line_items([schemas, protobuf, &modules].concat());
    file.line_items(own + &declare(children));
    let external = module.reexports.iter();
    let external = external.map(|path| format!("pub use {}::{};\n", path.module, path.name));
    file.line_items(external.collect::<String>() + &uses);
    for planned in &module.structs {
        if let Some(item) = planned.list_item() {
            let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
            let item = format_ident!("{}", item.name);
            file.item(quote!(#docs pub type #name = k8s_versioned::List<#item>;));
        }
    }
}

/// The paragraph that tells the kinds of a module from their parts; none if all types are one or the other.
fn kinds<'a>(structs: impl Iterator<Item = &'a Struct>) -> String {
    let (kinds, parts): (Vec<_>, Vec<_>) = structs.partition(|planned| planned.object.is_some());
    if kinds.is_empty() || parts.is_empty() {
        return String::new();
    }
    let kinds = join(kinds.iter().map(|kind| format!("[`{}`]", kind.path.name)), ", ");
    format!("\n\nKinds: {kinds}. The other types are parts of objects.")
}

/// The attribute of an item that needs a feature, if this part of the package is a feature.
pub(super) fn cfg(plan: &Plan, part: Feature, name: &str) -> Option<TokenStream> {
    plan.features.contains(&part).then(|| quote!(#[cfg(feature = #name)]))
}

/// The attribute of an item that needs the types of these paths, if groups are features: one feature for each group of this package.
pub(super) fn cfg_of_groups<'a>(
    plan: &Plan,
    types: impl IntoIterator<Item = &'a ItemPath>,
) -> TokenStream {
    let own = types.into_iter().filter(|path| path.package == Package::Generated);
    let groups: BTreeSet<&str> = own.map(ItemPath::folder).gather();
    let attributes = groups.into_iter().map(|group| cfg(plan, Feature::Groups, group));
    quote!(#(#attributes)*)
}

/// [`cfg`] as a line of text.
fn feature(plan: &Plan, part: Feature, name: &str) -> String {
    let is_feature = plan.features.contains(&part);
    if is_feature { format!("#[cfg(feature = {name:?})]\n") } else { String::new() }
}

/// The path of a type, and whether a field has a type that Clippy calls complex.
fn of_type(planned: &Struct) -> (&ItemPath, bool) {
    (&planned.path, planned.fields.iter().any(|field| field.rust_type.is_complex()))
}

/// The declarations of the modules of these types, which are in a module `parent`, then their re-exports.
fn declared<'a>(parent: &str, types: impl Iterator<Item = (&'a ItemPath, bool)>) -> [String; 2] {
    let parent = parent.rsplit("::").next().unwrap_or_default();
    let (mut modules, mut uses) = (String::new(), String::new());
    for (path, is_complex) in types {
        let stem = module_ident(&stem(&path.name));
        if stem == parent {
            modules.push_str(
                "#[allow(clippy::module_inception, reason = \"a type has this name\")]\n",
            );
        }
        if is_complex {
            modules.push_str("#[allow(clippy::type_complexity, reason = \"the schema is so\")]\n");
        }
        modules.extend(["mod ", &stem, ";\n"]);
        uses.extend(["pub use ", &stem, "::", &path.name, ";\n"]);
    }
    [modules, uses]
}

/// The open enums in a module.
fn open_enums<'a>(
    plan: &'a Plan,
    package: &Package,
    module: &str,
) -> impl Iterator<Item = &'a ItemPath> {
    let paths = plan.open_enums.iter().map(|open_enum| &open_enum.path);
    paths.filter(move |path| path.package == *package && path.module == module)
}

fn declare(children: &BTreeSet<&str>) -> String {
    children.iter().flat_map(|child| [unusual(child), "pub mod ", child, ";\n"]).collect()
}

/// The attribute of a module whose version has a name such as `a--b`.
fn unusual(module: &str) -> &'static str {
    if module.contains("__") {
        "#[allow(non_snake_case, reason = \"the version has this name\")]\n"
    } else {
        ""
    }
}

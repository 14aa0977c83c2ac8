//! The files that hold modules together.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::conversions;
use super::file::{Output, SourceFile};
use super::types::{docs, module_ident, path_tokens, stem};
use crate::Options;
use crate::plan::{ItemPath, Module, Origin, Plan};

/// Emits `mod.rs` of the root, of each module, and of the folders between. The module of the conversions has one
/// already.
pub(super) fn emit(plan: &Plan, has_conversions: bool, options: &Options, output: &mut Output) {
    let origins: BTreeSet<&Origin> = plan.modules.iter().map(|module| &module.origin).collect();
    let mut own = Folders::new();
    let mut shared: Vec<TokenStream> = Vec::new();
    for origin in origins {
        let mut folders = folders_of(plan, origin);
        for module in plan.modules.iter().filter(|module| module.origin == *origin) {
            let children = folders.remove(module.path.as_str()).unwrap_or_default();
            emit_module(plan, module, &children, options, output);
        }
        let root = folders.remove("").unwrap_or_default();
        for (path, children) in folders {
            let mut file = SourceFile::of(options, origin);
            file.docs(&format!("The versions of `{path}`."));
            declare(&children, &mut file);
            output.add(&format!("{}/mod.rs", path.replace("::", "/")), file);
        }
        match origin {
            Origin::Shared(name) => {
                let mut file = SourceFile::of(options, origin);
                file.docs("The types that all groups share.");
                declare(&root, &mut file);
                output.add("mod.rs", file);
                let name = format_ident!("{name}");
                let folders = root.iter().map(|folder| format_ident!("{folder}"));
                shared.push(quote!(#(#[doc(no_inline)] pub use #name::#folders;)*));
            }
            Origin::Generated | Origin::External => drop(own.insert("", root)),
        }
    }
    let children = own.remove("").unwrap_or_default();
    let conversions = has_conversions.then(|| {
        let module = format_ident!("{}", conversions::MODULE);
        quote!(
            #[cfg(feature = "conversion")]
            pub mod #module;
        )
    });
    emit_root(plan, (&children, conversions), &shared, options, output);
}

/// The modules in each folder, by its path.
type Folders<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

fn folders_of<'a>(plan: &'a Plan, origin: &Origin) -> Folders<'a> {
    let mut folders = Folders::new();
    for module in plan.modules.iter().filter(|module| module.origin == *origin) {
        let mut path = module.path.as_str();
        loop {
            let (parent, name) = path.rsplit_once("::").unwrap_or(("", path));
            folders.entry(parent).or_default().insert(name);
            if parent.is_empty() {
                break;
            }
            path = parent;
        }
    }
    folders
}

fn emit_root(
    plan: &Plan,
    (children, conversions): (&BTreeSet<&str>, Option<TokenStream>),
    shared: &[TokenStream],
    options: &Options,
    output: &mut Output,
) {
    let mut file = SourceFile::own(options);
    file.docs("The API versions side by side, and what they share.");
    let [modules, uses] = declared(vocabularies(plan, &Origin::Generated, ""));
    file.item(quote!(#modules mod registry;));
    if let Some(conversions) = conversions {
        file.item(conversions);
    }
    declare(children, &mut file);
    file.item(quote!(#(#shared)* #uses pub use registry::Kinds;));
    output.add("mod.rs", file);
}

/// The modules of these types, then what they export.
fn declared<'a>(types: impl Iterator<Item = &'a ItemPath>) -> [TokenStream; 2] {
    let (mut modules, mut uses) = (TokenStream::new(), TokenStream::new());
    for path in types {
        let stem = format_ident!("{}", module_ident(&stem(&path.name)));
        let name = format_ident!("{}", path.name);
        modules.extend(quote!(mod #stem;));
        uses.extend(quote!(pub use #stem::#name;));
    }
    [modules, uses]
}

/// The vocabularies in a module.
fn vocabularies<'a>(
    plan: &'a Plan,
    origin: &Origin,
    module: &str,
) -> impl Iterator<Item = &'a ItemPath> {
    let paths = plan.vocabularies.iter().map(|vocabulary| &vocabulary.path);
    paths.filter(move |path| path.origin == *origin && path.module == module)
}

fn emit_module(
    plan: &Plan,
    module: &Module,
    children: &BTreeSet<&str>,
    options: &Options,
    output: &mut Output,
) {
    let mut file = SourceFile::of(options, &module.origin);
    file.docs(&module.docs);
    let structs = module.structs.iter().filter(|it| it.list_item().is_none());
    let applied = plan.operations.iter().flat_map(|it| &it.apply);
    let applied =
        applied.filter(|it| it.path.origin == module.origin && it.path.module == module.path);
    let types = structs.chain(applied).map(|it| &it.path);
    let [modules, uses] = declared(vocabularies(plan, &module.origin, &module.path).chain(types));
    file.item(quote! {
        #[cfg(feature = "schemars")]
        mod json_schemas;
        #modules
    });
    declare(children, &mut file);
    let external =
        module.reexports.iter().map(|path| path_tokens(&format!("{}::{}", path.module, path.name)));
    file.item(quote! {
        #(pub use #external;)*
        #uses
    });
    for planned in &module.structs {
        if let Some(item) = planned.list_item() {
            let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
            let item = format_ident!("{}", item.name);
            file.item(quote!(#docs pub type #name = k8s_versioned::List<#item>;));
        }
    }
    output.add(&format!("{}/mod.rs", module.path.replace("::", "/")), file);
}

fn declare(children: &BTreeSet<&str>, file: &mut SourceFile) {
    if !children.is_empty() {
        let children = children.iter().map(|child| format_ident!("{child}"));
        file.item(quote!(#(pub mod #children;)*));
    }
}

//! The files that hold modules together.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::Lifecycle;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::operations;
use super::types::{module_ident, path_tokens, release, stem};
use crate::Options;
use crate::plan::{Module, Plan};

/// Emits `mod.rs` of the root, of each module, and of the folders between. `own` are the modules of the root
/// that have a `mod.rs` already.
pub(super) fn emit(plan: &Plan, own: &[&str], options: &Options, output: &mut Output) {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in &plan.modules {
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
    for module in &plan.modules {
        let children = folders.remove(module.path.as_str()).unwrap_or_default();
        emit_module(
            module,
            of_operations(plan, &module.path),
            &children,
            options,
            output,
        );
    }
    let mut children = folders.remove("").unwrap_or_default();
    children.extend(own);
    emit_root(plan, &children, options, output);
    for (path, children) in folders {
        let mut file = SourceFile::new(options, output.root());
        file.docs(&format!("The versions of `{path}`."));
        declare(&children, &mut file);
        output.add(&format!("{}/mod.rs", path.replace("::", "/")), file);
    }
}

fn emit_root(plan: &Plan, children: &BTreeSet<&str>, options: &Options, output: &mut Output) {
    let mut file = SourceFile::new(options, output.root());
    file.docs("The API versions side by side, and what they share.");
    let stems: Vec<_> = plan
        .vocabularies
        .iter()
        .map(|v| format_ident!("{}", module_ident(&stem(&v.path.name))))
        .collect();
    let [more_modules, more_uses] = of_operations(plan, "");
    file.item(quote!(#(mod #stems;)* mod registry; #more_modules));
    declare(children, &mut file);
    let vocabularies = plan
        .vocabularies
        .iter()
        .zip(&stems)
        .map(|(vocabulary, stem)| {
            let name = format_ident!("{}", vocabulary.path.name);
            let other = format_ident!("Other{}", vocabulary.path.name);
            quote!(pub use #stem::{#name, #other};)
        });
    file.item(quote!(#(#vocabularies)* pub use registry::Kinds; #more_uses));
    output.add("mod.rs", file);
}

/// What operations add to a module.
fn of_operations(plan: &Plan, module: &str) -> [TokenStream; 2] {
    let operations = plan.operations.as_ref();
    operations.map_or_else(Default::default, |operations| {
        operations::exports(operations, module)
    })
}

fn emit_module(
    module: &Module,
    [more_modules, more_uses]: [TokenStream; 2],
    children: &BTreeSet<&str>,
    options: &Options,
    output: &mut Output,
) {
    let mut file = SourceFile::new(options, output.root());
    file.docs(&module.docs);
    let name = |name: &str| {
        (
            format_ident!("{}", module_ident(&stem(name))),
            format_ident!("{name}"),
        )
    };
    let (stems, names): (Vec<_>, Vec<_>) = module
        .structs
        .iter()
        .map(|planned| name(&planned.path.name))
        .unzip();
    file.item(quote! {
        #[cfg(feature = "schemars")]
        mod json_schemas;
        #(mod #stems;)*
        #more_modules
    });
    declare(children, &mut file);
    if let Some(lifecycle) = &module.lifecycle {
        file.imports.library("k8s_versioned", "Lifecycle");
        file.imports.library("k8s_versioned", "Release");
        file.item(lifecycle_constant(lifecycle));
    }
    let external = module
        .reexports
        .iter()
        .map(|path| path_tokens(&format!("{}::{}", path.module, path.name)));
    file.item(quote!(#(pub use #external;)* #(pub use #stems::#names;)* #more_uses));
    output.add(&format!("{}/mod.rs", module.path.replace("::", "/")), file);
}

fn lifecycle_constant(lifecycle: &Lifecycle) -> TokenStream {
    let doc = format!(" From when to when Kubernetes serves this version: {lifecycle}.");
    let introduced = release(lifecycle.introduced_in());
    let deprecated = lifecycle.deprecated_in().map(|it| {
        let release = release(it);
        quote!(.deprecated(#release))
    });
    let removed = lifecycle.removed_in().map(|it| {
        let release = release(it);
        quote!(.removed(#release))
    });
    quote! {
        #[doc = #doc]
        pub const LIFECYCLE: Lifecycle = Lifecycle::introduced(#introduced) #deprecated #removed;
    }
}

fn declare(children: &BTreeSet<&str>, file: &mut SourceFile) {
    if !children.is_empty() {
        let children = children.iter().map(|child| format_ident!("{child}"));
        file.item(quote!(#(pub mod #children;)*));
    }
}

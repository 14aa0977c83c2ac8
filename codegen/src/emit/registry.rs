//! The registry: all kinds in one list, for programs that choose at run time.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::imports::Imports;
use super::types::{path_tokens, release};
use crate::Options;
use crate::model::Releases;
use crate::plan::{Module, Object, ObjectRole, Plan, Struct};

/// Emits `registry.rs`.
pub(super) fn emit(plan: &Plan, options: &Options, output: &mut Output) {
    let mut file = SourceFile::own(options);
    for name in ["KindEntry", "Registry"] {
        file.imports.library("k8s_versioned", name);
    }
    if objects(plan).next().is_some() {
        file.imports.library("k8s_versioned", "Release");
    }
    file.docs("The registry of all kinds.");
    file.item(quote! {
        /// All kinds of this crate, for programs that choose among them at run time.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Kinds;
    });
    file.item(quote! {
        impl Registry for Kinds {
            fn kinds(&self) -> &[KindEntry] {
                KINDS
            }
        }
    });
    let entries = plan.modules.iter();
    let entries: Vec<_> = entries
        .flat_map(|module| entries_of(module, &mut file.imports))
        .collect();
    file.item(quote!(const KINDS: &[KindEntry] = &[#(#entries),*];));
    let sets: BTreeSet<&Releases> = objects(plan).map(|planned| &planned.releases).collect();
    for set in sets {
        file.item(set_constant(set));
    }
    output.add("registry.rs", file);
}

fn objects(plan: &Plan) -> impl Iterator<Item = &Struct> {
    plan.structs().filter(|planned| planned.object.is_some())
}

fn entries_of(module: &Module, imports: &mut Imports) -> Vec<TokenStream> {
    let path = path_tokens(&module.path);
    let lifecycle = module
        .lifecycle
        .map(|_| quote!(.with_lifecycle(#path::LIFECYCLE)));
    let entry = |planned: &Struct| {
        let constructor = constructor(planned.object.as_ref()?);
        let kind = imports.versioned(planned.list_item().unwrap_or(&planned.path));
        let releases = set_name(&planned.releases);
        Some(quote!(KindEntry::#constructor::<#kind>(#releases) #lifecycle))
    };
    module.structs.iter().filter_map(entry).collect()
}

fn constructor(object: &Object) -> Ident {
    match object.role {
        ObjectRole::Resource { .. } => format_ident!("resource"),
        ObjectRole::List { .. } => format_ident!("list"),
        ObjectRole::Other => format_ident!("object"),
    }
}

/// `RELEASES_1_31_TO_1_36` for `1.31–1.36`.
pub(super) fn set_name(releases: &Releases) -> Ident {
    let name = releases
        .to_string()
        .replace('\u{2013}', "_TO_")
        .replace(", ", "_AND_")
        .replace('.', "_");
    format_ident!("RELEASES_{name}")
}

/// The constant of that name.
pub(super) fn set_constant(set: &Releases) -> TokenStream {
    let (name, releases) = (set_name(set), set.iter().map(release));
    quote!(const #name: &[Release] = &[#(#releases),*];)
}

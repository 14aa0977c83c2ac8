//! The registry: all kinds in one list, for programs that choose at run time.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::path_tokens;
use crate::Options;
use crate::model::Releases;
use crate::plan::{Object, ObjectRole, Plan, Struct};

/// Emits `registry.rs`.
pub(super) fn emit(plan: &Plan, options: &Options, output: &mut Output) {
    let mut file = SourceFile::new(options, output.root());
    for name in ["KindEntry", "Registry"] {
        file.imports.library("k8s_versioned", name);
    }
    for planned in objects(plan) {
        let folder = planned.path.module.split("::").next().unwrap_or_default();
        file.imports.library(&options.root, folder);
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
    let entries = plan.structs().filter_map(entry);
    file.item(quote!(const KINDS: &[KindEntry] = &[#(#entries),*];));
    let sets: BTreeSet<&Releases> = objects(plan).map(|planned| &planned.releases).collect();
    for set in sets {
        let (name, releases) = (set_name(set), releases(set));
        file.item(quote!(const #name: &[Release] = &[#(#releases),*];));
    }
    output.add("registry.rs", file);
}

fn objects(plan: &Plan) -> impl Iterator<Item = &Struct> {
    plan.structs().filter(|planned| planned.object.is_some())
}

fn entry(planned: &Struct) -> Option<TokenStream> {
    let Some(object) = &planned.object else {
        return None;
    };
    let path = path_tokens(&format!("{}::{}", planned.path.module, planned.path.name));
    let constructor = constructor(object);
    let releases = set_name(&planned.releases);
    Some(quote!(KindEntry::#constructor::<#path>(#releases)))
}

fn constructor(object: &Object) -> Ident {
    match object.role {
        ObjectRole::Resource { .. } => format_ident!("resource"),
        ObjectRole::List { .. } => format_ident!("list"),
        ObjectRole::Other => format_ident!("object"),
    }
}

/// `RELEASES_1_31_TO_1_36` for `1.31–1.36`.
fn set_name(releases: &Releases) -> Ident {
    let name = releases
        .to_string()
        .replace('\u{2013}', "_TO_")
        .replace(", ", "_AND_")
        .replace('.', "_");
    format_ident!("RELEASES_{name}")
}

fn releases(releases: &Releases) -> Vec<TokenStream> {
    let number = |number: u16| Literal::u16_unsuffixed(number);
    let release = |release: k8s_versioned::Release| {
        let (major, minor) = (number(release.major()), number(release.minor()));
        quote!(Release::new(#major, #minor))
    };
    releases.iter().map(release).collect()
}

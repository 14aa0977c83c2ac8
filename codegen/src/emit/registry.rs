//! The registry: all kinds in one list, for programs that choose a kind at run time.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::Output;
use super::imports::Imports;
use super::modules::cfg;
use crate::input::Feature;
use crate::plan::{Module, ObjectRole, Package, Plan, Struct};

/// Emits `registry.rs`.
pub(super) fn emit(plan: &Plan, output: &mut Output<'_>) {
    let mut file = output.file();
    for name in ["KindEntry", "Registry"] {
        file.imports.library("k8s_versioned", name);
    }
    file.docs("The registry of all kinds.");
    file.item(quote! {
        /// All kinds of this crate, for programs that choose a kind at run time.
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
    let visits = variants(plan, |protobuf| visit(plan, protobuf, &file.imports));
    file.item(quote!(impl k8s_versioned::Resources for Kinds { #(#visits)* }));
    let kinds = variants(plan, |protobuf| {
        let modules = plan.modules.iter();
        let entries =
            modules.flat_map(|module| entries_of(plan, module, protobuf, &mut file.imports));
        let entries: Vec<TokenStream> = entries.collect();
        quote!(const KINDS: &[KindEntry] = &[#(#entries),*];)
    });
    for kinds in kinds {
        file.item(kinds);
    }
    output.add("registry.rs", file);
}

/// An item of a package without protobuf, and of one with it, if the package can have it.
fn variants(plan: &Plan, mut item: impl FnMut(bool) -> TokenStream) -> Vec<TokenStream> {
    let without = item(false);
    if !plan.protobuf {
        return vec![without];
    }
    let with = item(true);
    vec![
        quote!(#[cfg(not(feature = "protobuf"))] #without),
        quote!(#[cfg(feature = "protobuf")] #with),
    ]
}

/// The entries of a module's kinds, with or without their protobuf.
fn entries_of(
    plan: &Plan,
    module: &Module,
    protobuf: bool,
    imports: &mut Imports,
) -> Vec<TokenStream> {
    let group = of_group(plan, module);
    let entry = |planned: &Struct| {
        let object = planned.object.as_ref()?;
        let path = planned.list_item().unwrap_or(&planned.path);
        // An import of a module that is a feature would need the same attribute.
        let kind = if group.is_some() { imports.absolute(path) } else { imports.versioned(path) };
        let (constructor, whole) = match object.role {
            ObjectRole::Resource { .. } => (quote!(resource), quote!(#kind)),
            ObjectRole::List { .. } => (quote!(list), quote!(k8s_versioned::List<#kind>)),
            ObjectRole::Other => (quote!(object), quote!(#kind)),
        };
        let with_protobuf = protobuf.then(|| quote!(.with_protobuf::<#whole>()));
        Some(quote!(#group KindEntry::#constructor::<#kind>() #with_protobuf))
    };
    module.structs.iter().filter_map(entry).collect()
}

/// The function that calls a visitor with all resources.
fn visit(plan: &Plan, protobuf: bool, imports: &Imports) -> TokenStream {
    let modules = plan.modules.iter();
    let visits: Vec<_> =
        modules.flat_map(|module| visits(plan, module, protobuf, imports)).collect();
    let unused = visits.is_empty() || plan.features.contains(&Feature::Groups);
    let unused =
        unused.then(|| quote!(#[allow(unused_variables, reason = "there may be no resources")]));
    quote! {
        #unused
        fn visit(visitor: &mut impl k8s_versioned::ResourceVisitor) {
            #(#visits)*
        }
    }
}

/// The calls of a visitor with the resources of a module, and with their subresources that have a body.
fn visits(plan: &Plan, module: &Module, protobuf: bool, imports: &Imports) -> Vec<TokenStream> {
    let function = format_ident!("{}", if protobuf { "message" } else { "resource" });
    let group = of_group(plan, module);
    let mut visits = Vec::new();
    for planned in module.structs.iter().filter(|planned| planned.resource().is_some()) {
        let resource = imports.absolute(&planned.path);
        visits.push(quote!(#group visitor.#function::<#resource>();));
        let served = plan.served(&planned.path);
        let subresources = served.iter().flat_map(|served| &served.subresources);
        for (subresource, _) in subresources.filter(|(_, body)| body.is_some()) {
            let of = format_ident!("{}", subresource.rust_name);
            let of = quote!(k8s_versioned::subresource::#of);
            visits.push(quote!(#group visitor.subresource::<#resource, #of>();));
        }
    }
    visits
}

/// The attribute of what is of one group, if groups are features.
fn of_group(plan: &Plan, module: &Module) -> Option<TokenStream> {
    let group = module.path.split("::").next().filter(|_| module.package == Package::Generated);
    group.and_then(|group| cfg(plan, Feature::Groups, group))
}

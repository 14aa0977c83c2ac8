//! Conversions between the versions of a kind: one file for each directed pair, and the enum over the versions.

mod any;
mod arguments;
mod calls;
mod emitter;
mod equal;
mod field_access;
mod innermost_values;
mod kept_form;
mod moved_fields;
mod names;
mod pair;
mod patterns;
mod statements;
mod struct_literal;
mod variables;

use std::collections::BTreeSet;

use emitter::Emitter;
pub(super) use names::MODULE;
use names::{file_of, idents, runtime_step};
use pair::Written;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::modules::{cfg, cfg_of_groups};
use super::types::{module_ident, stem};
use crate::conversion::{self, Adoption, KindConversion, KindVersion, MergedList, Step};
use crate::gather::Gather;
use crate::ident;
use crate::input::Feature;
use crate::input::toml_file::RuleFile;
use crate::plan::Plan;
use crate::rules::KindRule;
use crate::rules::paths::{self, FieldPath};

/// Emits the module `conversion`, if any kind is converted.
pub(super) fn emit(kinds: &[KindConversion], plan: &Plan, output: &mut Output<'_>) {
    if kinds.is_empty() {
        return;
    }
    let mut written = Written::new(kinds);
    for kind in kinds {
        let emitter = Emitter { kind, plan };
        let all: Vec<&KindVersion> = kind.versions.iter().collect();
        let targets = written.targets(kind);
        emitter.add(output, "any", &all, |emitter, file| any::emit(emitter, &targets, file));
        if !kind.policies.is_empty() {
            emitter.add(output, "policies", &all, any::emit_policies);
        }
        for pair in &kind.pairs {
            let (Some(from), Some(to)) = (kind.version(&pair.from), kind.version(&pair.to)) else {
                continue;
            };
            emitter.add(output, &file_of(pair), &[from, to], |emitter, file| {
                pair::emit(emitter, pair, to, &mut written, file);
            });
        }
        emitter.add(output, "mod", &all, kind_module);
    }
    let has_equal = equal::emit(kinds, plan, output);
    root_module(plan, kinds, has_equal, output);
}

fn root_module(plan: &Plan, kinds: &[KindConversion], has_equal: bool, output: &mut Output<'_>) {
    let mut file = output.file();
    file.rules(KindRule::PATH);
    file.docs(&format!(
        "Conversions between the versions of a kind, and objects of any version.\n\n\
         Each implementation of [`ConvertObject`] has a table of the fields in its docs.\n\n{}",
        conversion::ABOUT.trim_end()
    ));
    let modules: Vec<Ident> =
        kinds.iter().map(|kind| format_ident!("{}", module_ident(&stem(&kind.name)))).collect();
    let attributes: Vec<_> = kinds.iter().map(unusual).collect();
    let groups: Vec<TokenStream> = kinds.iter().map(|kind| of_groups(plan, kind)).collect();
    let equal = has_equal.then(|| {
        let attribute = attributes.iter().flatten().next();
        quote!(#attribute mod equal;)
    });
    file.item(quote!(#equal #(#groups #attributes mod #modules;)*));
    let uses = kinds.iter().zip(&modules).zip(&groups).map(|((kind, module), groups)| {
        let [reference, any, version, policies] = idents(kind);
        let policies = (!kind.policies.is_empty()).then(|| quote!(#policies,));
        quote!(#groups pub use #module::{#any, #reference, #policies #version};)
    });
    file.item(quote! {
        #(#uses)*
        #[doc(no_inline)]
        pub use k8s_versioned::conversion::*;
    });
    let registry = cfg(plan, Feature::Registry, "registry");
    let visits = kinds.iter().zip(&groups).map(|(kind, groups)| {
        let [_, any, ..] = idents(kind);
        quote!(#groups visitor.kind::<#any>();)
    });
    let unused = plan.features.contains(&Feature::Groups).then(|| {
        quote!(#[allow(unused_variables, reason = "there may be no kinds of the chosen groups")])
    });
    file.item(quote! {
        #registry
        impl k8s_versioned::conversion::generic::Convertibles for super::Kinds {
            #unused
            fn visit(visitor: &mut impl k8s_versioned::conversion::generic::ConvertibleVisitor) {
                #(#visits)*
            }
        }
    });
    output.add(&format!("{MODULE}/mod.rs"), file);
}

/// The attribute of what needs the types of a kind, if groups are features.
fn of_groups(plan: &Plan, kind: &KindConversion) -> TokenStream {
    cfg_of_groups(plan, kind.versions.iter().map(|version| &version.object))
}

/// The attribute of the modules of a kind with a version such as `a--b`.
fn unusual(kind: &KindConversion) -> Option<TokenStream> {
    let is_unusual = kind.versions.iter().any(|version| ident::is_unusual_version(&version.name));
    is_unusual.then(|| {
        quote!(#[allow(non_camel_case_types, non_snake_case, reason = "the versions have these names")])
    })
}

fn kind_module(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    file.docs(&format!("Conversions between the versions of `{}`.", kind.kind));
    let mut modules: BTreeSet<String> = kind.pairs.iter().map(file_of).gather();
    modules.insert("any".to_owned());
    modules.extend((!kind.policies.is_empty()).then(|| "policies".to_owned()));
    let modules = modules.iter().map(|module| format_ident!("{module}"));
    file.item(quote!(#(mod #modules;)*));
    let [reference, any, version, policies] = idents(kind);
    let policies = (!kind.policies.is_empty()).then(|| quote!(pub use policies::#policies;));
    file.item(quote! {
        pub use any::{#any, #reference, #version};
        #policies
    });
    patterns::constants(kind, file);
    if let Some(key) = &kind.annotation {
        runtime_step("Lists", file);
        runtime_step("FieldLocations", file);
        let steps = kind.pairs.iter().flat_map(|pair| pair.object.leaves());
        let kept: BTreeSet<_> = steps.flat_map(Step::kept_places).gather();
        let kept = kept.iter().map(|places| names::places(places));
        let lists = kind.merged_lists.iter().map(|MergedList { version, path, keys }| {
            let path = path.as_str();
            quote!((#version, #path, &[#(#keys),*]))
        });
        file.item(quote! {
            /// The default key of the annotations that keep the values that a version cannot hold.
            const ANNOTATION_KEY: &str = #key;

            /// The fields that annotations can keep.
            const KEPT: &[FieldLocations] = &[#(#kept),*];

            /// The lists inside them whose items have an annotation each, with their keys.
            const LISTS: Lists = &[#(#lists),*];
        });
    }
    if !kind.adopted.is_empty() {
        runtime_step("Adopted", file);
        let adopted = kind.adopted.iter().map(adopted);
        file.item(quote! {
            /// The annotations of an earlier webhook, which are read once.
            const ADOPTED: &[Adopted] = &[#(#adopted),*];
        });
    }
}

/// The names in a path.
fn path_names(path: &FieldPath) -> Vec<String> {
    path.segments().into_iter().map(|segment| paths::name(segment).into_owned()).collect()
}

fn adopted(adoption: &Adoption) -> TokenStream {
    let Adoption { annotation, version, fields, is_written } = adoption;
    let fields = fields.iter().map(|(place, path)| {
        let (place, path) = (path_names(place), path_names(path));
        quote!((&[#(#place),*], &[#(#path),*]))
    });
    quote! {
        Adopted { annotation: #annotation, version: #version, fields: &[#(#fields),*], is_written: #is_written }
    }
}

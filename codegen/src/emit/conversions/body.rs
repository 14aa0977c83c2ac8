//! The bodies of conversions: struct literals, field by field.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::runtime_step;
use crate::conversion::{FieldRef, How, Pair, Step, StructPair};
use crate::emit::file::SourceFile;
use crate::plan::{ItemPath, RustType, Wrapper};

/// The functions of the parts that are the same in both versions, by their types.
pub(super) type Functions = BTreeMap<(ItemPath, ItemPath), Ident>;

/// The functions of a pair's parts that are the same in both versions. The first of several fields with the same part
/// names the function.
pub(super) fn functions(pair: &Pair) -> Functions {
    let mut functions = Functions::new();
    for (field, part) in pair.object.inner() {
        if part.is_equal_shape() {
            functions.entry(part.types()).or_insert_with(|| function(field));
        }
    }
    functions
}

/// The names that a body uses.
pub(super) struct Scope<'a> {
    /// The value to convert.
    pub(super) source: TokenStream,
    /// The context of the conversion: a reference to it.
    pub(super) context: TokenStream,
    pub(super) functions: &'a Functions,
}

/// Tells if the conversion keeps or restores anything.
pub(super) fn needs_context(pair: &StructPair) -> bool {
    pair.can_keep() || pair.can_restore()
}

/// The name of the function for a part.
pub(super) fn function(field: &FieldRef) -> Ident {
    format_ident!("convert_{}", field.joined())
}

/// Statements that keep the fields without a counterpart.
pub(super) fn keep_statements(
    pair: &StructPair,
    scope: &Scope<'_>,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let keep = |step: &Step| match (&step.how, &step.from) {
        (How::KeepAside, Some(from)) => {
            let (places, ident) = (places(step), format_ident!("{}", from.ident()));
            let Scope { source, context, .. } = scope;
            Some(quote!(only_here::keep(#places, &#source.#ident, #context);))
        }
        _ => None,
    };
    let statements: Vec<TokenStream> = pair.steps.iter().filter_map(keep).collect();
    if !statements.is_empty() {
        runtime_step("only_here", file);
    }
    statements
}

/// The struct literal of the target.
pub(super) fn literal(
    pair: &StructPair,
    target: &TokenStream,
    scope: &Scope<'_>,
    file: &mut SourceFile,
) -> TokenStream {
    let mut steps: Vec<&Step> = pair.steps.iter().filter(|step| step.to.is_some()).collect();
    // A fill borrows another field, so it comes before the move of that field.
    steps.sort_by_key(|step| !matches!(step.how, How::AbsentToZero { other: Some(_), .. }));
    let fields = steps.into_iter().filter_map(|step| {
        let ident = format_ident!("{}", step.to.as_ref()?.ident());
        let value = value(step, scope, file)?;
        Some(quote!(#ident: #value))
    });
    let mut fields: Vec<TokenStream> = fields.collect();
    if pair.is_object {
        file.imports.library("k8s_versioned", "wire");
        fields.push(quote!(api_version: wire::zero()));
        fields.push(quote!(kind: wire::zero()));
    }
    quote!(#target { #(#fields),* })
}

fn value(step: &Step, scope: &Scope<'_>, file: &mut SourceFile) -> Option<TokenStream> {
    let Scope { source, context, functions } = scope;
    let places = places(step);
    if let How::TakeBack = step.how {
        runtime_step("only_here", file);
        return Some(quote!(only_here::restore(#places, #context)));
    }
    let from = step.from.as_ref()?;
    let ident = format_ident!("{}", from.ident());
    let field = quote!(#source.#ident);
    Some(match &step.how {
        How::Move | How::KeepAside | How::TakeBack => field,
        How::Into(part) => {
            let function = functions.get(&part.types())?;
            mapped(&from.rust_type, &field, function)
        }
        How::Recursive { from: source, to } => {
            let function = functions.get(&(source.clone(), to.clone()))?;
            mapped(&from.rust_type, &field, function)
        }
        How::Part(part) => {
            let function = function(from);
            let context = needs_context(part).then(|| quote!(, #context));
            quote!(#function(#field #context))
        }
        How::FirstOfList => {
            runtime_step("first_of_list", file);
            quote!(first_of_list::first(#places, #field, #context))
        }
        How::ListOfFirst => {
            runtime_step("first_of_list", file);
            quote!(first_of_list::list(#places, #field, #context))
        }
        How::AbsentToZero { policy, other } => {
            runtime_step("absent_to_zero", file);
            let policy = format_ident!("{policy}");
            let other = other_value(other.as_ref(), source);
            quote!(absent_to_zero::fill(#places, #field, &context.policies.#policy, #other, #context))
        }
        How::ZeroToAbsent => {
            runtime_step("absent_to_zero", file);
            quote!(absent_to_zero::restore(#places, #field, #context))
        }
    })
}

/// The versions under which the field can be kept, each with its path there.
fn places(step: &Step) -> TokenStream {
    let places = step.places.iter().map(|(version, path)| quote!((#version, #path)));
    quote!(&[#(#places),*])
}

fn other_value(other: Option<&FieldRef>, source: &TokenStream) -> TokenStream {
    let Some(other) = other else {
        return quote!(None);
    };
    let ident = format_ident!("{}", other.ident());
    if matches!(other.rust_type, RustType::Option(_)) {
        quote!(#source.#ident.as_ref())
    } else {
        quote!(Some(&#source.#ident))
    }
}

/// A value whose innermost values go through a function, inside lists, maps and options.
fn mapped(rust_type: &RustType, value: &TokenStream, function: &Ident) -> TokenStream {
    let inner = |inner: &RustType| match inner {
        RustType::Struct(_) => quote!(#function),
        nested => {
            let value = mapped(nested, &quote!(value), function);
            quote!(|value| #value)
        }
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item);
            quote!(#value.map(#inner))
        }
        RustType::List(item) => {
            let inner = inner(item);
            quote!(#value.into_iter().map(#inner).collect())
        }
        RustType::Map(item) => {
            let inner = mapped(item, &quote!(value), function);
            quote!(#value.into_iter().map(|(key, value)| (key, #inner)).collect())
        }
        RustType::Wrapped(Wrapper::Box, _) => quote!(Box::new(#function(*#value))),
        RustType::Wrapped(Wrapper::Embedded, _) => quote! {
            k8s_versioned::Embedded { object: #function(#value.object), typed: #value.typed }
        },
        _ => quote!(#function(#value)),
    }
}

//! Values inside lists, maps and options that go through a function one by one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::runtime_step;
use crate::conversion::{FieldRef, ItemNames, Naming};
use crate::emit::file::SourceFile;
use crate::plan::{RustType, Wrapper};

/// A value whose innermost values go through a function that keeps or restores values, inside lists, maps and options.
pub(super) fn each(
    rust_type: &RustType,
    value: &TokenStream,
    (function, names): (&TokenStream, &ItemNames),
    file: &mut SourceFile,
) -> TokenStream {
    let inner = |inner: &RustType, file: &mut SourceFile| {
        each(inner, &quote!(value), (function, names), file)
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item, file);
            quote!(#value.map(|value| #inner))
        }
        RustType::List(item) => {
            runtime_step("items", file);
            let convert = convert(&inner(item, file), item, function);
            let by = match names.by {
                Naming::Keys => quote!(by_key),
                Naming::Position => quote!(by_position),
                Naming::First => quote!(by_first),
                Naming::AfterFirst => quote!(after_first),
                Naming::Occurrence => quote!(by_occurrence),
                Naming::AfterOccurrence => quote!(after_occurrence),
            };
            let add: Vec<TokenStream> = names.fields.iter().map(add_to_name).collect();
            let name = match (add.as_slice(), &**item) {
                ([only], RustType::Struct(_)) => quote!(|item, name| #only),
                ([_, ..], RustType::Struct(_)) => quote!(|item, name| { #(#add;)* }),
                _ => quote!(|_, _| ()),
            };
            quote!(items::#by(#value, #name, context, #convert))
        }
        RustType::Map(item) => {
            runtime_step("items", file);
            let convert = convert(&inner(item, file), item, function);
            quote!(items::by_name(#value, context, #convert))
        }
        _ if names.by == Naming::First => {
            runtime_step("items", file);
            quote!(items::first(#value, context, #function))
        }
        _ => quote!(#function(#value, context)),
    }
}

/// Adds a field of an item to the name of the item.
fn add_to_name(field: &FieldRef) -> TokenStream {
    let ident = format_ident!("{}", field.ident());
    if let Some(default) = &field.default {
        quote!(name.add_or(&item.#ident, #default))
    } else if field.rust_type == RustType::String {
        quote!(name.add_text(&item.#ident))
    } else {
        quote!(name.add(&item.#ident))
    }
}

/// The conversion of an item: only the name of a function where that is possible.
pub(super) fn convert(inner: &TokenStream, item: &RustType, function: &TokenStream) -> TokenStream {
    if let RustType::Struct(_) = item { quote!(#function) } else { quote!(|value, context| #inner) }
}

/// A value whose innermost values go through a function, inside lists, maps and options.
pub(super) fn mapped(
    rust_type: &RustType,
    value: &TokenStream,
    function: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let inner = |inner: &RustType, file: &mut SourceFile| match inner {
        RustType::Struct(_) => quote!(#function),
        nested => {
            let value = mapped(nested, &quote!(value), function, file);
            quote!(|value| #value)
        }
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item, file);
            quote!(#value.map(#inner))
        }
        RustType::List(item) => {
            runtime_step("items", file);
            let inner = inner(item, file);
            quote!(items::of_list(#value, #inner))
        }
        RustType::Map(item) => {
            runtime_step("items", file);
            let inner = inner(item, file);
            quote!(items::of_map(#value, #inner))
        }
        RustType::Wrapped(Wrapper::Box, _) => quote!(Box::new(#function(*#value))),
        RustType::Wrapped(Wrapper::Embedded, _) => quote! {
            k8s_versioned::Embedded { object: #function(#value.object), typed: #value.typed }
        },
        RustType::Wrapped(Wrapper::BoxEmbedded, _) => quote! {
            Box::new(k8s_versioned::Embedded { object: #function(#value.object), typed: #value.typed })
        },
        _ => quote!(#function(#value)),
    }
}

//! The fields that servers of each version require: statements that report the empty ones.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::conversion::{FieldRef, KindVersion};
use crate::plan::{ItemPath, RustType};

/// The statements for an object.
pub(super) fn of_object(version: &KindVersion, object: &TokenStream) -> Vec<TokenStream> {
    let check = |field: &FieldRef| {
        let idents = field.idents.iter().map(|ident| format_ident!("{ident}"));
        check(field, &quote!(#object.#(#idents).*))
    };
    version.required.iter().map(check).collect()
}

/// The statements for a part of an object. The first of several fields that hold such a part names it.
pub(super) fn of_part(
    version: &KindVersion,
    part: &ItemPath,
    value: &TokenStream,
) -> Vec<TokenStream> {
    let of_part = || version.required.iter().filter(|field| field.of == *part);
    let first = of_part().next().and_then(|field| field.idents.first());
    let fields = of_part().filter(|field| field.idents.first() == first);
    let check = |field: &FieldRef| {
        let ident = format_ident!("{}", field.ident());
        check(field, &quote!(#value.#ident))
    };
    fields.map(check).collect()
}

fn check(field: &FieldRef, value: &TokenStream) -> TokenStream {
    let counts = |inner: &RustType| {
        matches!(
            inner,
            RustType::String | RustType::Vocabulary(_) | RustType::List(_) | RustType::Map(_)
        )
    };
    let there = match &field.rust_type {
        RustType::Option(inner) if counts(inner) => {
            quote!(#value.as_ref().is_some_and(|value| !value.is_empty()))
        }
        RustType::Option(_) => quote!(#value.is_some()),
        _ => quote!(!#value.is_empty()),
    };
    let path = &field.path;
    quote!(report.require(#path, #there);)
}

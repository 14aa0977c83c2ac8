//! How generated code reaches a field of an object, also inside optional objects.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::places;
use crate::conversion::{FieldRef, Paths};

pub(super) fn member(source: &TokenStream, field: &FieldRef) -> TokenStream {
    let ident = format_ident!("{}", field.ident());
    quote!(#source.#ident)
}

/// An optional object, borrowed.
pub(super) fn lend(root: &TokenStream, object: &FieldRef) -> TokenStream {
    match around(root, object, &quote!(as_ref)) {
        (None, path) => quote!(#root.#path.as_ref()),
        (Some(around), path) => quote!(#around.and_then(|object| object.#path.as_ref())),
    }
}

/// An optional object, borrowed as mutable: in an `Option`, in which it is absent if an object around it is.
pub(super) fn lend_mut(root: &TokenStream, object: &FieldRef) -> TokenStream {
    match around(root, object, &quote!(as_mut)) {
        (None, path) => quote!(Some(&mut #root.#path)),
        (Some(around), path) => quote!(#around.map(|object| &mut object.#path)),
    }
}

/// Takes a field out of the source. Its step looks for a note among `notes` if it has to know that an object around the field is absent.
pub(super) fn take(source: &TokenStream, field: &FieldRef, notes: Option<&Paths>) -> TokenStream {
    let (around, path) = match around(source, field, &quote!(as_mut)) {
        (None, path) => return quote!(std::mem::replace(&mut #source.#path, wire::zero())),
        (Some(around), path) => (around, path),
    };
    let absent = match notes.map(|notes| places(notes)) {
        None => quote!(wire::zero),
        Some(notes) => quote!(|| { context.note_absent(&[#notes]); wire::zero() }),
    };
    quote!(#around.map_or_else(#absent, |object| std::mem::replace(&mut object.#path, wire::zero())))
}

/// Puts the value of a field into the target. Objects around it are made, unless it is zero: with `notes`, unless its step has noted
/// that it is made up or filled.
pub(super) fn put(
    field: &FieldRef,
    moved: &TokenStream,
    value: &TokenStream,
    notes: Option<&Paths>,
) -> TokenStream {
    let parts = cut(field);
    let mut parts = parts.iter().map(|part| quote!(#(#part).*));
    let first = parts.next().unwrap_or_default();
    let made =
        parts.fold(first, |around, part| quote!(#around.get_or_insert_with(wire::zero).#part));
    if cut(field).len() == 1 {
        return quote!(converted.#made = #value;);
    }
    let Some(notes) = notes.map(|notes| places(notes)) else {
        return quote! {
            if !wire::is_zero(&#moved) {
                converted.#made = #value;
            }
        };
    };
    let (Some(object), path) = around(&quote!(converted), field, &quote!(as_mut)) else {
        return TokenStream::new();
    };
    quote! {
        if !context.makes_up_all(&[#notes]) {
            converted.#made = #value;
        } else if let Some(object) = #object {
            object.#path = #value;
        } else {
            context.forget_filled(&[#notes]);
        }
    }
}

/// The struct that has the field, in an `Option` if an object around it is optional, and the rest of the path.
pub(super) fn around(
    root: &TokenStream,
    field: &FieldRef,
    method: &TokenStream,
) -> (Option<TokenStream>, TokenStream) {
    let parts = cut(field);
    let Some((last, outer)) = parts.split_last() else {
        return (None, TokenStream::new());
    };
    let lent = outer.iter().fold(None, |around: Option<TokenStream>, part| {
        Some(match around {
            None => quote!(#root.#(#part).*.#method()),
            Some(around) => quote!(#around.and_then(|object| object.#(#part).*.#method())),
        })
    });
    (lent, quote!(#(#last).*))
}

/// The path to a field, cut after each optional object.
fn cut(field: &FieldRef) -> Vec<Vec<Ident>> {
    let mut parts = vec![Vec::new()];
    let mut names = field.idents.iter().zip(&field.options).peekable();
    while let Some((ident, is_optional)) = names.next() {
        parts.last_mut().into_iter().for_each(|part| part.push(format_ident!("{ident}")));
        if *is_optional && names.peek().is_some() {
            parts.push(Vec::new());
        }
    }
    parts
}

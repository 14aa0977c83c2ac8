//! Constructors, setters and zero values.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::imports::Imports;
use super::structs::idents;
use super::types::rust_type;
use crate::plan::{Field, Presence, RustType, Struct, code, filled_in};
use crate::text::join;

/// The number of arguments that Clippy allows. More are allowed here, if the API requires them.
const MANY: usize = 7;

/// Emits a constructor that takes what is required, setters for the rest, and the zero value of a struct
/// without a default.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let mut functions = Vec::new();
    if planned.fields.iter().any(|field| field.needed) {
        functions.push(constructor(planned, &mut file.imports));
    }
    for field in planned.fields.iter().filter(|field| !field.needed) {
        functions.push(setter_function(field, &mut file.imports));
    }
    let name = format_ident!("{}", planned.path.name);
    if !functions.is_empty() {
        file.item(quote!(impl #name { #(#functions)* }));
    }
    if !planned.traits.default {
        file.imports.library("k8s_versioned", "wire");
        let fields = idents(planned);
        file.item(quote! {
            impl wire::ZeroValue for #name {
                fn zero_value() -> Self {
                    Self { #(#fields: wire::zero()),* }
                }
            }
        });
    }
}

fn constructor(planned: &Struct, imports: &mut Imports) -> TokenStream {
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in &planned.fields {
        let ident = format_ident!("{}", field.ident);
        if field.needed {
            let (argument, value) = argument(field, &field.rust_type, imports);
            arguments.push((field.of.rank, quote!(#ident: #argument)));
            values.push(if value.to_string() == field.ident {
                quote!(#ident)
            } else {
                quote!(#ident: #value)
            });
        }
    }
    let all = idents(planned).count() == values.len();
    let rest = (!all).then(|| {
        imports.library("k8s_versioned", "wire");
        quote!(..wire::zero())
    });
    arguments.sort_by_key(|(rank, _)| *rank);
    let arguments: Vec<_> = arguments.into_iter().map(|(_, argument)| argument).collect();
    let doc = constructor_doc(planned);
    let many = (arguments.len() > MANY).then(|| quote!(#[allow(clippy::too_many_arguments)]));
    quote! {
        #[doc = #doc]
        #many
        pub fn new(#(#arguments),*) -> Self {
            Self { #(#values,)* #rest }
        }
    }
}

fn constructor_doc(planned: &Struct) -> String {
    if planned.fields.iter().all(|field| field.needed) {
        return " From all fields.".to_owned();
    }
    let others = planned.fields.iter().filter(|field| !field.needed);
    let filled_in = others.filter(|field| filled_in(&field.of).is_some());
    let filled_in = join(filled_in.map(|field| code(&field.wire)), ", ");
    let doc = " From the required fields; all others are empty.";
    if filled_in.is_empty() {
        doc.to_owned()
    } else {
        format!("{doc} Servers fill in the defaults of {filled_in}.")
    }
}

fn setter_function(field: &Field, imports: &mut Imports) -> TokenStream {
    let (ident, setter) = (format_ident!("{}", field.ident), setter(field));
    let doc = match field.presence {
        Presence::Rest => " Sets the members that are not fields.".to_owned(),
        _ => format!(" Sets {}.", code(&field.wire)),
    };
    let default = filled_in(&field.of).map(|note| format!(" {note}")).unwrap_or_default();
    let doc = doc + &default;
    let (argument, value) = match &field.rust_type {
        RustType::Option(inner) => {
            let (argument, value) = argument(field, inner, imports);
            (argument, quote!(Some(#value)))
        }
        plain => argument(field, plain, imports),
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        pub fn #setter(mut self, #ident: #argument) -> Self {
            self.#ident = #value;
            self
        }
    }
}

/// The name of the function that sets a field.
fn setter(field: &Field) -> Ident {
    format_ident!("with_{}", field.ident.trim_start_matches("r#"))
}

/// The type of an argument for a field, and the field's value made from it.
fn argument(field: &Field, of: &RustType, imports: &mut Imports) -> (TokenStream, TokenStream) {
    let ident = format_ident!("{}", field.ident);
    match of {
        RustType::List(item) => {
            let (item, convert) = part(item, imports);
            let (items, into) = (imports.prelude("IntoIterator"), imports.prelude("Into"));
            let map = convert.map(|_| quote!(.map(#into::into)));
            (quote!(impl #items<Item = #item>), quote!(#ident.into_iter() #map.collect()))
        }
        RustType::Map(value) => {
            let (value, convert) = part(value, imports);
            let (items, into) = (imports.prelude("IntoIterator"), imports.prelude("Into"));
            let text = imports.prelude("String");
            (
                quote!(impl #items<Item = (impl #into<#text>, #value)>),
                quote!(#ident.into_iter().map(|(key, value)| (key.into(), value #convert)).collect()),
            )
        }
        plain => {
            let (argument, convert) = part(plain, imports);
            (argument, quote!(#ident #convert))
        }
    }
}

/// The type in which an argument or its parts are given, and the call that converts them, if one does.
fn part(of: &RustType, imports: &mut Imports) -> (TokenStream, Option<TokenStream>) {
    let plain = rust_type(of, imports);
    match of {
        RustType::String | RustType::Vocabulary(_) => {
            let into = imports.prelude("Into");
            (quote!(impl #into<#plain>), Some(quote!(.into())))
        }
        _ => (plain, None),
    }
}

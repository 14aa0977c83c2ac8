//! The structs themselves.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::fields;
use super::file::SourceFile;
use super::imports::Imports;
use super::types::{docs, path_tokens, rust_type};
use crate::plan::Struct;

/// Emits a struct with its derives and its form on the wire. An object has two more fields without size, which write and
/// check `apiVersion` and `kind`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let mut derives = vec!["Clone", "Debug"];
    if planned.traits.default {
        derives.push("Default");
    }
    derives.push("PartialEq");
    if planned.traits.eq {
        derives.extend(["Eq", "Hash"]);
    }
    let derives = derives.into_iter().map(path_tokens);
    let mut fields = type_meta(planned, &mut file.imports);
    for field in &planned.fields {
        let (docs, ident) = (docs(&field.docs), format_ident!("{}", field.ident));
        let rust_type = rust_type(&field.rust_type, &mut file.imports);
        fields.push(quote!(#docs pub #ident: #rust_type));
    }
    let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
    file.item(quote! {
        #docs
        #[derive(#(#derives),*)]
        #[non_exhaustive]
        pub struct #name { #(#fields),* }
    });
    fields::emit(planned, file);
}

/// The fields for `apiVersion` and `kind`; none for a part of an object.
fn type_meta(planned: &Struct, imports: &mut Imports) -> Vec<TokenStream> {
    if planned.object.is_none() {
        return Vec::new();
    }
    imports.library("k8s_versioned", "wire");
    vec![
        quote!(pub(crate) api_version: wire::ApiVersion<Self>),
        quote!(pub(crate) kind: wire::KindName<Self>),
    ]
}

/// The names of the fields that a struct has in Rust.
pub(super) fn idents(planned: &Struct) -> impl Iterator<Item = proc_macro2::Ident> {
    let type_meta = planned.object.iter().flat_map(|_| ["api_version", "kind"]);
    let fields = planned.fields.iter().map(|field| field.ident.as_str());
    type_meta.chain(fields).map(|ident| format_ident!("{ident}"))
}

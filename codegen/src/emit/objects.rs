//! Objects on the wire: `apiVersion` and `kind` are written before the fields, and checked when read.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::fields::{Direction, attribute};
use super::file::SourceFile;
use super::imports::Imports;
use super::types::rust_type;
use crate::plan::{Field, Object, ObjectRole, Presence, Struct};

/// Emits the serde implementations of an object; a part has derived ones.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let Some(object) = &planned.object else {
        return;
    };
    for name in ["Deserialize", "Deserializer", "Serialize", "Serializer"] {
        file.imports.library("serde", name);
    }
    file.imports.library("serde::ser", "SerializeStruct");
    file.imports.library("k8s_versioned", "wire");
    file.item(body(planned, object));
    let name = format_ident!("{}", planned.path.name);
    file.item(quote! {
        impl Serialize for #name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                wire::serialize_object(self, serializer)
            }
        }
    });
    let deserialize = deserialize(planned, object, &mut file.imports);
    file.item(deserialize);
}

fn body(planned: &Struct, object: &Object) -> TokenStream {
    let name = format_ident!("{}", planned.path.name);
    let always = planned
        .fields
        .iter()
        .filter(|field| field.presence == Presence::Always)
        .count();
    let always = (always > 0).then(|| Literal::usize_unsuffixed(always).into_token_stream());
    let sometimes = planned.fields.iter().filter_map(|field| {
        let there = there(field)?;
        Some(quote!(usize::from(#there)))
    });
    let counts: Vec<_> = always.into_iter().chain(sometimes).collect();
    let count = if counts.is_empty() {
        quote!(0)
    } else {
        quote!(#(#counts)+*)
    };
    let writes = planned.fields.iter().map(|field| write(field, object));
    let target = if planned.fields.is_empty() {
        quote!(_)
    } else {
        quote!(object)
    };
    quote! {
        impl wire::Body for #name {
            fn field_count(&self) -> usize {
                #count
            }

            fn write<O: SerializeStruct>(&self, #target: &mut O) -> Result<(), O::Error> {
                #(#writes)*
                Ok(())
            }
        }
    }
}

/// Whether a field is there; nothing if it always is.
fn there(field: &Field) -> Option<TokenStream> {
    let ident = format_ident!("{}", field.ident);
    match field.presence {
        Presence::Always => None,
        Presence::UnlessEmpty => Some(quote!(!self.#ident.is_empty())),
        Presence::Optional => Some(quote!(self.#ident.is_some())),
    }
}

fn write(field: &Field, object: &Object) -> TokenStream {
    let (ident, wire) = (format_ident!("{}", field.ident), &field.wire);
    let items = field.wire == "items" && matches!(object.role, ObjectRole::List { .. });
    let value = if items {
        quote!(&wire::Items(&self.#ident))
    } else {
        quote!(&self.#ident)
    };
    let write = quote!(object.serialize_field(#wire, #value)?;);
    match there(field) {
        None => write,
        Some(there) => quote!(if #there { #write }),
    }
}

/// Reading goes through a struct of the object's fields with `apiVersion` and `kind` before them.
///
/// It has the name of the object, and errors say what people call it.
fn deserialize(planned: &Struct, object: &Object, imports: &mut Imports) -> TokenStream {
    let (name, text) = (format_ident!("{}", planned.path.name), &planned.path.name);
    let expecting = format!("an object of kind `{}`", object.kind);
    let mut fields = Vec::new();
    for field in &planned.fields {
        let ident = format_ident!("{}", field.ident);
        let attribute = attribute(field, Direction::Read, imports);
        let rust_type = rust_type(&field.rust_type, imports);
        fields.push(quote!(#attribute #ident: #rust_type));
    }
    let idents: Vec<_> = planned
        .fields
        .iter()
        .map(|field| format_ident!("{}", field.ident))
        .collect();
    quote! {
        impl<'de> Deserialize<'de> for #name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(expecting = #expecting, rename = #text, rename_all = "camelCase")]
                struct Wire {
                    #[serde(default, rename = "apiVersion")]
                    _api_version: wire::ApiVersion<#name>,
                    #[serde(default, rename = "kind")]
                    _kind: wire::KindName<#name>,
                    #(#fields),*
                }
                let Wire { #(#idents,)* .. } = Wire::deserialize(deserializer)?;
                Ok(Self { #(#idents),* })
            }
        }
    }
}

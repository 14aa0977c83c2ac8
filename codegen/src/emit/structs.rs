//! The structs themselves.

use quote::{format_ident, quote};

use super::fields::{Direction, attribute};
use super::file::SourceFile;
use super::types::{docs, rust_type};
use crate::plan::Struct;

/// Emits a struct with its derives. An object's serde implementations are not derived: they add and check
/// `apiVersion` and `kind`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let part = planned.object.is_none();
    let mut derives = vec!["Clone", "Debug"];
    if planned.traits.default {
        derives.push("Default");
    }
    derives.push("PartialEq");
    if planned.traits.eq {
        derives.extend(["Eq", "Hash"]);
    }
    if part {
        derives.extend(["Serialize", "Deserialize"]);
        file.imports.library("serde", "Serialize");
        file.imports.library("serde", "Deserialize");
    }
    let derives = derives.into_iter().map(|name| format_ident!("{name}"));
    let rename = part.then(|| quote!(#[serde(rename_all = "camelCase")]));
    let mut fields = Vec::new();
    for field in &planned.fields {
        let (docs, ident) = (docs(&field.docs), format_ident!("{}", field.ident));
        let attribute = part.then(|| attribute(field, Direction::Both, &mut file.imports));
        let rust_type = rust_type(&field.rust_type, &mut file.imports);
        fields.push(quote!(#docs #attribute pub #ident: #rust_type));
    }
    let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
    file.item(quote! {
        #docs
        #[derive(#(#derives),*)]
        #rename
        pub struct #name { #(#fields),* }
    });
}

//! Apply types: structs of which every field is optional.

use quote::{format_ident, quote};

use super::file::SourceFile;
use super::types::type_tokens;
use crate::plan::{Plan, RustType, Struct};

/// Emits the constructor of an apply type of objects, which takes the name: an apply needs it.
pub(super) fn emit(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    let mut metadata = planned.fields.iter().filter(|field| field.wire == "metadata");
    let metadata = metadata.next().filter(|_| planned.object.is_some());
    let Some(RustType::Option(metadata)) = metadata.map(|field| &field.rust_type) else {
        return;
    };
    let has_name = |it: &Struct| it.fields.iter().any(|field| field.wire == "name");
    let is_metadata =
        |it: &Struct| matches!(&**metadata, RustType::Struct(path) if *path == it.path);
    if !plan.applied().any(|it| is_metadata(it) && has_name(it)) {
        return;
    }
    let (name, metadata) =
        (format_ident!("{}", planned.path.name), type_tokens(metadata, &mut file.imports));
    let (into, text) = (file.imports.prelude("Into"), file.imports.prelude("String"));
    file.item(quote! {
        impl #name {
            /// The object with this name. The request has the same name in its path.
            pub fn new(name: impl #into<#text>) -> Self {
                Self::default().with_metadata(#metadata::default().with_name(name))
            }
        }
    });
}

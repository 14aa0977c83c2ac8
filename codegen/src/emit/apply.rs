//! Apply types: structs of which every field is optional.

use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::{file_of, type_tokens};
use super::{constructors, resources, structs};
use crate::Options;
use crate::plan::{Operations, Plan, RustType, Struct};

/// Emits a file for each of `types`.
pub(super) fn emit<'a>(
    types: impl Iterator<Item = &'a Struct>,
    operations: &Operations,
    plan: &Plan,
    options: &Options,
    output: &mut Output,
) {
    for planned in types {
        let mut file = SourceFile::new(options, &planned.path);
        file.source(&planned.schema);
        structs::emit(planned, &mut file);
        apply_constructor(planned, &operations.apply, &mut file);
        constructors::emit(planned, &mut file);
        resources::emit(planned, plan, &mut file);
        output.add(&file_of(&planned.path), file);
    }
}

/// Emits the constructor of an object, which takes the name: an apply needs it.
fn apply_constructor(planned: &Struct, all: &[Struct], file: &mut SourceFile) {
    let mut metadata = planned.fields.iter().filter(|field| field.wire == "metadata");
    let metadata = metadata.next().filter(|_| planned.object.is_some());
    let Some(RustType::Option(metadata)) = metadata.map(|field| &field.rust_type) else {
        return;
    };
    let has_name = |it: &Struct| it.fields.iter().any(|field| field.wire == "name");
    let is_metadata =
        |it: &Struct| matches!(&**metadata, RustType::Struct(path) if *path == it.path);
    if !all.iter().any(|it| is_metadata(it) && has_name(it)) {
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

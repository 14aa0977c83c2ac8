//! What the metadata of lists says of pages.

use quote::{format_ident, quote};

use super::file::SourceFile;
use crate::plan::{ObjectRole, Plan, RustType, Struct};

/// Emits `ListMetadata` for the metadata of lists that can come in pages.
pub(super) fn emit(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    let token = planned.fields.iter().find(|field| field.wire == "continue");
    let Some(token) = token.filter(|token| is_optional_text(&token.rust_type)) else {
        return;
    };
    if plan.operations.is_none() || !is_metadata_of_lists(planned, plan) {
        return;
    }
    file.imports.library("k8s_versioned", "operation");
    let (name, token) = (
        format_ident!("{}", planned.path.name),
        format_ident!("{}", token.ident),
    );
    file.item(quote! {
        impl operation::ListMetadata for #name {
            fn continue_token(&self) -> Option<&str> {
                self.#token.as_deref().filter(|token| !token.is_empty())
            }
        }
    });
}

fn is_optional_text(rust_type: &RustType) -> bool {
    *rust_type == RustType::Option(Box::new(RustType::String))
}

fn is_metadata_of_lists(planned: &Struct, plan: &Plan) -> bool {
    let own = RustType::Struct(planned.path.clone());
    plan.structs()
        .filter_map(|it| it.object.as_ref())
        .any(|object| matches!(&object.role, ObjectRole::List { metadata, .. } if *metadata == own))
}

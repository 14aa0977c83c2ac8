//! What objects say of their kinds: the traits of `k8s-versioned`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::imports::Imports;
use super::types::rust_type;
use crate::model::Scope;
use crate::plan::{ItemPath, Object, ObjectRole, RustType, Struct};

/// Emits `Kind` for an object, and `Resource` or `List` if it is one.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let Some(object) = &planned.object else {
        return;
    };
    let name = format_ident!("{}", planned.path.name);
    file.imports.library("k8s_versioned", "Kind");
    file.item(kind(&name, object));
    let role = match &object.role {
        ObjectRole::Other => None,
        ObjectRole::Resource {
            plural,
            scope,
            metadata,
            list,
        } => Some(resource(
            &name,
            (plural, *scope),
            metadata,
            list,
            &mut file.imports,
        )),
        ObjectRole::List { metadata, item } => {
            Some(self::list(&name, metadata, item, &mut file.imports))
        }
    };
    if let Some(role) = role {
        file.item(role);
    }
}

fn resource(
    name: &Ident,
    (plural, scope): (&str, Scope),
    metadata: &RustType,
    list: &ItemPath,
    imports: &mut Imports,
) -> TokenStream {
    imports.library("k8s_versioned", "Resource");
    imports.library("k8s_versioned", "Scope");
    let metadata = rust_type(metadata, imports);
    let list = imports.name(list);
    let scope = match scope {
        Scope::Namespaced => quote!(Scope::Namespaced),
        Scope::Cluster => quote!(Scope::Cluster),
    };
    let accessors = metadata_accessors();
    quote! {
        impl Resource for #name {
            type Metadata = #metadata;
            type List = #list;
            const PLURAL: &'static str = #plural;
            const SCOPE: Scope = #scope;
            #accessors
        }
    }
}

fn list(name: &Ident, metadata: &RustType, item: &ItemPath, imports: &mut Imports) -> TokenStream {
    imports.library("k8s_versioned", "List");
    let metadata = rust_type(metadata, imports);
    let item = imports.name(item);
    let accessors = metadata_accessors();
    quote! {
        impl List for #name {
            type Item = #item;
            type Metadata = #metadata;
            #accessors
            fn items(&self) -> &[Self::Item] {
                &self.items
            }
            fn items_mut(&mut self) -> &mut Vec<Self::Item> {
                &mut self.items
            }
            fn into_items(self) -> Vec<Self::Item> {
                self.items
            }
        }
    }
}

fn kind(name: &Ident, object: &Object) -> TokenStream {
    let Object {
        group,
        version,
        kind,
        accepted,
        ..
    } = object;
    let api_version = accepted.first();
    let accepted = (accepted.len() > 1)
        .then(|| quote!(const ACCEPTED_API_VERSIONS: &'static [&'static str] = &[#(#accepted),*];));
    quote! {
        impl Kind for #name {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const KIND: &'static str = #kind;
            const API_VERSION: &'static str = #api_version;
            #accepted
        }
    }
}

fn metadata_accessors() -> TokenStream {
    quote! {
        fn metadata(&self) -> &Self::Metadata {
            &self.metadata
        }
        fn metadata_mut(&mut self) -> &mut Self::Metadata {
            &mut self.metadata
        }
    }
}

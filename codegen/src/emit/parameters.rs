//! The structs that hold parameters, and their module.

use quote::{format_ident, quote};

use super::constructors;
use super::file::{Output, SourceFile};
use super::types::{docs, file_of, file_of_module, module_ident, rust_type, stem};
use crate::Options;
use crate::plan::{Operations, Struct};

/// The module.
pub(super) const MODULE: &str = "parameters";

/// Emits a file for each struct, and the module.
pub(super) fn emit(operations: &Operations, options: &Options, output: &mut Output) {
    for planned in &operations.parameters {
        let mut file = SourceFile::new(options, &planned.path);
        emit_struct(planned, &mut file);
        constructors::emit(planned, &mut file);
        emit_impl(planned, &mut file);
        output.add(&file_of(&planned.path), file);
    }
    let mut file = SourceFile::own(options);
    file.docs(&operations.docs);
    let names = operations.parameters.iter().map(|it| it.path.name.as_str());
    let (stems, names): (Vec<_>, Vec<_>) = names
        .map(|name| {
            (
                format_ident!("{}", module_ident(&stem(name))),
                format_ident!("{name}"),
            )
        })
        .unzip();
    file.item(quote!(#(mod #stems;)*));
    file.item(quote!(#(pub use #stems::#names;)*));
    output.add(&file_of_module(MODULE, "mod"), file);
}

fn emit_struct(planned: &Struct, file: &mut SourceFile) {
    let mut fields = Vec::new();
    for field in &planned.fields {
        let (docs, ident) = (docs(&field.docs), format_ident!("{}", field.ident));
        let rust_type = rust_type(&field.rust_type, &mut file.imports);
        fields.push(quote!(#docs pub #ident: #rust_type));
    }
    let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
    file.item(quote! {
        #docs
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct #name { #(#fields),* }
    });
}

fn emit_impl(planned: &Struct, file: &mut SourceFile) {
    file.imports.library("k8s_versioned", "operation");
    let name = format_ident!("{}", planned.path.name);
    let idents: Vec<_> = planned
        .fields
        .iter()
        .map(|field| format_ident!("{}", field.ident))
        .collect();
    let wires: Vec<_> = planned.fields.iter().map(|field| &field.wire).collect();
    file.item(quote! {
        impl operation::Parameters for #name {
            const NAMES: &'static [&'static str] = &[#(#wires),*];
            fn write(&self, query: &mut operation::Query) {
                #(query.set_some(#wires, self.#idents.as_ref());)*
            }
            fn read(query: &operation::Query) -> Result<Self, operation::QueryError> {
                Ok(Self { #(#idents: query.read(#wires)?),* })
            }
        }
    });
}

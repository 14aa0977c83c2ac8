//! The structs as protobuf messages, behind the feature `protobuf`: a file for each module.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::file_of_module;
use crate::plan::{Field, FieldForm, Plan, RustType, Struct};

/// Emits `protobuf.rs` of each module.
pub(super) fn emit(plan: &Plan, output: &mut Output<'_>) {
    let package = output.package.clone();
    for module in plan.modules.iter().filter(|module| module.package == package) {
        let mut messages = module.structs.iter().filter(|planned| planned.is_message).peekable();
        if messages.peek().is_none() {
            continue;
        }
        let mut file = output.file();
        file.rules("field-numbers.toml");
        file.docs("The types of this module as protobuf messages.");
        for name in ["Error", "Field", "Message", "Sink"] {
            file.imports.library("k8s_versioned::protobuf", name);
        }
        messages.for_each(|planned| emit_message(planned, &mut file));
        output.add(&file_of_module(&module.path, "protobuf"), file);
    }
}

fn emit_message(planned: &Struct, file: &mut SourceFile) {
    let name = file.imports.name(&planned.path);
    let mut fields: Vec<(u32, FieldForm, &Field)> = planned
        .fields
        .iter()
        .filter_map(|field| field.protobuf.map(|(number, form)| (number, form, field)))
        .collect();
    fields.sort_by_key(|(number, ..)| *number);
    let names = fields.iter().map(|(number, _, field)| {
        let (number, name) = (Literal::u32_unsuffixed(*number), &field.wire);
        quote!((#number, #name))
    });
    let (reads, writes): (Vec<_>, Vec<_>) = fields.iter().map(|it| read_and_write(*it)).unzip();
    file.item(quote! {
        impl Message for #name {
            const FIELDS: &'static [(u32, &'static str)] = &[#(#names),*];

            fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
                match field.number() {
                    #(#reads)*
                    _ => field.skip(),
                }
            }

            fn write_fields(&self, to: &mut impl Sink) {
                #(#writes)*
            }
        }
    });
}

/// The arm that reads a field, and the statement that writes it.
fn read_and_write((number, form, field): (u32, FieldForm, &Field)) -> (TokenStream, TokenStream) {
    let optional = field.rust_type.is_option();
    let (read, write) = match (field.rust_type.present(), form) {
        (_, FieldForm::ListMessage) => ("value", "list_message"),
        (RustType::List(_), _) => ("list", "list"),
        (RustType::Map(_), _) => ("map", "map"),
        (_, FieldForm::Pointer) if optional => ("pointer", "pointer"),
        (_, FieldForm::Value) if optional => ("unless_zero", "or_zero"),
        _ => ("value", "value"),
    };
    // Of these, the function takes the whole `Option`.
    let is_whole = !optional || matches!(write, "pointer" | "or_zero");
    let (number, ident) = (Literal::u32_unsuffixed(number), format_ident!("{}", field.ident));
    let (read, write) = (format_ident!("{read}"), format_ident!("{write}"));
    if is_whole {
        let read = quote!(#number => field.#read(&mut self.#ident),);
        return (read, quote!(to.#write(#number, &self.#ident);));
    }
    let read = quote!(#number => field.#read(self.#ident.get_or_insert_default()),);
    (read, quote!(if let Some(value) = &self.#ident { to.#write(#number, value); }))
}

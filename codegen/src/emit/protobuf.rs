//! The structs as protobuf messages, behind the feature `protobuf`: a file for each module.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::modules::holds;
use super::types::file_of_module;
use crate::plan::{Form, Message, MessageField, Module, Plan, RustType, Struct};

/// Emits `protobuf.rs` of each module.
pub(super) fn emit(plan: &Plan, messages: &[Message], output: &mut Output<'_>) {
    let own = |module: &&Module| module.origin == output.origin && holds(messages, module);
    for module in plan.modules.iter().filter(own).collect::<Vec<_>>() {
        let mut file = output.file();
        file.rules("field-numbers.toml");
        file.docs("The types of this module as protobuf messages.");
        for name in ["Error", "Field", "Message", "Sink"] {
            file.imports.library("k8s_versioned::protobuf", name);
        }
        for planned in module.structs.iter().filter(|it| it.list_item().is_none()) {
            if let Some(message) = messages.iter().find(|message| message.path == planned.path) {
                emit_message(planned, message, &mut file);
            }
        }
        output.add(&file_of_module(&module.path, "protobuf"), file);
    }
}

fn emit_message(planned: &Struct, message: &Message, file: &mut SourceFile) {
    let name = file.imports.name(&planned.path);
    let names = message.fields.iter().map(|field| {
        let (number, name) = (number(field), &field.wire);
        quote!((#number, #name))
    });
    let reads = message.fields.iter().map(|field| read(planned, field));
    let writes = message.fields.iter().map(|field| write(planned, field));
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

fn number(field: &MessageField) -> Literal {
    Literal::u32_unsuffixed(field.number)
}

/// Returns `true` if a list or map is in an `Option`.
fn is_optional(planned: &Struct, field: &MessageField) -> bool {
    let mut fields = planned.fields.iter();
    let found = fields.find(|found| found.wire == field.wire);
    found.is_some_and(|found| matches!(found.rust_type, RustType::Option(_)))
}

fn read(planned: &Struct, field: &MessageField) -> TokenStream {
    let (number, ident) = (number(field), format_ident!("{}", field.ident));
    let optional = is_optional(planned, field);
    let place = match field.form {
        Form::List | Form::Map | Form::ListMessage if optional => {
            quote!(self.#ident.get_or_insert_default())
        }
        _ => quote!(&mut self.#ident),
    };
    let function = match field.form {
        Form::Value | Form::ListMessage => "value",
        Form::OrZero => "unless_zero",
        Form::Pointer => "pointer",
        Form::List => "list",
        Form::Map => "map",
    };
    let function = format_ident!("{function}");
    quote!(#number => field.#function(#place),)
}

fn write(planned: &Struct, field: &MessageField) -> TokenStream {
    let (number, ident) = (number(field), format_ident!("{}", field.ident));
    let function = match field.form {
        Form::Value => "value",
        Form::OrZero => "or_zero",
        Form::Pointer => "pointer",
        Form::List => "list",
        Form::Map => "map",
        Form::ListMessage => "list_message",
    };
    let function = format_ident!("{function}");
    let write = |value: TokenStream| quote!(to.#function(#number, #value););
    if is_optional(planned, field) && !matches!(field.form, Form::OrZero | Form::Pointer) {
        let write = write(quote!(value));
        quote!(if let Some(value) = &self.#ident { #write })
    } else {
        write(quote!(&self.#ident))
    }
}

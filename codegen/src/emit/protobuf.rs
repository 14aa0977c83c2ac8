//! The structs as protobuf messages, behind the feature `protobuf`: a file for each module.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::file_of_module;
use crate::gather::Gather;
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
    let fields = planned.fields.iter().filter_map(|field| {
        let (number, form) = field.protobuf.as_ref()?;
        Some(Numbered { number: &number.0, form: *form, field })
    });
    let fields = fields.sorted_by_key(|numbered| numbered.number);
    let Fields { names, reads, writes } = code_of(&fields);
    let read = if reads.is_empty() {
        quote!(field.skip())
    } else {
        quote!(match field.number() {
            #(#reads)*
            _ => field.skip(),
        })
    };
    let sink = if writes.is_empty() { quote!(_) } else { quote!(to) };
    file.item(quote! {
        impl Message for #name {
            const FIELDS: &'static [(u32, &'static str)] = &[#(#names),*];

            fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
                #read
            }

            fn write_fields(&self, #sink: &mut impl Sink) {
                #(#writes)*
            }
        }
    });
}

/// A field, and the numbers that lead to it.
#[derive(Clone, Copy)]
struct Numbered<'p> {
    number: &'p [u32],
    form: FieldForm,
    field: &'p Field,
}

/// The code for the fields of a message: names by number, and for each number an arm that reads and a statement that writes.
#[derive(Default)]
struct Fields {
    names: Vec<TokenStream>,
    reads: Vec<TokenStream>,
    writes: Vec<TokenStream>,
}

/// The code for fields in the order of their numbers. Fields with the same first number are in a message that Go embeds.
fn code_of(fields: &[Numbered<'_>]) -> Fields {
    let mut code = Fields::default();
    for same in fields.chunk_by(|one, other| one.number.first() == other.number.first()) {
        let Some((first, rest)) = same.first().and_then(|same| same.number.split_first()) else {
            continue;
        };
        let number = Literal::u32_unsuffixed(*first);
        if let (true, [numbered]) = (rest.is_empty(), same) {
            let wire = &numbered.field.wire;
            code.names.push(quote!((#number, #wire)));
            let (read, write) = read_and_write((*first, numbered.form, numbered.field));
            code.reads.push(read);
            code.writes.push(write);
            continue;
        }
        let inner = same
            .iter()
            .map(|same| Numbered { number: same.number.get(1..).unwrap_or(&[]), ..*same });
        let Fields { names, reads, writes } = code_of(&inner.collect::<Vec<_>>());
        code.reads.push(quote! {
            #number => field.embedded(&[#(#names),*], |field| match field.number() {
                #(#reads)*
                _ => field.skip(),
            }),
        });
        code.writes.push(quote!(to.embedded(#number, |to| { #(#writes)* });));
    }
    code
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
    // The function takes the whole `Option` of these.
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

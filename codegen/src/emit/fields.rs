//! How the fields of structs are read and written.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::imports::Imports;
use super::types::rust_type;
use crate::plan::{Field, Presence, RustType, Struct};

/// Emits `wire::Fields`, by which a macro implements `Serialize` and `Deserialize`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    file.imports.library("k8s_versioned", "wire");
    let (name, text) = (format_ident!("{}", planned.path.name), &planned.path.name);
    let (option, result) = (file.imports.prelude("Option"), file.imports.prelude("Result"));
    let expected = planned.object.as_ref().map(|object| {
        let expected = format!("an object of kind `{}`", object.of.kind);
        quote!(const EXPECTED: #option<&'static str> = Some(#expected);)
    });
    let fields = members(planned);
    let wires = fields.iter().map(|field| field.wire);
    let (reads, writes) =
        (fields.iter().map(|field| &field.read), fields.iter().map(|field| &field.write));
    let indices = (0..).map(Literal::usize_unsuffixed);
    let (field, to) =
        if fields.is_empty() { (quote!(_), quote!(_)) } else { (quote!(field), quote!(to)) };
    let read = if fields.is_empty() {
        quote!(from.skip())
    } else {
        quote!(match field { #(#indices => from.#reads,)* _ => from.skip(), })
    };
    let rest = planned.fields.iter().find(|field| field.presence == Presence::Rest);
    let keep = rest.map(|field| rest_function(field, &option, &mut file.imports));
    file.item(quote! {
        impl wire::Fields for #name {
            const NAME: &'static str = #text;
            #expected
            const FIELDS: &'static [&'static str] = &[#(#wires),*];

            fn read_field<'de, R: wire::Reader<'de>>(&mut self, #field: usize, from: &mut R) -> #result<(), R::Error> {
                #read
            }

            fn write_fields<W: wire::Writer>(&self, #to: &mut W) -> #result<(), W::Error> {
                #(#writes)*
                Ok(())
            }

            #keep
        }
    });
    let rest = rest.map(|field| format!(", {}", field.ident)).unwrap_or_default();
    file.text_item(format!("k8s_versioned::fields!({name}{rest});\n"));
}

/// A field in JSON: the call that reads it, and the statement that writes it.
struct Member<'a> {
    wire: &'a str,
    read: TokenStream,
    write: TokenStream,
}

/// All fields. An object begins with `apiVersion` and `kind`.
fn members(planned: &Struct) -> Vec<Member<'_>> {
    let type_meta = [("apiVersion", quote!(api_version)), ("kind", quote!(kind))];
    let type_meta =
        planned.object.iter().flat_map(|_| type_meta.clone()).map(|(wire, ident)| Member {
            wire,
            read: quote!(value(&mut self.#ident)),
            write: quote!(to.value(#wire, &self.#ident)?;),
        });
    let fields = planned.fields.iter().filter(|field| field.presence != Presence::Rest);
    let fields = fields.map(|field| {
        let (ident, function) = (format_ident!("{}", field.ident), reading(&field.rust_type));
        let (wire, read) = (&*field.wire, quote!(#function(&mut self.#ident)));
        Member { wire, read, write: writing(field, &ident) }
    });
    type_meta.chain(fields).collect()
}

/// The function that reads a field.
fn reading(rust_type: &RustType) -> Ident {
    let name = match rust_type {
        // `null` is a value of its own.
        RustType::Option(inner) if matches!(**inner, RustType::Option(_)) => "nullable",
        RustType::Option(_) => "option",
        RustType::List(_) => "list",
        RustType::Map(_) => "map",
        _ => "value",
    };
    format_ident!("{name}")
}

/// The statement that writes a field.
fn writing(field: &Field, ident: &Ident) -> TokenStream {
    let (wire, numbers) = (&field.wire, holds_numbers(&field.rust_type));
    let is_option = matches!(field.rust_type, RustType::Option(_));
    match field.presence {
        Presence::Optional if numbers => {
            quote!(to.option(#wire, &self.#ident.as_ref().map(wire::AsServers))?;)
        }
        Presence::UnlessEmpty if numbers => quote! {
            if !wire::is_zero(&self.#ident) {
                to.value(#wire, &wire::AsServers(&self.#ident))?;
            }
        },
        _ if numbers => quote!(to.value(#wire, &wire::AsServers(&self.#ident))?;),
        Presence::Optional => quote!(to.option(#wire, &self.#ident)?;),
        Presence::UnlessEmpty if matches!(field.rust_type, RustType::Map(_)) => {
            quote!(to.map(#wire, &self.#ident)?;)
        }
        Presence::UnlessEmpty => quote!(to.unless_zero(#wire, &self.#ident)?;),
        Presence::NullIfEmpty if !is_option => quote!(to.or_null(#wire, &self.#ident)?;),
        Presence::NullIfEmpty | Presence::Always | Presence::Rest => {
            quote!(to.value(#wire, &self.#ident)?;)
        }
    }
}

/// Returns `true` if a type is or has numbers with fractions.
fn holds_numbers(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::F64 => true,
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => {
            holds_numbers(inner)
        }
        _ => false,
    }
}

/// The function that returns where unknown members are kept.
fn rest_function(field: &Field, option: &TokenStream, imports: &mut Imports) -> TokenStream {
    let (ident, of) = (format_ident!("{}", field.ident), rust_type(&field.rust_type, imports));
    quote! {
        fn rest(&mut self) -> #option<&mut #of> {
            Some(&mut self.#ident)
        }
    }
}

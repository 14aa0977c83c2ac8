//! The structs themselves.

use std::fmt::Write;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Imports, Output, SourceFile};
use super::resources;
use super::types::{docs, file_of, path_tokens, rust_type};
use crate::Options;
use crate::plan::{Field, Operations, Plan, Presence, RustType, Struct, Vocabulary};

/// Emits a struct with its derives and its form on the wire. An object has two more fields without size, which write and
/// check `apiVersion` and `kind`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let mut derives = vec!["Clone", "Debug"];
    if planned.traits.default {
        derives.push("Default");
    }
    derives.push("PartialEq");
    if planned.traits.eq {
        derives.extend(["Eq", "Hash"]);
    }
    let derives = derives.into_iter().map(path_tokens);
    let mut fields = type_meta(planned, &mut file.imports);
    for field in &planned.fields {
        let (docs, ident) = (docs(&field.docs), format_ident!("{}", field.ident));
        let rust_type = rust_type(&field.rust_type, &mut file.imports);
        fields.push(quote!(#docs pub #ident: #rust_type));
    }
    let (docs, name) = (docs(&planned.docs), format_ident!("{}", planned.path.name));
    file.item(quote! {
        #docs
        #[derive(#(#derives),*)]
        #[non_exhaustive]
        pub struct #name { #(#fields),* }
    });
    emit_fields(planned, file);
}

/// The fields for `apiVersion` and `kind`; none for a part of an object.
fn type_meta(planned: &Struct, imports: &mut Imports) -> Vec<TokenStream> {
    if planned.object.is_none() {
        return Vec::new();
    }
    imports.library("k8s_versioned", "wire");
    vec![
        quote!(pub(crate) api_version: wire::ApiVersion<Self>),
        quote!(pub(crate) kind: wire::KindName<Self>),
    ]
}

/// The names of the fields that a struct has in Rust.
pub(super) fn idents(planned: &Struct) -> impl Iterator<Item = proc_macro2::Ident> {
    let type_meta = planned.object.iter().flat_map(|_| ["api_version", "kind"]);
    let fields = planned.fields.iter().map(|field| field.ident.as_str());
    type_meta.chain(fields).map(|ident| format_ident!("{ident}"))
}

// How the fields of structs are read and written.

/// Emits `wire::Fields`, by which a macro implements `Serialize` and `Deserialize`.
pub(super) fn emit_fields(planned: &Struct, file: &mut SourceFile) {
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

/// The name of the function that sets a field.
pub(super) fn setter(field: &Field) -> Ident {
    format_ident!("with_{}", field.ident.trim_start_matches("r#"))
}

// Constructors, setters and zero values.

/// The number of arguments that Clippy allows. More are allowed here, if the API requires them.
const MANY: usize = 7;

/// Emits a constructor that takes what is required, setters for the rest, and the zero value of a struct
/// without a default.
pub(super) fn emit_constructors(planned: &Struct, file: &mut SourceFile) {
    let mut functions = Vec::new();
    if planned.fields.iter().any(|field| field.needed) {
        functions.push(constructor(planned, &mut file.imports));
    }
    for field in planned.fields.iter().filter(|field| !field.needed) {
        functions.push(setter_function(field, &mut file.imports));
    }
    let name = format_ident!("{}", planned.path.name);
    if !functions.is_empty() {
        file.item(quote!(impl #name { #(#functions)* }));
    }
    if !planned.traits.default {
        file.imports.library("k8s_versioned", "wire");
        let fields = idents(planned);
        file.item(quote! {
            impl wire::ZeroValue for #name {
                fn zero_value() -> Self {
                    Self { #(#fields: wire::zero()),* }
                }
            }
        });
    }
}

fn constructor(planned: &Struct, imports: &mut Imports) -> TokenStream {
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in &planned.fields {
        let ident = format_ident!("{}", field.ident);
        if field.needed {
            let (argument, value) = argument(field, &field.rust_type, imports);
            arguments.push((field.of.rank, quote!(#ident: #argument)));
            values.push(if value.to_string() == field.ident {
                quote!(#ident)
            } else {
                quote!(#ident: #value)
            });
        }
    }
    let all = idents(planned).count() == values.len();
    let rest = (!all).then(|| {
        imports.library("k8s_versioned", "wire");
        quote!(..wire::zero())
    });
    arguments.sort_by_key(|(rank, _)| *rank);
    let arguments: Vec<_> = arguments.into_iter().map(|(_, argument)| argument).collect();
    let doc = if planned.fields.iter().all(|field| field.needed) {
        " From all fields."
    } else {
        " From the required fields; all others are empty."
    };
    let many = (arguments.len() > MANY).then(|| quote!(#[allow(clippy::too_many_arguments)]));
    quote! {
        #[doc = #doc]
        #many
        pub fn new(#(#arguments),*) -> Self {
            Self { #(#values,)* #rest }
        }
    }
}

fn setter_function(field: &Field, imports: &mut Imports) -> TokenStream {
    let (ident, setter) = (format_ident!("{}", field.ident), setter(field));
    let doc = match field.presence {
        Presence::Rest => " Sets the members that are not fields.".to_owned(),
        // Any text can be a name in a custom resource.
        _ if field.wire.is_empty() || field.wire.contains('`') => " Sets the field.".to_owned(),
        _ => format!(" Sets `{}`.", field.wire),
    };
    let (argument, value) = match &field.rust_type {
        RustType::Option(inner) => {
            let (argument, value) = argument(field, inner, imports);
            (argument, quote!(Some(#value)))
        }
        plain => argument(field, plain, imports),
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        pub fn #setter(mut self, #ident: #argument) -> Self {
            self.#ident = #value;
            self
        }
    }
}

/// The type of an argument for a field, and the field's value made from it.
fn argument(field: &Field, of: &RustType, imports: &mut Imports) -> (TokenStream, TokenStream) {
    let ident = format_ident!("{}", field.ident);
    match of {
        RustType::List(item) => {
            let (item, convert) = part(item, imports);
            let (items, into) = (imports.prelude("IntoIterator"), imports.prelude("Into"));
            let map = convert.map(|_| quote!(.map(#into::into)));
            (quote!(impl #items<Item = #item>), quote!(#ident.into_iter() #map.collect()))
        }
        RustType::Map(value) => {
            let (value, convert) = part(value, imports);
            let (items, into) = (imports.prelude("IntoIterator"), imports.prelude("Into"));
            let text = imports.prelude("String");
            (
                quote!(impl #items<Item = (impl #into<#text>, #value)>),
                quote!(#ident.into_iter().map(|(key, value)| (key.into(), value #convert)).collect()),
            )
        }
        plain => {
            let (argument, convert) = part(plain, imports);
            (argument, quote!(#ident #convert))
        }
    }
}

/// The type in which an argument or its parts are given, and the call that converts them, if one does.
fn part(of: &RustType, imports: &mut Imports) -> (TokenStream, Option<TokenStream>) {
    let plain = rust_type(of, imports);
    match of {
        RustType::String | RustType::Vocabulary(_) => {
            let into = imports.prelude("Into");
            (quote!(impl #into<#plain>), Some(quote!(.into())))
        }
        _ => (plain, None),
    }
}

// Vocabularies: enums of known words that hold any other word, too.

/// The note in the rustdoc of each.
const OPEN: &str = "The enum is open: it holds any other word as it is. `From` and `FromStr` make it from text.\n\
    A release can add words, so a program that looks for a word compares the text: with `==`, or with `as_str`.";

/// Emits the enum. A macro of `k8s-versioned` implements its conversions from and to text.
pub(super) fn emit_vocabulary(vocabulary: &Vocabulary, file: &mut SourceFile) {
    let name = format_ident!("{}", vocabulary.path.name);
    let enum_docs = docs(&format!("{}\n\n{OPEN}", vocabulary.docs));
    let variants = vocabulary.variants.iter().map(|variant| {
        let (docs, ident) = (docs(&variant.docs), format_ident!("{}", variant.ident));
        quote!(#docs #ident)
    });
    file.item(quote! {
        #enum_docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants,)*
            /// Any other text.
            Other(k8s_versioned::Other<Self>),
        }
    });
    let summary = &vocabulary.summary;
    let mut text = format!("k8s_versioned::open_enum! {{\n    {name}, {summary:?};\n");
    for variant in &vocabulary.variants {
        let _ = writeln!(text, "    {} = {:?};", variant.ident, variant.word);
    }
    file.text_item(text + "}\n");
}

// Apply types: structs of which every field is optional.

/// Emits a file for each of `types`.
pub(super) fn emit_apply<'a>(
    types: impl Iterator<Item = &'a Struct>,
    operations: &Operations,
    plan: &Plan,
    options: &Options,
    output: &mut Output,
) {
    for planned in types {
        let mut file = SourceFile::new(options, &planned.path);
        file.source(&planned.schema);
        emit(planned, &mut file);
        apply_constructor(planned, &operations.apply, &mut file);
        emit_constructors(planned, &mut file);
        resources::emit(planned, plan, &mut file);
        output.add(&file_of(&planned.path), file);
    }
}

/// Emits the constructor of an object, which takes the name: an apply needs it.
fn apply_constructor(planned: &Struct, all: &[Struct], file: &mut SourceFile) {
    let metadata = planned.fields.iter().find(|field| field.wire == "metadata");
    let Some(RustType::Option(metadata)) = metadata.map(|field| &field.rust_type) else {
        return;
    };
    let has_name = |it: &Struct| it.fields.iter().any(|field| field.wire == "name");
    let named =
        all.iter().any(|it| **metadata == RustType::Struct(it.path.clone()) && has_name(it));
    if !named || planned.object.is_none() {
        return;
    }
    let (name, metadata) =
        (format_ident!("{}", planned.path.name), rust_type(metadata, &mut file.imports));
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

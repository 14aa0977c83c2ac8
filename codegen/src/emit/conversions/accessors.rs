//! Accessors of the enum over the versions of a kind.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, any, variant};
use crate::conversion::{Accessor, FieldRef};
use crate::emit::file::SourceFile;
use crate::emit::types::{docs, rust_type};
use crate::plan::RustType;

/// The accessors of the fields that all versions share; empty if there are none.
pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) -> TokenStream {
    let kind = emitter.kind;
    let variants: Vec<Ident> = kind.versions.iter().map(|it| variant(&it.name)).collect();
    let accessors = kind.accessors.iter();
    let functions: Vec<TokenStream> =
        accessors.map(|accessor| field_accessor(accessor, &variants, file)).collect();
    if functions.is_empty() {
        return TokenStream::new();
    }
    let name = any::name(kind);
    quote!(impl #name { #(#functions)* })
}

fn field_accessor(accessor: &Accessor, variants: &[Ident], file: &mut SourceFile) -> TokenStream {
    let Some(first) = accessor.fields.first() else {
        return TokenStream::new();
    };
    let shape = Shape::of(accessor, &first.rust_type, file);
    let arms = accessor.fields.iter().zip(variants).map(|(field, variant)| {
        let idents = field.idents.iter().map(|ident| format_ident!("{ident}"));
        let value = shape.value(&quote!(object.#(#idents).*), is_optional(field));
        quote!(Self::#variant(object) => #value)
    });
    let note = if shape.mixed && shape.is_text { "; an empty one counts as absent" } else { "" };
    let doc = docs(&format!("The field `{}`{note}.", first.path));
    let (name, result) = (format_ident!("{}", accessor.name), &shape.result);
    quote! {
        #doc
        pub fn #name(&self) -> #result {
            match self {
                #(#arms,)*
            }
        }
    }
}

fn is_optional(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Option(_))
}

/// The form in which an accessor returns a value.
struct Shape {
    result: TokenStream,
    is_text: bool,
    is_copy: bool,
    /// `true` if it is optional in some versions and not in others.
    mixed: bool,
}

impl Shape {
    fn of(accessor: &Accessor, of: &RustType, file: &mut SourceFile) -> Self {
        let value = of.present();
        let is_copy =
            matches!(value, RustType::Bool | RustType::I32 | RustType::I64 | RustType::F64);
        let plain = rust_type(value, &mut file.imports);
        let lent = match value {
            RustType::String => quote!(&str),
            RustType::List(item) => {
                let item = rust_type(item, &mut file.imports);
                quote!(&[#item])
            }
            _ if is_copy => plain,
            _ => quote!(&#plain),
        };
        let optional = accessor.fields.iter().any(is_optional);
        Self {
            result: if optional { quote!(Option<#lent>) } else { lent },
            is_text: *value == RustType::String,
            is_copy,
            mixed: optional && !accessor.fields.iter().all(is_optional),
        }
    }

    fn value(&self, field: &TokenStream, optional: bool) -> TokenStream {
        let not_empty = quote!(filter(|text| !text.is_empty()));
        match (optional, self.mixed) {
            (true, true) if self.is_text => quote!(#field.as_deref().#not_empty),
            (true, _) if self.is_text => quote!(#field.as_deref()),
            (true, _) | (false, false) if self.is_copy => quote!(#field),
            (true, _) => quote!(#field.as_ref()),
            (false, true) if self.is_text => quote!(Some(#field.as_str()).#not_empty),
            (false, true) if self.is_copy => quote!(Some(#field)),
            (false, true) => quote!(Some(&#field)),
            (false, false) => quote!(&#field),
        }
    }
}

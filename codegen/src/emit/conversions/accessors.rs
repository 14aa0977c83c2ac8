//! Accessors of the enums over the versions of a kind.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, any, runtime, variant};
use crate::conversion::{Accessor, FieldRef};
use crate::emit::file::SourceFile;
use crate::emit::types::{docs, rust_type};
use crate::plan::RustType;
use crate::text::join;

/// Emits the accessors of the fields that all versions share: of the borrowed enum, and of the enum itself.
pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    let variants: Vec<Ident> = kind.versions.iter().map(|it| variant(&it.name)).collect();
    let accessors = kind.accessors.iter();
    let functions = accessors.filter_map(|accessor| functions(accessor, &variants, file));
    let (borrowed, owned): (Vec<_>, Vec<_>) = functions.unzip();
    if borrowed.is_empty() {
        return;
    }
    let (any, reference) = (any::name(kind), any::reference_name(kind));
    file.item(quote!(impl<'a> #reference<'a> { #(#borrowed)* }));
    file.item(quote!(impl #any { #(#owned)* }));
}

/// The function of the borrowed enum, and the function of the enum, which calls it.
fn functions(
    accessor: &Accessor,
    variants: &[Ident],
    file: &mut SourceFile,
) -> Option<(TokenStream, TokenStream)> {
    let shape = Shape::of(accessor, file)?;
    let arms = accessor.fields.iter().zip(variants).map(|(field, variant)| {
        let idents = field.idents.iter().map(|ident| format_ident!("{ident}"));
        let value = shape.value(&quote!(object.#(#idents).*), &field.rust_type);
        quote!(Self::#variant(object) => #value)
    });
    let (doc, name) = (docs(&shape.docs(accessor)), format_ident!("{}", accessor.name));
    let [borrowed, owned] = [Some(quote!('a)), None].map(|lifetime| shape.result(lifetime));
    Some((
        quote! {
            #doc
            pub fn #name(self) -> #borrowed {
                match self {
                    #(#arms,)*
                }
            }
        },
        quote! {
            #doc
            pub fn #name(&self) -> #owned {
                self.by_ref().#name()
            }
        },
    ))
}

fn is_optional(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Option(_))
}

/// The form in which an accessor returns a value.
enum Shape {
    /// A list in some versions, and its first item, of this type, in others.
    ListOrFirst(TokenStream),
    Same(Same),
}

/// The form of a value of one type.
struct Same {
    /// The type, without a reference.
    value: TokenStream,
    is_text: bool,
    is_list: bool,
    is_copy: bool,
    presence: Presence,
}

/// The versions in which a value is optional.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
    /// In some versions, and not in others.
    Mixed,
}

impl Shape {
    fn of(accessor: &Accessor, file: &mut SourceFile) -> Option<Self> {
        let types = || accessor.fields.iter().map(|field| field.rust_type.present());
        let value = types().next()?;
        if types().any(|other| other != value) {
            let item = types().find(|other| !matches!(other, RustType::List(_)))?;
            runtime("ListOrFirst", file);
            return Some(Self::ListOrFirst(rust_type(item, &mut file.imports)));
        }
        let presence = match accessor.fields.iter().filter(|field| is_optional(field)).count() {
            0 => Presence::Required,
            count if count == accessor.fields.len() => Presence::Optional,
            _ => Presence::Mixed,
        };
        let imports = &mut file.imports;
        Some(Self::Same(Same {
            value: match value {
                RustType::String => quote!(str),
                RustType::List(item) => {
                    let item = rust_type(item, imports);
                    quote!([#item])
                }
                _ => rust_type(value, imports),
            },
            is_text: *value == RustType::String,
            is_list: matches!(value, RustType::List(_)),
            is_copy: matches!(
                value,
                RustType::Bool | RustType::I32 | RustType::I64 | RustType::F64
            ),
            presence,
        }))
    }

    /// The type of the result.
    fn result(&self, lifetime: Option<TokenStream>) -> TokenStream {
        match self {
            Self::ListOrFirst(item) => {
                let lifetime = lifetime.unwrap_or_else(|| quote!('_));
                quote!(ListOrFirst<#lifetime, #item>)
            }
            Self::Same(Same { value, is_copy, presence, .. }) => {
                let lent = if *is_copy { quote!(#value) } else { quote!(&#lifetime #value) };
                if *presence == Presence::Required { lent } else { quote!(Option<#lent>) }
            }
        }
    }

    fn docs(&self, accessor: &Accessor) -> String {
        let mut paths: Vec<&str> = accessor.fields.iter().map(|field| &*field.path).collect();
        paths.dedup();
        let note = match self {
            Self::Same(Same { presence: Presence::Mixed, is_text: true, .. }) => {
                "; an empty one counts as absent"
            }
            _ => "",
        };
        format!("The field `{}`{note}.", join(paths, "` or `"))
    }

    fn value(&self, field: &TokenStream, of: &RustType) -> TokenStream {
        match (self, of) {
            (Self::ListOrFirst(_), RustType::List(_)) => quote!(ListOrFirst::List(&#field)),
            (Self::ListOrFirst(_), _) => quote!(ListOrFirst::First(&#field)),
            (Self::Same(same), _) => same.value(field, matches!(of, RustType::Option(_))),
        }
    }
}

impl Same {
    fn value(&self, field: &TokenStream, optional: bool) -> TokenStream {
        let not_empty = quote!(filter(|text| !text.is_empty()));
        match (optional, self.presence == Presence::Mixed) {
            (true, true) if self.is_text => quote!(#field.as_deref().#not_empty),
            (true, _) if self.is_text || self.is_list => quote!(#field.as_deref()),
            (true, _) | (false, false) if self.is_copy => quote!(#field),
            (true, _) => quote!(#field.as_ref()),
            (false, true) if self.is_text => quote!(Some(#field.as_str()).#not_empty),
            (false, true) if self.is_copy => quote!(Some(#field)),
            (false, true) => quote!(Some(&#field)),
            (false, false) => quote!(&#field),
        }
    }
}

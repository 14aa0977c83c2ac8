//! The rules `pattern` of a kind, as constants that all of its conversions share.

use heck::ToShoutySnakeCase;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{places, runtime_step};
use crate::conversion::{FieldRef, Form, FormMembers, KindConversion, Pattern, PatternSide, Piece};
use crate::emit::file::SourceFile;
use crate::gather::Gather;
use litemap::LiteMap;

/// The name of the constant of a rule.
pub(super) fn constant(pattern: &Pattern) -> String {
    format!("PATTERN_{}", pattern.name.to_shouty_snake_case())
}

/// The constants of a kind.
pub(super) fn constants(kind: &KindConversion, file: &mut SourceFile) {
    let steps = kind.pairs.iter().flat_map(|pair| pair.object.leaves());
    let patterns = steps.filter_map(|step| step.by_rule()?.pattern());
    let patterns = patterns.map(|pattern| (constant(pattern), pattern));
    let patterns: LiteMap<String, &Pattern> = patterns.gather();
    for (name, pattern) in patterns {
        runtime_step("pattern", file);
        let name = format_ident!("{name}");
        let (around, sides) = (places(&pattern.around), pattern.sides.iter().map(side));
        let same = pattern.same.iter().map(|same| {
            let versions = same.iter().map(|(version, forms)| {
                let members = members(forms);
                quote!(pattern::Same { version: #version, members: #members })
            });
            quote!(&[#(#versions),*])
        });
        file.item(quote! {
            /// Members that say the same in some versions.
            static #name: pattern::PatternRule = pattern::PatternRule {
                around: #around, sides: &[#(#sides),*], same: &[#(#same),*],
            };
        });
    }
}

/// The members of a version.
fn side(side: &PatternSide) -> TokenStream {
    let required = side.fields.iter().filter(|field| field.required);
    let (kept, required) = (places(&side.kept), required.map(FieldRef::name));
    let names = side.fields.iter().map(FieldRef::name);
    let defaults = side.fields.iter().filter(|field| !field.required).filter_map(|field| {
        let (name, default) = (field.name(), field.default.as_ref()?);
        Some(quote!((#name, #default)))
    });
    quote! {
        pattern::PatternSide {
            kept: #kept, names: &[#(#names),*], required: &[#(#required),*], defaults: &[#(#defaults),*],
        }
    }
}

/// Members with their forms.
fn members(members: &FormMembers) -> TokenStream {
    let members = members.iter().map(|(name, of)| {
        let form = form(of);
        quote!((#name, #form))
    });
    quote!(&[#(#members),*])
}

fn form(of: &Form) -> TokenStream {
    match of {
        Form::Variable(name) => quote!(pattern::PatternValue::Variable(#name)),
        Form::Joined(pieces) => {
            let pieces = pieces.iter().map(|piece| match piece {
                Piece::Literal(text) => quote!(pattern::TextPiece::Literal(#text)),
                Piece::Variable(name) => quote!(pattern::TextPiece::Variable(#name)),
            });
            quote!(pattern::PatternValue::Joined(&[#(#pieces),*]))
        }
        Form::Text(text) => quote!(pattern::PatternValue::Text(#text)),
        Form::Number(number) => {
            let number = Literal::i64_unsuffixed(*number);
            quote!(pattern::PatternValue::Number(#number))
        }
        Form::Flag(flag) => quote!(pattern::PatternValue::Flag(#flag)),
        Form::List(items) => {
            let items = items.iter().map(form);
            quote!(pattern::PatternValue::List(&[#(#items),*]))
        }
        Form::Each(item) => {
            let item = form(item);
            quote!(pattern::PatternValue::Each(&#item))
        }
        Form::Object(of) => {
            let members = members(of);
            quote!(pattern::PatternValue::Object(#members))
        }
    }
}

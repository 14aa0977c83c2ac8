//! The functions for objects and their parts, such as a spec, and the conversions of a part alone.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Scope, function, literal, moves, needs_context, statements};
use super::{Emitter, required, runtime, runtime_step};
use crate::conversion::{FieldRef, KindVersion, Pair, StructPair};
use crate::emit::file::SourceFile;

impl Emitter<'_> {
    /// The function that converts an object, or the part in a field.
    pub(super) fn function(
        &self,
        field: Option<&FieldRef>,
        part: &StructPair,
        file: &mut SourceFile,
    ) -> TokenStream {
        let (source, target) = super::types(part, file);
        let name = function(field);
        let scope = Scope { source: quote!(source), context: quote!(context) };
        let before = statements(part, &scope, file);
        let result = literal(part, &target, &scope, file);
        let context = needs_context(part).then(|| {
            runtime_step("Context", file);
            let policies = self.policies(file);
            quote!(context: &mut Context<'_, #policies>)
        });
        let after = moves(part);
        if after.is_empty() {
            return quote! {
                pub(super) fn #name(source: #source, #context) -> #target {
                    #(#before)*
                    #result
                }
            };
        }
        quote! {
            pub(super) fn #name(mut source: #source, #context) -> #target {
                #(#before)*
                let mut converted = #result;
                #(#after)*
                converted
            }
        }
    }

    /// The explicitly lossy conversion of a part, which has no annotation to keep values in.
    pub(super) fn lossy(
        &self,
        pair: &Pair,
        (field, part): (&FieldRef, &StructPair),
        to: &KindVersion,
        file: &mut SourceFile,
    ) -> TokenStream {
        runtime("ConvertPart", file);
        let (source, target) = super::types(part, file);
        let context = quote!(&mut context);
        let converted = self.converted(pair, Some(field), quote!(self), &context, file);
        let checks = required::of_part(to, &part.to, &quote!(converted));
        let convert = if needs_context(part) {
            runtime_step("Context", file);
            let (policies, from, to) = (self.policies(file), &pair.from, &pair.to);
            let (made, policies) = if self.kind.policies.is_empty() {
                (quote!(), quote!(()))
            } else {
                (quote!(let policies = #policies::default();), quote!(policies))
            };
            quote! {
                #made
                let mut context = Context::of_part((#from, #to), &#policies, &mut report);
                let converted = #converted;
                context.lose();
            }
        } else {
            quote!(let converted = #converted;)
        };
        let changes = (needs_context(part) || !checks.is_empty()).then(|| quote!(mut));
        quote! {
            impl ConvertPart<#target> for #source {
                fn convert_lossy(self) -> (#target, ConversionReport) {
                    let #changes report = ConversionReport::new();
                    #convert
                    #(#checks)*
                    (converted, report)
                }
            }
        }
    }
}

/// The conversion of a part that refuses to lose anything.
pub(super) fn try_from(part: &StructPair, file: &mut SourceFile) -> TokenStream {
    runtime("ConversionError", file);
    runtime_step("lossless", file);
    let (source, target) = super::types(part, file);
    quote! {
        impl TryFrom<#source> for #target {
            type Error = ConversionError;

            fn try_from(source: #source) -> Result<Self, ConversionError> {
                lossless(source)
            }
        }
    }
}

/// The conversion between types that are declared to be the same.
pub(super) fn lossless(
    part: &StructPair,
    converted: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    runtime("LosslessFrom", file);
    let (source, target) = super::types(part, file);
    quote! {
        impl LosslessFrom<#source> for #target {
            fn lossless_from(source: #source) -> Self {
                #converted
            }
        }
    }
}

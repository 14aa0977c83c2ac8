//! Parts of objects, such as a spec: a function for the conversion of the whole object, and what the part has
//! of its own.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Needs, Scope, function, keep_statements, literal};
use super::{Emitter, required, runtime, runtime_step};
use crate::conversion::{FieldRef, How, KindVersion, Pair, StructPair};
use crate::emit::file::SourceFile;
use crate::plan::RustType;

impl Emitter<'_> {
    /// The function that converts a part.
    pub(super) fn part(
        &self,
        field: &FieldRef,
        part: &StructPair,
        file: &mut SourceFile,
    ) -> TokenStream {
        let (source, target) = super::types(part, file);
        let name = function(field);
        // Not called like the part: the other parameters have names, too.
        let scope = Scope {
            source: quote!(source),
            borrow: quote!(),
        };
        let keeps = keep_statements(part, &scope, file);
        let result = literal(part, &target, &scope, file);
        let policies = self.policies(file);
        let parameters = Needs::of(part).select([
            quote!(policies: &#policies),
            quote!(aside: &mut Aside),
            quote!(kept: &mut Kept),
            quote!(report: &mut Report),
        ]);
        // Clippy would have it borrowed.
        let allow = (!consumes(part)).then(|| {
            quote! {
                #[allow(clippy::needless_pass_by_value, reason = "other parts are moved")]
            }
        });
        quote! {
            #allow
            fn #name(source: #source, #(#parameters),*) -> #target {
                #(#keeps)*
                #result
            }
        }
    }

    /// The explicitly lossy conversion of a part: it has no annotation to keep anything in.
    pub(super) fn lossy(
        &self,
        pair: &Pair,
        field: &FieldRef,
        part: &StructPair,
        to: &KindVersion,
        file: &mut SourceFile,
    ) -> TokenStream {
        runtime("ConvertLossy", file);
        let (source, target) = super::types(part, file);
        let (needs, version, function) = (Needs::of(part), &pair.from, function(field));
        let policies = self.policies(file);
        let aside = needs
            .aside
            .then(|| quote!(let mut aside = Aside::new(#version);));
        let kept = needs.kept.then(|| quote!(let mut kept = Kept::none();));
        let arguments = needs.select([
            quote!(&#policies::default()),
            quote!(&mut aside),
            quote!(&mut kept),
            quote!(&mut report),
        ]);
        let lose = needs.aside.then(|| quote!(aside.lose(&mut report);));
        let check = required::of_part(to, &part.to, file);
        quote! {
            impl ConvertLossy<#target> for #source {
                fn convert_lossy(self) -> (#target, Report) {
                    let mut report = Report::new();
                    #aside
                    #kept
                    let converted = #function(self, #(#arguments),*);
                    #lose
                    #check
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

/// The conversion between types of equal shape.
pub(super) fn from(part: &StructPair, file: &mut SourceFile) -> TokenStream {
    let (source, target) = super::types(part, file);
    let scope = Scope {
        source: quote!(source),
        borrow: quote!(),
    };
    let result = literal(part, &quote!(Self), &scope, file);
    quote! {
        impl From<#source> for #target {
            fn from(source: #source) -> Self {
                #result
            }
        }
    }
}

/// Whether a value of the part is certainly moved in its conversion: not all of its fields are copied or borrowed.
fn consumes(part: &StructPair) -> bool {
    part.steps.iter().any(|step| match (&step.from, &step.how) {
        (None, _) | (_, How::KeepAside) => false,
        (Some(field), _) => !matches!(
            field.rust_type.present(),
            RustType::Bool | RustType::I32 | RustType::I64 | RustType::F64 | RustType::External(..)
        ),
    })
}

//! The file of one directed pair of versions.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::calls::metadata_key;
use super::emitter::Emitter;
use super::moved_fields::moves;
use super::names::{equal_function, file_of, idents, runtime, runtime_step, types};
use super::statements::statements;
use super::struct_literal::{literal, parameter};
use super::variables::function;
use crate::conversion::{
    self, FieldRef, KindConversion, KindVersion, MetadataKey, Pair, RuleStep, Step, StructPair,
};
use crate::emit::file::SourceFile;
use crate::emit::types::docs;
use crate::gather::Gather;
use crate::plan::{ItemPath, RustType};

/// The conversions of parts that are written already. Several kinds or fields can have the same part; Rust allows one
/// implementation for two types, so the first one writes it.
pub(super) struct Written {
    /// The types that the rules declare to be the same.
    lossless: BTreeSet<Types>,
    /// The types of objects in any JSON.
    embedded: BTreeSet<Types>,
    parts: BTreeSet<Types>,
    from: BTreeSet<ItemPath>,
}

/// The types of the source and the target.
type Types = (ItemPath, ItemPath);

impl Written {
    /// No conversion of these kinds is written.
    pub(super) fn new(kinds: &[KindConversion]) -> Self {
        let declared = kinds.iter().flat_map(|kind| kind.lossless.iter().cloned());
        let embedded = conversion::embedded_parts(kinds);
        Self {
            lossless: declared.gather(),
            embedded,
            parts: BTreeSet::new(),
            from: BTreeSet::new(),
        }
    }

    /// Returns `true` if the conversions of a part are still to be written.
    fn needs(&mut self, types: &Types) -> bool {
        self.parts.insert(types.clone())
    }

    /// The targets of a kind's conversions whose `From` is still to be written. A package cannot write one for a shared type.
    pub(super) fn targets(&mut self, kind: &KindConversion) -> BTreeSet<ItemPath> {
        let targets = kind.pairs.iter().flat_map(|pair| {
            let parts = pair.object.inner().into_iter();
            let parts = parts.map(|(_, part)| part.to.clone());
            std::iter::once(pair.object.to.clone()).chain(parts)
        });
        let own = targets.filter(|path| !path.is_shared());
        own.filter(|path| self.from.insert(path.clone())).gather()
    }
}

pub(super) fn emit(
    emitter: &Emitter<'_>,
    pair: &Pair,
    to: &KindVersion,
    written: &mut Written,
    file: &mut SourceFile,
) {
    let kind = &emitter.kind.kind;
    file.docs(&format!("`{kind}`: from `{}` to `{}`.", pair.from, pair.to));
    for used in ["ConvertObject", "ConversionReport", "Options"] {
        runtime(used, file);
    }
    let item = emitter.object(pair, to, file);
    file.item(item);
    let is_own = emitter.kind.hops(pair).len() == 1;
    if is_own && !pair.object.is_equal_shape() {
        let item = emitter.function(&pair.object, file);
        file.item(item);
    }
    for (field, inner) in pair.object.inner() {
        if is_own && !inner.is_equal_shape() {
            let item = emitter.function(inner, file);
            file.item(item);
        }
        // The part around them converts parts of parts, and parts in lists, maps and options.
        let stands_alone = field.idents.len() == 1
            && matches!(field.rust_type, RustType::Struct(_))
            && inner.moved_out().is_empty()
            || written.embedded.contains(&inner.types());
        let lossless = written.lossless.contains(&inner.types());
        if (lossless || stands_alone) && written.needs(&inner.types()) {
            if stands_alone {
                let lossy = emitter.lossy(pair, (field, inner), to, file);
                file.item(lossy);
            }
            let item = if lossless {
                let converted = emitter.converted(pair, Some(field), quote!(source), file);
                lossless_from(inner, &converted, file)
            } else {
                try_from(inner, file)
            };
            file.item(item);
        }
    }
}

/// The plan of a pair, as rustdoc.
fn plan_docs(kind: &KindConversion, pair: &Pair) -> TokenStream {
    docs(conversion::table(kind, pair).trim_end())
}

impl Emitter<'_> {
    fn object(&self, pair: &Pair, to: &KindVersion, file: &mut SourceFile) -> TokenStream {
        let (source, target) = types(&pair.object, file);
        let converted = self.converted(pair, None, quote!(self), file);
        let checks = of_object(to, &quote!(converted));
        let (policies, docs) = (self.policies(file), plan_docs(self.kind, pair));
        let report = if checks.is_empty() { quote!(_) } else { quote!(report) };
        let (changes, options, report, body) = if self.kind.annotation.is_some() {
            let (open, close) = annotation(pair, file);
            let (adopt, hand_back) = self.adopt(pair, file).unzip();
            let body = quote! {
                #adopt #open let mut converted = #converted; #close #hand_back #(#checks)* converted
            };
            (quote!(mut), quote!(options), quote!(report), body)
        } else {
            let context = pair.object.has_effect().then(|| {
                without_annotation(pair, &quote!(options.policies), &quote!(report), file)
            });
            let options = if context.is_some() { quote!(options) } else { quote!(_) };
            let report = if context.is_some() { quote!(report) } else { report };
            let body = if checks.is_empty() {
                quote!(#context #converted)
            } else {
                quote!(#context let converted = #converted; #(#checks)* converted)
            };
            (quote!(), options, report, body)
        };
        quote! {
            #docs
            impl ConvertObject<#target> for #source {
                type Policies = #policies;

                fn convert_reporting(#changes self, #options: &Options<Self::Policies>, #report: &mut ConversionReport) -> #target {
                    #body
                }
            }
        }
    }

    /// The code for the annotations of an earlier webhook, before and after the other code.
    fn adopt(&self, pair: &Pair, file: &mut SourceFile) -> Option<(TokenStream, TokenStream)> {
        if self.kind.adopted.is_empty() {
            return None;
        }
        runtime_step("adopt", file);
        let [_, any, ..] = idents(self.kind);
        for name in ["ADOPTED", &any.to_string()] {
            file.imports.library("super", name);
        }
        let (from, to) = (&pair.from, &pair.to);
        let adopt = quote! {
            adopt::<#any, _>(&mut self, (#from, #to), (ANNOTATION_KEY, KEPT, ADOPTED), options, report)
        };
        if !self.kind.adopted.iter().any(|adopted| adopted.is_written && adopted.version != pair.to)
        {
            return Some((quote!(#adopt;), quote!()));
        }
        let finish = quote!(handed_back.finish(&mut converted.metadata.annotations, report););
        Some((quote!(let handed_back = #adopt;), finish))
    }

    /// The conversion of an object, or of the part in a field, as an expression: over the shapes that the pair's versions
    /// share with others.
    pub(super) fn converted(
        &self,
        pair: &Pair,
        field: Option<&FieldRef>,
        value: TokenStream,
        file: &mut SourceFile,
    ) -> TokenStream {
        let hops = self.kind.hops(pair);
        hops.iter().fold(value, |value, hop| {
            let Some(part) = hop.part(field) else {
                return value;
            };
            if part.is_equal_shape() {
                let function = equal_function((&part.from, &part.to), file);
                return quote!(#function(#value));
            }
            let function = function(part);
            let function = if hops.len() == 1 {
                quote!(#function)
            } else {
                let module = format_ident!("{}", file_of(hop));
                quote!(super::#module::#function)
            };
            let context = part.has_effect().then(|| quote!(, &mut context));
            quote!(#function(#value #context))
        })
    }
}

/// The statement that makes the state of a conversion that has no annotation.
fn without_annotation(
    pair: &Pair,
    policies: &TokenStream,
    report: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    runtime_step("Context", file);
    let (from, to) = (&pair.from, &pair.to);
    quote!(let mut context = Context::of_part((#from, #to), &#policies, #report);)
}

/// The code for the annotation, before and after the code for the fields.
fn annotation(pair: &Pair, file: &mut SourceFile) -> (TokenStream, TokenStream) {
    runtime_step("Context", file);
    file.imports.library("super", "ANNOTATION_KEY");
    file.imports.library("super", "KEPT");
    file.imports.library("super", "LISTS");
    let (from, to) = (&pair.from, &pair.to);
    let uses = pair.object.has_effect();
    let changes = uses.then(|| quote!(mut));
    let steps: Vec<&RuleStep> =
        pair.object.leaves().into_iter().filter_map(Step::by_rule).collect();
    let asks = steps.iter().any(|step| step.asks_for_namespace());
    let namespace = asks.then(|| quote!(.in_namespace(&self.metadata.namespace)));
    let (take, put) = metadata_texts(&steps, file).unzip();
    (
        quote! {
            let #changes context = Context::of_object(
                (#from, #to),
                options,
                (ANNOTATION_KEY, KEPT, LISTS),
                &mut self.metadata.annotations,
                report,
            )#namespace #take;
        },
        quote!(#put context.finish(&mut converted.metadata.annotations);),
    )
}

/// The code for the annotations and labels that have values of fields, before and after the code for the fields.
fn metadata_texts(
    steps: &[&RuleStep],
    file: &mut SourceFile,
) -> Option<(TokenStream, TokenStream)> {
    let keys = steps.iter().filter_map(|step| step.action.metadata_key());
    let keys: BTreeSet<&MetadataKey> = keys.collect();
    if keys.is_empty() {
        return None;
    }
    runtime_step("in_metadata", file);
    let keys = keys.into_iter().map(metadata_key);
    let metadata = |object: TokenStream| quote!((&mut #object.metadata.labels, &mut #object.metadata.annotations));
    let (source, target) = (metadata(quote!(self)), metadata(quote!(converted)));
    Some((quote!(.with_metadata(#source, &[#(#keys),*])), quote!(context.put_metadata(#target);)))
}

// The functions for objects and their parts, such as a spec, and the conversions of single parts.

impl Emitter<'_> {
    /// The function that converts an object or a part of one.
    pub(super) fn function(&self, part: &StructPair, file: &mut SourceFile) -> TokenStream {
        let (source, target) = types(part, file);
        let name = function(part);
        let before = statements(part, &quote!(source), file);
        let result = literal(part, &target, &quote!(source), file);
        let context = part.has_effect().then(|| {
            runtime_step("Context", file);
            let policies = self.policies(file);
            quote!(context: &mut Context<'_, #policies>)
        });
        let after = moves(part, &quote!(source), file);
        if after.is_empty() {
            let parameter = parameter(part);
            return quote! {
                pub(super) fn #name(#parameter: #source, #context) -> #target {
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
        let (source, target) = types(part, file);
        let converted = self.converted(pair, Some(field), quote!(self), file);
        let checks = of_part(to, &part.to, &quote!(converted));
        let convert = if part.has_effect() {
            let policies = self.policies(file);
            let (made, policies) = if self.kind.policies.is_empty() {
                (quote!(), quote!(()))
            } else {
                (quote!(let policies = #policies::default();), quote!(policies))
            };
            let context = without_annotation(pair, &policies, &quote!(&mut report), file);
            quote! {
                #made
                #context
                let converted = #converted;
                context.lose();
            }
        } else {
            quote!(let converted = #converted;)
        };
        let changes = (part.has_effect() || !checks.is_empty()).then(|| quote!(mut));
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
    let (source, target) = types(part, file);
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
pub(super) fn lossless_from(
    part: &StructPair,
    converted: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    runtime("LosslessFrom", file);
    let (source, target) = types(part, file);
    quote! {
        impl LosslessFrom<#source> for #target {
            fn lossless_from(source: #source) -> Self {
                #converted
            }
        }
    }
}

// The fields that servers of each version require: statements that report the empty ones.

/// The statements for an object.
pub(super) fn of_object(version: &KindVersion, object: &TokenStream) -> Vec<TokenStream> {
    let check = |field: &FieldRef| {
        let idents = field.idents.iter().map(|ident| format_ident!("{ident}"));
        check(field, &quote!(#object.#(#idents).*))
    };
    version.required.iter().map(check).collect()
}

/// The statements for a part of an object. The first of several fields that hold such a part names it.
pub(super) fn of_part(
    version: &KindVersion,
    part: &ItemPath,
    value: &TokenStream,
) -> Vec<TokenStream> {
    let of_part = || version.required.iter().filter(|field| field.parent == *part);
    let first = of_part().next().and_then(|field| field.idents.first());
    let fields = of_part().filter(|field| field.idents.first() == first);
    let check = |field: &FieldRef| {
        let ident = format_ident!("{}", field.ident());
        check(field, &quote!(#value.#ident))
    };
    fields.map(check).collect()
}

fn check(field: &FieldRef, value: &TokenStream) -> TokenStream {
    let counts = |inner: &RustType| {
        matches!(
            inner,
            RustType::String | RustType::OpenEnum(_) | RustType::List(_) | RustType::Map(_)
        )
    };
    let is_present = match &field.rust_type {
        RustType::Option(inner) if counts(inner) => {
            quote!(#value.as_ref().is_some_and(|value| !value.is_empty()))
        }
        RustType::Option(_) => quote!(#value.is_some()),
        _ => quote!(!#value.is_empty()),
    };
    let path = field.path.as_str();
    quote!(report.require(#path, #is_present);)
}

//! The file of one directed pair of versions.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Functions, Scope, functions, literal, moves, statements};
use super::{Emitter, part, plan_docs, required, runtime, runtime_step};
use crate::conversion::{KindConversion, KindVersion, Pair};
use crate::emit::file::SourceFile;
use crate::plan::{ItemPath, RustType};

/// The conversions of parts that are written already. Several kinds or fields can have the same part; Rust allows one
/// implementation for two types, so the first one writes it.
pub(super) struct Written {
    /// The types that the rules declare to be the same.
    lossless: BTreeSet<Types>,
    parts: BTreeSet<Types>,
    from: BTreeSet<ItemPath>,
}

/// The types of the source and the target.
type Types = (ItemPath, ItemPath);

impl Written {
    /// No conversion of these kinds is written.
    pub(super) fn new(kinds: &[KindConversion]) -> Self {
        let declared = kinds.iter().flat_map(|kind| kind.lossless.iter().cloned());
        Self { lossless: declared.collect(), parts: BTreeSet::new(), from: BTreeSet::new() }
    }

    /// Returns `true` if the conversions of a part are still to be written.
    fn needs(&mut self, types: &Types) -> bool {
        self.parts.insert(types.clone())
    }

    /// The targets of a kind's conversions whose `From` is still to be written.
    pub(super) fn targets(&mut self, kind: &KindConversion) -> BTreeSet<ItemPath> {
        let targets = kind.pairs.iter().flat_map(|pair| {
            let parts = pair.object.inner().into_iter();
            let parts = parts.map(|(_, part)| part.to.clone());
            std::iter::once(pair.object.to.clone()).chain(parts)
        });
        targets.filter(|path| self.from.insert(path.clone())).collect()
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
    let functions = functions(pair);
    let item = emitter.object(pair, to, &functions, file);
    file.item(item);
    let mut done = BTreeSet::new();
    for (field, inner) in pair.object.inner() {
        let same = functions.get(&inner.types());
        if same.is_none() || done.insert(inner.types()) {
            let item = emitter.part(field, inner, &functions, file);
            file.item(item);
        }
        // The part around them converts parts of parts, and parts in lists, maps and options.
        let stands_alone =
            field.idents.len() == 1 && matches!(field.rust_type, RustType::Struct(_));
        let lossless = same.filter(|_| written.lossless.contains(&inner.types()));
        if (lossless.is_some() || stands_alone) && written.needs(&inner.types()) {
            if stands_alone {
                let lossy = emitter.lossy(pair, (field, inner), to, &functions, file);
                file.item(lossy);
            }
            let item = match lossless {
                Some(function) => part::lossless(inner, function, file),
                None => part::try_from(inner, file),
            };
            file.item(item);
        }
    }
}

impl Emitter<'_> {
    fn object(
        &self,
        pair: &Pair,
        to: &KindVersion,
        functions: &Functions,
        file: &mut SourceFile,
    ) -> TokenStream {
        let (source, target) = super::types(&pair.object, file);
        let scope = Scope { source: quote!(self), context: quote!(&mut context), functions };
        let before = statements(&pair.object, &scope, file);
        let converted = literal(&pair.object, &target, &scope, file);
        let (after, checks) = (moves(&pair.object), required::of_object(to, &quote!(converted)));
        let has_moves = !after.is_empty();
        let mutable = has_moves.then(|| quote!(mut));
        let (policies, docs) = (self.policies(file), plan_docs(self.kind, pair));
        let (changes, options, report, body) = if self.kind.annotation.is_some() {
            let (open, close) = annotation(pair, file);
            let body = quote!(#open #(#before)* let mut converted = #converted; #(#after)* #close #(#checks)* converted);
            (quote!(mut), quote!(options), quote!(report), body)
        } else {
            let report = if checks.is_empty() { quote!(_) } else { quote!(report) };
            let body = if checks.is_empty() && !has_moves {
                quote!(#(#before)* #converted)
            } else {
                quote!(#(#before)* let #mutable converted = #converted; #(#after)* #(#checks)* converted)
            };
            (quote!(#mutable), quote!(_), report, body)
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
}

/// The code for the annotation, before and after the code for the fields.
fn annotation(pair: &Pair, file: &mut SourceFile) -> (TokenStream, TokenStream) {
    runtime_step("Context", file);
    file.imports.library("super", "ANNOTATION_KEY");
    let (from, to) = (&pair.from, &pair.to);
    let uses = super::body::needs_context(&pair.object);
    let changes = uses.then(|| quote!(mut));
    (
        quote! {
            let #changes context = Context::of_object(
                (#from, #to), options, ANNOTATION_KEY, &mut self.metadata.annotations, report,
            );
        },
        quote!(context.finish(&mut converted.metadata.annotations);),
    )
}

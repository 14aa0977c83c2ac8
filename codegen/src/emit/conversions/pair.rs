//! The file of one directed pair of versions.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Needs, Scope, keep_statements, literal};
use super::{Emitter, part, plan_docs, required, runtime, runtime_step};
use crate::conversion::{FieldRef, How, KindConversion, KindVersion, Pair, StructPair};
use crate::emit::file::SourceFile;
use crate::plan::ItemPath;

/// Which conversions between parts are written. Kinds, and fields of one kind, can have the same part; Rust takes
/// one implementation for two types, so the first that needs it has it.
pub(super) struct Written {
    /// The types of equal shape: `From` is for them, and what others have would stand in its way.
    equal: BTreeSet<Types>,
    done: BTreeSet<Types>,
}

/// The types of the source and the target.
type Types = (ItemPath, ItemPath);

fn types(pair: &StructPair) -> Types {
    (pair.from.clone(), pair.to.clone())
}

impl Written {
    /// Nothing yet of these kinds.
    pub(super) fn new(kinds: &[KindConversion]) -> Self {
        let pairs = kinds.iter().flat_map(|kind| &kind.pairs);
        let parts = pairs.flat_map(|pair| pair.object.inner());
        Self {
            equal: parts
                .filter(|part| part.is_equal_shape())
                .map(types)
                .collect(),
            done: BTreeSet::new(),
        }
    }

    /// Whether the part needs its `From` now.
    fn needs_from(&mut self, part: &StructPair) -> bool {
        part.is_equal_shape() && self.done.insert(types(part))
    }

    /// Whether the part needs its `TryFrom` and `ConvertLossy` now.
    fn needs_try_from(&mut self, part: &StructPair) -> bool {
        !self.equal.contains(&types(part)) && self.done.insert(types(part))
    }
}

pub(super) fn emit(
    emitter: &Emitter<'_>,
    pair: &Pair,
    (from, to): (&KindVersion, &KindVersion),
    written: &mut Written,
    file: &mut SourceFile,
) {
    let kind = &emitter.kind.kind;
    file.docs(&format!("`{kind}`: from `{}` to `{}`.", pair.from, pair.to));
    for used in ["Convert", "Report"] {
        runtime(used, file);
    }
    let item = emitter.object(pair, (from, to), file);
    file.item(item);
    for (field, part) in parts(&pair.object) {
        let item = emitter.part(field, part, file);
        file.item(item);
        // Parts of parts are converted with the part around them.
        if field.idents.len() == 1 && written.needs_try_from(part) {
            let lossy = emitter.lossy(pair, field, part, to, file);
            file.item(lossy);
            let try_from = part::try_from(part, file);
            file.item(try_from);
        }
    }
    for part in pair.object.inner() {
        if written.needs_from(part) {
            let item = part::from(part, file);
            file.item(item);
        }
    }
}

/// The parts that need a function, outer ones first.
fn parts(pair: &StructPair) -> Vec<(&FieldRef, &StructPair)> {
    let mut found = Vec::new();
    for step in &pair.steps {
        if let (How::Part(part), Some(from)) = (&step.how, &step.from) {
            found.push((from, part));
            found.extend(parts(part));
        }
    }
    found
}

/// What happens to the annotation before the fields are converted.
fn before(pair: &Pair, from: &KindVersion, file: &mut SourceFile) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    if from.discards_annotation {
        runtime_step("discard", file);
        statements.push(quote!(discard(&mut self.metadata.annotations, ANNOTATION, report);));
    }
    if pair.restores() {
        runtime_step("Kept", file);
        let versions = &pair.kept_of;
        statements.push(quote! {
            let mut kept = Kept::take(&mut self.metadata.annotations, ANNOTATION, &[#(#versions),*], report);
        });
    }
    if pair.keeps() {
        runtime_step("Aside", file);
        let version = &pair.from;
        statements.push(quote!(let mut aside = Aside::new(#version);));
    }
    if !statements.is_empty() {
        file.imports.library("super", "ANNOTATION");
    }
    statements
}

/// What happens to the annotation after the fields are converted.
fn after(pair: &Pair) -> Vec<TokenStream> {
    let finish = quote!(kept.finish(ANNOTATION, report););
    let store = quote!(aside.store(&mut converted.metadata.annotations, ANNOTATION, report););
    let statements = [(pair.restores(), finish), (pair.keeps(), store)];
    let statements = statements.into_iter().filter(|(needed, _)| *needed);
    statements.map(|(_, statement)| statement).collect()
}

fn object_body(
    pair: &Pair,
    (from, to): (&KindVersion, &KindVersion),
    target: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let scope = Scope {
        source: quote!(self),
        borrow: quote!(&mut),
    };
    let before = before(pair, from, file);
    let keeps = keep_statements(&pair.object, &scope, file);
    let result = literal(&pair.object, target, &scope, file);
    let mut after = after(pair);
    after.extend(required::of_object(to, &quote!(converted), file));
    if after.is_empty() {
        return quote!(#(#before)* #(#keeps)* #result);
    }
    let changes = pair.keeps().then(|| quote!(mut));
    quote!(#(#before)* #(#keeps)* let #changes converted = #result; #(#after)* converted)
}

impl Emitter<'_> {
    fn object(
        &self,
        pair: &Pair,
        (from, to): (&KindVersion, &KindVersion),
        file: &mut SourceFile,
    ) -> TokenStream {
        let (source, target) = super::types(&pair.object, file);
        let body = object_body(pair, (from, to), &target, file);
        let takes = from.discards_annotation || pair.restores();
        let changes = takes.then(|| quote!(mut));
        let tells = takes || pair.keeps() || !to.required.is_empty();
        let report = if tells { quote!(report) } else { quote!(_) };
        let policies = match Needs::of(&pair.object).policies {
            true => quote!(policies),
            false if self.kind.policies.is_empty() => quote!(()),
            false => quote!(_),
        };
        let (policies_type, docs) = (self.policies(file), plan_docs(self.kind, pair));
        quote! {
            #docs
            impl Convert<#target> for #source {
                type Policies = #policies_type;

                fn convert_reporting(#changes self, #policies: &Self::Policies, #report: &mut Report) -> #target {
                    #body
                }
            }
        }
    }
}

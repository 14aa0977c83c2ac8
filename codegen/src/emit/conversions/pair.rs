//! The file of one directed pair of versions.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::body::{Needs, Scope, keeping, literal};
use super::{Emitter, plan_docs, required, runtime};
use crate::conversion::{FieldRef, How, KindVersion, Pair, StructPair};
use crate::emit::file::SourceFile;
use crate::plan::ItemPath;

/// The pairs of types that have their `From`.
pub(super) type Written = BTreeSet<(ItemPath, ItemPath)>;

pub(super) fn emit(
    emitter: &Emitter<'_>,
    pair: &Pair,
    written: &mut Written,
    file: &mut SourceFile,
) {
    let kind = emitter.kind;
    let (from, to) = (&pair.from, &pair.to);
    file.docs(&format!("`{}`: from `{from}` to `{to}`.", kind.kind));
    let (Some(from), Some(to)) = (kind.version(from), kind.version(to)) else {
        return;
    };
    for used in ["Convert", "Report"] {
        runtime(used, file);
    }
    let item = emitter.object(pair, to, file);
    file.item(item);
    let item = emitter.list(from, to, file);
    file.item(item);
    for (field, part) in parts(&pair.object) {
        let item = emitter.part(field, part, file);
        file.item(item);
        // Parts of parts are converted with the part around them.
        if field.idents.len() == 1 {
            let lossy = emitter.lossy(pair, field, part, to, file);
            file.item(lossy);
            let try_from = emitter.try_from(part, file);
            file.item(try_from);
        }
    }
    for part in pair.object.all() {
        let mut is_new = || written.insert((part.from.clone(), part.to.clone()));
        if part.from != pair.object.from && part.is_equal_shape() && is_new() {
            let item = emitter.from(part, file);
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

fn restores(pair: &Pair) -> bool {
    !pair.restores.is_empty()
}

/// What happens to the annotation before the fields are converted.
fn before(pair: &Pair, file: &mut SourceFile) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    if pair.discards {
        runtime("discard", file);
        statements.push(quote!(discard(&mut self.metadata.annotations, ANNOTATION, report);));
    }
    if restores(pair) {
        runtime("Kept", file);
        let versions = &pair.restores;
        statements.push(quote! {
            let mut kept = Kept::take(&mut self.metadata.annotations, ANNOTATION, &[#(#versions),*], report);
        });
    }
    if pair.keeps {
        runtime("Aside", file);
        let version = &pair.from;
        statements.push(quote!(let mut aside = Aside::new(#version);));
    }
    if pair.discards || restores(pair) || pair.keeps {
        file.imports.library("super", "ANNOTATION");
    }
    statements
}

/// What happens to the annotation after the fields are converted.
fn after(pair: &Pair) -> Vec<TokenStream> {
    let finish = quote!(kept.finish(ANNOTATION, report););
    let store = quote!(aside.store(&mut converted.metadata.annotations, ANNOTATION, report););
    let statements = [(restores(pair), finish), (pair.keeps, store)];
    let statements = statements.into_iter().filter(|(needed, _)| *needed);
    statements.map(|(_, statement)| statement).collect()
}

fn object_body(
    pair: &Pair,
    to: &KindVersion,
    target: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let scope = Scope {
        source: quote!(self),
        borrow: quote!(&mut),
    };
    let before = before(pair, file);
    let keeps = keeping(&pair.object, &scope, file);
    let result = literal(&pair.object, target, &scope, file);
    let mut after = after(pair);
    after.extend(required::of_object(to, &quote!(converted), file));
    if after.is_empty() {
        return quote!(#(#before)* #(#keeps)* #result);
    }
    let changes = pair.keeps.then(|| quote!(mut));
    quote!(#(#before)* #(#keeps)* let #changes converted = #result; #(#after)* converted)
}

impl Emitter<'_> {
    fn object(&self, pair: &Pair, to: &KindVersion, file: &mut SourceFile) -> TokenStream {
        let (source, target) = self.types(&pair.object, file);
        let body = object_body(pair, to, &target, file);
        let takes = pair.discards || restores(pair);
        let changes = takes.then(|| quote!(mut));
        let tells = takes || pair.keeps || !to.required.is_empty();
        let report = if tells { quote!(report) } else { quote!(_) };
        let has_policies = Needs::of(&pair.object).policies;
        let policies = if has_policies {
            quote!(policies)
        } else {
            quote!(_)
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

    fn list(&self, from: &KindVersion, to: &KindVersion, file: &mut SourceFile) -> TokenStream {
        let (source, target) = (
            self.versioned(&from.list, file),
            self.versioned(&to.list, file),
        );
        let policies = self.policies(file);
        runtime("items", file);
        quote! {
            impl Convert<#target> for #source {
                type Policies = #policies;

                fn convert_reporting(self, policies: &Self::Policies, report: &mut Report) -> #target {
                    #target {
                        metadata: self.metadata,
                        items: items(self.items, policies, report),
                    }
                }
            }
        }
    }
}

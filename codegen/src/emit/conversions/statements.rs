//! The statements before the struct literal of the target.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::arguments::call;
use super::field_access::{lend, member, take};
use super::moved_fields::{emptied, state};
use super::names::runtime_step;
use super::patterns::constant;
use super::variables::{before, before_nested, flat, moved, variable};
use crate::conversion::{FieldRef, Mapping, RuleStep, Step, StructPair};
use crate::emit::file::SourceFile;

/// The statements before the struct literal: they move fields between parts, keep the fields without a counterpart, and
/// take sub-objects apart.
pub(super) fn statements(
    pair: &StructPair,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let mut statements: Vec<TokenStream> = Vec::new();
    for (index, step) in pair.objects_around_moves.iter().enumerate() {
        statements.extend(state(&before(index), step, source, file));
    }
    for (index, from) in
        (0..).zip(pair.emptied_by_moves.iter().filter_map(|step| step.from.as_ref()))
    {
        runtime_step("moved", file);
        let (before, object) = (before_nested(index), lend(source, from));
        statements.push(quote!(let #before = moved::Before::of(#object);));
    }
    for (index, from) in (0..).zip(pair.moves.iter().filter_map(|step| step.from.as_ref())) {
        file.imports.library("k8s_versioned", "wire");
        statements.extend(emptied(pair, Some(index), source));
        let notes = pair.moves.get(index).and_then(Step::notes_of_source);
        let (moved, value) = (moved(index), take(source, from, notes));
        statements.push(quote!(let #moved = #value;));
    }
    statements.extend(emptied(pair, None, source));
    for step in &pair.patterns {
        statements.extend(by_pattern(step, source, file));
    }
    for step in &pair.steps {
        match (&step.how, &step.from) {
            (Mapping::Rule(by_rule), Some(from)) if step.to.is_none() => {
                let call = call(by_rule, step, &member(source, from), source, file);
                statements.push(quote!(#call;));
            }
            (Mapping::Nest(_, inner), _) => {
                statements.extend(self::statements(inner, source, file));
            }
            (Mapping::Flatten(by_rule, inner), Some(from)) => {
                statements.extend(flattened(step, (by_rule.as_ref(), inner), from, source, file));
            }
            _ => {}
        }
    }
    statements
}

/// The statements that take a sub-object apart. Its required fields are kept if it is there.
fn flattened(
    step: &Step,
    (by_rule, inner): (Option<&RuleStep>, &StructPair),
    from: &FieldRef,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let (value, flat) = (member(source, from), flat(from));
    let Some(by_rule) = by_rule else {
        let mut all = vec![quote!(let #flat = #value;)];
        all.extend(statements(inner, &quote!(#flat), file));
        return all;
    };
    let is_required =
        |step: &&Step| step.to.is_none() && step.from.as_ref().is_some_and(|from| from.required);
    let (required, others): (Vec<&Step>, Vec<&Step>) = inner.steps.iter().partition(is_required);
    let part = |steps: Vec<&Step>| StructPair {
        steps: steps.into_iter().cloned().collect(),
        ..inner.clone()
    };
    let flattened = call(by_rule, step, &value, source, file);
    let others = statements(&part(others), &quote!(#flat), file);
    let is_used = inner.uses_source();
    let flattened = if is_used { quote!(let #flat = #flattened;) } else { quote!(#flattened;) };
    if required.is_empty() {
        return [flattened].into_iter().chain(others).collect();
    }
    let is_there = format_ident!("has_{}", from.joined());
    let required = StructPair {
        patterns: Vec::new(),
        moves: Vec::new(),
        objects_around_moves: Vec::new(),
        emptied_by_moves: Vec::new(),
        ..part(required)
    };
    let required = statements(&required, &quote!(#flat), file);
    let first = [quote!(let #is_there = #value.is_some();), flattened];
    let last = quote!(if #is_there { #(#required)* });
    first.into_iter().chain(others).chain([last]).collect()
}

/// The statement that makes members of the target by patterns.
fn by_pattern(step: &Step, source: &TokenStream, file: &mut SourceFile) -> Option<TokenStream> {
    let Mapping::Rule(by_rule) = &step.how else {
        return None;
    };
    let pattern = by_rule.pattern()?;
    let call = call(by_rule, step, &TokenStream::new(), source, file);
    file.imports.library("super", &constant(pattern));
    let of = file.imports.versioned(&pattern.objects.1);
    let name = if pattern.fields(&pattern.versions.1).is_empty() {
        quote!(_)
    } else {
        variable(pattern).into_token_stream()
    };
    Some(quote!(let #name: #of = #call;))
}

//! `in-metadata`: a field in some versions, in others an annotation or a label of the object.

use k8s_versioned_core::syntax::{annotation_key, qualified_name};

use super::keep_aside;
use super::stated::check_value;
use crate::Problems;
use crate::conversion::actions::{Action, InMetadata, MetadataKey};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::{Structs, has_no};
use crate::plan::{RustType, code};
use crate::problem::RuleFault;
use crate::rules::Correspondence;
use crate::rules::paths::{FieldPath, is_in_items, segment};

const COPY: RuleKey = RuleKey {
    name: "copy",
    meaning: "`true` if the annotation or label stays in all versions, and the field is made of it",
    shape: Shape::Flag,
    required: false,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "in-metadata",
    meaning: "In versions that lack the field, an annotation or a label of the object has its value.",
    takes: "`in-metadata` takes a field outside of lists and maps that some versions lack, of texts, words, numbers or booleans, or a list or \
            map of these: name it in the versions that have it; `annotation` or `label` is the key in the others, with `copy` in all, and `fill` \
            the value of the field without it",
    keys: &[RuleKey::ANNOTATION, RuleKey::LABEL, COPY, RuleKey::FILL],
    example: r#"rule = "in-metadata"
names = { v1 = "spec.mode" }
annotation = "example.com/mode"
label = "example.com/mode"
copy = true
fill = "fast"
reason = "Objects without the annotation are fast; a rule has one of the keys `annotation` and `label`.""#,
    check: check_stated,
    unmatched: Some(unmatched),
    ..RuleKind::OF_ABSENT
};

fn check_stated(stated: &Correspondence, versions: usize) -> Result<(), RuleFault> {
    let is_stated = |key: RuleKey| stated.keys.contains_key(key.name);
    if is_stated(RuleKey::ANNOTATION) == is_stated(RuleKey::LABEL) {
        let keys = [RuleKey::ANNOTATION.name, RuleKey::LABEL.name];
        return Err(RuleFault::OneOfKeys(keys));
    }
    if stated.names.len() == versions {
        return Err(RuleFault::InAllVersions);
    }
    Ok(())
}

#[allow(clippy::unnecessary_wraps, reason = "the type of `RuleKind::unmatched`")]
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    let key = match read(rule, field, structs) {
        Ok(key) => key,
        Err(fault) => {
            rule.report_fault(fault, problems);
            // The problem is reported once.
            return Some(keep_aside::keep(field));
        }
    };
    let fill = keep_aside::fill(rule, field, structs);
    let path = match &key {
        MetadataKey::Annotation(key) => FieldPath::of("metadata.annotations").child(&segment(key)),
        MetadataKey::Label(key) => FieldPath::of("metadata.labels").child(&segment(key)),
    };
    let lacking = rule.lacking.iter().map(|version| (version.clone(), path.clone()));
    let having = rule.paths().into_iter().map(|(version, _)| (version, path.clone()));
    let (text, beside) = (lacking.collect(), having.collect());
    let required = field.required && fill.is_none();
    let copies = rule.flag(COPY.name);
    let write = InMetadata { key, is_written: true, copies, text, beside, fill, required };
    let take = InMetadata { is_written: false, ..write.clone() };
    Some([RuleStep::keeps(Action::InMetadata(write)), RuleStep::keeps(Action::InMetadata(take))])
}

/// The annotation or label, or why the rule does not fit.
fn read(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Result<MetadataKey, RuleFault> {
    if is_in_items(&field.path) {
        return Err(RuleFault::InItems(field.path.to_string()));
    }
    if !has_text(field.rust_type.present()) {
        return Err(has_no((rule.version_of(field), field), "text"));
    }
    if let Some(fill) = rule.value(RuleKey::FILL.name) {
        let fill = serde_json::to_value(fill).unwrap_or_default();
        check_value(RuleKey::FILL.name, &fill, field, structs)?;
    }
    let (key, broken) = match (rule.text(RuleKey::ANNOTATION.name), rule.text(RuleKey::LABEL.name))
    {
        (Some(key), _) => (MetadataKey::Annotation(key.to_owned()), annotation_key(key)),
        (None, key) => {
            let key = key.unwrap_or_default();
            (MetadataKey::Label(key.to_owned()), qualified_name(key))
        }
    };
    match broken.first() {
        Some(broken) => Err(RuleFault::MetadataKey(*broken)),
        None => Ok(key),
    }
}

/// Whether values of a type are texts, or have a text that is the same everywhere.
fn has_text(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::String
        | RustType::OpenEnum(_)
        | RustType::Bool
        | RustType::I32
        | RustType::I64
        | RustType::F64 => true,
        RustType::List(of) | RustType::Map(of) => has_text(of),
        _ => false,
    }
}

pub(super) fn text(step: &InMetadata) -> (String, &'static str) {
    let name = step.key.text();
    if step.is_written && step.copies {
        let how = format!("has no counterpart but {name}, which stays");
        return (how, "kept in an annotation of the conversion, unless it has the same value");
    }
    if step.is_written {
        let loss = "kept in an annotation of the conversion, if its text does not fit there";
        return (format!("becomes {name}"), loss);
    }
    let absent = match &step.fill {
        Some(fill) => code(fill),
        None if step.required => "empty, which is reported".to_owned(),
        None => "absent".to_owned(),
    };
    if step.copies {
        let how = format!("the kept value if {name} is as it was, else its value, else {absent}");
        return (how, "lossless");
    }
    let loss = "a text that is not a value of the field is kept in an annotation of the conversion";
    (format!("the value of {name}, else {absent}"), loss)
}

//! The annotations and labels that have values of fields: each is of one field, and no other annotation of conversions.

use super::rule::{Rule, RuleKey};
use super::rules::FieldRules;
use crate::Problems;
use crate::problem::{KeyOwner, RuleFault};
use crate::rules::KindRule;

/// Reports the rules of a kind with the annotation or label of another rule, and those with one of conversions.
pub(super) fn check(kind: &KindRule, rules: &FieldRules<'_>, problems: &mut Problems) {
    let key = |rule: &Rule<'_>| {
        let mut keys = [RuleKey::ANNOTATION, RuleKey::LABEL].into_iter();
        keys.find_map(|key| Some((key.name, rule.text(key.name)?.to_owned())))
    };
    let mut taken = Vec::new();
    for (rule, (of, key)) in rules.iter().filter_map(|rule| Some((rule, key(rule)?))) {
        let own = kind.annotation.as_ref().and_then(|own| key.strip_prefix(&own.value));
        let is_own = own.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let is_adopted = kind.adopt.iter().any(|adopt| adopt.annotation.value == key);
        let owner = if taken.contains(&(of, key.clone())) {
            KeyOwner::OtherRule
        } else if of == RuleKey::ANNOTATION.name && is_own {
            KeyOwner::Conversions
        } else if of == RuleKey::ANNOTATION.name && is_adopted {
            KeyOwner::EarlierWebhook
        } else {
            taken.push((of, key));
            continue;
        };
        rule.report_fault(RuleFault::MetadataKeyTaken { kind: of, key, owner }, problems);
    }
}

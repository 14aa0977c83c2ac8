//! The conversions of a kind.

use std::collections::BTreeMap;

use k8s_versioned::Version;

use super::gaps::Gaps;
use super::items::{FieldRef, KindConversion, KindVersion, Pair, Policy, StructPair};
use super::pair::PairPlanner;
use super::rules::FieldRules;
use super::structs::{Structs, shown};
use super::{annotation, shared};
use crate::Problems;
use crate::plan::{ItemPath, ObjectRole, RustType, Struct};
use crate::problem::Cause;
use crate::rules::{Correspondence, FieldRuleName, KindRule};

/// Plans the conversions of a kind; nothing if it is not there.
pub(super) fn plan(
    group: &str,
    rule: &KindRule,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<KindConversion> {
    let found = structs.of_kind(group, &rule.kind.text);
    if found.is_empty() {
        let cause = Cause::RuleMatchesNothing(rule.kind.text.clone());
        problems.push(rule.kind.place.clone(), cause);
        return None;
    }
    check_versions(rule, &found, problems);
    let mut rules = FieldRules::new(rule, &found, structs, problems);
    let versions = by_version(found);
    let pairs = pairs(plan_pairs(rule, &versions, structs, &mut rules, problems));
    let needed = pairs.iter().any(|pair| pair.keeps);
    let objects: Vec<&Struct> = versions.iter().map(|(_, object)| *object).collect();
    annotation::check(rule, needed, &objects, structs, problems);
    let key = rule.annotation.as_ref().filter(|_| needed);
    let (list_kind, list_metadata) = list(objects.first()?, structs)?;
    let has_spec = |object: &&Struct| structs.find(object, "spec").is_some();
    Some(KindConversion {
        group: group.to_owned(),
        kind: rule.kind.text.clone(),
        list_kind,
        list_metadata,
        metadata: metadata(objects.first()?)?,
        annotation: key.map(|key| key.text.clone()),
        has_spec: objects.iter().all(has_spec),
        policies: policies(rule, &rules, &versions, structs),
        accessors: shared::accessors(&objects, structs),
        versions: kind_versions(rule, &versions, structs, problems)?,
        pairs,
    })
}

/// The objects of a kind with their versions.
type Versions<'a> = Vec<(String, &'a Struct)>;

/// The versions, lowest first.
fn by_version(found: BTreeMap<String, &Struct>) -> Versions<'_> {
    let mut versions: Versions<'_> = found.into_iter().collect();
    versions.sort_by_key(|(name, _)| name.parse::<Version>().ok());
    versions
}

/// Plans each directed pair, and reports what no rule accounts for.
fn plan_pairs<'a>(
    rule: &KindRule,
    versions: &Versions<'a>,
    structs: &Structs<'a>,
    rules: &mut FieldRules<'a>,
    problems: &mut Problems,
) -> Vec<PairPlan> {
    let (mut gaps, mut plans) = (Gaps::default(), Vec::new());
    for (from, source) in versions {
        for (to, target) in versions.iter().filter(|(to, _)| to != from) {
            let mut planner = PairPlanner {
                structs,
                rules: &mut *rules,
                gaps: &mut gaps,
                problems: &mut *problems,
                from,
                to,
                around: Vec::new(),
            };
            plans.push((from.clone(), to.clone(), planner.object(source, target)));
        }
    }
    rules.report_unused(problems);
    gaps.report(&rule.kind.text, problems);
    plans
}

/// The versions of the rule must be those of the documents.
fn check_versions(rule: &KindRule, found: &BTreeMap<String, &Struct>, problems: &mut Problems) {
    let kind = &rule.kind.text;
    for (index, version) in rule.versions.iter().enumerate() {
        let name = format!("{} {kind}", version.text);
        let mut earlier = rule.versions.iter().take(index);
        if earlier.any(|other| other.text == version.text) {
            problems.push(version.place.clone(), Cause::RuleTwice(name));
        } else if !found.contains_key(&version.text) {
            problems.push(version.place.clone(), Cause::RuleMatchesNothing(name));
        }
    }
    let listed = |name: &str| rule.versions.iter().any(|version| version.text == name);
    for (version, object) in found.iter().filter(|(version, _)| !listed(version)) {
        let others = found.keys().filter(|other| *other != version);
        let cause = Cause::PairsMissing {
            kind: kind.clone(),
            version: version.clone(),
            others: others.cloned().collect(),
        };
        problems.push(object.place.clone(), cause);
    }
    if found.len() == 1 {
        let (field, why) = (kind.clone(), "it has one version only");
        let cause = Cause::RuleWithoutEffect { field, why };
        problems.push(rule.kind.place.clone(), cause);
    }
    for (version, fields) in rule
        .required
        .iter()
        .filter(|(version, _)| !found.contains_key(*version))
    {
        if let Some(first) = fields.first() {
            let cause = Cause::RuleMatchesNothing(format!("{version} {kind}"));
            problems.push(first.place.clone(), cause);
        }
    }
}

/// A pair: source, target, and what becomes of the object.
type PairPlan = (String, String, StructPair);

fn pairs(plans: Vec<PairPlan>) -> Vec<Pair> {
    let keeps = |object: &StructPair| object.steps.iter().any(|step| step.how.keeps());
    let holders: Vec<String> = plans
        .iter()
        .filter(|(_, _, object)| keeps(object))
        .map(|(_, to, _)| to.clone())
        .collect();
    let restores: Vec<Vec<String>> = plans.iter().map(|plan| restores(plan, &plans)).collect();
    let pair = |((from, to, object), restores): (PairPlan, Vec<String>)| Pair {
        discards: !holders.is_empty() && !holders.contains(&from),
        keeps: keeps(&object),
        restores,
        from,
        to,
        object,
    };
    plans.into_iter().zip(restores).map(pair).collect()
}

/// The versions of which a conversion can take something back: all that it asks for is kept, under the same
/// names, when objects of theirs become what it starts from.
fn restores((from, _, object): &PairPlan, plans: &[PairPlan]) -> Vec<String> {
    let leaves = object.leaves().into_iter();
    let asked: Vec<&FieldRef> = leaves
        .filter(|step| step.how.restores())
        .filter_map(|step| step.to.as_ref())
        .collect();
    let keeps = |object: &StructPair, asked: &FieldRef| {
        let mut kept = object.leaves().into_iter().filter(|step| step.how.keeps());
        kept.any(|step| {
            step.from
                .as_ref()
                .is_some_and(|kept| kept.path == asked.path)
        })
    };
    let keeps_all = |(_, holder, object): &&PairPlan| {
        holder == from && !asked.is_empty() && asked.iter().all(|asked| keeps(object, asked))
    };
    plans
        .iter()
        .filter(keeps_all)
        .map(|(version, _, _)| version.clone())
        .collect()
}

fn kind_versions(
    rule: &KindRule,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<Vec<KindVersion>> {
    let version = |(name, object): &(String, &Struct)| {
        let ObjectRole::Resource { list, .. } = &object.object.as_ref()?.role else {
            return None;
        };
        Some(KindVersion {
            name: name.clone(),
            object: object.path.clone(),
            list: list.clone(),
            required: required(rule, name, object, structs, problems),
        })
    };
    versions.iter().map(version).collect()
}

/// The required fields of a version.
fn required(
    rule: &KindRule,
    version: &str,
    object: &Struct,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<FieldRef> {
    let mut required: Vec<FieldRef> = Vec::new();
    for path in rule.required.get(version).into_iter().flatten() {
        let name = format!("{version} {}", path.text);
        let cause = match structs.find(object, &path.text) {
            None => Cause::RuleMatchesNothing(name),
            Some(field) if required.contains(&field) => Cause::RuleTwice(name),
            Some(field) => {
                let Some(why) = why_not_required(&field) else {
                    required.push(field);
                    continue;
                };
                Cause::RuleDoesNotFit {
                    rule: "required",
                    why,
                }
            }
        };
        problems.push(path.place.clone(), cause);
    }
    required
}

fn why_not_required(field: &FieldRef) -> Option<String> {
    if !can_be_empty(&field.rust_type) {
        let found = shown(&field.rust_type);
        Some(format!(
            "`{}` is `{found}`, which is never empty",
            field.path
        ))
    } else if field.idents.len() > 2 {
        Some("only fields of an object and of its parts can be required".to_owned())
    } else {
        None
    }
}

fn can_be_empty(rust_type: &RustType) -> bool {
    matches!(
        rust_type,
        RustType::String
            | RustType::Vocabulary(_)
            | RustType::List(_)
            | RustType::Map(_)
            | RustType::Option(_)
    )
}

/// The kind of the lists of a kind, and the type of their metadata.
fn list(object: &Struct, structs: &Structs<'_>) -> Option<(String, ItemPath)> {
    let ObjectRole::Resource { list, .. } = &object.object.as_ref()?.role else {
        return None;
    };
    let list = structs.get(list)?.object.as_ref()?;
    match &list.role {
        ObjectRole::List {
            metadata: RustType::Struct(metadata),
            ..
        } => Some((list.kind.clone(), metadata.clone())),
        _ => None,
    }
}

fn metadata(object: &Struct) -> Option<ItemPath> {
    match &object.object.as_ref()?.role {
        ObjectRole::Resource {
            metadata: RustType::Struct(path),
            ..
        } => Some(path.clone()),
        _ => None,
    }
}

/// The policies about fields that can be absent in some version.
fn policies(
    rule: &KindRule,
    rules: &FieldRules<'_>,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
) -> Vec<Policy> {
    let policy = |(index, field): (usize, &Correspondence)| {
        let mut found = versions
            .iter()
            .filter_map(|(version, object)| structs.find(object, &field.names.get(version)?.text));
        let found = found.find(|found| matches!(found.rust_type, RustType::Option(_)))?;
        let RustType::Option(value) = found.rust_type else {
            return None;
        };
        Some(Policy {
            name: rules.policy(index),
            path: found.path,
            value: *value,
            other: field.fill_from.as_ref().map(|other| other.text.clone()),
        })
    };
    let fields = rule.fields.iter().enumerate();
    let fields = fields.filter(|(_, field)| field.rule == FieldRuleName::AbsentToZero);
    fields.filter_map(policy).collect()
}

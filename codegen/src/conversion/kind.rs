//! The conversions of a kind.

use std::collections::BTreeMap;

use k8s_versioned_names::Version;
use k8s_versioned_names::rules::AnnotationKey;

use super::gaps::Gaps;
use super::pair::PairPlanner;
use super::plan::{FieldRef, How, KindConversion, KindVersion, Pair, Policy, Step, StructPair};
use super::rules::{FieldRules, Rule};
use super::structs::{Structs, field_ref, shown};
use super::{accessors, items};
use crate::Problems;
use crate::plan::{Field, ItemPath, ObjectRole, RustType, Struct};
use crate::problem::{Cause, ConversionCause, RuleCause};
use crate::rules::{KindRule, LosslessRule, Placed, StepName};

/// Plans the conversions of a kind; `None` if the kind does not exist, which is reported.
pub(super) fn plan(
    group: &str,
    rule: &KindRule,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<KindConversion> {
    let found = structs.of_kind(group, &rule.kind.value);
    if found.is_empty() {
        rule.kind.matches_nothing(problems);
        return None;
    }
    let before = problems.len();
    check_versions(rule, &found, problems);
    let rules = FieldRules::new(rule, &found, structs, problems);
    let versions = by_version(found);
    let pairs = plan_pairs(rule, &versions, structs, &rules, problems);
    let kind_versions = kind_versions(rule, &versions, structs, problems);
    let lossless = check_lossless(rule, &pairs, problems);
    let list_kind = list_kind(&rule.kind.value, &versions, problems)?;
    let objects: Vec<&Struct> = versions.iter().map(|(_, object)| *object).collect();
    // With problems, the pairs are not complete.
    let needed = pairs.iter().any(|pair| pair.object.can_keep());
    if needed || problems.len() == before {
        check_annotation(rule, needed, problems);
    }
    if needed {
        check_annotations(&objects, structs, problems);
    }
    let annotation = rule.annotation.as_ref().filter(|_| needed).map(|key| key.value.clone());
    let has_spec = |object: &&Struct| structs.find(object, "spec").is_some();
    Some(KindConversion {
        group: group.to_owned(),
        kind: rule.kind.value.clone(),
        name: String::new(),
        list_kind,
        annotation,
        servers: rule.servers.as_ref().map(|text| text.value.trim().to_owned()),
        has_spec: objects.iter().all(has_spec),
        policies: policies(&rules),
        accessors: accessors::accessors(&versions, structs, &rules),
        versions: kind_versions,
        pairs,
        lossless,
    })
}

/// The objects of a kind with their versions.
pub(super) type Versions<'a> = Vec<(String, &'a Struct)>;

/// The versions, lowest first.
fn by_version(found: BTreeMap<String, &Struct>) -> Versions<'_> {
    let mut versions: Versions<'_> = found.into_iter().collect();
    versions.sort_by_key(|(name, _)| name.parse::<Version>().ok());
    versions
}

/// Plans each directed pair, and reports the fields that need a rule.
fn plan_pairs<'a>(
    rule: &KindRule,
    versions: &Versions<'a>,
    structs: &Structs<'a>,
    rules: &FieldRules<'a>,
    problems: &mut Problems,
) -> Vec<Pair> {
    let (mut gaps, mut pairs) = (Gaps::default(), Vec::new());
    for (from, source) in versions {
        for (to, target) in versions.iter().filter(|(to, _)| to != from) {
            let mut planner = PairPlanner {
                structs,
                versions,
                rules,
                gaps: &mut gaps,
                problems: &mut *problems,
                from,
                to,
                around: Vec::new(),
            };
            let object = planner.object(source, target);
            let (from, to) = (from.clone(), to.clone());
            pairs.push(Pair { from, to, object });
        }
    }
    items::name(&mut pairs);
    rules.report_unused(problems);
    gaps.report(&rule.kind.value, problems);
    pairs
}

fn kind_versions(
    rule: &KindRule,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<KindVersion> {
    let version = |(name, object): &(String, &Struct)| KindVersion {
        name: name.clone(),
        schema: object.schema.clone(),
        object: object.path.clone(),
        required: required_of(rule, name, object, structs, problems),
    };
    versions.iter().map(version).collect()
}

// The choices about absent fields.

/// The policies about fields that can be absent in some version.
pub(super) fn policies(rules: &FieldRules<'_>) -> Vec<Policy> {
    let policy = |rule: &Rule<'_>| {
        let mut found = rule.found.iter();
        let plain = |value: &RustType| rule.found.iter().any(|(_, it)| it.rust_type == *value);
        found.find_map(|(_, field)| match &field.rust_type {
            RustType::Option(value) if plain(value) => Some(Policy {
                name: rule.policy.clone(),
                path: field.path.clone(),
                value: (**value).clone(),
                other: rule.stated.fill_from.as_ref().map(|other| other.value.clone()),
            }),
            _ => None,
        })
    };
    let asking = |rule: &&Rule<'_>| rule.stated.rule.value == StepName::AbsentToZero;
    rules.iter().filter(asking).filter_map(policy).collect()
}

// The annotation that keeps the values that a version cannot hold.

/// Reports a key that servers do not accept. The rules must name a key exactly if a conversion can keep a value.
fn check_annotation(rule: &KindRule, needed: bool, problems: &mut Problems) {
    match &rule.annotation {
        Some(annotation) if !needed => {
            annotation.is_without_effect("no version lacks anything", problems);
        }
        Some(annotation) => {
            if let Err(error) = annotation.value.parse::<AnnotationKey>() {
                let (key, why) = (annotation.value.clone(), error.reason().to_owned());
                problems.push(&annotation.place, ConversionCause::AnnotationKey { key, why });
            }
        }
        None if needed => {
            let cause = ConversionCause::NoAnnotationKey(rule.kind.value.clone());
            problems.push(&rule.kind.place, cause);
        }
        None => {}
    }
}

/// Reports the objects that have no annotations.
fn check_annotations(objects: &[&Struct], structs: &Structs<'_>, problems: &mut Problems) {
    for object in objects.iter().filter(|object| !has_annotations(object, structs)) {
        problems.push(&object.of.place, ConversionCause::NoAnnotations);
    }
}

fn has_annotations(object: &Struct, structs: &Structs<'_>) -> bool {
    let text = RustType::Map(Box::new(RustType::String));
    structs.find(object, "metadata.annotations").is_some_and(|field| field.rust_type == text)
}

// Checks that the rules of a kind name its versions, and that the lists of these are of one kind.

/// Reports differences between the versions that the rules name and the versions of the documents.
pub(super) fn check_versions(
    rule: &KindRule,
    found: &BTreeMap<String, &Struct>,
    problems: &mut Problems,
) {
    let kind = &rule.kind.value;
    check_names(kind, &rule.versions, |version| found.contains_key(version), problems);
    let listed = |name: &str| rule.versions.iter().any(|version| version.value == name);
    for (version, object) in found.iter().filter(|(version, _)| !listed(version)) {
        let others = found.keys().filter(|other| *other != version);
        let cause = ConversionCause::PairsMissing {
            kind: kind.clone(),
            version: version.clone(),
            others: others.cloned().collect(),
        };
        problems.push(&object.of.place, cause);
    }
    for (version, path) in rule.required.iter().flat_map(|rule| &rule.names) {
        if !found.contains_key(version) {
            let cause = RuleCause::MatchesNothing(format!("{version} {kind}"));
            problems.push(&path.place, cause);
        }
    }
    if found.len() == 1 {
        rule.kind.is_without_effect("it has one version only", problems);
    }
}

/// Reports the versions of a list in a rule that occur twice, and those that do not exist.
pub(super) fn check_names(
    kind: &str,
    stated: &[Placed<KindRule>],
    exists: impl Fn(&str) -> bool,
    problems: &mut Problems,
) {
    for (index, version) in stated.iter().enumerate() {
        let name = format!("{} {kind}", version.value);
        if stated.iter().take(index).any(|other| other.value == version.value) {
            problems.push(&version.place, RuleCause::Twice(name));
        } else if !exists(&version.value) {
            problems.push(&version.place, RuleCause::MatchesNothing(name));
        }
    }
}

/// The kind of the lists in all versions. Reports each version whose lists are of another kind.
pub(super) fn list_kind(
    kind: &str,
    versions: &Versions<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let (_, lowest) = versions.first()?;
    let first = list_kind_of(lowest)?;
    for (version, object) in versions {
        if list_kind_of(object) != Some(first) {
            let of = format!("{version} {kind}");
            let why = "its lists are of another kind than in lower versions";
            problems.push(&object.of.place, ConversionCause::NotConvertible { of, why });
        }
    }
    Some(first.to_owned())
}

fn list_kind_of(object: &Struct) -> Option<&str> {
    match &object.object.as_ref()?.role {
        ObjectRole::Resource { list_kind, .. } => Some(list_kind),
        _ => None,
    }
}

// The parts that the rules declare to be the same in several versions.

/// The types of source and target that are declared to be the same. Reports each declaration that is wrong.
pub(super) fn check_lossless(
    rule: &KindRule,
    pairs: &[Pair],
    problems: &mut Problems,
) -> Vec<(ItemPath, ItemPath)> {
    let mut types = Vec::new();
    for declared in &rule.lossless {
        check_lossless_versions(rule, declared, problems);
        let versions = declared.versions.iter();
        let versions: Vec<&str> = versions.map(|version| version.value.as_str()).collect();
        let place = |version: &str| versions.iter().position(|other| *other == version);
        for pair in pairs {
            let (Some(from), Some(to)) = (place(&pair.from), place(&pair.to)) else {
                continue;
            };
            let mut parts = pair.object.inner().into_iter();
            let part = parts.find(|(field, _)| field.path == declared.part.value);
            match part.map(|(_, part)| part) {
                Some(part) if part.is_equal_shape() => types.push(part.types()),
                // The pair of the other direction has the same differences.
                part if from < to => {
                    problems.push(&declared.part.place, untrue(rule, declared, pair, part));
                }
                _ => {}
            }
        }
    }
    types
}

/// Reports versions that do not exist or occur twice, and a single version.
fn check_lossless_versions(rule: &KindRule, declared: &LosslessRule, problems: &mut Problems) {
    let exists = |name: &str| rule.versions.iter().any(|version| version.value == name);
    check_names(&rule.kind.value, &declared.versions, exists, problems);
    if declared.versions.len() < 2 {
        declared.part.is_without_effect("it names one version only", problems);
    }
}

/// The problem of a declaration: the part differs between these versions, or does not exist.
fn untrue(
    rule: &KindRule,
    declared: &LosslessRule,
    pair: &Pair,
    part: Option<&StructPair>,
) -> Cause {
    let (path, from, to) = (declared.part.value.clone(), &pair.from, pair.to.clone());
    let Some(part) = part else {
        return RuleCause::MatchesNothing(format!("{path} of {from} and {to}")).into();
    };
    let (of, differences) = (format!("{from} {}", rule.kind.value), differences(part));
    ConversionCause::NotLossless { part: path, of, to, differences }.into()
}

/// The differences between the fields of a part.
fn differences(part: &StructPair) -> Vec<String> {
    part.steps.iter().flat_map(difference).collect()
}

fn difference(step: &Step) -> Vec<String> {
    match (&step.how, &step.from, &step.to) {
        (How::Part { pair, .. } | How::Nest(_, pair) | How::Flatten(_, pair), ..) => {
            differences(pair)
        }
        (_, Some(from), None) => vec![format!("`{}` has no counterpart", from.path)],
        (_, None, Some(to)) => vec![format!("`{}` has no source", to.path)],
        (_, Some(from), Some(to)) if from.ident() != to.ident() => {
            vec![format!("`{}` becomes `{}`", from.path, to.path)]
        }
        (How::Same | How::Into(_) | How::Recursive { .. }, ..) | (_, None, None) => Vec::new(),
        (_, Some(from), _) => vec![format!("`{}` is of another type", from.path)],
    }
}

// The fields that servers of a version require.

/// The required fields of a version, as the documents have them, changed by the rules.
pub(super) fn required_of(
    rule: &KindRule,
    version: &str,
    object: &Struct,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<FieldRef> {
    let mut required = stated_required(object, structs);
    for (rule, path) in
        rule.required.iter().filter_map(|rule| Some((rule, rule.names.get(version)?)))
    {
        let found = structs.find(object, &path.value);
        let position = required.iter().position(|field| Some(field) == found.as_ref());
        let cause: Cause = match (found, position) {
            (None, _) => RuleCause::MatchesNothing(format!("{version} {}", path.value)).into(),
            (Some(_), Some(position)) if !rule.required => {
                required.remove(position);
                continue;
            }
            (Some(field), None) if rule.required => {
                let Some(why) = why_not_required(&field) else {
                    required.push(field);
                    continue;
                };
                let rule = "required".to_owned();
                ConversionCause::RuleDoesNotFit { rule, why }.into()
            }
            (Some(field), _) => {
                RuleCause::WithoutEffect(field.path, "the documents say so already").into()
            }
        };
        problems.push(&path.place, cause);
    }
    required
}

/// The required fields of an object and of its parts that can be empty.
fn stated_required(object: &Struct, structs: &Structs<'_>) -> Vec<FieldRef> {
    let of = |of: &Struct, prefix: &[&Field]| -> Vec<FieldRef> {
        let names = of.of.required_now().into_iter();
        let fields = names.filter_map(|name| of.fields.iter().find(|field| field.wire == name));
        let fields = fields.map(|field| field_ref(of, prefix, field));
        // An empty value of a custom resource is a value.
        fields.filter(|field| !field.required && why_not_required(field).is_none()).collect()
    };
    let mut required = of(object, &[]);
    for field in &object.fields {
        if let RustType::Struct(path) = &field.rust_type
            && let Some(part) = structs.get(path).filter(|part| !part.shared())
        {
            required.extend(of(part, &[field]));
        }
    }
    required
}

fn why_not_required(field: &FieldRef) -> Option<String> {
    if !can_be_empty(&field.rust_type) {
        let found = shown(&field.rust_type);
        Some(format!("`{}` is `{found}`, which is never empty", field.path))
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

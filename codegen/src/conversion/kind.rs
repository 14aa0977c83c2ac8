//! The conversions of a kind.

use std::collections::BTreeMap;

use k8s_versioned_names::Version;

use super::gaps::Gaps;
use super::pair::PairPlanner;
use super::plan::{KindConversion, KindVersion, Pair};
use super::rules::FieldRules;
use super::structs::Structs;
use super::{accessors, annotation, items, lossless, policies, required, versions};
use crate::Problems;
use crate::plan::Struct;
use crate::rules::KindRule;

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
    versions::check(rule, &found, problems);
    let rules = FieldRules::new(rule, &found, structs, problems);
    let versions = by_version(found);
    let pairs = plan_pairs(rule, &versions, structs, &rules, problems);
    let kind_versions = kind_versions(rule, &versions, structs, problems);
    let lossless = lossless::check(rule, &pairs, problems);
    let list_kind = versions::list_kind(&rule.kind.value, &versions, problems)?;
    let objects: Vec<&Struct> = versions.iter().map(|(_, object)| *object).collect();
    let annotation = annotation::key(rule, &pairs, &objects, structs, problems);
    let has_spec = |object: &&Struct| structs.find(object, "spec").is_some();
    Some(KindConversion {
        group: group.to_owned(),
        kind: rule.kind.value.clone(),
        list_kind,
        annotation,
        servers: rule.servers.as_ref().map(|text| text.value.trim().to_owned()),
        has_spec: objects.iter().all(has_spec),
        policies: policies::policies(&rules),
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
        required: required::of_version(rule, name, object, structs, problems),
    };
    versions.iter().map(version).collect()
}

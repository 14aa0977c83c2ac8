//! The conversions of a kind.

use std::collections::BTreeSet;

use k8s_versioned_core::Version;
use k8s_versioned_core::syntax::AnnotationKey;
use litemap::LiteMap;

use super::missing_rules::{MissingRules, Objects};
use super::plan::{FieldRef, KindConversion, KindVersion, Pair, Policy};
use super::planner::PairPlanner;
use super::rule::{Role, Rule};
use super::rules::FieldRules;
use super::steps::{self, absent_to_zero};
use super::structs::{Structs, Versions, field_ref, type_text};
use super::{
    accessors, adopt, item_names, kept_without_limit, lossless, members, merged_lists,
    metadata_keys, version_names,
};
use crate::Problems;
use crate::gather::Gather;
use crate::plan::{Field, ObjectRole, RustType, Struct};
use crate::problem::{Cause, ConversionCause, NoEffect, RequiredFault, RuleCause};
use crate::rules::KindRule;
use crate::rules::paths::is_in_metadata;

/// The most versions of a kind that is converted. Conversions are between each two of them, and each names the versions that have a
/// field, so that their code grows faster than the definition.
pub(super) const MOST_VERSIONS: usize = 24;

/// The most fields in all conversions of a kind: the fields of each version count once for each other version. A type counts at each field
/// that has it, so the number can grow much faster than the documents.
pub(super) const MOST_FIELDS: usize = 100_000;

/// Plans the conversions of a kind; `None` if the kind does not exist, which is reported.
pub(super) fn plan(
    group: &str,
    rule: &KindRule,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<KindConversion> {
    let found = find(group, rule, structs, problems)?;
    let before = problems.len();
    let mut planner = KindPlanner { rule, structs, problems };
    version_names::check(rule, &found, planner.problems);
    let rules = FieldRules::new(rule, &found, steps::ALL, structs, planner.problems)?;
    metadata_keys::check(rule, &rules, planner.problems);
    let versions = by_version(found);
    let mut missing = MissingRules::default();
    let pairs = planner.pairs(&versions, &rules, &mut missing);
    let kind_versions = planner.versions(&versions);
    let lossless = lossless::check(rule, &pairs, planner.problems);
    let list_kind = list_kind(&rule.kind.value, &versions, planner.problems)?;
    let needed = missing.keep() || pairs.iter().any(|pair| pair.object.can_keep());
    let is_complete = planner.problems.len() == before;
    let annotation = planner.annotation(&versions, needed, is_complete);
    let adopted = adopt::adoptions(rule, &versions, structs, problems);
    let has_spec = |(_, object): &(_, &Struct)| structs.find(object, "spec").is_some();
    let conversion = KindConversion {
        group: group.to_owned(),
        kind: rule.kind.value.clone(),
        name: String::new(),
        list_kind,
        annotation,
        merged_lists: merged_lists::merged_lists(&pairs, &versions, structs),
        servers: rule.servers.as_ref().map(|text| text.value.trim().to_owned()),
        has_spec: versions.iter().all(has_spec),
        policies: policies(&rules),
        accessors: accessors::accessors(&versions, structs, &rules),
        versions: kind_versions,
        highest: Vec::new(),
        adopted,
        warnings: warnings(
            rule,
            (&missing, Objects { structs, versions: &versions }),
            &kept_without_limit::unbounded(&pairs, structs),
        ),
        pairs,
        lossless,
    };
    let highest = conversion.highest_of_equal_shape();
    Some(KindConversion { highest, ..conversion })
}

/// The versions of a kind, if there are not too many, and its rules name only versions that are served.
fn find<'a>(
    group: &str,
    rule: &KindRule,
    structs: &Structs<'a>,
    problems: &mut Problems,
) -> Option<LiteMap<String, &'a Struct>> {
    let found = structs.of_kind(group, &rule.kind.value);
    if found.is_empty() {
        problems.push(&rule.kind.place, no_such_kind(rule, structs));
        return None;
    }
    // The rules of the kind also name the versions that are left out, so nothing else is reported.
    if report_left_out(group, rule, structs, problems) {
        return None;
    }
    if found.len() > MOST_VERSIONS {
        let (kind, count) = (rule.kind.value.clone(), found.len());
        let cause = ConversionCause::TooManyVersions { kind, count, most: MOST_VERSIONS };
        problems.push(&rule.kind.place, cause);
        return None;
    }
    if has_too_many_fields(&found, structs) {
        let kind = rule.kind.value.clone();
        let cause = ConversionCause::TooManyFields { kind, most: MOST_FIELDS };
        problems.push(&rule.kind.place, cause);
        return None;
    }
    Some(found)
}

/// Returns `true` if the conversions between these objects have more fields than [`MOST_FIELDS`].
fn has_too_many_fields(versions: &LiteMap<String, &Struct>, structs: &Structs<'_>) -> bool {
    let most = MOST_FIELDS / versions.len().saturating_sub(1).max(1);
    let left = versions.values().try_fold(most, |left, of| members::fields_left(of, structs, left));
    left.is_none()
}

/// Why the group has no such kind: another group has it, or no group does.
fn no_such_kind(rule: &KindRule, structs: &Structs<'_>) -> RuleCause {
    let kind = rule.kind.value.clone();
    let groups: Vec<String> = structs.groups_of(&kind).into_iter().collect();
    if rule.group.is_some() || groups.is_empty() {
        let near = structs.near_kind(&kind);
        return RuleCause::NoSuchName { name: kind, near };
    }
    RuleCause::KindOfGroup { kind, groups }
}

/// The warnings about a kind: problems that its conversions leave, and kept fields without a limit.
fn warnings(
    rule: &KindRule,
    (missing, objects): (&MissingRules, Objects<'_, '_>),
    without_limit: &[String],
) -> Problems {
    let mut warnings = missing.warnings(&rule.kind.value, objects);
    for cause in missing.empty_values(&rule.kind.value) {
        warnings.push(&rule.kind.place, cause);
    }
    if !without_limit.is_empty() {
        let (kind, fields) = (rule.kind.value.clone(), without_limit.to_vec());
        warnings.push(&rule.kind.place, ConversionCause::KeptWithoutLimit { kind, fields });
    }
    warnings
}

/// Reports each version of the rules that is left out because it is not served; `true` if there are some.
fn report_left_out(
    group: &str,
    rule: &KindRule,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> bool {
    let listed = rule.versions.iter().map(|version| (&version.value, &version.place));
    let required = rule.required.iter().flat_map(|rule| &rule.names);
    let named = rule.fields.iter().flat_map(|rule| &rule.names);
    let fields = named.map(|(version, name)| (version, &name.place));
    let required = required.map(|(version, name)| (version, &name.place));
    let mut reported = BTreeSet::new();
    for (version, place) in listed.chain(fields).chain(required) {
        if structs.is_left_out(group, &rule.kind.value, version) && reported.insert(version) {
            problems.push(place, RuleCause::NotServed(format!("{version} {}", rule.kind.value)));
        }
    }
    !reported.is_empty()
}

/// Plans the conversions of one kind.
struct KindPlanner<'r, 'a> {
    rule: &'r KindRule,
    structs: &'r Structs<'a>,
    problems: &'r mut Problems,
}

/// The versions, lowest first.
fn by_version(found: LiteMap<String, &Struct>) -> Versions<'_> {
    found.into_iter().sorted_by_key(|(name, _)| name.parse::<Version>().ok())
}

impl<'a> KindPlanner<'_, 'a> {
    /// Plans each directed pair, and reports the fields that need a rule.
    fn pairs(
        &mut self,
        versions: &Versions<'a>,
        rules: &FieldRules<'a>,
        missing: &mut MissingRules,
    ) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (from, source) in versions {
            for (to, target) in versions.iter().filter(|(to, _)| to != from) {
                let mut planner = PairPlanner {
                    structs: self.structs,
                    versions,
                    rules,
                    missing: &mut *missing,
                    problems: &mut *self.problems,
                    from,
                    to,
                    leaves_out_empty: self.rule.leave_out_empty,
                    around: Vec::new(),
                    sides: Vec::new(),
                };
                let object = planner.object(source, target);
                pairs.push(Pair { from: from.clone(), to: to.clone(), object });
            }
        }
        item_names::name(&mut pairs);
        rules.report_unused(&missing.places(), self.problems);
        let objects = Objects { structs: self.structs, versions };
        missing.report(&self.rule.kind.value, objects, self.problems);
        pairs
    }

    fn versions(&mut self, versions: &Versions<'a>) -> Vec<KindVersion> {
        let version = |(name, object): &(String, &'a Struct)| KindVersion {
            name: name.clone(),
            schema: object.schema.clone(),
            object: object.path.clone(),
            required: self.required_of(name, object),
            members: members::required(object, self.structs),
        };
        versions.iter().map(version).collect()
    }
}

// The choices about absent fields.

/// The policies about fields that can be absent in some version.
fn policies(rules: &FieldRules<'_>) -> Vec<Policy> {
    let policy = |rule: &Rule<'_>| {
        let mut found = rule.found.iter();
        let by_text = absent_to_zero::by_text(rule);
        let is_text = by_text.is_some();
        let plain = |value: &RustType| {
            let mut types = rule.found.iter().map(|(_, field)| &field.rust_type);
            let is_less = |found: &RustType| match found {
                RustType::Option(inner) => value.is_option() && !inner.is_option(),
                _ => !value.is_option(),
            };
            types.any(|found| found == value || (is_text && is_less(found)))
        };
        found.find_map(|(_, field)| match &field.rust_type {
            RustType::Option(value) if plain(value) => Some(Policy {
                name: rule.policy.clone(),
                path: field.path.clone(),
                value: by_text.clone().unwrap_or_else(|| (**value).clone()),
                other: absent_to_zero::fill_from_path(rule),
            }),
            _ => None,
        })
    };
    let asking = |rule: &&Rule<'_>| rule.kind.role == Role::Filled;
    rules.iter().filter(asking).filter_map(policy).collect()
}

// The annotation that keeps the values that a version cannot hold.

impl<'a> KindPlanner<'_, 'a> {
    /// The key of the annotation, if a conversion needs one. The pairs are incomplete if there are problems.
    fn annotation(
        &mut self,
        versions: &Versions<'a>,
        needed: bool,
        is_complete: bool,
    ) -> Option<String> {
        if needed || is_complete {
            self.check_annotation(needed);
        }
        if needed {
            self.check_annotations(versions);
        }
        self.rule.annotation.as_ref().filter(|_| needed).map(|key| key.value.clone())
    }

    /// Reports a key that servers do not accept. The rules must name a key exactly if a conversion can keep a value.
    fn check_annotation(&mut self, needed: bool) {
        let KindRule { kind, annotation, .. } = self.rule;
        let cause = match annotation {
            Some(_) if !needed => ConversionCause::AnnotationNotNeeded(kind.value.clone()),
            Some(key) => match key.value.parse::<AnnotationKey>() {
                Ok(_) => return,
                Err(_) => ConversionCause::AnnotationKey { key: key.value.clone() },
            },
            None if needed => ConversionCause::NoAnnotationKey(kind.value.clone()),
            None => return,
        };
        let place = annotation.as_ref().map_or(&kind.place, |key| &key.place);
        self.problems.push(place, cause);
    }

    /// Reports the objects that have no annotations.
    fn check_annotations(&mut self, versions: &Versions<'a>) {
        let text = RustType::Map(Box::new(RustType::String));
        for (_, object) in versions {
            let found = self.structs.find(object, "metadata.annotations");
            if found.is_none_or(|field| field.rust_type != text) {
                self.problems.push(&object.schema_type.place, ConversionCause::NoAnnotations);
            }
        }
    }
}

/// The kind of the lists in all versions. Reports each version whose lists are of another kind.
fn list_kind(kind: &str, versions: &Versions<'_>, problems: &mut Problems) -> Option<String> {
    let (_, lowest) = versions.first()?;
    let first = list_kind_of(lowest)?;
    for (version, object) in versions {
        if list_kind_of(object) != Some(first) {
            let (version, kind) = (version.clone(), kind.to_owned());
            let cause = ConversionCause::NotConvertible { version, kind };
            problems.push(&object.schema_type.place, cause);
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

// The fields that servers of a version require.

impl<'a> KindPlanner<'_, 'a> {
    /// The required fields of a version, as the documents have them, changed by the rules.
    fn required_of(&mut self, version: &str, object: &'a Struct) -> Vec<FieldRef> {
        let mut required = stated_required(object, self.structs);
        let rules = self.rule.required.iter();
        for (rule, path) in rules.filter_map(|rule| Some((rule, rule.names.get(version)?))) {
            let found = self.structs.find(object, &path.value);
            let position = required.iter().position(|field| Some(field) == found.as_ref());
            let cause: Cause = match (found, position) {
                (None, _) => {
                    let near = self.structs.near(object, &path.value);
                    let (field, in_metadata) =
                        (format!("{version} {}", path.value), is_in_metadata(&path.value));
                    RuleCause::NoSuchField { field, near, in_metadata }.into()
                }
                (Some(_), Some(position)) if !rule.required => {
                    required.remove(position);
                    continue;
                }
                (Some(field), None) if rule.required => {
                    let Err(fault) = check_required(&field) else {
                        required.push(field);
                        continue;
                    };
                    ConversionCause::CannotBeRequired(fault).into()
                }
                (Some(field), _) => {
                    RuleCause::WithoutEffect(field.path.into(), NoEffect::Stated).into()
                }
            };
            self.problems.push(&path.place, cause);
        }
        required
    }
}

/// The required fields of an object and of its parts that can be empty.
fn stated_required(object: &Struct, structs: &Structs<'_>) -> Vec<FieldRef> {
    let of = |of: &Struct, prefix: &[&Field]| -> Vec<FieldRef> {
        let names = of.schema_type.required_now().into_iter();
        let fields = names.filter_map(|name| of.fields.iter().find(|field| field.wire == name));
        let fields = fields.map(|field| field_ref(of, prefix, field));
        // An empty value of a custom resource is a value.
        fields.filter(|field| !field.required && check_required(field).is_ok()).collect()
    };
    let mut required = of(object, &[]);
    for field in &object.fields {
        if let RustType::Struct(path) = &field.rust_type
            && let Some(part) = structs.get(path).filter(|part| !part.path.is_shared())
        {
            required.extend(of(part, &[field]));
        }
    }
    required
}

/// Says why a field cannot be required.
fn check_required(field: &FieldRef) -> Result<(), RequiredFault> {
    if !can_be_empty(&field.rust_type) {
        let (path, found) = (field.path.to_string(), type_text(&field.rust_type));
        Err(RequiredFault::NeverEmpty { path, found })
    } else if field.idents.len() > 2 {
        Err(RequiredFault::InsidePart)
    } else {
        Ok(())
    }
}

fn can_be_empty(rust_type: &RustType) -> bool {
    matches!(
        rust_type,
        RustType::String
            | RustType::OpenEnum(_)
            | RustType::List(_)
            | RustType::Map(_)
            | RustType::Option(_)
    )
}

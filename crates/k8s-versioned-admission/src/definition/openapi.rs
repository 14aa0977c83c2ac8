//! The rules for the keywords of a schema.

use std::collections::HashSet;

use k8s_versioned_core::Release;
use serde_json::Value;

use super::costs::{Costs, most_parts, values};
use super::dump::dump_items;
use super::part::Part;
use super::ratcheted_rules::{Ratchet, Ratcheted};
use super::structural::must_be;
use crate::answer::{NotJudged, Reason, RefusalCause, Room};
use crate::go::GoQuoted;
use crate::path::Path;
use k8s_cel::{RuleError, RulePart, RuleScope, Rules};

/// The types of OpenAPI, in the order of messages.
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// What the place of a schema forbids, and what is known of the schemas around it.
#[derive(Clone, Copy, Debug, Default)]
struct Surroundings<'a> {
    /// Why there must be no default.
    no_default: Option<NoDefault<'a>>,
    /// Inside of `metadata`, `apiVersion` or `kind`.
    in_meta: bool,
    /// The outermost schema below which values cannot be matched with earlier values.
    uncorrelated: Option<&'a Path<'a>>,
    /// The most values that the lists and maps around allow, if all of them have a limit.
    values: Option<u64>,
    faults: usize,
    broken_rules: usize,
}

#[derive(Clone, Copy, Debug)]
enum NoDefault<'a> {
    TopLevel(&'a str),
    Additional,
}

/// The findings in a schema.
pub(super) struct Schemas<'a> {
    pub(super) release: Release,
    /// Whether the schema is sound, so that its rules can be compiled.
    pub(super) compiles: bool,
    pub(super) faults: Vec<RefusalCause>,
    /// Faults of rules, which the server names after all others.
    pub(super) broken_rules: Vec<RefusalCause>,
    pub(super) not_judged: Vec<NotJudged>,
    pub(super) ratchet: &'a mut Ratchet,
    /// Whether the schema is the stored one.
    pub(super) is_unchanged: bool,
    /// The room for faults that show large values.
    pub(super) room: Room,
    /// Whether faults were left out.
    pub(super) is_cut: bool,
    pub(super) costs: Costs,
}

impl Schemas<'_> {
    /// Adds a fault that can show a large value, if there is room for it.
    fn add(&mut self, cause: impl FnOnce() -> RefusalCause) {
        if self.room.is_full() {
            if !self.is_cut {
                self.not_judged.push(NotJudged::more_causes());
            }
            self.is_cut = true;
        } else {
            let cause = cause();
            self.room.take(&cause);
            self.faults.push(cause);
        }
    }

    /// Checks the schema of a version.
    pub(super) fn check(&mut self, schema: Part<'_>, path: &Path<'_>) {
        let place = Surroundings { values: Some(1), ..Surroundings::default() };
        check_part(schema, true, place, path, self);
        self.broken_rules.extend(self.costs.causes(path));
    }
}

/// Returns `true` for a schema that can have faults only in the schemas below it, as most are.
fn is_plain(schema: Part<'_>) -> bool {
    let of_type = schema.text("type");
    schema.is_plain()
        && (of_type.is_empty() || TYPES.contains(&of_type))
        && schema.list("items").is_empty()
}

fn check_part<'a>(
    schema: Part<'_>,
    root: bool,
    place: Surroundings<'a>,
    path: &'a Path<'a>,
    judged: &mut Schemas<'_>,
) {
    let place = Surroundings {
        faults: judged.faults.len(),
        broken_rules: judged.broken_rules.len(),
        ..place
    };
    let is_plain = is_plain(schema);
    if !is_plain {
        check_keywords(schema, place, path, judged);
    }
    let most = most_parts(schema);
    let values = place.values.zip(most).map(|(values, most)| values.saturating_mul(most));
    let below = Surroundings { values, ..place };
    check_additional(schema, below, path, judged);
    check_properties(schema, root, below, path, judged);
    if is_plain {
        return check_items(schema, below, path, judged);
    }
    check_others(schema, below, path, judged);
    if schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(false)) {
        let path = path.field("x-kubernetes-preserve-unknown-fields");
        judged.faults.push(RefusalCause::invalid_value(
            path,
            &false.into(),
            "must be true or undefined",
        ));
    }
    check_map_type(schema, path, &mut judged.faults);
    check_list_type(schema, path, judged);
    check_keys(schema, path, judged);
    check_items_of_keyed_list(schema, path, judged);
    check_rules(schema, root, place, path, judged);
}

/// Checks for keywords that no schema may have, and for those that the place forbids.
fn check_keywords(
    schema: Part<'_>,
    place: Surroundings<'_>,
    path: &Path<'_>,
    judged: &mut Schemas<'_>,
) {
    let Schemas { faults: causes, ratchet, .. } = judged;
    let name = schema.text("type");
    if !name.is_empty() && !TYPES.contains(&name) && ratchet.counts(Ratcheted::Types) {
        causes.push(not_supported(path.field("type"), name, &TYPES));
    }
    forbid_default(schema, place, path, causes);
    forbid_keywords(schema, path, causes);
    if name == "null" {
        let detail = "type cannot be set to null, use nullable as an alternative";
        causes.push(RefusalCause::forbidden(path.field("type"), detail));
    }
    if !schema.list("items").is_empty() {
        let detail = "items must be a schema object and not an array";
        causes.push(RefusalCause::forbidden(path.field("items"), detail));
    }
    if place.in_meta && schema.is("x-kubernetes-embedded-resource") {
        let path = path.field("x-kubernetes-embedded-resource");
        causes.push(RefusalCause::forbidden(path, "must not be used inside of resource meta"));
    }
    if schema.is("uniqueItems") {
        let detail =
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        causes.push(RefusalCause::forbidden(path.field("uniqueItems"), detail));
    }
}

fn forbid_default(
    schema: Part<'_>,
    place: Surroundings<'_>,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    if schema.has("default")
        && let Some(reason) = place.no_default
    {
        let detail = match reason {
            NoDefault::TopLevel(name) => format!("must not be set in top-level {name}"),
            NoDefault::Additional => {
                "must not be set inside additionalProperties applying to object metadata".to_owned()
            }
        };
        causes.push(RefusalCause::forbidden(path.field("default"), detail));
    }
}

/// Keywords of JSON Schema that no definition may have.
fn forbid_keywords(schema: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    for keyword in
        ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"]
    {
        let present = match keyword {
            "id" => !schema.text(keyword).is_empty(),
            "patternProperties" | "definitions" => schema.has_some(keyword),
            _ => schema.has(keyword),
        };
        if present {
            causes.push(RefusalCause::forbidden(
                path.field(keyword),
                format!("{keyword} is not supported"),
            ));
        }
    }
}

/// Checks the schema of all items.
fn check_items<'a>(
    schema: Part<'_>,
    place: Surroundings<'a>,
    path: &'a Path<'a>,
    judged: &mut Schemas<'_>,
) {
    let Some(part) = schema.part("items") else { return };
    let items = if schema.text("x-kubernetes-list-type") == "map" {
        place
    } else {
        Surroundings { uncorrelated: place.uncorrelated.or(Some(path)), ..place }
    };
    check_part(part, false, items, &path.field("items"), judged);
}

/// Checks the schemas in a schema that are not of its fields.
fn check_others<'a>(
    schema: Part<'_>,
    place: Surroundings<'a>,
    path: &'a Path<'a>,
    judged: &mut Schemas<'_>,
) {
    if let Some(part) = schema.part("not") {
        check_part(part, false, place, &path.field("not"), judged);
    }
    check_items(schema, place, path, judged);
    for keyword in ["allOf", "oneOf", "anyOf", "items"] {
        let path = path.field(keyword);
        for (at, part) in schema.parts(keyword).enumerate() {
            check_part(part, false, place, &path.index(at), judged);
        }
    }
    for keyword in ["definitions", "dependencies"] {
        let path = path.field(keyword);
        for (name, part) in schema.map(keyword) {
            check_part(part, false, place, &path.key(name), judged);
        }
    }
}

fn check_additional(
    schema: Part<'_>,
    place: Surroundings<'_>,
    path: &Path<'_>,
    judged: &mut Schemas<'_>,
) {
    let Some(additional) = schema.get("additionalProperties") else { return };
    let path = path.field("additionalProperties");
    if schema.has_some("properties") && additional != &Value::Bool(true) {
        let detail = "additionalProperties and properties are mutual exclusive";
        judged.faults.push(RefusalCause::forbidden(path, detail));
    }
    if let Some(additional) = Part::from_value(additional) {
        let no_default = if place.in_meta { Some(NoDefault::Additional) } else { place.no_default };
        check_part(additional, false, Surroundings { no_default, ..place }, &path, judged);
    }
}

fn check_properties<'a>(
    schema: Part<'_>,
    root: bool,
    place: Surroundings<'a>,
    path: &'a Path<'a>,
    judged: &mut Schemas<'_>,
) {
    let is_object = root || schema.is("x-kubernetes-embedded-resource");
    let properties = path.field("properties");
    let place = if has_known_map_type(schema) {
        place
    } else {
        Surroundings { uncorrelated: place.uncorrelated.or(Some(path)), ..place }
    };
    for (name, property) in schema.map("properties") {
        let mut place = place;
        if is_object && matches!(name, "metadata" | "kind" | "apiVersion") {
            place.in_meta = true;
            if root {
                place.no_default = Some(NoDefault::TopLevel(name));
            }
        }
        check_part(property, false, place, &properties.key(name), judged);
    }
}

/// Returns `true` if servers match the values of fields with the earlier values of the same fields.
fn has_known_map_type(schema: Part<'_>) -> bool {
    schema
        .optional("x-kubernetes-map-type")
        .is_none_or(|map_type| matches!(map_type, "atomic" | "granular"))
}

fn check_map_type(schema: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let Some(map_type) = schema.optional("x-kubernetes-map-type") else { return };
    if schema.text("type") != "object" {
        let detail = "must be object if x-kubernetes-map-type is specified";
        must_be(schema.text("type"), &path.field("type"), detail, causes);
    }
    if !matches!(map_type, "atomic" | "granular") {
        causes.push(not_supported(
            path.field("x-kubernetes-map-type"),
            map_type,
            &["atomic", "granular"],
        ));
    }
}

fn check_list_type(schema: Part<'_>, path: &Path<'_>, judged: &mut Schemas<'_>) {
    let Schemas { faults: causes, ratchet, .. } = judged;
    let Some(list_type) = schema.optional("x-kubernetes-list-type") else { return };
    if schema.text("type") != "array" {
        let detail = "must be array if x-kubernetes-list-type is specified";
        must_be(schema.text("type"), &path.field("type"), detail, causes);
    } else if list_type == "set"
        && let Some(items) = schema.part("items")
    {
        let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        let path = path.field("items");
        // The server shows the list type in both cases.
        let shown = items.optional("x-kubernetes-list-type");
        let broken = match items.text("type") {
            "array" if shown.is_some_and(|shown| shown != "atomic") => {
                Some("x-kubernetes-list-type")
            }
            "object" if items.text("x-kubernetes-map-type") != "atomic" => {
                Some("x-kubernetes-map-type")
            }
            _ => None,
        };
        if let Some(keyword) = broken
            && ratchet.counts(Ratcheted::ItemsOfSets)
        {
            let shown = shown.map_or(Value::Null, Value::from);
            causes.push(RefusalCause::invalid_value(path.field(keyword), &shown, detail));
        }
    }
    if !matches!(list_type, "atomic" | "set" | "map") {
        causes.push(not_supported(
            path.field("x-kubernetes-list-type"),
            list_type,
            &["atomic", "set", "map"],
        ));
    }
}

/// Checks the keys of a list that is a map.
fn check_keys(schema: Part<'_>, path: &Path<'_>, judged: &mut Schemas<'_>) {
    let causes = &mut judged.faults;
    let keys: Vec<_> = schema.texts("x-kubernetes-list-map-keys").collect();
    let list_type = schema.optional("x-kubernetes-list-type");
    let (type_path, keys_path) =
        (path.field("x-kubernetes-list-type"), path.field("x-kubernetes-list-map-keys"));
    if !keys.is_empty() {
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        match list_type {
            None => causes.push(RefusalCause::required(type_path, detail)),
            Some("map") => {}
            Some(other) => causes.push(RefusalCause::invalid(type_path, other, detail)),
        }
    }
    if list_type != Some("map") {
        return;
    }
    if keys.is_empty() {
        causes.push(RefusalCause::required(
            keys_path,
            "must not be empty if x-kubernetes-list-type is map",
        ));
    }
    check_key_fields(schema, &keys, path, judged);
}

/// Checks that the keys are scalar fields of the items.
fn check_key_fields(schema: Part<'_>, keys: &[&str], path: &Path<'_>, judged: &mut Schemas<'_>) {
    let items_path = path.field("items");
    let Some(items) = schema.part("items") else {
        judged.faults.push(no_schema_of_items(schema, items_path));
        return;
    };
    if items.text("type") != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        let cause = RefusalCause::invalid(items_path.field("type"), items.text("type"), detail);
        return judged.faults.push(cause);
    }
    let keys_path = path.field("x-kubernetes-list-map-keys");
    let all = schema.get("x-kubernetes-list-map-keys").unwrap_or(&Value::Null);
    let mut seen = HashSet::new();
    for key in keys {
        match items.member("properties", key) {
            None => judged.add(|| {
                RefusalCause::invalid_value(
                    keys_path,
                    all,
                    "entries must all be names of item properties",
                )
            }),
            Some(property) if matches!(property.text("type"), "array" | "object") => {
                let properties = items_path.field("properties");
                let path = properties.key(key);
                let detail =
                    "must be a scalar type if parent array's x-kubernetes-list-type is map";
                // The server shows the type of the item.
                judged.add(|| RefusalCause::invalid(path.field("type"), "object", detail));
            }
            Some(_) => {}
        }
        if !seen.insert(key) {
            judged.add(|| {
                RefusalCause::invalid_value(keys_path, all, "must not contain duplicate entries")
            });
        }
    }
}

/// The cause of a list of maps whose items have no schema of their own.
fn no_schema_of_items(schema: Part<'_>, path: Path<'_>) -> RefusalCause {
    let Some(items) = schema.get("items") else {
        return RefusalCause::required(path, "must have a schema if x-kubernetes-list-type is map");
    };
    let detail = "must only have a single schema if x-kubernetes-list-type is map";
    let message = format!("Invalid value: {}: {detail}", dump_items(items));
    RefusalCause { reason: Reason::Invalid, field: path.to_string(), message }
}

/// Items of sets and maps are never null, and the keys of a map are always there.
fn check_items_of_keyed_list(schema: Part<'_>, path: &Path<'_>, judged: &mut Schemas<'_>) {
    let Schemas { faults, ratchet, .. } = judged;
    let mut forbid = |cause: RefusalCause| {
        if ratchet.counts(Ratcheted::ItemsOfKeyedLists) {
            faults.push(cause);
        }
    };
    let list_type = schema.text("x-kubernetes-list-type");
    let (true, Some(items)) = (matches!(list_type, "set" | "map"), schema.part("items")) else {
        return;
    };
    let items_path = path.field("items");
    if items.is("nullable") {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        forbid(RefusalCause::forbidden(items_path.field("nullable"), detail));
    }
    if list_type == "set" {
        return;
    }
    let properties = items_path.field("properties");
    let required: HashSet<&str> = items.texts("required").collect();
    for key in schema.texts("x-kubernetes-list-map-keys") {
        let Some(property) = items.member("properties", key) else { continue };
        let path = properties.key(key);
        if !required.contains(key) && !property.has("default") {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required \
                          property";
            forbid(RefusalCause::required(path.field("default"), detail));
        }
        if property.is("nullable") {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            forbid(RefusalCause::forbidden(path.field("nullable"), detail));
        }
    }
}

/// Checks the rules of a schema. Their expressions are compiled only where the schema has no other fault.
fn check_rules(
    schema: Part<'_>,
    root: bool,
    place: Surroundings<'_>,
    path: &Path<'_>,
    judged: &mut Schemas<'_>,
) {
    if !schema.has_some("x-kubernetes-validations") {
        return;
    }
    let scope = RuleScope { release: judged.release, is_root: root };
    let value = Value::Object(schema.0.clone());
    let list = path.field("x-kubernetes-validations");
    let is_typed = Rules::have_a_type(&value, scope);
    let (rules, errors) = Rules::compile_each(&value, scope);
    // The causes of a rule, in the order of the rules: its cost, its expression, its message, the earlier value.
    let mut causes = take_errors(errors, schema, &list, judged);
    if judged.faults.len() > place.faults || !judged.compiles {
        judged.broken_rules.truncate(place.broken_rules);
        return;
    }
    if !is_typed {
        let message = "Internal error: internal error: failed to retrieve type information for x-kubernetes-validations";
        let (field, message) = (list.to_string(), message.to_owned());
        return judged.broken_rules.push(RefusalCause { reason: Reason::Internal, field, message });
    }
    for (rule, _) in rules.not_judged() {
        let (field, rule) = (path.to_string(), rule_text(schema, rule));
        judged.not_judged.push(NotJudged { field, rule });
    }
    add_costs(&rules, values(place.values, &rules), (path, &list), judged, &mut causes);
    if let Some(around) = place.uncorrelated {
        let detail = format!(
            "oldSelf cannot be used on the uncorrelatable portion of the schema within {around}"
        );
        causes.extend(rules.transition_rules().map(|rule| {
            let field = list.index(rule).field("rule").to_string();
            let cause = RefusalCause::invalid(field, &rule_text(schema, rule), detail.clone());
            ((rule, rank(RulePart::OptionalOldSelf)), cause)
        }));
    }
    causes.sort_by_key(|(at, _)| *at);
    judged.broken_rules.extend(causes.into_iter().map(|(_, cause)| cause));
}

/// The causes of rules: each with the index of its rule, and its place among the causes of that.
type RuleCauses = Vec<((usize, u8), RefusalCause)>;

/// Adds the costs of the rules of a node, and the causes of those that cost too much.
fn add_costs(
    rules: &Rules,
    values: u64,
    (path, list): (&Path<'_>, &Path<'_>),
    judged: &mut Schemas<'_>,
    causes: &mut RuleCauses,
) {
    let node = path.pointer();
    for estimate in rules.estimates() {
        let field = list.index(estimate.rule).field(&estimate.part.to_string()).to_string();
        let at = if estimate.part == RulePart::Rule { 0 } else { rank(estimate.part) };
        let cause = judged.costs.add(estimate, field, &node, values);
        let cause = cause.filter(|_| !judged.is_unchanged);
        causes.extend(cause.map(|cause| ((estimate.rule, at), cause)));
    }
}

/// Adds the faults of the texts of rules, and returns the faults of their expressions.
fn take_errors(
    errors: Vec<RuleError>,
    schema: Part<'_>,
    list: &Path<'_>,
    judged: &mut Schemas<'_>,
) -> RuleCauses {
    let mut causes = Vec::new();
    for error in errors {
        let RuleError { rule, part, message, reason, is_broken_path, .. } = error;
        if is_broken_path && !can_be_structural(schema) {
            // The server then accepts any path.
            continue;
        }
        let is_about_text =
            matches!(part, RulePart::Message | RulePart::Reason | RulePart::FieldPath)
                || (matches!(part, RulePart::Rule | RulePart::MessageExpression)
                    && reason == Reason::Required);
        let field = list.index(rule).field(&part.to_string()).to_string();
        let cause = RefusalCause { reason, field, message };
        if is_about_text {
            judged.faults.push(cause);
        } else {
            causes.push(((rule, rank(part)), cause));
        }
    }
    causes
}

/// Where the causes about a field of a rule come, after the cost of the rule.
const fn rank(part: RulePart) -> u8 {
    match part {
        RulePart::Rule => 1,
        RulePart::MessageExpression => 2,
        _ => 3,
    }
}

/// Returns `true` if servers can make a structural schema of this one (`NewStructural` of apiextensions).
fn can_be_structural(schema: Part<'_>) -> bool {
    let texts = ["id", "$schema", "$ref"];
    let maps = ["patternProperties", "dependencies", "definitions"];
    let preserves = schema.get("x-kubernetes-preserve-unknown-fields");
    texts.iter().all(|name| schema.text(name).is_empty())
        && !maps.iter().any(|name| schema.has_some(name))
        && !schema.has("additionalItems")
        && schema.list("items").is_empty()
        && preserves != Some(&Value::Bool(false))
        && schema.below().all(can_be_structural)
}

fn rule_text(schema: Part<'_>, rule: usize) -> String {
    schema
        .parts("x-kubernetes-validations")
        .nth(rule)
        .map(|rule| rule.text("rule"))
        .unwrap_or_default()
        .to_owned()
}

/// A value that is not supported.
pub(super) fn not_supported(
    path: impl std::fmt::Display,
    value: &str,
    supported: &[&str],
) -> RefusalCause {
    let supported: Vec<_> = supported.iter().map(|value| GoQuoted(value).to_string()).collect();
    let detail = format!("supported values: {}", supported.join(", "));
    let message = format!("Unsupported value: {}: {detail}", GoQuoted(value));
    RefusalCause { reason: Reason::NotSupported, field: path.to_string(), message }
}

//! The rules for defaults: a default fits its schema and fulfils its rules as it is, without the defaults below it.

use k8s_versioned_names::Release;
use serde_json::Value;

use super::part::Part;
use crate::cause::{Cause, Causes, Reason, Shown};
use crate::embedded;
use crate::facts::Facts;
use crate::path::Path;
use crate::prune::prune;
use crate::rules::{Old, RuleJudge, RuleTree};
use crate::schema::{Findings, Judge, Schema};

/// Checks the defaults in the schema of a version.
pub(super) fn check(schema: Part<'_>, path: &Path<'_>, release: Release) -> Vec<Cause> {
    let mut causes = Vec::new();
    check_part(schema, Within { object: true, meta: false }, path, release, &mut causes);
    causes
}

/// Where a schema stands.
#[derive(Clone, Copy)]
struct Within {
    /// It is the schema of a whole object.
    object: bool,
    /// It is in the type or the metadata of an object.
    meta: bool,
}

fn check_part(
    schema: Part<'_>,
    within: Within,
    path: &Path<'_>,
    release: Release,
    causes: &mut Vec<Cause>,
) {
    let object = within.object || schema.is("x-kubernetes-embedded-resource");
    let own = Within { object, meta: within.meta && !object };
    if let Some(default) = schema.get("default") {
        check_default(schema, default, own, &path.field("default"), release, causes);
    }
    let within = Within { object: false, ..own };
    // Keys of a map have no defaults: the server never fills them in.
    if let Some(items) = schema.part("items") {
        check_part(items, within, &path.field("items"), release, causes);
    }
    let properties = path.field("properties");
    for (name, property) in schema.map("properties") {
        let meta = within.meta || (object && matches!(name, "metadata" | "apiVersion" | "kind"));
        check_part(property, Within { meta, ..within }, &properties.key(name), release, causes);
    }
}

fn check_default(
    part: Part<'_>,
    default: &Value,
    within: Within,
    path: &Path<'_>,
    release: Release,
    causes: &mut Vec<Cause>,
) {
    // Decoding has limited the depth, and the structure is sound, so there is a schema.
    let Some(schema) = compile(part, within, release) else { return };
    let facts = Facts::at(release);
    if !within.meta {
        let mut pruned = default.clone();
        prune(&mut pruned, Some(&schema), schema.embedded, &mut None);
        if pruned != *default {
            let (shown, detail) = (Shown::Value(default), "must not have unknown fields");
            causes.push(Cause::new(facts, Reason::Invalid, path, shown, detail));
        }
        let mut object = default.clone();
        if let Err(cause) = embedded::coerce(&mut object, &schema, path, facts, &mut None) {
            return causes.push(cause);
        }
        let mut inside = Causes::new(facts);
        embedded::check(&object, &schema, path, &mut inside);
        if !inside.all.is_empty() {
            return causes.append(&mut inside.all);
        }
    }
    let faults = check_value(&schema, default, facts);
    if faults.is_empty() {
        causes.append(&mut check_rules(part, within, &schema, default, path, release));
    }
    causes.extend(
        faults.into_iter().map(|cause| Cause { field: below(path, &cause.field), ..cause }),
    );
}

/// Judges the rules for a default twice: as a value that stays as it is, and as a new one.
fn check_rules(
    part: Part<'_>,
    within: Within,
    schema: &Schema,
    default: &Value,
    path: &Path<'_>,
    release: Release,
) -> Vec<Cause> {
    let Some(rules) = RuleTree::compile_part(&part.0.clone().into(), release, within.object) else {
        return Vec::new();
    };
    let judge = |old| {
        let mut judge = RuleJudge::new(Vec::new());
        judge.judge(&rules, schema, default, path, old);
        judge.into_checked().causes
    };
    let causes = judge(Old::value(default));
    if causes.is_empty() { judge(Old::default()) } else { causes }
}

/// Returns `true` if a schema refuses its default.
pub(super) fn is_refused(part: Part<'_>, root: bool, release: Release) -> bool {
    let Some(default) = part.get("default") else { return false };
    let object = root || part.is("x-kubernetes-embedded-resource");
    let mut causes = Vec::new();
    check_default(part, default, Within { object, meta: false }, &Path::Root, release, &mut causes);
    !causes.is_empty()
}

/// Compiles a schema. The schema of an object knows that its values have a type and metadata.
fn compile(part: Part<'_>, within: Within, release: Release) -> Option<Schema> {
    let mut schema = Schema::of_default(&Value::Object(part.0.clone()), release).ok()?;
    schema.embedded |= within.object;
    schema.below.embedded |= within.object;
    Some(schema)
}

fn check_value(schema: &Schema, value: &Value, facts: Facts) -> Vec<Cause> {
    let mut findings = Findings::default();
    Judge { facts, base: "" }.check(schema, value, None, &mut findings);
    findings.causes
}

/// The path of a field of a default.
fn below(path: &Path<'_>, field: &str) -> String {
    match field {
        "" | "<nil>" => path.to_string(),
        field => format!("{path}.{field}"),
    }
}

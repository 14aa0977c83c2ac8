//! The rules for defaults: a default fits its schema and fulfils its rules as it is, without the defaults below it.

use std::cell::{Cell, RefCell};

use k8s_cel::regex::Patterns;
use k8s_versioned_core::Release;
use serde_json::{Map, Value, json};

use super::judged::Judged;
use super::part::Part;
use super::ratcheted_rules::{Ratchet, Ratcheted};
use crate::answer::{Causes, NotJudged, Reason, RefusalCause, Shown};
use crate::facts::Facts;
use crate::meter::Meter;
use crate::path::{Path, UnknownFields};
use crate::schema::{Findings, Judge, Old, RuleJudge, Schema};
use crate::values::{embedded, prune, prune_defaults};

/// Checks the defaults in the schema of a version.
pub(super) fn check(schema: Part<'_>, path: &Path<'_>, judged: &mut Judged) -> Vec<RefusalCause> {
    let Some(with_defaults) = only_defaults(schema) else { return Vec::new() };
    let release = judged.release;
    let limits = Limits::default();
    let mut found =
        Found { release, ratchet: &mut judged.ratchet, causes: Vec::new(), limits: &limits };
    // Decoding has limited the depth, and the structure is sound, so there is a schema.
    if let Some(compiled) = compile(with_defaults, true, release, &judged.patterns) {
        check_part(schema, &compiled, Within::object(&compiled), path, &mut found);
    }
    if limits.are_spent() {
        judged.not_judged.push(NotJudged::whole(TOO_MANY_DEFAULTS));
    }
    found.causes
}

/// The description of defaults that are too many to be judged.
const TOO_MANY_DEFAULTS: &str = "some defaults: all together they take more than five million steps, or rules with a cost of four million";

/// The units of cost that the rules for all defaults may spend together. Servers have a limit for each rule.
const COST_OF_DEFAULTS: u64 = 4_000_000;

/// Returns `true` if a schema or a schema in it has a default.
pub(super) fn has_default(schema: Part<'_>) -> bool {
    schema.has("default") || schema.below().any(has_default)
}

/// Keywords of a schema that do not judge the defaults in its properties and items, and these themselves.
const NOT_BELOW: [&str; 9] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "description",
    "items",
    "not",
    "oneOf",
    "properties",
    "x-kubernetes-validations",
];

/// The parts of a schema that judge its defaults: most of a schema has none, and takes long to compile.
fn only_defaults(schema: Part<'_>) -> Option<Map<String, Value>> {
    if schema.has("default") {
        return Some(schema.0.clone());
    }
    let items = schema.part("items").and_then(only_defaults);
    let inner = schema.map("properties");
    let inner =
        inner.filter_map(|(name, part)| Some((name.to_owned(), only_defaults(part)?.into())));
    let properties: Map<String, Value> = inner.collect();
    if items.is_none() && properties.is_empty() {
        return None;
    }
    let own = schema.0.iter().filter(|(name, _)| !NOT_BELOW.contains(&name.as_str()));
    let mut kept: Map<String, Value> =
        own.map(|(name, value)| (name.clone(), value.clone())).collect();
    kept.extend(items.map(|items| ("items".to_owned(), items.into())));
    kept.insert("properties".to_owned(), properties.into());
    Some(kept)
}

/// Compiles a schema with its rules once for the defaults in all of it, if it can be. The schema of a whole object knows that its values
/// have a type and metadata.
pub(super) fn compile(
    schema: Map<String, Value>,
    is_object: bool,
    release: Release,
    patterns: &RefCell<Patterns>,
) -> Option<Schema> {
    let mut schema = Schema::of_default(&schema.into(), is_object, release, patterns).ok()?;
    prune_defaults(&mut schema);
    Some(schema)
}

/// What has been found in the defaults of a schema.
struct Found<'a> {
    release: Release,
    ratchet: &'a mut Ratchet,
    causes: Vec<RefusalCause>,
    limits: &'a Limits,
}

/// The budget that all defaults of a definition share.
#[derive(Debug)]
pub(super) struct Limits {
    steps: Meter,
    /// The cost of rules that is left, unless it is spent.
    cost: Cell<Option<u64>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: Meter::default(), cost: Cell::new(Some(COST_OF_DEFAULTS)) }
    }
}

impl Limits {
    const fn are_spent(&self) -> bool {
        self.steps.is_spent() || self.cost.get().is_none()
    }
}

/// The place of a schema.
#[derive(Clone, Copy)]
struct Within<'a> {
    /// It is the schema of a whole object.
    object: bool,
    /// It is in the type or the metadata of an object.
    meta: bool,
    /// The schema of the object, and the place in it.
    root: &'a Schema,
    place: &'a Path<'a>,
}

impl<'a> Within<'a> {
    const fn object(root: &'a Schema) -> Self {
        Self { object: true, meta: false, root, place: &Path::Root }
    }
}

fn check_part(
    part: Part<'_>,
    schema: &Schema,
    within: Within<'_>,
    path: &Path<'_>,
    found: &mut Found<'_>,
) {
    let object = within.object || schema.embedded;
    let own = if object { Within::object(schema) } else { within };
    if let Some(default) = part.get("default") {
        check_default(schema, default, own, &path.field("default"), found);
    }
    let within = Within { object: false, ..own };
    // Keys of a map have no defaults: the server never fills them in.
    if let (Some(items), Some(schema)) = (part.part("items"), schema.items.as_deref()) {
        let place = &own.place.index(0);
        check_part(items, schema, Within { place, ..within }, &path.field("items"), found);
    }
    let properties = path.field("properties");
    for (name, property) in part.map("properties") {
        let Some(schema) = schema.properties.get(name) else { continue };
        let meta = within.meta || (object && matches!(name, "metadata" | "apiVersion" | "kind"));
        let within = Within { meta, place: &own.place.field(name), ..within };
        check_part(property, schema, within, &properties.key(name), found);
    }
}

fn check_default(
    schema: &Schema,
    default: &Value,
    within: Within<'_>,
    path: &Path<'_>,
    found: &mut Found<'_>,
) {
    let facts = Facts::at(found.release);
    // Servers read the metadata of embedded objects in place, so later messages lack its unknown fields.
    let mut coerced = default.clone();
    if within.meta {
        if let Some(fault) = fault_of_metadata(default, within, facts) {
            let (shown, detail) =
                (Shown::Value(default), format!("must result in valid metadata: {fault}"));
            let cause = RefusalCause::new(facts, Reason::Invalid, path, shown, detail);
            return found.causes.push(cause);
        }
    } else {
        let coercion =
            embedded::coerce(&mut coerced, schema, path, facts, &mut UnknownFields::Ignored);
        let mut pruned = default.clone();
        prune(&mut pruned, Some(schema), schema.embedded, &mut UnknownFields::Ignored);
        if pruned != *default && found.ratchet.counts(Ratcheted::PrunedDefaults) {
            let (shown, detail) = (Shown::Value(&coerced), "must not have unknown fields");
            found.causes.push(RefusalCause::new(facts, Reason::Invalid, path, shown, detail));
        }
        if let Err(cause) = coercion {
            return found.causes.push(cause);
        }
        let mut inside = Causes::new(facts);
        embedded::check(&coerced, schema, path, &mut inside);
        if !inside.all.is_empty() {
            return found.causes.append(&mut inside.all);
        }
    }
    let mut findings = Findings::within(found.limits.steps.clone());
    Judge { facts, base: "" }.check(schema, &coerced, None, &mut findings);
    let faults = findings.into_causes(&found.limits.steps);
    if faults.is_empty() && !found.limits.are_spent() {
        check_rules(schema, &coerced, path, found);
    }
    found.causes.extend(
        faults.into_iter().map(|cause| RefusalCause { field: below(path, &cause.field), ..cause }),
    );
}

/// Checks an object that consists of this default of its metadata.
fn fault_of_metadata(default: &Value, within: Within<'_>, facts: Facts) -> Option<String> {
    let schema = within.root;
    let mut object = value_around(default.clone(), within.place);
    let members = object.as_object_mut()?;
    members.entry("apiVersion").or_insert_with(|| "validation/v1".into());
    members.entry("kind").or_insert_with(|| "Validation".into());
    if let Err(cause) =
        embedded::coerce(&mut object, schema, &Path::Root, facts, &mut UnknownFields::Ignored)
    {
        return Some(cause.to_string());
    }
    let mut inside = Causes::new(facts);
    embedded::check(&object, schema, &Path::Root, &mut inside);
    let mut faults: Vec<String> = inside.all.iter().map(ToString::to_string).collect();
    faults.dedup();
    if faults.len() > 1 { Some(format!("[{}]", faults.join(", "))) } else { faults.pop() }
}

/// A value with the objects and lists around it.
fn value_around(value: Value, place: &Path<'_>) -> Value {
    match place {
        Path::Root => value,
        Path::Field(around, name) | Path::Key(around, name) => {
            value_around(json!({ *name: value }), around)
        }
        Path::Index(around, _) => value_around(json!([value]), around),
    }
}

/// Judges the rules for a default twice: as a value that stays as it is, and as a new one.
fn check_rules(schema: &Schema, default: &Value, path: &Path<'_>, found: &mut Found<'_>) {
    for old in [Old::value(default), Old::default()] {
        let Some(left) = found.limits.cost.get() else { return };
        let mut judge = RuleJudge::new(Causes::new(Facts::at(found.release)));
        judge.judge(schema, default, path, old);
        found.limits.cost.set(left.checked_sub(judge.cost()));
        let mut causes = judge.into_checked().causes;
        if !causes.is_empty() {
            return found.causes.append(&mut causes);
        }
    }
}

/// Returns `true` if a schema refuses its default. The schema is compiled with the one around it, if that could be.
pub(super) fn is_refused(
    part: Part<'_>,
    compiled: Option<&Schema>,
    release: Release,
    limits: &Limits,
) -> bool {
    let (Some(default), Some(schema), false) = (part.get("default"), compiled, limits.are_spent())
    else {
        return false;
    };
    let mut ratchet = Ratchet::default();
    let mut found = Found { release, ratchet: &mut ratchet, causes: Vec::new(), limits };
    let within = Within { object: schema.embedded, ..Within::object(schema) };
    check_default(schema, default, within, &Path::Root, &mut found);
    !found.causes.is_empty()
}

/// The path of a field of a default.
fn below(path: &Path<'_>, field: &str) -> String {
    match field {
        "" | "<nil>" => path.to_string(),
        field => format!("{path}.{field}"),
    }
}

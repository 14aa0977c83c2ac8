//! Limits that a schema lacks and that would make its rules cheaper.

use k8s_cel::cost::EXPRESSION_LIMIT;
use k8s_versioned_names::Release;
use serde_json::Value;

use super::costs::{Costs, ExpressionCost};
use super::openapi::Schemas;
use super::part::Part;
use super::ratchet::Ratchet;
use crate::answer::Room;
use crate::path::Path;

/// The estimated cost of an expression of a definition, and the limits that would lower it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CostExplanation {
    /// The version with the expression.
    pub version: String,
    /// The field of the version's schema with the expression: `properties[spec].x-kubernetes-validations[0].rule`.
    pub field: String,
    /// The expression.
    pub text: String,
    /// The estimated cost of all evaluations.
    pub cost: u64,
    /// Limits that the schema lacks and that would lower the cost, most first. Only for an expression that takes at least a
    /// hundredth of what servers allow.
    pub bounds: Vec<Bound>,
}

impl CostExplanation {
    /// The share of the cost that servers allow for an expression. Above 1 they refuse the definition.
    #[allow(clippy::cast_precision_loss, reason = "a share is approximate")]
    pub fn share(&self) -> f64 {
        self.cost as f64 / EXPRESSION_LIMIT as f64
    }
}

/// A limit that a schema could have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bound {
    /// The place in the version's schema: `properties[spec].properties[items]`.
    pub field: String,
    /// `maxItems`, `maxLength` or `maxProperties`.
    pub keyword: &'static str,
    /// A usual limit, for which the cost is estimated.
    pub value: u64,
    /// The cost of the expression with this limit and no other new one.
    pub cost: u64,
}

/// How many open places are tried for a version.
const MOST_PLACES: usize = 256;

/// Explains the estimated costs of the rules of a definition, the most expensive first. Schemas with other faults have none.
///
/// ```
/// use k8s_versioned_admission::definition::explain_costs;
/// use k8s_versioned_names::Release;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
///     "hosts": {
///         "type": "array",
///         "items": {"type": "string", "maxLength": 253},
///         "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
///     },
/// }}}});
/// let definition = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}});
/// let explained = explain_costs(&definition, Release::new(1, 36));
/// assert!(explained[0].share() > 1.0);
/// let bound = &explained[0].bounds[0];
/// assert_eq!((bound.field.as_str(), bound.keyword), ("properties[spec].properties[hosts]", "maxItems"));
/// assert!(bound.cost < 10_000_000);
/// ```
pub fn explain_costs(definition: &Value, release: Release) -> Vec<CostExplanation> {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let mut explained = Vec::new();
    for version in versions.into_iter().flatten() {
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema") {
            explained.extend(of_schema(schema, name, release));
        }
    }
    explained.sort_by_key(|explanation: &CostExplanation| std::cmp::Reverse(explanation.cost));
    explained
}

fn of_schema(schema: &Value, version: &str, release: Release) -> Vec<CostExplanation> {
    let costs = costs(schema, release);
    let mut places = Vec::new();
    find_places(schema, &mut Place::default(), &mut places);
    let counts = |cost: &ExpressionCost| cost.total() >= EXPRESSION_LIMIT / 100;
    let near: Vec<Open> = places
        .into_iter()
        .filter(|place| costs.iter().any(|cost| counts(cost) && place.is_near(&cost.field)))
        .take(MOST_PLACES)
        .collect();
    let with_bound: Vec<(Open, Vec<ExpressionCost>)> = near
        .into_iter()
        .filter_map(|place| {
            let mut bounded = schema.clone();
            let node = bounded.pointer_mut(&place.pointer)?.as_object_mut()?;
            node.insert(place.keyword.to_owned(), place.value.into());
            let costs = self::costs(&bounded, release);
            Some((place, costs))
        })
        .collect();
    let explain = |cost: &ExpressionCost| {
        let lower = with_bound.iter().filter_map(|(place, costs)| {
            let same = costs.iter().find(|own| own.field == cost.field)?;
            let bound = Bound {
                field: place.field.clone(),
                keyword: place.keyword,
                value: place.value,
                cost: same.total(),
            };
            (bound.cost < cost.total()).then_some(bound)
        });
        let mut bounds: Vec<Bound> = lower.collect();
        bounds.sort_by_key(|bound| bound.cost);
        CostExplanation {
            version: version.to_owned(),
            field: cost.field.clone(),
            text: text_at(schema, &cost.field),
            cost: cost.total(),
            bounds,
        }
    };
    costs.iter().map(explain).collect()
}

/// The estimated costs of a schema, with fields below it.
fn costs(schema: &Value, release: Release) -> Vec<ExpressionCost> {
    let Some(part) = Part::from_value(schema) else { return Vec::new() };
    let mut ratchet = Ratchet::default();
    let mut schemas = Schemas {
        release,
        compiles: true,
        faults: Vec::new(),
        broken_rules: Vec::new(),
        not_judged: Vec::new(),
        is_unchanged: false,
        ratchet: &mut ratchet,
        room: Room::default(),
        is_cut: false,
        costs: Costs::default(),
    };
    schemas.check(part, &Path::Root);
    schemas.costs.expressions
}

/// A place of a schema without a limit.
struct Open {
    field: String,
    pointer: String,
    keyword: &'static str,
    value: u64,
}

impl Open {
    /// Returns `true` for the values around an expression and those that it can read.
    fn is_near(&self, expression: &str) -> bool {
        let node = expression.split_once("x-kubernetes-validations").map_or("", |(node, _)| node);
        let node = node.trim_end_matches('.');
        self.field.starts_with(node) || node.starts_with(&self.field)
    }
}

/// A place of a schema, as servers name it and as a JSON pointer.
#[derive(Default)]
struct Place {
    field: String,
    pointer: String,
}

impl Place {
    /// Visits a part below, by its name in messages and its pointer.
    fn below(&mut self, field: &str, pointer: &str, visit: impl FnOnce(&mut Self)) {
        let (length, depth) = (self.field.len(), self.pointer.len());
        if !self.field.is_empty() {
            self.field.push('.');
        }
        self.field.push_str(field);
        self.pointer.push_str(pointer);
        visit(self);
        self.field.truncate(length);
        self.pointer.truncate(depth);
    }
}

fn find_places(schema: &Value, place: &mut Place, found: &mut Vec<Open>) {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str).unwrap_or_default();
    let is_open = |keyword: &str| schema.get(keyword).is_none();
    let is_bounded_text = matches!(text("format"), "duration" | "date" | "date-time");
    let int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    let bound: Option<(&'static str, u64)> = match text("type") {
        _ if int_or_string => Some(("maxLength", 32)),
        "array" => Some(("maxItems", 16)),
        "object" if schema.get("additionalProperties").is_some_and(Value::is_object) => {
            Some(("maxProperties", 16))
        }
        "string" if is_open("enum") && !is_bounded_text => Some(("maxLength", 63)),
        _ => None,
    };
    if let Some((keyword, value)) = bound.filter(|(keyword, _)| is_open(keyword)) {
        let (field, pointer) = (place.field.clone(), place.pointer.clone());
        found.push(Open { field, pointer, keyword, value });
    }
    for name in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(name).filter(|below| below.is_object()) {
            place.below(name, &format!("/{name}"), |place| find_places(below, place, found));
        }
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        place.below(&format!("properties[{name}]"), &format!("/properties/{escaped}"), |place| {
            find_places(below, place, found);
        });
    }
}

/// The expression of a field.
fn text_at(schema: &Value, field: &str) -> String {
    let mut found = String::new();
    let mut place = Place::default();
    find_text(schema, &mut place, field, &mut found);
    found
}

fn find_text(schema: &Value, place: &mut Place, field: &str, found: &mut String) {
    if !field.starts_with(&place.field) {
        return;
    }
    let rules = schema.get("x-kubernetes-validations").and_then(Value::as_array);
    for (index, rule) in rules.into_iter().flatten().enumerate() {
        for part in ["rule", "messageExpression"] {
            let dot = if place.field.is_empty() { "" } else { "." };
            let own = format!("{}{dot}x-kubernetes-validations[{index}].{part}", place.field);
            if own == field {
                found.push_str(rule.get(part).and_then(Value::as_str).unwrap_or_default());
            }
        }
    }
    for name in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(name).filter(|below| below.is_object()) {
            place.below(name, "", |place| find_text(below, place, field, found));
        }
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        place.below(&format!("properties[{name}]"), "", |place| {
            find_text(below, place, field, found);
        });
    }
}

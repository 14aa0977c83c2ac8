//! Limits that a schema lacks and that would make its rules cheaper.

use std::collections::BTreeMap;

use k8s_cel::cost::{EXPRESSION_LIMIT, SCHEMA_LIMIT};
use k8s_cel::{RulePart, RuleScope, Rules};
use k8s_versioned_core::{Release, pointer};
use serde_json::Value;

use super::costs::{Costs, ExpressionCost, most_parts};
use super::openapi::Schemas;
use super::part::Part;
use super::ratcheted_rules::Ratchet;
use crate::answer::Room;
use crate::path::Path;
use crate::work;

/// The estimated cost of an expression of a definition, and the limits that would lower it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CostExplanation {
    /// The version with the expression.
    pub version: String,
    /// The field of the version's schema with the expression: `properties[spec].x-kubernetes-validations[0].rule`.
    pub field: String,
    /// The JSON pointer of the expression in the definition.
    pub pointer: String,
    /// The expression.
    pub text: String,
    /// The estimated cost of all evaluations.
    pub cost: u64,
    /// Limits that the schema lacks and that would lower the cost, most first. Only for an expression that takes at least a
    /// hundredth of what servers allow, and only for the most expensive ones of a version if many do.
    pub bounds: Vec<Bound>,
}

impl CostExplanation {
    /// The share of the cost that servers allow for an expression. Above 1 they refuse the definition.
    #[allow(clippy::cast_precision_loss, reason = "a share is approximate")]
    pub fn share(&self) -> f64 {
        self.cost as f64 / EXPRESSION_LIMIT as f64
    }
}

/// The estimated cost of all expressions of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionCost {
    /// The version.
    pub version: String,
    /// The sum of the costs of its expressions.
    pub cost: u64,
}

impl VersionCost {
    /// The sums of the versions that have expressions, the most expensive first.
    pub fn sums(explained: &[CostExplanation]) -> Vec<Self> {
        let mut costs: BTreeMap<&str, u64> = BTreeMap::new();
        for CostExplanation { version, cost, .. } in explained {
            let sum = costs.entry(version).or_default();
            *sum = sum.saturating_add(*cost);
        }
        let sum = |(version, cost): (&str, u64)| Self { version: version.to_owned(), cost };
        let mut sums: Vec<Self> = costs.into_iter().map(sum).collect();
        sums.sort_by_key(|sum| std::cmp::Reverse(sum.cost));
        sums
    }

    /// The share of the cost that servers allow for a version. Above 1 they refuse the definition.
    #[allow(clippy::cast_precision_loss, reason = "a share is approximate")]
    pub fn share(&self) -> f64 {
        self.cost as f64 / SCHEMA_LIMIT as f64
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

/// How many limits are tried for the rules of a version. For each, a rule is compiled and its node is read.
const MOST_TRIES: usize = 256;

/// Explains the estimated costs of the rules of a definition, the most expensive first. Schemas with other faults have none.
///
/// ```
/// use k8s_versioned_admission::definition::{VersionCost, explain_costs};
/// use k8s_versioned_core::Release;
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
/// assert_eq!(VersionCost::sums(&explained)[0].cost, explained[0].cost);
/// ```
pub fn explain_costs(definition: &Value, release: Release) -> Vec<CostExplanation> {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let mut explained = Vec::new();
    for (at, version) in versions.into_iter().flatten().enumerate() {
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema") {
            let root = format!("/spec/versions/{at}/schema/openAPIV3Schema");
            explained.extend(of_schema(schema, &root, name, release));
        }
    }
    explained.sort_by_key(|explanation: &CostExplanation| std::cmp::Reverse(explanation.cost));
    explained
}

fn of_schema(schema: &Value, root: &str, version: &str, release: Release) -> Vec<CostExplanation> {
    let mut costs = costs(schema, release);
    costs.sort_by_key(|cost| std::cmp::Reverse(cost.total()));
    let mut places = Vec::new();
    if costs.first().is_some_and(counts) {
        find_places(schema, &mut SchemaPlace::default(), &mut places);
    }
    let mut tries = Tries { schema, release, places: &places, left: MOST_TRIES };
    let explain = |cost: &ExpressionCost| {
        let (rule, part) = cost.rule;
        let pointer = format!("{}/{RULES}/{rule}/{part}", cost.node);
        CostExplanation {
            version: version.to_owned(),
            field: cost.field.clone(),
            text: schema.pointer(&pointer).and_then(Value::as_str).unwrap_or_default().to_owned(),
            pointer: format!("{root}{pointer}"),
            cost: cost.total(),
            bounds: if counts(cost) { tries.bounds(cost).unwrap_or_default() } else { Vec::new() },
        }
    };
    costs.iter().map(explain).collect()
}

const RULES: &str = "x-kubernetes-validations";

/// Returns `true` if an expression takes so much that limits are named for it.
const fn counts(cost: &ExpressionCost) -> bool {
    cost.total() >= EXPRESSION_LIMIT / 100
}

/// Tries limits for one expression after the other.
struct Tries<'a> {
    schema: &'a Value,
    release: Release,
    places: &'a [Open],
    left: usize,
}

impl Tries<'_> {
    /// The limits that lower the cost of an expression: around its node, they lower the number of values, and from the node on
    /// they lower the cost of each.
    fn bounds(&mut self, cost: &ExpressionCost) -> Option<Vec<Bound>> {
        let mut bounds = Vec::new();
        let (rule, _) = cost.rule;
        let mut node = self.schema.pointer(&cost.node)?.clone();
        let rules = node.get_mut(RULES)?.as_array_mut()?;
        *rules = vec![rules.get(rule)?.clone()];
        for place in self.places {
            let total = match place.pointer.strip_prefix(&cost.node) {
                Some(below) if below.is_empty() || below.starts_with('/') => {
                    if self.left == 0 {
                        continue;
                    }
                    self.left -= 1;
                    let each = self.cost_with(&mut node, below, place, cost);
                    each.map(|each| each.saturating_mul(cost.values))
                }
                _ if is_around(&place.pointer, &cost.node) => self.values_with(place, cost),
                _ => None,
            };
            if let Some(total) = total.filter(|total| *total < cost.total()) {
                bounds.push(place.bound(total));
            }
        }
        bounds.sort_by_key(|bound| bound.cost);
        Some(bounds)
    }

    /// The cost of one evaluation with a limit in the node.
    fn cost_with(
        &self,
        node: &mut Value,
        below: &str,
        place: &Open,
        cost: &ExpressionCost,
    ) -> Option<u64> {
        work::step();
        let (_, part) = cost.rule;
        let scope = RuleScope { release: self.release, is_root: cost.node.is_empty() };
        let limited = node.pointer_mut(below)?.as_object_mut()?;
        limited.insert(place.keyword.to_owned(), place.value.into());
        let (rules, _) = Rules::compile_each(node, scope);
        node.pointer_mut(below)?.as_object_mut()?.remove(place.keyword);
        rules.estimates().find(|estimate| estimate.part == part).map(|estimate| estimate.cost)
    }

    /// The cost of all evaluations with a limit around the node, if all lists and maps around it then have one.
    fn values_with(&self, place: &Open, cost: &ExpressionCost) -> Option<u64> {
        if cost.rule.1 == RulePart::MessageExpression {
            return None;
        }
        let mut values = 1_u64;
        for around in nodes_around(&cost.node) {
            let most = if around == place.pointer {
                place.value
            } else {
                most_parts(Part::from_value(self.schema.pointer(around)?)?)?
            };
            values = values.saturating_mul(most);
        }
        Some(cost.each.saturating_mul(values))
    }
}

/// Returns `true` if a pointer is to a value around that of another.
fn is_around(pointer: &str, other: &str) -> bool {
    other.strip_prefix(pointer).is_some_and(|below| below.starts_with('/'))
}

/// The pointers of the schemas around a schema.
fn nodes_around(pointer: &str) -> Vec<&str> {
    let mut around = Vec::new();
    // A keyword such as `items` has a schema, others such as `properties` have several.
    let mut is_keyword = true;
    for (at, _) in pointer.match_indices('/') {
        let before = pointer.get(..at).unwrap_or_default();
        let token = pointer.get(at + 1..).unwrap_or_default().split('/').next().unwrap_or_default();
        if is_keyword {
            around.push(before);
        }
        is_keyword = !is_keyword || matches!(token, "items" | "additionalProperties" | "not");
    }
    around
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
    fn bound(&self, cost: u64) -> Bound {
        let Self { field, keyword, value, .. } = self;
        Bound { field: field.clone(), keyword, value: *value, cost }
    }
}

/// A place of a schema, as servers name it and as a JSON pointer.
#[derive(Default)]
struct SchemaPlace {
    field: String,
    pointer: String,
}

impl SchemaPlace {
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

fn find_places(schema: &Value, place: &mut SchemaPlace, found: &mut Vec<Open>) {
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
        let pointer = pointer::child("/properties", name);
        place.below(&format!("properties[{name}]"), &pointer, |place| {
            find_places(below, place, found);
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{MOST_TRIES, explain_costs, nodes_around};
    use crate::definition::tests::with_schema;
    use crate::work;
    use k8s_versioned_core::Release;

    #[test]
    fn the_schemas_around_a_schema() {
        assert_eq!(nodes_around(""), [""; 0]);
        assert_eq!(nodes_around("/properties/items/items"), ["", "/properties/items"]);
        assert_eq!(nodes_around("/items/allOf/0/properties/a"), ["", "/items", "/items/allOf/0"]);
    }

    /// Only rules that cost much are estimated again, and only for the places that they can read or that are around them.
    #[test]
    fn limits_are_tried_where_they_count() {
        let expensive = json!([{"rule": "self.all(x, self.all(y, x == y))"}]);
        let list = |rules: &Value| json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-validations": rules});
        let cheap = json!([{"rule": "size(self) >= 0"}]);
        let mut fields: Map<String, Value> =
            (0..400).map(|at| (format!("f{at}"), list(&cheap))).collect();
        fields.insert("hosts".to_owned(), list(&expensive));
        let inner = json!({"type": "object", "properties": fields});
        let schema =
            json!({"type": "object", "properties": {"spec": {"type": "array", "items": inner}}});
        let definition = with_schema(&schema);
        let mut explained = Vec::new();
        let steps = work::steps(|| explained = explain_costs(&definition, Release::new(1, 36)));
        assert!(steps <= MOST_TRIES as u64, "{steps}");
        assert_eq!(explained.len(), 401);
        let first = &explained[0];
        assert_eq!(definition.pointer(&first.pointer), Some(&expensive[0]["rule"]));
        assert_eq!(first.text, expensive[0]["rule"]);
        let bounds: Vec<(&str, &str)> =
            first.bounds.iter().map(|bound| (bound.field.as_str(), bound.keyword)).collect();
        let hosts = "properties[spec].items.properties[hosts]";
        assert_eq!(bounds.first(), Some(&(hosts, "maxItems")));
        assert!(bounds.contains(&("properties[spec]", "maxItems")), "{bounds:?}");
        for explanation in &explained {
            assert!(explanation.share() >= 0.01 || explanation.bounds.is_empty());
        }
    }
}

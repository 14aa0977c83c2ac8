//! The estimated costs of the rules of a definition, and the causes that follow.

use k8s_cel::cost::{EXPRESSION_LIMIT, SCHEMA_LIMIT, excess};
use k8s_cel::{Estimate, RulePart, Rules};

use super::part::Part;
use crate::answer::RefusalCause;
use crate::path::Path;

/// The estimated cost of an expression of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpressionCost {
    /// The field of the definition with the expression, as servers name it.
    pub field: String,
    /// The cost of one evaluation.
    pub each: u64,
    /// How many times servers count the expression: once for each of the most values that there can be. A message is counted once.
    pub values: u64,
    /// The JSON pointer of the node with the rule, in the schema of its version.
    pub(super) node: String,
    /// The number of the rule in the node, and the field of the rule.
    pub(super) rule: (usize, RulePart),
}

impl ExpressionCost {
    /// The cost of all evaluations, of which servers allow [`EXPRESSION_LIMIT`] for an expression.
    pub const fn total(&self) -> u64 {
        self.each.saturating_mul(self.values)
    }
}

/// The estimated costs of the expressions of one schema.
#[derive(Debug, Default)]
pub(super) struct Costs {
    pub(super) expressions: Vec<ExpressionCost>,
}

impl Costs {
    /// Adds an expression, and returns the cause if it costs more than one expression may.
    pub(super) fn add(
        &mut self,
        estimate: Estimate,
        field: String,
        node: &str,
        values: u64,
    ) -> Option<RefusalCause> {
        let (what, values) = match estimate.part {
            RulePart::MessageExpression => ("estimated messageExpression cost", 1),
            _ => ("estimated rule cost", values),
        };
        let (node, rule) = (node.to_owned(), (estimate.rule, estimate.part));
        let expression = ExpressionCost { field, each: estimate.cost, values, node, rule };
        let detail = excess(what, expression.total(), EXPRESSION_LIMIT);
        let cause = detail.map(|detail| RefusalCause::forbidden(&expression.field, detail));
        self.expressions.push(expression);
        cause
    }

    /// The causes if all expressions together cost more than a schema may: the most expensive ones, and the sum.
    pub(super) fn causes(&self, path: &Path<'_>) -> Vec<RefusalCause> {
        /// How many expressions servers name.
        const NAMED: usize = 4;
        let costs = self.expressions.iter().map(ExpressionCost::total);
        let total = costs.fold(0, u64::saturating_add);
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let Some(detail) = excess(what, total, SCHEMA_LIMIT) else { return Vec::new() };
        let counts = |cost: &&ExpressionCost| cost.total() >= SCHEMA_LIMIT / 100;
        let mut most: Vec<&ExpressionCost> = self.expressions.iter().filter(counts).collect();
        most.sort_by_key(|cost| std::cmp::Reverse(cost.total()));
        let mut causes: Vec<RefusalCause> = most
            .into_iter()
            .take(NAMED)
            .map(|cost| {
                let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
                RefusalCause::forbidden(&cost.field, detail)
            })
            .collect();
        causes.push(RefusalCause::forbidden(path, detail));
        causes
    }
}

/// How many values of a node servers count: those that the limits around it allow, or that fit into a request.
pub(super) fn values(bound: Option<u64>, rules: &Rules) -> u64 {
    bound.unwrap_or_else(|| rules.most_values())
}

/// The most values that a list or a map has for each part below it, if it has a limit.
pub(super) fn most_parts(schema: Part<'_>) -> Option<u64> {
    let limit = |keyword| {
        let limit = schema.get(keyword)?.as_i64()?;
        Some(limit.max(0).cast_unsigned())
    };
    match schema.text("type") {
        "array" => limit("maxItems"),
        "object" if schema.has("additionalProperties") => limit("maxProperties"),
        _ => Some(1),
    }
}

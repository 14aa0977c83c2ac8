//! The rules of a node of a schema: compiled once, and judged for each value.

pub mod field_path;
mod node;
mod outcome;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worst;

use k8s_versioned::field::Reason;
use k8s_versioned_core::Release;
use serde_json::Value as Json;

use crate::check::schema::Shape;
use crate::cost::REQUEST;
use crate::eval::value::{Fault, Value};
use crate::eval::{Budget, Cause, Program, run};
use crate::facts::Fact;
use crate::since::Facts;
pub use node::RuleNode;
use outcome::reason_named;
pub use outcome::{RuleError, RuleOutcome, RulePart, RuleViolation};
use source::Source;

/// Where a node with rules is, and which server has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleScope {
    /// The release of the server.
    pub release: Release,
    /// Whether the node is the root of a kind: its rules can read `apiVersion`, `kind`, `metadata.name` and
    /// `metadata.generateName`. Embedded resources are known by their schema.
    pub is_root: bool,
}

/// The `x-kubernetes-validations` of a node of a structural schema.
///
/// ```
/// use k8s_cel::{RuleOutcome, Rules, RuleScope};
/// use k8s_versioned_core::Release;
/// use serde_json::json;
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"min": {"type": "integer"}, "max": {"type": "integer"}},
///     "x-kubernetes-validations": [{"rule": "self.min <= self.max", "fieldPath": ".max"}],
/// });
/// let rules = Rules::compile(&schema, RuleScope { release: Release::new(1, 36), is_root: false }).unwrap();
/// let outcomes = rules.judge(&json!({"min": 2, "max": 1}), None);
/// let [RuleOutcome::Violated(violation)] = outcomes.as_slice() else { panic!() };
/// assert_eq!(violation.message, "Invalid value: failed rule: self.min <= self.max");
/// assert_eq!(violation.field_path.as_deref(), Some("max"));
/// ```
#[derive(Debug)]
pub struct Rules {
    shape: Shape,
    /// `type` of the schema, as errors print it.
    kind: String,
    facts: Facts,
    list: Vec<Rule>,
}

/// The estimated cost of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of the rule in `x-kubernetes-validations`.
    pub rule: usize,
    /// The field with the expression: `rule` or `messageExpression`.
    pub part: RulePart,
    /// The cost of one evaluation. Servers count a rule for each value that there can be, and a message once.
    pub cost: u64,
}

#[derive(Debug)]
struct Rule {
    source: Source,
    program: CompiledExpression,
    message_expression: Option<CompiledExpression>,
    field_path: Option<String>,
}

#[derive(Debug)]
enum CompiledExpression {
    /// Servers ignore a rule without text that they once stored.
    Empty,
    Runs {
        program: Box<Program>,
        uses_old_self: bool,
        /// The estimated cost of one evaluation.
        cost: u64,
    },
    /// The server's words for a rule that it stored and refuses now.
    Broken(String),
    NotJudged(String),
}

impl Rules {
    /// Returns `true` if there is nothing to judge.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The numbers of the rules that compare with the earlier value. Servers refuse them where values cannot be matched with
    /// earlier ones, such as in lists that are not maps.
    pub fn transition_rules(&self) -> impl Iterator<Item = usize> + '_ {
        let uses = |rule: &Rule| {
            matches!(rule.program, CompiledExpression::Runs { uses_old_self: true, .. })
        };
        self.list.iter().enumerate().filter(move |(_, rule)| uses(rule)).map(|(index, _)| index)
    }

    /// The most values of the node that fit into a request, if the lists around it have no limit.
    pub fn most_values(&self) -> u64 {
        // Each value has a comma.
        REQUEST / (self.shape.min_bytes + 1)
    }

    /// The estimated costs of the expressions, as servers compute them when a definition is created: of the rules and
    /// of their message expressions. An expression that is not compiled costs nothing.
    pub fn estimates(&self) -> impl Iterator<Item = Estimate> + '_ {
        let cost = |program: &CompiledExpression| match program {
            CompiledExpression::Runs { cost, .. } => *cost,
            CompiledExpression::Empty
            | CompiledExpression::Broken(_)
            | CompiledExpression::NotJudged(_) => 0,
        };
        self.list.iter().enumerate().flat_map(move |(index, rule)| {
            let own = Estimate { rule: index, part: RulePart::Rule, cost: cost(&rule.program) };
            let message = rule.message_expression.as_ref().map(|message| Estimate {
                rule: index,
                part: RulePart::MessageExpression,
                cost: cost(message),
            });
            std::iter::once(own).chain(message)
        })
    }

    /// The numbers of the rules that are never judged here, with the reason.
    pub fn not_judged(&self) -> impl Iterator<Item = (usize, &str)> {
        self.list.iter().enumerate().filter_map(|(index, rule)| match &rule.program {
            CompiledExpression::NotJudged(reason) => Some((index, reason.as_str())),
            _ => None,
        })
    }

    /// Judges a value that the schema accepts, with the value before the update if there is one. Null has no rules.
    pub fn judge(&self, value: &Json, old: Option<&Json>) -> Vec<RuleOutcome> {
        self.judge_within(value, old, &mut Budget::default())
    }

    /// As [`judge`](Self::judge), for a part of an object, whose rules share a budget. Where a server stops for lack of it, the
    /// last outcome reports that, and no later rule of the object has an outcome.
    pub fn judge_within(
        &self,
        value: &Json,
        old: Option<&Json>,
        budget: &mut Budget,
    ) -> Vec<RuleOutcome> {
        if value.is_null() {
            return Vec::new();
        }
        let old = old.filter(|old| !old.is_null());
        let mut outcomes = Vec::new();
        for (index, rule) in self.list.iter().enumerate() {
            if budget.cost_left().is_none() {
                break;
            }
            outcomes.extend(self.judge_rule(index, rule, value, old, budget));
        }
        outcomes
    }

    fn judge_rule(
        &self,
        index: usize,
        rule: &Rule,
        value: &Json,
        old: Option<&Json>,
        budget: &mut Budget,
    ) -> Option<RuleOutcome> {
        let (program, uses_old_self) = match &rule.program {
            CompiledExpression::Empty => return None,
            CompiledExpression::Runs { program, uses_old_self, .. } => (program, *uses_old_self),
            CompiledExpression::Broken(error) => {
                return Some(self.failed(index, &format!("rule compile error: {error}")));
            }
            CompiledExpression::NotJudged(reason) => {
                return Some(RuleOutcome::NotJudged { rule: index, reason: reason.clone() });
            }
        };
        let optional = rule.source.optional_old_self.unwrap_or_default();
        if uses_old_self && old.is_none() && !optional {
            return None;
        }
        let (result, has_budget) = self.run(program, value, old, optional, budget);
        if !has_budget && !matches!(result, Err(Cause::NotJudged(_))) {
            let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
            return Some(self.failed(index, detail));
        }
        match result {
            Ok(Value::Bool(true)) => None,
            Ok(_) => Some(match self.message(rule, value, old, budget) {
                Ok(message) => {
                    let mut violation = self.violation(index, rule, value, message);
                    violation.can_ratchet = !uses_old_self;
                    RuleOutcome::Violated(violation)
                }
                Err(detail) => self.failed(index, &detail),
            }),
            Err(cause) => Some(self.without_result(index, rule, cause, budget)),
        }
    }

    /// The outcome of a rule whose expression has no result.
    fn without_result(
        &self,
        index: usize,
        rule: &Rule,
        cause: Cause,
        budget: &mut Budget,
    ) -> RuleOutcome {
        match cause {
            Cause::NotJudged(reason) => RuleOutcome::NotJudged { rule: index, reason },
            Cause::Cancelled => {
                budget.stop();
                let title = rule.source.title();
                let detail = format!(
                    "'{CANCELLED}': no further validation rules will be run due to call cost exceeds limit for rule: {title}"
                );
                self.failed(index, &detail)
            }
            Cause::Error(error) => self.failed(index, &described(&error, rule)),
        }
    }

    /// A rule that has no result is violated.
    fn failed(&self, rule: usize, detail: &str) -> RuleOutcome {
        RuleOutcome::Violated(RuleViolation {
            rule,
            reason: Reason::Invalid,
            field_path: None,
            message: format!("Invalid value: \"{}\": {detail}", self.kind),
            can_ratchet: false,
        })
    }

    /// The result of an expression, and whether the budget sufficed.
    fn run<'v>(
        &'v self,
        program: &'v Program,
        value: &'v Json,
        old: Option<&'v Json>,
        optional: bool,
        budget: &mut Budget,
    ) -> (Result<Value<'v>, Cause>, bool) {
        let meter = budget.meter();
        let result = (|| {
            let own = Value::from_json(value, &self.shape, &meter)?;
            let old = old.map(|old| Value::from_json(old, &self.shape, &meter)).transpose()?;
            let old =
                if optional { Some(old.map_or(Value::Optional(None), Value::some)) } else { old };
            run(&program.plan, [Some(own), old], program.facts, &program.patterns, &meter)
        })();
        (result.map_err(Fault::into_cause), budget.take(&meter))
    }

    fn violation(
        &self,
        index: usize,
        rule: &Rule,
        value: &Json,
        message: Option<String>,
    ) -> RuleViolation {
        let reason = rule.source.reason.as_deref().map_or(Reason::Invalid, reason_named);
        let detail = message.unwrap_or_else(|| rule.source.default_message());
        let shown = match self.kind.as_str() {
            kind if !self.facts.hold(Fact::RulesNameValues) => {
                Some(crate::values::text::go_quote(kind))
            }
            "object" | "array" => None,
            _ => Some(crate::rules::outcome::go_value(value)),
        };
        let message = match (reason, shown) {
            (Reason::Forbidden, _) => format!("Forbidden: {detail}"),
            (Reason::Required, _) => format!("Required value: {detail}"),
            (Reason::Duplicate, Some(value)) => format!("Duplicate value: {value}"),
            (Reason::Duplicate, None) => "Duplicate value".to_owned(),
            (_, Some(value)) => format!("Invalid value: {value}: {detail}"),
            (_, None) => format!("Invalid value: {detail}"),
        };
        RuleViolation {
            rule: index,
            reason,
            field_path: rule.field_path.clone(),
            message,
            can_ratchet: true,
        }
    }

    /// The value of the message expression, if servers use it.
    ///
    /// # Errors
    /// The server's words if the expression costs more than the rest of the budget, which ends the rules of the object.
    fn message(
        &self,
        rule: &Rule,
        value: &Json,
        old: Option<&Json>,
        budget: &mut Budget,
    ) -> Result<Option<String>, String> {
        /// The length up to which servers use a message.
        const MAX_LENGTH: usize = 5 * 1024;
        let Some(CompiledExpression::Runs { program, .. }) = &rule.message_expression else {
            return Ok(None);
        };
        // Servers have an old value only if a rule asks for it.
        let old = old.filter(|_| self.transition_rules().next().is_some());
        let (result, has_budget) = self.run(program, value, old, false, budget);
        if !has_budget && !matches!(result, Err(Cause::NotJudged(_))) {
            let detail = "messageExpression evaluation failed due to running out of cost budget, no further validation \
                          rules will be run";
            return Err(detail.to_owned());
        }
        if matches!(result, Err(Cause::Cancelled)) {
            budget.stop();
            let text = crate::values::text::go_quote(&rule.source.message_expression);
            let detail = "no further validation rules will be run due to call cost exceeds limit for messageExpression";
            return Err(format!("{detail}: {text}"));
        }
        let Ok(Value::Text(text)) = result else { return Ok(None) };
        let text = text.trim();
        let used = !text.is_empty() && text.len() <= MAX_LENGTH && !text.contains('\n');
        Ok(used.then(|| text.to_owned()))
    }
}

/// The server's words for a call that costs too much.
const CANCELLED: &str = "operation cancelled: actual cost limit exceeded";

/// The error of an expression, in the words of a server.
fn described(error: &str, rule: &Rule) -> String {
    let title = rule.source.title();
    if error.starts_with("no such overload") {
        let text = "call arguments did not match a supported operator, function or macro signature";
        format!("'{error}': {text} for rule: {title}")
    } else {
        format!("{error} evaluating rule: {title}")
    }
}

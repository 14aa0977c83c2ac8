//! The outcomes of rules, for definitions and for values.

use std::fmt;

use k8s_versioned::field::Reason;
use serde_json::Value as Json;

use crate::facts::Fact;
use crate::rules::source::Source;
use crate::since::Facts;
use crate::values::text::{go_float, go_quote};

/// The outcome of a rule for a value. A rule that the value fulfils has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleOutcome {
    /// The value violates the rule, or the rule has no value for it.
    Violated(RuleViolation),
    /// The rule is not judged: the server's answer is not known here.
    NotJudged {
        /// The number of the rule in `x-kubernetes-validations`.
        rule: usize,
        /// Why it is not judged.
        reason: String,
    },
}

/// A cause of a server's refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleViolation {
    /// The number of the rule in `x-kubernetes-validations`.
    pub rule: usize,
    /// The reason of the cause.
    pub reason: Reason,
    /// The field below the node that the cause names, such as `a.b`; none for the node itself.
    pub field_path: Option<String>,
    /// The message of the cause.
    pub message: String,
    /// Whether a server only warns where the value is as it was before an update. Rules that use the earlier
    /// value and rules that have no value are always errors.
    pub can_ratchet: bool,
}

/// The reasons that a rule can give, in the order in which servers list them.
pub(crate) const REASONS: [Reason; 4] =
    [Reason::Duplicate, Reason::Forbidden, Reason::Invalid, Reason::Required];

/// The reason that a rule gives by name; `FieldValueInvalid` for other names.
pub(crate) fn reason_named(name: &str) -> Reason {
    REASONS.into_iter().find(|reason| reason.as_str() == name).unwrap_or(Reason::Invalid)
}

/// A cause of the refusal of a definition, because of a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("x-kubernetes-validations[{rule}].{part}: {message}")]
#[non_exhaustive]
pub struct RuleError {
    /// The number of the rule in `x-kubernetes-validations`.
    pub rule: usize,
    /// The field of the rule.
    pub part: RulePart,
    /// The reason of the cause.
    pub reason: Reason,
    /// The message of the cause. Types of objects have other names than on a server, which invents them.
    pub message: String,
    /// The `fieldPath` does not lead to a field of the schema. Servers that cannot make a structural schema of it accept any path.
    pub is_broken_path: bool,
}

/// A field of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RulePart {
    /// `rule`.
    Rule,
    /// `message`.
    Message,
    /// `messageExpression`.
    MessageExpression,
    /// `reason`.
    Reason,
    /// `fieldPath`.
    FieldPath,
    /// `optionalOldSelf`.
    OptionalOldSelf,
}

impl fmt::Display for RulePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule => "rule",
            Self::Message => "message",
            Self::MessageExpression => "messageExpression",
            Self::Reason => "reason",
            Self::FieldPath => "fieldPath",
            Self::OptionalOldSelf => "optionalOldSelf",
        })
    }
}

impl RuleError {
    pub(crate) const fn new(rule: usize, part: RulePart, reason: Reason, message: String) -> Self {
        Self { rule, part, reason, message, is_broken_path: false }
    }

    /// An error whose message prints the whole rule.
    pub(crate) fn of_rule(
        rule: usize,
        part: RulePart,
        source: &Source,
        detail: &str,
        facts: Facts,
    ) -> Self {
        let shown = if facts.hold(Fact::RulesAsJson) { source.as_json() } else { source.as_go() };
        Self::new(rule, part, Reason::Invalid, format!("Invalid value: {shown}: {detail}"))
    }
}

/// A value in the message of a cause.
pub(crate) fn go_value(value: &Json) -> String {
    match value {
        Json::String(text) => go_quote(text),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => number.to_string(),
            (None, Some(number)) => go_float(number),
            (None, None) => number.to_string(),
        },
        other => other.to_string(),
    }
}

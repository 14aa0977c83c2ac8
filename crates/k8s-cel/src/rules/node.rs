//! A node of a structural schema, and the rules that it compiles.

use std::sync::Arc;

use k8s_versioned::field::Reason;
use serde_json::Value as Json;

use super::outcome::{REASONS, RuleError, RulePart};
use super::source::Source;
use super::{CompiledExpression, Rule, RuleScope, Rules, field_path};
use crate::check::checker::OLD_SELF;
use crate::check::schema::{Shape, TooDeep};
use crate::check::types::Type;
use crate::compile::{Compiled, Failure, compile};
use crate::since::Facts;

/// The keyword of rules.
const KEYWORD: &str = "x-kubernetes-validations";

/// A node of a structural schema, whose types are read once. Rules in its `allOf` are about its types as well.
#[derive(Debug)]
pub struct RuleNode<'s> {
    schema: &'s Json,
    shape: Shape,
    facts: Facts,
    /// The schema nests deeper than is read here.
    too_deep: bool,
}

impl<'s> RuleNode<'s> {
    /// Reads a node of a definition that a server has already stored.
    pub fn of_stored(schema: &'s Json, scope: RuleScope) -> Self {
        Self::read(schema, scope, Facts::of_stored(scope.release))
    }

    pub(super) fn read(schema: &'s Json, scope: RuleScope, facts: Facts) -> Self {
        let shape = Shape::read(schema, scope.is_root, facts);
        let too_deep = shape.is_err();
        let shape = shape.unwrap_or_else(|TooDeep| Shape::untyped());
        Self { schema, shape, facts, too_deep }
    }

    /// Compiles rules (`x-kubernetes-validations`) of the node, or of a part of its `allOf`. A rule that the server would refuse is violated
    /// by each value.
    pub fn compile(&self, rules: Option<&Json>) -> Rules {
        self.compile_each(rules).0
    }

    /// As [`compile`](Self::compile), with the errors of rules that the server would refuse.
    pub(super) fn compile_each(&self, rules: Option<&Json>) -> (Rules, Vec<RuleError>) {
        let mut compiler = Compiler { node: self, own: self.shape.as_type(), errors: Vec::new() };
        let rules = rules.and_then(Json::as_array).into_iter().flatten().enumerate();
        let list = rules.map(|(index, rule)| compiler.rule(index, rule)).collect();
        let kind = self.schema.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
        (Rules { shape: self.shape.clone(), kind, facts: self.facts, list }, compiler.errors)
    }
}

impl Rules {
    /// Compiles the rules of a node. A node without rules has none.
    ///
    /// # Errors
    ///
    /// What a server refuses when a definition with these rules is created. A rule that this package cannot evaluate is
    /// not an error: it is never judged.
    pub fn compile(schema: &Json, scope: RuleScope) -> Result<Self, Vec<RuleError>> {
        let (rules, errors) = Self::compile_each(schema, scope);
        if errors.is_empty() { Ok(rules) } else { Err(errors) }
    }

    /// As [`compile`](Self::compile), but keeps the valid rules if others are refused.
    pub fn compile_each(schema: &Json, scope: RuleScope) -> (Self, Vec<RuleError>) {
        let node = RuleNode::read(schema, scope, Facts::at(scope.release));
        node.compile_each(schema.get(KEYWORD))
    }

    /// Compiles the rules of a node of a definition that a server has already stored. A rule that the server would refuse
    /// today is violated by each value.
    pub fn compile_stored(schema: &Json, scope: RuleScope) -> Self {
        RuleNode::of_stored(schema, scope).compile(schema.get(KEYWORD))
    }

    /// Returns `true` if the values of a node have a type in CEL, so that servers compile its rules.
    #[doc(hidden)]
    pub fn have_a_type(schema: &Json, scope: RuleScope) -> bool {
        // A schema that is too deep for this package may have one.
        Shape::read(schema, scope.is_root, Facts::at(scope.release))
            .map_or(true, |shape| shape.as_type().is_some())
    }
}

struct Compiler<'n, 's> {
    node: &'n RuleNode<'s>,
    /// The type of the value.
    own: Option<Type>,
    errors: Vec<RuleError>,
}

impl Compiler<'_, '_> {
    fn rule(&mut self, index: usize, rule: &Json) -> Rule {
        let source = Source::read(rule);
        let field_path = self.field_path(&source.field_path);
        self.check_texts(index, &source, field_path.is_some());
        let program = self.program(&source.rule, &source, &Type::Bool);
        if let CompiledExpression::Broken(detail) = &program {
            self.errors.push(RuleError::of_rule(
                index,
                RulePart::Rule,
                &source,
                detail,
                self.node.facts,
            ));
        }
        let has_message = !source.message_expression.trim().is_empty();
        let message_expression =
            has_message.then(|| self.program(&source.message_expression, &source, &Type::String));
        if let Some(CompiledExpression::Broken(detail)) = &message_expression {
            let detail =
                format!("messageExpression {}", detail.trim_start_matches("cel expression "));
            self.errors.push(RuleError::of_rule(
                index,
                RulePart::MessageExpression,
                &source,
                &detail,
                self.node.facts,
            ));
        }
        let ignores_old_self = match &program {
            CompiledExpression::Runs { uses_old_self, .. } => !uses_old_self,
            CompiledExpression::Broken(_) => true,
            CompiledExpression::Empty | CompiledExpression::NotJudged(_) => false,
        };
        if let Some(optional) = source.optional_old_self.filter(|_| ignores_old_self) {
            let message =
                format!("Invalid value: {optional}: may not be set if oldSelf is not used in rule");
            self.errors.push(RuleError::new(
                index,
                RulePart::OptionalOldSelf,
                Reason::Invalid,
                message,
            ));
        }
        Rule { source, program, message_expression, field_path }
    }

    /// The path of a field as servers write it, if it leads to a field.
    fn field_path(&self, path: &str) -> Option<String> {
        let (_, written) = field_path::follow(path, self.node.schema.as_object()?, true).ok()?;
        Some(written).filter(|written| !written.is_empty())
    }

    /// The checks of servers on the texts, for any expressions.
    fn check_texts(&mut self, index: usize, source: &Source, path_is_valid: bool) {
        let mut refuse = |part, reason, message: String| {
            self.errors.push(RuleError::new(index, part, reason, message));
        };
        let quoted = crate::values::text::go_quote;
        if source.rule.trim().is_empty() {
            refuse(
                RulePart::Rule,
                Reason::Required,
                "Required value: rule is not specified".to_owned(),
            );
        }
        if let Some((reason, text)) = message_fault(source) {
            refuse(RulePart::Message, reason, text);
        }
        if !source.message_expression.is_empty() && source.message_expression.trim().is_empty() {
            let text = "Required value: messageExpression must be non-empty if specified";
            refuse(RulePart::MessageExpression, Reason::Required, text.to_owned());
        }
        if let Some(reason) = source
            .reason
            .as_deref()
            .filter(|name| REASONS.iter().all(|reason| reason.as_str() != *name))
        {
            let names: Vec<String> = REASONS.iter().map(|name| quoted(name.as_str())).collect();
            let text = format!(
                "Unsupported value: {}: supported values: {}",
                quoted(reason),
                names.join(", ")
            );
            refuse(RulePart::Reason, Reason::NotSupported, text);
        }
        let field_path = &source.field_path;
        let faults = [
            (field_path.trim().is_empty(), "must be non-empty if specified", false),
            (has_line_break(field_path), "must not contain line breaks", false),
            (!path_is_valid, "must be a valid path", true),
        ];
        for (_, fault, is_broken_path) in faults.into_iter().filter(|(is_broken, ..)| *is_broken) {
            if !field_path.is_empty() {
                let text = format!("Invalid value: {}: {fault}", quoted(field_path));
                let error = RuleError::new(index, RulePart::FieldPath, Reason::Invalid, text);
                self.errors.push(RuleError { is_broken_path, ..error });
            }
        }
    }

    fn program(&self, text: &str, source: &Source, expected: &Type) -> CompiledExpression {
        if text.trim().is_empty() {
            return CompiledExpression::Empty;
        }
        if self.node.too_deep {
            return CompiledExpression::NotJudged(
                "the schema nests deeper than is read here".to_owned(),
            );
        }
        let Some(own) = self.own.clone() else {
            return CompiledExpression::Broken(
                "failed to retrieve type information for x-kubernetes-validations".to_owned(),
            );
        };
        let old = if source.optional_old_self.unwrap_or_default() {
            Type::optional(own.clone())
        } else {
            own.clone()
        };
        let variables = vec![(Arc::from("self"), own), (Arc::from(OLD_SELF), old)];
        match compile(text, variables, Some(&self.node.shape), Some(expected), self.node.facts) {
            Ok(Compiled { program, uses_old_self, cost, .. }) => {
                CompiledExpression::Runs { program: Box::new(program), uses_old_self, cost }
            }
            Err(Failure::Faults(faults)) => {
                CompiledExpression::Broken(format!("compilation failed: {}", faults.show(text)))
            }
            Err(Failure::Type) => {
                CompiledExpression::Broken(format!("cel expression must evaluate to a {expected}"))
            }
            Err(Failure::NotPlanned(error)) => {
                CompiledExpression::Broken(format!("program instantiation failed: {error}"))
            }
            Err(Failure::NotJudged(reason)) => CompiledExpression::NotJudged(reason),
        }
    }
}

/// What is wrong with the message of a rule, or with a rule that has none.
fn message_fault(source: &Source) -> Option<(Reason, String)> {
    let message = &source.message;
    let quoted = crate::values::text::go_quote;
    if !message.is_empty() && message.trim().is_empty() {
        let rule = "must be non-empty if specified";
        return Some((Reason::Invalid, format!("Invalid value: {}: {rule}", quoted(message))));
    }
    if has_line_break(message.trim()) {
        let rule = "must not contain line breaks";
        return Some((Reason::Invalid, format!("Invalid value: {}: {rule}", quoted(message))));
    }
    let text = "Required value: message must be specified if rule contains line breaks";
    let needs_message = has_line_break(source.rule.trim()) && message.trim().is_empty();
    needs_message.then(|| (Reason::Required, text.to_owned()))
}

/// Returns `true` if a text of a definition has more than one line.
fn has_line_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

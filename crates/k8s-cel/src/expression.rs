//! Expressions with variables of any names, such as those of admission policies.

use std::sync::Arc;

use k8s_versioned_core::Release;
use serde_json::Value as Json;

use crate::check::schema::{Shape, TooDeep};
use crate::check::types::{Opaque, Type};
use crate::compile::{Compiled, Failure, compile};
use crate::eval::value::Value;
use crate::eval::{Budget, Cause, Program, run};
use crate::faults::{Fault, Faults};
use crate::json::to_json;
use crate::since::Facts;

/// The variables of expressions, and the release of the server that would evaluate them.
///
/// ```
/// use k8s_cel::{Environment, Expression};
/// use k8s_versioned_core::Release;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
/// let environment = Environment::new(Release::new(1, 36)).with("widget", &schema)?;
/// let expression = Expression::compile("widget.size * 2", &environment)?;
/// assert_eq!(expression.result_type(), "int");
/// assert_eq!(expression.evaluate(&[("widget", &json!({"size": 21}))])?.value, json!(42));
///
/// let error = Expression::compile("widget.sise > 1", &environment).unwrap_err();
/// let fault = &error.faults()[0];
/// assert_eq!((fault.line, fault.column), (1, 7));
/// assert_eq!(fault.message, "undefined field 'sise'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Environment {
    facts: Facts,
    variables: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Arc<str>,
    shape: Arc<Shape>,
    kind: Type,
}

/// A variable cannot have this schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariableError {
    /// The schema nests more than 64 levels.
    #[error("the schema nests deeper than is read here")]
    TooDeep,
    /// Values of the schema have no type in CEL, because it has no `type`.
    #[error("the schema gives its values no type")]
    Untyped,
}

impl Environment {
    /// An environment without variables, for new expressions.
    pub const fn new(release: Release) -> Self {
        Self { facts: Facts::at(release), variables: Vec::new() }
    }

    /// The environment of a `ValidatingAdmissionPolicy`: `object`, `oldObject`, `params`, `request`, `namespaceObject` and
    /// `variables`, whose types are known when they are evaluated, and `authorizer` with `authorizer.requestResource`, which need no
    /// value. What the authorizer of a cluster answers is not judged.
    pub fn of_policy(release: Release) -> Self {
        ["object", "oldObject", "params", "request", "namespaceObject", "variables"]
            .into_iter()
            .fold(Self::new(release), Self::with_any)
            .with_question("authorizer", Opaque::Authorizer)
            .with_question("authorizer.requestResource", Opaque::ResourceCheck)
    }

    fn with_question(mut self, name: &str, kind: Opaque) -> Self {
        let shape = Arc::new(Shape::untyped());
        self.variables.push(Variable { name: name.into(), shape, kind: Type::Opaque(kind) });
        self
    }

    /// Adds a variable whose values have a structural schema.
    ///
    /// # Errors
    /// The values of the schema have no type in CEL.
    pub fn with(mut self, name: &str, schema: &Json) -> Result<Self, VariableError> {
        let shape =
            Shape::read(schema, false, self.facts).map_err(|TooDeep| VariableError::TooDeep)?;
        let kind = shape.as_type().ok_or(VariableError::Untyped)?;
        self.variables.push(Variable { name: name.into(), shape: Arc::new(shape), kind });
        Ok(self)
    }

    /// Adds a variable with values of any type.
    #[must_use]
    pub fn with_any(mut self, name: &str) -> Self {
        let shape = Arc::new(Shape::ANY);
        self.variables.push(Variable { name: name.into(), shape, kind: Type::Dyn });
        self
    }
}

/// A compiled expression.
///
/// It is compiled once and can be evaluated by several threads at once.
#[derive(Debug)]
pub struct Expression {
    program: Program,
    variables: Vec<Variable>,
    result: Type,
    cost: u64,
}

/// Why an expression is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A server refuses it.
    #[error("compilation failed: {text}")]
    Refused {
        /// What is wrong, from left to right: at most a hundred faults, as servers keep them.
        faults: Vec<ExpressionFault>,
        /// All of it with the lines of the expression, in the words of a server.
        text: String,
    },
    /// What a server makes of it is not known here.
    #[error("not judged: {0}")]
    NotJudged(String),
}

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpressionFault {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The words of a server.
    pub message: String,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// An error of CEL, in the words of a server.
    #[error("{0}")]
    Failed(String),
    /// A server stops an evaluation that costs more than 1,000,000 units.
    #[error("operation cancelled: actual cost limit exceeded")]
    TooExpensive,
    /// The server's result is not known here.
    #[error("not judged: {0}")]
    NotJudged(String),
}

/// The result of an expression.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Evaluation {
    /// The value as JSON. Times, durations and values of Kubernetes' types are texts, and bytes are base64. Not judged are values
    /// that have no JSON here: a quantity, a number such as NaN, and a map with the keys `1` and `'1'`.
    pub value: Json,
    /// What the evaluation cost, as servers count it.
    pub cost: u64,
}

impl CompileError {
    /// What is wrong with an expression that servers reject, from left to right.
    pub fn faults(&self) -> &[ExpressionFault] {
        match self {
            Self::Refused { faults, .. } => faults,
            Self::NotJudged(_) => &[],
        }
    }

    fn refused(expression: &str, faults: &Faults) -> Self {
        let located = faults.located(expression).into_iter();
        let located =
            located.map(|(line, column, message)| ExpressionFault { line, column, message });
        Self::Refused { faults: located.collect(), text: faults.show(expression) }
    }
}

impl Expression {
    /// Compiles an expression.
    ///
    /// # Errors
    /// What a server refuses when the expression is created, or what is not judged here.
    pub fn compile(text: &str, environment: &Environment) -> Result<Self, CompileError> {
        let Environment { facts, variables } = environment;
        let types = variables.iter().map(|own| (own.name.clone(), own.kind.clone())).collect();
        let shape = variables.first().map(|own| &*own.shape);
        match compile(text, types, shape, None, *facts) {
            Ok(Compiled { program, result, cost, .. }) => {
                Ok(Self { program, variables: variables.clone(), result, cost })
            }
            Err(Failure::Faults(faults)) => Err(CompileError::refused(text, &faults)),
            Err(Failure::NotPlanned(error)) => {
                let fault = Fault::new(0, format!("program instantiation failed: {error}"));
                Err(CompileError::refused(text, &fault.into()))
            }
            Err(Failure::NotJudged(reason)) => Err(CompileError::NotJudged(reason)),
            Err(Failure::Type) => {
                Err(CompileError::NotJudged("another type is expected".to_owned()))
            }
        }
    }

    /// The type of the values, as messages of servers show it: `bool`, `list(string)`.
    pub fn result_type(&self) -> String {
        self.result.to_string()
    }

    /// The largest cost of an evaluation, by the limits in the schema of the first variable.
    pub const fn estimated_cost(&self) -> u64 {
        self.cost
    }

    /// Evaluates the expression with these values. A variable without a value cannot be read.
    ///
    /// # Errors
    /// The expression has no value.
    pub fn evaluate(&self, values: &[(&str, &Json)]) -> Result<Evaluation, EvaluationError> {
        let budget = Budget::default();
        let meter = budget.meter();
        let value_of = |variable: &Variable| {
            let (_, value) = values.iter().rev().find(|(name, _)| *name == &*variable.name)?;
            Some(*value)
        };
        let result = (|| {
            let mut given = Vec::with_capacity(self.variables.len());
            for variable in &self.variables {
                given.push(match (&variable.kind, value_of(variable)) {
                    (Type::Opaque(question), _) => Some(Value::Question(*question)),
                    (_, Some(value)) => Some(Value::from_json(value, &variable.shape, &meter)?),
                    (_, None) => None,
                });
            }
            let Program { plan, facts, patterns } = &self.program;
            run(plan, given, *facts, patterns, &meter).and_then(|value| to_json(&value, &meter))
        })();
        match result {
            Ok(value) => Ok(Evaluation { value, cost: meter.cost() }),
            Err(fault) => Err(match fault.into_cause() {
                Cause::Error(error) => EvaluationError::Failed(error.into_owned()),
                Cause::Cancelled => EvaluationError::TooExpensive,
                Cause::NotJudged(reason) => EvaluationError::NotJudged(reason),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CompileError, Environment, EvaluationError, Expression};
    use k8s_versioned_core::Release;

    fn compile(text: &str) -> Result<Expression, CompileError> {
        Expression::compile(text, &Environment::of_policy(Release::new(1, 36)))
    }

    fn not_judged(text: &str) -> String {
        match compile(text).unwrap().evaluate(&[]) {
            Err(EvaluationError::NotJudged(reason)) => reason,
            other => format!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_value_without_json_is_not_judged() {
        let doubled = format!("[dyn(1)]{}", ".map(a, [dyn(a), dyn(a)])".repeat(40));
        assert_eq!(not_judged(&doubled), "the rule takes more steps than are spent on a rule");
        assert_eq!(not_judged("{dyn(1): 2, dyn('1'): 3}"), "two keys of a map are \"1\" in JSON");
        assert_eq!(not_judged("0.0 / 0.0"), "NaN has no JSON");
        assert_eq!(not_judged("quantity('1')"), "a kubernetes.Quantity has no text here");
    }

    #[test]
    fn the_authorizer_of_a_policy_is_not_asked() {
        let not_asked = "the authorizer of a cluster is not asked here";
        for text in [
            "authorizer.group('').resource('pods').check('get').allowed()",
            "authorizer.requestResource.check('update').allowed()",
        ] {
            assert_eq!(not_judged(text), not_asked);
        }
        let error = compile("authorizer.group('') == 1").unwrap_err();
        assert_eq!(error.faults().len(), 1, "{error}");
        // Only policies have it.
        let environment = Environment::new(Release::new(1, 36));
        assert!(Expression::compile("authorizer.group('')", &environment).is_err());
    }

    #[test]
    fn what_is_not_judged_is_no_refusal() {
        let deep = format!("{}1{}", "(".repeat(500), ")".repeat(500));
        assert!(matches!(compile(&deep), Err(CompileError::NotJudged(_))));
        let typed = format!("[1]{}", ".map(a, {a: a})".repeat(22));
        assert!(matches!(compile(&typed), Err(CompileError::NotJudged(_))));
    }

    #[test]
    fn literal_patterns_and_times_are_checked() {
        for text in ["'a'.matches('(')", "duration('x')", "timestamp('x')"] {
            let error = compile(text).unwrap_err();
            let message = error.faults().first().map(|fault| fault.message.as_str());
            assert!(message.is_some_and(|it| it.starts_with("invalid ")), "{text}: {error}");
        }
    }

    #[test]
    fn a_hundred_faults_are_kept() {
        let error = compile(&format!("{}b", "b ||\n".repeat(2_000))).unwrap_err();
        let lines: Vec<usize> = error.faults().iter().map(|fault| fault.line).collect();
        assert_eq!(lines, (1..=100).collect::<Vec<_>>());
        assert!(error.to_string().ends_with("1901 more errors were truncated"));
    }
}

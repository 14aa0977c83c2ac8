//! Expressions with variables of any names, such as those of admission policies.

use std::sync::Arc;

use k8s_versioned_names::Release;
use serde_json::{Map, Number, Value as Json};

use crate::check::checker::{self, Refusal};
use crate::check::schema::{Shape, TooDeep};
use crate::check::types::Type;
use crate::cost::estimate::estimate;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::eval::{Budget, Cause, Program, plan, run};
use crate::since::Facts;
use crate::syntax::parser::{ParseError, parse};
use crate::values::text::show_error;

/// The variables of expressions, and the release of the server that would evaluate them.
///
/// ```
/// use k8s_cel::{Environment, Expression};
/// use k8s_versioned_names::Release;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
/// let environment = Environment::new(Release::new(1, 36)).with("widget", &schema)?;
/// let expression = Expression::compile("widget.size * 2", &environment)?;
/// assert_eq!(expression.result_type(), "int");
/// assert_eq!(expression.evaluate(&[("widget", &json!({"size": 21}))])?.value, json!(42));
///
/// let error = Expression::compile("widget.sise > 1", &environment).unwrap_err();
/// assert_eq!((error.faults[0].line, error.faults[0].column), (1, 7));
/// assert_eq!(error.faults[0].message, "undefined field 'sise'");
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
    /// `variables`, whose types are known at run time.
    pub fn of_policy(release: Release) -> Self {
        ["object", "oldObject", "params", "request", "namespaceObject", "variables"]
            .into_iter()
            .fold(Self::new(release), Self::with_any)
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

/// Why an expression is refused, in the words of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("compilation failed: {text}")]
#[non_exhaustive]
pub struct CompileError {
    /// What is wrong, from left to right.
    pub faults: Vec<ExpressionFault>,
    /// All faults with the lines of the expression, as a server shows them.
    text: String,
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
    /// The value as JSON. Times, durations and values of Kubernetes' types are texts, and bytes are base64.
    pub value: Json,
    /// What the evaluation cost, as servers count it.
    pub cost: u64,
}

impl CompileError {
    fn new(text: &str, faults: impl IntoIterator<Item = (usize, String)>) -> Self {
        let faults: Vec<(usize, String)> = faults.into_iter().collect();
        let shown: Vec<String> =
            faults.iter().map(|(at, message)| show_error(text, *at, message)).collect();
        let located = faults.into_iter().map(|(at, message)| {
            let before: Vec<char> = text.chars().take(at).collect();
            let line = 1 + before.iter().filter(|character| **character == '\n').count();
            let in_line = before.iter().rev().take_while(|character| **character != '\n');
            ExpressionFault { line, column: 1 + in_line.count(), message }
        });
        Self { faults: located.collect(), text: shown.join("\n") }
    }
}

impl Expression {
    /// Compiles an expression.
    ///
    /// # Errors
    /// The expression is one that servers refuse when it is created.
    pub fn compile(text: &str, environment: &Environment) -> Result<Self, CompileError> {
        let Environment { facts, variables } = environment;
        let at_start = |message: String| CompileError::new(text, [(0, message)]);
        let mut expression = parse(text, *facts).map_err(|error| match error {
            ParseError::TooDeep => {
                at_start("the expression nests deeper than is evaluated here".to_owned())
            }
            ParseError::Syntax(errors) => {
                CompileError::new(text, errors.into_iter().map(|error| (error.at, error.message)))
            }
        })?;
        let types = variables.iter().map(|own| (own.name.clone(), own.kind.clone())).collect();
        let checked =
            checker::check(&mut expression, types, *facts).map_err(|refusal| match refusal {
                Refusal::NotJudged(reason) => at_start(reason),
                Refusal::Errors(errors) => CompileError::new(
                    text,
                    errors.into_iter().map(|error| (error.at, error.message)),
                ),
            })?;
        let names: Vec<Arc<str>> = variables.iter().map(|own| own.name.clone()).collect();
        let program = plan(&expression, &names, *facts)
            .map_err(|error| at_start(format!("program instantiation failed: {error}")))?;
        let shape = variables.first().map(|own| &*own.shape);
        let cost = estimate(&expression, shape, *facts);
        Ok(Self { program, variables: variables.clone(), result: checked.result, cost })
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
                let value = value_of(variable);
                given
                    .push(value.map(|value| Value::from_json(value, &variable.shape)).transpose()?);
            }
            let Program { plan, facts, patterns } = &self.program;
            run(plan, given, *facts, patterns, &meter).and_then(|value| to_json(&value))
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

/// A value as JSON.
fn to_json(value: &Value<'_>) -> Evaluated<Json> {
    use base64::Engine as _;
    Ok(match value {
        Value::Null | Value::Optional(None) => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Uint(value) => Json::from(*value),
        Value::Double(value) => Number::from_f64(*value).map_or(Json::Null, Json::Number),
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => Json::from(crate::formats::BASE64.encode(bytes)),
        Value::List(list) => {
            Json::Array(list.iter().map(|item| to_json(&item?)).collect::<Evaluated<_>>()?)
        }
        Value::Map(map) => {
            let mut members = Map::new();
            for (key, value) in &map.entries {
                let name = match to_json(key)? {
                    Json::String(name) => name,
                    other => other.to_string(),
                };
                members.insert(name, to_json(value)?);
            }
            Json::Object(members)
        }
        Value::Data(data) => Json::Object(data.members.clone()),
        Value::Untyped(data) => (*data).clone(),
        Value::Optional(Some(value)) => to_json(value)?,
        Value::Url(url) => Json::from(url.text()),
        Value::Format(name) => Json::from(*name),
        Value::Semver(version) => Json::from(version.to_string()),
        Value::Quantity(_) => {
            return Err(Fault::not_judged("a quantity has no text here"));
        }
        other => Json::from(crate::functions::convert::to_text(other)?),
    })
}

//! Plans an evaluation: finds names, fields and functions, and computes constants.

use std::sync::Arc;

use super::budget::{Budget, Meter};
use super::constant::Constant;
use super::fault::Cause;
use super::patterns::Patterns;
use super::program::{
    Collection, Collector, Condition, Field, Int, Invocation, Path, Plan, Program, Quantification,
    Quantifier, Visit,
};
use super::run::run;
use super::value::Value;
use crate::check::types::Type;
use crate::cost::function::Cost;
use crate::functions::library;
use crate::functions::operators::{Arithmetic, Comparison};
use crate::since::Facts;
use crate::syntax::ast::{Call, Comprehension, Expr, Kind, Literal, Macro};

/// Plans an expression with these variables.
///
/// # Errors
/// The server's words for the first constant without a value, even if no evaluation needs the constant.
pub(crate) fn plan(
    expression: &Expr,
    variables: &[Arc<str>],
    facts: Facts,
) -> Result<Program, String> {
    let mut planner =
        Planner { variables: variables.to_vec(), facts, patterns: Patterns::default() };
    let plan = planner.plan(expression)?;
    Ok(Program { plan, facts, patterns: planner.patterns })
}

struct Planner {
    variables: Vec<Arc<str>>,
    facts: Facts,
    patterns: Patterns,
}

/// The conversions that servers compute of constants.
const CONVERSIONS: [&str; 10] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"];

type Planned<T = Plan> = Result<T, String>;

impl Planner {
    fn boxed(&mut self, expression: &Expr) -> Planned<Box<Plan>> {
        self.plan(expression).map(Box::new)
    }

    /// An expression in which a name is a variable.
    fn with_name(&mut self, name: &Arc<str>, expression: &Expr) -> Planned<Box<Plan>> {
        self.variables.push(name.clone());
        let planned = self.boxed(expression);
        self.variables.pop();
        planned
    }

    fn plan(&mut self, expression: &Expr) -> Planned {
        Ok(match &expression.kind {
            Kind::Literal(literal) => Plan::Constant(Constant::Literal(literal.clone())),
            Kind::Name(name) => self.variable(name),
            Kind::TypeName(name) => Plan::Constant(Constant::Type(name)),
            Kind::Select { operand, field, optional } => {
                let field = field_of(&operand.of, field, *optional);
                select(self.plan(operand)?, field)
            }
            Kind::Has { operand, field } => {
                let field = field_of(&operand.of, field, false);
                let operand = self.boxed(operand)?;
                let cost = u64::from(!operand.is_attribute());
                Plan::Condition(Condition::Has { operand, field, cost })
            }
            Kind::Call(call) => return self.call(call),
            Kind::List(items) => {
                let items: Vec<(Plan, bool)> = items
                    .iter()
                    .map(|item| Ok((self.plan(&item.value)?, item.optional)))
                    .collect::<Planned<_>>()?;
                constant_list(items)
            }
            Kind::Map(entries) => {
                let entries: Vec<(Plan, Plan, bool)> = entries
                    .iter()
                    .map(|entry| {
                        Ok((self.plan(&entry.key)?, self.plan(&entry.value)?, entry.optional))
                    })
                    .collect::<Planned<_>>()?;
                constant_map(entries)
            }
            Kind::Message { name } => Plan::Message(name.clone()),
            Kind::And(operands) => self.logical(operands, false)?,
            Kind::Or(operands) => self.logical(operands, true)?,
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                let operands = [self.plan(condition)?, self.plan(yes)?, self.plan(no)?];
                let [_, yes, no] = &operands;
                // Servers do not count the variable of a branch.
                let saved = [yes, no].map(|branch| u64::from(branch.is_attribute()));
                Plan::Conditional(Box::new(operands), saved)
            }
            Kind::Comprehension(visit) => self.visit(visit)?,
            Kind::OptionalMap { target, name, result, flat } => {
                let target = self.boxed(target)?;
                Plan::OptionalMap { target, result: self.with_name(name, result)?, flat: *flat }
            }
        })
    }

    fn variable(&self, name: &Arc<str>) -> Plan {
        let at = self.variables.iter().rposition(|own| own == name);
        let variable = at.unwrap_or(usize::MAX);
        Plan::Path(Path { variable, name: name.clone(), fields: Vec::new() })
    }

    fn logical(&mut self, operands: &[Expr], decides: bool) -> Planned {
        let operands = operands.iter().map(|operand| self.plan(operand)).collect::<Planned<_>>()?;
        Ok(Plan::Condition(Condition::Logical { operands, decides }))
    }

    fn call(&mut self, call: &Call) -> Planned {
        let mut arguments: Vec<Plan> =
            call.arguments.iter().map(|argument| self.plan(argument)).collect::<Planned<_>>()?;
        let function = &*call.function;
        if matches!(function, "or" | "orValue") && call.has_receiver {
            let is_value = function == "orValue";
            return Ok(Plan::Alternative { operands: operands(arguments)?, is_value });
        }
        if matches!(function, "_[_]" | "_[?_]") && arguments.len() == 2 {
            return self.index(arguments, function == "_[?_]");
        }
        let is_sequential = matches!(function, "matches" | "find" | "findAll")
            && self.add_pattern(arguments.get(1))?;
        if function == "!_" {
            let operand = arguments.pop().ok_or("no such overload")?;
            return Ok(Plan::Condition(Condition::Not(Box::new(operand))));
        }
        let cost = cost_of(call);
        let of_ints = call.arguments.iter().all(|argument| matches!(argument.of, Type::Int));
        if let Some(operator) = Comparison::named(function) {
            return Ok(Plan::Condition(compare(operator, *operands(arguments)?, of_ints, cost)));
        }
        if let (Some(operator), 2) = (Arithmetic::named(function), arguments.len()) {
            return Ok(arithmetic(operator, *operands(arguments)?, of_ints, cost));
        }
        let is_conversion = !call.has_receiver
            && CONVERSIONS.contains(&function)
            && matches!(arguments.as_slice(), [argument] if argument.is_constant());
        let invocation = Invocation {
            function: call.function.clone(),
            overloads: library::candidates(call),
            arguments,
            is_sequential,
            cost,
        };
        let plan = Plan::Call(Box::new(invocation));
        if is_conversion { self.fold(plan) } else { Ok(plan) }
    }

    /// Computes a constant.
    fn fold(&self, plan: Plan) -> Planned {
        let constant = self.compute(&plan, |value, meter| Constant::of(&value, meter))?;
        Ok(match constant.flatten() {
            Some(constant) => Plan::Constant(constant),
            None => Plan::Free(Box::new(plan)),
        })
    }

    /// The plan for a constant, or `None` if its value is not known here.
    fn compute<T>(
        &self,
        plan: &Plan,
        make: impl FnOnce(Value<'_>, &Meter) -> T,
    ) -> Planned<Option<T>> {
        let (meter, patterns) = (Budget::default().meter(), Patterns::default());
        match run(plan, [], self.facts, &patterns, &meter) {
            Ok(value) => Ok(Some(make(value, &meter))),
            Err(fault) => match fault.into_cause() {
                Cause::NotJudged(_) | Cause::Cancelled => Ok(None),
                Cause::Error(error) => Err(error.into_owned()),
            },
        }
    }

    fn index(&self, arguments: Vec<Plan>, optional: bool) -> Planned {
        let [operand, key] = *operands(arguments)?;
        if key.is_constant() {
            let refused = self.compute(&key, |key, _| match key {
                Value::Text(_)
                | Value::Int(_)
                | Value::Uint(_)
                | Value::Double(_)
                | Value::Bool(_) => None,
                key => Some(format!("invalid qualifier type: {}", key.go_type())),
            })?;
            if let Some(refused) = refused.flatten() {
                return Err(refused);
            }
        }
        // A key that is a variable costs as much as a step.
        let cost = u64::from(!key.is_attribute()) + u64::from(!operand.is_attribute());
        Ok(Plan::Index { operand: Box::new(operand), key: Box::new(key), optional, cost })
    }

    /// Compiles a pattern that is a constant. Returns `false` for other patterns.
    fn add_pattern(&mut self, pattern: Option<&Plan>) -> Planned<bool> {
        let Some(Plan::Constant(Constant::Literal(Literal::String(pattern)))) = pattern else {
            return Ok(false);
        };
        // A pattern that is too large here is not an error, but rules that use it are not judged.
        match self.patterns.add(pattern) {
            Err(error) if error.is_refused() => Err(error.to_string()),
            _ => Ok(true),
        }
    }

    fn visit(&mut self, visit: &Comprehension) -> Planned {
        let range = self.plan(&visit.range)?;
        let depth = self.variables.len();
        self.variables.push(visit.first.clone());
        self.variables.extend(visit.second.clone());
        let filter = visit.filter.as_ref().map(|filter| self.plan(filter)).transpose();
        let body = self.plan(&visit.body);
        self.variables.truncate(depth);
        let (kind, filter, body) = (visit.kind, filter?, body?);
        // A list of one constant is a constant.
        let new_list = if body.is_constant() { 0 } else { crate::cost::NEW_LIST };
        let visit = Visit { range, two: visit.second.is_some(), body };
        let quantify = |quantifier, visit| {
            Plan::Condition(Condition::Quantify(Box::new(Quantification { quantifier, visit })))
        };
        let collect =
            |into, visit, cost| Plan::Collect(Box::new(Collector { into, visit, filter, cost }));
        Ok(match kind {
            Macro::All => quantify(Quantifier::All, visit),
            Macro::Exists => quantify(Quantifier::Any, visit),
            Macro::ExistsOne => quantify(Quantifier::One, visit),
            Macro::List => collect(Collection::List, visit, 2 + new_list),
            Macro::Map => collect(Collection::Map, visit, 3),
            Macro::Entries => collect(Collection::Entries, visit, 2),
            Macro::SortBy => Plan::SortBy(Box::new(visit), 2 + new_list),
        })
    }
}

/// A field of a planned expression. After a variable it is a step of the variable's path.
fn select(operand: Plan, field: Field) -> Plan {
    match operand {
        Plan::Path(mut path) => {
            path.fields.push(field);
            Plan::Path(path)
        }
        operand => {
            let cost = 1 + u64::from(!operand.is_attribute());
            Plan::Select { operand: Box::new(operand), field, cost }
        }
    }
}

fn operands(arguments: Vec<Plan>) -> Planned<Box<[Plan; 2]>> {
    let operands = <[Plan; 2]>::try_from(arguments).map_err(|_| "no such overload")?;
    Ok(Box::new(operands))
}

/// A comparison. The search for a value among constants costs nothing.
fn compare(operator: Comparison, operands: [Plan; 2], of_ints: bool, cost: Cost) -> Condition {
    match (operator, operands) {
        (Comparison::In, [value, Plan::Constant(Constant::List(constants))]) => {
            Condition::InConstants { value: Box::new(value), constants }
        }
        (operator, operands) if of_ints => {
            Condition::CompareInts { operator, operands: Box::new(operands.map(int)), cost }
        }
        (operator, operands) => Condition::Compare { operator, operands: Box::new(operands), cost },
    }
}

fn arithmetic(operator: Arithmetic, operands: [Plan; 2], of_ints: bool, cost: Cost) -> Plan {
    if of_ints {
        return Plan::Int(Int::Arithmetic { operator, operands: Box::new(operands.map(int)) });
    }
    Plan::Arithmetic { operator, operands: Box::new(operands), cost }
}

/// A planned expression as an integer.
fn int(plan: Plan) -> Int {
    match plan {
        Plan::Constant(Constant::Literal(Literal::Int(value))) => Int::Constant(value),
        Plan::Path(path) => Int::Path(path),
        Plan::Int(int) => int,
        plan => Int::Other(Box::new(plan)),
    }
}

/// A list of constants is a constant.
fn constant_list(items: Vec<(Plan, bool)>) -> Plan {
    let constants = items.iter().map(|item| match item {
        (Plan::Constant(constant), false) => Some(constant.clone()),
        _ => None,
    });
    if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
        return Plan::Constant(Constant::List(constants));
    }
    let is_constant = items.iter().all(|(item, optional)| !optional && item.is_constant());
    let list = Plan::List(items);
    if is_constant { Plan::Free(Box::new(list)) } else { list }
}

fn constant_map(entries: Vec<(Plan, Plan, bool)>) -> Plan {
    let is_constant = entries
        .iter()
        .all(|(key, value, optional)| !optional && key.is_constant() && value.is_constant());
    let map = Plan::Map(entries);
    if is_constant { Plan::Free(Box::new(map)) } else { map }
}

/// The field of objects of a type.
fn field_of(of: &Type, name: &Arc<str>, optional: bool) -> Field {
    let object = match of {
        Type::Object(object) => Some(object),
        Type::Optional(value) => match &**value {
            Type::Object(object) => Some(object),
            _ => None,
        },
        _ => None,
    };
    let property =
        object.and_then(|object| Some((object.clone(), object.position_in_rules(name)?)));
    Field { name: name.clone(), property, optional }
}

/// The cost of a call. Where the types leave several overloads, servers use only the name of the function.
fn cost_of(call: &Call) -> Cost {
    let mut rows = call.overloads.iter().map(|overload| library::cost(&call.function, *overload));
    let Some(first) = rows.next() else { return Cost::Unit };
    match rows.next() {
        Some(_) if !first.is_of_name() => Cost::Unit,
        _ => first,
    }
}

//! The evaluator. It takes a bounded number of steps, and each step a bounded amount of memory.

pub(crate) mod data;
pub(crate) mod fold;
pub(crate) mod value;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::eval::value::{Entries, Evaluated, Fault, List, Value};
use crate::facts::Facts;
use crate::functions::library;
use crate::functions::{Invocation, lists, operators};
use crate::regex::{Pattern, PatternError};
use crate::syntax::ast::{Call, Comprehension, Entry, Expr, Item, Kind, Literal, Visit};

/// How many steps an expression may take. A server stops after a million units of cost, which are about as large; a rule
/// that comes near is rare, because the cost is also estimated when a rule is created.
const STEPS: usize = 1_000_000;

/// How many steps the rules of an object may take together. A server stops after ten million units of cost.
pub(crate) const STEPS_OF_OBJECT: usize = 10 * STEPS;

/// How many bytes of text are one step.
const BYTES_PER_STEP: usize = 32;

/// The steps of a pattern that is not a literal: it is compiled each time.
const STEPS_TO_COMPILE: usize = 20_000;

/// Compiled patterns of the literals in rules.
#[derive(Debug, Default)]
pub(crate) struct Patterns(HashMap<String, Arc<Pattern>>);

impl Patterns {
    /// Compiles a literal.
    pub(crate) fn add(&mut self, pattern: &str) -> Result<(), PatternError> {
        if !self.0.contains_key(pattern) {
            self.0.insert(pattern.to_owned(), Arc::new(Pattern::compile(pattern)?));
        }
        Ok(())
    }

    pub(crate) fn get(&self, pattern: &str) -> Result<Arc<Pattern>, PatternError> {
        self.0.get(pattern).cloned().map_or_else(|| Pattern::compile(pattern).map(Arc::new), Ok)
    }

    fn has(&self, pattern: &Value<'_>) -> bool {
        matches!(pattern, Value::Text(pattern) if self.0.contains_key(&**pattern))
    }
}

/// Evaluates an expression with these variables. Its steps are taken from those that are left for the object.
pub(crate) fn evaluate<'v>(
    expression: &'v Expr,
    variables: Vec<(&'v str, Value<'v>)>,
    facts: Facts,
    patterns: &'v Patterns,
    left: &mut usize,
) -> Evaluated<Value<'v>> {
    let most = STEPS.min(*left);
    let mut evaluation = Evaluation { variables, steps: most, facts, patterns };
    let value = evaluation.value(expression);
    *left = left.saturating_sub(most - evaluation.steps);
    value
}

struct Evaluation<'v> {
    variables: Vec<(&'v str, Value<'v>)>,
    steps: usize,
    facts: Facts,
    patterns: &'v Patterns,
}

impl<'v> Evaluation<'v> {
    fn spend(&mut self, steps: usize) -> Evaluated<()> {
        self.steps = self.steps.checked_sub(steps).ok_or_else(|| {
            self.steps = 0;
            Fault::not_judged("the rule takes more steps than are spent on a rule")
        })?;
        Ok(())
    }

    fn value(&mut self, expression: &'v Expr) -> Evaluated<Value<'v>> {
        self.spend(1)?;
        match &expression.kind {
            Kind::Literal(literal) => Ok(literal_value(literal)),
            Kind::Name(name) => self.variable(name),
            Kind::TypeName(name) => Ok(Value::Type(name)),
            Kind::Select { operand, field, optional } => {
                let operand = self.value(operand)?;
                qualify(operand, &Value::borrowed(field), *optional)
            }
            Kind::Has { operand, field } => has(&self.value(operand)?, field),
            Kind::Call(call) => self.call(call),
            Kind::List(items) => self.list(items),
            Kind::Map(entries) => self.map(entries),
            Kind::Message { name } => Err(Fault::not_judged(format!("a value of type {name}"))),
            Kind::And(operands) => self.logical(operands, false),
            Kind::Or(operands) => self.logical(operands, true),
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                match self.value(condition)? {
                    Value::Bool(true) => self.value(yes),
                    Value::Bool(false) => self.value(no),
                    _ => Err(Fault::no_overload()),
                }
            }
            Kind::Comprehension(visit) => self.comprehension(visit),
            Kind::OptionalMap { target, name, result, flat } => {
                let Value::Optional(target) = self.value(target)? else {
                    return Err(Fault::no_overload());
                };
                let Some(target) = target else { return Ok(Value::Optional(None)) };
                let result = self.with(name, (*target).clone(), |own| own.value(result))?;
                Ok(if *flat { result } else { Value::some(result) })
            }
        }
    }

    fn variable(&self, name: &str) -> Evaluated<Value<'v>> {
        let variable = self.variables.iter().rev().find(|(own, _)| *own == name);
        let value = variable.map(|(_, value)| value.clone());
        value.ok_or_else(|| Fault::Error(format!("no such attribute(s): {name}")))
    }

    fn list(&mut self, items: &'v [Item]) -> Evaluated<Value<'v>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.extend(self.value_unless_none(&item.value, item.optional)?);
        }
        Ok(Value::list(values))
    }

    /// Of several entries with equal keys, the last counts.
    fn map(&mut self, entries: &'v [Entry]) -> Evaluated<Value<'v>> {
        let mut values = Entries::with_capacity(entries.len());
        for entry in entries {
            let key = self.value(&entry.key)?;
            if let Some(value) = self.value_unless_none(&entry.value, entry.optional)? {
                values.retain(|(own, _)| own.equals(&key) != Ok(true));
                values.push((key, value));
            }
        }
        Ok(Value::Map(values.into()))
    }

    /// The value of an item; an optional one may have none.
    fn value_unless_none(
        &mut self,
        item: &'v Expr,
        is_optional: bool,
    ) -> Evaluated<Option<Value<'v>>> {
        let value = self.value(item)?;
        if is_optional { unwrap_optional(value) } else { Ok(Some(value)) }
    }

    /// `&&` and `||`: an operand that decides makes errors of the others irrelevant.
    fn logical(&mut self, operands: &'v [Expr], decides: bool) -> Evaluated<Value<'v>> {
        let mut fault = None;
        for operand in operands {
            match self.value(operand) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => {}
                Ok(_) => fault = fault.or_else(|| Some(Fault::no_overload())),
                Err(Fault::NotJudged(reason)) => return Err(Fault::NotJudged(reason)),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn with<T>(&mut self, name: &'v str, value: Value<'v>, then: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push((name, value));
        let result = then(self);
        self.variables.pop();
        result
    }

    fn call(&mut self, call: &'v Call) -> Evaluated<Value<'v>> {
        if call.has_receiver && matches!(&*call.function, "or" | "orValue") {
            return self.alternative(call);
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.value(argument)?);
        }
        self.spend_for(&call.function, &arguments)?;
        let value = self.apply(call, &arguments)?;
        self.spend(shallow_size(&value))?;
        Ok(value)
    }

    /// The second operand of `or` and `orValue` has a value only if it is needed.
    fn alternative(&mut self, call: &'v Call) -> Evaluated<Value<'v>> {
        let [own, other] = call.arguments.as_slice() else { return Err(Fault::no_overload()) };
        match self.value(own)? {
            Value::Optional(None) => self.value(other),
            Value::Optional(Some(value)) if &*call.function == "orValue" => Ok((*value).clone()),
            own @ Value::Optional(_) => Ok(own),
            _ => Err(Fault::no_overload()),
        }
    }

    fn apply(&self, call: &'v Call, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        let function = &*call.function;
        if let [a, b] = arguments
            && let Some(value) = operators::binary(function, a, b)
        {
            return value;
        }
        match arguments {
            [operand] if matches!(function, "!_" | "-_") => {
                return operators::unary(function, operand);
            }
            [operand, index] if matches!(function, "_[_]" | "_[?_]") => {
                return qualify(operand.clone(), index, function == "_[?_]");
            }
            _ => {}
        }
        let overload = library::dispatch(function, call.overload(), call.has_receiver, arguments)
            .ok_or_else(|| {
            let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
            let signature = if function == "size" {
                "size".to_owned()
            } else {
                format!("{function}({})", types.join(", "))
            };
            Fault::Error(format!("no such overload: {signature}"))
        })?;
        let invocation = Invocation {
            function,
            overload,
            arguments,
            is_static: call.overload().is_some(),
            facts: self.facts,
            patterns: self.patterns,
        };
        invocation.call()
    }

    /// What a call costs by its arguments, before it is made.
    fn spend_for(&mut self, function: &str, arguments: &[Value<'v>]) -> Evaluated<()> {
        let shallow = arguments.iter().map(shallow_size).sum::<usize>();
        let deep = |steps: usize| {
            arguments.iter().fold(0_usize, |sum, value| sum.saturating_add(weight(value, steps)))
        };
        let steps = match (function, arguments) {
            ("_==_" | "_!=_" | "@in" | "indexOf" | "lastIndexOf" | "join" | "format", _) => {
                deep(self.steps)
            }
            ("distinct" | "sort", [Value::List(list)]) => {
                deep(self.steps).saturating_mul(list.len().max(1))
            }
            (
                "sets.contains" | "sets.equivalent" | "sets.intersects",
                [Value::List(a), Value::List(b)],
            ) => {
                let smaller = a.len().min(b.len()).max(1);
                deep(self.steps).saturating_mul(smaller)
            }
            ("replace", [Value::Text(own), _, Value::Text(to), ..]) => {
                (own.len() + 1).saturating_mul(to.len() + 1) / BYTES_PER_STEP
            }
            ("lists.range", [Value::Int(count)]) => usize::try_from(*count).unwrap_or_default(),
            ("split", [Value::Text(own), ..]) => own.len(),
            ("matches" | "find" | "findAll", [_, pattern, ..]) if self.patterns.has(pattern) => {
                shallow
            }
            ("matches" | "find" | "findAll", _) => shallow.saturating_add(STEPS_TO_COMPILE),
            _ => shallow,
        };
        self.spend(steps)
    }

    fn comprehension(&mut self, visit: &'v Comprehension) -> Evaluated<Value<'v>> {
        let range = self.value(&visit.range)?;
        let items = items(&range, visit.second.is_some())?;
        self.spend(items.len())?;
        if visit.kind == Visit::SortBy {
            return self.sort_by(visit, &range, items);
        }
        let mut state = State::new(visit.kind);
        for (first, second) in items {
            self.variables.push((&visit.first, first.clone()));
            let second_is_bound = match (&visit.second, second) {
                (Some(name), Some(value)) => {
                    self.variables.push((name, value));
                    true
                }
                _ => false,
            };
            let step = self.step(visit);
            if second_is_bound {
                self.variables.pop();
            }
            self.variables.pop();
            if let Step::Filter(Fault::NotJudged(reason))
            | Step::Body(Err(Fault::NotJudged(reason))) = step
            {
                return Err(Fault::NotJudged(reason));
            }
            if state.take(&first, step) {
                break;
            }
        }
        state.result()
    }

    fn step(&mut self, visit: &'v Comprehension) -> Step<'v> {
        match visit.filter.as_ref().map(|filter| self.value(filter)) {
            None | Some(Ok(Value::Bool(true))) => Step::Body(self.value(&visit.body)),
            Some(Ok(Value::Bool(false))) => Step::LeftOut,
            Some(Ok(_)) => Step::Filter(Fault::no_overload()),
            Some(Err(fault)) => Step::Filter(fault),
        }
    }

    fn sort_by(
        &mut self,
        visit: &'v Comprehension,
        range: &Value<'v>,
        items: Vec<(Value<'v>, Option<Value<'v>>)>,
    ) -> Evaluated<Value<'v>> {
        let Value::List(list) = range else { return Err(Fault::no_overload()) };
        let mut keys = Vec::with_capacity(items.len());
        for (item, _) in items {
            keys.push(self.with(&visit.first, item, |own| own.value(&visit.body))?);
        }
        lists::sort(list, &List::from_values(keys))
    }
}

/// The answer of `has(operand.field)`.
fn has<'v>(operand: &Value<'v>, field: &'v str) -> Evaluated<Value<'v>> {
    let operand = match operand {
        Value::Optional(None) => return Ok(Value::Bool(false)),
        Value::Optional(Some(value)) => value,
        value => value,
    };
    Ok(Value::Bool(member(operand, &Value::borrowed(field))?.is_some()))
}

/// What a comprehension makes of an item.
enum Step<'v> {
    /// The filter leaves the item out.
    LeftOut,
    /// The filter has no value.
    Filter(Fault),
    Body(Evaluated<Value<'v>>),
}

/// What a comprehension has made of the items so far.
struct State<'v> {
    kind: Visit,
    values: Vec<Value<'v>>,
    entries: Entries<'v>,
    count: usize,
    fault: Option<Fault>,
    decided: bool,
}

impl<'v> State<'v> {
    const fn new(kind: Visit) -> Self {
        Self {
            kind,
            values: Vec::new(),
            entries: Vec::new(),
            count: 0,
            fault: None,
            decided: false,
        }
    }

    /// Takes what is made of an item, and returns `true` if the other items do not matter.
    fn take(&mut self, key: &Value<'v>, step: Step<'v>) -> bool {
        let body = match step {
            Step::LeftOut => return false,
            Step::Filter(fault) => {
                // The error of a filter replaces earlier errors.
                self.fault = Some(fault);
                return false;
            }
            Step::Body(body) => body,
        };
        match (self.kind, body) {
            (Visit::All, Ok(Value::Bool(false))) | (Visit::Exists, Ok(Value::Bool(true))) => {
                self.decided = true;
            }
            (Visit::All | Visit::Exists | Visit::ExistsOne, Ok(Value::Bool(holds))) => {
                self.count += usize::from(holds);
            }
            (Visit::All | Visit::Exists | Visit::ExistsOne, Ok(_)) => {
                self.fail(Fault::no_overload());
            }
            (Visit::Map, Ok(value)) => self.insert(key.clone(), value),
            (Visit::Entries, Ok(Value::Map(entries))) => {
                for (key, value) in entries.iter() {
                    self.insert(key.clone(), value.clone());
                }
            }
            (Visit::Entries, Ok(_)) => self.fail(Fault::no_overload()),
            (Visit::List | Visit::SortBy, Ok(value)) => self.values.push(value),
            (_, Err(fault)) => self.fail(fault),
        }
        self.decided
    }

    /// The first error stays, except in `exists_one`: there the last one does.
    fn fail(&mut self, fault: Fault) {
        if self.fault.is_none() || self.kind == Visit::ExistsOne {
            self.fault = Some(fault);
        }
    }

    fn insert(&mut self, key: Value<'v>, value: Value<'v>) {
        if self.entries.iter().any(|(own, _)| own.equals(&key) == Ok(true)) {
            self.fail(Fault::Error(format!("insert failed: key {} already exists", shown(&key))));
        } else {
            self.entries.push((key, value));
        }
    }

    fn result(self) -> Evaluated<Value<'v>> {
        if self.decided {
            return Ok(Value::Bool(self.kind == Visit::Exists));
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        Ok(match self.kind {
            Visit::All => Value::Bool(true),
            Visit::Exists => Value::Bool(false),
            Visit::ExistsOne => Value::Bool(self.count == 1),
            Visit::List | Visit::SortBy => Value::list(self.values),
            Visit::Map | Visit::Entries => Value::Map(self.entries.into()),
        })
    }
}

/// The items of a list, or the keys of a map; with two variables also the indexes or the values.
fn items<'v>(range: &Value<'v>, two: bool) -> Evaluated<Vec<(Value<'v>, Option<Value<'v>>)>> {
    match range {
        Value::List(list) => {
            let mut items = Vec::with_capacity(list.len());
            for (index, item) in list.iter().enumerate() {
                let item = item?;
                items.push(if two {
                    (Value::Int(i64::try_from(index).unwrap_or(i64::MAX)), Some(item))
                } else {
                    (item, None)
                });
            }
            Ok(items)
        }
        Value::Map(entries) => Ok(entries
            .iter()
            .map(|(key, value)| (key.clone(), two.then(|| value.clone())))
            .collect()),
        Value::Data(data) => {
            let mut items = Vec::new();
            for key in data.keys() {
                let value = if two { range.find(&key)?.or(Some(Value::Null)) } else { None };
                items.push((key, value));
            }
            Ok(items)
        }
        other => Err(Fault::Error(format!("got '{}', expected iterable type", go_type(other)))),
    }
}

pub(crate) fn go_type(value: &Value<'_>) -> &'static str {
    match value {
        Value::Null => "types.Null",
        Value::Bool(_) => "types.Bool",
        Value::Int(_) => "types.Int",
        Value::Uint(_) => "types.Uint",
        Value::Double(_) => "types.Double",
        Value::Text(_) => "types.String",
        Value::Bytes(_) => "types.Bytes",
        Value::Timestamp(_) => "types.Timestamp",
        Value::Duration(_) => "types.Duration",
        Value::Optional(_) => "*types.Optional",
        Value::Type(_) => "*types.Type",
        Value::List(_) => "*types.baseList",
        Value::Map(_) => "*types.baseMap",
        other => other.type_name(),
    }
}

fn unwrap_optional(value: Value<'_>) -> Evaluated<Option<Value<'_>>> {
    match value {
        Value::Optional(inner) => Ok(inner.map(|inner| (*inner).clone())),
        other => Err(Fault::Error(format!(
            "cannot initialize optional list element from non-optional value {}",
            shown(&other)
        ))),
    }
}

/// A field of an object, a value of a map, or an item of a list, if there is one.
fn member<'v>(value: &Value<'v>, index: &Value<'v>) -> Evaluated<Option<Value<'v>>> {
    let Value::List(list) = value else { return value.find(index) };
    let unsupported = || Fault::Error(format!("unsupported index value {} in list", shown(index)));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::float_cmp,
        reason = "compared with the original"
    )]
    let position = match index {
        Value::Int(position) => *position,
        Value::Uint(position) => i64::try_from(*position).map_err(|_| unsupported())?,
        Value::Double(position) => {
            let whole = *position as i64;
            if whole as f64 == *position { whole } else { return Err(unsupported()) }
        }
        other => {
            return Err(Fault::Error(format!(
                "unsupported index type '{}' in list",
                other.type_name()
            )));
        }
    };
    usize::try_from(position).ok().and_then(|position| list.get(position)).transpose()
}

/// `value.field` or `value[index]`. From the first optional on, a member that is missing is none.
fn qualify<'v>(value: Value<'v>, index: &Value<'v>, optional: bool) -> Evaluated<Value<'v>> {
    let (value, optional) = match value {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => ((*value).clone(), true),
        value => (value, optional),
    };
    match member(&value, index)? {
        Some(member) if optional => Ok(Value::some(member)),
        Some(member) => Ok(member),
        None if optional => Ok(Value::Optional(None)),
        None if matches!(value, Value::List(_)) => {
            Err(Fault::Error(format!("index out of bounds: {}", shown(index))))
        }
        None => Err(Fault::Error(format!("no such key: {}", shown(index)))),
    }
}

/// A value as Go prints it in errors.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Double(value) => crate::values::text::go_float(*value),
        other => other.type_name().to_owned(),
    }
}

pub(crate) fn literal_value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::borrowed(text),
        Literal::Bytes(bytes) => Value::Bytes(bytes.to_vec().into()),
    }
}

/// The size of a value without the sizes of its parts, in steps.
fn shallow_size(value: &Value<'_>) -> usize {
    match value {
        Value::Text(text) => text.len() / BYTES_PER_STEP,
        Value::Bytes(bytes) => bytes.len() / BYTES_PER_STEP,
        Value::List(list) => list.held(),
        Value::Map(entries) => entries.len(),
        _ => 0,
    }
}

/// The size of a value with all its parts, in steps, counted up to a limit.
fn weight(value: &Value<'_>, limit: usize) -> usize {
    let mut total = 1 + shallow_size(value);
    match value {
        Value::List(list) => {
            for item in list.iter().flatten() {
                if total > limit {
                    break;
                }
                total = total.saturating_add(weight(&item, limit - total.min(limit)));
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries.iter() {
                if total > limit {
                    break;
                }
                total =
                    total.saturating_add(weight(key, limit)).saturating_add(weight(value, limit));
            }
        }
        Value::Data(data) => {
            total += data.members.values().map(|member| json_weight(member, limit)).sum::<usize>();
        }
        Value::Optional(Some(value)) => total = total.saturating_add(weight(value, limit)),
        _ => {}
    }
    total
}

/// The size of data with all its parts, in steps, counted up to a limit.
fn json_weight(value: &Json, limit: usize) -> usize {
    let mut total = 0_usize;
    let mut rest = vec![value];
    while let Some(value) = rest.pop().filter(|_| total <= limit) {
        total += 1;
        match value {
            Json::String(text) => total += text.len() / BYTES_PER_STEP,
            Json::Array(items) => rest.extend(items),
            Json::Object(members) => rest.extend(members.values()),
            _ => {}
        }
    }
    total
}

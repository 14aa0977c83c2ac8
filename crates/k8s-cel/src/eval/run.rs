//! The evaluator. An evaluation has a budget, and each step takes a bounded amount of memory.

use std::rc::Rc;

use super::budget::Meter;
use super::member::{index, select, shown};
use super::memo::Memo;
use super::patterns::Patterns;
use super::program::{Invocation, Plan};
use super::stack::Stack;
use super::value::{Dictionary, Entries, Evaluated, Fault, Value};
use crate::cost::actual::cost;
use crate::cost::function::Cost;
use crate::cost::{NEW_LIST, NEW_MAP};
use crate::functions::Context;
use crate::functions::library;
use crate::functions::operators::Arithmetic;
use crate::since::Facts;

/// Evaluates a plan with these variables, in their order. A variable without a value cannot be read.
pub(crate) fn run<'v>(
    plan: &'v Plan,
    variables: impl IntoIterator<Item = Option<Value<'v>>>,
    facts: Facts,
    patterns: &'v Patterns,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let mut stack = Stack::new();
    for variable in variables {
        stack.push(variable);
    }
    Run { stack, memo: Memo::default(), facts, patterns, meter }.value(plan)
}

pub(super) struct Run<'v, 'm> {
    pub(super) stack: Stack<'v>,
    pub(super) memo: Memo<'v>,
    facts: Facts,
    patterns: &'v Patterns,
    pub(super) meter: &'m Meter,
}

impl<'v> Run<'v, '_> {
    pub(super) fn value(&mut self, plan: &'v Plan) -> Evaluated<Value<'v>> {
        match plan {
            Plan::Constant(constant) => Ok(constant.value()),
            Plan::Free(plan) => self.free(plan),
            Plan::Path(path) => self.path(path),
            Plan::Select { operand, field, cost } => {
                let operand = self.value(operand)?;
                self.meter.charge(*cost)?;
                select(&operand, field, self.meter)
            }
            Plan::Index { operand, key, optional, cost } => {
                let operand = self.value(operand)?;
                let key = self.value(key)?;
                self.meter.charge(*cost)?;
                index(&operand, &key, *optional, self.meter)
            }
            Plan::Condition(condition) => self.condition(condition).map(Value::Bool),
            Plan::Arithmetic { operator, operands, cost } => {
                self.arithmetic(*operator, operands, *cost)
            }
            Plan::Int(int) => self.value_of_int(int),
            Plan::Call(call) => self.call(call),
            Plan::Alternative { operands, is_value } => self.alternative(operands, *is_value),
            Plan::List(items) => self.list(items),
            Plan::Map(entries) => self.map(entries),
            Plan::Conditional(operands, saved) => self.conditional(operands, *saved),
            Plan::Collect(collector) => self.collect(collector),
            Plan::SortBy(visit, cost) => self.sort_by(visit, *cost),
            Plan::OptionalMap { target, result, flat } => self.optional_map(target, result, *flat),
            Plan::Message(name) => Err(Fault::not_judged(format!("a value of type {name}"))),
        }
    }

    /// A constant, which servers compute once.
    fn free(&mut self, plan: &'v Plan) -> Evaluated<Value<'v>> {
        let before = self.meter.cost();
        let value = self.value(plan);
        self.meter.refund(self.meter.cost() - before)?;
        value
    }

    fn list(&mut self, items: &'v [(Plan, bool)]) -> Evaluated<Value<'v>> {
        let values = self.items(items);
        self.count_made(NEW_LIST, values).map(Value::list)
    }

    fn items(&mut self, items: &'v [(Plan, bool)]) -> Evaluated<Vec<Value<'v>>> {
        self.meter.work(items.len())?;
        let mut values = Vec::with_capacity(items.len());
        for (item, optional) in items {
            values.extend(self.value_unless_none(item, *optional)?);
        }
        Ok(values)
    }

    fn map(&mut self, entries: &'v [(Plan, Plan, bool)]) -> Evaluated<Value<'v>> {
        let values = self.entries(entries);
        let values = self.count_made(NEW_MAP, values)?;
        Ok(Value::Map(Rc::new(Dictionary::new(values))))
    }

    /// Of several entries with equal keys of one type, the last counts.
    fn entries(&mut self, entries: &'v [(Plan, Plan, bool)]) -> Evaluated<Entries<'v>> {
        let mut values = Entries::with_capacity(entries.len());
        for (key, value, optional) in entries {
            let key = self.value(key)?;
            self.meter.work(1 + values.len())?;
            if let Some(value) = self.value_unless_none(value, *optional)? {
                let same = self.position_of(&values, &key)?;
                same.map(|same| values.remove(same));
                values.push((key, value));
            }
        }
        Ok(values)
    }

    /// The entry whose key is the same.
    fn position_of(&self, entries: &Entries<'v>, key: &Value<'v>) -> Evaluated<Option<usize>> {
        for (position, (own, _)) in entries.iter().enumerate() {
            match own.has_type_of(key).then(|| own.equals(key, self.meter)) {
                Some(Ok(true)) => return Ok(Some(position)),
                Some(Err(fault)) if fault.is_final() => return Err(fault),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Counts a list or a map that is made. Servers also count it if an item fails.
    fn count_made<T>(&self, units: u64, made: Evaluated<T>) -> Evaluated<T> {
        match made {
            Err(fault) if fault.is_final() => Err(fault),
            made => self.meter.charge(units).and(made),
        }
    }

    /// The value of an item; an optional one may have none.
    fn value_unless_none(
        &mut self,
        item: &'v Plan,
        is_optional: bool,
    ) -> Evaluated<Option<Value<'v>>> {
        match self.value(item)? {
            value if !is_optional => Ok(Some(value)),
            Value::Optional(inner) => Ok(inner.map(|inner| (*inner).clone())),
            other => Err(Fault::error(format!(
                "cannot initialize optional list element from non-optional value {}",
                shown(&other)
            ))),
        }
    }

    fn conditional(&mut self, operands: &'v [Plan; 3], saved: [u64; 2]) -> Evaluated<Value<'v>> {
        let [condition, yes, no] = operands;
        let [of_yes, of_no] = saved;
        self.meter.work(1)?;
        let (branch, saved) = if self.holds(condition)? { (yes, of_yes) } else { (no, of_no) };
        let value = self.value(branch);
        self.meter.refund(saved)?;
        value
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        operands: &'v [Plan; 2],
        cost: Cost,
    ) -> Evaluated<Value<'v>> {
        let operands = self.operands(operands, cost)?;
        let [left, right] = &operands;
        let value = operator.apply(left, right, self.meter);
        self.charge_call(cost, &operands, value)
    }

    /// Both operands. Servers evaluate the second one even if the first fails.
    pub(super) fn operands(
        &mut self,
        operands: &'v [Plan; 2],
        of: Cost,
    ) -> Evaluated<[Value<'v>; 2]> {
        let [left, right] = operands;
        match (self.value(left), self.value(right)) {
            (Ok(left), Ok(right)) => Ok([left, right]),
            (left, right) => Err(self.failed(of, [left, right])),
        }
    }

    fn call(&mut self, call: &'v Invocation) -> Evaluated<Value<'v>> {
        match call.arguments.as_slice() {
            [] => self.invoke(call, &[]),
            [first] => match self.value(first) {
                Ok(argument) => self.invoke(call, &[argument]),
                failed => Err(self.failed(call.cost, [failed])),
            },
            [first, second] => {
                let first = self.value(first);
                if call.is_sequential && first.is_err() {
                    return first;
                }
                match (first, self.value(second)) {
                    (Ok(first), Ok(second)) => self.invoke(call, &[first, second]),
                    (first, second) => Err(self.failed(call.cost, [first, second])),
                }
            }
            [before @ .., last] => {
                let mut arguments = Vec::with_capacity(before.len() + 1);
                for argument in before {
                    arguments.push(self.value(argument)?);
                }
                let last = self.value(last);
                let fault = last.as_ref().err().cloned();
                arguments.push(last.unwrap_or(Value::Null));
                match fault {
                    None => self.invoke(call, &arguments),
                    Some(fault) => Err(self.count_failed(call.cost, &arguments, fault)),
                }
            }
        }
    }

    /// Counts a call and its arguments where some argument has no value. Returns the fault, mostly the first one.
    #[cold]
    pub(super) fn failed<const N: usize>(
        &self,
        of: Cost,
        arguments: [Evaluated<Value<'v>>; N],
    ) -> Fault {
        let mut first: Option<Fault> = None;
        let values = arguments.map(|argument| {
            argument.unwrap_or_else(|fault| {
                if first.is_none() || fault.is_final() {
                    first = Some(fault);
                }
                Value::Null
            })
        });
        self.count_failed(of, &values, first.unwrap_or_else(Fault::no_overload))
    }

    /// Counts a call that fails, with null in the place of errors: both have the size 1.
    fn count_failed(&self, of: Cost, arguments: &[Value<'v>], fault: Fault) -> Fault {
        if fault.is_final() {
            return fault;
        }
        let units = cost(of, arguments, &Value::Null, self.meter);
        units.and_then(|units| self.meter.charge(units)).err().unwrap_or(fault)
    }

    fn invoke(&self, call: &'v Invocation, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        let fits = |overload: &&&library::Overload| {
            overload.accepts(&call.function, arguments, self.meter)
        };
        let Some(overload) = call.overloads.iter().find(fits) else {
            let fault = no_overload(&call.function, arguments);
            return Err(self.count_failed(call.cost, arguments, fault));
        };
        let context = Context {
            facts: self.facts,
            patterns: self.patterns,
            meter: self.meter,
            result: (call.overloads.len() == 1).then_some(&overload.result),
        };
        let value = overload.call(&context, arguments);
        self.charge_call(call.cost, arguments, value)
    }

    /// Spends the cost of a call, whether it fails or not.
    fn charge_call(
        &self,
        of: Cost,
        arguments: &[Value<'v>],
        value: Evaluated<Value<'v>>,
    ) -> Evaluated<Value<'v>> {
        let result = value.as_ref().unwrap_or(&Value::Null);
        self.meter.charge(cost(of, arguments, result, self.meter)?)?;
        value
    }

    fn alternative(&mut self, operands: &'v [Plan; 2], is_value: bool) -> Evaluated<Value<'v>> {
        let [own, other] = operands;
        match self.value(own)? {
            Value::Optional(None) => self.value(other),
            Value::Optional(Some(value)) if is_value => Ok((*value).clone()),
            own @ Value::Optional(_) => Ok(own),
            _ => Err(Fault::no_overload()),
        }
    }

    /// Servers write it as a condition on `hasValue()` whose branch has the target again.
    fn optional_map(
        &mut self,
        target: &'v Plan,
        result: &'v Plan,
        flat: bool,
    ) -> Evaluated<Value<'v>> {
        let before = self.meter.cost();
        let target = self.value(target);
        let of_target = self.meter.cost() - before;
        // `hasValue()`.
        self.meter.charge(1)?;
        let Value::Optional(target) = target? else { return Err(Fault::no_overload()) };
        let Some(target) = target else {
            self.meter.charge(1)?;
            return Ok(Value::Optional(None));
        };
        self.meter.charge(of_target.saturating_add(1 + u64::from(!flat)))?;
        let place = self.stack.push(Some((*target).clone()));
        let result = self.value(result);
        self.stack.truncate(place);
        let result = result?;
        Ok(if flat { result } else { Value::some(result) })
    }
}

/// The server's words for a call of a function that does not take these values.
fn no_overload(function: &str, arguments: &[Value<'_>]) -> Fault {
    match function {
        "-_" => Fault::error("no such overload: -_"),
        "size" => Fault::error("no such overload: size"),
        _ => {
            let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
            Fault::error(format!("no such overload: {function}({})", types.join(", ")))
        }
    }
}

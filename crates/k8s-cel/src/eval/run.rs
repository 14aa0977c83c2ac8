//! The evaluator. What an evaluation spends is bounded, and each step takes a bounded amount of memory.

use std::rc::Rc;

use super::items::Items;
use super::meter::Meter;
use super::patterns::Patterns;
use super::program::{Field, Invocation, Loop, Plan};
use super::value::{Data, Dictionary, Entries, Evaluated, Fault, List, Value};
use crate::cost::actual::cost;
use crate::cost::function::Cost;
use crate::cost::{NEW_LIST, NEW_MAP};
use crate::functions::Context;
use crate::functions::library;
use crate::functions::lists;
use crate::functions::operators::Operator;
use crate::since::Facts;
use crate::syntax::ast::Visit;

/// Evaluates a plan with these variables, in their order. A variable without a value cannot be read.
pub(crate) fn run<'v>(
    plan: &'v Plan,
    variables: &mut dyn Iterator<Item = Option<Value<'v>>>,
    facts: Facts,
    patterns: &'v Patterns,
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let mut stack = Stack::default();
    for variable in variables {
        stack.push(variable);
    }
    Run { stack, facts, patterns, meter }.value(plan)
}

/// How many variables need no memory of their own.
const INLINE: usize = 4;

/// The variables that are in scope.
struct Stack<'v> {
    first: [Option<Value<'v>>; INLINE],
    more: Vec<Option<Value<'v>>>,
    length: usize,
}

impl Default for Stack<'_> {
    fn default() -> Self {
        Self { first: [const { None }; INLINE], more: Vec::new(), length: 0 }
    }
}

impl<'v> Stack<'v> {
    fn get(&self, at: usize) -> Option<&Value<'v>> {
        let slot = match at.checked_sub(INLINE) {
            Some(at) => self.more.get(at),
            None => self.first.get(at),
        };
        slot?.as_ref()
    }

    fn push(&mut self, value: Option<Value<'v>>) {
        match self.first.get_mut(self.length) {
            Some(slot) => *slot = value,
            None => self.more.push(value),
        }
        self.length += 1;
    }

    fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        match self.first.get_mut(self.length) {
            Some(slot) => *slot = None,
            None => drop(self.more.pop()),
        }
    }
}

struct Run<'v, 'm> {
    stack: Stack<'v>,
    facts: Facts,
    patterns: &'v Patterns,
    meter: &'m Meter,
}

impl<'v> Run<'v, '_> {
    fn value(&mut self, plan: &'v Plan) -> Evaluated<Value<'v>> {
        self.meter.work(1)?;
        match plan {
            Plan::Constant(constant) => Ok(constant.value()),
            Plan::Free(plan) => self.free(plan),
            Plan::Variable(at, name) => {
                self.meter.charge(1)?;
                let value = self.stack.get(*at).cloned();
                value.ok_or_else(|| Fault::Error(format!("no such attribute(s): {name}")))
            }
            Plan::Select { operand, field, optional, cost } => {
                let operand = self.operand(operand)?;
                self.meter.charge(*cost)?;
                self.select(operand, field, *optional)
            }
            Plan::Has { operand, field, cost } => {
                let operand = self.operand(operand)?;
                self.meter.charge(*cost)?;
                self.has(&operand, field)
            }
            Plan::Index { operand, key, optional, cost } => {
                let operand = self.value(operand)?;
                let key = self.value(key)?;
                self.meter.charge(*cost)?;
                self.qualify(operand, &key, *optional)
            }
            Plan::Binary { operator, operands, cost } => self.binary(*operator, operands, *cost),
            Plan::InConstants { value, constants } => {
                let value = self.value(value)?;
                value
                    .is_in(&Value::List(List::of_constants(constants)), self.meter)
                    .map(Value::Bool)
            }
            Plan::Call(call) => self.call(call),
            Plan::Alternative { operands, is_value } => self.alternative(operands, *is_value),
            Plan::List(items) => self.list(items),
            Plan::Map(entries) => self.map(entries),
            Plan::Logical { operands, decides } => self.logical(operands, *decides),
            Plan::Conditional(operands, saved) => self.conditional(operands, *saved),
            Plan::Loop(visit) => self.visit(visit),
            Plan::OptionalMap { target, result, flat } => self.optional_map(target, result, *flat),
            Plan::Message(name) => Err(Fault::not_judged(format!("a value of type {name}"))),
        }
    }

    /// The value of what a field is selected from: mostly a variable that is an object, which is the shortest way here.
    fn operand(&mut self, plan: &'v Plan) -> Evaluated<Value<'v>> {
        if let Plan::Variable(at, _) = plan
            && let Some(Value::Data(data)) = self.stack.get(*at)
        {
            let data = *data;
            self.meter.work(1)?;
            self.meter.charge(1)?;
            return Ok(Value::Data(data));
        }
        self.value(plan)
    }

    /// A constant, which servers compute once.
    fn free(&mut self, plan: &'v Plan) -> Evaluated<Value<'v>> {
        let before = self.meter.cost();
        let value = self.value(plan);
        self.meter.refund(self.meter.cost() - before);
        value
    }

    fn list(&mut self, items: &'v [(Plan, bool)]) -> Evaluated<Value<'v>> {
        let mut values = Vec::with_capacity(items.len());
        for (item, optional) in items {
            values.extend(self.value_unless_none(item, *optional)?);
        }
        self.meter.charge(NEW_LIST)?;
        Ok(Value::list(values))
    }

    /// Of several entries with equal keys, the last counts.
    fn map(&mut self, entries: &'v [(Plan, Plan, bool)]) -> Evaluated<Value<'v>> {
        let mut values = Entries::with_capacity(entries.len());
        for (key, value, optional) in entries {
            let key = self.value(key)?;
            if let Some(value) = self.value_unless_none(value, *optional)? {
                self.meter.work(values.len())?;
                values.retain(|(own, _)| own.equals(&key, self.meter) != Ok(true));
                values.push((key, value));
            }
        }
        self.meter.charge(NEW_MAP)?;
        Ok(Value::Map(Rc::new(Dictionary::new(values))))
    }

    /// The value of an item; an optional one may have none.
    fn value_unless_none(
        &mut self,
        item: &'v Plan,
        is_optional: bool,
    ) -> Evaluated<Option<Value<'v>>> {
        let value = self.value(item)?;
        if is_optional { unwrap_optional(value) } else { Ok(Some(value)) }
    }

    /// `&&` and `||`: an operand that decides makes errors of the others irrelevant.
    fn logical(&mut self, operands: &'v [Plan], decides: bool) -> Evaluated<Value<'v>> {
        let mut fault = None;
        for operand in operands {
            match self.value(operand) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => {}
                Ok(_) => fault = fault.or_else(|| Some(Fault::no_overload())),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn conditional(&mut self, operands: &'v [Plan; 3], saved: [u64; 2]) -> Evaluated<Value<'v>> {
        let [condition, yes, no] = operands;
        let [of_yes, of_no] = saved;
        let (branch, saved) = match self.value(condition)? {
            Value::Bool(true) => (yes, of_yes),
            Value::Bool(false) => (no, of_no),
            _ => return Err(Fault::no_overload()),
        };
        let value = self.value(branch);
        self.meter.refund(saved);
        value
    }

    fn binary(
        &mut self,
        operator: Operator,
        operands: &'v [Plan; 2],
        of: Cost,
    ) -> Evaluated<Value<'v>> {
        let [left, right] = operands;
        let left = self.value(left)?;
        let right = self.value(right)?;
        let value = operator.apply(&left, &right, self.meter);
        self.charge_call(of, &[left, right], value)
    }

    fn call(&mut self, call: &'v Invocation) -> Evaluated<Value<'v>> {
        match call.arguments.as_slice() {
            [] => self.invoke(call, &[]),
            [first] => match self.value(first) {
                Ok(argument) => self.invoke(call, &[argument]),
                Err(fault) => {
                    // Servers count a call whose last argument fails.
                    self.meter.charge(1)?;
                    Err(fault)
                }
            },
            [first, second] => {
                let arguments = [self.value(first)?, self.value(second)?];
                self.invoke(call, &arguments)
            }
            all => {
                let mut arguments = Vec::with_capacity(all.len());
                for argument in all {
                    arguments.push(self.value(argument)?);
                }
                self.invoke(call, &arguments)
            }
        }
    }

    fn invoke(&self, call: &'v Invocation, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        let fits = |overload: &&&library::Overload| overload.accepts(&call.function, arguments);
        let Some(overload) = call.overloads.iter().find(fits) else {
            let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
            let function = &call.function;
            return Err(Fault::Error(match &**function {
                "!_" => "no such overload".to_owned(),
                "-_" => format!("no such overload: {function}"),
                "size" => "no such overload: size".to_owned(),
                _ => format!("no such overload: {function}({})", types.join(", ")),
            }));
        };
        let context = Context {
            facts: self.facts,
            patterns: self.patterns,
            meter: self.meter,
            result: (call.overloads.len() == 1).then_some(&overload.result),
        };
        let value = (overload.call)(&context, arguments);
        if let Ok(value) = &value {
            self.meter.work(made(value))?;
        }
        self.charge_call(call.cost, arguments, value)
    }

    /// Spends what a call costs. One that fails costs as much.
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
        let Value::Optional(target) = self.value(target)? else {
            return Err(Fault::no_overload());
        };
        let of_target = self.meter.cost() - before;
        self.meter.charge(1)?;
        let Some(target) = target else {
            self.meter.charge(1)?;
            return Ok(Value::Optional(None));
        };
        self.meter.charge(of_target.saturating_add(1 + u64::from(!flat)))?;
        self.stack.push(Some((*target).clone()));
        let result = self.value(result);
        self.stack.pop();
        let result = result?;
        Ok(if flat { result } else { Value::some(result) })
    }

    fn visit(&mut self, visit: &'v Loop) -> Evaluated<Value<'v>> {
        let range = self.value(&visit.range)?;
        if visit.kind == Visit::SortBy {
            return self.sort_by(visit, &range);
        }
        let mut state = State::new(visit.kind);
        let left = match &range {
            Value::List(list) => self.visit_list(visit, list, &mut state)?,
            Value::Map(map) => self.visit_entries(visit, &map.entries, &mut state)?,
            Value::Data(data) => self.visit_members(visit, *data, &mut state)?,
            other => {
                let of = go_type(other);
                return Err(Fault::Error(format!("got '{of}', expected iterable type")));
            }
        };
        if left > 0 {
            self.meter.charge(visit.cost_of_end)?;
        }
        // The result, which `exists_one` compares with 1.
        self.meter.charge(1 + u64::from(visit.kind == Visit::ExistsOne))?;
        state.result()
    }

    /// Visits the items until the others do not matter. Returns the number of the others.
    fn visit_list(
        &mut self,
        visit: &'v Loop,
        list: &List<'v>,
        state: &mut State<'v>,
    ) -> Evaluated<usize> {
        for index in 0..list.len() {
            let Some(item) = list.get(index) else { break };
            let item = item?;
            let (first, second) = if visit.two {
                (Value::Int(i64::try_from(index).unwrap_or(i64::MAX)), Some(item))
            } else {
                (item, None)
            };
            if self.step(visit, first, second, state)? {
                return Ok(list.len() - index - 1);
            }
        }
        Ok(0)
    }

    fn visit_entries(
        &mut self,
        visit: &'v Loop,
        entries: &[(Value<'v>, Value<'v>)],
        state: &mut State<'v>,
    ) -> Evaluated<usize> {
        for (index, (key, value)) in entries.iter().enumerate() {
            let second = visit.two.then(|| value.clone());
            if self.step(visit, key.clone(), second, state)? {
                return Ok(entries.len() - index - 1);
            }
        }
        Ok(0)
    }

    fn visit_members(
        &mut self,
        visit: &'v Loop,
        data: Data<'v>,
        state: &mut State<'v>,
    ) -> Evaluated<usize> {
        let keys = data.keys();
        let count = keys.len();
        for (index, key) in keys.into_iter().enumerate() {
            let second = if visit.two {
                Value::Data(data).find(&key, self.meter)?.or(Some(Value::Null))
            } else {
                None
            };
            if self.step(visit, key, second, state)? {
                return Ok(count - index - 1);
            }
        }
        Ok(0)
    }

    /// Visits an item. Returns `true` if the others do not matter.
    fn step(
        &mut self,
        visit: &'v Loop,
        first: Value<'v>,
        second: Option<Value<'v>>,
        state: &mut State<'v>,
    ) -> Evaluated<bool> {
        let [always, taken] = visit.costs;
        self.meter.charge(always)?;
        // The key of an entry is needed once more.
        let key = matches!(visit.kind, Visit::Map).then(|| first.clone());
        self.stack.push(Some(first));
        let two = second.is_some();
        if two {
            self.stack.push(second);
        }
        let step = self.body(visit);
        if two {
            self.stack.pop();
        }
        self.stack.pop();
        if let Step::Filter(fault) | Step::Body(Err(fault)) = &step
            && fault.is_final()
        {
            return Err(fault.clone());
        }
        let is_taken = match &step {
            Step::Body(Ok(Value::Bool(holds))) => *holds || visit.kind != Visit::ExistsOne,
            Step::Body(_) => visit.kind != Visit::ExistsOne,
            _ => false,
        };
        if is_taken {
            self.meter.charge(taken)?;
        }
        state.take(key, step, self.meter)
    }

    fn body(&mut self, visit: &'v Loop) -> Step<'v> {
        match visit.filter.as_ref().map(|filter| self.value(filter)) {
            None | Some(Ok(Value::Bool(true))) => Step::Body(self.value(&visit.body)),
            Some(Ok(Value::Bool(false))) => Step::LeftOut,
            Some(Ok(_)) => Step::Filter(Fault::no_overload()),
            Some(Err(fault)) => Step::Filter(fault),
        }
    }

    fn sort_by(&mut self, visit: &'v Loop, range: &Value<'v>) -> Evaluated<Value<'v>> {
        let Value::List(list) = range else { return Err(Fault::no_overload()) };
        let [_, taken] = visit.costs;
        let mut keys = Vec::with_capacity(list.len());
        for item in list.iter() {
            self.stack.push(Some(item?));
            let key = self.value(&visit.body);
            self.stack.pop();
            keys.push(key?);
            self.meter.charge(taken)?;
        }
        let keys = List::from_values(keys);
        // The name of the list twice, and the result of the keys.
        self.meter.charge(3)?;
        self.meter.charge(lists::cost_of_sort(&keys))?;
        lists::sort(list, &keys, self.meter)
    }

    fn has(&self, operand: &Value<'v>, field: &'v Field) -> Evaluated<Value<'v>> {
        let operand = match operand {
            Value::Optional(None) => {
                self.meter.refund(1);
                return Ok(Value::Bool(false));
            }
            Value::Optional(Some(value)) => value,
            value => value,
        };
        Ok(Value::Bool(self.member_of(operand, field)?.is_some()))
    }

    fn member_of(&self, value: &Value<'v>, field: &'v Field) -> Evaluated<Option<Value<'v>>> {
        if let (Value::Data(data), Some((object, position))) = (value, &field.property)
            && let Some(found) = data.find_property(object, *position)
        {
            return found;
        }
        member(value, &Value::borrowed(&field.name), self.meter)
    }

    fn select(&self, value: Value<'v>, field: &'v Field, optional: bool) -> Evaluated<Value<'v>> {
        // Mostly a field that is there, of an object with the type that the checker saw.
        if let (Value::Data(data), Some((object, position)), false) =
            (&value, &field.property, optional)
            && let Some(Ok(Some(found))) = data.find_property(object, *position)
        {
            return Ok(found);
        }
        let (value, optional) = match value {
            Value::Optional(None) => return Ok(self.nothing()),
            Value::Optional(Some(value)) => ((*value).clone(), true),
            value => (value, optional),
        };
        match self.member_of(&value, field)? {
            None if optional => Ok(self.nothing()),
            found => or_missing(found, &value, &Value::borrowed(&field.name), optional),
        }
    }

    /// `value[index]`. From the first optional on, a member that is missing is none.
    fn qualify(&self, value: Value<'v>, index: &Value<'v>, optional: bool) -> Evaluated<Value<'v>> {
        let (value, optional) = match value {
            Value::Optional(None) => return Ok(self.nothing()),
            Value::Optional(Some(value)) => ((*value).clone(), true),
            value => (value, optional),
        };
        match member(&value, index, self.meter)? {
            None if optional => Ok(self.nothing()),
            found => or_missing(found, &value, index, optional),
        }
    }

    /// The value of a member that is missing. Servers count no step to it.
    fn nothing(&self) -> Value<'v> {
        self.meter.refund(1);
        Value::Optional(None)
    }
}

fn or_missing<'v>(
    found: Option<Value<'v>>,
    value: &Value<'v>,
    index: &Value<'v>,
    optional: bool,
) -> Evaluated<Value<'v>> {
    match found {
        Some(member) if optional => Ok(Value::some(member)),
        Some(member) => Ok(member),
        None if matches!(value, Value::List(_)) => {
            Err(Fault::Error(format!("index out of bounds: {}", shown(index))))
        }
        None => Err(Fault::Error(format!("no such key: {}", shown(index)))),
    }
}

/// The work of what a call has made.
fn made(value: &Value<'_>) -> usize {
    use super::meter::BYTES_PER_STEP;
    match value {
        Value::Text(text) => text.len() / BYTES_PER_STEP,
        Value::Bytes(bytes) => bytes.len() / BYTES_PER_STEP,
        Value::List(list) if !list.is_data() => list.len(),
        Value::Map(map) => map.entries.len(),
        _ => 0,
    }
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
    /// The keys of the entries, if they can repeat.
    keys: Option<Items<'v>>,
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
            keys: None,
            count: 0,
            fault: None,
            decided: false,
        }
    }

    /// Takes what is made of an item, and returns `true` if the other items do not matter.
    fn take(&mut self, key: Option<Value<'v>>, step: Step<'v>, meter: &Meter) -> Evaluated<bool> {
        let body = match step {
            Step::LeftOut => return Ok(false),
            Step::Filter(fault) => {
                // The error of a filter replaces earlier errors.
                self.fault = Some(fault);
                return Ok(false);
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
            (Visit::Map, Ok(value)) => self.entries.extend(key.map(|key| (key, value))),
            (Visit::Entries, Ok(Value::Map(map))) => {
                for (key, value) in &map.entries {
                    self.insert(key.clone(), value.clone(), meter)?;
                }
            }
            (Visit::Entries, Ok(_)) => self.fail(Fault::no_overload()),
            (Visit::List | Visit::SortBy, Ok(value)) => self.values.push(value),
            (_, Err(fault)) => self.fail(fault),
        }
        Ok(self.decided)
    }

    /// The first error stays, except in `exists_one`: there the last one does.
    fn fail(&mut self, fault: Fault) {
        if self.fault.is_none() || self.kind == Visit::ExistsOne {
            self.fault = Some(fault);
        }
    }

    fn insert(&mut self, key: Value<'v>, value: Value<'v>, meter: &Meter) -> Evaluated<()> {
        let mut keys = match self.keys.take() {
            Some(keys) => keys,
            None => Items::new(Vec::new(), meter)?,
        };
        if keys.has(&key, meter)? {
            self.fail(Fault::Error(format!("insert failed: key {} already exists", shown(&key))));
        } else {
            keys.push(key.clone());
            self.entries.push((key, value));
        }
        self.keys = Some(keys);
        Ok(())
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
            Visit::Map | Visit::Entries => Value::Map(Rc::new(Dictionary::new(self.entries))),
        })
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
fn member<'v>(value: &Value<'v>, index: &Value<'v>, meter: &Meter) -> Evaluated<Option<Value<'v>>> {
    let Value::List(list) = value else { return value.find(index, meter) };
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

//! The type checker. It finds what servers reject when a rule is created, and which overload each call uses.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::types::{MOST_PARTS, MOST_STEPS, Substitution, Type};
use crate::facts::Fact;
use crate::faults::{Fault, Faults};
use crate::functions::format::Argument;
use crate::functions::library::{self, Overload};
use crate::since::Facts;
use crate::syntax::ast::{Call, Comprehension, Entry, Expr, Item, Kind, Literal, Macro};
use crate::syntax::reserved::RESERVED;

/// Why an expression is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Errors(Faults),
    /// Whether servers accept it is not known here.
    NotJudged(String),
}

/// An expression without errors. Its parts have their types and overloads.
pub(crate) struct Checked {
    pub(crate) result: Type,
    pub(crate) uses_old_self: bool,
}

/// The name of the variable of the earlier value.
pub(crate) const OLD_SELF: &str = "oldSelf";

/// Checks an expression with these variables.
pub(crate) fn check(
    expression: &mut Expr,
    variables: Vec<(Arc<str>, Type)>,
    facts: Facts,
) -> Result<Checked, Refusal> {
    let outer = variables.len();
    let mut checker = Checker {
        variables,
        outer,
        substitution: Substitution::default(),
        errors: Faults::default(),
        uncertain: None,
        uses_old_self: false,
        facts,
        literals: Vec::new(),
        formats: Vec::new(),
    };
    let result = checker.check(expression);
    checker.is_known()?;
    if checker.errors.is_empty() {
        checker.check_literals();
        checker.check_formats();
    }
    if !checker.errors.is_empty() {
        checker.is_known()?;
        return Err(Refusal::Errors(checker.errors));
    }
    substitute_types(expression, &checker.substitution);
    let result = checker.substitution.apply(&result);
    checker.is_known()?;
    Ok(Checked { result, uses_old_self: checker.uses_old_self })
}

/// Replaces the parameters in the types of all parts.
fn substitute_types(expression: &mut Expr, substitution: &Substitution) {
    expression.of = substitution.apply(&expression.of);
    for part in expression.kind.parts_mut() {
        substitute_types(part, substitution);
    }
}

struct Checker {
    variables: Vec<(Arc<str>, Type)>,
    /// How many variables the rule has from outside.
    outer: usize,
    substitution: Substitution,
    errors: Faults,
    uncertain: Option<String>,
    uses_old_self: bool,
    facts: Facts,
    /// The parts of each literal list or map, which must have one type.
    literals: Vec<Vec<(usize, Type)>>,
    /// Literal formats with literal arguments, and their places.
    formats: Vec<(usize, Arc<str>, Vec<Argument>)>,
}

impl Checker {
    /// Refuses to judge what is not known here.
    fn is_known(&self) -> Result<(), Refusal> {
        let too_large = || {
            format!(
                "the types of its parts are too large: more than {MOST_PARTS} parts in a type, or more than {MOST_STEPS} \
                 steps for all"
            )
        };
        let is_spent = self.substitution.is_spent();
        match self.uncertain.clone().or_else(|| is_spent.then(too_large)) {
            Some(reason) => Err(Refusal::NotJudged(reason)),
            None => Ok(()),
        }
    }

    fn error(&mut self, at: usize, message: String) {
        self.errors.push(Fault::new(at, message));
    }

    fn undeclared(&mut self, at: usize, name: &str) -> Type {
        self.error(at, format!("undeclared reference to '{name}' (in container '')"));
        Type::Error
    }

    fn mismatch(&mut self, at: usize, expected: &Type, actual: &Type) {
        let [expected, actual] = [expected, actual].map(|of| self.substitution.apply(of));
        self.error(at, format!("expected type '{expected}' but found '{actual}'"));
    }

    fn fresh(&mut self) -> Type {
        Type::Parameter(self.substitution.fresh())
    }

    fn check(&mut self, expression: &mut Expr) -> Type {
        let mut of = self.type_of(expression);
        if !self.substitution.admits(&of) {
            of = Type::Error;
        }
        expression.of = of.clone();
        of
    }

    fn type_of(&mut self, expression: &mut Expr) -> Type {
        let at = expression.at;
        let qualified = qualified_name(expression);
        if let Some((name, kind)) = qualified.as_deref().and_then(library::type_by_name) {
            let hidden = self.variables.iter().any(|(own, _)| &**own == name);
            if !hidden {
                expression.kind = Kind::TypeName(name);
                return Type::type_of(kind);
            }
        }
        if let Some(name) = qualified.filter(|name| name.contains('.'))
            && let Some((variable, _)) = self.variables.iter().find(|(own, _)| **own == *name)
        {
            expression.kind = Kind::Name(variable.clone());
        }
        match &mut expression.kind {
            Kind::Literal(literal) => type_of(literal),
            Kind::Name(name) => self.variable(at, &name.clone()),
            Kind::TypeName(name) => {
                library::type_by_name(name).map_or(Type::Error, |(_, kind)| Type::type_of(kind))
            }
            Kind::Select { operand, field, optional } => {
                let optional = *optional;
                self.field(at, operand, field, optional)
            }
            Kind::Has { operand, field } => {
                self.field(at, operand, field, false);
                Type::Bool
            }
            Kind::Call(call) => self.call(at, call),
            Kind::List(items) => self.list(items),
            Kind::Map(entries) => self.map(entries),
            Kind::Message { name } => self.message(at, &name.clone()),
            Kind::And(operands) | Kind::Or(operands) => self.logical(operands),
            Kind::Conditional(operands) => self.conditional(at, operands),
            Kind::Comprehension(visit) => self.comprehension(at, visit),
            Kind::OptionalMap { target, name, result, flat } => {
                let (name, flat) = (name.clone(), *flat);
                self.optional_map(at, target, name, result, flat)
            }
        }
    }

    fn variable(&mut self, at: usize, name: &str) -> Type {
        let mut innermost_first = self.variables.iter().enumerate().rev();
        let variable = innermost_first.find(|(_, (own, _))| &**own == name);
        let Some((index, (_, of_type))) = variable else { return self.undeclared(at, name) };
        self.uses_old_self |= index < self.outer && name == OLD_SELF;
        of_type.clone()
    }

    fn message(&mut self, at: usize, name: &str) -> Type {
        if library::type_by_name(name).is_some() || name.starts_with("google.protobuf.") {
            self.uncertain = Some(format!("a value of type {name} made by its name"));
            return Type::Error;
        }
        self.undeclared(at, name)
    }

    fn field(&mut self, at: usize, operand: &mut Expr, field: &str, optional: bool) -> Type {
        let operand = self.check(operand);
        let (target, was_optional) = unwrap_optional(&self.substitution.apply(&operand));
        let result = match &target {
            Type::Map(parts) => parts.1.clone(),
            Type::Object(object) => {
                let accepts =
                    self.facts.hold(Fact::ReservedWordsAsFields) || !RESERVED.contains(&field);
                let of_field = object.field(field).filter(|_| accepts);
                let of_field = of_field.and_then(|(_, shape)| shape.as_type());
                of_field.unwrap_or_else(|| {
                    self.error(at, format!("undefined field '{field}'"));
                    Type::Error
                })
            }
            Type::Parameter(_) => {
                self.substitution.fits(&Type::Dyn, &target);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            _ => {
                self.error(at, format!("type '{target}' does not support field selection"));
                Type::Dyn
            }
        };
        if optional || was_optional { Type::optional(result) } else { result }
    }

    fn call(&mut self, at: usize, call: &mut Call) -> Type {
        if call.has_receiver {
            let qualified = call.arguments.first().and_then(qualified_name);
            let qualified = qualified.map(|prefix| format!("{prefix}.{}", call.function));
            if let Some(name) = qualified {
                if library::overloads(&name, self.facts).is_some() {
                    call.arguments.remove(0);
                    call.has_receiver = false;
                    call.function = name.into();
                } else if self.is_uncertain(&name) {
                    return Type::Error;
                }
            }
        }
        let literals = self.literals.len();
        let arguments = self.arguments(call);
        if &*call.function == "format" {
            // Literals in arguments of formats need not have one type.
            let literals = self.literals.split_off(literals);
            if call.has_receiver {
                self.note_format(at, call, &literals);
            }
        }
        let Some(overloads) = library::overloads(&call.function, self.facts) else {
            self.is_uncertain(&call.function);
            return self.undeclared(at, &call.function.clone());
        };
        let result = self.resolve(call, overloads, &arguments);
        result
            .unwrap_or_else(|| self.no_overload(at, &call.function, &arguments, call.has_receiver))
    }

    /// The types of the arguments. Servers check the receiver after the others.
    fn arguments(&mut self, call: &mut Call) -> Vec<Type> {
        let (receiver, others) = match call.arguments.split_first_mut() {
            Some((receiver, others)) if call.has_receiver => (Some(receiver), others),
            _ => (None, call.arguments.as_mut_slice()),
        };
        let mut types: Vec<Type> = others.iter_mut().map(|argument| self.check(argument)).collect();
        if let Some(receiver) = receiver {
            types.insert(0, self.check(receiver));
        }
        types
    }

    /// Returns `true`, and notes it, if only some servers have a function.
    fn is_uncertain(&mut self, function: &str) -> bool {
        let is_uncertain = library::is_uncertain(function, self.facts);
        if is_uncertain {
            self.uncertain = Some(format!("the function {function} exists on some servers"));
        }
        is_uncertain
    }

    /// The type of a call, which is `dyn` if overloads with several types fit. If exactly one fits, the call uses that one.
    fn resolve(
        &mut self,
        call: &mut Call,
        overloads: Vec<(usize, &'static Overload)>,
        arguments: &[Type],
    ) -> Option<Type> {
        let mut result: Option<Type> = None;
        let mut matching = Vec::new();
        for (index, overload) in
            overloads.into_iter().filter(|(_, own)| own.has_receiver == call.has_receiver)
        {
            let (parameters, own) = self.instantiate(&overload.parameters, &overload.result);
            if !self.substitution.all_fit(arguments, &parameters) {
                continue;
            }
            matching.push(index);
            let own = self.substitution.apply(&own);
            result = Some(match result {
                Some(joint) if matches!(joint, Type::Dyn) || joint.same(&own) => joint,
                Some(_) => Type::Dyn,
                None => own,
            });
        }
        call.overloads = matching;
        result
    }

    fn instantiate(&mut self, parameters: &[Type], result: &Type) -> (Vec<Type>, Type) {
        let mut known: Vec<(u32, u32)> = Vec::new();
        let substitution = &mut self.substitution;
        let mut fresh = |parameter: u32| {
            if let Some((_, fresh)) = known.iter().find(|(own, _)| *own == parameter) {
                return *fresh;
            }
            let fresh = substitution.fresh();
            known.push((parameter, fresh));
            fresh
        };
        let parameters =
            parameters.iter().map(|parameter| parameter.instantiate(&mut fresh)).collect();
        (parameters, result.instantiate(&mut fresh))
    }

    fn no_overload(
        &mut self,
        at: usize,
        function: &str,
        arguments: &[Type],
        has_receiver: bool,
    ) -> Type {
        let mut shown: Vec<String> = arguments
            .iter()
            .map(|argument| self.substitution.apply(argument).to_string())
            .collect();
        let receiver = if has_receiver { format!("{}.", shown.remove(0)) } else { String::new() };
        let signature = format!("{receiver}({})", shown.join(", "));
        self.error(
            at,
            format!("found no matching overload for '{function}' applied to '{signature}'"),
        );
        Type::Error
    }

    /// Checks a text with literal arguments as a whole, once the rest is without errors.
    fn note_format(&mut self, at: usize, call: &Call, literals: &[Vec<(usize, Type)>]) {
        let [
            Expr { kind: Kind::Literal(Literal::String(format)), .. },
            Expr { kind: Kind::List(items), .. },
        ] = call.arguments.as_slice()
        else {
            return;
        };
        let mut types = HashMap::new();
        for (at, of_part) in literals.iter().flatten() {
            types.entry(*at).or_insert_with(|| of_part.clone());
        }
        let arguments = items.iter().map(|item| argument(&item.value, &types)).collect();
        self.formats.push((at, format.clone(), arguments));
    }

    fn check_formats(&mut self) {
        for (at, format, mut arguments) in std::mem::take(&mut self.formats) {
            for argument in &mut arguments {
                argument.apply(&self.substitution);
            }
            if let Err((at, message)) = crate::functions::format::check(&format, at, &arguments) {
                self.error(at, message);
            }
        }
    }

    fn logical(&mut self, operands: &mut [Expr]) -> Type {
        for operand in operands {
            let of_operand = self.check(operand);
            if !self.substitution.fits(&of_operand, &Type::Bool) {
                self.mismatch(operand.at, &Type::Bool, &of_operand);
            }
        }
        Type::Bool
    }

    fn conditional(&mut self, at: usize, operands: &mut [Expr; 3]) -> Type {
        let types: Vec<Type> = operands.iter_mut().map(|operand| self.check(operand)).collect();
        let result = self.fresh();
        if self.substitution.all_fit(&types, &[Type::Bool, result.clone(), result.clone()]) {
            return self.substitution.apply(&result);
        }
        self.no_overload(at, "_?_:_", &types, false)
    }

    fn list(&mut self, items: &mut [Item]) -> Type {
        let mut joined = None;
        let mut parts = Vec::new();
        for item in items {
            let mut of_item = self.check(&mut item.value);
            if item.optional {
                of_item = self.unwrapped(item.value.at, &of_item);
            }
            parts.push((item.value.at, of_item.clone()));
            joined = Some(self.join(joined, of_item));
        }
        self.literals.push(parts);
        Type::list(joined.unwrap_or_else(|| self.fresh()))
    }

    fn map(&mut self, entries: &mut [Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        let (mut key_parts, mut value_parts) = (Vec::new(), Vec::new());
        for entry in entries {
            let key = self.check(&mut entry.key);
            key_parts.push((entry.key.at, key.clone()));
            keys = Some(self.join(keys, key));
            let mut value = self.check(&mut entry.value);
            if entry.optional {
                value = self.unwrapped(entry.value.at, &value);
            }
            value_parts.push((entry.value.at, value.clone()));
            values = Some(self.join(values, value));
        }
        self.literals.extend([key_parts, value_parts]);
        Type::map(keys.unwrap_or_else(|| self.fresh()), values.unwrap_or_else(|| self.fresh()))
    }

    fn unwrapped(&mut self, at: usize, optional: &Type) -> Type {
        let optional = self.substitution.apply(optional);
        let (inner, was_optional) = unwrap_optional(&optional);
        if !was_optional && !optional.is_dyn_or_error() {
            self.mismatch(at, &Type::optional(optional.clone()), &optional);
        }
        inner
    }

    /// The type of the parts of a list or a map: all must fit each other.
    fn join(&mut self, previous: Option<Type>, current: Type) -> Type {
        let Some(previous) = previous else { return current };
        if self.substitution.fits(&previous, &current) {
            previous.most_general(current)
        } else {
            Type::Dyn
        }
    }

    /// Parts of literals must have one type, which is checked once the rest is without errors. To fit each other is not enough:
    /// `[self.intOrString, 1]` is refused.
    fn check_literals(&mut self) {
        for parts in std::mem::take(&mut self.literals) {
            let parts: Vec<_> =
                parts.into_iter().map(|(at, part)| (at, self.substitution.apply(&part))).collect();
            let Some((_, first)) = parts.first() else { continue };
            if let Some((at, other)) = parts.iter().find(|(_, part)| !is_equivalent(first, part)) {
                self.mismatch(*at, first, other);
            }
        }
    }

    fn comprehension(&mut self, at: usize, visit: &mut Comprehension) -> Type {
        let range = self.check(&mut visit.range);
        let range = self.substitution.apply(&range);
        let (first, second) = self.iterated(visit, &range);
        let depth = self.variables.len();
        self.variables.push((visit.first.clone(), first.clone()));
        self.variables.extend(visit.second.clone().zip(second));
        let filter = visit.filter.as_mut().map(|filter| self.check(filter));
        let body = self.check(&mut visit.body);
        self.variables.truncate(depth);
        if let Some(filter) = filter.filter(|filter| !self.substitution.fits(filter, &Type::Bool)) {
            let list = Type::list(body);
            return self.no_overload(at, "_?_:_", &[filter, list.clone(), list], false);
        }
        self.visited(at, visit, &range, &first, body)
    }

    /// The types of the variables of a comprehension.
    fn iterated(&mut self, visit: &Comprehension, range: &Type) -> (Type, Option<Type>) {
        let two = visit.second.is_some();
        match range {
            Type::List(item) if two => (Type::Int, Some((**item).clone())),
            Type::List(item) => ((**item).clone(), None),
            Type::Map(parts) => (parts.0.clone(), two.then(|| parts.1.clone())),
            Type::Dyn | Type::Error => (Type::Dyn, two.then_some(Type::Dyn)),
            Type::Parameter(_) => {
                self.substitution.fits(&Type::Dyn, range);
                (Type::Dyn, two.then_some(Type::Dyn))
            }
            _ => {
                let message = format!(
                    "expression of type '{range}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.error(visit.range.at, message);
                (Type::Error, two.then_some(Type::Error))
            }
        }
    }

    /// The type of what a comprehension makes of its items.
    fn visited(
        &mut self,
        at: usize,
        visit: &Comprehension,
        range: &Type,
        first: &Type,
        body: Type,
    ) -> Type {
        match visit.kind {
            Macro::All | Macro::Exists => {
                if !self.substitution.fits(&body, &Type::Bool) {
                    self.mismatch(visit.body.at, &Type::Bool, &body);
                }
                Type::Bool
            }
            Macro::ExistsOne => {
                if !self.substitution.fits(&body, &Type::Bool) {
                    self.no_overload(at, "_?_:_", &[body, Type::Int, Type::Int], false);
                }
                Type::Bool
            }
            Macro::List => Type::list(body),
            Macro::Map => Type::map(first.clone(), body),
            Macro::Entries => {
                let entries = Type::map(self.fresh(), self.fresh());
                if !self.substitution.fits(&body, &entries) {
                    return self.no_overload(at, "cel.@mapInsert", &[entries, body], false);
                }
                self.substitution.apply(&entries)
            }
            Macro::SortBy => {
                let key = self.substitution.apply(&body);
                let is_list = matches!(range, Type::List(_) | Type::Dyn | Type::Error);
                if !is_list || !has_order(&key) {
                    return self.no_overload(
                        at,
                        "@sortByAssociatedKeys",
                        &[range.clone(), Type::list(key)],
                        true,
                    );
                }
                range.clone()
            }
        }
    }

    fn optional_map(
        &mut self,
        at: usize,
        target: &mut Expr,
        name: Arc<str>,
        result: &mut Expr,
        flat: bool,
    ) -> Type {
        let of_target = self.check(target);
        let (inner, was_optional) = unwrap_optional(&self.substitution.apply(&of_target));
        if !was_optional && !inner.is_dyn_or_error() && !matches!(inner, Type::Parameter(_)) {
            return self.no_overload(at, "hasValue", &[of_target], true);
        }
        self.variables.push((name, if was_optional { inner } else { Type::Dyn }));
        let result = self.check(result);
        self.variables.pop();
        if !flat {
            return Type::optional(result);
        }
        let expected = Type::optional(self.fresh());
        if !self.substitution.fits(&result, &expected) {
            return self.no_overload(at, "_?_:_", &[Type::Bool, result, expected], false);
        }
        self.substitution.apply(&result)
    }
}

fn has_order(kind: &Type) -> bool {
    matches!(
        kind,
        Type::Int
            | Type::Uint
            | Type::Double
            | Type::Bool
            | Type::Duration
            | Type::Timestamp
            | Type::String
            | Type::Bytes
            | Type::Dyn
            | Type::Error
            | Type::Parameter(_)
    )
}

/// An argument of a format, with the types of its literals' parts.
fn argument(of: &Expr, types: &HashMap<usize, Type>) -> Argument {
    let below = |part: &Expr| argument(part, types);
    let parts = match &of.kind {
        Kind::List(items) => items.iter().map(|item| below(&item.value)).collect(),
        Kind::Map(entries) => {
            entries.iter().flat_map(|entry| [&entry.key, &entry.value]).map(below).collect()
        }
        _ => Vec::new(),
    };
    let kind = types.get(&of.at).cloned().unwrap_or(Type::Dyn);
    Argument { at: of.at, kind, parts }
}

fn is_equivalent(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dyn | Type::Parameter(_), Type::Dyn | Type::Parameter(_))
        | (Type::Type(_), Type::Type(_)) => true,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
            is_equivalent(a, b)
        }
        (Type::Map(a), Type::Map(b)) => is_equivalent(&a.0, &b.0) && is_equivalent(&a.1, &b.1),
        _ => a.same(b),
    }
}

fn unwrap_optional(of: &Type) -> (Type, bool) {
    match of {
        Type::Optional(inner) => ((**inner).clone(), true),
        other => (other.clone(), false),
    }
}

/// The most names in the name of a type or a function.
const MAX_NAME_SEGMENTS: usize = 4;

/// `a.b.c`, if an expression is only that, and short enough to be the name of a type or of the library of a function.
fn qualified_name(expression: &Expr) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut rest = expression;
    loop {
        match &rest.kind {
            Kind::Name(name) => names.push(name),
            Kind::Select { operand, field, optional: false } if names.len() < MAX_NAME_SEGMENTS => {
                names.push(field);
                rest = operand;
                continue;
            }
            _ => return None,
        }
        names.reverse();
        return Some(names.join("."));
    }
}

const fn type_of(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

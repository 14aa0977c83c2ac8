//! The ways to call a function, and their declarations as text.

use std::collections::HashMap;

use super::{Context, Native};
use crate::check::types::{Opaque, Type};
use crate::cost::function::Cost;
use crate::eval::Meter;
use crate::eval::value::{Evaluated, Members, Value};
use crate::facts::Fact;
use crate::steps::BYTES_PER_STEP;

/// One way to call a function.
#[derive(Debug)]
pub(crate) struct Overload {
    pub(crate) has_receiver: bool,
    /// The types of the arguments, and first of the receiver if there is one.
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    pub(crate) cost: Cost,
    pub(super) function: Native,
    pub(super) since: Option<Fact>,
}

/// The types that `N` in a declaration means.
pub(super) const WITH_ORDER: [&str; 8] =
    ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

pub(super) fn declare(
    functions: &mut HashMap<String, Vec<Overload>>,
    declaration: &str,
    call: (Cost, Native),
    since: Option<Fact>,
) {
    if declaration.contains("(N)") {
        for kind in WITH_ORDER {
            let declaration = declaration
                .replace("(N)", &format!("({kind})"))
                .replace("-> N", &format!("-> {kind}"));
            declare(functions, &declaration, call, since);
        }
        return;
    }
    if let Some((name, overload)) = read(declaration, call, since) {
        functions.entry(name).or_default().push(overload);
    }
}

pub(super) fn read(
    declaration: &str,
    (cost, function): (Cost, Native),
    since: Option<Fact>,
) -> Option<(String, Overload)> {
    let (call, result) = declaration.split_once(" -> ")?;
    let (receiver, call) = match call.strip_prefix('<') {
        Some(rest) if rest.contains(">.") => {
            rest.split_once(">.").map(|(own, call)| (Some(own), call))?
        }
        _ => (None, call),
    };
    let (name, parameters) = call.split_once('(')?;
    let parameters = split_types(parameters.strip_suffix(')')?);
    let parameters =
        receiver.into_iter().chain(parameters).map(read_type).collect::<Option<_>>()?;
    let overload = Overload {
        has_receiver: receiver.is_some(),
        parameters,
        result: read_type(result)?,
        cost,
        function,
        since,
    };
    Some((name.to_owned(), overload))
}

/// The types between commas that are not in brackets.
fn split_types(types: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in types.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.extend(types.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(types.get(start..));
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn read_type(text: &str) -> Option<Type> {
    if let Some((kind, parts)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let mut parts = split_types(parts).into_iter().map(read_type);
        let first = parts.next()??;
        return match kind {
            "list" => Some(Type::list(first)),
            "optional" => Some(Type::optional(first)),
            "type" => Some(Type::type_of(first)),
            "map" => Some(Type::map(first, parts.next()??)),
            _ => None,
        };
    }
    Some(match text {
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "URL" => Type::Opaque(Opaque::Url),
        "IP" => Type::Opaque(Opaque::Ip),
        "CIDR" => Type::Opaque(Opaque::Cidr),
        "Quantity" => Type::Opaque(Opaque::Quantity),
        "Format" => Type::Opaque(Opaque::Format),
        "Semver" => Type::Opaque(Opaque::Semver),
        "Authorizer" => Type::Opaque(Opaque::Authorizer),
        "PathCheck" => Type::Opaque(Opaque::PathCheck),
        "GroupCheck" => Type::Opaque(Opaque::GroupCheck),
        "ResourceCheck" => Type::Opaque(Opaque::ResourceCheck),
        "Decision" => Type::Opaque(Opaque::Decision),
        "A" => Type::Parameter(0),
        "B" => Type::Parameter(1),
        _ => return None,
    })
}

impl Overload {
    /// Calls the function with arguments that it accepts. The steps of reading them and of making the result are spent here; the
    /// parts of lists and maps, and what takes longer than to read its bytes, are metered by the function.
    pub(crate) fn call<'v>(
        &self,
        context: &Context<'_>,
        arguments: &[Value<'v>],
    ) -> Evaluated<Value<'v>> {
        context.meter.read(arguments.iter().map(Value::bytes).sum())?;
        let value = (self.function)(context, arguments)?;
        context.meter.work(made(&value))?;
        Ok(value)
    }

    /// Returns `true` if arguments fit the parameters.
    pub(crate) fn accepts(&self, function: &str, arguments: &[Value<'_>], meter: &Meter) -> bool {
        // Servers flatten any list at run time.
        if let ("flatten", [Value::List(_)]) = (function, arguments) {
            return self.parameters.len() == 1;
        }
        self.parameters.len() == arguments.len()
            && self.parameters.iter().zip(arguments).all(|(own, value)| accepts(own, value, meter))
    }
}

/// Returns `true` if a value fits a parameter: of a list or a map, servers look at the first item only.
fn accepts(parameter: &Type, value: &Value<'_>, meter: &Meter) -> bool {
    match (parameter, value) {
        (Type::Dyn | Type::Parameter(_), _)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Uint, Value::Uint(_))
        | (Type::Double, Value::Double(_))
        | (Type::String, Value::Text(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Optional(_), Value::Optional(_))
        | (Type::Type(_), Value::Type(_)) => true,
        (Type::List(item), Value::List(list)) => match list.get(0, meter) {
            Some(Ok(first)) => accepts(item, &first, meter),
            Some(Err(_)) | None => true,
        },
        (Type::Map(parts), Value::Map(map)) => map.entries.first().is_none_or(|(key, value)| {
            accepts(&parts.0, key, meter) && accepts(&parts.1, value, meter)
        }),
        (Type::Map(_), Value::Data(data)) => {
            matches!(data.shape, Members::Additional(_) | Members::Properties(_))
        }
        (Type::Opaque(opaque), value) => opaque.name() == value.type_name(),
        _ => false,
    }
}

/// The steps of a value that a call has made.
fn made(value: &Value<'_>) -> usize {
    match value {
        Value::List(list) if !list.is_data() => list.len(),
        Value::Map(map) => map.entries.len(),
        other => other.bytes() / BYTES_PER_STEP,
    }
}

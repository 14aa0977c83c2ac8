//! The functions of CEL and of Kubernetes' libraries, at run time.

pub(crate) mod convert;
pub(crate) mod format;
pub(crate) mod library;
pub(crate) mod lists;
pub(crate) mod named;
pub(crate) mod network;
pub(crate) mod operators;
pub(crate) mod quantity;
pub(crate) mod semver;
pub(crate) mod strings;
pub(crate) mod time;
pub(crate) mod url;

use std::rc::Rc;

use crate::eval::Patterns;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::facts::Facts;
use crate::functions::library::Overload;

/// A call whose arguments have values, and whose overload is found.
pub(crate) struct Invocation<'a, 'v> {
    pub(crate) function: &'a str,
    pub(crate) overload: &'a Overload,
    pub(crate) arguments: &'a [Value<'v>],
    /// Whether types alone decided on the overload.
    pub(crate) is_static: bool,
    pub(crate) facts: Facts,
    pub(crate) patterns: &'a Patterns,
}

impl<'v> Invocation<'_, 'v> {
    /// Calls the function.
    pub(crate) fn call(&self) -> Evaluated<Value<'v>> {
        if self.overload.has_receiver {
            let Some((own, arguments)) = self.arguments.split_first() else {
                return Err(Fault::no_overload());
            };
            self.method(own, arguments)
        } else {
            self.global()
        }
    }

    fn method(&self, own: &Value<'v>, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        let function = self.function;
        match (function, own, arguments) {
            ("size", _, []) => self.size(own),
            ("matches" | "find" | "findAll", Value::Text(text), _) => self.search(text, arguments),
            ("format", Value::Text(text), [Value::List(items)]) => {
                format::format(text, &items.to_vec()?, self.facts)
            }
            ("validate", Value::Format(format), [Value::Text(text)]) => {
                named::validate(format, text)
            }
            (_, Value::Timestamp(time), []) => time::field(function, *time, "UTC"),
            (_, Value::Timestamp(time), [Value::Text(zone)]) => time::field(function, *time, zone),
            (_, Value::Duration(duration), []) => time::duration_field(function, *duration),
            (_, Value::Text(text), _) => strings::method(function, text, arguments, self.facts),
            (_, Value::List(list), _) => {
                let result = self.is_static.then_some(&self.overload.result);
                lists::method(function, list, arguments, result)
            }
            (_, Value::Ip(address), []) => network::ip_method(function, *address),
            (_, Value::Cidr(network), _) => {
                network::cidr_method(function, *network, arguments, self.facts)
            }
            (_, Value::Url(url), []) => url::method(function, url),
            (_, Value::Quantity(quantity), _) => quantity::method(function, *quantity, arguments),
            (_, Value::Semver(version), _) => semver::method(function, version, arguments),
            ("hasValue", Value::Optional(value), []) => Ok(Value::Bool(value.is_some())),
            ("value", Value::Optional(value), []) => match value {
                Some(value) => Ok((**value).clone()),
                None => Err(Fault::error("optional.none() dereference")),
            },
            _ => Err(Fault::no_overload()),
        }
    }

    fn global(&self) -> Evaluated<Value<'v>> {
        let function = self.function;
        if let Some(format) = function
            .strip_prefix("format.")
            .and_then(|name| named::NAMES.iter().find(|own| **own == name))
        {
            return Ok(Value::Format(format));
        }
        let of_type = of_text(function, self.arguments)
            .or_else(|| of_network(function, self.arguments))
            .or_else(|| of_lists(function, self.arguments));
        if let Some(result) = of_type {
            return result;
        }
        match (function, self.arguments) {
            ("matches", [Value::Text(text), pattern]) => {
                self.search(text, std::slice::from_ref(pattern))
            }
            ("size", [value]) => self.size(value),
            ("type", [value]) => Ok(Value::Type(value.type_name())),
            ("dyn", [value]) => Ok(value.clone()),
            (
                "int" | "uint" | "double" | "bool" | "string" | "bytes" | "timestamp" | "duration",
                [value],
            ) => convert::convert(function, value),
            ("lists.range", [Value::Int(count)]) => {
                Ok(Value::list((0..*count).map(Value::Int).collect()))
            }
            ("optional.none", []) => Ok(Value::Optional(None)),
            ("optional.ofNonZeroValue", [value]) if value.is_zero() => Ok(Value::Optional(None)),
            ("optional.of" | "optional.ofNonZeroValue", [value]) => Ok(Value::some(value.clone())),
            _ => Err(Fault::no_overload()),
        }
    }

    fn size(&self, value: &Value<'v>) -> Evaluated<Value<'v>> {
        let size = value.size().and_then(|size| i64::try_from(size).ok());
        size.map(Value::Int)
            .ok_or_else(|| Fault::Error(format!("no such overload: {}", self.function)))
    }

    fn search(&self, text: &str, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        let Some(Value::Text(pattern)) = arguments.first() else {
            return Err(Fault::no_overload());
        };
        let prefix = if self.function == "matches" { "" } else { "Illegal regex: " };
        let pattern = self.patterns.get(pattern).map_err(|error| {
            let message = format!("{prefix}{error}");
            if error.is_refused() { Fault::Error(message) } else { Fault::NotJudged(message) }
        })?;
        match (self.function, arguments.get(1)) {
            ("matches", None) => Ok(Value::Bool(pattern.is_match(text))),
            ("find", None) => Ok(Value::text(pattern.find(text).unwrap_or_default())),
            ("findAll", limit) => {
                let limit = match limit {
                    Some(Value::Int(limit)) => usize::try_from(*limit).ok(),
                    _ => None,
                };
                let parts = pattern.find_all(text, limit);
                Ok(Value::list(parts.into_iter().map(Value::text).collect()))
            }
            _ => Err(Fault::no_overload()),
        }
    }
}

/// What functions make of a text: quantities, versions, formats.
fn of_text<'v>(function: &str, arguments: &[Value<'v>]) -> Option<Evaluated<Value<'v>>> {
    let (Value::Text(text), more) = arguments.split_first()? else { return None };
    Some(match (function, more) {
        ("quantity", []) => quantity::to_quantity(text),
        ("isQuantity", []) => Ok(Value::Bool(quantity::is_quantity(text))),
        ("semver", []) => semver::to_semver(text, false),
        ("semver", [Value::Bool(normalize)]) => semver::to_semver(text, *normalize),
        ("isSemver", []) => Ok(Value::Bool(semver::parse(text).is_ok())),
        ("isSemver", [Value::Bool(normalize)]) => {
            Ok(Value::Bool(semver::to_semver(text, *normalize).is_ok()))
        }
        ("format.named", []) => Ok(named::named(text)),
        ("strings.quote", []) => Ok(strings::quote(text)),
        _ => return None,
    })
}

/// What functions make of a text: URLs, addresses, networks.
fn of_network<'v>(function: &str, arguments: &[Value<'v>]) -> Option<Evaluated<Value<'v>>> {
    let [Value::Text(text)] = arguments else { return None };
    Some(match function {
        "url" => {
            crate::values::url::parse(text).map(|url| Value::Url(Rc::new(url))).map_err(|error| {
                Fault::Error(format!("URL parse error during conversion from string: {error}"))
            })
        }
        "isURL" => Ok(Value::Bool(crate::values::url::check(text).is_ok())),
        "ip" => network::ip(text).map(Value::Ip).map_err(Fault::Error),
        "isIP" => Ok(Value::Bool(network::ip(text).is_ok())),
        "ip.isCanonical" => network::ip(text)
            .map(|address| Value::Bool(address.to_string() == **text))
            .map_err(Fault::Error),
        "cidr" => network::to_cidr(text),
        "isCIDR" => Ok(Value::Bool(network::cidr(text).is_ok())),
        _ => return None,
    })
}

fn of_lists<'v>(function: &str, arguments: &[Value<'v>]) -> Option<Evaluated<Value<'v>>> {
    Some(match (function, arguments) {
        (
            "sets.contains" | "sets.equivalent" | "sets.intersects",
            [Value::List(a), Value::List(b)],
        ) => lists::set(function, a, b),
        ("optional.unwrap", [Value::List(items)]) => lists::unwrapped(items),
        _ => return None,
    })
}

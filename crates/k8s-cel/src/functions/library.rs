//! The functions that servers declare, and their types.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::check::types::{Opaque, Type};
use crate::eval::value::{Members, Value};
use crate::facts::{Fact, Facts};
use crate::functions::named;

/// One way to call a function.
#[derive(Debug)]
pub(crate) struct Overload {
    pub(crate) has_receiver: bool,
    /// The types of the arguments, and first of the receiver if there is one.
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Type,
    since: Option<Fact>,
}

/// A declaration is `<receiver>.name(parameters) -> result`, or `name(parameters) -> result`. Capital letters stand for
/// any type, the same at each place; `N` for each of the types that have an order.
type Library = (Option<Fact>, &'static [&'static str]);

const LIBRARIES: &[Library] = &[
    (None, OPERATORS),
    (None, STANDARD),
    (None, TIMES),
    (None, STRINGS),
    (None, LISTS),
    (None, NETWORK),
    (None, QUANTITIES),
    (None, OPTIONALS),
    (Some(Fact::Semver), VERSIONS),
    (Some(Fact::ExtendedLists), EXTENDED_LISTS),
    (Some(Fact::OptionalItems), OPTIONAL_ITEMS),
];

const OPERATORS: &[&str] = &[
    "_==_(A, A) -> bool",
    "_!=_(A, A) -> bool",
    "@in(A, list(A)) -> bool",
    "@in(A, map(A, B)) -> bool",
    "!_(bool) -> bool",
    "-_(int) -> int",
    "-_(double) -> double",
    "_+_(bytes, bytes) -> bytes",
    "_+_(double, double) -> double",
    "_+_(duration, duration) -> duration",
    "_+_(duration, timestamp) -> timestamp",
    "_+_(timestamp, duration) -> timestamp",
    "_+_(int, int) -> int",
    "_+_(list(A), list(A)) -> list(A)",
    "_+_(string, string) -> string",
    "_+_(uint, uint) -> uint",
    "_-_(double, double) -> double",
    "_-_(duration, duration) -> duration",
    "_-_(int, int) -> int",
    "_-_(timestamp, duration) -> timestamp",
    "_-_(timestamp, timestamp) -> duration",
    "_-_(uint, uint) -> uint",
    "_*_(double, double) -> double",
    "_*_(int, int) -> int",
    "_*_(uint, uint) -> uint",
    "_/_(double, double) -> double",
    "_/_(int, int) -> int",
    "_/_(uint, uint) -> uint",
    "_%_(int, int) -> int",
    "_%_(uint, uint) -> uint",
    "_[_](list(A), int) -> A",
    "_[_](map(A, B), A) -> B",
    "_[_](optional(list(A)), int) -> optional(A)",
    "_[_](optional(map(A, B)), A) -> optional(B)",
    "_[?_](list(A), int) -> optional(A)",
    "_[?_](optional(list(A)), int) -> optional(A)",
    "_[?_](map(A, B), A) -> optional(B)",
    "_[?_](optional(map(A, B)), A) -> optional(B)",
];

/// The pairs of types that `<`, `<=`, `>` and `>=` compare.
const ORDERED: &[&str] = &[
    "bool, bool",
    "int, int",
    "int, double",
    "int, uint",
    "uint, uint",
    "uint, double",
    "uint, int",
    "double, double",
    "double, int",
    "double, uint",
    "string, string",
    "bytes, bytes",
    "timestamp, timestamp",
    "duration, duration",
];

const STANDARD: &[&str] = &[
    "size(bytes) -> int",
    "<bytes>.size() -> int",
    "size(list(A)) -> int",
    "<list(A)>.size() -> int",
    "size(map(A, B)) -> int",
    "<map(A, B)>.size() -> int",
    "size(string) -> int",
    "<string>.size() -> int",
    "type(A) -> type(A)",
    "dyn(A) -> dyn",
    "bool(bool) -> bool",
    "bool(string) -> bool",
    "bytes(bytes) -> bytes",
    "bytes(string) -> bytes",
    "double(double) -> double",
    "double(int) -> double",
    "double(string) -> double",
    "double(uint) -> double",
    "duration(duration) -> duration",
    "duration(int) -> duration",
    "duration(string) -> duration",
    "int(int) -> int",
    "int(double) -> int",
    "int(duration) -> int",
    "int(string) -> int",
    "int(timestamp) -> int",
    "int(uint) -> int",
    "string(string) -> string",
    "string(bool) -> string",
    "string(bytes) -> string",
    "string(double) -> string",
    "string(duration) -> string",
    "string(int) -> string",
    "string(timestamp) -> string",
    "string(uint) -> string",
    "string(IP) -> string",
    "string(CIDR) -> string",
    "timestamp(timestamp) -> timestamp",
    "timestamp(int) -> timestamp",
    "timestamp(string) -> timestamp",
    "uint(uint) -> uint",
    "uint(double) -> uint",
    "uint(int) -> uint",
    "uint(string) -> uint",
    "<string>.contains(string) -> bool",
    "<string>.endsWith(string) -> bool",
    "<string>.startsWith(string) -> bool",
    "matches(string, string) -> bool",
    "<string>.matches(string) -> bool",
];

const TIMES: &[&str] = &[
    "<timestamp>.getFullYear() -> int",
    "<timestamp>.getFullYear(string) -> int",
    "<timestamp>.getMonth() -> int",
    "<timestamp>.getMonth(string) -> int",
    "<timestamp>.getDayOfYear() -> int",
    "<timestamp>.getDayOfYear(string) -> int",
    "<timestamp>.getDayOfMonth() -> int",
    "<timestamp>.getDayOfMonth(string) -> int",
    "<timestamp>.getDate() -> int",
    "<timestamp>.getDate(string) -> int",
    "<timestamp>.getDayOfWeek() -> int",
    "<timestamp>.getDayOfWeek(string) -> int",
    "<timestamp>.getHours() -> int",
    "<timestamp>.getHours(string) -> int",
    "<duration>.getHours() -> int",
    "<timestamp>.getMinutes() -> int",
    "<timestamp>.getMinutes(string) -> int",
    "<duration>.getMinutes() -> int",
    "<timestamp>.getSeconds() -> int",
    "<timestamp>.getSeconds(string) -> int",
    "<duration>.getSeconds() -> int",
    "<timestamp>.getMilliseconds() -> int",
    "<timestamp>.getMilliseconds(string) -> int",
    "<duration>.getMilliseconds() -> int",
];

/// Texts, and regular expressions.
const STRINGS: &[&str] = &[
    "<string>.charAt(int) -> string",
    "<string>.indexOf(string) -> int",
    "<string>.indexOf(string, int) -> int",
    "<string>.lastIndexOf(string) -> int",
    "<string>.lastIndexOf(string, int) -> int",
    "<string>.lowerAscii() -> string",
    "<string>.replace(string, string) -> string",
    "<string>.replace(string, string, int) -> string",
    "<string>.split(string) -> list(string)",
    "<string>.split(string, int) -> list(string)",
    "<string>.substring(int) -> string",
    "<string>.substring(int, int) -> string",
    "<string>.trim() -> string",
    "<string>.upperAscii() -> string",
    "<string>.format(list(dyn)) -> string",
    "strings.quote(string) -> string",
    "<list(string)>.join() -> string",
    "<list(string)>.join(string) -> string",
    "<string>.find(string) -> string",
    "<string>.findAll(string) -> list(string)",
    "<string>.findAll(string, int) -> list(string)",
];

/// Lists, and sets.
const LISTS: &[&str] = &[
    "<list(N)>.isSorted() -> bool",
    "<list(int)>.sum() -> int",
    "<list(uint)>.sum() -> uint",
    "<list(double)>.sum() -> double",
    "<list(duration)>.sum() -> duration",
    "<list(N)>.max() -> N",
    "<list(N)>.min() -> N",
    "<list(A)>.indexOf(A) -> int",
    "<list(A)>.lastIndexOf(A) -> int",
    "sets.contains(list(A), list(A)) -> bool",
    "sets.equivalent(list(A), list(A)) -> bool",
    "sets.intersects(list(A), list(A)) -> bool",
];

const NETWORK: &[&str] = &[
    "url(string) -> URL",
    "<URL>.getScheme() -> string",
    "<URL>.getHost() -> string",
    "<URL>.getHostname() -> string",
    "<URL>.getPort() -> string",
    "<URL>.getEscapedPath() -> string",
    "<URL>.getQuery() -> map(string, list(string))",
    "isURL(string) -> bool",
    "ip(string) -> IP",
    "<CIDR>.ip() -> IP",
    "<IP>.family() -> int",
    "ip.isCanonical(string) -> bool",
    "<IP>.isUnspecified() -> bool",
    "<IP>.isLoopback() -> bool",
    "<IP>.isLinkLocalMulticast() -> bool",
    "<IP>.isLinkLocalUnicast() -> bool",
    "<IP>.isGlobalUnicast() -> bool",
    "isIP(string) -> bool",
    "cidr(string) -> CIDR",
    "<CIDR>.containsIP(string) -> bool",
    "<CIDR>.containsIP(IP) -> bool",
    "<CIDR>.containsCIDR(string) -> bool",
    "<CIDR>.containsCIDR(CIDR) -> bool",
    "<CIDR>.prefixLength() -> int",
    "<CIDR>.masked() -> CIDR",
    "isCIDR(string) -> bool",
];

/// Quantities, and formats.
const QUANTITIES: &[&str] = &[
    "quantity(string) -> Quantity",
    "isQuantity(string) -> bool",
    "<Quantity>.isGreaterThan(Quantity) -> bool",
    "<Quantity>.isLessThan(Quantity) -> bool",
    "<Quantity>.compareTo(Quantity) -> int",
    "<Quantity>.asApproximateFloat() -> double",
    "<Quantity>.asInteger() -> int",
    "<Quantity>.isInteger() -> bool",
    "<Quantity>.add(Quantity) -> Quantity",
    "<Quantity>.add(int) -> Quantity",
    "<Quantity>.sub(Quantity) -> Quantity",
    "<Quantity>.sub(int) -> Quantity",
    "format.named(string) -> optional(Format)",
    "<Format>.validate(string) -> optional(list(string))",
];

const OPTIONALS: &[&str] = &[
    "optional.none() -> optional(A)",
    "optional.of(A) -> optional(A)",
    "optional.ofNonZeroValue(A) -> optional(A)",
    "<optional(A)>.hasValue() -> bool",
    "<optional(A)>.value() -> A",
    "<optional(A)>.or(optional(A)) -> optional(A)",
    "<optional(A)>.orValue(A) -> A",
];

const VERSIONS: &[&str] = &[
    "semver(string) -> Semver",
    "semver(string, bool) -> Semver",
    "isSemver(string) -> bool",
    "isSemver(string, bool) -> bool",
    "<Semver>.isGreaterThan(Semver) -> bool",
    "<Semver>.isLessThan(Semver) -> bool",
    "<Semver>.compareTo(Semver) -> int",
    "<Semver>.major() -> int",
    "<Semver>.minor() -> int",
    "<Semver>.patch() -> int",
];

const EXTENDED_LISTS: &[&str] = &[
    "<list(A)>.slice(int, int) -> list(A)",
    "<list(list(A))>.flatten() -> list(A)",
    "<list(dyn)>.flatten(int) -> list(dyn)",
    "<list(N)>.sort() -> list(N)",
    "lists.range(int) -> list(int)",
    "<list(A)>.reverse() -> list(A)",
    "<list(A)>.distinct() -> list(A)",
];

const OPTIONAL_ITEMS: &[&str] = &[
    "<list(A)>.first() -> optional(A)",
    "<list(A)>.last() -> optional(A)",
    "optional.unwrap(list(optional(A))) -> list(A)",
    "<list(optional(A))>.unwrapOpt() -> list(A)",
];

/// The types that `N` in a declaration stands for.
const WITH_ORDER: [&str; 8] =
    ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

static FUNCTIONS: LazyLock<HashMap<String, Vec<Overload>>> = LazyLock::new(|| {
    let mut functions = HashMap::new();
    for (since, declarations) in LIBRARIES {
        for declaration in *declarations {
            declare(&mut functions, declaration, *since);
        }
    }
    for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
        for types in ORDERED {
            declare(&mut functions, &format!("{operator}({types}) -> bool"), None);
        }
    }
    for name in named::NAMES {
        declare(&mut functions, &format!("format.{name}() -> Format"), None);
    }
    functions
});

fn declare(functions: &mut HashMap<String, Vec<Overload>>, declaration: &str, since: Option<Fact>) {
    if declaration.contains("(N)") {
        for kind in WITH_ORDER {
            let declaration = declaration
                .replace("(N)", &format!("({kind})"))
                .replace("-> N", &format!("-> {kind}"));
            declare(functions, &declaration, since);
        }
        return;
    }
    if let Some((name, overload)) = read(declaration, since) {
        functions.entry(name).or_default().push(overload);
    }
}

fn read(declaration: &str, since: Option<Fact>) -> Option<(String, Overload)> {
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
        "A" => Type::Parameter(0),
        "B" => Type::Parameter(1),
        _ => return None,
    })
}

/// The overloads of a function at a release, with their numbers, or `None` if there is no such function.
pub(crate) fn overloads(name: &str, facts: Facts) -> Option<Vec<(usize, &'static Overload)>> {
    let all = FUNCTIONS.get(name)?.iter().enumerate();
    let available: Vec<_> =
        all.filter(|(_, overload)| overload.since.is_none_or(|fact| facts.hold(fact))).collect();
    (!available.is_empty()).then_some(available)
}

/// Returns `true` if it is not known whether servers of a release have a function.
pub(crate) fn is_uncertain(name: &str, facts: Facts) -> bool {
    let mut overloads = FUNCTIONS.get(name).into_iter().flatten();
    overloads.any(|overload| overload.since.is_some_and(|fact| facts.are_unknown(fact)))
}

/// The overload that a call at run time uses: the one that types leave, or the first that the values fit.
pub(crate) fn dispatch(
    name: &str,
    fixed: Option<usize>,
    has_receiver: bool,
    arguments: &[Value<'_>],
) -> Option<&'static Overload> {
    let overloads = FUNCTIONS.get(name)?;
    let candidates = match fixed {
        Some(index) => overloads.get(index..=index)?,
        None => overloads,
    };
    candidates.iter().find(|overload| {
        overload.has_receiver == has_receiver
            && overload.parameters.len() == arguments.len()
            && overload
                .parameters
                .iter()
                .zip(arguments)
                .all(|(parameter, argument)| accepts(parameter, argument))
            // Servers flatten any list at run time.
            || name == "flatten"
                && matches!(arguments, [Value::List(_)])
                && overload.parameters.len() == 1
    })
}

/// Returns `true` if a value fits a parameter: of a list or a map, servers look at the first item only.
fn accepts(parameter: &Type, value: &Value<'_>) -> bool {
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
        (Type::List(item), Value::List(list)) => match list.get(0) {
            Some(Ok(first)) => accepts(item, &first),
            Some(Err(_)) | None => true,
        },
        (Type::Map(parts), Value::Map(entries)) => entries
            .first()
            .is_none_or(|(key, value)| accepts(&parts.0, key) && accepts(&parts.1, value)),
        (Type::Map(_), Value::Data(data)) => {
            matches!(data.shape, Members::Additional(_) | Members::Properties(_))
        }
        (Type::Opaque(opaque), value) => opaque.name() == value.type_name(),
        _ => false,
    }
}

/// The type that a name stands for, such as `int` in `type(self) == int`.
pub(crate) fn type_by_name(name: &str) -> Option<(&'static str, Type)> {
    Some(match name {
        "bool" => ("bool", Type::Bool),
        "bytes" => ("bytes", Type::Bytes),
        "double" => ("double", Type::Double),
        "int" => ("int", Type::Int),
        "list" => ("list", Type::list(Type::Dyn)),
        "map" => ("map", Type::map(Type::Dyn, Type::Dyn)),
        "null_type" => ("null_type", Type::Null),
        "string" => ("string", Type::String),
        "type" => ("type", Type::type_of(Type::Dyn)),
        "uint" => ("uint", Type::Uint),
        "optional_type" => ("optional_type", Type::optional(Type::Dyn)),
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        "net.IP" => ("net.IP", Type::Opaque(Opaque::Ip)),
        "net.CIDR" => ("net.CIDR", Type::Opaque(Opaque::Cidr)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{EXTENDED_LISTS, LIBRARIES, WITH_ORDER, read};

    #[test]
    fn declarations_are_read() {
        for declaration in LIBRARIES.iter().flat_map(|(_, declarations)| *declarations) {
            for kind in WITH_ORDER {
                let declaration = declaration
                    .replace("(N)", &format!("({kind})"))
                    .replace("-> N", &format!("-> {kind}"));
                assert!(read(&declaration, None).is_some(), "{declaration}");
            }
        }
        let (name, slice) = read(EXTENDED_LISTS[0], None).unwrap();
        assert_eq!((name.as_str(), slice.has_receiver, slice.parameters.len()), ("slice", true, 3));
    }
}

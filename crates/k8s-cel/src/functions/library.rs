//! The functions that servers declare, and their types.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::check::types::{Opaque, Type};
use crate::cost::function::Cost;
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
    pub(crate) cost: Cost,
    since: Option<Fact>,
}

/// A declaration is `<receiver>.name(parameters) -> result`, or `name(parameters) -> result`. Capital letters stand for
/// any type, the same at each place; `N` for each of the types that have an order.
///
/// Beside it is what a call costs.
type Library = (Option<Fact>, &'static [(&'static str, Cost)]);

const LIBRARIES: &[Library] = &[
    (None, OPERATORS),
    (None, STANDARD),
    (None, TIMES),
    (None, STRINGS),
    (None, LISTS),
    (None, NETWORK),
    (None, QUANTITIES),
    (None, OPTIONALS),
    (None, AUTHORIZATION),
    (Some(Fact::Selectors), SELECTORS),
    (Some(Fact::Semver), VERSIONS),
    (Some(Fact::ExtendedLists), EXTENDED_LISTS),
    (Some(Fact::OptionalItems), OPTIONAL_ITEMS),
];

const OPERATORS: &[(&str, Cost)] = &[
    ("_==_(A, A) -> bool", Cost::Equal),
    ("_!=_(A, A) -> bool", Cost::Compare),
    ("@in(A, list(A)) -> bool", Cost::Contained),
    ("@in(A, map(A, B)) -> bool", Cost::Unit),
    ("!_(bool) -> bool", Cost::Unit),
    ("-_(int) -> int", Cost::Unit),
    ("-_(double) -> double", Cost::Unit),
    ("_+_(bytes, bytes) -> bytes", Cost::AddTexts),
    ("_+_(double, double) -> double", Cost::Unit),
    ("_+_(duration, duration) -> duration", Cost::Unit),
    ("_+_(duration, timestamp) -> timestamp", Cost::Unit),
    ("_+_(timestamp, duration) -> timestamp", Cost::Unit),
    ("_+_(int, int) -> int", Cost::Unit),
    ("_+_(list(A), list(A)) -> list(A)", Cost::AddLists),
    ("_+_(string, string) -> string", Cost::AddTexts),
    ("_+_(uint, uint) -> uint", Cost::Unit),
    ("_-_(double, double) -> double", Cost::Unit),
    ("_-_(duration, duration) -> duration", Cost::Unit),
    ("_-_(int, int) -> int", Cost::Unit),
    ("_-_(timestamp, duration) -> timestamp", Cost::Unit),
    ("_-_(timestamp, timestamp) -> duration", Cost::Unit),
    ("_-_(uint, uint) -> uint", Cost::Unit),
    ("_*_(double, double) -> double", Cost::Unit),
    ("_*_(int, int) -> int", Cost::Unit),
    ("_*_(uint, uint) -> uint", Cost::Unit),
    ("_/_(double, double) -> double", Cost::Unit),
    ("_/_(int, int) -> int", Cost::Unit),
    ("_/_(uint, uint) -> uint", Cost::Unit),
    ("_%_(int, int) -> int", Cost::Unit),
    ("_%_(uint, uint) -> uint", Cost::Unit),
    ("_[_](list(A), int) -> A", Cost::Unit),
    ("_[_](map(A, B), A) -> B", Cost::Unit),
    ("_[_](optional(list(A)), int) -> optional(A)", Cost::Unit),
    ("_[_](optional(map(A, B)), A) -> optional(B)", Cost::Unit),
    ("_[?_](list(A), int) -> optional(A)", Cost::Unit),
    ("_[?_](optional(list(A)), int) -> optional(A)", Cost::Unit),
    ("_[?_](map(A, B), A) -> optional(B)", Cost::Unit),
    ("_[?_](optional(map(A, B)), A) -> optional(B)", Cost::Unit),
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

const STANDARD: &[(&str, Cost)] = &[
    ("size(bytes) -> int", Cost::Unit),
    ("<bytes>.size() -> int", Cost::Unit),
    ("size(list(A)) -> int", Cost::Unit),
    ("<list(A)>.size() -> int", Cost::Unit),
    ("size(map(A, B)) -> int", Cost::Unit),
    ("<map(A, B)>.size() -> int", Cost::Unit),
    ("size(string) -> int", Cost::Unit),
    ("<string>.size() -> int", Cost::Unit),
    ("type(A) -> type(A)", Cost::Unit),
    ("dyn(A) -> dyn", Cost::Unit),
    ("bool(bool) -> bool", Cost::Unit),
    ("bool(string) -> bool", Cost::Unit),
    ("bytes(bytes) -> bytes", Cost::Unit),
    ("bytes(string) -> bytes", Cost::BytesOfText),
    ("double(double) -> double", Cost::Unit),
    ("double(int) -> double", Cost::Unit),
    ("double(string) -> double", Cost::Unit),
    ("double(uint) -> double", Cost::Unit),
    ("duration(duration) -> duration", Cost::Unit),
    ("duration(int) -> duration", Cost::Unit),
    ("duration(string) -> duration", Cost::Unit),
    ("int(int) -> int", Cost::Unit),
    ("int(double) -> int", Cost::Unit),
    ("int(duration) -> int", Cost::Unit),
    ("int(string) -> int", Cost::Unit),
    ("int(timestamp) -> int", Cost::Unit),
    ("int(uint) -> int", Cost::Unit),
    ("string(string) -> string", Cost::Unit),
    ("string(bool) -> string", Cost::Unit),
    ("string(bytes) -> string", Cost::TextOfBytes),
    ("string(double) -> string", Cost::Unit),
    ("string(duration) -> string", Cost::Unit),
    ("string(int) -> string", Cost::Unit),
    ("string(timestamp) -> string", Cost::Unit),
    ("string(uint) -> string", Cost::Unit),
    ("string(IP) -> string", Cost::Unit),
    ("string(CIDR) -> string", Cost::Unit),
    ("timestamp(timestamp) -> timestamp", Cost::Unit),
    ("timestamp(int) -> timestamp", Cost::Unit),
    ("timestamp(string) -> timestamp", Cost::Unit),
    ("uint(uint) -> uint", Cost::Unit),
    ("uint(double) -> uint", Cost::Unit),
    ("uint(int) -> uint", Cost::Unit),
    ("uint(string) -> uint", Cost::Unit),
    ("<string>.contains(string) -> bool", Cost::Contain),
    ("<string>.endsWith(string) -> bool", Cost::Affix),
    ("<string>.startsWith(string) -> bool", Cost::Affix),
    ("matches(string, string) -> bool", Cost::Unit),
    ("<string>.matches(string) -> bool", Cost::Match),
];

const TIMES: &[(&str, Cost)] = &[
    ("<timestamp>.getFullYear() -> int", Cost::Unit),
    ("<timestamp>.getFullYear(string) -> int", Cost::Unit),
    ("<timestamp>.getMonth() -> int", Cost::Unit),
    ("<timestamp>.getMonth(string) -> int", Cost::Unit),
    ("<timestamp>.getDayOfYear() -> int", Cost::Unit),
    ("<timestamp>.getDayOfYear(string) -> int", Cost::Unit),
    ("<timestamp>.getDayOfMonth() -> int", Cost::Unit),
    ("<timestamp>.getDayOfMonth(string) -> int", Cost::Unit),
    ("<timestamp>.getDate() -> int", Cost::Unit),
    ("<timestamp>.getDate(string) -> int", Cost::Unit),
    ("<timestamp>.getDayOfWeek() -> int", Cost::Unit),
    ("<timestamp>.getDayOfWeek(string) -> int", Cost::Unit),
    ("<timestamp>.getHours() -> int", Cost::Unit),
    ("<timestamp>.getHours(string) -> int", Cost::Unit),
    ("<duration>.getHours() -> int", Cost::Unit),
    ("<timestamp>.getMinutes() -> int", Cost::Unit),
    ("<timestamp>.getMinutes(string) -> int", Cost::Unit),
    ("<duration>.getMinutes() -> int", Cost::Unit),
    ("<timestamp>.getSeconds() -> int", Cost::Unit),
    ("<timestamp>.getSeconds(string) -> int", Cost::Unit),
    ("<duration>.getSeconds() -> int", Cost::Unit),
    ("<timestamp>.getMilliseconds() -> int", Cost::Unit),
    ("<timestamp>.getMilliseconds(string) -> int", Cost::Unit),
    ("<duration>.getMilliseconds() -> int", Cost::Unit),
];

/// Texts, and regular expressions.
const STRINGS: &[(&str, Cost)] = &[
    ("<string>.charAt(int) -> string", Cost::Unit),
    ("<string>.indexOf(string) -> int", Cost::Traverse),
    ("<string>.indexOf(string, int) -> int", Cost::Traverse),
    ("<string>.lastIndexOf(string) -> int", Cost::Traverse),
    ("<string>.lastIndexOf(string, int) -> int", Cost::Traverse),
    ("<string>.lowerAscii() -> string", Cost::Read),
    ("<string>.replace(string, string) -> string", Cost::Replace),
    ("<string>.replace(string, string, int) -> string", Cost::Replace),
    ("<string>.split(string) -> list(string)", Cost::Split),
    ("<string>.split(string, int) -> list(string)", Cost::Split),
    ("<string>.substring(int) -> string", Cost::Read),
    ("<string>.substring(int, int) -> string", Cost::Read),
    ("<string>.trim() -> string", Cost::Read),
    ("<string>.upperAscii() -> string", Cost::Read),
    ("<string>.format(list(dyn)) -> string", Cost::Format),
    ("strings.quote(string) -> string", Cost::Quote),
    ("<list(string)>.join() -> string", Cost::Join),
    ("<list(string)>.join(string) -> string", Cost::Join),
    ("<string>.find(string) -> string", Cost::Find),
    ("<string>.findAll(string) -> list(string)", Cost::Find),
    ("<string>.findAll(string, int) -> list(string)", Cost::Find),
];

/// Lists, and sets.
const LISTS: &[(&str, Cost)] = &[
    ("<list(N)>.isSorted() -> bool", Cost::Traverse),
    ("<list(int)>.sum() -> int", Cost::Traverse),
    ("<list(uint)>.sum() -> uint", Cost::Traverse),
    ("<list(double)>.sum() -> double", Cost::Traverse),
    ("<list(duration)>.sum() -> duration", Cost::Traverse),
    ("<list(N)>.max() -> N", Cost::Traverse),
    ("<list(N)>.min() -> N", Cost::Traverse),
    ("<list(A)>.indexOf(A) -> int", Cost::Traverse),
    ("<list(A)>.lastIndexOf(A) -> int", Cost::Traverse),
    ("sets.contains(list(A), list(A)) -> bool", Cost::Sets(1)),
    ("sets.equivalent(list(A), list(A)) -> bool", Cost::Sets(2)),
    ("sets.intersects(list(A), list(A)) -> bool", Cost::Sets(1)),
];

const NETWORK: &[(&str, Cost)] = &[
    ("url(string) -> URL", Cost::ParseUrl),
    ("<URL>.getScheme() -> string", Cost::Unit),
    ("<URL>.getHost() -> string", Cost::Unit),
    ("<URL>.getHostname() -> string", Cost::Unit),
    ("<URL>.getPort() -> string", Cost::Unit),
    ("<URL>.getEscapedPath() -> string", Cost::Unit),
    ("<URL>.getQuery() -> map(string, list(string))", Cost::Unit),
    ("isURL(string) -> bool", Cost::Unit),
    ("ip(string) -> IP", Cost::Parse),
    ("<CIDR>.ip() -> IP", Cost::Unit),
    ("<IP>.family() -> int", Cost::Unit),
    ("ip.isCanonical(string) -> bool", Cost::ParseTwice),
    ("<IP>.isUnspecified() -> bool", Cost::Unit),
    ("<IP>.isLoopback() -> bool", Cost::Unit),
    ("<IP>.isLinkLocalMulticast() -> bool", Cost::Unit),
    ("<IP>.isLinkLocalUnicast() -> bool", Cost::Unit),
    ("<IP>.isGlobalUnicast() -> bool", Cost::Unit),
    ("isIP(string) -> bool", Cost::Parse),
    ("cidr(string) -> CIDR", Cost::Parse),
    ("<CIDR>.containsIP(string) -> bool", Cost::ContainIp),
    ("<CIDR>.containsIP(IP) -> bool", Cost::ContainIp),
    ("<CIDR>.containsCIDR(string) -> bool", Cost::ContainCidr),
    ("<CIDR>.containsCIDR(CIDR) -> bool", Cost::ContainCidr),
    ("<CIDR>.prefixLength() -> int", Cost::Unit),
    ("<CIDR>.masked() -> CIDR", Cost::Unit),
    ("isCIDR(string) -> bool", Cost::Parse),
];

/// Quantities, and formats.
const QUANTITIES: &[(&str, Cost)] = &[
    ("quantity(string) -> Quantity", Cost::Parse),
    ("isQuantity(string) -> bool", Cost::Parse),
    ("<Quantity>.isGreaterThan(Quantity) -> bool", Cost::Unit),
    ("<Quantity>.isLessThan(Quantity) -> bool", Cost::Unit),
    ("<Quantity>.compareTo(Quantity) -> int", Cost::Unit),
    ("<Quantity>.asApproximateFloat() -> double", Cost::Unit),
    ("<Quantity>.asInteger() -> int", Cost::Unit),
    ("<Quantity>.isInteger() -> bool", Cost::Unit),
    ("<Quantity>.add(Quantity) -> Quantity", Cost::Unit),
    ("<Quantity>.add(int) -> Quantity", Cost::Unit),
    ("<Quantity>.sub(Quantity) -> Quantity", Cost::Unit),
    ("<Quantity>.sub(int) -> Quantity", Cost::Unit),
    ("format.named(string) -> optional(Format)", Cost::Unit),
    ("<Format>.validate(string) -> optional(list(string))", Cost::Validate),
];

const OPTIONALS: &[(&str, Cost)] = &[
    ("optional.none() -> optional(A)", Cost::Unit),
    ("optional.of(A) -> optional(A)", Cost::Unit),
    ("optional.ofNonZeroValue(A) -> optional(A)", Cost::Unit),
    ("<optional(A)>.hasValue() -> bool", Cost::Unit),
    ("<optional(A)>.value() -> A", Cost::Unit),
    ("<optional(A)>.or(optional(A)) -> optional(A)", Cost::Unit),
    ("<optional(A)>.orValue(A) -> A", Cost::Unit),
];

/// Questions to the authorizer of a cluster. Only policies have a variable of that type.
const AUTHORIZATION: &[(&str, Cost)] = &[
    ("<Authorizer>.path(string) -> PathCheck", Cost::Unit),
    ("<PathCheck>.check(string) -> Decision", Cost::Authorize),
    ("<Authorizer>.group(string) -> GroupCheck", Cost::Unit),
    ("<Authorizer>.serviceAccount(string, string) -> Authorizer", Cost::Unit),
    ("<GroupCheck>.resource(string) -> ResourceCheck", Cost::Unit),
    ("<ResourceCheck>.subresource(string) -> ResourceCheck", Cost::Unit),
    ("<ResourceCheck>.namespace(string) -> ResourceCheck", Cost::Unit),
    ("<ResourceCheck>.name(string) -> ResourceCheck", Cost::Unit),
    ("<ResourceCheck>.check(string) -> Decision", Cost::Authorize),
    ("<Decision>.errored() -> bool", Cost::Unit),
    ("<Decision>.error() -> string", Cost::Unit),
    ("<Decision>.allowed() -> bool", Cost::Unit),
    ("<Decision>.reason() -> string", Cost::Unit),
];

const SELECTORS: &[(&str, Cost)] = &[
    ("<ResourceCheck>.fieldSelector(string) -> ResourceCheck", Cost::Unit),
    ("<ResourceCheck>.labelSelector(string) -> ResourceCheck", Cost::Unit),
];

const VERSIONS: &[(&str, Cost)] = &[
    ("semver(string) -> Semver", Cost::Parse),
    ("semver(string, bool) -> Semver", Cost::Parse),
    ("isSemver(string) -> bool", Cost::Parse),
    ("isSemver(string, bool) -> bool", Cost::Parse),
    ("<Semver>.isGreaterThan(Semver) -> bool", Cost::Unit),
    ("<Semver>.isLessThan(Semver) -> bool", Cost::Unit),
    ("<Semver>.compareTo(Semver) -> int", Cost::Unit),
    ("<Semver>.major() -> int", Cost::Unit),
    ("<Semver>.minor() -> int", Cost::Unit),
    ("<Semver>.patch() -> int", Cost::Unit),
];

const EXTENDED_LISTS: &[(&str, Cost)] = &[
    ("<list(A)>.slice(int, int) -> list(A)", Cost::Slice),
    ("<list(list(A))>.flatten() -> list(A)", Cost::Flatten),
    ("<list(dyn)>.flatten(int) -> list(dyn)", Cost::Flatten),
    ("<list(N)>.sort() -> list(N)", Cost::Sort),
    ("lists.range(int) -> list(int)", Cost::Range),
    ("<list(A)>.reverse() -> list(A)", Cost::Reverse),
    ("<list(A)>.distinct() -> list(A)", Cost::Distinct),
];

const OPTIONAL_ITEMS: &[(&str, Cost)] = &[
    ("<list(A)>.first() -> optional(A)", Cost::Unit),
    ("<list(A)>.last() -> optional(A)", Cost::Unit),
    ("optional.unwrap(list(optional(A))) -> list(A)", Cost::Unit),
    ("<list(optional(A))>.unwrapOpt() -> list(A)", Cost::Unit),
];

/// The types that `N` in a declaration stands for.
const WITH_ORDER: [&str; 8] =
    ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

static FUNCTIONS: LazyLock<HashMap<String, Vec<Overload>>> = LazyLock::new(|| {
    let mut functions = HashMap::new();
    for (since, declarations) in LIBRARIES {
        for (declaration, cost) in *declarations {
            declare(&mut functions, declaration, *cost, *since);
        }
    }
    for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
        for types in ORDERED.iter().copied() {
            let is_text = matches!(types, "string, string" | "bytes, bytes");
            let cost = if is_text { Cost::Compare } else { Cost::Unit };
            declare(&mut functions, &format!("{operator}({types}) -> bool"), cost, None);
        }
    }
    for name in named::NAMES {
        declare(&mut functions, &format!("format.{name}() -> Format"), Cost::Unit, None);
    }
    functions
});

fn declare(
    functions: &mut HashMap<String, Vec<Overload>>,
    declaration: &str,
    cost: Cost,
    since: Option<Fact>,
) {
    if declaration.contains("(N)") {
        for kind in WITH_ORDER {
            let declaration = declaration
                .replace("(N)", &format!("({kind})"))
                .replace("-> N", &format!("-> {kind}"));
            declare(functions, &declaration, cost, since);
        }
        return;
    }
    if let Some((name, overload)) = read(declaration, cost, since) {
        functions.entry(name).or_default().push(overload);
    }
}

fn read(declaration: &str, cost: Cost, since: Option<Fact>) -> Option<(String, Overload)> {
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

/// The overloads of a function at a release, with their numbers, or `None` if there is no such function.
pub(crate) fn overloads(name: &str, facts: Facts) -> Option<Vec<(usize, &'static Overload)>> {
    let all = FUNCTIONS.get(name)?.iter().enumerate();
    let available: Vec<_> =
        all.filter(|(_, overload)| overload.since.is_none_or(|fact| facts.hold(fact))).collect();
    (!available.is_empty()).then_some(available)
}

/// What a call of an overload costs.
pub(crate) fn cost(name: &str, overload: usize) -> Cost {
    let overload = FUNCTIONS.get(name).and_then(|overloads| overloads.get(overload));
    overload.map_or(Cost::Unit, |overload| overload.cost)
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
    use super::{Cost, EXTENDED_LISTS, LIBRARIES, WITH_ORDER, read};

    #[test]
    fn declarations_are_read() {
        for (declaration, _) in LIBRARIES.iter().flat_map(|(_, declarations)| *declarations) {
            for kind in WITH_ORDER {
                let declaration = declaration
                    .replace("(N)", &format!("({kind})"))
                    .replace("-> N", &format!("-> {kind}"));
                assert!(read(&declaration, Cost::Unit, None).is_some(), "{declaration}");
            }
        }
        let (name, slice) = read(EXTENDED_LISTS[0].0, Cost::Unit, None).unwrap();
        assert_eq!((name.as_str(), slice.has_receiver, slice.parameters.len()), ("slice", true, 3));
    }
}

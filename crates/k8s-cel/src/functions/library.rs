//! The functions that servers declare, and their types.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::arguments::{
    address, compare, compute, duration, empty, first, flag, has_value, instant, int, ip, list,
    network, not_asked, optional_of, planned, second, size, text, value_of,
};
use super::operators::{self, Arithmetic, Comparison};
pub(crate) use super::overload::Overload;
use super::overload::declare;
use super::{
    Native, convert, format, lists, named, network as networks, quantity, search, semver, strings,
    time, url,
};
use crate::check::types::{Opaque, Type};
use crate::cost::function::Cost;
use crate::eval::value::Value;
use crate::facts::Fact;
use crate::since::Facts;
use crate::syntax::ast::Call;

/// A declaration is `<receiver>.name(parameters) -> result`, or `name(parameters) -> result`. A capital letter means
/// any type, the same at each place; `N` means each of the types that have an order.
///
/// The other columns are the cost of a call and the function.
type Row = (&'static str, Cost, Native);

/// Functions, and the fact that servers have them if not all do.
type Library = (Option<Fact>, &'static [Row]);

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

const OPERATORS: &[Row] = &[
    ("_==_(A, A) -> bool", Cost::Equal, |c, a| compare(Comparison::Equal, c, a)),
    ("_!=_(A, A) -> bool", Cost::Compare, |c, a| compare(Comparison::NotEqual, c, a)),
    ("@in(A, list(A)) -> bool", Cost::Contained, |c, a| compare(Comparison::In, c, a)),
    ("@in(A, map(A, B)) -> bool", Cost::Unit, |c, a| compare(Comparison::In, c, a)),
    ("!_(bool) -> bool", Cost::Unit, |_, a| operators::not(first(a)?)),
    ("-_(int) -> int", Cost::Unit, |_, a| operators::negate(first(a)?)),
    ("-_(double) -> double", Cost::Unit, |_, a| operators::negate(first(a)?)),
    ("_+_(bytes, bytes) -> bytes", Cost::AddTexts, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(double, double) -> double", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(duration, duration) -> duration", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(duration, timestamp) -> timestamp", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(timestamp, duration) -> timestamp", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(int, int) -> int", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(list(A), list(A)) -> list(A)", Cost::AddLists, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(string, string) -> string", Cost::AddTexts, |c, a| compute(Arithmetic::Add, c, a)),
    ("_+_(uint, uint) -> uint", Cost::Unit, |c, a| compute(Arithmetic::Add, c, a)),
    ("_-_(double, double) -> double", Cost::Unit, |c, a| compute(Arithmetic::Subtract, c, a)),
    ("_-_(duration, duration) -> duration", Cost::Unit, |c, a| compute(Arithmetic::Subtract, c, a)),
    ("_-_(int, int) -> int", Cost::Unit, |c, a| compute(Arithmetic::Subtract, c, a)),
    ("_-_(timestamp, duration) -> timestamp", Cost::Unit, |c, a| {
        compute(Arithmetic::Subtract, c, a)
    }),
    ("_-_(timestamp, timestamp) -> duration", Cost::Unit, |c, a| {
        compute(Arithmetic::Subtract, c, a)
    }),
    ("_-_(uint, uint) -> uint", Cost::Unit, |c, a| compute(Arithmetic::Subtract, c, a)),
    ("_*_(double, double) -> double", Cost::Unit, |c, a| compute(Arithmetic::Multiply, c, a)),
    ("_*_(int, int) -> int", Cost::Unit, |c, a| compute(Arithmetic::Multiply, c, a)),
    ("_*_(uint, uint) -> uint", Cost::Unit, |c, a| compute(Arithmetic::Multiply, c, a)),
    ("_/_(double, double) -> double", Cost::Unit, |c, a| compute(Arithmetic::Divide, c, a)),
    ("_/_(int, int) -> int", Cost::Unit, |c, a| compute(Arithmetic::Divide, c, a)),
    ("_/_(uint, uint) -> uint", Cost::Unit, |c, a| compute(Arithmetic::Divide, c, a)),
    ("_%_(int, int) -> int", Cost::Unit, |c, a| compute(Arithmetic::Remainder, c, a)),
    ("_%_(uint, uint) -> uint", Cost::Unit, |c, a| compute(Arithmetic::Remainder, c, a)),
    ("_[_](list(A), int) -> A", Cost::Unit, planned),
    ("_[_](map(A, B), A) -> B", Cost::Unit, planned),
    ("_[_](optional(list(A)), int) -> optional(A)", Cost::Unit, planned),
    ("_[_](optional(map(A, B)), A) -> optional(B)", Cost::Unit, planned),
    ("_[?_](list(A), int) -> optional(A)", Cost::Unit, planned),
    ("_[?_](optional(list(A)), int) -> optional(A)", Cost::Unit, planned),
    ("_[?_](map(A, B), A) -> optional(B)", Cost::Unit, planned),
    ("_[?_](optional(map(A, B)), A) -> optional(B)", Cost::Unit, planned),
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

/// The operators that compare such a pair.
const ORDERS: &[(&str, Native)] = &[
    ("_<_", |c, a| compare(Comparison::Less, c, a)),
    ("_<=_", |c, a| compare(Comparison::LessOrEqual, c, a)),
    ("_>_", |c, a| compare(Comparison::Greater, c, a)),
    ("_>=_", |c, a| compare(Comparison::GreaterOrEqual, c, a)),
];

const STANDARD: &[Row] = &[
    ("size(bytes) -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("<bytes>.size() -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("size(list(A)) -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("<list(A)>.size() -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("size(map(A, B)) -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("<map(A, B)>.size() -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("size(string) -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("<string>.size() -> int", Cost::Unit, |_, a| size(first(a)?)),
    ("type(A) -> type(A)", Cost::Unit, |_, a| Ok(Value::Type(first(a)?.type_name()))),
    ("dyn(A) -> dyn", Cost::Unit, |_, a| Ok(first(a)?.clone())),
    ("bool(bool) -> bool", Cost::Unit, |_, a| convert::to_bool(first(a)?)),
    ("bool(string) -> bool", Cost::Unit, |_, a| convert::to_bool(first(a)?)),
    ("bytes(bytes) -> bytes", Cost::Unit, |_, a| Ok(convert::to_bytes(first(a)?))),
    ("bytes(string) -> bytes", Cost::BytesOfText, |_, a| Ok(convert::to_bytes(first(a)?))),
    ("double(double) -> double", Cost::Unit, |_, a| convert::to_double(first(a)?)),
    ("double(int) -> double", Cost::Unit, |_, a| convert::to_double(first(a)?)),
    ("double(string) -> double", Cost::Unit, |_, a| convert::to_double(first(a)?)),
    ("double(uint) -> double", Cost::Unit, |_, a| convert::to_double(first(a)?)),
    ("duration(duration) -> duration", Cost::Unit, |_, a| convert::to_duration(first(a)?)),
    ("duration(int) -> duration", Cost::Unit, |_, a| convert::to_duration(first(a)?)),
    ("duration(string) -> duration", Cost::Unit, |_, a| convert::to_duration(first(a)?)),
    ("int(int) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("int(double) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("int(duration) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("int(string) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("int(timestamp) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("int(uint) -> int", Cost::Unit, |_, a| convert::to_int(first(a)?)),
    ("string(string) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(bool) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(bytes) -> string", Cost::TextOfBytes, |_, a| {
        convert::to_text(first(a)?).map(Value::text)
    }),
    ("string(double) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(duration) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(int) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(timestamp) -> string", Cost::Unit, |_, a| {
        convert::to_text(first(a)?).map(Value::text)
    }),
    ("string(uint) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(IP) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("string(CIDR) -> string", Cost::Unit, |_, a| convert::to_text(first(a)?).map(Value::text)),
    ("timestamp(timestamp) -> timestamp", Cost::Unit, |_, a| convert::to_timestamp(first(a)?)),
    ("timestamp(int) -> timestamp", Cost::Unit, |_, a| convert::to_timestamp(first(a)?)),
    ("timestamp(string) -> timestamp", Cost::Unit, |_, a| convert::to_timestamp(first(a)?)),
    ("uint(uint) -> uint", Cost::Unit, |_, a| convert::to_uint(first(a)?)),
    ("uint(double) -> uint", Cost::Unit, |_, a| convert::to_uint(first(a)?)),
    ("uint(int) -> uint", Cost::Unit, |_, a| convert::to_uint(first(a)?)),
    ("uint(string) -> uint", Cost::Unit, |_, a| convert::to_uint(first(a)?)),
    ("<string>.contains(string) -> bool", Cost::Contain, |_, a| {
        Ok(Value::Bool(text(a, 0)?.contains(text(a, 1)?)))
    }),
    ("<string>.endsWith(string) -> bool", Cost::Affix, |_, a| {
        Ok(Value::Bool(text(a, 0)?.ends_with(text(a, 1)?)))
    }),
    ("<string>.startsWith(string) -> bool", Cost::Affix, |_, a| {
        Ok(Value::Bool(text(a, 0)?.starts_with(text(a, 1)?)))
    }),
    ("matches(string, string) -> bool", Cost::Unit, |c, a| {
        search::matches(text(a, 0)?, text(a, 1)?, c)
    }),
    ("<string>.matches(string) -> bool", Cost::Match, |c, a| {
        search::matches(text(a, 0)?, text(a, 1)?, c)
    }),
];

const TIMES: &[Row] = &[
    ("<timestamp>.getFullYear() -> int", Cost::Unit, |_, a| {
        time::field("getFullYear", instant(a)?, "UTC")
    }),
    ("<timestamp>.getFullYear(string) -> int", Cost::Unit, |_, a| {
        time::field("getFullYear", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getMonth() -> int", Cost::Unit, |_, a| {
        time::field("getMonth", instant(a)?, "UTC")
    }),
    ("<timestamp>.getMonth(string) -> int", Cost::Unit, |_, a| {
        time::field("getMonth", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getDayOfYear() -> int", Cost::Unit, |_, a| {
        time::field("getDayOfYear", instant(a)?, "UTC")
    }),
    ("<timestamp>.getDayOfYear(string) -> int", Cost::Unit, |_, a| {
        time::field("getDayOfYear", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getDayOfMonth() -> int", Cost::Unit, |_, a| {
        time::field("getDayOfMonth", instant(a)?, "UTC")
    }),
    ("<timestamp>.getDayOfMonth(string) -> int", Cost::Unit, |_, a| {
        time::field("getDayOfMonth", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getDate() -> int", Cost::Unit, |_, a| time::field("getDate", instant(a)?, "UTC")),
    ("<timestamp>.getDate(string) -> int", Cost::Unit, |_, a| {
        time::field("getDate", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getDayOfWeek() -> int", Cost::Unit, |_, a| {
        time::field("getDayOfWeek", instant(a)?, "UTC")
    }),
    ("<timestamp>.getDayOfWeek(string) -> int", Cost::Unit, |_, a| {
        time::field("getDayOfWeek", instant(a)?, text(a, 1)?)
    }),
    ("<timestamp>.getHours() -> int", Cost::Unit, |_, a| {
        time::field("getHours", instant(a)?, "UTC")
    }),
    ("<timestamp>.getHours(string) -> int", Cost::Unit, |_, a| {
        time::field("getHours", instant(a)?, text(a, 1)?)
    }),
    ("<duration>.getHours() -> int", Cost::Unit, |_, a| {
        time::duration_field("getHours", duration(a)?)
    }),
    ("<timestamp>.getMinutes() -> int", Cost::Unit, |_, a| {
        time::field("getMinutes", instant(a)?, "UTC")
    }),
    ("<timestamp>.getMinutes(string) -> int", Cost::Unit, |_, a| {
        time::field("getMinutes", instant(a)?, text(a, 1)?)
    }),
    ("<duration>.getMinutes() -> int", Cost::Unit, |_, a| {
        time::duration_field("getMinutes", duration(a)?)
    }),
    ("<timestamp>.getSeconds() -> int", Cost::Unit, |_, a| {
        time::field("getSeconds", instant(a)?, "UTC")
    }),
    ("<timestamp>.getSeconds(string) -> int", Cost::Unit, |_, a| {
        time::field("getSeconds", instant(a)?, text(a, 1)?)
    }),
    ("<duration>.getSeconds() -> int", Cost::Unit, |_, a| {
        time::duration_field("getSeconds", duration(a)?)
    }),
    ("<timestamp>.getMilliseconds() -> int", Cost::Unit, |_, a| {
        time::field("getMilliseconds", instant(a)?, "UTC")
    }),
    ("<timestamp>.getMilliseconds(string) -> int", Cost::Unit, |_, a| {
        time::field("getMilliseconds", instant(a)?, text(a, 1)?)
    }),
    ("<duration>.getMilliseconds() -> int", Cost::Unit, |_, a| {
        time::duration_field("getMilliseconds", duration(a)?)
    }),
];

/// Texts, and regular expressions.
const STRINGS: &[Row] = &[
    ("<string>.charAt(int) -> string", Cost::Unit, |_, a| {
        strings::char_at(text(a, 0)?, int(a, 1)?)
    }),
    ("<string>.indexOf(string) -> int", Cost::Traverse, |c, a| {
        strings::index_of(text(a, 0)?, text(a, 1)?, 0, c)
    }),
    ("<string>.indexOf(string, int) -> int", Cost::Traverse, |c, a| {
        strings::index_of(text(a, 0)?, text(a, 1)?, int(a, 2)?, c)
    }),
    ("<string>.lastIndexOf(string) -> int", Cost::Traverse, |c, a| {
        strings::last_index(text(a, 0)?, text(a, 1)?, c)
    }),
    ("<string>.lastIndexOf(string, int) -> int", Cost::Traverse, |c, a| {
        strings::last_index_of(text(a, 0)?, text(a, 1)?, int(a, 2)?, c)
    }),
    ("<string>.lowerAscii() -> string", Cost::Read, |_, a| {
        Ok(Value::text(text(a, 0)?.to_ascii_lowercase()))
    }),
    ("<string>.replace(string, string) -> string", Cost::Replace, |c, a| {
        strings::replace(text(a, 0)?, text(a, 1)?, text(a, 2)?, -1, c.meter)
    }),
    ("<string>.replace(string, string, int) -> string", Cost::Replace, |c, a| {
        strings::replace(text(a, 0)?, text(a, 1)?, text(a, 2)?, int(a, 3)?, c.meter)
    }),
    ("<string>.split(string) -> list(string)", Cost::Split, |c, a| {
        strings::split(text(a, 0)?, text(a, 1)?, -1, c.meter)
    }),
    ("<string>.split(string, int) -> list(string)", Cost::Split, |c, a| {
        strings::split(text(a, 0)?, text(a, 1)?, int(a, 2)?, c.meter)
    }),
    ("<string>.substring(int) -> string", Cost::Read, |_, a| {
        strings::substring(text(a, 0)?, int(a, 1)?, None)
    }),
    ("<string>.substring(int, int) -> string", Cost::Read, |_, a| {
        strings::substring(text(a, 0)?, int(a, 1)?, Some(int(a, 2)?))
    }),
    ("<string>.trim() -> string", Cost::Read, |_, a| Ok(Value::text(text(a, 0)?.trim()))),
    ("<string>.upperAscii() -> string", Cost::Read, |_, a| {
        Ok(Value::text(text(a, 0)?.to_ascii_uppercase()))
    }),
    ("<string>.format(list(dyn)) -> string", Cost::Format, |c, a| {
        format::format(text(a, 0)?, &list(a, 1)?.to_vec(c.meter)?, c)
    }),
    ("strings.quote(string) -> string", Cost::Quote, |_, a| Ok(strings::quote(text(a, 0)?))),
    ("<list(string)>.join() -> string", Cost::Join, |c, a| {
        strings::join(list(a, 0)?, empty(), c.meter)
    }),
    ("<list(string)>.join(string) -> string", Cost::Join, |c, a| {
        strings::join(list(a, 0)?, text(a, 1)?, c.meter)
    }),
    ("<string>.find(string) -> string", Cost::Find, |c, a| {
        search::find(text(a, 0)?, text(a, 1)?, c)
    }),
    ("<string>.findAll(string) -> list(string)", Cost::Find, |c, a| {
        search::find_all(text(a, 0)?, text(a, 1)?, -1, c)
    }),
    ("<string>.findAll(string, int) -> list(string)", Cost::Find, |c, a| {
        search::find_all(text(a, 0)?, text(a, 1)?, int(a, 2)?, c)
    }),
];

/// Lists, and sets.
const LISTS: &[Row] = &[
    ("<list(N)>.isSorted() -> bool", Cost::Traverse, |c, a| lists::is_sorted(list(a, 0)?, c.meter)),
    ("<list(int)>.sum() -> int", Cost::Traverse, |c, a| lists::sum(list(a, 0)?, c)),
    ("<list(uint)>.sum() -> uint", Cost::Traverse, |c, a| lists::sum(list(a, 0)?, c)),
    ("<list(double)>.sum() -> double", Cost::Traverse, |c, a| lists::sum(list(a, 0)?, c)),
    ("<list(duration)>.sum() -> duration", Cost::Traverse, |c, a| lists::sum(list(a, 0)?, c)),
    ("<list(N)>.max() -> N", Cost::Traverse, |c, a| {
        lists::extreme(list(a, 0)?, "max", Ordering::Less, c.meter)
    }),
    ("<list(N)>.min() -> N", Cost::Traverse, |c, a| {
        lists::extreme(list(a, 0)?, "min", Ordering::Greater, c.meter)
    }),
    ("<list(A)>.indexOf(A) -> int", Cost::Traverse, |c, a| {
        lists::index_of(list(a, 0)?, second(a)?, c.meter)
    }),
    ("<list(A)>.lastIndexOf(A) -> int", Cost::Traverse, |c, a| {
        lists::last_index_of(list(a, 0)?, second(a)?, c.meter)
    }),
    ("sets.contains(list(A), list(A)) -> bool", Cost::Sets(1), |c, a| {
        lists::contains(list(a, 0)?, list(a, 1)?, c.meter)
    }),
    ("sets.equivalent(list(A), list(A)) -> bool", Cost::Sets(2), |c, a| {
        lists::equivalent(list(a, 0)?, list(a, 1)?, c.meter)
    }),
    ("sets.intersects(list(A), list(A)) -> bool", Cost::Sets(1), |c, a| {
        lists::intersects(list(a, 0)?, list(a, 1)?, c.meter)
    }),
];

const NETWORK: &[Row] = &[
    ("url(string) -> URL", Cost::ParseUrl, |_, a| url::url(text(a, 0)?)),
    ("<URL>.getScheme() -> string", Cost::Unit, |_, a| {
        Ok(Value::text(address(a)?.scheme.as_str()))
    }),
    ("<URL>.getHost() -> string", Cost::Unit, |_, a| Ok(Value::text(address(a)?.host.as_str()))),
    ("<URL>.getHostname() -> string", Cost::Unit, |_, a| {
        Ok(Value::text(address(a)?.host_and_port().0))
    }),
    ("<URL>.getPort() -> string", Cost::Unit, |_, a| {
        Ok(Value::text(address(a)?.host_and_port().1))
    }),
    ("<URL>.getEscapedPath() -> string", Cost::Unit, |_, a| {
        Ok(Value::text(address(a)?.escaped_path()))
    }),
    ("<URL>.getQuery() -> map(string, list(string))", Cost::Unit, |c, a| {
        url::query(address(a)?, c.meter)
    }),
    ("isURL(string) -> bool", Cost::Unit, |c, a| url::is_url(text(a, 0)?, c.meter)),
    ("ip(string) -> IP", Cost::Parse, |_, a| networks::to_ip(text(a, 0)?)),
    ("<CIDR>.ip() -> IP", Cost::Unit, |_, a| Ok(Value::Ip(network(a, 0)?.address()))),
    ("<IP>.family() -> int", Cost::Unit, |_, a| Ok(Value::Int(networks::family(ip(a)?)))),
    ("ip.isCanonical(string) -> bool", Cost::ParseTwice, |_, a| {
        networks::is_canonical(text(a, 0)?)
    }),
    ("<IP>.isUnspecified() -> bool", Cost::Unit, |_, a| Ok(Value::Bool(ip(a)?.is_unspecified()))),
    ("<IP>.isLoopback() -> bool", Cost::Unit, |_, a| Ok(Value::Bool(ip(a)?.is_loopback()))),
    ("<IP>.isLinkLocalMulticast() -> bool", Cost::Unit, |_, a| {
        Ok(Value::Bool(networks::is_link_local_multicast(ip(a)?)))
    }),
    ("<IP>.isLinkLocalUnicast() -> bool", Cost::Unit, |_, a| {
        Ok(Value::Bool(networks::is_link_local_unicast(ip(a)?)))
    }),
    ("<IP>.isGlobalUnicast() -> bool", Cost::Unit, |_, a| {
        Ok(Value::Bool(networks::is_global_unicast(ip(a)?)))
    }),
    ("isIP(string) -> bool", Cost::Parse, |_, a| Ok(networks::is_ip(text(a, 0)?))),
    ("cidr(string) -> CIDR", Cost::Parse, |_, a| networks::to_cidr(text(a, 0)?)),
    ("<CIDR>.containsIP(string) -> bool", Cost::ContainIp, |_, a| {
        networks::contains_ip(network(a, 0)?, second(a)?)
    }),
    ("<CIDR>.containsIP(IP) -> bool", Cost::ContainIp, |_, a| {
        networks::contains_ip(network(a, 0)?, second(a)?)
    }),
    ("<CIDR>.containsCIDR(string) -> bool", Cost::ContainCidr, |c, a| {
        networks::contains_cidr(network(a, 0)?, second(a)?, c.facts)
    }),
    ("<CIDR>.containsCIDR(CIDR) -> bool", Cost::ContainCidr, |c, a| {
        networks::contains_cidr(network(a, 0)?, second(a)?, c.facts)
    }),
    ("<CIDR>.prefixLength() -> int", Cost::Unit, |_, a| {
        Ok(Value::Int(network(a, 0)?.bits().into()))
    }),
    ("<CIDR>.masked() -> CIDR", Cost::Unit, |_, a| Ok(Value::Cidr(network(a, 0)?.masked()))),
    ("isCIDR(string) -> bool", Cost::Parse, |_, a| Ok(networks::is_cidr(text(a, 0)?))),
];

/// Quantities, and formats.
const QUANTITIES: &[Row] = &[
    ("quantity(string) -> Quantity", Cost::Parse, |_, a| quantity::to_quantity(text(a, 0)?)),
    ("isQuantity(string) -> bool", Cost::Parse, |_, a| {
        Ok(Value::Bool(quantity::is_quantity(text(a, 0)?)))
    }),
    ("<Quantity>.isGreaterThan(Quantity) -> bool", Cost::Unit, |_, a| {
        quantity::compare(a, Ordering::is_gt)
    }),
    ("<Quantity>.isLessThan(Quantity) -> bool", Cost::Unit, |_, a| {
        quantity::compare(a, Ordering::is_lt)
    }),
    ("<Quantity>.compareTo(Quantity) -> int", Cost::Unit, |_, a| quantity::order(a)),
    ("sign(Quantity) -> int", Cost::Unit, |_, a| quantity::sign(first(a)?)),
    ("<Quantity>.asApproximateFloat() -> double", Cost::Unit, |_, a| {
        quantity::approximate(first(a)?)
    }),
    ("<Quantity>.asInteger() -> int", Cost::Unit, |_, a| quantity::integer(first(a)?)),
    ("<Quantity>.isInteger() -> bool", Cost::Unit, |_, a| quantity::is_integer(first(a)?)),
    ("<Quantity>.add(Quantity) -> Quantity", Cost::Unit, |_, a| quantity::sum(a, false)),
    ("<Quantity>.add(int) -> Quantity", Cost::Unit, |_, a| quantity::sum(a, false)),
    ("<Quantity>.sub(Quantity) -> Quantity", Cost::Unit, |_, a| quantity::sum(a, true)),
    ("<Quantity>.sub(int) -> Quantity", Cost::Unit, |_, a| quantity::sum(a, true)),
    ("format.named(string) -> optional(Format)", Cost::Unit, |_, a| Ok(named::named(text(a, 0)?))),
    ("<Format>.validate(string) -> optional(list(string))", Cost::Validate, |_, a| {
        named::validate(first(a)?, text(a, 1)?)
    }),
];

const OPTIONALS: &[Row] = &[
    ("optional.none() -> optional(A)", Cost::Unit, |_, _| Ok(Value::Optional(None))),
    ("optional.of(A) -> optional(A)", Cost::Unit, |_, a| Ok(Value::some(first(a)?.clone()))),
    ("optional.ofNonZeroValue(A) -> optional(A)", Cost::Unit, |_, a| Ok(optional_of(first(a)?))),
    ("<optional(A)>.hasValue() -> bool", Cost::Unit, |_, a| has_value(first(a)?)),
    ("<optional(A)>.value() -> A", Cost::Unit, |_, a| value_of(first(a)?)),
    ("<optional(A)>.or(optional(A)) -> optional(A)", Cost::Unit, planned),
    ("<optional(A)>.orValue(A) -> A", Cost::Unit, planned),
];

/// Questions to the authorizer of a cluster. Only policies have a variable of that type.
const AUTHORIZATION: &[Row] = &[
    ("<Authorizer>.path(string) -> PathCheck", Cost::Unit, not_asked),
    ("<PathCheck>.check(string) -> Decision", Cost::Authorize, not_asked),
    ("<Authorizer>.group(string) -> GroupCheck", Cost::Unit, not_asked),
    ("<Authorizer>.serviceAccount(string, string) -> Authorizer", Cost::Unit, not_asked),
    ("<GroupCheck>.resource(string) -> ResourceCheck", Cost::Unit, not_asked),
    ("<ResourceCheck>.subresource(string) -> ResourceCheck", Cost::Unit, not_asked),
    ("<ResourceCheck>.namespace(string) -> ResourceCheck", Cost::Unit, not_asked),
    ("<ResourceCheck>.name(string) -> ResourceCheck", Cost::Unit, not_asked),
    ("<ResourceCheck>.check(string) -> Decision", Cost::Authorize, not_asked),
    ("<Decision>.errored() -> bool", Cost::Unit, not_asked),
    ("<Decision>.error() -> string", Cost::Unit, not_asked),
    ("<Decision>.allowed() -> bool", Cost::Unit, not_asked),
    ("<Decision>.reason() -> string", Cost::Unit, not_asked),
];

const SELECTORS: &[Row] = &[
    ("<ResourceCheck>.fieldSelector(string) -> ResourceCheck", Cost::Unit, not_asked),
    ("<ResourceCheck>.labelSelector(string) -> ResourceCheck", Cost::Unit, not_asked),
];

const VERSIONS: &[Row] = &[
    ("semver(string) -> Semver", Cost::Parse, |_, a| semver::to_semver(text(a, 0)?, false)),
    ("semver(string, bool) -> Semver", Cost::Parse, |_, a| {
        semver::to_semver(text(a, 0)?, flag(a, 1)?)
    }),
    ("isSemver(string) -> bool", Cost::Parse, |_, a| {
        Ok(Value::Bool(semver::to_semver(text(a, 0)?, false).is_ok()))
    }),
    ("isSemver(string, bool) -> bool", Cost::Parse, |_, a| {
        Ok(Value::Bool(semver::to_semver(text(a, 0)?, flag(a, 1)?).is_ok()))
    }),
    ("<Semver>.isGreaterThan(Semver) -> bool", Cost::Unit, |_, a| {
        semver::compare(a, Ordering::is_gt)
    }),
    ("<Semver>.isLessThan(Semver) -> bool", Cost::Unit, |_, a| semver::compare(a, Ordering::is_lt)),
    ("<Semver>.compareTo(Semver) -> int", Cost::Unit, |_, a| semver::order(a)),
    ("<Semver>.major() -> int", Cost::Unit, |_, a| {
        semver::number(first(a)?, |version| version.major)
    }),
    ("<Semver>.minor() -> int", Cost::Unit, |_, a| {
        semver::number(first(a)?, |version| version.minor)
    }),
    ("<Semver>.patch() -> int", Cost::Unit, |_, a| {
        semver::number(first(a)?, |version| version.patch)
    }),
];

const EXTENDED_LISTS: &[Row] = &[
    ("<list(A)>.slice(int, int) -> list(A)", Cost::Slice, |c, a| {
        lists::slice(list(a, 0)?, int(a, 1)?, int(a, 2)?, c.meter)
    }),
    ("<list(list(A))>.flatten() -> list(A)", Cost::Flatten, |c, a| {
        lists::flatten(list(a, 0)?, 1, c.meter)
    }),
    ("<list(dyn)>.flatten(int) -> list(dyn)", Cost::Flatten, |c, a| {
        lists::flatten(list(a, 0)?, int(a, 1)?, c.meter)
    }),
    ("<list(N)>.sort() -> list(N)", Cost::Sort, |c, a| {
        lists::sort(list(a, 0)?, list(a, 0)?, c.meter)
    }),
    ("lists.range(int) -> list(int)", Cost::Range, |c, a| lists::range(int(a, 0)?, c.meter)),
    ("<list(A)>.reverse() -> list(A)", Cost::Reverse, |c, a| lists::reverse(list(a, 0)?, c.meter)),
    ("<list(A)>.distinct() -> list(A)", Cost::Distinct, |c, a| {
        lists::distinct(list(a, 0)?, c.meter)
    }),
];

const OPTIONAL_ITEMS: &[Row] = &[
    ("<list(A)>.first() -> optional(A)", Cost::Unit, |c, a| lists::at(list(a, 0)?, 0, c.meter)),
    ("<list(A)>.last() -> optional(A)", Cost::Unit, |c, a| {
        lists::at(list(a, 0)?, list(a, 0)?.len().wrapping_sub(1), c.meter)
    }),
    ("optional.unwrap(list(optional(A))) -> list(A)", Cost::Unit, |c, a| {
        lists::unwrapped(list(a, 0)?, c.meter)
    }),
    ("<list(optional(A))>.unwrapOpt() -> list(A)", Cost::Unit, |c, a| {
        lists::unwrapped(list(a, 0)?, c.meter)
    }),
];

pub(super) static FUNCTIONS: LazyLock<HashMap<String, Vec<Overload>>> = LazyLock::new(|| {
    let mut functions = HashMap::new();
    for (since, declarations) in LIBRARIES {
        for (declaration, cost, call) in *declarations {
            declare(&mut functions, declaration, (*cost, *call), *since);
        }
    }
    for (operator, call) in ORDERS {
        for types in ORDERED.iter().copied() {
            let is_text = matches!(types, "string, string" | "bytes, bytes");
            let cost = if is_text { Cost::Compare } else { Cost::Unit };
            declare(&mut functions, &format!("{operator}({types}) -> bool"), (cost, *call), None);
        }
    }
    for (name, call, _) in named::FORMATS {
        let declaration = format!("format.{name}() -> Format");
        declare(&mut functions, &declaration, (Cost::Unit, *call), None);
    }
    functions
});

/// The overloads of a function at a release, with their numbers, or `None` if there is no such function.
pub(crate) fn overloads(name: &str, facts: Facts) -> Option<Vec<(usize, &'static Overload)>> {
    let all = FUNCTIONS.get(name)?.iter().enumerate();
    let available: Vec<_> =
        all.filter(|(_, overload)| overload.since.is_none_or(|fact| facts.hold(fact))).collect();
    (!available.is_empty()).then_some(available)
}

/// The cost of a call of an overload.
pub(crate) fn cost(name: &str, overload: usize) -> Cost {
    let overload = FUNCTIONS.get(name).and_then(|overloads| overloads.get(overload));
    overload.map_or(Cost::Unit, |overload| overload.cost)
}

/// Returns `true` if it is not known whether servers of a release have a function.
pub(crate) fn is_uncertain(name: &str, facts: Facts) -> bool {
    let mut overloads = FUNCTIONS.get(name).into_iter().flatten();
    overloads.any(|overload| overload.since.is_some_and(|fact| facts.are_unknown(fact)))
}

/// The overloads that a call can have at run time: those that the types leave.
pub(crate) fn candidates(call: &Call) -> Vec<&'static Overload> {
    let Some(overloads) = FUNCTIONS.get(&*call.function) else { return Vec::new() };
    call.overloads.iter().filter_map(|index| overloads.get(*index)).collect()
}

/// The type with this name, such as `int` in `type(self) == int`.
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

/// Calls a function as a rule whose arguments have known types does.
#[cfg(test)]
pub(crate) fn call<'v>(
    function: &str,
    arguments: &[Value<'v>],
    facts: Facts,
) -> crate::eval::value::Evaluated<Value<'v>> {
    let budget = crate::eval::Budget::default();
    let (patterns, meter) = (crate::eval::Patterns::default(), budget.meter());
    let mut overloads = FUNCTIONS[function].iter();
    let overload =
        overloads.find(|overload| overload.accepts(function, arguments, &meter)).unwrap();
    let result = Some(&overload.result);
    overload.call(&super::Context { facts, patterns: &patterns, meter: &meter, result }, arguments)
}

#[cfg(test)]
mod tests {
    use super::{Cost, EXTENDED_LISTS, LIBRARIES, planned};
    use crate::functions::overload::{WITH_ORDER, read};

    #[test]
    fn declarations_are_read() {
        for (declaration, ..) in LIBRARIES.iter().flat_map(|(_, declarations)| *declarations) {
            for kind in WITH_ORDER {
                let declaration = declaration
                    .replace("(N)", &format!("({kind})"))
                    .replace("-> N", &format!("-> {kind}"));
                assert!(read(&declaration, (Cost::Unit, planned), None).is_some(), "{declaration}");
            }
        }
        let (name, slice) = read(EXTENDED_LISTS[0].0, (Cost::Unit, planned), None).unwrap();
        assert_eq!((name.as_str(), slice.has_receiver, slice.parameters.len()), ("slice", true, 3));
    }
}

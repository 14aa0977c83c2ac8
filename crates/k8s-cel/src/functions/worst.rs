//! The worst calls: each way to call a function, with the largest arguments of its types, as often as a rule can.
//!
//! The ignored test measures the time of `list.all(x, call)`, and prints the slowest calls:
//!
//! ```sh
//! cargo test --release -p k8s-cel --lib worst -- --ignored --nocapture
//! ```

use std::rc::Rc;
use std::time::Duration;

use super::library::{FUNCTIONS, Overload};
use super::operators::{Arithmetic, Comparison};
use super::{Context, convert, network, quantity, semver, url};
use crate::check::types::{Opaque, Type};
use crate::cost::actual::cost;
use crate::eval::budget::{CALL_LIMIT, STEPS_OF_CALL};
use crate::eval::value::{Dictionary, Evaluated, Fault, Value};
use crate::eval::{Budget, Cause, Meter, Patterns};
use crate::since::Facts;
use crate::steps::BYTES_PER_STEP;

/// The largest text of an object.
const LARGE: usize = 256 << 10;

/// The bytes of texts where steps are counted, not time.
const MIDDLE: usize = 32 << 10;

/// What texts are made of: something at their beginning, and something again and again.
type Parts = (&'static str, &'static str);

const PLAIN: Parts = ("", "a");

const TEXTS: &[Parts] = &[
    PLAIN,
    ("", "a."),
    ("", "\u{1f600}"),
    ("", "\n"),
    ("", "%s"),
    ("", "%.999f"),
    ("", "%.999e"),
    ("", "%x"),
    ("", "0"),
    ("1.", "7"),
    ("1e-300", "0"),
    ("2.2250738585072011", "3"),
    ("1e", "9"),
    ("0x", "1"),
    ("1", "_1"),
    ("1", "Ki"),
    ("0.", "0"),
    ("", "1h"),
    ("", ":"),
    ("", "1:"),
    ("10.0.0.0/", "1"),
    ("::1", ""),
    ("2026-01-02T03:04:05.", "1"),
    ("1.0.0-a", ".1"),
    ("1.0.0+a", ".a"),
    ("v1.0.0-a", ".b"),
    ("http://a/?", "a&"),
    ("http://a/?", "a=%20&"),
    ("http://a/", "%20"),
    ("http://", "a"),
    ("http://a@", "b@"),
    ("http://[::", "1"),
    ("/", " "),
    ("/", "\u{1f600}"),
    ("+01:", "0"),
    ("Europe/Berlin", ""),
    ("Europe/", "b"),
    ("", "(a|b)*"),
    ("", "a?"),
    ("", "(a{9}){9}"),
    // Values of types.
    ("true", ""),
    ("1", ""),
    ("2026-01-02T03:04:05Z", ""),
    ("10.0.0.0/8", ""),
    ("1.2.3", ""),
];

fn text((start, part): Parts, bytes: usize) -> String {
    let times = bytes.saturating_sub(start.len()).checked_div(part.len());
    format!("{start}{}", part.repeat(times.unwrap_or_default()))
}

/// The bytes of the items of a long list.
const SMALL_ITEM: usize = 8;

/// How large an argument is.
#[derive(Clone, Copy, Debug)]
struct Size {
    bytes: usize,
    /// The bytes of an item of a list.
    item: usize,
}

/// A large value of a type whose texts have such parts. `None` if such a text is no value of the type.
fn large(kind: &Type, parts: Parts, size: Size) -> Option<Value<'static>> {
    let items = size.bytes / size.item;
    let of_item = Size { bytes: size.item, item: size.item };
    let own = || text(parts, size.bytes);
    Some(match kind {
        Type::Bool => Value::Bool(true),
        Type::Uint => Value::Uint(1),
        Type::Double if parts == PLAIN => Value::Double(1.5),
        Type::Double => Value::Double(1.5e300),
        Type::Int => Value::Int(i64::try_from(items).unwrap()),
        Type::Duration => Value::Duration(1),
        Type::Timestamp => convert::to_timestamp(&Value::Int(0)).unwrap(),
        Type::Bytes => Value::Bytes(own().into_bytes().into()),
        Type::List(item) => Value::list(vec![large(item, parts, of_item)?; items]),
        Type::Map(kinds) => {
            let key = |index: usize| match kinds.0 {
                Type::Int => Value::Int(i64::try_from(index).unwrap()),
                _ => Value::text(format!("{index:08}")),
            };
            let value = large(&kinds.1, parts, of_item)?;
            let entries = (0..items).map(|index| (key(index), value.clone()));
            Value::Map(Rc::new(Dictionary::new(entries.collect())))
        }
        Type::Optional(value) => Value::some(large(value, parts, size)?),
        Type::Type(_) => Value::Type("int"),
        Type::Opaque(Opaque::Url) => url::url(&own()).ok()?,
        Type::Opaque(Opaque::Ip) => network::to_ip("::1").unwrap(),
        Type::Opaque(Opaque::Cidr) => network::to_cidr("::/8").unwrap(),
        Type::Opaque(Opaque::Quantity) => quantity::to_quantity("1Gi").unwrap(),
        Type::Opaque(Opaque::Semver) => semver::to_semver(&own(), false).ok()?,
        Type::Opaque(Opaque::Format) => Value::Format("dns1123Label"),
        Type::Opaque(question) => Value::Question(*question),
        _ => Value::text(own()),
    })
}

/// The types whose values are large or long to write, in place of a type that can be any.
const LARGE_TYPES: [Type; 5] = [
    Type::String,
    Type::Bytes,
    Type::Opaque(Opaque::Url),
    Type::Opaque(Opaque::Semver),
    Type::Double,
];

fn with_type(kind: &Type, any: &Type) -> Type {
    match kind {
        Type::Parameter(_) | Type::Dyn => any.clone(),
        Type::List(item) => Type::list(with_type(item, any)),
        Type::Optional(value) => Type::optional(with_type(value, any)),
        Type::Map(kinds) => Type::map(with_type(&kinds.0, &Type::String), with_type(&kinds.1, any)),
        other => other.clone(),
    }
}

/// Returns `true` if a type or one of its parts is such.
fn has(kind: &Type, is_such: fn(&Type) -> bool) -> bool {
    is_such(kind)
        || match kind {
            Type::List(part) | Type::Optional(part) => has(part, is_such),
            Type::Map(parts) => has(&parts.0, is_such) || has(&parts.1, is_such),
            _ => false,
        }
}

/// The arguments of a function that have texts of such parts.
fn arguments(overload: &Overload, parts: Parts, size: Size) -> Vec<Vec<Value<'static>>> {
    let has = |is_such| overload.parameters.iter().any(|kind| has(kind, is_such));
    let is_any = has(|kind| matches!(kind, Type::Parameter(_) | Type::Dyn));
    let has_texts = has(|kind| {
        matches!(kind, Type::String | Type::Bytes | Type::Opaque(Opaque::Url | Opaque::Semver))
    });
    let has_lists = has(|kind| matches!(kind, Type::List(_) | Type::Map(_)));
    if size.item != SMALL_ITEM && !has_lists {
        return Vec::new();
    }
    let of_type = |any: &Type| {
        let depends = match any {
            Type::String => is_any || has_texts,
            Type::Bytes | Type::Double => is_any && has_texts,
            _ => is_any,
        };
        if !depends && parts != PLAIN {
            return None;
        }
        let kinds = overload.parameters.iter().map(|kind| with_type(kind, any));
        kinds.map(|kind| large(&kind, parts, size)).collect()
    };
    LARGE_TYPES
        .iter()
        .take(if is_any { LARGE_TYPES.len() } else { 1 })
        .filter_map(of_type)
        .collect()
}

/// One call, as an evaluation makes it.
fn call<'v>(
    (name, overload): (&str, &Overload),
    arguments: &[Value<'v>],
    meter: &Meter,
) -> Evaluated<Value<'v>> {
    let patterns = Patterns::default();
    let context = Context { facts: Facts::NEWEST, patterns: &patterns, meter, result: None };
    // The evaluator applies operators itself.
    let is_operator = Comparison::named(name).is_some() || Arithmetic::named(name).is_some();
    let value = if is_operator {
        (overload.function)(&context, arguments)
    } else {
        overload.call(&context, arguments)
    };
    let result = value.as_ref().unwrap_or(&Value::Null);
    meter.charge(cost(overload.cost, arguments, result, meter)?)?;
    value
}

fn overloads() -> impl Iterator<Item = (&'static str, &'static Overload)> {
    FUNCTIONS.iter().flat_map(|(name, own)| own.iter().map(move |overload| (&**name, overload)))
}

/// The steps of a call, or `None` if they do not suffice.
fn steps(function: (&str, &Overload), arguments: &[Value<'_>]) -> Option<u64> {
    let budget = Budget::default();
    let meter = budget.meter();
    match call(function, arguments, &meter).map_err(Fault::into_cause) {
        Err(Cause::NotJudged(reason)) if reason.contains("more steps") => None,
        _ => Some(budget.spent(&meter)),
    }
}

/// Functions that no call here answers, and why.
const WITHOUT_VALUE: &[(&str, &str)] = &[
    ("_[_]", "a step of the plan: `tests/worst.rs` has rows"),
    ("_[?_]", "a step of the plan: `tests/worst.rs` has rows"),
    ("or", "a step of the plan: reads no argument"),
    ("orValue", "a step of the plan: reads no argument"),
    ("path", QUESTION),
    ("check", QUESTION),
    ("group", QUESTION),
    ("serviceAccount", QUESTION),
    ("resource", QUESTION),
    ("subresource", QUESTION),
    ("namespace", QUESTION),
    ("name", QUESTION),
    ("errored", QUESTION),
    ("error", QUESTION),
    ("allowed", QUESTION),
    ("reason", QUESTION),
    ("fieldSelector", QUESTION),
    ("labelSelector", QUESTION),
];

const QUESTION: &str = "the first question to an authorizer ends an evaluation";

/// The calls of the other tests are calls that evaluations make: each function has a value for some of the arguments here.
#[test]
fn each_function_has_a_value_or_a_reason() {
    for (name, overload) in overloads() {
        let has_value = TEXTS.iter().any(|parts| {
            let arguments = arguments(overload, *parts, Size { bytes: 80, item: SMALL_ITEM });
            let meter = Budget::default().meter();
            arguments.iter().any(|own| call((name, overload), own, &meter).is_ok())
        });
        let reason = WITHOUT_VALUE.iter().find(|(own, _)| *own == name);
        assert_eq!(has_value, reason.is_none(), "{name}{:?}", overload.parameters);
    }
}

/// The steps of each function grow with its input, or the budget stops the call.
#[test]
fn no_function_takes_more_steps_than_its_input_has_parts() {
    let mut called = 0;
    for (name, overload) in overloads() {
        let steps = |bytes| {
            let arguments = arguments(overload, PLAIN, Size { bytes, item: SMALL_ITEM });
            steps((name, overload), arguments.first()?)
        };
        called += 1;
        if let (Some(half), Some(whole)) = (steps(MIDDLE / 2), steps(MIDDLE)) {
            assert!(whole <= 3 * half + 1000, "{name}: {half} then {whole}");
            assert!(whole <= 40 * MIDDLE as u64, "{name}: {whole}");
        }
    }
    assert!(called > 250, "{called}");
}

/// A call that reads a text, bytes, a URL or a version spends steps for its bytes, whether or not servers count them.
#[test]
fn all_bytes_of_arguments_are_metered() {
    for (name, overload) in overloads() {
        for parts in [PLAIN, ("http://a/?", "a"), ("1.0.0-", "a")] {
            for arguments in arguments(overload, parts, Size { bytes: MIDDLE, item: SMALL_ITEM }) {
                if WITHOUT_VALUE.iter().any(|(own, _)| *own == name) {
                    continue;
                }
                let bytes = arguments.iter().map(Value::bytes).max();
                let least = bytes.unwrap_or_default() / BYTES_PER_STEP;
                let steps = steps((name, overload), &arguments);
                let metered = steps.is_none_or(|steps| steps >= least as u64);
                assert!(metered, "{name}{:?}: {steps:?}", overload.parameters);
            }
        }
    }
}

/// The time that the processor has spent on this thread since a moment, so that a busy machine changes few figures.
pub(crate) fn processor_time(since: Duration) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanos = text.split_whitespace().next().unwrap().parse().unwrap();
    Duration::from_nanos(nanos).saturating_sub(since)
}

/// The time of the calls in `list.all(x, call)` until a budget ends, from so many thousandths of the budget.
fn time(function: (&str, &Overload), arguments: &[Value<'_>], share: u64) -> Duration {
    let budget = Budget::default();
    let meter = budget.meter();
    let spent = || {
        let steps = 1000 * budget.spent(&meter) / STEPS_OF_CALL;
        steps.max(1000 * meter.cost() / CALL_LIMIT).clamp(1, 1000)
    };
    let start = processor_time(Duration::ZERO);
    for calls in 1.. {
        // What an item costs beside the call.
        let item = meter.charge(5).and_then(|()| meter.work(1));
        let result = item.and_then(|()| call(function, arguments, &meter));
        if result.is_err_and(|fault| fault.is_final()) {
            return processor_time(start);
        }
        let is_late = calls % 16 == 0 && processor_time(start) > Duration::from_millis(1500);
        if spent() > share || is_late {
            break;
        }
    }
    processor_time(start) * 1000 / u32::try_from(spent()).unwrap()
}

/// What is worst of a function: how long its calls take, and with which arguments.
fn worst(name: &str, overload: &Overload) -> (Duration, String) {
    let mut worst = (Duration::ZERO, String::new());
    for parts in TEXTS {
        for (bytes, item) in
            [(LARGE, SMALL_ITEM), (LARGE, LARGE / 12), (800, SMALL_ITEM), (80, SMALL_ITEM)]
        {
            for arguments in arguments(overload, *parts, Size { bytes, item }) {
                let mut own = time((name, overload), &arguments, 30);
                if own > Duration::from_millis(400) {
                    own = time((name, overload), &arguments, 999);
                }
                if own > worst.0 {
                    let kinds: Vec<_> = arguments.iter().map(Value::type_name).collect();
                    let kinds = kinds.join(", ");
                    worst = (own, format!("{name}({kinds}) of {bytes}, {item}, {parts:?}"));
                }
            }
        }
    }
    worst
}

#[test]
#[ignore = "for release builds, on Linux"]
fn calls_end_within_a_second() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let selected = overloads().filter(|(name, _)| name.contains(&only));
    let mut figures: Vec<_> = selected.map(|(name, overload)| worst(name, overload)).collect();
    figures.sort();
    for (time, figure) in figures.iter().rev().take(20) {
        println!("{time:>12?} {figure}");
    }
    let slow: Vec<_> = figures.iter().filter(|(time, _)| *time > Duration::from_secs(1)).collect();
    assert!(slow.is_empty(), "{slow:?}");
}

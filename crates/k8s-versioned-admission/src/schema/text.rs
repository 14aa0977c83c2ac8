//! The rules for texts: their length, pattern and format.

use serde_json::Value;

use super::fault::{Fault, ValuePlace};
use super::findings::Sink;
use super::tree::{Constraints, NamedFormat, TextLimits};
use crate::answer::{Reason, RefusalCause, Shown};

/// Checks a text: the first broken rule of its length and pattern, and its format. Returns the number of checks that
/// apply because of the format.
pub(super) fn check<S: Sink>(
    place: &ValuePlace<'_>,
    constraints: &Constraints,
    text: &str,
    value: &Value,
    sink: &mut S,
) -> usize {
    check_length(place, &constraints.text, text, value, sink);
    let Some(NamedFormat { name, check: Some(check) }) = &constraints.format else {
        return 0;
    };
    sink.meter().read(text.len());
    if !check.check(text) {
        sink.add(|| Fault::wrong_type(place, name, text));
    }
    1
}

fn check_length<S: Sink>(
    place: &ValuePlace<'_>,
    limits: &TextLimits,
    text: &str,
    value: &Value,
    sink: &mut S,
) {
    // A text has at most as many characters as bytes.
    let bytes = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let meter = sink.meter();
    let count = || {
        meter.read(text.len());
        i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
    };
    if let Some(most) = limits.most.filter(|most| bytes > *most && count() > *most) {
        sink.add(|| {
            let message = format!("{:#} in body should be at most {most} chars long", place.path);
            Fault { message, cause: RefusalCause::too_long(place.facts, place.field(), most) }
        });
    } else if let Some(least) = limits.least.filter(|least| count() < *least) {
        sink.add(|| {
            let message = format!("{:#} in body should be at least {least} chars long", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
        });
    } else if let Some(pattern) = &limits.pattern {
        if let Ok(compiled) = &pattern.compiled {
            meter.spend(usize::try_from(compiled.steps(text.len())).unwrap_or(usize::MAX));
        }
        let invalid = match &pattern.compiled {
            Ok(_) if meter.is_spent() => return,
            Ok(compiled) if compiled.is_match(text) => return,
            Ok(_) => String::new(),
            Err(error) if !error.is_refused() => return,
            Err(error) => format!(", but pattern is invalid: {error}"),
        };
        sink.add(|| {
            let source = &pattern.source;
            let message = format!("{:#} in body should match '{source}{invalid}'", place.path);
            Fault::shown(place, Reason::Invalid, Shown::Value(value), message)
        });
    }
}

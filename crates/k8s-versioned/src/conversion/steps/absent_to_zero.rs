//! A value that can be absent in one version, and in another is always present, perhaps as the zero value.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::keep_aside::read_object;
use super::words::{convert, text, texts};
use super::{Context, FieldLocations, FieldValue};
#[doc(no_inline)]
pub use crate::conversion::Absent;
use crate::conversion::context::{Taken, json};
use crate::conversion::{ConversionFinding, ConversionReport};
use crate::wire::{ZeroValue, is_zero, value_of};

/// Converts an optional value into a value that is always present. `other` is the value that [`Absent::UseOther`] uses.
pub fn fill<T: FieldValue + Clone, P>(
    places: FieldLocations,
    value: Option<T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T {
    match value {
        Some(value) if !is_zero(&value) => {
            context.keep_nothing(places, &value);
            value
        }
        empty => fill_empty(places, empty.as_ref(), policy, other, context),
    }
}

/// Reports an absent value of a field that the target requires, whose type has no zero value.
pub fn required<T, P>(
    around: FieldLocations,
    value: Option<T>,
    context: &mut Context<'_, P>,
) -> Option<T> {
    if value.is_none() {
        context.report_target(around, ConversionFinding::InvalidInTarget);
    }
    value
}

/// [`fill`] where the rule has a value for an absent one, `stated` as JSON. An empty value does not count as absent then.
pub fn fill_stated<T: FieldValue + Clone, P>(
    places: FieldLocations,
    stated: &str,
    value: Option<T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T {
    if let Some(value) = value {
        context.keep_nothing(places, &value);
        return value;
    }
    let filled = match policy {
        Absent::Use(value) => value.clone(),
        Absent::UseOther => other.cloned().unwrap_or_else(|| value_of(stated)),
        Absent::Refuse => {
            context.report_source(places, ConversionFinding::Refused);
            T::zero_value()
        }
        Absent::KeepEmpty => value_of(stated),
    };
    let value = json(&filled);
    context.keep(places, &Value::Null, Some(value.clone()));
    context.report_source(places, ConversionFinding::Filled { value });
    filled
}

/// Fills a word, or a list of words: each version has a type of its own for them, and they go by their texts. A word can be `null`.
fn by_text<S: Serialize, T: ZeroValue + DeserializeOwned, W: FieldValue>(
    value: Option<S>,
    other: Option<&S>,
    fill: impl FnOnce(Option<W>, Option<&W>) -> W,
) -> T {
    let value = value.map(|value| convert(value, &[]));
    let other: Option<W> = other.map(|other| convert(other, &[]));
    convert(fill(value, other.as_ref()), &[])
}

/// [`fill_stated`] between words, by their texts.
pub fn fill_stated_text<S, T, W, P>(
    places: FieldLocations,
    stated: &str,
    value: Option<S>,
    policy: &Absent<W>,
    other: Option<&S>,
    context: &mut Context<'_, P>,
) -> T
where
    S: Serialize,
    T: ZeroValue + DeserializeOwned,
    W: FieldValue + Clone,
{
    by_text(value, other, |value, other| fill_stated(places, stated, value, policy, other, context))
}

/// [`restore`] where the rule has a value for an absent one: any other value is there.
pub fn restore_stated<T: FieldValue, P>(
    places: FieldLocations,
    live: T,
    context: &mut Context<'_, P>,
) -> Option<T> {
    restore_absent(places, places, live, context)
}

/// [`fill_stated`] where no policy can choose another value: a value that can be absent in versions of any form becomes one that is
/// always there. `around` has the path of the field in every version.
pub fn fill_absent<T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    value: Option<T>,
    context: &mut Context<'_, P>,
) -> T {
    let Some(value) = value else {
        return fill_in(places, around, stated, context);
    };
    if let Some(kept) = context.take_filled(places).and_then(|kept| kept.filled) {
        context.report_source(around, ConversionFinding::Stale { kept, live: json(&value) });
    }
    value
}

/// The value of the rule in place of an absent one, which the annotation records.
fn fill_in<T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    context: &mut Context<'_, P>,
) -> T {
    let filled: T = value_of(stated);
    let value = json(&filled);
    context.keep_absent(places, around, value.clone());
    context.report_source(around, ConversionFinding::Filled { value });
    filled
}

/// The conversion back of [`fill_absent`].
pub fn restore_absent<T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    live: T,
    context: &mut Context<'_, P>,
) -> Option<T> {
    if context.is_made_up(places, &live, is_zero(&live)) {
        // The object around it is absent.
        return None;
    }
    // A value that the form of the target keeps at one of the places stays there.
    let kept = context.take_filled(places);
    let Some((None, Some(filled))) =
        kept.and_then(|kept| kept.decode::<Option<T>, T>(context.report))
    else {
        return Some(live);
    };
    let (unedited, shown) = (live == filled, json(&live));
    context.restore(around, None, unedited, Some(live), shown)
}

/// Passes a value between two versions that require it, into an object that can be absent or out of one. Where the object is absent, the
/// value is `stated`, which is JSON, and other versions have none. `around` has the path of the field in every version.
pub fn pass_stated<T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    live: T,
    context: &mut Context<'_, P>,
) -> T {
    if context.is_made_up(places, &live, is_zero(&live)) {
        return fill_in(places, around, stated, context);
    }
    let kept = context.take_filled(places);
    if let Some((None, Some(filled))) =
        kept.and_then(|kept| kept.decode::<Option<T>, T>(context.report))
    {
        if live == filled {
            context.keep_absent(places, around, json(&filled));
        } else {
            let (kept, live) = (Value::Null, json(&live));
            context.report_source(around, ConversionFinding::Stale { kept, live });
        }
    }
    live
}

/// [`pass_stated`] between words, by their text.
pub fn pass_stated_text<S, T, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    live: S,
    context: &mut Context<'_, P>,
) -> T
where
    S: Serialize,
    T: ZeroValue + DeserializeOwned,
{
    let live: String = convert(live, &[]);
    convert(pass_stated(places, around, stated, live, context), &[])
}

/// [`pass_stated`] between lists of words.
pub fn pass_stated_texts<S, T, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    live: S,
    context: &mut Context<'_, P>,
) -> T
where
    S: Serialize,
    T: ZeroValue + DeserializeOwned,
{
    let live: Vec<String> = convert(live, &[]);
    convert(pass_stated(places, around, stated, live, context), &[])
}

/// [`restore_stated`] between words, by their text.
pub fn restore_stated_text<S, T, P>(
    places: FieldLocations,
    live: S,
    context: &mut Context<'_, P>,
) -> Option<T>
where
    S: Serialize,
    T: DeserializeOwned,
{
    convert(restore_stated(places, text(live), context), &[])
}

/// [`restore_stated`] between lists of words.
pub fn restore_stated_texts<S, T, P>(
    places: FieldLocations,
    live: S,
    context: &mut Context<'_, P>,
) -> Option<T>
where
    S: Serialize,
    T: DeserializeOwned,
{
    convert(restore_stated(places, texts(live), context), &[])
}

fn fill_empty<T: FieldValue + Clone, P>(
    places: FieldLocations,
    empty: Option<&T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T {
    let filled = match policy {
        Absent::KeepEmpty => None,
        Absent::Refuse => {
            context.report_source(places, ConversionFinding::Refused);
            None
        }
        Absent::Use(value) => Some(value),
        Absent::UseOther => other,
    };
    let filled = filled.filter(|filled| !is_zero(*filled));
    if let Some(filled) = filled {
        let value = json(filled);
        context.keep(places, &empty, Some(value.clone()));
        context.report_source(places, ConversionFinding::Filled { value });
    } else {
        context.reduce(places, &empty, empty.is_none());
    }
    filled.cloned().unwrap_or_else(T::zero_value)
}

/// [`fill`] where servers of the target refuse an empty value: an absent value that no policy fills is reported. `around` has the path of the
/// field in every version.
pub fn fill_or_report<T: FieldValue + Clone, P>(
    places: FieldLocations,
    around: FieldLocations,
    value: Option<T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T {
    let is_absent = value.is_none();
    let filled = fill(places, value, policy, other, context);
    if is_absent && is_zero(&filled) {
        context.report_target(around, ConversionFinding::InvalidInTarget);
    }
    filled
}

/// [`fill_or_report`] between words.
pub fn fill_text_or_report<S, T, W, P>(
    places: FieldLocations,
    around: FieldLocations,
    value: Option<S>,
    policy: &Absent<W>,
    other: Option<&S>,
    context: &mut Context<'_, P>,
) -> T
where
    S: Serialize,
    T: ZeroValue + DeserializeOwned,
    W: FieldValue + Clone,
{
    by_text(value, other, |value, other| {
        fill_or_report(places, around, value, policy, other, context)
    })
}

/// [`fill`] between words, or lists of words: each version has a type of its own for them, and they go by their texts.
pub fn fill_text<S, T, W, P>(
    places: FieldLocations,
    value: Option<S>,
    policy: &Absent<W>,
    other: Option<&S>,
    context: &mut Context<'_, P>,
) -> T
where
    S: Serialize,
    T: ZeroValue + DeserializeOwned,
    W: FieldValue + Clone,
{
    by_text(value, other, |value, other| fill(places, value, policy, other, context))
}

/// [`restore`] between lists of words.
pub fn restore_texts<S, T, P>(
    places: FieldLocations,
    live: S,
    context: &mut Context<'_, P>,
) -> Option<T>
where
    S: Serialize,
    T: DeserializeOwned,
{
    convert(restore(places, texts(live), context), &[])
}

/// [`restore`] between words of which the result can be `null`.
pub fn restore_nullable_text<S, T, P>(
    places: FieldLocations,
    live: Option<S>,
    context: &mut Context<'_, P>,
) -> Option<Option<T>>
where
    S: Serialize,
    T: DeserializeOwned,
{
    let restored = restore(places, live.map(text), context);
    restored.map(|word| convert(word, &[]))
}

/// [`restore_stated`] between words of which the result can be `null`.
pub fn restore_stated_nullable_text<S, T, P>(
    places: FieldLocations,
    live: Option<S>,
    context: &mut Context<'_, P>,
) -> Option<Option<T>>
where
    S: Serialize,
    T: DeserializeOwned,
{
    let restored = restore_stated(places, live.map(text), context);
    restored.map(|word| convert(word, &[]))
}

/// [`restore`] between words, by their text.
pub fn restore_text<S, T, P>(
    places: FieldLocations,
    live: S,
    context: &mut Context<'_, P>,
) -> Option<T>
where
    S: Serialize,
    T: DeserializeOwned,
{
    convert(restore(places, text(live), context), &[])
}

/// Converts a value that is always present into an optional one.
pub fn restore<T: FieldValue, P>(
    places: FieldLocations,
    live: T,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let kept = context.take(places);
    let Some((value, filled)) = kept.and_then(|kept| read(&kept, context.report)) else {
        return unless_zero(live);
    };
    if value.is_none() && filled.is_none() {
        context.report_target(places, ConversionFinding::Redundant { value: Value::Null });
        return unless_zero(live);
    }
    let unedited = match (&filled, &value) {
        (Some(written), _) | (None, Some(written)) => live == *written,
        (None, None) => is_zero(&live),
    };
    let live_json = json(&live);
    context.restore(places, value, unedited, unless_zero(live), live_json)
}

/// A kept value, and the value that a policy put in its place. `None`, and a report, if no conversion writes such values.
fn read<T: FieldValue>(
    kept: &Taken,
    report: &mut ConversionReport,
) -> Option<(Option<T>, Option<T>)> {
    let (value, filled) = match kept.null() {
        Some(null) => (null, None),
        None => kept.decode::<Option<T>, T>(report)?,
    };
    let empty = value.as_ref().is_none_or(is_zero);
    if filled.as_ref().is_some_and(|filled| !empty || is_zero(filled)) {
        kept.malformed("no policy fills in such a value", report);
        return None;
    }
    Some((value, filled))
}

fn unless_zero<T: FieldValue>(value: T) -> Option<T> {
    Some(value).filter(|value| !is_zero(value))
}

// Objects, and lists and maps of objects, whose type differs between the versions. No policy fills them, and their fields
// have steps of their own. So the annotation keeps only that an empty one is there.

/// What an object without values of its own is.
#[derive(Clone, Copy, Debug)]
pub struct EmptyPart<'p> {
    /// The values that rules state, as JSON; empty if there are none.
    pub values: &'p str,
    /// The places of the notes that values of its required fields are made up or filled.
    pub noted: &'p [FieldLocations],
}

impl EmptyPart<'_> {
    /// An object of which no rule states a value.
    pub const NOTHING: Self = Self { values: "", noted: &[] };
}

/// Converts an optional object, list or map into a value that is always present. `around` has its path in every version. An absent one
/// becomes what its fields make of an object without values. The `required` fields, for which none of them makes a value, are reported.
pub fn fill_part<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    required: &[&str],
    empty: [EmptyPart<'_>; 2],
    value: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    if value.is_none() {
        context.report_lacking(around, required);
    }
    fill_object(places, around, required, empty, value, context, convert)
}

/// [`fill_part`] where the required fields may be empty by the rule: the empty object is reported as its value.
pub fn fill_part_with_empty<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    required: &[&str],
    empty: [EmptyPart<'_>; 2],
    value: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    if value.is_none() {
        context.report_source(around, ConversionFinding::Filled { value: empty_json::<T>() });
    }
    fill_object(places, around, required, empty, value, context, convert)
}

fn fill_object<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    required: &[&str],
    [source, target]: [EmptyPart<'_>; 2],
    value: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    let Some(value) = value else {
        context.discard_inside(around);
        context.keep_nothing(places, &Value::Null);
        return made(around, required, source, context, convert);
    };
    let are_made_up = context.has_made_up_fields(around, required);
    let converted = convert(value, context);
    // Required fields of the object say that it is there, unless they are made up.
    let is_known = !required.is_empty() && !are_made_up;
    let comes_back = is_known || !is_empty(&converted, target, around, context);
    context.reduce(places, &empty_json::<T>(), comes_back);
    converted
}

/// What the fields of an absent object make of one without values.
pub(super) fn made<S: FieldValue, T, P>(
    around: FieldLocations,
    required: &[&str],
    source: EmptyPart<'_>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    context.note_made_up(around, required);
    context.note_absent(source.noted);
    let made = convert(stated(source.values, context), context);
    context.keep_nothing_inside(around);
    made
}

/// Converts an object, list or map that is always present into an optional one. A kept value of a field inside counts: the
/// object has to be there for the field to come back. An object with `required` fields, for which no rule has values, is there, even if
/// they are all empty, unless it is made up: it still has the values of an `empty` one then.
pub fn restore_part<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    required: &[&str],
    [source, target]: [EmptyPart<'_>; 2],
    live: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> Option<T> {
    let is_made = is_made(around, required, source, &live, context);
    let kept = context.take_empty(places, &empty_json::<S>());
    let shown = kept.as_ref().map(|_| json(&live));
    let converted = convert(live, context);
    let is_empty = is_absent(around, required, target, (is_made, &converted), context);
    if let Some((value, live)) = kept.zip(shown) {
        let finding = if is_empty {
            ConversionFinding::Restored { value }
        } else {
            ConversionFinding::Stale { kept: value, live }
        };
        context.report_target(places, finding);
        return Some(converted);
    }
    if is_empty {
        leave_out(around, target, context);
    }
    Some(converted).filter(|_| !is_empty)
}

/// Returns `true` if a conversion has made an object of the source for an absent one, and it has no other values since.
pub(super) fn is_made<S: FieldValue, P>(
    around: FieldLocations,
    required: &[&str],
    source: EmptyPart<'_>,
    live: &S,
    context: &mut Context<'_, P>,
) -> bool {
    let are_made_up = context.has_made_up_fields(around, required);
    let is_made_up = context.is_made_up(around, &empty_json::<S>(), is_zero(live)) || are_made_up;
    is_made_up && *live == stated(source.values, context) && context.has_made_up_all(source.noted)
}

/// Returns `true` if an object that can be absent in the target has no values of its own. `is_made` says that of one with `required`
/// fields.
pub(super) fn is_absent<T: FieldValue, P>(
    around: FieldLocations,
    required: &[&str],
    target: EmptyPart<'_>,
    (is_made, converted): (bool, &T),
    context: &mut Context<'_, P>,
) -> bool {
    if required.is_empty() {
        return is_empty(converted, target, around, context);
    }
    if is_made {
        context.keep_nothing_inside(around);
    }
    is_made && !context.keeps_inside(around)
}

/// Takes back what was said about the fields of an object that the target does not have.
pub(super) fn leave_out<P>(
    around: FieldLocations,
    target: EmptyPart<'_>,
    context: &mut Context<'_, P>,
) {
    context.forget_filled(target.noted);
    context.take_back_inside(around);
    context.drop_made_up_inside(around);
}

/// Converts an optional object, list or map that can be `null` into one that cannot: it is absent, and the annotation keeps the `null`.
/// `around` has its path in every version.
pub fn keep_null<S, T, P>(
    places: FieldLocations,
    around: FieldLocations,
    value: Option<Option<S>>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(Option<S>, &mut Context<'_, P>) -> Option<T>,
) -> Option<T> {
    let is_null = value.as_ref().is_some_and(Option::is_none);
    let Some(value) = value.flatten() else {
        context.discard_inside(around);
        context.reduce(places, &Value::Null, !is_null);
        return None;
    };
    context.keep_nothing(places, &Value::Object(serde_json::Map::new()));
    convert(Some(value), context)
}

/// Converts an optional object, list or map into one that can be `null`: it is `null` if that is kept.
pub fn restore_null<S: Serialize, T, P>(
    places: FieldLocations,
    live: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> Option<Option<T>> {
    let Some(value) = context.take_empty(places, &Value::Null) else {
        return live.map(|live| Some(convert(live, context)));
    };
    let Some(live) = live else {
        context.report_target(places, ConversionFinding::Restored { value });
        return Some(None);
    };
    let shown = json(&live);
    context.report_target(places, ConversionFinding::Stale { kept: value, live: shown });
    Some(Some(convert(live, context)))
}

/// Returns `true` if an object of the target has no values of its own, and none is kept.
pub(super) fn is_empty<T: FieldValue, P>(
    object: &T,
    EmptyPart { values, noted }: EmptyPart<'_>,
    around: FieldLocations,
    context: &Context<'_, P>,
) -> bool {
    *object == stated(values, context)
        && context.makes_up_all(noted)
        && !context.keeps_inside(around)
}

/// The object with the values that rules state, as JSON.
fn stated<T: FieldValue, P>(values: &str, context: &Context<'_, P>) -> T {
    if values.is_empty() { T::zero_value() } else { read_object(values, context) }
}

/// The empty value as it is kept: required fields are not in it.
fn empty_json<T: FieldValue>() -> Value {
    match json(&T::zero_value()) {
        Value::Array(_) => Value::Array(Vec::new()),
        _ => Value::Object(serde_json::Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_a_rule_fills_is_reported() {
        let around: FieldLocations = &[("v1beta1", "spec.tags"), ("v1", "spec.labels")];
        let mut report = ConversionReport::new();
        let mut context = Context::of_part(("v1beta1", "v1"), &(), &mut report);
        let mut fill = |tags: Option<Vec<String>>| -> Vec<String> {
            let empty = [EmptyPart::NOTHING; 2];
            fill_part_with_empty(around, around, &[], empty, tags, &mut context, |tags, _| tags)
        };
        assert_eq!(fill(Some(vec!["a".to_owned()])), ["a"]);
        assert!(fill(None).is_empty());
        assert_eq!(report.to_string().trim_end(), "spec.tags: had no value, filled with []");
    }
}

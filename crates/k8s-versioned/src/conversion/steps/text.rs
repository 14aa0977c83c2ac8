//! A number, quantity or time in one version, in another its text, or a value that is either; and a number of 64 bits in one, of
//! 32 bits in another. Numbers are also compared by their text.

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::absent_to_zero::required;
use super::{Context, FieldLocations};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::{ZeroValue, is_zero, value_of};
use crate::{DateTime, IntOrString, Quantity};

/// A type whose values have a text.
pub trait HasText: Display + PartialEq + Sized + ZeroValue + Serialize + DeserializeOwned {
    /// Whether different values can have one text, as the number `1` and the text `1` do. The annotation keeps the one that the text does
    /// not restore.
    const HAS_FORMS: bool = false;

    /// Whether a version that requires the value has the zero where others have none: no person writes it.
    const ZERO_IS_NONE: bool = false;

    /// The value of a text; `None` if it has none.
    fn of_text(text: &str) -> Option<Self>;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl HasText for $number {
            fn of_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

number!(i32 i64 String);

/// JSON has only finite numbers.
impl HasText for f64 {
    fn of_text(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &Self| number.is_finite())
    }
}

/// The text of a number is the number.
impl HasText for IntOrString {
    fn of_text(text: &str) -> Option<Self> {
        let number = text.parse().map(Self::Int).ok().filter(|number| number.to_string() == text);
        Some(number.unwrap_or_else(|| Self::String(text.to_owned())))
    }
}

/// A quantity keeps its text, so every text that is a quantity comes back. It can be a JSON number.
impl HasText for Quantity {
    const HAS_FORMS: bool = true;

    fn of_text(text: &str) -> Option<Self> {
        let quantity = Self::from(text);
        quantity.parse().is_ok().then_some(quantity)
    }
}

/// A time of a custom resource keeps its text, so every text that is a time comes back.
impl HasText for DateTime {
    const ZERO_IS_NONE: bool = true;

    fn of_text(text: &str) -> Option<Self> {
        let time = Self::from(text);
        time.parse().is_ok().then_some(time)
    }
}

/// The value of a text, or of a wider number. The annotation keeps the source if the value does not restore it.
pub fn parse<W: HasText, T: HasText, P>(
    places: FieldLocations,
    wide: &W,
    context: &mut Context<'_, P>,
) -> T {
    fitting(places, wide, context).unwrap_or_else(T::zero_value)
}

/// [`parse`] with a `fallback`, as JSON, for a value that does not fit.
pub fn parse_or<W: HasText, T: HasText, P>(
    places: FieldLocations,
    fallback: &str,
    wide: &W,
    context: &mut Context<'_, P>,
) -> T {
    fitting(places, wide, context).unwrap_or_else(|| value_of(fallback))
}

/// [`parse`] where servers of the target refuse the zero that a value that does not fit becomes: it is reported. `around` has the
/// path of the field in every version.
pub fn parse_or_report<W: HasText, T: HasText, P>(
    places: FieldLocations,
    around: FieldLocations,
    wide: &W,
    context: &mut Context<'_, P>,
) -> T {
    fitting(places, wide, context).unwrap_or_else(|| {
        context.report_target(around, ConversionFinding::InvalidInTarget);
        T::zero_value()
    })
}

/// The value of a text, or of a wider number, if it fits. The annotation keeps what does not come back.
fn fitting<W: HasText, T: HasText, P>(
    places: FieldLocations,
    wide: &W,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let value = T::of_text(&wide.to_string());
    let back = value.as_ref().and_then(|value| W::of_text(&value.to_string()));
    let comes_back = back.as_ref() == Some(wide);
    let value = in_kept_form(places, value, context);
    context.reduce(places, wide, comes_back);
    value
}

/// The value of a text, or the kept value with this text.
fn in_kept_form<T: HasText, P>(
    places: FieldLocations,
    value: Option<T>,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let Some(kept) = T::HAS_FORMS.then(|| context.take_kept::<T>(places)).flatten() else {
        return value;
    };
    let unedited = value.as_ref().is_some_and(|value| value.to_string() == kept.to_string());
    let live = json(&value);
    context.restore(places, Some(kept), unedited, value, live)
}

/// Keeps a value that its text does not restore.
fn keep_form<T: HasText, P>(places: FieldLocations, value: &T, context: &mut Context<'_, P>) {
    if T::HAS_FORMS && T::of_text(&value.to_string()).as_ref() != Some(value) {
        context.keep_own(places, value);
    }
}

/// [`parse`] of an optional value: a value that does not fit is absent in the target, since servers can refuse a zero.
pub fn parse_or_none<W: HasText, T: HasText, P>(
    places: FieldLocations,
    wide: &Option<W>,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let value = wide.as_ref().and_then(|wide| T::of_text(&wide.to_string()));
    let back = value.as_ref().and_then(|value| W::of_text(&value.to_string()));
    let value = in_kept_form(places, value, context);
    context.reduce(places, wide, back == *wide);
    value
}

/// [`parse`] for a required time, whose type is an `Option`: no time is empty. An empty text gives none, which is reported;
/// `around` has the path of the field in every version.
pub fn parse_required<W: HasText, T: HasText, P>(
    places: FieldLocations,
    around: FieldLocations,
    wide: &W,
    context: &mut Context<'_, P>,
) -> Option<T> {
    if is_zero(wide) {
        context.keep_nothing(places, wide);
        return required(around, None, context);
    }
    Some(parse(places, wide, context))
}

/// [`parse`] of an optional text for a required time: an absent text gives no time, which is reported.
pub fn parse_optional<W: HasText, T: HasText, P>(
    places: FieldLocations,
    around: FieldLocations,
    wide: &Option<W>,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let value = wide.as_ref().map(|wide| parse(places, wide, context));
    required(around, value, context)
}

/// [`write()`] for a required time. One that is absent all the same gives an empty text.
pub fn write_required<T: HasText, W, P>(
    places: FieldLocations,
    value: &Option<T>,
    context: &mut Context<'_, P>,
) -> W
where
    W: HasText,
{
    if let Some(value) = value {
        return write(places, value, context);
    }
    match context.take_value::<W>(places) {
        Some(kept) => context.restore(places, kept, false, W::zero_value(), Value::Null),
        None => W::zero_value(),
    }
}

/// [`write_or_none`] of a required time. One that is absent all the same was edited: a text that is not a time became the zero.
pub fn write_optional<T: HasText, W, P>(
    places: FieldLocations,
    value: &Option<T>,
    context: &mut Context<'_, P>,
) -> Option<W>
where
    W: HasText,
{
    if value.is_some() {
        return write_or_none(places, value, context);
    }
    let kept = context.take_value::<W>(places)?;
    context.restore(places, Some(kept), false, None, Value::Null)
}

/// [`write()`] of an optional value: a kept text that does not fit comes back if there is no value.
pub fn write_or_none<T: HasText, W, P>(
    places: FieldLocations,
    value: &Option<T>,
    context: &mut Context<'_, P>,
) -> Option<W>
where
    W: HasText,
{
    let back =
        value.as_ref().map(|value| W::of_text(&value.to_string()).unwrap_or_else(W::zero_value));
    let kept = context.take_kept::<W>(places);
    if let Some(value) = value {
        keep_form(places, value, context);
    }
    let Some(kept) = kept else {
        return back;
    };
    let fitting = T::of_text(&kept.to_string());
    let is_none = value.as_ref().is_none_or(|value| T::ZERO_IS_NONE && is_zero(value));
    let unedited = if fitting.is_none() { is_none } else { fitting == *value };
    let live = json(&back);
    context.restore(places, Some(kept), unedited, back, live)
}

/// The text of a value, or the kept text that has this value; the same for a wider number.
pub fn write<T: HasText, W, P>(places: FieldLocations, value: &T, context: &mut Context<'_, P>) -> W
where
    W: HasText,
{
    write_unless(places, value, T::zero_value, context)
}

/// [`write()`] of a value that is the `fallback`, which is JSON, where the kept one does not fit.
pub fn write_or<T: HasText, W, P>(
    places: FieldLocations,
    fallback: &str,
    value: &T,
    context: &mut Context<'_, P>,
) -> W
where
    W: HasText,
{
    write_unless(places, value, || value_of(fallback), context)
}

fn write_unless<T: HasText, W, P>(
    places: FieldLocations,
    value: &T,
    unfitting: impl FnOnce() -> T,
    context: &mut Context<'_, P>,
) -> W
where
    W: HasText,
{
    let back = W::of_text(&value.to_string()).unwrap_or_else(W::zero_value);
    let kept = context.take_kept::<W>(places);
    keep_form(places, value, context);
    let Some(kept) = kept else {
        return back;
    };
    let unedited = T::of_text(&kept.to_string()).unwrap_or_else(unfitting) == *value;
    let live = json(&back);
    context.restore(places, kept, unedited, back, live)
}

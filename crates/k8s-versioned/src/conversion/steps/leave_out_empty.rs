//! Empty texts, lists, maps and objects that only some versions take: in the others the field is absent.

use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::is_zero;

/// Converts an optional value, and leaves it out if nothing is in the result, which servers of the target reject. The annotation keeps
/// that it was there. A version of `limited` can have an empty value all the same, which is kept there.
pub fn leave_out<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    limited: FieldLocations,
    value: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> Option<T> {
    let was_empty = context.take_empty(limited, &json(&T::zero_value()));
    let Some(value) = value else {
        context.keep_nothing(places, &value);
        return None;
    };
    let converted = convert(value, context);
    let is_empty = is_zero(&converted);
    let is_left_out = is_empty && was_empty.is_none();
    context.reduce(places, &S::zero_value(), !is_left_out);
    if let Some(value) = was_empty.filter(|_| is_empty) {
        context.report_target(limited, ConversionFinding::Restored { value });
    }
    (!is_left_out).then_some(converted)
}

/// The conversion back of [`leave_out`].
pub fn restore<S: FieldValue, T: FieldValue, P>(
    places: FieldLocations,
    limited: FieldLocations,
    live: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> Option<T> {
    let kept = context.take_empty(places, &json(&T::zero_value()));
    let is_empty = live.as_ref().is_some_and(is_zero);
    context.reduce(limited, &S::zero_value(), !is_empty);
    let finding = match (kept, &live) {
        (None, None) => return None,
        (None, Some(_)) => None,
        (Some(value), None) => Some(ConversionFinding::Restored { value }),
        (Some(kept), Some(live)) => Some(ConversionFinding::Stale { kept, live: json(live) }),
    };
    if let Some(finding) = finding {
        context.report_target(places, finding);
    }
    Some(convert(live.unwrap_or_else(S::zero_value), context))
}

//! A value that can be absent in one version, and in another is always present, perhaps as the zero value.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{Taken, is_zero, json};
use super::{Context, Places};
use crate::{Absent, ConversionReport, Finding};
use k8s_versioned::wire::ZeroValue;

/// Converts an optional value into one that is always present. `other` is the value that [`Absent::UseOther`] uses.
pub fn fill<T, P>(
    places: Places,
    value: Option<T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T
where
    T: ZeroValue + PartialEq + Clone + Serialize,
{
    match value {
        Some(value) if !is_zero(&value) => {
            context.keep_nothing(places, &value);
            value
        }
        empty => fill_empty(places, empty.as_ref(), policy, other, context),
    }
}

fn fill_empty<T, P>(
    places: Places,
    empty: Option<&T>,
    policy: &Absent<T>,
    other: Option<&T>,
    context: &mut Context<'_, P>,
) -> T
where
    T: ZeroValue + PartialEq + Clone + Serialize,
{
    let filled = match policy {
        Absent::KeepEmpty => None,
        Absent::Refuse => {
            context.report_source(places, Finding::Refused);
            None
        }
        Absent::Use(value) => Some(value),
        Absent::UseOther => other,
    };
    let filled = filled.filter(|filled| !is_zero(*filled));
    if let Some(filled) = filled {
        let value = json(filled);
        context.keep(places, &empty, Some(value.clone()));
        context.report_source(places, Finding::Filled { value });
    } else if empty.is_some() {
        context.keep(places, &empty, None);
    } else {
        context.keep_nothing(places, &empty);
    }
    filled.cloned().unwrap_or_else(T::zero_value)
}

/// Converts a value that is always present into an optional one.
pub fn restore<T, P>(places: Places, live: T, context: &mut Context<'_, P>) -> Option<T>
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let kept = context.take(places);
    let Some(was) = kept.and_then(|kept| Was::read(&kept, context.report)) else {
        return there(live);
    };
    let (value, finding) = was.or_live(live);
    context.report_target(places, finding);
    value
}

/// A kept value, and the value that a policy put in its place.
struct Was<T> {
    value: Option<T>,
    filled: Option<T>,
}

impl<T: ZeroValue + PartialEq + Serialize + DeserializeOwned> Was<T> {
    /// `None`, and a report, if no conversion writes such values.
    fn read(kept: &Taken, report: &mut ConversionReport) -> Option<Self> {
        let (value, filled) = kept.decode::<Option<T>, T>(report)?;
        let empty = value.as_ref().is_none_or(is_zero);
        if filled.as_ref().is_some_and(|it| !empty || is_zero(it)) {
            kept.malformed("no policy fills in such a value", report);
            return None;
        }
        Some(Self { value, filled })
    }

    /// The kept value if `live` is still the result of its conversion, else `live`.
    fn or_live(self, live: T) -> (Option<T>, Finding) {
        let (kept, shown) = (json(&self.value), json(&live));
        let unedited = match (&self.filled, &self.value) {
            (Some(written), _) | (None, Some(written)) => live == *written,
            (None, None) => is_zero(&live),
        };
        let nothing_kept = self.value.is_none() && self.filled.is_none();
        let back = there(live);
        if nothing_kept || back == self.value {
            (back, Finding::Redundant { value: kept })
        } else if unedited {
            (self.value, Finding::Restored { value: kept })
        } else {
            (back, Finding::Stale { kept, live: shown })
        }
    }
}

fn there<T: ZeroValue + PartialEq>(value: T) -> Option<T> {
    Some(value).filter(|value| !is_zero(value))
}

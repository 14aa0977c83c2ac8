//! Times of rules, as Go reads them.

use std::cmp::Ordering;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use k8s_versioned::split_digits;

use crate::values::time::has_form;

/// A time, and the offset that it was written with: `Timestamp` of `jiff` ends before the year 9999 does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) utc: DateTime,
    /// The seconds east of Greenwich. Only the text of the time has it.
    pub(crate) offset: i64,
}

impl Time {
    pub(crate) const fn utc(utc: DateTime) -> Self {
        Self { utc, offset: 0 }
    }

    /// Returns `true` for the zero of Go's type: the first moment of year 1.
    pub(crate) fn is_zero(self) -> bool {
        self.utc == DateTime::constant(1, 1, 1, 0, 0, 0, 0)
    }

    /// The order of two times with any offsets.
    pub(crate) fn order(self, other: Self) -> Ordering {
        self.utc.cmp(&other.utc)
    }
}

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    Form,
    /// It is after the year 9999.
    Range,
}

/// Reads a time as `time.Parse(time.RFC3339, …)` does: the hour may have one digit.
pub(crate) fn timestamp(text: &str) -> Result<Time, Unread> {
    let (local, offset) = read(text).ok_or(Unread::Form)?;
    let utc = local.checked_sub(SignedDuration::from_secs(offset)).map_err(|_| Unread::Range)?;
    Ok(Time { utc, offset })
}

/// The date and time of a text, and its offset.
fn read(text: &str) -> Option<(DateTime, i64)> {
    let (date, rest) = text.split_once('T')?;
    let (hour, rest) = rest.split_once(':')?;
    let (minutes, rest) = rest.split_at_checked(5)?;
    let hour = if hour.len() == 1 { format!("0{hour}") } else { hour.to_owned() };
    let clock = format!("{hour}:{minutes}");
    if !has_form(date, "0000-00-00") || !has_form(&clock, "00:00:00") {
        return None;
    }
    let (fraction, zone) = match rest.strip_prefix(['.', ',']) {
        Some(after) => Some(split_digits(after)).filter(|(fraction, _)| !fraction.is_empty())?,
        None => ("", rest),
    };
    // `jiff` reads second 60 as 59; Go refuses it.
    if clock.ends_with("60") {
        return None;
    }
    // Further digits are less than a nanosecond.
    let local: DateTime = format!("{date}T{clock}.{fraction:0<9.9}").parse().ok()?;
    Some((local, offset(zone)?))
}

/// The offset of `Z` or `+01:00` in seconds.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let clock = zone.get(1..).filter(|clock| has_form(clock, "00:00"))?;
    let (hours, minutes) = clock.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    // Go allows 24 hours, and 60 minutes.
    (hours <= 24 && minutes <= 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Reads a time as the format `date-time` does.
pub(crate) fn lenient_timestamp(text: &str) -> Result<Time, Unread> {
    timestamp(text).or_else(|_| timestamp(&text.to_ascii_uppercase()))
}

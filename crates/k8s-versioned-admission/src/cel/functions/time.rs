//! Times and durations as Go reads and writes them.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::super::value::{Evaluated, Fault, Value};

const SECOND: i64 = 1_000_000_000;

/// Units of durations by their names, in nanoseconds.
const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3600 * SECOND),
];

/// Further units that the format `duration` knows: names, the last of which may have an ending, and nanoseconds.
const LENIENT_UNITS: [(&[&str], i64); 8] = [
    (&["ns", "nano"], 1),
    (&["us", "µs", "micro"], 1_000),
    (&["ms", "milli"], 1_000_000),
    (&["s", "sec"], SECOND),
    (&["m", "min"], 60 * SECOND),
    (&["h", "hr", "hour"], 3600 * SECOND),
    (&["d", "day"], 24 * 3600 * SECOND),
    (&["w", "week"], 7 * 24 * 3600 * SECOND),
];

/// Reads a duration as `time.ParseDuration` does, such as `1h30m` or `-1.5s`, in nanoseconds.
pub(in super::super) fn duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        let (whole, after) = rest.split_at_checked(digits)?;
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => {
                let digits = after
                    .find(|character: char| !character.is_ascii_digit())
                    .unwrap_or(after.len());
                after.split_at_checked(digits)?
            }
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after
            .find(|character: char| character == '.' || character.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let whole: i128 = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.into() };
        total = total.checked_add(whole.checked_mul(i128::from(*nanoseconds))?)?;
        total = total.checked_add(part_of(fraction, *nanoseconds))?;
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

/// The fraction of a unit, cut to nanoseconds.
fn part_of(fraction: &str, unit: i64) -> i128 {
    let (mut value, mut scale) = (0_i128, 1_i128);
    for digit in fraction.bytes().take(18) {
        value = value * 10 + i128::from(digit - b'0');
        scale *= 10;
    }
    value * i128::from(unit) / scale
}

/// Reads a duration as the format `duration` does: also `3 days` and the like.
pub(in super::super) fn lenient_duration(text: &str) -> Option<i64> {
    if let Some(duration) = duration(text) {
        return Some(duration);
    }
    let (mut total, mut found) = (0_i64, false);
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (_, from) = rest.split_at_checked(start)?;
        let digits = from.find(|character: char| !character.is_ascii_digit()).unwrap_or(from.len());
        let (factor, after) = from.split_at_checked(digits)?;
        let after = after.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let end = after
            .find(|character: char| !(character.is_ascii_alphabetic() || character == 'µ'))
            .unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        rest = after;
        if unit.is_empty() {
            continue;
        }
        let factor: i64 = factor.parse().ok()?;
        let unit = unit.to_lowercase();
        for (names, nanoseconds) in LENIENT_UNITS {
            let known =
                names.contains(&&*unit) || names.last().is_some_and(|last| unit.starts_with(last));
            if known {
                found = true;
                total = total.wrapping_add(factor.wrapping_mul(nanoseconds));
            }
        }
    }
    found.then_some(total)
}

/// Reads a time as `time.Parse(time.RFC3339, …)` does.
pub(in super::super) fn timestamp(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix('T')?;
    let (clock, rest) = rest.split_at_checked(8)?;
    let shaped = |part: &str, form: &str| {
        part.len() == form.len()
            && part
                .bytes()
                .zip(form.bytes())
                .all(|(own, form)| if form == b'0' { own.is_ascii_digit() } else { own == form })
    };
    if !shaped(date, "0000-00-00") || !shaped(clock, "00:00:00") {
        return None;
    }
    let (fraction, zone) = match rest.strip_prefix(['.', ',']) {
        Some(after) => {
            let digits =
                after.find(|character: char| !character.is_ascii_digit()).unwrap_or(after.len());
            after.split_at_checked(digits).filter(|(fraction, _)| !fraction.is_empty())?
        }
        None => ("", rest),
    };
    // `jiff` takes second 60 for 59; Go refuses it.
    if clock.ends_with("60") {
        return None;
    }
    let offset = offset(zone, &shaped)?;
    let civil: DateTime = format!("{date}T{clock}").parse().ok()?;
    let nanoseconds = i64::try_from(part_of(fraction, SECOND)).ok()?;
    let local = civil.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let shift = SignedDuration::from_nanos(nanoseconds) - SignedDuration::from_secs(offset);
    local.checked_add(shift).ok()
}

/// The offset of `Z` or `+01:00` in seconds.
fn offset(zone: &str, shaped: &impl Fn(&str, &str) -> bool) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let clock = zone.get(1..).filter(|clock| shaped(clock, "00:00"))?;
    let (hours, minutes) = clock.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    // Go allows 24 hours.
    (hours <= 24 && minutes <= 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Reads a time as the format `date-time` does.
pub(in super::super) fn lenient_timestamp(text: &str) -> Option<Timestamp> {
    timestamp(text).or_else(|| timestamp(&text.to_ascii_uppercase()))
}

/// Returns `true` if CEL has the time: from year 1 to year 9999.
pub(in super::super) fn in_range(time: Timestamp) -> bool {
    (-62_135_596_800..=253_402_300_799).contains(&time.as_second())
}

/// `timestamp(seconds)`.
pub(super) fn from_seconds<'v>(seconds: i64) -> Evaluated<Value<'v>> {
    let time = Timestamp::from_second(seconds).ok().filter(|time| in_range(*time));
    time.map(Value::Timestamp).ok_or_else(|| Fault::error("timestamp overflow"))
}

/// `time + duration`, and with a negated duration `time - duration`.
pub(in super::super) fn add<'v>(time: Timestamp, nanoseconds: i64) -> Evaluated<Value<'v>> {
    let sum = time
        .checked_add(SignedDuration::from_nanos(nanoseconds))
        .ok()
        .filter(|time| in_range(*time));
    sum.map(Value::Timestamp).ok_or_else(|| Fault::error("timestamp overflow"))
}

/// `later - earlier`.
pub(in super::super) fn difference<'v>(
    later: Timestamp,
    earlier: Timestamp,
) -> Evaluated<Value<'v>> {
    let nanoseconds = later.as_nanosecond() - earlier.as_nanosecond();
    i64::try_from(nanoseconds).map(Value::Duration).map_err(|_| Fault::error("duration overflow"))
}

/// The text of a time: RFC 3339 in UTC, with as many digits as it has.
pub(in super::super) fn timestamp_text(time: Timestamp) -> String {
    time.to_string()
}

/// The text of a duration: its seconds.
#[allow(clippy::cast_precision_loss, reason = "as servers do")]
pub(in super::super) fn duration_text(nanoseconds: i64) -> String {
    format!("{}s", nanoseconds as f64 / SECOND as f64)
}

/// `getFullYear()` and so on of a time, in a zone.
pub(super) fn field<'v>(function: &str, time: Timestamp, zone: &str) -> Evaluated<Value<'v>> {
    let local = time.to_zoned(time_zone(zone)?);
    let value = match function {
        "getFullYear" => i64::from(local.year()),
        "getMonth" => i64::from(local.month()) - 1,
        "getDayOfYear" => i64::from(local.day_of_year()) - 1,
        "getDayOfMonth" => i64::from(local.day()) - 1,
        "getDate" => i64::from(local.day()),
        "getDayOfWeek" => i64::from(local.weekday().to_sunday_zero_offset()),
        "getHours" => i64::from(local.hour()),
        "getMinutes" => i64::from(local.minute()),
        "getSeconds" => i64::from(local.second()),
        "getMilliseconds" => i64::from(local.subsec_nanosecond()) / 1_000_000,
        _ => return Err(Fault::no_overload()),
    };
    Ok(Value::Int(value))
}

/// A zone by name needs a server's database of zones; an offset such as `+01:00` does not.
fn time_zone(zone: &str) -> Evaluated<TimeZone> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        return match zone {
            "" | "UTC" => Ok(TimeZone::UTC),
            _ => Err(Fault::not_judged(format!("the time zone {zone:?} is not known here"))),
        };
    };
    let invalid =
        |part: &str| Fault::error(format!("strconv.Atoi: parsing {part:?}: invalid syntax"));
    let hours_value: i32 = hours.parse().map_err(|_| invalid(hours))?;
    let minutes_value: i32 = minutes.parse().map_err(|_| invalid(minutes))?;
    let minutes = if zone.starts_with('-') { -minutes_value } else { minutes_value };
    let seconds = hours_value
        .checked_mul(3600)
        .zip(minutes.checked_mul(60))
        .and_then(|(a, b)| a.checked_add(b));
    let offset = seconds.and_then(|seconds| Offset::from_seconds(seconds).ok());
    offset.map(TimeZone::fixed).ok_or_else(|| Fault::not_judged(format!("the offset {zone:?}")))
}

/// `getHours()` and so on of a duration: the whole of it in that unit.
pub(super) fn duration_field<'v>(function: &str, nanoseconds: i64) -> Evaluated<Value<'v>> {
    let unit = match function {
        "getHours" => 3600 * SECOND,
        "getMinutes" => 60 * SECOND,
        "getSeconds" => SECOND,
        "getMilliseconds" => 1_000_000,
        _ => return Err(Fault::no_overload()),
    };
    Ok(Value::Int(nanoseconds / unit))
}

#[cfg(test)]
mod tests {
    use super::{duration, duration_text, lenient_duration, timestamp, timestamp_text};

    #[test]
    fn durations() {
        let cases = [
            ("1h30m", Some(5_400_000_000_000)),
            ("-1.5s", Some(-1_500_000_000)),
            ("0", Some(0)),
            (".5ms", Some(500_000)),
            ("1.s", Some(1_000_000_000)),
            ("5", None),
            ("", None),
            ("1d", None),
            ("1h 30m", None),
            ("9223372036854775808ns", None),
        ];
        for (text, expected) in cases {
            assert_eq!(duration(text), expected, "{text}");
        }
        assert_eq!(lenient_duration("3 days"), Some(3 * 24 * 3_600_000_000_000));
        assert_eq!(lenient_duration("2hours"), Some(2 * 3_600_000_000_000));
        assert_eq!(lenient_duration("x"), None);
        assert_eq!(duration_text(6_347_000_000_000), "6347s");
        assert_eq!(duration_text(1_500_000_000), "1.5s");
    }

    #[test]
    fn times() {
        let cases = [
            ("2026-01-02T00:00:00Z", Some("2026-01-02T00:00:00Z")),
            ("2026-01-02T00:00:00.25+01:00", Some("2026-01-01T23:00:00.25Z")),
            ("2026-01-02t00:00:00Z", None),
            ("2026-02-30T00:00:00Z", None),
            ("2026-01-02T00:00:60Z", None),
            ("2026-01-02T24:00:00Z", None),
            ("2026-01-02", None),
            ("2026-01-02T00:00:00", None),
        ];
        for (text, expected) in cases {
            assert_eq!(timestamp(text).map(timestamp_text).as_deref(), expected, "{text}");
        }
    }
}

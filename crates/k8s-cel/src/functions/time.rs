//! Functions on times and durations.

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::values::instant::Time;
use crate::values::lenient_duration::SECOND;

/// The beginning of Unix time.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// The time, if CEL has it: from year 1 to year 9999.
pub(crate) fn or_overflow<'v>(time: Option<Time>) -> Evaluated<Value<'v>> {
    let time = time.filter(|time| time.utc.year() >= 1);
    time.map(Value::Timestamp).ok_or_else(|| Fault::error("timestamp overflow"))
}

/// `timestamp(seconds)`.
pub(crate) fn from_seconds<'v>(seconds: i64) -> Evaluated<Value<'v>> {
    or_overflow(EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok().map(Time::utc))
}

/// `int(time)`: the whole seconds since 1970.
pub(crate) fn seconds(time: Time) -> i64 {
    let since = time.utc.duration_since(EPOCH);
    since.as_secs() - i64::from(since.subsec_nanos() < 0)
}

/// `time + duration`, and with a negated duration `time - duration`.
pub(crate) fn add<'v>(time: Time, nanoseconds: i64) -> Evaluated<Value<'v>> {
    let sum = time.utc.checked_add(SignedDuration::from_nanos(nanoseconds)).ok();
    or_overflow(sum.map(|utc| Time { utc, ..time }))
}

/// `later - earlier`.
pub(crate) fn difference<'v>(later: Time, earlier: Time) -> Evaluated<Value<'v>> {
    let nanoseconds = later.utc.duration_since(earlier.utc).as_nanos();
    i64::try_from(nanoseconds).map(Value::Duration).map_err(|_| Fault::error("integer overflow"))
}

/// The text of a time: RFC 3339 with the offset that it was written with, and with as many digits as it has.
pub(crate) fn timestamp_text(time: Time) -> String {
    if time.offset == 0 {
        return format!("{}Z", time.utc);
    }
    let offset = SignedDuration::from_secs(time.offset);
    let local = match time.utc.checked_add(offset) {
        Ok(local) => local.to_string(),
        // Go writes the year of the first day after 9999 with five digits.
        Err(_) => format!("10000-01-01T{}", time.utc.time().wrapping_add(offset)),
    };
    let sign = if time.offset < 0 { '-' } else { '+' };
    let minutes = time.offset.unsigned_abs() / 60;
    format!("{local}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// The text of a duration: its seconds.
#[allow(clippy::cast_precision_loss, reason = "as servers do")]
pub(crate) fn duration_text(nanoseconds: i64) -> String {
    let (whole, rest) = (nanoseconds / SECOND, nanoseconds % SECOND);
    format!("{}s", whole as f64 + rest as f64 / SECOND as f64)
}

/// `getFullYear()` and so on of a time, in a zone.
pub(crate) fn field<'v>(function: &str, time: Time, zone: &str) -> Evaluated<Value<'v>> {
    let time = time.utc;
    let local = time.checked_add(SignedDuration::from_secs(zone_offset(zone, time)?));
    let local = local.map_err(|_| Fault::not_judged("a time in a zone beyond the year 9999"))?;
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

/// The seconds that a zone is ahead of UTC at a time. A zone is a name, or an offset such as `+01:00`.
fn zone_offset(zone: &str, time: DateTime) -> Evaluated<i64> {
    let Some((hours, minutes)) = zone.split_once(':') else { return named_offset(zone, time) };
    let number = |part: &str| {
        let invalid = || Fault::error(format!("strconv.Atoi: parsing {part:?}: invalid syntax"));
        part.parse::<i32>().map(i64::from).map_err(|_| invalid())
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    Ok(hours * 3600 + minutes * 60)
}

/// Servers contain a database of zones. Here the machine's is used; without one, such rules are not judged.
fn named_offset(name: &str, time: DateTime) -> Evaluated<i64> {
    let not_judged = || Fault::not_judged(format!("the time zone {name:?} is not known here"));
    match name {
        "" | "UTC" => return Ok(0),
        "Local" => return Err(not_judged()),
        _ if name.contains("..") || name.starts_with(['/', '\\']) => {
            return Err(Fault::error("time: invalid location name"));
        }
        _ => {}
    }
    // Names are case-sensitive for servers.
    let zone = TimeZone::get(name).ok().filter(|zone| zone.iana_name() == Some(name));
    let Some(zone) = zone else {
        let has_zones = TimeZone::get("Europe/London").is_ok();
        let unknown = || Fault::error(format!("unknown time zone {name}"));
        return Err(if has_zones { unknown() } else { not_judged() });
    };
    let time = TimeZone::UTC.to_timestamp(time).map_err(|_| not_judged())?;
    Ok(zone.to_offset(time).seconds().into())
}

/// `getHours()` and so on of a duration: the whole duration in that unit.
pub(crate) fn duration_field<'v>(function: &str, nanoseconds: i64) -> Evaluated<Value<'v>> {
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
    use super::{duration_text, timestamp_text};
    use crate::values::instant::{Unread, timestamp};

    #[test]
    fn durations_are_written_in_seconds() {
        assert_eq!(duration_text(6_347_000_000_000), "6347s");
        assert_eq!(duration_text(1_500_000_000), "1.5s");
        assert_eq!(duration_text(15_400_276_854_775_807), "15400276.854775807s");
    }

    #[test]
    fn times() {
        let cases = [
            ("2026-01-02T00:00:00Z", Ok("2026-01-02T00:00:00Z")),
            ("2026-01-02T00:00:00.25+01:00", Ok("2026-01-02T00:00:00.25+01:00")),
            ("2026-01-02T00:00:00-08:60", Ok("2026-01-02T00:00:00-09:00")),
            ("2026-01-02T00:00:00+00:00", Ok("2026-01-02T00:00:00Z")),
            ("2026-01-02t00:00:00Z", Err(Unread::Form)),
            ("2026-02-30T00:00:00Z", Err(Unread::Form)),
            ("2026-01-02T3:04:05Z", Ok("2026-01-02T03:04:05Z")),
            ("9999-12-31T23:59:59.9Z", Ok("9999-12-31T23:59:59.9Z")),
            ("9999-12-31T23:59:59-01:00", Err(Unread::Range)),
            ("2026-01-02T00:00:60Z", Err(Unread::Form)),
            ("2026-01-02T24:00:00Z", Err(Unread::Form)),
            ("2026-01-02", Err(Unread::Form)),
            ("2026-01-02T00:00:00", Err(Unread::Form)),
        ];
        for (text, expected) in cases {
            assert_eq!(timestamp(text).map(timestamp_text), expected.map(str::to_owned), "{text}");
        }
    }
}

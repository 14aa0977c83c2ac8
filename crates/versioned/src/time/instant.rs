//! A point in time with nanoseconds, of which both time types are made.

use std::fmt;
use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::civil::Date;

const SECONDS_OF_DAY: i64 = 86_400;
const NANOSECONDS: u32 = 1_000_000_000;

/// Nanoseconds since 1970, within the seconds that 64 bits can count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Instant {
    second: i64,
    /// One more than the nanoseconds after the second, which are counted upwards before 1970 too. It is never zero, so an
    /// `Option` of a time is no larger than a time. Row: memory.
    after_nanosecond: NonZeroU32,
}

impl Instant {
    pub(super) const MIN: Self = Self::new(i64::MIN, 0);
    pub(super) const MAX: Self = Self::new(i64::MAX, NANOSECONDS - 1);

    /// The zero value of Go's time type, the first instant of year 1.
    pub(super) const GO_ZERO: Self = Self::new(-62_135_596_800, 0);

    /// `nanosecond` is less than a second.
    pub(super) const fn new(second: i64, nanosecond: u32) -> Self {
        let after_nanosecond = NonZeroU32::MIN.saturating_add(nanosecond);
        Self { second, after_nanosecond }
    }

    pub(super) fn at(date: Date, second_of_day: i64, nanosecond: u32) -> Option<Self> {
        // In the earliest day the product alone would not fit.
        let day = i128::from(date.days()) * i128::from(SECONDS_OF_DAY);
        let second = i64::try_from(day + i128::from(second_of_day)).ok()?;
        Some(Self::new(second, nanosecond))
    }

    pub(super) const fn second(self) -> i64 {
        self.second
    }

    pub(super) const fn nanosecond(self) -> u32 {
        self.after_nanosecond.get() - 1
    }

    /// The date and the second of the day.
    pub(super) fn date_and_second(self) -> (Date, i64) {
        let date = Date::of_days(self.second.div_euclid(SECONDS_OF_DAY));
        (date, self.second.rem_euclid(SECONDS_OF_DAY))
    }

    /// Cuts to a multiple of `unit` nanoseconds, towards the past: as digits of a text are cut.
    pub(super) const fn cut(self, unit: u32) -> Self {
        Self::new(self.second, self.nanosecond() - self.nanosecond() % unit)
    }

    pub(super) fn checked_add(self, duration: Duration) -> Option<Self> {
        let nanosecond = self.nanosecond() + duration.subsec_nanos();
        let carry = i64::from(nanosecond / NANOSECONDS);
        let second = self.second.checked_add_unsigned(duration.as_secs())?;
        Some(Self::new(second.checked_add(carry)?, nanosecond % NANOSECONDS))
    }

    pub(super) fn checked_sub(self, duration: Duration) -> Option<Self> {
        let borrow = i64::from(self.nanosecond() < duration.subsec_nanos());
        let second = self.second.checked_sub_unsigned(duration.as_secs())?;
        let nanosecond = self.nanosecond() + NANOSECONDS - duration.subsec_nanos();
        Some(Self::new(second.checked_sub(borrow)?, nanosecond % NANOSECONDS))
    }

    /// The time that has passed since another instant, as far as a duration can hold it.
    pub(super) fn duration_since(self, other: Self) -> SignedDuration {
        let nanoseconds = i64::from(self.nanosecond()) - i64::from(other.nanosecond());
        // Division of 128 bits takes long. Row: elect.
        if let Some(seconds) = self.second.checked_sub(other.second) {
            let part = SignedDuration::from_nanos(nanoseconds);
            return SignedDuration::from_secs(seconds).saturating_add(part);
        }
        let seconds = i128::from(self.second) - i128::from(other.second);
        let total = seconds * i128::from(NANOSECONDS) + i128::from(nanoseconds);
        let most = if total < 0 { SignedDuration::MIN } else { SignedDuration::MAX };
        SignedDuration::try_from_nanos_i128(total).unwrap_or(most)
    }

    pub(super) fn of_timestamp(time: Timestamp) -> Self {
        // The earliest timestamp is years away from the earliest instant.
        let whole = Self::new(time.as_second(), 0);
        let nanoseconds = time.subsec_nanosecond();
        let part = Duration::from_nanos(nanoseconds.unsigned_abs().into());
        let time = if nanoseconds < 0 { whole.checked_sub(part) } else { whole.checked_add(part) };
        time.unwrap_or(whole)
    }

    pub(super) fn to_timestamp(self) -> Option<Timestamp> {
        let nanosecond = i32::try_from(self.nanosecond()).ok()?;
        Timestamp::new(self.second, nanosecond).ok()
    }

    pub(super) fn of_system(time: SystemTime) -> Self {
        let epoch = Self::new(0, 0);
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => epoch.checked_add(after).unwrap_or(Self::MAX),
            Err(before) => epoch.checked_sub(before.duration()).unwrap_or(Self::MIN),
        }
    }

    pub(super) fn to_system(self) -> Option<SystemTime> {
        let part = Duration::from_nanos(self.nanosecond().into());
        let whole = Duration::from_secs(self.second.unsigned_abs());
        let time = if self.second < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(whole)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(whole)
        };
        time?.checked_add(part)
    }
}

/// Up to the second, without what follows it.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, second) = self.date_and_second();
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(f, "{date}T{hour:02}:{minute:02}:{second:02}")
    }
}

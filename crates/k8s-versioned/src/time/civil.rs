//! Dates of the Gregorian calendar, of any year.

use std::fmt;

/// The days in 400 years, after which the calendar repeats.
const DAYS_OF_ERA: i64 = 146_097;

/// The day 1970-01-01, counted from the first of March of year 0.
const UNIX_EPOCH: i64 = 719_468;

/// A date. Year 0 is the year before year 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    year: i64,
    month: u8,
    day: u8,
}

impl Date {
    /// The date with these numbers, if there is one.
    pub(super) fn new(year: i64, month: u8, day: u8) -> Option<Self> {
        let days = days_of_month(year, month)?;
        (1..=days).contains(&day).then_some(Self { year, month, day })
    }

    /// The date `days` days after 1970-01-01. `days` is at most 2⁴⁰.
    pub(super) fn of_days(days: i64) -> Self {
        let days = days + UNIX_EPOCH;
        let era = days.div_euclid(DAYS_OF_ERA);
        let day_of_era = days.rem_euclid(DAYS_OF_ERA);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Months from March, so that the leap day is the last of a year.
        let month_of_year = (5 * day_of_year + 2) / 153;
        let day = small(day_of_year - (153 * month_of_year + 2) / 5 + 1);
        let month = small(if month_of_year < 10 { month_of_year + 3 } else { month_of_year - 9 });
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day }
    }

    /// The number of days after 1970-01-01. The year is at most 2⁴⁰.
    pub(super) fn days(self) -> i64 {
        let Self { year, month, day } = self;
        let (month, day) = (i64::from(month), i64::from(day));
        let year = year - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_of_year = (month + 9) % 12;
        let day_of_year = (153 * month_of_year + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_OF_ERA + day_of_era - UNIX_EPOCH
    }

    /// The year, the month and the day.
    pub(super) fn parts(self) -> (i64, u8, u8) {
        (self.year, self.month, self.day)
    }

    pub(super) fn is_last_of_month(self) -> bool {
        days_of_month(self.year, self.month) == Some(self.day)
    }
}

/// The text that servers write: a year has at least four digits, and a sign if it is negative.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        let sign = if *year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
    }
}

/// A day or a month as a small number.
fn small(number: i64) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

fn days_of_month(year: i64, month: u8) -> Option<u8> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn every_day_follows_the_one_before() {
        let mut expected = Date::new(-801, 1, 1).unwrap();
        for days in expected.days()..Date::new(2_401, 1, 1).unwrap().days() {
            let date = Date::of_days(days);
            assert_eq!(date, expected);
            assert_eq!(date.days(), days);
            let Date { year, month, day } = date;
            expected = Date::new(year, month, day + 1)
                .or_else(|| Date::new(year, month + 1, 1))
                .or_else(|| Date::new(year + 1, 1, 1))
                .unwrap();
        }
    }

    #[test]
    fn the_ends_of_the_range_are_dates() {
        let table = [
            (0, "1970-01-01"),
            (-719_528, "0000-01-01"),
            (-719_529, "-0001-12-31"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "10000-01-01"),
            (i64::MAX / 86_400_000_000, "294247-01-10"),
            (i64::MIN / 86_400_000_000 - 1, "-290308-12-21"),
        ];
        for (days, expected) in table {
            let date = Date::of_days(days);
            assert_eq!((date.to_string().as_str(), date.days()), (expected, days));
        }
    }
}

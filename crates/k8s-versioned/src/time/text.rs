//! Writing times.

use super::civil::Date;
use super::{MICROS, Precision};

/// The text that servers write for a time. For the years 0 to 9999 it needs no allocation. Row: encode.
pub(super) enum Text {
    Plain { bytes: [u8; 27], length: usize },
    Far(String),
}

impl Text {
    /// The text of a number of microseconds since 1970.
    pub(super) fn of(time: i64, precision: Precision) -> Self {
        let (second, micro) = (time.div_euclid(MICROS), time.rem_euclid(MICROS));
        let date = Date::of_days(second.div_euclid(86_400));
        let second = second.rem_euclid(86_400);
        Self::plain(date, second, micro, precision).unwrap_or_else(|| {
            let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
            let text = format!("{date}T{hour:02}:{minute:02}:{second:02}");
            Self::Far(match precision {
                Precision::Micro => format!("{text}.{micro:06}Z"),
                Precision::Seconds => format!("{text}Z"),
            })
        })
    }

    fn plain(date: Date, second: i64, micro: i64, precision: Precision) -> Option<Self> {
        let (year, month, day) = date.parts();
        let year = u32::try_from(year).ok().filter(|year| *year < 10_000)?;
        let (second, micro) = (u32::try_from(second).ok()?, u32::try_from(micro).ok()?);
        let [y1, y2, y3, y4] = digits(year);
        let [m1, m2] = digits(month.into());
        let [d1, d2] = digits(day.into());
        let [h1, h2] = digits(second / 3_600);
        let [n1, n2] = digits(second / 60 % 60);
        let [s1, s2] = digits(second % 60);
        let [f1, f2, f3, f4, f5, f6] = digits(micro);
        let (after, length) = match precision {
            Precision::Micro => (b'.', 27),
            Precision::Seconds => (b'Z', 20),
        };
        let bytes = [
            y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2,
            after, f1, f2, f3, f4, f5, f6, b'Z',
        ];
        Some(Self::Plain { bytes, length })
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Plain { bytes, length } => {
                let text = bytes.get(..*length).map(str::from_utf8);
                text.and_then(Result::ok).unwrap_or_default()
            }
            Self::Far(text) => text,
        }
    }
}

/// The last digits of a number.
fn digits<const COUNT: usize>(mut number: u32) -> [u8; COUNT] {
    let mut text = [b'0'; COUNT];
    for digit in text.iter_mut().rev() {
        *digit += u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
    text
}

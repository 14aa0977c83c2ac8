//! Writing times.

use super::Precision;
use super::instant::Instant;

/// The text that servers write for an instant. In the years 0 to 9999 it needs no allocation. Row: encode.
pub(super) enum Text {
    Plain { bytes: [u8; 27], length: usize },
    Far(String),
}

impl Text {
    pub(super) fn of(time: Instant, precision: Precision) -> Self {
        Self::plain(time, precision).unwrap_or_else(|| {
            Self::Far(match precision {
                Precision::Micro => format!("{time}.{:06}Z", time.nanosecond() / 1_000),
                Precision::Seconds => format!("{time}Z"),
            })
        })
    }

    fn plain(time: Instant, precision: Precision) -> Option<Self> {
        let (date, second) = time.date_and_second();
        let (year, month, day) = date.parts();
        let year = u32::try_from(year).ok().filter(|year| *year < 10_000)?;
        let second = u32::try_from(second).ok()?;
        let [y1, y2, y3, y4] = digits(year);
        let [m1, m2] = digits(month.into());
        let [d1, d2] = digits(day.into());
        let [h1, h2] = digits(second / 3_600);
        let [n1, n2] = digits(second / 60 % 60);
        let [s1, s2] = digits(second % 60);
        let [f1, f2, f3, f4, f5, f6] = digits(time.nanosecond() / 1_000);
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

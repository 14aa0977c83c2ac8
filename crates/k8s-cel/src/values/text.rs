//! Texts as Go writes them.

use crate::values::go::{GoQuoted, float};

/// A text in quotes, as `%q` and `strconv.Quote` write it.
pub(crate) fn go_quote(text: &str) -> String {
    GoQuoted(text).to_string()
}

/// A number as `%g` and `%v` write it: the shortest text, with an exponent below 1e-4 and from 1e6.
pub(crate) fn go_float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if number == 0.0 && number.is_sign_negative() {
        return "-0".to_owned();
    }
    float(number)
}

#[cfg(test)]
mod tests {
    use super::{go_float, go_quote};

    #[test]
    fn numbers() {
        let cases = [
            (1.5, "1.5"),
            (1e6, "1e+06"),
            (123_456.0, "123456"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1e21, "1e+21"),
        ];
        for (number, expected) in cases {
            assert_eq!(go_float(number), expected);
        }
        assert_eq!(go_float(1e20), "1e+20");
        assert_eq!(go_float(f64::NEG_INFINITY), "-Inf");
    }

    #[test]
    fn quotes() {
        assert_eq!(go_quote("a\"\\\n\u{1}é\u{200b}"), "\"a\\\"\\\\\\n\\x01é\\u200b\"");
    }
}

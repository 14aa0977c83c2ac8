//! Texts as Go writes them.

use std::fmt::Write as _;

use crate::values::go::{Quoted, float};

/// A text in quotes, as `%q` and `strconv.Quote` write it.
pub(crate) fn go_quote(text: &str) -> String {
    Quoted(text).to_string()
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

/// The error display of cel-go: the message, the line, and a mark below the place.
pub(crate) fn show_error(text: &str, at: usize, message: &str) -> String {
    let before: Vec<char> = text.chars().take(at).collect();
    let line = before.iter().filter(|character| **character == '\n').count();
    let column = before.iter().rev().take_while(|character| **character != '\n').count();
    let mut shown = format!("ERROR: <input>:{}:{}: {message}", line + 1, column + 1);
    if let Some(source) = text.split('\n').nth(line) {
        let source = source.replace('\t', " ");
        let mark = |character: Option<char>, narrow, wide| {
            if character.is_some_and(|own| own.len_utf8() > 1) { wide } else { narrow }
        };
        let dots: String =
            source.chars().take(column).map(|character| mark(Some(character), '.', '．')).collect();
        let end = mark(source.chars().nth(column), '^', '＾');
        let _ = write!(shown, "\n | {source}\n | {dots}{end}");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{go_float, go_quote, show_error};

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

    #[test]
    fn errors_have_a_mark() {
        assert_eq!(show_error("a ==\nb + c", 7, "no"), "ERROR: <input>:2:3: no\n | b + c\n | ..^");
    }
}

//! Texts as Go writes them.

use std::fmt::Write as _;

/// A text in quotes, as `%q` and `strconv.Quote` write it.
pub(super) fn go_quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            _ => push_printable(&mut quoted, character),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that Go does not print are escapes. Which characters are not assigned depends on Unicode's version.
fn push_printable(quoted: &mut String, character: char) {
    let code = u32::from(character);
    let hidden = character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(code, 0xad | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe000..=0xf8ff | 0xfff9..=0xfffb);
    if !hidden {
        quoted.push(character);
    } else if code < 0x80 {
        let _ = write!(quoted, "\\x{code:02x}");
    } else if code < 0x10000 {
        let _ = write!(quoted, "\\u{code:04x}");
    } else {
        let _ = write!(quoted, "\\U{code:08x}");
    }
}

/// A number as `strconv.FormatFloat(number, 'g', -1, 64)` writes it, with an exponent from this many digits on: 21 for
/// `%v`, 6 or more for texts of CEL.
pub(super) fn go_float(number: f64, exponent_from: i32) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if exponent >= -4 && exponent < exponent_from {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// The error display of cel-go: the message, the line, and a mark below the place.
pub(super) fn show_error(text: &str, at: usize, message: &str) -> String {
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
            assert_eq!(go_float(number, 6), expected);
        }
        assert_eq!(go_float(1e20, 21), "100000000000000000000");
        assert_eq!(go_float(f64::NEG_INFINITY, 21), "-Inf");
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

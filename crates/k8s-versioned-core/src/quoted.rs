//! Untrusted text, quoted for messages.

use std::fmt::{self, Display, Formatter};

use crate::printable::first_unprintable;

/// The number of characters that are shown: the length of the longest qualified name.
const SHOWN: usize = 317;

/// A text of an object or a server, as part of a line for people.
///
/// Most names and versions appear in backticks, as they are. An empty text, and a text with white space, a backtick or
/// an unprintable character, is escaped in quotation marks. Long text is cut. So object data never breaks out of its line,
/// moves a cursor or looks like the sentence around it.
///
/// ```
/// use k8s_versioned_core::Quoted;
///
/// assert_eq!(Quoted("node-1").to_string(), "`node-1`");
/// assert_eq!(Quoted("").to_string(), r#""""#);
/// assert_eq!(Quoted("a leads.\nb").to_string(), r#""a leads.\nb""#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Nearly every name and version. Hot path, row `elect, with the explanation` of the benches.
        if self.0.len() <= SHOWN && is_plain_ascii(self.0) {
            f.write_str("`")?;
            f.write_str(self.0)?;
            return f.write_str("`");
        }
        let start = start(self.0, SHOWN);
        if is_plain(start) {
            write!(f, "`{start}`")?;
        } else {
            write!(f, "{start:?}")?;
        }
        write_rest(f, start, self.0)
    }
}

/// The first characters of a text.
pub fn start(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// Writes the length of a text if only its start was shown.
pub fn write_rest(f: &mut Formatter<'_>, start: &str, text: &str) -> fmt::Result {
    if start.len() == text.len() {
        return Ok(());
    }
    write!(f, "... ({} bytes)", text.len())
}

/// A text of several words in one line: unprintable characters are escaped.
#[derive(Clone, Copy, Debug)]
pub struct OneLine<'a>(pub &'a str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(character) = first_unprintable(rest) {
            let Some((shown, after)) = rest.split_once(character) else {
                break;
            };
            write!(f, "{shown}{}", character.escape_debug())?;
            rest = after;
        }
        f.write_str(rest)
    }
}

/// Items as a sentence lists them, with this word before the last: `a, b and c`.
pub fn listed(items: impl Iterator<Item = String>, word: &str) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {word} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Quoted words as alternatives of a sentence.
pub fn alternatives<T: AsRef<str>>(words: &[T]) -> String {
    listed(words.iter().map(|word| Quoted(word.as_ref()).to_string()), "or")
}

/// The beginning of a message about a field: its path and a colon; nothing for the whole value.
pub fn place(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!("{}: ", OneLine(path)),
    }
}

/// A text of several words of an object or a server, as a line for people: unprintable characters are escaped, and long
/// text is cut.
///
/// ```
/// use k8s_versioned_core::Short;
///
/// assert_eq!(Short("invalid type: \u{1b}[2J\n").to_string(), r"invalid type: \u{1b}[2J\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short<'a>(pub &'a str);

impl Display for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let start = start(self.0, SHOWN);
        write!(f, "{}", OneLine(start))?;
        write_rest(f, start, self.0)
    }
}

/// Returns `true` if a text is a word of visible ASCII characters but the backtick.
fn is_plain_ascii(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'`';
    !text.is_empty() && text.bytes().all(plain)
}

/// Returns `true` if a text reads as one word.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains([' ', '`']) && first_unprintable(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::{OneLine, Quoted, Short};

    #[test]
    fn only_names_are_in_backticks() {
        let table = [
            ("a", "`a`"),
            ("example.com/by-load", "`example.com/by-load`"),
            ("1.33.0-rc.1+b", "`1.33.0-rc.1+b`"),
            ("žluťoučký", "`žluťoučký`"),
            ("", r#""""#),
            ("a b", r#""a b""#),
            ("a`b", r#""a`b""#),
            ("\"", "`\"`"),
            ("a\nb", r#""a\nb""#),
            ("\u{1b}[2J", r#""\u{1b}[2J""#),
            ("\u{9b}2J", r#""\u{9b}2J""#),
            ("a\u{202e}b", r#""a\u{202e}b""#),
            ("a\u{2028}b\u{a0}", r#""a\u{2028}b\u{a0}""#),
        ];
        for (text, expected) in table {
            assert_eq!(Quoted(text).to_string(), expected);
        }
    }

    #[test]
    fn long_text_is_cut() {
        let longest = "ä".repeat(317);
        assert_eq!(Quoted(&longest).to_string(), format!("`{longest}`"));
        let line = format!("{longest}\n");
        assert_eq!(Short(&line).to_string(), format!("{longest}... (635 bytes)"));
        let longer = format!("{longest}\n");
        let expected = format!("`{longest}`... (635 bytes)");
        assert_eq!(Quoted(&longer).to_string(), expected);
    }

    #[test]
    fn a_line_stays_one() {
        let table = [
            ("", ""),
            ("write `a b`: ü", "write `a b`: ü"),
            ("a\r\nb\u{1b}c\n", "a\\r\\nb\\u{1b}c\\n"),
        ];
        for (text, expected) in table {
            assert_eq!(OneLine(text).to_string(), expected);
        }
    }
}

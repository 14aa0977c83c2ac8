//! Rust declarations in colour.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

const COMMENT: Style = AnsiColor::Green.on_default();
const ATTRIBUTE: Style = Style::new().dimmed();
const KEYWORD: Style = AnsiColor::Magenta.on_default();
const TYPE: Style = AnsiColor::Cyan.on_default();

/// Declarations as `prettyplease` formats them, with colours: a comment or an attribute has a line of its own.
pub(crate) fn declarations(code: &str) -> String {
    let mut coloured = String::with_capacity(2 * code.len());
    for line in code.lines() {
        self::line(line, &mut coloured);
        coloured.push('\n');
    }
    coloured
}

fn line(line: &str, coloured: &mut String) {
    let code = line.trim_start();
    if code.starts_with("//") {
        return paint(COMMENT, line, coloured);
    }
    if code.starts_with("#[") {
        return paint(ATTRIBUTE, line, coloured);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = line;
    while let Some(begin) = rest.find(is_part) {
        let (before, word) = rest.split_at(begin);
        let (word, after) =
            word.split_at(word.find(|letter| !is_part(letter)).unwrap_or(word.len()));
        coloured.push_str(before);
        self::word(word, coloured);
        rest = after;
    }
    coloured.push_str(rest);
}

fn word(word: &str, coloured: &mut String) {
    match word {
        "enum" | "pub" | "struct" | "use" => paint(KEYWORD, word, coloured),
        "bool" | "f64" | "i32" | "i64" => paint(TYPE, word, coloured),
        _ if word.starts_with(|first: char| first.is_uppercase()) => paint(TYPE, word, coloured),
        _ => coloured.push_str(word),
    }
}

fn paint(style: Style, text: &str, coloured: &mut String) {
    // Writing to a text never fails.
    let _ = write!(coloured, "{style}{text}{style:#}");
}

#[cfg(test)]
mod tests {
    use super::declarations;

    #[test]
    fn colours_are_around_words_and_whole_comments() {
        let code = "/// A `Widget`.\n#[derive(Clone)]\npub struct Widget {\n    pub size_of: Option<i64>,\n}\n";
        let coloured = declarations(code);
        let marked = coloured
            .replace("\u{1b}[", "[")
            .replace("[32m", "<c>")
            .replace("[35m", "<k>")
            .replace("[36m", "<t>");
        let expected = "<c>/// A `Widget`.[0m\n[2m#[derive(Clone)][0m\n<k>pub[0m <k>struct[0m <t>Widget[0m {\n    \
                        <k>pub[0m size_of: <t>Option[0m<<t>i64[0m>,\n}\n";
        assert_eq!(marked, expected);
    }
}

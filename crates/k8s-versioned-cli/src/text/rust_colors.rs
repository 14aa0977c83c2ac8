//! Rust declarations in colour.

use anstyle::{AnsiColor, Style};

const COMMENT: Style = AnsiColor::Green.on_default();
const ATTRIBUTE: Style = Style::new().dimmed();
const KEYWORD: Style = AnsiColor::Magenta.on_default();
const TYPE: Style = AnsiColor::Cyan.on_default();

/// Declarations as `prettyplease` formats them, with colours: a comment or an attribute has a line of its own.
pub(crate) fn declarations(code: &str) -> String {
    code.lines().map(|line| self::line(line) + "\n").collect()
}

fn line(line: &str) -> String {
    let code = line.trim_start();
    if code.starts_with("//") {
        return painted(COMMENT, line);
    }
    if code.starts_with("#[") {
        return painted(ATTRIBUTE, line);
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut coloured, mut rest) = (String::new(), line);
    while let Some(begin) = rest.find(is_part) {
        let (before, word) = rest.split_at(begin);
        let (word, after) = word.split_at(word.find(|word| !is_part(word)).unwrap_or(word.len()));
        coloured += before;
        coloured += &self::word(word);
        rest = after;
    }
    coloured + rest
}

fn word(word: &str) -> String {
    match word {
        "enum" | "pub" | "struct" | "use" => painted(KEYWORD, word),
        "bool" | "f64" | "i32" | "i64" => painted(TYPE, word),
        _ if word.starts_with(|first: char| first.is_uppercase()) => painted(TYPE, word),
        _ => word.to_owned(),
    }
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
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

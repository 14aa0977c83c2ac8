//! The descriptions of documents as rustdoc. Their authors wrote them for other tools: nothing in them may become a
//! doctest, a link that leads nowhere, or HTML.

use crate::text::{join, single_spaced, visible};

/// A description as rustdoc that shows the same text.
pub(crate) fn rustdoc(text: &str) -> String {
    let text = visible(text);
    let mut written: Vec<String> = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    // The mark of the code block that is open, and the spaces before it.
    let mut block: Option<(&str, usize)> = None;
    for whole in text.lines() {
        let line = whole.trim();
        if let Some((mark, indent)) = block {
            if line == mark {
                block = None;
                written.push("```".to_owned());
            } else {
                written.push(without_indent(whole, indent).replace("```", "'''"));
            }
        } else if let Some(mark) = opened(line) {
            end_paragraph(&mut paragraph, &mut written);
            block = Some((mark, whole.len() - whole.trim_start().len()));
            // A block without a language would be a doctest.
            written.push("```text".to_owned());
        } else if line.is_empty() {
            end_paragraph(&mut paragraph, &mut written);
            if written.last().is_some_and(|last| !last.is_empty()) {
                written.push(String::new());
            }
        } else {
            paragraph.push(line);
        }
    }
    end_paragraph(&mut paragraph, &mut written);
    if block.is_some() {
        written.push("```".to_owned());
    }
    written.join("\n").trim().to_owned()
}

/// A line of a code block without as many spaces as the mark of the block has, as Markdown shows it.
fn without_indent(line: &str, indent: usize) -> &str {
    let spaces = line.len() - line.trim_start().len();
    // White space can have letters of several bytes.
    line.get(indent.min(spaces)..).unwrap_or_default().trim_end()
}

/// The mark of the code block that a line opens: only one word follows it, the language.
fn opened(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|mark| {
        let language = line.strip_prefix(mark);
        language.is_some_and(|language| {
            !language.contains(|language: char| language.is_whitespace() || "`~".contains(language))
        })
    })
}

/// A text as a part of one line of rustdoc.
pub(super) fn line(text: &str) -> String {
    let text = rustdoc(&single_spaced(text));
    text.lines().next().unwrap_or_default().to_owned()
}

/// Moves the lines of a paragraph to the written ones.
fn end_paragraph(lines: &mut Vec<&str>, written: &mut Vec<String>) {
    let mut inline = Inline { code: false, has_code: has_code(lines) };
    // The width of the marks of the list item that the lines belong to.
    let mut indent = 0;
    for line in lines.drain(..) {
        // Spaces after the mark of a list would also begin a code block.
        let line = &single_spaced(line);
        let mark = if inline.code { 0 } else { list_mark(line) };
        let (mark, rest) = line.split_at(mark);
        let mut text = if mark.is_empty() { " ".repeat(indent) } else { mark.to_owned() };
        if !mark.is_empty() {
            let number = rest.starts_with(|first: char| first.is_ascii_digit());
            indent = mark.len() + if number { list_mark(rest) } else { 0 };
        }
        if !inline.code && rest.starts_with(['#', '=', '-', '+', '|', ':']) {
            text.push('\\');
        }
        inline.write(rest, &mut text);
        written.push(text);
    }
}

/// Returns `true` if the backticks of a paragraph are in pairs. Those in a row have rules of their own, and a line inside a
/// pair can begin a list or HTML.
fn has_code(lines: &[&str]) -> bool {
    let mut ticks = 0_usize;
    for line in lines {
        let is_inside = !ticks.is_multiple_of(2);
        if is_inside && !line.starts_with(char::is_alphanumeric) {
            return false;
        }
        if line.contains('`') {
            if line.contains("``") {
                return false;
            }
            ticks += line.matches('`').count();
        }
    }
    ticks.is_multiple_of(2)
}

/// The length of the mark of a list item at the beginning of a line.
fn list_mark(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    let numbered = (1..4).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    let bullet = digits == 0 && ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
    if numbered || bullet { digits + 2 } else { 0 }
}

/// The state inside a paragraph.
struct Inline {
    /// `true` inside of backticks.
    code: bool,
    /// Whether the backticks are in pairs.
    has_code: bool,
}

impl Inline {
    /// Writes a part of a line. Outside of code, what would be markup is escaped, and URLs become links.
    fn write(&mut self, mut rest: &str, text: &mut String) {
        while let Some(at) = rest.bytes().position(is_special) {
            let (plain, from) = rest.split_at(at);
            text.push_str(plain);
            let url = if self.code { 0 } else { url(from) };
            let (special, after) = from.split_at(url.max(1));
            match special {
                url if url.len() > 1 => text.extend(["<", url, ">"]),
                "`" if self.has_code => {
                    self.code = !self.code;
                    text.push('`');
                }
                "h" => text.push('h'),
                mark if self.code => text.push_str(mark),
                mark => text.extend(["\\", mark]),
            }
            rest = after;
        }
        text.push_str(rest);
    }
}

/// Returns `true` for characters that would be markup, and for the first letter of a URL.
fn is_special(letter: u8) -> bool {
    matches!(letter, b'`' | b'\\' | b'<' | b'>' | b'[' | b']' | b'*' | b'~' | b'_' | b'&' | b'h')
}

/// The length of the URL at the beginning of a text; 0 if there is none.
fn url(text: &str) -> usize {
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return 0;
    }
    let ends = |letter: char| letter.is_whitespace() || "<>\"`()[]{}\\|^".contains(letter);
    let whole = text.find(ends).unwrap_or(text.len());
    let url = text
        .get(..whole)
        .unwrap_or_default()
        .trim_end_matches(['.', ',', ';', ':', '\'', '!', '?', '*']);
    if url.ends_with("//") { 0 } else { url.len() }
}

/// The first paragraph of a description; nothing if it begins with a block of code.
pub(super) fn summary(description: &str) -> String {
    let ends = |line: &&str| !line.is_empty() && !line.starts_with("```");
    join(description.lines().take_while(ends), " ")
}

/// Adds a note to rustdoc, after those that are there.
pub(super) fn add_note(docs: &mut String, note: &str) {
    if !docs.is_empty() {
        docs.push(' ');
    }
    docs.push_str(note);
}

#[cfg(test)]
mod tests {
    use super::rustdoc;

    #[test]
    fn nothing_becomes_markup() {
        let table = [
            ("Plain text.", "Plain text."),
            ("a [link] and <tag> of `List<T>[0]`", "a \\[link\\] and \\<tag\\> of `List<T>[0]`"),
            ("one ` tick <a>", "one \\` tick \\<a\\>"),
            ("see https://example.com/a.", "see <https://example.com/a>."),
            ("(http://example.com)", "(<http://example.com>)"),
            ("http://", "http://"),
            ("text:\n\n    let x = 1;\n", "text:\n\nlet x = 1;"),
            ("```\ncode\n```", "```text\ncode\n```"),
            ("```yaml\nopen", "```text\nopen\n```"),
            ("```\na:\n  b:\n\n\n    c: 1\n```", "```text\na:\n  b:\n\n\n    c: 1\n```"),
            ("- one\n  ~~~\n  a:\n    b\n c\n  ~~~", "- one\n```text\na:\n  b\nc\n```"),
            ("# no heading\n- item *one*\n---", "\\# no heading\n- item \\*one\\*\n  \\---"),
            ("a\n\n\n\nb", "a\n\nb"),
            ("1. first\n12345. no mark", "1. first\n   12345. no mark"),
            ("- one\ntwo\n- 1. three\nfour\n\nfive", "- one\n  two\n- 1. three\n     four\n\nfive"),
            ("> quote\n> > twice", "\\> quote\n\\> \\> twice"),
            ("a\rb\r\nc\u{b}d", "a\nb\nc d"),
            ("safe \u{202e}text\u{2066}", "safe text"),
            ("a `b\nc` d <e>", "a `b\nc` d \\<e\\>"),
            ("`\n<script>\n`", "\\`\n\\<script\\>\n\\`"),
            ("`` a ` b `` <b> `", "\\`\\` a \\` b \\`\\` \\<b\\> \\`"),
            ("text:\r\r    code", "text:\n\ncode"),
            ("-     code\n1)     code", "- code\n1) code"),
            ("``` <a> ::= b\n``` c ```", "\\`\\`\\` \\<a\\> ::= b\n\\`\\`\\` c \\`\\`\\`"),
            ("~~~\n```\na\n~~~", "```text\n'''\na\n```"),
            ("```rust```", "\\`\\`\\`rust\\`\\`\\`"),
            ("&lt;a&gt;\n:--- | :---", "\\&lt;a\\&gt;\n\\:--- | :---"),
            ("- 1.     code\n- ```\n```", "- 1. code\n- \\`\\`\\`\n```text\n```"),
        ];
        for (text, expected) in table {
            assert_eq!(rustdoc(text), expected, "{text}");
        }
    }
}

//! Names of hosts and of Kubernetes objects.

use super::codes::Lazy;

/// A name of a host, by the pattern of kube-openapi: one label, or several.
///
/// One label is a character, at most one hyphen, and up to 62 characters. Of several, all but the last are labels of DNS, and
/// the last consists of at least two letters.
pub(super) fn hostname(text: &str) -> bool {
    let by_pattern = match text.rsplit_once('.') {
        None => single(text),
        Some((labels, last)) => labels.split('.').all(label) && last_of_several(last),
    };
    by_pattern && text.len() <= 255 && text.split('.').all(|label| label.len() <= 63)
}

/// A letter or digit, also of other scripts, or a symbol.
fn is_character(character: char) -> bool {
    static OTHERS: Lazy = Lazy::new(r"^[\pS\pL]$");
    character.is_ascii_alphanumeric() || OTHERS.is_match(character.encode_utf8(&mut [0; 4]))
}

fn single(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next().is_some_and(is_character);
    let rest = characters.as_str();
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    first && rest.chars().count() <= 62 && rest.chars().all(is_character)
}

fn label(text: &str) -> bool {
    let ends = |character: Option<char>| character.is_some_and(is_character);
    ends(text.chars().next())
        && ends(text.chars().next_back())
        && text.chars().count() <= 63
        && text.chars().all(|character| character == '-' || is_character(character))
}

fn last_of_several(text: &str) -> bool {
    static LETTERS: Lazy = Lazy::new(r"^\pL+$");
    (2..=63).contains(&text.chars().count()) && LETTERS.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostnames_are_odd() {
        for valid in ["a", "a-", "a-b", "é", "example.com", "a-b-c.example.com", "☃.net", "a.日本"]
        {
            assert!(hostname(valid), "{valid}");
        }
        for invalid in [
            "",
            "-",
            "-a",
            "ab-c",
            "a--b",
            "example.c",
            "a.-bc",
            "a.b-c",
            "a.c0m",
            "1.2.3.44",
            "a.☃☃",
            "a_b.com",
            "example.com.",
            "1.2.3.4",
        ] {
            assert!(!hostname(invalid), "{invalid}");
        }
    }
}

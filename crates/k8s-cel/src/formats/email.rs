//! Addresses of mail, as Go's `mail.ParseAddress` reads them: RFC 5322 with the liberties of that package.

use std::net::{Ipv4Addr, Ipv6Addr};

/// One address, with or without a name, or a group of one address.
pub(super) fn address(text: &str) -> bool {
    let rest = mailbox(text).or_else(|| group_of_one(text));
    rest.and_then(skip_comments) == Some("")
}

// Each function takes something from the beginning of a text, and returns the rest. `None` means that the text begins with
// something else.

/// `a@b`, `a@b (name)` or `Name <a@b>`.
fn mailbox(text: &str) -> Option<&str> {
    let text = skip_space(text);
    if let Some(rest) = plain_address(text).map(skip_space) {
        return if rest.starts_with('(') { named_comment(rest) } else { Some(rest) };
    }
    let after_name = if text.starts_with('<') { text } else { phrase(text)? };
    let inside = skip_space(after_name).strip_prefix('<')?;
    plain_address(inside)?.strip_prefix('>')
}

/// `Group: a@b;`
fn group_of_one(text: &str) -> Option<&str> {
    let members = skip_space(phrase(text)?).strip_prefix(':')?;
    skip_comments(mailbox(members)?)?.strip_prefix(';')
}

/// `local@domain`, where the local part can be quoted and the domain can be `[1.2.3.4]`.
fn plain_address(text: &str) -> Option<&str> {
    let text = skip_space(text);
    let after_local = match quoted(text) {
        Some((0, _)) => return None,
        Some((_, rest)) => rest,
        None => dotted_atom(text)?,
    };
    let domain = skip_space(after_local.strip_prefix('@')?);
    if domain.starts_with('[') { domain_literal(domain) } else { dotted_atom(domain) }
}

/// The words of a name. One is enough; the caller checks what follows the last.
fn phrase(text: &str) -> Option<&str> {
    let (mut rest, true) = word(skip_space(text))? else { return None };
    loop {
        rest = skip_comments(rest)?;
        match word(rest) {
            Some((after, true)) => rest = after,
            Some((after, false)) => return Some(after),
            None => return Some(rest),
        }
    }
}

/// A word, and whether its characters are known.
fn word(text: &str) -> Option<(&str, bool)> {
    if text.starts_with('"') {
        return quoted(text).map(|(_, rest)| (rest, true));
    }
    atom(text).map(|(atom, rest)| (rest, !has_unknown_charset(atom)))
}

/// A quoted text: how many characters it has.
fn quoted(text: &str) -> Option<(usize, &str)> {
    let mut characters = text.strip_prefix('"')?.chars();
    let (mut count, mut escaped) = (0, false);
    loop {
        match characters.next()? {
            '"' if !escaped => return Some((count, characters.as_str())),
            '\\' if !escaped => escaped = true,
            character if is_visible(character) || matches!(character, ' ' | '\t') => {
                count += 1;
                escaped = false;
            }
            _ => return None,
        }
    }
}

fn atom(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_atom_character(c)).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(atom, _)| !atom.is_empty())
}

/// An atom without a dot at an end, and without two dots side by side.
fn dotted_atom(text: &str) -> Option<&str> {
    let (atom, rest) = atom(text)?;
    (!atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")).then_some(rest)
}

/// `[1.2.3.4]` or `[IPv6:::1]`
fn domain_literal(text: &str) -> Option<&str> {
    let (literal, rest) = text.strip_prefix('[')?.split_once(']')?;
    // Go also accepts an IPv4 address that is written as an IPv6 address.
    let is_mapped = |address: Ipv6Addr| address.to_ipv4_mapped().is_some();
    let fits = match literal.strip_prefix("IPv6:") {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => literal.parse::<Ipv4Addr>().is_ok() || literal.parse().is_ok_and(is_mapped),
    };
    fits.then_some(rest)
}

/// A comment after an address is its name.
fn named_comment(text: &str) -> Option<&str> {
    let (comment, rest) = comment(text)?;
    (!comment.split([' ', '\t']).any(has_unknown_charset)).then_some(rest)
}

fn skip_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

fn skip_comments(text: &str) -> Option<&str> {
    let mut rest = skip_space(text);
    while rest.starts_with('(') {
        rest = skip_space(comment(rest)?.1);
    }
    Some(rest)
}

/// The text of a comment, which can contain comments.
fn comment(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    let (mut depth, mut escaped) = (1, false);
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inside.get(..at)?, inside.get(at + 1..)?));
        }
    }
    None
}

fn is_visible(character: char) -> bool {
    matches!(character, '!'..='~') || !character.is_ascii()
}

fn is_atom_character(character: char) -> bool {
    is_visible(character) && !"()<>[]:;@\\,\"".contains(character)
}

/// Returns `true` if the word is encoded (`=?charset?q?text?=`) in a way that Go reads, in a charset that it does not know.
fn has_unknown_charset(word: &str) -> bool {
    let Some(inner) = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?=")) else {
        return false;
    };
    let mut parts = inner.split('?');
    let (Some(charset), Some(encoding), Some(text), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let known =
        ["utf-8", "iso-8859-1", "us-ascii"].iter().any(|name| name.eq_ignore_ascii_case(charset));
    let readable = match encoding {
        "b" | "B" => text.is_empty() || super::codes::base64(text),
        "q" | "Q" => is_q_encoded(text),
        _ => false,
    };
    !charset.is_empty() && !known && readable
}

fn is_q_encoded(text: &str) -> bool {
    let mut parts = text.split('=');
    let plain =
        |part: &str| part.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'));
    parts.next().is_some_and(plain)
        && parts.all(|part| {
            let digits = part
                .get(..2)
                .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            digits && plain(part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_by_go() {
        for valid in [
            "a@b",
            "a.b@c",
            "A B <a@b>",
            "\"A, B\" <a@b>",
            "a@b (name)",
            "g: a@b;",
            "A. B. <a@b>",
            "a@[IPv6:::1]",
            "=?utf-8?q?=41?= <a@b>",
            " a@b",
            "A (c) <a@b>",
        ] {
            assert!(address(valid), "{valid}");
        }
        for invalid in [
            "g:;",
            "g: a@b, c@d;",
            "a@b c",
            "a@[1.2.3]",
            "\"\"@b",
            "a@b (",
            "a..b@c",
            "<a@b",
            "A <a@b> x",
            "=?x?q?a?= <a@b>",
            "a@",
            "a @b",
            "a@b\n",
            ".a@b",
        ] {
            assert!(!address(invalid), "{invalid}");
        }
    }
}

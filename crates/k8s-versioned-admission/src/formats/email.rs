//! Addresses of mail, as Go's `mail.ParseAddress` reads them: RFC 5322 with the liberties of that package.

use std::net::{Ipv4Addr, Ipv6Addr};

/// One address, with or without a name, or a group of one address.
pub(super) fn address(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    let addresses = reader.address(true);
    addresses == Some(1) && reader.skip_comments().is_some() && reader.rest.is_empty()
}

/// Reads from the beginning of the text. `None` of a method means that the text is not what was expected.
#[derive(Clone, Copy)]
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, character: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(character)?;
        Some(())
    }

    /// `a@b`, `Name <a@b>` or `Group: a@b, c@d;`: the number of addresses.
    fn address(&mut self, may_be_group: bool) -> Option<usize> {
        self.skip_space();
        let mut plain = *self;
        if plain.plain_address().is_some() {
            *self = plain;
            self.skip_space();
            if self.rest.starts_with('(') {
                self.named_comment()?;
            }
            return Some(1);
        }
        if self.rest.is_empty() {
            return None;
        }
        if !self.rest.starts_with('<') {
            self.phrase()?;
        }
        self.skip_space();
        if may_be_group && self.take(':').is_some() {
            return self.group();
        }
        self.take('<')?;
        self.plain_address()?;
        self.take('>')?;
        Some(1)
    }

    /// The addresses of a group up to `;`. Groups do not nest.
    fn group(&mut self) -> Option<usize> {
        self.skip_space();
        if self.take(';').is_some() {
            self.skip_comments()?;
            return Some(0);
        }
        let mut count = 0;
        loop {
            count += self.address(false)?;
            self.skip_comments()?;
            if self.take(';').is_some() {
                self.skip_comments()?;
                return Some(count);
            }
            self.take(',')?;
        }
    }

    /// `local@domain`, where the local part can be quoted and the domain can be `[1.2.3.4]`.
    fn plain_address(&mut self) -> Option<()> {
        self.skip_space();
        if self.rest.starts_with('"') {
            if self.quoted()? == 0 {
                return None;
            }
        } else {
            self.dotted_atom()?;
        }
        self.take('@')?;
        self.skip_space();
        if self.rest.starts_with('[') { self.domain_literal() } else { self.dotted_atom() }
    }

    /// Words before `<`. One word is enough; then errors end the phrase, and what follows must fit.
    fn phrase(&mut self) -> Option<()> {
        let mut words = 0;
        loop {
            if words > 0 {
                self.skip_comments()?;
            }
            self.skip_space();
            let mut next = *self;
            let word = match next.rest.chars().next() {
                None => return Some(()),
                Some('"') => next.quoted().map(|_| true),
                Some(_) => next.atom().map(|atom| !has_unknown_charset(atom)),
            };
            match word {
                Some(fine) => {
                    *self = next;
                    if !fine {
                        return (words > 0).then_some(());
                    }
                    words += 1;
                }
                None => return (words > 0).then_some(()),
            }
        }
    }

    /// A quoted text, and how many characters it has.
    fn quoted(&mut self) -> Option<usize> {
        let mut characters = self.rest.chars();
        characters.next();
        let (mut count, mut escaped) = (0, false);
        loop {
            match characters.next()? {
                '"' if !escaped => break,
                '\\' if !escaped => escaped = true,
                character if is_visible(character) || matches!(character, ' ' | '\t') => {
                    count += 1;
                    escaped = false;
                }
                _ => return None,
            }
        }
        self.rest = characters.as_str();
        Some(count)
    }

    fn atom(&mut self) -> Option<&'t str> {
        let end = self.rest.find(|c| !is_atom_character(c)).unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!atom.is_empty()).then_some(atom)
    }

    /// An atom without a dot at an end, and without two dots side by side.
    fn dotted_atom(&mut self) -> Option<()> {
        let atom = self.atom()?;
        (!atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")).then_some(())
    }

    fn domain_literal(&mut self) -> Option<()> {
        self.take('[')?;
        let (literal, rest) = self.rest.split_once(']')?;
        self.rest = rest;
        let fits = match literal.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            // Go takes an IPv4 address that is written as an IPv6 address, too.
            None => {
                literal.parse::<Ipv4Addr>().is_ok()
                    || literal
                        .parse::<Ipv6Addr>()
                        .is_ok_and(|address| address.to_ipv4_mapped().is_some())
            }
        };
        fits.then_some(())
    }

    /// A comment after an address is its name.
    fn named_comment(&mut self) -> Option<()> {
        let comment = self.comment()?;
        (!comment.split([' ', '\t']).any(has_unknown_charset)).then_some(())
    }

    fn skip_comments(&mut self) -> Option<()> {
        self.skip_space();
        while self.rest.starts_with('(') {
            self.comment()?;
            self.skip_space();
        }
        Some(())
    }

    /// The text of a comment, which can contain comments.
    fn comment(&mut self) -> Option<&'t str> {
        self.take('(')?;
        let (start, mut depth, mut escaped) = (self.rest, 1, false);
        for (at, character) in start.char_indices() {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = start.get(at + 1..)?;
                return start.get(..at);
            }
        }
        None
    }
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

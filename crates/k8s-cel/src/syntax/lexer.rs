//! The tokens of CEL.

use std::sync::Arc;

use crate::faults::Fault;
use crate::syntax::ast::Literal;

/// A token, and the offsets of its first character and after its last one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) at: usize,
    pub(crate) end: usize,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    Literal(Literal),
    Name(Arc<str>),
    /// A name in backquotes, which servers know and refuse.
    QuotedName,
    /// An operator or a bracket.
    Symbol(&'static str),
    End,
}

/// Symbols; a symbol follows all symbols that it is the beginning of.
const SYMBOLS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", ".", ",", "?", ":", "(", ")", "[", "]", "{", "}", "<", ">",
    "+", "-", "*", "/", "%", "!",
];

/// Splits a text into tokens; the last is [`TokenKind::End`]. Other characters are an error, and are left out.
pub(crate) fn tokens(characters: &[char]) -> (Vec<Token>, Vec<Fault>) {
    let mut lexer = Lexer { characters, at: 0 };
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    loop {
        lexer.skip_blanks();
        let at = lexer.at;
        match lexer.token() {
            Ok(kind) => {
                let is_last = kind == TokenKind::End;
                tokens.push(Token { at, end: lexer.at, kind });
                if is_last {
                    return (tokens, errors);
                }
            }
            Err(error) => {
                errors.push(error);
                // At least one character does not begin a token.
                lexer.at = lexer.at.max(at + 1);
            }
        }
    }
}

struct Lexer<'a> {
    characters: &'a [char],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, expected)| self.peek(ahead) == Some(expected))
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                Some(' ' | '\t' | '\n' | '\r' | '\u{c}') => self.at += 1,
                Some('/') if self.peek(1) == Some('/') => {
                    while self.peek(0).is_some_and(|character| character != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, Fault> {
        let Some(first) = self.peek(0) else { return Ok(TokenKind::End) };
        if let Some(prefix) = self.string_prefix() {
            return self.string(prefix);
        }
        let starts_number = first.is_ascii_digit()
            || first == '.' && self.peek(1).is_some_and(|next| next.is_ascii_digit());
        if starts_number {
            return self.number();
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return Ok(self.name());
        }
        if first == '`' {
            return self.quoted_name();
        }
        for symbol in SYMBOLS {
            if self.starts_with(symbol) {
                self.at += symbol.len();
                return Ok(TokenKind::Symbol(symbol));
            }
        }
        let start = self.at;
        if matches!(first, '=' | '&' | '|') {
            // They begin a token of two characters, and the second one does not continue it.
            self.at += 1;
        }
        Err(self.unrecognized(start))
    }

    /// The error of characters that do not begin a token, up to the first that cannot continue one.
    fn unrecognized(&mut self, start: usize) -> Fault {
        let end = (self.at + 1).min(self.characters.len());
        let text: String = self.characters.get(start..end).unwrap_or_default().iter().collect();
        self.at = end;
        Fault::new(start, format!("Syntax error: token recognition error at: '{text}'"))
    }

    fn name(&mut self) -> TokenKind {
        let name =
            self.take_while(|character| character.is_ascii_alphanumeric() || character == '_');
        match name.as_str() {
            "true" => TokenKind::Literal(Literal::Bool(true)),
            "false" => TokenKind::Literal(Literal::Bool(false)),
            "null" => TokenKind::Literal(Literal::Null),
            "in" => TokenKind::Symbol("in"),
            _ => TokenKind::Name(name.into()),
        }
    }

    fn quoted_name(&mut self) -> Result<TokenKind, Fault> {
        let start = self.at;
        self.at += 1;
        let allowed =
            |character: char| character.is_ascii_alphanumeric() || "_.-/ ".contains(character);
        let name = self.take_while(allowed);
        if self.peek(0) != Some('`') || name.is_empty() {
            return Err(self.unrecognized(start));
        }
        self.at += 1;
        Ok(TokenKind::QuotedName)
    }

    fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(character) = self.peek(0).filter(|character| accepts(*character)) {
            taken.push(character);
            self.at += 1;
        }
        taken
    }

    fn number(&mut self) -> Result<TokenKind, Fault> {
        let start = self.at;
        if self.peek(0) == Some('0')
            && self.peek(1) == Some('x')
            && self.peek(2).is_some_and(|next| next.is_ascii_hexdigit())
        {
            self.at += 2;
            let digits = self.take_while(|character| character.is_ascii_hexdigit());
            return self.integer(start, &digits, 16);
        }
        let mut text = self.take_while(|character| character.is_ascii_digit());
        let mut is_double = false;
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|next| next.is_ascii_digit()) {
            is_double = true;
            self.at += 1;
            text.push('.');
            text.push_str(&self.take_while(|character| character.is_ascii_digit()));
        }
        let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
        if matches!(self.peek(0), Some('e' | 'E'))
            && self.peek(1 + sign).is_some_and(|next| next.is_ascii_digit())
        {
            is_double = true;
            text.push('e');
            text.extend(self.peek(1).filter(|_| sign == 1));
            self.at += 1 + sign;
            text.push_str(&self.take_while(|character| character.is_ascii_digit()));
        }
        if !is_double {
            return self.integer(start, &text, 10);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(TokenKind::Literal(Literal::Double(value))),
            _ => Err(Fault::new(start, "invalid double literal")),
        }
    }

    /// A minus before the number is an operator, but `-9223372036854775808` is one literal: the parser joins them.
    fn integer(&mut self, start: usize, digits: &str, radix: u32) -> Result<TokenKind, Fault> {
        let value = u64::from_str_radix(digits, radix).ok();
        if matches!(self.peek(0), Some('u' | 'U')) {
            self.at += 1;
            let value = value.ok_or_else(|| Fault::new(start, "invalid uint literal"))?;
            return Ok(TokenKind::Literal(Literal::Uint(value)));
        }
        let value = value.filter(|value| *value <= i64::MIN.unsigned_abs());
        match value.map(i64::try_from) {
            Some(Ok(value)) => Ok(TokenKind::Literal(Literal::Int(value))),
            // Valid after a minus; the parser checks that.
            Some(Err(_)) => Ok(TokenKind::Symbol(SMALLEST)),
            None => Err(Fault::new(start, "invalid int literal")),
        }
    }

    /// The length of `r`, `b` and so on before a quote, and what they mean.
    fn string_prefix(&self) -> Option<StringPrefix> {
        let mut prefix = StringPrefix { length: 0, raw: false, bytes: false };
        loop {
            match self.peek(prefix.length)? {
                'r' | 'R' if !prefix.raw => prefix.raw = true,
                'b' | 'B' if !prefix.bytes && !prefix.raw => prefix.bytes = true,
                '"' | '\'' => return Some(prefix),
                _ => return None,
            }
            prefix.length += 1;
        }
    }

    fn string(&mut self, prefix: StringPrefix) -> Result<TokenKind, Fault> {
        let start = self.at;
        self.at += prefix.length;
        let quote = self.peek(0).unwrap_or('"');
        let long: String = std::iter::repeat_n(quote, 3).collect();
        let is_long = self.starts_with(&long);
        self.at += if is_long { 3 } else { 1 };
        let mut content = Content::default();
        loop {
            let Some(character) = self.peek(0) else { return Err(self.unrecognized(start)) };
            if is_long && self.starts_with(&long) {
                self.at += 3;
                break;
            }
            if !is_long && character == quote {
                self.at += 1;
                break;
            }
            if !is_long && matches!(character, '\n' | '\r') {
                return Err(self.unrecognized(start));
            }
            if character == '\\' && !prefix.raw {
                match self.escape(prefix.bytes, &mut content) {
                    Some(Escape::Character) => {}
                    Some(Escape::NoCharacter) => content.is_invalid = true,
                    None => return Err(self.unrecognized(start)),
                }
                continue;
            }
            content.push(character);
            self.at += 1;
        }
        if content.is_invalid {
            return Err(Fault::new(start, "invalid unicode code point"));
        }
        Ok(TokenKind::Literal(if prefix.bytes {
            Literal::Bytes(content.bytes.into())
        } else {
            Literal::String(String::from_utf8_lossy(&content.bytes).into())
        }))
    }

    /// Reads an escape. After an invalid one, the lexer is at the first character that no escape has there.
    fn escape(&mut self, bytes: bool, content: &mut Content) -> Option<Escape> {
        self.at += 1;
        let kind = self.peek(0)?;
        if let Some(simple) = simple_escape(kind) {
            self.at += 1;
            content.push(simple);
            return Some(Escape::Character);
        }
        let (length, radix) = match kind {
            'x' | 'X' => (2, 16),
            'u' if !bytes => (4, 16),
            'U' if !bytes => (8, 16),
            '0'..='3' => (3, 8),
            _ => return None,
        };
        self.at += usize::from(radix == 16);
        let mut code = 0_u32;
        for _ in 0..length {
            let digit = self.peek(0)?.to_digit(radix)?;
            code = code.checked_mul(radix)?.checked_add(digit)?;
            self.at += 1;
        }
        if bytes {
            content.bytes.push(u8::try_from(code).ok()?);
        } else {
            let Some(character) = char::from_u32(code) else { return Some(Escape::NoCharacter) };
            content.push(character);
        }
        Some(Escape::Character)
    }
}

/// The meaning of an escape in a text.
enum Escape {
    Character,
    /// A number that is not the code of a character.
    NoCharacter,
}

/// The character of an escape that is a letter or a sign.
pub(crate) const fn simple_escape(kind: char) -> Option<char> {
    Some(match kind {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' | '?' => kind,
        _ => return None,
    })
}

/// The symbol of 9223372036854775808, which is a number only after a minus.
pub(crate) const SMALLEST: &str = "9223372036854775808";

#[derive(Clone, Copy)]
struct StringPrefix {
    length: usize,
    raw: bool,
    bytes: bool,
}

#[derive(Default)]
struct Content {
    bytes: Vec<u8>,
    /// An escape is not a valid character.
    is_invalid: bool,
}

impl Content {
    fn push(&mut self, character: char) {
        self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

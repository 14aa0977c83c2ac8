//! The grammar of Go's regular expressions.
//!
//! The parser reads the text once. Open groups are in a list, so nesting cannot exhaust the stack of the program.

use super::class::{self, Class, Item};
use super::error::{PatternError, PatternFault};
use super::names;
use super::tree::{Count, Node};

/// Go's limit of a single count.
const MAX_COUNT: u32 = 1000;

/// The flags that a pattern can change: `(?imsU)`.
#[expect(clippy::struct_excessive_bools, reason = "four independent switches")]
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    fold_case: bool,
    multi_line: bool,
    dot_matches_line_feed: bool,
    reluctant: bool,
}

impl Flags {
    const fn set(&mut self, flag: char, on: bool) {
        match flag {
            'i' => self.fold_case = on,
            'm' => self.multi_line = on,
            's' => self.dot_matches_line_feed = on,
            'U' => self.reluctant = on,
            _ => {}
        }
    }
}

/// An open group; the first is the pattern itself.
#[derive(Debug, Default)]
struct Group {
    captures: bool,
    /// The flags after the group.
    flags: Flags,
    /// The alternatives that are complete.
    alternatives: Vec<Node>,
    /// The alternative that is being read.
    items: Vec<Node>,
}

struct Parser<'p> {
    pattern: &'p str,
    rest: &'p str,
    flags: Flags,
    groups: Vec<Group>,
    /// The group that is being read, which is not on the stack.
    group: Group,
    /// The text from the repetition that was just read.
    last_repeat: Option<&'p str>,
}

type Parsed<T> = Result<T, PatternError>;

/// Reads the pattern.
pub(super) fn parse(pattern: &str) -> Parsed<Node> {
    let mut parser = Parser {
        pattern,
        rest: pattern,
        flags: Flags::default(),
        groups: Vec::new(),
        group: Group::default(),
        last_repeat: None,
    };
    while let Some(next) = parser.rest.chars().next() {
        let last_repeat = parser.last_repeat.take();
        parser.item(next, last_repeat)?;
    }
    if parser.groups.is_empty() {
        let Group { alternatives, items, .. } = std::mem::take(&mut parser.group);
        parser.alternate(alternatives, items)
    } else {
        Err(refused(PatternFault::MissingParen, pattern))
    }
}

fn refused(reason: PatternFault, at: &str) -> PatternError {
    PatternError::Refused { reason, at: at.to_owned() }
}

/// The beginning of the text, up to the rest of it.
fn up_to<'p>(text: &'p str, rest: &str) -> &'p str {
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or(text)
}

/// The text after its first character.
fn after_first(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    Some((characters.next()?, characters.as_str()))
}

impl<'p> Parser<'p> {
    fn item(&mut self, next: char, last_repeat: Option<&'p str>) -> Parsed<()> {
        let text = self.rest;
        match next {
            '(' if text.starts_with("(?") => self.flags_or_name(),
            '[' => self.bracket(),
            '{' => match counted(text) {
                Some((count, rest)) => self.counted_repeat(count, rest, last_repeat),
                None => self.literal(next),
            },
            '\\' => self.escape(),
            _ => {
                self.rest = after_first(text);
                match next {
                    '(' => {
                        self.open(true);
                        Ok(())
                    }
                    ')' => self.close(),
                    '|' => self.bar(),
                    '*' => self.repeat(Count::Star, text, last_repeat),
                    '+' => self.repeat(Count::Plus, text, last_repeat),
                    '?' => self.repeat(Count::Optional, text, last_repeat),
                    '^' if self.flags.multi_line => self.push(Node::assertion("(?m:^)")),
                    '^' => self.push(Node::assertion(r"\A")),
                    '$' if self.flags.multi_line => self.push(Node::assertion("(?m:$)")),
                    '$' => self.push(Node::assertion(r"\z")),
                    '.' => self.push(Node::any(self.flags.dot_matches_line_feed)),
                    other => self.push(Node::literal(other, self.flags.fold_case)),
                }
            }
        }
    }

    fn literal(&mut self, character: char) -> Parsed<()> {
        self.rest = after_first(self.rest);
        self.push(Node::literal(character, self.flags.fold_case))
    }

    /// Adds a part of the sequence. Literals before it become one, as in Go.
    fn push(&mut self, node: Node) -> Parsed<()> {
        self.check(&node)?;
        self.join_literals();
        self.group.items.push(node);
        Ok(())
    }

    fn check(&self, node: &Node) -> Parsed<()> {
        node.check_limits().map_err(|reason| refused(reason, self.pattern))
    }

    fn join_literals(&mut self) {
        let items = &mut self.group.items;
        if let Some(last) = items.pop()
            && !items.last_mut().is_some_and(|before| before.append_literal(&last))
        {
            items.push(last);
        }
    }

    fn open(&mut self, captures: bool) {
        self.join_literals();
        let inner = Group { captures, flags: self.flags, ..Group::default() };
        let outer = std::mem::replace(&mut self.group, inner);
        self.groups.push(outer);
    }

    fn close(&mut self) -> Parsed<()> {
        let Some(outer) = self.groups.pop() else {
            return Err(refused(PatternFault::UnexpectedParen, self.pattern));
        };
        self.join_literals();
        let Group { captures, flags, alternatives, items } =
            std::mem::replace(&mut self.group, outer);
        let node = self.alternate(alternatives, items)?;
        self.flags = flags;
        self.push(if captures { Node::capture(node) } else { node })
    }

    fn bar(&mut self) -> Parsed<()> {
        self.join_literals();
        let node = Node::concat(std::mem::take(&mut self.group.items));
        self.check(&node)?;
        self.group.alternatives.push(node);
        Ok(())
    }

    fn alternate(&self, mut alternatives: Vec<Node>, items: Vec<Node>) -> Parsed<Node> {
        let last = Node::concat(items);
        self.check(&last)?;
        alternatives.push(last);
        let node = Node::alternate(alternatives);
        self.check(&node)?;
        Ok(node)
    }

    fn counted_repeat(
        &mut self,
        count: Option<Count>,
        rest: &'p str,
        last_repeat: Option<&'p str>,
    ) -> Parsed<()> {
        let text = self.rest;
        self.rest = rest;
        match count {
            Some(count) => self.repeat(count, text, last_repeat),
            None => Err(refused(PatternFault::InvalidRepeatSize, up_to(text, rest))),
        }
    }

    /// Repeats the last item. `text` begins with the operator, which has been read.
    fn repeat(&mut self, count: Count, text: &'p str, last_repeat: Option<&'p str>) -> Parsed<()> {
        let mut greedy = !self.flags.reluctant;
        if let Some(rest) = self.rest.strip_prefix('?') {
            self.rest = rest;
            greedy = !greedy;
        }
        if let Some(last_repeat) = last_repeat {
            return Err(refused(PatternFault::InvalidRepeatOp, up_to(last_repeat, self.rest)));
        }
        let Some(item) = self.group.items.pop() else {
            return Err(refused(PatternFault::MissingRepeatArgument, up_to(text, self.rest)));
        };
        let node = Node::repeat(item, count, greedy);
        self.check(&node)?;
        if matches!(count, Count::Between { min, max } if min >= 2 || max >= Some(2))
            && node.has_too_many_copies()
        {
            return Err(refused(PatternFault::InvalidRepeatSize, up_to(text, self.rest)));
        }
        self.group.items.push(node);
        self.last_repeat = Some(text);
        Ok(())
    }

    /// `(?i)`, `(?i-s:`, `(?:`, `(?P<name>` or `(?<name>`.
    fn flags_or_name(&mut self) -> Parsed<()> {
        let text = self.rest;
        let named = text.strip_prefix("(?P<").or_else(|| text.strip_prefix("(?<"));
        if let Some(after) = named.filter(|after| !after.is_empty()) {
            return self.named_group(after);
        }
        let body = text.get(2..).unwrap_or_default();
        let letters = up_to(body, body.trim_start_matches(['i', 'm', 's', 'U', '-']));
        let (on, off) =
            letters.split_once('-').map_or((letters, None), |(on, off)| (on, Some(off)));
        let refuse = |rest: &str| Err(refused(PatternFault::InvalidPerlOp, up_to(text, rest)));
        if let Some((_, second)) = off.and_then(|off| off.split_once('-')) {
            return refuse(body.get(letters.len() - second.len()..).unwrap_or_default());
        }
        match split_first(body.get(letters.len()..).unwrap_or_default()) {
            Some((end @ (':' | ')'), rest)) if off != Some("") => {
                self.rest = rest;
                if end == ':' {
                    self.open(false);
                }
                on.chars().for_each(|flag| self.flags.set(flag, true));
                off.unwrap_or_default().chars().for_each(|flag| self.flags.set(flag, false));
                Ok(())
            }
            Some((_, rest)) => refuse(rest),
            None => refuse(""),
        }
    }

    fn named_group(&mut self, after: &'p str) -> Parsed<()> {
        let Some((name, rest)) = after.split_once('>') else {
            return Err(refused(PatternFault::InvalidNamedCapture, self.rest));
        };
        if name.is_empty() || !name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) {
            return Err(refused(PatternFault::InvalidNamedCapture, up_to(self.rest, rest)));
        }
        self.rest = rest;
        self.open(true);
        Ok(())
    }

    fn escape(&mut self) -> Parsed<()> {
        let text = self.rest;
        if let Some(quoted) = text.strip_prefix(r"\Q") {
            return self.quoted(quoted);
        }
        let assertion = match text.get(1..2) {
            Some("A") => Some(r"\A"),
            Some("z") => Some(r"\z"),
            Some("b") => Some(r"(?-u:\b)"),
            Some("B") => Some(r"(?-u:\B)"),
            _ => None,
        };
        if let Some(assertion) = assertion {
            self.rest = text.get(2..).unwrap_or_default();
            return self.push(Node::assertion(assertion));
        }
        if let Some((item, rest)) = class_escape(text)? {
            self.rest = rest;
            return self.push(Node::class(Class::one(item, self.flags.fold_case)));
        }
        let (code, rest) = character_escape(text)?;
        self.rest = rest;
        let fold_case = self.flags.fold_case;
        self.push(match char::from_u32(code) {
            Some(character) => Node::literal(character, fold_case),
            None => Node::class(Class::one(Item::Range(code, code), fold_case)),
        })
    }

    fn quoted(&mut self, quoted: &'p str) -> Parsed<()> {
        let (literals, rest) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
        self.rest = rest;
        literals
            .chars()
            .try_for_each(|character| self.push(Node::literal(character, self.flags.fold_case)))
    }

    fn bracket(&mut self) -> Parsed<()> {
        let whole = self.rest;
        let mut rest = after_first(whole);
        let mut class = Class { fold_case: self.flags.fold_case, ..Class::default() };
        if let Some(after) = rest.strip_prefix('^') {
            class.negated = true;
            rest = after;
        }
        let mut first = true;
        while first || !rest.starts_with(']') {
            first = false;
            let (item, after) = class_item(rest, whole)?;
            class.items.push(item);
            rest = after;
        }
        self.rest = after_first(rest);
        self.push(Node::class(class))
    }
}

/// `{2}`, `{2,}` or `{2,3}`, and the text after it. No count if the numbers are too large or in the wrong order; `None`
/// if the brace is a literal.
fn counted(text: &str) -> Option<(Option<Count>, &str)> {
    let (min, rest) = number(text.strip_prefix('{')?)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (Some(min), rest),
        Some(rest) if rest.starts_with('}') => (None, rest),
        Some(rest) => number(rest).map(|(max, rest)| (Some(max), rest))?,
    };
    let rest = rest.strip_prefix('}')?;
    let fits = min <= MAX_COUNT && max.is_none_or(|max| (min..=MAX_COUNT).contains(&max));
    Some((fits.then_some(Count::Between { min, max }), rest))
}

/// A number without leading zeros, at most `u32::MAX`.
fn number(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = up_to(text, rest);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}

/// An item between brackets; `whole` begins with the opening bracket.
fn class_item<'p>(text: &'p str, whole: &str) -> Parsed<(Item, &'p str)> {
    if let Some((name, rest)) = text.strip_prefix("[:").and_then(|after| after.split_once(":]")) {
        return match class::posix(name) {
            Some(item) => Ok((item, rest)),
            None => Err(refused(PatternFault::InvalidCharRange, up_to(text, rest))),
        };
    }
    if let Some(escape) = class_escape(text)? {
        return Ok(escape);
    }
    let (low, rest) = class_character(text, whole)?;
    let Some(after) =
        rest.strip_prefix('-').filter(|after| !after.is_empty() && !after.starts_with(']'))
    else {
        return Ok((Item::Range(low, low), rest));
    };
    let (high, rest) = class_character(after, whole)?;
    if high < low {
        return Err(refused(PatternFault::InvalidCharRange, up_to(text, rest)));
    }
    Ok((Item::Range(low, high), rest))
}

fn class_character<'p>(text: &'p str, whole: &str) -> Parsed<(u32, &'p str)> {
    if text.starts_with('\\') {
        return character_escape(text);
    }
    match split_first(text) {
        Some((character, rest)) => Ok((character.into(), rest)),
        None => Err(refused(PatternFault::MissingBracket, whole)),
    }
}

/// `\d`, `\pL` or `\p{Greek}` at the beginning of the text.
fn class_escape(text: &str) -> Parsed<Option<(Item, &str)>> {
    let Some((letter, after)) = text.strip_prefix('\\').and_then(split_first) else {
        return Ok(None);
    };
    if !matches!(letter, 'p' | 'P') {
        return Ok(class::perl(letter).map(|item| (item, after)));
    }
    let (name, rest) = if let Some(braced) = after.strip_prefix('{') {
        braced.split_once('}').ok_or_else(|| refused(PatternFault::InvalidCharRange, text))?
    } else {
        let rest = after_first(after);
        (up_to(after, rest), rest)
    };
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, letter == 'p'),
        None => (name, letter == 'P'),
    };
    match names::unicode(name, negated) {
        Some(item) => Ok(Some((item, rest))),
        None => Err(refused(PatternFault::InvalidCharRange, up_to(text, rest))),
    }
}

/// The code point of an escape, which can be a surrogate, and the text after it. The text begins with `\`.
fn character_escape(text: &str) -> Parsed<(u32, &str)> {
    let Some((letter, rest)) = split_first(after_first(text)) else {
        return Err(refused(PatternFault::TrailingBackslash, ""));
    };
    let code = match letter {
        'a' => 7,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        '0' => return Ok(octal(0, rest)),
        // One digit that is not zero would refer to a group, which Go does not have.
        '1'..='7' if rest.starts_with(|next| matches!(next, '0'..='7')) => {
            return Ok(octal(u32::from(letter) - 48, rest));
        }
        'x' => return hexadecimal(text, rest),
        other if other.is_ascii() && !other.is_ascii_alphanumeric() => other.into(),
        _ => return Err(refused(PatternFault::InvalidEscape, up_to(text, rest))),
    };
    Ok((code, rest))
}

/// Up to two more octal digits after the first.
fn octal(first: u32, text: &str) -> (u32, &str) {
    let (mut code, mut rest) = (first, text);
    for _ in 0..2 {
        let Some((digit, after)) =
            split_first(rest).and_then(|(c, after)| Some((c.to_digit(8)?, after)))
        else {
            break;
        };
        code = code * 8 + digit;
        rest = after;
    }
    (code, rest)
}

/// `\x41` or `\x{41}`; `digits` is the text after the `x`.
fn hexadecimal<'p>(text: &'p str, digits: &'p str) -> Parsed<(u32, &'p str)> {
    let invalid = |rest| Err(refused(PatternFault::InvalidEscape, up_to(text, rest)));
    let Some(braced) = digits.strip_prefix('{') else {
        let (first, rest) = split_first(digits).unwrap_or_default();
        let (second, rest) = split_first(rest).unwrap_or_default();
        return match (first.to_digit(16), second.to_digit(16)) {
            (Some(first), Some(second)) => Ok((first * 16 + second, rest)),
            _ => invalid(rest),
        };
    };
    let (mut code, mut rest) = (0, braced);
    while let Some((next, after)) = split_first(rest) {
        let first = rest.len() == braced.len();
        rest = after;
        match next.to_digit(16) {
            Some(digit) => code = code * 16 + digit,
            None if next == '}' && !first => return Ok((code, rest)),
            None => break,
        }
        if code > u32::from(char::MAX) {
            break;
        }
    }
    invalid(rest)
}

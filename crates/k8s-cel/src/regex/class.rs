//! Classes of characters.

use std::fmt;
use std::ops::RangeInclusive;

/// The surrogates: Go has them in ranges, but no text contains one.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// A class such as `[^a-z\d]`, `\d` or `\pL`.
#[derive(Debug, Default)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) fold_case: bool,
    pub(super) items: Vec<Item>,
}

/// An item of a class.
#[derive(Debug)]
pub(super) enum Item {
    /// Code points, which can be surrogates.
    Range(u32, u32),
    /// A class with a name.
    Group { set: Set, negated: bool },
}

/// The characters of a class with a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    /// The ranges, as the crate `regex` writes them between brackets.
    Ranges(&'static str),
    /// A general category of Unicode.
    Category(&'static str),
    /// A script of Unicode.
    Script(&'static str),
    /// Every character.
    Any,
    /// No character.
    Nothing,
}

impl Class {
    /// How many characters are compared with their other cases when the class is compiled. The characters of named sets do not count.
    pub(super) fn folded(&self) -> u64 {
        let ranges = self.items.iter().filter_map(Item::written_range);
        let lengths = ranges.map(|range| u64::from(range.end().saturating_sub(*range.start())) + 1);
        if self.fold_case { lengths.sum() } else { 0 }
    }

    /// About how many states the class has in a compiled pattern.
    pub(super) fn states(&self) -> u64 {
        let of_item = |item: &Item| match item {
            // A few hundred ranges, of up to four bytes each.
            Item::Group { set: Set::Category(_) | Set::Script(_), .. } => 400,
            Item::Group { .. } | Item::Range(..) => 4,
        };
        self.items.iter().map(of_item).sum::<u64>() + if self.negated { 8 } else { 0 }
    }

    /// A class of one item.
    pub(super) fn one(item: Item, fold_case: bool) -> Self {
        Self { negated: false, fold_case, items: vec![item] }
    }
}

/// `\d`, `\s` and `\w` by their letter; a capital letter negates.
pub(super) fn perl(letter: char) -> Option<Item> {
    let set = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        's' => r"\t\n\f\r ",
        'w' => "0-9A-Za-z_",
        _ => return None,
    };
    Some(Item::Group { set: Set::Ranges(set), negated: letter.is_ascii_uppercase() })
}

/// `[:alpha:]` by its name, which begins with `^` if it negates.
pub(super) fn posix(name: &str) -> Option<Item> {
    let (name, negated) = match name.strip_prefix('^') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let set = match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\t ",
        "cntrl" => r"\x00-\x1F\x7F",
        "digit" => "0-9",
        "graph" => r"!-\~",
        "lower" => "a-z",
        "print" => r" -\~",
        "punct" => r"!-/:-@\[-`\{-\~",
        "space" => r"\t-\r ",
        "upper" => "A-Z",
        "word" => "0-9A-Za-z_",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    };
    Some(Item::Group { set: Set::Ranges(set), negated })
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.fold_case { "(?i:[" } else { "[" })?;
        if self.negated {
            f.write_str("^")?;
        }
        // The crate has no empty brackets.
        if self.items.iter().all(|item| item.written_range().is_some_and(|range| range.is_empty()))
        {
            f.write_str(NOTHING)?;
        }
        for item in &self.items {
            item.fmt(f)?;
        }
        f.write_str(if self.fold_case { "])" } else { "]" })
    }
}

// No character is both. With ranges of all characters instead, compiling without case would take milliseconds.
const ANY: &str = "[^a&&b]";
const NOTHING: &str = "[a&&b]";

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (set, negated) = match self {
            Self::Range(..) => {
                let range = self.written_range().filter(|range| !range.is_empty());
                return range.map_or(Ok(()), |range| {
                    write!(f, r"\x{{{:X}}}-\x{{{:X}}}", range.start(), range.end())
                });
            }
            Self::Group { set, negated } => (set, *negated),
        };
        let (caret, letter) = if negated { ("^", 'P') } else { ("", 'p') };
        match set {
            Set::Ranges(ranges) => write!(f, "[{caret}{ranges}]"),
            Set::Category(name) => write!(f, r"\{letter}{{gc={name}}}"),
            Set::Script(name) => write!(f, r"\{letter}{{sc={name}}}"),
            Set::Any => f.write_str(if negated { NOTHING } else { ANY }),
            Set::Nothing => f.write_str(if negated { ANY } else { NOTHING }),
        }
    }
}

impl Item {
    /// The code points of a range, without surrogates at its ends; it can be empty.
    fn written_range(&self) -> Option<RangeInclusive<u32>> {
        let Self::Range(first, last) = *self else { return None };
        let (low, high) = SURROGATES;
        let first = if (low..=high).contains(&first) { high + 1 } else { first };
        let last = if (low..=high).contains(&last) { low - 1 } else { last };
        Some(first..=last)
    }
}

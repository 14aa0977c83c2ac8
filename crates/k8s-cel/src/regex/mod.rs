//! Regular expressions as Go reads them.
//!
//! API servers compile a `pattern` of a schema, and the regular expressions of CEL, with Go's package `regexp`. Its syntax
//! is near the syntax of the crate `regex`, but not equal: `\d`, `\w`, `\s` and `\b` are ASCII, `{` can be a
//! literal, `\Q…\E` quotes, `\101` is octal, `$` is the end of the text, and `a**` is refused.
//!
//! The parser reads Go's grammar (`regexp/syntax`, with the flags of `regexp.Compile`) and refuses what Go refuses, with
//! Go's text. What it accepts is written again in the syntax of the crate `regex`, which finds the same leftmost-first
//! matches in linear time.

mod class;
mod error;
mod names;
mod parser;
mod tree;

use std::collections::HashMap;
use std::sync::Arc;

use ::regex::{Regex, RegexBuilder};

pub use error::{PatternError, PatternFault};
use tree::Node;

/// Bytes that a compiled pattern may take, which bounds the time of compiling to a tenth of a second. Go's own limit is far
/// higher; the largest public pattern needs half of it.
const SIZE_LIMIT: usize = 8 << 20;

/// Characters of ranges in a pattern whose case does not count: a quarter of a second. Public patterns have a few hundred.
const FOLD_LIMIT: u64 = 64 << 20;

/// How many instructions, for a byte of text, are one step of work. Mostly one state represents all of them.
const PER_STEP: u64 = 4;

/// A pattern with more instructions has so many states that each instruction takes a step of its own.
const LARGE: u64 = 256;

/// The states of all compiled patterns of a document, which bounds the time of compiling them to half a second. Public definitions have
/// a few thousand.
const STATES_OF_A_DOCUMENT: u64 = 200_000;

/// The states of one pattern, which can also come from an object: a third of a second.
const MOST_STATES: u64 = STATES_OF_A_DOCUMENT / 4;

/// The states that each pattern has in addition to those of its parts: its automata and their caches.
const STATES_OF_A_PATTERN: u64 = 100;

/// Patterns that nest deeper than this, apart from groups, are not compiled: compiling recurses. Public patterns nest up to
/// ten levels.
const NEST_LIMIT: u32 = 100;

/// A compiled regular expression of Go.
///
/// ```
/// use k8s_cel::regex::Pattern;
///
/// let pattern = Pattern::compile(r"^[a-z]{1,3}$")?;
/// assert!(pattern.is_match("abc"));
/// assert!(!pattern.is_match("abc\n"));
/// assert_eq!(
///     Pattern::compile("a**").unwrap_err().to_string(),
///     "error parsing regexp: invalid nested repetition operator: `**`"
/// );
/// # Ok::<(), k8s_cel::regex::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    /// The instructions of Go's program, which a text of one byte can all take.
    weight: u64,
}

impl Pattern {
    /// Returns `Ok` if Go compiles the pattern. It costs less than [`compile`](Self::compile).
    ///
    /// # Errors
    ///
    /// [`PatternError::Refused`] if Go refuses the pattern.
    pub fn check(pattern: &str) -> Result<(), PatternError> {
        match parser::parse(pattern) {
            Err(error) if error.is_refused() => Err(error),
            _ => Ok(()),
        }
    }

    /// Compiles the pattern as `regexp.Compile` of Go 1.25 and later does.
    ///
    /// # Errors
    ///
    /// [`PatternError::Refused`] if Go refuses the pattern. [`PatternError::TooLarge`] if Go compiles it, but it is too
    /// large for this package: then nothing is known about a match.
    pub fn compile(pattern: &str) -> Result<Self, PatternError> {
        Self::of_tree(&parser::parse(pattern)?)
    }

    fn of_tree(tree: &Node) -> Result<Self, PatternError> {
        let is_large = tree.folded() > FOLD_LIMIT || tree.states() > MOST_STATES;
        if is_large || tree.height() > NEST_LIMIT {
            return Err(PatternError::TooLarge);
        }
        RegexBuilder::new(&tree.to_string())
            .size_limit(SIZE_LIMIT)
            // Each level of the tree is at most a group and what it repeats; groups do not nest in the compiled form.
            .nest_limit(4 * NEST_LIMIT)
            .build()
            .map(|regex| Self { regex, weight: tree.size() })
            .map_err(|_| PatternError::TooLarge)
    }

    /// The most steps that the pattern takes on a text of so many bytes: each byte can meet each instruction of Go's program.
    pub fn steps(&self, bytes: usize) -> u64 {
        let per_step = if self.weight > LARGE { 1 } else { PER_STEP };
        self.weight.saturating_mul(1 + bytes as u64) / per_step
    }

    /// The instructions of the compiled pattern.
    pub(crate) const fn weight(&self) -> u64 {
        self.weight
    }

    /// Returns `true` if the pattern matches anywhere in the text, as Go's `MatchString` does.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The leftmost match, as Go's `FindString` returns it.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.regex.find(text).map(|part| part.as_str())
    }

    /// The first `limit` matches that do not overlap, or all, as Go's `FindAllString` returns them: an empty match beside
    /// the previous match does not count.
    pub fn find_all<'t>(&self, text: &'t str, limit: Option<usize>) -> Vec<&'t str> {
        self.matches(text).take(limit.unwrap_or(usize::MAX)).collect()
    }

    /// The matches, as they are found. Each takes memory of the size of the text.
    pub(crate) fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        self.regex.find_iter(text).map(|part| part.as_str())
    }
}

/// Compiles the patterns of one document: equal ones once, and all together up to a number of states.
///
/// ```
/// use k8s_cel::regex::Patterns;
///
/// let mut patterns = Patterns::default();
/// assert!(patterns.compile("^[a-z]+$")?.is_match("abc"));
/// # Ok::<(), k8s_cel::regex::PatternError>(())
/// ```
#[derive(Debug)]
pub struct Patterns {
    compiled: HashMap<String, Result<Arc<Pattern>, PatternError>>,
    /// The states that other patterns may have.
    left: u64,
}

impl Default for Patterns {
    fn default() -> Self {
        Self { compiled: HashMap::new(), left: STATES_OF_A_DOCUMENT }
    }
}

impl Patterns {
    /// Compiles a pattern, unless it was compiled before.
    ///
    /// # Errors
    ///
    /// As [`Pattern::compile`]. Once the patterns have too many states together, each new one is [`PatternError::TooLarge`].
    pub fn compile(&mut self, pattern: &str) -> Result<Arc<Pattern>, PatternError> {
        if let Some(compiled) = self.compiled.get(pattern) {
            return compiled.clone();
        }
        let compiled = parser::parse(pattern).and_then(|tree| {
            self.left = self
                .left
                .checked_sub(STATES_OF_A_PATTERN + tree.states())
                .ok_or(PatternError::TooLarge)?;
            Pattern::of_tree(&tree).map(Arc::new)
        });
        self.compiled.insert(pattern.to_owned(), compiled.clone());
        compiled
    }
}

#[cfg(test)]
mod tests;

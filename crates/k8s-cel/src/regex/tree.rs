//! The tree of a pattern, and how it is written in the syntax of the crate `regex`.

use std::fmt;

use super::class::Class;
use super::error::PatternFault;

/// Go's limit of the height of the tree.
const MAX_HEIGHT: u32 = 1000;

/// Go's limit of the instructions of the compiled pattern.
const MAX_SIZE: u64 = (128 << 20) / 40;

/// Go's limit of the copies that nested counts make of what they repeat.
const MAX_COPIES: u32 = 1000;

/// A part of a pattern, with the figures that Go limits.
///
/// Both are at most what Go counts: Go also merges alternatives with a common beginning, which changes the figures of
/// patterns with hundreds of levels or millions of instructions.
#[derive(Debug)]
pub(super) struct Node {
    kind: Kind,
    height: u32,
    size: u64,
    copies: u32,
}

#[derive(Debug)]
enum Kind {
    Empty,
    Literal { text: String, fold_case: bool },
    Class(Class),
    Assertion(&'static str),
    Capture(Box<Node>),
    Repeat { node: Box<Node>, count: Count, greedy: bool },
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
}

/// How often a part is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    Star,
    Plus,
    Optional,
    Between { min: u32, max: Option<u32> },
}

impl Node {
    fn leaf(kind: Kind) -> Self {
        Self { kind, height: 1, size: 1, copies: 1 }
    }

    pub(super) fn empty() -> Self {
        Self::leaf(Kind::Empty)
    }

    pub(super) fn literal(character: char, fold_case: bool) -> Self {
        Self::leaf(Kind::Literal { text: character.to_string(), fold_case })
    }

    pub(super) fn class(class: Class) -> Self {
        Self::leaf(Kind::Class(class))
    }

    /// An assertion without a character, in the syntax of the crate `regex`.
    pub(super) fn assertion(written: &'static str) -> Self {
        Self::leaf(Kind::Assertion(written))
    }

    /// `.`
    pub(super) fn any(with_line_feed: bool) -> Self {
        Self::leaf(Kind::Assertion(if with_line_feed { "(?s:.)" } else { "[^\\n]" }))
    }

    /// A group counts in Go's figures, but matches as what it contains.
    pub(super) fn capture(node: Self) -> Self {
        let (height, size, copies) = (node.height + 1, node.size + 2, node.copies);
        Self { kind: Kind::Capture(Box::new(node)), height, size, copies }
    }

    pub(super) fn concat(nodes: Vec<Self>) -> Self {
        Self::join(nodes, Kind::Concat, |kind| match kind {
            Kind::Concat(nodes) => Ok(nodes),
            other => Err(other),
        })
    }

    pub(super) fn alternate(nodes: Vec<Self>) -> Self {
        let bars = nodes.len().saturating_sub(1) as u64;
        let mut node = Self::join(nodes, Kind::Alternate, |kind| match kind {
            Kind::Alternate(nodes) => Ok(nodes),
            other => Err(other),
        });
        node.size = node.size.saturating_add(bars);
        node
    }

    /// One node for several; a node that `inner` can split becomes its parts, as in Go.
    fn join(
        mut nodes: Vec<Self>,
        outer: fn(Vec<Self>) -> Kind,
        inner: fn(Kind) -> Result<Vec<Self>, Kind>,
    ) -> Self {
        if nodes.len() <= 1 {
            return nodes.pop().unwrap_or_else(Self::empty);
        }
        let mut parts = Vec::with_capacity(nodes.len());
        let (mut size, mut copies, mut height) = (0u64, 1, 0);
        for node in nodes {
            size = size.saturating_add(node.size);
            copies = copies.max(node.copies);
            match inner(node.kind) {
                Ok(nodes) => {
                    height = height.max(node.height);
                    parts.extend(nodes);
                }
                Err(kind) => {
                    height = height.max(node.height + 1);
                    parts.push(Self { kind, ..node });
                }
            }
        }
        Self { kind: outer(parts), height, size, copies }
    }

    pub(super) fn repeat(node: Self, count: Count, greedy: bool) -> Self {
        let (size, copies) = match count {
            Count::Star | Count::Between { min: 0, max: None } => (node.size + 2, node.copies),
            Count::Plus | Count::Optional => (node.size + 1, node.copies),
            Count::Between { max: Some(0), .. } => (1, 1),
            Count::Between { min, max: None } => {
                (1 + node.size.saturating_mul(min.into()), node.copies.saturating_mul(min))
            }
            Count::Between { min, max: Some(max) } => (
                node.size.saturating_mul(max.into()).saturating_add(max.saturating_sub(min).into()),
                node.copies.saturating_mul(max),
            ),
        };
        let height = node.height + 1;
        Self { kind: Kind::Repeat { node: Box::new(node), count, greedy }, height, size, copies }
    }

    /// The instructions of Go's program.
    pub(super) const fn size(&self) -> u64 {
        self.size
    }

    /// The limits of Go that the node exceeds.
    pub(super) fn check_limits(&self) -> Result<(), PatternFault> {
        if self.size > MAX_SIZE {
            return Err(PatternFault::Large);
        }
        if self.height > MAX_HEIGHT { Err(PatternFault::NestingDepth) } else { Ok(()) }
    }

    /// Returns `true` if nested counts make more copies than Go allows.
    pub(super) fn has_too_many_copies(&self) -> bool {
        self.copies > MAX_COPIES
    }

    /// Appends the literal to this one if both are literals of the same kind, as Go does.
    pub(super) fn append_literal(&mut self, other: &Self) -> bool {
        match (&mut self.kind, &other.kind) {
            (Kind::Literal { text, fold_case }, Kind::Literal { text: added, fold_case: same })
                if fold_case == same =>
            {
                text.push_str(added);
                self.size = self.size.saturating_add(other.size);
                true
            }
            _ => false,
        }
    }

    /// How many characters are compared with their other cases when the pattern is compiled.
    pub(super) fn folded(&self) -> u64 {
        match &self.kind {
            Kind::Class(class) => class.folded(),
            Kind::Empty | Kind::Literal { .. } | Kind::Assertion(_) => 0,
            Kind::Capture(node) | Kind::Repeat { node, .. } => node.folded(),
            Kind::Concat(nodes) | Kind::Alternate(nodes) => nodes.iter().map(Self::folded).sum(),
        }
    }

    /// About how many states the compiled pattern has: a copy of a part for each time that it is repeated.
    pub(super) fn states(&self) -> u64 {
        match &self.kind {
            Kind::Empty => 1,
            Kind::Literal { text, .. } => text.len() as u64,
            Kind::Assertion(_) => 8,
            Kind::Class(class) => class.states(),
            Kind::Capture(node) => node.states(),
            Kind::Repeat { node, count, .. } => {
                let copies = match count {
                    Count::Between { max: Some(copies), .. }
                    | Count::Between { min: copies, .. } => (*copies).max(1),
                    Count::Star | Count::Plus | Count::Optional => 1,
                };
                node.states().saturating_mul(copies.into())
            }
            Kind::Concat(nodes) | Kind::Alternate(nodes) => {
                nodes.iter().map(Self::states).fold(0, u64::saturating_add)
            }
        }
    }

    /// The levels of repetitions, sequences and alternatives; groups do not count, because they are not written.
    pub(super) fn height(&self) -> u32 {
        match &self.kind {
            Kind::Empty | Kind::Literal { .. } | Kind::Class(_) | Kind::Assertion(_) => 1,
            Kind::Capture(node) => node.height(),
            Kind::Repeat { node, .. } => 1 + node.height(),
            Kind::Concat(nodes) | Kind::Alternate(nodes) => {
                1 + nodes.iter().map(Self::height).max().unwrap_or(0)
            }
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Empty => f.write_str("(?:)"),
            Kind::Literal { text, fold_case } => {
                let text = ::regex::escape(text);
                if *fold_case { write!(f, "(?i:{text})") } else { f.write_str(&text) }
            }
            Kind::Class(class) => class.fmt(f),
            Kind::Assertion(written) => f.write_str(written),
            Kind::Capture(node) => node.fmt(f),
            Kind::Repeat { node, count, greedy } => {
                let reluctant = if *greedy { "" } else { "?" };
                write!(f, "(?:{node}){count}{reluctant}")
            }
            Kind::Concat(nodes) => nodes.iter().try_for_each(|node| node.fmt(f)),
            Kind::Alternate(nodes) => {
                f.write_str("(?:")?;
                for (index, node) in nodes.iter().enumerate() {
                    if index > 0 {
                        f.write_str("|")?;
                    }
                    node.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Star => f.write_str("*"),
            Self::Plus => f.write_str("+"),
            Self::Optional => f.write_str("?"),
            Self::Between { min, max: None } => write!(f, "{{{min},}}"),
            Self::Between { min, max: Some(max) } => write!(f, "{{{min},{max}}}"),
        }
    }
}

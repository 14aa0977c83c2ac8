//! The syntax tree of an expression, with its macros expanded.

use std::sync::Arc;

use crate::check::types::Type;

/// An expression and its place in the text.
#[derive(Debug)]
pub(crate) struct Expr {
    /// The offset in the text, in characters, that errors about the expression name.
    pub(crate) at: usize,
    pub(crate) kind: Kind,
    /// The type of its value. Set by the checker.
    pub(crate) of: Type,
    /// The height of this subtree: 1 for an expression without parts.
    pub(crate) height: usize,
}

impl Expr {
    pub(crate) fn new(at: usize, kind: Kind) -> Self {
        let height = 1 + kind.parts().iter().map(|part| part.height).max().unwrap_or_default();
        Self { at, kind, of: Type::Dyn, height }
    }
}

impl Kind {
    /// The expressions directly below, to change.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Literal(_) | Self::Name(_) | Self::TypeName(_) | Self::Message { .. } => {
                Vec::new()
            }
            Self::Select { operand, .. } | Self::Has { operand, .. } => vec![operand],
            Self::Call(call) => call.arguments.iter_mut().collect(),
            Self::List(items) => items.iter_mut().map(|item| &mut item.value).collect(),
            Self::Map(entries) => {
                entries.iter_mut().flat_map(|entry| [&mut entry.key, &mut entry.value]).collect()
            }
            Self::And(operands) | Self::Or(operands) => operands.iter_mut().collect(),
            Self::Conditional(operands) => operands.iter_mut().collect(),
            Self::Comprehension(visit) => {
                [Some(&mut visit.range), visit.filter.as_mut(), Some(&mut visit.body)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Self::OptionalMap { target, result, .. } => vec![target, result],
        }
    }

    /// The expressions directly below.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Literal(_) | Self::Name(_) | Self::TypeName(_) | Self::Message { .. } => {
                Vec::new()
            }
            Self::Select { operand, .. } | Self::Has { operand, .. } => vec![operand],
            Self::Call(call) => call.arguments.iter().collect(),
            Self::List(items) => items.iter().map(|item| &item.value).collect(),
            Self::Map(entries) => {
                entries.iter().flat_map(|entry| [&entry.key, &entry.value]).collect()
            }
            Self::And(operands) | Self::Or(operands) => operands.iter().collect(),
            Self::Conditional(operands) => operands.iter().collect(),
            Self::Comprehension(visit) => {
                [Some(&visit.range), visit.filter.as_ref(), Some(&visit.body)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Self::OptionalMap { target, result, .. } => vec![target, result],
        }
    }
}

#[derive(Debug)]
pub(crate) enum Kind {
    Literal(Literal),
    Name(Arc<str>),
    /// A name that the checker found to be a type, such as `int` or `net.IP`.
    TypeName(&'static str),
    Select {
        operand: Box<Expr>,
        field: Arc<str>,
        optional: bool,
    },
    /// `has(operand.field)`.
    Has {
        operand: Box<Expr>,
        field: Arc<str>,
    },
    Call(Box<Call>),
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// `Name{field: value}`: servers have no type that can be made with this syntax.
    Message {
        name: Arc<str>,
    },
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Conditional(Box<[Expr; 3]>),
    Comprehension(Box<Comprehension>),
    /// `target.optMap(name, result)`, or `optFlatMap` if the result is itself optional.
    OptionalMap {
        target: Box<Expr>,
        name: Arc<str>,
        result: Box<Expr>,
        flat: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// A call of a function or an operator.
#[derive(Debug)]
pub(crate) struct Call {
    /// The name with which functions are declared: `size`, `sets.contains`, `_+_`.
    pub(crate) function: Arc<str>,
    /// The arguments; the first is the receiver if there is one.
    pub(crate) arguments: Vec<Expr>,
    pub(crate) has_receiver: bool,
    /// The overloads that the types leave. Set by the checker.
    pub(crate) overloads: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) value: Expr,
    pub(crate) optional: bool,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Expr,
    pub(crate) value: Expr,
    pub(crate) optional: bool,
}

/// A macro that visits the items of a list or the entries of a map.
#[derive(Debug)]
pub(crate) struct Comprehension {
    pub(crate) kind: Macro,
    pub(crate) range: Expr,
    /// The name of the item (or key); of the index (or key) if there is a second name.
    pub(crate) first: Arc<str>,
    /// The name of the item (or value) in macros with two names.
    pub(crate) second: Option<Arc<str>>,
    pub(crate) filter: Option<Expr>,
    pub(crate) body: Expr,
}

/// What a comprehension does with its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Macro {
    All,
    Exists,
    ExistsOne,
    /// `map`, `transformList`, and `filter`, whose body is the item itself.
    List,
    /// `transformMap`.
    Map,
    /// `transformMapEntry`.
    Entries,
    /// `sortBy`.
    SortBy,
}

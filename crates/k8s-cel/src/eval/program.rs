//! What is evaluated: an expression whose names, fields and functions are found, and whose constants are computed.

use std::sync::Arc;

use super::constant::Constant;
use super::patterns::Patterns;
use crate::check::schema::ObjectShape;
use crate::cost::function::Cost;
use crate::functions::library::Overload;
use crate::functions::operators::Operator;
use crate::since::Facts;
use crate::syntax::ast::Visit;

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    pub(crate) patterns: Patterns,
}

/// An expression to evaluate.
#[derive(Debug)]
pub(crate) enum Plan {
    Constant(Constant),
    /// A constant that is not kept as a value: servers compute it once, so it costs nothing.
    Free(Box<Self>),
    /// A variable by its place on the stack, and its name.
    Variable(usize, Arc<str>),
    /// `operand.field`, and what it costs.
    Select {
        operand: Box<Self>,
        field: Field,
        optional: bool,
        cost: u64,
    },
    /// `has(operand.field)`.
    Has {
        operand: Box<Self>,
        field: Field,
        cost: u64,
    },
    /// `operand[key]`, and what it costs beside the two.
    Index {
        operand: Box<Self>,
        key: Box<Self>,
        optional: bool,
        cost: u64,
    },
    Binary {
        operator: Operator,
        operands: Box<[Self; 2]>,
        cost: Cost,
    },
    /// `value in [constants]`, which costs nothing.
    InConstants {
        value: Box<Self>,
        constants: Vec<Constant>,
    },
    Call(Box<Invocation>),
    /// `or` and `orValue`: the second operand has a value only if it is needed.
    Alternative {
        operands: Box<[Self; 2]>,
        is_value: bool,
    },
    List(Vec<(Self, bool)>),
    Map(Vec<(Self, Self, bool)>),
    /// `&&` or `||`: what an operand must be to decide.
    Logical {
        operands: Vec<Self>,
        decides: bool,
    },
    Conditional(Box<[Self; 3]>, [u64; 2]),
    Loop(Box<Loop>),
    OptionalMap {
        target: Box<Self>,
        result: Box<Self>,
        flat: bool,
    },
    Message(Arc<str>),
}

/// A call of a function, with the overloads that it can have.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) function: Arc<str>,
    pub(crate) overloads: Vec<&'static Overload>,
    pub(crate) arguments: Vec<Plan>,
    pub(crate) cost: Cost,
}

/// The name of a field, and where objects of the static type have it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: Arc<str>,
    pub(crate) property: Option<(Arc<ObjectShape>, usize)>,
}

/// A macro that visits the items of a list or the entries of a map.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) kind: Visit,
    pub(crate) range: Plan,
    /// Whether the loop has a second variable.
    pub(crate) two: bool,
    pub(crate) filter: Option<Plan>,
    pub(crate) body: Plan,
    /// What each item costs beside the filter and the body: before them, and if the filter takes the item.
    pub(crate) costs: [u64; 2],
    /// What it costs to see that the other items do not matter.
    pub(crate) cost_of_end: u64,
}

impl Plan {
    /// Returns `true` for variables and what is selected from them, which servers resolve as one.
    pub(super) const fn is_attribute(&self) -> bool {
        matches!(
            self,
            Self::Variable(..) | Self::Select { .. } | Self::Index { .. } | Self::Conditional(..)
        )
    }

    pub(super) const fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_) | Self::Free(_))
    }
}
